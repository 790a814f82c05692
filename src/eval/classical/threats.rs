//! Simple threats: attacks on more valuable pieces, on weakly defended pieces, and pawn pushes that attack.
//!
//! The search resolves captures; what is left for the evaluation is that a side facing several threats at once cannot
//! meet them all.

use super::geometry::{Side, count, pawn_attacks};
use super::maps::Maps;
use crate::board::{Bitboard, Role, attacks, role_number};
use crate::units::Tapered;

/// What one side's threats are worth to it.
pub(super) fn score<S: Side>(maps: &Maps) -> Tapered {
    let weights = maps.weights;
    let (ours, theirs) = (maps.of::<S>(), maps.of::<S::Enemy>());
    let enemies = maps.all_pieces::<S::Enemy>();
    let pieces = enemies & !maps.board.pawns();
    // Strongly defended: by a pawn, or twice against at most one attacker.
    let held = theirs.by(Role::Pawn) | (theirs.twice & !ours.twice);
    let weak = enemies & !held & ours.all;
    let safe = !theirs.all | ours.all;

    let mut score = Tapered::ZERO;
    let pawns = maps.pieces::<S>(Role::Pawn) & safe;
    score += weights.threat_by_pawn * count(pawn_attacks::<S>(pawns) & pieces);
    score += weights.threat_by_push * count(push_threats::<S>(maps, safe) & pieces);

    let worth_a_minor = weak | (enemies & maps.board.rooks_and_queens());
    let by_minor = (ours.by(Role::Knight) | ours.by(Role::Bishop)) & worth_a_minor;
    score += by_role(maps, by_minor, &weights.threat_by_minor);
    let worth_a_rook = weak | (enemies & maps.board.queens());
    score += by_role(maps, ours.by(Role::Rook) & worth_a_rook, &weights.threat_by_rook);
    if (ours.by(Role::King) & weak).any() {
        score += weights.threat_by_king;
    }
    score += on_queen::<S>(maps);
    // Squares that the enemy controls, but not strongly, and that we attack too.
    score += weights.restricted * count(theirs.all & !held & ours.all);
    score + weights.hanging * count(weak & (!theirs.all | (pieces & ours.twice)))
}

/// Safe squares from which pieces would attack a lone enemy queen.
fn on_queen<S: Side>(maps: &Maps) -> Tapered {
    let Some(queen) = maps.pieces::<S::Enemy>(Role::Queen).single_square() else {
        return Tapered::ZERO;
    };
    let (ours, theirs) = (maps.of::<S>(), maps.of::<S::Enemy>());
    let safe = !maps.all_pieces::<S>() & !theirs.by(Role::Pawn) & !theirs.twice;
    let by_knight = attacks::knight_attacks(queen) & ours.by(Role::Knight) & safe;
    // A slider next to the queen can be captured by it, unless it is defended.
    let bishops = attacks::bishop_attacks(queen, maps.occupied) & ours.by(Role::Bishop);
    let rooks = attacks::rook_attacks(queen, maps.occupied) & ours.by(Role::Rook);
    let by_slider = (bishops | rooks) & safe & ours.twice;
    maps.weights.threat_on_queen_by_knight * count(by_knight)
        + maps.weights.threat_on_queen_by_slider * count(by_slider)
}

/// Squares that pawns attack after a push to a safe square, but not already now.
fn push_threats<S: Side>(maps: &Maps, safe: Bitboard) -> Bitboard {
    let empty = !maps.occupied;
    let single = S::forward(maps.pieces::<S>(Role::Pawn)) & empty;
    let double = S::forward(single & S::ranks(2, 2)) & empty;
    let pushed = (single | double) & safe & !maps.of::<S::Enemy>().by(Role::Pawn);
    pawn_attacks::<S>(pushed) & !maps.of::<S>().by(Role::Pawn)
}

/// The sum of the weights of the pieces in a set, by role.
fn by_role(maps: &Maps, targets: Bitboard, weights: &[Tapered; 6]) -> Tapered {
    if targets.is_empty() {
        return Tapered::ZERO;
    }
    let mut sum = Tapered::ZERO;
    for role in [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
        sum += weights[role_number(role)] * count(targets & maps.board.by_role(role));
    }
    sum
}
