//! Layer 5: games from PGN files, over the crate `pgn-reader`: tags, the main line with its comments, and the result,
//! checked against the rules.
//!
//! Laws: one game is in memory at a time; a game that cannot be played through is rejected with its place, and reading
//! continues with the next one. Variations and annotation glyphs are left out and counted. No word of the movetext is
//! skipped in silence: what is neither a move, in SAN or as in UCI, nor a number, comment, sign or result is an error,
//! and so is a variation, comment or tag that is not closed, or a variation or comment that is not opened.

mod words;

use std::io::{self, Read};
use std::iter;
use std::ops::ControlFlow;

pub use pgn_reader::{KnownOutcome, Outcome};

use pgn_reader::{Nag, RawComment, RawTag, Reader, SanPlus, Skip, Visitor};
use thiserror::Error;
use words::Marked;

use crate::board::{Color, Move, Position, PositionError, assumed, left_out, respelled};
use crate::text::{shown, shown_text};

/// Values of the tag `Variant` for standard chess, in lower case.
const STANDARD: [&str; 5] = ["", "standard", "chess", "normal", "from position"];
/// The letters and digits of the values for Chess960, in lower case: `Chess 960`, `fischerandom`, `Fischer-Random` ...
/// No part of a value is enough: `Crazyhouse960` is another game.
const CHESS960: [&str; 7] = [
    "960",
    "chess960",
    "fischerandom",
    "fischerrandom",
    "fischerandomchess",
    "fischerrandomchess",
    "doublefischerrandom",
];
/// Bytes of a tag that are read in any case.
const TAG_BYTES: usize = 1 << 14;

/// A game.
#[derive(Clone, Debug)]
pub struct PgnGame {
    /// Which game of the file it is, from 1.
    pub number: usize,
    /// Its tags, in order.
    pub tags: Vec<(String, String)>,
    /// The start position.
    pub start: Position,
    /// Comments before the first move.
    pub comments: Vec<String>,
    /// The moves of the main line.
    pub moves: Vec<PgnMove>,
    /// How many variations of the main line were left out, each with those in it.
    pub variations: usize,
    /// How many annotation glyphs of the main line were left out: `$1`, `!?`.
    pub glyphs: usize,
    /// The result: the one after the moves, or else the tag `Result`.
    pub result: Outcome,
}

/// A move of a game.
#[derive(Clone, Debug)]
pub struct PgnMove {
    /// The move.
    pub mv: Move,
    /// The comments that follow it, each as one line.
    pub comments: Vec<String>,
}

/// A game that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("game {number}{reason}")]
pub struct RefusedGame {
    /// Which game of the file it is, from 1.
    pub number: usize,
    /// Why.
    pub reason: Refusal,
}

/// Why a game cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    /// The start position is invalid.
    #[error(": {0}")]
    Start(PositionError),
    /// A chess variant.
    #[error(": unknown variant `{0}`")]
    Variant(String),
    /// A move that cannot be played, or a word that is no move.
    #[error(", {turn}'s move {number}: {error}", turn = .turn.fold_wb("White", "Black"))]
    Move {
        /// Whose move it is.
        turn: Color,
        /// Its number, as on a score sheet.
        number: u32,
        /// What is wrong.
        error: PositionError,
    },
    /// A comment or a tag without its end, as where a file is cut off.
    #[error(": {0} is not closed")]
    Unclosed(&'static str),
    /// A tag that is too long to be read.
    #[error(": a tag is too long")]
    LongTag,
}

impl RefusedGame {
    /// Whether it is because of this word, which is no move.
    pub fn is_due_to(&self, word: &str) -> bool {
        matches!(&self.reason, Refusal::Move { error: PositionError::MoveSyntax { text }, .. } if text == word)
    }
}

impl PgnGame {
    /// The value of a tag, whose name is matched ignoring case.
    pub fn tag(&self, name: &str) -> Option<&str> {
        tag(&self.tags, name)
    }

    /// Whether it has a tag, a move or a result.
    fn has_more_than_comments(&self) -> bool {
        !self.tags.is_empty() || !self.moves.is_empty() || self.result != Outcome::Unknown
    }

