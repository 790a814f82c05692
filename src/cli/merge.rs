//! `pacioli merge`: combines the parts of runs.

use std::path::PathBuf;

use anyhow::bail;

use super::kinds::Wanted;
use super::output::{note, note_other_commits};
use super::read::{is_standard, read_runs};
use super::results::ResultArgs;
use super::write::{check_nothing_lost, check_own};
use super::{EXIT_DONE, EXIT_NOT_HELD};
use crate::runner::{JournalFile, Kind};
use crate::suite::{self, SuiteReport};

/// Arguments of `merge`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Files written by `pacioli solve --json`, such as the parts of a run divided with --shard.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    results: ResultArgs,
    /// Overwrite results in the --json file.
    #[arg(long, requires = "json")]
    force: bool,
}

/// Notes which runs of one program, profile and settings are no parts of each other, and in what they differ.
fn note_kept_apart(reports: &[SuiteReport]) {
    let labels = suite::labels(reports);
    for (later, report) in reports.iter().enumerate() {
        // An engine that takes part twice has two of the same kind.
        let is_kept_apart = |other: &SuiteReport| other.label() == report.label() && !other.run.fits(&report.run);
        if let Some(first) = reports[..later].iter().position(is_kept_apart) {
            note(format_args!("warning: {} and {} are different runs and stay apart", labels[first], labels[later]));
        }
    }
}

/// Runs the command.
///
/// # Errors
///
/// A file that cannot be read or written, results that would be overwritten, or parts that contradict each other.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    args.results.check(None, &args.files)?;
    if let Some(path) = &args.results.json {
        check_own(path, Wanted::Json(Kind::Solve))?;
        if !args.force {
            check_nothing_lost(path, "--force overwrites it")?;
        }
    }
    // Held until it is written: a run that is writing it would lose what it has.
    let file = args.results.json.as_deref().filter(|path| !is_standard(path) && path.is_file());
    let held = file.map_or(Ok(None), JournalFile::take)?;
    let (mut files, mut names) = (Vec::new(), Vec::new());
    for file in &args.files {
        let runs = read_runs(file)?;
        names.extend(runs.iter().map(|_| file.display()));
        files.push(runs);
    }
    let (reports, other_commits) = match suite::merge(files) {
        Ok(merged) => merged,
        Err(reason) => bail!("the files do not fit together: {reason}"),
    };
    for (name, commits) in names.iter().zip(&other_commits) {
        note_other_commits(name, commits.as_deref());
    }
    note_kept_apart(&reports);
    args.results.write(&reports, held)?;
    args.results.tell(&reports, args.results.paths().any(is_standard))?;
    Ok(if reports.iter().all(SuiteReport::holds) { EXIT_DONE } else { EXIT_NOT_HELD })
}
