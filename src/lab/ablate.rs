//! What each mechanism is worth: the same positions at the same limit, with each mechanism switched off in turn.
//!
//! Runs are paired position by position, and only the positions that one solves and the other does not tell them apart
//! ([`p_value`]). A node limit hides what a mechanism costs in time; it makes the result the same on every machine.

use serde::Serialize;

use super::variants::Variant;
use super::{Experiment, Findings, refused, set_params, suite_names};
use crate::engine::Limits;
use crate::runner::{Head, Kind, Pool};
use crate::stats::p_value;
use crate::suite::{self, PositionResult, Record, Rule, Suite, SuitePosition};

/// How a variant did in one position.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Answer {
    /// Whether the variant solved the position.
    pub solved: bool,
    /// Nodes until the right answer was found for good, if it was.
    pub solution_nodes: Option<u64>,
    /// Nodes searched in the position.
    pub nodes: u64,
}

impl From<&PositionResult> for Answer {
    fn from(result: &PositionResult) -> Answer {
        let solution_nodes = result.solution.map(|at| at.nodes);
        Answer { solved: result.solved, solution_nodes, nodes: result.nodes }
    }
}

/// The positions that both variant and baseline solve, and what that took.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BothSolve {
    /// The number of such positions.
    pub positions: usize,
    /// The variant's nodes to these solutions, summed.
    pub nodes: u64,
    /// The baseline's nodes to these solutions, summed.
    pub baseline_nodes: u64,
}

/// How a variant did.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct VariantResult {
    /// The variant's name.
    pub name: String,
    /// What was set on top of the given settings, each as `name=value`.
    pub changes: Vec<String>,
    /// The number of positions solved.
    pub solved: usize,
    /// Names of the positions that it solves and the baseline does not.
    pub gained: Vec<String>,
    /// Names of the positions that the baseline solves and it does not.
    pub lost: Vec<String>,
    /// Two-sided probability of such an uneven split by chance alone; none for the baseline. It applies to a single
    /// comparison: among many, a small one is to be expected now and then.
    pub p_value: Option<f64>,
    /// Nodes to the solutions, over the positions that this variant solves.
    pub solution_nodes: u64,
    /// Nodes searched in all positions.
    pub nodes: u64,
    /// The positions where nodes to the solution can be compared.
    pub both_solve: BothSolve,
    /// How it did, position by position, in the order of `positions`.
    pub answers: Vec<Answer>,
}

/// A whole ablation. Nothing in it depends on the clock.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Ablation {
    /// The version of the form, and the settings of the searches.
    #[serde(flatten)]
    pub head: Head,
    /// The names of the suites' files, in order.
    pub suites: Vec<String>,
    /// The positions searched, in order.
    pub positions: Vec<SuitePosition>,
    /// The number of lines that could not be read.
    pub refused: usize,
    /// Switches that the given settings already have off.
    pub already_off: Vec<String>,
    /// The variants, the baseline first.
    pub variants: Vec<VariantResult>,
}

/// What to run.
#[derive(Debug)]
pub struct Job {
    /// The suites; lines without anything to find are skipped.
    pub suites: Vec<Suite>,
    /// The variants, the baseline first.
    pub variants: Vec<Variant>,
    /// Switches to report as already off.
    pub already_off: Vec<String>,
    /// The limits of each search.
    pub limits: Limits,
}

impl Experiment for Job {
    type Report = Ablation;

    const NOTHING: &str = "nothing to solve: no line has bm, am, dm or points";

    fn searches(&self) -> usize {
        suite::solvable(&self.suites).count() * self.variants.len()
    }

    /// Runs every variant over every position.
    fn run(&self, pool: &mut Pool, progress: &mut dyn FnMut()) -> Ablation {
        let records: Vec<&Record> = suite::solvable(&self.suites).collect();
        let provenance = pool.provenance(&self.limits);
        let work = |engine: &mut _, task: usize| {
            // Position by position rather than variant by variant: a progress bar then shows the real time left.
            let (record, variant) = (records[task / self.variants.len()], &self.variants[task % self.variants.len()]);
            set_params(engine, &variant.params);
            Answer::from(&suite::solve(engine, record, &self.limits, Rule::End))
        };
        let answers = pool.run(self.searches(), work, &mut |_| progress());
        let of_variant = |index: usize| answers.iter().skip(index).step_by(self.variants.len()).copied().collect();
        let positions: Vec<SuitePosition> = records.iter().map(|&record| SuitePosition::from(record)).collect();
        let columns: Vec<Vec<Answer>> = (0..self.variants.len()).map(of_variant).collect();
        Ablation {
            head: Head::new(Kind::Ablation, provenance),
            suites: suite_names(&self.suites),
            refused: refused(&self.suites),
            already_off: self.already_off.clone(),
            variants: compared(&self.variants, &positions, columns),
            positions,
        }
    }
}

impl Findings for Ablation {
    fn holds(&self) -> bool {
        self.refused == 0
    }
}

