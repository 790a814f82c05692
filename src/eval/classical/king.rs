//! King safety: the pawn shelter in front of the king, and the danger from pieces that attack its zone.
//!
//! Shelter looks at the king's file and the two adjacent ones, at the rearmost own and enemy pawn in front. Danger sums
//! points for attackers, weak squares and checks, and grows quadratically, since attackers help each other (Chess
//! Programming Wiki, "King Safety").

use super::geometry::{Side, count, file_of, king_flank, king_zone};
use super::maps::Maps;
use crate::board::{Bitboard, Board, Role, Square, attacks, role_number};
use crate::params::weights::Weights;
use crate::units::Tapered;

/// Unit of shelter, in centipawns, to which the danger's weight refers.
const SHELTER_UNIT: i32 = 16;

/// What the pawns around a king on this square are worth to it.
pub(super) fn shelter<S: Side>(weights: &Weights, board: &Board, king: Square) -> Tapered {
    let in_front = S::ranks(S::rank(king) as u32, 7);
    let own = board.pawns() & board.by_color(S::COLOR) & in_front;
    let enemy = board.pawns() & board.by_color(S::Enemy::COLOR) & in_front;
    // A king on the edge uses the same three files as one next to the edge.
    let centre = (king.to_usize() & 7).clamp(1, 6);
    (centre - 1..=centre + 1).map(|file| shelter_file::<S>(weights, own, enemy, file)).sum()
}

/// One file of the shelter.
fn shelter_file<S: Side>(weights: &Weights, own: Bitboard, enemy: Bitboard, file: usize) -> Tapered {
    let squares = file_of(Square::ALL[file]);
    let edge = file.min(7 - file);
    let own_rank = rearmost_rank::<S>(own & squares);
    let enemy_rank = rearmost_rank::<S>(enemy & squares);
    let blocked = own_rank != 0 && enemy_rank == own_rank + 1;
    let storm = if blocked { weights.storm_blocked[enemy_rank] } else { weights.storm[edge][enemy_rank] };
    weights.shelter[edge][own_rank] + storm
}

/// The rank of the pawn closest to this side's back rank; 0, where no pawn can be, if there is none.
fn rearmost_rank<S: Side>(pawns: Bitboard) -> usize {
    pawns.into_iter().map(|square| S::rank(square)).min().unwrap_or(0)
}

/// What the attack on this side's king costs it; never positive.
pub(super) fn danger<S: Side>(maps: &Maps, shelter: Tapered) -> Tapered {
    let attacker = maps.of::<S::Enemy>();
    let has_queen = maps.pieces::<S::Enemy>(Role::Queen).any();
    // A single attacker does not give mate, unless it is backed by a queen.
    if attacker.zone_attackers + i32::from(has_queen) < 2 {
        return Tapered::ZERO;
    }
    let weights = maps.weights;
    let defender = maps.of::<S>();
    // Squares defended by king or queen only, or not at all.
    let held = defender.all & !(defender.by(Role::King) | defender.by(Role::Queen));
    let weak = attacker.all & !defender.twice & !held;
    let flank = king_flank(defender.king) & S::ranks(0, 3);
    let mut points = weights.danger_base
        + weights.danger_flank * (count(flank & attacker.all) + count(flank & attacker.twice))
        + attacker.zone_attackers * attacker.zone_weight
        + weights.danger_hit * attacker.zone_hits
        + weights.danger_weak_square * count(king_zone(defender.king) & weak)
        + checks::<S>(maps, weak)
        - weights.danger_shelter * shelter.mg() / SHELTER_UNIT;
    if !has_queen {
        points -= weights.danger_no_queen;
    }
    let points = points.clamp(0, weights.danger_max);
    -Tapered::new(points * points / weights.danger_mg_divisor, points / weights.danger_eg_divisor)
}

/// Danger points for the enemy's possible checks.
fn checks<S: Side>(maps: &Maps, weak: Bitboard) -> i32 {
    let attacker = maps.of::<S::Enemy>();
    let defender = maps.of::<S>();
    let see_through = maps.occupied & !maps.pieces::<S>(Role::Queen);
    let rook_lines = attacks::rook_attacks(defender.king, see_through);
    let bishop_lines = attacks::bishop_attacks(defender.king, see_through);
    let from = [
        (Role::Knight, attacks::knight_attacks(defender.king)),
        (Role::Bishop, bishop_lines),
        (Role::Rook, rook_lines),
        (Role::Queen, (rook_lines | bishop_lines) & !defender.by(Role::Queen)),
    ];
    let free = !maps.all_pieces::<S::Enemy>();
    let safe = free & (!defender.all | (weak & attacker.twice));
    let mut points = 0;
    let mut unsafe_squares = Bitboard::EMPTY;
    for (role, lines) in from {
        let squares = lines & attacker.by(role) & free;
        if (squares & safe).any() {
            points += maps.weights.danger_safe_check[role_number(role)];
        } else if role != Role::Queen {
            unsafe_squares |= squares;
        }
    }
    points + maps.weights.danger_unsafe_check * count(unsafe_squares)
}
