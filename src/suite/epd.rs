//! EPD files as found in practice: records, and rejections that point at the character.
//!
//! The standard is Steven Edwards' (PGN specification, chapter 16.2). Files in circulation deviate in every way: stray
//! semicolons and spaces, counters glued to the en passant field, unquoted text, missing semicolons, old encodings. All
//! that is accepted. Anything that cannot be meant, such as an illegal solution, rejects its own line and no other.

use std::collections::HashSet;
use std::path::Path;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::Expected;
use super::fault::Fault;
use super::fields::{Fields, Rules, Word, counter};
use super::moves::{MoveError, move_words, parse_move};
use super::operations::{Operation, split, text_of, unquote};
use super::points;
use crate::board::{Move, Position, impossible_rights};
use crate::json::MoveText;
use crate::text::shown_text;

/// Prefix of a comment (`c0` to `c9`) that names a position's themes, separated by commas.
pub const THEMES: &str = "themes:";

/// A rejected line.
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[error("{file}:{line}:{column}: {reason}")]
pub struct EpdError {
    /// The name of the suite's file.
    #[serde(rename = "suite", alias = "file")]
    pub file: String,
    /// Line in the file, from 1.
    pub line: usize,
    /// Character in the line, from 1.
    pub column: usize,
    /// What is wrong there, in words.
    pub reason: String,
}

/// An operation as written in the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opcode {
    /// The name, such as `bm`.
    pub name: String,
    /// The operands with their quotes, without surrounding spaces.
    pub operands: String,
    /// Character in the line where the operands begin, from 1.
    pub column: usize,
}

impl Opcode {
    /// The operands without the quotes around them.
    pub fn text(&self) -> &str {
        unquote(Word { text: &self.operands, start: 0 }).text
    }
}

/// A position and what should be found in it.
#[derive(Clone, Debug)]
pub struct Record {
    /// The name; if the line has none, the file's name without folder and extension, and the line number.
    pub id: String,
    /// The position.
    pub position: Position,
    /// Its FEN, with only the possible rights.
    pub fen: String,
    /// The best moves (`bm`); any of them will do.
    pub best: Vec<Move>,
    /// Moves to avoid (`am`).
    pub avoid: Vec<Move>,
    /// Moves to mate (`dm`, or `bm #n`): positive if the side to move mates, negative if it is mated.
    pub dm: Option<i32>,
    /// Where it stands, in characters from 1.
    pub(super) dm_column: usize,
    /// Whether it is what an analysis found if there is another task: only `dm` states it, beside `acd`.
    dm_may_be_found: bool,
    /// Another number of moves to mate in the line, and where it stands.
    pub(super) other_dm: Option<(i32, usize)>,
    /// Castling rights as the line states them, possible or not.
    pub castling: String,
    /// The en passant field as the line states it, possible or not.
    pub en_passant: String,
    /// What each move is worth.
    pub points: Vec<(Move, u32)>,
    /// All operations in the order of the line.
    pub opcodes: Vec<Opcode>,
    /// The file's name.
    pub file: String,
    /// Line in the file, from 1.
    pub line: usize,
}

impl Record {
    /// Whether there is a task. A `dm 0` is not one: some files mark draws with it.
    pub fn is_solvable(&self) -> bool {
        self.names_moves() || self.mate_goal().is_some()
    }

    /// Whether there is a task besides a mate.
    pub(super) fn names_moves(&self) -> bool {
        !self.best.is_empty() || !self.avoid.is_empty() || !self.points.is_empty()
    }

    /// Moves to mate required of an engine.
    ///
    /// Together with other tasks, in a line that already contains an analysis (`acd`), `dm` is what that analysis found
    /// and not a task.
    pub fn mate_goal(&self) -> Option<i32> {
        let is_found = self.names_moves() && self.dm_may_be_found;
        self.dm.filter(|_| !is_found)
    }

    /// Rights that the line states and the position cannot have, each in words.
    pub fn impossible_rights(&self) -> Vec<String> {
        impossible_rights(&self.position, &self.castling, &self.en_passant)
    }

    /// The points of a move, none for no move; `None` if there are no points.
    pub(super) fn points_of(&self, m: Option<Move>) -> Option<u32> {
        let of = |&(candidate, points)| (m == Some(candidate)).then_some(points);
        (!self.points.is_empty()).then(|| self.points.iter().find_map(of).unwrap_or(0))
    }

