//! Stand-in evaluation: material and piece-square sums only.
use crate::board::{Color, MAX_PHASE, Position};
use crate::score::MAX_EVAL;

/// Evaluates positions.
#[derive(Debug, Default)]
pub struct Evaluator;

impl Evaluator {
    /// A fresh evaluator.
    pub fn new() -> Evaluator {
        Evaluator
    }

    /// Centipawns for the side to move.
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        evaluate(position)
    }
}

/// Centipawns for the side to move.
pub fn evaluate(position: &Position) -> i32 {
    let state = position.state();
    let white = state.psq.mix(state.phase.min(MAX_PHASE), MAX_PHASE);
    let score = if position.turn() == Color::White { white } else { -white };
    (score + 10).clamp(-MAX_EVAL, MAX_EVAL)
}
