//! The threads of one search, as they see each other: their counts of nodes, and of endgame table hits.
//!
//! Lazy SMP (Chess Programming Wiki): every thread searches the same root by itself, and they help each other through
//! the shared table only.

use std::sync::atomic::{AtomicU64, Ordering};

/// One thread's counts, on their own cache lines, so that counting does not slow down the others.
#[repr(align(128))]
#[derive(Default)]
struct Counts {
    nodes: AtomicU64,
    /// Positions resolved by endgame tables.
    hits: AtomicU64,
}

/// The counts of all threads of one search. Each thread publishes its own now and then.
#[derive(Default)]
pub struct Crew {
    counts: Vec<Counts>,
}

impl Crew {
    /// A crew of this many threads; at least one.
    pub fn new(threads: usize) -> Crew {
        Crew { counts: (0..threads.max(1)).map(|_| Counts::default()).collect() }
    }

    /// Publishes how many nodes a thread has searched, and how many of them endgame tables resolved.
    pub(super) fn publish(&self, thread: usize, nodes: u64, hits: u64) {
        if let Some(counts) = self.counts.get(thread) {
            counts.nodes.store(nodes, Ordering::Relaxed);
            counts.hits.store(hits, Ordering::Relaxed);
        }
    }

    /// Nodes of all threads once they have ended, and positions resolved by endgame tables; `None` if there is only one
    /// thread, which does not publish.
    pub fn sums(&self) -> Option<(u64, u64)> {
        let sum = |count: fn(&Counts) -> &AtomicU64| {
            self.counts.iter().map(|counts| count(counts).load(Ordering::Relaxed)).sum()
        };
        (!self.is_single()).then(|| (sum(|counts| &counts.nodes), sum(|counts| &counts.hits)))
    }

    /// Nodes of all threads, given this thread's own up-to-date count.
    pub(super) fn total(&self, thread: usize, own: u64) -> u64 {
        own + self.others(thread, |counts| &counts.nodes)
    }

    /// Positions resolved by endgame tables, likewise.
    pub(super) fn total_hits(&self, thread: usize, own: u64) -> u64 {
        own + self.others(thread, |counts| &counts.hits)
    }

    /// The sum of one count over the other threads.
    fn others(&self, thread: usize, count: fn(&Counts) -> &AtomicU64) -> u64 {
        let others = self.counts.iter().enumerate().filter(|&(index, _)| index != thread);
        others.map(|(_, counts)| count(counts).load(Ordering::Relaxed)).sum()
    }

    /// Whether there is only one thread, so that the search is deterministic.
    pub(super) fn is_single(&self) -> bool {
        self.counts.len() == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_of_all_threads_add_up_and_nobody_counts_twice() {
        let crew = Crew::new(3);
        for (thread, nodes) in [(0, 10), (1, 200), (2, 3000)] {
            crew.publish(thread, nodes, nodes / 10);
        }
        assert_eq!(crew.total(0, 11), 3211);
        assert_eq!(crew.total(2, 3001), 3211);
        assert_eq!(crew.total_hits(1, 25), 326);
        assert_eq!((crew.sums(), Crew::new(1).sums()), (Some((3210, 321)), None));
        assert!(!crew.is_single() && Crew::new(0).is_single());
    }
}
