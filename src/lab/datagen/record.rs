//! The data file: a header of 32 bytes, then one record of 32 bytes for each searched position, game after game.
//!
//! | bytes of a record | |
//! |---|---|
//! | 0-25 | the position, see [`crate::board::packed_position`] |
//! | 26-27 | the search's score for the side to move, in the units of [`Score::main`], little-endian |
//! | 28-29 | the best move, see [`PackedMove`], little-endian |
//! | 30 | bits 0-1 the game's result (0 Black won, 1 drawn, 2 White won), bit 7 set in a game's last record |
//! | 31 | plies since the opening, 255 at most |
//!
//! [`Score::main`]: crate::score::Score::main

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use thiserror::Error;

use crate::board::{PackedMove, Position, packed_position};

/// Bytes of a record, and of the header.
pub const RECORD_SIZE: usize = 32;
/// What a data file begins with: a name and the version of the form.
const MAGIC: [u8; 8] = *b"PACIOLI1";
const SCORE: usize = 26;
const MOVE: usize = 28;
const FLAGS: usize = 30;
const PLY: usize = 31;
const RESULT_BITS: u8 = 3;
const LAST_BIT: u8 = 0x80;

/// How a game ended.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum GameResult {
    /// Black won.
    BlackWins,
    /// Nobody won.
    Draw,
    /// White won.
    WhiteWins,
}

/// One searched position of a game.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The position.
    pub position: Position,
    /// The search's score for the side to move: centipawns, or the encoding of a mate.
    pub score: i32,
    /// The search's move.
    pub best_move: PackedMove,
    /// How the game ended.
    pub result: GameResult,
    /// Plies since the opening, 255 at most.
    pub ply: u8,
    /// Whether this is the game's last record.
    pub is_last: bool,
}

/// A data file that cannot be used.
#[derive(Debug, Error)]
pub enum DataError {
    /// The file cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file does not begin as a data file does.
    #[error("no data file of this version")]
    NoHeader,
    /// The file was begun with other settings.
    #[error("begun with other settings; choose another file or the same settings")]
    OtherSettings,
    /// A record makes no sense.
    #[error("record {number} is damaged")]
    Damaged {
        /// Which one, from 1.
        number: usize,
    },
}

impl Sample {
    /// The record; `None` for a position with more pieces than the game begins with.
    pub fn encode(&self) -> Option<[u8; RECORD_SIZE]> {
        let mut record = [0; RECORD_SIZE];
        record[..SCORE].copy_from_slice(&packed_position::pack(&self.position)?);
        let score = self.score.clamp(i32::from(i16::MIN), i32::from(i16::MAX)) as i16;
        record[SCORE..MOVE].copy_from_slice(&score.to_le_bytes());
        record[MOVE..FLAGS].copy_from_slice(&self.best_move.to_bits().to_le_bytes());
        record[FLAGS] = self.result as u8 | if self.is_last { LAST_BIT } else { 0 };
        record[PLY] = self.ply;
        Some(record)
    }

    /// The sample of a record; `None` where it makes no sense.
    pub fn decode(record: &[u8; RECORD_SIZE]) -> Option<Sample> {
        let result = match record[FLAGS] & RESULT_BITS {
            0 => GameResult::BlackWins,
            1 => GameResult::Draw,
            2 => GameResult::WhiteWins,
            _ => return None,
        };
        Some(Sample {
            position: packed_position::unpack(record[..SCORE].try_into().ok()?)?,
            score: i32::from(i16::from_le_bytes([record[SCORE], record[SCORE + 1]])),
            best_move: PackedMove::from_bits(u16::from_le_bytes([record[MOVE], record[MOVE + 1]])),
            result,
            ply: record[PLY],
            is_last: record[FLAGS] & LAST_BIT != 0,
        })
    }
}

/// The header: what a file's games depend on.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// Seed of all chance.
    pub seed: u64,
    /// Nodes for each move.
    pub nodes: u64,
    /// A digest of all other settings.
    pub settings: u64,
}

impl Header {
    /// The bytes that a file begins with.
    pub(super) fn encode(&self) -> [u8; RECORD_SIZE] {
        let mut bytes = [0; RECORD_SIZE];
        bytes[..8].copy_from_slice(&MAGIC);
        for (place, number) in [self.seed, self.nodes, self.settings].into_iter().enumerate() {
            bytes[8 * (place + 1)..8 * (place + 2)].copy_from_slice(&number.to_le_bytes());
        }
        bytes
    }
}

/// A data file that grows game by game.
pub struct DataWriter {
    file: File,
    /// Whole games in it.
    pub games: u64,
    /// Records in it.
    pub records: u64,
}

