//! Curves of solved positions against nodes and time.

use std::collections::HashMap;

use super::model::{SuiteReport, Summary};
use super::position_result::PositionResult;
use super::{Milestone, Rule};
use crate::picture::{Figure, LineChart, Series, to_svg};
use crate::text::counted;

/// Colours of curves.
const COLORS: usize = 8;

/// A run with the name it has in a comparison.
#[derive(Copy, Clone, Debug)]
pub struct NamedRun<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its results.
    pub report: &'a SuiteReport,
}

/// What a curve is drawn against.
struct Cost {
    title: &'static str,
    label: &'static str,
    /// The cost of a solution.
    of_solution: fn(&Milestone) -> Option<u64>,
    /// The cost of a whole search.
    of_search: fn(&PositionResult) -> Option<u64>,
    /// The limit of each search.
    limit: fn(&SuiteReport) -> Option<u64>,
}

const NODES: Cost = Cost {
    title: "Solved positions by nodes",
    label: "nodes to the solution",
    of_solution: |at| Some(at.nodes),
    of_search: |result| Some(result.nodes),
    limit: |report| report.run.head.provenance.nodes,
};
const TIME: Cost = Cost {
    title: "Solved positions by time",
    label: "milliseconds to the solution",
    of_solution: |at| at.time_ms,
    of_search: |result| result.time_ms,
    limit: |report| report.run.head.provenance.movetime_ms,
};

/// How many positions each run had solved by number of nodes, and by time if every result has one.
pub(super) fn curves(runs: &[NamedRun]) -> Vec<Figure> {
    let is_timed = Summary::of("", runs.iter().flat_map(|run| &run.report.positions)).time_ms.is_some();
    let costs = [Some(NODES), is_timed.then_some(TIME)];
    let common = common(runs);
    costs.into_iter().flatten().map(|cost| chart(runs, &common, &cost).draw()).collect()
}

/// The curves as a separate file.
pub fn to_curves(runs: &[NamedRun]) -> String {
    to_svg("Solved positions", &curves(runs))
}

/// The results of each run in the positions that every run has which has any. One that is there several times counts as
/// often as in the run where it is fewest, as [`Comparison`] pairs it.
///
/// [`Comparison`]: super::Comparison
fn common<'a>(runs: &[NamedRun<'a>]) -> Vec<Vec<&'a PositionResult>> {
    let times = |run: &NamedRun<'a>| {
        let mut times: HashMap<_, usize> = HashMap::new();
        run.report.positions.iter().for_each(|result| *times.entry(result.question()).or_default() += 1);
        times
    };
    let all: Vec<HashMap<_, usize>> = runs.iter().map(times).filter(|times| !times.is_empty()).collect();
    let of_run = |run: &NamedRun<'a>| {
        let mut seen: HashMap<_, usize> = HashMap::new();
        let is_common = |result: &&'a PositionResult| {
            let time = seen.entry(result.question()).or_default();
            *time += 1;
            all.iter().all(|times| times.get(&result.question()).is_some_and(|most| *time <= *most))
        };
        run.report.positions.iter().filter(is_common).collect()
    };
    runs.iter().map(of_run).collect()
}

/// A chart of these results of each run, whose axes end with the longest search and the number of positions.
fn chart(runs: &[NamedRun], common: &[Vec<&PositionResult>], cost: &Cost) -> LineChart {
    let series = runs.iter().zip(common).enumerate().map(|(index, (run, results))| {
        let curve = curve(run.report, results, cost);
        let solved = curve.last().map_or(0.0, |&(_, solved)| solved);
        let name = if runs.len() > 1 { format!("{}: {solved}", letter(index)) } else { solved.to_string() };
        Series { name, color: index % COLORS + 1, steps: true, points: curve, ..Series::default() }
    });
    let positions = common.iter().map(Vec::len).max().unwrap_or(0);
    let are_fewer = runs.iter().any(|run| run.report.positions.len() > positions);
    let of = if are_fewer {
        format!("of the {} that all runs have", counted(positions, "position"))
    } else {
        format!("of {positions}")
    };
    let are_kept = runs.iter().all(|run| run.report.run.rule != Rule::Seen);
    let solution = if are_kept { "a solution found and kept" } else { "a solution found" };
    LineChart {
        title: cost.title.to_owned(),
        subtitle: format!("{of}; each step is {solution}"),
        x_label: cost.label.to_owned(),
        log_x: true,
        y_end: Some(positions as f64),
        key: if runs.len() > 1 { key(runs) } else { Vec::new() },
        series: series.collect(),
        ..LineChart::default()
    }
}