/// Compares each variant's answers with the first one's.
pub(super) fn compared(
    variants: &[Variant],
    positions: &[SuitePosition],
    columns: Vec<Vec<Answer>>,
) -> Vec<VariantResult> {
    let baseline = columns.first().cloned().unwrap_or_default();
    let mut results = Vec::with_capacity(columns.len());
    for (index, (variant, answers)) in variants.iter().zip(columns).enumerate() {
        let names = |wanted: (bool, bool)| -> Vec<String> {
            let pairs = baseline.iter().zip(&answers).zip(positions);
            pairs
                .filter(|((b, a), _)| (b.solved, a.solved) == wanted)
                .map(|(_, position)| position.id.clone())
                .collect()
        };
        let (gained, lost) = (names((false, true)), names((true, false)));
        results.push(VariantResult {
            name: variant.name.clone(),
            changes: variant.changes.clone(),
            solved: answers.iter().filter(|answer| answer.solved).count(),
            p_value: (index > 0).then(|| p_value(gained.len(), lost.len())),
            gained,
            lost,
            solution_nodes: answers.iter().filter_map(|answer| answer.solution_nodes).sum(),
            nodes: answers.iter().map(|answer| answer.nodes).sum(),
            both_solve: both_solve(&baseline, &answers),
            answers,
        });
    }
    results
}

/// Nodes to the solutions that both found.
fn both_solve(baseline: &[Answer], answers: &[Answer]) -> BothSolve {
    let mut both = BothSolve::default();
    let pairs = baseline.iter().zip(answers).filter_map(|(b, a)| b.solution_nodes.zip(a.solution_nodes));
    for (baseline_nodes, nodes) in pairs {
        both.positions += 1;
        both.nodes += nodes;
        both.baseline_nodes += baseline_nodes;
    }
    both
}

#[cfg(test)]
mod tests {
    use super::super::variants;
    use super::*;
    use crate::engine::Options;
    use crate::params::Params;

    const SUITE: &str = "\
        r1bq2rk/pp3pbp/2p1p1pQ/7P/3P4/2PB1N2/PP3PPR/2KR4 w - - bm Qxh7+; id \"a\";\n\
        k7/8/1K6/8/8/8/8/8 b - - am Kb8; id \"b\";\n\
        8/8/8/8/8/8/8/K1k5 w - -\n\
        nonsense\n\
        1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id \"c\";\n";

    fn ablation(jobs: usize) -> Ablation {
        let (mut pool, _) = Pool::new(&Options { hash_mb: 1, ..Options::default() }, jobs);
        let suites = vec![suite::parse("x.epd", SUITE.as_bytes())];
        let (variants, already_off) = variants(&Params::default()).unwrap();
        let limits = Limits::of_nodes(3000);
        let mut searches = 0;
        let job = Job { suites, variants: variants[..4].to_vec(), already_off, limits };
        let ablation = job.run(&mut pool, &mut || searches += 1);
        assert_eq!(searches, 12);
        ablation
    }

    #[test]
    fn the_number_of_jobs_changes_nothing() {
        let ablation = ablation(1);
        assert_eq!(ablation, super::tests::ablation(3));
        assert_eq!((ablation.positions.len(), ablation.refused, ablation.variants.len()), (3, 1, 4));
        let baseline = &ablation.variants[0];
        assert_eq!((baseline.p_value, baseline.answers[1].solved), (None, false));
        assert!(ablation.variants[1..].iter().all(|variant| variant.p_value.is_some()));
    }

    #[test]
    fn the_baseline_is_what_solve_reports() {
        let suites = [suite::parse("x.epd", SUITE.as_bytes())];
        let (mut engine, _) = crate::engine::Engine::new(Options { hash_mb: 1, ..Options::default() });
        let limits = Limits::of_nodes(3000);
        let mut solve = |record| Answer::from(&suite::solve(&mut engine, record, &limits, Rule::End));
        let answers: Vec<Answer> = suite::solvable(&suites).map(&mut solve).collect();
        assert_eq!(ablation(2).variants[0].answers, answers);
    }

    #[test]
    fn gains_and_losses_are_named_and_nodes_compared_where_both_solve() {
        let (variants, _) = variants(&Params::default()).unwrap();
        let position = |id: &str| SuitePosition { suite: "x".to_owned(), line: 1, id: id.to_owned() };
        let answer =
            |solution_nodes: Option<u64>| Answer { solved: solution_nodes.is_some(), solution_nodes, nodes: 9 };
        let columns =
            vec![[None, Some(2), Some(3)].map(answer).to_vec(), [Some(4), None, Some(7)].map(answer).to_vec()];
        let results = compared(&variants[..2], &["a", "b", "c"].map(position), columns);
        assert_eq!((results[1].solved, results[1].solution_nodes, results[1].nodes), (2, 11, 27));
        assert_eq!((&results[1].gained[..], &results[1].lost[..]), (&["a".to_owned()][..], &["b".to_owned()][..]));
        assert_eq!(results[1].both_solve, BothSolve { positions: 1, nodes: 7, baseline_nodes: 3 });
        assert_eq!(results[1].p_value, Some(1.0));
    }
}
