//! Short mates, proven or refuted by exhaustive search: no evaluation, no pruning, nothing but the rules.

use super::{CheckInfo, Position};

/// Positions between two looks at whether to stop.
const STOP_INTERVAL: u64 = 1 << 12;

/// Searches until a number of positions has been examined.
pub struct MateSolver<'a> {
    /// Remaining number of positions.
    left: u64,
    stop: &'a dyn Fn() -> bool,
}

/// The budget is used up, or the solver was told to stop: nothing is known.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Spent;

impl MateSolver<'_> {
    /// A solver that examines at most this many positions.
    pub fn new(positions: u64) -> MateSolver<'static> {
        MateSolver::until(positions, &|| false)
    }

    /// The same, which also stops when `stop` says so; it is asked now and then.
    pub fn until(positions: u64, stop: &dyn Fn() -> bool) -> MateSolver<'_> {
        MateSolver { left: positions, stop }
    }

    /// The fewest moves, up to `limit`, in which the side to move forces mate; `None` if it does not.
    ///
    /// Draws by repetition and by the fifty-move rule are ignored: they could only prevent a mate.
    ///
    /// # Errors
    ///
    /// [`Spent`].
    pub fn shortest_win(&mut self, position: &Position, limit: u32) -> Result<Option<u32>, Spent> {
        // Without a move, no number of them mates.
        let limit = if position.legal_moves().is_empty() { 0 } else { limit };
        for moves in 1..=limit {
            if self.wins(position, moves)? {
                return Ok(Some(moves));
            }
        }
        Ok(None)
    }

    /// The fewest moves, up to `limit`, in which the side to move is mated whatever it does; `None` if it is not.
    ///
    /// # Errors
    ///
    /// [`Spent`].
    pub fn shortest_loss(&mut self, position: &Position, limit: u32) -> Result<Option<u32>, Spent> {
        for moves in 0..=limit {
            if self.loses(position, moves)? {
                return Ok(Some(moves));
            }
        }
        Ok(None)
    }

    /// Whether the side to move forces mate in at most this many moves.
    ///
    /// # Errors
    ///
    /// [`Spent`].
    pub fn wins(&mut self, position: &Position, moves: u32) -> Result<bool, Spent> {
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
    ///
    /// # Errors
    ///
    /// [`Spent`].
    pub fn loses(&mut self, position: &Position, moves: u32) -> Result<bool, Spent> {
        self.left = self.left.checked_sub(1).ok_or(Spent)?;
        if self.left.is_multiple_of(STOP_INTERVAL) && (self.stop)() {
            return Err(Spent);
        }
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
        assert_eq!(MateSolver::new(0).shortest_win(&stalemate, u32::MAX), Ok(None));
        let mated = position("R6k/8/6K1/8/8/8/8/8 b - - 0 1");
        assert!(matches!(solver.shortest_loss(&mated, 2), Ok(Some(0))));
    }

    #[test]
    fn a_spent_budget_is_no_answer() {
        let start = Position::default();
        assert_eq!(MateSolver::new(100).shortest_win(&start, 9), Err(Spent));
        assert_eq!(MateSolver::until(u64::MAX, &|| true).shortest_win(&start, 9), Err(Spent));
    }
}
