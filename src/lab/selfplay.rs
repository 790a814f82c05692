//! Games of the engine against itself: random openings, and when a game is over.

use fastrand::Rng;

use super::data::GameResult;
use crate::board::{Game, Position};
use crate::search::Outcome;

/// An opening counts as balanced if the first search sees an advantage of at most this many centipawns.
pub const MAX_OPENING_SCORE: i32 = 400;
/// The game is adjudicated as won once the score has been this many centipawns for [`WIN_PLIES`] plies.
const WIN_SCORE: i32 = 1_000;
const WIN_PLIES: u32 = 4;
/// The game is adjudicated as drawn once the score has been within this many centipawns for [`DRAW_PLIES`] plies, from
/// [`DRAW_FROM_PLY`] on.
const DRAW_SCORE: i32 = 8;
const DRAW_PLIES: u32 = 12;
const DRAW_FROM_PLY: usize = 70;
/// Longer games are drawn.
const MAX_PLIES: usize = 400;

/// A random position of a book; the opening position if the book is empty.
pub fn start(book: &[Position], random: &mut Rng) -> Position {
    match book.len() {
        0 => Position::default(),
        count => book[random.usize(..count)].clone(),
    }
}

/// A game that begins with so many random moves, or fewer if it ends with them.
pub fn opening(start: Position, random_plies: usize, random: &mut Rng) -> Game {
    let mut game = Game::new(start);
    for _ in 0..random_plies {
        let moves = game.position().legal_moves();
        let Some(&m) = random.choice(&moves) else { break };
        game.play(m);
    }
    game
}

/// Plays a game on to a result, by the laws of chess or adjudicated. `search` is called for every move; it ends the
/// game without a result by returning `None`.
pub fn play(mut game: Game, mut search: impl FnMut(&Game) -> Option<Outcome>) -> Option<GameResult> {
    let mut referee = Referee::default();
    for plies in 1.. {
        if let Some(result) = finished(&game) {
            return Some(result);
        }
        let outcome = search(&game)?;
        let Some(best_move) = outcome.best_move else { break };
        let score = outcome.score.main();
        let white_score = game.position().turn().fold_wb(score, -score);
        if let Some(result) = referee.judge(plies, white_score) {
            return Some(result);
        }
        game.play(best_move);
    }
    Some(GameResult::Draw)
}

/// The result of a game that is over by the laws of chess.
pub fn finished(game: &Game) -> Option<GameResult> {
    let position = game.position();
    if position.is_checkmate() {
        return Some(position.turn().fold_wb(GameResult::BlackWins, GameResult::WhiteWins));
    }
    game.is_over().then_some(GameResult::Draw)
}

/// Adjudicates games whose result is clear.
#[derive(Default)]
struct Referee {
    white_winning: u32,
    black_winning: u32,
    level: u32,
}

impl Referee {
    /// Records a score from White's view after this many plies; returns the result if the game is decided.
    fn judge(&mut self, plies: usize, score: i32) -> Option<GameResult> {
        let count = |streak: &mut u32, goes_on: bool| *streak = if goes_on { *streak + 1 } else { 0 };
        count(&mut self.white_winning, score >= WIN_SCORE);
        count(&mut self.black_winning, score <= -WIN_SCORE);
        count(&mut self.level, score.abs() <= DRAW_SCORE && plies >= DRAW_FROM_PLY);
        if self.white_winning >= WIN_PLIES {
            Some(GameResult::WhiteWins)
        } else if self.black_winning >= WIN_PLIES {
            Some(GameResult::BlackWins)
        } else {
            (self.level >= DRAW_PLIES || plies >= MAX_PLIES).then_some(GameResult::Draw)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_referee_wants_a_streak() {
        let mut referee = Referee::default();
        for score in [WIN_SCORE, WIN_SCORE, WIN_SCORE, 0, WIN_SCORE, WIN_SCORE, WIN_SCORE] {
            assert_eq!(referee.judge(1, score), None);
        }
        assert_eq!(referee.judge(1, WIN_SCORE), Some(GameResult::WhiteWins));
        let mut referee = Referee::default();
        assert!((0..100).all(|_| referee.judge(1, 0).is_none()));
        assert!((1..DRAW_PLIES).all(|_| referee.judge(DRAW_FROM_PLY, 0).is_none()));
        assert_eq!(referee.judge(DRAW_FROM_PLY, 0), Some(GameResult::Draw));
        assert_eq!(Referee::default().judge(MAX_PLIES, 300), Some(GameResult::Draw));
    }

    #[test]
    fn mate_and_stalemate_are_told_apart() {
        let result = |fen| finished(&Game::new(Position::from_fen(fen, false).unwrap()));
        assert_eq!(result("R5k1/5ppp/8/8/8/8/8/7K b - - 0 1"), Some(GameResult::WhiteWins));
        assert_eq!(result("7k/8/8/8/8/8/5PPP/r5K1 w - - 0 1"), Some(GameResult::BlackWins));
        assert_eq!(result("k7/8/1Q6/8/8/8/8/7K b - - 0 1"), Some(GameResult::Draw));
        assert_eq!(result("1k6/8/8/8/8/8/8/R6K w - - 0 1"), None);
    }

    #[test]
    fn fifty_moves_are_a_draw_unless_the_last_one_mates() {
        let result = |fen| finished(&Game::new(Position::from_fen(fen, false).unwrap()));
        assert_eq!(result("1k6/8/8/8/8/8/8/R6K w - - 99 80"), None);
        assert_eq!(result("1k6/8/8/8/8/8/8/R6K w - - 100 80"), Some(GameResult::Draw));
        assert_eq!(result("R5k1/5ppp/8/8/8/8/8/7K b - - 100 80"), Some(GameResult::WhiteWins));
    }
}
