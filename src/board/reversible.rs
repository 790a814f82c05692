//! Reversible moves by their effect on the key: looks up whether two positions are one such move apart.
//!
//! A non-pawn, non-capturing move from one square to another changes the key by the exclusive or of the keys of those
//! squares. All these differences fit into a small table, so that the difference of two keys gives the move, if there
//! is one.

use super::position::turn_key;
use super::state::piece_key;
use super::{Bitboard, Color, Position, Role, Square, attacks};

/// Slots of the table: a power of two, more than twice the 3668 moves there are.
const SLOTS: usize = 8192;

/// A piece and the two squares it moves between.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
struct Entry {
    key: u64,
    squares: [Square; 2],
}

/// Every piece but pawns, between every two squares that it moves between on an empty board.
pub struct ReversibleMoves {
    slots: Vec<Option<Entry>>,
}

impl ReversibleMoves {
    /// The table; it is the same every time.
    pub fn new() -> ReversibleMoves {
        let mut moves = ReversibleMoves { slots: vec![None; SLOTS] };
        for color in Color::ALL {
            for role in Role::ALL.into_iter().filter(|&role| role != Role::Pawn) {
                let piece = role.of(color);
                for from in Square::ALL {
                    // Each pair of squares once.
                    for to in attacks::attacks(from, piece, Bitboard::EMPTY).into_iter().filter(|&to| to > from) {
                        let key = piece_key(piece, from) ^ piece_key(piece, to);
                        moves.insert(Entry { key, squares: [from, to] });
                    }
                }
            }
        }
        moves
    }

    fn insert(&mut self, entry: Entry) {
        let mut slot = Self::home(entry.key);
        while self.slots[slot].is_some() {
            slot = (slot + 1) % SLOTS;
        }
        self.slots[slot] = Some(entry);
    }

    fn home(key: u64) -> usize {
        key as usize % SLOTS
    }

    /// The squares of the move that changes the key by this much.
    fn squares(&self, key: u64) -> Option<[Square; 2]> {
        let mut slot = Self::home(key);
        while let Some(entry) = self.slots[slot] {
            if entry.key == key {
                return Some(entry.squares);
            }
            slot = (slot + 1) % SLOTS;
        }
        None
    }

    /// The side whose single reversible move separates `position` from an earlier one with the key `earlier` and the
    /// other side to move; `None` if they differ by more or less than that.
    ///
    /// If it is the side to move, its move leads back to the earlier position. If it is the other side, it could have
    /// come here from there in one move.
    pub fn side_between(&self, position: &Position, earlier: u64) -> Option<Color> {
        let [a, b] = self.squares(position.key() ^ earlier ^ turn_key())?;
        let board = position.board();
        // The piece stands on one of the squares now; the path to the other must be free.
        let is_free = (attacks::between(a, b) & board.occupied()).is_empty();
        is_free.then(|| board.color_at(a).or(board.color_at(b))).flatten()
    }
}

impl Default for ReversibleMoves {
    fn default() -> ReversibleMoves {
        ReversibleMoves::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_is_found_and_nothing_else() {
        let moves = ReversibleMoves::new();
        // Counted by hand: 728 pairs for the queen, 448 rook, 280 bishop, 168 knight and 210 king pairs, two colours.
        assert_eq!(moves.slots.iter().flatten().count(), 2 * (728 + 448 + 280 + 168 + 210));
        let rook = Color::Black.rook();
        let key = |a, b| piece_key(rook, a) ^ piece_key(rook, b);
        assert_eq!(moves.squares(key(Square::H8, Square::A8)), Some([Square::A8, Square::H8]));
        assert_eq!(moves.squares(key(Square::H8, Square::A7)), None);
        assert_eq!(moves.squares(0), None);
    }
}
