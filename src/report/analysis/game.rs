//! A whole game: every position searched, and the moves marked that lost part of the expected score.

use schemars::JsonSchema;
use serde::Serialize;

use super::{AnalysedLine, position};
use crate::board::{Color, Game, Move};
use crate::engine::{Engine, Limits};
use crate::eval::Chances;
use crate::json::side::{self, Side};
use crate::json::{MoveText, PovChances, PovScore};
use crate::pgn::PgnGame;
use crate::runner::{Head, Kind, Provenance};
use crate::score::Score;

/// How bad a move is, by the expected score that it loses.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Mark {
    /// 0.05 or more.
    Inaccuracy,
    /// 0.1 or more.
    Mistake,
    /// 0.2 or more.
    Blunder,
}

impl Mark {
    /// All of them with their minimum loss, the worst first.
    const LOSSES: [(Mark, f64); 3] = [(Mark::Blunder, 0.2), (Mark::Mistake, 0.1), (Mark::Inaccuracy, 0.05)];

    /// The mark for a loss, if it deserves one.
    fn of_loss(loss: f64) -> Option<Mark> {
        Mark::LOSSES.into_iter().find(|&(_, least)| loss >= least).map(|(mark, _)| mark)
    }

    /// The annotation glyph.
    pub const fn glyph(self) -> &'static str {
        match self {
            Mark::Inaccuracy => "?!",
            Mark::Mistake => "?",
            Mark::Blunder => "??",
        }
    }

    /// Its number (NAG) in the PGN standard.
    pub const fn nag(self) -> u8 {
        match self {
            Mark::Inaccuracy => 6,
            Mark::Mistake => 2,
            Mark::Blunder => 4,
        }
    }

    /// Its name, capitalised.
    pub const fn name(self) -> &'static str {
        match self {
            Mark::Inaccuracy => "Inaccuracy",
            Mark::Mistake => "Mistake",
            Mark::Blunder => "Blunder",
        }
    }
}

/// A move of a game with its assessment.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct AnalysedMove {
    /// Number of the move, as on a score sheet.
    pub number: u32,
    /// Whose move it is.
    #[serde(with = "side")]
    #[schemars(with = "Side")]
    pub side: Color,
    /// The move.
    #[serde(flatten)]
    pub text: MoveText,
    /// White's score after it.
    pub score: PovScore,
    /// White's chances after it.
    pub chances: PovChances,
    /// The expected score that the move lost, from 0 to 1; 0 if it is the best one.
    pub loss: f64,
    /// How bad that is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mark: Option<Mark>,
    /// The best line instead.
    pub best: AnalysedLine,
    #[serde(skip)]
    pub(super) m: Move,
}

/// One side's summary.
#[derive(Copy, Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct SideSummary {
    /// Moves made.
    pub moves: u32,
    /// Inaccuracies among them.
    pub inaccuracies: u32,
    /// Mistakes.
    pub mistakes: u32,
    /// Blunders.
    pub blunders: u32,
    /// The mean loss per move in expected score.
    pub mean_loss: f64,
}

/// A game with its assessment.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct GameAnalysis {
    /// The settings of the searches.
    #[serde(skip)]
    pub provenance: Provenance,
    /// The game's tags, in order.
    pub tags: Vec<(String, String)>,
    /// Nodes searched in total.
    pub nodes: u64,
    /// The moves.
    pub moves: Vec<AnalysedMove>,
    /// White's summary.
    pub white: SideSummary,
    /// Black's summary.
    pub black: SideSummary,
}

/// Games with their assessments, for JSON.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct GamesAnalysis<'a> {
    /// The version of the form, and the settings of the searches.
    #[serde(flatten)]
    pub head: Head,
    /// The games, in the order of the file.
    pub games: &'a [GameAnalysis],
}

