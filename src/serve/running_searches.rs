//! The searches that are running: at most [`MAX_SEARCHES`] at a time, and one for each column of a page.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::bounds::MAX_SEARCHES;
use super::refusal::Refusal;
use crate::search::StopFlag;

/// The running searches.
#[derive(Default)]
pub(super) struct RunningSearches(Mutex<Vec<Running>>);

/// A running search.
struct Running {
    page: u32,
    column: u8,
    stop: StopFlag,
}

/// A running search's entry in the list; dropping it removes the entry.
pub(super) struct SearchSlot<'a> {
    searches: &'a RunningSearches,
    stop: StopFlag,
}

impl RunningSearches {
    /// Enters a search of this column of a page, which obeys the flag, and stops an older search of the column.
    ///
    /// # Errors
    ///
    /// [`Refusal::Busy`] if too many others are running.
    pub fn enter(&self, page: u32, column: u8, stop: StopFlag) -> Result<SearchSlot<'_>, Refusal> {
        let mut running = self.running();
        running.iter().filter(|old| (old.page, old.column) == (page, column)).for_each(|old| old.stop.raise());
        if running.iter().filter(|other| !other.stop.is_raised()).count() >= MAX_SEARCHES {
            return Err(Refusal::Busy);
        }
        running.push(Running { page, column, stop: stop.clone() });
        Ok(SearchSlot { searches: self, stop })
    }

    fn running(&self) -> MutexGuard<'_, Vec<Running>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SearchSlot<'_> {
    /// The flag that stops the search.
    pub fn stop(&self) -> &StopFlag {
        &self.stop
    }
}

impl Drop for SearchSlot<'_> {
    fn drop(&mut self) {
        // No other search may be found by this flag, so that raising it tells which entry is done.
        self.stop.raise();
        self.searches.running().retain(|running| !running.stop.is_raised());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_has_one_search_and_the_server_a_few() {
        let searches = RunningSearches::default();
        let flags: Vec<StopFlag> = (0..7).map(|_| StopFlag::new()).collect();
        let mut slots: Vec<_> =
            (0..4).map(|at| searches.enter(7, at, flags[usize::from(at)].clone()).unwrap()).collect();
        assert!(matches!(searches.enter(8, 0, flags[4].clone()), Err(Refusal::Busy)));
        assert!(flags.iter().all(|flag| !flag.is_raised()));
        slots.push(searches.enter(7, 2, flags[5].clone()).unwrap());
        assert_eq!([1, 2, 3, 5].map(|at| flags[at].is_raised()), [false, true, false, false]);
        slots.remove(0);
        assert!(searches.enter(8, 0, flags[6].clone()).is_ok());
        drop(slots);
        assert!(searches.running().is_empty());
    }
}
