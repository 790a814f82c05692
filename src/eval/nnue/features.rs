//! The network's inputs: which piece stands where, from one side's view.
//!
//! A side sees the board from its own end, with its king on files a to d: otherwise the files are mirrored, as chess is
//! nearly symmetric. The king's square selects one of several sets of weights, by the network's layout.

use crate::board::{Color, Piece, Position, Square, role_number};

/// Inputs of one set of weights: two sides, six roles, 64 squares.
pub(super) const INPUTS: usize = 2 * SIDE;
/// Inputs of one side's pieces.
const SIDE: usize = 6 * SQUARES;
pub(super) const SQUARES: usize = 64;
/// Squares on which a king can be seen: files a to d.
pub(super) const KING_SQUARES: usize = 32;
/// Files on which a king can be seen.
const KING_FILES: usize = 4;

/// Which set of weights belongs to each king square, rank by rank from the side's own end.
pub(super) type Layout = [u8; KING_SQUARES];

/// A side's view of the board, unchanged while its king stays on equivalent squares.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct View {
    color: Color,
    bucket: u8,
    mirrored: bool,
}

impl View {
    /// A side's view with its king on this square.
    pub fn new(layout: &Layout, color: Color, king: Square) -> View {
        let seen = color.fold_wb(king, king.flip_vertical());
        let file = seen.file().to_usize();
        let mirrored = file >= KING_FILES;
        let file = if mirrored { 2 * KING_FILES - 1 - file } else { file };
        View { color, bucket: layout[seen.rank().to_usize() * KING_FILES + file], mirrored }
    }

    /// Both sides' views of a position, White first.
    pub fn both(layout: &Layout, position: &Position) -> [View; 2] {
        // A legal position has both kings.
        let view = |color| View::new(layout, color, position.board().king_of(color).unwrap_or(Square::A1));
        [view(Color::White), view(Color::Black)]
    }

    /// Index of the view among all views of one network.
    pub fn number(self) -> usize {
        (usize::from(self.bucket) * 2 + usize::from(self.mirrored)) * 2 + self.color.fold_wb(0, 1)
    }

    /// Number of views with this many sets of weights.
    pub fn count(buckets: usize) -> usize {
        buckets * 2 * 2
    }

    /// The input of a piece on a square: the index of its row of weights.
    #[inline]
    pub fn feature(self, piece: Piece, square: Square) -> usize {
        let square = self.color.fold_wb(square, square.flip_vertical());
        let square = if self.mirrored { square.flip_horizontal() } else { square };
        let side = if piece.color == self.color { 0 } else { SIDE };
        usize::from(self.bucket) * INPUTS + side + role_number(piece.role) * SQUARES + square.to_usize()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_numbered_as_the_trainer_numbers_them() {
        let layout = [0; KING_SQUARES];
        let white = View::new(&layout, Color::White, Square::C1);
        let black = View::new(&layout, Color::Black, Square::G8);
        // Own pawn on e2: square 12. Seen by Black with the king on the g file: rank 7 is flipped, e becomes d.
        assert_eq!(white.feature(Color::White.pawn(), Square::E2), 12);
        assert_eq!(black.feature(Color::White.pawn(), Square::E2), 384 + 51);
        assert_eq!(white.feature(Color::Black.queen(), Square::A8), 384 + 4 * 64 + 56);
        assert_eq!(black.feature(Color::Black.king(), Square::G8), 5 * 64 + 1);
    }

    #[test]
    fn the_king_chooses_the_set_of_weights() {
        let mut layout = [0; KING_SQUARES];
        layout[2] = 1;
        layout[4 * 7] = 2;
        for (color, king, bucket) in [
            (Color::White, Square::C1, 1),
            (Color::White, Square::F1, 1),
            (Color::Black, Square::C8, 1),
            (Color::Black, Square::H1, 2),
            (Color::White, Square::A8, 2),
            (Color::White, Square::D1, 0),
        ] {
            let view = View::new(&layout, color, king);
            assert_eq!(view.feature(color.pawn(), Square::A2) / INPUTS, bucket, "{king}");
        }
    }

    #[test]
    fn views_have_numbers_of_their_own() {
        let mut layout = [0; KING_SQUARES];
        layout[16..].fill(1);
        let mut seen = [false; 8];
        assert_eq!(View::count(2), seen.len());
        for color in Color::ALL {
            for king in Square::ALL {
                seen[View::new(&layout, color, king).number()] = true;
            }
        }
        assert_eq!(seen, [true; 8]);
    }
}
