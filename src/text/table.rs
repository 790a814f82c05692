//! Tables for a terminal.

use comfy_table::presets::{ASCII_MARKDOWN, NOTHING};
use comfy_table::{Cell, CellAlignment, Table, TableComponent};

/// An empty Markdown table whose columns, except those named in `left`, are right-aligned.
pub fn aligned(headers: &[&str], left: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_preset(ASCII_MARKDOWN).set_header(headers.iter().copied());
    for (column, header) in table.column_iter_mut().zip(headers) {
        let alignment = if left.contains(header) { CellAlignment::Left } else { CellAlignment::Right };
        column.set_cell_alignment(alignment);
    }
    table
}

/// An empty table without borders, with a line below its headers.
pub fn plain(headers: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_preset(NOTHING).set_header(headers.iter().copied());
    table.set_style(TableComponent::HeaderLines, '-').set_style(TableComponent::MiddleHeaderIntersections, '-');
    table
}

/// A cell with a number, or empty.
pub fn number(value: Option<impl ToString>) -> Cell {
    Cell::new(value.map_or_else(String::new, |value| value.to_string())).set_alignment(CellAlignment::Right)
}

/// Adds a table and an empty line to a text.
pub fn push(text: &mut String, table: &Table) {
    for line in table.to_string().lines() {
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text.push('\n');
}
