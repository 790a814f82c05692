//! Results written down as they come, so that nothing is lost when a run is cut short, and runs that are taken up again.

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use super::suites::is_standard;
use crate::files;
use crate::suite::{self, PositionResult, Run, SuiteReport, Task};

/// A file that grows by a line with every result, and in the end is put in order.
pub struct Journal {
    path: PathBuf,
    file: File,
}

/// The place of a journal, which no other run may write as long as this one has it.
pub struct Place {
    path: PathBuf,
    file: File,
    /// What stands there already.
    text: String,
}

impl Place {
    /// Takes a place; `None` where the path is none for a journal, such as standard output.
    ///
    /// # Errors
    ///
    /// A file that cannot be read and written, or that another run is writing.
    pub fn take(path: &Path) -> anyhow::Result<Option<Place>> {
        if is_standard(path) || path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
            return Ok(None);
        }
        let told = || format!("cannot write {}", path.display());
        let file = File::options().read(true).write(true).create(true).truncate(false).open(path);
        let mut file = file.with_context(told)?;
        files::lock(&file).with_context(told)?;
        let size = file.metadata().with_context(told)?;
        files::check(&size, files::TEXT_LIMIT).with_context(told)?;
        let bytes = files::read_from(&mut file, size.len(), files::TEXT_LIMIT).with_context(told)?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        Ok(Some(Place { path: path.to_owned(), file, text }))
    }

    /// Makes sure that nothing is there that would be lost.
    ///
    /// # Errors
    ///
    /// Something is.
    pub fn check_empty(&self) -> anyhow::Result<()> {
        if self.text.trim().is_empty() {
            return Ok(());
        }
        let path = self.path.display();
        bail!("{path} holds results already: --resume goes on with them, --force overwrites them")
    }
}

impl Journal {
    /// A journal that begins with these reports, in place of what is there.
    ///
    /// # Errors
    ///
    /// A file that cannot be written.
    pub fn begin(place: Place, reports: &[SuiteReport]) -> anyhow::Result<Journal> {
        let Place { path, file: old, .. } = place;
        let file = replace(&path, reports)?;
        // The new file is locked before the old one is let go.
        drop(old);
        Ok(Journal { path, file })
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
        replace(&self.path, reports).map(drop)
    }
}

/// Writes a file anew, in such a way that it never stands there half written.
fn replace(path: &Path, reports: &[SuiteReport]) -> anyhow::Result<File> {
    let written = suite::to_jsonl(reports)?;
    files::replace(path, written.as_bytes()).with_context(|| format!("cannot write {}", path.display()))
}

/// Reads the runs of a file that `solve --json` wrote.
///
/// # Errors
///
/// A file that cannot be read, or is something else.
pub fn read_runs(path: &Path) -> anyhow::Result<Vec<SuiteReport>> {
    let bytes = files::read(path, files::TEXT_LIMIT).with_context(|| format!("cannot read {}", path.display()))?;
    let text = String::from_utf8_lossy(&bytes);
    suite::from_jsonl(&text).with_context(|| path.display().to_string())
}

/// What of these runs a file holds already: one report for each run, empty where the file or the run is not there yet.
///
/// # Errors
///
/// A file that is none of these, or holds other runs.
pub fn taken_up(place: &Place, runs: &[Run], tasks: &[Task]) -> anyhow::Result<Vec<SuiteReport>> {
    let path = &place.path;
    let found = match place.text.as_str() {
        "" => Vec::new(),
        text => suite::from_jsonl(text).with_context(|| path.display().to_string())?,
    };
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
