//! What a search tells while it runs, and in the end. The search prints nothing: it calls an [`Observer`].

use std::time::Duration;

use super::{CreditStats, LedgerEntry};
use crate::board::Move;
use crate::score::Score;
use crate::tt::Bound;
use crate::units::{Depth, Ply};

/// One iteration of the deepening, finished or failed high or low.
#[derive(Clone, Debug)]
pub struct Iteration {
    /// Number of the iteration. In the deep-blue profile it includes the horizon search's plies, as in the paper.
    pub iteration: Depth,
    /// Nominal depth in software plies: the paper's "minimum software depth".
    pub nominal_depth: Depth,
    /// Deepest ply reached by a full node, extensions included: the paper's "maximum software depth".
    pub max_software: Ply,
    /// Deepest ply reached by any node, horizon search and quiescence included.
    pub max_combined: Ply,
    /// The score for the side to move.
    pub score: Score,
    /// Whether the score is exact, or a bound from a window that failed.
    pub bound: Bound,
    /// The principal variation; never empty where there is a legal move.
    pub pv: Vec<Move>,
    /// What each move of the principal variation did to the accounts; as long as `pv`.
    pub ledger: Vec<LedgerEntry>,
    /// Rank among several principal variations, from 1.
    pub multipv: usize,
    /// Nodes since the search began, all threads.
    pub nodes: u64,
    /// Time since the search began.
    pub elapsed: Duration,
    /// Fill of the transposition table in per mille.
    pub hashfull: usize,
    /// Positions that endgame tables knew, since the search began.
    pub table_hits: u64,
    /// Window failures so far in this iteration.
    pub researches: u32,
    /// What dual credit did in this iteration.
    pub credit: CreditStats,
}

/// Hears what a search does.
pub trait Observer {
    /// An iteration is finished, with an exact score.
    fn iteration(&mut self, iteration: &Iteration) {
        let _ = iteration;
    }

    /// An iteration's window failed; the score is a bound.
    fn bound(&mut self, iteration: &Iteration) {
        let _ = iteration;
    }

    /// The search ended within an iteration that had proven something new: one of the lines as they stand then, best
    /// first. Those that the iteration did not come to are one iteration behind.
    fn unfinished(&mut self, iteration: &Iteration) {
        let _ = iteration;
    }

    /// The search turns to a move at the root: its iteration, the move, and its number from 1.
    fn current_move(&mut self, iteration: Depth, m: Move, number: usize) {
        let _ = (iteration, m, number);
    }

    /// Whether [`Observer::refutation`] is to be called after each iteration.
    fn wants_refutations(&self) -> bool {
        false
    }

    /// A move of the root that is not among the best, first in the line, with what refutes it as far as that is known.
    fn refutation(&mut self, line: &[Move]) {
        let _ = line;
    }

    /// Whether [`Observer::current_line`] is to be called now. Asked every thousand nodes or so.
    fn wants_current_line(&self) -> bool {
        false
    }

    /// The moves from the root to the position being searched, as far as no side passes.
    fn current_line(&mut self, line: &[Move]) {
        let _ = line;
    }
}

/// Hears nothing.
#[derive(Copy, Clone, Debug, Default)]
pub struct Silent;

impl Observer for Silent {}

/// What a search came to.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The move to play; `None` only where there is no legal move.
    pub best_move: Option<Move>,
    /// The reply expected.
    pub ponder: Option<Move>,
    /// The score of the best move for the side to move; the position's evaluation where no move was searched.
    pub score: Score,
    /// The last principal variation.
    pub pv: Vec<Move>,
    /// The last iteration that was finished; 0 if none was.
    pub depth: Depth,
    /// Nodes searched, all threads.
    pub nodes: u64,
    /// Positions that endgame tables knew.
    pub table_hits: u64,
    /// Time used.
    pub elapsed: Duration,
}
