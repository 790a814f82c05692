//! How much more each iteration costs than the previous one: whether extensions explode.
//!
//! A search stopped by a limit still gives a lower bound for its last iteration: its cost so far. If that alone exceeds
//! the ceiling, it is listed among what does. Statistics are those of completed iterations, whatever the ceiling is.

use serde::Serialize;

use super::{Experiment, Findings, positions, refused, suite_names};
use crate::board::Game;
use crate::engine::Limits;
use crate::report::collect::{self, IterationRange, collect_within};
use crate::report::model::{IterationRow, PositionReport};
use crate::runner::{Head, Kind, Pool};
use crate::stats::{median, percentile};
use crate::suite::{Record, Suite, SuitePosition};
use crate::units::Depth;

/// One iteration of one position and the previous one.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Step {
    /// The position.
    #[serde(flatten)]
    pub suite_position: SuitePosition,
    /// The iteration's number.
    pub iteration: Depth,
    /// Nodes of this iteration alone.
    pub iteration_nodes: u64,
    /// Nodes of the previous iteration alone.
    pub previous_iteration_nodes: u64,
    /// Ratio of the costs, the previous iteration counted as at least the floor.
    pub ratio: f64,
    /// Whether it was completed; if not, it costs more than this.
    pub finished: bool,
}

/// The ratios of one iteration over all positions that completed it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct IterationGrowth {
    /// The iteration's number; missing in the sum over all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iteration: Option<Depth>,
    /// The number of ratios.
    pub steps: usize,
    /// The median of the ratios, by nearest rank: the lower of two middle ones.
    pub median: f64,
    /// The 95th percentile of the ratios, by nearest rank.
    pub percentile_95: f64,
    /// The largest ratio.
    pub max: f64,
    /// The position with the largest ratio.
    pub worst: String,
    /// The number of ratios that exceed the ceiling.
    pub above: usize,
}

/// The whole report. With a node or depth limit it does not depend on the clock.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Growth {
    /// The version of the form, and the settings of the searches.
    #[serde(flatten)]
    pub head: Head,
    /// Iterations with fewer nodes are left out, and count as this many when they are the previous one.
    pub floor: u64,
    /// The ratio that no iteration should exceed.
    pub ceiling: f64,
    /// The names of the suites' files, in order.
    pub suites: Vec<String>,
    /// The number of positions searched.
    pub positions: usize,
    /// The number of lines that could not be read.
    pub refused: usize,
    /// Iterations left out because a mate was being proven.
    pub mates: usize,
    /// The ratios of each iteration.
    pub iterations: Vec<IterationGrowth>,
    /// The ratios of all iterations together; missing if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<IterationGrowth>,
    /// The ratios above the ceiling, the largest first, with those of iterations that were not completed.
    pub above: Vec<Step>,
}

/// What to run.
#[derive(Debug)]
pub struct Job {
    /// The positions.
    pub suites: Vec<Suite>,
    /// The limits of each search.
    pub limits: Limits,
    /// Iterations with fewer nodes are left out.
    pub floor: u64,
    /// What no ratio should exceed.
    pub ceiling: f64,
}

impl Experiment for Job {
    type Report = Growth;

    const NOTHING: &str = "nothing to search: no line is a position";

    fn searches(&self) -> usize {
        positions(&self.suites).len()
    }

