//! Influence: a good move that was not possible at its side's previous turn (paper, section 4.1, mechanism 4).
//!
//! "We assume Black is developing a combination even if we don't quite see what the combination is." The rule here: the
//! good move was not legal, or was not a capture of the same piece, at this side's previous turn. The paper does not
//! publish its exact rule.

use super::{Award, Mechanism, Taper};
use crate::board::{Move, Position};
use crate::params::Params;
use crate::units::Ply;

/// Whether `m`, legal in the current position, was not available in the position two plies before.
///
/// A move of a piece that has itself just arrived does not count: it was enabled by its own last move.
pub fn is_newly_available(m: Move, two_plies_ago: &Position) -> bool {
    let Some(from) = m.from() else { return false };
    let us = two_plies_ago.turn();
    let was_there = two_plies_ago.board().by_color(us).contains(from) && two_plies_ago.role_at(from) == Some(m.role());
    was_there && !two_plies_ago.is_legal(m)
}

/// The award for a good move; `newly_available` says whether it was impossible two plies before.
pub fn award(params: &Params, taper: &Taper, ply: Ply, newly_available: bool) -> Option<Award> {
    if !params.credit_influence || !newly_available {
        return None;
    }
    Award::of(Mechanism::Influence, taper.scale(params.influence_credit, ply))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_capture_that_the_opponents_move_allowed_is_new() {
        let before = Position::from_fen("4k3/8/8/3p4/8/4N3/8/4K3 w - - 0 1", false).unwrap();
        let quiet = before.play(before.parse_uci("e1e2").unwrap());
        let after = quiet.play(quiet.parse_uci("d5d4").unwrap());
        // While the pawn stood on d5 the knight could capture it but not go there quietly: both have changed now.
        assert!(is_newly_available(after.parse_uci("e3d5").unwrap(), &before));
        assert!(!is_newly_available(after.parse_uci("e3f5").unwrap(), &before));
        // The king itself moved: its new moves do not come from the opponent.
        assert!(!is_newly_available(after.parse_uci("e2f3").unwrap(), &before));
        // Nor do those of a rook that has castled to where the king stood.
        let before = Position::from_fen("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", true).unwrap();
        let castled = before.play(before.parse_uci("f1g1").unwrap());
        let after = castled.play(castled.parse_uci("e8e7").unwrap());
        assert!(!is_newly_available(after.parse_uci("f1f6").unwrap(), &before));
    }

    #[test]
    fn the_switch_turns_it_off() {
        let params = Params { credit_influence: true, ..Params::default() };
        let taper = Taper::new(&params, 8);
        assert!(award(&params, &taper, 2, true).is_some() && award(&params, &taper, 2, false).is_none());
        assert_eq!(award(&Params { credit_influence: false, ..params }, &taper, 2, true), None);
    }
}
