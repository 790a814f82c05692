//! Where a search for a mate ends without one: proven by exhaustive search if it is short enough, otherwise at a bound.

use super::observer::NoMate;
use super::state::Search;
use crate::board::{MateSolver, Spent};

impl Search<'_> {
    /// What a search for a mate ends with after the present iteration, if it should end without one.
    ///
    /// The main search reduces moves and could miss a mate at any depth, so that the rules alone have to prove that
    /// there is none.
    pub(super) fn gives_up_mate(&self) -> Option<NoMate> {
        let budget = self.task.budget;
        let moves = budget.mate.filter(|_| !budget.beyond_mate && self.task.thread == 0)?;
        let depth = self.iteration.number;
        if depth == 2 * moves && self.is_without_mate(moves.unsigned_abs()) == Ok(true) {
            return Some(NoMate::Proven { moves });
        }
        let is_over = depth >= 2 * moves + self.task.params.mate_patience
            || self.total_nodes() >= u64::from(self.task.params.mate_nodes.unsigned_abs());
        is_over.then_some(NoMate::GivenUp { moves, depth })
    }

    /// Whether neither side can force mate in this many moves by the moves that are searched.
    fn is_without_mate(&self, moves: u32) -> Result<bool, Spent> {
        let root = &self.root;
        let is_stopped = || self.task.budget.stop.is_raised() || self.is_time_up();
        let mut solver = MateSolver::until(u64::from(self.task.params.mate_positions.unsigned_abs()), &is_stopped);
        for &m in &root.choice {
            if solver.loses(&root.position.play(m), moves - 1)? {
                return Ok(false);
            }
        }
        for &m in &root.choice {
            if !solver.wins(&root.position.play(m), moves)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
