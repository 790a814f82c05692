//! The formats of earlier versions, read only, in units of 32 bytes: a header and its seal, then for each game one
//! record per searched position, and a seal.
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
//! | 0-7 | zero, which no record starts with: the kings are there |
//! | 8-11 | the number of units it seals, all since the last one, little-endian |
//! | 12-15 | their checksum, CRC-32C, little-endian |
//! | 16-31 | zero |
//!
//! A game was written together with its seal, so anything after the last seal is an incomplete game. Files that start
//! with `PACIOLI1` have a still earlier format without seals.
//!
//! [`Score::main`]: crate::score::Score::main

use std::io::BufRead;

use super::{Counted, DataError, GameResult, MOST_PLIES, Sample};
use crate::board::{PackedMove, packed_position};

/// Bytes of a record, a seal and the header.
const UNIT: usize = 32;
/// What files of both formats start with.
pub(super) const NAME: &[u8] = b"PACIOLI";
/// What a data file starts with: a name and the version of the format.
const MAGIC: [u8; 8] = *b"PACIOLI2";
/// What files without seals start with.
const UNSEALED: [u8; 8] = *b"PACIOLI1";
/// Offsets in a seal.
const SEALED_UNITS: usize = 8;
const CHECKSUM: usize = 12;
const SEAL_END: usize = 16;
/// Offsets in a record.
const SCORE: usize = 26;
const MOVE: usize = 28;
const FLAGS: usize = 30;
const RESULT_BITS: u8 = 3;
const LAST_BIT: u8 = 0x80;

/// A record, a seal or the header.
type Unit = [u8; UNIT];

/// The sample of a record; `None` if it makes no sense.
fn decode(record: &Unit) -> Option<Sample> {
    let result = GameResult::from_code(record[FLAGS] & RESULT_BITS)?;
    let position = packed_position::unpack(record[..SCORE].try_into().ok()?)?;
    let best_move = PackedMove::from_bits(u16::from_le_bytes([record[MOVE], record[MOVE + 1]])).unpack(&position)?;
    let score = i32::from(i16::from_le_bytes([record[SCORE], record[SCORE + 1]]));
    Some(Sample { position, score, best_move, result })
}

/// The seal for these bytes.
fn seal(bytes: &[u8]) -> Unit {
    let mut seal = [0; UNIT];
    seal[SEALED_UNITS..CHECKSUM].copy_from_slice(&((bytes.len() / UNIT) as u32).to_le_bytes());
    seal[CHECKSUM..SEAL_END].copy_from_slice(&crc32c::crc32c(bytes).to_le_bytes());
    seal
}

/// Reads such a file game by game.
pub(super) struct Reader<R> {
    pub(super) source: Counted<R>,
    has_seals: bool,
    /// Games read.
    games: u64,
    /// Records in them.
    records: u64,
    /// Bytes of an incomplete game at the end.
    pub(super) left_over: u64,
}

impl<R: BufRead> Reader<R> {
    /// Reads the header.
    pub fn new(source: R) -> Result<Reader<R>, DataError> {
        let mut source = Counted { source, bytes: 0 };
        let header = source.take::<UNIT>()?.map_err(|_| DataError::NoHeader)?;
        let has_seals = header.starts_with(&MAGIC);
        if has_seals {
            if source.take::<UNIT>()?.map_err(|_| DataError::NoHeader)? != seal(&header) {
                return Err(DataError::Broken { number: 0 });
            }
        } else if !header.starts_with(&UNSEALED) {
            return Err(DataError::NoHeader);
        }
        Ok(Reader { source, has_seals, games: 0, records: 0, left_over: 0 })
    }

    /// The records of the next complete game, if there is one.
    fn next_records(&mut self) -> Result<Option<Vec<Unit>>, DataError> {
        let broken = DataError::Broken { number: self.games + 1 };
        let mut records: Vec<Unit> = Vec::new();
        let is_last = |record: &Unit| record[FLAGS] & LAST_BIT != 0;
        loop {
            let unit = match self.source.take::<UNIT>()? {
                Ok(unit) => unit,
                Err(rest) => {
                    self.left_over = (records.len() * UNIT + rest) as u64;
                    return Ok(None);
                }
            };
            if self.has_seals && unit.starts_with(&[0; SEALED_UNITS]) {
                if unit != seal(records.as_flattened()) {
                    return Err(broken);
                }
                break;
            }
            // Anything after a game's last record that is not a seal is a damaged seal.
            if records.len() == MOST_PLIES || records.last().is_some_and(is_last) {
                return Err(broken);
            }
            records.push(unit);
            if !self.has_seals && is_last(&unit) {
                break;
            }
        }
        self.games += 1;
        Ok(Some(records))
    }

