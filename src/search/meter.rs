//! What a search has spent.

use std::time::{Duration, Instant};

use super::budget::Budget;
use super::pace::Deadlines;

/// When the search looked at the clock, in time since its start.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Looks {
    last: Option<Duration>,
    /// The longest time between two looks, during which no deadline would have been noticed.
    pub longest_pause: Duration,
}

impl Looks {
    /// The search looks at the clock at this time.
    pub fn note(&mut self, now: Duration) {
        let pause = self.last.map_or(Duration::ZERO, |last| now.saturating_sub(last));
        self.longest_pause = self.longest_pause.max(pause);
        self.last = Some(now);
    }

    /// The time until the next look is no pause: the clock is looked at elsewhere.
    pub fn forget_last(&mut self) {
        self.last = None;
    }
}

/// One thread's counts and limits.
pub(super) struct Meter {
    pub start: Instant,
    /// The time used before the first iteration, which the planned time does not include.
    pub delay: Duration,
    /// When a running iteration ends.
    pub deadlines: Deadlines,
    pub looks: Looks,
    pub nodes: u64,
    /// Positions resolved by endgame tables.
    pub tb_hits: u64,
    /// The node count at the start of the running quiescence search.
    pub quiescence_start: u64,
    /// Node count of the next check of the limits.
    pub check_at: u64,
    /// Node count of the next look at clock and stop flag: at most `check_at`.
    pub look_at: u64,
    /// Node count at which the running horizon search is abandoned.
    pub ceiling: u64,
}

impl Meter {
    /// Nothing spent yet.
    pub fn new(budget: &Budget) -> Meter {
        Meter {
            start: budget.started.unwrap_or_else(Instant::now),
            delay: Duration::ZERO,
            deadlines: Deadlines::hard(budget.hard),
            looks: Looks::default(),
            nodes: 0,
            tb_hits: 0,
            quiescence_start: 0,
            check_at: 0,
            look_at: 0,
            ceiling: u64::MAX,
        }
    }

    /// Looks at the clock, if there is a deadline, so that it is known how late one may be noticed.
    pub fn look(&mut self) {
        if self.deadlines.exist() {
            self.looks.note(self.start.elapsed());
        }
    }

    /// Sets or removes the number of nodes after which the horizon search is abandoned.
    pub fn set_ceiling(&mut self, nodes: Option<u64>) {
        self.ceiling = nodes.map_or(u64::MAX, |nodes| self.nodes + nodes);
        self.check_at = self.check_at.min(self.ceiling);
        self.look_at = self.look_at.min(self.ceiling);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_pause_is_between_two_looks_and_not_before_the_first() {
        let mut looks = Looks::default();
        for (now, longest) in [(50, 0), (52, 2), (80, 28), (81, 28), (109, 28), (150, 41)] {
            looks.note(Duration::from_millis(now));
            assert_eq!(looks.longest_pause, Duration::from_millis(longest), "at {now}");
        }
        looks.forget_last();
        looks.note(Duration::from_millis(500));
        assert_eq!(looks.longest_pause, Duration::from_millis(41), "the clock was looked at elsewhere");
    }

    #[test]
    fn without_a_deadline_nobody_looks() {
        for (hard, looks) in [(None, false), (Some(Duration::from_secs(1)), true)] {
            let mut meter = Meter::new(&Budget { hard, ..Budget::default() });
            meter.look();
            assert_eq!(meter.looks != Looks::default(), looks);
        }
    }
}
