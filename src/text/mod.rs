//! Layer 5: how numbers and tables are written for people, the same in every text. Prints nothing.
//!
//! Output for programs (JSON, CSV, EPD, and UCI, `bench` and `perft` on standard output) has plain numbers; everything
//! else is formatted here.

mod count;
mod grid;
mod table;
mod wrap;

pub use count::{CountError, parse_count};
pub use grid::{TableStyle, narrowed, painted, without_middle};
pub use table::{aligned, number, plain, push, without_empty};
pub use wrap::filled;

use std::time::Duration;

/// Stands for a missing number.
pub const NOTHING: &str = "-";
/// What is said of scores where they are the mover's.
pub const POINT_OF_VIEW: &str = "Scores are for the side to move.";
/// Smaller probabilities are shown as less than this.
const SMALLEST_P: f64 = 0.0001;
/// Maximum words of a line shown in a table.
const SHOWN_WORDS: usize = 6;

/// The text of bytes: UTF-8, or else Latin-1, as older files of chess are.
pub fn decoded(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
    }
}

/// A text as a string of PGN or EPD, with a backslash before its quotes and backslashes.
pub fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// A character as it is shown: a control character, which could steer a terminal or forge a line, is a space.
pub fn shown(c: char) -> char {
    if c.is_control() { ' ' } else { c }
}

/// The text of bytes as it is shown: [`decoded`], with a space for each control character.
pub fn shown_text(bytes: &[u8]) -> String {
    decoded(bytes).chars().map(shown).collect()
}

/// A text of several lines as it is shown: with a space for each other control character.
pub fn shown_lines(text: &str) -> String {
    text.chars().map(|c| if c == '\n' { c } else { shown(c) }).collect()
}

/// A text as XML can hold it: with a space for each character that it cannot, and for other control characters.
pub fn shown_in_xml(text: &str) -> String {
    text.chars().map(|c| if matches!(c, '\u{fffe}' | '\u{ffff}') { ' ' } else { shown(c) }).collect()
}

/// A count with its digits in groups of three: `1,234,567`.
pub fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 line`, `2 lines`, `1,000 lines`.
pub fn counted(count: usize, noun: &str) -> String {
    counted_as(count, noun, &format!("{noun}s"))
}

/// The same with an irregular plural.
pub fn counted_as(count: usize, one: &str, many: &str) -> String {
    format!("{} {}", grouped(count as u64), if count == 1 { one } else { many })
}

/// A large number in few characters: `950`, `12 k`, `3.4 M`.
pub fn short(value: f64) -> String {
    /// From here on numbers are rounded to a thousand, and those with a decimal to ten.
    const THOUSAND: f64 = 999.5;
    const TEN: f64 = 9.95;
    let (scaled, suffix) = match value {
        v if v >= THOUSAND * 1e6 => (v / 1e9, " G"),
        v if v >= THOUSAND * 1e3 => (v / 1e6, " M"),
        v if v >= THOUSAND => (v / 1e3, " k"),
        v => (v, ""),
    };
    let decimals = usize::from(scaled < TEN && (10.0 * scaled).round() % 10.0 != 0.0);
    format!("{scaled:.decimals$}{suffix}")
}

/// A share in percent with one decimal.
pub fn percent(part: u64, whole: u64) -> String {
    format!("{:.1} %", 100.0 * part as f64 / whole.max(1) as f64)
}

/// A text in which no line can end between a number and its percent sign, for pages.
pub fn unbroken(text: &str) -> String {
    text.replace(" %", "\u{a0}%")
}

/// A quotient with two decimals.
pub fn ratio(part: u64, whole: u64) -> String {
    if whole == 0 { NOTHING.to_owned() } else { format!("{:.2}", part as f64 / whole as f64) }
}

/// A probability with four decimals, or a bound for smaller ones.
pub fn probability(p: f64) -> String {
    if p < SMALLEST_P { format!("<{SMALLEST_P}") } else { format!("{p:.4}") }
}

/// A mean of counts as the nearest count.
pub fn nearest(mean: f64) -> u64 {
    mean.round() as u64
}

/// Milliseconds in seconds.
pub fn seconds(milliseconds: u64) -> String {
    format!("{}.{:03} s", grouped(milliseconds / 1000), milliseconds % 1000)
}

/// A time in whole milliseconds.
pub fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// The first words of a line of play, with dots if it continues.
pub fn shortened(line: &str) -> String {
    let mut rest = line.split(' ');
    let start: Vec<&str> = rest.by_ref().take(SHOWN_WORDS).collect();
    let more = if rest.next().is_some() { " ..." } else { "" };
    format!("{}{more}", start.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_readable() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(
            [0, 1, 2, 1000].map(|count| counted(count, "line")),
            ["0 lines", "1 line", "2 lines", "1,000 lines"]
        );
        assert_eq!([1, 2].map(|count| counted_as(count, "mouse", "mice")), ["1 mouse", "2 mice"]);
        assert_eq!([0, 12_034, 1_234_567].map(seconds), ["0.000 s", "12.034 s", "1,234.567 s"]);
        assert_eq!((percent(1, 3), percent(0, 0)), ("33.3 %".to_owned(), "0.0 %".to_owned()));
        assert_eq!(unbroken("win 9.1 %, loss 0.2 %"), "win 9.1\u{a0}%, loss 0.2\u{a0}%");
        assert_eq!((ratio(3, 2), ratio(3, 0)), ("1.50".to_owned(), NOTHING.to_owned()));
        assert_eq!([1.0, 0.0391, 0.0001, 0.00009].map(probability), ["1.0000", "0.0391", "0.0001", "<0.0001"]);
        assert_eq!(
            [0.0, 7.0, 950.0, 1000.0, 1500.0, 12_345.0, 3.4e6].map(short),
            ["0", "7", "950", "1 k", "1.5 k", "12 k", "3.4 M"]
        );
        // Just below the next unit, or the next digit.
        assert_eq!(
            [1.97, 9.94, 9.96, 999.4, 999.6, 9960.0, 999_600.0, 999_999_999.0].map(short),
            ["2", "9.9", "10", "999", "1 k", "10 k", "1 M", "1 G"]
        );
    }

    #[test]
    fn what_is_not_utf_8_is_latin_1() {
        assert_eq!(decoded("Müller".as_bytes()), "Müller");
        assert_eq!(decoded(b"M\xfcller"), "Müller");
    }

    #[test]
    fn control_characters_are_not_shown() {
        assert_eq!(shown_text(b"a\x1b[31m\nb"), "a [31m b");
        assert_eq!(shown_lines("a\u{1b}[31m\tb\r\nc"), "a [31m b \nc");
        assert_eq!(shown_in_xml("a\u{1}\n\u{fffe}\u{ffff}b"), "a    b");
    }

    #[test]
    fn long_lines_are_shortened() {
        assert_eq!(shortened("a b c d e f"), "a b c d e f");
        assert_eq!(shortened("a b c d e f g"), "a b c d e f ...");
        assert_eq!(shortened(""), "");
    }
}
