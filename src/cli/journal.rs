//! Results written down as they come, so that nothing is lost when a run is cut short, and runs that are taken up again.

use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use super::suites::is_standard;
use crate::suite::{self, PositionResult, Run, SuiteReport, Task};

/// A file that grows by a line with every result, and in the end is put in order.
pub struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// A journal that begins with these reports; `None` where the path is no place for one, such as standard output.
    ///
    /// # Errors
    ///
    /// A file that cannot be written.
    pub fn begin(path: &Path, reports: &[SuiteReport]) -> anyhow::Result<Option<Journal>> {
        if is_standard(path) || fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
            return Ok(None);
        }
        replace(path, reports)?;
        let file = OpenOptions::new().append(true).open(path);
        let file = file.with_context(|| format!("cannot write {}", path.display()))?;
        Ok(Some(Journal { path: path.to_owned(), file }))
    }

    /// Says which run the results belong to that follow.
    ///
    /// # Errors
    ///
    /// A file that cannot be written; this holds for the other functions here too.
    pub fn run(&mut self, run: &Run) -> anyhow::Result<()> {
        self.write(&suite::run_line(run)?)
    }

    /// Writes a result down.
    ///
    /// # Errors
    ///
    /// As [`Journal::run`].
    pub fn result(&mut self, result: &PositionResult) -> anyhow::Result<()> {
        self.write(&suite::position_line(result)?)
    }

    fn write(&mut self, line: &str) -> anyhow::Result<()> {
        self.file.write_all(line.as_bytes()).with_context(|| format!("cannot write {}", self.path.display()))
    }

    /// Puts the file in order.
    ///
    /// # Errors
    ///
    /// As [`Journal::run`].
    pub fn finish(self, reports: &[SuiteReport]) -> anyhow::Result<()> {
        replace(&self.path, reports)
    }
}

/// Writes a file anew, in such a way that it never stands there half written.
fn replace(path: &Path, reports: &[SuiteReport]) -> anyhow::Result<()> {
    // What a link points to is replaced, not the link.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    let written = suite::to_jsonl(reports)?;
    fs::write(&name, written)
        .and_then(|()| fs::rename(&name, &path))
        .with_context(|| format!("cannot write {}", path.display()))
}

/// Reads the runs of a file that `solve --json` wrote.
///
/// # Errors
///
/// A file that cannot be read, or is something else.
pub fn read_runs(path: &Path) -> anyhow::Result<Vec<SuiteReport>> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let text = String::from_utf8_lossy(&bytes);
    suite::from_jsonl(&text).with_context(|| path.display().to_string())
}

/// What of these runs a file holds already: one report for each run, empty where the file or the run is not there yet.
///
/// # Errors
///
/// A file that cannot be read, or holds other runs.
pub fn taken_up(path: &Path, runs: &[Run], tasks: &[Task]) -> anyhow::Result<Vec<SuiteReport>> {
    let is_there = fs::metadata(path).is_ok_and(|metadata| metadata.len() > 0);
    let found = if is_there { read_runs(path)? } else { Vec::new() };
    let mut reports: Vec<SuiteReport> = runs.iter().map(|run| SuiteReport::new(run.clone(), Vec::new())).collect();
    for report in found {
        let Some(slot) = reports.iter_mut().find(|slot| slot.run == report.run) else {
            bail!("{}: {}", path.display(), difference(&report.run, runs));
        };
        for result in report.positions {
            let task = tasks.iter().find(|task| task.index == result.index).map(|task| task.record);
            if task.is_none_or(|record| record.fen != result.fen || record.expected() != result.expected) {
                bail!("{}: {} is not what {} has there now", path.display(), result.id, result.suite);
            }
            if slot.positions.iter().all(|other| other.index != result.index) {
                slot.positions.push(result);
            }
        }
    }
    Ok(reports.into_iter().map(|report| SuiteReport::new(report.run, report.positions)).collect())
}

/// In what a run differs from those asked for.
fn difference(found: &Run, wanted: &[Run]) -> String {
    let Some(run) = wanted.iter().find(|run| run.program == found.program) else {
        return format!("a run of {}, which is not asked for now", found.program);
    };
    let part = if run.suites != found.suites {
        "other suites"
    } else if run.shard != found.shard {
        "another part of the positions"
    } else {
        "other settings"
    };
    format!("a run with {part} than now")
}
