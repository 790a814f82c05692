//! The only place where the search makes moves. Nothing else in it pushes or pops a position.
//!
//! What nodes below need to know about the move that led to them is recorded on the way in and restored on the way out,
//! however the search below ends; so no node reads evidence left by an earlier move at the same ply.

use super::frame::{Made, Purpose, Step};
use super::history::MoveIndex;
use super::state::Search;
use crate::board::{Move, Position};
use crate::credit::passed_pawn;
use crate::units::Ply;

impl Search<'_> {
    /// Fetches the table entry of the position after a move, as memory is slow: the longer before the move is
    /// made, the better.
    pub fn prefetch(&self, position: &Position, m: Move) {
        self.task.tt.prefetch(position.likely_key_after(m));
    }

    /// A move, ready to be made, whose table entry is best [prefetched](Search::prefetch) some time before.
    pub fn step(&self, position: &Position, m: Move) -> Step {
        // The move is made in its final place: a position is large to copy.
        let mut step = Step { child: position.clone(), made: Made::NOTHING };
        step.child.make(m);
        step.made.mv = Some(m);
        step.made.index = Some(MoveIndex::new(position.turn(), m));
        step.made.forcing = step.child.in_check();
        step.made.passed_pawn_push = self.task.params.credit_passed_pawn && passed_pawn::is_push(position, m);
        step
    }

    /// A move made to gather evidence.
    pub fn evidence_step(&self, position: &Position, m: Move) -> Step {
        self.prefetch(position, m);
        let mut step = self.step(position, m);
        step.made.purpose = Purpose::Evidence;
        step
    }

    /// A null move, ready to be made; `None` in check.
    pub fn pass(&self, position: &Position) -> Option<Step> {
        self.task.tt.prefetch(position.key_after_passing());
        let child = position.play_null()?;
        Some(Step { child, made: Made { purpose: Purpose::Pass, ..Made::NOTHING } })
    }

    /// Makes a move from the node at `ply`, runs `below` in the position after it, and undoes the move.
    pub fn through<T>(&mut self, step: &Step, ply: Ply, below: impl FnOnce(&mut Self, &Position) -> T) -> T {
        let before = self.path.enter(step, ply);
        let result = below(self, &step.child);
        self.path.leave(ply, before);
        result
    }
}
