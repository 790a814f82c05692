//! Endgame knowledge: which material advantages do not win, and how to drive a bare king to the edge.
//!
//! A scale in 64ths shrinks the whole evaluation if the side ahead cannot win, or hardly can (Chess Programming Wiki,
//! "Draw Evaluation", "Bishops of Opposite Colors", "Wrong Color Bishop"). It never changes who is ahead.

use super::geometry::{Black, Side, White, centre_distance, count, distance, file_of};
use super::kpk;
use super::maps::Maps;
use super::pawns::PawnEntry;
use crate::board::{Bitboard, Role, Square, role_number};
use crate::params::weights::FULL_SCALE;
use crate::units::Tapered;

/// The corners, by the colour of their squares: dark ones first.
const CORNERS: [[Square; 2]; 2] = [[Square::A1, Square::H8], [Square::A8, Square::H1]];
/// The most moves a king can need.
const LONGEST_WAY: i32 = 7;

/// The scale for an evaluation from White's view, in 64ths.
pub(super) fn scale(maps: &Maps, pawns: &PawnEntry, white_value: i32) -> i32 {
    match white_value {
        0 => FULL_SCALE,
        1.. => scale_for::<White>(maps, pawns),
        _ => scale_for::<Black>(maps, pawns),
    }
}

/// The scale when this side is ahead.
fn scale_for<S: Side>(maps: &Maps, pawns: &PawnEntry) -> i32 {
    let own_pawns = maps.pieces::<S>(Role::Pawn);
    if is_won_pawn_ending::<S>(maps) == Some(false) {
        return maps.weights.no_mate_scale;
    }
    let scale = by_material::<S>(maps, own_pawns).min(by_opposite_bishops::<S>(maps, pawns));
    if is_wrong_rook_pawn::<S>(maps, own_pawns) { scale.min(maps.weights.wrong_rook_pawn_scale) } else { scale }
}

/// Whether this side wins with king and pawn against king; `None` in any other ending.
fn is_won_pawn_ending<S: Side>(maps: &Maps) -> Option<bool> {
    let pawn = maps.board.pawns().single_square().filter(|_| count(maps.occupied) == 3)?;
    maps.all_pieces::<S>().contains(pawn).then(|| {
        let [pawn, ours, theirs] = [pawn, maps.of::<S>().king, maps.of::<S::Enemy>().king].map(S::seen);
        kpk::is_won(maps.turn == S::COLOR, pawn, ours, theirs)
    })
}

/// A side's pieces in the units of the weights.
fn units<S: Side>(maps: &Maps) -> i32 {
    let mut units = 0;
    for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
        units += maps.weights.piece_units[role_number(role)] * count(maps.pieces::<S>(role));
    }
    units
}

/// A small advantage in pieces only wins with enough pawns.
fn by_material<S: Side>(maps: &Maps, own_pawns: Bitboard) -> i32 {
    let weights = maps.weights;
    let Some(&few_pawns) = weights.few_pawns_scale.get(count(own_pawns) as usize) else {
        return FULL_SCALE;
    };
    let (ours, theirs) = (units::<S>(maps), units::<S::Enemy>(maps));
    let minor = weights.piece_units[role_number(Role::Knight)];
    if own_pawns.is_empty() {
        let majors = maps.board.rooks_and_queens() & maps.all_pieces::<S>();
        let knights_only = ours == 2 * minor && maps.pieces::<S>(Role::Bishop).is_empty();
        let enemy_pawns = maps.pieces::<S::Enemy>(Role::Pawn);
        if majors.is_empty() && (ours <= minor || (knights_only && enemy_pawns.is_empty())) {
            return weights.no_mate_scale;
        }
    }
    let enemy_minors = (maps.board.knights() | maps.board.bishops()) & maps.all_pieces::<S::Enemy>();
    if count(own_pawns) == 1 && ours <= minor && enemy_minors.any() {
        return weights.last_pawn_scale;
    }
    // With pawns on the board, an advantage is small only if the defender has pieces too.
    let is_small = ours > 0 && ours - theirs <= weights.small_edge && (theirs > 0 || own_pawns.is_empty());
    if is_small { few_pawns } else { FULL_SCALE }
}

/// Opposite-coloured bishops: each defends what the other cannot attack. With heavy pieces on the board they also
/// attack what the other cannot defend, so the scale is milder, and with queens there is none.
fn by_opposite_bishops<S: Side>(maps: &Maps, pawns: &PawnEntry) -> i32 {
    let bishops = maps.board.bishops();
    let alone = |set: Bitboard| set.any() && !set.more_than_one();
    let opposite = alone(bishops & maps.board.white())
        && alone(bishops & maps.board.black())
        && alone(bishops & Bitboard::LIGHT_SQUARES);
    if !opposite || maps.board.queens().any() {
        return FULL_SCALE;
    }
    if (maps.board.knights() | maps.board.rooks()).any() {
        return maps.weights.opposite_bishops_pieces_scale;
    }
    let passed = count(pawns.passed[S::INDEX]);
    (maps.weights.opposite_bishops_scale + maps.weights.opposite_bishops_passed * passed).min(FULL_SCALE)
}

/// Whether all pawns are on one rook file, the only piece, if any, is a bishop that does not control the queening
/// square, and the defending king controls that square.
fn is_wrong_rook_pawn<S: Side>(maps: &Maps, own_pawns: Bitboard) -> bool {
    let Some(pawn) = own_pawns.first() else {
        return false;
    };
    let on_rook_file = [Square::A1, Square::H1].into_iter().any(|square| (own_pawns & !file_of(square)).is_empty());
    let bishops = maps.pieces::<S>(Role::Bishop);
    let helpers = maps.all_pieces::<S>() & !(own_pawns | bishops | maps.board.kings());
    if !on_rook_file || helpers.any() {
        return false;
    }
    let queening = S::queening_square(pawn.file());
    let controlling = if queening.is_light() { Bitboard::LIGHT_SQUARES } else { Bitboard::DARK_SQUARES };
    (bishops & controlling).is_empty() && distance(maps.of::<S::Enemy>().king, queening) <= 1
}

/// What it is worth to this side that the enemy king is bare: near our king, far from the centre, and with bishop and
/// knight near a corner where the bishop can mate.
pub(super) fn bare_king<S: Side>(maps: &Maps) -> Tapered {
    let enemy_king = maps.of::<S::Enemy>().king;
    let majors = maps.board.rooks_and_queens();
    let weights = maps.weights;
    if maps.all_pieces::<S::Enemy>().more_than_one() {
        return Tapered::ZERO;
    }
    if maps.board.pawns().any() {
        return if is_won_pawn_ending::<S>(maps) == Some(true) { weights.won_pawn_ending } else { Tapered::ZERO };
    }
    let near = LONGEST_WAY - distance(maps.of::<S>().king, enemy_king);
    let mut score = weights.bare_king_near * near + weights.bare_king_edge * centre_distance(enemy_king);
    if let (Some(bishop), true, true) =
        (maps.pieces::<S>(Role::Bishop).single_square(), maps.pieces::<S>(Role::Knight).any(), majors.is_empty())
    {
        let corners = CORNERS[usize::from(bishop.is_light())];
        let way = corners.into_iter().map(|corner| distance(corner, enemy_king)).min().unwrap_or(LONGEST_WAY);
        score += weights.bare_king_corner * (LONGEST_WAY - way);
    }
    score
}
