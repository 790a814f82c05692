//! Layer 2: Syzygy endgame tables (R. de Man): who wins a position with few pieces, and how many plies it takes to
//! force the next capture or pawn move.
//!
//! shakmaty-syzygy reads the files; this module decides which files, which of them are usable, and how they rank the
//! moves at the root ([`rank`](Tables::rank)). A missing, truncated or damaged file is never fatal: it is reported when
//! the tables are opened if possible (small files are checked against their checksums), or by [`Tables::take_problems`]
//! if it only shows later, and its results are unknown. That needs a build without overflow checks in shakmaty-syzygy,
//! as release builds are, and those of this repository.
//!
//! The search asks two questions: [`Tables::wdl`] for a position just after a capture or pawn move, and the ranking of
//! the root's moves, which takes account of the fifty-move counter and the game's repetitions.

mod checksum;
mod problem;
mod rank;
#[cfg(test)]
mod tests;

pub use problem::SyzygyProblem;
pub use rank::{Ranked, RankedMoves, settled};
pub use shakmaty_syzygy::Wdl;
#[cfg(test)]
pub use tests::cursed_wins;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use shakmaty_syzygy::{Dtz, MaybeRounded, Syzygy, SyzygyError, Tablebase};

use crate::board::{Chess, Position};
use crate::files;

/// How many material combinations there are with 3, 4, ... pieces: a complete set has a file of each kind for each.
const MATERIALS: [(usize, usize); 5] = [(3, 5), (4, 30), (5, 110), (6, 365), (7, 1001)];

/// The most pieces in any tables.
pub const MAX_PIECES: usize = 7;

/// An open set of tables. Files are opened when they are first probed.
pub struct Tables {
    base: Tablebase<Chess>,
    path: String,
    /// Names of the usable files, such as `KQvK.rtbw`.
    names: BTreeSet<OsString>,
    /// Problems found in play and not reported yet, and those reported.
    problems: Mutex<Problems>,
}

#[derive(Default)]
struct Problems {
    known: BTreeSet<String>,
    untold: Vec<SyzygyProblem>,
}

impl Tables {
    /// Opens the tables in these folders, separated as the system separates paths: `:` on Unix, `;` on Windows.
    ///
    /// Whatever is usable is used; the problems say what is not. `None` if there is nothing usable.
    pub fn open(path: &str) -> (Option<Tables>, Vec<SyzygyProblem>) {
        let mut problems = Vec::new();
        let mut tables = Tables {
            base: Tablebase::new(),
            path: path.to_owned(),
            names: BTreeSet::new(),
            problems: Mutex::default(),
        };
        for folder in std::env::split_paths(path).filter(|folder| !folder.as_os_str().is_empty()) {
            match files_of(&folder) {
                Ok(files) => files.iter().for_each(|file| tables.add(file, &mut problems)),
                Err(error) => problems.push(SyzygyProblem::Folder { folder, reason: error.to_string() }),
            }
        }
        if tables.names.is_empty() {
            problems.push(SyzygyProblem::Nothing { path: path.to_owned() });
            return (None, problems);
        }
        problems.extend(tables.gaps());
        (Some(tables), problems)
    }

    /// Adds one file unless an earlier folder has it.
    fn add(&mut self, file: &Path, problems: &mut Vec<SyzygyProblem>) {
        let Some(name) = file.file_name().filter(|name| !self.names.contains(*name)) else { return };
        let added = check(file).and_then(|()| self.base.add_file(file));
        match added {
            Ok(()) => {
                self.names.insert(name.to_owned());
            }
            Err(error) => problems.push(SyzygyProblem::File { file: file.to_owned(), reason: error.to_string() }),
        }
    }

    /// The usable files with this extension.
    fn named(&self, extension: &str) -> impl Iterator<Item = &Path> {
        self.names.iter().map(Path::new).filter(move |name| name.extension().is_some_and(|found| found == extension))
    }

