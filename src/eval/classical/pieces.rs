//! Knights, bishops, rooks and queens: mobility, outposts, files. Also adds each piece's attacks to the maps used by
//! king danger and threats.
//!
//! Mobility only counts squares in the mobility area (Chess Programming Wiki, "Mobility"): without those that enemy
//! pawns attack, and those of our king and of our pawns that are blocked or on the second or third rank.

use super::geometry::{Side, count, distance, file_of};
use super::maps::Maps;
use super::pawns::PawnEntry;
use super::trace::{Tally, Term, Tracer};
use crate::board::{Bitboard, Role, attacks};
use crate::units::Tapered;

/// What the pieces of one side are worth beyond their squares.
#[derive(Default)]
struct Sums {
    mobility: Tapered,
    pieces: Tapered,
}

/// Scores one side's pieces and adds their attacks.
pub(super) fn score<S: Side, T: Tracer>(maps: &mut Maps, pawns: &PawnEntry, tally: &mut Tally<T>) {
    let area = mobility_area::<S>(maps);
    let outposts = S::ranks(3, 5) & maps.of::<S>().by(Role::Pawn) & !pawns.spans[S::Enemy::INDEX];
    let mut sums = Sums::default();
    knights::<S>(maps, area, outposts, &mut sums);
    bishops::<S>(maps, area, &mut sums);
    sums.pieces += minors::<S>(maps, outposts);
    rooks::<S>(maps, area, &mut sums);
    queens::<S>(maps, area, &mut sums);
    tally.post::<S>(Term::Mobility, sums.mobility);
    tally.post::<S>(Term::Pieces, sums.pieces);
}

/// Squares that count for mobility.
fn mobility_area<S: Side>(maps: &Maps) -> Bitboard {
    let pawns = maps.pieces::<S>(Role::Pawn);
    let stuck = pawns & (S::Enemy::forward(maps.occupied) | S::ranks(1, 2));
    !(stuck | maps.pieces::<S>(Role::King) | maps.of::<S::Enemy>().by(Role::Pawn))
}

fn knights<S: Side>(maps: &mut Maps, area: Bitboard, outposts: Bitboard, sums: &mut Sums) {
    let own_king = maps.of::<S>().king;
    let own_pawns = count(maps.pieces::<S>(Role::Pawn));
    let free_outposts = outposts & !maps.all_pieces::<S>();
    for square in maps.pieces::<S>(Role::Knight) {
        let reach = attacks::knight_attacks(square);
        sums.pieces += maps.weights.knight_pawns * own_pawns;
        sums.pieces += maps.weights.knight_king_distance * distance(square, own_king);
        if (reach & free_outposts).any() && !outposts.contains(square) {
            sums.pieces += maps.weights.outpost_in_reach;
        }
        sums.mobility += maps.weights.knight_mobility[count(reach & area) as usize];
        maps.enter::<S>(Role::Knight, reach);
    }
}

fn bishops<S: Side>(maps: &mut Maps, area: Bitboard, sums: &mut Sums) {
    let bishops = maps.pieces::<S>(Role::Bishop);
    let see_through = maps.occupied & !maps.board.queens();
    let own_king = maps.of::<S>().king;
    for square in bishops {
        sums.pieces += maps.weights.bishop_king_distance * distance(square, own_king);
        let reach = attacks::bishop_attacks(square, see_through);
        sums.mobility += maps.weights.bishop_mobility[count(reach & area) as usize];
        maps.enter::<S>(Role::Bishop, reach);
        let same_color = if square.is_light() { Bitboard::LIGHT_SQUARES } else { Bitboard::DARK_SQUARES };
        sums.pieces += maps.weights.bishop_pawns * count(maps.pieces::<S>(Role::Pawn) & same_color);
    }
    if bishops.more_than_one() {
        sums.pieces += maps.weights.bishop_pair;
    }
}

/// Outposts and shelter behind pawns, for all minor pieces at once.
fn minors<S: Side>(maps: &Maps, outposts: Bitboard) -> Tapered {
    let knights = maps.pieces::<S>(Role::Knight);
    let bishops = maps.pieces::<S>(Role::Bishop);
    let behind_pawn = S::Enemy::forward(maps.board.pawns());
    maps.weights.knight_outpost * count(knights & outposts)
        + maps.weights.bishop_outpost * count(bishops & outposts)
        + maps.weights.minor_behind_pawn * count((knights | bishops) & behind_pawn)
}

fn rooks<S: Side>(maps: &mut Maps, area: Bitboard, sums: &mut Sums) {
    let rooks = maps.pieces::<S>(Role::Rook);
    let own_pawns = maps.pieces::<S>(Role::Pawn);
    let enemy_pawns = maps.pieces::<S::Enemy>(Role::Pawn);
    let see_through = maps.occupied & !(maps.board.queens() | rooks);
    sums.pieces += maps.weights.rook_pawns * (count(rooks) * count(own_pawns));
    for square in rooks {
        let reach = attacks::rook_attacks(square, see_through);
        sums.mobility += maps.weights.rook_mobility[count(reach & area) as usize];
        maps.enter::<S>(Role::Rook, reach);
        let file = file_of(square);
        if (own_pawns & file).is_empty() {
            let open = (enemy_pawns & file).is_empty();
            sums.pieces += if open { maps.weights.rook_open_file } else { maps.weights.rook_semi_open_file };
        }
    }
    let targets = (enemy_pawns & S::ranks(6, 6)) | (maps.pieces::<S::Enemy>(Role::King) & S::ranks(7, 7));
    if targets.any() {
        sums.pieces += maps.weights.rook_on_seventh * count(rooks & S::ranks(6, 6));
    }
}

fn queens<S: Side>(maps: &mut Maps, area: Bitboard, sums: &mut Sums) {
    for square in maps.pieces::<S>(Role::Queen) {
        let reach = attacks::queen_attacks(square, maps.occupied);
        sums.mobility += maps.weights.queen_mobility[count(reach & area) as usize];
        maps.enter::<S>(Role::Queen, reach);
    }
}
