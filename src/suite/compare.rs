//! Two runs over the same positions, paired position by position.

mod markdown;
mod page;
mod settings;
mod text;

pub use page::to_comparison_page;
pub use settings::Setting;
pub(super) use settings::distinction;

use std::collections::HashMap;

use serde::Serialize;

use super::model::{SuiteReport, add_if_any, add_known};
use super::position_result::PositionResult;
use super::{Expected, MateLine, Milestone};
use crate::json::{MoveText, PovScore};
use crate::stats::p_value;
use crate::text::{NOTHING, nearest};

/// What a run answered in a position. Its members are as in the results of `solve`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Answer {
    /// The final move; null if there is no legal one.
    pub played: Option<MoveText>,
    /// The final score, for the side to move.
    pub score: PovScore,
    /// The final principal variation.
    pub pv: Vec<MoveText>,
    /// When the right answer that counts was found.
    pub solution: Option<Milestone>,
    /// When the right answer was first given, whether or not it was kept.
    pub first_seen: Option<Milestone>,
    /// Whether a right answer was ever replaced by a wrong one.
    pub left_again: bool,
    /// The points of the move played, if there are points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<u32>,
    /// If a mate is required and claimed: whether the line shows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mate_line: Option<MateLine>,
    /// The last completed iteration.
    pub iteration: i32,
    /// Nodes searched in the position.
    pub nodes: u64,
}

impl From<&PositionResult> for Answer {
    fn from(result: &PositionResult) -> Answer {
        Answer {
            played: result.played.clone(),
            score: result.score,
            pv: result.pv.clone(),
            solution: result.solution,
            first_seen: result.first_seen,
            left_again: result.left_again,
            points: result.points,
            mate_line: result.mate_line,
            iteration: result.iteration,
            nodes: result.nodes,
        }
    }
}

/// A position that one run solves and the other does not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Difference {
    /// The name of the suite's file.
    pub suite: String,
    /// The position's name.
    pub id: String,
    /// The position to solve.
    pub fen: String,
    /// The solution.
    pub expected: Expected,
    /// What the first run played.
    pub before: Option<MoveText>,
    /// What the second run played.
    pub after: Option<MoveText>,
    /// The first run's answer in full.
    pub before_answer: Answer,
    /// The second run's answer in full.
    pub after_answer: Answer,
}

/// The positions that both runs solve, and what that took.
#[derive(Copy, Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BothSolve {
    /// The number of such positions.
    pub positions: usize,
    /// The first run's nodes to these solutions, summed.
    pub before_nodes: u64,
    /// The second run's nodes to these solutions, summed.
    pub after_nodes: u64,
    /// The mean of the second run's nodes to a solution as a multiple of the first's: the geometric mean of the ratios,
    /// so that a long search weighs no more than a short one.
    pub node_ratio: Option<f64>,
    /// The first run's milliseconds to these solutions, summed; missing unless both have times.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before_time_ms: Option<u64>,
    /// The second run's milliseconds to these solutions, summed; missing unless both have times.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after_time_ms: Option<u64>,
}

impl BothSolve {
    /// The mean of one of the sums, as the nearest count.
    fn mean(&self, sum: u64) -> u64 {
        nearest(sum as f64 / self.positions.max(1) as f64)
    }
}

/// The comparison of a run with another over the same positions.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Comparison {
    /// The settings in which the runs differ.
    pub settings: Vec<Setting>,
    /// Whether one run may have searched longer than the other by its limits or its rule.
    pub limits_differ: bool,
    /// The number of positions that are in both runs.
    pub positions: usize,
    /// The number of positions that are in one run only.
    pub unpaired: usize,
    /// The number of paired positions that the first run solves.
    pub before_solved: usize,
    /// The number of paired positions that the second run solves.
    pub after_solved: usize,
    /// The positions that only the second run solves.
    pub gained: Vec<Difference>,
    /// The positions that only the first run solves.
    pub lost: Vec<Difference>,
    /// How likely such an uneven split of gained and lost is by chance alone (McNemar's test, exact, two-sided).
    pub p_value: f64,
    /// The first run's points in paired positions whose best move has as many in both; missing if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before_points: Option<u64>,
    /// The second run's points in paired positions whose best move has as many in both; missing if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after_points: Option<u64>,
    /// The solutions that both found, and what they took.
    pub both_solve: BothSolve,
}

