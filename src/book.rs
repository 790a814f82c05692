//! Layer 2: opening books in the Polyglot format (F. Letouzey; described on the Chess Programming Wiki).
//!
//! A book is a sorted sequence of 16-byte entries, each big-endian: 8 bytes of position key, 2 of move, 2 of weight, 4
//! for learning programs. The move has six bits of target, six of origin and three of promotion, each low bits first;
//! castling is king takes rook. The keys are Zobrist keys over Polyglot's own random numbers, which shakmaty shares; en
//! passant counts if a pawn stands ready to take.
//!
//! Before the entries there may be a header that says what the book is, as newer versions of PolyGlot write it: a text
//! in records whose key is 0, eight bytes in each (M. Van den Bergh's pgheader). No position of a game has that key.
//!
//! A damaged file is rejected as a whole: a book that is partly nonsense plays nonsense.

use std::fmt;
use std::path::{Path, PathBuf};

use fastrand::Rng;
use thiserror::Error;

use crate::board::{Move, Position, Role, move_target};
use crate::files::{self, ReadError};

/// The largest book read, in bytes: ten times larger than any in use.
const LARGEST: u64 = 1 << 30;
/// Bytes of an entry.
const ENTRY_SIZE: usize = 16;
/// Bytes of its key.
const KEY_SIZE: usize = 8;
/// How the text of a header begins.
const HEADER: &[u8] = b"@PG@";
/// Promotions as the move's three bits number them; 0 is none.
const PROMOTIONS: [Option<Role>; 5] =
    [None, Some(Role::Knight), Some(Role::Bishop), Some(Role::Rook), Some(Role::Queen)];

/// A book that cannot be used.
#[derive(Debug, Error)]
pub enum BookError {
    /// The file cannot be read.
    #[error("cannot read the book {path}: {error}", path = path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        error: ReadError,
    },
    /// The file is not a book.
    #[error("{path} is no Polyglot book: {reason}", path = path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong and where.
        reason: String,
    },
}

/// How to choose among several book moves.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum BookChoice {
    /// At random, in proportion to the weights.
    #[default]
    Weighted,
    /// The one with the largest weight.
    Best,
}

/// A move that the book has for a position.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move, legal in the position.
    pub mv: Move,
    /// How good it is, relative to the other moves; never 0.
    pub weight: u16,
}

/// A book in memory.
pub struct Book {
    path: PathBuf,
    bytes: Vec<u8>,
}

impl Book {
    /// Reads a book.
    ///
    /// # Errors
    ///
    /// The file cannot be read, its size is not a whole number of entries, or its entries are out of order or not
    /// moves.
    pub fn open(path: &Path) -> Result<Book, BookError> {
        let bytes = files::read(path, LARGEST).map_err(|error| BookError::Read { path: path.to_owned(), error })?;
        match fault(&bytes) {
            Some(reason) => Err(BookError::Damaged { path: path.to_owned(), reason }),
            None => Ok(Book { path: path.to_owned(), bytes }),
        }
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        entries(&self.bytes).len()
    }

    /// Whether there are none, which [`Book::open`] rejects.
    pub fn is_empty(&self) -> bool {
        entries(&self.bytes).is_empty()
    }

    /// The book's moves for a position, heaviest first; without those that are illegal or have no weight.
    pub fn moves(&self, position: &Position) -> Vec<BookMove> {
        let key = position.polyglot_key();
        let entries = entries(&self.bytes);
        let first = entries.partition_point(|entry| key_of(entry) < key);
        let legal = position.legal_moves();
        let of_position = entries[first..].iter().take_while(|entry| key_of(entry) == key);
        let mut moves: Vec<BookMove> = of_position
            .filter_map(|entry| Some(BookMove { mv: decode(&legal, word(entry, 8))?, weight: word(entry, 10) }))
            .filter(|book_move| book_move.weight > 0)
            .collect();
        moves.sort_by_key(|book_move| std::cmp::Reverse(book_move.weight));
        moves
    }