    /// The samples of the next complete game, if there is one.
    pub fn next_game(&mut self) -> Result<Option<Vec<Sample>>, DataError> {
        let Some(records) = self.next_records()? else { return Ok(None) };
        let mut game = Vec::with_capacity(records.len());
        for record in &records {
            self.records += 1;
            game.push(decode(record).ok_or(DataError::Damaged { number: self.records })?);
        }
        Ok(Some(game))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;

    /// The opening position with e2e4 (12 to 28) and a score of -31, White to win, as earlier versions wrote it: a
    /// record within a game, and one that ends it.
    const RECORDS: [Unit; 2] = [record(2), record(2 | LAST_BIT)];

    const fn record(flags: u8) -> Unit {
        [
            0xff, 0xff, 0, 0, 0, 0, 0xff, 0xff, 0x1c, 0x42, 0x25, 0xc1, 0, 0, 0, 0, 0x66, 0x66, 0x66, 0x66, 0x7d, 0xa8,
            0x8b, 0xd7, 0, 0, 0xe1, 0xff, 0x0c, 0x07, flags, 7,
        ]
    }

    fn header(magic: [u8; 8]) -> Unit {
        let mut header = [3; UNIT];
        header[..magic.len()].copy_from_slice(&magic);
        header
    }

    /// A file of one game, with seals.
    fn sealed() -> Vec<u8> {
        let header = header(MAGIC);
        let game = RECORDS.as_flattened();
        [&header[..], &seal(&header), game, &seal(game)].concat()
    }

    /// The lengths of the games, and what is left over.
    fn lengths(bytes: &[u8]) -> Result<(Vec<usize>, u64), DataError> {
        let mut reader = Reader::new(bytes)?;
        let mut lengths = Vec::new();
        while let Some(game) = reader.next_game()? {
            lengths.push(game.len());
        }
        Ok((lengths, reader.left_over))
    }

    #[test]
    fn a_record_is_read_as_it_was_written() {
        let sample = decode(&RECORDS[0]).unwrap();
        assert_eq!(sample.position.fen(), Position::default().fen());
        assert_eq!((sample.score, sample.result), (-31, GameResult::WhiteWins));
        assert_eq!(sample.position.uci(sample.best_move), "e2e4");
        for (place, value) in [(FLAGS, RESULT_BITS), (MOVE, 0x3f), (0, 0xfe)] {
            let mut damaged = RECORDS[0];
            damaged[place] = value;
            assert!(decode(&damaged).is_none(), "{place}");
        }
    }

    #[test]
    fn files_are_read_to_their_last_whole_game() {
        let game = RECORDS.as_flattened();
        let unsealed = [&header(UNSEALED)[..], game, game, &game[..40]].concat();
        assert_eq!(lengths(&unsealed).unwrap(), (vec![2, 2], 40));
        for more in [0, 16, 32, 48, 64] {
            let bytes = [&sealed(), &game[..more]].concat();
            assert_eq!(lengths(&bytes).unwrap(), (vec![2], more as u64));
        }
        assert!(matches!(lengths(b"PACIOLI2"), Err(DataError::NoHeader)));
        assert!(matches!(lengths(&[b'P'; 99]), Err(DataError::NoHeader)));
    }

    #[test]
    fn every_flipped_bit_is_found() {
        let whole = sealed();
        for bit in 0..8 * whole.len() {
            let mut bytes = whole.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(lengths(&bytes).is_err(), "bit {bit}");
        }
    }

    #[test]
    fn a_game_without_an_end_is_no_game() {
        let bytes = [&header(UNSEALED)[..], &vec![1; (MOST_PLIES + 1) * UNIT]].concat();
        assert!(matches!(lengths(&bytes), Err(DataError::Broken { number: 1 })));
    }
}
