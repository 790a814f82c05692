//! Passed pawns: a push to the sixth or seventh rank that does not fail low, and the reply to one that does not fail
//! low (paper, section 4.1, mechanism 5: "a passed pawn push can be considered a forcing move, and the response, if it
//! does not fail low, can generate credit").

use super::{Award, Mechanism, Taper};
use crate::board::{Bitboard, Color, File, Move, Position, Rank, Role, Square};
use crate::params::Params;
use crate::units::Ply;

/// Squares in front of `square`, on its own and the adjacent files, as `color` sees it.
fn front_span(color: Color, square: Square) -> Bitboard {
    let file = square.file();
    let files = [file.offset(-1), Some(file), file.offset(1)]
        .into_iter()
        .flatten()
        .fold(Bitboard::EMPTY, |files, file: File| files | Bitboard::from_file(file));
    let ahead = Rank::ALL
        .into_iter()
        .filter(|&rank| color.fold_wb(rank > square.rank(), rank < square.rank()))
        .fold(Bitboard::EMPTY, |ranks, rank| ranks | Bitboard::from_rank(rank));
    files & ahead
}

/// Whether a legal move of the position pushes a pawn that is passed on its new square to the sixth or seventh rank.
#[inline]
pub fn is_push(position: &Position, m: Move) -> bool {
    m.role() == Role::Pawn && !m.is_promotion() && is_far_and_passed(position, m.to())
}

/// Whether a pawn of the side to move is passed on this square, and on the sixth or seventh rank.
fn is_far_and_passed(position: &Position, to: Square) -> bool {
    let us = position.turn();
    let relative = us.relative_rank(to.rank());
    matches!(relative, Rank::Sixth | Rank::Seventh)
        && (front_span(us, to) & position.board().pawns() & position.board().by_color(!us)).is_empty()
}

/// The award for a good move that is such a push, or that answers one.
/// Elo: -13 ± 11 (`credit_passed_pawn`)
pub fn award(params: &Params, taper: &Taper, ply: Ply, push_or_reply: bool) -> Option<Award> {
    if !params.credit_passed_pawn || !push_or_reply {
        return None;
    }
    Award::of(Mechanism::PassedPawn, taper.scale(params.passed_pawn_credit, ply))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_push_in(fen: &str, uci: &str) -> bool {
        let position = Position::from_fen(fen, false).unwrap();
        is_push(&position, position.parse_uci(uci).unwrap())
    }

    #[test]
    fn pushes_of_passed_pawns_to_the_sixth_and_seventh_count() {
        assert!(is_push_in("4k3/8/8/P7/8/8/8/4K3 w - - 0 1", "a5a6"));
        assert!(is_push_in("4k3/8/8/8/8/7p/8/4K3 b - - 0 1", "h3h2"));
        // Not yet far enough, not passed, not a pawn, already promoting.
        assert!(!is_push_in("4k3/8/8/8/P7/8/8/4K3 w - - 0 1", "a4a5"));
        assert!(!is_push_in("4k3/1p6/8/P7/8/8/8/4K3 w - - 0 1", "a5a6"));
        assert!(!is_push_in("4k3/8/8/R7/8/8/8/4K3 w - - 0 1", "a5a6"));
        assert!(!is_push_in("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q"));
        // Any of three files may have the pawn that stops it, on either side's way.
        for (rank, is_passed) in [("p7", false), ("1p6", false), ("2p5", false), ("3p4", true)] {
            assert_eq!(is_push_in(&format!("4k3/{rank}/8/1P6/8/8/8/4K3 w - - 0 1"), "b5b6"), is_passed, "{rank}");
            let rank = rank.to_uppercase();
            assert_eq!(is_push_in(&format!("4k3/8/8/8/1p6/8/{rank}/4K3 b - - 0 1"), "b4b3"), is_passed, "{rank}");
        }
    }

    #[test]
    fn the_switch_turns_it_off() {
        let params = Params::default();
        let taper = Taper::new(&params, 8);
        assert!(award(&params, &taper, 2, true).is_some() && award(&params, &taper, 2, false).is_none());
        assert_eq!(award(&Params { credit_passed_pawn: false, ..params }, &taper, 2, true), None);
    }
}
