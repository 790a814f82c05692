//! Solution moves as suites write them: SAN or coordinates, with superfluous marks or misplaced letters.

use thiserror::Error;

use super::fields::Word;
use crate::board::{Move, Position, Role, Square, castling_san, is_mark};

/// A move that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(super) enum MoveError {
    #[error("`{text}` is not a move")]
    Syntax { text: String },
    #[error("`{text}` is not legal here")]
    Illegal { text: String },
    #[error("`{text}` is ambiguous: {names}")]
    Ambiguous { text: String, names: String, candidates: Vec<Move> },
}

/// The parts of a move text.
struct Pattern {
    /// The piece; `None` if the text gives both squares and no piece.
    role: Option<Role>,
    file: Option<char>,
    rank: Option<char>,
    to: Square,
    promotion: Option<Role>,
}

/// The single moves of a list: separated by spaces or commas, without move numbers and detached marks.
pub(super) fn move_words(list: Word) -> impl Iterator<Item = Word> {
    list.split(|c| c.is_whitespace() || c == ',' || c == '"').filter_map(|word| {
        let word = word.tail(number_length(word.text));
        (!word.text.chars().all(is_mark) && !matches!(word.text, "ep" | "e.p.")).then_some(word)
    })
}

/// Length of a leading move number with its dots.
fn number_length(text: &str) -> usize {
    let dots = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = dots.trim_start_matches('.');
    if dots.len() < text.len() && rest.len() < dots.len() { text.len() - rest.len() } else { 0 }
}

/// Whether a text looks like a move, legal or not: castling, or a word that names a square.
pub(super) fn looks_like_move(text: &str) -> bool {
    let square = |pair: &[u8]| matches!(pair, [b'a'..=b'h', b'1'..=b'8']);
    let names_square = text.as_bytes().windows(2).any(square);
    castling_san(text).is_some() || (names_square && !text.contains(char::is_whitespace))
}

/// The move that a text means in a position.
pub(super) fn parse_move(position: &Position, text: &str) -> Result<Move, MoveError> {
    let illegal = || MoveError::Illegal { text: text.to_owned() };
    if let Some(castling) = castling_san(text) {
        return position.parse_san(castling).map_err(|_| illegal());
    }
    // Castling by its squares, too.
    if let Ok(m) = position.parse_uci(&text.trim_end_matches(is_mark).replace('-', "")) {
        return Ok(m);
    }
    let pattern = pattern(text).ok_or_else(|| MoveError::Syntax { text: text.to_owned() })?;
    let candidates: Vec<Move> =
        position.legal_moves().into_iter().filter(|&m| !m.is_castle() && pattern.matches(m)).collect();
    match candidates[..] {
        [] => Err(illegal()),
        [m] => Ok(m),
        _ => Err(MoveError::Ambiguous { text: text.to_owned(), names: position.any_of(&candidates), candidates }),
    }
}

/// Parses a text as a move. The capture sign may be anywhere (`Bcx3` occurs in a well-known suite).
fn pattern(text: &str) -> Option<Pattern> {
    let text = text.trim_end_matches(is_mark).trim_end_matches("e.p.").trim_end_matches(is_mark);
    let bare: Vec<char> =
        text.chars().filter(|c| !matches!(c, 'x' | 'X' | ':' | '-' | '=' | '(' | ')' | '/')).collect();
    let (piece, rest) = match bare.split_first()? {
        (&c @ ('K' | 'Q' | 'R' | 'B' | 'N' | 'P'), rest) => (Role::from_char(c), rest),
        _ => (None, &bare[..]),
    };
    let (promotion, rest) = match rest.split_last()? {
        (&c, rest) if c.is_ascii_alphabetic() => (Some(Role::from_char(c)?), rest),
        _ => (None, rest),
    };
    let (origin, target) = rest.split_at_checked(rest.len().checked_sub(2)?)?;
    let to: String = target.iter().collect();
    let to: Square = to.parse().ok()?;
    let (file, rank) = match *origin {
        [] => (None, None),
        [file @ 'a'..='h'] => (Some(file), None),
        [rank @ '1'..='8'] => (None, Some(rank)),
        [file @ 'a'..='h', rank @ '1'..='8'] => (Some(file), Some(rank)),
        _ => return None,
    };
    let role = if piece.is_none() && rank.is_none() { Some(Role::Pawn) } else { piece };
    Some(Pattern { role, file, rank, to, promotion })
}

