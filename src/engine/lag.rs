//! How late the engine acts on a busy machine: learned from the clock, and kept back from the time of the next moves.
//!
//! A search notices a deadline when it next looks at the clock, about every millisecond. If the system gives the
//! processor to others in between, it notices later, and the same holds for each thread that has to wake up until the
//! best move is out. After a `ponderhit` the search has no deadline of its own: it is told to stop, and what counts is
//! how long it takes to answer. No search can tell when that will happen again, but it happens in the same measure for
//! a while.

use std::time::Duration;

use crate::params::Params;
use crate::search::Outcome;
use crate::units::PERCENT;

/// A longer delay is none of the system's: the whole program was stopped.
const LONGEST: Duration = Duration::from_secs(1);

/// The longest delay seen lately: each search remembers a share of what was known, or its own delay if that is longer.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct WakeupLag(Duration);

impl WakeupLag {
    /// The delay that a search has shown which took this long in all: its longest pause between two looks at the clock,
    /// and what went by from its end until all threads had ended.
    pub(super) fn shown(outcome: &Outcome, taken: Duration) -> Duration {
        outcome.longest_pause + taken.saturating_sub(outcome.elapsed)
    }

    /// Takes in the delay of one more search.
    pub(super) fn note(&mut self, delay: Duration, params: &Params) {
        let remembered = self.0 * params.lag_memory.unsigned_abs() / PERCENT.unsigned_abs();
        self.0 = if params.learn_lag { delay.min(LONGEST).max(remembered) } else { Duration::ZERO };
    }

    /// How much later than by `overhead` the next search must be expected to end. With this much time on the clock no
    /// more than a share of it counts, since one long delay must not take all of it.
    pub(super) fn beyond(self, overhead: Duration, time: Duration, params: &Params) -> Duration {
        let most = time * params.lag_share.unsigned_abs() / PERCENT.unsigned_abs();
        self.0.min(most).saturating_sub(overhead)
    }

    /// What to leave of this much time on the clock besides `overhead`, whatever is planned: the delay to be expected,
    /// or one of which there was no sign. Below that the clock must recover first, from increments.
    pub(super) fn reserve(self, overhead: Duration, time: Duration, params: &Params) -> Duration {
        let unseen = if params.learn_lag { params.lag_unseen.unsigned_abs() } else { 0 };
        self.beyond(overhead, time, params).max(Duration::from_millis(unseen.into()).saturating_sub(overhead))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Score;

    fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    fn params() -> Params {
        Params { learn_lag: true, lag_memory: 90, lag_share: 80, lag_unseen: 40, ..Params::default() }
    }

    #[test]
    fn a_long_delay_is_remembered_for_a_while_and_a_longer_one_at_once() {
        let (params, mut lag) = (params(), WakeupLag::default());
        for (delay, known) in [(100, 100), (0, 90), (3, 81), (200, 200), (190, 190)] {
            lag.note(ms(delay), &params);
            assert_eq!(lag, WakeupLag(ms(known)), "{delay}");
        }
        (0..40).for_each(|_| lag.note(ms(2), &params));
        assert!(lag.0 < ms(4), "{lag:?}");
    }

    #[test]
    fn switched_off_nothing_is_learned() {
        let mut lag = WakeupLag(ms(80));
        lag.note(ms(100), &Params { learn_lag: false, ..params() });
        assert_eq!(lag, WakeupLag::default());
    }

    #[test]
    fn what_the_delay_is_longer_than_the_overhead_is_kept_back_and_never_all_the_time() {
        let kept = |lag, overhead, time| WakeupLag(ms(lag)).beyond(ms(overhead), ms(time), &params());
        assert_eq!(kept(0, 10, 1000), ms(0));
        assert_eq!(kept(8, 10, 1000), ms(0));
        assert_eq!(kept(80, 10, 1000), ms(70));
        assert_eq!(kept(80, 100, 1000), ms(0));
        assert_eq!(kept(80, 10, 50), ms(30));
    }

    #[test]
    fn a_delay_without_a_sign_is_left_on_the_clock_and_a_longer_one_that_was_seen() {
        let left = |lag, time, params: &Params| WakeupLag(ms(lag)).reserve(ms(10), ms(time), params);
        assert_eq!(left(0, 1000, &params()), ms(30));
        assert_eq!(left(80, 1000, &params()), ms(70));
        assert_eq!(left(0, 25, &params()), ms(30));
        assert_eq!(left(80, 50, &params()), ms(30));
        assert_eq!(left(0, 1000, &Params { learn_lag: false, ..params() }), ms(0));
    }

    #[test]
    fn a_program_that_was_stopped_for_an_hour_does_not_hurry_for_the_rest_of_the_game() {
        let (params, mut lag) = (params(), WakeupLag::default());
        lag.note(ms(3_600_000), &params);
        assert_eq!(lag, WakeupLag(LONGEST));
    }

    #[test]
    fn a_search_shows_its_longest_pause_and_how_long_its_end_took() {
        let outcome = Outcome {
            best_move: None,
            ponder: None,
            score: Score::ZERO,
            pv: Vec::new(),
            depth: 5,
            nodes: 1000,
            tb_hits: 0,
            elapsed: ms(100),
            longest_pause: ms(30),
            no_mate: None,
            changes: Vec::new(),
        };
        assert_eq!(WakeupLag::shown(&outcome, ms(112)), ms(42));
        assert_eq!(WakeupLag::shown(&outcome, ms(100)), ms(30));
    }
}
