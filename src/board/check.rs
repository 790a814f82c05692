//! Whether a move gives check, without playing it.

use super::danger::lone_blockers;
use super::{Bitboard, Move, Position, Role, Square, attacks, role_number};

/// What is the same for every move of a position: the squares from which each role checks the opponent's king, and our
/// own pieces that would give discovered check.
#[derive(Copy, Clone, Debug)]
pub struct CheckInfo {
    king: Square,
    /// By role (pawn first): squares from which our piece gives check.
    check_squares: [Bitboard; 6],
    /// Our own pieces that stand alone between one of our sliders and the king.
    discoverers: Bitboard,
}

impl CheckInfo {
    /// Gathers the check squares and discoverers for the side to move.
    pub fn new(position: &Position) -> CheckInfo {
        let board = position.board();
        let us = position.turn();
        let occupied = board.occupied();
        // Every legal position has both kings; a missing one would only make every test false.
        let king = board.king_of(!us).unwrap_or(Square::A1);
        let bishop = attacks::bishop_attacks(king, occupied);
        let rook = attacks::rook_attacks(king, occupied);
        let check_squares = [
            attacks::pawn_attacks(!us, king),
            attacks::knight_attacks(king),
            bishop,
            rook,
            bishop | rook,
            Bitboard::EMPTY,
        ];
        let discoverers = lone_blockers(board, king, us) & board.by_color(us);
        CheckInfo { king, check_squares, discoverers }
    }

    /// Whether a legal move of the position gives check.
    #[inline]
    pub fn gives_check(&self, position: &Position, m: Move) -> bool {
        // Most moves are of this kind, and every move of a node is asked about.
        if let Move::Normal { role, from, to, promotion: None, .. } = m {
            return self.squares(role, from).contains(to);
        }
        self.gives_check_otherwise(position, m)
    }

    /// The squares where a piece from `from` gives check, by a move that is no promotion, en passant or castling.
    #[inline]
    pub fn squares(&self, role: Role, from: Square) -> Bitboard {
        self.check_squares[role_number(role)] | self.discovering(from)
    }

    /// The same for promotions, en passant and castling.
    fn gives_check_otherwise(&self, position: &Position, m: Move) -> bool {
        match m {
            Move::Normal { role, from, to, promotion, .. } => {
                self.promotion_checks(position, promotion.unwrap_or(role), from, to)
                    || self.discovering(from).contains(to)
            }
            Move::EnPassant { from, to } => {
                self.check_squares[role_number(Role::Pawn)].contains(to)
                    || self.en_passant_discovers(position, from, to)
            }
            // Castling moves two pieces at once and is rare: play it.
            Move::Castle { .. } => position.play(m).in_check(),
            Move::Put { .. } => false,
        }
    }

    /// The squares to which a piece from `from` gives discovered check.
    #[inline]
    fn discovering(&self, from: Square) -> Bitboard {
        if self.discoverers.contains(from) { !attacks::ray(from, self.king) } else { Bitboard::EMPTY }
    }

    /// Whether the promoted piece gives check, also through the square the pawn left.
    fn promotion_checks(&self, position: &Position, promoted: Role, from: Square, to: Square) -> bool {
        let occupied = position.board().occupied().without(from);
        attacks::attacks(to, promoted.of(position.turn()), occupied).contains(self.king)
    }

    /// En passant removes two pieces from a rank at once, so slider attacks are recomputed.
    fn en_passant_discovers(&self, position: &Position, from: Square, to: Square) -> bool {
        let board = position.board();
        let ours = board.by_color(position.turn());
        let captured = Square::from_coords(to.file(), from.rank());
        let occupied = board.occupied().without(from).without(captured).with(to);
        (attacks::bishop_attacks(self.king, occupied) & board.bishops_and_queens() & ours).any()
            || (attacks::rook_attacks(self.king, occupied) & board.rooks_and_queens() & ours).any()
    }
}
