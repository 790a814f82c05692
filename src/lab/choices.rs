//! The values of one tunable compared: what each iteration costs with each value.
//!
//! Window policies and root drivers find the same score if the search is stable, in different ways: so the question is
//! how many nodes and how much time that takes, and how often a window fails. The envelope is meant to save
//! re-searches, and to keep the best move from flipping back and forth between iterations; whether it does is also
//! counted position by position, for a sign test. An iteration's sums run over the positions in which every choice
//! completed it, since a proven mate or a limit may end one search earlier than another.

use serde::Serialize;

use super::{Experiment, Findings, positions, refused, set_params, suite_names};
use crate::board::Game;
use crate::engine::Limits;
use crate::params::{AspirationPolicy, ParamError, Params, RootDriver};
use crate::report::collect::{self, IterationRange, collect_within};
use crate::report::model::{IterationRow, PositionReport};
use crate::runner::{Head, Kind, Pool};
use crate::stats::p_value;
use crate::suite::{Suite, add_if_any};
use crate::units::Depth;

/// What is compared.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// Where the windows of an iteration are, and how they widen.
    Aspiration,
    /// How the root's score is found.
    Drivers,
    /// Whether the table keeps the credit that a move once earned.
    Envelope,
}

impl Subject {
    /// The tunable being compared.
    pub fn param(self) -> &'static str {
        match self {
            Subject::Aspiration => "aspiration_policy",
            Subject::Drivers => "root_driver",
            Subject::Envelope => "credit_envelope",
        }
    }

    /// Its possible values.
    pub fn choices(self) -> &'static [&'static str] {
        match self {
            Subject::Aspiration => &AspirationPolicy::NAMES,
            Subject::Drivers => &RootDriver::NAMES,
            Subject::Envelope => &["off", "on"],
        }
    }
}

/// What iterations took besides nodes: one of them, or all that are shown.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Effort {
    /// Window failures.
    pub researches: u64,
    /// Searches repeated with new credit.
    pub second_searches: u64,
    /// Positions in which the best move differs from the previous iteration's, summed over the iterations.
    pub changes: usize,
    /// Changes among them back to an earlier best move: the best move oscillates.
    pub returns: usize,
    /// Milliseconds from the start of the search to the end of the last of them, summed over the positions; left out if
    /// times are not wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<u64>,
}

/// One iteration with one choice, summed over the positions in which every choice completed it.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct IterationSums {
    /// The iteration's number.
    pub iteration: Depth,
    /// The number of positions in which every choice completed it.
    pub positions: usize,
    /// Nodes of this iteration alone, summed.
    pub iteration_nodes: u64,
    /// Nodes from the start of the search to the end of this iteration.
    pub nodes: u64,
    /// What this iteration took.
    #[serde(flatten)]
    pub effort: Effort,
}

/// Each position up to the last iteration shown that every choice completed, summed.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Total {
    /// Positions in which there is such an iteration.
    pub positions: usize,
    /// Nodes searched.
    pub nodes: u64,
    /// What the iterations shown took.
    #[serde(flatten)]
    pub effort: Effort,
}

/// How one choice did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ChoiceResult {
    /// The tunable's value, by name.
    pub value: &'static str,
    /// The sums of each iteration.
    pub iterations: Vec<IterationSums>,
    /// The sums over all iterations.
    pub total: Total,
}

/// Positions in which the best move flips back less often with the envelope than without it, or more often.
#[derive(Copy, Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Oscillation {
    /// The number of positions in which it flips back less often with the envelope.
    pub fewer: usize,
    /// The number of positions in which it flips back more often with the envelope.
    pub more: usize,
    /// How likely such an uneven split is by chance alone (sign test, exact, two-sided).
    pub p_value: f64,
}

/// A whole comparison.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ChoiceReport {
    /// The version of the form, and the settings of the searches.
    #[serde(flatten)]
    pub head: Head,
    /// The name of the tunable being compared.
    pub param: &'static str,
    /// The names of the suites' files, in order.
    pub suites: Vec<String>,
    /// The number of positions searched.
    pub positions: usize,
    /// The number of lines that could not be read.
    pub refused: usize,
    /// The choices in the order of the tunable's values.
    pub choices: Vec<ChoiceResult>,
    /// Position by position, whether the envelope keeps the best move from flipping; left out in other comparisons.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub oscillation: Option<Oscillation>,
}

