//! Tables for a terminal.

use comfy_table::presets::{ASCII_MARKDOWN, NOTHING};
use comfy_table::{Cell, CellAlignment, ColumnConstraint, Table, TableComponent};

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

/// The same table without the columns in which no row has anything.
pub fn without_empty(mut table: Table) -> Table {
    let columns = table.column_count();
    let is_empty = |&column: &usize| {
        let cells = table.row_iter().filter_map(|row| row.cell_iter().nth(column));
        !table.is_empty() && cells.into_iter().all(|cell| cell.content().is_empty())
    };
    let empty: Vec<usize> = (0..columns).filter(is_empty).collect();
    for column in empty {
        table.column_mut(column).into_iter().for_each(|column| {
            column.set_constraint(ColumnConstraint::Hidden);
        });
    }
    table
}

/// Adds a table and an empty line to a text.
pub fn push(text: &mut String, table: &Table) {
    for line in table.to_string().lines() {
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_without_contents_are_left_out() {
        let mut table = plain(&["a", "b", "c"]);
        table.add_row(["1", "", "3"]).add_row(["", "", "4"]);
        let text = without_empty(table).to_string();
        assert!(text.contains('a') && text.contains('c') && !text.contains('b'), "{text}");
        // A table without rows keeps its headers.
        assert!(without_empty(plain(&["a"])).to_string().contains('a'));
    }
}
