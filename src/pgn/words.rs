//! The words of movetext, looked at on their way to `pgn-reader`, which skips in silence what it does not know.
//!
//! A word that is no move in SAN, number, result or sign is handed on as a comment that begins with [`MARK`], so that
//! it arrives at its place among the moves. Comments in braces, variations and lines that begin with `%` pass as they
//! are; what `;` makes a comment to the end of its line arrives in braces, since `pgn-reader` drops it, and is left out
//! before a game and up to the blank line after its tags, where `pgn-reader` would begin another.
//!
//! For `pgn-reader` a tag's value ends at its first quote. Many programs do not escape those inside it: here it ends at
//! a quote that the tag's bracket follows, and the others are escaped. A value that its line leaves open is closed, and
//! ends with [`MARK`].
//!
//! For `pgn-reader` a blank line, or a tag at the beginning of a line, ends a game. In files that were mailed or edited
//! neither holds: blank lines stand between moves, and games follow each other without any. So a game ends before a
//! move that comes after a result; and a blank line does not end it if there was no word of its moves yet, or if a move
//! other than the first, or the result, is what comes next.
//!
//! A game that was not played may be tags alone, without a result. For `pgn-reader` the tags after a blank line are
//! still its own, as they are in files with a blank line after every tag. Here one with the name of the game's first
//! begins another, and a comment without text is put before it, which shows that to `pgn-reader`.
//!
//! For `pgn-reader` a result has no blanks. The last word of `1 - 0` is handed on as the whole of it, and each half of
//! a draw (`1/2`, `½`) as a draw. After a blank line the `1` of such a result looks like a first move's number.
//!
//! A line ends with a line feed, a carriage return or both, and arrives with a line feed. The blanks before a line of
//! moves are left out: for `pgn-reader` a line of blanks is not blank, and an indented tag is none.
//!
//! Laws: one pass; no more is kept than the beginnings of a word and of a tag's name; text of nothing but known words
//! and tags that are closed, with a blank line after each game and nowhere in its moves, is not changed but for `;`,
//! [`MARK`], [`BRACE`], byte order marks, such results, games of tags alone, line ends and the blanks before lines.

use std::io::{self, Read};

use pgn_reader::SanPlus;

use crate::text::decoded;

/// What a comment begins with that is a word, and what the value of a tag ends with that is not closed. In the source
/// it is a blank.
pub const MARK: u8 = 1;
/// Stands for a closing brace in such a comment. In the source it is a blank, too.
pub const BRACE: u8 = 3;
/// What a file may begin with; where files were joined, it is in their midst.
const BYTE_ORDER_MARK: [u8; 3] = *b"\xef\xbb\xbf";
/// Bytes read at a time.
const CHUNK: usize = 1 << 14;
/// The most bytes of a word that are kept; there is no longer move.
const LONGEST: usize = 60;
/// The most carriage returns that are counted: the end of a line, and a blank one. More tell no more.
const MOST_RETURNS: usize = 2;
/// Words of players and older programs that say nothing of the moves: en passant.
const EMPTY_WORDS: [&[u8]; 3] = [b"e", b"p", b"ep"];
/// Half of a draw; players write one for it, or two with blanks between them.
const HALVES: [&str; 2] = ["1/2", "½"];
/// A draw.
const DRAW: &[u8] = b"1/2-1/2";
/// The other results, whose parts may have blanks between them.
const WINS: [&str; 2] = ["1-0", "0-1"];

/// A source of PGN with its unknown words marked.
pub struct Marked<R> {
    source: R,
    sieve: Sieve,
    ready: Vec<u8>,
    taken: usize,
    is_over: bool,
}

impl<R: Read> Marked<R> {
    /// Marks the words of this source.
    pub fn new(source: R) -> Marked<R> {
        Marked { source, sieve: Sieve::default(), ready: Vec::new(), taken: 0, is_over: false }
    }

    /// Reads on; what was ready has been taken.
    fn refill(&mut self) -> io::Result<()> {
        let mut chunk = [0; CHUNK];
        (self.taken, self.is_over) = (0, false);
        self.ready.clear();
        let read = self.source.read(&mut chunk)?;
        chunk[..read].iter().for_each(|&byte| self.sieve.take(byte, &mut self.ready));
        if read == 0 {
            self.sieve.end_tag(&mut self.ready);
            self.sieve.end_word(&mut self.ready);
            self.sieve.end_game(&mut self.ready);
            self.is_over = true;
        }
        Ok(())
    }
}

