//! Evaluation weights: one place, read by the incremental state and by the evaluation.
//!
//! All are in centipawns unless their description says otherwise. Ranks count from the owner's side of the board, 0 to
//! 7. The declaration below yields the struct, its source form and a flat view for tuners, in which a tapered weight is
//! two numbers: middlegame, then endgame. The values are in `weights/values.rs`, which `pacioli lab tune` writes.

mod values;

pub use values::WEIGHTS;

use std::fmt::Write;

use crate::units::Tapered;

/// Phase weight by role, pawn to king; the opening position sums to [`crate::eval::MAX_PHASE`].
pub const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];

/// The scale that leaves an evaluation unchanged; scales are in 64ths.
pub const FULL_SCALE: i32 = 64;

/// Material plus piece-square weight by role (pawn to king) and square (a1 first), from White's side.
pub static PIECE_SQUARE: [[Tapered; 64]; 6] = piece_square_sums(&WEIGHTS);

/// The head of the file with the values.
const VALUES_HEAD: &str = "\
//! The values of the evaluation's weights, as `pacioli lab tune` wrote them; docs/evaluation.md says from which data.

use super::{Weights, s};

/// The weights that the engine plays with.
#[rustfmt::skip]
pub const WEIGHTS: Weights = Weights {
";

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

/// Types with a flat view as numbers.
trait Flat {
    /// Whether its numbers are pairs for middlegame and endgame.
    const TAPERED: bool;
    /// Whether it is written as one word, so that several fit on a line.
    const IS_LEAF: bool;
    /// Appends its Rust source; continuation lines are indented by this many spaces.
    fn write_source(&self, out: &mut String, indent: usize);
    /// Appends the numbers.
    fn push_to(&self, values: &mut Vec<i32>);
    /// Takes as many numbers as it has; keeps the rest unchanged if they run out.
    fn pull_from(&mut self, values: &mut dyn Iterator<Item = i32>);
}

impl Flat for i32 {
    const TAPERED: bool = false;
    const IS_LEAF: bool = true;
    fn write_source(&self, out: &mut String, _: usize) {
        // Writing to a string cannot fail.
        let _ = write!(out, "{self}");
    }
    fn push_to(&self, values: &mut Vec<i32>) {
        values.push(*self);
    }
    fn pull_from(&mut self, values: &mut dyn Iterator<Item = i32>) {
        *self = values.next().unwrap_or(*self);
    }
}

impl Flat for Tapered {
    const TAPERED: bool = true;
    const IS_LEAF: bool = true;
    fn write_source(&self, out: &mut String, _: usize) {
        let _ = write!(out, "s({}, {})", self.mg(), self.eg());
    }
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
    const TAPERED: bool = T::TAPERED;
    const IS_LEAF: bool = false;
    fn write_source(&self, out: &mut String, indent: usize) {
        let per_line = if T::IS_LEAF { 8 } else { 1 };
        let in_one_line = T::IS_LEAF && N <= per_line;
        out.push('[');
        for (index, item) in self.iter().enumerate() {
            if in_one_line {
                out.push_str(if index == 0 { "" } else { ", " });
            } else if index % per_line == 0 {
                let _ = write!(out, "\n{:1$}", "", indent + 4);
            } else {
                out.push(' ');
            }
            item.write_source(out, indent + 4);
            if !in_one_line {
                out.push(',');
            }
        }
        if !in_one_line {
            let _ = write!(out, "\n{:1$}", "", indent);
        }
        out.push(']');
    }
    fn push_to(&self, values: &mut Vec<i32>) {
        self.iter().for_each(|item| item.push_to(values));
    }
    fn pull_from(&mut self, values: &mut dyn Iterator<Item = i32>) {
        self.iter_mut().for_each(|item| item.pull_from(values));
    }
}

/// One weight of [`Weights`].
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// How many numbers it has in the flat view.
    pub count: usize,
    /// Whether they are pairs for middlegame and endgame.
    pub tapered: bool,
}

