//! What the commands print. A closed pipe or a full disk is an error of the output, never a panic.

use std::fmt::Display;
use std::io::{self, Write};

use anyhow::Context;

/// The most characters of a line on standard error: text quoted from bad input can be of any length.
const MAX_NOTE: usize = 1000;

/// Prints a note on standard error: a warning, a rejected line. Write errors are ignored.
pub fn note(text: impl Display) {
    let text = text.to_string();
    for line in text.lines() {
        let end = line.char_indices().nth(MAX_NOTE).map_or(line.len(), |(end, _)| end);
        let more = if end < line.len() { " ..." } else { "" };
        let _ = writeln!(io::stderr(), "{}{more}", &line[..end]);
    }
}

/// Writes to standard output. A reader that stops early (`| head`) is not an error.
///
/// # Errors
///
/// Standard output cannot be written.
pub fn write_stdout(text: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error).context("cannot write standard output"),
        _ => Ok(()),
    }
}