impl<R: Read> Read for Marked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // A chunk may be the beginning of a word and give nothing yet.
        while self.taken == self.ready.len() && !self.is_over {
            self.refill()?;
        }
        let count = buffer.len().min(self.ready.len() - self.taken);
        buffer[..count].copy_from_slice(&self.ready[self.taken..self.taken + count]);
        self.taken += count;
        Ok(count)
    }
}

/// What the next byte belongs to.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
enum Place {
    /// The beginning of a line; blanks may have followed.
    #[default]
    LineStart,
    /// Within a line, between or in words.
    Line,
    /// A comment in braces.
    Comment,
    /// A line to be skipped, from `%` on, or from `;` before a game, between its tags or in a variation.
    Skipped,
    /// A comment from `;` to the end of the line.
    LineComment,
    /// The name of a tag, with the blanks around it.
    Name,
    /// A tag, outside of its name and its value.
    Tag,
    /// The value of a tag.
    Value,
    /// After a backslash in the value of a tag.
    Escaped,
    /// After a quote in the value of a tag, and blanks: if the tag's end follows, they are the value's.
    Quote,
}

/// How much of a game has been seen.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Seen {
    /// Nothing.
    #[default]
    Nothing,
    /// A tag.
    Tags,
    /// A blank line after its tags.
    AllTags,
    /// Something after its tags, such as a comment.
    Text,
    /// A word of its moves.
    Words,
}

/// Follows PGN byte by byte.
#[derive(Debug, Default)]
struct Sieve {
    place: Place,
    /// How much of the game has been seen.
    seen: Seen,
    /// Carriage returns held back until it is known whether a line feed follows.
    returns: usize,
    /// Whether a line feed came right before these, or before the next byte.
    is_after_feed: bool,
    /// Bytes of a byte order mark at the beginning of the line.
    mark: usize,
    /// Variations not closed yet.
    depth: usize,
    /// The beginning of the present word or tag's name, or a quote in a tag's value and the blanks after it.
    word: Vec<u8>,
    /// The beginning of the name of the game's first tag.
    first_tag: Vec<u8>,
    /// Whether the word is a number after `$`.
    is_glyph: bool,
    /// The words before the present one that may begin a result, without the blanks between them.
    begun: Vec<u8>,
    /// Whether the game's result has been seen.
    has_result: bool,
    /// Blank lines after the last move, held back until it is known whether they end the game.
    blank_lines: usize,
}

impl Sieve {
    /// Whether the moves of a game have begun, rather than its tags.
    fn in_moves(&self) -> bool {
        self.seen >= Seen::Text
    }

    /// Takes a byte of the source. Carriage returns end a line without a line feed, too: very old files have nothing
    /// else. Before a line feed they say nothing, however many there are, and a single one says nothing after it.
    /// Within a tag, unless another one or a blank line follows, one is a blank.
    fn take(&mut self, byte: u8, out: &mut Vec<u8>) {
        let byte = if matches!(byte, MARK | BRACE) { b' ' } else { byte };
        if byte == b'\r' {
            self.returns = MOST_RETURNS.min(self.returns + 1);
            return;
        }
        let is_in_tag = matches!(self.place, Place::Name | Place::Tag | Place::Value | Place::Escaped | Place::Quote);
        let is_after_feed = std::mem::replace(&mut self.is_after_feed, byte == b'\n');
        match std::mem::take(&mut self.returns) {
            _ if byte == b'\n' => {}
            1 if is_after_feed => {}
            1 if is_in_tag && byte != b'[' => self.pass(b' ', out),
            returns => (0..returns).for_each(|_| self.pass(b'\n', out)),
        }
        self.pass(byte, out);
    }

