//! Games of matches as training data: PGN in which the comments tell what the players' searches found, as match
//! programs write them. A match that was played to compare two searches teaches the next network for nothing, and its
//! searches are often longer than training games can afford.

use super::{GameResult, Sample};
use crate::board::Color;
use crate::eval;
use crate::params::Params;
use crate::pgn::{KnownOutcome, Outcome, PgnGame};

/// Scores are told in pawns.
const CENTIPAWNS: f64 = 100.0;
/// Larger scores count as this, which the data formats hold, and which any limit on scores leaves out.
const LARGEST: f64 = i16::MAX as f64;
/// Values of the tag `Termination` with results that say nothing of the position: those of the PGN standard, section
/// 9.8.1, and what match programs write besides.
const OFF_THE_BOARD: [&str; 8] = [
    "abandoned",
    "death",
    "emergency",
    "illegal move",
    "rules infraction",
    "stalled connection",
    "time forfeit",
    "unterminated",
];

/// The score in a comment, for the side that moved, in centipawns: `+0.35/12 0.10s`. Mates, book moves and other
/// comments have none, nor do results (`1/2-1/2`).
pub fn score_of(comment: &str) -> Option<i32> {
    let (score, _) = comment.trim().split_once('/')?;
    if score.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let pawns: f64 = score.parse().ok().filter(|pawns: &f64| pawns.is_finite())?;
    Some((pawns * CENTIPAWNS).round().clamp(-LARGEST, LARGEST) as i32)
}

/// How many games a file has, and of how many of these no position has a score.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct MatchGames {
    /// The games that can be played through.
    pub games: u64,
    /// Those of them without a result, with one from off the board, or without scores.
    pub empty: u64,
}

impl MatchGames {
    /// Counts a game that has these samples.
    pub fn count(&mut self, samples: &[Sample]) {
        self.games += 1;
        self.empty += u64::from(samples.is_empty());
    }
}

/// The positions of a game in which the move played has a score; none if the game has no result, or one from off the
/// board.
pub fn samples(game: &PgnGame) -> Vec<Sample> {
    let termination = game.tag("Termination").unwrap_or_default().trim();
    if OFF_THE_BOARD.iter().any(|value| value.eq_ignore_ascii_case(termination)) {
        return Vec::new();
    }
    let result = match game.result {
        Outcome::Known(KnownOutcome::Draw) => GameResult::Draw,
        Outcome::Known(KnownOutcome::Decisive { winner: Color::White }) => GameResult::WhiteWins,
        Outcome::Known(KnownOutcome::Decisive { winner: Color::Black }) => GameResult::BlackWins,
        Outcome::Unknown => return Vec::new(),
    };
    let mut position = game.start.clone();
    let mut samples = Vec::new();
    for step in &game.moves {
        if let Some(score) = step.comments.first().and_then(|comment| score_of(comment)) {
            samples.push(Sample { position: position.clone(), score, best_move: step.mv, result });
        }
        position.make(step.mv);
    }
    samples
}

/// Puts scores that Pacioli's searches found with these tunables into the network's own units, for a network to learn
/// from: what the search makes of them besides would count twice.
pub fn undo_material_scaling(samples: &mut [Sample], params: &Params) {
    for Sample { position, score, .. } in samples {
        *score = eval::uncounted(params, position, *score);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::Games;

    #[test]
    fn comments_are_read_as_match_programs_write_them() {
        for (comment, score) in [
            ("+0.35/12 0.10s", Some(35)),
            // As a binary number slightly less.
            ("+0.29/9 0.10s", Some(29)),
            (" -12.40/9 1.2s, White mates", Some(-1240)),
            ("0.00/1 0.000s", Some(0)),
            ("+M5/14 0.1s", None),
            ("-M12/14 0.1s", None),
            ("book", None),
            ("1/2-1/2", None),
            ("1/2 was offered", None),
            ("inf/3 0.1s", None),
            ("-30000000/1 0s", Some(-32_767)),
            ("1e308/1 0s", Some(32_767)),
            ("", None),
        ] {
            assert_eq!(score_of(comment), score, "{comment}");
        }
    }

    #[test]
    fn every_scored_move_of_a_finished_game_is_a_sample() {
        let pgn = "[Result \"1-0\"]\n\n1. e4 {+0.30/5 0s} e5 {-0.25/5 0s} 2. Nf3 {book} Nc6 {+M5/3 0s} 1-0\n\n\
                   [Result \"*\"]\n\n1. e4 {+0.30/5 0s} *\n\n\
                   [FEN \"8/5k2/8/8/8/2K5/4P3/8 b - - 0 1\"]\n[Result \"1/2-1/2\"]\n\n1... Ke6 {-1.00/9 0s} 1/2-1/2\n";
        let games: Vec<Vec<Sample>> = Games::new(pgn.as_bytes()).map(|game| samples(&game.unwrap().unwrap())).collect();
        let told = |sample: &Sample| (sample.position.uci(sample.best_move), sample.score, sample.result);
        let told: Vec<Vec<_>> = games.iter().map(|game| game.iter().map(told).collect()).collect();
        assert_eq!(
            told[0],
            [("e2e4".to_owned(), 30, GameResult::WhiteWins), ("e7e5".to_owned(), -25, GameResult::WhiteWins)]
        );
        assert!(told[1].is_empty());
        assert_eq!(told[2], [("f7e6".to_owned(), -100, GameResult::Draw)]);
    }

    #[test]
    fn games_that_black_won_are_told_as_that() {
        let pgn = "[Result \"0-1\"]\n\n1. f3 {-0.20/5 0s} e5 {+0.40/5 0s} 0-1\n";
        let game = Games::new(pgn.as_bytes()).next().unwrap().unwrap().unwrap();
        let results: Vec<GameResult> = samples(&game).iter().map(|sample| sample.result).collect();
        assert_eq!(results, [GameResult::BlackWins; 2]);
    }

    #[test]
    fn games_decided_off_the_board_have_no_samples() {
        for (termination, count) in [
            ("time forfeit", 0),
            ("Time forfeit", 0),
            ("abandoned", 0),
            ("death", 0),
            ("emergency", 0),
            ("rules infraction", 0),
            ("unterminated", 0),
            ("stalled connection", 0),
            ("illegal move", 0),
            ("adjudication", 1),
            ("normal", 1),
            ("something else", 1),
            ("", 1),
        ] {
            let pgn = format!("[Result \"0-1\"]\n[Termination \"{termination}\"]\n\n1. e4 {{+9.30/5 0s}} 0-1\n");
            let game = Games::new(pgn.as_bytes()).next().unwrap().unwrap().unwrap();
            assert_eq!(samples(&game).len(), count, "{termination}");
        }
    }
}
