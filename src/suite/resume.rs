//! Runs that are taken up where they were cut short.

use thiserror::Error;

use super::{JsonlError, Run, SuiteReport, Task, from_jsonl};

/// A text that cannot be gone on with.
#[derive(Debug, Error)]
pub enum ResumeError {
    /// It holds something else than runs.
    #[error(transparent)]
    Text(#[from] JsonlError),
    /// A run of a program that takes no part now.
    #[error("a run of {0}, which is not asked for now")]
    OtherProgram(String),
    /// A run that differs from those of now in this.
    #[error("a run with {0} than now")]
    OtherRun(&'static str),
    /// A position has changed since.
    #[error("{id} is not what {suite} has there now")]
    OtherPosition {
        /// Its name.
        id: String,
        /// Its suite.
        suite: String,
    },
}

/// What of these runs a text holds already: one report for each run, empty where the text or the run is not there yet.
///
/// # Errors
///
/// A text that is none of these, or holds other runs.
pub fn taken_up(text: &str, runs: &[Run], tasks: &[Task]) -> Result<Vec<SuiteReport>, ResumeError> {
    let found = if text.is_empty() { Vec::new() } else { from_jsonl(text)? };
    let mut reports: Vec<SuiteReport> = runs.iter().map(|run| SuiteReport::new(run.clone(), Vec::new())).collect();
    for report in found {
        let Some(slot) = reports.iter_mut().find(|slot| slot.run == report.run) else {
            return Err(difference(&report.run, runs));
        };
        for result in report.positions {
            let task = tasks.iter().find(|task| task.index == result.index).map(|task| task.record);
            if task.is_none_or(|record| record.fen != result.fen || record.expected() != result.expected) {
                return Err(ResumeError::OtherPosition { id: result.id, suite: result.suite });
            }
            if slot.positions.iter().all(|other| other.index != result.index) {
                slot.positions.push(result);
            }
        }
    }
    Ok(reports.into_iter().map(|report| SuiteReport::new(report.run, report.positions)).collect())
}

/// In what a run differs from those asked for.
fn difference(found: &Run, wanted: &[Run]) -> ResumeError {
    let Some(run) = wanted.iter().find(|run| run.provenance.program == found.provenance.program) else {
        return ResumeError::OtherProgram(found.provenance.program.clone());
    };
    ResumeError::OtherRun(if run.suites != found.suites {
        "other suites"
    } else if run.shard != found.shard {
        "another part of the positions"
    } else {
        "other settings"
    })
}
