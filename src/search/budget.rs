//! What a search may spend, and how it is told to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::units::Depth;

/// A signal to end the search, shared with whoever may give it.
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// A flag that is not raised.
    pub fn new() -> StopFlag {
        StopFlag::default()
    }

    /// Tells the search to end.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Takes the signal back, before a new search.
    pub fn lower(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Whether the search should end.
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The limits of one search; all that are given hold, and none means until stopped.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// Last iteration to search.
    pub depth: Option<Depth>,
    /// Nodes after which the search ends.
    pub nodes: Option<u64>,
    /// Nodes after which no new iteration begins.
    pub soft_nodes: Option<u64>,
    /// End as soon as a mate in this many moves or fewer is proven, for either side, and for no longer mate.
    pub mate: Option<i32>,
    /// Go on after a mate is proven: a shorter one may have been pruned.
    pub beyond_mate: bool,
    /// When the clock began to run: now, if it is not said.
    pub started: Option<Instant>,
    /// No new iteration is begun that would probably not finish within this time, more or less as the search goes.
    pub soft: Option<Duration>,
    /// The search ends after this time wherever it is.
    pub hard: Option<Duration>,
    /// Ends the search when raised.
    pub stop: StopFlag,
}
