//! Ending a run early from another thread, as Ctrl-C does.

use std::sync::{Arc, Mutex, PoisonError};

use thiserror::Error;

use crate::search::StopFlag;

/// What a shell reports of a program that Ctrl-C ended.
const ENDED_BY_SIGNAL: i32 = 130;

/// A system that does not tell of Ctrl-C.
#[derive(Debug, Error)]
#[error("cannot listen for Ctrl-C")]
pub struct SignalError(#[from] ctrlc::Error);

/// A wish to end a run, heard by every search that is under way.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<Mutex<Searches>>);

#[derive(Debug, Default)]
struct Searches {
    raised: bool,
    /// Those under way, and some that have ended.
    stops: Vec<StopFlag>,
}

impl Interrupt {
    /// Nobody wishes to end.
    pub fn new() -> Interrupt {
        Interrupt::default()
    }

    /// Lets Ctrl-C and a request to terminate end the run in good order; a second one ends the program at once. A program
    /// can listen for one run only.
    ///
    /// # Errors
    ///
    /// The system does not tell of them.
    pub fn heed_signals(&self) -> Result<(), SignalError> {
        let interrupt = self.clone();
        let heed = move || {
            if interrupt.is_raised() {
                std::process::exit(ENDED_BY_SIGNAL);
            }
            interrupt.raise();
        };
        Ok(ctrlc::set_handler(heed)?)
    }

    /// Ends every search under way; none is begun any more.
    pub fn raise(&self) {
        let mut searches = self.searches();
        searches.raised = true;
        searches.stops.drain(..).for_each(|stop| stop.raise());
    }

    /// Whether the run should end.
    pub fn is_raised(&self) -> bool {
        self.searches().raised
    }

    /// A flag for a search that is about to begin; `None` if it had better not.
    pub fn stop_flag(&self) -> Option<StopFlag> {
        let mut searches = self.searches();
        if searches.raised {
            return None;
        }
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
}
