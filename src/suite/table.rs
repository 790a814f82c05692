//! Results for people: a table for each suite and summary lines.

use std::fmt::Write as _;

use comfy_table::{Cell, Table};

use super::labels::labels;
use super::model::{SuiteReport, Summary, all_points, all_positions, all_themes, points_remark};
use super::position_result::PositionResult;
use super::{Comparison, MateLine, Milestone};
use crate::text::{
    NOTHING, POINT_OF_VIEW, TableStyle, counted, grouped, nearest, number, percent, plain, probability, push, seconds,
    without_empty,
};

/// Adds a table without its empty columns.
fn push_without_empty(text: &mut String, table: Table) {
    push(text, &without_empty(table));
}

/// How the tables are shown on a terminal.
pub const TABLES: TableStyle = TableStyle {
    verdict,
    cut: &["id", THEME, ENGINE],
    ..TableStyle::without_verdicts(&["mean nodes to solution", "", "iteration", "time", "expected", "nodes", "points"])
};
/// The column that says whether a position is solved, and what the columns of several engines start with.
const SOLVED: &str = "solved";
const ENGINE: &str = "engine";
/// The column of themes.
const THEME: &str = "theme";
/// Verdicts.
const YES: &str = "yes";
const NO: &str = "no";

/// A table for each suite that has results, headed by its name if there are several, and one for the themes.
pub fn tables(report: &SuiteReport) -> String {
    let mut text = String::new();
    let mut results = report.positions.iter();
    for suite in report.suites.iter().filter(|suite| suite.positions > 0) {
        if report.suites.len() > 1 {
            text.push_str(&format!("{}\n", suite.name));
        }
        push_without_empty(&mut text, table(results.by_ref().take(suite.positions), suite.max_points.is_some()));
    }
    if !text.is_empty() {
        let _ = writeln!(text, "{POINT_OF_VIEW}\n");
    }
    if !report.themes.is_empty() {
        push_without_empty(&mut text, theme_table(std::slice::from_ref(report)));
    }
    text
}

/// Several engines over the same suites in one table: each one's answers and when it was right.
pub fn side_by_side(reports: &[SuiteReport]) -> String {
    let mut text = String::new();
    let labels = labels(reports);
    for (number, label) in (1..).zip(&labels) {
        text.push_str(&format!("engine {number}: {label}\n"));
    }
    text.push('\n');
    let numbers: Vec<String> = (1..=reports.len()).map(|number| format!("{ENGINE} {number}")).collect();
    let mut titles = vec!["id", "expected"];
    titles.extend(numbers.iter().map(String::as_str));
    let mut table = plain(&titles);
    for result in all_positions(reports) {
        let mut row = vec![Cell::new(&result.id), Cell::new(&result.expected)];
        row.extend(reports.iter().map(|report| Cell::new(answer(report, result.index))));
        table.add_row(row);
    }
    push_without_empty(&mut text, table);
    if reports.iter().any(|report| !report.themes.is_empty()) {
        push_without_empty(&mut text, theme_table(reports));
    }
    let splits = Comparison::with_first(reports);
    push_without_empty(&mut text, engine_table(reports, &labels, &splits));
    if let Some(warning) = splits.iter().flatten().find_map(Comparison::warning) {
        let _ = writeln!(text, "warning: {warning}\n");
    }
    if let Some(remark) = points_remark(reports) {
        let _ = writeln!(text, "{remark}\n");
    }
    text
}

/// An engine's answer in a position: when it was right, or what it played instead of the solution.
fn answer(report: &SuiteReport, index: usize) -> String {
    let Some(result) = report.result(index) else { return NOTHING.to_owned() };
    let points = result.points.map(|points| format!(", {points} points")).unwrap_or_default();
    match result.solution {
        Some(at) => format!("{YES}, {} at {}{points}", grouped(at.nodes), at.iteration),
        None => format!("{NO}, {}{points}", result.played_san().unwrap_or(NOTHING)),
    }
}

/// What the table of engines has after their names: title and cells of each column. The others are compared with the
/// first, where both have positions.
pub(super) fn engine_columns(
    reports: &[SuiteReport],
    splits: &[Option<Comparison>],
) -> Vec<(&'static str, Vec<Option<String>>)> {
    let of_runs = |cell: fn(&SuiteReport) -> Option<String>| reports.iter().map(cell).collect();
    let of_splits = |cell: fn(&Comparison) -> String| splits.iter().map(|split| split.as_ref().map(cell)).collect();
    vec![
        (SOLVED, of_runs(|report| Some(report.total.solved.to_string()))),
        ("of", of_runs(|report| Some(report.total.positions.to_string()))),
        ("not done", of_runs(|report| (report.missing() > 0).then(|| report.missing().to_string()))),
        ("percent", of_runs(|report| Some(percent(report.total.solved as u64, report.total.positions as u64)))),
        ("points", all_points(reports).into_iter().map(|points| points.map(grouped)).collect()),
        ("STS rating", of_runs(|report| report.total.sts_rating.map(|rating| rating.to_string()))),
        ("gained", of_splits(|split| split.gained.len().to_string())),
        ("lost", of_splits(|split| split.lost.len().to_string())),
        ("p", of_splits(|split| probability(split.p_value))),
        ("nodes", of_runs(|report| Some(grouped(report.total.nodes)))),
        (
            "mean nodes to solution",
            of_runs(|report| report.total.mean_solution_nodes.map(|nodes| grouped(nearest(nodes)))),
        ),
    ]
}

