//! What people write for a position: names for it, fields left out, and what is wrong with it; and for castling.

use shakmaty::PositionErrorKinds;
use shakmaty::fen::ParseFenError;

/// The name of the initial position.
pub const START: &str = "startpos";
/// The initial position.
pub const START_FEN: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Ranks of a board, and squares of a rank.
pub(super) const SIDE: usize = 8;
/// The mark of a promoted piece, which some variants need.
const PROMOTED: char = '~';
/// The field of a FEN that holds the castling rights, from 0; the en passant square follows.
pub(super) const CASTLING: usize = 2;
/// What stands in a field that holds nothing.
pub(super) const NOTHING: &str = "-";
/// Fields of a FEN before its counters.
const BEFORE_COUNTERS: usize = 4;

/// Whether the castling rights of a FEN name the rooks by their files, as Shredder-FEN does, which only occurs for
/// Chess960.
pub fn names_rooks(fen: &str) -> bool {
    fields(fen).nth(CASTLING).is_some_and(|rights| rights.contains(|c| matches!(c, 'A'..='H' | 'a'..='h')))
}

/// The fields of a FEN; underscores separate them too.
pub(super) fn fields(fen: &str) -> impl Iterator<Item = &str> {
    fen.split(|c: char| c.is_whitespace() || c == '_').filter(|field| !field.is_empty())
}

/// Whether a text is the name of the initial position.
pub(super) fn is_start(text: &str) -> bool {
    text.trim().eq_ignore_ascii_case(START)
}

/// What is assumed for the fields that a FEN lacks; `None` if it lacks nothing but the counters.
pub fn assumed(fen: &str) -> Option<&'static str> {
    match fields(fen).count() {
        _ if is_start(fen) => None,
        1 => Some("White to move, no castling, no en passant"),
        2 => Some("no castling, no en passant"),
        3 => Some("no en passant"),
        _ => None,
    }
}

/// Whether the character, after a move, does not help to identify it.
pub fn is_mark(c: char) -> bool {
    matches!(c, '+' | '#' | '!' | '?')
}

/// Castling in SAN, from letters or digits.
pub fn castling_san(text: &str) -> Option<&'static str> {
    match text.trim_end_matches(is_mark) {
        "O-O" | "0-0" | "o-o" | "OO" => Some("O-O"),
        "O-O-O" | "0-0-0" | "o-o-o" | "OOO" => Some("O-O-O"),
        _ => None,
    }
}

/// A move as SAN spells it: without marks, without the dash of old programs between its squares, with the `=` before a
/// promotion and without the `e.p.` of score sheets (the Laws of Chess, appendix C), of which in PGN only the first
/// letter or two come with the move.
pub fn respelled(text: &str) -> String {
    let text = text.trim_end_matches(is_mark).replace('-', "");
    let bare = ["e.p.", "ep", "e"].into_iter().find_map(|sign| text.strip_suffix(sign));
    let mut text = bare.unwrap_or(&text).to_owned();
    if text.strip_suffix(['Q', 'R', 'B', 'N']).is_some_and(|rest| !rest.ends_with('=')) {
        text.insert(text.len() - 1, '=');
    }
    text
}

/// What is wrong with a text that has more in it than a FEN of chess.
pub(super) const SOMETHING_ELSE: &str = "there is something else in it";

/// What is wrong with a text that is not a FEN.
pub(super) fn fault(fen: &str, error: &ParseFenError) -> String {
    let reason = match error {
        ParseFenError::InvalidBoard => return board_fault(fields(fen).next().unwrap_or_default()),
        ParseFenError::InvalidTurn => "the second field, the side to move, is neither w nor b",
        ParseFenError::InvalidCastling => "the third field is neither castling rights, such as KQkq, nor -",
        ParseFenError::InvalidEpSquare => "the fourth field is neither an en passant square, such as e3, nor -",
        ParseFenError::InvalidHalfmoveClock => {
            "the fifth field, the plies since a capture or pawn move, is not a number"
        }
        ParseFenError::InvalidFullmoves => "the sixth field, the number of the move, is not a number",
        ParseFenError::InvalidFen | ParseFenError::InvalidPocket | ParseFenError::InvalidRemainingChecks => {
            SOMETHING_ELSE
        }
    };
    reason.to_owned()
}

/// What is wrong with a field that is not a board; of text that looks like none, no more than that.
pub(super) fn board_fault(board: &str) -> String {
    let ranks: Vec<&str> = board.split('/').collect();
    let is_like_one = ranks.len() >= SIDE || ranks.len() > 1 && ranks.iter().all(|rank| stray(rank).is_none());
    if is_like_one && ranks.len() != SIDE {
        return format!("{} ranks where there should be {SIDE}", ranks.len());
    }
    let mut faults = (1..=SIDE).rev().zip(ranks).filter_map(|(number, rank)| rank_fault(number, rank));
    faults.next().filter(|_| is_like_one).unwrap_or_else(|| "the first field is not a board".to_owned())
}

/// What is wrong with a rank of a board.
fn rank_fault(number: usize, rank: &str) -> Option<String> {
    if let Some(c) = stray(rank) {
        return Some(format!("in rank {number} `{c}` is neither a piece nor a number of empty squares"));
    }
    let squares = |c: char| c.to_digit(10).map_or(usize::from(c != PROMOTED), |empty| empty as usize);
    let squares: usize = rank.chars().map(squares).sum();
    (squares != SIDE).then(|| format!("the squares of rank {number} add up to {squares}, not {SIDE}"))
}

