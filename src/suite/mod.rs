//! Layer 5: test suites in EPD: read them, let an engine solve them, and say what came of it. Prints nothing.
//!
//! An EPD line is a position with what should be found in it: `bm` names the best moves, `am` the moves to avoid, `dm`
//! the number of moves to mate, and `c0` or `c7`-`c9` the points that each move is worth (the Strategic Test Suite).
//! [`parse`] reads lines as they are found in the wild; [`run()`] searches each position; [`Tracker`] is the one judge of
//! what counts as solved; [`SuiteReport`] is the plain result from which every output is made.

mod annotate;
mod csv;
mod epd;
mod fields;
mod junit;
mod lint;
mod model;
mod moves;
mod operations;
mod points;
mod rule;
mod run;
mod score;
mod table;

pub use annotate::to_epd;
pub use csv::to_csv;
pub use epd::{EpdError, Opcode, Record, Suite, parse, parse_line};
pub use junit::to_junit;
pub use lint::{Finding, Severity, lint};
pub use model::{PositionResult, SCHEMA, ScoreText, Settings, SuiteReport, Summary, Taskless};
pub use rule::{Rule, RuleError};
pub use run::{NoProgress, Progress, run, solve};
pub use score::{Judgement, MateLine, Milestone, Tracker};
pub use table::{summary_lines, tables};

/// The suite that comes with the program, solved where no file is given.
pub const CLASSICS: &str = include_str!("../../positions/classics.epd");

/// The name under which [`CLASSICS`] is reported.
pub const CLASSICS_NAME: &str = "classics.epd";
