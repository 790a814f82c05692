//! Set-wise board geometry from either side's point of view.
//!
//! Everything that depends on the direction in which pawns move is generic over [`Side`], so that each term is
//! written once and compiled for both colours without a branch.

use crate::board::{Bitboard, Color, File, Square, attacked_by_pawns};

/// The a-file, from which the others follow.
const A_FILE: Bitboard = Bitboard(0x0101_0101_0101_0101);
/// The h-file.
const H_FILE: Bitboard = Bitboard(0x8080_8080_8080_8080);
/// The three by three squares around b2.
const CORNER_ZONE: u64 = 0x07_0707;

/// A colour known at compile time.
pub(super) trait Side {
    /// The colour.
    const COLOR: Color;
    /// The colour as an index.
    const INDEX: usize = Self::COLOR as usize;
    /// The other side.
    type Enemy: Side<Enemy = Self>;

    /// The set shifted one rank forward.
    fn forward(set: Bitboard) -> Bitboard;
    /// The set and every square in front of it on its files.
    fn front_fill(set: Bitboard) -> Bitboard;

    /// The square as this side sees it.
    fn seen(square: Square) -> Square {
        Self::COLOR.fold_wb(square, square.flip_vertical())
    }

    /// The square's rank from this side, 0 to 7.
    fn rank(square: Square) -> usize {
        Self::COLOR.relative_rank(square.rank()).to_usize()
    }

    /// The squares from rank `first` to rank `last`, both counted from this side.
    fn ranks(first: u32, last: u32) -> Bitboard {
        let (low, high) = Self::COLOR.fold_wb((first, last), (7 - last, 7 - first));
        Bitboard((u64::MAX << (8 * low)) & (u64::MAX >> (8 * (7 - high))))
    }

    /// The square on which a pawn on this file queens.
    fn queening_square(file: File) -> Square {
        Square::from_coords(file, (!Self::COLOR).backrank())
    }
}

/// White.
pub(super) struct White;
/// Black.
pub(super) struct Black;

impl Side for White {
    const COLOR: Color = Color::White;
    type Enemy = Black;

    fn forward(set: Bitboard) -> Bitboard {
        Bitboard(set.0 << 8)
    }

    fn front_fill(set: Bitboard) -> Bitboard {
        let set = set.0 | (set.0 << 8);
        let set = set | (set << 16);
        Bitboard(set | (set << 32))
    }
}

impl Side for Black {
    const COLOR: Color = Color::Black;
    type Enemy = White;

    fn forward(set: Bitboard) -> Bitboard {
        Bitboard(set.0 >> 8)
    }

    fn front_fill(set: Bitboard) -> Bitboard {
        let set = set.0 | (set.0 >> 8);
        let set = set | (set >> 16);
        Bitboard(set | (set >> 32))
    }
}

/// The set shifted one file towards the h-file.
fn east(set: Bitboard) -> Bitboard {
    Bitboard((set & !H_FILE).0 << 1)
}

/// The set shifted one file towards the a-file.
fn west(set: Bitboard) -> Bitboard {
    Bitboard((set & !A_FILE).0 >> 1)
}

/// The squares horizontally adjacent to the set.
pub(super) fn beside(set: Bitboard) -> Bitboard {
    east(set) | west(set)
}

/// All squares of the files that the set touches.
pub(super) fn file_fill(set: Bitboard) -> Bitboard {
    White::front_fill(set) | Black::front_fill(set)
}

/// The squares that pawns of this side attack.
pub(super) fn pawn_attacks<S: Side>(pawns: Bitboard) -> Bitboard {
    attacked_by_pawns(pawns, S::COLOR)
}

/// The squares attacked by two pawns of this side.
pub(super) fn double_pawn_attacks<S: Side>(pawns: Bitboard) -> Bitboard {
    let ahead = S::forward(pawns);
    east(ahead) & west(ahead)
}

/// All squares of one file.
pub(super) fn file_of(square: Square) -> Bitboard {
    Bitboard::from_file(square.file())
}

/// All squares of the four files in the middle.
pub(super) fn centre_files() -> Bitboard {
    king_flank(Square::D1)
}

/// The king's zone: the three by three squares around it, shifted inwards at the edge, so that a king in the corner has
/// as large a zone as any other.
pub(super) fn king_zone(king: Square) -> Bitboard {
    let index = king.to_usize();
    let (file, rank) = ((index & 7).clamp(1, 6) - 1, (index >> 3).clamp(1, 6) - 1);
    Bitboard(CORNER_ZONE << (8 * rank + file))
}

/// The four files on the king's side of the board, or in the middle for a king on the d- or e-file.
pub(super) fn king_flank(king: Square) -> Bitboard {
    let first = match king.to_usize() & 7 {
        0..=2 => 0,
        3 | 4 => 2,
        _ => 4,
    };
    Bitboard((A_FILE.0 | A_FILE.0 << 1 | A_FILE.0 << 2 | A_FILE.0 << 3) << first)
}

/// The number of squares in a set.
pub(super) fn count(set: Bitboard) -> i32 {
    set.0.count_ones() as i32
}

/// Number of king moves between two squares.
pub(super) fn distance(a: Square, b: Square) -> i32 {
    a.distance(b) as i32
}

/// Number of king moves to the four centre squares.
pub(super) fn centre_distance(square: Square) -> i32 {
    let index = square.to_usize() as i32;
    let off = |line: i32| (3 - line).max(line - 4);
    off(index & 7).max(off(index >> 3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_look_in_opposite_directions() {
        let e4 = Bitboard::from_square(Square::E4);
        assert_eq!(White::forward(e4), Bitboard::from_square(Square::E5));
        assert_eq!(Black::forward(e4), Bitboard::from_square(Square::E3));
        assert_eq!(count(White::front_fill(e4)), 5);
        assert_eq!(count(Black::front_fill(e4)), 4);
        assert_eq!((White::rank(Square::E4), Black::rank(Square::E4)), (3, 4));
        assert_eq!(White::ranks(3, 5), Bitboard(0x0000_ffff_ff00_0000));
        assert_eq!(Black::ranks(0, 0), Bitboard(0xff00_0000_0000_0000));
    }

    #[test]
    fn pawns_do_not_attack_round_the_edge() {
        let edge = Bitboard::from_square(Square::A2) | Bitboard::from_square(Square::H2);
        assert_eq!(pawn_attacks::<White>(edge), Bitboard::from_square(Square::B3) | Bitboard::from_square(Square::G3));
    }

    #[test]
    fn zones_keep_their_size_at_the_edge() {
        for square in Square::ALL {
            assert_eq!(count(king_zone(square)), 9);
            assert!(king_zone(square).contains(square));
        }
        assert_eq!((centre_distance(Square::A1), centre_distance(Square::E5)), (3, 0));
    }
}
