//! Training data: the searched positions of games, with what the search said of them and how the games ended, and the
//! forms in which they stand in files.
//!
//! | form | read | written | what it is |
//! |---|---|---|---|
//! | [`pacioli`] | yes | by [`datagen`] | whole games, a record for each position |
//! | [`bullet`] | no | by [`positions`] | single positions as trainers take them |
//!
//! Laws: a file is read game by game, so that the memory it takes does not grow with its size; what is damaged is an
//! error that names the place, and what an interrupted game left at the end is passed over and counted.
//!
//! [`datagen`]: super::datagen

pub mod bullet;
pub mod pacioli;
pub mod positions;

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use thiserror::Error;

use crate::board::{Move, Position, is_noisy};
use crate::files;

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
    /// The file does not begin as a data file does.
    #[error("no data file of this version")]
    NoHeader,
    /// The file was begun with other settings.
    #[error("begun with other settings; choose another file or the same settings")]
    OtherSettings,
    /// The file was begun by an earlier version.
    #[error("begun by an earlier version, without checksums; choose another file")]
    Unsealed,
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
    games: pacioli::Reader<R>,
}

/// Opens a data file.
///
/// # Errors
///
/// A file that cannot be read, or is no data file.
pub fn open(path: &Path) -> Result<Games<BufReader<File>>, DataError> {
    let file = files::open(path, files::STREAM_LIMIT).map_err(io::Error::from)?;
    Games::new(BufReader::with_capacity(BUFFER, file))
}

impl<R: BufRead> Games<R> {
    /// Reads the beginning of a source and finds out which form it has.
    ///
    /// # Errors
    ///
    /// As [`open`].
    pub fn new(source: R) -> Result<Games<R>, DataError> {
        Ok(Games { games: pacioli::Reader::new(source)? })
    }

    /// Bytes read so far.
    pub fn bytes(&self) -> u64 {
        self.games.source.bytes
    }

    /// Bytes of a game at the end that was cut short; known when all games have been read.
    pub fn left_over(&self) -> u64 {
        self.games.left_over
    }
}

impl<R: BufRead> Iterator for Games<R> {
    type Item = Result<Vec<Sample>, DataError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.games.next_game().transpose()
    }
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
