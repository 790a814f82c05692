//! Where a search for a mate ends without one: proven by exhaustive search if it is short enough, otherwise at a bound.

use super::iterate::MAX_ITERATION;
use super::observer::NoMate;
use super::state::Search;
use super::task::LEADER;
use crate::board::{MateSolver, Spent};
use crate::params::Params;
use crate::units::Depth;

/// The iteration with which a search for a mate in this many moves ends without one.
pub fn last_mate_iteration(params: &Params, moves: i32) -> Depth {
    moves.saturating_mul(2).saturating_add(params.mate_patience).min(MAX_ITERATION)
}

impl Search<'_> {
    /// What a search for a mate ends with after the present iteration, if it should end without one.
    ///
    /// The main search reduces moves and could miss a mate at any depth, so that the rules alone have to prove that
    /// there is none.
    pub(super) fn gives_up_mate(&mut self) -> Option<NoMate> {
        let budget = self.task.budget;
        let moves = budget.mate.filter(|_| !budget.beyond_mate && self.task.thread == LEADER)?;
        let depth = self.iteration.number;
        if depth == moves.saturating_mul(2) {
            let is_proven = self.is_without_mate(moves.unsigned_abs()) == Ok(true);
            // The proof looks at the clock itself.
            self.meter.looks.forget_last();
            if is_proven {
                return Some(NoMate::Proven { moves });
            }
        }
        let is_over = depth >= last_mate_iteration(self.task.params, moves)
            || self.total_nodes() >= u64::from(self.task.params.mate_nodes.unsigned_abs());
        is_over.then_some(NoMate::GivenUp { moves, depth })
    }

    /// Whether neither side can force mate in this many moves by the moves that are searched. A limit on nodes leaves
    /// as many positions to examine as nodes to search.
    fn is_without_mate(&self, moves: u32) -> Result<bool, Spent> {
        let (root, budget) = (&self.root, self.task.budget);
        let is_stopped = || budget.stop.is_raised() || self.is_time_up();
        let most = u64::from(self.task.params.mate_positions.unsigned_abs());
        let left = budget.nodes.map_or(most, |limit| limit.saturating_sub(self.total_nodes()));
        let mut solver = MateSolver::until(most.min(left), &is_stopped);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::START_FEN;
    use crate::search::tests::with_search;

    #[test]
    fn no_search_for_a_mate_goes_beyond_the_last_iteration() {
        let params = Params { mate_patience: 12, ..Params::default() };
        assert_eq!([3, 58, 70].map(|moves| last_mate_iteration(&params, moves)), [18, 128, MAX_ITERATION]);
        assert_eq!(last_mate_iteration(&params, i32::MAX), MAX_ITERATION);
    }

    #[test]
    fn a_mate_that_the_opponent_can_force_is_one_too() {
        // Whatever Black plays, the next move is mate.
        with_search(Params::default(), "kbK5/pp6/RP6/8/8/8/8/8 b - - 0 1", |search, _| {
            assert_eq!(search.is_without_mate(1), Ok(false));
        });
    }

    #[test]
    fn the_proof_that_there_is_no_mate_can_be_stopped() {
        with_search(Params::default(), START_FEN, |search, _| {
            assert_eq!(search.is_without_mate(4), Ok(true));
            search.task.budget.stop.raise();
            assert_eq!(search.is_without_mate(4), Err(Spent));
        });
    }
}