    /// Takes a byte, and hands on what is known of the text up to there.
    fn pass(&mut self, byte: u8, out: &mut Vec<u8>) {
        if self.place == Place::LineStart && byte == BYTE_ORDER_MARK[self.mark] {
            self.mark = (self.mark + 1) % BYTE_ORDER_MARK.len();
            return;
        }
        let begun = std::mem::take(&mut self.mark);
        BYTE_ORDER_MARK[..begun].iter().for_each(|&byte| self.pass_in_moves(byte, out));
        match self.place {
            Place::Name => return self.pass_in_name(byte, out),
            Place::Quote => return self.pass_after_quote(byte, out),
            _ => {}
        }
        self.place = match (self.place, byte) {
            (Place::Comment, b'}') => Place::Line,
            (Place::Comment, _) => Place::Comment,
            (Place::Escaped, _) if byte != b'\n' => Place::Value,
            (Place::Value, b'\\') => Place::Escaped,
            (Place::Value, b'"') => {
                self.place = Place::Quote;
                self.word.push(byte);
                return;
            }
            (Place::Value | Place::Escaped, b'\n') => {
                self.end_tag(out);
                Place::LineStart
            }
            (Place::Tag, b'"') => Place::Value,
            (Place::Tag, b']') => Place::Line,
            (Place::LineStart, b'\n') if self.in_moves() && self.depth == 0 => {
                self.blank_lines += 1;
                return;
            }
            (Place::LineStart, b' ' | b'\t') if self.in_moves() && self.depth == 0 => return,
            (Place::LineComment, b'\n') => {
                out.push(b'}');
                Place::LineStart
            }
            (Place::LineComment, b'}') => {
                out.push(b')');
                return;
            }
            (Place::LineComment, _) => self.place,
            (_, b'\n') => {
                self.end_line(out);
                Place::LineStart
            }
            (Place::Skipped | Place::Tag | Place::Value, _) => self.place,
            (Place::LineStart, b'%') => Place::Skipped,
            (place, b'[') if place == Place::LineStart || !self.in_moves() => {
                if self.in_moves() {
                    self.end_game(out);
                }
                self.place = Place::Name;
                return;
            }
            // Blanks before tags.
            (_, b' ' | b'\t') if !self.in_moves() => self.place,
            _ => return self.pass_in_moves(byte, out),
        };
        out.push(byte);
    }

    /// Takes a byte that follows a tag's bracket or a byte of its name.
    fn pass_in_name(&mut self, byte: u8, out: &mut Vec<u8>) {
        if self.word.len() < LONGEST && !matches!(byte, b'"' | b']' | b'\n') {
            self.word.push(byte);
            return;
        }
        self.end_name(out);
        self.pass(byte, out);
    }

    /// Hands on the beginning of a tag; before it, if it is another game's first, the end of one of tags alone.
    fn end_name(&mut self, out: &mut Vec<u8>) {
        let name = std::mem::take(&mut self.word);
        if self.seen == Seen::AllTags && name.trim_ascii().eq_ignore_ascii_case(self.first_tag.trim_ascii()) {
            out.extend_from_slice(b"{}\n\n");
        }
        out.push(b'[');
        out.extend_from_slice(&name);
        if self.seen == Seen::Nothing {
            self.first_tag = name;
        }
        (self.seen, self.place) = (Seen::Tags, Place::Tag);
    }

    /// Takes a byte that follows a quote in the value of a tag and blanks.
    fn pass_after_quote(&mut self, byte: u8, out: &mut Vec<u8>) {
        if matches!(byte, b' ' | b'\t') {
            // More blanks tell no more.
            if self.word.len() < LONGEST {
                self.word.push(byte);
            }
            return;
        }
        let is_end = matches!(byte, b']' | b'\n');
        if !is_end {
            out.push(b'\\');
        }
        out.append(&mut self.word);
        self.place = if is_end { Place::Tag } else { Place::Value };
        self.pass(byte, out);
    }

    /// Closes a tag that its line or the source leaves open. If only its bracket is missing, its value is known.
    fn end_tag(&mut self, out: &mut Vec<u8>) {
        if self.place == Place::Name {
            self.end_name(out);
        }
        match self.place {
            Place::Tag => out.extend_from_slice(&[b'"', MARK, b'"', b']']),
            Place::Value | Place::Escaped => out.extend_from_slice(&[MARK, b'"', b']']),
            Place::Quote => out.append(&mut self.word),
            _ => {}
        }
    }