/// One row for each engine.
fn engine_table(reports: &[SuiteReport], labels: &[String], splits: &[Option<Comparison>]) -> Table {
    let columns = engine_columns(reports, splits);
    let mut titles = vec![ENGINE];
    titles.extend(columns.iter().map(|(title, _)| title));
    let mut table = plain(&titles);
    for (index, label) in labels.iter().enumerate() {
        let mut row = vec![Cell::new(label)];
        row.extend(columns.iter().map(|(_, cells)| number(cells[index].as_ref())));
        table.add_row(row);
    }
    table
}

/// What the cell of a column says of a position: solved or not.
fn verdict(header: &str, cell: &str) -> Option<bool> {
    let is_verdict = header == SOLVED || header.strip_prefix(ENGINE).is_some_and(|number| number.starts_with(' '));
    match cell.trim_start().split([' ', ',']).next().filter(|_| is_verdict)? {
        YES => Some(true),
        NO => Some(false),
        _ => None,
    }
}

/// Headers of the table of positions.
fn headers(with_times: bool, with_points: bool) -> Vec<&'static str> {
    let mut headers = vec!["id", "expected", "played", "score", SOLVED, "iteration"];
    headers.extend(with_times.then_some("time"));
    headers.push("nodes");
    headers.extend(with_points.then_some("points"));
    headers.push("");
    headers
}

/// One row for each position. A column without contents, such as the remarks, is not shown.
fn table<'a>(results: impl Iterator<Item = &'a PositionResult>, with_points: bool) -> Table {
    let results: Vec<&PositionResult> = results.collect();
    let with_times = results.iter().any(|result| result.time_ms.is_some());
    let mut table = plain(&headers(with_times, with_points));
    for result in results {
        let at: Option<Milestone> = result.solution;
        let mut row = vec![
            Cell::new(&result.id),
            Cell::new(&result.expected),
            Cell::new(result.played_san().unwrap_or(NOTHING)),
            number(Some(result.score)),
            Cell::new(if result.solved { YES } else { NO }),
            number(at.map(|at| at.iteration)),
        ];
        if with_times {
            row.push(number(at.and_then(|at| at.time_ms).map(seconds)));
        }
        row.push(number(at.map(|at| grouped(at.nodes))));
        if with_points {
            row.push(number(result.points));
        }
        row.push(Cell::new(remark(result)));
        table.add_row(row);
    }
    table
}

/// What became of the first right answer: that it was left again, and whether it was taken up again, or that it was not
/// held long enough; `None` if it is the solution, or there is none.
pub(super) fn fate(left_again: bool, first_seen: Option<Milestone>, solution: Option<Milestone>) -> Option<String> {
    let end = match (left_again, solution) {
        (true, Some(_)) if solution != first_seen => "left again, taken up again",
        (true, _) => "left again",
        (false, None) => "not held long enough",
        (false, Some(_)) => return None,
    };
    Some(format!("found in {}, {end}", first_seen?.iteration))
}

/// Remarks on a result.
fn remark(result: &PositionResult) -> String {
    let mut remarks = Vec::new();
    remarks.extend(fate(result.left_again, result.first_seen, result.solution));
    remarks.extend(result.mate_line.and_then(MateLine::fault).map(str::to_owned));
    remarks.join("; ")
}

/// One row for each theme, with the points of each engine.
fn theme_table(reports: &[SuiteReport]) -> Table {
    let several = reports.len() > 1;
    let mut titles = vec![THEME.to_owned(), "positions".to_owned()];
    for number in 1..=reports.len() {
        let suffix = if several { format!(" {number}") } else { String::new() };
        titles.extend(["solved", "points", "of", "percent"].map(|title| format!("{title}{suffix}")));
    }
    let mut table = plain(&titles.iter().map(String::as_str).collect::<Vec<_>>());
    for (name, positions) in all_themes(reports) {
        let mut row = vec![Cell::new(name), number(Some(positions))];
        for report in reports {
            let own = report.themes.iter().find(|own| own.name == name);
            let points = own.and_then(|own| own.points);
            let max = own.and_then(|own| own.max_points);
            row.extend([number(own.map(|own| own.solved)), number(points.map(grouped)), number(max.map(grouped))]);
            row.push(number(points.zip(max).map(|(points, max)| percent(points, max))));
        }
        table.add_row(row);
    }
    table
}