/// What to run.
#[derive(Debug)]
pub struct Job {
    /// What is compared.
    pub subject: Subject,
    /// The tunables for each choice, as [`each_choice`] makes them.
    pub params: Vec<Params>,
    /// The positions.
    pub suites: Vec<Suite>,
    /// The iterations to show; each search ends with the last.
    pub range: IterationRange,
    /// Nodes after which a search ends in any case.
    pub node_limit: Option<u64>,
    /// Whether to keep times.
    pub with_times: bool,
}

impl Experiment for Job {
    type Report = ChoiceReport;

    const NOTHING: &str = "nothing to search: no line is a position";

    fn searches(&self) -> usize {
        positions(&self.suites).len() * self.params.len()
    }

    /// Searches every position with every choice.
    fn run(&self, pool: &mut Pool, progress: &mut dyn FnMut()) -> ChoiceReport {
        let records = positions(&self.suites);
        let (first, last) = (self.range.first(), self.range.last());
        let limits = Limits { nodes: self.node_limit, depth: Some(last), ..Limits::default() };
        // The first iteration shown is compared with the one before it, and best moves with all earlier ones.
        let range = IterationRange::new(1, last).unwrap_or(self.range);
        let work = |engine: &mut _, task: usize| {
            set_params(engine, &self.params[task % self.params.len()]);
            let game = Game::new(records[task / self.params.len()].position.clone());
            let one = collect::Job { name: None, game: &game, range, with_times: self.with_times, with_ledgers: false };
            collect_within(engine, one, &limits, &mut |_, _| ()).0
        };
        let provenance = pool.provenance(&limits);
        let reports = pool.run(self.searches(), work, &mut |_| progress());
        ChoiceReport {
            head: Head::new(Kind::Choices, provenance),
            param: self.subject.param(),
            suites: suite_names(&self.suites),
            positions: records.len(),
            refused: refused(&self.suites),
            choices: choices(self.subject, &reports, first),
            oscillation: (self.subject == Subject::Envelope).then(|| oscillation(&reports, first)),
        }
    }
}

impl Findings for ChoiceReport {
    fn holds(&self) -> bool {
        self.refused == 0
    }
}

/// The given settings with each choice.
///
/// # Errors
///
/// None if the choices agree with the list of tunables.
pub fn each_choice(subject: Subject, base: &Params) -> Result<Vec<Params>, ParamError> {
    let with = |choice: &&str| {
        let mut params = base.clone();
        params.set(subject.param(), choice).map(|()| params)
    };
    subject.choices().iter().map(with).collect()
}

/// Sums up the reports, ordered by position and then by choice, from iteration `first` on.
fn choices(subject: Subject, reports: &[PositionReport], first: Depth) -> Vec<ChoiceResult> {
    let names = subject.choices();
    let mut choices: Vec<ChoiceResult> =
        names.iter().map(|&value| ChoiceResult { value, iterations: Vec::new(), total: Total::default() }).collect();
    for position in reports.chunks_exact(names.len()) {
        // Iterations finish in order, so the shortest search has those that all have.
        let finished = position.iter().map(|report| report.iterations.len()).min().unwrap_or(0);
        for (choice, report) in choices.iter_mut().zip(position) {
            choice.add(&report.iterations[..finished], first);
        }
    }
    choices
}

/// Compares how often the best move flips back without and with the envelope; the reports alternate.
fn oscillation(reports: &[PositionReport], first: Depth) -> Oscillation {
    let mut split = Oscillation::default();
    for position in reports.chunks_exact(Subject::Envelope.choices().len()) {
        let choices = choices(Subject::Envelope, position, first);
        let (off, on) = (choices[0].total.effort.returns, choices[1].total.effort.returns);
        split.fewer += usize::from(on < off);
        split.more += usize::from(on > off);
    }
    Oscillation { p_value: p_value(split.fewer, split.more), ..split }
}

impl Effort {
    /// Adds what an iteration took, except for its time, which includes that of the iterations before it.
    fn add(&mut self, row: &IterationRow, (changed, returned): (bool, bool)) {
        self.researches += u64::from(row.researches);
        self.second_searches += row.credit.second_searches;
        self.changes += usize::from(changed);
        self.returns += usize::from(returned);
    }
}