    /// Takes a byte of the moves that is in no comment.
    fn pass_in_moves(&mut self, byte: u8, out: &mut Vec<u8>) {
        if self.has_result && self.blank_lines > 0 && !byte.is_ascii_whitespace() {
            self.end_game(out);
        }
        if byte == b';' && self.seen < Seen::AllTags {
            // `pgn-reader` leaves out a line that begins with `%`.
            out.extend_from_slice(if self.place == Place::LineStart { b"%" } else { b"\n%" });
            self.place = Place::Skipped;
            return;
        }
        self.seen = self.seen.max(Seen::Text);
        self.place = Place::Line;
        if !is_word_end(byte) {
            if self.depth > 0 {
                out.push(byte);
            } else if self.word.len() <= LONGEST {
                self.word.push(byte);
            }
            return;
        }
        self.end_word(out);
        match byte {
            b'{' => self.place = Place::Comment,
            b';' if self.depth == 0 => {
                self.place = Place::LineComment;
                out.push(b'{');
                return;
            }
            b';' => self.place = Place::Skipped,
            b'*' if self.depth == 0 => self.begin_word(b"*", out),
            b'(' => self.depth += 1,
            b')' if self.depth == 0 => return mark(b")", out),
            b')' => self.depth -= 1,
            b'$' => self.is_glyph = true,
            b'}' if self.depth == 0 => return mark(&[BRACE], out),
            _ => {}
        }
        out.push(byte);
    }

    /// Hands on the word that ends here, if there is one.
    fn end_word(&mut self, out: &mut Vec<u8>) {
        let mut word = std::mem::take(&mut self.word);
        if word.is_empty() {
            return;
        }
        if !self.is_glyph {
            word = self.with_result(word);
            self.begin_word(&word, out);
        }
        let is_known = if self.is_glyph { word.iter().all(u8::is_ascii_digit) } else { is_known(&word) };
        self.is_glyph = false;
        if is_known { out.extend_from_slice(&word) } else { mark(text_of(&word).as_bytes(), out) }
    }

    /// The result that a word ends, or is half of; any other word as it is.
    fn with_result(&mut self, word: Vec<u8>) -> Vec<u8> {
        if self.begun.is_empty() && !word.first().is_some_and(|&first| may_begin_result(first)) {
            return word;
        }
        let joined = [std::mem::take(&mut self.begun), word.clone()].concat();
        if is_outcome(&joined) {
            // `pgn-reader` knows no other encoding.
            return text_of(&joined).into_bytes();
        }
        let begins = |word: &Vec<u8>| {
            let text = with_hyphens(word);
            WINS.iter().any(|win| win.starts_with(&text))
        };
        self.begun = [joined, word.clone()].into_iter().find(begins).unwrap_or_default();
        let is_half = HALVES.contains(&with_hyphens(&word).trim_matches('-'));
        if is_half { DRAW.to_vec() } else { word }
    }

    /// Before a word of the moves: ends the game before it, if it is another's first, and notes a result.
    fn begin_word(&mut self, word: &[u8], out: &mut Vec<u8>) {
        let is_result = is_outcome(word);
        let is_of_another = if self.blank_lines > 0 {
            self.seen == Seen::Words && !is_result && (is_move_one(word) || !is_move_or_number(word))
        } else {
            self.has_result && is_move_or_number(word)
        };
        if is_of_another {
            if self.blank_lines == 0 {
                // The end of the result's line, and a blank one.
                self.blank_lines = 2;
            }
            self.end_game(out);
        }
        self.seen = Seen::Words;
        self.blank_lines = 0;
        self.has_result = is_result;
    }

    /// What the end of a line ends: its last word, and if the line is blank, the tags or the game.
    fn end_line(&mut self, out: &mut Vec<u8>) {
        self.end_word(out);
        self.is_glyph = false;
        if self.place == Place::LineStart {
            match self.seen {
                Seen::Nothing => {}
                Seen::Tags | Seen::AllTags => self.seen = Seen::AllTags,
                Seen::Text | Seen::Words => self.end_game(out),
            }
        }
    }

    /// Ends a game. A variation still open is closed and its bracket handed on as a word, on a line of its own, so that
    /// a blank line stays one.
    fn end_game(&mut self, out: &mut Vec<u8>) {
        if self.place == Place::LineComment {
            out.push(b'}');
        }
        out.extend(std::iter::repeat_n(b'\n', std::mem::take(&mut self.blank_lines)));
        if self.depth > 0 {
            match self.place {
                // The source is cut off in it.
                Place::Comment => out.push(b'}'),
                Place::Skipped => out.push(b'\n'),
                _ => {}
            }
            out.extend(std::iter::repeat_n(b')', self.depth));
            mark(b"(", out);
            out.push(b'\n');
        }
        (self.seen, self.depth, self.has_result) = (Seen::Nothing, 0, false);
    }
}

