//! What a file is that is not what was asked for, by its beginning.

use crate::lab::data;
use crate::runner::FileHeader;
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
/// What is said of suites and games.
const SUITE: &str = "a suite in EPD";
const GAMES: &str = "games in PGN";
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

/// What the beginning of a file shows it to be, if it is clearly not what is wanted.
pub fn other(beginning: &[u8], wanted: Wanted) -> Option<String> {
    let beginning = &beginning[..beginning.len().min(LOOK)];
    if let Some((_, what)) = BEGINNINGS.iter().find(|(mark, _)| beginning.starts_with(mark)) {
        return Some((*what).to_owned());
    }
    if data::is_data(beginning) {
        return Some("binary, such as training data".to_owned());
    }
    let text = String::from_utf8_lossy(beginning);
    let first = text.trim_start_matches('\u{feff}').lines().map(str::trim).find(|line| !is_comment(line))?;
    let found = if first.starts_with('{') || (first.starts_with('[') && !is_tag(first)) {
        FileHeader::of(first).kind.map_or("JSON".to_owned(), |kind| kind.to_string())
    } else if is_tag(first) || first.starts_with("1.") {
        GAMES.to_owned()
    } else if suite::parse_line("", 1, first).is_ok() {
        SUITE.to_owned()
    } else {
        return None;
    };
    let is_wanted = match wanted {
        Wanted::Epd => found == SUITE,
        Wanted::Pgn => found == GAMES,
        Wanted::Json => found.starts_with("JSON"),
    };
    (!is_wanted).then_some(found)
}

/// Whether the beginning of a file shows it to be a suite.
pub fn is_suite(beginning: &[u8]) -> bool {
    other(beginning, Wanted::Pgn).is_some_and(|found| found == SUITE)
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
                assert_eq!(other(text.as_bytes(), asked), expected, "{text}");
            }
        }
        assert_eq!(other(b"<svg xmlns=\"x\">", Wanted::Pgn).unwrap(), "an SVG picture");
        assert_eq!(other(b"\x1f\x8b\x08", Wanted::Epd).unwrap(), "compressed by gzip");
        assert_eq!(other(b"a\0b", Wanted::Epd).unwrap(), "binary, such as training data");
        assert_eq!(other(b"1. e4 e5", Wanted::Epd).unwrap(), "games in PGN");
        for unclear in ["", "rubbish\n", "{a comment} e4", "Nf3"] {
            assert!(other(unclear.as_bytes(), Wanted::Pgn).is_none_or(|what| what == "JSON"), "{unclear}");
        }
    }
}