impl Comparison {
    /// Compares `after` with `before`. Positions are paired by the position and its task, so that the suites may be in
    /// different order or differ in part.
    pub fn new(before: &SuiteReport, after: &SuiteReport) -> Comparison {
        let mut places: HashMap<_, Vec<&PositionResult>> = HashMap::new();
        for result in after.positions.iter().rev() {
            places.entry(result.question()).or_default().push(result);
        }
        let settings = settings::differences(&before.run, &after.run);
        let limits_differ = settings.iter().any(Setting::is_limit);
        let both_solve = BothSolve { before_time_ms: Some(0), after_time_ms: Some(0), ..BothSolve::default() };
        let mut comparison = Comparison { settings, limits_differ, both_solve, ..Comparison::default() };
        let mut log_ratio = 0.0;
        for old in &before.positions {
            match places.get_mut(&old.question()).and_then(Vec::pop) {
                Some(new) => comparison.add(old, new, &mut log_ratio),
                None => comparison.unpaired += 1,
            }
        }
        comparison.unpaired += places.values().map(Vec::len).sum::<usize>();
        comparison.p_value = p_value(comparison.gained.len(), comparison.lost.len());
        let both = &mut comparison.both_solve;
        both.node_ratio = (both.positions > 0).then(|| (log_ratio / both.positions as f64).exp());
        // One run's time alone says nothing.
        let times = both.before_time_ms.zip(both.after_time_ms).filter(|_| both.positions > 0);
        (both.before_time_ms, both.after_time_ms) = times.unzip();
        comparison
    }

    /// Compares each of several runs with the first; `None` for the first itself, and without a position in both.
    pub(super) fn with_first(reports: &[SuiteReport]) -> Vec<Option<Comparison>> {
        let compared = |(index, report): (usize, &SuiteReport)| {
            let comparison = (index > 0).then(|| Comparison::new(&reports[0], report));
            comparison.filter(|comparison| comparison.positions > 0)
        };
        reports.iter().enumerate().map(compared).collect()
    }

    /// Adds one pair.
    fn add(&mut self, old: &PositionResult, new: &PositionResult, log_ratio: &mut f64) {
        self.positions += 1;
        self.before_solved += usize::from(old.solved);
        self.after_solved += usize::from(new.solved);
        // Suites may give the same answers other points, which do not add up.
        if let (Some(before), Some(after)) = (old.points, new.points)
            && old.max_points == new.max_points
        {
            add_if_any(&mut self.before_points, Some(u64::from(before)));
            add_if_any(&mut self.after_points, Some(u64::from(after)));
        }
        if old.solved != new.solved {
            let difference = Difference {
                suite: old.suite.clone(),
                id: old.id.clone(),
                fen: old.fen.clone(),
                expected: old.expected.clone(),
                before: old.played.clone(),
                after: new.played.clone(),
                before_answer: old.into(),
                after_answer: new.into(),
            };
            if new.solved { &mut self.gained } else { &mut self.lost }.push(difference);
        }
        if let (Some(before), Some(after)) = (old.solution, new.solution) {
            let both = &mut self.both_solve;
            both.positions += 1;
            both.before_nodes = both.before_nodes.saturating_add(before.nodes);
            both.after_nodes = both.after_nodes.saturating_add(after.nodes);
            // A solution without a search, as for an only move, counts as one node.
            *log_ratio += (after.nodes.max(1) as f64 / before.nodes.max(1) as f64).ln();
            add_known(&mut both.before_time_ms, before.time_ms);
            add_known(&mut both.after_time_ms, after.time_ms);
        }
    }
}

