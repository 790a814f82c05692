//! The one door through which the search makes moves. Nothing else in it pushes a position or pops one.
//!
//! What nodes below may ask about the move that led to them is recorded on the way in and taken back on the way out,
//! whichever way the search below ends; so no node reads evidence that an earlier move at the same ply has left.

use super::frame::{Made, Purpose, Step};
use super::history::MoveIndex;
use super::state::Search;
use crate::board::{Move, Position};
use crate::credit::passed_pawn;
use crate::units::Ply;

impl Search<'_> {
    /// A move, ready to be made. Its place in the table is asked for before the position is copied, as memory is slow.
    pub fn step(&self, position: &Position, m: Move) -> Step {
        self.task.tt.prefetch(position.likely_key_after(m));
        let child = position.play(m);
        let made = Made {
            mv: Some(m),
            purpose: Purpose::Play,
            index: Some(MoveIndex::new(position.turn(), m)),
            forcing: child.in_check(),
            passed_pawn_push: self.params.credit_passed_pawn && passed_pawn::is_push(position, m),
            source: None,
        };
        Step { child, made }
    }

    /// A move that is made to gather evidence.
    pub fn evidence_step(&self, position: &Position, m: Move) -> Step {
        let mut step = self.step(position, m);
        step.made.purpose = Purpose::Evidence;
        step
    }

    /// Passing, ready to be done; `None` in check.
    pub fn pass(&self, position: &Position) -> Option<Step> {
        let child = position.play_null()?;
        Some(Step { child, made: Made { purpose: Purpose::Pass, ..Made::NOTHING } })
    }

    /// Makes a move from the node at `ply`, runs what is to be done in the position after it, and undoes the move.
    pub fn through<T>(&mut self, step: &Step, ply: Ply, below: impl FnOnce(&mut Self, &Position) -> T) -> T {
        let before = self.path.enter(step, ply);
        let result = below(self, &step.child);
        self.path.leave(ply, before);
        result
    }
}
