//! Time management: from the limits to a soft and a hard time.

use std::time::Duration;

use super::limits::Measure;
use super::{Limits, Options, WakeupLag};
use crate::board::Color;
use crate::params::Params;
use crate::units::PERCENT;

/// The times of a search; `None` if there is no time limit.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct TimePlan {
    /// Start no iteration of which less than [`Params::useful_share`] would probably be done by then, counted from the
    /// start of the first one.
    pub soft: Option<Duration>,
    /// Stop by then, wherever the search is, counted from when the clock started.
    pub hard: Option<Duration>,
}

/// The clock of a game in which nodes stand for time ([`Params::node_time`]): what is left of it, whatever the GUI's
/// clock says. It starts with the GUI's at the first search on the clock, and gains the increments.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeClock(Option<Duration>);

impl NodeClock {
    /// What is left, if this clock, not the GUI's, tells how long to think. Times for a number of moves remain the
    /// GUI's: nobody else knows when the next ones begin. Thinking without a clock, or on the opponent's time, costs
    /// nothing.
    fn left(self, limits: &Limits, turn: Color, params: &Params) -> Option<Duration> {
        let Measure::Own(given) = limits.clock.measure(turn) else { return None };
        let rules = params.node_time > 0 && limits.clock.moves_to_go.is_none() && !limits.infinite && !limits.ponder;
        rules.then(|| self.0.unwrap_or(given))
    }

    /// The limits of the next search with the time that is left.
    pub fn limits(self, limits: &Limits, turn: Color, params: &Params) -> Limits {
        let mut limits = limits.clone();
        if let Some(left) = self.left(&limits, turn, params) {
            *limits.clock.time_mut(turn) = Some(left);
        }
        limits
    }

    /// A search within these limits, as the GUI gave them, took so many nodes.
    pub fn spend(&mut self, nodes: u64, limits: &Limits, turn: Color, params: &Params) {
        if let (Some(left), Some(used)) = (self.left(limits, turn, params), params.time_of(|| nodes)) {
            self.0 = Some(left.saturating_sub(used).saturating_add(limits.clock.increment(turn)));
        }
    }
}

/// Below this no useful search is possible.
const LEAST: Duration = Duration::from_millis(1);

impl TimePlan {
    /// No time limit.
    pub const NONE: TimePlan = TimePlan { soft: None, hard: None };

    /// Whether the search may take long enough for other threads to help it.
    pub fn has_time_for_helpers(&self, params: &Params) -> bool {
        let least = Duration::from_millis(params.helpers_least.unsigned_abs().into());
        self.hard.is_none_or(|hard| hard >= least)
    }

