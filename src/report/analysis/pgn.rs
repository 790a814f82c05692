//! Games from PGN files, over the crate `pgn-reader`: the main line with its comments, checked against the rules.
//!
//! Variations and annotation glyphs are left out: ours take their place.

use std::io;
use std::ops::ControlFlow;

use pgn_reader::{Outcome, RawComment, RawTag, Reader, SanPlus, Visitor};
use thiserror::Error;

use crate::board::{Move, Position, PositionError};

/// Values of the tag `Variant` for ordinary chess, in lower case.
const STANDARD: [&str; 5] = ["", "standard", "chess", "normal", "from position"];
/// Values for Chess960.
const CHESS960: [&str; 4] = ["chess960", "chess 960", "fischerandom", "fischer random"];

/// A game.
#[derive(Clone, Debug)]
pub struct PgnGame {
    /// Its tags, in order.
    pub tags: Vec<(String, String)>,
    /// Where it began.
    pub start: Position,
    /// Comments before the first move.
    pub comments: Vec<String>,
    /// Its moves.
    pub moves: Vec<PgnMove>,
    /// How it ended: `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
}

/// A move of a game.
#[derive(Clone, Debug)]
pub struct PgnMove {
    /// The move.
    pub m: Move,
    /// The comments that follow it.
    pub comments: Vec<String>,
}

/// A file that cannot be read as games, with the place.
#[derive(Debug, Error)]
pub enum PgnError {
    /// The file cannot be read.
    #[error("{file}: {error}")]
    Unreadable {
        /// The file's name.
        file: String,
        /// Why.
        error: io::Error,
    },
    /// Nothing in it looks like a game.
    #[error("{file}: no game with moves in it")]
    Empty {
        /// The file's name.
        file: String,
    },
    /// The start position is none.
    #[error("{file}: game {number}: {error}")]
    Start {
        /// The file's name.
        file: String,
        /// The game's place in the file, from 1.
        number: usize,
        /// What is wrong.
        error: PositionError,
    },
    /// Some other game than chess.
    #[error("{file}: game {number}: the variant `{variant}` is not known")]
    Variant {
        /// The file's name.
        file: String,
        /// The game's place in the file, from 1.
        number: usize,
        /// The variant's name.
        variant: String,
    },
    /// A move that cannot be played.
    #[error("{file}: game {number}, move {place}: {error}")]
    Move {
        /// The file's name.
        file: String,
        /// The game's place in the file, from 1.
        number: usize,
        /// The move's number, as on a score sheet.
        place: String,
        /// What is wrong.
        error: PositionError,
    },
}

impl PgnGame {
    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        tag(&self.tags, name)
    }
}

/// The value of a tag, whose name is found in any case.
fn tag<'t>(tags: &'t [(String, String)], name: &str) -> Option<&'t str> {
    tags.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
}

/// A game as it stands in the file.
#[derive(Default)]
struct RawGame {
    tags: Vec<(String, String)>,
    comments: Vec<String>,
    moves: Vec<(String, Vec<String>)>,
    result: Option<String>,
}

/// Collects what the reader meets.
struct Collector;

impl Visitor for Collector {
    type Tags = RawGame;
    type Movetext = RawGame;
    type Output = RawGame;

    fn begin_tags(&mut self) -> ControlFlow<RawGame, RawGame> {
        ControlFlow::Continue(RawGame::default())
    }

    fn tag(&mut self, game: &mut RawGame, name: &[u8], value: RawTag<'_>) -> ControlFlow<RawGame> {
        game.tags.push((String::from_utf8_lossy(name).into_owned(), value.decode_utf8_lossy().into_owned()));
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, game: RawGame) -> ControlFlow<RawGame, RawGame> {
        ControlFlow::Continue(game)
    }

    fn san(&mut self, game: &mut RawGame, san: SanPlus) -> ControlFlow<RawGame> {
        game.moves.push((san.to_string(), Vec::new()));
        ControlFlow::Continue(())
    }

    fn comment(&mut self, game: &mut RawGame, comment: RawComment<'_>) -> ControlFlow<RawGame> {
        let text = String::from_utf8_lossy(comment.as_bytes()).split_whitespace().collect::<Vec<_>>().join(" ");
        if !text.is_empty() {
            game.moves.last_mut().map_or(&mut game.comments, |(_, comments)| comments).push(text);
        }
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, game: &mut RawGame, outcome: Outcome) -> ControlFlow<RawGame> {
        game.result = Some(outcome.to_string());
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, game: RawGame) -> RawGame {
        game
    }
}

