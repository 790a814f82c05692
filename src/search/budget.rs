//! The limits of a search, and the signal to stop it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::units::Depth;

/// A signal to stop the search, shared with whoever may give it.
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// A flag that is not set.
    pub fn new() -> StopFlag {
        StopFlag::default()
    }

    /// Tells the search to stop.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the search should stop.
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Whether nobody else has the flag: what it could stop has ended.
    pub fn is_sole(&self) -> bool {
        Arc::strong_count(&self.0) == 1
    }
}

/// The limits of one search. All that are given apply. Besides, it ends after iteration [`MAX_ITERATION`], with a mate
/// that an iteration as deep as it is long has not shortened, unless [`Budget::beyond_mate`] is set, and at once if
/// there is no legal move.
///
/// [`MAX_ITERATION`]: super::MAX_ITERATION
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// Last iteration to search.
    pub depth: Option<Depth>,
    /// Nodes after which the search ends.
    pub nodes: Option<u64>,
    /// Nodes after which no new iteration begins.
    pub soft_nodes: Option<u64>,
    /// Stop once a mate in this many moves or fewer is proven, for either side; a longer mate does not stop the search.
    pub mate: Option<i32>,
    /// Continue after a mate is proven: a shorter one may have been pruned.
    pub beyond_mate: bool,
    /// When the clock started; the search's start if not given.
    pub started: Option<Instant>,
    /// No new iteration is started of which less than [`Params::useful_share`] would probably be done within this time
    /// from the start of the first one, adapted to how the search goes.
    ///
    /// [`Params::useful_share`]: crate::params::Params::useful_share
    pub soft: Option<Duration>,
    /// The search stops this long after the clock started, wherever it is.
    pub hard: Option<Duration>,
    /// Stops the search when set.
    pub stop: StopFlag,
}
