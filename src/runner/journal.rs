//! Results recorded as they come, so that nothing is lost when a run is interrupted, and the run can be resumed.
//!
//! A journal is a text file to which each result adds a line of JSON. Law: whatever ends the run, all complete lines
//! are valid; an incomplete last line is not.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

use super::{FileHeader, Kind};
use crate::files;
use crate::json::{self, json_fault};

/// A journal that cannot be written.
#[derive(Debug, Error)]
#[error("cannot write {}", path.display())]
pub struct JournalError {
    path: PathBuf,
    source: io::Error,
}

/// A line of a journal that is not what it should be.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {reason}")]
pub struct LineError {
    /// Line in the file, from 1.
    pub line: usize,
    /// What is wrong there.
    pub reason: String,
}

/// A journal of mining or tuning that cannot be gone on with.
#[derive(Debug, Error)]
pub enum ReopenError {
    /// It cannot be read or written.
    #[error(transparent)]
    File(#[from] JournalError),
    /// The first line cannot be written.
    #[error("cannot write the settings")]
    Json(#[source] serde_json::Error),
    /// Its path is that of a pipe or a device.
    #[error("it is not a regular file")]
    Irregular,
    /// A line is something else.
    #[error(transparent)]
    Line(#[from] LineError),
    /// It was begun with other settings.
    #[error("{begun} with {what} than now")]
    Other {
        /// That it was begun, and by whom if that may matter.
        begun: String,
        /// What differs.
        what: &'static str,
    },
}

/// The file of a journal, locked against other runs.
pub struct JournalFile {
    path: PathBuf,
    file: File,
    text: String,
}

/// A file that grows by a line with every result.
pub struct Journal {
    path: PathBuf,
    file: File,
}

impl JournalFile {
    /// Locks a file, and creates it if missing; `None` if the path cannot hold a journal, such as a pipe.
    ///
    /// # Errors
    ///
    /// A file that cannot be read and written, or that another run is writing; a directory.
    pub fn take(path: &Path) -> Result<Option<JournalFile>, JournalError> {
        let failed = |source| JournalError { path: path.to_owned(), source };
        match path.metadata() {
            Ok(found) if found.is_dir() => return Err(failed(files::ReadError::Directory.into())),
            Ok(found) if !found.is_file() => return Ok(None),
            Ok(_) | Err(_) => {}
        }
        let open = || -> io::Result<(File, String)> {
            let mut file = files::open_to_grow(path)?;
            lock(&file, path)?;
            let size = file.metadata()?;
            files::check(&size, files::TEXT_LIMIT)?;
            let bytes = files::read_from(&mut file, size.len(), files::TEXT_LIMIT)?;
            Ok((file, String::from_utf8_lossy(&bytes).into_owned()))
        };
        let (file, text) = open().map_err(failed)?;
        Ok(Some(JournalFile { path: path.to_owned(), file, text }))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its current text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it may begin anew with this line, its break included, and nothing is lost: it is empty, or the line was
    /// cut. Without a line break nothing else tells a journal from a text of the user's.
    pub fn is_cut_from(&self, first_line: &str) -> bool {
        !self.text.contains('\n') && first_line.starts_with(&self.text)
    }

    /// What a run has recorded in it: the complete lines, or the text as it is if there are none, since the first line
    /// is written at once: one without an end is not that of a run that was interrupted.
    pub fn recorded(&self) -> &str {
        self.text.rfind('\n').map_or(&self.text, |end| &self.text[..=end])
    }

    /// A journal that starts with this text, replacing the current one.
    ///
    /// # Errors
    ///
    /// A file that cannot be written; it is left unchanged.
    pub fn begin(self, text: &str) -> Result<Journal, JournalError> {
        let JournalFile { path, file, .. } = self;
        let file = replace(&path, text, file)?;
        Ok(Journal { path, file })
    }
}

impl Journal {
    /// Adds a line.
    ///
    /// # Errors
    ///
    /// A file that cannot be written or is not at its place any more, or a value that JSON cannot hold.
    pub fn add(&mut self, line: &impl Serialize) -> Result<(), JournalError> {
        let written = json::line(line)
            .map_err(io::Error::from)
            .and_then(|text| self.file.write_all(text.as_bytes()))
            .and_then(|()| files::check_still_there(&self.file, &self.path));
        written.map_err(|source| JournalError { path: self.path.clone(), source })
    }

    /// Replaces all lines with this text.
    ///
    /// # Errors
    ///
    /// A file that cannot be written, or is not at its place any more; what is there is left unchanged.
    pub fn finish(self, text: &str) -> Result<(), JournalError> {
        files::check_still_there(&self.file, &self.path)
            .map_err(|source| JournalError { path: self.path.clone(), source })?;
        replace(&self.path, text, self.file).map(drop)
    }
}

/// What the first line of a journal of this kind says.
///
/// # Errors
///
/// It is that of another kind or version, or something else.
pub fn read_first_line<T: DeserializeOwned>(text: &str, kind: Kind) -> Result<T, LineError> {
    let header = FileHeader::of(text).check(kind, kind.schema());
    header.map_err(|error| LineError { line: 1, reason: error.to_string() })?;
    read_line(1, text)
}

/// What the line with this number, from 1, says.
///
/// # Errors
///
/// It is something else.
pub fn read_line<T: DeserializeOwned>(line: usize, text: &str) -> Result<T, LineError> {
    serde_json::from_str(text).map_err(|error| LineError { line, reason: json_fault(&error) })
}

/// Locks an open file that is still at its path. One that another run has just replaced is no longer locked by it, and
/// what is written there now is that run's.
fn lock(file: &File, path: &Path) -> io::Result<()> {
    files::lock(file)?;
    files::check_still_there(file, path)
}

fn replace(path: &Path, text: &str, held: File) -> Result<File, JournalError> {
    files::replace_held(path, text.as_bytes(), Some(held))
        .map_err(|source| JournalError { path: path.to_owned(), source })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn lines_are_there_at_once_and_a_broken_one_is_not_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let file = JournalFile::take(&path).unwrap().unwrap();
        assert_eq!((file.text(), file.recorded()), ("", ""));
        let mut journal = file.begin("head\n").unwrap();
        journal.add(&[1, 2]).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "head\n[1,2]\n");
        drop(journal);
        fs::write(&path, "head\n[1,2]\n[3").unwrap();
        let file = JournalFile::take(&path).unwrap().unwrap();
        assert_eq!(file.recorded(), "head\n[1,2]\n");
        let lines = file.recorded().to_owned();
        let mut journal = file.begin(&lines).unwrap();
        journal.add(&"x").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "head\n[1,2]\n\"x\"\n");
        journal.finish("all\n").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "all\n");
    }