/// The summary: a line for each suite if there are several, and the total.
pub fn summary_lines(report: &SuiteReport) -> Vec<String> {
    let mut lines = Vec::new();
    if report.suites.len() > 1 {
        lines.extend(report.suites.iter().map(|suite| format!("{}: {}", suite.name, summary(suite))));
    }
    lines.push(summary(&report.total));
    lines.extend(report.sts_remark());
    if report.missing() > 0 {
        lines.push(format!(
            "incomplete: {} of {} not done",
            counted(report.missing(), "position"),
            report.run.wanted()
        ));
    }
    lines
}

/// One summary line.
fn summary(sum: &Summary) -> String {
    let mut parts = vec![format!("solved {} of {}", grouped(sum.solved as u64), grouped(sum.positions as u64))];
    if let (Some(points), Some(max)) = (sum.points, sum.max_points) {
        parts.push(format!("{} of {} points ({})", grouped(points), grouped(max), percent(points, max)));
    }
    if sum.lost > 0 {
        parts.push(format!("{} found and left again", sum.lost));
    }
    parts.extend(shortcomings(sum));
    let in_time = sum.time_ms.map(|time| format!(" in {}", seconds(time))).unwrap_or_default();
    parts.push(format!("{} nodes{in_time}", grouped(sum.nodes)));
    if let Some(nodes) = sum.mean_solution_nodes {
        let time = sum.mean_solution_time_ms.map(|time| format!("{} and ", seconds(nearest(time))));
        let nodes = grouped(nearest(nodes));
        parts.push(format!("mean to solution {}{nodes} nodes", time.unwrap_or_default()));
    }
    parts.join(", ")
}

/// What is amiss: mates that are not shown, lines that could not be read or have no task.
pub(super) fn shortcomings(sum: &Summary) -> Vec<String> {
    let mut parts = Vec::new();
    if sum.unshown_mates > 0 {
        parts.push(format!("{} of {} mates not shown by their line", sum.unshown_mates, sum.mates));
    }
    if sum.refused > 0 {
        parts.push(format!("{} refused", counted(sum.refused, "line")));
    }
    if sum.taskless > 0 {
        parts.push(format!("{} with nothing to solve", counted(sum.taskless, "line")));
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runner::Provenance;
    use crate::suite::{Rule, describe, parse};
    use crate::text::narrowed;

    #[test]
    fn what_goes_first_is_in_a_table() {
        let mut known = [&headers(true, true)[..], &[ENGINE, THEME]].concat();
        known.extend(engine_columns(&[], &[]).iter().map(|(title, _)| title));
        TABLES.check(&known);
    }

    #[test]
    fn a_right_answer_that_is_not_the_solution_was_left_or_held_too_shortly() {
        let at = |iteration| Some(Milestone { iteration, nodes: 9, time_ms: None });
        let fate = |left_again, first, solution| fate(left_again, first, solution).unwrap_or_default();
        assert_eq!(fate(true, at(2), None), "found in 2, left again");
        assert_eq!(fate(true, at(2), at(2)), "found in 2, left again");
        assert_eq!(fate(true, at(2), at(4)), "found in 2, left again, taken up again");
        assert_eq!(fate(false, at(2), None), "found in 2, not held long enough");
        assert_eq!((fate(false, at(2), at(2)), fate(false, None, None)), (String::new(), String::new()));
    }

    #[test]
    fn a_narrow_terminal_shows_all_columns_of_engines_with_long_names() {
        let report = |nodes| {
            let provenance =
                Provenance { program: "An engine of some version".to_owned(), nodes, ..Provenance::default() };
            SuiteReport::new(describe(&[parse("a.epd", b"")], provenance, Rule::End, None), Vec::new())
        };
        let text = side_by_side(&[report(Some(1000)), report(Some(3000))]);
        assert!(text.contains(" An engine of some version (nodes 3,000) "), "{text}");
        let narrow = narrowed(&text, 60, &TABLES);
        assert!(narrow.lines().all(|line| line.len() <= 60) && !narrow.contains("no room"), "{narrow}");
        assert!(narrow.contains("es 1,000) ") && narrow.contains("es 3,000) "), "{narrow}");
    }

    #[test]
    fn verdicts_are_in_their_columns_only() {
        assert_eq!(verdict("solved", " yes "), Some(true));
        assert_eq!(verdict("engine 2", " no, Kh3 "), Some(false));
        for (header, cell) in [("solved", " 12 "), ("played", " yes "), ("solved", ""), ("engine", " no ")] {
            assert_eq!(verdict(header, cell), None, "{header}");
        }
    }
}
