//! One game of the engine against itself, from a random opening to a result.

use fastrand::Rng;

use super::Again;
use crate::board::{Game, Position, chess960};
use crate::engine::{Engine, Limits};
use crate::lab::data::{DataError, GameResult, Sample, viri};
use crate::lab::random::dice;
use crate::lab::selfplay::{self, MAX_OPENING_SCORE};
use crate::runner::Shard;
use crate::search::{Silent, StopFlag};

/// A search that does not complete an iteration ends at this multiple of its nodes.
pub const HARD_NODES: u64 = 8;

/// Openings drawn for a game without a suitable one after which none is expected.
const MOST_OPENINGS: usize = 1000;

/// What all games have in common.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Seed of all random choices.
    pub seed: u64,
    /// Nodes per move: a search ends with the iteration that reaches them, or at [`HARD_NODES`] times as many.
    pub nodes: u64,
    /// Nodes per quiet position, likewise, when a finished game is searched once more, from its end; `None` if it is
    /// not.
    pub review: Option<u64>,
    /// Random moves before the first search.
    pub random_plies: usize,
    /// Start positions, none with more than 32 pieces; the opening position if there are none.
    pub book: Vec<Position>,
    /// Percentage of games that start from Chess960 instead, every other one with a different arrangement for each
    /// side.
    pub chess960_percent: u8,
    /// Positions to search again; then each is a game of one search, and the openings are not used.
    pub again: Vec<Again>,
    /// The part of the games to play, if not all of them.
    pub shard: Option<Shard>,
}

/// The limits of a search that ends with the iteration that reaches so many nodes, or at [`HARD_NODES`] times as many.
fn limits(nodes: u64) -> Limits {
    Limits { soft_nodes: Some(nodes), nodes: Some(nodes.saturating_mul(HARD_NODES)), ..Limits::default() }
}

/// Plays the game with this number and returns its samples; `None` if it was stopped.
///
/// # Errors
///
/// No opening is suitable.
pub fn samples(
    engine: &mut Engine,
    plan: &Plan,
    number: u64,
    stop: &StopFlag,
) -> Result<Option<Vec<Sample>>, DataError> {
    if let Some(again) = plan.again.get(number as usize) {
        return Ok(again.search(engine, &limits(plan.nodes), stop));
    }
    let mut random = dice(plan.seed, number);
    for _ in 0..MOST_OPENINGS {
        let opening = opening(plan, &mut random);
        engine.new_game();
        match play_from(engine, plan, opening, stop) {
            Some(None) => {}
            Some(Some(game)) => return Ok(review(engine, plan, game, stop)),
            None => return Ok(None),
        }
    }
    Err(DataError::NoOpening { game: number + 1, tried: MOST_OPENINGS })
}

/// Searches a game's quiet positions once more, if the plan says so: from the last to the first with one table, so that
/// each search finds there what later ones have seen. The moves stay those played, and positions that no network learns
/// from keep the score of the game: that takes two thirds of the time, and the other scores are hardly worse. The game
/// before a position is not told: a score is to be the position's, whatever led there. `None` if it was stopped.
pub(super) fn review(engine: &mut Engine, plan: &Plan, mut game: Vec<Sample>, stop: &StopFlag) -> Option<Vec<Sample>> {
    let Some(nodes) = plan.review else { return Some(game) };
    engine.new_game();
    for sample in game.iter_mut().rev().filter(|sample| sample.unquiet(i32::MAX).is_none()) {
        let outcome = engine.search(&Game::new(sample.position.clone()), &limits(nodes), stop, &mut Silent);
        if stop.is_raised() {
            return None;
        }
        sample.score = outcome.score.main();
    }
    Some(game)
}

/// The same as bytes of the data file. They are never empty: no opening has more pieces than [`Plan::book`] allows, and
/// every game has a searched position.
///
/// # Errors
///
/// As [`samples`].
pub fn play(engine: &mut Engine, plan: &Plan, number: u64, stop: &StopFlag) -> Result<Option<Vec<u8>>, DataError> {
    Ok(samples(engine, plan, number, stop)?.map(|samples| viri::encode(&samples).unwrap_or_default()))
}

/// A random start position and random moves from it.
fn opening(plan: &Plan, random: &mut Rng) -> Game {
    let is_chess960 = random.u8(..100) < plan.chess960_percent;
    let start = if is_chess960 { chess960_start(random) } else { selfplay::start(&plan.book, random) };
    selfplay::opening(start, plan.random_plies, random)
}

/// A Chess960 start position: with the same arrangement for both sides, or with different ones.
fn chess960_start(random: &mut Rng) -> Position {
    let white = random.u16(..chess960::ARRANGEMENTS);
    let black = if random.bool() { white } else { random.u16(..chess960::ARRANGEMENTS) };
    chess960::start(white, black).unwrap_or_default()
}

/// Plays a game from an opening: `None` if it was stopped, `Some(None)` if the opening is unsuitable.
fn play_from(engine: &mut Engine, plan: &Plan, opening: Game, stop: &StopFlag) -> Option<Option<Vec<Sample>>> {
    let limits = limits(plan.nodes);
    let mut samples: Vec<Sample> = Vec::new();
    let result = selfplay::play(opening, |game| {
        let outcome = engine.search(game, &limits, stop, &mut Silent);
        let score = outcome.score.main();
        if stop.is_raised() || (samples.is_empty() && score.abs() > MAX_OPENING_SCORE) {
            return None;
        }
        // The result is known at the end.
        let sample =
            |best_move| Sample { position: game.position().clone(), score, best_move, result: GameResult::Draw };
        samples.extend(outcome.best_move.map(sample));
        Some(outcome)
    });
    if stop.is_raised() {
        return None;
    }
    let Some(result) = result else { return Some(None) };
    for sample in &mut samples {
        sample.result = result;
    }
    // An opening that ends the game leaves nothing to learn from.
    Some((!samples.is_empty()).then_some(samples))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_openings_are_of_chess960_as_asked_for() {
        for (chess960_percent, least, most) in [(0, 0, 0), (50, 200, 300), (100, 500, 500)] {
            let plan = Plan {
                seed: 1,
                nodes: 1,
                review: None,
                random_plies: 0,
                book: Vec::new(),
                chess960_percent,
                again: Vec::new(),
                shard: None,
            };
            let is_chess960 = |number: &u64| opening(&plan, &mut dice(plan.seed, *number)).position().is_chess960();
            let found = (0..500).filter(is_chess960).count();
            assert!((least..=most).contains(&found), "{found} of 500 at {chess960_percent} %");
        }
    }
}