    /// Searches every position and compares each iteration with the previous one.
    fn run(&self, pool: &mut Pool, progress: &mut dyn FnMut()) -> Growth {
        let records = positions(&self.suites);
        let provenance = pool.provenance(&self.limits);
        let work = |engine: &mut _, task: usize| {
            let game = Game::new(records[task].position.clone());
            let range = IterationRange::ALL;
            let one = collect::Job { name: None, game: &game, range, with_times: false, with_ledgers: false };
            let (report, outcome) = collect_within(engine, one, &self.limits, &mut |_, _| ());
            steps(records[task], &report, outcome.nodes, self)
        };
        let results = pool.run(records.len(), work, &mut |_| progress());
        let mates = results.iter().map(|(_, mates)| mates).sum();
        let steps: Vec<Step> = results.into_iter().flat_map(|(steps, _)| steps).collect();
        let last = steps.iter().map(|step| step.iteration).max().unwrap_or(0);
        let finished = || steps.iter().filter(|step| step.finished);
        let of_iteration = |wanted: Depth| finished().filter(move |step| step.iteration == wanted);
        let mut above: Vec<Step> = steps.iter().filter(|step| step.ratio > self.ceiling).cloned().collect();
        above.sort_by(|a, b| b.ratio.total_cmp(&a.ratio));
        Growth {
            head: Head::new(Kind::Growth, provenance),
            floor: self.floor,
            ceiling: self.ceiling,
            suites: suite_names(&self.suites),
            positions: records.len(),
            refused: refused(&self.suites),
            mates,
            iterations: (1..=last).filter_map(|i| summary(Some(i), of_iteration(i), self.ceiling)).collect(),
            total: summary(None, finished(), self.ceiling),
            above,
        }
    }
}

impl Findings for Growth {
    fn holds(&self) -> bool {
        self.refused == 0 && self.above.is_empty()
    }
}

/// The ratios of one position, and how many iterations were left out because a mate was being proven.
fn steps(record: &Record, report: &PositionReport, nodes: u64, job: &Job) -> (Vec<Step>, usize) {
    let rows = &report.iterations;
    let (mut steps, mut mates) = (Vec::new(), 0);
    let mut add = |before: &IterationRow, iteration: Depth, nodes: u64, finished: bool| {
        let previous = before.iteration_nodes;
        let ratio = nodes as f64 / previous.max(job.floor).max(1) as f64;
        steps.push(Step {
            suite_position: record.into(),
            iteration,
            iteration_nodes: nodes,
            previous_iteration_nodes: previous,
            ratio,
            finished,
        });
    };
    for (before, row) in rows.iter().zip(rows.iter().skip(1)) {
        if before.score.value.is_mate() || row.score.value.is_mate() {
            mates += 1;
        } else if row.iteration_nodes >= job.floor {
            add(before, row.iteration, row.iteration_nodes, true);
        }
    }
    if let Some(last) = rows.last()
        && !last.score.value.is_mate()
    {
        let so_far = nodes.saturating_sub(last.nodes);
        if so_far >= job.floor && so_far as f64 > job.ceiling * last.iteration_nodes.max(job.floor) as f64 {
            add(last, last.iteration + 1, so_far, false);
        }
    }
    (steps, mates)
}

