//! Material and placement: a sum over the pieces, updated incrementally along the search path, with the game phase.

use crate::board::{Board, Change, Color, Move, Piece, Position, Square, changes, role_number};
use crate::params::weights::{PHASE, PIECE_SQUARE};
use crate::units::Tapered;

/// The phase of the opening position; the endgame's is zero.
pub const MAX_PHASE: i32 = 24;

/// Sums over the pieces on the board.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Default)]
pub(super) struct Placement {
    /// Material and piece-square weights, White's minus Black's.
    pub sum: Tapered,
    /// Sum of the pieces' phase weights: [`MAX_PHASE`] at the start, more after promotions.
    pub phase: i32,
}

impl Placement {
    /// The placement of a board, from scratch.
    pub fn new(board: &Board) -> Placement {
        let mut placement = Placement::default();
        for (square, piece) in board {
            placement.note(Change::Dropped, piece, square);
        }
        placement
    }

    /// The placement after a move of `us`.
    fn after(mut self, us: Color, m: Move) -> Placement {
        changes(us, m, |change, piece, square| self.note(change, piece, square));
        self
    }

    /// Adds or removes a piece.
    fn note(&mut self, change: Change, piece: Piece, square: Square) {
        let role = role_number(piece.role);
        let weight = match piece.color {
            Color::White => PIECE_SQUARE[role][square.to_usize()],
            Color::Black => -PIECE_SQUARE[role][square.flip_vertical().to_usize()],
        };
        match change {
            Change::Dropped => {
                self.sum += weight;
                self.phase += PHASE[role];
            }
            Change::Lifted => {
                self.sum -= weight;
                self.phase -= PHASE[role];
            }
        }
    }
}

/// The placements along a path.
pub(super) struct Placements {
    /// For each position its key and placement.
    path: Vec<(u64, Placement)>,
}

impl Placements {
    /// An empty path.
    pub fn new() -> Placements {
        Placements { path: Vec::new() }
    }

    /// Begins a path at this position.
    pub fn begin(&mut self, position: &Position) {
        self.path.clear();
        self.path.push((position.key(), Placement::new(position.board())));
    }

    /// Follows a move, or a null move, to the position after it.
    pub fn enter(&mut self, m: Option<Move>, child: &Position) {
        let last = self.last().map_or_else(Placement::default, |(_, placement)| placement);
        let placement = m.map_or(last, |m| last.after(!child.turn(), m));
        self.path.push((child.key(), placement));
    }

    /// Undoes the last move.
    pub fn leave(&mut self) {
        self.path.pop();
    }

    /// The last position's key and placement.
    pub fn last(&self) -> Option<(u64, Placement)> {
        self.path.last().copied()
    }

    /// The placement of a position: the stored one if it is the last of the path, else from scratch.
    pub fn of(&self, position: &Position) -> Placement {
        match self.last() {
            Some((key, placement)) if key == position.key() => placement,
            _ => Placement::new(position.board()),
        }
    }
}