/// The value of a tag as it was handed on; `None` if it was not closed. The bracket closes one without a quote before
/// it, and the last quote one that ends with a backslash, as the name of a folder may.
pub fn closed(value: &[u8]) -> Option<&[u8]> {
    let Some(open) = value.strip_suffix(&[MARK]) else { return Some(value) };
    let value = open.trim_ascii_end().strip_suffix(b"]")?.trim_ascii_end();
    let value = value.strip_suffix(b"\"").unwrap_or(value);
    (!value.is_empty()).then_some(value)
}

/// Hands on a word as a marked comment.
fn mark(word: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(&[b'{', MARK]);
    out.extend_from_slice(&word[..word.len().min(LONGEST)]);
    out.push(b'}');
}

/// Whether a byte ends a word for `pgn-reader`.
fn is_word_end(byte: u8) -> bool {
    b" \t\n\r{}()!?$;.*".contains(&byte)
}

/// Whether a word is a number, a move in SAN, perhaps with its number, a result, or a sign such as `+-`.
fn is_known(word: &[u8]) -> bool {
    is_move_or_number(word) || is_sign(word) || EMPTY_WORDS.contains(&word) || is_outcome(word)
}

/// Whether a word has neither letters nor numbers, in any script, but for digits before it.
fn is_sign(word: &[u8]) -> bool {
    !text_of(word).trim_start_matches(|c: char| c.is_ascii_digit()).contains(char::is_alphanumeric)
}

