//! Training data: the searched positions of games, with what the search said of them and how the games ended, and the
//! forms in which they stand in files.
//!
//! | form | read | written | what it is |
//! |---|---|---|---|
//! | [`viri`] | yes | by [`datagen`] | whole games, four bytes a position; [`journal`] beside them |
//! | [`pacioli`] | yes | no | the forms of earlier versions, 32 bytes a position |
//! | [`bullet`] | no | by [`positions`] | single positions as trainers take them, 32 bytes each |
//!
//! Laws: a file is read game by game, so that the memory it takes does not grow with its size; what is damaged is an
//! error that names the place, as far as the form has checksums or a journal is there; what an interrupted game left at
//! the end is passed over and counted.
//!
//! [`datagen`]: super::datagen

pub mod bullet;
pub mod index;
pub mod pacioli;
pub mod positions;
pub mod viri;
mod writer;

pub use writer::DataWriter;

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use thiserror::Error;

use crate::board::{Move, Position, is_noisy};
use crate::files;
use crate::runner::JournalError;
use index::{Blocks, Index};

/// Bytes that are read from a file at a time.
const BUFFER: usize = 1 << 20;
/// Plies that no game exceeds: the fifty-move rule ends each before move 6,000. More without an end are no game.
const MOST_PLIES: usize = 1 << 14;

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

impl GameResult {
    /// The result that stands as this number in a file.
    fn from_code(code: u8) -> Option<GameResult> {
        [GameResult::BlackWins, GameResult::Draw, GameResult::WhiteWins].get(usize::from(code)).copied()
    }
}

/// One searched position of a game.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The position.
    pub position: Position,
    /// The search's score for the side to move: centipawns, or the encoding of a mate, as [`Score::main`] has them.
    ///
    /// [`Score::main`]: crate::score::Score::main
    pub score: i32,
    /// The search's move.
    pub best_move: Move,
    /// How the game ended.
    pub result: GameResult,
}

/// Why an evaluation should not learn from a position: it shall judge what no capture changes at once.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Unquiet {
    /// The side to move is in check.
    InCheck,
    /// The best move is a capture or a promotion.
    Noisy,
    /// The score is beyond the limit.
    OutOfRange,
}

impl Sample {
    /// What speaks against learning from the position, where scores may be so many centipawns from level; `None` where
    /// it is quiet.
    pub fn unquiet(&self, max_score: i32) -> Option<Unquiet> {
        if self.position.in_check() {
            Some(Unquiet::InCheck)
        } else if is_noisy(self.best_move) {
            Some(Unquiet::Noisy)
        } else {
            (self.score.abs() > max_score).then_some(Unquiet::OutOfRange)
        }
    }
}

/// A data file that cannot be used.
#[derive(Debug, Error)]
pub enum DataError {
    /// The file cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Its journal cannot be written, or another run is writing it.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The file does not begin as a data file does.
    #[error("no data file of this version")]
    NoHeader,
    /// The file was begun with other settings.
    #[error("begun with other settings; choose another file or the same settings")]
    OtherSettings,
    /// There are data, but nothing that says what they depend on.
    #[error("no journal stands beside it, so that it cannot go on; choose another file")]
    NoJournal,
    /// A line of the journal makes no sense.
    #[error("line {line} of its journal is damaged")]
    BadJournal {
        /// Which one, from 1.
        line: usize,
    },
    /// A block of games does not have the checksum that its journal has.
    #[error("block {number} of its journal is damaged or cut short in the data")]
    BadBlock {
        /// Which one, from 1.
        number: u64,
    },
    /// A game makes no sense.
    #[error("game {game} is damaged at its ply {ply}")]
    BadGame {
        /// Which one, from 1.
        game: u64,
        /// Which of its plies, from 1; 0 is where it begins.
        ply: usize,
    },
    /// There are more positions than the memory holds.
    #[error("no memory for more than {positions} positions")]
    NoMemory {
        /// How many there are.
        positions: usize,
    },
    /// A record makes no sense.
    #[error("record {number} is damaged")]
    Damaged {
        /// Which one, from 1.
        number: u64,
    },
    /// A block does not have the checksum that it was written with.
    #[error("game {number} is damaged: it is not what was written")]
    Broken {
        /// Which game, from 1; 0 is the header.
        number: u64,
    },
}