    /// A move for the position, or `None` if the book has none.
    pub fn choose(&self, position: &Position, choice: BookChoice, random: &mut Rng) -> Option<BookMove> {
        let moves = self.moves(position);
        let total: u64 = moves.iter().map(|book_move| u64::from(book_move.weight)).sum();
        let mut ticket = match choice {
            BookChoice::Best => 0,
            BookChoice::Weighted => random.u64(0..total.max(1)),
        };
        moves.into_iter().find(|book_move| {
            let weight = u64::from(book_move.weight);
            let drawn = ticket < weight;
            ticket = ticket.saturating_sub(weight);
            drawn
        })
    }
}

/// The entries of a book. A program that knows of no header and sorts the records may have mixed those of one.
fn entries(bytes: &[u8]) -> &[[u8; ENTRY_SIZE]] {
    let (records, _) = bytes.as_chunks::<ENTRY_SIZE>();
    let first = records.iter().take_while(|record| key_of(record) == 0).count();
    let is_header = records[..first].iter().any(|record| record[KEY_SIZE..].starts_with(HEADER));
    if is_header { &records[first..] } else { records }
}

/// What is wrong with the bytes, with the number of the first bad entry, from 1.
fn fault(bytes: &[u8]) -> Option<String> {
    if !bytes.len().is_multiple_of(ENTRY_SIZE) {
        return Some(format!("its {} bytes are no multiple of {ENTRY_SIZE}", bytes.len()));
    }
    let entries = entries(bytes);
    if entries.is_empty() {
        return Some("it is empty".to_owned());
    }
    let mut last = 0;
    for (index, entry) in entries.iter().enumerate() {
        let key = key_of(entry);
        if key < last {
            return Some(format!("entry {} is out of order", index + 1));
        }
        if usize::from(word(entry, 8) >> 12) >= PROMOTIONS.len() {
            return Some(format!("entry {} has no move", index + 1));
        }
        last = key;
    }
    None
}

/// The position key of an entry.
fn key_of(entry: &[u8; ENTRY_SIZE]) -> u64 {
    entry[..KEY_SIZE].iter().fold(0, |key, &byte| key << 8 | u64::from(byte))
}

/// The 16-bit number at an offset of an entry.
fn word(entry: &[u8; ENTRY_SIZE], offset: usize) -> u16 {
    u16::from_be_bytes([entry[offset], entry[offset + 1]])
}

/// The legal move that an entry's bits stand for. Some books write castling as the king's own move.
fn decode(legal: &[Move], bits: u16) -> Option<Move> {
    let (to, from) = (bits & 0x3f, bits >> 6 & 0x3f);
    let promotion = *PROMOTIONS.get(usize::from(bits >> 12))?;
    let from_there = |m: &&Move| m.from().is_some_and(|square| square as u16 == from) && m.promotion() == promotion;
    let exact = legal.iter().filter(from_there).find(|m| m.to() as u16 == to);
    let castling = || legal.iter().filter(from_there).find(|&&m| m.is_castle() && move_target(m) as u16 == to);
    exact.or_else(castling).copied()
}

impl fmt::Display for Book {
    /// Summary of what was read.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moves = if self.len() == 1 { "move" } else { "moves" };
        write!(f, "book {}: {} {moves}", self.path.display(), self.len())
    }
}

impl fmt::Debug for Book {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Book({})", self.path.display())
    }
}

impl PartialEq for Book {
    /// The same file with the same contents.
    fn eq(&self, other: &Book) -> bool {
        self.path == other.path && self.bytes == other.bytes
    }
}

impl Eq for Book {}

#[cfg(test)]
mod tests {
    use super::*;

    /// An entry for a position, with the move's squares as numbers from a1 = 0 along the ranks.
    fn entry(position: &Position, from: u16, to: u16, promotion: u16, weight: u16) -> [u8; 16] {
        let mut entry = [0; 16];
        entry[..8].copy_from_slice(&position.polyglot_key().to_be_bytes());
        entry[8..10].copy_from_slice(&(to | from << 6 | promotion << 12).to_be_bytes());
        entry[10..12].copy_from_slice(&weight.to_be_bytes());
        entry
    }

