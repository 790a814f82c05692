//! What the terms share: sets of pieces and maps of attacked squares, computed once per evaluation.

use super::geometry::{Side, double_pawn_attacks, king_zone, pawn_attacks};
use crate::board::{Bitboard, Board, Color, Position, Role, Square, attacks, role_number};
use crate::params::weights::Weights;

/// One side's pieces and the squares that they attack.
#[derive(Copy, Clone)]
pub(super) struct SideMaps {
    /// The king's square.
    pub(super) king: Square,
    /// Attacked squares by role, pawn first.
    pub(super) by_role: [Bitboard; 6],
    /// Squares attacked at all.
    pub(super) all: Bitboard,
    /// Squares attacked at least twice.
    pub(super) twice: Bitboard,
    /// How many pieces attack the enemy king's zone.
    pub(super) zone_attackers: i32,
    /// The sum of their weights in danger points.
    pub(super) zone_weight: i32,
    /// Their attacks on squares next to the enemy king.
    pub(super) zone_hits: i32,
}

/// A position as the terms see it.
pub(super) struct Maps<'a> {
    /// The weights to use.
    pub(super) weights: &'a Weights,
    /// The pieces.
    pub(super) board: &'a Board,
    /// All occupied squares.
    pub(super) occupied: Bitboard,
    /// The side to move.
    pub(super) turn: Color,
    sides: [SideMaps; 2],
}

impl<'a> Maps<'a> {
    /// Starts the maps with the pawns' and kings' attacks; the other pieces are added as their terms visit them.
    pub(super) fn new(weights: &'a Weights, position: &'a Position) -> Maps<'a> {
        let board = position.board();
        let sides = [start::<super::geometry::Black>(board), start::<super::geometry::White>(board)];
        Maps { weights, board, occupied: board.occupied(), turn: position.turn(), sides }
    }

    /// A side's pieces of one role.
    pub(super) fn pieces<S: Side>(&self, role: Role) -> Bitboard {
        self.board.by_color(S::COLOR) & self.board.by_role(role)
    }

    /// All of a side's pieces.
    pub(super) fn all_pieces<S: Side>(&self) -> Bitboard {
        self.board.by_color(S::COLOR)
    }

    /// A side's maps.
    pub(super) fn of<S: Side>(&self) -> &SideMaps {
        &self.sides[S::INDEX]
    }

    /// Adds the attacks of one piece.
    #[inline(always)]
    pub(super) fn enter<S: Side>(&mut self, role: Role, reach: Bitboard) {
        let enemy_king = self.sides[S::Enemy::INDEX].king;
        let in_zone = i32::from((reach & king_zone(enemy_king)).any());
        let beside_king = reach & attacks::king_attacks(enemy_king);
        let maps = &mut self.sides[S::INDEX];
        maps.twice |= maps.all & reach;
        maps.all |= reach;
        maps.by_role[role_number(role)] |= reach;
        maps.zone_attackers += in_zone;
        maps.zone_weight += in_zone * self.weights.danger_attacker[role_number(role)];
        maps.zone_hits += super::geometry::count(beside_king);
    }
}

/// One side's maps before its pieces are added.
fn start<S: Side>(board: &Board) -> SideMaps {
    let ours = board.by_color(S::COLOR);
    let pawns = ours & board.pawns();
    // Every legal position has both kings; a missing one would only make the terms wrong, not unsafe.
    let king = (ours & board.kings()).first().unwrap_or(Square::A1);
    let (by_pawns, by_king) = (pawn_attacks::<S>(pawns), attacks::king_attacks(king));
    let mut by_role = [Bitboard::EMPTY; 6];
    by_role[role_number(Role::Pawn)] = by_pawns;
    by_role[role_number(Role::King)] = by_king;
    SideMaps {
        king,
        by_role,
        all: by_pawns | by_king,
        twice: double_pawn_attacks::<S>(pawns) | (by_pawns & by_king),
        zone_attackers: 0,
        zone_weight: 0,
        zone_hits: 0,
    }
}

impl SideMaps {
    /// Squares that pieces of a role attack.
    pub(super) fn by(&self, role: Role) -> Bitboard {
        self.by_role[role_number(role)]
    }
}