    /// What is assumed for the fields that its tag `FEN` lacks; `None` if it lacks nothing but the counters.
    pub fn assumed(&self) -> Option<&'static str> {
        self.tag("FEN").and_then(assumed)
    }

    /// What its tag `FEN` states that the start position cannot have, each in words.
    pub fn left_out(&self) -> Vec<String> {
        self.tag("FEN").map_or_else(Vec::new, |fen| left_out(fen, &self.start))
    }

    /// The start position, and the one after each move.
    pub fn positions(&self) -> impl Iterator<Item = Position> {
        let after = self.moves.iter().scan(self.start.clone(), |position, step| {
            position.make(step.mv);
            Some(position.clone())
        });
        iter::once(self.start.clone()).chain(after)
    }

    /// A number for the moves and the position that they start from, the same on every machine: games in which the same
    /// was played have the same one.
    pub fn fingerprint(&self) -> u64 {
        fingerprint(self.positions().map(|position| position.key()))
    }

    /// The name of the player of a colour; empty if the file has none.
    pub fn player(&self, color: Color) -> &str {
        self.tag(color.fold_wb("White", "Black")).unwrap_or_default()
    }
}

/// The same of the keys of a game's positions, from the first to the last.
pub fn fingerprint(keys: impl Iterator<Item = u64>) -> u64 {
    keys.fold(0, |print, key| print.rotate_left(1) ^ key)
}

fn tag<'t>(tags: &'t [(String, String)], name: &str) -> Option<&'t str> {
    tags.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
}

/// The games of a source in order; an error of the source itself is the last item.
pub struct Games<R> {
    reader: Reader<Marked<R>>,
    number: usize,
    failed: bool,
}

impl<R: Read> Games<R> {
    /// The games of this source.
    pub fn new(source: R) -> Games<R> {
        let reader = Reader::build(Marked::new(source)).set_supported_tag_line_length(TAG_BYTES).finish();
        Games { reader, number: 0, failed: false }
    }

    /// Reads the next game. A comment before its tags, which the parser takes for a game, is one before its moves.
    fn read_game(&mut self) -> io::Result<Option<Result<PgnGame, Refusal>>> {
        let mut before = Vec::new();
        loop {
            match self.reader.read_game(&mut Replay).or_else(|error| self.refuse(error))? {
                Some(Ok(mut game)) => {
                    before.append(&mut game.comments);
                    if game.has_more_than_comments() {
                        return Ok(Some(Ok(PgnGame { comments: before, ..game })));
                    }
                }
                other => return Ok(other),
            }
        }
    }

    /// Refuses a game that the parser has given up, and skips what is left of it, which would be read as another.
    fn refuse(&mut self, error: io::Error) -> io::Result<Option<Result<PgnGame, Refusal>>> {
        let reason = given_up(error)?;
        while let Err(error) = self.reader.skip_game() {
            given_up(error)?;
        }
        Ok(Some(Err(reason)))
    }
}

impl<R: Read> Iterator for Games<R> {
    type Item = io::Result<Result<PgnGame, RefusedGame>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let game = self.read_game();
        self.failed = game.is_err();
        self.number += 1;
        let number = self.number;
        let numbered = |game: Result<PgnGame, Refusal>| {
            game.map(|game| PgnGame { number, ..game }).map_err(|reason| RefusedGame { number, reason })
        };
        game.map(|game| game.map(numbered)).transpose()
    }
}

/// Why the parser has given up a game; an error of the source stays one. Every value that it gets is closed.
fn given_up(error: io::Error) -> io::Result<Refusal> {
    if error.kind() != io::ErrorKind::InvalidData {
        return Err(error);
    }
    Ok(if error.to_string().contains("comment") { Refusal::Unclosed("a comment") } else { Refusal::LongTag })
}

/// Plays a game through while it is read.
struct Replay;

/// A game being read.
struct Playing {
    game: PgnGame,
    /// The position after the last move.
    position: Position,
    /// The beginning of a comment that comes in pieces.
    comment: Vec<u8>,
}

