//! A problem in a suite: where it is, what kind it is, and which moves it concerns.

use std::fmt;

use serde::Serialize;

use super::{EpdError, Record};
use crate::board::Move;
use crate::json::MoveText;
use crate::params::choice;

/// How bad a finding is.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The line works, but probably not as intended.
    Warning,
    /// The line cannot be used, or contradicts itself.
    Error,
}

choice! {
    /// What kind of problem a finding is.
    FindingKind {
        /// The line cannot be read.
        Unreadable = "unreadable",
        /// The position, or an equivalent one, is in an earlier line.
        RepeatedPosition = "repeated position",
        /// The name is that of an earlier line.
        RepeatedName = "repeated name",
        /// The position cannot have the castling or en passant rights that the line states.
        ImpossibleRights = "impossible rights",
        /// There is no legal move.
        GameOver = "game over",
        /// The line has nothing to solve.
        NoTask = "no task",
        /// A move is spelled unusually.
        OddSpelling = "odd spelling",
        /// A text may mean several moves.
        AmbiguousMove = "ambiguous move",
        /// A best move is also to be avoided.
        Contradiction = "contradiction",
        /// Every legal move is to be avoided.
        NoSolution = "no solution",
        /// Every legal move is a best move.
        AlwaysSolved = "always solved",
        /// A best move does not have the most points.
        PointsDiffer = "points differ",
        /// The mate is not there, or shorter, or not after a best move: proven by trying every move.
        WrongMate = "wrong mate",
        /// A search finds a better move.
        LikelyWrong = "likely wrong",
        /// A search finds a move as good as the solution.
        LikelyDual = "likely dual",
        /// A search does not find the mate.
        MateNotFound = "mate not found",
    }
}

impl FindingKind {
    /// How bad it is.
    pub const fn severity(self) -> Severity {
        match self {
            FindingKind::Unreadable | FindingKind::Contradiction | FindingKind::NoSolution | FindingKind::WrongMate => {
                Severity::Error
            }
            _ => Severity::Warning,
        }
    }
}

#[cfg(test)]
crate::json::names_schema!(FindingKind, "What kind of problem a finding is.");

/// One problem in a suite.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Finding {
    /// How bad the problem is.
    pub severity: Severity,
    /// What kind of problem it is.
    pub kind: FindingKind,
    /// The name of the suite's file.
    #[serde(rename = "suite")]
    pub file: String,
    /// Line in the file, from 1.
    pub line: usize,
    /// Character in the line, from 1.
    pub column: usize,
    /// The position's name; missing if the line cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The position; missing if the line cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// The moves that it concerns, in the order in which the reason names them.
    pub moves: Vec<MoveText>,
    /// What is wrong there, in words.
    pub reason: String,
}

impl Finding {
    /// A problem of a record at this character.
    pub(super) fn new(record: &Record, kind: FindingKind, column: usize, moves: &[Move], reason: String) -> Finding {
        Finding {
            severity: kind.severity(),
            kind,
            file: record.file.clone(),
            line: record.line,
            column,
            id: Some(record.id.clone()),
            fen: Some(record.fen.clone()),
            moves: moves.iter().map(|&m| MoveText::new(&record.position, m)).collect(),
            reason,
        }
    }
}

impl From<&EpdError> for Finding {
    fn from(error: &EpdError) -> Finding {
        let kind = FindingKind::Unreadable;
        Finding {
            severity: kind.severity(),
            kind,
            file: error.file.clone(),
            line: error.line,
            column: error.column,
            id: None,
            fen: None,
            moves: Vec::new(),
            reason: error.reason.clone(),
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = match self.severity {
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        write!(f, "{}:{}:{}: {severity}: {}", self.file, self.line, self.column, self.reason)
    }
}
