//! The experiments as tables for a terminal; they are Markdown tables too.

mod depths;
mod growth;
mod player;
mod spsa;

use std::fmt::Write as _;

use comfy_table::Table;

pub use spsa::spsa;

use super::Tables;
use super::ablate::{Ablation, VariantResult};
use super::choices::{ChoiceReport, Effort, Oscillation, Subject};
use crate::runner::Provenance;
use crate::text::{NOTHING, TableStyle, aligned, counted, grouped, probability, ratio, seconds};

/// How the tables are shown on a terminal.
pub const TABLES: TableStyle = TableStyle {
    folded: &["variant"],
    legends: &[
        ABLATION_LEGEND,
        COMPARISON_LEGEND,
        ENVELOPE_LEGEND,
        depths::LEGEND,
        growth::LEGEND,
        player::LEGEND,
        spsa::LEGEND,
    ],
    ..TableStyle::without_verdicts(&[
        "again",
        "re-searches",
        "changed",
        "back",
        "to its end",
        "95 %",
        "half",
        "time",
        "max comb",
        "same in",
        "mean max soft",
        "nominal",
        "min soft",
        "PV",
        "nodes",
        "to solution",
    ])
};
/// Headers of an ablation.
const ABLATION_HEADERS: [&str; 8] = ["variant", "solved", "gained", "lost", "p", "to solution", "ratio", "nodes"];
/// Headers of effort where envelopes are compared, and otherwise.
const ENVELOPE_HEADERS: [&str; 3] = ["again", "changed", "back"];
const WINDOW_HEADERS: [&str; 1] = ["re-searches"];
const TIME_HEADER: &str = "time";
const ABLATION_LEGEND: &str = "\
gained, lost: positions solved here and not with all on, and the reverse. p: two-sided probability of so uneven a split
by chance alone (McNemar, exact), for one comparison; among many, a small one now and then is to be expected. to
solution: nodes to the solutions of the positions solved here. ratio: nodes to solution over those with all on, summed
where both solve. nodes: of all searches.
";
const COMPARISON_LEGEND: &str = "\
Each row sums over the positions in which every choice finished the iteration. nodes: of this iteration; to its end:
since the search began; time: likewise. ratio: nodes over those of the first choice. The second table sums, for each
position, to the last iteration shown that every choice finished.
";
const WINDOWS_LEGEND: &str = "\
re-searches: searches whose window did not hold the score; with MTD(f) and SSS*, steps before the last.
";
const ENVELOPE_LEGEND: &str = "\
again: searches repeated with new credit. changed: positions whose best move differs from the previous iteration's;
back: those that return to an earlier best move. p: two-sided probability of so uneven a split of the
positions by chance alone (sign test, exact).
";

impl Tables for Ablation {
    fn to_text(&self) -> String {
        let mut text = heading(&self.head.provenance, self.positions.len(), &self.suites, self.refused);
        let mut rows = aligned(&ABLATION_HEADERS, &["variant"]);
        for variant in &self.variants {
            rows.add_row(variant_cells(variant));
        }
        let _ = writeln!(text, "{rows}\n");
        if !self.already_off.is_empty() {
            let _ = writeln!(text, "Off already: {}.", self.already_off.join(", "));
        }
        text.push_str(ABLATION_LEGEND);
        text
    }
}

/// One variant's cells; the baseline has no comparison.
fn variant_cells(variant: &VariantResult) -> Vec<String> {
    let both = variant.both_solve;
    let compared = |cell: String| if variant.p_value.is_some() { cell } else { NOTHING.to_owned() };
    vec![
        variant.name.clone(),
        grouped(variant.solved as u64),
        compared(grouped(variant.gained.len() as u64)),
        compared(grouped(variant.lost.len() as u64)),
        variant.p_value.map_or_else(|| NOTHING.to_owned(), probability),
        grouped(variant.solution_nodes),
        compared(ratio(both.nodes, both.baseline_nodes)),
        grouped(variant.nodes),
    ]
}

