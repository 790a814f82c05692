//! The results of a run: plain data, from which every output is made.
//!
//! Fields named `time_ms` (and everything computed from them) differ from run to run, and are left out if times are not
//! wanted; everything else is the same for the same engine, suite and node or depth limit.

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};

use super::{EpdError, MateLine, PositionResult, Rule, Task, sts};
use crate::params::Profile;
use crate::runner::{Head, Provenance, Shard};

/// The oldest version of a run that is still read.
pub(super) const OLDEST_SCHEMA: u32 = 3;

/// More positions than any suites have.
const MOST_POSITIONS: usize = 1 << 30;

/// A position by its place in a suite.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SuitePosition {
    /// The name of the suite's file.
    pub suite: String,
    /// Line in the file, from 1.
    pub line: usize,
    /// The position's name.
    pub id: String,
}

/// The contents of one suite, whatever the results.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Contents {
    /// The name of the suite's file.
    pub name: String,
    /// The number of positions with a task.
    pub positions: usize,
    /// The checksum of these positions, their solutions and what moves are worth, CRC-32C; missing in older files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crc32c: Option<u32>,
    /// The lines that could not be read.
    #[serde(rename = "refused_lines", alias = "refused")]
    pub refused: Vec<EpdError>,
    /// The lines without a task.
    #[serde(rename = "taskless_lines", alias = "taskless")]
    pub taskless: Vec<SuitePosition>,
}

impl Contents {
    /// Whether both are of the same suite, as far as its checksum is known to both.
    fn fits(&self, other: &Contents) -> bool {
        let is_same_sum = self.crc32c.iter().zip(&other.crc32c).all(|(mine, others)| mine == others);
        is_same_sum && Contents { crc32c: other.crc32c, ..self.clone() } == *other
    }

    /// The same suite under another name.
    fn named(&self, name: &str) -> Contents {
        let name = name.to_owned();
        let refused = self.refused.iter().map(|error| EpdError { file: name.clone(), ..error.clone() }).collect();
        let taskless = self.taskless.iter().map(|line| SuitePosition { suite: name.clone(), ..line.clone() }).collect();
        Contents { name, refused, taskless, ..*self }
    }
}

/// What was to be done: by whom, with which settings, over which suites.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Run {
    /// The version of the form, and the settings of the searches.
    #[serde(flatten)]
    pub head: Head,
    /// When a position counts as solved.
    pub rule: Rule,
    /// The part of the positions that this run covers, if not all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// The suites, in the order given.
    pub suites: Vec<Contents>,
}

impl Run {
    /// Whether results of both belong together, and one can be resumed as the other.
    pub fn fits(&self, other: &Run) -> bool {
        let (head, suites) = (other.head.clone(), other.suites.clone());
        self.head.fits(&head) && self.has_suites_of(other) && Run { head, suites, ..self.clone() } == *other
    }

    /// Whether both are over the same suites.
    pub(super) fn has_suites_of(&self, other: &Run) -> bool {
        let is_same_number = self.suites.len() == other.suites.len();
        is_same_number && self.suites.iter().zip(&other.suites).all(|(mine, others)| mine.fits(others))
    }

