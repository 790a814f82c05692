//! What people write for a position: names for it, fields left out, and what is wrong with it.

use shakmaty::PositionErrorKinds;
use shakmaty::fen::ParseFenError;

/// The name of the initial position.
pub const START: &str = "startpos";
/// The initial position.
pub const START_FEN: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Whether a text is the name of the initial position.
pub(super) fn is_start(text: &str) -> bool {
    text.trim().eq_ignore_ascii_case(START)
}

/// What is assumed for the fields that a FEN lacks; `None` if it lacks nothing but the counters.
pub fn assumed(fen: &str) -> Option<&'static str> {
    match fen.split_whitespace().count() {
        _ if is_start(fen) => None,
        1 => Some("White to move, no castling, no en passant"),
        2 => Some("no castling, no en passant"),
        3 => Some("no en passant"),
        _ => None,
    }
}

/// What is wrong with a text that is not a FEN.
pub(super) fn fault(error: &ParseFenError) -> &'static str {
    match error {
        ParseFenError::InvalidBoard => "the first field is not a board",
        ParseFenError::InvalidTurn => "the second field, the side to move, is neither w nor b",
        ParseFenError::InvalidCastling => "the third field is neither castling rights, such as KQkq, nor -",
        ParseFenError::InvalidEpSquare => "the fourth field is neither an en passant square, such as e3, nor -",
        ParseFenError::InvalidHalfmoveClock => {
            "the fifth field, the plies since a capture or pawn move, is not a number"
        }
        ParseFenError::InvalidFullmoves => "the sixth field, the number of the move, is not a number",
        ParseFenError::InvalidFen | ParseFenError::InvalidPocket | ParseFenError::InvalidRemainingChecks => {
            "there is something else in it"
        }
    }
}

/// What makes a position illegal.
const FLAWS: [(PositionErrorKinds, &str); 5] = [
    (PositionErrorKinds::EMPTY_BOARD, "the board is empty"),
    (PositionErrorKinds::MISSING_KING, "a king is missing"),
    (PositionErrorKinds::TOO_MANY_KINGS, "a side has several kings"),
    (PositionErrorKinds::PAWNS_ON_BACKRANK, "a pawn is on the first or the last rank"),
    (PositionErrorKinds::OPPOSITE_CHECK, "the side that is not to move is in check"),
];

/// The first thing that makes a position illegal.
pub(super) fn flaws(kinds: PositionErrorKinds) -> String {
    let found = FLAWS.iter().find(|(kind, _)| kinds.contains(*kind));
    found.map_or("it cannot occur in a game", |(_, flaw)| flaw).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;

    #[test]
    fn the_initial_position_has_a_name() {
        for text in ["startpos", " StartPos "] {
            assert_eq!(Position::from_fen(text, false).unwrap().fen(), START_FEN);
            assert_eq!(assumed(text), None);
        }
    }

    #[test]
    fn what_is_assumed_is_said() {
        let board = "8/8/4k3/8/8/3K4/8/R7";
        assert_eq!(assumed(board), Some("White to move, no castling, no en passant"));
        assert_eq!(assumed(&format!("{board} b")), Some("no castling, no en passant"));
        assert_eq!(assumed(&format!("{board} b -")), Some("no en passant"));
        assert_eq!(assumed(&format!("{board} b - -")), None);
        let position = Position::from_fen(board, false).unwrap();
        assert_eq!(position.fen(), format!("{board} w - - 0 1"));
    }

    #[test]
    fn a_flaw_is_told_in_plain_words() {
        for (fen, flaw) in [
            ("8/8/8/8/8/8/8/8 w - -", "the board is empty"),
            ("4k3/8/8/8/8/4N3/8/8 b - -", "a king is missing"),
            ("4k3/8/8/8/8/8/8/3KK3 b - -", "a side has several kings"),
            ("4k2P/8/8/8/8/8/8/4K3 b - -", "a pawn is on the first or the last rank"),
            ("4k3/8/8/8/8/8/4r3/4K3 b - -", "the side that is not to move is in check"),
        ] {
            let error = Position::from_fen(fen, false).unwrap_err().to_string();
            assert_eq!(error, format!("not a legal position: {flaw} in `{fen}`"));
        }
    }

    #[test]
    fn a_fault_names_the_field() {
        for (fen, field) in [
            ("hello", "first"),
            ("8/8/4k3/8/8/3K4/8/R7 x", "second"),
            ("8/8/4k3/8/8/3K4/8/R7 w x", "third"),
            ("8/8/4k3/8/8/3K4/8/R7 w - x", "fourth"),
            ("8/8/4k3/8/8/3K4/8/R7 w - - x", "fifth"),
            ("8/8/4k3/8/8/3K4/8/R7 w - - 0 x", "sixth"),
        ] {
            let error = Position::from_fen(fen, false).unwrap_err().to_string();
            assert!(error.starts_with("not a FEN: the ") && error.contains(field), "{error}");
        }
    }
}