    /// The points of the best move, if there are points.
    pub(super) fn max_points(&self) -> Option<u32> {
        self.points.iter().map(|&(_, points)| points).max()
    }

    /// Where the operands of an operation start, in characters from 1; 1 if there is none of this name.
    pub(super) fn column_of(&self, name: &str) -> usize {
        self.opcodes.iter().find(|opcode| opcode.name == name).map_or(1, |opcode| opcode.column)
    }

    /// The solution; of moves with points, those with the most.
    pub fn expected(&self) -> Expected {
        let list = |moves: &[Move]| moves.iter().map(|&m| MoveText::new(&self.position, m)).collect::<Vec<_>>();
        let expected = Expected { best: list(&self.best), avoid: list(&self.avoid), mate: self.mate_goal() };
        if expected != Expected::default() {
            return expected;
        }
        let top = self.max_points();
        let best: Vec<Move> = self.points.iter().filter(|&&(_, p)| Some(p) == top).map(|&(m, _)| m).collect();
        Expected { best: list(&best), ..expected }
    }

    /// The kind of position, for suites that number their positions within themes: the name up to its last dot, if a
    /// number follows.
    pub fn theme(&self) -> Option<&str> {
        let (theme, number) = self.id.rsplit_once('.')?;
        (!theme.is_empty() && !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())).then_some(theme)
    }

    /// The themes that comments list after [`THEMES`], as in `c0 "themes: sacrifice, mate"`, each once.
    pub fn themes(&self) -> impl Iterator<Item = &str> {
        let is_comment = |opcode: &&Opcode| matches!(opcode.name.as_bytes(), [b'c', b'0'..=b'9']);
        let lists = self.opcodes.iter().filter(is_comment).filter_map(|opcode| opcode.text().strip_prefix(THEMES));
        let mut named = HashSet::new();
        let names = lists.flat_map(|list| list.split(',')).map(str::trim).filter(|theme| !theme.is_empty());
        names.filter(move |&theme| named.insert(theme))
    }
}

/// The records of one file, and the rejected lines.
#[derive(Clone, Debug, Default)]
pub struct Suite {
    /// The file's name.
    pub name: String,
    /// Records in the order of the file.
    pub records: Vec<Record>,
    /// Rejected lines.
    pub refused: Vec<EpdError>,
    /// The text of every line that is not a record (empty, comment, rejected), with its number from 1.
    pub others: Vec<(usize, String)>,
}

/// Parses a file's bytes. Never fails as a whole: lines that cannot be parsed are in [`Suite::refused`].
pub fn parse(name: &str, bytes: &[u8]) -> Suite {
    parse_as(name, bytes, false)
}

/// Parses a file's bytes like [`parse`]; with `chess960`, castling may be between any squares of king and rook.
pub fn parse_as(name: &str, bytes: &[u8], chess960: bool) -> Suite {
    parse_under(name, bytes, if chess960 { Rules::Chess960 } else { Rules::Chess })
}

/// Parses a file's bytes like [`parse`], for games to start from: a position whose castling rights are impossible in
/// chess is one of Chess960, and if they are impossible there too, its line is rejected.
pub fn parse_openings(name: &str, bytes: &[u8]) -> Suite {
    parse_under(name, bytes, Rules::Needed)
}

fn parse_under(name: &str, bytes: &[u8], rules: Rules) -> Suite {
    let mut suite = Suite { name: name.to_owned(), ..Suite::default() };
    for (number, line) in lines(bytes) {
        if is_comment(&line) {
            suite.others.push((number, line));
            continue;
        }
        match parse_line_under(name, number, &line, rules) {
            Ok(record) => suite.records.push(record),
            Err(error) => {
                suite.refused.push(error);
                suite.others.push((number, line));
            }
        }
    }
    suite
}

/// The positions of a file's lines for games to start from, as [`parse_openings`] has them, whatever else is in the
/// lines; of a large book nothing more is needed.
///
/// # Errors
///
/// The first line whose position is invalid, or has impossible castling rights.
pub fn positions(name: &str, bytes: &[u8]) -> Result<Vec<Position>, EpdError> {
    let found = lines(bytes).filter(|(_, line)| !is_comment(line));
    let position = |(number, line): (usize, String)| {
        let found = Fields::parse(&line).and_then(|fields| fields.position(None, None, Rules::Needed));
        found.map_err(|fault| fault.in_line(name, number, &line))
    };
    found.map(position).collect()
}

