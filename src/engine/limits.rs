//! The limits of a search as a person or a GUI states them.

use std::time::{Duration, Instant};

use crate::board::Move;
use crate::units::Depth;

/// One side's or both sides' chess clock.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// White's remaining time.
    pub white_time: Option<Duration>,
    /// Black's remaining time.
    pub black_time: Option<Duration>,
    /// White's increment a move.
    pub white_increment: Duration,
    /// Black's increment a move.
    pub black_increment: Duration,
    /// Moves to the next time control.
    pub moves_to_go: Option<u32>,
}

/// All limits of a search; those given all hold, and none at all means until stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// When the clock began to run, where that is before the search begins.
    pub since: Option<Instant>,
    /// Last iteration to search.
    pub depth: Option<Depth>,
    /// Nodes after which the search ends.
    pub nodes: Option<u64>,
    /// Look for a mate in this many moves or fewer, given or suffered; a longer one does not end the search.
    pub mate: Option<i32>,
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// The game's clock.
    pub clock: Clock,
    /// Do not end before told to, whatever else.
    pub infinite: bool,
    /// The search is on the opponent's time until told otherwise.
    pub ponder: bool,
    /// Search these moves only; all where empty.
    pub search_moves: Vec<Move>,
    /// How many best moves to find, each with its line; 0 is as 1.
    pub multi_pv: usize,
    /// The search is for analysis: it goes on after a mate is proven, as a shorter one may be there.
    pub analysis: bool,
}
