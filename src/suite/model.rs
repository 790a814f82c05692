//! What came of a run: plain data, from which every output is made.
//!
//! Fields named `time_ms` (and what is computed from them) differ from run to run, and are left out where times are not
//! wanted; everything else is the same for the same engine, suite and node or depth limit.

use serde::{Deserialize, Serialize};

use super::{EpdError, MateLine, Milestone, Rule, Task};
use crate::params::Profile;
use crate::runner::{Provenance, Shard};
use crate::score::ScoreKind;

/// Version of the data model; raised when a field changes its meaning or goes away.
pub const SCHEMA: u32 = 3;

/// More positions than any suites have.
const MOST_POSITIONS: usize = 1 << 30;

/// One position and how the engine did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PositionResult {
    /// Its number among the positions of all suites of the run, from 0.
    pub index: usize,
    /// The file's name.
    pub suite: String,
    /// Line in the file, from 1.
    pub line: usize,
    /// The position's name.
    pub id: String,
    /// The themes that a comment names; see [`THEMES`](super::THEMES).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub themes: Vec<String>,
    /// Its theme, where the name has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub theme: Option<String>,
    /// The position.
    pub fen: String,
    /// The solution in SAN.
    pub expected: String,
    /// The move played in the end, in SAN.
    pub played: Option<String>,
    /// The same in UCI notation.
    pub played_uci: Option<String>,
    /// The score in the end, for the side to move.
    pub score: ScoreKind,
    /// The principal variation in the end, in SAN.
    pub pv: Vec<String>,
    /// Whether it counts as solved.
    pub solved: bool,
    /// When the right answer was taken up that made it count.
    pub solution: Option<Milestone>,
    /// When the right answer was given first, whether or not it was kept.
    pub first_seen: Option<Milestone>,
    /// Whether a right answer was given up for a wrong one at any time.
    pub left_again: bool,
    /// What the move played is worth, where moves are worth anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<u32>,
    /// What the best move is worth, where moves are worth anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_points: Option<u32>,
    /// Where a mate is asked for and claimed: whether the line shows it on the board.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mate_line: Option<MateLine>,
    /// The last iteration that was finished.
    pub depth: i32,
    /// Nodes searched.
    pub nodes: u64,
    /// Milliseconds used, where times are wanted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<u64>,
}

impl PositionResult {
    /// The same without what the clock decides.
    pub fn without_times(mut self) -> PositionResult {
        self.time_ms = None;
        for at in [&mut self.solution, &mut self.first_seen].into_iter().flatten() {
            at.time_ms = None;
        }
        self
    }
}

/// A line without anything to be found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Taskless {
    /// The file's name.
    pub suite: String,
    /// Line in the file, from 1.
    pub line: usize,
    /// The position's name.
    pub id: String,
}

/// What one suite holds, whatever came of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contents {
    /// The suite's name.
    pub name: String,
    /// Positions with something to be found.
    pub positions: usize,
    /// Lines refused.
    pub refused: Vec<EpdError>,
    /// Lines without anything to be found.
    pub taskless: Vec<Taskless>,
}

/// What was to be done: who, with what, over which suites.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// Version of this model: [`SCHEMA`].
    pub schema: u32,
    /// Who was to do it, and with what.
    pub provenance: Provenance,
    /// When a position counts as solved.
    pub rule: Rule,
    /// The part of the positions that this run was for, where it was not for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// The suites, in the order given.
    pub suites: Vec<Contents>,
}

impl Run {
    /// Whether the run was to do the position of this number.
    pub fn includes(&self, index: usize) -> bool {
        index < self.all() && self.shard.is_none_or(|shard| shard.includes(index))
    }

    /// Positions of all suites.
    pub fn all(&self) -> usize {
        self.suites.iter().map(|suite| suite.positions).sum()
    }

    /// Positions that the run was to do.
    pub fn wanted(&self) -> usize {
        let all = self.all();
        self.shard.map_or(all, |shard| shard.share(all as u64) as usize)
    }

    /// Whether the suites have no more positions than any can have, so that they can be counted.
    pub(super) fn is_countable(&self) -> bool {
        let sum = self.suites.iter().try_fold(0_usize, |sum, suite| sum.checked_add(suite.positions));
        sum.is_some_and(|sum| sum <= MOST_POSITIONS)
    }
}

/// Sums over some positions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// The suite's or theme's name; empty for the sum of all.
    pub name: String,
    /// Positions searched.
    pub positions: usize,
    /// Those solved.
    pub solved: usize,
    /// Those not solved whose solution had been found and was left again.
    pub lost: usize,
    /// Lines refused.
    pub refused: usize,
    /// Lines without anything to be found.
    pub taskless: usize,
    /// Nodes searched.
    pub nodes: u64,
    /// Milliseconds used, where times are wanted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<u64>,
    /// Mean milliseconds to the solution, over those solved, where times are wanted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mean_solution_time_ms: Option<f64>,
    /// Mean nodes to the solution, over those solved.
    pub mean_solution_nodes: Option<f64>,
    /// Points won, where moves are worth anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<u64>,
    /// Points that could be won.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_points: Option<u64>,
    /// Mates claimed in time, and among them lines that do not show the mate on the board.
    pub mates: usize,
    /// Of these mates, those whose line is wrong or breaks off.
    pub unshown_mates: usize,
}

