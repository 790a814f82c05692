//! Stand-in that plays the first legal move, until the search is in place.

use std::time::Instant;

use super::{Budget, CreditStats, Iteration, Observer, Outcome};
use crate::board::{Game, Move};
use crate::params::Params;
use crate::score::Score;
use crate::tt::{Bound, Table};

/// What to search.
#[derive(Clone, Debug)]
pub struct Root {
    /// The game so far; its position is the root.
    pub game: Game,
    /// Search these moves only; all legal moves where empty.
    pub search_moves: Vec<Move>,
}

/// One searching thread: its own state, kept from search to search.
pub struct Worker {
    params: Params,
}

impl Worker {
    /// A fresh worker.
    pub fn new(params: Params) -> Worker {
        Worker { params }
    }

    /// Forgets what it learned, before a new game.
    pub fn new_game(&mut self) {}

    /// Replaces the tunables.
    pub fn set_params(&mut self, params: Params) {
        self.params = params;
    }

    /// Searches by iterative deepening until the budget is spent.
    pub fn search(&mut self, root: &Root, table: &Table, budget: &Budget, observer: &mut dyn Observer) -> Outcome {
        let start = Instant::now();
        let moves = root.game.position().legal_moves();
        let best = root.search_moves.first().or(moves.first()).copied();
        for depth in 1..=budget.depth.unwrap_or(4) {
            if budget.stop.is_raised() {
                break;
            }
            observer.iteration(&Iteration {
                iteration: depth,
                nominal_depth: depth,
                max_software: depth,
                max_combined: depth,
                score: Score::ZERO,
                bound: Bound::Exact,
                pv: best.into_iter().collect(),
                multipv: 1,
                nodes: depth as u64,
                elapsed: start.elapsed(),
                hashfull: table.hashfull(),
                researches: 0,
                credit: CreditStats::default(),
            });
        }
        Outcome {
            best_move: best,
            ponder: None,
            score: Score::ZERO,
            pv: best.into_iter().collect(),
            depth: 1,
            nodes: 1,
            elapsed: start.elapsed(),
        }
    }
}