    /// Plans the time of one move for the side to move, on a machine with this lag.
    pub(super) fn new(limits: &Limits, turn: Color, options: &Options, lag: WakeupLag) -> TimePlan {
        if limits.infinite || limits.ponder {
            return TimePlan::NONE;
        }
        let clock = &limits.clock;
        // Nothing delays nodes that stand for time.
        let is_real = options.params.node_time == 0;
        let overhead = if is_real { options.move_overhead } else { Duration::ZERO };
        let late = |time| if is_real { lag.beyond(overhead, time, &options.params) } else { Duration::ZERO };
        let reserve = |time| if is_real { lag.reserve(overhead, time, &options.params) } else { Duration::ZERO };
        let left = |time: Duration, back: Duration| time.saturating_sub(overhead + back).max(LEAST);
        // The parameter ranges keep them all nonnegative.
        let [expected_moves, increment_share, hard_factor, hard_share] = {
            let params = &options.params;
            [params.expected_moves, params.increment_share, params.hard_factor, params.hard_share]
                .map(i32::unsigned_abs)
        };
        // An overhead for a slow connection leaves half of a fixed time, at least: no clock runs out with it.
        let fixed = limits.move_time.map(|time| time.saturating_sub(overhead).max(time / 2).max(LEAST));
        let (time, increment) = match clock.measure(turn) {
            Measure::Own(time) => (time, clock.increment(turn)),
            Measure::Opponents(time) => (time, Duration::ZERO),
            Measure::Increment(increment) => {
                // The time left on the clock is unknown.
                let most = left(increment, late(increment));
                let soft = Some(most * increment_share / PERCENT.unsigned_abs());
                return TimePlan { soft, hard: Some(fixed.map_or(most, |fixed| fixed.min(most))) };
            }
            Measure::None => return TimePlan { soft: None, hard: fixed },
        };
        let usable = left(time, reserve(time));
        let moves = clock.moves_to_go.map_or(expected_moves, |moves| moves.clamp(1, expected_moves));
        // On a machine that is late with every move, the increment pays for that first.
        let share = usable / moves + increment.saturating_sub(late(time)) * increment_share / PERCENT.unsigned_abs();
        let most = if clock.moves_to_go == Some(1) { usable } else { usable * hard_share / PERCENT.unsigned_abs() };
        let soft = share.min(most).max(LEAST);
        let hard = (share * hard_factor).min(most).max(LEAST);
        TimePlan { soft: Some(soft), hard: Some(fixed.map_or(hard, |fixed| fixed.min(hard))) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Clock;

    fn plan(clock: Clock, move_time: Option<u64>) -> TimePlan {
        let limits = Limits { clock, move_time: move_time.map(Duration::from_millis), ..Limits::default() };
        TimePlan::new(&limits, Color::White, &Options::default(), WakeupLag::default())
    }

    fn white(time: u64, increment: u64, moves_to_go: Option<u32>) -> Clock {
        Clock {
            white_time: Some(Duration::from_millis(time)),
            white_increment: Duration::from_millis(increment),
            moves_to_go,
            ..Clock::default()
        }
    }

    #[test]
    fn no_plan_exceeds_the_clock() {
        for time in [1, 5, 20, 100, 1000, 60_000, 7_200_000] {
            for increment in [0, 10, 1000, 60_000] {
                for moves_to_go in [None, Some(1), Some(2), Some(40)] {
                    let plan = plan(white(time, increment, moves_to_go), None);
                    let (soft, hard) = (plan.soft.unwrap(), plan.hard.unwrap());
                    assert!(soft <= hard, "{time} {increment} {moves_to_go:?}");
                    assert!(hard <= Duration::from_millis(time), "{time} {increment} {moves_to_go:?}");
                    // Only the last move before the next time control may take more than half of what is left.
                    let half = Duration::from_millis(time) / 2;
                    assert!(hard <= half.max(LEAST) || moves_to_go == Some(1), "{time} {increment} {moves_to_go:?}");
                }
            }
        }
    }

    #[test]
    fn half_a_clock_is_a_limit_too_and_infinite_or_pondering_has_none() {
        let clock = Clock { black_time: Some(Duration::from_secs(1)), ..Clock::default() };
        let theirs = plan(clock, None);
        assert_eq!(theirs, plan(white(1000, 0, None), None));
        let clock = Clock { white_increment: Duration::from_millis(100), ..Clock::default() };
        assert!(plan(clock, None).hard.unwrap() <= Duration::from_millis(100));
        let clock = Clock { moves_to_go: Some(3), ..Clock::default() };
        assert_eq!(plan(clock, None), TimePlan { soft: None, hard: None });
        for (infinite, ponder) in [(true, false), (false, true)] {
            let limits = Limits { infinite, ponder, clock: white(100, 0, None), ..Limits::default() };
            let plan = TimePlan::new(&limits, Color::White, &Options::default(), WakeupLag::default());
            assert_eq!(plan, TimePlan::NONE, "{infinite} {ponder}");
        }
    }

    #[test]
    fn a_side_plans_by_its_own_time_and_increment() {
        let clock = Clock {
            black_time: Some(Duration::from_millis(9_000)),
            black_increment: Duration::from_millis(2_000),
            ..white(60_000, 100, None)
        };
        for (turn, time, increment) in [(Color::White, 60_000, 100), (Color::Black, 9_000, 2_000)] {
            let limits = Limits { clock, ..Limits::default() };
            let both = TimePlan::new(&limits, turn, &Options::default(), WakeupLag::default());
            assert_eq!(both, plan(white(time, increment, None), None), "{turn}");
        }
    }

    #[test]
    fn the_smaller_of_move_time_and_clock_holds() {
        assert_eq!(plan(Clock::default(), Some(100)).hard, Some(Duration::from_millis(90)));
        assert!(plan(white(100, 0, None), Some(1000)).hard.unwrap() < Duration::from_millis(100));
    }

    #[test]
    fn a_fixed_time_is_never_mostly_overhead() {
        let options = Options { move_overhead: Duration::from_millis(100), ..Options::default() };
        for (time, hard) in [(1, 1), (100, 50), (150, 75), (1000, 900)] {
            let limits = Limits { move_time: Some(Duration::from_millis(time)), ..Limits::default() };
            let plan = TimePlan::new(&limits, Color::White, &options, WakeupLag::default());
            assert_eq!(plan.hard, Some(Duration::from_millis(hard)));
        }
    }

    #[test]
    fn a_short_search_is_done_alone() {
        let params = Params { helpers_least: 10, ..Params::default() };
        for (hard, helped) in [(None, true), (Some(1), false), (Some(9), false), (Some(10), true)] {
            let plan = TimePlan { soft: None, hard: hard.map(Duration::from_millis) };
            assert_eq!(plan.has_time_for_helpers(&params), helped, "{hard:?}");
        }
    }

    #[test]
    fn a_lag_takes_from_a_clock_and_leaves_a_fixed_time_as_it_is() {
        let options = Options::default();
        let mut lag = WakeupLag::default();
        let delay = Duration::from_millis(80);
        lag.note(delay, &options.params);
        let late = |clock, move_time: Option<u64>| {
            let limits = Limits { clock, move_time: move_time.map(Duration::from_millis), ..Limits::default() };
            TimePlan::new(&limits, Color::White, &options, lag)
        };
        for time in [1, 50, 100, 300, 1000, 60_000] {
            let clock = white(time, 0, Some(1));
            let (calm, late) = (plan(clock, None).hard.unwrap(), late(clock, None).hard.unwrap());
            assert!(late <= calm && (late < calm || time <= 50), "{time}: {late:?} {calm:?}");
            // A delay of this length is no loss on time, unless there is hardly more time left than that.
            assert!(time < 100 || late + delay <= Duration::from_millis(time), "{time}: {late:?}");
        }
        assert_eq!(late(Clock::default(), Some(100)), plan(Clock::default(), Some(100)));
        let increment = Clock { white_increment: Duration::from_millis(100), ..Clock::default() };
        assert_eq!(late(increment, None).hard, Some(Duration::from_millis(20)));
        // What the delay takes beyond the overhead of 10 ms, the increment pays for first.
        let soft = |increment| late(white(60_000, increment, None), None).soft;
        assert!(soft(70) == soft(0) && soft(170) == soft(0).map(|time| time + Duration::from_millis(75)));
    }

    #[test]
    fn a_delay_without_a_sign_is_left_on_the_clock() {
        // 70 ms, of which 10 are the overhead's.
        assert_eq!(plan(white(1000, 0, Some(1)), None).hard, Some(Duration::from_millis(930)));
    }

    #[test]
    fn where_nodes_stand_for_time_they_are_subtracted_and_the_increment_is_added() {
        let params = Params { node_time: 10, ..Params::default() };
        let given = |time| Limits { clock: white(time, 50, None), ..Limits::default() };
        let (mut clock, turn) = (NodeClock::default(), Color::White);
        let left = |clock: NodeClock, time| clock.limits(&given(time), turn, &params).clock.white_time;
        assert_eq!(left(clock, 1000), Some(Duration::from_millis(1000)));
        clock.spend(2000, &given(1000), turn, &params);
        // 1,000 - 200 + 50 ms, whatever the GUI says.
        assert_eq!(left(clock, 3), Some(Duration::from_millis(850)));
        // Neither analysis nor a time control of the GUI's own uses it, or costs anything, nor does a search without a
        // clock, or with Black's only.
        let theirs = Clock { white_time: None, black_time: Some(Duration::from_millis(7)), ..white(7, 50, None) };
        for other in [
            Limits { infinite: true, ..given(7) },
            Limits { ponder: true, ..given(7) },
            Limits { clock: white(7, 50, Some(3)), ..Limits::default() },
            Limits::to_depth(7),
            Limits { clock: theirs, ..Limits::default() },
        ] {
            assert_eq!(clock.limits(&other, turn, &params), other);
            clock.spend(2000, &other, turn, &params);
        }
        assert_eq!(left(clock, 3), Some(Duration::from_millis(850)));
        clock.spend(20_000, &given(3), turn, &params);
        assert_eq!(left(clock, 3), Some(Duration::from_millis(50)));
        assert_eq!(NodeClock::default().limits(&given(3), turn, &Params::default()), given(3));
        // Black gains its own increment.
        let (time, increment) = (Duration::from_millis(1000), Duration::from_millis(30));
        let both = Clock { black_time: Some(time), black_increment: increment, ..white(1000, 50, None) };
        let (mut clock, limits) = (NodeClock::default(), Limits { clock: both, ..Limits::default() });
        clock.spend(2000, &limits, Color::Black, &params);
        let left = clock.limits(&limits, Color::Black, &params).clock.black_time;
        assert_eq!(left, Some(Duration::from_millis(830)));
    }

    #[test]
    fn nodes_that_stand_for_time_need_no_reserve() {
        let options = Options { params: Params { node_time: 10, ..Params::default() }, ..Options::default() };
        let mut lag = WakeupLag::default();
        lag.note(Duration::from_millis(80), &options.params);
        let limits = Limits { move_time: Some(Duration::from_millis(100)), ..Limits::default() };
        let plan = TimePlan::new(&limits, Color::White, &options, lag);
        assert_eq!(plan.hard, Some(Duration::from_millis(100)));
        let limits = Limits { clock: white(100, 0, Some(1)), ..Limits::default() };
        assert_eq!(TimePlan::new(&limits, Color::White, &options, lag).soft, Some(Duration::from_millis(100)));
    }
}
