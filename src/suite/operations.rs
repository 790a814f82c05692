//! The operations after the position: `opcode operands;`, split with tolerance for files found in practice.

use super::fields::Word;

/// One operation with its operands as written.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Operation<'a> {
    pub name: &'a str,
    pub operands: Word<'a>,
}

impl<'a> Operation<'a> {
    /// The operands without the quotes around them.
    pub fn unquoted(&self) -> Word<'a> {
        unquote(self.operands)
    }
}

/// Removes the quotes.
pub(super) fn unquote(word: Word) -> Word {
    let Some(inner) = word.text.strip_prefix('"') else {
        return word;
    };
    let inner = inner.strip_suffix('"').unwrap_or(inner);
    Word { text: inner, start: word.start + 1 }.trimmed()
}

/// What operands say: the text of a string, or else what is written.
pub(super) fn text_of(operands: Word) -> String {
    let text = unquote(operands).text;
    if operands.text.starts_with('"') { unescaped(text) } else { text.to_owned() }
}

/// The text of a string, without the backslashes before its quotes and backslashes; any other is text.
fn unescaped(text: &str) -> String {
    let mut unescaped = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let after = &rest[at + 1..];
        let is_escape = after.starts_with(['\\', '"']);
        let taken = at + 1 + usize::from(is_escape);
        unescaped.push_str(&rest[..at]);
        unescaped.push_str(&rest[taken - 1..taken]);
        rest = &rest[taken..];
    }
    unescaped + rest
}

/// The length, with its quotes, of the string that a text begins with.
fn string_length(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('"')?;
    let mut is_escaped = false;
    let closes = |(at, byte): (usize, u8)| {
        let closes = byte == b'"' && (!is_escaped || goes_on(&inner[at + 1..]));
        is_escaped = byte == b'\\' && !is_escaped;
        closes
    };
    inner.bytes().enumerate().position(closes).map(|length| length + 2)
}

/// Whether other operations follow, so that the quote before was the end of a string, as in old files in which the
/// backslash before it is text (`c0 "C:\"; bm e4;`): in what follows the semicolon, no string ends that began before.
fn goes_on(text: &str) -> bool {
    let Some(next) = text.trim_start().strip_prefix(';').map(str::trim_start) else { return false };
    let operation = next.split(';').next().unwrap_or_default();
    let quotes = operation.matches('"').count() - operation.matches("\\\"").count();
    operation.starts_with(char::is_alphabetic) && quotes.is_multiple_of(2)
}

/// The length of the word that a text begins with.
fn word_length(text: &str) -> usize {
    text.find(|c: char| c == ';' || c.is_whitespace()).unwrap_or(text.len())
}

/// Operands without an open string, which would take in what is written after them.
pub(super) fn closed(operands: &str) -> String {
    if !leave_open(operands) {
        return operands.to_owned();
    }
    // An escaped quote at the end was read as the string's own, and a backslash there as text.
    let open = operands.strip_suffix('"').filter(|text| text.ends_with('\\')).unwrap_or(operands);
    let backslashes = open.len() - open.trim_end_matches('\\').len();
    format!("{open}{}\"", if backslashes.is_multiple_of(2) { "" } else { "\\" })
}

/// Whether operands leave a string open.
fn leave_open(operands: &str) -> bool {
    let mut rest = operands;
    while !rest.is_empty() {
        let length = match string_length(rest) {
            Some(length) => length,
            None if rest.starts_with('"') => return true,
            None => word_length(rest),
        };
        rest = rest[length..].trim_start_matches(|c: char| c == ';' || c.is_whitespace());
    }
    false
}

/// Splits the rest of a line into operations.
///
/// A semicolon inside quotes is text. A semicolon may be missing if the next word can only be another opcode.
pub(super) fn split(rest: Word) -> Vec<Operation> {
    let mut operations = Vec::new();
    let mut rest = rest;
    while let Some(from) = rest.text.find(|c: char| c != ';' && !c.is_whitespace()) {
        rest = rest.tail(from);
        let end = rest.text.find(|c: char| c == ';' || c == '"' || c.is_whitespace()).unwrap_or(rest.text.len());
        // A quote without an opcode is not an operand; the quote itself becomes the name.
        let end = end.max(1);
        let name = &rest.text[..end];
        let operands = rest.tail(end);
        let length = operands_length(name, operands.text);
        operations.push(Operation { name, operands: Word { text: &operands.text[..length], ..operands }.trimmed() });
        rest = operands.tail(length);
    }
    operations
}

/// The length of the operands of `name`, in bytes.
fn operands_length(name: &str, text: &str) -> usize {
    let mut at = 0;
    let mut after_quote = false;
    loop {
        let blank = text[at..].len() - text[at..].trim_start().len();
        let start = at + blank;
        let rest = &text[start..];
        if rest.is_empty() || rest.starts_with(';') {
            return start;
        }
        if let Some(length) = string_length(rest) {
            at = start + length;
            after_quote = true;
            continue;
        }
        let word = &rest[..word_length(rest)];
        if at > 0 && begins_operation(name, word, after_quote) {
            return start;
        }
        at = start + word.len();
        after_quote = false;
    }
}