/// The number of positions solved after each solution, from none to the limit of the search; without a limit, to the
/// longest search.
fn curve(report: &SuiteReport, results: &[&PositionResult], cost: &Cost) -> Vec<(f64, f64)> {
    let solved = results.iter().filter(|result| result.solved);
    let mut costs: Vec<u64> = solved.filter_map(|result| (cost.of_solution)(result.solution.as_ref()?)).collect();
    costs.sort_unstable();
    let longest = results.iter().filter_map(|result| (cost.of_search)(result)).max();
    let end = (cost.limit)(report).or(longest).max(costs.last().copied()).unwrap_or(1);
    let start = costs.first().map(|&cost| (cost as f64, 0.0));
    let climb = costs.iter().enumerate().map(|(solved, &cost)| (cost as f64, solved as f64 + 1.0));
    start.into_iter().chain(climb).chain([(end as f64, costs.len() as f64)]).collect()
}

/// The letter and colour of each run.
fn key(runs: &[NamedRun]) -> Vec<(usize, String)> {
    let entry = |(index, run): (usize, &NamedRun)| (index % COLORS + 1, format!("{}: {}", letter(index), run.name));
    runs.iter().enumerate().map(entry).collect()
}

/// A, B, C and so on.
pub(super) fn letter(index: usize) -> char {
    char::from(b'A' + (index % 26) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::Comparison;
    use crate::suite::run::tests::{report, untimed_timed_and_not_begun};

    #[test]
    fn only_positions_of_all_runs_are_drawn() {
        let whole = report("k7/8/1K6/8/8/8/8/8 b - - bm Kb8;\n8/8/8/8/8/5k2/5p2/5K2 b - - bm Ke3;\n", 1);
        let reports = [2, 1, 0].map(|count| SuiteReport::new(whole.run.clone(), whole.positions[..count].to_vec()));
        let lengths = |places: [usize; 2]| {
            let runs = places.map(|place| NamedRun { name: "", report: &reports[place] });
            common(&runs).iter().map(Vec::len).collect::<Vec<_>>()
        };
        assert_eq!((lengths([0, 0]), lengths([0, 1]), lengths([1, 0])), (vec![2, 2], vec![1, 1], vec![1, 1]));
        assert_eq!(lengths([0, 2]), [2, 0], "a run that has not begun leaves the others as they are");
        let subtitle = |places: [usize; 2]| {
            let runs = places.map(|place| NamedRun { name: "", report: &reports[place] });
            chart(&runs, &common(&runs), &NODES).subtitle
        };
        assert!(subtitle([0, 0]).starts_with("of 2; ") && subtitle([0, 2]).starts_with("of 2; "));
        assert!(subtitle([0, 1]).starts_with("of the 1 position that all runs have; "));
    }

    #[test]
    fn a_run_that_has_not_begun_takes_no_curve_from_the_others() {
        let [untimed, timed, not_begun] = untimed_timed_and_not_begun();
        let count = |reports: &[&SuiteReport]| {
            let runs: Vec<NamedRun> = reports.iter().map(|&report| NamedRun { name: "", report }).collect();
            curves(&runs).len()
        };
        assert_eq!((count(&[&timed]), count(&[&timed, &not_begun]), count(&[&not_begun, &timed])), (2, 2, 2));
        assert_eq!((count(&[&timed, &untimed]), count(&[&not_begun])), (1, 1));
    }

    #[test]
    fn what_only_had_to_be_seen_is_not_said_to_be_kept() {
        let mut report = report("k7/8/1K6/8/8/8/8/8 b - - bm Kb8;\n", 1);
        let subtitle = |report: &SuiteReport| {
            let runs = [NamedRun { name: "", report }];
            chart(&runs, &common(&runs), &NODES).subtitle
        };
        assert!(subtitle(&report).ends_with("; each step is a solution found and kept"));
        report.run.rule = Rule::Seen;
        assert!(subtitle(&report).ends_with("; each step is a solution found"));
    }

    #[test]
    fn a_position_that_is_there_twice_is_drawn_as_often_as_it_is_compared() {
        let line = "k7/8/1K6/8/8/8/8/8 b - - bm Kb8;\n";
        let reports = [report(&line.repeat(3), 1), report(&line.repeat(2), 1)];
        let runs = [0, 1].map(|place| NamedRun { name: "", report: &reports[place] });
        let compared = Comparison::new(&reports[0], &reports[1]).positions;
        assert_eq!(common(&runs).iter().map(Vec::len).collect::<Vec<_>>(), [compared, compared]);
    }
}