impl DataWriter {
    /// Begins a data file, or takes one up where it was left: a game that was not written whole is dropped.
    ///
    /// # Errors
    ///
    /// A file that cannot be written, is no data file, or was begun with other settings; it is unchanged then.
    pub fn open(path: &Path, header: &Header) -> Result<DataWriter, DataError> {
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        if bytes.is_empty() {
            file.write_all(&header.encode())?;
            return Ok(DataWriter { file, games: 0, records: 0 });
        }
        if !bytes.starts_with(&MAGIC) || bytes.len() < RECORD_SIZE {
            return Err(DataError::NoHeader);
        }
        if bytes[..RECORD_SIZE] != header.encode() {
            return Err(DataError::OtherSettings);
        }
        let ends = bytes[RECORD_SIZE..].as_chunks::<RECORD_SIZE>().0.iter().enumerate();
        let ends: Vec<usize> = ends.filter(|(_, record)| record[FLAGS] & LAST_BIT != 0).map(|(at, _)| at + 1).collect();
        let records = ends.last().copied().unwrap_or(0) as u64;
        let length = (records + 1) * RECORD_SIZE as u64;
        file.set_len(length)?;
        file.seek(SeekFrom::Start(length))?;
        Ok(DataWriter { file, games: ends.len() as u64, records })
    }

    /// Adds the records of one whole game.
    ///
    /// # Errors
    ///
    /// A full disk and the like.
    pub fn add(&mut self, game: &[u8]) -> Result<(), DataError> {
        self.file.write_all(game)?;
        self.games += 1;
        self.records += (game.len() / RECORD_SIZE) as u64;
        Ok(())
    }
}

/// The records of each whole game of a data file's bytes.
pub(super) fn whole_games(bytes: &[u8]) -> Vec<&[u8]> {
    let mut games = Vec::new();
    let mut first = RECORD_SIZE;
    for (index, record) in bytes.as_chunks::<RECORD_SIZE>().0.iter().enumerate().skip(1) {
        if record[FLAGS] & LAST_BIT != 0 {
            let end = (index + 1) * RECORD_SIZE;
            games.push(&bytes[first..end]);
            first = end;
        }
    }
    games
}

/// Hands over the samples of a data file's bytes, one after the other; what is left of an interrupted record at the end
/// is passed over.
///
/// # Errors
///
/// No data file, or a record that makes no sense.
pub fn read(bytes: &[u8], mut take: impl FnMut(Sample)) -> Result<(), DataError> {
    if !bytes.starts_with(&MAGIC) || bytes.len() < RECORD_SIZE {
        return Err(DataError::NoHeader);
    }
    for (index, record) in bytes[RECORD_SIZE..].as_chunks::<RECORD_SIZE>().0.iter().enumerate() {
        take(Sample::decode(record).ok_or(DataError::Damaged { number: index + 1 })?);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(is_last: bool) -> Sample {
        let position = Position::default();
        let best_move = PackedMove::new(position.parse_uci("e2e4").unwrap());
        Sample { position, score: -31, best_move, result: GameResult::WhiteWins, ply: 7, is_last }
    }

    #[test]
    fn records_round_trip() {
        let again = Sample::decode(&sample(true).encode().unwrap()).unwrap();
        assert_eq!(again.position.fen(), Position::default().fen());
        assert_eq!((again.score, again.result, again.ply, again.is_last), (-31, GameResult::WhiteWins, 7, true));
        assert_eq!(again.best_move, sample(true).best_move);
        let mut damaged = sample(true).encode().unwrap();
        damaged[FLAGS] |= RESULT_BITS;
        assert!(Sample::decode(&damaged).is_none());
    }

    #[test]
    fn a_file_is_taken_up_after_its_last_whole_game() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        let header = Header { seed: 1, nodes: 2, settings: 3 };
        let (middle, last) = (sample(false).encode().unwrap(), sample(true).encode().unwrap());
        let mut writer = DataWriter::open(&path, &header).unwrap();
        writer.add(&[middle, last].concat()).unwrap();
        // An interrupted game: one record and a half.
        writer.add(&[&middle[..], &middle[..16]].concat()).unwrap();
        drop(writer);
        let writer = DataWriter::open(&path, &header).unwrap();
        assert_eq!((writer.games, writer.records), (1, 2));
        let bytes = std::fs::read(&path).unwrap();
        assert_eq!(bytes.len(), 3 * RECORD_SIZE);
        let mut count = 0;
        read(&bytes, |_| count += 1).unwrap();
        assert_eq!(count, 2);
        let other = Header { seed: 2, ..header };
        assert!(matches!(DataWriter::open(&path, &other), Err(DataError::OtherSettings)));
        assert!(matches!(read(b"PNG", |_| ()), Err(DataError::NoHeader)));
    }
}
