//! The journal of a data file that is being written, in `FILE.journal`: what its games depend on, and for every
//! complete block of games its size in bytes and checksum. The data format itself has no room for them.
//!
//! It is text, one JSON object per line: first the header, then the blocks in order. The last member of each, `check`,
//! is the CRC-32C of the line before it, so that the journal verifies itself too. A block is written first and its line
//! afterwards, so data after the last block come from an interrupted run, and so does a last line without a line break.

use std::io::{self, BufRead, Read};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::DataError;
use crate::files;
use crate::json;
use crate::runner::{FileHeader, Head, Kind, Provenance, Shard, first_true};

/// Suffix of a journal's file name.
const SUFFIX: &str = ".journal";
/// The oldest version that is read.
const OLDEST_SCHEMA: u32 = 1;
/// What separates a line's members from their checksum.
const CHECK: &str = ",\"check\":";

/// What the games of a file depend on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Header {
    /// The version of the journal, and the settings of the searches without their limits.
    #[serde(flatten)]
    pub head: Head,
    /// The command that began the file; it may be resumed with another, such as one with more jobs.
    pub command: String,
    /// The seed of all random choices.
    pub seed: u64,
    /// Nodes per move: the search ends with the iteration that reaches them.
    pub nodes: u64,
    /// Nodes per position, likewise, when the finished game is searched once more, backwards; missing if it is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review: Option<u64>,
    /// Random plies played before the first search of a game.
    pub random_plies: usize,
    /// Percentage of games that start from a Chess960 position.
    pub chess960_percent: u8,
    /// Number of start positions, if not just the opening position.
    pub openings: usize,
    /// A digest of the settings and of the positions to start from.
    pub digest: u64,
    /// The part of the games that is in the file, if not all of them.
    pub shard: Option<Shard>,
}

impl Header {
    /// Whether it is of the version that is written.
    pub fn is_current(&self) -> bool {
        self.head.schema == Kind::Datagen.schema()
    }

    /// Checks that a file with this header can be resumed with another: only the command may differ, and the commit.
    ///
    /// # Errors
    ///
    /// A journal of an older version, which can only be read, or one with other settings.
    pub fn check_fit(&self, other: &Header) -> Result<(), DataError> {
        let schema = self.head.schema;
        if schema != other.head.schema {
            return Err(DataError::OtherVersion { schema });
        }
        self.difference(other).map_or(Ok(()), |what| Err(DataError::OtherSettings { what }))
    }

    /// What keeps a file begun with one from being resumed with the other.
    fn difference(&self, other: &Header) -> Option<&'static str> {
        let own = first_true(&[
            (self.seed != other.seed, "another seed"),
            (self.nodes != other.nodes, "another number of nodes"),
            (self.review != other.review, "another review (--review)"),
            (self.random_plies != other.random_plies, "another number of random plies"),
            (self.chess960_percent != other.chess960_percent, "another share of Chess960"),
            (self.openings != other.openings, "another number of openings"),
            (self.digest != other.digest, "other positions to start from or to search again"),
            (self.shard != other.shard, "another part of the games, or parts of another number (--shard)"),
        ]);
        self.head.provenance.difference(&other.head.provenance).or(own)
    }
}

/// A header of version 1.
#[derive(Deserialize)]
struct FirstHeader {
    program: String,
    command: String,
    seed: u64,
    nodes: u64,
    random_plies: usize,
    chess960_percent: u8,
    openings: usize,
    hash_mb: usize,
    settings: Vec<String>,
    digest: u64,
    shard: Option<Shard>,
}

impl From<FirstHeader> for Header {
    fn from(first: FirstHeader) -> Header {
        let FirstHeader { command, seed, nodes, random_plies, chess960_percent, openings, digest, shard, .. } = first;
        let provenance = Provenance {
            program: first.program,
            set: first.settings,
            hash_mb: Some(first.hash_mb),
            ..Provenance::default()
        };
        let head = Head { schema: 1, ..Head::new(Kind::Datagen, provenance) };
        Header { head, command, seed, nodes, review: None, random_plies, chess960_percent, openings, digest, shard }
    }
}

/// Games written as a unit.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Block {
    /// The number of games in the block.
    pub games: u64,
    /// The number of positions in these games.
    pub positions: u64,
    /// The number of bytes of these games in the data file.
    pub bytes: u64,
    /// The checksum of these bytes, CRC-32C.
    pub crc32c: u32,
}

/// What a journal says of its data file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Index {
    /// What the games depend on.
    pub header: Header,
    /// The finished blocks.
    pub blocks: Vec<Block>,
}

/// The path of a data file's journal.
pub fn path(data: &Path) -> PathBuf {
    files::with_suffix(data, SUFFIX)
}

/// Why there is no [`Index`] for a data file: there is no such file, or it has no journal, or one that is cut in its
/// header.
pub fn lack(data: &Path) -> DataError {
    match std::fs::metadata(data) {
        Err(error) => DataError::Io(error),
        Ok(_) if path(data).exists() => DataError::CutJournal,
        Ok(_) => DataError::NoJournal,
    }
}

/// A header or a block with the checksum of its JSON, as it stands in a line.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Checked<'a, T> {
    #[serde(flatten)]
    value: &'a T,
    /// The checksum of the rest of the line.
    check: u32,
}

