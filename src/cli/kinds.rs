//! What a file is that is not what was asked for, by its beginning.

use std::fmt;

use crate::lab::data;
use crate::runner::{FileHeader, Kind};
use crate::suite;

/// How files begin that no command reads.
const BEGINNINGS: [(&[u8], &str); 9] = [
    (b"\x1f\x8b", "compressed by gzip"),
    (b"\x28\xb5\x2f\xfd", "compressed by zstd"),
    (b"BZh", "compressed by bzip2"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"%PDF", "a PDF document"),
    (b"\x89PNG", "a PNG picture"),
    (b"\x7fELF", "a program"),
    (b"<!DOCTYPE html", "an HTML page"),
    (b"<svg", "an SVG picture"),
];
/// Bytes that are looked at.
pub const LOOK: usize = 1 << 16;

/// What commands read.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// A suite.
    Epd,
    /// Games.
    Pgn,
    /// Results.
    Json,
}

/// What a file clearly is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// A suite.
    Suite,
    /// Games.
    Games,
    /// JSON, with the kind of result it says it is.
    Json(Option<Kind>),
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
            Found::Other(what) => f.write_str(what),
        }
    }
}

impl Found {
    /// What the beginning of a file clearly shows it to be.
    fn of(beginning: &[u8]) -> Option<Found> {
        let beginning = &beginning[..beginning.len().min(LOOK)];
        if let Some((_, what)) = BEGINNINGS.iter().find(|(mark, _)| beginning.starts_with(mark)) {
            return Some(Found::Other(what));
        }
        if data::is_data(beginning) {
            return Some(Found::Other("binary, such as training data"));
        }
        let text = String::from_utf8_lossy(beginning);
        let first = text.trim_start_matches('\u{feff}').lines().map(str::trim).find(|line| !is_comment(line))?;
        if first.starts_with('{') || (first.starts_with('[') && !is_tag(first)) {
            Some(Found::Json(FileHeader::of(first).kind))
        } else if is_tag(first) || first.starts_with("1.") {
            Some(Found::Games)
        } else {
            suite::parse_line("", 1, first).is_ok().then_some(Found::Suite)
        }
    }

    fn is(self, wanted: Wanted) -> bool {
        match self {
            Found::Suite => wanted == Wanted::Epd,
            Found::Games => wanted == Wanted::Pgn,
            Found::Json(_) => wanted == Wanted::Json,
            Found::Other(_) => false,
        }
    }
}

/// What the beginning of a file shows it to be, if it is clearly not what is wanted.
pub fn other(beginning: &[u8], wanted: Wanted) -> Option<Found> {
    Found::of(beginning).filter(|found| !found.is(wanted))
}

/// Whether the beginning of a file shows it to be a suite.
pub fn is_suite(beginning: &[u8]) -> bool {
    Found::of(beginning) == Some(Found::Suite)
}

/// Whether a line says nothing about what follows.
fn is_comment(line: &str) -> bool {
    line.is_empty() || line.starts_with(['#', '%', ';'])
}

/// Whether a line is a tag of a game, such as `[Event "x"]`.
fn is_tag(line: &str) -> bool {
    line.starts_with('[') && line.ends_with(']') && line.contains(" \"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_named_as_what_it_is() {
        let epd = "# a suite\n\n4k3/8/8/8/8/8/8/4K2R w K - bm O-O; id \"x\";\n";
        let pgn = "\u{feff}[Event \"x\"]\n\n1. e4 e5 *\n";
        let json = "{\"type\":\"run\",\"kind\":\"solve\",\"schema\":5}\n";
        for (text, what, wanted) in [
            (epd, "a suite in EPD", Wanted::Epd),
            (pgn, "games in PGN", Wanted::Pgn),
            (json, "JSON of `pacioli solve`", Wanted::Json),
        ] {
            for asked in [Wanted::Epd, Wanted::Pgn, Wanted::Json] {
                let expected = (asked != wanted).then(|| what.to_owned());
                let found = other(text.as_bytes(), asked).map(|found| found.to_string());
                assert_eq!(found, expected, "{text}");
            }
        }
        assert_eq!(other(b"<svg xmlns=\"x\">", Wanted::Pgn).unwrap().to_string(), "an SVG picture");
        assert_eq!(other(b"\x1f\x8b\x08", Wanted::Epd).unwrap().to_string(), "compressed by gzip");
        assert_eq!(other(b"a\0b", Wanted::Epd).unwrap().to_string(), "binary, such as training data");
        assert_eq!(other(b"1. e4 e5", Wanted::Epd).unwrap().to_string(), "games in PGN");
        for unclear in ["", "rubbish\n", "{a comment} e4", "Nf3"] {
            assert!(other(unclear.as_bytes(), Wanted::Pgn).is_none_or(|found| found == Found::Json(None)), "{unclear}");
        }
    }
}
