//! `pacioli compare`: what a change did, position by position.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde::Serialize;

use super::EXIT_DONE;
use super::output::{all_tried, note};
use super::read::{is_standard, read_runs};
use super::screen::show;
use super::write::{check_outputs, write_if};
use crate::json;
use crate::runner::{Head, Kind, Provenance};
use crate::suite::{self, Comparison, NamedRun, SuiteReport};
use crate::text::{TableStyle, counted};

/// Arguments of `compare`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Two files written by `pacioli solve --json`, the earlier run first; or one that holds several runs, the first of
    /// which is compared with each of the others.
    #[arg(value_name = "FILE", required = true, num_args = 1..=2)]
    files: Vec<PathBuf>,
    /// The name of a run in all outputs; once for each run, in order. By default, the program with its settings, and
    /// the file if there are two.
    #[arg(long = "label", value_name = "NAME")]
    labels: Vec<String>,
    /// Write the comparison as JSON; `-` writes it to standard output instead of the text.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Draw the number of positions solved against nodes, and against time if the runs have times, as SVG.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write the comparison as an HTML page; of several runs, the first two.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write the comparison as Markdown tables, for a pull request or an issue.
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
}

/// One of two runs.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Compared<'a> {
    /// The run's name: the label given, or the program and its settings.
    name: &'a str,
    /// What the run was made with.
    provenance: &'a Provenance,
}

/// The comparison of two runs.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Outcome<'a> {
    /// The version of the form, and the comparing program.
    #[serde(flatten)]
    head: Head,
    /// The first run.
    before: Compared<'a>,
    /// The second run.
    after: Compared<'a>,
    #[serde(flatten)]
    comparison: &'a Comparison,
}

/// Runs the command.
///
/// # Errors
///
/// A file that cannot be read or written, runs that have no position in common, or another number of labels than runs.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let outputs = args.outputs();
    check_outputs(outputs.clone(), &args.files)?;
    let runs = args.runs()?;
    let named: Vec<NamedRun> = runs.iter().map(|(name, report)| NamedRun { name, report }).collect();
    let [first, others @ ..] = &named[..] else { bail!("nothing to compare") };
    if others.is_empty() {
        bail!("{}: only one run, but two are needed", args.files[0].display());
    }
    let mut comparisons = Vec::with_capacity(others.len());
    for run in others {
        let comparison = Comparison::new(first.report, run.report);
        if comparison.positions == 0 {
            bail!("{} and {} have no position in common", first.name, run.name);
        }
        comparisons.push((run.name, comparison));
    }
    let json_lines = || {
        let mut lines = String::new();
        for (run, (_, comparison)) in others.iter().zip(&comparisons) {
            let outcome = Outcome {
                head: Head::new(Kind::Compare, Provenance::of_program()),
                before: compared(first),
                after: compared(run),
                comparison,
            };
            lines.push_str(&json::line(&outcome).context("cannot write JSON")?);
        }
        Ok(lines)
    };
    let each = |form: fn(&Comparison, &str, &str) -> String| {
        let texts: Vec<String> = comparisons.iter().map(|(after, split)| form(split, first.name, after)).collect();
        texts.join("\n")
    };
    let is_shown = !outputs.clone().any(is_standard);
    if !is_shown && let Some(warning) = comparisons.iter().find_map(|(_, split)| split.warning()) {
        note(format_args!("warning: {warning}")); // the text, where it is shown, says so itself
    }
    all_tried([
        write_if(&args.json, json_lines),
        write_if(&args.svg, || Ok(suite::to_curves(&named))),
        write_if(&args.html, || Ok(suite::to_comparison_page(*first, others[0], &comparisons[0].1))),
        write_if(&args.markdown, || Ok(each(Comparison::to_markdown))),
        if is_shown { show(&each(Comparison::to_text), &TableStyle::PROSE) } else { Ok(()) },
    ])?;
    Ok(EXIT_DONE)
}

/// A run, for JSON.
fn compared<'a>(run: &NamedRun<'a>) -> Compared<'a> {
    Compared { name: run.name, provenance: &run.report.run.head.provenance }
}

impl Args {
    /// The files to write.
    fn outputs(&self) -> impl Iterator<Item = &Path> + Clone {
        [&self.json, &self.svg, &self.html, &self.markdown].into_iter().flatten().map(PathBuf::as_path)
    }

    /// The runs of all files with their names.
    fn runs(&self) -> anyhow::Result<Vec<(String, SuiteReport)>> {
        let (mut names, mut runs) = (Vec::new(), Vec::new());
        for file in &self.files {
            let found = read_runs(file)?;
            let source = if self.files.len() > 1 { format!(" ({})", file.display()) } else { String::new() };
            names.extend(suite::distinguished(&found).into_iter().map(|label| label + &source));
            runs.extend(found);
        }
        if self.labels.is_empty() {
            names = suite::numbered(names);
        } else if self.labels.len() == runs.len() {
            names.clone_from(&self.labels);
        } else {
            bail!("{} with --label for {}", counted(self.labels.len(), "name"), counted(runs.len(), "run"));
        }
        Ok(names.into_iter().zip(runs).collect())
    }
}
