//! The limits of a search as the user or GUI gives them.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::board::{Color, Move};
use crate::units::Depth;

/// One side's or both sides' chess clock.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// White's remaining time.
    pub white_time: Option<Duration>,
    /// Black's remaining time.
    pub black_time: Option<Duration>,
    /// White's increment per move.
    pub white_increment: Duration,
    /// Black's increment per move.
    pub black_increment: Duration,
    /// Moves to the next time control.
    pub moves_to_go: Option<u32>,
}

/// A game's time: so much for each side, and an increment for each move. As text in seconds, like `60` and `8+0.08`.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// Each side's time at the start.
    pub time: Duration,
    /// What a side gains with every move.
    pub increment: Duration,
}

/// A text that is no time control.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("expected seconds, and seconds for each move, as in 8+0.08: at most a day, and not nothing")]
pub struct TimeControlError;

impl TimeControl {
    /// The most for a game or a move.
    const MOST: Duration = Duration::from_secs(24 * 60 * 60);

    /// Seconds with a fraction, as they are written.
    fn seconds(text: &str) -> Option<Duration> {
        let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        let seconds = text.parse().ok().filter(|_| is_plain)?;
        Duration::try_from_secs_f64(seconds).ok().filter(|&time| time <= TimeControl::MOST)
    }
}

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<TimeControl, TimeControlError> {
        let (time, increment) = text.split_once('+').unwrap_or((text, "0"));
        let both = TimeControl::seconds(time).zip(TimeControl::seconds(increment));
        let control = both.map(|(time, increment)| TimeControl { time, increment });
        control.filter(|control| !control.time.is_zero()).ok_or(TimeControlError)
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.time.as_secs_f64())?;
        if self.increment.is_zero() { Ok(()) } else { write!(f, "+{}", self.increment.as_secs_f64()) }
    }
}

impl From<TimeControl> for Clock {
    fn from(control: TimeControl) -> Clock {
        Clock {
            white_time: Some(control.time),
            black_time: Some(control.time),
            white_increment: control.increment,
            black_increment: control.increment,
            moves_to_go: None,
        }
    }
}

/// Which part of the clock tells one side how long to think.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Its own time.
    Own(Duration),
    /// The opponent's time, if only that is known.
    Opponents(Duration),
    /// An increment, if no time is known: its own, or else the opponent's.
    Increment(Duration),
    /// Nothing.
    None,
}

impl Clock {
    /// The most that counts of a time or an increment; it keeps their sums and products far from overflow. About three
    /// years.
    pub const MOST: Duration = Duration::from_secs(100_000_000);

    /// A side's increment per move.
    pub fn increment(&self, side: Color) -> Duration {
        side.fold_wb(self.white_increment, self.black_increment).min(Clock::MOST)
    }

    /// The time control of a game that begins with this clock, the same for both sides; `None` if there is none.
    pub fn control(&self) -> Option<TimeControl> {
        Some(TimeControl { time: self.white_time?, increment: self.white_increment })
    }

    /// A side's remaining time.
    pub fn time_mut(&mut self, side: Color) -> &mut Option<Duration> {
        side.fold_wb(&mut self.white_time, &mut self.black_time)
    }

    /// What tells this side how long to think.
    pub fn measure(&self, side: Color) -> Measure {
        let time = |side: Color| side.fold_wb(self.white_time, self.black_time).map(|time| time.min(Clock::MOST));
        let increment = [side, !side].map(|side| self.increment(side)).into_iter().find(|time| !time.is_zero());
        match (time(side), time(!side), increment) {
            (Some(time), ..) => Measure::Own(time),
            (None, Some(time), _) => Measure::Opponents(time),
            (None, None, Some(increment)) => Measure::Increment(increment),
            (None, None, None) => Measure::None,
        }
    }
}

/// All limits of a search. All that are given apply. Besides, it ends when it is stopped, after iteration
/// [`MAX_ITERATION`], with a mate that an iteration as deep as it is long has not shortened, unless
/// [`Limits::infinite`] or [`Limits::analysis`] is set, and at once if there is no legal move.
///
/// [`MAX_ITERATION`]: crate::search::MAX_ITERATION
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// When the clock started, if before the search.
    pub since: Option<Instant>,
    /// Last iteration to search.
    pub depth: Option<Depth>,
    /// Nodes after which the search ends.
    pub nodes: Option<u64>,
    /// Nodes after which no new iteration begins.
    pub soft_nodes: Option<u64>,
    /// Look for a mate in this many moves or fewer, for either side; a longer one does not end the search.
    pub mate: Option<i32>,
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// The game's clock.
    pub clock: Clock,
    /// Neither time nor a mate ends the search, unless the mate is the one looked for; depth and nodes still do. A
    /// protocol holds the answer until told to stop.
    pub infinite: bool,
    /// The search is on the opponent's time (pondering) until told otherwise.
    pub ponder: bool,
    /// Search these moves only; all legal moves if none of these is legal.
    pub search_moves: Vec<Move>,
    /// MultiPV: how many best moves to find, each with its line; 0 means 1.
    pub multi_pv: usize,
    /// The search is for analysis: it continues after a mate is proven, since there may be a shorter one.
    pub analysis: bool,
}

impl Limits {
    /// No limit but this last iteration.
    pub fn to_depth(depth: Depth) -> Limits {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// No limit but so many nodes.
    pub fn of_nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// Whether the search is bound to end: by the clock of the side to move, or another limit.
    pub fn is_bounded(&self, turn: Color) -> bool {
        let has_clock = self.clock.measure(turn) != Measure::None;
        let has_nodes = self.nodes.is_some() || self.soft_nodes.is_some();
        has_clock || has_nodes || self.move_time.is_some() || self.depth.is_some() || self.mate.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_control_is_written_as_it_is_read() {
        for text in ["60", "8+0.08", "0.5", "86400+1"] {
            let control: TimeControl = text.parse().unwrap();
            assert_eq!((control.to_string().as_str(), Clock::from(control).control()), (text, Some(control)));
        }
        let control = TimeControl { time: Duration::from_secs(8), increment: Duration::from_millis(80) };
        assert_eq!("8.0+.080".parse(), Ok(control));
        for text in ["", "0", "+1", "8+", "-8", "8+-1", "8e0", "inf", "8+1+1", "86401", "8s", "1:00"] {
            assert_eq!(text.parse::<TimeControl>(), Err(TimeControlError), "{text}");
        }
    }
}
