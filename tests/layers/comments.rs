//! Comments keep to the width of the code, which the formatter leaves to their authors.

use super::Violation;

/// The most characters of a line; `max_width` in rustfmt.toml.
const MAX_COLUMNS: usize = 120;

/// Whether a line is a comment, but not a row of a table, which cannot be broken.
fn is_prose(line: &str) -> bool {
    let text = line.trim_start();
    text.starts_with("//") && !text.trim_start_matches(['/', '!', ' ']).starts_with('|')
}

/// The lines of a file's comments that are too long.
pub fn too_long(path: &str, text: &str) -> Vec<Violation> {
    let lines = text.lines().zip(1..).filter(|(line, _)| is_prose(line));
    let lengths = lines.map(|(text, line)| (line, text.chars().count()));
    let long = lengths.filter(|&(_, length)| length > MAX_COLUMNS);
    let violation = |(line, length)| Violation {
        path: path.to_owned(),
        line,
        what: format!("a comment of {length} columns, more than {MAX_COLUMNS}"),
    };
    long.map(violation).collect()
}

#[test]
fn long_comments_are_found_and_tables_are_not() {
    let long = "x".repeat(MAX_COLUMNS);
    let fits = "é".repeat(MAX_COLUMNS - "// ".len());
    let text = format!("// {fits}\n    /// {long}\n//! | {long} |\nconst A: &str = \"{long}\";\n//! {long}\n");
    let lines: Vec<usize> = too_long("src/units.rs", &text).into_iter().map(|found| found.line).collect();
    assert_eq!(lines, [2, 5]);
}