impl<'a, T: Serialize> Checked<'a, T> {
    /// Adds the checksum.
    ///
    /// # Errors
    ///
    /// A value that JSON cannot hold.
    pub fn new(value: &'a T) -> io::Result<Checked<'a, T>> {
        let json = serde_json::to_string(value)?;
        let members = json.strip_suffix('}').unwrap_or(&json);
        Ok(Checked { value, check: crc32c::crc32c(members.as_bytes()) })
    }
}

/// A header or a block as a line.
///
/// # Errors
///
/// A value that JSON cannot hold.
pub fn line(value: &impl Serialize) -> io::Result<String> {
    Ok(json::line(&Checked::new(value)?)?)
}

/// A header of this version or of the first.
///
/// # Errors
///
/// A header of a newer version, or a line that is none.
fn read_header(line: &[u8]) -> Result<Header, DataError> {
    let header = FileHeader::of(&checked(line).unwrap_or_default());
    header.check(Kind::Datagen, OLDEST_SCHEMA).map_err(DataError::OtherHead)?;
    let header = read_line::<Header>(line).or_else(|| read_line::<FirstHeader>(line).map(Header::from));
    header.ok_or(DataError::BadJournal { line: 1 })
}

/// The contents of a line, without its line break; `None` if it is not what was written.
fn read_line<T: DeserializeOwned>(line: &[u8]) -> Option<T> {
    serde_json::from_str(&checked(line)?).ok()
}

/// The JSON of a line without its checksum; `None` if it is not what was written.
fn checked(line: &[u8]) -> Option<String> {
    let line = std::str::from_utf8(line).ok()?;
    let (members, check) = line.strip_suffix('}')?.rsplit_once(CHECK)?;
    if check.parse() != Ok(crc32c::crc32c(members.as_bytes())) {
        return None;
    }
    Some(format!("{members}}}"))
}

impl Index {
    /// Reads a data file's journal; `None` if there is none, or only the beginning of its header.
    ///
    /// # Errors
    ///
    /// A journal that cannot be read, is damaged, or is of a newer version.
    pub fn read(data: &Path) -> Result<Option<Index>, DataError> {
        match files::read(&path(data), files::TEXT_LIMIT) {
            Ok(bytes) => Index::parse(&bytes),
            Err(error) if error.is_missing() => Ok(None),
            Err(error) => Err(io::Error::from(error).into()),
        }
    }

    /// The same for its bytes.
    pub(super) fn parse(bytes: &[u8]) -> Result<Option<Index>, DataError> {
        let mut lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').collect();
        // The rest after the last line break was cut short, unless only that line break is missing.
        let rest = lines.pop().unwrap_or_default();
        let is_whole = match lines.len() {
            0 => checked(rest).is_some(),
            // A block's line has its only brace at the end: a rest with a brace was once complete.
            _ => rest.contains(&b'}'),
        };
        if is_whole {
            lines.push(rest);
        }
        let Some((first, blocks)) = lines.split_first() else { return Ok(None) };
        let header = read_header(first)?;
        let block = |(index, line): (usize, &&[u8])| read_line(line).ok_or(DataError::BadJournal { line: index + 2 });
        let blocks = blocks.iter().enumerate().map(block).collect::<Result<Vec<Block>, _>>()?;
        // What no file holds was not written, whatever its checksum says; and sums of it need not be numbers.
        let mut sums = [0_u64; 3];
        for (index, block) in blocks.iter().enumerate() {
            for (sum, count) in sums.iter_mut().zip([block.games, block.positions, block.bytes]) {
                *sum = sum.saturating_add(count);
                if *sum > files::STREAM_LIMIT {
                    return Err(DataError::BadJournal { line: index + 2 });
                }
            }
        }
        Ok(Some(Index { header, blocks }))
    }
}

/// The complete blocks of a data file, each checked before it is handed out. Anything after the last is left out.
pub(super) struct Blocks<R> {
    source: R,
    blocks: std::vec::IntoIter<Block>,
    /// Blocks handed out, including the current one.
    number: u64,
    block: Vec<u8>,
    place: usize,
}

impl<R: Read> Blocks<R> {
    pub fn new(source: R, blocks: Vec<Block>) -> Blocks<R> {
        Blocks { source, blocks: blocks.into_iter(), number: 0, block: Vec::new(), place: 0 }
    }
}

impl<R: Read> BufRead for Blocks<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.place == self.block.len() {
            let Some(block) = self.blocks.next() else { break };
            self.number += 1;
            self.block = files::read_from((&mut self.source).take(block.bytes), block.bytes, block.bytes)?;
            self.place = 0;
            if self.block.len() as u64 != block.bytes || crc32c::crc32c(&self.block) != block.crc32c {
                return Err(io::Error::other(DataError::BadBlock { number: self.number }));
            }
        }
        Ok(&self.block[self.place..])
    }

    fn consume(&mut self, count: usize) {
        self.place = (self.place + count).min(self.block.len());
    }
}

impl<R: Read> Read for Blocks<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let found = self.fill_buf()?;
        let count = found.len().min(buffer.len());
        buffer[..count].copy_from_slice(&found[..count]);
        self.consume(count);
        Ok(count)
    }
}
