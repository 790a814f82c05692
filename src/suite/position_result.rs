//! The result of one position.

use serde::{Deserialize, Serialize};

use super::Expected;
use crate::board::{Move, Position};
use crate::json::{MoveText, PovScore};
use crate::units::Depth;

/// Where a search was when something happened.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Milestone {
    /// The iteration's number.
    pub iteration: Depth,
    /// Nodes since the start of the search.
    pub nodes: u64,
    /// Milliseconds since the start of the search, if times are wanted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<u64>,
}

/// Whether a claimed mate is shown by the line.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum MateLine {
    /// Played out, it ends with mate in the required number of moves.
    Mates,
    /// Its moves are legal, but it ends before the mate.
    Short,
    /// It has an illegal move, continues beyond the end of the game, or takes too long.
    Wrong,
}

impl MateLine {
    /// What is wrong with a line that does not show the mate.
    pub const fn fault(self) -> Option<&'static str> {
        match self {
            MateLine::Mates => None,
            MateLine::Short => Some("line ends before the mate"),
            MateLine::Wrong => Some("line does not mate"),
        }
    }

    /// Plays a line that should mate in `moves` moves (negative: be mated).
    pub fn check(position: &Position, line: &[Move], moves: i32) -> MateLine {
        let goal = u64::from(moves.unsigned_abs()) * 2 - u64::from(moves > 0);
        let mut position = position.clone();
        for &m in line {
            if !position.is_legal(m) {
                return MateLine::Wrong;
            }
            position = position.play(m);
        }
        let mated = position.is_checkmate();
        match (mated, line.len() as u64 <= goal) {
            (true, true) => MateLine::Mates,
            (false, true) if (line.len() as u64) < goal => MateLine::Short,
            _ => MateLine::Wrong,
        }
    }
}

/// One position and how the engine did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PositionResult {
    /// Its number among the positions of all suites of the run, from 0.
    pub index: usize,
    /// The name of the suite's file.
    pub suite: String,
    /// Line in the file, from 1.
    pub line: usize,
    /// The position's name.
    pub id: String,
    /// The themes that a comment of the line names; missing if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub themes: Vec<String>,
    /// The theme in the position's name, before its last dot; missing if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub theme: Option<String>,
    /// The position to solve.
    pub fen: String,
    /// The solution.
    pub expected: Expected,
    /// The final move; null if there is no legal one.
    pub played: Option<MoveText>,
    /// The final score, for the side to move.
    pub score: PovScore,
    /// The final principal variation.
    pub pv: Vec<MoveText>,
    /// Whether it counts as solved under the run's rule.
    pub solved: bool,
    /// When the right answer that counts was found.
    pub solution: Option<Milestone>,
    /// When the right answer was first given, whether or not it was kept.
    pub first_seen: Option<Milestone>,
    /// Whether a right answer was ever replaced by a wrong one.
    pub left_again: bool,
    /// The points of the move played, if there are points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<u32>,
    /// The points of the best move, if there are points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_points: Option<u32>,
    /// If a mate is required and claimed: whether the line shows it on the board.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mate_line: Option<MateLine>,
    /// The last completed iteration.
    pub iteration: i32,
    /// Nodes searched in the position.
    pub nodes: u64,
    /// Milliseconds used, if times are wanted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<u64>,
}

impl PositionResult {
    /// What was asked, whatever the suite calls it: the position and its solution, with the moves in one order.
    pub(super) fn question(&self) -> (&str, Expected) {
        (&self.fen, self.expected.sorted())
    }

    /// The final move in SAN.
    pub fn played_san(&self) -> Option<&str> {
        self.played.as_ref().map(|played| played.san.as_str())
    }

    /// The same without anything that depends on the clock.
    pub fn without_times(mut self) -> PositionResult {
        self.time_ms = None;
        for at in [&mut self.solution, &mut self.first_seen].into_iter().flatten() {
            at.time_ms = None;
        }
        self
    }
}
