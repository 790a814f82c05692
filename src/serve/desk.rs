//! The searches that are running: at most so many at a time, and one for each column of a page.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::bounds::MAX_SEARCHES;
use super::refusal::Refusal;
use crate::search::StopFlag;

/// The running searches.
#[derive(Default)]
pub(super) struct Desk(Mutex<Vec<Running>>);

/// A running search.
struct Running {
    page: u32,
    column: u8,
    stop: StopFlag,
}

/// A search's place at the desk, until it is dropped.
pub(super) struct Seat<'a> {
    desk: &'a Desk,
    stop: StopFlag,
}

impl Desk {
    /// A place for a search of this column of a page, which will heed the flag. An older search of the column is stopped.
    pub fn take(&self, page: u32, column: u8, stop: StopFlag) -> Result<Seat<'_>, Refusal> {
        let mut running = self.running();
        running.iter().filter(|old| (old.page, old.column) == (page, column)).for_each(|old| old.stop.raise());
        if running.iter().filter(|other| !other.stop.is_raised()).count() >= MAX_SEARCHES {
            return Err(Refusal::Busy);
        }
        running.push(Running { page, column, stop: stop.clone() });
        Ok(Seat { desk: self, stop })
    }

    fn running(&self) -> MutexGuard<'_, Vec<Running>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Seat<'_> {
    /// What stops the search.
    pub fn stop(&self) -> &StopFlag {
        &self.stop
    }
}

impl Drop for Seat<'_> {
    fn drop(&mut self) {
        // No other search may be found by this flag, so that raising it tells which entry is done.
        self.stop.raise();
        self.desk.running().retain(|running| !running.stop.is_raised());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_has_one_search_and_the_desk_a_few() {
        let desk = Desk::default();
        let flags: Vec<StopFlag> = (0..7).map(|_| StopFlag::new()).collect();
        let mut seats: Vec<_> = (0..4).map(|at| desk.take(7, at, flags[usize::from(at)].clone()).unwrap()).collect();
        assert!(matches!(desk.take(8, 0, flags[4].clone()), Err(Refusal::Busy)));
        assert!(flags.iter().all(|flag| !flag.is_raised()));
        seats.push(desk.take(7, 2, flags[5].clone()).unwrap());
        assert_eq!([1, 2, 3, 5].map(|at| flags[at].is_raised()), [false, true, false, false]);
        seats.remove(0);
        assert!(desk.take(8, 0, flags[6].clone()).is_ok());
        drop(seats);
        assert!(desk.running().is_empty());
    }
}