    #[test]
    #[cfg(unix)]
    fn a_journal_that_was_removed_or_replaced_is_missed() {
        for other in [None, Some("another")] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("journal");
            let mut journal = JournalFile::take(&path).unwrap().unwrap().begin("").unwrap();
            journal.add(&1).unwrap();
            fs::rename(&path, folder.path().join("elsewhere")).unwrap();
            if let Some(text) = other {
                fs::write(&path, text).unwrap();
            }
            assert!(journal.add(&2).is_err(), "{other:?}");
            assert_eq!(fs::read_to_string(&path).ok().as_deref(), other);
            assert!(journal.finish("all\n").is_err(), "{other:?}");
            assert_eq!(fs::read_to_string(&path).ok().as_deref(), other);
        }
    }

    #[test]
    #[cfg(unix)]
    fn a_file_that_another_run_replaced_after_it_was_opened_is_not_taken() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let first = JournalFile::take(&path).unwrap().unwrap();
        let opened = File::open(&path).unwrap();
        assert_eq!(lock(&opened, &path).unwrap_err().to_string(), "another run is writing it");
        let journal = first.begin("head\n").unwrap();
        assert_eq!(lock(&opened, &path).unwrap_err().to_string(), "another file has taken its place");
        drop(journal);
        assert!(lock(&opened, &path).is_err(), "the new file is free, but it is not the one that was opened");
        assert!(JournalFile::take(&path).is_ok());
    }

    #[test]
    fn only_a_beginning_of_the_first_line_may_be_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        for (text, is_cut) in
            [("", true), ("he", true), ("head", true), ("head\n", false), ("heads", false), ("my notes", false)]
        {
            fs::write(&path, text).unwrap();
            assert_eq!(JournalFile::take(&path).unwrap().unwrap().is_cut_from("head\n"), is_cut, "{text:?}");
        }
    }

    #[test]
    fn a_folder_is_no_place_for_a_journal() {
        let error = JournalFile::take(tempfile::tempdir().unwrap().path()).err().unwrap();
        assert_eq!(error.source.to_string(), "it is a directory");
    }
}
