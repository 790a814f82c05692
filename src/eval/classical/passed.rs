//! Passed pawns: how advanced they are, whether their path is free, and how close the kings are.
//!
//! Which pawns are passed comes from the pawn structure; what they are worth depends on the pieces (Chess Programming
//! Wiki, "Passed Pawn").

use super::geometry::{Side, beside, distance};
use super::maps::Maps;
use super::pawns::PawnEntry;
use crate::board::{Bitboard, Role, Square, attacks};
use crate::units::Tapered;

/// What one side's passed pawns are worth to it.
pub(super) fn score<S: Side>(maps: &Maps, pawns: &PawnEntry) -> Tapered {
    pawns.passed[S::INDEX].into_iter().map(|square| score_pawn::<S>(maps, square)).sum()
}

fn score_pawn<S: Side>(maps: &Maps, square: Square) -> Tapered {
    let weights = maps.weights;
    let rank = S::rank(square);
    let pawn = Bitboard::from_square(square);
    let next = S::forward(pawn);
    let mut score = weights.passed[rank];
    if (beside(pawn | S::Enemy::forward(pawn)) & maps.pieces::<S>(Role::Pawn)).any() {
        score += weights.passed_connected[rank];
    }
    score += rook_behind::<S>(maps, square);
    if (next & maps.occupied).is_empty() {
        score += weights.passed_free[rank];
        let path = S::front_fill(next);
        if (path & (maps.occupied | maps.of::<S::Enemy>().all)).is_empty() {
            score += weights.passed_safe_path[rank];
        }
    }
    if (next & maps.of::<S>().all).any() {
        score += weights.passed_escorted[rank];
    }
    if let Some(next) = next.first() {
        let steps = |king: Square| distance(king, next).min(weights.passed_king_reach);
        score += weights.passed_enemy_king[rank] * steps(maps.of::<S::Enemy>().king);
        score += weights.passed_own_king[rank] * steps(maps.of::<S>().king);
    }
    if is_unstoppable::<S>(maps, square) {
        score += weights.unstoppable;
    }
    score
}

/// What a rook behind the pawn is worth, for either side.
fn rook_behind<S: Side>(maps: &Maps, square: Square) -> Tapered {
    let behind = S::Enemy::front_fill(S::Enemy::forward(Bitboard::from_square(square)));
    if (behind & maps.board.rooks()).is_empty() {
        return Tapered::ZERO;
    }
    let rook = attacks::rook_attacks(square, maps.occupied) & behind & maps.board.rooks();
    if (rook & maps.all_pieces::<S>()).any() {
        maps.weights.passed_own_rook
    } else if rook.any() {
        maps.weights.passed_enemy_rook
    } else {
        Tapered::ZERO
    }
}

/// The rule of the square: whether a side without pieces cannot catch the pawn with its king.
fn is_unstoppable<S: Side>(maps: &Maps, square: Square) -> bool {
    let pieces = maps.board.occupied() & !(maps.board.pawns() | maps.board.kings());
    let path = S::front_fill(S::forward(Bitboard::from_square(square)));
    if (pieces & maps.all_pieces::<S::Enemy>()).any() || (path & maps.occupied).any() {
        return false;
    }
    let queening = S::queening_square(square.file());
    // A pawn on its initial square can advance two squares at once.
    let at_home = S::ranks(1, 1).contains(square);
    let pawn_steps = 7 - S::rank(square) as i32 - i32::from(at_home);
    let king_steps = distance(maps.of::<S::Enemy>().king, queening) - i32::from(maps.turn != S::COLOR);
    king_steps > pawn_steps
}
