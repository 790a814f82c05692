//! What a file is, by its beginning: for messages about a file of the wrong kind, and where a command takes positions
//! as well as files.

use std::ffi::OsStr;
use std::fmt;
use std::io::Read;
use std::path::Path;

use anyhow::bail;

use crate::board::Position;
use crate::eval::nnue;
use crate::files;
use crate::lab::data::{self, bullet};
use crate::runner::{FileHeader, Kind};
use crate::suite::{self, BuiltIn};

/// How files begin that no command reads.
const BEGINNINGS: [(&[u8], &str); 13] = [
    (b"\x1f\x8b\x08", "compressed by gzip"),
    (b"\x28\xb5\x2f\xfd", "compressed by zstd"),
    (b"BZh", "compressed by bzip2"),
    (b"\xfd7zXZ\0", "compressed by xz"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"%PDF", "a PDF document"),
    (b"\x89PNG", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"\x7fELF", "a program"),
    (b"\x71\xe8\x23\x5d", "an endgame table"),
    (b"\xd7\x66\x0c\xa5", "an endgame table"),
];
/// The elements of marked-up files, the first that occurs decides.
const ELEMENTS: [(&str, &str); 4] = [
    ("<svg", "an SVG picture"),
    ("<html", "an HTML page"),
    ("<!doctype html", "an HTML page"),
    ("<testsuite", "JUnit XML"),
];
/// Characters at the beginning of a file that tell two bytes for each from one.
const WIDE_CHARACTERS: usize = 8;
/// Bytes that are looked at.
pub const LOOK: usize = 1 << 16;
/// Bytes of a marked-up file in which its first element stands.
const HEAD: usize = 1 << 10;
/// The fewest columns of a table in CSV.
const FEWEST_COLUMNS: usize = 3;

/// What commands read.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// A suite.
    Epd,
    /// Games.
    Pgn,
    /// Results of this kind.
    Json(Kind),
    /// Training data.
    Data,
    /// Positions for a trainer.
    Positions,
    /// A network.
    Network,
    /// What is tuned by self-play.
    Tunables,
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wanted::Epd => Found::Suite.fmt(f),
            Wanted::Pgn => Found::Games.fmt(f),
            Wanted::Json(kind) => kind.fmt(f),
            Wanted::Data => f.write_str("training data of `pacioli lab datagen`"),
            Wanted::Positions => Found::Positions.fmt(f),
            Wanted::Network => Found::Network.fmt(f),
            Wanted::Tunables => f.write_str("lines of `pacioli spsa`"),
        }
    }
}

/// What a file clearly is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// A suite.
    Suite,
    /// Games.
    Games,
    /// JSON, with the kind of result it says it is; older results do not say.
    Json(Option<Kind>),
    /// Binary, and nothing that is known.
    Binary,
    /// Positions for a trainer.
    Positions,
    /// A network.
    Network,
    /// Something that no command reads.
    Other(&'static str),
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Found::Suite => f.write_str("a suite in EPD"),
            Found::Games => f.write_str("games in PGN"),
            Found::Json(Some(kind)) => kind.fmt(f),
            Found::Json(None) => f.write_str("JSON"),
            Found::Binary => f.write_str("binary, such as training data"),
            Found::Positions => f.write_str("positions of `pacioli lab positions`"),
            Found::Network => f.write_str("a network"),
            Found::Other(what) => f.write_str(what),
        }
    }
}

impl Found {
    /// What the beginning of a file clearly shows it to be.
    fn of(beginning: &[u8]) -> Option<Found> {
        let beginning = &beginning[..beginning.len().min(LOOK)];
        Found::of_binary(beginning).or_else(|| Found::of_text(beginning))
    }

