//! `pacioli compare`: what a change did, position by position.

use std::path::PathBuf;

use anyhow::{Context, bail};
use schemars::JsonSchema;
use serde::Serialize;

use super::EXIT_DONE;
use super::output::write_stdout;
use super::suites::{check_outputs, is_standard, read_runs, write_output};
use crate::runner::{Head, Kind, Provenance};
use crate::suite::{self, Comparison, SuiteReport};

/// Arguments of `compare`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Two files written by `pacioli solve --json`, the earlier run first; or one that holds several runs, the first of
    /// which is compared with each of the others.
    #[arg(value_name = "FILE", required = true, num_args = 1..=2)]
    files: Vec<PathBuf>,
    /// Write the comparison as JSON; `-` writes it to standard output instead of the text.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Draw the number of positions solved against nodes, and against time if the runs have times, as SVG.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write the comparison as an HTML page; of several runs, the first two.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

/// One of two runs, for JSON.
#[derive(Serialize, JsonSchema)]
struct Compared<'a> {
    name: &'a str,
    provenance: &'a Provenance,
}

/// The comparison of two runs, for JSON.
#[derive(Serialize, JsonSchema)]
pub(super) struct Outcome<'a> {
    #[serde(flatten)]
    head: Head,
    before: Compared<'a>,
    after: Compared<'a>,
    #[serde(flatten)]
    comparison: &'a Comparison,
}

/// Runs the command.
///
/// # Errors
///
/// A file that cannot be read or written, or runs that have no position in common.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let outputs = [&args.json, &args.svg, &args.html].into_iter().flatten().map(PathBuf::as_path);
    if outputs.clone().filter(|path| is_standard(path)).count() > 1 {
        bail!("only one output can go to standard output");
    }
    check_outputs(outputs.clone(), &args.files)?;
    let mut runs = Vec::new();
    for file in &args.files {
        let found = read_runs(file)?;
        let several = found.len() > 1;
        let name = file.display();
        let named = |report: SuiteReport| {
            let label = report.label();
            (if several { label.clone() } else { format!("{label} ({name})") }, report)
        };
        runs.extend(found.into_iter().map(named));
    }
    let [(before, first), others @ ..] = &runs[..] else { bail!("nothing to compare") };
    if others.is_empty() {
        bail!("{}: only one run, but two are needed", args.files[0].display());
    }
    let mut text = String::new();
    let mut lines = String::new();
    for (after, report) in others {
        let comparison = Comparison::new(first, report);
        if comparison.positions == 0 {
            bail!("{before} and {after} have no position in common");
        }
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&comparison.to_text(before, after));
        let outcome = Outcome {
            head: Head::new(Kind::Compare, Provenance::of_program()),
            before: Compared { name: before, provenance: &first.run.head.provenance },
            after: Compared { name: after, provenance: &report.run.head.provenance },
            comparison: &comparison,
        };
        lines.push_str(&serde_json::to_string(&outcome).context("cannot write JSON")?);
        lines.push('\n');
    }
    if let Some(path) = &args.json {
        write_output(path, &lines)?;
    }
    if let Some(path) = &args.svg {
        let reports: Vec<&SuiteReport> = runs.iter().map(|(_, report)| report).collect();
        write_output(path, &suite::to_curves(&reports))?;
    }
    if let Some(path) = &args.html {
        let after = &others[0].1;
        write_output(path, &suite::to_comparison_page(first, after, &Comparison::new(first, after)))?;
    }
    if !outputs.clone().any(is_standard) {
        write_stdout(&text)?;
    }
    Ok(EXIT_DONE)
}