/// How many digits a word begins with.
fn digits(word: &[u8]) -> usize {
    word.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

/// Whether a word begins a game's first move: `1`, `1e4`.
fn is_move_one(word: &[u8]) -> bool {
    word[..digits(word)] == *b"1" && is_move_or_number(word)
}

/// Whether a word is a move or its number, or a number with its move.
fn is_move_or_number(word: &[u8]) -> bool {
    let rest = &word[digits(word)..];
    rest.is_empty() || SanPlus::from_ascii(rest).is_ok() || is_castling(word)
}

/// Whether a word is the result of a game.
fn is_outcome(word: &[u8]) -> bool {
    // Most words are none, and need not be decoded.
    word.first().is_some_and(|&first| first == b'*' || may_begin_result(first))
        && ["*", "1-0", "0-1", "1/2-1/2", "½-½"].contains(&with_hyphens(word).as_str())
}

/// Whether a result, or a part of one, may begin with this byte: with a digit, a half or a dash.
fn may_begin_result(byte: u8) -> bool {
    matches!(byte, b'0' | b'1' | b'-') || !byte.is_ascii()
}

/// Whether a word is castling, written with zeros.
fn is_castling(word: &[u8]) -> bool {
    ["0-0", "0-0-0"].contains(&with_hyphens(word).trim_end_matches(['+', '#']))
}

/// A word with hyphens for other dashes.
fn with_hyphens(word: &[u8]) -> String {
    text_of(word).replace(['–', '—'], "-")
}

/// The text of a word; one that is too long may have been cut off within a character.
fn text_of(word: &[u8]) -> String {
    let cut = std::str::from_utf8(word).err().filter(|error| word.len() > LONGEST && error.error_len().is_none());
    decoded(&word[..cut.map_or(word.len(), |error| error.valid_up_to())])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text as it arrives, with the marks made visible; read in pieces of this size.
    fn marked(text: &str, piece: usize) -> String {
        marked_bytes(text.as_bytes(), piece)
    }

    fn marked_bytes(text: &[u8], piece: usize) -> String {
        let mut source = Marked::new(text);
        let (mut arrived, mut buffer) = (Vec::new(), vec![0; piece]);
        while let Ok(count @ 1..) = source.read(&mut buffer) {
            arrived.extend_from_slice(&buffer[..count]);
        }
        String::from_utf8(arrived).unwrap().replace('\u{1}', "!!").replace('\u{3}', "<brace>")
    }

    #[test]
    fn known_words_pass_as_they_are() {
        for text in [
            "[Event \"a ] \\\" b\"] [Site \"x\"]\n\n1. e4 $1 {Zz9 one\n\ntwo} (1. Zz9 d5) e5 2.Nf3! Nc6?! {Zz9 ; }\n3. Bb5 1-0\n\n",
            "1.f3! e5$71 2.g4 ?? (-- {}) O-O O-O-O#!?0-1",
            "0-0+ 0-0-0# 0—0 1-0 0-1 1/2-1/2 1–0 0–1 ½–½ *",
            "1e4 12...Nbd7 e8=Q+ bxa1=N# 5... exd6 e.p. +- = ± +/= -- Z0",
            "1. e4\n% Zz9\ne5\n[White \"Zz9\"]\n[Broken Zz9\n\n1. d4 (1. c4 (1. Zz9) Zz9 {)} Zz9) *\n",
            "",
            "\n\n",
        ] {
            for piece in [1, 3, 1000] {
                assert_eq!(marked(text, piece), text);
            }
        }
    }

    #[test]
    fn games_end_where_they_end() {
        for (text, expected) in [
            // After a result, whatever follows it; a second result is the same game's.
            ("1. e4 1-0\n1. d4 0-1", "1. e4 1-0\n\n\n1. d4 0-1"),
            ("e4 * d4 * * {x} 1/2-1/2", "e4 * \n\nd4 * * {x} 1/2-1/2"),
            ("1. e4 1-0 {of this one}\n\n{of the next} 1. d4", "1. e4 1-0 {of this one}\n\n{of the next} 1. d4"),
            ("1. e4 (1. d4 1-0 d5) e5", "1. e4 (1. d4 1-0 d5) e5"),
            // A blank line alone does not end one.
            ("1. e4 e5\n\n\n2. Nf3\r\n\r\nNc6\n\n1-0\n\n", "1. e4 e5\n2. Nf3\nNc6\n1-0\n\n"),
            ("1. e4\n\n0-0\n\n0-0-0 *", "1. e4\n0-0\n0-0-0 *"),
            ("1. e4 e5\n\n1. d4\n\n1e4\n\nZz9", "1. e4 e5\n\n1. d4\n\n1e4\n\n{!!Zz9}"),
            ("1. e4\n\n[A \"b\"]\n", "1. e4\n\n[A \"b\"]\n"),
            ("12. O-O 0-0\n\n13. 0-0-0 O-O", "12. O-O 0-0\n13. 0-0-0 O-O"),
            // Nor before its first word.
            ("[A \"b\"]\n\n{x}\n\n\n1. e4 *", "[A \"b\"]\n\n{x}\n1. e4 *"),
            ("e4 *\n\n{x}\n\n$1 Zz9\n\n1. d4", "e4 *\n\n{x}\n$1 {!!Zz9}\n\n1. d4"),
        ] {
            for piece in [1, 1000] {
                assert_eq!(marked(text, piece), expected);
            }
        }
    }

    #[test]
    fn tags_of_another_game_do_not_belong_to_one_without_moves() {
        for (text, expected) in [
            ("[A \"b\"]\n[C \"d\"]\n\n[a \"e\"]\n\n1. e4", "[A \"b\"]\n[C \"d\"]\n\n{}\n\n[a \"e\"]\n\n1. e4"),
            ("[A \"b\"]\n \n%x\n [A\"\"] \n\n[ A \"b\"]", "[A \"b\"]\n \n%x\n {}\n\n[A\"\"] \n\n{}\n\n[ A \"b\"]"),
            ("e4 *\n\n[A \"b\"]\n\n[A", "e4 *\n\n[A \"b\"]\n\n{}\n\n[A\"!!\"]"),
        ] {
            for piece in [1, 1000] {
                assert_eq!(marked(text, piece), expected);
            }
        }
        let long = "A".repeat(LONGEST + 1);
        for text in [
            // Blank lines between the tags of one game, and no blank line where a tag is repeated.
            "[A \"b\"]\n\n[C \"d\"]\n\n\n[E \"f\"]\n\n1. e4 *\n\n[A \"b\"]\n\n1. d4 *\n\n[C \"d\"]\n\n[A \"b\"]",
            "[A \"b\"]\n[A \"b\"] [A \"b\"]\n\n1. e4 *",
            // A comment ends the tags.
            "[A \"b\"]\n\n{x}\n\n[A \"b\"]\n\n1. e4 *",
            format!("[{long} \"b\"]\n[{long}\n\n1. e4 *").as_str(),
        ] {
            assert_eq!(marked(text, 2), text);
        }
    }

    #[test]
    fn lines_end_in_any_way_and_may_be_indented() {
        let text = "[A \"b\"]\n[C \"d\"]\n\n1. e4 {x\ny} e5\n2. Nf3 1-0\n\n[A \"b\"]\n\n1. d4\n\n[A \"b\"]";
        for end in ["\r", "\r\n", "\r\r\n", "\n\r"] {
            for piece in [1, 1000] {
                assert_eq!(marked(&text.replace('\n', end), piece), text, "{end:?}");
            }
        }
        for (text, expected) in [
            (" [A \"b\"]\n \n\t1. e4\n  e5 *\n\n [A \"b\"]\n", " [A \"b\"]\n \n\t1. e4\ne5 *\n\n[A \"b\"]\n"),
            ("1. e4 e5\n \t\n1. d4", "1. e4 e5\n\n1. d4"),
            ("1. e4\n \n\n e5", "1. e4\ne5"),
            ("[A \"b\r\"] [C\r\"d\" \r]\n", "[A \"b \"] [C \"d\"  ]\n"),
            ("[A \"b\r[C \"d\"\r\r1. e4", "[A \"b!!\"]\n[C \"d\"\n\n1. e4"),
            // Not in variations and comments.
            ("1. e4 (1. d4\n \n d5) e5 {x\n [y]}", "1. e4 (1. d4\n \n d5) e5 {x\n [y]}"),
        ] {
            assert_eq!(marked(text, 2), expected);
        }
    }

    #[test]
    fn results_may_be_written_with_blanks_or_by_halves() {
        for (text, expected) in [
            ("e4 1 - 0", "e4 1 - 1-0"),
            ("e4 0 -1\n1. d4 1– 0", "e4 0 0-1\n\n\n1. d4 1– 1–0"),
            ("e4 1/2\n1. d4", "e4 1/2-1/2\n\n\n1. d4"),
            ("e4 1/2- 1/2\n1. d4 ½ –½", "e4 1/2-1/2 1/2-1/2\n\n\n1. d4 1/2-1/2 1/2-1/2"),
            ("e4 ½ - ½ (1/2 1 - 0) *", "e4 1/2-1/2 - 1/2-1/2 (1/2 1 - 0) *"),
            ("1 e4 0 0-0 1 1 - e5 - 0 $1 - 0", "1 e4 0 0-0 1 1 - e5 - 0 $1 - 0"),
        ] {
            assert_eq!(marked(text, 2), expected);
        }
    }

    #[test]
    fn a_comment_to_the_end_of_its_line_is_one() {
        for (text, expected) in [
            ("e4 ; Zz9 } {\ne5 ;\n\n[A \"b\"]", "e4 { Zz9 ) {}\ne5 {}\n\n[A \"b\"]"),
            ("e4 ; cut off", "e4 { cut off}"),
            // Before the first move it is one, and left out before and between the tags.
            ("[A \"b\"]\n\n; x\n; y\n\n1. e4", "[A \"b\"]\n\n{ x}\n{ y}\n1. e4"),
            ("; x\n [A \"b\"] ; y\n ; z\n[C \"d\"]\n\n1. e4", "% x\n [A \"b\"] \n% y\n % z\n[C \"d\"]\n\n1. e4"),
            ("e4 *\n\n; x\n\n[A \"b\"]", "e4 *\n\n% x\n\n[A \"b\"]"),
        ] {
            assert_eq!(marked(text, 2), expected);
        }
    }

    #[test]
    fn the_value_of_a_tag_ends_at_the_quote_before_its_bracket() {
        for (text, expected) in [
            ("[A \"b \"c\" d\"]\n", "[A \"b \\\"c\\\" d\"]\n"),
            ("[A \"\"b\" \"\" \t] [C \"d\" \"]", "[A \"\\\"b\\\" \\\"\" \t] [C \"d\\\" \"]"),
            ("[A \"b\\\" c\\\\\" d\"]", "[A \"b\\\" c\\\\\\\" d\"]"),
            // Without its bracket the value is known, without its quote it is not.
            ("[A \"b\" \r\n[A \"b\"", "[A \"b\" \n[A \"b\""),
            ("[A \"b\n[A \"b\" c]\n[A", "[A \"b!!\"]\n[A \"b\\\" c]!!\"]\n[A\"!!\"]"),
            ("[A \"b\\\n[A \"b", "[A \"b\\!!\"]\n[A \"b!!\"]"),
        ] {
            assert_eq!(marked(text, 2), expected);
        }
        for (value, expected) in [
            ("b]", Some("b]")),
            ("b]\u{1}", Some("b")),
            ("b\u{1}", None),
            ("]\u{1}", None),
            ("\u{1}", None),
            ("C:\\\"]\u{1}", Some("C:\\")),
            ("C:\\games\\\" ] \r\u{1}", Some("C:\\games\\")),
        ] {
            assert_eq!(closed(value.as_bytes()), expected.map(str::as_bytes), "{value}");
        }
        // However many blanks there are, few are kept.
        let blanks = " ".repeat(1_000_000);
        assert_eq!(marked(&format!("[A \"b\"{blanks}]"), 4096), format!("[A \"b\"{}]", &blanks[..LONGEST - 1]));
    }

    #[test]
    fn byte_order_marks_are_left_out() {
        for (text, expected) in [
            ("\u{feff}[A \"b\"]\n\u{feff}\u{feff}\n1. e4 *\n\n\u{feff}[A \"b\"]", "[A \"b\"]\n\n1. e4 *\n\n[A \"b\"]"),
            ("e4\n\u{feff}e5\n\u{fefe}e5", "e4\ne5\n{!!\u{fefe}e5}"),
        ] {
            assert_eq!(marked(text, 1), expected);
        }
    }

    #[test]
    fn the_mark_is_a_blank_in_the_source() {
        assert_eq!(marked("[A \"b\u{1}\"]\n\n{\u{1}e5} e4\u{1}e5\u{3}", 2), "[A \"b \"]\n\n{ e5} e4 e5 ");
    }

    #[test]
    fn unknown_words_are_marked() {
        for (text, expected) in [
            ("1. e4 e5 3. Zz9 *", "1. e4 e5 3. {!!Zz9} *"),
            ("Qxz9", "{!!Qxz9}"),
            ("1. e7e8q N f3", "1. {!!e7e8q} {!!N} f3"),
            ("[A \"b\"]\n\n1. e4 x\n\n[A \"b\"]\n1. y", "[A \"b\"]\n\n1. e4 {!!x}\n\n[A \"b\"]\n1. {!!y}"),
            ("e4} $x [%clk 1:0]", "e4{!!<brace>} ${!!x} {!![%clk} {!!1:0]}"),
            ("(Zz9) Zz9", "(Zz9) {!!Zz9}"),
            ("\u{41e}-\u{41e} ΔNf5 9½ ± ∞ ⩲", "{!!\u{41e}-\u{41e}} {!!ΔNf5} {!!9½} ± ∞ ⩲"),
            ("1. e4 (1. d4 Zz9\n\n1. e4 *", "1. e4 (1. d4 Zz9\n){!!(}\n\n1. e4 *"),
            ("(d4 (c4)) e4) e5", "(d4 (c4)) e4{!!)} e5"),
            ("e4 (d4 (c4\n[A \"b\"]\n", "e4 (d4 (c4\n)){!!(}\n[A \"b\"]\n"),
            ("e4 (d4", "e4 (d4){!!(}\n"),
            ("e4 (d4 {Zz9", "e4 (d4 {Zz9}){!!(}\n"),
            ("e4 (d4 ; Zz9", "e4 (d4 ; Zz9\n){!!(}\n"),
        ] {
            assert_eq!(marked(text, 2), expected);
        }
        // However long a word is, little of it is kept.
        let long = marked(&"x".repeat(1_000_000), 4096);
        assert_eq!(long, format!("{{!!{}}}", "x".repeat(LONGEST)));
        let dashes = "—".repeat(LONGEST);
        assert!(is_known(&dashes.as_bytes()[..=LONGEST]));
    }

    #[test]
    fn words_may_be_in_latin_1() {
        let text = b"e4 \xbd-\xbd\n1. d4 \xe9 \xd6\xd6 \xbd";
        assert_eq!(marked_bytes(text, 2), "e4 ½-½\n\n\n1. d4 {!!é} {!!ÖÖ} 1/2-1/2");
        assert!(is_known(b"\xb1") && is_known(b"12\xb1"));
    }
}
