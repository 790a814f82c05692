//! The evaluation as the search sees it: it follows the search's moves, and says what the position reached is worth.

use super::classical::Classical;
use super::noise::Noise;
use crate::board::{Move, Position};

/// Evaluates positions for one search worker.
///
/// What is cheaper to keep up to date than to compute is kept along a path: [`Evaluator::begin`] names its first position,
/// [`Evaluator::enter`] and [`Evaluator::leave`] follow the moves made and taken back. Any position may be evaluated; the
/// last one of the path costs least.
pub struct Evaluator {
    classical: Classical,
    noise: Option<Noise>,
}

impl Default for Evaluator {
    fn default() -> Evaluator {
        Evaluator::new()
    }
}

impl Evaluator {
    /// An evaluator that remembers nothing yet.
    pub fn new() -> Evaluator {
        Evaluator::with_noise(None)
    }

    /// An evaluator that errs at random, if at all.
    pub fn with_noise(noise: Option<Noise>) -> Evaluator {
        Evaluator { classical: Classical::new(), noise }
    }

    /// Begins a path at this position.
    pub fn begin(&mut self, position: &Position) {
        self.classical.begin(position);
    }

    /// Follows a move, or a null move, to the position after it.
    #[inline]
    pub fn enter(&mut self, m: Option<Move>, child: &Position) {
        self.classical.enter(m, child);
    }

    /// Takes the last move back.
    #[inline]
    pub fn leave(&mut self) {
        self.classical.leave();
    }

    /// The static evaluation from the side to move's view, in centipawns, within [`MAX_EVAL`].
    ///
    /// [`MAX_EVAL`]: crate::score::MAX_EVAL
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        let total = self.classical.evaluate(position);
        match self.noise {
            None => total,
            Some(noise) => noise.apply(position, total),
        }
    }

    /// The evaluation for the tie-breaker of a theoretical draw, which asks which of two such positions is the better one:
    /// without what makes a dead position worth nothing.
    pub fn evaluate_drawn(&mut self, position: &Position) -> i32 {
        self.classical.evaluate_drawn(position)
    }
}