/// Declares [`Weights`], its flat view and its source form from one list.
macro_rules! weights {
    ($( #[doc = $meaning:literal] $name:ident: $kind:ty; )*) => {
        /// A full set of evaluation weights.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Weights {
            $( #[doc = $meaning] pub $name: $kind, )*
        }

        impl Weights {
            /// Every number in the order of declaration.
            pub fn values(&self) -> Vec<i32> {
                let mut values = Vec::new();
                $( self.$name.push_to(&mut values); )*
                values
            }

            /// Takes numbers in the order of [`Weights::values`]; weights beyond their end stay unchanged.
            pub fn set_values(&mut self, values: &[i32]) {
                let mut values = values.iter().copied();
                $( self.$name.pull_from(&mut values); )*
            }

            /// Every weight, in the order of declaration.
            pub fn fields(&self) -> Vec<Field> {
                let mut values = Vec::new();
                vec![$({
                    values.clear();
                    self.$name.push_to(&mut values);
                    Field {
                        name: stringify!($name),
                        count: values.len(),
                        tapered: <$kind as Flat>::TAPERED,
                    }
                }),*]
            }

            /// The file `weights/values.rs` with these values.
            pub fn source(&self) -> String {
                let mut out = VALUES_HEAD.to_owned();
                $(
                    out.push_str(concat!("    ", stringify!($name), ": "));
                    self.$name.write_source(&mut out, 4);
                    out.push_str(",\n");
                )*
                out.push_str("};\n");
                out
            }
        }
    };
}

weights! {
    /// Material by role, pawn to king.
    material: [Tapered; 6];
    /// Placement by role, pawn to king, and square, a1 first, from White's side.
    squares: [[Tapered; 64]; 6];
    /// For the side to move.
    tempo: Tapered;

    /// A pawn without own pawns on the adjacent files.
    isolated: Tapered;
    /// A pawn with an own pawn in front of it on the file.
    doubled: Tapered;
    /// A pawn left behind by its neighbours whose next square is attacked by an enemy pawn.
    backward: Tapered;
    /// An isolated or backward pawn with no enemy pawn in front, so that rooks can attack it.
    weak_unopposed: Tapered;
    /// A pawn with an own pawn next to it, by rank.
    phalanx: [Tapered; 8];
    /// A pawn protected by an own pawn, by rank.
    protected_pawn: [Tapered; 8];
    /// A pawn with none in front of it on its file, and as many supporting pawns as enemy ones that stop it, by rank.
    candidate: [Tapered; 8];

    /// A passed pawn, by rank.
    passed: [Tapered; 8];
    /// A passed pawn whose next square is empty, by rank.
    passed_free: [Tapered; 8];
    /// A passed pawn whose whole path is empty and not attacked, by rank.
    passed_safe_path: [Tapered; 8];
    /// A passed pawn with an own pawn next to it or protecting it, by rank.
    passed_connected: [Tapered; 8];
    /// A passed pawn with an own rook behind it.
    passed_own_rook: Tapered;
    /// A passed pawn with an enemy rook behind it.
    passed_enemy_rook: Tapered;
    /// A passed pawn whose next square is protected by its own side, by rank.
    passed_escorted: [Tapered; 8];
    /// For each step from the enemy king to a passed pawn's next square, by rank.
    passed_enemy_king: [Tapered; 8];
    /// For each step from the own king to a passed pawn's next square, by rank.
    passed_own_king: [Tapered; 8];
    /// The largest distance that counts from a king to a passed pawn, in squares.
    passed_king_reach: i32;
    /// A passed pawn that a lone king, or a king with pawns only, can no longer catch.
    unstoppable: Tapered;

    /// A knight by the number of squares it reaches.
    knight_mobility: [Tapered; 9];
    /// A bishop by the number of squares it reaches, through queens.
    bishop_mobility: [Tapered; 14];
    /// A rook by the number of squares it reaches, through queens and own rooks.
    rook_mobility: [Tapered; 15];
    /// A queen by the number of squares it reaches.
    queen_mobility: [Tapered; 28];

    /// Two bishops or more.
    bishop_pair: Tapered;
    /// A bishop, for each own pawn on squares of its colour.
    bishop_pawns: Tapered;
    /// A knight protected by a pawn on the fourth to sixth rank, where no enemy pawn can ever attack it.
    knight_outpost: Tapered;
    /// A bishop on such an outpost.
    bishop_outpost: Tapered;
    /// A knight that can move to such an outpost.
    outpost_in_reach: Tapered;
    /// A knight, for each own pawn.
    knight_pawns: Tapered;
    /// A rook, for each own pawn.
    rook_pawns: Tapered;
    /// A knight, for each step to its own king.
    knight_king_distance: Tapered;
    /// A bishop, for each step to its own king.
    bishop_king_distance: Tapered;
    /// A minor piece directly behind a pawn of either colour.
    minor_behind_pawn: Tapered;
    /// A rook on a file without pawns.
    rook_open_file: Tapered;
    /// A rook on a file without own pawns.
    rook_semi_open_file: Tapered;
    /// A rook on the seventh rank with the enemy king on the last rank or enemy pawns on the seventh.
    rook_on_seventh: Tapered;

    /// Shelter on each of the three files at the king, by distance from the edge and our pawn's rank; 0 means none.
    shelter: [[Tapered; 8]; 4];
    /// Storm of a free enemy pawn on such a file, by distance from the edge and the enemy pawn's rank; 0 means none.
    storm: [[Tapered; 8]; 4];
    /// Storm of an enemy pawn directly in front of a shelter pawn, by the enemy pawn's rank.
    storm_blocked: [Tapered; 8];

    /// Danger of each attack on a square of the king's flank in its own half, in danger points.
    danger_flank: i32;
    /// Danger of an attacker of the king's zone by role, in danger points, multiplied by the number of attackers.
    danger_attacker: [i32; 6];
    /// Danger of each attack on a square next to the king, in danger points.
    danger_hit: i32;
    /// Danger of each attacked square of the zone that at most the king or the queen alone defends, in danger points.
    danger_weak_square: i32;
    /// Danger of a safe check by role, in danger points.
    danger_safe_check: [i32; 6];
    /// Danger of each square from which a check would lose the piece, in danger points.
    danger_unsafe_check: i32;
    /// Reduction of danger if the attacker has no queen, in danger points.
    danger_no_queen: i32;
    /// Reduction of danger by the shelter, in danger points per 16 centipawns.
    danger_shelter: i32;
    /// Danger of any attack, in danger points.
    danger_base: i32;
    /// The upper limit of danger, in danger points.
    danger_max: i32;
    /// Divisor that turns the square of the danger into centipawns of the middlegame.
    danger_mg_divisor: i32;
    /// Divisor that turns danger into centipawns of the endgame.
    danger_eg_divisor: i32;

    /// A piece attacked by a pawn that is protected or not attacked.
    threat_by_pawn: Tapered;
    /// A piece that no pawn attacks now, but one would after an advance to a safe square.
    threat_by_push: Tapered;
    /// What a minor piece attacks, by the role attacked: rooks, queens, and pieces and pawns that are weakly defended.
    threat_by_minor: [Tapered; 6];
    /// What a rook attacks, by the role attacked: queens, and pieces and pawns that are weakly defended.
    threat_by_rook: [Tapered; 6];
    /// A king that attacks weakly defended pieces or pawns, however many.
    threat_by_king: Tapered;
    /// A piece or pawn that is attacked and undefended, or a piece attacked twice and weakly defended.
    hanging: Tapered;

    /// A square from which a knight could safely attack the enemy's only queen.
    threat_on_queen_by_knight: Tapered;
    /// A square from which a bishop or rook could safely attack the enemy's only queen.
    threat_on_queen_by_slider: Tapered;
    /// A square that both sides attack and the enemy does not hold strongly, whatever stands on it.
    restricted: Tapered;

    /// A safe square for pieces in the centre of our own half, for each piece that may use it.
    space: Tapered;
    /// Such a square behind an own pawn, in addition.
    space_behind_pawn: Tapered;

    /// Piece values by role, pawn to king, in units for judging whether material wins without pawns.
    piece_units: [i32; 6];
    /// The largest advantage in pieces, in such units, that does not win by itself.
    small_edge: i32;
    /// Scale with a small advantage in pieces, by the number of the stronger side's pawns, in 64ths.
    few_pawns_scale: [i32; 4];
    /// Scale if the defender can give a minor piece for the last pawn and the rest cannot win, in 64ths.
    last_pawn_scale: i32;
    /// Scale if the stronger side has no pawns and too few pieces to mate, in 64ths.
    no_mate_scale: i32;
    /// Scale of rook pawns alone or with the wrong bishop, if the defending king holds the queening square, in 64ths.
    wrong_rook_pawn_scale: i32;
    /// Scale of opposite-coloured bishops alone, in 64ths.
    opposite_bishops_scale: i32;
    /// What each passed pawn of the stronger side adds to that scale, in 64ths.
    opposite_bishops_passed: i32;
    /// Scale of opposite-coloured bishops with other pieces except queens, in 64ths.
    opposite_bishops_pieces_scale: i32;

    /// A pawn that wins against a bare king.
    won_pawn_ending: Tapered;
    /// Against a bare king, for each step that the stronger king is closer to it.
    bare_king_near: Tapered;
    /// Against a bare king, for each step that it is further from the centre.
    bare_king_edge: Tapered;
    /// Against a bare king with bishop and knight, for each step that it is closer to a corner of the bishop's colour.
    bare_king_corner: Tapered;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flat_view_round_trips_and_names_every_number() {
        let values = WEIGHTS.values();
        assert_eq!(WEIGHTS.fields().iter().map(|field| field.count).sum::<usize>(), values.len());
        let shifted: Vec<i32> = values.iter().map(|value| value + 1).collect();
        let mut weights = WEIGHTS;
        weights.set_values(&shifted);
        assert_eq!(weights.values(), shifted);
        weights.set_values(&values);
        assert_eq!(weights, WEIGHTS);
    }

    #[test]
    fn squares_are_turned_the_right_way_round() {
        for (role, squares) in PIECE_SQUARE.iter().enumerate() {
            for (square, &sum) in squares.iter().enumerate() {
                assert_eq!(sum, WEIGHTS.material[role] + WEIGHTS.squares[role][square]);
            }
        }
        // A pawn on a7 is about to queen; on a2 it is on its initial square.
        assert!(PIECE_SQUARE[0][48].eg() > PIECE_SQUARE[0][8].eg() + 50);
    }
}
