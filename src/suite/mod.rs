//! Layer 7: test suites in EPD: parse them, let an engine solve them, and report the results. Prints nothing.
//!
//! An EPD line is a position with a task: `bm` names the best moves, `am` the moves to avoid, `dm` the number of moves
//! to mate, and `c0` or `c7`-`c9` the points for each move (the Strategic Test Suite). [`parse`] reads lines as found
//! in practice; [`run()`] searches each position; [`Tracker`] alone judges what counts as solved; [`SuiteReport`] is
//! the plain result from which every output is made.

mod annotate;
mod compare;
mod csv;
mod curves;
mod doubts;
mod epd;
mod expected;
mod fault;
mod fields;
mod finding;
mod jsonl;
mod judge;
mod junit;
mod labels;
mod lint;
mod model;
mod moves;
mod older;
mod operations;
mod page;
mod peer;
mod points;
mod position_result;
mod resume;
mod rule;
mod run;
mod sts;
mod table;
mod task;

pub use annotate::to_epd;
pub use compare::{Answer, BothSolve, Comparison, Difference, Setting, to_comparison_page};
pub use csv::to_csv;
pub use curves::{NamedRun, to_curves};
pub use doubts::{DoubtRules, doubts};
pub use epd::{
    EpdError, Opcode, Record, Suite, THEMES, has_position, parse, parse_as, parse_line, parse_openings, positions,
};
pub use expected::Expected;
pub use finding::{Finding, FindingKind, Severity};
pub use jsonl::{Line, breaks_off, from_jsonl, merge, to_jsonl};
pub use judge::{Ending, Tracker};
pub use junit::to_junit;
pub use labels::{distinguished, labels, numbered};
pub use lint::{likenesses, lint};
pub(crate) use model::add_if_any;
pub use model::{Contents, Run, SuitePosition, SuiteReport, Summary};
pub use page::to_page;
pub use position_result::{MateLine, Milestone, PositionResult};
pub use resume::{ResumeError, taken_up};
pub use rule::{Rule, RuleError};
pub use run::{Job, RunError, Solver, Solvers, describe, go_on, run, solve};
pub use table::{TABLES, side_by_side, summary_lines, tables};
pub use task::{Task, solvable, tasks};

/// A built-in suite.
#[derive(Copy, Clone, Debug)]
pub struct BuiltIn {
    /// Its name in reports.
    pub name: &'static str,
    /// Its lines of EPD.
    pub text: &'static str,
}

impl BuiltIn {
    /// Tactical positions from the engine's own games, graded and labelled by theme.
    pub const TACTICS: BuiltIn = BuiltIn { name: "tactics.epd", text: include_str!("../../positions/tactics.epd") };

    /// Classic combinations and studies.
    pub const CLASSICS: BuiltIn = BuiltIn { name: "classics.epd", text: include_str!("../../positions/classics.epd") };

    /// What they are called on the command line.
    pub const NAMES: [&str; 2] = ["tactics", "classics"];

    /// The suite of this name, with or without its extension.
    pub fn of(name: &str) -> Option<BuiltIn> {
        let is_called = |suite: &BuiltIn| suite.name == name || suite.name.strip_suffix(".epd") == Some(name);
        [BuiltIn::TACTICS, BuiltIn::CLASSICS].into_iter().find(is_called)
    }

    /// Its positions; castling rights may name any rook if they are to be read as in Chess960.
    pub fn parse(self, chess960: bool) -> Suite {
        parse_as(self.name, self.text.as_bytes(), chess960)
    }
}