    /// If both are over the same suites but for their names: both names of the first that has two.
    pub(super) fn renamed_suite<'a>(&'a self, other: &'a Run) -> Option<(&'a str, &'a str)> {
        let pairs: Vec<(&Contents, &Contents)> = self.suites.iter().zip(&other.suites).collect();
        let are_alike = pairs.iter().all(|(mine, others)| mine.named(&others.name).fits(others));
        if self.suites.len() != other.suites.len() || !are_alike {
            return None;
        }
        let mut names = pairs.into_iter().map(|(mine, others)| (mine.name.as_str(), others.name.as_str()));
        names.find(|(mine, others)| mine != others)
    }

    /// Whether the run covers the position with this number.
    pub fn includes(&self, index: usize) -> bool {
        index < self.all() && self.shard.is_none_or(|shard| shard.includes(index))
    }

    /// Positions of all suites.
    pub fn all(&self) -> usize {
        self.suites.iter().map(|suite| suite.positions).sum()
    }

    /// Positions that the run covers.
    pub fn wanted(&self) -> usize {
        let all = self.all();
        self.shard.map_or(all, |shard| shard.share(all as u64) as usize)
    }

    /// Whether there are positions, but none in this part of them.
    pub fn is_empty_part(&self) -> bool {
        self.wanted() == 0 && self.all() > 0
    }

    /// Whether the suites have no more positions than any can have, so that they can be counted.
    pub(super) fn is_countable(&self) -> bool {
        let sum = self.suites.iter().try_fold(0_usize, |sum, suite| sum.checked_add(suite.positions));
        sum.is_some_and(|sum| sum <= MOST_POSITIONS)
    }
}

/// Sums over some positions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Summary {
    /// The suite's or theme's name; empty for the sum of all.
    pub name: String,
    /// The number of positions searched.
    pub positions: usize,
    /// The number of positions solved.
    pub solved: usize,
    /// The number of unsolved positions whose solution had been found and was left again.
    pub lost: usize,
    /// The number of lines that could not be read.
    pub refused: usize,
    /// The number of lines without a task.
    pub taskless: usize,
    /// Nodes searched in all positions.
    pub nodes: u64,
    /// Milliseconds used, if times are wanted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<u64>,
    /// Mean milliseconds to the solution over the positions solved; missing if times are not wanted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mean_solution_time_ms: Option<f64>,
    /// Mean nodes to the solution over the positions solved; null if there are none.
    pub mean_solution_nodes: Option<f64>,
    /// Points won, if there are points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<u64>,
    /// Points available, if there are points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_points: Option<u64>,
    /// The rating estimated from the points of the Strategic Test Suite, in the sum over a whole run of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sts_rating: Option<i32>,
    /// The number of mates claimed in time.
    pub mates: usize,
    /// The number of these whose line is wrong or ends early.
    pub unshown_mates: usize,
}

impl Summary {
    /// Sums up some results; `refused` and `taskless` are left at zero. Results may come from a file that says
    /// anything: a sum that has no number is the largest there is.
    pub fn of<'a>(name: &str, results: impl Iterator<Item = &'a PositionResult>) -> Summary {
        let mut sum = Summary { name: name.to_owned(), ..Summary::default() };
        let (mut time, mut solution_time, mut solution_nodes) = (Some(0), Some(0), 0_u64);
        for result in results {
            sum.positions += 1;
            sum.solved += usize::from(result.solved);
            sum.lost += usize::from(!result.solved && result.left_again);
            sum.nodes = sum.nodes.saturating_add(result.nodes);
            add_known(&mut time, result.time_ms);
            if let Some(at) = result.solution {
                add_known(&mut solution_time, at.time_ms);
                solution_nodes = solution_nodes.saturating_add(at.nodes);
            }
            if let (Some(points), Some(max)) = (result.points, result.max_points) {
                add_if_any(&mut sum.points, Some(u64::from(points)));
                add_if_any(&mut sum.max_points, Some(u64::from(max)));
            }
            if let Some(line) = result.mate_line {
                sum.mates += 1;
                sum.unshown_mates += usize::from(line != MateLine::Mates);
            }
        }
        sum.time_ms = time.filter(|_| sum.positions > 0);
        if sum.solved > 0 {
            sum.mean_solution_time_ms = solution_time.map(|time| time as f64 / sum.solved as f64);
            sum.mean_solution_nodes = Some(solution_nodes as f64 / sum.solved as f64);
        }
        sum
    }
}

/// Adds a value to a sum, if there is one.
pub(crate) fn add_if_any(sum: &mut Option<u64>, value: Option<u64>) {
    if let Some(value) = value {
        *sum = Some(sum.unwrap_or(0).saturating_add(value));
    }
}