/// A move in SAN; a dash if there is none.
pub(super) fn san(played: &Option<MoveText>) -> &str {
    played.as_ref().map_or(NOTHING, |played| &played.san)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Color;
    use crate::json::PovScore;
    use crate::runner::Provenance;
    use crate::score::StatedScore;
    use crate::suite::{Milestone, Rule, describe};

    fn move_text(san: &str, uci: &str) -> MoveText {
        MoveText { san: san.to_owned(), uci: uci.to_owned() }
    }

    fn result(index: usize, fen: &str, nodes: Option<u64>) -> PositionResult {
        let solution = nodes.map(|nodes| Milestone { iteration: 3, nodes, time_ms: None });
        let san = if nodes.is_some() { "e4" } else { "d4" };
        PositionResult {
            index,
            suite: "a.epd".to_owned(),
            line: index + 1,
            id: format!("id {fen}"),
            themes: Vec::new(),
            theme: None,
            fen: fen.to_owned(),
            expected: Expected { best: vec![move_text("e4", "e2e4")], ..Expected::default() },
            played: Some(move_text(san, &format!("{}2{san}", &san[..1]))),
            score: PovScore { value: StatedScore::Cp(1), pov: Color::White },
            pv: Vec::new(),
            solved: nodes.is_some(),
            solution,
            first_seen: solution,
            left_again: false,
            points: None,
            max_points: None,
            mate_line: None,
            iteration: 4,
            nodes: 100,
            time_ms: None,
        }
    }

    fn report(results: &[(&str, Option<u64>)]) -> SuiteReport {
        let results = results.iter().enumerate().map(|(index, &(fen, nodes))| result(index, fen, nodes)).collect();
        SuiteReport::new(describe(&[], Provenance::default(), Rule::End, None), results)
    }

    #[test]
    fn positions_are_paired_whatever_their_order() {
        let before =
            report(&[("a", Some(10)), ("b", None), ("c", Some(100)), ("d", Some(5)), ("only", None), ("e", None)]);
        let after = report(&[("e", None), ("c", Some(50)), ("b", Some(7)), ("a", Some(20)), ("d", None)]);
        let comparison = Comparison::new(&before, &after);
        assert_eq!((comparison.positions, comparison.unpaired), (5, 1));
        assert_eq!((comparison.before_solved, comparison.after_solved), (3, 3));
        let names = |list: &[Difference]| list.iter().map(|d| d.id.clone()).collect::<Vec<_>>();
        assert_eq!((names(&comparison.gained), names(&comparison.lost)), (vec!["id b".into()], vec!["id d".into()]));
        assert_eq!(comparison.p_value, 1.0);
        let both = comparison.both_solve;
        assert_eq!((both.positions, both.before_nodes, both.after_nodes), (2, 110, 70));
        // One takes twice as long, one half as long: even.
        assert!((both.node_ratio.unwrap() - 1.0).abs() < 1e-12);
        let text = comparison.to_text("old", "new");
        let gained = "gained:\n  id b: e4\n    A d4 (+0.01)\n    B e4 (+0.01, from iteration 3, 7 nodes)\n";
        let lost = "lost:\n  id d: e4\n    A e4 (+0.01, from iteration 3, 5 nodes)\n    B d4 (+0.01)\n";
        assert!(text.contains(gained) && text.contains(lost), "{text}");
    }

    #[test]
    fn each_run_has_its_own_costs() {
        let run = |nodes, time_ms| {
            let mut report = report(&[("a", Some(nodes))]);
            report.positions[0].solution = Some(Milestone { iteration: 3, nodes, time_ms: Some(time_ms) });
            report
        };
        let comparison = Comparison::new(&run(10, 1000), &run(40, 3000));
        let (text, markdown) = (comparison.to_text("old", "new"), comparison.to_markdown("old", "new"));
        assert!(text.contains("nodes to the solution A 10, B 40; B takes 4.00 times A's"), "{text}");
        assert!(text.contains("time to the solution A 1.000 s, B 3.000 s\n"), "{text}");
        assert!(markdown.contains(" | 10 |  |\n| B: new | ") && markdown.contains(" | 40 | 4.00 |\n"), "{markdown}");
    }

    #[test]
    fn points_are_summed_up_where_both_give_as_many() {
        let scored = |points: &[(u32, u32)]| {
            let mut report = report(&[("a", Some(10)), ("b", Some(10))]);
            for (result, &(points, max)) in report.positions.iter_mut().zip(points) {
                (result.points, result.max_points) = (Some(points), Some(max));
            }
            report
        };
        let before = scored(&[(6, 10), (3, 10)]);
        let points = |after: &SuiteReport| {
            let comparison = Comparison::new(&before, after);
            (comparison.before_points, comparison.after_points)
        };
        assert_eq!(points(&scored(&[(7, 10), (80, 100)])), (Some(6), Some(7)));
        assert_eq!(points(&scored(&[(70, 100), (80, 100)])), (None, None));
    }

    #[test]
    fn a_right_answer_without_a_solution_was_left_or_held_too_shortly() {
        let solved = result(0, "a", Some(7));
        for (left_again, words) in [(true, "left again"), (false, "not held long enough")] {
            let answer = Answer::from(&PositionResult { solution: None, left_again, ..solved.clone() });
            let found = answer.found().unwrap();
            assert!(found.contains("iteration 3") && found.ends_with(words), "{found}");
        }
    }

    #[test]
    fn the_order_of_a_solutions_moves_does_not_matter() {
        let [e4, d4] = [("e4", "e2e4"), ("d4", "d2d4")].map(|(san, uci)| move_text(san, uci));
        let of = |best: &[&MoveText], avoid: &[&MoveText]| {
            let [best, avoid] = [best, avoid].map(|moves| moves.iter().copied().cloned().collect());
            let mut report = report(&[("a", None)]);
            report.positions[0].expected = Expected { best, avoid, mate: None };
            report
        };
        let paired = |before: &SuiteReport, after: &SuiteReport| Comparison::new(before, after).positions;
        assert_eq!(paired(&of(&[&e4, &d4], &[]), &of(&[&d4, &e4], &[])), 1);
        assert_eq!(paired(&of(&[], &[&e4, &d4]), &of(&[], &[&d4, &e4])), 1);
        assert_eq!(paired(&of(&[&e4, &d4], &[]), &of(&[], &[&e4, &d4])), 0);
    }

    #[test]
    fn the_same_position_twice_is_paired_in_order() {
        let before = report(&[("a", Some(10)), ("a", None)]);
        let comparison = Comparison::new(&before, &before);
        assert_eq!((comparison.positions, comparison.unpaired, comparison.both_solve.positions), (2, 0, 1));
        assert!(comparison.gained.is_empty() && comparison.lost.is_empty());
    }
}
