//! Ending a run early from another thread, as Ctrl-C does.

mod signals;

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use thiserror::Error;

use crate::search::StopFlag;

/// The exit code of a program ended by Ctrl-C, as shells report it.
const ENDED_BY_SIGNAL: i32 = 130;

/// A system that does not report Ctrl-C.
#[derive(Debug, Error)]
#[error("cannot listen for Ctrl-C")]
pub struct SignalError(#[from] io::Error);

/// A request to end a run, passed on to every running search.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<Mutex<Searches>>);

#[derive(Debug, Default)]
struct Searches {
    raised: bool,
    /// The running searches, and some that have ended.
    stops: Vec<StopFlag>,
}

impl Interrupt {
    /// No request.
    pub fn new() -> Interrupt {
        Interrupt::default()
    }

    /// Makes Ctrl-C, a request to terminate and the end of the terminal end the run in an orderly way; a second one
    /// ends the program at once. On Linux the end of the terminal stays ignored under `nohup`. A program can do this
    /// for one run only.
    ///
    /// # Errors
    ///
    /// The system does not report them.
    pub fn heed_signals(&self) -> Result<(), SignalError> {
        let interrupt = self.clone();
        let heed = move || {
            if interrupt.is_raised() {
                std::process::exit(ENDED_BY_SIGNAL);
            }
            interrupt.raise();
        };
        Ok(signals::at_each(heed)?)
    }

    /// Stops every running search; no new one is started.
    pub fn raise(&self) {
        let mut searches = self.searches();
        searches.raised = true;
        searches.stops.drain(..).for_each(|stop| stop.raise());
    }

    /// Whether the run should end.
    pub fn is_raised(&self) -> bool {
        self.searches().raised
    }

    /// A flag for a search about to start; `None` if it should not.
    pub fn stop_flag(&self) -> Option<StopFlag> {
        let mut searches = self.searches();
        if searches.raised {
            return None;
        }
        // Of the flags of searches that have ended, only this one is left.
        searches.stops.retain(|stop| !stop.is_sole());
        let stop = StopFlag::new();
        searches.stops.push(stop.clone());
        Some(stop)
    }

    fn searches(&self) -> std::sync::MutexGuard<'_, Searches> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wish_reaches_searches_under_way_and_holds_back_others() {
        let interrupt = Interrupt::new();
        let stop = interrupt.stop_flag().unwrap();
        assert!(!stop.is_raised() && !interrupt.is_raised());
        interrupt.clone().raise();
        assert!(stop.is_raised() && interrupt.is_raised());
        assert!(interrupt.stop_flag().is_none());
    }

    #[test]
    fn flags_of_searches_that_ended_are_dropped() {
        let interrupt = Interrupt::new();
        let running = interrupt.stop_flag().unwrap();
        for _ in 0..3 {
            assert!(interrupt.stop_flag().is_some());
        }
        assert_eq!(interrupt.searches().stops.len(), 2, "the running search's and the last one's");
        interrupt.raise();
        assert!(running.is_raised());
    }
}
