//! What a file of positions was made from, in `FILE.json`: the format itself has no room for it. The trainer copies it
//! into the network's provenance, so that a network leads back to seeds and settings.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::DataFile;
use super::index::Header;
use super::positions::{Counts, Filter};
use crate::files;
use crate::runner::Head;

/// Suffix of a record's file name.
const SUFFIX: &str = ".json";

/// The record of a file of positions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Record {
    /// The version of the record, and the program that made the file.
    #[serde(flatten)]
    pub head: Head,
    /// The command that made it.
    pub command: String,
    /// The seed of the shuffle, and of the choice of successors.
    pub seed: u64,
    /// Which positions were kept.
    #[serde(flatten)]
    pub filter: Filter,
    /// Random successors for each position, all scored by the classical evaluation; missing for scores of searches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evaluated_successors: Option<u8>,
    /// Whether what `material_scaling` does was undone in the scores of matches; missing if not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub undo_material_scaling: bool,
    /// Where the positions are from, in order: of equal ones the first was kept.
    pub sources: Vec<Source>,
    /// How many positions were dropped, and why.
    pub counts: Counts,
    /// The number of positions in the file.
    pub kept: usize,
    /// CRC-32C of the file.
    pub crc32c: u32,
}

/// A file of games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Source {
    /// Its name.
    pub file: String,
    /// The bytes of it that were read.
    pub bytes: u64,
    /// What its games depend on, by its journal; missing for games of matches, and without a journal of this version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub journal: Option<Header>,
}

impl Source {
    /// What is known of a data file whose games have been read. It is not asked again: another run may be writing it.
    pub fn of(path: &Path, games: &DataFile) -> Source {
        let journal = games.header().filter(|header| header.is_current()).cloned();
        Source { journal, ..Source::of_match(path, games.bytes()) }
    }

    /// What is known of a file of matches of which so many bytes were read.
    pub fn of_match(path: &Path, bytes: u64) -> Source {
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Source { file, bytes, journal: None }
    }
}

/// The path of the record of a file of positions.
pub fn path(positions: &Path) -> PathBuf {
    files::with_suffix(positions, SUFFIX)
}
