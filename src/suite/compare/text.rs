//! The comparison for a terminal.

use std::fmt::Write as _;

use super::{Answer, Comparison, Difference, san};
use crate::suite::Milestone;
use crate::text::{POINT_OF_VIEW, counted, grouped, percent, probability, seconds};

/// Said where one run may have searched longer than the other.
pub(super) const LIMITS_DIFFER: &str = "the limits differ: what is gained or lost may be due to them alone";

impl Comparison {
    /// The comparison for people.
    pub fn to_text(&self, before: &str, after: &str) -> String {
        // Writing into a string cannot fail.
        let mut text = format!("A: {before}\nB: {after}\n");
        for setting in &self.settings {
            let _ = writeln!(text, "{}", setting.shown());
        }
        if let Some(warning) = self.warning() {
            let _ = writeln!(text, "warning: {warning}");
        }
        text.push('\n');
        self.push_totals(&mut text);
        self.push_costs(&mut text);
        if !(self.gained.is_empty() && self.lost.is_empty()) {
            let _ = writeln!(text, "\n{POINT_OF_VIEW}");
        }
        for (title, list) in [("gained", &self.gained), ("lost", &self.lost)] {
            if !list.is_empty() {
                let _ = writeln!(text, "\n{title}:");
            }
            for Difference { id, expected, before_answer, after_answer, .. } in list {
                let _ = writeln!(text, "  {id}: {expected}\n    A {before_answer}\n    B {after_answer}");
            }
        }
        text
    }

    /// What makes the comparison unequal, if anything.
    pub fn warning(&self) -> Option<&'static str> {
        self.limits_differ.then_some(LIMITS_DIFFER)
    }

    /// How many positions are not compared, if there are any.
    pub(super) fn left_out(&self) -> Option<String> {
        (self.unpaired > 0).then(|| format!("{} in one run only, left out", counted(self.unpaired, "position")))
    }

    /// What both solved, and whether that may be chance.
    fn push_totals(&self, text: &mut String) {
        let share = |solved: usize| percent(solved as u64, self.positions as u64);
        let paired = counted(self.positions, "position");
        let solves = |solved: usize| format!("{} ({})", grouped(solved as u64), share(solved));
        let (a, b) = (solves(self.before_solved), solves(self.after_solved));
        let _ = writeln!(text, "{paired} in both: A solves {a}, B solves {b}");
        if let (Some(a), Some(b)) = (self.before_points, self.after_points) {
            let _ = writeln!(text, "points: A {}, B {}", grouped(a), grouped(b));
        }
        if let Some(left_out) = self.left_out() {
            let _ = writeln!(text, "{left_out}");
        }
        let [gained, lost] = [&self.gained, &self.lost].map(|list| grouped(list.len() as u64));
        let verdict = if self.p_value < 0.05 { "unlikely by chance alone" } else { "may well be chance" };
        let p = probability(self.p_value);
        let _ = writeln!(text, "B gains {gained} and loses {lost}: p = {p} by McNemar's exact test, {verdict}");
    }

    /// What the solutions took that both found.
    fn push_costs(&self, text: &mut String) {
        let both = &self.both_solve;
        let Some(ratio) = both.node_ratio else { return };
        let nodes = |sum: u64| grouped(both.mean(sum));
        let _ = writeln!(
            text,
            "{} solved by both: mean nodes to the solution A {}, B {}; B takes {ratio:.2} times A's (geometric mean)",
            grouped(both.positions as u64),
            nodes(both.before_nodes),
            nodes(both.after_nodes),
        );
        if let (Some(a), Some(b)) = (both.before_time_ms, both.after_time_ms) {
            let mean = |sum: u64| seconds(both.mean(sum));
            let _ = writeln!(text, "mean time to the solution A {}, B {}", mean(a), mean(b));
        }
    }
}

impl Answer {
    /// When the right answer was found; `None` if it never was.
    pub fn found(&self) -> Option<String> {
        let at = |at: Milestone| {
            let time = at.time_ms.map(|time| format!(", {}", seconds(time))).unwrap_or_default();
            format!("{}, {} nodes{time}", at.iteration, grouped(at.nodes))
        };
        match (self.solution, self.first_seen) {
            (Some(solution), _) => Some(format!("from iteration {}", at(solution))),
            (None, Some(seen)) if self.left_again => Some(format!("right in iteration {}, left again", at(seen))),
            (None, Some(seen)) => Some(format!("right from iteration {}, not held long enough", at(seen))),
            (None, None) => None,
        }
    }
}

impl std::fmt::Display for Answer {
    /// The move, its score, its points if there are points, and when the right answer was found: `Qf2+ (+5.00, from
    /// iteration 7, 51,000 nodes)`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let points = self.points.map(|points| format!(", {points} points")).unwrap_or_default();
        let found = self.found().map(|found| format!(", {found}")).unwrap_or_default();
        write!(f, "{} ({}{points}{found})", san(&self.played), self.score)
    }
}