impl Tables for ChoiceReport {
    fn to_text(&self) -> String {
        let mut text = heading(&self.head.provenance, self.positions, &self.suites, self.refused);
        let with_times = self.choices.iter().any(|choice| choice.total.effort.time_ms.is_some());
        if self.choices.iter().all(|choice| choice.iterations.is_empty()) {
            text.push_str("None of the requested iterations was completed.\n");
            return text;
        }
        let _ = writeln!(text, "{}\n\n{}\n", iteration_table(self, with_times), total_table(self, with_times));
        if let Some(Oscillation { fewer, more, p_value }) = self.oscillation {
            let p = probability(p_value);
            let _ = writeln!(
                text,
                "With the envelope best moves flip back less often in {fewer} positions, more often in {more}; p {p}.\n"
            );
        }
        text.push_str(COMPARISON_LEGEND);
        text.push_str(if self.compares_envelopes() { ENVELOPE_LEGEND } else { WINDOWS_LEGEND });
        text
    }
}

impl ChoiceReport {
    /// Whether the envelope is compared, so that second searches matter rather than windows.
    fn compares_envelopes(&self) -> bool {
        self.param == Subject::Envelope.param()
    }

    /// The headers of the last columns of both tables.
    fn effort_headers(&self, with_times: bool) -> impl Iterator<Item = &'static str> {
        let counts: &[&str] = if self.compares_envelopes() { &ENVELOPE_HEADERS } else { &WINDOW_HEADERS };
        counts.iter().copied().chain(with_times.then_some(TIME_HEADER))
    }

    /// Their cells.
    fn effort_cells(&self, effort: Effort, with_times: bool) -> Vec<String> {
        let mut cells = if self.compares_envelopes() {
            vec![grouped(effort.second_searches), grouped(effort.changes as u64), grouped(effort.returns as u64)]
        } else {
            vec![grouped(effort.researches)]
        };
        cells.extend(with_times.then(|| effort.time_ms.map_or_else(|| NOTHING.to_owned(), seconds)));
        cells
    }
}

/// Headers of the table of iterations before those of effort.
fn iteration_headers(param: &'static str) -> [&'static str; 6] {
    ["iter", "positions", param, "nodes", "ratio", "to its end"]
}

/// A row for each iteration and choice.
fn iteration_table(report: &ChoiceReport, with_times: bool) -> Table {
    let mut headers = iteration_headers(report.param).to_vec();
    headers.extend(report.effort_headers(with_times));
    let mut rows = aligned(&headers, &[report.param]);
    // All choices have the same iterations, since one counts only if all completed it.
    let first = report.choices.first().map_or(&[][..], |choice| &choice.iterations);
    for (index, baseline) in first.iter().enumerate() {
        for choice in &report.choices {
            let Some(sums) = choice.iterations.get(index) else { continue };
            let cells = [
                sums.iteration.to_string(),
                grouped(sums.positions as u64),
                choice.value.to_owned(),
                grouped(sums.iteration_nodes),
                ratio(sums.iteration_nodes, baseline.iteration_nodes),
                grouped(sums.nodes),
            ];
            rows.add_row(cells.into_iter().chain(report.effort_cells(sums.effort, with_times)));
        }
    }
    rows
}

/// A row for each choice.
fn total_table(report: &ChoiceReport, with_times: bool) -> Table {
    let mut headers = vec![report.param, "positions", "nodes", "ratio"];
    headers.extend(report.effort_headers(with_times));
    let mut rows = aligned(&headers, &[report.param]);
    let baseline = report.choices.first().map_or(0, |choice| choice.total.nodes);
    for choice in &report.choices {
        let total = &choice.total;
        let cells = [
            choice.value.to_owned(),
            grouped(total.positions as u64),
            grouped(total.nodes),
            ratio(total.nodes, baseline),
        ];
        rows.add_row(cells.into_iter().chain(report.effort_cells(total.effort, with_times)));
    }
    rows
}