/// The first character that no rank has.
fn stray(rank: &str) -> Option<char> {
    let belongs = |c: char| matches!(c.to_ascii_lowercase(), '1'..='8' | 'p' | 'n' | 'b' | 'r' | 'q' | 'k' | PROMOTED);
    rank.chars().find(|&c| !belongs(c))
}

/// A counter that is larger than any that is kept.
pub(super) fn overlarge_counter(fen: &str) -> Option<&str> {
    let is_number = |field: &str| field.bytes().all(|byte| byte.is_ascii_digit());
    fields(fen).skip(BEFORE_COUNTERS).find(|field| is_number(field) && field.parse::<u32>().is_err())
}

/// What makes a position illegal.
const FLAWS: [(PositionErrorKinds, &str); 5] = [
    (PositionErrorKinds::EMPTY_BOARD, "the board is empty"),
    (PositionErrorKinds::MISSING_KING, "a king is missing"),
    (PositionErrorKinds::TOO_MANY_KINGS, "a side has several kings"),
    (PositionErrorKinds::PAWNS_ON_BACKRANK, "a pawn is on the first or the last rank"),
    (PositionErrorKinds::OPPOSITE_CHECK, "the side that is not to move is in check"),
];

/// What does, too, although shakmaty accepts it.
pub(super) const CROWD: &str = "a side has more than sixteen pieces";

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
    fn rooks_that_are_named_make_it_chess960() {
        for (fen, chess960, rules) in [
            ("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1", false, true),
            ("4k3/8/8/8/8/8/8/R3K3_w_A_-_0_1", false, true),
            ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", false, false),
            ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", true, true),
            ("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1", false, false),
            ("startpos", false, false),
        ] {
            assert_eq!(Position::from_fen_of_either(fen, chess960).unwrap().is_chess960(), rules, "{fen}");
        }
    }

    #[test]
    fn a_flaw_is_told_in_plain_words() {
        for (fen, flaw) in [
            ("8/8/8/8/8/8/8/8 w - -", "the board is empty"),
            ("4k3/8/8/8/8/4N3/8/8 b - -", "a king is missing"),
            ("4k3/8/8/8/8/8/8/3KK3 b - -", "a side has several kings"),
            ("4k2P/8/8/8/8/8/8/4K3 b - -", "a pawn is on the first or the last rank"),
            ("4k3/8/8/8/8/8/4r3/4K3 b - -", "the side that is not to move is in check"),
            // Seventeen, and one with 271 moves.
            ("3k4/3p4/8/8/8/Q7/QQQQQQQQ/QQQQKQQQ w - -", "a side has more than sixteen pieces"),
            ("QQQQQQBk/Q5RB/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQB w - -", "a side has more than sixteen pieces"),
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

    #[test]
    fn a_fault_of_the_board_names_the_rank() {
        for (board, fault) in [
            ("home/a.fen", "the first field is not a board"),
            ("8", "the first field is not a board"),
            ("4k3/8/8/8/8/8/4K3", "7 ranks where there should be 8"),
            ("4k3/8/8/8/8/8/8/8/4K3", "9 ranks where there should be 8"),
            ("4k3/8/8/9/8/8/8/4K3", "in rank 5 `9` is neither a piece nor a number of empty squares"),
            ("4k3/8/8/8/8/8/8/4K2x", "in rank 1 `x` is neither a piece nor a number of empty squares"),
            ("4k3/8/8/8/pppppppp1/8/8/4K3", "the squares of rank 4 add up to 9, not 8"),
            ("4k4/8/8/8/8/8/8/4K3", "the squares of rank 8 add up to 9, not 8"),
            ("4k3//8/8/8/8/8/4K3", "the squares of rank 7 add up to 0, not 8"),
        ] {
            let fen = format!("{board} w - - 0 1");
            let error = Position::from_fen(&fen, false).unwrap_err().to_string();
            assert_eq!(error, format!("not a FEN: {fault} in `{fen}`"));
        }
    }

    #[test]
    fn a_fen_of_another_variant_is_refused() {
        for fen in [
            "r3k3/8/8/8/8/8/8/R3K3[Qq] w - - 0 1",
            "r3k3/8/8/8/8/8/8/R3K3[] w - - 0 1",
            "r3k3/8/8/8/8/8/8/R3K3 w - - 3+3 0 1",
            "r3k3/8/8/8/8/8/8/R3K3 w - - 0 1 +0+0",
            "r3k3/8/8/8/8/8/8/R3K3 w - - 0 1 x",
        ] {
            let error = Position::from_fen(fen, false).unwrap_err().to_string();
            assert_eq!(error, format!("not a FEN: there is something else in it in `{fen}`"));
        }
    }

    #[test]
    fn a_fen_that_is_empty_and_a_counter_that_is_not_kept_are_refused() {
        for empty in ["", "  ", "_"] {
            assert_eq!(Position::from_fen(empty, false).unwrap_err().to_string(), "not a FEN: it is empty");
        }
        for counters in ["99999999999 1", "0 4294967296", "99999999999"] {
            let fen = format!("8/8/4k3/8/8/3K4/8/R7 w - - {counters}");
            let error = Position::from_fen(&fen, false).unwrap_err().to_string();
            assert!(error.contains("is larger than any that is kept (4294967295)"), "{error}");
        }
        assert!(Position::from_fen("8/8/4k3/8/8/3K4/8/R7 w - - 0000000000000 4294967295", false).is_ok());
    }
}
