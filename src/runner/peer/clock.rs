//! The time for which another engine is waited for.

use std::time::{Duration, Instant};

/// The longest that one turn of waiting counts: it takes much less, unless this program does not run.
const LONGEST_TURN: Duration = Duration::from_millis(200);

/// A clock that is looked at in every turn of waiting, and stands still while this program does: stopped (Ctrl-Z), it
/// hears no answer, however soon the engine, which goes on, has given it.
#[derive(Copy, Clone, Debug)]
pub(super) struct Clock {
    looked_at: Instant,
    shows: Instant,
}

impl Clock {
    /// One that is right at the start.
    pub fn new(start: Instant) -> Clock {
        Clock { looked_at: start, shows: start }
    }

    /// What it shows now.
    pub fn look(&mut self, now: Instant) -> Instant {
        let turn = now.saturating_duration_since(self.looked_at);
        self.looked_at = now;
        self.shows += turn.min(LONGEST_TURN);
        self.shows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_without_turns_does_not_count() {
        let start = Instant::now();
        let mut clock = Clock::new(start);
        for (millisecond, shown) in [(0, 0), (20, 20), (40, 40), (13_040, 240), (13_060, 260)] {
            let [now, shown] = [millisecond, shown].map(|time| start + Duration::from_millis(time));
            assert_eq!(clock.look(now), shown, "{millisecond}");
        }
    }
}
