//! What stands below the options in the help of every command: what limits a search if nothing else does, what becomes
//! of tables that are too wide, and examples.

use crate::text::{TableStyle, grouped};

/// Said of commands that do not search.
pub const NO_SEARCH: &str = "Nothing is searched.";

/// Notes, each a paragraph, and examples of a command.
pub fn help(notes: &[&str], examples: &[&str]) -> String {
    let notes: String = notes.iter().map(|note| format!("{note}\n\n")).collect();
    let examples: String = examples.iter().map(|line| format!("\n  pacioli {line}").trim_end().to_owned()).collect();
    format!("{notes}Examples:{examples}")
}

/// The nodes that limit each search if no limit is given.
pub fn limit(nodes: u64) -> String {
    limit_by(&format!("{} nodes", grouped(nodes)))
}

/// What limits each search if no limit is given.
pub fn limit_by(limit: &str) -> String {
    format!("Without a limit: {limit}. Counts may be written as 250k, 1.5M or 1e6.")
}

/// What a terminal does that is too narrow for the tables.
pub fn columns(style: &TableStyle) -> String {
    let folded = match style.folded {
        [] => String::new(),
        names => format!("the cells of {} take several lines; then ", listed(names)),
    };
    let cut = match style.cut {
        [] => String::new(),
        names => format!("long names in the columns {} lose their middle; then ", listed(names)),
    };
    format!("On a narrow terminal {folded}{cut}tables lose columns in this order: {}.", listed(style.first_to_go))
}

/// Headers of columns in a sentence; the one without a header has remarks.
fn listed(names: &[&str]) -> String {
    names.iter().map(|name| if name.is_empty() { "remarks" } else { name }).collect::<Vec<_>>().join(", ")
}