/// The lines of a file, with their numbers from 1.
fn lines(bytes: &[u8]) -> impl Iterator<Item = (usize, String)> {
    // What follows the last line break is not a line.
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let lines = bytes.split(|&b| b == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    // A lone carriage return ends a line too: very old files have nothing else.
    let lines = lines.flat_map(|line| line.split(|&b| b == b'\r'));
    // A byte order mark; files that were joined have it in their midst.
    let lines = lines.map(|line| line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line));
    // Copies of Kaufman's suite end their lines with a NUL. A space for each such character leaves the columns alone.
    lines.enumerate().map(|(index, line)| (index + 1, shown_text(line)))
}

/// Whether a line has no position: it is empty or a comment.
fn is_comment(line: &str) -> bool {
    line.trim().is_empty() || line.trim_start().starts_with('#')
}

/// Whether a line begins with the fields of a position, whatever follows them.
pub fn has_position(line: &str) -> bool {
    Fields::parse(line).is_ok()
}

/// Parses one line that is neither empty nor a comment.
///
/// # Errors
///
/// [`EpdError`] if the position is invalid, or a solution move is invalid, illegal or ambiguous.
pub fn parse_line(file: &str, number: usize, line: &str) -> Result<Record, EpdError> {
    parse_line_under(file, number, line, Rules::Chess)
}

/// Parses one line under these rules.
fn parse_line_under(file: &str, number: usize, line: &str, rules: Rules) -> Result<Record, EpdError> {
    record(file, number, line, rules).map_err(|fault| fault.in_line(file, number, line))
}

impl Fault {
    /// The error with its place.
    fn in_line(self, file: &str, number: usize, line: &str) -> EpdError {
        EpdError { file: file.to_owned(), line: number, column: column(line, self.at), reason: self.reason }
    }
}

/// The character, from 1, at a byte of the line.
fn column(line: &str, at: usize) -> usize {
    Columns::new(line, 1).at(at)
}

/// The characters at bytes of a text that are asked for in their order, so that each is counted once.
pub(super) struct Columns<'a> {
    /// What has not been counted.
    rest: &'a str,
    /// Where it begins, in bytes of the text.
    start: usize,
    /// Its first character.
    column: usize,
}

