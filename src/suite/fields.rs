//! The position at the head of an EPD line: four FEN fields, and two counters that are not EPD but occur in files.
//!
//! Each field is checked here before the rules layer sees it, so that a rejection can point at the character.

use super::fault::Fault;
use crate::board::{Position, PositionError, impossible_rights};

/// A piece of a line and its start in bytes.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Word<'a> {
    pub text: &'a str,
    pub start: usize,
}

impl<'a> Word<'a> {
    /// The part starting at a byte offset in this word.
    pub fn tail(self, offset: usize) -> Word<'a> {
        Word { text: &self.text[offset..], start: self.start + offset }
    }

    /// The same without spaces at either end.
    pub fn trimmed(self) -> Word<'a> {
        let left = self.text.len() - self.text.trim_start().len();
        Word { text: self.text.trim(), start: self.start + left }
    }

    /// The words of this piece, split at `separator`.
    pub fn split(self, separator: impl Fn(char) -> bool) -> impl Iterator<Item = Word<'a>> {
        let mut rest = self;
        std::iter::from_fn(move || {
            let from = rest.text.find(|c| !separator(c))?;
            rest = rest.tail(from);
            let end = rest.text.find(&separator).unwrap_or(rest.text.len());
            let word = Word { text: &rest.text[..end], start: rest.start };
            rest = rest.tail(end);
            Some(word)
        })
    }
}

/// The rules that a position is read under.
#[derive(Copy, Clone, Debug)]
pub(super) enum Rules {
    /// Those of Chess960 if the castling rights name the rooks by their files, and otherwise those of chess.
    Chess,
    /// Those of Chess960.
    Chess960,
    /// Those that its castling rights need: of Chess960 if they are impossible in chess.
    Needed,
}

/// The fields of a position, each well formed.
#[derive(Clone, Debug)]
pub(super) struct Fields<'a> {
    board: Word<'a>,
    turn: char,
    pub castling: String,
    /// Where the castling field starts.
    castling_start: usize,
    pub en_passant: String,
    halfmoves: Option<u32>,
    fullmoves: Option<u32>,
    /// The start of the operations, in bytes from the start of the line.
    pub end: usize,
}

/// Counters beyond this are damage, not chess.
const MAX_COUNTER: u32 = 9999;