/// Whether `word` among the operands of `name` must be the next opcode, with the semicolon missing.
fn begins_operation(name: &str, word: &str, after_quote: bool) -> bool {
    if after_quote {
        return is_opcode(word);
    }
    match name {
        // `c3` can be a pawn move or the number of a comment.
        "bm" | "am" | "pm" | "sm" | "pv" => is_opcode(word) && !matches!(word.as_bytes(), [b'c', b'1'..=b'8']),
        "id" => matches!(word, "bm" | "am" | "dm") || matches!(word.as_bytes(), [b'c', b'0'..=b'9']),
        "dm" | "ce" | "acd" | "acn" | "acs" | "hmvc" | "fmvn" => is_opcode(word),
        _ => false,
    }
}

/// Whether the word is an opcode of the EPD standard.
fn is_opcode(word: &str) -> bool {
    const NAMES: [&str; 19] = [
        "acd", "acn", "acs", "am", "bm", "ce", "dm", "eco", "fmvn", "hmvc", "id", "nic", "noop", "pm", "pv", "rc",
        "resign", "sm", "tcsi",
    ];
    NAMES.contains(&word) || matches!(word.as_bytes(), [b'c' | b'v', b'0'..=b'9'])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::quoted;

    fn operations(text: &str) -> Vec<(&str, &str)> {
        split(Word { text, start: 0 }).into_iter().map(|op| (op.name, op.unquoted().text)).collect()
    }

    #[test]
    fn stray_semicolons_and_blanks_do_no_harm() {
        assert_eq!(operations(" ; ; bm Qd1 + ;  id  BK.01 "), [("bm", "Qd1 +"), ("id", "BK.01")]);
        assert_eq!(operations("bm Rf1+; id \"1.5.IQ.918\";"), [("bm", "Rf1+"), ("id", "1.5.IQ.918")]);
        assert_eq!(operations(";;; ;"), []);
        assert_eq!(operations("noop;bm;"), [("noop", ""), ("bm", "")]);
    }

    #[test]
    fn quotes_hold_semicolons_and_an_open_one_is_text() {
        assert_eq!(operations("c0 \"a; b\"; id \"x\""), [("c0", "a; b"), ("id", "x")]);
        assert_eq!(operations("c0 \"a; id x"), [("c0", "a"), ("id", "x")]);
        assert_eq!(operations("c0 a 24\" board; id x"), [("c0", "a 24\" board"), ("id", "x")]);
        assert_eq!(operations("\"lone\" ; id x").last(), Some(&("id", "x")));
    }

    #[test]
    fn a_backslash_in_quotes_escapes_a_quote_or_a_backslash() {
        for text in ["wheel 24\"", "a \"b; c\" d", "a\"; b", "a\"; b \"c", "C:\\", "\\\"\\", "", "é"] {
            let line = format!("id {}; bm e4", quoted(text));
            let split = split(Word { text: &line, start: 0 });
            assert_eq!((split.len(), text_of(split[0].operands).as_str()), (2, text), "{line}");
        }
        // As it may stand in old files.
        assert_eq!(operations("id \"C:\\\"; bm e4"), [("id", "C:\\"), ("bm", "e4")]);
        assert_eq!(operations("c0 \"C:\\\"; bm e4; id \"n\""), [("c0", "C:\\"), ("bm", "e4"), ("id", "n")]);
        assert_eq!(operations("id \"C:\\\" ; c0 \"x\"; bm e4"), [("id", "C:\\"), ("c0", "x"), ("bm", "e4")]);
        for text in ["\"C:\\games\\\"", "C:\\games\\", "\"C:\\games\\"] {
            assert_eq!(text_of(Word { text, start: 0 }), "C:\\games\\");
        }
        assert_eq!(text_of(Word { text: "a\\\\b", start: 0 }), "a\\\\b");
    }

    #[test]
    fn a_string_is_open_that_begins_a_word_and_does_not_end() {
        for text in ["", "x", "wheel 24\"", "a \"b c\" d\"", "\"a \\\" b\"", "\"\""] {
            assert_eq!(closed(text), text);
        }
        for (text, expected) in [
            ("\"", "\"\""),
            ("\"a b", "\"a b\""),
            ("a \"b", "a \"b\""),
            ("\"a\" \"b\\\"", "\"a\" \"b\\\\\""),
            ("\"a\\", "\"a\\\\\""),
            ("\"a\\\\", "\"a\\\\\""),
        ] {
            assert_eq!(closed(text), expected);
        }
    }

    #[test]
    fn a_missing_semicolon_is_made_up_for() {
        assert_eq!(operations("bm Qd4; id P.09 c0 by mail"), [("bm", "Qd4"), ("id", "P.09"), ("c0", "by mail")]);
        assert_eq!(operations("bm c3 c4 id \"x\" c0 \"y\""), [("bm", "c3 c4"), ("id", "x"), ("c0", "y")]);
        assert_eq!(operations("dm 3 id x; c0 what bm is"), [("dm", "3"), ("id", "x"), ("c0", "what bm is")]);
    }
}
