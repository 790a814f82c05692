//! The outputs that `solve` and `merge` share.

use std::path::{Path, PathBuf};

use anyhow::Context;

use super::output::{all_tried, note};
use super::screen::show;
use super::write::{check_places, check_replaceable, write_if, write_over};
use crate::runner::JournalFile;
use crate::suite::{self, SuiteReport};

/// Outputs of results.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct ResultArgs {
    /// Write the results as JSON lines. One of the outputs may be `-`: it goes to standard output instead of the table,
    /// and the summary to standard error.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Write the results as CSV, one row per position.
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Write the results as JUnit XML, for build servers.
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Write the results as a self-contained HTML page with every position.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// No table and no progress bar: only the summary and rejected lines.
    #[arg(long, short)]
    pub quiet: bool,
}

impl ResultArgs {
    /// The files to write.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        [&self.json, &self.csv, &self.junit, &self.html].into_iter().flatten().map(PathBuf::as_path)
    }

    /// Checks all outputs together with `more` before the work begins. Only the JSON file may hold what took work:
    /// what becomes of results in it is for the commands to say.
    ///
    /// # Errors
    ///
    /// As [`check_places`] and [`check_replaceable`].
    pub fn check(&self, more: Option<&Path>, inputs: &[PathBuf]) -> anyhow::Result<()> {
        let reports = [&self.csv, &self.junit, &self.html].into_iter().flatten().map(PathBuf::as_path).chain(more);
        check_places(self.paths().chain(more), inputs)?;
        check_replaceable(reports)
    }

    /// Writes the requested outputs besides the table, each if it can be, whatever happens to the others; the JSON
    /// lines to a file that is held already, if there is one.
    ///
    /// # Errors
    ///
    /// A file that cannot be written.
    pub fn write(&self, reports: &[SuiteReport], held: Option<JournalFile>) -> anyhow::Result<()> {
        all_tried([self.write_json(reports, held), self.write_reports(reports)])
    }

    /// Writes the JSON lines, likewise.
    ///
    /// # Errors
    ///
    /// A file that cannot be written.
    pub fn write_json(&self, reports: &[SuiteReport], held: Option<JournalFile>) -> anyhow::Result<()> {
        let Some(path) = &self.json else { return Ok(()) };
        let text = suite::to_jsonl(reports).context("cannot write JSON")?;
        held.map_or_else(|| write_over(path, &text), |held| Ok(held.begin(&text).map(drop)?))
    }

    /// Writes the others.
    ///
    /// # Errors
    ///
    /// A file that cannot be written.
    pub fn write_reports(&self, reports: &[SuiteReport]) -> anyhow::Result<()> {
        all_tried([
            write_if(&self.csv, || suite::to_csv(reports).context("cannot write CSV")),
            write_if(&self.junit, || suite::to_junit(reports).context("cannot write JUnit XML")),
            write_if(&self.html, || Ok(suite::to_page(reports))),
        ])
    }

    /// Prints table and summary. If another output goes to standard output (`taken`), the summary goes to standard
    /// error.
    ///
    /// # Errors
    ///
    /// Standard output cannot be written.
    pub fn tell(&self, reports: &[SuiteReport], taken: bool) -> anyhow::Result<()> {
        let mut text = String::new();
        if !self.quiet && !taken {
            match reports {
                [report] => text.push_str(&suite::tables(report)),
                reports => text.push_str(&suite::side_by_side(reports)),
            }
        }
        for (report, label) in reports.iter().zip(suite::labels(reports)) {
            let label = if reports.len() > 1 { format!("{label}: ") } else { String::new() };
            for line in suite::summary_lines(report) {
                text.push_str(&format!("{label}{line}\n"));
            }
        }
        if taken {
            note(text.trim_end());
            return Ok(());
        }
        show(&text, &suite::TABLES)
    }
}