impl<'a> Fields<'a> {
    /// Reads the fields at the head of a line.
    pub fn parse(line: &'a str) -> Result<Fields<'a>, Fault> {
        let head = Word { text: &line[..line.find(';').unwrap_or(line.len())], start: 0 };
        let mut words = head.split(char::is_whitespace);
        let mut end = 0;
        let mut next = |what: &str| match words.next() {
            Some(word) => {
                end = word.start + word.text.len();
                Ok(word)
            }
            None => Err(Fault::new(end, format!("{what} is missing"))),
        };
        let board = next("the board")?;
        check_board(board)?;
        let turn = turn(next("the side to move")?)?;
        let castling_field = next("the castling field")?;
        let mut fields = Fields {
            board,
            turn,
            castling: castling(castling_field)?,
            castling_start: castling_field.start,
            en_passant: "-".to_owned(),
            halfmoves: None,
            fullmoves: None,
            end,
        };
        let mut words = head.tail(end).split(char::is_whitespace);
        // The field may be missing: then this word is already the first operation.
        let Some((square, glued, word)) = words.next().and_then(|w| en_passant(w).map(|(s, g)| (s, g, w))) else {
            return Ok(fields);
        };
        fields.en_passant = square;
        fields.end = word.start + word.text.len();
        fields.halfmoves = if glued.text.is_empty() { None } else { Some(counter(glued)?) };
        for word in words {
            if !word.text.bytes().all(|b| b.is_ascii_digit()) {
                break;
            }
            let slot = if fields.halfmoves.is_none() { &mut fields.halfmoves } else { &mut fields.fullmoves };
            if slot.is_some() {
                break;
            }
            *slot = Some(counter(word)?);
            fields.end = word.start + word.text.len();
        }
        Ok(fields)
    }

    /// The position; counters missing at the head are taken from the operations for them. Castling rights that are
    /// impossible are left out, or with [`Rules::Needed`] a fault.
    pub fn position(&self, halfmoves: Option<u32>, fullmoves: Option<u32>, rules: Rules) -> Result<Position, Fault> {
        let read = |chess960| self.read(halfmoves, fullmoves, chess960);
        let impossible = |position: &Position| impossible_rights(position, &self.castling, "-").pop();
        match rules {
            Rules::Chess => read(false),
            Rules::Chess960 => read(true),
            Rules::Needed => {
                let position = read(false)?;
                let Some(reason) = impossible(&position) else { return Ok(position) };
                let position = read(true)?;
                if impossible(&position).is_none() {
                    Ok(position)
                } else {
                    Err(Fault::new(self.castling_start, reason))
                }
            }
        }
    }

    /// The same under the rules of Chess960 or those that the text shows; impossible rights are left out.
    fn read(&self, halfmoves: Option<u32>, fullmoves: Option<u32>, chess960: bool) -> Result<Position, Fault> {
        let halfmoves = self.halfmoves.or(halfmoves).unwrap_or(0);
        let fullmoves = self.fullmoves.or(fullmoves).unwrap_or(1).max(1);
        let fen =
            format!("{} {} {} {} {halfmoves} {fullmoves}", self.board.text, self.turn, self.castling, self.en_passant);
        Position::from_fen_of_either(&fen, chess960).map_err(|error| {
            // The fault already names the line: no need to repeat the FEN.
            let reason = match error {
                PositionError::Illegal { reason, .. } => format!("not a legal position: {reason}"),
                other => other.to_string(),
            };
            Fault::new(self.board.start, reason)
        })
    }
}

/// Checks the piece placement.
fn check_board(board: Word) -> Result<(), Fault> {
    let mut rank = 8;
    let mut files = 0;
    let mut kings = [0, 0];
    for (offset, c) in board.text.char_indices() {
        let fault = |reason: String| Err(Fault::new(board.start + offset, reason));
        match c {
            '1'..='8' => files += c as u32 - '0' as u32,
            'p' | 'P' if rank == 8 || rank == 1 => return fault(format!("a pawn on rank {rank}")),
            'p' | 'n' | 'b' | 'r' | 'q' | 'P' | 'N' | 'B' | 'R' | 'Q' => files += 1,
            'K' | 'k' => {
                files += 1;
                kings[usize::from(c == 'k')] += 1;
            }
            '/' if files != 8 => return fault(format!("rank {rank} has {files} squares instead of 8")),
            '/' if rank == 1 => return fault("more than 8 ranks".to_owned()),
            '/' => {
                rank -= 1;
                files = 0;
            }
            _ => return fault(format!("`{c}` is not a piece")),
        }
        if files > 8 {
            return fault(format!("rank {rank} has more than 8 squares"));
        }
    }
    let end = board.start + board.text.len();
    if files != 8 {
        return Err(Fault::new(end, format!("rank {rank} has {files} squares instead of 8")));
    }
    if rank != 1 {
        return Err(Fault::new(end, format!("the board ends at rank {rank}")));
    }
    for (side, count) in ["White", "Black"].into_iter().zip(kings) {
        if count != 1 {
            return Err(Fault::new(board.start, format!("{side} has {count} kings")));
        }
    }
    Ok(())
}

/// Parses the side to move.
fn turn(word: Word) -> Result<char, Fault> {
    match word.text {
        "w" | "W" => Ok('w'),
        "b" | "B" => Ok('b'),
        other => Err(Fault::new(word.start, format!("`{other}` is not a side to move: expected w or b"))),
    }
}

/// Parses the castling rights, each once.
fn castling(word: Word) -> Result<String, Fault> {
    let mut rights = String::new();
    for (offset, c) in word.text.char_indices() {
        match c {
            '-' => {}
            'K' | 'Q' | 'k' | 'q' | 'A'..='H' | 'a'..='h' => {
                if !rights.contains(c) {
                    rights.push(c);
                }
            }
            _ => return Err(Fault::new(word.start + offset, format!("`{c}` is not a castling right"))),
        }
    }
    Ok(if rights.is_empty() { "-".to_owned() } else { rights })
}

/// Parses the en passant square and a counter glued to it, as in `-0 1`; `None` if the word is not such a field.
fn en_passant(word: Word) -> Option<(String, Word)> {
    let bytes = word.text.as_bytes();
    let length = match bytes {
        [b'-', ..] => 1,
        [b'a'..=b'h', b'3' | b'6', ..] => 2,
        _ => return None,
    };
    let glued = word.tail(length);
    glued.text.bytes().all(|b| b.is_ascii_digit()).then(|| (word.text[..length].to_owned(), glued))
}

/// Parses a move counter.
pub(super) fn counter(word: Word) -> Result<u32, Fault> {
    word.text
        .parse()
        .ok()
        .filter(|&n| n <= MAX_COUNTER)
        .ok_or_else(|| Fault::new(word.start, format!("`{}` is not a move count", word.text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fen(line: &str) -> Result<String, (usize, String)> {
        let fields = Fields::parse(line).map_err(|fault| (fault.at, fault.reason))?;
        fields.position(None, None, Rules::Chess).map(|p| p.fen()).map_err(|fault| (fault.at, fault.reason))
    }

    #[test]
    fn counters_may_be_missing_glued_or_there() {
        let board = "4k3/8/8/8/8/8/4P3/4K3";
        for (head, expected) in [
            ("w - -", "w - - 0 1"),
            ("  w - -0 1", "w - - 0 1"),
            ("w - -1 12", "w - - 1 12"),
            ("w   -   - 7 9", "w - - 7 9"),
            ("w - - 7", "w - - 7 1"),
            ("w - ", "w - - 0 1"),
            ("W - bm", "w - - 0 1"),
            ("b KQkq e3 0 0", "b - - 0 1"),
        ] {
            assert_eq!(fen(&format!("{board} {head}")), Ok(format!("{board} {expected}")), "{head}");
        }
    }

    #[test]
    fn operations_begin_after_the_last_field() {
        for line in ["4k3/8/8/8/8/8/8/4K3 w - - bm Ke2", "4k3/8/8/8/8/8/8/4K3 w - -3 12 bm Ke2"] {
            let end = Fields::parse(line).unwrap().end;
            assert_eq!(line[end..].trim(), "bm Ke2");
        }
    }

    #[test]
    fn a_bad_field_is_pointed_at() {
        for (line, at, reason) in [
            ("hello have a nice day", 0, "`h` is not a piece"),
            ("4k3/8/8/8/8/8/8/4K3", 19, "the side to move is missing"),
            ("4k3/8/8/8/8/8/8/4K3 x - -", 20, "`x` is not a side to move: expected w or b"),
            ("4k3/8/8/8/8/8/8/4K3 w ?! -", 22, "`?` is not a castling right"),
            ("4k3/8/8/6/8/8/8/4K3 w - -", 9, "rank 5 has 6 squares instead of 8"),
            ("4k4/8/8/8/8/8/8/4K3 w - -", 2, "rank 8 has more than 8 squares"),
            ("4k3/8/8/8/8/8/8/4KP2 w - -", 18, "a pawn on rank 1"),
            ("4k3/8/8/8/4K3 w - -", 13, "the board ends at rank 4"),
            ("4k3/8/8/8/8/8/8/8 w - -", 0, "White has 0 kings"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 99999 1", 26, "`99999` is not a move count"),
        ] {
            assert_eq!(fen(line), Err((at, reason.to_owned())), "{line}");
        }
    }
}
