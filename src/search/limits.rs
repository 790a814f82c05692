//! When a search must end: its limits, checked now and then as nodes are entered.

use super::facts::Aborted;
use super::pruning::growth_restraint;
use super::state::Search;
use crate::units::Ply;

/// Nodes between two checks of the clock and the stop flag.
const CHECK_INTERVAL: u64 = 1024;
/// Nodes that the first iteration may take before clock and stop flag are checked: some milliseconds.
const FIRST_ITERATION_NODES: u64 = 8 * CHECK_INTERVAL;

impl Search<'_> {
    /// Counts a node, and stops the search if the budget says so.
    pub fn enter(&mut self, ply: Ply) -> Result<(), Aborted> {
        if self.meter.nodes >= self.meter.check_at {
            self.check_budget()?;
        }
        self.meter.nodes += 1;
        if ply > self.iteration.max_combined {
            self.iteration.max_combined = ply;
        }
        Ok(())
    }

    /// Checks the limits. The first iteration, rarely more than a few dozen nodes, only obeys a node limit while it is
    /// that short, so that the move played is never an unsearched one.
    fn check_budget(&mut self) -> Result<(), Aborted> {
        let nodes = self.meter.nodes;
        self.meter.look();
        let told = (self.iteration.number > 1 || nodes > FIRST_ITERATION_NODES)
            && (self.task.budget.stop.is_raised() || self.is_time_up());
        let total = self.total_nodes();
        let spent = told || self.task.budget.nodes.is_some_and(|limit| total >= limit);
        if spent {
            return Err(Aborted::Budget);
        }
        if nodes >= self.meter.ceiling {
            return Err(Aborted::HorizonCeiling);
        }
        if self.observation.observer.wants_current_line() {
            let line = self.current_line();
            self.observation.observer.current_line(&line);
        }
        let iteration = &mut self.iteration;
        let restraint = growth_restraint(self.task.params, nodes - iteration.first_node, iteration.last_cost);
        iteration.restrain(self.task.params, restraint);
        let next = nodes + CHECK_INTERVAL;
        let next = self.task.budget.nodes.map_or(next, |limit| next.min(nodes + (limit - total)));
        self.meter.check_at = next.min(self.meter.ceiling);
        Ok(())
    }

    /// Nodes of all threads, as far as they are known.
    pub fn total_nodes(&self) -> u64 {
        if self.task.crew.is_single() {
            return self.meter.nodes;
        }
        self.task.crew.publish(self.task.thread, self.meter.nodes, self.meter.tb_hits);
        self.task.crew.total(self.task.thread, self.meter.nodes)
    }

    /// Positions resolved by endgame tables, all threads, as far as they are known.
    pub fn total_tb_hits(&self) -> u64 {
        self.task.crew.total_hits(self.task.thread, self.meter.tb_hits)
    }
}
