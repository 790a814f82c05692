//! Evaluation weights: one place, read by the incremental state and by the evaluation.
//!
//! All are in centipawns unless their description says otherwise. Material and squares are PeSTO's (see
//! `weights/piece_square.rs`); the others are customary values, to be replaced by tuned ones. Ranks count from the
//! owner's side of the board, 0 to 7. The declaration below yields the struct, its values and a flat view, in which
//! a tuner sees every number, a tapered weight as two: middlegame, then endgame.

mod piece_square;

use crate::units::Tapered;

/// Phase weight by role, pawn to king; the opening position sums to [`crate::board::MAX_PHASE`].
pub const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];

/// The scale that leaves an evaluation as it is; scales are in 64ths.
pub const FULL_SCALE: i32 = 64;

/// Material plus piece-square weight by role (pawn to king) and square (a1 first), from White's side.
pub static PIECE_SQUARE: [[Tapered; 64]; 6] = piece_square_sums(&WEIGHTS);

const fn s(mg: i32, eg: i32) -> Tapered {
    Tapered::new(mg, eg)
}

/// Adds the value of the piece to every square's.
const fn piece_square_sums(weights: &Weights) -> [[Tapered; 64]; 6] {
    let mut sums = weights.squares;
    let mut role = 0;
    while role < sums.len() {
        let material = weights.material[role];
        let mut square = 0;
        while square < 64 {
            let placed = sums[role][square];
            sums[role][square] = s(material.mg() + placed.mg(), material.eg() + placed.eg());
            square += 1;
        }
        role += 1;
    }
    sums
}

/// What has a flat view as numbers.
trait Flat {
    /// Appends the numbers.
    fn push_to(&self, values: &mut Vec<i32>);
    /// Takes over as many numbers as it has; keeps what it has where they run out.
    fn pull_from(&mut self, values: &mut dyn Iterator<Item = i32>);
}

impl Flat for i32 {
    fn push_to(&self, values: &mut Vec<i32>) {
        values.push(*self);
    }
    fn pull_from(&mut self, values: &mut dyn Iterator<Item = i32>) {
        *self = values.next().unwrap_or(*self);
    }
}

impl Flat for Tapered {
    fn push_to(&self, values: &mut Vec<i32>) {
        values.extend([self.mg(), self.eg()]);
    }
    fn pull_from(&mut self, values: &mut dyn Iterator<Item = i32>) {
        let mg = values.next().unwrap_or(self.mg());
        let eg = values.next().unwrap_or(self.eg());
        *self = s(mg, eg);
    }
}

impl<T: Flat, const N: usize> Flat for [T; N] {
    fn push_to(&self, values: &mut Vec<i32>) {
        self.iter().for_each(|item| item.push_to(values));
    }
    fn pull_from(&mut self, values: &mut dyn Iterator<Item = i32>) {
        self.iter_mut().for_each(|item| item.pull_from(values));
    }
}

