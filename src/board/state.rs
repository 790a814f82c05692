//! What the evaluation wants to know of every position and what is cheaper to keep up to date than to recompute:
//! piece-square sums, game phase, and keys of the pawns and of each side's pieces.

use shakmaty::zobrist::{Zobrist64, ZobristValue};
use shakmaty::{Board, Color, Piece, Role, Square};

use crate::params::weights::{PHASE, PIECE_SQUARE};
use crate::units::Tapered;

/// The phase of the opening position; the endgame's is zero.
pub const MAX_PHASE: i32 = 24;

/// Incremental sums over the pieces on the board.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Default)]
pub struct State {
    /// Material and piece-square weights, White's minus Black's.
    pub psq: Tapered,
    /// Sum of the pieces' phase weights: [`MAX_PHASE`] at the start, more after promotions.
    pub phase: i32,
    /// Zobrist key of the pawns alone.
    pub pawn_key: u64,
    /// Zobrist keys of each side's king and pieces, White's first.
    pub piece_keys: [u64; 2],
}

/// The Zobrist key of one piece on one square, as shakmaty defines it.
pub(super) fn piece_key(piece: Piece, square: Square) -> u64 {
    Zobrist64::zobrist_for_piece(square, piece).0
}

/// The weight of one piece on one square, positive for White.
fn piece_square(piece: Piece, square: Square) -> Tapered {
    let weights = &PIECE_SQUARE[piece.role as usize - 1];
    match piece.color {
        Color::White => weights[square.to_usize()],
        Color::Black => -weights[square.flip_vertical().to_usize()],
    }
}

impl State {
    /// The state of a board, from scratch.
    pub fn from_board(board: &Board) -> State {
        let mut state = State::default();
        for (square, piece) in board {
            state.add(piece, square, piece_key(piece, square));
        }
        state
    }

    /// Puts a piece on a square; `key` is its [`piece_key`].
    pub(super) fn add(&mut self, piece: Piece, square: Square, key: u64) {
        self.psq += piece_square(piece, square);
        self.phase += PHASE[piece.role as usize - 1];
        self.toggle(piece, key);
    }

    /// Takes a piece off a square; `key` is its [`piece_key`].
    pub(super) fn remove(&mut self, piece: Piece, square: Square, key: u64) {
        self.psq -= piece_square(piece, square);
        self.phase -= PHASE[piece.role as usize - 1];
        self.toggle(piece, key);
    }

    /// Adds a piece to the keys, or takes it out again.
    fn toggle(&mut self, piece: Piece, key: u64) {
        if piece.role == Role::Pawn {
            self.pawn_key ^= key;
        } else {
            self.piece_keys[piece.color.fold_wb(0, 1)] ^= key;
        }
    }
}
