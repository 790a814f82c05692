//! Short mates, proven or refuted by exhaustive search: no evaluation, no pruning, nothing but the rules.

use crate::board::{CheckInfo, Position};

/// Searches until a number of positions has been examined.
pub(super) struct MateSolver {
    /// Remaining number of positions.
    left: u64,
}

/// The budget is used up: nothing is known.
pub(super) struct Spent;

impl MateSolver {
    /// A solver that examines at most this many positions.
    pub fn new(positions: u64) -> MateSolver {
        MateSolver { left: positions }
    }

    /// The fewest moves, up to `limit`, in which the side to move forces mate; `None` if it does not.
    pub fn shortest_win(&mut self, position: &Position, limit: u32) -> Result<Option<u32>, Spent> {
        for moves in 1..=limit {
            if self.wins(position, moves)? {
                return Ok(Some(moves));
            }
        }
        Ok(None)
    }

    /// The fewest moves, up to `limit`, in which the side to move is mated whatever it does; `None` if it is not.
    pub fn shortest_loss(&mut self, position: &Position, limit: u32) -> Result<Option<u32>, Spent> {
        for moves in 0..=limit {
            if self.loses(position, moves)? {
                return Ok(Some(moves));
            }
        }
        Ok(None)
    }

    /// Whether the side to move forces mate in at most this many moves.
    fn wins(&mut self, position: &Position, moves: u32) -> Result<bool, Spent> {
        let info = CheckInfo::new(position);
        for m in position.legal_moves() {
            // The last move of a mate is a check.
            if (moves > 1 || info.gives_check(position, m)) && self.loses(&position.play(m), moves - 1)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the side to move is mated in at most this many moves of its opponent; at 0, whether it is mate now.
    pub fn loses(&mut self, position: &Position, moves: u32) -> Result<bool, Spent> {
        self.left = self.left.checked_sub(1).ok_or(Spent)?;
        let replies = position.legal_moves();
        if replies.is_empty() {
            return Ok(position.in_check());
        }
        if moves == 0 {
            return Ok(false);
        }
        for m in replies {
            if !self.wins(&position.play(m), moves)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(fen: &str) -> Position {
        Position::from_fen(fen, false).unwrap()
    }

    #[test]
    fn short_mates_are_found_and_long_ones_are_not() {
        let mut solver = MateSolver::new(10_000_000);
        // Rook and king against king: a mate in one, and a mate in two.
        let one = position("7k/8/6K1/8/8/8/8/R7 w - - 0 1");
        assert!(matches!(solver.shortest_win(&one, 3), Ok(Some(1))));
        let two = position("7k/8/5K2/8/8/8/8/R7 w - - 0 1");
        assert!(matches!(solver.shortest_win(&two, 3), Ok(Some(2))));
        assert!(matches!(solver.shortest_win(&two, 1), Ok(None)));
        let lost = position("7k/8/6K1/8/8/8/8/R7 b - - 0 1");
        assert!(matches!(solver.shortest_loss(&lost, 2), Ok(Some(1))));
        let stalemate = position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
        assert!(matches!(solver.shortest_loss(&stalemate, 2), Ok(None)));
        let mated = position("R6k/8/6K1/8/8/8/8/8 b - - 0 1");
        assert!(matches!(solver.shortest_loss(&mated, 2), Ok(Some(0))));
    }

    #[test]
    fn a_spent_budget_is_no_answer() {
        let start = Position::default();
        assert!(MateSolver::new(100).shortest_win(&start, 9).is_err());
    }
}
