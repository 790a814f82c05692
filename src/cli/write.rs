//! Writing the outputs of commands, and making sure before the work that nothing is in their way.

use std::path::{Path, PathBuf};
use std::{fs, io};

use anyhow::{Context, bail};
use serde::Serialize;

use super::kinds::{Found, Wanted};
use super::output::write_stdout;
use super::read::is_standard;
use crate::files;
use crate::json;
use crate::lab::data::index;

/// What to do about an output in whose place something is.
const CHOOSE_ANOTHER: &str = "choose another file, or remove this one first";

/// Writes text to a file atomically, or to standard output for `-`.
///
/// # Errors
///
/// A file that cannot be written, or that holds by now what took work to make: another command may have written it
/// since [`check_outputs`].
pub fn write_output(path: &Path, text: &str) -> anyhow::Result<()> {
    check_nothing_lost(path, CHOOSE_ANOTHER)?;
    write_over(path, text)
}

/// Writes an output if it was asked for, as [`write_output`] does; its text is made only then.
///
/// # Errors
///
/// A file that cannot be written, or a text that cannot be made.
pub fn write_if(path: &Option<PathBuf>, text: impl FnOnce() -> anyhow::Result<String>) -> anyhow::Result<()> {
    path.as_ref().map_or(Ok(()), |path| write_output(path, &text()?))
}

/// The same as [`write_output`], whatever is there.
///
/// # Errors
///
/// A file that cannot be written.
pub fn write_over(path: &Path, text: &str) -> anyhow::Result<()> {
    if is_standard(path) {
        return write_stdout(text);
    }
    files::replace(path, text.as_bytes()).map(drop).with_context(|| format!("cannot write {}", path.display()))
}

/// A result as readable JSON.
///
/// # Errors
///
/// It has no form in JSON.
pub fn json_text(result: &impl Serialize) -> anyhow::Result<String> {
    json::readable(result).context("cannot write JSON")
}

/// The absolute path of a file that need not exist yet.
fn full_path(path: &Path) -> io::Result<PathBuf> {
    let path = &files::target(path);
    let Some(name) = path.file_name() else { return fs::canonicalize(path) };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::canonicalize(path).or_else(|_| Ok(fs::canonicalize(folder)?.join(name)))
}

/// Refuses standard output where a run is resumed from what it wrote.
///
/// # Errors
///
/// It is standard output.
pub fn check_resumable(path: &Path) -> anyhow::Result<()> {
    if is_standard(path) {
        bail!("`-`: standard output cannot be resumed; name a file");
    }
    Ok(())
}

/// Makes sure, before the work begins, that nothing is in the way of its outputs: as [`check_places`] does, and that
/// none overwrites what took work to make.
///
/// # Errors
///
/// As [`check_places`], and [`check_nothing_lost`].
pub fn check_outputs<'p>(outputs: impl IntoIterator<Item = &'p Path>, inputs: &[PathBuf]) -> anyhow::Result<()> {
    let outputs: Vec<&Path> = outputs.into_iter().collect();
    check_places(outputs.iter().copied(), inputs)?;
    check_replaceable(outputs)
}

/// Makes sure that none of these outputs overwrites what took work to make.
///
/// # Errors
///
/// As [`check_nothing_lost`].
pub fn check_replaceable<'p>(outputs: impl IntoIterator<Item = &'p Path>) -> anyhow::Result<()> {
    outputs.into_iter().try_for_each(|path| check_nothing_lost(path, CHOOSE_ANOTHER))
}

/// Refuses to overwrite a file that took work to make; `remedy` says what to do instead.
///
/// # Errors
///
/// By its contents the file is one.
pub fn check_nothing_lost(path: &Path, remedy: &str) -> anyhow::Result<()> {
    check_nothing_lost_but(path, |_| false, remedy)
}

/// Refuses a file that took work to make and does not say that it is what takes its place, whatever is forced.
///
/// # Errors
///
/// By its contents the file is one.
pub fn check_own(path: &Path, own: Wanted) -> anyhow::Result<()> {
    check_nothing_lost_but(path, |&found| found.is(own) && found != Found::Json(None), CHOOSE_ANOTHER)
}

/// Refuses to overwrite a file that took work to make, unless it is one that may be.
fn check_nothing_lost_but(path: &Path, may_be: impl Fn(&Found) -> bool, remedy: &str) -> anyhow::Result<()> {
    match Found::of_file(path).filter(|found| found.took_work() && !may_be(found) && !is_standard(path)) {
        Some(found) => bail!("{} is {found} and would be overwritten: {remedy}", path.display()),
        None => Ok(()),
    }
}

/// Makes sure that outputs can be written, that none overwrites an input or another output, and that standard output
/// carries one of them at most. What else is in their place is not looked at: journals are resumed.
///
/// # Errors
///
/// A file that cannot be opened for writing, or is named twice, or two outputs on standard output.
pub fn check_places<'p>(outputs: impl IntoIterator<Item = &'p Path>, inputs: &[PathBuf]) -> anyhow::Result<()> {
    let mut taken: Vec<PathBuf> = inputs.iter().filter_map(|input| fs::canonicalize(input).ok()).collect();
    let mut is_standard_taken = false;
    for path in outputs {
        if is_standard(path) {
            if is_standard_taken {
                bail!("only one output can go to standard output");
            }
            is_standard_taken = true;
            continue;
        }
        files::check_place(path).with_context(|| format!("cannot write {}", path.display()))?;
        if let Ok(place) = full_path(path) {
            if taken.contains(&place) {
                bail!("{} would overwrite an input or another output", path.display());
            }
            taken.push(place);
        }
    }
    Ok(())
}

/// Data files, and their journals if they have one: these would be lost like the files.
pub fn with_journals(data: &[PathBuf]) -> Vec<PathBuf> {
    data.iter().flat_map(|path| [path.clone(), index::path(path)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_came_during_the_work_is_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.jsonl");
        check_outputs([path.as_path()], &[]).unwrap();
        let results = "{\"kind\":\"solve\",\"schema\":5}\n";
        fs::write(&path, results).unwrap();
        let error = write_output(&path, "a report").unwrap_err().to_string();
        assert!(error.contains("is JSON of `pacioli solve` and would be overwritten"), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), results);
        write_over(&path, "results").unwrap();
        write_output(&path, "a report").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "a report");
    }
}