impl Playing {
    /// Plays a move in SAN, or written as in UCI, as some programs do; or as [`respelled`]. Old books end a double
    /// check with `++`.
    fn play(&mut self, text: &str) -> ControlFlow<Result<PgnGame, Refusal>> {
        let position = &mut self.position;
        let plain = text.trim_end_matches(['+', '#']);
        let parsed = position.parse_either(plain);
        match parsed.or_else(|error| position.parse_either(&respelled(plain)).map_err(|_| error)) {
            Ok(m) => {
                position.make(m);
                self.game.moves.push(PgnMove { mv: m, comments: Vec::new() });
                ControlFlow::Continue(())
            }
            Err(error) => {
                let error = match error {
                    PositionError::MoveSyntax { .. } => PositionError::MoveSyntax { text: text.to_owned() },
                    error => error,
                };
                let (turn, number) = (position.turn(), position.fullmoves());
                ControlFlow::Break(Err(Refusal::Move { turn, number, error }))
            }
        }
    }
}

impl Visitor for Replay {
    type Tags = Vec<(String, String)>;
    type Movetext = Playing;
    type Output = Result<PgnGame, Refusal>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Self::Tags> {
        ControlFlow::Continue(Vec::new())
    }

    fn tag(&mut self, tags: &mut Self::Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<Self::Output> {
        let Some(value) = words::closed(value.as_bytes()) else {
            return ControlFlow::Break(Err(Refusal::Unclosed("a tag")));
        };
        tags.push((shown_text(name), shown_text(&RawTag(value).decode())));
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Self::Tags) -> ControlFlow<Self::Output, Playing> {
        let start = match start(&tags) {
            Ok(start) => start,
            Err(reason) => return ControlFlow::Break(Err(reason)),
        };
        let result = tag(&tags, "Result").and_then(|result| result.parse().ok()).unwrap_or(Outcome::Unknown);
        let position = start.clone();
        let game = PgnGame {
            number: 0,
            tags,
            start,
            comments: Vec::new(),
            moves: Vec::new(),
            variations: 0,
            glyphs: 0,
            result,
        };
        ControlFlow::Continue(Playing { game, position, comment: Vec::new() })
    }

    fn san(&mut self, playing: &mut Playing, san: SanPlus) -> ControlFlow<Self::Output> {
        playing.play(&san.to_string())
    }

    fn nag(&mut self, playing: &mut Playing, _: Nag) -> ControlFlow<Self::Output> {
        playing.game.glyphs += 1;
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, playing: &mut Playing) -> ControlFlow<Self::Output, Skip> {
        playing.game.variations += 1;
        ControlFlow::Continue(Skip(true))
    }

    fn partial_comment(&mut self, playing: &mut Playing, part: RawComment<'_>) -> ControlFlow<Self::Output> {
        playing.comment.extend_from_slice(part.as_bytes());
        ControlFlow::Continue(())
    }

    fn comment(&mut self, playing: &mut Playing, rest: RawComment<'_>) -> ControlFlow<Self::Output> {
        playing.comment.extend_from_slice(rest.as_bytes());
        let whole = std::mem::take(&mut playing.comment);
        if let [words::MARK, word @ ..] = whole.as_slice() {
            let word = String::from_utf8_lossy(word).replace(char::from(words::BRACE), "}");
            return playing.play(&word.chars().map(shown).collect::<String>());
        }
        let text = shown_text(&whole).split_whitespace().collect::<Vec<_>>().join(" ");
        let game = &mut playing.game;
        if !text.is_empty() {
            game.moves.last_mut().map_or(&mut game.comments, |step| &mut step.comments).push(text);
        }
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, playing: &mut Playing, outcome: Outcome) -> ControlFlow<Self::Output> {
        playing.game.result = outcome;
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, playing: Playing) -> Self::Output {
        Ok(playing.game)
    }
}

/// The start position of a game with these tags. Rooks that its castling rights name make it Chess960, too.
fn start(tags: &[(String, String)]) -> Result<Position, Refusal> {
    let variant = tag(tags, "Variant").unwrap_or_default();
    let name = variant.to_lowercase();
    let letters: String = name.chars().filter(|c| c.is_alphanumeric()).collect();
    let chess960 = CHESS960.contains(&letters.as_str());
    if !chess960 && !STANDARD.contains(&name.as_str()) {
        return Err(Refusal::Variant(variant.to_owned()));
    }
    tag(tags, "FEN")
        .map_or_else(|| Ok(Position::default()), |fen| Position::from_fen_of_either(fen, chess960))
        .map_err(Refusal::Start)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Vec<PgnGame>, Vec<String>) {
        read_bytes(text.as_bytes())
    }

