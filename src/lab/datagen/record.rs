//! Writing data files: the header that says what the games depend on, and a file that grows game by game.

use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

use crate::files;
use crate::lab::data::DataError;
use crate::lab::data::pacioli::{MAGIC, Reader, UNIT, UNSEALED, seal};

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
    pub(super) fn encode(&self) -> [u8; UNIT] {
        let mut bytes = [0; UNIT];
        bytes[..8].copy_from_slice(&MAGIC);
        for (place, number) in [self.seed, self.nodes, self.settings].into_iter().enumerate() {
            bytes[8 * (place + 1)..8 * (place + 2)].copy_from_slice(&number.to_le_bytes());
        }
        bytes
    }
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
        let records = games.iter().map(|game| game.len() / UNIT).sum::<usize>() as u64;
        let seals = 1 + games.len() as u64;
        let length = (1 + seals + records) * UNIT as u64;
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
        self.records += (game.len() / UNIT) as u64;
        Ok(())
    }
}

/// The records of each whole game of a data file's bytes; what is left of an interrupted game at the end is passed over.
///
/// # Errors
///
/// No data file, or a damaged one.
pub(super) fn whole_games(bytes: &[u8]) -> Result<Vec<Vec<u8>>, DataError> {
    let mut reader = Reader::new(bytes)?;
    let mut games = Vec::new();
    while let Some(records) = reader.next_records()? {
        games.push(records.as_flattened().to_vec());
    }
    Ok(games)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::lab::data::{GameResult, Games, Sample, pacioli};

    /// The records of a game of two positions.
    fn game() -> Vec<u8> {
        let position = Position::default();
        let best_move = position.parse_uci("e2e4").unwrap();
        let sample = Sample { position, score: -31, best_move, result: GameResult::WhiteWins };
        pacioli::encode(&[sample.clone(), sample]).unwrap()
    }

    /// The positions in a file's bytes.
    fn count(bytes: &[u8]) -> Result<usize, DataError> {
        Games::new(bytes)?.map(|game| Ok(game?.len())).sum()
    }

    const HEADER: Header = Header { seed: 1, nodes: 2, settings: 3 };

    /// A file of one game with two records, and then so many bytes of another.
    fn begin(path: &Path, more: usize) -> Vec<u8> {
        let game = game();
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
            assert_eq!(bytes.len(), 5 * UNIT);
            assert_eq!(count(&bytes).unwrap(), 2);
        }
        let other = Header { seed: 2, ..HEADER };
        assert!(matches!(DataWriter::open(&folder.path().join("0"), &other), Err(DataError::OtherSettings)));
        assert!(matches!(count(b"PNG"), Err(DataError::NoHeader)));
    }

    #[test]
    fn a_file_that_was_cut_within_its_header_is_begun_anew() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        let whole = begin(&path, 0);
        for cut in 0..2 * UNIT {
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
            assert!(count(&bytes).is_err(), "bit {bit}");
            std::fs::write(&path, &bytes).unwrap();
            assert!(DataWriter::open(&path, &HEADER).is_err(), "bit {bit}");
            assert_eq!(std::fs::read(&path).unwrap(), bytes, "bit {bit}: a refused file was changed");
        }
    }

    #[test]
    fn files_without_seals_are_still_read_but_not_taken_up() {
        let mut header = HEADER.encode();
        header[..UNSEALED.len()].copy_from_slice(&UNSEALED);
        let bytes = [&header[..], &game()].concat();
        assert_eq!(count(&bytes).unwrap(), 2);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        std::fs::write(&path, &bytes).unwrap();
        assert!(matches!(DataWriter::open(&path, &HEADER), Err(DataError::Unsealed)));
    }
}
