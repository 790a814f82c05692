//! Layer 1: the rules of chess, over shakmaty.
//!
//! shakmaty generates and plays moves; this layer adds what a search needs and shakmaty has not: incremental keys for
//! every kind of move, the game's history and its repetitions, static exchange evaluation, a test whether a move gives
//! check, and a 16-bit move. The layers above take their chess vocabulary from here.

mod check;
pub mod chess960;
mod danger;
mod error;
mod game;
pub mod marlin;
mod packed_move;
pub mod packed_position;
mod perft;
mod position;
mod reversible;
mod see;
mod state;
#[cfg(test)]
mod tests;

pub use check::CheckInfo;
pub use danger::{hanging, pinned};
pub use error::PositionError;
pub use game::{Game, History, Repetition, is_fifty_moves};
pub use packed_move::PackedMove;
pub use perft::{divide, perft};
pub use position::{Position, is_noisy, move_target};
pub use reversible::ReversibleMoves;
pub use see::{role_value, see, see_at_least};
pub use state::{Change, State, changes};

pub use shakmaty::attacks;
pub use shakmaty::{Bitboard, Board, CastlingSide, Chess, Color, File, Move, MoveList, Piece, Rank, Role, Square};

/// The most pieces that a game has: as many as it begins with.
pub const MOST_PIECES: usize = 32;

/// The most legal moves that any position has.
pub const MAX_MOVES: usize = 256;