/// Settings, number of positions, their suites if these are known, and limits.
fn heading(provenance: &Provenance, positions: usize, suites: &[String], refused: usize) -> String {
    let refused = if refused > 0 { format!(", {} refused", counted(refused, "line")) } else { String::new() };
    let positions = counted(positions, "position");
    let suites = if suites.is_empty() { String::new() } else { format!(" of {}", suites.join(", ")) };
    format!("{}\n{positions}{suites}{refused}{}\n\n", provenance.heading(), provenance.limits())
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::super::ablate::{BothSolve, VariantResult};
    use super::super::choices::{ChoiceResult, IterationSums, Total};
    use super::*;
    use crate::params::Profile;
    use crate::runner::{Head, Kind};

    /// The provenance of the made-up reports.
    pub(super) fn made_up_provenance(profile: Profile) -> Provenance {
        let program = "Pacioli 1.2.3".to_owned();
        Provenance { program, profile: Some(profile), hash_mb: Some(16), ..Provenance::default() }
    }

    /// A variant with these numbers of positions gained and lost.
    fn variant(name: &str, solved: usize, split: Option<(usize, usize)>) -> VariantResult {
        let (gained, lost) = split.unwrap_or((0, 0));
        VariantResult {
            name: name.to_owned(),
            changes: Vec::new(),
            solved,
            gained: vec!["g".to_owned(); gained],
            lost: vec!["l".to_owned(); lost],
            p_value: split.map(|(gained, lost)| crate::stats::p_value(gained, lost)),
            solution_nodes: 1_234_567,
            nodes: 30_000_000,
            both_solve: BothSolve { positions: 2, nodes: 300, baseline_nodes: 200 * gained as u64 },
            answers: Vec::new(),
        }
    }

    #[test]
    fn what_goes_first_is_in_a_table() {
        let known = [
            &iteration_headers("x")[..],
            &ENVELOPE_HEADERS,
            &WINDOW_HEADERS,
            &[TIME_HEADER],
            &ABLATION_HEADERS,
            &depths::headers("min soft"),
            &depths::headers("nominal"),
            &player::CHOICE_HEADERS,
            &player::AGREEMENT_HEADERS,
            &player::DIFFERENCE_HEADERS,
        ]
        .concat();
        TABLES.check(&known);
    }

    #[test]
    fn an_ablation() {
        let provenance = Provenance {
            set: vec!["multi_cut=0".to_owned()],
            nodes: Some(300_000),
            ..made_up_provenance(Profile::Modern)
        };
        let report = Ablation {
            head: Head::new(Kind::Ablation, provenance),
            suites: vec!["a.epd".to_owned(), "b.epd".to_owned()],
            positions: Vec::new(),
            refused: 1,
            already_off: vec!["multi_cut".to_owned(), "singular_confirmation".to_owned()],
            variants: vec![
                variant("all on", 60, None),
                variant("no credit", 40, Some((2, 22))),
                variant("no credit_threat", 61, Some((1, 0))),
                variant("no credit_influence", 45, Some((0, 15))),
            ],
        };
        assert_snapshot!(report.to_text(), @r"
        Pacioli 1.2.3, profile modern, 16 MB of table, multi_cut=0
        0 positions of a.epd, b.epd, 1 line refused, at most 300,000 nodes each

        | variant             | solved | gained | lost |       p | to solution | ratio |      nodes |
        |---------------------|--------|--------|------|---------|-------------|-------|------------|
        | all on              |     60 |      - |    - |       - |   1,234,567 |     - | 30,000,000 |
        | no credit           |     40 |      2 |   22 | <0.0001 |   1,234,567 |  0.75 | 30,000,000 |
        | no credit_threat    |     61 |      1 |    0 |  1.0000 |   1,234,567 |  1.50 | 30,000,000 |
        | no credit_influence |     45 |      0 |   15 | <0.0001 |   1,234,567 |     - | 30,000,000 |

        Off already: multi_cut, singular_confirmation.
        gained, lost: positions solved here and not with all on, and the reverse. p: two-sided probability of so uneven a split
        by chance alone (McNemar, exact), for one comparison; among many, a small one now and then is to be expected. to
        solution: nodes to the solutions of the positions solved here. ratio: nodes to solution over those with all on, summed
        where both solve. nodes: of all searches.
        ");
    }

    /// A comparison with made-up numbers.
    fn made_up(with_times: bool) -> ChoiceReport {
        let sums = |iteration, value: u64| IterationSums {
            iteration,
            positions: 12 - iteration as usize,
            iteration_nodes: 1000 * (value + 2),
            nodes: 5000 * (value + 2),
            effort: Effort {
                researches: 3 * value,
                second_searches: 100 * value,
                changes: 4,
                returns: 1,
                time_ms: with_times.then_some(1500 + value),
            },
        };
        let choice = |index: usize| ChoiceResult {
            value: Subject::Drivers.choices()[index],
            iterations: vec![sums(7, index as u64), sums(8, 2 * index as u64)],
            total: Total {
                positions: 5,
                nodes: 12_000 / (index as u64 + 1),
                effort: Effort {
                    researches: 4,
                    second_searches: 300,
                    changes: 8,
                    returns: 2,
                    time_ms: with_times.then_some(61_002),
                },
            },
        };
        ChoiceReport {
            head: Head::new(Kind::Choices, made_up_provenance(Profile::Modern)),
            param: Subject::Drivers.param(),
            suites: vec!["a.epd".to_owned()],
            positions: 5,
            refused: 0,
            choices: vec![choice(0), choice(3)],
            oscillation: None,
        }
    }

    #[test]
    fn a_comparison_with_times() {
        assert_snapshot!(made_up(true).to_text(), @r"
        Pacioli 1.2.3, profile modern, 16 MB of table
        5 positions of a.epd

        | iter | positions | root_driver | nodes | ratio | to its end | re-searches |    time |
        |------|-----------|-------------|-------|-------|------------|-------------|---------|
        |    7 |         5 | pvs         | 2,000 |  1.00 |     10,000 |           0 | 1.500 s |
        |    7 |         5 | sss         | 5,000 |  2.50 |     25,000 |           9 | 1.503 s |
        |    8 |         4 | pvs         | 2,000 |  1.00 |     10,000 |           0 | 1.500 s |
        |    8 |         4 | sss         | 8,000 |  4.00 |     40,000 |          18 | 1.506 s |

        | root_driver | positions |  nodes | ratio | re-searches |     time |
        |-------------|-----------|--------|-------|-------------|----------|
        | pvs         |         5 | 12,000 |  1.00 |           4 | 61.002 s |
        | sss         |         5 |  3,000 |  0.25 |           4 | 61.002 s |

        Each row sums over the positions in which every choice finished the iteration. nodes: of this iteration; to its end:
        since the search began; time: likewise. ratio: nodes over those of the first choice. The second table sums, for each
        position, to the last iteration shown that every choice finished.
        re-searches: searches whose window did not hold the score; with MTD(f) and SSS*, steps before the last.
        ");
    }

    #[test]
    fn a_comparison_without_times_has_no_such_column() {
        let text = made_up(false).to_text();
        assert!(!text.contains("time |") && text.contains("| sss"), "{text}");
    }

    #[test]
    fn envelopes_are_compared_by_second_searches_and_oscillation() {
        let mut report = ChoiceReport {
            param: Subject::Envelope.param(),
            head: Head::new(
                Kind::Choices,
                Provenance { nodes: Some(2_000_000), ..made_up_provenance(Profile::Modern) },
            ),
            oscillation: Some(Oscillation { fewer: 9, more: 1, p_value: 22.0 / 1024.0 }),
            ..made_up(false)
        };
        for (choice, &name) in report.choices.iter_mut().zip(Subject::Envelope.choices()) {
            choice.value = name;
        }
        assert_snapshot!(report.to_text());
    }

    #[test]
    fn a_comparison_of_nothing_says_so() {
        let mut report = made_up(true);
        for choice in &mut report.choices {
            choice.iterations.clear();
        }
        assert!(report.to_text().contains("None of the requested iterations was completed.\n"));
    }
}
