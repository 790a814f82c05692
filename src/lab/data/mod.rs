//! Training data: the searched positions of games, with the search's results and the outcomes of the games, and their
//! file formats.
//!
//! | format | read | written | what it is |
//! |---|---|---|---|
//! | [`viri`] | yes | by [`datagen`] | whole games, four bytes per position, with a [journal](index) |
//! | [`pacioli`] | yes | no | the formats of earlier versions, 32 bytes per position |
//! | [`match_games`] | by `positions` and `wdl` | no | games of matches, in PGN with scores in the comments |
//! | [`bullet`] | no | by [`positions`] | single positions for trainers, 32 bytes each |
//!
//! Laws: a file is read game by game, so that memory use does not grow with its size; damage is an error that names the
//! place, as far as the format has checksums or there is a journal; what an interrupted game left at the end is skipped
//! and counted.
//!
//! [`datagen`]: super::datagen

pub mod bullet;
pub mod index;
pub mod match_games;
pub mod pacioli;
pub mod positions;
pub mod record;
pub mod viri;
mod writer;

pub use writer::DataWriter;

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use thiserror::Error;

use crate::board::{Color, Move, Position, is_noisy};
use crate::files;
use crate::runner::{HeadError, JournalError, Kind, Shard};
use crate::text::counted;
use index::{Blocks, Header, Index};

/// Bytes read from a file at a time.
const BUFFER: usize = 1 << 20;
/// More plies than any game can have: the fifty-move rule ends each before move 6,000. Anything longer is not a game.
const MOST_PLIES: usize = 1 << 14;
/// Control characters that texts have: tab, line feed, vertical tab, form feed, carriage return, end of file in DOS.
const TEXT_CONTROLS: [u8; 6] = *b"\t\n\x0b\x0c\r\x1a";
/// A text has fewer than one other control character in so many bytes; a game has at least one in eight.
const FOREIGN_SHARE: usize = 16;

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
    /// The result with this number in a file.
    fn from_code(code: u8) -> Option<GameResult> {
        [GameResult::BlackWins, GameResult::Draw, GameResult::WhiteWins].get(usize::from(code)).copied()
    }

    /// What it is worth to a side, in half points.
    pub(in crate::lab) fn half_points(self, side: Color) -> u8 {
        match (self, side) {
            (GameResult::Draw, _) => 1,
            (GameResult::WhiteWins, Color::White) | (GameResult::BlackWins, Color::Black) => 2,
            _ => 0,
        }
    }
}

/// One searched position of a game.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The position.
    pub position: Position,
    /// The search's score for the side to move: centipawns, or the encoding of a mate, as in [`Score::main`].
    ///
    /// [`Score::main`]: crate::score::Score::main
    pub score: i32,
    /// The search's move.
    pub best_move: Move,
    /// How the game ended.
    pub result: GameResult,
}

/// Why an evaluation should not learn from a position: it is meant to judge quiet positions.
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
    /// What the game's result is worth to the side to move: 0, 1/2 or 1 point.
    pub fn points(&self) -> f64 {
        f64::from(self.result.half_points(self.position.turn())) / 2.0
    }

    /// Why not to learn from the position, if scores may be at most `max_score` centipawns; `None` if it is quiet.
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
    /// The file does not start like a data file.
    #[error("not a data file of this version")]
    NoHeader,
    /// The file was started with other settings.
    #[error("begun with {what} than now; choose another file or the same settings")]
    OtherSettings {
        /// What differs.
        what: &'static str,
    },
    /// The journal is of an older version.
    #[error(
        "its journal is of version {schema}, which can be read but not resumed; this program writes version {}",
        Kind::Datagen.schema()
    )]
    OtherVersion {
        /// Its version.
        schema: u32,
    },
    /// The journal is of a newer version, or something else.
    #[error("its journal: {0}")]
    OtherHead(HeadError),
    /// The file is a part of the games that was given before.
    #[error("part {shard} of the games was already given")]
    GivenAlready {
        /// Which part.
        shard: Shard,
    },
    /// The file is not a part of the games.
    #[error("it is no part of the games: the files of all parts are expected, and nothing else")]
    NoPart,
    /// The file is a part of more or fewer than were given.
    #[error("it is part {shard} of the games, with {} given: all parts are expected", counted(*count, "file"))]
    OtherCount {
        /// Which part.
        shard: Shard,
        /// How many files were given.
        count: usize,
    },
    /// There are data, but no record of what they depend on.
    #[error("it has no journal, without which it is neither resumed nor joined; choose another file")]
    NoJournal,
    /// There are data, but of the record of what they depend on only a beginning.
    #[error(
        "its journal is cut before the end of its first line, without which it is neither read, resumed nor joined; \
        choose another file, or remove the journal for it to be read unverified"
    )]
    CutJournal,
    /// A line of the journal makes no sense.
    #[error("line {line} of its journal is damaged")]
    BadJournal {
        /// Which one, from 1.
        line: usize,
    },
    /// A block of games does not match its checksum in the journal.
    #[error("block {number} of its journal is damaged, truncated or missing in the data")]
    BadBlock {
        /// Which one, from 1.
        number: u64,
    },
    /// No opening for a game was found.
    #[error("none of {tried} openings drawn for game {game} can be played: each is over, or lost for one side")]
    NoOpening {
        /// Which one, from 1.
        game: u64,
        /// How many were drawn.
        tried: usize,
    },
    /// A game makes no sense.
    #[error("game {game} is damaged at its ply {ply}")]
    BadGame {
        /// Which one, from 1.
        game: u64,
        /// Which of its plies, from 1; 0 is the start position.
        ply: usize,
    },
    /// There are more positions than fit in memory.
    #[error("not enough memory for more than {positions} positions")]
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
    /// A block does not match the checksum that it was written with.
    #[error("game {number} is damaged: checksum mismatch")]
    Broken {
        /// Which game, from 1; 0 is the header.
        number: u64,
    },
}