    /// What is missing for complete sets of the sizes that are present.
    fn gaps(&self) -> Vec<SyzygyProblem> {
        let mut gaps = Vec::new();
        for (pieces, materials) in MATERIALS {
            // `KQvKR` without the `v`.
            let has = |extension: &str| {
                let of_size = |name: &&Path| name.file_stem().is_some_and(|stem| stem.len() == pieces + 1);
                self.named(extension).filter(of_size).count()
            };
            let (wdl, dtz) = (has(Chess::TBW.ext), has(Chess::TBZ.ext));
            if (wdl, dtz) != (0, 0) && (wdl, dtz) != (materials, materials) {
                gaps.push(SyzygyProblem::Incomplete { pieces, wdl, dtz, materials });
            }
        }
        gaps
    }

    /// Whether both are of the same folders with the same tables, opened again or not.
    pub fn are_those_of(&self, other: &Tables) -> bool {
        self.path == other.path && self.names == other.names
    }

    /// What was found, with a checksum of the names of all files, by which other tables are told from them.
    pub fn identity(&self) -> String {
        let names: Vec<_> = self.names.iter().map(|name| name.to_string_lossy()).collect();
        format!("{self} ({:08x})", crc32c::crc32c(names.join(" ").as_bytes()))
    }

    /// The most pieces, including kings, in any table.
    pub fn max_pieces(&self) -> usize {
        self.base.max_pieces()
    }

    /// Whether a position can be in the tables at all: few pieces, and no castling rights.
    pub fn covers(&self, position: &Position) -> bool {
        position.board().occupied().count() <= self.max_pieces() && !position.may_castle()
    }

    /// The outcome for the side to move of a position just after a capture or pawn move, or `None` if it is unknown.
    pub fn wdl(&self, position: &Position) -> Option<Wdl> {
        self.known(self.base.probe_wdl_after_zeroing(position.chess()))
    }

    /// Plies to the next capture or pawn move, negative for the losing side and 0 in a draw; `None` if unknown.
    fn dtz(&self, position: &Position) -> Option<MaybeRounded<Dtz>> {
        self.known(self.base.probe_dtz(position.chess()))
    }

    /// The result of a probe; a damaged file is recorded, once.
    fn known<T>(&self, answer: Result<T, SyzygyError>) -> Option<T> {
        let problem = match answer {
            Ok(answer) => return Some(answer),
            Err(SyzygyError::Castling | SyzygyError::TooManyPieces) => return None,
            // Opening has reported that the set is incomplete.
            Err(SyzygyError::MissingTable { .. }) => return None,
            Err(SyzygyError::ProbeFailed { metric, material, error }) => {
                SyzygyProblem::damaged(metric, &material, &error)
            }
        };
        let mut problems = self.problems.lock().unwrap_or_else(PoisonError::into_inner);
        if problems.known.insert(problem.to_string()) {
            problems.untold.push(problem);
        }
        None
    }

    /// Problems found in play since the last call.
    pub fn take_problems(&self) -> Vec<SyzygyProblem> {
        std::mem::take(&mut self.problems.lock().unwrap_or_else(PoisonError::into_inner).untold)
    }
}

/// The table files in a folder, sorted by name.
fn files_of(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|found| found == Chess::TBW.ext || found == Chess::TBZ.ext) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Checks that a file starts like a table of its kind and, unless it is large, that it is undamaged.
fn check(path: &Path) -> io::Result<()> {
    let wdl = path.extension().is_some_and(|found| found == Chess::TBW.ext);
    let expected = if wdl { Chess::TBW.magic } else { Chess::TBZ.magic };
    let mut file = files::open(path, files::STREAM_LIMIT)?;
    let mut bytes = vec![0; expected.len()];
    file.read_exact(&mut bytes)?;
    if bytes != expected {
        return Err(io::Error::other("it does not start like a table"));
    }
    if file.metadata()?.len() > checksum::MOST_BYTES {
        return Ok(());
    }
    file.read_to_end(&mut bytes)?;
    checksum::check(&bytes)
}

impl fmt::Display for Tables {
    /// Summary of what was found.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (wdl, dtz) = (self.named(Chess::TBW.ext).count(), self.named(Chess::TBZ.ext).count());
        write!(f, "Syzygy: {wdl} WDL and {dtz} DTZ tables, up to {} pieces", self.max_pieces())
    }
}

impl fmt::Debug for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tables({})", self.path)
    }
}

impl PartialEq for Tables {
    /// The same open set: files may have changed between two openings of a folder.
    fn eq(&self, other: &Tables) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Tables {}
