//! Layer 5: test suites in EPD: read them, let an engine solve them, and say what came of it. Prints nothing.
//!
//! An EPD line is a position with what should be found in it: `bm` names the best moves, `am` the moves to avoid, `dm`
//! the number of moves to mate, and `c0` or `c7`-`c9` the points that each move is worth (the Strategic Test Suite).
//! [`parse`] reads lines as they are found in the wild; [`run()`] searches each position; [`Tracker`] is the one judge of
//! what counts as solved; [`SuiteReport`] is the plain result from which every output is made.

mod annotate;
mod compare;
mod csv;
mod doubts;
mod epd;
mod fields;
mod interrupt;
mod jsonl;
mod junit;
mod lint;
mod mates;
pub mod mcnemar;
mod model;
mod moves;
mod operations;
mod peer;
mod picture;
mod points;
mod pool;
mod rule;
mod run;
mod score;
mod shard;
mod table;

pub use annotate::to_epd;
pub use compare::{BothSolve, Comparison, Difference};
pub use csv::to_csv;
pub use doubts::{DoubtRules, doubts};
pub use epd::{EpdError, Opcode, Record, Suite, THEMES, parse, parse_as, parse_line};
pub use interrupt::Interrupt;
pub use jsonl::{JsonlError, from_jsonl, merge, position_line, run_line, to_jsonl};
pub use junit::to_junit;
pub use lint::{Finding, Severity, likenesses, lint};
pub use model::{Contents, PositionResult, Run, SCHEMA, ScoreText, Settings, SuiteReport, Summary, Taskless};
pub use peer::{Peer, PeerCommand, PeerError, PeerLine};
pub use picture::{to_comparison_page, to_curves, to_page};
pub use pool::Pool;
pub use rule::{Rule, RuleError};
pub use run::{Job, Solver, Solvers, Task, describe, run, solve, tasks};
pub use score::{Ending, Judgement, MateLine, Milestone, Tracker};
pub use shard::{Shard, ShardError};
pub use table::{side_by_side, summary_lines, tables};

/// Name and version of the program, for the reports.
pub const PROGRAM: &str = concat!("Pacioli ", env!("CARGO_PKG_VERSION"));

/// Tactical positions from the engine's own games, graded and named by theme; solved where no file is given.
pub const TACTICS: &str = include_str!("../../positions/tactics.epd");

/// The name under which [`TACTICS`] is reported.
pub const TACTICS_NAME: &str = "tactics.epd";

/// Classic combinations and studies.
pub const CLASSICS: &str = include_str!("../../positions/classics.epd");

/// The name under which [`CLASSICS`] is reported.
pub const CLASSICS_NAME: &str = "classics.epd";

/// The suite that comes with the program under a name, with or without its ending.
pub fn built_in(name: &str) -> Option<&'static str> {
    let suites = [(TACTICS_NAME, TACTICS), (CLASSICS_NAME, CLASSICS)];
    suites
        .into_iter()
        .find(|&(known, _)| known == name || known.strip_suffix(".epd") == Some(name))
        .map(|(_, text)| text)
}
