//! Pacioli's own form, in units of 32 bytes: a header and its seal, then for each game one record for each searched
//! position, and a seal.
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
//! A game is written with its seal at once, so that what follows the last seal is a game that was cut short. Files that
//! begin with `PACIOLI1` are of an earlier form without seals; they can still be read.
//!
//! [`Score::main`]: crate::score::Score::main

use std::io::BufRead;

use super::{Counted, DataError, GameResult, MOST_PLIES, Sample};
use crate::board::{PackedMove, packed_position};

/// Bytes of a record, a seal and the header.
pub const UNIT: usize = 32;
/// What a data file begins with: a name and the version of the form.
pub(in crate::lab) const MAGIC: [u8; 8] = *b"PACIOLI2";
/// What files without seals begin with.
pub(in crate::lab) const UNSEALED: [u8; 8] = *b"PACIOLI1";
/// Places in a seal.
const SEALED_UNITS: usize = 8;
const CHECKSUM: usize = 12;
const SEAL_END: usize = 16;
/// Places in a record.
const SCORE: usize = 26;
const MOVE: usize = 28;
const FLAGS: usize = 30;
const PLY: usize = 31;
const RESULT_BITS: u8 = 3;
const LAST_BIT: u8 = 0x80;

/// A record, a seal or the header.
type Unit = [u8; UNIT];

/// The records of a game; `None` where it has a position with more pieces than the game begins with.
pub fn encode(game: &[Sample]) -> Option<Vec<u8>> {
    let record = |(ply, sample): (usize, &Sample)| {
        let mut record = [0; UNIT];
        record[..SCORE].copy_from_slice(&packed_position::pack(&sample.position)?);
        let score = sample.score.clamp(i32::from(i16::MIN), i32::from(i16::MAX)) as i16;
        record[SCORE..MOVE].copy_from_slice(&score.to_le_bytes());
        record[MOVE..FLAGS].copy_from_slice(&PackedMove::new(sample.best_move).to_bits().to_le_bytes());
        record[FLAGS] = sample.result as u8 | if ply + 1 == game.len() { LAST_BIT } else { 0 };
        record[PLY] = ply.min(255) as u8;
        Some(record)
    };
    let records: Option<Vec<Unit>> = game.iter().enumerate().map(record).collect();
    records.map(|records| records.as_flattened().to_vec())
}

/// The sample of a record; `None` where it makes no sense.
fn decode(record: &Unit) -> Option<Sample> {
    let result = match record[FLAGS] & RESULT_BITS {
        0 => GameResult::BlackWins,
        1 => GameResult::Draw,
        2 => GameResult::WhiteWins,
        _ => return None,
    };
    let position = packed_position::unpack(record[..SCORE].try_into().ok()?)?;
    let best_move = PackedMove::from_bits(u16::from_le_bytes([record[MOVE], record[MOVE + 1]])).unpack(&position)?;
    let score = i32::from(i16::from_le_bytes([record[SCORE], record[SCORE + 1]]));
    Some(Sample { position, score, best_move, result })
}

/// The seal of these bytes.
pub(in crate::lab) fn seal(bytes: &[u8]) -> Unit {
    let mut seal = [0; UNIT];
    seal[SEALED_UNITS..CHECKSUM].copy_from_slice(&((bytes.len() / UNIT) as u32).to_le_bytes());
    seal[CHECKSUM..SEAL_END].copy_from_slice(&crc32c::crc32c(bytes).to_le_bytes());
    seal
}

/// Reads such a file game by game.
pub(in crate::lab) struct Reader<R> {
    pub(super) source: Counted<R>,
    has_seals: bool,
    /// Games read.
    games: u64,
    /// Records in them.
    records: u64,
    /// Bytes of a game that was cut short, at the end.
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

    /// The records of the next whole game, if there is one.
    pub fn next_records(&mut self) -> Result<Option<Vec<Unit>>, DataError> {
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
            // Something after a game's last record that is no seal was one.
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

    /// The samples of the next whole game, if there is one.
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

    fn sample() -> Sample {
        let position = Position::default();
        let best_move = position.parse_uci("e2e4").unwrap();
        Sample { position, score: -31, best_move, result: GameResult::WhiteWins }
    }

    #[test]
    fn records_round_trip() {
        let records = encode(&[sample(), sample()]).unwrap();
        let (units, _) = records.as_chunks::<UNIT>();
        assert_eq!([units[0][FLAGS], units[1][FLAGS]], [2, 2 | LAST_BIT]);
        assert_eq!([units[0][PLY], units[1][PLY]], [0, 1]);
        let again = decode(&units[1]).unwrap();
        assert_eq!(again.position.fen(), Position::default().fen());
        assert_eq!((again.score, again.result, again.best_move), (-31, GameResult::WhiteWins, sample().best_move));
        let mut damaged = units[0];
        damaged[FLAGS] |= RESULT_BITS;
        assert!(decode(&damaged).is_none());
    }

    #[test]
    fn files_without_seals_are_read_to_their_last_whole_game() {
        let mut header = [0; UNIT];
        header[..UNSEALED.len()].copy_from_slice(&UNSEALED);
        let game = encode(&[sample(), sample()]).unwrap();
        let bytes = [&header[..], &game, &game, &game[..40]].concat();
        let mut reader = Reader::new(&bytes[..]).unwrap();
        let lengths: Vec<_> = std::iter::from_fn(|| reader.next_game().unwrap()).map(|game| game.len()).collect();
        assert_eq!((lengths, reader.left_over), (vec![2, 2], 40));
    }

    #[test]
    fn a_game_without_an_end_is_no_game() {
        let mut header = [0; UNIT];
        header[..UNSEALED.len()].copy_from_slice(&UNSEALED);
        let bytes = [&header[..], &vec![1; (MOST_PLIES + 1) * UNIT]].concat();
        assert!(matches!(Reader::new(&bytes[..]).unwrap().next_game(), Err(DataError::Broken { number: 1 })));
    }
}