    fn position(fen: &str) -> Position {
        Position::from_fen(fen, false).unwrap()
    }

    fn book(mut entries: Vec<[u8; 16]>) -> Result<Book, BookError> {
        entries.sort();
        open(&entries.concat())
    }

    fn open(bytes: &[u8]) -> Result<Book, BookError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.bin");
        std::fs::write(&path, bytes).unwrap();
        Book::open(&path)
    }

    #[test]
    fn keys_are_those_of_the_formats_description() {
        // The nine positions of the published test set.
        for (fen, key) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0x463b_9618_1691_fc9c),
            ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", 0x823c_9b50_fd11_4196),
            ("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2", 0x0756_b944_61c5_0fb0),
            ("rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2", 0x662f_afb9_65db_29d4),
            ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", 0x22a4_8b5a_8e47_ff78),
            ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR b kq - 0 3", 0x652a_607c_a3f2_42c1),
            ("rnbq1bnr/ppp1pkpp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR w - - 0 4", 0x00fd_d303_c946_bdd9),
            ("rnbqkbnr/p1pppppp/8/8/PpP4P/8/1P1PPPP1/RNBQKBNR b KQkq c3 0 3", 0x3c81_23ea_7b06_7637),
            ("rnbqkbnr/p1pppppp/8/8/P6P/R1p5/1P1PPPP1/1NBQKBNR b Kkq - 0 4", 0x5c3f_9b82_9b27_9560),
        ] {
            assert_eq!(position(fen).polyglot_key(), key, "{fen}");
        }
    }

    #[test]
    fn every_kind_of_move_is_read() {
        let castling = position("r3k3/1P6/8/3pP3/8/8/8/R3K2R w KQq d6 0 1");
        let book = book(vec![
            entry(&castling, 4, 7, 0, 50),
            entry(&castling, 4, 2, 0, 40),
            entry(&castling, 49, 56, 1, 30),
            entry(&castling, 49, 57, 4, 20),
            entry(&castling, 36, 43, 0, 10),
            // Illegal here, and without weight.
            entry(&castling, 0, 63, 0, 99),
            entry(&castling, 0, 1, 0, 0),
        ])
        .unwrap();
        let moves: Vec<String> = book.moves(&castling).iter().map(|found| castling.uci(found.mv)).collect();
        assert_eq!(moves, ["e1g1", "e1c1", "b7a8n", "b7b8q", "e5d6"]);
        assert_eq!(book.moves(&Position::default()), []);
        assert_eq!(book.choose(&Position::default(), BookChoice::Weighted, &mut Rng::with_seed(1)), None);
    }

    #[test]
    fn chances_follow_the_weights_and_the_seed() {
        let start = Position::default();
        let book = book(vec![entry(&start, 12, 28, 0, 3), entry(&start, 11, 27, 0, 1)]).unwrap();
        let e4 = start.parse_uci("e2e4").unwrap();
        let mut random = Rng::with_seed(7);
        let draws = 4000;
        let heavy =
            (0..draws).filter(|_| book.choose(&start, BookChoice::Weighted, &mut random).unwrap().mv == e4).count();
        assert!((2800..3200).contains(&heavy), "{heavy}");
        assert_eq!(book.choose(&start, BookChoice::Best, &mut random).unwrap().mv, e4);
        let series = |seed| {
            let mut random = Rng::with_seed(seed);
            (0..20).map(|_| book.choose(&start, BookChoice::Weighted, &mut random).unwrap().weight).collect::<Vec<_>>()
        };
        assert_eq!(series(3), series(3));
        assert_ne!(series(3), series(4));
    }

    #[test]
    fn no_weights_are_too_many() {
        let start = Position::default();
        let book = book(vec![entry(&start, 12, 28, 0, u16::MAX); 1 << 17]).unwrap();
        let e4 = start.parse_uci("e2e4").unwrap();
        let mut random = Rng::with_seed(7);
        for choice in [BookChoice::Best, BookChoice::Weighted] {
            assert_eq!(book.choose(&start, choice, &mut random).map(|found| found.mv), Some(e4));
        }
    }

    #[test]
    fn a_damaged_book_is_refused_with_the_reason() {
        let start = Position::default();
        let good = entry(&start, 12, 28, 0, 1);
        let low = entry(&position("8/8/8/8/8/8/8/K1k5 w - - 0 1"), 0, 1, 0, 1);
        let (first, second) = if good < low { (low, good) } else { (good, low) };
        for (bytes, reason) in [
            (Vec::new(), "it is empty"),
            (good[..15].to_vec(), "its 15 bytes are no multiple of 16"),
            ([first, second].concat(), "entry 2 is out of order"),
            (entry(&start, 12, 28, 7, 1).to_vec(), "entry 1 has no move"),
            ([0xff; 64].to_vec(), "entry 1 has no move"),
        ] {
            let error = open(&bytes).unwrap_err().to_string();
            assert!(error.ends_with(reason), "{error}");
        }
        let error = Book::open(Path::new("/no/such/book.bin")).unwrap_err().to_string();
        assert!(error.starts_with("cannot read the book /no/such/book.bin: "), "{error}");
    }

    /// The records that hold a header.
    fn header(text: &str) -> Vec<[u8; 16]> {
        let record = |part: &[u8]| {
            let mut record = [0; 16];
            record[8..8 + part.len()].copy_from_slice(part);
            record
        };
        // A zero ends the text.
        [text.as_bytes(), &[0]].concat().chunks(8).map(record).collect()
    }

    #[test]
    fn a_header_is_no_part_of_the_book() {
        let start = Position::default();
        let e4 = entry(&start, 12, 28, 0, 1);
        let of_polyglot = header("@PG@\n1.0\n2\n1\nnormal\nCreated by PolyGlot.");
        assert_eq!(of_polyglot.len(), 6);
        let mut mixed = of_polyglot.clone();
        mixed.sort();
        assert_ne!(mixed, of_polyglot);
        for records in [&of_polyglot, &mixed] {
            let book = open(&[records.concat(), e4.to_vec()].concat()).unwrap();
            assert_eq!((book.len(), book.is_empty()), (1, false));
            assert!(book.to_string().ends_with(": 1 move"), "{book}");
            let moves: Vec<String> = book.moves(&start).iter().map(|found| start.uci(found.mv)).collect();
            assert_eq!(moves, ["e2e4"]);
        }
        let no_move = entry(&start, 12, 28, 7, 1);
        let (header, other) = (of_polyglot.concat(), header("any text").concat());
        for (bytes, reason) in [
            (header.clone(), "it is empty"),
            (header[..50].to_vec(), "its 50 bytes are no multiple of 16"),
            ([header.clone(), no_move.to_vec()].concat(), "entry 1 has no move"),
            ([e4.to_vec(), header].concat(), "entry 2 is out of order"),
            ([other, e4.to_vec()].concat(), "entry 1 has no move"),
        ] {
            let error = open(&bytes).unwrap_err().to_string();
            assert!(error.ends_with(reason), "{error}");
        }
    }

    #[test]
    fn a_real_book_gives_moves_for_a_while() {
        let Some(folder) = std::env::var_os("PACIOLI_BOOKS") else {
            eprintln!("skipped: PACIOLI_BOOKS names no folder of books");
            return;
        };
        let path = Path::new(&folder).join("performance.bin");
        if !path.exists() {
            eprintln!("skipped: there is no {}", path.display());
            return;
        }
        let book = Book::open(&path).unwrap();
        let mut random = Rng::with_seed(1);
        for _ in 0..20 {
            let mut position = Position::default();
            let mut plies = 0;
            while let Some(found) = book.choose(&position, BookChoice::Weighted, &mut random) {
                position = position.play(found.mv);
                plies += 1;
                assert!(plies < 200);
            }
            assert!(plies >= 4, "{plies}");
        }
    }
}