/// Reads all games of a file; `file` is its name in errors.
///
/// # Errors
///
/// [`PgnError`] at the first game that cannot be replayed.
pub fn read(file: &str, text: impl io::Read) -> Result<Vec<PgnGame>, PgnError> {
    let mut reader = Reader::new(text);
    let mut games = Vec::new();
    loop {
        let raw = reader.read_game(&mut Collector);
        match raw.map_err(|error| PgnError::Unreadable { file: file.to_owned(), error })? {
            None => break,
            Some(raw) => games.push(replay(file, games.len() + 1, raw)?),
        }
    }
    if games.iter().all(|game| game.moves.is_empty()) {
        return Err(PgnError::Empty { file: file.to_owned() });
    }
    Ok(games)
}

/// Plays a game through.
fn replay(file: &str, number: usize, raw: RawGame) -> Result<PgnGame, PgnError> {
    let file = || file.to_owned();
    let variant = tag(&raw.tags, "Variant").unwrap_or_default();
    let is_named = |names: &[&str]| names.contains(&variant.to_ascii_lowercase().as_str());
    let chess960 = is_named(&CHESS960);
    if !chess960 && !is_named(&STANDARD) {
        return Err(PgnError::Variant { file: file(), number, variant: variant.to_owned() });
    }
    let start = match tag(&raw.tags, "FEN") {
        Some(fen) => {
            Position::from_fen(fen, chess960).map_err(|error| PgnError::Start { file: file(), number, error })?
        }
        None => Position::default(),
    };
    let mut position = start.clone();
    let mut moves = Vec::with_capacity(raw.moves.len());
    for (san, comments) in raw.moves {
        let m = position.parse_san(&san).map_err(|error| {
            let dots = position.turn().fold_wb(".", "...");
            PgnError::Move { file: file(), number, place: format!("{}{dots}", position.fullmoves()), error }
        })?;
        position = position.play(m);
        moves.push(PgnMove { m, comments });
    }
    let result = raw.result.or_else(|| tag(&raw.tags, "Result").map(str::to_owned)).unwrap_or_else(|| "*".to_owned());
    Ok(PgnGame { tags: raw.tags, start, comments: raw.comments, moves, result })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_replayed_with_tags_comments_and_result() {
        let text = "[White \"A \\\"B\\\" C\"]\r\n[Black \"D\"]\r\n\r\n{ before } 1. e4 $1 {one\ntwo} (1. d4 d5) e5 \
                    2. Nf3 1-0\r\n\r\n[White \"E\"]\n\n1. d4 *\n";
        let games = read("f.pgn", text.as_bytes()).unwrap();
        assert_eq!(games.len(), 2);
        assert_eq!(games[0].tag("white"), Some("A \"B\" C"));
        assert_eq!((games[0].moves.len(), games[0].result.as_str()), (3, "1-0"));
        assert_eq!(
            (games[0].comments.clone(), games[0].moves[0].comments.clone()),
            (vec!["before".into()], vec!["one two".into()])
        );
        assert_eq!(games[1].result, "*");
    }

    #[test]
    fn chess960_games_castle_by_their_own_rules() {
        let text = "[Variant \"fischerandom\"]\n[FEN \"4k3/8/8/8/8/8/8/1RK4R w HB - 0 1\"]\n\n1. O-O-O Kd7 *";
        let games = read("f.pgn", text.as_bytes()).unwrap();
        assert_eq!(games[0].start.uci(games[0].moves[0].m), "c1b1");
    }

    #[test]
    fn what_cannot_be_read_is_named_with_its_place() {
        for (text, complaint) in [
            ("", "f.pgn: no game with moves in it"),
            ("[White \"A\"]\n\n*\n", "f.pgn: no game with moves in it"),
            ("1. e4 e5 2. Ke3 *", "f.pgn: game 1, move 2.: `Ke3` is not legal"),
            ("1. e4 *\n\n[White \"A\"]\n\n1. e4 Qh4 *", "f.pgn: game 2, move 1...: `Qh4` is not legal"),
            ("[FEN \"8/8 w\"]\n\n1. e4 *", "f.pgn: game 1: not a FEN"),
            ("[Variant \"Atomic\"]\n\n1. e4 *", "f.pgn: game 1: the variant `Atomic` is not known"),
        ] {
            let error = read("f.pgn", text.as_bytes()).unwrap_err().to_string();
            assert!(error.starts_with(complaint) && !error.contains('\n'), "{error}");
        }
    }
}
