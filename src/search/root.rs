//! The root of the tree: which moves it has, and the best line found so far.

use super::endgames::RootKnowledge;
use super::pv::Line;
use crate::board::{Move, Position};
use crate::score::Score;

/// A line that the running iteration has proven better than what came before.
#[derive(Clone, Debug)]
pub(super) struct BestLine {
    pub score: Score,
    pub line: Line,
}

/// What a search keeps about its root.
pub(super) struct RootState {
    /// The position.
    pub position: Position,
    /// The moves to search: all legal ones, or those asked for.
    pub moves: Vec<Move>,
    /// Whether some legal moves are left out, so that the root's score is not the position's.
    pub is_restricted: bool,
    /// Searched first: the best move of the last iteration, or a better one found since.
    pub first_move: Option<Move>,
    /// The best line of the running window, once a move has exceeded alpha.
    pub best: Option<BestLine>,
    /// Number of the iteration, for reports of the current move.
    pub iteration: i32,
    /// What endgame tables say of the moves.
    pub known: RootKnowledge,
}

impl RootState {
    /// A root with these moves only; with all legal moves where none is legal among them.
    pub fn new(position: Position, search_moves: &[Move]) -> RootState {
        let legal = position.legal_moves();
        let mut moves: Vec<Move> = legal.iter().copied().filter(|m| search_moves.contains(m)).collect();
        if moves.is_empty() {
            moves = legal.to_vec();
        }
        let is_restricted = moves.len() < legal.len();
        let known = RootKnowledge::default();
        RootState { position, moves, is_restricted, first_move: None, best: None, iteration: 0, known }
    }
}