/// The games of a data file in order: the samples of each, in the order in which they were played.
pub struct Games<R> {
    form: Form<R>,
    /// Bytes after the last complete block.
    unfinished: u64,
    /// What the games depend on.
    header: Option<Header>,
}

/// A data file being read.
pub type DataFile = Games<BufReader<File>>;

enum Form<R> {
    Pacioli(pacioli::Reader<R>),
    Viri(viri::Reader<R>),
    Blocks(viri::Reader<Blocks<R>>),
}

/// Opens a data file, with its journal if it has one.
///
/// # Errors
///
/// A file that cannot be read, or is not a data file; a journal that cannot be read, is damaged or cut in its header.
pub fn open(path: &Path) -> Result<DataFile, DataError> {
    // Another run may be writing both: what the journal lists now is already in the file.
    let journal = Index::read(path)?;
    let file = files::open(path, files::STREAM_LIMIT).map_err(io::Error::from)?;
    let size = file.metadata()?.len();
    let games = Games::new(BufReader::with_capacity(BUFFER, file))?;
    Ok(match (games.form, journal) {
        (Form::Viri(reader), Some(Index { header, blocks })) => {
            let finished: u64 = blocks.iter().map(|block| block.bytes).sum();
            let form = Form::Blocks(viri::Reader::new(Blocks::new(reader.source.source, blocks)));
            Games { form, unfinished: size.saturating_sub(finished), header: Some(header) }
        }
        // As long as there are no data, a run may be writing the header.
        (Form::Viri(_), None) if size > 0 && index::path(path).exists() => return Err(DataError::CutJournal),
        (form, _) => Games { form, unfinished: 0, header: None },
    })
}

impl<R: BufRead> Games<R> {
    /// Reads the beginning of a source and detects its format.
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
        Ok(Games { form, unfinished: 0, header: None })
    }

    /// The raw bytes of the next complete game, if there is one.
    pub(super) fn next_bytes(&mut self) -> Result<Option<Vec<u8>>, DataError> {
        match &mut self.form {
            // A format of its own, without journals.
            Form::Pacioli(_) => Err(DataError::NoJournal),
            Form::Viri(reader) => reader.next_bytes(),
            Form::Blocks(reader) => reader.next_bytes(),
        }
    }

    /// What the games depend on, by the journal as it was when the file was opened; `None` without one.
    pub fn header(&self) -> Option<&Header> {
        self.header.as_ref()
    }

    /// Bytes read so far.
    pub fn bytes(&self) -> u64 {
        match &self.form {
            Form::Pacioli(reader) => reader.source.bytes,
            Form::Viri(reader) => reader.source.bytes,
            Form::Blocks(reader) => reader.source.bytes,
        }
    }

    /// Bytes of truncated games at the end; known once all games have been read.
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

/// Whether this is the beginning of a data file rather than a text, which has hardly any control characters: some
/// suites end each line with a zero byte.
pub fn is_data(beginning: &[u8]) -> bool {
    let foreign = beginning.iter().filter(|byte| byte.is_ascii_control() && !TEXT_CONTROLS.contains(byte)).count();
    beginning.starts_with(pacioli::NAME) || foreign * FOREIGN_SHARE > beginning.len()
}

/// A source of bytes that counts them.
struct Counted<R> {
    source: R,
    bytes: u64,
}

impl<R: BufRead> Counted<R> {
    /// The next `N` bytes, or how many there are before the end.
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