    /// What a file is that is no text, or one that cannot be read.
    fn of_binary(beginning: &[u8]) -> Option<Found> {
        if let Some((_, what)) = BEGINNINGS.iter().find(|(mark, _)| beginning.starts_with(mark)) {
            return Some(Found::Other(what));
        }
        if beginning.starts_with(nnue::FAMILY) {
            return Some(Found::Network);
        }
        if is_wide(beginning) {
            return Some(Found::Other("text in UTF-16, which has to be converted to UTF-8"));
        }
        if bullet::is_positions(beginning) {
            return Some(Found::Positions);
        }
        data::is_data(beginning).then_some(Found::Binary)
    }

    fn of_text(beginning: &[u8]) -> Option<Found> {
        let text = String::from_utf8_lossy(beginning).replace('\0', " ");
        let text = without_comments(text.trim_start_matches('\u{feff}'));
        let mut lines = text.lines().map(str::trim);
        let (first, second) = (lines.next()?, lines.next().unwrap_or_default());
        if is_json(text) {
            Some(json(text))
        } else if is_tag(first) || first.starts_with("1.") {
            Some(Found::Games)
        } else if first.starts_with('<') {
            Some(Found::Other(markup(text)))
        } else if suite::has_position(first) {
            Some(Found::Suite)
        } else if first.starts_with('|') && second.starts_with('|') {
            Some(Found::Other("a table in Markdown"))
        } else {
            is_csv(first, second).then_some(Found::Other("a table in CSV"))
        }
    }

    /// What a file is by its contents, or if they do not show it, by its name; `None` if it cannot be read either.
    pub fn of_file(path: &Path) -> Option<Found> {
        let mut beginning = Vec::new();
        let read =
            files::open(path, files::STREAM_LIMIT).map(|file| file.take(LOOK as u64).read_to_end(&mut beginning));
        let shown = read.is_ok().then(|| Found::of(&beginning)).flatten();
        shown.or_else(|| Found::named(path))
    }

    /// What a file's name says that it is; a built-in suite needs no file.
    fn named(path: &Path) -> Option<Found> {
        if path.to_str().and_then(BuiltIn::of).is_some() {
            return Some(Found::Suite);
        }
        let extension = path.extension()?.to_ascii_lowercase();
        [("epd", Found::Suite), ("pgn", Found::Games)]
            .into_iter()
            .find(|(known, _)| extension == *known)
            .map(|pair| pair.1)
    }

    /// Whether it may have taken hours to make: results of `solve`, journals, training data with the record of what it
    /// was made from, networks, and files of bytes that no command writes; JSON of the earliest versions does not say
    /// which it is. Reports are replaced all day.
    pub fn took_work(self) -> bool {
        match self {
            Found::Json(kind) => {
                use Kind::{Datagen, Mine, Positions, Solve, Spsa};
                kind.is_none_or(|kind| matches!(kind, Solve | Mine | Datagen | Positions | Spsa))
            }
            Found::Binary | Found::Positions | Found::Network => true,
            // Nothing that Pacioli writes: a trainer's checkpoint is a ZIP archive.
            Found::Other(what) => BEGINNINGS.iter().any(|(_, known)| *known == what),
            Found::Suite | Found::Games => false,
        }
    }

    /// Whether it is what is wanted.
    pub fn is(self, wanted: Wanted) -> bool {
        match (self, wanted) {
            (Found::Suite, Wanted::Epd)
            | (Found::Games, Wanted::Pgn)
            | (Found::Binary, Wanted::Data)
            | (Found::Positions, Wanted::Positions)
            | (Found::Network, Wanted::Network) => true,
            (Found::Json(found), Wanted::Json(kind)) => found.is_none_or(|found| found == kind),
            _ => false,
        }
    }
}

/// The file that words on the command line name, where they could also be a position: one word that is the name of a
/// file, or looks like that of games or a suite, or `-`.
pub fn file_named<W: AsRef<OsStr>>(words: &[W]) -> Option<&Path> {
    let [word] = words else { return None };
    let path = Path::new(word);
    let is_position = path.to_str().is_some_and(|word| Position::from_fen(word, false).is_ok());
    (path == Path::new("-") || !is_position && (path.exists() || Found::named(path).is_some())).then_some(path)
}