/// Adds a value to a sum that is only known if each of its values is: part of a time would pass for the whole.
pub(super) fn add_known(sum: &mut Option<u64>, value: Option<u64>) {
    *sum = sum.zip(value).map(|(sum, value)| sum.saturating_add(value));
}

/// A whole run and its results.
#[derive(Clone, Debug, PartialEq)]
pub struct SuiteReport {
    /// What was to be done.
    pub run: Run,
    /// Sums over everything.
    pub total: Summary,
    /// Sums by suite, in the order given.
    pub suites: Vec<Summary>,
    /// Totals by theme in the order of appearance; a position may have several. Empty if no suite has themes or points.
    pub themes: Vec<Summary>,
    /// Every position searched, in order.
    pub positions: Vec<PositionResult>,
}

impl SuiteReport {
    /// Sums up results, which may be in any order.
    pub fn new(run: Run, mut positions: Vec<PositionResult>) -> SuiteReport {
        positions.sort_by_key(|result| result.index);
        let mut total = Summary { sts_rating: sts::rating(&positions), ..Summary::of("", positions.iter()) };
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

    /// The result of the position with this number, if it was searched.
    pub(super) fn result(&self, index: usize) -> Option<&PositionResult> {
        let place = self.positions.binary_search_by_key(&index, |result| result.index);
        place.ok().map(|place| &self.positions[place])
    }

    /// The tasks that the run covers and that are not done.
    pub fn open<'a>(&self, tasks: &[Task<'a>]) -> Vec<Task<'a>> {
        let done: HashSet<usize> = self.positions.iter().map(|result| result.index).collect();
        tasks.iter().copied().filter(|task| self.run.includes(task.index) && !done.contains(&task.index)).collect()
    }

    /// Positions that should have been searched and were not.
    pub fn missing(&self) -> usize {
        self.run.wanted().saturating_sub(self.positions.len())
    }

    /// What a reader must know of the Strategic Test Suite's rating, or why there is none; `None` for other suites.
    pub(super) fn sts_remark(&self) -> Option<String> {
        sts::remark(&self.positions, self.total.sts_rating, &self.run.head.provenance)
    }

    /// Whether everything was solved and nothing rejected, and there was something to solve, if only in other parts.
    pub fn holds(&self) -> bool {
        (self.total.positions > 0 || self.run.is_empty_part())
            && self.total.solved == self.total.positions
            && self.total.refused == 0
            && self.missing() == 0
    }

    /// The run's name when several are compared.
    pub fn label(&self) -> String {
        let Provenance { program, profile, set, .. } = &self.run.head.provenance;
        let profile = profile.iter().map(Profile::to_string);
        std::iter::once(program.clone()).chain(profile).chain(set.iter().cloned()).collect::<Vec<_>>().join(" ")
    }
}

/// The positions of several runs over the same suites, each once and in order, with the first result that there is.
pub(super) fn all_positions(reports: &[SuiteReport]) -> Vec<&PositionResult> {
    let mut all: Vec<&PositionResult> = reports.iter().flat_map(|report| &report.positions).collect();
    // Stable: of the results of a position, the first run's stays the first.
    all.sort_by_key(|result| result.index);
    all.dedup_by_key(|result| result.index);
    all
}

/// The points of each of several runs over the same suites, in the positions that every run has which has any, and
/// whose best move has as many points in all of these runs.
pub(super) fn all_points(reports: &[SuiteReport]) -> Vec<Option<u64>> {
    let begun: Vec<&SuiteReport> = reports.iter().filter(|report| !report.positions.is_empty()).collect();
    let is_alike = |own: &&PositionResult| {
        let is_like = |other: &PositionResult| other.max_points == own.max_points;
        begun.iter().all(|report| report.result(own.index).is_some_and(is_like))
    };
    let points = |report: &SuiteReport| Summary::of("", report.positions.iter().filter(is_alike)).points;
    reports.iter().map(points).collect()
}

