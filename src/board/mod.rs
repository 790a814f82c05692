//! Layer 1: the rules of chess, over shakmaty.
//!
//! shakmaty generates and plays moves; this layer adds what a search needs and shakmaty lacks: incremental keys for
//! every kind of move, moves by stages, the game's history and its repetitions, static exchange evaluation, a test for
//! checking moves, and a 16-bit move. The layers above take their chess vocabulary from here.

mod check;
pub mod chess960;
mod danger;
mod error;
mod game;
mod generate;
pub mod marlin;
mod mates;
mod notation;
mod packed_move;
pub mod packed_position;
mod perft;
mod position;
mod reversible;
mod rights;
mod see;
mod state;
#[cfg(test)]
mod tests;

pub use check::CheckInfo;
pub use danger::{attacked, attacked_by, attacked_by_pawns, hanging, pinned};
pub use error::PositionError;
pub use game::{FIFTY_MOVES, Game, History, Repetition, is_fifty_moves};
pub use generate::{Generator, Group, Groups};
pub use mates::{MateSolver, Spent};
pub use notation::{START, START_FEN, assumed, castling_san, is_mark, names_rooks, respelled};
pub use packed_move::PackedMove;
pub use perft::{divide, perft};
pub use position::{Position, is_noisy, move_target};
pub use reversible::ReversibleMoves;
pub use rights::{impossible_rights, left_out};
pub use see::{role_value, see, see_at_least};
pub use state::{Change, State, changes};

pub use shakmaty::attacks;
pub use shakmaty::{Bitboard, Board, CastlingSide, Chess, Color, File, Move, MoveList, Piece, Rank, Role, Square};

/// The most pieces of a side: the number it starts with.
const MOST_PIECES_OF_A_SIDE: usize = 16;
/// The most pieces on a board.
pub const MOST_PIECES: usize = 2 * MOST_PIECES_OF_A_SIDE;

/// More legal moves than sixteen pieces of any kind have: a [`MoveList`] holds as many. A search for the position with
/// the most found 245, with fifteen queens; in a game it is 218. With twenty-nine pieces there are positions with 271.
pub const MAX_MOVES: usize = 270;

/// Roles from 0, pawn to king: indices of tables.
#[inline]
pub const fn role_number(role: Role) -> usize {
    role as usize - 1
}
