//! `pacioli lint`: looks for mistakes in test suites.

use std::fmt::Write;
use std::path::PathBuf;

use anyhow::Context;

use super::output::write_stdout;
use super::suites::{is_standard, load, write_output};
use super::{EXIT_DONE, EXIT_NOT_HELD};
use crate::suite::{self, Severity};

/// Arguments of `lint`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// EPD files; `-` reads standard input.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Write the findings as JSON; `-` writes them to standard output in place of the text.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// Runs the command.
///
/// # Errors
///
/// A file that cannot be read or written.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let suites = load(&args.files)?;
    let findings = suite::lint(&suites);
    if let Some(path) = &args.json {
        let report = serde_json::json!({ "schema": suite::SCHEMA, "findings": findings });
        let json = serde_json::to_string_pretty(&report).context("cannot write JSON")?;
        write_output(path, &format!("{json}\n"))?;
    }
    if !args.json.as_deref().is_some_and(is_standard) {
        let mut text = String::new();
        for finding in &findings {
            let _ = writeln!(text, "{finding}");
        }
        let records: usize = suites.iter().map(|suite| suite.records.len() + suite.refused.len()).sum();
        let errors = findings.iter().filter(|finding| finding.severity == Severity::Error).count();
        let _ = writeln!(text, "{records} lines: {errors} errors, {} warnings", findings.len() - errors);
        write_stdout(&text)?;
    }
    Ok(if findings.is_empty() { EXIT_DONE } else { EXIT_NOT_HELD })
}
