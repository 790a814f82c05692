//! What the commands print. A closed pipe or a full disk is an error of the output, never a panic.

use std::fmt::Display;
use std::io::{self, Write};

use anyhow::Context;

use crate::text::{TableStyle, narrowed, shown_lines};

/// The most characters of a line on standard error: text quoted from bad input can be of any length.
const MAX_NOTE: usize = 1000;

/// Prints a note on standard error: a warning, a rejected line; on a terminal in its width. Its control characters are
/// spaces. Write errors are ignored.
pub fn note(text: impl Display) {
    let width = terminal_size::terminal_size_of(io::stderr()).map(|(width, _)| usize::from(width.0));
    for line in shown_lines(&text.to_string()).lines() {
        let end = line.char_indices().nth(MAX_NOTE).map_or(line.len(), |(end, _)| end);
        let more = if end < line.len() { " ..." } else { "" };
        let line = format!("{}{more}\n", &line[..end]);
        let shown = width.map_or_else(|| line.clone(), |width| narrowed(&line, width, &TableStyle::PROSE));
        let _ = io::stderr().write_all(shown.as_bytes());
    }
}

/// Notes that a file was begun by a program of other commits, if it was.
pub fn note_other_commits(file: impl Display, commits: Option<&str>) {
    if let Some(commits) = commits {
        note(format_args!("{file}: begun by a program of another commit, {commits}, which may search otherwise"));
    }
}

/// What became of several attempts, all of them made: the first failure. The others are told here.
///
/// # Errors
///
/// That failure.
pub fn all_tried<const N: usize>(attempts: [anyhow::Result<()>; N]) -> anyhow::Result<()> {
    let mut failures = attempts.into_iter().filter_map(Result::err);
    let first = failures.next();
    failures.for_each(|failure| note(format_args!("error: {failure:#}")));
    first.map_or(Ok(()), Err)
}

/// Writes to standard output. A reader that stops early (`| head`) is not an error.
///
/// # Errors
///
/// Standard output cannot be written.
pub fn write_stdout(text: &str) -> anyhow::Result<()> {
    write_while_read(text).map(drop)
}

/// The same for work that goes on; false if the reader has stopped, and the work can stop too.
///
/// # Errors
///
/// Standard output cannot be written.
pub fn write_while_read(text: &str) -> anyhow::Result<bool> {
    let mut out = io::stdout().lock();
    is_read(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
}

/// What became of something written to standard output: a reader that stops early is not an error.
///
/// # Errors
///
/// Standard output cannot be written.
pub fn written(outcome: io::Result<()>) -> anyhow::Result<()> {
    is_read(outcome).map(drop)
}

/// Whether there was still a reader.
fn is_read(outcome: io::Result<()>) -> anyhow::Result<bool> {
    match outcome {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        outcome => outcome.map(|()| true).context("cannot write standard output"),
    }
}
