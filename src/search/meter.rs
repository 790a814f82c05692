//! What a search has spent.

use std::time::Instant;

use super::budget::Budget;
use super::pace::Deadlines;

/// One thread's counts and limits.
pub(super) struct Meter {
    pub start: Instant,
    /// When a running iteration ends.
    pub deadlines: Deadlines,
    pub nodes: u64,
    /// Positions resolved by endgame tables.
    pub tb_hits: u64,
    /// The node count at the start of the running quiescence search.
    pub quiescence_start: u64,
    /// Node count of the next check of the limits.
    pub check_at: u64,
    /// Node count at which the running horizon search is abandoned.
    pub ceiling: u64,
}

impl Meter {
    /// Nothing spent yet.
    pub fn new(budget: &Budget) -> Meter {
        Meter {
            start: budget.started.unwrap_or_else(Instant::now),
            deadlines: Deadlines::hard(budget.hard),
            nodes: 0,
            tb_hits: 0,
            quiescence_start: 0,
            check_at: 0,
            ceiling: u64::MAX,
        }
    }

    /// Sets or removes the number of nodes after which the horizon search is abandoned.
    pub fn set_ceiling(&mut self, nodes: Option<u64>) {
        self.ceiling = nodes.map_or(u64::MAX, |nodes| self.nodes + nodes);
        self.check_at = self.check_at.min(self.ceiling);
    }
}
