//! The comparison as Markdown tables, for a pull request or an issue.

use super::{Comparison, Difference};
use crate::text::{POINT_OF_VIEW, grouped, percent, probability, shown};

/// A column: its title, and its cells.
struct Column {
    title: &'static str,
    is_text: bool,
    cells: Vec<String>,
}

impl Comparison {
    /// The comparison as Markdown: a row for each run, the settings in which they differ, and a row for each position
    /// gained or lost. A column without contents is left out.
    pub fn to_markdown(&self, before: &str, after: &str) -> String {
        let mut parts = vec![self.runs(before, after)];
        if !self.settings.is_empty() {
            let settings: Vec<String> = self.settings.iter().map(|setting| escaped(&setting.shown())).collect();
            parts.push(format!("Different settings: {}.\n", settings.join("; ")));
        }
        parts.extend(self.warning().map(|warning| format!("**Warning:** {warning}.\n")));
        parts.extend(self.left_out().map(|left_out| format!("{left_out}.\n")));
        if !(self.gained.is_empty() && self.lost.is_empty()) {
            parts.push(format!("{POINT_OF_VIEW}\n"));
        }
        for (title, list) in [("gained", &self.gained), ("lost", &self.lost)] {
            if !list.is_empty() {
                parts.push(positions(title, list));
            }
        }
        parts.join("\n")
    }

    /// A row for each run.
    fn runs(&self, before: &str, after: &str) -> String {
        let solved = |solved: usize| {
            let share = percent(solved as u64, self.positions as u64);
            format!("{} of {} ({share})", grouped(solved as u64), grouped(self.positions as u64))
        };
        let points = |points: Option<u64>| points.map_or_else(String::new, grouped);
        let both = &self.both_solve;
        let nodes = |sum: u64| both.node_ratio.map_or_else(String::new, |_| grouped(both.mean(sum)));
        let ratio = both.node_ratio.map_or_else(String::new, |ratio| format!("{ratio:.2}"));
        let second = |value: String| vec![String::new(), value];
        let number = |title, cells| Column { title, is_text: false, cells };
        let names = vec![format!("A: {before}"), format!("B: {after}")];
        table(&[
            Column { title: "run", is_text: true, cells: names },
            number("solved", vec![solved(self.before_solved), solved(self.after_solved)]),
            number("points", vec![points(self.before_points), points(self.after_points)]),
            number("gained", second(grouped(self.gained.len() as u64))),
            number("lost", second(grouped(self.lost.len() as u64))),
            number("p (McNemar)", second(probability(self.p_value))),
            number("mean nodes if both solve", vec![nodes(both.before_nodes), nodes(both.after_nodes)]),
            number("nodes B/A (geometric mean)", second(ratio)),
        ])
    }
}

/// A row for each position.
fn positions(title: &'static str, list: &[Difference]) -> String {
    let column = |title, cell: fn(&Difference) -> String| Column {
        title,
        is_text: true,
        cells: list.iter().map(cell).collect(),
    };
    table(&[
        column(title, |difference| difference.id.clone()),
        column("expected", |difference| difference.expected.to_string()),
        column("A", |difference| difference.before_answer.to_string()),
        column("B", |difference| difference.after_answer.to_string()),
    ])
}

/// Columns of equal length as a table.
fn table(columns: &[Column]) -> String {
    let columns: Vec<&Column> =
        columns.iter().filter(|column| column.cells.iter().any(|cell| !cell.is_empty())).collect();
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let mut text = line(columns.iter().map(|column| column.title.to_owned()).collect());
    let rule: Vec<&str> = columns.iter().map(|column| if column.is_text { ":---" } else { "---:" }).collect();
    text.push_str(&format!("|{}|\n", rule.join("|")));
    let rows = columns.iter().map(|column| column.cells.len()).min().unwrap_or(0);
    for row in 0..rows {
        text.push_str(&line(columns.iter().map(|column| escaped(&column.cells[row])).collect()));
    }
    text
}

/// Text that Markdown shows as it is: nothing in it ends a cell, begins a tag or emphasis, or refers to an issue.
fn escaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '|' | '<' | '*' | '_' | '`' | '[' | '\\' | '#') {
            plain.push('\\');
        }
        plain.push(shown(c));
    }
    plain
}