impl Pattern {
    /// Whether a legal move other than castling matches.
    fn matches(&self, m: Move) -> bool {
        self.role.is_none_or(|role| role == m.role())
            && self.to == m.to()
            && m.from().is_some_and(|from| {
                self.file.is_none_or(|file| file == from.file().char())
                    && self.rank.is_none_or(|rank| rank == from.rank().char())
            })
            && (self.promotion.is_none() || self.promotion == m.promotion())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(fen: &str, text: &str) -> Result<String, MoveError> {
        let position = Position::from_fen(fen, false).unwrap();
        parse_move(&position, text).map(|m| position.uci(m))
    }

    fn words(text: &str) -> Vec<&str> {
        move_words(Word { text, start: 0 }).map(|word| word.text).collect()
    }

    #[test]
    fn lists_lose_numbers_and_detached_marks() {
        assert_eq!(words("Qd1 + "), ["Qd1"]);
        assert_eq!(words("Nd5, a4"), ["Nd5", "a4"]);
        assert_eq!(words("\"1. Qd1!\" 2...Kf3 exd6 e.p. 0-0"), ["Qd1!", "Kf3", "exd6", "0-0"]);
        assert_eq!(words(" ++ , !"), Vec::<&str>::new());
    }

    #[test]
    fn many_spellings_mean_the_same_move() {
        const START: &str = "rnbq1rk1/pppp1ppp/4pn2/8/1bPP4/P1N5/1PQ1PPPP/R1B1KBNR b KQ - 1 5";
        for text in ["Bxc3", "Bxc3+", "Bcx3", "Bb4xc3", "B4c3", "b4c3", "b4xc3", "Bb4:c3!?", "b4-c3"] {
            assert_eq!(parse(START, text), Ok("b4c3".to_owned()), "{text}");
        }
        const CASTLING: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        for text in ["O-O", "0-0", "O-O+", "e1g1", "e1h1", "e1-g1", "e1-h1!"] {
            assert_eq!(parse(CASTLING, text), Ok("e1g1".to_owned()), "{text}");
        }
        assert_eq!(parse(CASTLING, "0-0-0"), Ok("e1c1".to_owned()));
        const PROMOTION: &str = "8/4P1k1/8/3pP3/8/8/8/4K3 w - d6 0 1";
        for text in ["e8=Q", "e8Q", "e7e8q", "e7-e8=Q+", "e8(Q)", "e8/Q"] {
            assert_eq!(parse(PROMOTION, text), Ok("e7e8q".to_owned()), "{text}");
        }
        for text in ["exd6", "exd6e.p.", "e5d6", "ed6"] {
            assert_eq!(parse(PROMOTION, text), Ok("e5d6".to_owned()), "{text}");
        }
    }

    #[test]
    fn what_is_no_single_legal_move_is_refused() {
        const KNIGHTS: &str = "4k3/4P3/8/8/8/2N3N1/8/4K3 w - - 0 1";
        assert!(matches!(parse(KNIGHTS, "Ne4"), Err(MoveError::Ambiguous { .. })));
        assert_eq!(parse(KNIGHTS, "Nce4"), Ok("c3e4".to_owned()));
        assert!(matches!(parse(KNIGHTS, "Nf4"), Err(MoveError::Illegal { .. })));
        assert!(matches!(parse(KNIGHTS, "O-O"), Err(MoveError::Illegal { .. })));
        for text in ["", "x", "hello", "N", "Ni9", "Nabcde4", "0000", "é4", "--", "e9", "Qzz1"] {
            let result = parse(KNIGHTS, text);
            assert!(matches!(result, Err(MoveError::Syntax { .. })), "{text}: {result:?}");
        }
    }

    #[test]
    fn moves_are_told_from_prose() {
        for text in ["f5", "Bxf7+", "O-O", "e8=Q", "Kd22"] {
            assert!(looks_like_move(text), "{text}");
        }
        for text in ["depth", "12", "White", "=", "d30 e4", "Stockfish 17 d30 e4"] {
            assert!(!looks_like_move(text), "{text}");
        }
    }
}