impl<'a> GamesAnalysis<'a> {
    /// Games that were analysed with the same settings.
    pub fn new(games: &'a [GameAnalysis]) -> GamesAnalysis<'a> {
        let provenance = games.first().map(|game| game.provenance.clone()).unwrap_or_default();
        GamesAnalysis { head: Head::new(Kind::Games, provenance), games }
    }
}

/// The result of searching one position of the game.
struct Judged {
    /// For the side to move.
    value: Score,
    /// For the side to move.
    chances: Chances,
    /// None if the game is over.
    best: Option<AnalysedLine>,
}

/// Analyses a game. The positions are searched from last to first, so that the table already knows what a move leads
/// to; `progress` gets the number done.
pub fn game(engine: &mut Engine, pgn: &PgnGame, limits: &Limits, progress: &mut dyn FnMut(usize)) -> GameAnalysis {
    let mut game = Game::new(pgn.start.clone());
    let mut games = vec![game.clone()];
    for step in &pgn.moves {
        game.play(step.mv);
        games.push(game.clone());
    }
    engine.new_game();
    let mut nodes = 0;
    let mut judged: Vec<Judged> = Vec::with_capacity(games.len());
    for (index, game) in games.iter().enumerate().rev() {
        // After the last move only the score is needed, and the rules may give it.
        let is_last = index + 1 == games.len();
        judged.push(if is_last && game.is_over() {
            let mated = game.position().in_check() && game.position().legal_moves().is_empty();
            let (value, chances) = if mated { (Score::mated(0), Chances::LOSS) } else { (Score::ZERO, Chances::DRAW) };
            Judged { value, chances, best: None }
        } else {
            let analysis = position(engine, game, limits);
            nodes += analysis.nodes;
            let best = analysis.lines.into_iter().next();
            let value = best.as_ref().map_or(Score::ZERO, |line| line.value);
            Judged { value, chances: Chances::new(value, game.position()), best }
        });
        progress(games.len() - index);
    }
    judged.reverse();
    let moves: Vec<AnalysedMove> = (0..pgn.moves.len())
        .filter_map(|index| {
            let best = judged[index].best.clone()?;
            Some(judge(&games[index], pgn.moves[index].mv, best, &judged[index + 1]))
        })
        .collect();
    GameAnalysis {
        provenance: Provenance::of_engine(engine, limits),
        tags: pgn.tags.clone(),
        nodes,
        white: summary(&moves, Color::White),
        black: summary(&moves, Color::Black),
        moves,
    }
}

/// Judges a move by the best one in its place and the score of the position after it.
fn judge(game: &Game, m: Move, best: AnalysedLine, after: &Judged) -> AnalysedMove {
    let before = game.position();
    // The best move loses nothing, whatever a deeper search of what follows says.
    let is_best = best.moves.first() == Some(&m);
    // Both by the material before the move: a capture alone must not change what a score is worth.
    let points = |value: Score| Chances::new(value, before).points();
    let loss = if is_best { 0.0 } else { (points(best.value) - points(-after.value)).max(0.0) };
    AnalysedMove {
        number: before.fullmoves(),
        side: before.turn(),
        text: MoveText::new(before, m),
        score: PovScore::of_white(-after.value, before),
        chances: PovChances::of_white(after.chances, !before.turn()),
        loss: (loss * 1000.0).round() / 1000.0,
        mark: Mark::of_loss(loss),
        best,
        m,
    }
}

/// One side's summary.
fn summary(moves: &[AnalysedMove], side: Color) -> SideSummary {
    let mut summary = SideSummary::default();
    let mut loss = 0.0;
    for step in moves.iter().filter(|step| step.side == side) {
        summary.moves += 1;
        loss += step.loss;
        match step.mark {
            Some(Mark::Inaccuracy) => summary.inaccuracies += 1,
            Some(Mark::Mistake) => summary.mistakes += 1,
            Some(Mark::Blunder) => summary.blunders += 1,
            None => {}
        }
    }
    summary.mean_loss = (loss / f64::from(summary.moves.max(1)) * 1000.0).round() / 1000.0;
    summary
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Options;
    use crate::pgn::Games;
    use crate::score::StatedScore;

    #[test]
    fn the_blunder_of_a_fools_mate_is_marked_and_the_mate_is_not() {
        let fools_mate = Games::new("1. f3 e5 2. g4 Qh4# 0-1".as_bytes()).next().unwrap().unwrap().unwrap();
        let (mut engine, _) = Engine::new(Options { hash_mb: 4, ..Options::default() });
        let limits = Limits { depth: Some(6), ..Limits::default() };
        let analysis = game(&mut engine, &fools_mate, &limits, &mut |_| {});
        let marks: Vec<_> = analysis.moves.iter().map(|step| (step.text.san.as_str(), step.mark)).collect();
        assert_eq!(marks[2], ("g4", Some(Mark::Blunder)));
        assert_eq!(marks[3], ("Qh4#", None));
        assert_eq!((analysis.white.blunders, analysis.black.blunders), (1, 0));
        assert_eq!(analysis.moves[2].score.value, StatedScore::Mate(-1));
        assert_eq!(analysis.moves[3].chances.value, Chances::LOSS);
    }

    #[test]
    fn a_stalemate_is_half_a_point_whatever_the_material() {
        let text = "[FEN \"k7/8/1K6/8/8/8/8/2Q5 w - - 0 1\"]\n\n1. Qc7 1/2-1/2";
        let stalemate = Games::new(text.as_bytes()).next().unwrap().unwrap().unwrap();
        let (mut engine, _) = Engine::new(Options { hash_mb: 4, ..Options::default() });
        let limits = Limits { depth: Some(4), ..Limits::default() };
        let analysis = game(&mut engine, &stalemate, &limits, &mut |_| {});
        let step = &analysis.moves[0];
        assert_eq!((step.chances.value, step.loss, step.mark), (Chances::DRAW, 0.5, Some(Mark::Blunder)));
        assert_eq!(step.best.chances.value, Chances::WIN);
    }

    #[test]
    fn marks_grow_with_the_loss() {
        let marks: Vec<_> = [0.0, 0.049, 0.05, 0.1, 0.2, 1.0].into_iter().map(Mark::of_loss).collect();
        let (a, b, c) = (Some(Mark::Inaccuracy), Some(Mark::Mistake), Some(Mark::Blunder));
        assert_eq!(marks, [None, None, a, b, c, c]);
    }
}
