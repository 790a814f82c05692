//! Space: room in the centre of our own half where pieces cannot be driven away by pawns. The more pieces there are,
//! the more it matters (Chess Programming Wiki, "Space").

use super::geometry::{Side, centre_files, count};
use super::maps::Maps;
use crate::board::Role;
use crate::units::Tapered;

/// What one side's space is worth to it.
pub(super) fn score<S: Side>(maps: &Maps) -> Tapered {
    let own_pawns = maps.pieces::<S>(Role::Pawn);
    let safe = centre_files() & S::ranks(1, 3) & !own_pawns & !maps.of::<S::Enemy>().by(Role::Pawn);
    // Up to three squares behind a pawn.
    let near = S::Enemy::forward(own_pawns);
    let behind = near | S::Enemy::forward(near) | S::Enemy::forward(S::Enemy::forward(near));
    let pieces = count(maps.all_pieces::<S>() & !own_pawns) - 1;
    (maps.weights.space * count(safe) + maps.weights.space_behind_pawn * count(safe & behind)) * pieces
}