    fn read_bytes(text: &[u8]) -> (Vec<PgnGame>, Vec<String>) {
        let (mut games, mut refused) = (Vec::new(), Vec::new());
        for game in Games::new(text) {
            match game.unwrap() {
                Ok(game) => games.push(game),
                Err(error) => refused.push(error.to_string()),
            }
        }
        (games, refused)
    }

    fn line(game: &PgnGame) -> String {
        game.start.san_line(&game.moves.iter().map(|step| step.mv).collect::<Vec<_>>())
    }

    #[test]
    fn games_are_replayed_with_tags_comments_and_result() {
        let (games, refused) = read(
            "\u{feff}[White \"A \\\"B\\\" C\"]\r\n[Black \"D\"]\r\n\r\n{ before } 1. e4 $1 {one\ntwo} (1. d4 d5) e5 \
             2. Nf3 1-0\r\n\r\n[White \"E\"]\n[Result \"1/2-1/2\"]\n\n1. d4\n\n\
             [FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 7\"]\n\n7. e4 Kd7 *\n",
        );
        assert!(refused.is_empty(), "{refused:?}");
        assert_eq!(games[0].tag("white"), Some("A \"B\" C"));
        assert_eq!((games[0].player(Color::Black), games[1].player(Color::Black)), ("D", ""));
        assert_eq!(
            (games[0].comments.as_slice(), games[0].moves[0].comments.as_slice()),
            (&["before".into()][..], &["one two".into()][..])
        );
        assert_eq!(games.iter().map(line).collect::<Vec<_>>(), ["1.e4 e5 2.Nf3", "1.d4", "7.e4 Kd7"]);
        assert_eq!(games.iter().map(|game| game.number).collect::<Vec<_>>(), [1, 2, 3]);
        assert_eq!(games.iter().map(|game| game.result.to_string()).collect::<Vec<_>>(), ["1-0", "1/2-1/2", "*"]);
        assert!(read("").0.is_empty() && read("").1.is_empty());
    }

    #[test]
    fn quotes_in_a_tag_need_no_backslash() {
        let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
        let (games, refused) = read(&format!(
            "[White \"x\"]\n[FEN \"{fen}\"]\n[Event \"2nd \"Aeroflot\" Open\"]\n[Site \"C:\\games\\\"]\r\n\n\
             1. e4 Kd7 1-0"
        ));
        assert!(refused.is_empty() && games.len() == 1, "{refused:?}");
        let tag = |name| games[0].tag(name);
        assert_eq!((tag("Event"), tag("Site")), (Some("2nd \"Aeroflot\" Open"), Some("C:\\games\\")));
        assert_eq!((tag("White"), games[0].start.fen().as_str()), (Some("x"), fen));
        // Its bracket closes a value, too.
        let blanks = " ".repeat(100);
        let (games, refused) = read(&format!("[Annotator \"Fritz (30s)]\n[FEN \"{fen}\"{blanks}]\n\n1. e4 *"));
        assert_eq!((games.len(), refused.len()), (1, 0), "{refused:?}");
        assert_eq!((games[0].tag("Annotator"), games[0].start.fen().as_str()), (Some("Fritz (30s)"), fen));
    }