/// Declares [`Weights`], [`WEIGHTS`] and the flat view from one list.
macro_rules! weights {
    ($( #[doc = $meaning:literal] $name:ident: $kind:ty = $value:expr; )*) => {
        /// A full set of evaluation weights.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Weights {
            $( #[doc = $meaning] pub $name: $kind, )*
        }

        /// The weights that the engine plays with.
        pub const WEIGHTS: Weights = Weights { $( $name: $value, )* };

        impl Weights {
            /// Every number in the order of declaration.
            pub fn values(&self) -> Vec<i32> {
                let mut values = Vec::new();
                $( self.$name.push_to(&mut values); )*
                values
            }

            /// Takes over numbers in the order of [`Weights::values`]; weights beyond their end stay.
            pub fn set_values(&mut self, values: &[i32]) {
                let mut values = values.iter().copied();
                $( self.$name.pull_from(&mut values); )*
            }

            /// Name, meaning and count of numbers of every weight, in the order of declaration.
            pub fn fields(&self) -> Vec<(&'static str, &'static str, usize)> {
                let mut values = Vec::new();
                vec![$({
                    values.clear();
                    self.$name.push_to(&mut values);
                    (stringify!($name), $meaning.trim_ascii(), values.len())
                }),*]
            }
        }
    };
}

weights! {
    /// Material by role, pawn to king.
    material: [Tapered; 6] = [s(82, 94), s(337, 281), s(365, 297), s(477, 512), s(1025, 936), s(0, 0)];
    /// Placement by role, pawn to king, and square, a1 first, from White's side.
    squares: [[Tapered; 64]; 6] = piece_square::SQUARES;
    /// For the side to move.
    tempo: Tapered = s(18, 12);

    /// A pawn without pawns of its own on the files beside it.
    isolated: Tapered = s(-8, -12);
    /// A pawn with another of its own in front of it on the file.
    doubled: Tapered = s(-5, -18);
    /// A pawn that its neighbours have left behind and whose next square an enemy pawn attacks.
    backward: Tapered = s(-7, -9);
    /// An isolated or backward pawn with no enemy pawn in front, so that rooks can attack it.
    weak_unopposed: Tapered = s(-9, -8);
    /// A pawn with another of its own beside it, by rank.
    phalanx: [Tapered; 8] = [s(0, 0), s(3, -2), s(7, 2), s(10, 8), s(22, 22), s(44, 50), s(70, 80), s(0, 0)];
    /// A pawn that another of its own protects, by rank.
    protected_pawn: [Tapered; 8] = [s(0, 0), s(0, 0), s(9, 6), s(7, 6), s(13, 12), s(28, 26), s(50, 40), s(0, 0)];

    /// A passed pawn, by rank.
    passed: [Tapered; 8] = [s(0, 0), s(-4, 4), s(-6, 8), s(-5, 22), s(10, 42), s(26, 70), s(36, 80), s(0, 0)];
    /// A passed pawn whose next square is empty, by rank.
    passed_free: [Tapered; 8] = [s(0, 0), s(0, 0), s(0, 2), s(0, 5), s(4, 14), s(12, 28), s(24, 44), s(0, 0)];
    /// A passed pawn whose whole path is empty and not attacked, by rank.
    passed_safe_path: [Tapered; 8] = [s(0, 0), s(0, 2), s(0, 4), s(2, 8), s(8, 20), s(20, 44), s(36, 70), s(0, 0)];
    /// A passed pawn whose next square its own side protects, by rank.
    passed_escorted: [Tapered; 8] = [s(0, 0), s(0, 0), s(2, 2), s(3, 5), s(6, 10), s(12, 18), s(16, 24), s(0, 0)];
    /// For each step from the enemy king to a passed pawn's next square, by rank.
    passed_enemy_king: [Tapered; 8] = [s(0, 0), s(0, 1), s(0, 2), s(0, 5), s(0, 9), s(0, 13), s(0, 15), s(0, 0)];
    /// For each step from the own king to a passed pawn's next square, by rank.
    passed_own_king: [Tapered; 8] = [s(0, 0), s(0, 0), s(0, -1), s(0, -3), s(0, -5), s(0, -7), s(0, -6), s(0, 0)];
    /// The most steps that count as a king's distance from a passed pawn, in squares.
    passed_king_reach: i32 = 5;
    /// A passed pawn that a lone king, or a king with pawns only, can no longer catch.
    unstoppable: Tapered = s(0, 260);

    /// A knight by the number of squares it reaches.
    knight_mobility: [Tapered; 9] = [
        s(-32, -38), s(-20, -26), s(-9, -14), s(-3, -4), s(3, 4), s(8, 10), s(13, 12), s(17, 13), s(21, 13)];
    /// A bishop by the number of squares it reaches, through queens.
    bishop_mobility: [Tapered; 14] = [
        s(-34, -40), s(-22, -27), s(-12, -15), s(-5, -7), s(1, 1), s(6, 8), s(10, 13),
        s(13, 16), s(15, 19), s(16, 20), s(18, 20), s(21, 20), s(23, 22), s(25, 22)];
    /// A rook by the number of squares it reaches, through queens and rooks of its own.
    rook_mobility: [Tapered; 15] = [
        s(-30, -46), s(-19, -30), s(-12, -16), s(-8, -6), s(-5, 2), s(-2, 8), s(1, 13), s(4, 17),
        s(7, 21), s(10, 25), s(12, 28), s(14, 30), s(16, 32), s(17, 33), s(18, 34)];
    /// A queen by the number of squares it reaches.
    queen_mobility: [Tapered; 28] = [
        s(-22, -42), s(-15, -32), s(-11, -24), s(-8, -18), s(-6, -13), s(-4, -9), s(-2, -5), s(-1, -2),
        s(0, 1), s(2, 4), s(3, 7), s(4, 10), s(5, 12), s(6, 14), s(7, 16), s(8, 18),
        s(8, 20), s(9, 21), s(9, 22), s(10, 23), s(10, 24), s(11, 25), s(11, 26), s(12, 27),
        s(12, 28), s(13, 29), s(13, 30), s(14, 31)];

    /// Two bishops or more.
    bishop_pair: Tapered = s(22, 46);
    /// A bishop, for each pawn of its own on squares of its colour.
    bishop_pawns: Tapered = s(-2, -4);
    /// A knight that a pawn protects on the fourth to sixth rank, where no enemy pawn can ever attack it.
    knight_outpost: Tapered = s(24, 15);
    /// A bishop in such a place.
    bishop_outpost: Tapered = s(16, 7);
    /// A minor piece right behind a pawn of either colour.
    minor_behind_pawn: Tapered = s(5, 2);
    /// A rook on a file without pawns.
    rook_open_file: Tapered = s(28, 8);
    /// A rook on a file without pawns of its own.
    rook_semi_open_file: Tapered = s(12, 6);
    /// A rook on the seventh rank while the enemy king stands on the last or enemy pawns on the seventh.
    rook_on_seventh: Tapered = s(4, 18);

    /// Shelter on each of the three files at the king, by distance from the edge and the own pawn's rank; 0 means none.
    shelter: [[Tapered; 8]; 4] = [
        [s(-6, 0), s(38, 0), s(42, 0), s(24, 0), s(14, 0), s(8, 0), s(6, 0), s(0, 0)],
        [s(-30, 0), s(40, 0), s(22, 0), s(-18, 0), s(-14, 0), s(-8, 0), s(-20, 0), s(0, 0)],
        [s(-12, 0), s(36, 0), s(14, 0), s(-2, 0), s(6, 0), s(0, 0), s(-14, 0), s(0, 0)],
        [s(-22, 0), s(4, 0), s(-10, 0), s(-20, 0), s(-20, 0), s(-26, 0), s(-44, 0), s(0, 0)]];
    /// Storm of a free enemy pawn on such a file, by distance from the edge and the enemy pawn's rank; 0 means none.
    storm: [[Tapered; 8]; 4] = [
        [s(-28, 0), s(10, 0), s(-20, 0), s(-42, 0), s(-26, 0), s(-20, 0), s(-18, 0), s(0, 0)],
        [s(-18, 0), s(4, 0), s(-44, 0), s(-26, 0), s(-18, 0), s(-4, 0), s(-8, 0), s(0, 0)],
        [s(-6, 0), s(-16, 0), s(-62, 0), s(-18, 0), s(-6, 0), s(0, 0), s(-2, 0), s(0, 0)],
        [s(0, 0), s(-6, 0), s(-40, 0), s(-10, 0), s(-6, 0), s(0, 0), s(0, 0), s(0, 0)]];
    /// Storm of an enemy pawn that stands right before a pawn of the shelter, by the enemy pawn's rank.
    storm_blocked: [Tapered; 8] =
        [s(0, 0), s(0, 0), s(-34, -22), s(-6, -4), s(2, 0), s(2, 0), s(0, 0), s(0, 0)];

    /// Danger of an attacker of the king's zone by role, in danger points, multiplied by the number of attackers.
    danger_attacker: [i32; 6] = [0, 72, 48, 42, 12, 0];
    /// Danger of each attack on a square beside the king, in danger points.
    danger_hit: i32 = 56;
    /// Danger of each square of the zone that is attacked and not held, in danger points.
    danger_weak_square: i32 = 130;
    /// Danger of a safe check by role, in danger points.
    danger_safe_check: [i32; 6] = [0, 680, 520, 860, 640, 0];
    /// Danger of each square from which a check would lose the piece, in danger points.
    danger_unsafe_check: i32 = 110;
    /// What the attacker's lack of a queen takes off, in danger points.
    danger_no_queen: i32 = 760;
    /// What the shelter takes off, in danger points for 16 centipawns of it.
    danger_shelter: i32 = 18;
    /// Danger of any attack, in danger points.
    danger_base: i32 = 20;
    /// The most danger that counts, in danger points.
    danger_max: i32 = 2400;
    /// Divisor that turns the square of the danger into centipawns of the middlegame.
    danger_mg_divisor: i32 = 6200;
    /// Divisor that turns danger into centipawns of the endgame.
    danger_eg_divisor: i32 = 36;

    /// A pawn attack on a piece, where the pawn is protected or not attacked.
    threat_by_pawn: Tapered = s(56, 32);
    /// A square from which a pawn would attack a piece and to which it can safely advance.
    threat_by_push: Tapered = s(14, 11);
    /// An attack by a minor piece, by the role attacked: pieces of more value, and any that are poorly held.
    threat_by_minor: [Tapered; 6] = [s(3, 12), s(18, 17), s(26, 20), s(42, 30), s(38, 44), s(0, 0)];
    /// An attack by a rook, by the role attacked: queens, and any that are poorly held.
    threat_by_rook: [Tapered; 6] = [s(2, 16), s(20, 24), s(20, 22), s(0, 12), s(36, 18), s(0, 0)];
    /// An attack by the king on pieces and pawns that are poorly held.
    threat_by_king: Tapered = s(10, 28);
    /// A piece or pawn that is attacked and not defended, or a piece attacked twice and poorly held.
    hanging: Tapered = s(28, 16);

    /// Piece values by role, pawn to king, in the units in which winning chances without pawns are counted.
    piece_units: [i32; 6] = [0, 3, 3, 5, 9, 0];
    /// The greatest edge in pieces, in such units, that alone does not win.
    small_edge: i32 = 3;
    /// Scale with a small edge in pieces by the number of the stronger side's pawns, in 64ths.
    few_pawns_scale: [i32; 4] = [10, 46, 56, 61];
    /// Scale where the defender can give a minor piece for the last pawn and the rest cannot win, in 64ths.
    last_pawn_scale: i32 = 26;
    /// Scale where the stronger side has no pawns and too few pieces to give mate, in 64ths.
    no_mate_scale: i32 = 0;
    /// Scale of rook pawns whose queening square the bishop does not control and the defending king holds, in 64ths.
    wrong_rook_pawn_scale: i32 = 1;
    /// Scale of bishops of opposite colours alone, in 64ths.
    opposite_bishops_scale: i32 = 28;
    /// What each passed pawn of the stronger side adds to that scale, in 64ths.
    opposite_bishops_passed: i32 = 5;
    /// Scale of bishops of opposite colours beside other pieces but queens, in 64ths.
    opposite_bishops_pieces_scale: i32 = 52;

    /// Against a bare king, for each step that the stronger king is near it.
    bare_king_near: Tapered = s(0, 8);
    /// Against a bare king, for each step that it is away from the centre.
    bare_king_edge: Tapered = s(0, 12);
    /// Against a bare king by bishop and knight, for each step that it is near a corner of the bishop's colour.
    bare_king_corner: Tapered = s(0, 24);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flat_view_round_trips_and_names_every_number() {
        let values = WEIGHTS.values();
        assert_eq!(WEIGHTS.fields().iter().map(|&(_, _, count)| count).sum::<usize>(), values.len());
        let shifted: Vec<i32> = values.iter().map(|value| value + 1).collect();
        let mut weights = WEIGHTS;
        weights.set_values(&shifted);
        assert_eq!(weights.values(), shifted);
        weights.set_values(&values);
        assert_eq!(weights, WEIGHTS);
    }

    #[test]
    fn squares_are_turned_the_right_way_round() {
        // A pawn on a7 is about to queen; on a2 it stands at home.
        assert_eq!(PIECE_SQUARE[0][48], s(82 + 98, 94 + 178));
        assert_eq!(PIECE_SQUARE[0][8], s(82 - 35, 94 + 13));
    }
}