impl<'a> Columns<'a> {
    /// The characters of a text that begins at this one.
    pub fn new(text: &'a str, column: usize) -> Columns<'a> {
        Columns { rest: text, start: 0, column }
    }

    /// The character at a byte; if it is before the last one asked for, the character of that one.
    pub fn at(&mut self, byte: usize) -> usize {
        if let Some((before, rest)) = byte.checked_sub(self.start).and_then(|length| self.rest.split_at_checked(length))
        {
            (self.rest, self.start) = (rest, byte);
            self.column += before.chars().count();
        }
        self.column
    }
}

/// Parses one line; faults are at byte offsets in it.
fn record(file: &str, number: usize, line: &str, rules: Rules) -> Result<Record, Fault> {
    let fields = Fields::parse(line)?;
    let operations = split(Word { text: &line[fields.end..], start: fields.end });
    let find = |name: &str| operations.iter().find(|op| op.name == name);
    let count = |name: &str| find(name).map(|op| counter(op.unquoted())).transpose();
    let position = fields.position(count("hmvc")?, count("fmvn")?, rules)?;

    let mates = mates(&operations)?;
    // A mate in no moves is none.
    let is_mate = |&(moves, _): &(i32, usize)| moves != 0;
    let dm = mates.iter().copied().rfind(is_mate);
    // `dm` beside an analysis is what that found, if anything else is asked for.
    let found = if find("acd").is_some() { operations.iter().filter(|op| op.name == "dm").count() } else { 0 };
    let dm_may_be_found = mates.len() == found;
    let mut asked = mates.iter().copied().skip(if dm_may_be_found { 0 } else { found }).filter(is_mate);
    let other_dm = asked.find(|&(moves, _)| dm.is_some_and(|(goal, _)| goal != moves));
    let mut best = Vec::new();
    let mut avoid = Vec::new();
    for op in &operations {
        match op.name {
            "bm" => best_moves(&position, op, &mut best)?,
            "am" => moves_to_avoid(&position, op, &mut avoid)?,
            _ => {}
        }
    }
    let id = find("id").map(|op| text_of(op.operands)).filter(|id| !id.is_empty());
    let mut columns = Columns::new(line, 1);
    Ok(Record {
        id: id.unwrap_or_else(|| format!("{}:{number}", stem(file))),
        fen: position.fen(),
        castling: fields.castling.clone(),
        en_passant: fields.en_passant.clone(),
        points: points::parse(&position, &operations)?,
        position,
        best,
        avoid,
        dm: dm.map(|(goal, _)| goal),
        dm_column: dm.map_or(1, |(_, at)| column(line, at)),
        dm_may_be_found,
        other_dm: other_dm.map(|(moves, at)| (moves, column(line, at))),
        opcodes: operations
            .iter()
            .map(|op| Opcode {
                name: op.name.to_owned(),
                operands: op.operands.text.to_owned(),
                column: columns.at(op.operands.start),
            })
            .collect(),
        file: file.to_owned(),
        line: number,
    })
}

/// A file's name without folder and extension.
fn stem(file: &str) -> &str {
    Path::new(file).file_stem().and_then(|stem| stem.to_str()).unwrap_or(file)
}

/// The numbers of moves to mate, and the byte where each stands: of `dm`, then those among the best moves.
fn mates(operations: &[Operation]) -> Result<Vec<(i32, usize)>, Fault> {
    let mut mates = Vec::new();
    for op in operations.iter().filter(|op| op.name == "dm") {
        let Word { text, start } = op.unquoted();
        let moves = text.trim_start_matches('#').parse();
        mates.push((moves.map_err(|_| Fault::new(start, format!("`{text}` is not a number of moves")))?, start));
    }
    let words = operations.iter().filter(|op| op.name == "bm").flat_map(|op| move_words(op.operands));
    mates.extend(words.filter_map(|word| Some((mate_in(word)?, word.start))));
    Ok(mates)
}

/// The number of a word `#n`.
fn mate_in(word: Word) -> Option<i32> {
    word.text.strip_prefix('#')?.parse().ok()
}

/// Adds the best moves that an operation names; a mate among them is no move.
fn best_moves(position: &Position, op: &Operation, best: &mut Vec<Move>) -> Result<(), Fault> {
    for word in move_words(op.operands).filter(|&word| mate_in(word).is_none()) {
        let m = parse_move(position, word.text).map_err(|error| Fault::new(word.start, error.to_string()))?;
        if !best.contains(&m) {
            best.push(m);
        }
    }
    Ok(())
}

/// Adds the moves to avoid named by an operation. An ambiguous one means all matching moves: Kaufman's third position
/// says `am Ne5` where two knights can go there.
fn moves_to_avoid(position: &Position, op: &Operation, avoid: &mut Vec<Move>) -> Result<(), Fault> {
    for word in move_words(op.operands) {
        let moves = match parse_move(position, word.text) {
            Ok(m) => vec![m],
            Err(MoveError::Ambiguous { candidates, .. }) => candidates,
            Err(error) => return Err(Fault::new(word.start, error.to_string())),
        };
        for m in moves {
            if !avoid.contains(&m) {
                avoid.push(m);
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sans(record: &Record, moves: &[Move]) -> Vec<String> {
        moves.iter().map(|&m| record.position.san(m)).collect()
    }

    #[test]
    fn lines_of_the_wild_are_read() {
        let bk =
            parse_line("bk", 1, "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - ; bm Qd1 + ; id BK.01 ").unwrap();
        assert_eq!((sans(&bk, &bk.best), bk.id.as_str()), (vec!["Qd1+".to_owned()], "BK.01"));
        let lct = "5nk1/Q4bpp/5p2/8/P1n1PN2/q4P2/6PP/1R4K1 w - - ; bm Qd4; id LCTII.POS.09 c0 Boissel - Del Gobbo";
        let lct = parse_line("lct", 1, lct).unwrap();
        assert_eq!((lct.id.as_str(), lct.opcodes[2].text()), ("LCTII.POS.09", "Boissel - Del Gobbo"));
        let both = "r1bqk2r/ppp2ppp/2n5/4P3/2Bp2n1/5N1P/PP1N1PP1/R2Q1RK1 b kq - 1 10 ; bm Nh6; am Ne5 ";
        let both = parse_line("k", 7, both).unwrap();
        assert_eq!((both.expected().to_string(), both.id.as_str()), ("Nh6, not Ngxe5 Ncxe5".to_owned(), "k:7"));
        let mate = parse_line("m", 1, "8/8/8/8/8/4N3/3N4/K1k5 w - - dm 1;").unwrap();
        assert_eq!((mate.dm, mate.expected().to_string()), (Some(1), "#1".to_owned()));
        let mate = parse_line("m", 1, "8/8/8/8/8/4N3/3N4/K1k5 w - - bm #1;").unwrap();
        assert_eq!((mate.dm, mate.best.len()), (Some(1), 0));
        let beside = |task: &str| {
            let line = format!("6k1/5ppp/8/8/8/8/4P3/R3K3 w - - {task}; acd 3;");
            parse_line("m", 1, &line).unwrap().expected().to_string()
        };
        assert_eq!(["bm Ra8; dm 1", "bm Ra8+ #1", "bm Ra8 #1; dm 2"].map(beside), ["Ra8#", "Ra8#, #1", "Ra8#, #1"]);
        assert_eq!(["bm Ra8; dm 1; dm 2", "dm 1; dm 2", "dm 2; dm 0"].map(beside), ["Ra8#", "#2", "#2"]);
        let counters = parse_line("c", 1, "4k3/8/8/8/8/8/4P3/4K3 w - - hmvc 7; fmvn 12;").unwrap();
        assert_eq!(counters.fen, "4k3/8/8/8/8/8/4P3/4K3 w - - 7 12");
        assert!(!counters.is_solvable());
    }

    #[test]
    fn files_with_marks_comments_and_old_encodings_are_read() {
        let line = "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4\0; id \"";
        let mut bytes = b"\xef\xbb\xbf# comment\r\n\r\n  ".to_vec();
        bytes.extend_from_slice(line.as_bytes());
        bytes.extend_from_slice(b"B\xf6rse\";\0\r\nrubbish\r\n");
        let suite = parse("x.epd", &bytes);
        assert_eq!(suite.records.len(), 1);
        assert_eq!((suite.records[0].id.as_str(), suite.records[0].line), ("B\u{f6}rse", 3));
        assert_eq!(suite.refused.len(), 1);
        assert_eq!(suite.refused[0].to_string(), "x.epd:4:2: `u` is not a piece");
    }

    #[test]
    fn files_may_be_joined_with_their_marks() {
        let line = "\u{feff}4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;\r\n";
        let suite = parse("x.epd", format!("{line}{line}\u{feff}\r\u{feff}# comment\r").as_bytes());
        assert_eq!(suite.refused, []);
        assert_eq!(suite.records.iter().map(|record| record.line).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(positions("x.epd", line.repeat(3).as_bytes()).unwrap().len(), 3);
    }

    #[test]
    fn games_start_with_the_castling_rights_that_are_stated() {
        let chess = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        let chess960 = "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w KQkq -";
        let book = format!("{chess} bm e4;\n{chess960} bm e4;\n");
        let of_suite = parse_openings("x.epd", book.as_bytes()).records.into_iter().map(|record| record.position);
        for positions in [of_suite.collect(), positions("x.epd", book.as_bytes()).unwrap()] {
            let read: Vec<(String, bool)> = positions.iter().map(|p| (p.epd(), p.is_chess960())).collect();
            assert_eq!(read, [(chess.to_owned(), false), (chess960.to_owned(), true)]);
        }
        // A rook may be named twice.
        let twice = b"4k3/8/8/8/8/8/8/R3K2R w KQH - bm O-O;";
        assert_eq!(parse_openings("x.epd", twice).refused, []);
        assert_eq!(positions("x.epd", twice).unwrap()[0].epd(), "4k3/8/8/8/8/8/8/R3K2R w KQ -");
        let neither = b"4k3/8/8/8/8/8/8/4K2R w KQ - 0 1";
        let reason = "x.epd:1:24: castling rights KQ are impossible: at most K";
        assert_eq!(parse_openings("x.epd", neither).refused[0].to_string(), reason);
        assert_eq!(positions("x.epd", neither).unwrap_err().to_string(), reason);
    }

    #[test]
    fn operations_are_where_they_stand_in_characters() {
        let line = "4k3/8/8/8/8/8/4P3/4K3 w - - c0 \"\u{e9}\u{e9}\"; id \"\u{e9}\"; bm e4; noop";
        let record = parse_line("x", 1, line).unwrap();
        let columns: Vec<usize> = record.opcodes.iter().map(|opcode| opcode.column).collect();
        assert_eq!(columns, [32, 41, 49, 57]);
    }

    #[test]
    fn a_bad_solution_is_pointed_at_in_characters() {
        for (line, expected) in [
            ("4k3/8/8/8/8/8/4P3/4K3 w - - id \"\u{e9}\"; bm e4 e5;", "x:1:43: `e5` is not legal here"),
            ("4k3/8/8/8/8/2N3N1/8/4K3 w - - bm Ne4;", "x:1:34: `Ne4` is ambiguous: Nce4 or Nge4"),
            ("4k3/8/8/8/8/8/4P3/4K3 w - - dm soon;", "x:1:32: `soon` is not a number of moves"),
            ("4k3/8/8/8/8/8/4P3/4K3 w - - hmvc x; bm e4;", "x:1:34: `x` is not a move count"),
            ("4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; fmvn 10000;", "x:1:41: `10000` is not a move count"),
            ("4k3/8/8/8/8/8/4P3/4K3 w - - am castles;", "x:1:32: `castles` is not a move"),
        ] {
            assert_eq!(parse_line("x", 1, line).unwrap_err().to_string(), expected);
        }
    }

    #[test]
    fn themes_are_names_before_a_number() {
        let theme = |id: &str| {
            let line = format!("4k3/8/8/8/8/8/4P3/4K3 w - - id \"{id}\";");
            parse_line("x", 1, &line).unwrap().theme().map(str::to_owned)
        };
        assert_eq!(theme("STS(v1.0) Undermine.001").as_deref(), Some("STS(v1.0) Undermine"));
        assert_eq!(theme("WAC.001").as_deref(), Some("WAC"));
        assert_eq!(theme("Saavedra 1895"), None);
        assert_eq!(theme("v1.0 test"), None);
    }

    #[test]
    fn a_comment_may_name_several_themes() {
        let themes = |operations: &str| {
            let record = parse_line("x", 1, &format!("4k3/8/8/8/8/8/4P3/4K3 w - - {operations}")).unwrap();
            record.themes().map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(themes("c0 \"nodes 7\"; c3 \"themes: sacrifice, quiet move,\";"), ["sacrifice", "quiet move"]);
        assert_eq!(themes("c0 \"themes: mate, pin, mate\"; c1 \"themes: mate\";"), ["mate", "pin"]);
        assert_eq!(themes("c0 \"other themes: mate\"; id \"themes: mate\";"), Vec::<String>::new());
    }

    /// Lines close enough to EPD to reach every part of the parser: operations are only read after a position.
    fn near_lines() -> impl Strategy<Value = String> {
        let board = prop_oneof![
            4 => Just("4k3/8/8/8/8/8/4P3/4K3"),
            4 => Just("r3k2r/8/8/8/8/8/8/R3K2R"),
            1 => Just("8/8/8"),
        ];
        let fields = prop_oneof![
            4 => "[wb] (-|[KQkq]{1,4}|[AHah]{1,2}) (-|[a-h][36])( [0-9]{1,2}){0,2}",
            1 => "[wb -]{0,4}[KQkqAh-]{0,3} [-a-h0-9 ]{0,5}",
        ];
        let operations = "([abcdmi#0-9 ;\",=+xNKé-]|bm |am |dm |id |c0 |c8 |c9 |hmvc |; [ab]m K[df][1278];){0,30}";
        (board, fields, operations).prop_map(|(board, fields, operations)| format!("{board} {fields} {operations}"))
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let suite = parse("x", &bytes);
            prop_assert!(suite.refused.iter().all(|error| error.column >= 1));
        }

        #[test]
        fn no_text_makes_it_panic(line in near_lines(), words in "(w - - |bm |[ -~éß]{0,8}){0,8}") {
            let _ = parse_line("x", 1, &line);
            let _ = parse_line("x", 1, &format!("4k3/8/8/8/8/8/4P3/4K3 w - - {words}"));
        }
    }
}