impl Summary {
    /// Sums up some results; `refused` and `taskless` are left at zero. Results may come from a file that says anything:
    /// a sum that has no number is the largest there is.
    pub fn of<'a>(name: &str, results: impl Iterator<Item = &'a PositionResult>) -> Summary {
        let mut sum = Summary { name: name.to_owned(), ..Summary::default() };
        let (mut solution_time, mut solution_nodes) = (None, 0_u64);
        for result in results {
            sum.positions += 1;
            sum.solved += usize::from(result.solved);
            sum.lost += usize::from(!result.solved && result.left_again);
            sum.nodes = sum.nodes.saturating_add(result.nodes);
            add(&mut sum.time_ms, result.time_ms);
            if let Some(at) = result.solution {
                add(&mut solution_time, at.time_ms);
                solution_nodes = solution_nodes.saturating_add(at.nodes);
            }
            if let (Some(points), Some(max)) = (result.points, result.max_points) {
                add(&mut sum.points, Some(u64::from(points)));
                add(&mut sum.max_points, Some(u64::from(max)));
            }
            if let Some(line) = result.mate_line {
                sum.mates += 1;
                sum.unshown_mates += usize::from(line != MateLine::Mates);
            }
        }
        if sum.solved > 0 {
            sum.mean_solution_time_ms = solution_time.map(|time| time as f64 / sum.solved as f64);
            sum.mean_solution_nodes = Some(solution_nodes as f64 / sum.solved as f64);
        }
        sum
    }
}

/// Adds to a sum what there is.
pub(super) fn add(sum: &mut Option<u64>, value: Option<u64>) {
    if let Some(value) = value {
        *sum = Some(sum.unwrap_or(0).saturating_add(value));
    }
}

/// A whole run and what came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct SuiteReport {
    /// What was to be done.
    pub run: Run,
    /// Sums over everything.
    pub total: Summary,
    /// Sums by suite, in the order given.
    pub suites: Vec<Summary>,
    /// Sums by theme in the order of appearance; a position may have several. Empty where no suite has any, or points.
    pub themes: Vec<Summary>,
    /// Every position searched, in order.
    pub positions: Vec<PositionResult>,
}

impl SuiteReport {
    /// Sums up results, which may come in any order.
    pub fn new(run: Run, mut positions: Vec<PositionResult>) -> SuiteReport {
        positions.sort_by_key(|result| result.index);
        let mut total = Summary::of("", positions.iter());
        let mut suites = Vec::with_capacity(run.suites.len());
        let mut first = 0;
        // By number, not by name: the same file may be given twice.
        for contents in &run.suites {
            let range = first..first + contents.positions;
            first = range.end;
            let mut sum = Summary::of(&contents.name, positions.iter().filter(|result| range.contains(&result.index)));
            sum.refused = contents.refused.len();
            sum.taskless = contents.taskless.len();
            total.refused += sum.refused;
            total.taskless += sum.taskless;
            suites.push(sum);
        }
        SuiteReport { themes: themes(&positions), run, total, suites, positions }
    }

    /// Those of the tasks that the run was for and that are not done.
    pub fn open<'a>(&self, tasks: &[Task<'a>]) -> Vec<Task<'a>> {
        let is_done = |index| self.positions.iter().any(|result| result.index == index);
        tasks.iter().copied().filter(|task| self.run.includes(task.index) && !is_done(task.index)).collect()
    }

    /// Positions that were to be searched and were not.
    pub fn missing(&self) -> usize {
        self.run.wanted().saturating_sub(self.positions.len())
    }

    /// Whether everything was solved and nothing refused, and there was something to solve.
    pub fn holds(&self) -> bool {
        self.total.positions > 0
            && self.total.solved == self.total.positions
            && self.total.refused == 0
            && self.missing() == 0
    }

    /// What the run is called where several stand side by side.
    pub fn label(&self) -> String {
        let Provenance { program, profile, set, .. } = &self.run.provenance;
        let profile = profile.iter().map(Profile::to_string);
        std::iter::once(program.clone()).chain(profile).chain(set.iter().cloned()).collect::<Vec<_>>().join(" ")
    }
}

/// Sums by theme: those that comments name, each with every position that has it, and those in the names of positions
/// with points.
fn themes(positions: &[PositionResult]) -> Vec<Summary> {
    let of = |result: &'_ PositionResult| -> Vec<String> {
        let in_name = result.theme.iter().filter(|_| result.points.is_some() && result.themes.is_empty());
        result.themes.iter().chain(in_name).cloned().collect()
    };
    let mut groups: Vec<(String, Vec<&PositionResult>)> = Vec::new();
    for result in positions {
        for theme in of(result) {
            match groups.iter_mut().find(|(name, _)| *name == theme) {
                Some((_, results)) => results.push(result),
                None => groups.push((theme, vec![result])),
            }
        }
    }
    groups.into_iter().map(|(name, results)| Summary::of(&name, results.into_iter())).collect()
}
