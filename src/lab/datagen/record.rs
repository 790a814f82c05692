//! The data file, in units of 32 bytes: a header and its seal, then for each game one record for each searched position, and
//! a seal.
//!
//! | bytes of a record | |
//! |---|---|
//! | 0-25 | the position, see [`crate::board::packed_position`] |
//! | 26-27 | the search's score for the side to move, in the units of [`Score::main`], little-endian |
//! | 28-29 | the best move, see [`PackedMove`], little-endian |
//! | 30 | bits 0-1 the game's result (0 Black won, 1 drawn, 2 White won), bit 7 set in a game's last record |
//! | 31 | plies since the opening, 255 at most |
//!
//! | bytes of a seal | |
//! |---|---|
//! | 0-7 | zero, which no record begins with: the kings are there |
//! | 8-11 | the units that it seals, all since the last one, little-endian |
//! | 12-15 | their checksum, CRC-32C, little-endian |
//! | 16-31 | zero |
//!
//! A game is written with its seal at once, so that what follows the last seal is a game that was cut short. Files that begin
//! with `PACIOLI1` are of an earlier form without seals; they can still be read.
//!
//! [`Score::main`]: crate::score::Score::main

use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

use thiserror::Error;

use crate::board::{PackedMove, Position, packed_position};
use crate::files;

/// Bytes of a record, and of the header.
pub const RECORD_SIZE: usize = 32;
/// What a data file begins with: a name and the version of the form.
const MAGIC: [u8; 8] = *b"PACIOLI2";
/// What files without seals begin with.
const UNSEALED: [u8; 8] = *b"PACIOLI1";
/// Places in a seal.
const SEALED_UNITS: usize = 8;
const CHECKSUM: usize = 12;
const SEAL_END: usize = 16;
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
    /// The file was begun by an earlier version.
    #[error("begun by an earlier version, without checksums; choose another file")]
    Unsealed,
    /// A record makes no sense.
    #[error("record {number} is damaged")]
    Damaged {
        /// Which one, from 1.
        number: usize,
    },
    /// A block does not have the checksum that it was written with.
    #[error("game {number} is damaged: it is not what was written")]
    Broken {
        /// Which game, from 1; 0 is the header.
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

/// The seal of these bytes.
fn seal(bytes: &[u8]) -> [u8; RECORD_SIZE] {
    let mut seal = [0; RECORD_SIZE];
    seal[SEALED_UNITS..CHECKSUM].copy_from_slice(&((bytes.len() / RECORD_SIZE) as u32).to_le_bytes());
    seal[CHECKSUM..SEAL_END].copy_from_slice(&crc32c::crc32c(bytes).to_le_bytes());
    seal
}

/// A data file that grows game by game. No other run writes it meanwhile.
pub struct DataWriter {
    file: File,
    /// Whole games in it.
    pub games: u64,
    /// Records in it.
    pub records: u64,
}

impl DataWriter {
    /// Begins a data file, or takes one up where it was left: a game that was not written whole is dropped, and a header
    /// that was not is written anew.
    ///
    /// # Errors
    ///
    /// A file that cannot be written, is no data file, is damaged, or was begun with other settings; it is unchanged then.
    pub fn open(path: &Path, header: &Header) -> Result<DataWriter, DataError> {
        // Asked before it is opened, as the opening of a pipe waits.
        match std::fs::metadata(path) {
            Ok(found) => files::check(&found, files::DATA_LIMIT).map_err(io::Error::from)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error.into()),
        }
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        files::lock(&file)?;
        let size = file.metadata()?.len();
        let bytes = files::read_from(&mut file, size, files::DATA_LIMIT).map_err(io::Error::from)?;
        let head = header.encode();
        let head = [head, seal(&head)].concat();
        let games = if head.starts_with(&bytes) {
            file.rewind()?;
            file.write_all(&head)?;
            Vec::new()
        } else {
            let games = whole_games(&bytes)?;
            if !bytes.starts_with(&head) {
                return Err(if bytes.starts_with(&UNSEALED) { DataError::Unsealed } else { DataError::OtherSettings });
            }
            games
        };
        let records = games.iter().map(|game| game.len() / RECORD_SIZE).sum::<usize>() as u64;
        let seals = 1 + games.len() as u64;
        let length = (1 + seals + records) * RECORD_SIZE as u64;
        file.set_len(length)?;
        file.seek(SeekFrom::Start(length))?;
        Ok(DataWriter { file, games: games.len() as u64, records })
    }

    /// Adds the records of one whole game.
    ///
    /// # Errors
    ///
    /// A full disk and the like.
    pub fn add(&mut self, game: &[u8]) -> Result<(), DataError> {
        self.file.write_all(&[game, &seal(game)].concat())?;
        self.games += 1;
        self.records += (game.len() / RECORD_SIZE) as u64;
        Ok(())
    }
}