impl ChoiceResult {
    /// Adds one position's iterations from `first` on.
    fn add(&mut self, rows: &[IterationRow], first: Depth) {
        for (index, row) in rows.iter().enumerate().filter(|(_, row)| row.iteration >= first) {
            let change = change(&rows[..index], row);
            let at = self.iterations.partition_point(|sums| sums.iteration < row.iteration);
            if self.iterations.get(at).is_none_or(|sums| sums.iteration != row.iteration) {
                self.iterations.insert(at, IterationSums { iteration: row.iteration, ..IterationSums::default() });
            }
            let sums = &mut self.iterations[at];
            sums.positions += 1;
            sums.iteration_nodes += row.iteration_nodes;
            sums.nodes += row.nodes;
            sums.effort.add(row, change);
            add_if_any(&mut sums.effort.time_ms, row.time_ms);
            self.total.effort.add(row, change);
        }
        if let Some(last) = rows.last().filter(|row| row.iteration >= first) {
            self.total.positions += 1;
            self.total.nodes += last.nodes;
            add_if_any(&mut self.total.effort.time_ms, last.time_ms);
        }
    }
}

/// Whether a row's best move differs from the previous row's, and whether it was nevertheless best in an earlier one.
fn change(before: &[IterationRow], row: &IterationRow) -> (bool, bool) {
    let Some((last, earlier)) = before.split_last() else { return (false, false) };
    let changed = row.best_move != last.best_move;
    (changed, changed && earlier.iter().any(|earlier| earlier.best_move == row.best_move))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::engine::Options;
    use crate::json::MoveText;
    use crate::suite;

    #[test]
    fn each_choice_is_made_once() {
        for subject in [Subject::Aspiration, Subject::Drivers, Subject::Envelope] {
            let params = each_choice(subject, &Params::default()).unwrap();
            let chosen = params.iter().map(|params| params.get(subject.param()).unwrap().to_string());
            assert!(chosen.eq(subject.choices().iter().map(|choice| choice.to_string())));
        }
    }

    const SUITE: &str = "\
        r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - id \"a\";\n\
        1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id \"b\";\n";

    fn comparison(subject: Subject, jobs: usize, node_limit: Option<u64>) -> ChoiceReport {
        comparison_of(subject, jobs, node_limit, IterationRange::new(2, 5).unwrap())
    }

    fn comparison_of(subject: Subject, jobs: usize, node_limit: Option<u64>, range: IterationRange) -> ChoiceReport {
        let options = Options { hash_mb: 1, ..Options::default() };
        let (mut pool, _) = Pool::new(&options, jobs);
        let params = each_choice(subject, &options.params).unwrap();
        let suites = vec![suite::parse("x.epd", SUITE.as_bytes())];
        let job = Job { subject, params, suites, range, node_limit, with_times: false };
        job.run(&mut pool, &mut || ())
    }

    #[test]
    fn the_number_of_jobs_changes_nothing() {
        for subject in [Subject::Aspiration, Subject::Drivers, Subject::Envelope] {
            let comparison = comparison(subject, 1, None);
            assert_eq!(comparison, super::tests::comparison(subject, 3, None));
            assert_eq!(comparison.oscillation.is_some(), subject == Subject::Envelope);
            for choice in &comparison.choices {
                let iterations: Vec<Depth> = choice.iterations.iter().map(|sums| sums.iteration).collect();
                assert_eq!(iterations, [2, 3, 4, 5], "{}", choice.value);
                assert_eq!(choice.total.nodes, choice.iterations[3].nodes);
                assert!(choice.iterations.iter().all(|sums| sums.positions == 2 && sums.effort.time_ms.is_none()));
            }
        }
    }

    #[test]
    fn every_driver_has_a_search_of_its_own() {
        let choices = comparison(Subject::Drivers, 1, None).choices;
        let nodes: BTreeSet<u64> = choices.iter().map(|choice| choice.total.nodes).collect();
        assert_eq!(nodes.len(), choices.len(), "{choices:?}");
        for choice in &choices {
            for pair in choice.iterations.windows(2) {
                assert_eq!(pair[1].nodes, pair[0].nodes + pair[1].iteration_nodes, "{choice:?}");
            }
            let researches: u64 = choice.iterations.iter().map(|sums| sums.effort.researches).sum();
            assert_eq!(researches, choice.total.effort.researches, "{choice:?}");
        }
        // It takes several steps to a score.
        let mtdf = choices.iter().find(|choice| choice.value == "mtdf").unwrap();
        assert!(mtdf.total.effort.researches > 0, "{mtdf:?}");
    }

    #[test]
    fn a_node_limit_leaves_out_what_is_not_finished() {
        let choices = comparison(Subject::Drivers, 1, Some(400)).choices;
        assert!(choices[0].iterations.len() < 4);
        assert!(choices.iter().all(|choice| choice.total.nodes <= 400 * 2));
    }

    #[test]
    fn changes_and_returns_of_the_best_move_are_counted() {
        let (mut engine, _) = crate::engine::Engine::new(Options { hash_mb: 1, ..Options::default() });
        let game = Game::default();
        let range = IterationRange::new(1, 6).unwrap();
        let job = collect::Job { name: None, game: &game, range, with_times: false, with_ledgers: false };
        let mut reports = vec![collect::collect(&mut engine, job, &mut |_, _| ()); 2];
        for (report, moves) in reports.iter_mut().zip(["aabacb", "aaaabb"]) {
            for (row, m) in report.iterations.iter_mut().zip(moves.chars()) {
                row.best_move = Some(MoveText { san: m.to_string(), uci: m.to_string() });
                row.credit.second_searches = 2;
            }
        }
        let choices = |first| super::choices(Subject::Envelope, &reports, first);
        let counts = |choice: &ChoiceResult| {
            let Effort { changes, returns, second_searches, .. } = choice.total.effort;
            (changes, returns, second_searches)
        };
        assert_eq!(choices(1).iter().map(counts).collect::<Vec<_>>(), [(4, 2, 12), (1, 0, 12)]);
        assert_eq!(oscillation(&reports, 1), Oscillation { fewer: 1, more: 0, p_value: 1.0 });
        let reversed: Vec<_> = reports.iter().rev().cloned().collect();
        assert_eq!(oscillation(&reversed, 1), Oscillation { fewer: 0, more: 1, p_value: 1.0 });
        let by_iteration = |first| -> Vec<_> {
            let counts = |sums: &IterationSums| (sums.iteration, sums.effort.changes, sums.effort.returns);
            choices(first)[0].iterations.iter().map(counts).collect()
        };
        let all = [(1, 0, 0), (2, 0, 0), (3, 1, 0), (4, 1, 1), (5, 1, 0), (6, 1, 1)];
        // What is not shown still counts as earlier.
        for first in 1..=6 {
            assert_eq!(by_iteration(first), all[first as usize - 1..], "from {first}");
        }
        assert_eq!(oscillation(&reports, 6), Oscillation { fewer: 1, more: 0, p_value: 1.0 });
        let none = choices(7);
        assert!(none.iter().all(|choice| choice.iterations.is_empty() && choice.total == Total::default()));
    }

    #[test]
    fn an_iteration_has_the_same_sums_wherever_the_range_begins() {
        let sums = |first: Depth| -> Vec<Vec<IterationSums>> {
            let range = IterationRange::new(first, 5).unwrap();
            let choices = comparison_of(Subject::Envelope, 1, None, range).choices;
            choices.into_iter().map(|choice| choice.iterations).collect()
        };
        let all = sums(1);
        assert!(all[0].iter().any(|sums| sums.effort.changes > 0), "nothing to test");
        for first in 2..=5 {
            for (part, whole) in sums(first).iter().zip(&all) {
                assert_eq!(part, &whole[first as usize - 1..], "from {first}");
            }
        }
    }

    #[test]
    fn an_iteration_counts_where_every_choice_finished_it() {
        let mut reports = Vec::new();
        for last in [4, 4, 3, 4] {
            let (mut engine, _) = crate::engine::Engine::new(Options { hash_mb: 1, ..Options::default() });
            let suite = suite::parse("x.epd", SUITE.as_bytes());
            let game = Game::new(suite.records[0].position.clone());
            let range = IterationRange::new(2, last).unwrap();
            let job = collect::Job { name: None, game: &game, range, with_times: true, with_ledgers: false };
            reports.push(collect::collect(&mut engine, job, &mut |_, _| ()));
        }
        let choices = choices(Subject::Drivers, &reports, 2);
        assert!(choices.iter().all(|choice| choice.iterations.len() == 2 && choice.total.effort.time_ms.is_some()));
        assert_eq!(choices[0].total, choices[2].total_like(&choices[0]));
    }

    impl ChoiceResult {
        /// The total with another's time, for comparing what does not depend on the clock.
        fn total_like(&self, other: &ChoiceResult) -> Total {
            let effort = Effort { time_ms: other.total.effort.time_ms, ..self.total.effort };
            Total { effort, ..self.total }
        }
    }
}
