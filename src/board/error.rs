//! Errors in positions and moves from outside.

use thiserror::Error;

/// A position or move that cannot be used, described in one line.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PositionError {
    /// There is no text.
    #[error("not a FEN: it is empty")]
    Empty,
    /// The text is not a FEN.
    #[error("not a FEN: {reason} in `{fen}`")]
    Syntax {
        /// The offending text.
        fen: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The FEN is well formed but not a legal position.
    #[error("not a legal position: {reason} in `{fen}`")]
    Illegal {
        /// The offending text.
        fen: String,
        /// What is wrong with the position.
        reason: String,
    },
    /// The text is not a move in either notation.
    #[error("`{text}` is not a move")]
    MoveSyntax {
        /// The offending text.
        text: String,
    },
    /// The move is well formed, and several legal moves here are written so.
    #[error("`{text}` is ambiguous: {names}")]
    AmbiguousMove {
        /// The offending text.
        text: String,
        /// The moves that it may mean, in words.
        names: String,
    },
    /// The move is well formed but not legal here.
    #[error("`{text}` is not legal in `{fen}`")]
    IllegalMove {
        /// The offending text.
        text: String,
        /// The position it was tried in.
        fen: String,
    },
}