/// What is said of [`all_points`] if they leave out some that a run has.
pub(super) fn points_remark(reports: &[SuiteReport]) -> Option<&'static str> {
    let mut all = all_points(reports).into_iter().zip(reports);
    let is_less =
        |(common, report): (Option<u64>, &SuiteReport)| common.unwrap_or(0) < report.total.points.unwrap_or(0);
    all.any(is_less).then_some(
        "points are those in the positions that all runs have done, and whose best move has as many in all of them",
    )
}

/// The themes of several runs over the same suites, each once, with the number of its positions in the run that did
/// most of them.
pub(super) fn all_themes(reports: &[SuiteReport]) -> Vec<(&str, usize)> {
    let themes = reports.iter().flat_map(|report| &report.themes);
    let groups = by_name(themes.map(|theme| (theme.name.as_str(), theme.positions)));
    groups.into_iter().map(|(name, counts)| (name, counts.into_iter().max().unwrap_or(0))).collect()
}

/// Totals by theme: those named in comments, each with every position that has it, and those in the names of positions
/// with points.
fn themes(positions: &[PositionResult]) -> Vec<Summary> {
    let named = positions.iter().flat_map(|result| {
        let in_name = result.theme.iter().filter(|_| result.points.is_some() && result.themes.is_empty());
        result.themes.iter().chain(in_name).map(move |theme| (theme.as_str(), result))
    });
    let sum = |(name, mut results): (&str, Vec<&PositionResult>)| {
        // Older files may name a theme of a position twice.
        results.dedup_by(|one, other| std::ptr::eq(*one, *other));
        Summary::of(name, results.into_iter())
    };
    by_name(named).into_iter().map(sum).collect()
}

/// What belongs to each name, in the order in which the names first occur.
fn by_name<'a, T>(named: impl Iterator<Item = (&'a str, T)>) -> Vec<(&'a str, Vec<T>)> {
    let mut groups: Vec<(&str, Vec<T>)> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for (name, item) in named {
        let place = *places.entry(name).or_insert_with(|| {
            groups.push((name, Vec::new()));
            groups.len() - 1
        });
        groups[place].1.push(item);
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Engine, Limits, Options};
    use crate::suite::{parse_line, solve};

    /// The result of a line with these operations.
    fn result(operations: &str) -> PositionResult {
        let record = parse_line("x", 1, &format!("6k1/5ppp/8/8/8/8/4P3/R3K3 w - - {operations}")).unwrap();
        let (mut engine, _) = Engine::new(Options { hash_mb: 1, ..Options::default() });
        solve(&mut engine, &record, &Limits::of_nodes(1), Rule::End)
    }

    #[test]
    fn a_mate_is_shown_by_a_line_that_mates_and_no_other() {
        let result = result("dm 1;");
        let with = |mate_line| PositionResult { mate_line, ..result.clone() };
        let results = [None, Some(MateLine::Mates), Some(MateLine::Short), Some(MateLine::Wrong)].map(with);
        let sum = Summary::of("", results.iter());
        assert_eq!((sum.positions, sum.mates, sum.unshown_mates), (4, 3, 2));
    }

    #[test]
    fn the_theme_in_the_name_of_a_position_with_points_counts_where_no_comment_names_any() {
        let points = "id \"Squares.7\"; c0 \"e4=10\";";
        let results = [
            result(points),
            result(&format!("{points} c1 \"themes: mate, fork\";")),
            result("id \"Squares.8\"; bm e4; c1 \"themes: mate\";"),
            result("id \"Squares.9\"; bm e4;"),
            // As in older files.
            PositionResult { themes: vec!["fork".to_owned(); 2], ..result("bm e4;") },
        ];
        let themes: Vec<_> = themes(&results).into_iter().map(|sum| (sum.name, sum.positions)).collect();
        assert_eq!(themes, [("Squares".to_owned(), 1), ("mate".to_owned(), 2), ("fork".to_owned(), 2)]);
    }
}
