//! The growth of iterations as tables.

use std::fmt::Write as _;

use super::heading;
use crate::lab::Tables;
use crate::lab::growth::{Growth, IterationGrowth, Step};
use crate::text::{aligned, grouped};

pub(super) const LEGEND: &str = "\
Each ratio is an iteration's nodes over those of the previous one. Percentiles are by nearest rank: of two middle values
the lower. positions: how many ratios there are; above: how many exceed the ceiling. An iteration that was not finished
is only listed, with >, where its nodes so far exceed it.
";

impl Tables for Growth {
    fn to_text(&self) -> String {
        let mut text = heading(&self.head.provenance, self.positions, &self.suites, self.refused);
        if self.total.is_none() && self.above.is_empty() {
            text.push_str("No iteration is large enough to be compared with the previous one.\n");
            return text;
        }
        if let Some(total) = &self.total {
            let mut rows = aligned(&["iter", "positions", "median", "95 %", "max", "where", "above"], &["where"]);
            for row in self.iterations.iter().chain([total]) {
                rows.add_row(cells(row));
            }
            let _ = writeln!(text, "{rows}\n");
        }
        if !self.above.is_empty() {
            let mut rows = aligned(&["above the ceiling", "iter", "ratio", "nodes", "before"], &["above the ceiling"]);
            for step in &self.above {
                rows.add_row(step_cells(step));
            }
            let _ = writeln!(text, "{rows}\n");
        }
        let _ = writeln!(
            text,
            "{LEGEND}Ceiling: {}. Iterations below {} nodes are left out, and count with that many as the one before; left out \
             are\nalso {} where a mate was being proved.",
            self.ceiling,
            grouped(self.floor),
            self.mates,
        );
        text
    }
}

fn cells(row: &IterationGrowth) -> Vec<String> {
    let ratio = |ratio: f64| format!("{ratio:.2}");
    vec![
        row.iteration.map_or("all".to_owned(), |iteration| iteration.to_string()),
        grouped(row.steps as u64),
        ratio(row.median),
        ratio(row.percentile_95),
        ratio(row.max),
        row.worst.clone(),
        grouped(row.above as u64),
    ]
}

fn step_cells(step: &Step) -> Vec<String> {
    // A truncated iteration would have cost more.
    let at_least = if step.finished { "" } else { ">" };
    vec![
        step.suite_position.id.clone(),
        step.iteration.to_string(),
        format!("{at_least}{:.2}", step.ratio),
        format!("{at_least}{}", grouped(step.iteration_nodes)),
        grouped(step.previous_iteration_nodes),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::text::tests::made_up_provenance;
    use crate::params::Profile;
    use crate::runner::{Head, Kind, Provenance};
    use crate::suite::SuitePosition;

    #[test]
    fn a_growth_report() {
        let row = |iteration, steps, max, above| IterationGrowth {
            iteration,
            steps,
            median: 2.0,
            percentile_95: 4.567,
            max,
            worst: "WAC.002".to_owned(),
            above,
        };
        let step = |ratio: f64, finished| Step {
            suite_position: SuitePosition { suite: "wac.epd".to_owned(), line: 2, id: "WAC.002".to_owned() },
            iteration: 8,
            iteration_nodes: 1_234_567,
            previous_iteration_nodes: 12_345,
            ratio,
            finished,
        };
        let mut report = Growth {
            head: Head::new(
                Kind::Growth,
                Provenance {
                    set: vec!["credit_limit=24".to_owned()],
                    nodes: Some(5_000_000),
                    depth: Some(9),
                    ..made_up_provenance(Profile::DeepBlue)
                },
            ),
            floor: 10_000,
            ceiling: 20.0,
            suites: vec!["wac.epd".to_owned()],
            positions: 300,
            refused: 1,
            mates: 12,
            iterations: vec![row(Some(7), 290, 7.5, 0), row(Some(8), 120, 100.0, 2)],
            total: Some(row(None, 410, 100.0, 2)),
            above: vec![step(100.0, true), step(25.5, false)],
        };
        insta::assert_snapshot!(report.to_text());
        (report.iterations, report.total) = (Vec::new(), None);
        assert!(report.to_text().contains("| >25.50 |") && !report.to_text().contains("median"));
        report.above.clear();
        assert!(report.to_text().ends_with("No iteration is large enough to be compared with the previous one.\n"));
    }
}
