//! The report as tables for a terminal; they are Markdown tables too.

use std::fmt::Write as _;

use comfy_table::Table;

use super::NominalWords;
use super::model::{CreditRow, IterationRow, PositionReport, Report};
use crate::text::{NOTHING, TableStyle, aligned, grouped, seconds, shortened};

/// How the tables are shown on a terminal.
pub const TABLES: TableStyle = TableStyle {
    legends: &[LEGEND],
    ..TableStyle::without_verdicts(&[
        "failed",
        "again",
        "granted",
        "delayed",
        "paper est.",
        "awards",
        "total",
        "time",
        "max comb",
        "nominal",
        "min soft",
        "cashed",
        "PV",
        "nodes",
    ])
};
/// Headers of the table of mechanisms.
const MECHANISM_HEADERS: [&str; 8] = ["mechanism", "iter", "awards", "granted", "cashed", "delayed", "again", "failed"];
/// The legend below the tables.
const LEGEND: &str = "\
max soft: deepest leaf of the software, extensions included; max comb: deepest node, horizon search and quiescence
included. nodes: of this iteration; total, time: since the search began. awards, granted, cashed: how often credit was
awarded, the sum in plies, and plies of extension paid from it; delayed: those of them that the last award alone would
not have paid. again, failed: searches repeated with new credit, and those whose good score did not hold. Scores are
for the side to move.
";
/// What the row of the envelope has, below tables of mechanisms.
pub(super) const ENVELOPE_LEGEND: &str =
    "envelope: awards kept in the table; what they pay counts for the mechanism that earned them.\n";
const LEGEND_PAPER: &str = "paper: ";

/// Writes the report as text.
pub fn to_text(report: &Report) -> String {
    let mut text = format!("{}\n", report.head.provenance.heading());
    let nominal = NominalWords::of(&report.head.provenance);
    for position in &report.positions {
        text.push('\n');
        push_position(&mut text, position, nominal.header);
    }
    text.push('\n');
    text.push_str(nominal.legend);
    text.push_str(LEGEND);
    text.push_str(ENVELOPE_LEGEND);
    if let Some(legend) = report.legend_of_mark() {
        let _ = writeln!(text, "{legend}");
    }
    if let Some(source) = report.positions.iter().find_map(|position| position.paper_source) {
        let _ = writeln!(text, "{LEGEND_PAPER}{source}.");
    }
    text
}

/// One position: heading, its iterations, its mechanisms.
fn push_position(text: &mut String, report: &PositionReport, nominal: &str) {
    if let Some(name) = &report.id {
        let _ = writeln!(text, "{name}");
    }
    let _ = writeln!(text, "{}\n", report.fen);
    if !report.iterations.is_empty() {
        let _ = writeln!(text, "{}", iteration_table(report, nominal));
    }
    if let Some(ending) = report.ending() {
        let gap = if report.iterations.is_empty() { "" } else { "\n" };
        let _ = writeln!(text, "{gap}{ending}");
    }
    if report.iterations.iter().any(|row| !row.mechanisms.is_empty()) {
        let _ = writeln!(text, "\n{}", mechanism_table(report));
    }
}

/// Headers of the main table.
fn headers(nominal: &str, with_paper: bool, with_time: bool) -> Vec<&str> {
    let mut headers = vec!["iter", nominal, "max soft"];
    headers.extend(with_paper.then_some("paper"));
    headers.push("max comb");
    headers.extend(with_paper.then_some("paper est."));
    headers.extend(["nodes", "total"]);
    headers.extend(with_time.then_some("time"));
    headers.extend(["score", "awards", "granted", "cashed", "delayed", "again", "failed", "PV"]);
    headers
}

/// The main table, with the paper's columns and times if there are any.
fn iteration_table(report: &PositionReport, nominal: &str) -> Table {
    let with_paper = report.iterations.iter().any(|row| row.paper.is_some());
    let with_time = report.iterations.iter().any(|row| row.time_ms.is_some());
    let mut table = aligned(&headers(nominal, with_paper, with_time), &["PV"]);
    for row in &report.iterations {
        table.add_row(iteration_cells(row, with_paper, with_time));
    }
    table
}

/// The cells of one iteration, in the order of the headers.
fn iteration_cells(row: &IterationRow, with_paper: bool, with_time: bool) -> Vec<String> {
    let paper = row.paper.as_ref();
    let or_nothing = |cell: Option<String>| cell.unwrap_or_else(|| NOTHING.to_owned());
    let mut cells = vec![row.marked(), row.nominal_depth.to_string(), row.max_software.to_string()];
    if with_paper {
        cells.push(or_nothing(paper.map(|paper| paper.max_software.to_string())));
    }
    cells.push(row.max_combined.to_string());
    if with_paper {
        let range = paper.map(|paper| format!("{}-{}", paper.estimated_combined_low, paper.estimated_combined_high));
        cells.push(or_nothing(range));
    }
    cells.extend([grouped(row.iteration_nodes), grouped(row.nodes)]);
    if with_time {
        cells.push(or_nothing(row.time_ms.map(seconds)));
    }
    cells.push(row.score.to_string());
    cells.extend(credit_cells(&row.credit));
    cells.push(shortened(row.pv.text()));
    cells
}

/// The six credit cells, the same in every table.
pub(super) fn credit_cells(credit: &CreditRow) -> [String; 6] {
    [
        grouped(credit.awards),
        plies(credit.granted_plies),
        grouped(credit.cashed_plies),
        grouped(credit.delayed_plies),
        grouped(credit.second_searches),
        grouped(credit.failures),
    ]
}

/// What each mechanism did, grouped by mechanism to show its growth over the iterations.
fn mechanism_table(report: &PositionReport) -> Table {
    let mut table = aligned(&MECHANISM_HEADERS, &["mechanism"]);
    let mut rows: Vec<_> =
        report.iterations.iter().flat_map(|row| row.mechanisms.iter().map(move |m| (row.iteration, m))).collect();
    rows.sort_by_key(|(iteration, row)| (row.mechanism, *iteration));
    for (iteration, row) in rows {
        let head = [row.mechanism.to_string(), iteration.to_string()];
        table.add_row(head.into_iter().chain(credit_cells(&row.credit)));
    }
    table
}

/// An amount of credit in plies with two decimals, halves to the even one as everywhere else.
fn plies(amount: f64) -> String {
    let hundredths = (amount * 100.0).round_ties_even() as u64;
    format!("{}.{:02}", grouped(hundredths / 100), hundredths % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_first_is_in_a_table() {
        let [minimum, nominal] = ["min soft", "nominal"].map(|nominal| headers(nominal, true, true));
        let known = [minimum, nominal, MECHANISM_HEADERS.to_vec()].concat();
        TABLES.check(&known);
    }
}