    #[test]
    fn a_comment_before_the_first_move_belongs_to_the_game() {
        let tags = "[Event \"A\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n";
        for (text, comments) in [
            (format!("; file\n{tags}\n{{intro}}\n\n1. e4 *\n\n; next\n\n{tags}\n1. e4"), [&["intro"][..], &[]]),
            (
                format!("{tags}; tags\n[Site \"x\"]\n\n; one\n; two\n1. e4 *\n\n{tags}\n{{x}}\n\n1. e4"),
                [&["one", "two"], &["x"]],
            ),
        ] {
            let (games, refused) = read(&text);
            assert!(refused.is_empty() && games.len() == 2, "{refused:?}");
            assert_eq!(games.iter().map(line).collect::<Vec<_>>(), ["1.e4", "1.e4"]);
            assert_eq!(games.iter().map(|game| game.comments.clone()).collect::<Vec<_>>(), comments);
            assert!(games.iter().all(|game| game.start.board().occupied().count() == 3));
        }
    }

    #[test]
    fn a_comment_before_the_tags_is_no_game() {
        let (games, refused) = read(
            "{Collected}\n\n{by me}\n\n[White \"A\"]\n\n{x} 1. e4 1-0\n\n{second}\n[White \"B\"]\n\n1. d4 *\n\n{end}\n",
        );
        assert!(refused.is_empty(), "{refused:?}");
        assert_eq!(
            games.iter().map(|game| (game.number, game.tag("White"))).collect::<Vec<_>>(),
            [(1, Some("A")), (2, Some("B"))]
        );
        assert_eq!(games[0].comments, ["Collected", "by me", "x"]);
        assert_eq!(games[1].comments, ["second"]);
        assert!(read("{x}\n").0.is_empty());
    }

    #[test]
    fn a_game_of_tags_alone_is_one() {
        let (games, refused) = read(
            "[White \"Forfeit\"]\n[Black \"X\"]\n[Result \"1-0\"]\n\n\
             [White \"B\"]\n\n[Black \"C\"]\n\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 7\"]\n\n\
             [White \"D\"]\n[FEN \"x\"]\n\n\
             [White \"E\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n[White \"F\"]\n",
        );
        let told = |game: &PgnGame| {
            let (white, tags) = (game.player(Color::White), game.tags.len());
            format!("{} {white}, {tags} tags: {} {}", game.number, line(game), game.result)
        };
        let expected =
            ["1 Forfeit, 3 tags:  1-0", "2 B, 3 tags:  *", "4 E, 2 tags: 1.f3 e5 2.g4 Qh4# 0-1", "5 F, 1 tags:  *"];
        assert_eq!(games.iter().map(told).collect::<Vec<_>>(), expected);
        assert_eq!(games[1].start.fullmoves(), 7);
        assert!(refused.len() == 1 && refused[0].starts_with("game 3: not a FEN"), "{refused:?}");
    }

    #[test]
    fn files_may_be_joined_with_their_marks() {
        let (games, refused) =
            read("\u{feff}[Event \"A\"]\n\n1. e4 1-0\n\n\u{feff}[Event \"B\"]\n\n1. d4 *\n\u{feff}\n\u{feff}1. c4 *");
        assert!(refused.is_empty(), "{refused:?}");
        assert_eq!(games.iter().map(|game| game.tag("Event")).collect::<Vec<_>>(), [Some("A"), Some("B"), None]);
    }

    #[test]
    fn files_may_be_indented_or_end_their_lines_otherwise() {
        let text = "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 1-0\n\n[White \"C\"]\n\n1. d4 d5\n\n1. c4 *\n";
        for changed in [text.replace('\n', "\r"), text.replace('\n', "\n "), text.replace("\n\n", "\n \t\n")] {
            let (games, refused) = read(&changed);
            assert!(refused.is_empty(), "{changed:?}: {refused:?}");
            assert_eq!(games.iter().map(line).collect::<Vec<_>>(), ["1.e4 e5", "1.d4 d5", "1.c4"], "{changed:?}");
            let whites: Vec<_> = games.iter().map(|game| game.player(Color::White)).collect();
            assert_eq!((whites, games[0].player(Color::Black)), (vec!["A", "C", ""], "B"), "{changed:?}");
        }
    }

