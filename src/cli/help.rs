//! What stands below the options in the help of every command: what limits a search if nothing else does, and examples.

use crate::text::grouped;

/// Examples of a command.
pub fn examples(lines: &[&str]) -> String {
    let lines: String = lines.iter().map(|line| format!("\n  pacioli {line}")).collect();
    format!("Examples:{lines}")
}

/// The nodes that limit each search if no limit is given, and examples.
pub fn limited(nodes: u64, lines: &[&str]) -> String {
    limited_by(&format!("{} nodes", grouped(nodes)), lines)
}

/// What limits each search if no limit is given, and examples.
pub fn limited_by(limit: &str, lines: &[&str]) -> String {
    format!("Without a limit: {limit}. Counts may be written as 250k, 1.5M or 1e6.\n\n{}", examples(lines))
}
