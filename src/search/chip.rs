//! Deep Blue's chip: which checks its quiescence search tried, and when it extended its search by a ply (paper, section
//! 5).
//!
//! The numbers of checks are the paper's parameters; the values that Deep Blue played with are not published.

use crate::board::{Bitboard, Move, Position, Rank, Role, attacks, hanging, pinned};
use crate::params::Params;

/// What makes a check worth trying.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum CheckKind {
    /// The king has no flight square, or the queen checks from an adjacent square.
    Mating,
    /// The king has one flight square, or a rook checks from an adjacent square, or the checked side has a hanging
    /// piece.
    Singular,
}

/// The kind of check that a position is in; `None` if it is neither.
pub(super) fn kind_of_check(checked: &Position) -> Option<CheckKind> {
    let checkers = checked.checkers();
    let board = checked.board();
    let king = board.king_of(checked.turn()).filter(|_| checkers.any())?;
    let contact = checkers & attacks::king_attacks(king);
    if (contact & board.queens()).any() {
        return Some(CheckKind::Mating);
    }
    let escapes = checked.legal_moves().iter().filter(|m| m.role() == Role::King).count();
    let is_singular = || escapes == 1 || (contact & board.rooks()).any() || hanging(checked, checked.turn()).any();
    match escapes {
        0 => Some(CheckKind::Mating),
        _ => is_singular().then_some(CheckKind::Singular),
    }
}

/// How many checks of each kind one side may still try in a line of quiescence.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Allowance {
    mating: i32,
    singular: i32,
}

impl Allowance {
    /// The allowance at the start of quiescence.
    pub fn new(params: &Params) -> Allowance {
        Allowance { mating: params.chip_mating_checks, singular: params.chip_singular_checks }
    }

    /// Whether nothing is left.
    pub fn is_spent(self) -> bool {
        self.mating <= 0 && self.singular <= 0
    }

    /// What is left after a check of this kind; `None` if it may not be tried. A mating check may use a singular
    /// check's allowance.
    pub fn spend(self, kind: CheckKind) -> Option<Allowance> {
        let Allowance { mating, singular } = self;
        match kind {
            CheckKind::Mating if mating > 0 => Some(Allowance { mating: mating - 1, singular }),
            _ if singular > 0 => Some(Allowance { mating, singular: singular - 1 }),
            _ => None,
        }
    }
}

/// Whether the last move took a pawn to the seventh rank, which extends the horizon search by a ply.
pub(super) fn reaches_seventh(position: &Position, last: Option<Move>) -> bool {
    let is_seventh =
        |m: Move| m.role() == Role::Pawn && (!position.turn()).relative_rank(m.to().rank()) == Rank::Seventh;
    last.is_some_and(is_seventh)
}

/// Whether several pieces of the side to move hang, or a pinned one: no single move saves them, and the horizon search
/// is extended by a ply rather than trust the static evaluation.
pub(super) fn cannot_save_all(position: &Position) -> bool {
    let hanging: Bitboard = hanging(position, position.turn());
    hanging.more_than_one() || (hanging & pinned(position, position.turn())).any()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::Profile;

    fn kind(fen: &str) -> Option<CheckKind> {
        kind_of_check(&Position::from_fen(fen, false).unwrap())
    }

    #[test]
    fn checks_are_mating_or_singular_by_what_is_left_to_the_king() {
        // Smothered by its own men; an adjacent queen; one flight square; an adjacent rook; a hanging piece; none.
        assert_eq!(kind("6rk/5Npp/8/8/8/8/8/6K1 b - - 0 1"), Some(CheckKind::Mating));
        assert_eq!(kind("6k1/5Q2/8/8/8/8/8/6K1 b - - 0 1"), Some(CheckKind::Mating));
        assert_eq!(kind("R5k1/5ppp/8/8/8/8/7P/6K1 b - - 0 1"), Some(CheckKind::Mating));
        assert_eq!(kind("R5k1/5pp1/8/8/8/8/7P/6K1 b - - 0 1"), Some(CheckKind::Singular));
        assert_eq!(kind("3kR3/8/8/8/8/8/8/6K1 b - - 0 1"), Some(CheckKind::Singular));
        assert_eq!(kind("R3k3/8/8/7n/8/5B2/8/6K1 b - - 0 1"), Some(CheckKind::Singular));
        assert_eq!(kind("R3k3/8/8/8/8/8/8/6K1 b - - 0 1"), None);
        assert_eq!(kind("4k3/8/8/8/8/8/8/R5K1 b - - 0 1"), None);
    }

    #[test]
    fn each_kind_has_its_own_number() {
        let params = Params { chip_mating_checks: 1, chip_singular_checks: 1, ..Profile::DeepBlue.params() };
        let full = Allowance::new(&params);
        let singular = full.spend(CheckKind::Singular).unwrap();
        assert_eq!(singular.spend(CheckKind::Singular), None);
        let mating = full.spend(CheckKind::Mating).unwrap();
        let both = mating.spend(CheckKind::Mating).unwrap();
        assert!(both.is_spent() && !singular.is_spent() && both.spend(CheckKind::Mating).is_none());
    }

    #[test]
    fn the_horizon_waits_for_pawns_about_to_promote() {
        let after = |fen: &str, uci: &str| {
            let before = Position::from_fen(fen, false).unwrap();
            let m = before.parse_uci(uci).unwrap();
            reaches_seventh(&before.play(m), Some(m))
        };
        assert!(after("4k3/8/P7/8/8/8/8/4K3 w - - 0 1", "a6a7"));
        assert!(after("4k3/8/8/8/8/p7/8/4K3 b - - 0 1", "a3a2"));
        assert!(!after("4k3/8/8/P7/8/8/8/4K3 w - - 0 1", "a5a6"));
        assert!(!reaches_seventh(&Position::default(), None));
    }

    #[test]
    fn the_horizon_waits_where_one_move_cannot_save_all() {
        let cannot = |fen: &str| cannot_save_all(&Position::from_fen(fen, false).unwrap());
        // A fork by a pawn; one piece only; a pinned knight attacked by a pawn.
        assert!(cannot("4k3/8/1p6/R1N5/8/8/8/4K3 w - - 0 1"));
        assert!(!cannot("4k3/8/1p6/R7/8/8/8/4K3 w - - 0 1"));
        assert!(cannot("4r1k1/8/8/8/3p4/4N3/8/4K3 w - - 0 1"));
    }
}
