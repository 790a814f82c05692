//! The limits of a search as the user or GUI gives them.

use std::time::{Duration, Instant};

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
    /// A side's increment per move.
    pub fn increment(&self, side: Color) -> Duration {
        side.fold_wb(self.white_increment, self.black_increment)
    }

    /// What tells this side how long to think.
    pub fn measure(&self, side: Color) -> Measure {
        let (own, other) = side.fold_wb((self.white_time, self.black_time), (self.black_time, self.white_time));
        let increment = [side, !side].map(|side| self.increment(side)).into_iter().find(|time| !time.is_zero());
        match (own, other, increment) {
            (Some(time), ..) => Measure::Own(time),
            (None, Some(time), _) => Measure::Opponents(time),
            (None, None, Some(increment)) => Measure::Increment(increment),
            (None, None, None) => Measure::None,
        }
    }
}

impl Limits {
    /// Whether the search is bound to end: by the clock of the side to move, or another limit.
    pub fn is_bounded(&self, turn: Color) -> bool {
        let has_clock = self.clock.measure(turn) != Measure::None;
        let has_nodes = self.nodes.is_some() || self.soft_nodes.is_some();
        has_clock || has_nodes || self.move_time.is_some() || self.depth.is_some() || self.mate.is_some()
    }
}

/// All limits of a search. All that are given apply; without any, the search runs until stopped.
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
    /// Do not stop before told to, regardless of other limits.
    pub infinite: bool,
    /// The search is on the opponent's time (pondering) until told otherwise.
    pub ponder: bool,
    /// Search these moves only; all if empty.
    pub search_moves: Vec<Move>,
    /// MultiPV: how many best moves to find, each with its line; 0 means 1.
    pub multi_pv: usize,
    /// The search is for analysis: it continues after a mate is proven, since there may be a shorter one.
    pub analysis: bool,
}