/// What the beginning of a file shows it to be, if it is clearly not what is wanted.
fn other(beginning: &[u8], wanted: Wanted) -> Option<Found> {
    Found::of(beginning).filter(|found| !found.is(wanted))
}

/// Refuses a file that by its beginning is clearly something else.
///
/// # Errors
///
/// Says what it is, and what is wanted.
pub fn check(name: &str, beginning: &[u8], wanted: Wanted) -> anyhow::Result<()> {
    refuse(name, other(beginning, wanted), wanted)
}

/// Refuses a file that cannot be a text, whatever lines there are in it.
///
/// # Errors
///
/// Says what it is, and what is wanted.
pub fn check_text(name: &str, bytes: &[u8], wanted: Wanted) -> anyhow::Result<()> {
    refuse(name, Found::of_binary(&bytes[..bytes.len().min(LOOK)]), wanted)
}

fn refuse(name: &str, found: Option<Found>, wanted: Wanted) -> anyhow::Result<()> {
    match found {
        Some(found) => bail!("{name}: this is {found}, not {wanted}"),
        None => Ok(()),
    }
}

/// Whether each of the first characters has two bytes, one of them zero: plain letters in UTF-16, after its mark if
/// there is one.
fn is_wide(beginning: &[u8]) -> bool {
    let text = [b"\xff\xfe", b"\xfe\xff"].iter().find_map(|mark| beginning.strip_prefix(*mark)).unwrap_or(beginning);
    let mut pairs = text.chunks_exact(2).take(WIDE_CHARACTERS).peekable();
    let high_byte = pairs.peek().map(|pair| usize::from(pair[0] != 0));
    text.len() >= 2 * WIDE_CHARACTERS
        && pairs.all(|pair| high_byte.is_some_and(|at| pair[at] == 0 && pair[1 - at] != 0))
}

/// The text from the first line that says what it is.
fn without_comments(text: &str) -> &str {
    let mut rest = text.trim_start();
    while rest.starts_with(['#', '%', ';']) {
        rest = rest.split_once('\n').map_or("", |(_, rest)| rest.trim_start());
    }
    rest
}

/// Whether a text is JSON, as far as its first words show it; a comment in PGN begins with a brace too, and may be in
/// quotes.
fn is_json(text: &str) -> bool {
    let after = |bracket| text.strip_prefix(bracket).map(str::trim_start);
    if let Some(rest) = after('{') {
        return rest.starts_with('}') || names_member(rest);
    }
    let second = after('[').and_then(|rest| rest.chars().next());
    matches!(second, Some('"' | '{' | '[' | ']' | '-' | '0'..='9'))
}

/// Whether a text begins with a string of JSON and a colon, as the members of an object do.
fn names_member(text: &str) -> bool {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<String>();
    let is_string = values.next().is_some_and(|name| name.is_ok());
    is_string && text.get(values.byte_offset()..).is_some_and(|rest| rest.trim_start().starts_with(':'))
}

/// Which JSON a text is.
fn json(text: &str) -> Found {
    match FileHeader::of(text) {
        FileHeader { kind: None, schema: None } => Found::Other("JSON of another program"),
        FileHeader { kind, .. } => Found::Json(kind),
    }
}

/// What a text is that begins with an element.
fn markup(text: &str) -> &'static str {
    let head: String = text.chars().take(HEAD).collect::<String>().to_ascii_lowercase();
    let found = ELEMENTS.iter().filter_map(|(element, what)| Some((head.find(element)?, *what))).min();
    found.map_or("marked-up text", |(_, what)| what)
}

/// Whether a line is a tag of a game, such as `[Event "x"]`.
fn is_tag(line: &str) -> bool {
    line.starts_with('[') && line.ends_with(']') && line.contains(" \"")
}