/// The records of each whole game of a data file's bytes, each game as it was written; what is left of an interrupted game at
/// the end is passed over.
///
/// # Errors
///
/// No data file, or a damaged one.
pub(super) fn whole_games(bytes: &[u8]) -> Result<Vec<&[u8]>, DataError> {
    let units = bytes.as_chunks::<RECORD_SIZE>().0;
    if bytes.starts_with(&UNSEALED) && !units.is_empty() {
        return Ok(unsealed_games(&bytes[RECORD_SIZE..]));
    }
    if !bytes.starts_with(&MAGIC) || units.len() < 2 {
        return Err(DataError::NoHeader);
    }
    let mut games = Vec::new();
    let mut first = 0;
    let is_seal = |unit: &[u8; RECORD_SIZE]| unit.starts_with(&[0; SEALED_UNITS]);
    for (index, unit) in units.iter().enumerate().filter(|(_, unit)| is_seal(unit)) {
        let block = &bytes[first * RECORD_SIZE..index * RECORD_SIZE];
        if *unit != seal(block) {
            return Err(DataError::Broken { number: games.len() });
        }
        games.push(block);
        first = index + 1;
    }
    // Something after a game's last record that is no seal was one.
    let rest = &units[first..];
    if games.is_empty() || rest.iter().rev().skip(1).any(|record| record[FLAGS] & LAST_BIT != 0) {
        return Err(DataError::Broken { number: games.len() });
    }
    // The first block is the header.
    games.remove(0);
    Ok(games)
}

/// The same of records without seals.
fn unsealed_games(bytes: &[u8]) -> Vec<&[u8]> {
    let mut games = Vec::new();
    let mut first = 0;
    for (index, record) in bytes.as_chunks::<RECORD_SIZE>().0.iter().enumerate() {
        if record[FLAGS] & LAST_BIT != 0 {
            let end = (index + 1) * RECORD_SIZE;
            games.push(&bytes[first..end]);
            first = end;
        }
    }
    games
}

/// Hands over the samples of a data file's bytes, one after the other; what is left of an interrupted game at the end is
/// passed over.
///
/// # Errors
///
/// No data file, a damaged one, or a record that makes no sense.
pub fn read(bytes: &[u8], mut take: impl FnMut(Sample)) -> Result<(), DataError> {
    let games = whole_games(bytes)?;
    let records = games.iter().flat_map(|game| game.as_chunks::<RECORD_SIZE>().0);
    for (index, record) in records.enumerate() {
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

    const HEADER: Header = Header { seed: 1, nodes: 2, settings: 3 };

    /// A file of one game with two records, and then so many bytes of another.
    fn begin(path: &Path, more: usize) -> Vec<u8> {
        let game = [sample(false).encode().unwrap(), sample(true).encode().unwrap()].concat();
        let mut writer = DataWriter::open(path, &HEADER).unwrap();
        writer.add(&game).unwrap();
        writer.file.write_all(&game[..more]).unwrap();
        std::fs::read(path).unwrap()
    }

    #[test]
    fn a_file_is_taken_up_after_its_last_whole_game() {
        let folder = tempfile::tempdir().unwrap();
        for more in [0, 16, 32, 48, 64] {
            let path = folder.path().join(more.to_string());
            begin(&path, more);
            let writer = DataWriter::open(&path, &HEADER).unwrap();
            assert_eq!((writer.games, writer.records), (1, 2), "{more}");
            let bytes = std::fs::read(&path).unwrap();
            // The header, two records, and a seal for each of the blocks.
            assert_eq!(bytes.len(), 5 * RECORD_SIZE);
            let mut count = 0;
            read(&bytes, |_| count += 1).unwrap();
            assert_eq!(count, 2);
        }
        let other = Header { seed: 2, ..HEADER };
        assert!(matches!(DataWriter::open(&folder.path().join("0"), &other), Err(DataError::OtherSettings)));
        assert!(matches!(read(b"PNG", |_| ()), Err(DataError::NoHeader)));
    }

    #[test]
    fn a_file_that_was_cut_within_its_header_is_begun_anew() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        let whole = begin(&path, 0);
        for cut in 0..2 * RECORD_SIZE {
            std::fs::write(&path, &whole[..cut]).unwrap();
            assert_eq!(begin(&path, 0), whole, "{cut}");
        }
        std::fs::write(&path, b"PACIOLI of another kind").unwrap();
        assert!(matches!(DataWriter::open(&path, &HEADER), Err(DataError::NoHeader)));
    }

    #[test]
    fn every_flipped_bit_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        let whole = begin(&path, 0);
        for bit in 0..8 * whole.len() {
            let mut bytes = whole.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(read(&bytes, |_| ()).is_err(), "bit {bit}");
            std::fs::write(&path, &bytes).unwrap();
            assert!(DataWriter::open(&path, &HEADER).is_err(), "bit {bit}");
            assert_eq!(std::fs::read(&path).unwrap(), bytes, "bit {bit}: a refused file was changed");
        }
    }

    #[test]
    fn files_without_seals_are_still_read_but_not_taken_up() {
        let records = [sample(false).encode().unwrap(), sample(true).encode().unwrap()].concat();
        let mut header = HEADER.encode();
        header[..UNSEALED.len()].copy_from_slice(&UNSEALED);
        let bytes = [&header[..], &records].concat();
        let mut count = 0;
        read(&bytes, |_| count += 1).unwrap();
        assert_eq!(count, 2);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        std::fs::write(&path, &bytes).unwrap();
        assert!(matches!(DataWriter::open(&path, &HEADER), Err(DataError::Unsealed)));
    }
}
