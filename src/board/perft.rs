//! Perft: counting the leaves of the tree of legal moves, which checks move generation and making moves.

use super::{Move, Position};

/// Number of paths of `depth` legal moves; the last ply is counted in bulk.
///
/// Positions carry their incremental key and state, so that the count exercises what the search uses.
pub fn perft(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = position.legal_moves();
    if depth == 1 {
        return moves.len() as u64;
    }
    let mut leaves = 0;
    for &m in &moves {
        let mut next = position.clone();
        next.make(m);
        leaves += perft(&next, depth - 1);
    }
    leaves
}

/// The perft count below each legal move, in generation order; empty at depth 0.
pub fn divide(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    if depth == 0 {
        return Vec::new();
    }
    position.legal_moves().iter().map(|&m| (m, perft(&position.play(m), depth - 1))).collect()
}
