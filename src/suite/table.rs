//! Results for people: a table for each suite and the lines that sum it up.

use comfy_table::{Cell, CellAlignment, Table, TableComponent, presets};

use super::model::{PositionResult, SuiteReport, Summary};
use super::{MateLine, Milestone};

/// A table for each suite that has results, headed by its name where there are several.
pub fn tables(report: &SuiteReport) -> String {
    let mut text = String::new();
    let mut results = report.positions.iter();
    for suite in report.suites.iter().filter(|suite| suite.positions > 0) {
        if report.suites.len() > 1 {
            text.push_str(&format!("{}\n", suite.name));
        }
        // By count, not by name: the same file may be given twice.
        text.push_str(&table(results.by_ref().take(suite.positions), suite.max_points.is_some()).to_string());
        text.push_str("\n\n");
    }
    if !report.themes.is_empty() {
        text.push_str(&theme_table(&report.themes).to_string());
        text.push_str("\n\n");
    }
    text
}

/// An empty table with a heading.
fn headed(titles: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING).set_header(titles.iter().copied());
    table.set_style(TableComponent::HeaderLines, '-').set_style(TableComponent::MiddleHeaderIntersections, '-');
    table
}

/// A cell with a number, or empty.
fn number(value: Option<impl ToString>) -> Cell {
    Cell::new(value.map_or_else(String::new, |value| value.to_string())).set_alignment(CellAlignment::Right)
}

/// One row for each position.
fn table<'a>(results: impl Iterator<Item = &'a PositionResult>, with_points: bool) -> Table {
    let mut titles = vec!["id", "expected", "played", "score", "solved", "iteration", "time", "nodes"];
    if with_points {
        titles.push("points");
    }
    titles.push("");
    let mut table = headed(&titles);
    for result in results {
        let at: Option<Milestone> = result.solution;
        let mut row = vec![
            Cell::new(&result.id),
            Cell::new(&result.expected),
            Cell::new(result.played.as_deref().unwrap_or("-")),
            number(Some(result.score)),
            Cell::new(if result.solved { "yes" } else { "no" }),
            number(at.map(|at| at.iteration)),
            number(at.map(|at| seconds(at.time_ms))),
            number(at.map(|at| grouped(at.nodes))),
        ];
        if with_points {
            row.push(number(result.points));
        }
        row.push(Cell::new(remark(result)));
        table.add_row(row);
    }
    table
}

/// What else is to be said of a result.
fn remark(result: &PositionResult) -> String {
    let mut remarks = Vec::new();
    if result.left_again {
        let first = result.first_seen.map_or(0, |at| at.iteration);
        let back = if result.solution.is_some() { ", taken up again" } else { "" };
        remarks.push(format!("found in {first}, left again{back}"));
    }
    match result.mate_line {
        Some(MateLine::Short) => remarks.push("line ends before the mate".to_owned()),
        Some(MateLine::Wrong) => remarks.push("line does not mate".to_owned()),
        Some(MateLine::Mates) | None => {}
    }
    remarks.join("; ")
}

/// One row for each theme.
fn theme_table(themes: &[Summary]) -> Table {
    let mut table = headed(&["theme", "positions", "solved", "points", "of", "percent"]);
    for theme in themes {
        table.add_row(vec![
            Cell::new(&theme.name),
            number(Some(theme.positions)),
            number(Some(theme.solved)),
            number(theme.points),
            number(theme.max_points),
            number(theme.points.zip(theme.max_points).map(|(points, max)| percent(points, max))),
        ]);
    }
    table
}

/// The summary: a line for each suite where there are several, and the sum.
pub fn summary_lines(report: &SuiteReport) -> Vec<String> {
    let mut lines = Vec::new();
    if report.suites.len() > 1 {
        lines.extend(report.suites.iter().map(|suite| format!("{}: {}", suite.name, summary(suite))));
    }
    lines.push(summary(&report.total));
    lines
}

/// One line that sums up.
fn summary(sum: &Summary) -> String {
    let mut parts = vec![format!("solved {} of {}", sum.solved, sum.positions)];
    if let (Some(points), Some(max)) = (sum.points, sum.max_points) {
        parts.push(format!("{points} of {max} points ({})", percent(points, max)));
    }
    if sum.lost > 0 {
        parts.push(format!("{} found and left again", sum.lost));
    }
    if sum.unshown_mates > 0 {
        parts.push(format!("{} of {} mates not shown by their line", sum.unshown_mates, sum.mates));
    }
    if sum.refused > 0 {
        parts.push(format!("{} refused", counted(sum.refused, "line")));
    }
    if sum.taskless > 0 {
        parts.push(format!("{} with nothing to solve", counted(sum.taskless, "line")));
    }
    parts.push(format!("{} nodes in {}", grouped(sum.nodes), seconds(sum.time_ms)));
    if let (Some(time), Some(nodes)) = (sum.mean_solution_time_ms, sum.mean_solution_nodes) {
        parts.push(format!("mean to solution {} and {} nodes", seconds(time as u64), grouped(nodes as u64)));
    }
    parts.join(", ")
}

/// `1 line`, `2 lines`.
fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// A share in percent with one decimal.
fn percent(part: u64, whole: u64) -> String {
    format!("{:.1} %", 100.0 * part as f64 / whole.max(1) as f64)
}

/// Milliseconds in seconds.
fn seconds(milliseconds: u64) -> String {
    format!("{}.{:03} s", milliseconds / 1000, milliseconds % 1000)
}

/// A number with its digits in groups of three.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_readable() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1 000", "1 234 567"]);
        assert_eq!((seconds(0), seconds(12_034)), ("0.000 s".to_owned(), "12.034 s".to_owned()));
        assert_eq!((percent(1, 3), percent(0, 0)), ("33.3 %".to_owned(), "0.0 %".to_owned()));
    }
}