    #[test]
    fn no_control_character_is_left_in_a_text() {
        let (games, refused) = read(
            "[White \"A\x1b[31mred\"]\n[Bl\x07ack \"B\x08\"]\n\n1. e4 {x\x1b[2Jy\n\x7f z} *\n\n\
             [Variant \"at\x1b[31momic\"]\n\n1. e4 *\n\n1. x\x1b[31my *\n",
        );
        let tags = [("White", "A [31mred"), ("Bl ack", "B ")].map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(
            (games[0].tags.as_slice(), games[0].moves[0].comments.as_slice()),
            (&tags[..], &["x [2Jy z".to_owned()][..])
        );
        let expected = ["game 2: unknown variant `at [31momic`", "game 3, White's move 1: `x [31my` is not a move"];
        assert_eq!(refused, expected);
    }

    #[test]
    fn no_byte_of_a_file_is_a_mark() {
        let (games, refused) = read("[White \"A\u{1}\"]\n\n1. e4 {\u{1}e5} e5 {\u{1}Zz9} *\n");
        assert!(refused.is_empty(), "{refused:?}");
        assert_eq!((line(&games[0]).as_str(), games[0].tag("White")), ("1.e4 e5", Some("A ")));
        assert_eq!(games[0].moves.iter().map(|step| step.comments.join(" ")).collect::<Vec<_>>(), ["e5", "Zz9"]);
    }

    #[test]
    fn a_long_comment_stays_whole() {
        let comment = "Größe ".repeat(20_000);
        let (games, _) = read(&format!("1. e4 {{{comment}}} e5 *"));
        assert_eq!(games[0].moves[0].comments, [comment.trim()]);
    }

    #[test]
    fn chess960_games_castle_by_their_own_rules() {
        for name in ["fischerandom", "Chess960", "Fischer Random", "chess 960", "Fischer-Random Chess"] {
            let tags =
                format!("[Variant \"{name}\"]\n[FEN \"1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1\"]\n");
            let (games, refused) = read(&format!("{tags}\n1. O-O O-O-O *\n"));
            assert!(refused.is_empty() && games[0].start.is_chess960() && games[0].moves.len() == 2, "{refused:?}");
            assert_eq!(games[0].start.uci(games[0].moves[0].mv), "e1g1");
        }
    }

    #[test]
    fn a_variant_played_from_such_a_start_is_another_game() {
        for name in ["Atomic960", "Crazyhouse960", "Fischer Random Crazyhouse"] {
            let (games, refused) = read(&format!("[Variant \"{name}\"]\n\n1. e4 *\n"));
            assert!(games.is_empty(), "{name}");
            assert_eq!(refused, [format!("game 1: unknown variant `{name}`")]);
        }
    }

    #[test]
    fn a_start_says_what_it_is() {
        // Chess960 by the rooks that it names, and rights that it cannot have.
        let (games, refused) = read(
            "[FEN \"1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1\"]\n\n1. O-O O-O-O *\n\n\
             [FEN \"4k3/8/8/8/8/8/8/4K2R w KQkq e6 0 1\"]\n\n1. O-O Kd7 *\n\n1. e4 *\n",
        );
        assert!(refused.is_empty(), "{refused:?}");
        assert_eq!(games.iter().map(|game| game.start.is_chess960()).collect::<Vec<_>>(), [true, false, false]);
        let impossible = ["castling rights KQkq are impossible: at most K", "no pawn can have passed e6"];
        assert_eq!(games.iter().map(PgnGame::left_out).collect::<Vec<_>>(), [vec![], impossible.to_vec(), vec![]]);
    }

