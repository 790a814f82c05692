//! What the commands print. A closed pipe or a full disk is an error of the output, never a panic.

use std::fmt::Display;
use std::io::{self, Write};

use anyhow::Context;

/// Says something on standard error: a warning, a refused line. Where nobody listens, it is lost.
pub fn note(text: impl Display) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// Writes to standard output. A reader that has had enough (`| head`) is no error.
///
/// # Errors
///
/// Standard output that cannot be written.
pub fn write_stdout(text: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error).context("cannot write standard output"),
        _ => Ok(()),
    }
}
