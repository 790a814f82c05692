//! The evaluation as the search sees it: it follows the search's moves and evaluates the position reached.

use std::sync::Arc;

use super::classical::Classical;
use super::nnue::{Accumulators, Network};
use super::noise::Noise;
use crate::board::{Move, Position};

/// Evaluates positions for one search worker.
///
/// What is cheaper to update than to recompute is kept along a path: [`Evaluator::begin`] sets its first position,
/// [`Evaluator::enter`] and [`Evaluator::leave`] follow the moves made and undone. Any position may be evaluated; the
/// last one of the path is the cheapest.
pub struct Evaluator {
    kind: Kind,
    noise: Option<Noise>,
}

/// Which evaluation it is.
enum Kind {
    Classical(Classical),
    Network(Accumulators),
}

impl Evaluator {
    /// The network's evaluation, or the classical one without a network.
    pub fn new(network: Option<Arc<Network>>) -> Evaluator {
        Evaluator::with_noise(network, None)
    }

    /// The same with random errors, if any.
    pub fn with_noise(network: Option<Arc<Network>>, noise: Option<Noise>) -> Evaluator {
        let kind = match network {
            Some(network) => Kind::Network(Accumulators::new(network)),
            None => Kind::Classical(Classical::new()),
        };
        Evaluator { kind, noise }
    }

    /// Begins a path at this position.
    pub fn begin(&mut self, position: &Position) {
        match &mut self.kind {
            Kind::Classical(classical) => classical.begin(position),
            Kind::Network(network) => network.begin(position),
        }
    }

    /// Follows a move, or a null move, to the position after it.
    #[inline]
    pub fn enter(&mut self, m: Option<Move>, child: &Position) {
        match &mut self.kind {
            Kind::Classical(classical) => classical.enter(m, child),
            Kind::Network(network) => network.enter(m, child),
        }
    }

    /// Undoes the last move.
    #[inline]
    pub fn leave(&mut self) {
        match &mut self.kind {
            Kind::Classical(classical) => classical.leave(),
            Kind::Network(network) => network.leave(),
        }
    }

    /// The static evaluation from the side to move's view, in centipawns, within [`MAX_EVAL`].
    ///
    /// [`MAX_EVAL`]: crate::score::MAX_EVAL
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        let total = match &mut self.kind {
            Kind::Classical(classical) => classical.evaluate(position),
            Kind::Network(network) => network.evaluate(position),
        };
        match self.noise {
            None => total,
            Some(noise) => noise.apply(position, total),
        }
    }

    /// The evaluation for the tie-break between theoretical draws, which asks which of two such positions is better:
    /// without the scaling that gives 0 for a dead position.
    pub fn evaluate_drawn(&mut self, position: &Position) -> i32 {
        match &mut self.kind {
            Kind::Classical(classical) => classical.evaluate_drawn(position),
            Kind::Network(network) => network.evaluate(position),
        }
    }
}