/// Summary of some ratios; `None` if there are none.
fn summary<'a>(
    iteration: Option<Depth>,
    steps: impl Iterator<Item = &'a Step>,
    ceiling: f64,
) -> Option<IterationGrowth> {
    let mut steps: Vec<&Step> = steps.collect();
    steps.sort_by(|a, b| a.ratio.total_cmp(&b.ratio));
    let worst = steps.last()?;
    let ratios: Vec<f64> = steps.iter().map(|step| step.ratio).collect();
    Some(IterationGrowth {
        iteration,
        steps: steps.len(),
        median: median(&ratios)?,
        percentile_95: percentile(&ratios, 95)?,
        max: worst.ratio,
        worst: worst.suite_position.id.clone(),
        above: steps.iter().filter(|step| step.ratio > ceiling).count(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Options;
    use crate::score::StatedScore;
    use crate::suite;

    const KIWI: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - id \"kiwi\";\n";
    const MATE: &str = "kbK5/pp6/1P6/8/8/8/8/R7 w - - id \"mate in two\";\n";

    fn growth(epd: &str, limits: &Limits, floor: u64, ceiling: f64, jobs: usize) -> Growth {
        let (mut pool, _) = Pool::new(&Options { hash_mb: 1, ..Options::default() }, jobs);
        let suites = vec![suite::parse("x.epd", epd.as_bytes())];
        let job = Job { suites, limits: limits.clone(), floor, ceiling };
        job.run(&mut pool, &mut || ())
    }

    #[test]
    fn mates_are_left_out_and_the_number_of_jobs_changes_nothing() {
        let limits = Limits::to_depth(7);
        let both = [KIWI, MATE].concat();
        let found = growth(&both, &limits, 0, 1000.0, 1);
        assert_eq!(found, growth(&both, &limits, 0, 1000.0, 2));
        assert!(found.mates > 0 && found.above.is_empty());
    }

    #[test]
    fn ratios_are_those_of_the_iterations() {
        let limits = Limits::to_depth(7);
        let growth = growth(KIWI, &limits, 0, 1000.0, 1);
        let (mut engine, _) = crate::engine::Engine::new(Options { hash_mb: 1, ..Options::default() });
        let suite = suite::parse("x.epd", KIWI.as_bytes());
        let game = Game::new(suite.records[0].position.clone());
        let job = collect::Job {
            name: None,
            game: &game,
            range: IterationRange::ALL,
            with_times: false,
            with_ledgers: false,
        };
        let (mut report, outcome) = collect_within(&mut engine, job, &limits, &mut |_, _| ());
        assert_eq!(growth.iterations.len(), 6);
        for (iteration, pair) in growth.iterations.iter().zip(report.iterations.windows(2)) {
            assert_eq!((iteration.iteration, iteration.steps), (Some(pair[1].iteration), 1));
            assert_eq!((iteration.worst.as_str(), iteration.median), ("kiwi", iteration.max));
            assert!((iteration.max * pair[0].iteration_nodes as f64 - pair[1].iteration_nodes as f64).abs() < 1e-6);
        }
        // Neither an iteration that finds a mate counts nor the one after it.
        report.iterations[2].score.value = StatedScore::Mate(3);
        let job = Job { suites: Vec::new(), limits, floor: 0, ceiling: 1000.0 };
        let (found, mates) = steps(&suite.records[0], &report, outcome.nodes, &job);
        let counted: Vec<Depth> = found.iter().map(|step| step.iteration).collect();
        assert_eq!((counted, mates), (vec![2, 5, 6, 7], 2));
    }

    #[test]
    fn an_unfinished_iteration_is_listed_where_it_is_above_the_ceiling_already() {
        let limits = Limits::of_nodes(20_000);
        let finished = growth(KIWI, &limits, 0, 1e9, 1);
        let strict = growth(KIWI, &limits, 0, 0.01, 1);
        // Otherwise statistics would depend on the ceiling.
        let below = |rows: Vec<IterationGrowth>| rows.into_iter().map(|row| IterationGrowth { above: 0, ..row });
        assert!(below(strict.iterations).eq(finished.iterations));
        assert_eq!(strict.total.unwrap().steps, finished.total.unwrap().steps);
        assert_eq!(strict.above.iter().filter(|step| !step.finished).count(), 1);
        assert_eq!(finished.above.len(), 0);
    }

    #[test]
    fn small_iterations_are_left_out_and_count_as_the_floor() {
        let limits = Limits::to_depth(9);
        let found = growth(KIWI, &limits, 1000, 0.0, 1);
        assert!(!found.above.is_empty());
        for step in &found.above {
            assert!(step.iteration_nodes >= 1000);
            let least = step.previous_iteration_nodes.max(1000) as f64;
            assert!((step.ratio - step.iteration_nodes as f64 / least).abs() < 1e-9);
        }
        // Nor does one count that was broken off below the floor.
        let limits = Limits::of_nodes(20_000);
        assert_eq!(growth(KIWI, &limits, 19_000, 0.0, 1).above, []);
    }

    #[test]
    fn ranks_are_those_of_the_sorted_ratios() {
        let suite_position = SuitePosition { suite: "x".to_owned(), line: 1, id: "x".to_owned() };
        let step = |ratio: f64| Step {
            suite_position: SuitePosition { id: format!("p{ratio}"), ..suite_position.clone() },
            iteration: 5,
            iteration_nodes: 1,
            previous_iteration_nodes: 1,
            ratio,
            finished: true,
        };
        let steps: Vec<Step> = (1..=20).rev().map(|ratio| step(f64::from(ratio))).collect();
        let found = summary(Some(5), steps.iter(), 17.0).unwrap();
        assert_eq!((found.median, found.percentile_95, found.max), (10.0, 19.0, 20.0));
        assert_eq!((found.worst.as_str(), found.above, found.steps), ("p20", 3, 20));
        assert_eq!(summary(None, [].iter(), 1.0), None);
    }
}