    #[test]
    fn bad_games_are_refused_with_the_place_and_the_others_read() {
        let (games, refused) = read(
            "[White \"A\"]\n\n1. e4 e5 2. Ke3 Ke7 *\n\n1. e4 Qh4 *\n\n[FEN \"x\"]\n\n1. e4 *\n\n\
             [Variant \"Atomic\"]\n\n1. e4 *\n\n[White \"B\"]\n\n1. d4 *\n",
        );
        assert_eq!(games.iter().map(|game| (game.number, game.moves.len())).collect::<Vec<_>>(), [(5, 1)]);
        let expected = [
            "game 1, White's move 2: `Ke3` is not legal",
            "game 2, Black's move 1: `Qh4` is not legal",
            "game 3: not a FEN",
            "game 4: unknown variant `Atomic`",
        ];
        assert_eq!(refused.len(), expected.len());
        for (refused, expected) in refused.iter().zip(expected) {
            assert!(refused.starts_with(expected) && !refused.contains('\n'), "{refused}");
        }
    }

    #[test]
    fn no_word_is_skipped_in_silence() {
        let (games, refused) = read(
            "1. e4 e5 2. Nf3 Nc6 3. Zz9 *\n\n1. e4 e5 2. Qxz9 *\n\n1. d4 {Zz9} (1. Zz9) d5 1-0 Zz9\n\n1. e4 } *\n\n\
             1. e2e4 e7-e5 2. Ng1-f3 b8c6 3. Bb5++ a6 4. O-O *\n\nsome text\n",
        );
        assert_eq!(games.iter().map(line).collect::<Vec<_>>(), ["1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.O-O"]);
        let expected = [
            "game 1, White's move 3: `Zz9` is not a move",
            "game 2, White's move 2: `Qxz9` is not a move",
            "game 3, White's move 2: `Zz9` is not a move",
            "game 4, Black's move 1: `}` is not a move",
            "game 6, White's move 1: `some` is not a move",
        ];
        assert_eq!(refused, expected);
    }

    #[test]
    fn words_of_other_scripts_are_not_taken_for_signs() {
        let (games, refused) = read("1. e4 ± e5 ∞ *\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. \u{41e}-\u{41e} *\n");
        assert_eq!(games.iter().map(line).collect::<Vec<_>>(), ["1.e4 e5"]);
        assert_eq!(refused, ["game 2, White's move 4: `\u{41e}-\u{41e}` is not a move"]);
        let (games, refused) = read_bytes(b"1. e4 \xb1 e5 \xbd-\xbd\n\n1. d4 \xbd\n\n1. e4 \xe9\xe9 *\n");
        assert_eq!(games.iter().map(line).collect::<Vec<_>>(), ["1.e4 e5", "1.d4"]);
        assert!(games.iter().all(|game| game.result.to_string() == "1/2-1/2"), "{games:?}");
        assert_eq!(refused, ["game 3, Black's move 1: `éé` is not a move"]);
    }

    #[test]
    fn spellings_of_score_sheets_are_read() {
        let (games, refused) = read(
            "[FEN \"7k/P7/8/3pP3/8/8/8/K7 w - d6 0 1\"]\n\n1. exd6e.p. Kg7 2. a8Q Kf6 3. d7 Kg7 4. d8N+ *\n\n\
             [FEN \"7k/P7/8/3pP3/8/8/8/K7 w - d6 0 1\"]\n\n1. exd6ep Kg7 2. a8X *\n\n\
             [FEN \"7k/P7/8/3pP3/8/8/8/K7 w - d6 0 1\"]\n\n1. exd6pe *\n\n\
             [FEN \"7k/4P3/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. e7-e8=Q+ *\n",
        );
        assert_eq!(games.iter().map(line).collect::<Vec<_>>(), ["1.exd6 Kg7 2.a8=Q Kf6 3.d7 Kg7 4.d8=N", "1.e8=Q+"]);
        let expected =
            ["game 2, White's move 2: `a8X` is not a move", "game 3, White's move 1: `exd6pe` is not a move"];
        assert_eq!(refused, expected);
    }

    #[test]
    fn results_are_read_as_players_write_them() {
        for (text, expected) in [
            ("1/2 - 1/2", "1/2-1/2"),
            ("1/2", "1/2-1/2"),
            ("½", "1/2-1/2"),
            ("1 - 0", "1-0"),
            ("0 – 1", "0-1"),
            ("1/2 *", "*"),
        ] {
            let (games, refused) = read(&format!("1. e4 e5 {text}\n\n1. d4 {text}"));
            assert!(refused.is_empty(), "{refused:?}");
            assert_eq!(games.iter().map(line).collect::<Vec<_>>(), ["1.e4 e5", "1.d4"], "{text}");
            assert!(games.iter().all(|game| game.result.to_string() == expected), "{text}: {games:?}");
        }
    }

