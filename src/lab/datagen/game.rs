//! One game of the engine against itself, from a random opening to a result.

use fastrand::Rng;

use super::dice;
use crate::board::{Color, Game, Position, chess960, is_fifty_moves};
use crate::engine::{Engine, Limits};
use crate::lab::data::{GameResult, Sample, viri};
use crate::runner::Shard;
use crate::search::{Silent, StopFlag};

/// An opening is used only if the first search sees an advantage of at most this many centipawns.
const MAX_OPENING_SCORE: i32 = 400;
/// The game is adjudicated as won once the score has been this many centipawns for [`WIN_PLIES`] plies.
const WIN_SCORE: i32 = 1_000;
const WIN_PLIES: u32 = 4;
/// The game is adjudicated as drawn once the score has been within this many centipawns for [`DRAW_PLIES`] plies, from
/// [`DRAW_FROM_PLY`] on.
const DRAW_SCORE: i32 = 8;
const DRAW_PLIES: u32 = 12;
const DRAW_FROM_PLY: usize = 70;
/// A search that does not complete an iteration ends at this multiple of its nodes.
pub const HARD_NODES: u64 = 8;
/// Longer games are drawn.
const MAX_PLIES: usize = 400;

/// What all games have in common.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Seed of all random choices.
    pub seed: u64,
    /// Nodes per move: a search ends with the iteration that reaches them, or at [`HARD_NODES`] times as many.
    pub nodes: u64,
    /// Random moves before the first search.
    pub random_plies: usize,
    /// Start positions, none with more than 32 pieces; the opening position if there are none.
    pub book: Vec<Position>,
    /// Percentage of games that start from Chess960 instead, every other one with a different arrangement for each
    /// side.
    pub chess960_percent: u8,
    /// The part of the games to play, if not all of them.
    pub shard: Option<Shard>,
}

/// Plays the game with this number and returns its samples; `None` if it was stopped.
pub fn samples(engine: &mut Engine, plan: &Plan, number: u64, stop: &StopFlag) -> Option<Vec<Sample>> {
    let mut random = dice(plan.seed, number);
    loop {
        let opening = opening(plan, &mut random);
        engine.new_game();
        if let Some(samples) = play_from(engine, plan, opening, stop)? {
            return Some(samples);
        }
    }
}

/// The same as bytes of the data file. They are never empty: no opening has more pieces than [`Plan::book`] allows, and
/// every game has a searched position.
pub fn play(engine: &mut Engine, plan: &Plan, number: u64, stop: &StopFlag) -> Option<Vec<u8>> {
    samples(engine, plan, number, stop).map(|samples| viri::encode(&samples).unwrap_or_default())
}

/// A random start position and random moves from it.
fn opening(plan: &Plan, random: &mut Rng) -> Game {
    let start = match plan.book.len() {
        _ if random.u8(..100) < plan.chess960_percent => chess960_start(random),
        0 => Position::default(),
        count => plan.book[random.usize(..count)].clone(),
    };
    let mut game = Game::new(start);
    for _ in 0..plan.random_plies {
        let moves = game.position().legal_moves();
        let Some(&m) = random.choice(&moves) else { break };
        game.play(m);
    }
    game
}

/// A Chess960 start position: with the same arrangement for both sides, or with different ones.
fn chess960_start(random: &mut Rng) -> Position {
    let white = random.u16(..chess960::ARRANGEMENTS);
    let black = if random.bool() { white } else { random.u16(..chess960::ARRANGEMENTS) };
    chess960::start(white, black).unwrap_or_default()
}

/// Plays a game from an opening: `None` if it was stopped, `Some(None)` if the opening is unsuitable.
fn play_from(engine: &mut Engine, plan: &Plan, mut game: Game, stop: &StopFlag) -> Option<Option<Vec<Sample>>> {
    let hard = plan.nodes.saturating_mul(HARD_NODES);
    let limits = Limits { soft_nodes: Some(plan.nodes), nodes: Some(hard), ..Limits::default() };
    let mut samples: Vec<Sample> = Vec::new();
    let mut referee = Referee::default();
    let result = loop {
        if let Some(result) = finished(&game) {
            break result;
        }
        let outcome = engine.search(&game, &limits, stop, &mut Silent);
        if stop.is_raised() {
            return None;
        }
        let Some(best_move) = outcome.best_move else { break GameResult::Draw };
        let score = outcome.score.main();
        if samples.is_empty() && score.abs() > MAX_OPENING_SCORE {
            return Some(None);
        }
        let position = game.position().clone();
        let white_score = position.turn().fold_wb(score, -score);
        samples.push(Sample { position, score, best_move, result: GameResult::Draw });
        if let Some(result) = referee.judge(samples.len(), white_score) {
            break result;
        }
        game.play(best_move);
    };
    for sample in &mut samples {
        sample.result = result;
    }
    // An opening that ends the game leaves nothing to learn from.
    Some((!samples.is_empty()).then_some(samples))
}

/// The result of a game that is over by the laws of chess.
fn finished(game: &Game) -> Option<GameResult> {
    let position = game.position();
    if position.legal_moves().is_empty() && position.in_check() {
        return Some(win_for(!position.turn()));
    }
    (game.is_over() || is_fifty_moves(position)).then_some(GameResult::Draw)
}

fn win_for(color: Color) -> GameResult {
    color.fold_wb(GameResult::WhiteWins, GameResult::BlackWins)
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
}