/// The games of a data file, one after the other: the samples of each, in the order in which they were played.
pub struct Games<R> {
    form: Form<R>,
    /// Bytes after the last finished block.
    unfinished: u64,
}

/// A data file that is being read.
pub type DataFile = Games<BufReader<File>>;

enum Form<R> {
    Pacioli(pacioli::Reader<R>),
    Viri(viri::Reader<R>),
    Blocks(viri::Reader<Blocks<R>>),
}

/// Opens a data file, with its journal where it has one.
///
/// # Errors
///
/// A file that cannot be read, or is no data file.
pub fn open(path: &Path) -> Result<DataFile, DataError> {
    // A run may be writing both: what the journal says now is in the file.
    let journal = Index::read(path)?;
    let file = files::open(path, files::STREAM_LIMIT).map_err(io::Error::from)?;
    let size = file.metadata()?.len();
    let games = Games::new(BufReader::with_capacity(BUFFER, file))?;
    Ok(match (games.form, journal) {
        (Form::Viri(reader), Some(journal)) => {
            let finished: u64 = journal.blocks.iter().map(|block| block.bytes).sum();
            let blocks = Blocks::new(reader.source.source, journal.blocks);
            Games { form: Form::Blocks(viri::Reader::new(blocks)), unfinished: size.saturating_sub(finished) }
        }
        (form, _) => Games { form, unfinished: 0 },
    })
}

impl<R: BufRead> Games<R> {
    /// Reads the beginning of a source and finds out which form it has.
    ///
    /// # Errors
    ///
    /// As [`open`].
    pub fn new(mut source: R) -> Result<Games<R>, DataError> {
        let form = if source.fill_buf()?.starts_with(pacioli::NAME) {
            Form::Pacioli(pacioli::Reader::new(source)?)
        } else {
            Form::Viri(viri::Reader::new(source))
        };
        Ok(Games { form, unfinished: 0 })
    }

    /// The bytes of the next whole game, if there is one, as they stand in the file.
    pub(super) fn next_bytes(&mut self) -> Result<Option<Vec<u8>>, DataError> {
        match &mut self.form {
            Form::Pacioli(_) => Err(DataError::OtherSettings),
            Form::Viri(reader) => reader.next_bytes(),
            Form::Blocks(reader) => reader.next_bytes(),
        }
    }

    /// Bytes read so far.
    pub fn bytes(&self) -> u64 {
        match &self.form {
            Form::Pacioli(reader) => reader.source.bytes,
            Form::Viri(reader) => reader.source.bytes,
            Form::Blocks(reader) => reader.source.bytes,
        }
    }

    /// Bytes of games at the end that were cut short; known when all games have been read.
    pub fn left_over(&self) -> u64 {
        self.unfinished
            + match &self.form {
                Form::Pacioli(reader) => reader.left_over,
                Form::Viri(reader) => reader.left_over,
                Form::Blocks(reader) => reader.left_over,
            }
    }
}

impl<R: BufRead> Iterator for Games<R> {
    type Item = Result<Vec<Sample>, DataError>;

    fn next(&mut self) -> Option<Self::Item> {
        match &mut self.form {
            Form::Pacioli(reader) => reader.next_game(),
            Form::Viri(reader) => reader.next_game(),
            Form::Blocks(reader) => reader.next_game(),
        }
        .transpose()
    }
}

/// Whether this is how a data file begins, and not a text: no text has zero bytes, and every game has.
pub fn is_data(beginning: &[u8]) -> bool {
    beginning.starts_with(pacioli::NAME) || beginning.contains(&0)
}

/// A source of bytes that counts them.
struct Counted<R> {
    source: R,
    bytes: u64,
}

impl<R: BufRead> Counted<R> {
    /// The next `N` bytes, or how many of them there are before the end.
    fn take<const N: usize>(&mut self) -> io::Result<Result<[u8; N], usize>> {
        let mut taken = [0; N];
        let mut filled = 0;
        while filled < N {
            match self.source.read(&mut taken[filled..]) {
                Ok(0) => return Ok(Err(filled)),
                Ok(count) => {
                    filled += count;
                    self.bytes += count as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(Ok(taken))
    }
}
