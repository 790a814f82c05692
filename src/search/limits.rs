//! When a search must end: its limits, checked now and then as nodes are entered.

use super::facts::Aborted;
use super::observer::Moment;
use super::pruning::growth_restraint;
use super::state::Search;
use super::task::LEADER;
use crate::units::Ply;

/// Nodes between two checks of the limits, and the most between two looks at clock and stop flag.
const CHECK_INTERVAL: u64 = 1024;
/// The fewest nodes between two looks at clock and stop flag.
const LEAST_INTERVAL: u64 = 16;
/// A young search looks each time it has grown by such a part of its nodes. In a table that is new, or was cleared,
/// every node may wait for memory, so that [`CHECK_INTERVAL`] nodes take seconds; but the more nodes, the less new
/// memory is left.
const YOUNG_PARTS: u64 = 16;
/// Nodes that the first iteration may take before clock and stop flag are checked: more than it has in nearly every
/// position, and few enough to end in time even if each of them waits for new memory.
const FIRST_ITERATION_NODES: u64 = 256;

impl Search<'_> {
    /// Counts a node, and stops the search if the budget says so.
    pub fn enter(&mut self, ply: Ply) -> Result<(), Aborted> {
        if self.meter.nodes >= self.meter.look_at {
            self.check_budget()?;
        }
        self.meter.nodes += 1;
        if ply > self.iteration.max_combined {
            self.iteration.max_combined = ply;
        }
        Ok(())
    }

    /// Checks the limits. The first iteration, rarely more than a few dozen nodes, only obeys a node limit while it is
    /// that short, and the leader's as a whole only for its own nodes: so the move played is never an unsearched one,
    /// even if helpers use up the limit meanwhile.
    fn check_budget(&mut self) -> Result<(), Aborted> {
        let nodes = self.meter.nodes;
        self.meter.look();
        let is_first = self.iteration.number <= 1;
        let has_just_begun = is_first && nodes <= FIRST_ITERATION_NODES;
        let told = !has_just_begun && (self.task.budget.stop.is_raised() || self.is_time_up());
        let is_alone = is_first && self.task.thread == LEADER;
        // Tells the helpers, too.
        let of_all = self.total_nodes();
        let total = if is_alone { nodes } else { of_all };
        let spent = told || self.task.budget.nodes.is_some_and(|limit| total >= limit);
        if spent {
            return Err(Aborted::Budget);
        }
        if nodes >= self.meter.ceiling {
            return Err(Aborted::HorizonCeiling);
        }
        if nodes >= self.meter.check_at {
            self.take_stock();
            let next = nodes + CHECK_INTERVAL;
            let next = self.task.budget.nodes.map_or(next, |limit| next.min(nodes + (limit - total)));
            self.meter.check_at = next.min(self.meter.ceiling);
        }
        let interval = (nodes / YOUNG_PARTS).clamp(LEAST_INTERVAL, CHECK_INTERVAL);
        self.meter.look_at = self.meter.check_at.min(nodes + interval);
        Ok(())
    }

    /// What happens at regular intervals: the current line is shown, and explosion control looks at the iteration's
    /// cost. It must not depend on the clock.
    fn take_stock(&mut self) {
        if self.observation.observer.wants_current_line() {
            let line = self.current_line();
            self.observation.observer.current_line(&line);
        }
        let cost = self.meter.nodes - self.iteration.first_node;
        let restraint = growth_restraint(self.task.params, cost, self.iteration.last_cost);
        if restraint > 0 && self.iteration.restrained_at.is_none() {
            self.iteration.restrained_at = Some(self.total_nodes());
        }
        self.iteration.restrain(self.task.params, restraint);
    }

    /// Nodes of all threads, as far as they are known.
    pub fn total_nodes(&self) -> u64 {
        if self.task.crew.is_single() {
            return self.meter.nodes;
        }
        self.task.crew.publish(self.task.thread, self.meter.nodes, self.meter.tb_hits);
        self.task.crew.total(self.task.thread, self.meter.nodes)
    }

    /// How far the search is.
    pub fn now(&self) -> Moment {
        Moment { nodes: self.total_nodes(), elapsed: self.meter.start.elapsed() }
    }

    /// Positions resolved by endgame tables, all threads, as far as they are known.
    pub fn total_tb_hits(&self) -> u64 {
        self.task.crew.total_hits(self.task.thread, self.meter.tb_hits)
    }
}
