//! Keys of parts of a position that are cheaper to update than to recompute: of the pawns, of each side's pieces, and
//! of the knights and bishops. Also the pieces that a move lifts and drops, for incremental updates elsewhere.

use shakmaty::zobrist::{Zobrist64, ZobristValue};
use shakmaty::{Board, CastlingSide, Color, Move, Piece, Role, Square};

/// Incremental keys of parts of a position.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Default)]
pub struct State {
    /// Zobrist key of the pawns alone.
    pub pawn_key: u64,
    /// Zobrist keys of each side's king and pieces, White's first.
    pub piece_keys: [u64; 2],
    /// Zobrist key of the knights and bishops of both sides.
    pub minor_key: u64,
}

/// What happens to a piece when a move is made.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// It is lifted from its square.
    Lifted,
    /// It is dropped on its square.
    Dropped,
}

/// Calls `note` for each piece that a legal move of `us` lifts, then for each one that it drops.
#[inline]
pub fn changes(us: Color, m: Move, mut note: impl FnMut(Change, Piece, Square)) {
    match m {
        Move::Normal { role, from, capture, to, promotion } => {
            note(Change::Lifted, role.of(us), from);
            if let Some(captured) = capture {
                note(Change::Lifted, captured.of(!us), to);
            }
            note(Change::Dropped, promotion.unwrap_or(role).of(us), to);
        }
        Move::EnPassant { from, to } => {
            note(Change::Lifted, us.pawn(), from);
            note(Change::Lifted, (!us).pawn(), Square::from_coords(to.file(), from.rank()));
            note(Change::Dropped, us.pawn(), to);
        }
        Move::Castle { king, rook } => {
            let side = CastlingSide::from_king_side(rook > king);
            note(Change::Lifted, us.king(), king);
            note(Change::Lifted, us.rook(), rook);
            note(Change::Dropped, us.king(), side.king_to(us));
            note(Change::Dropped, us.rook(), side.rook_to(us));
        }
        Move::Put { .. } => {}
    }
}

/// The Zobrist key of one piece on one square, as shakmaty defines it.
pub(super) fn piece_key(piece: Piece, square: Square) -> u64 {
    Zobrist64::zobrist_for_piece(square, piece).0
}

impl State {
    /// The state of a board, from scratch.
    pub fn from_board(board: &Board) -> State {
        let mut state = State::default();
        for (square, piece) in board {
            state.toggle(piece, piece_key(piece, square));
        }
        state
    }

    /// Adds a piece to the keys, or removes it; `key` is its [`piece_key`].
    pub(super) fn toggle(&mut self, piece: Piece, key: u64) {
        if piece.role == Role::Pawn {
            self.pawn_key ^= key;
        } else {
            self.piece_keys[piece.color.fold_wb(0, 1)] ^= key;
            if matches!(piece.role, Role::Knight | Role::Bishop) {
                self.minor_key ^= key;
            }
        }
    }
}