/// Whether two lines are the names of columns and a row of them.
fn is_csv(names: &str, row: &str) -> bool {
    let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || " _-.\"".contains(c));
    [',', ';', '\t'].into_iter().any(|separator| {
        let columns = names.split(separator).count();
        columns >= FEWEST_COLUMNS && names.split(separator).all(is_name) && row.split(separator).count() >= columns
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_named_as_what_it_is() {
        let epd = "# a suite\n\n4k3/8/8/8/8/8/8/4K2R w K - bm O-O; id \"x\";\n";
        let pgn = "\u{feff}[Event \"x\"]\n\n1. e4 e5 *\n";
        let json = "{\"type\":\"run\",\"kind\":\"solve\",\"schema\":5}\n";
        let pretty = "{\n  \"kind\": \"report\",\n  \"schema\": 3,\n  \"provenance\": {\n";
        for (text, what, wanted) in [
            (epd, "a suite in EPD", Wanted::Epd),
            (pgn, "games in PGN", Wanted::Pgn),
            (json, "JSON of `pacioli solve`", Wanted::Json(Kind::Solve)),
            (pretty, "JSON of `pacioli report`", Wanted::Json(Kind::Report)),
            ("a\0b", "binary, such as training data", Wanted::Data),
            (&epd.replace('\n', "\0\n"), "a suite in EPD", Wanted::Epd),
            // Its first solution is a move under the rules of Chess960, or none at all.
            ("4k3/8/8/8/8/8/8/1R2K1R1 w KQ - bm O-O;\n", "a suite in EPD", Wanted::Epd),
            ("4k3/8/8/8/8/8/8/4K2R w K - bm Kh8;\n", "a suite in EPD", Wanted::Epd),
        ] {
            for asked in [Wanted::Epd, Wanted::Pgn, Wanted::Json(Kind::Solve), Wanted::Json(Kind::Report), Wanted::Data]
            {
                let expected = (asked != wanted).then(|| what.to_owned());
                let found = other(text.as_bytes(), asked).map(|found| found.to_string());
                assert_eq!(found, expected, "{text}");
            }
        }
    }

    #[test]
    fn positions_are_told_from_games() {
        use crate::lab::data::{GameResult, Sample, viri};
        let positions = ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "8/5k2/8/8/8/2K5/4P3/8 b - - 0 1"]
            .map(|fen| Position::from_fen(fen, false).unwrap())
            .map(|position| bullet::encode(&position, -77, GameResult::BlackWins).unwrap());
        let mut bytes = positions.as_flattened().to_vec();
        assert_eq!(other(&bytes, Wanted::Data), Some(Found::Positions));
        // The beginning of a file may end within a record, but none may be impossible.
        assert_eq!(other(&bytes[..50], Wanted::Data), Some(Found::Positions));
        // Other programs leave anything in the last three bytes.
        bytes[61..].fill(7);
        assert_eq!(other(&bytes, Wanted::Data), Some(Found::Positions));
        // Results are 0 to 2.
        bytes[58] = 3;
        assert_eq!(other(&bytes, Wanted::Data), None);
        // A game of one move, whoever won it: no king stands where a record would have it.
        let position = Position::default();
        let best_move = position.parse_uci("e2e4").unwrap();
        for result in [GameResult::BlackWins, GameResult::Draw, GameResult::WhiteWins] {
            let game = [Sample { position: position.clone(), score: 0, best_move, result }];
            assert_eq!(Found::of(&viri::encode(&game).unwrap()), Some(Found::Binary), "{result:?}");
        }
    }

    #[test]
    fn what_pacioli_does_not_write_is_not_replaced_and_reports_are() {
        for (beginning, is_kept) in [
            (&b"PK\x03\x04"[..], true),
            (b"\x1f\x8b\x08", true),
            (b"<svg xmlns=\"x\">", false),
            (b"<!DOCTYPE HTML>\n<html>", false),
            (b"| run | solved |\n|:---|---:|\n", false),
        ] {
            assert_eq!(Found::of(beginning).map(Found::took_work), Some(is_kept), "{beginning:?}");
        }
    }

    #[test]
    fn what_no_command_reads_is_named_too() {
        for (text, what) in [
            ("<?xml version=\"1.0\"?>\n<!-- drawn -->\n<svg xmlns=\"x\">", "an SVG picture"),
            ("<svg xmlns=\"x\">", "an SVG picture"),
            ("<?xml version=\"1.0\"?>\n<testsuites>", "JUnit XML"),
            ("<!DOCTYPE HTML>\n<html><svg></svg>", "an HTML page"),
            ("<a>", "marked-up text"),
            ("id,expected,played\nx,\"a, b\",c\n", "a table in CSV"),
            ("name;score;nodes\nx;1;2\n", "a table in CSV"),
            ("| run | solved |\n|:---|---:|\n", "a table in Markdown"),
            ("{\n  \"answer\": 42\n}\n", "JSON of another program"),
            ("{ \"the \\\"answer\\\"\" : 42}\n", "JSON of another program"),
            ("{}\n", "JSON of another program"),
            ("[1, 2]\n", "JSON of another program"),
        ] {
            for wanted in [Wanted::Epd, Wanted::Pgn, Wanted::Json(Kind::Solve)] {
                let found = other(text.as_bytes(), wanted).map(|found| found.to_string());
                assert_eq!(found.as_deref(), Some(what), "{text}");
            }
        }
        assert_eq!(other(b"\x1f\x8b\x08", Wanted::Epd).unwrap().to_string(), "compressed by gzip");
        // Data begin with the squares that are occupied in a game's first position.
        assert_eq!(Found::of(b"\x1f\x8b\0\0\0\0\x8b\x1f"), Some(Found::Binary));
        let wide =
            |bytes: fn(u16) -> [u8; 2]| "\u{feff}[Event \"x\"]\n".encode_utf16().flat_map(bytes).collect::<Vec<u8>>();
        for text in [wide(u16::to_le_bytes), wide(u16::to_be_bytes), wide(u16::to_le_bytes).split_off(2)] {
            let found = check_text("x", &text, Wanted::Pgn).unwrap_err().to_string();
            assert!(found.starts_with("x: this is text in UTF-16"), "{found}");
        }
        assert_eq!(other(b"1. e4 e5", Wanted::Epd).unwrap().to_string(), "games in PGN");
        // Prose, and a game that begins with a comment.
        for unclear in [
            "",
            "rubbish\n",
            "one, two, three\nfour\n",
            "{a comment} 1. e4",
            "{\"My best games\"}\n\n[White \"A\"]\n",
            "{ \"Best\", they say: win} 1. e4",
            "{\"open} 1. e4",
            "Nf3",
        ] {
            assert_eq!(other(unclear.as_bytes(), Wanted::Pgn), None, "{unclear}");
        }
    }

    #[test]
    fn a_file_is_told_from_a_position() {
        let named = |word: &str| file_named(&[word.to_owned()]).map(Path::to_owned);
        for file in ["-", "no-such.epd", "no-such.EPD", "no-such.Pgn", "Cargo.toml", "tactics", "classics"] {
            assert_eq!(named(file).as_deref(), Some(Path::new(file)));
        }
        for position in ["startpos", "8/8/4k3/8/8/3K4/8/R7", "8/8/4k3/8/8/3K4/8/R7 w - -", "hello"] {
            assert_eq!(named(position), None, "{position}");
        }
        assert_eq!(Found::of_file(Path::new("no-such.EPD")), Some(Found::Suite));
        assert_eq!(Found::of_file(Path::new("tactics")), Some(Found::Suite));
        assert_eq!(Found::of_file(Path::new("positions/classics.epd")), Some(Found::Suite));
        assert_eq!(Found::of_file(Path::new("no-such-file")), None);
    }
}