    #[test]
    fn a_variation_must_be_closed_and_opened() {
        let (games, refused) = read("1. e4 (1. d4 d5 (1... e5\n\n1. d4 (1. c4) d5 *\n\n1. c4 e5 (1... c5 *");
        assert_eq!(games.iter().map(line).collect::<Vec<_>>(), ["1.d4 d5"]);
        let at = |game, side, number| format!("game {game}, {side}'s move {number}: `(` is not a move");
        assert_eq!(refused.len(), 2);
        assert!(
            refused[0].starts_with(&at(1, "Black", 1)) && refused[1].starts_with(&at(3, "White", 2)),
            "{refused:?}"
        );
        let (games, refused) = read("1. e4 (1. d4) e5) 2. Nf3 *\n\n1. d4 (1. c4 {)} (1. Nf3)) d5 *");
        assert_eq!(games.iter().map(line).collect::<Vec<_>>(), ["1.d4 d5"]);
        assert_eq!(refused, ["game 1, White's move 2: `)` is not a move"]);
    }

    #[test]
    fn a_game_that_is_cut_off_is_refused_and_the_others_read() {
        let whole = "1. e4 e5 *\n\n1. d4 d5 *\n\n";
        for (cut, reason) in [
            ("1. c4 {cut", "game 3: a comment is not closed"),
            ("[White \"A", "game 3: a tag is not closed"),
            ("[White \"A\"]\n[Bl", "game 3: a tag is not closed"),
            ("[White A\"]\n[Black \"B\"]\n\n1. c4 *", "game 3: a tag is not closed"),
            ("[White \"A\\\n[Black \"B\"]\n\n1. c4 *", "game 3: a tag is not closed"),
            ("1. c4 (1. Nf3 {cut", "game 3, Black's move 1: `(` is not a move"),
            ("1. c4 (1. Nf3 ; cut", "game 3, Black's move 1: `(` is not a move"),
        ] {
            let (games, refused) = read(&format!("{whole}{cut}"));
            assert_eq!(games.iter().map(line).collect::<Vec<_>>(), ["1.e4 e5", "1.d4 d5"], "{cut}");
            assert_eq!(refused, [reason], "{cut}");
        }
        // The parser gives up such a tag before its end, and no shorter one, wherever its buffer ends.
        let long = format!("[White \"{}\"]\n", "x".repeat(1 << 16));
        let (games, refused) = read(&format!("{long}{long}[Black \"B\"]\n\n1. c4 *\n\n{whole}"));
        assert_eq!(games.iter().map(|game| game.number).collect::<Vec<_>>(), [2, 3]);
        assert_eq!(refused, ["game 1: a tag is too long"]);
        let long = format!("[White \"{}\"]\n\n1. e4 *\n\n", "x".repeat(TAG_BYTES / 2));
        assert_eq!(read(&long.repeat(10)).1, Vec::<String>::new());
    }

    #[test]
    fn variations_and_glyphs_are_counted() {
        let (games, _) =
            read("1. e4! $13 (1. d4?? (1. c4) d5) (1. Nf3) e5 {(!?)} 2. Nc3 ; (!\n(2. f4 $1) *\n\n1. e4 *\n");
        assert_eq!(games.iter().map(|game| (game.variations, game.glyphs)).collect::<Vec<_>>(), [(3, 2), (0, 0)]);
    }

    #[test]
    fn a_source_that_fails_ends_the_reading() {
        struct Fails;
        impl Read for Fails {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("no disk"))
            }
        }
        let mut games = Games::new("1. e4 *\n\n1. d4 {cut".as_bytes().chain(Fails));
        assert_eq!(games.next().unwrap().unwrap_err().to_string(), "no disk");
        assert!(games.next().is_none());
    }
}
