//! What one search is about: the request, the settings, and the thread.

use std::sync::Arc;

use super::budget::Budget;
use super::crew::Crew;
use super::picker::OrderingWeights;
use super::reductions::Reductions;
use crate::board::{Game, Move, ReversibleMoves};
use crate::params::Params;
use crate::syzygy::Tables;
use crate::tt::Table;
use crate::units::Depth;

/// What to search.
#[derive(Clone, Debug)]
pub struct Request {
    /// The game so far; its position is the root.
    pub game: Game,
    /// Search these moves only; all legal moves if none of these is legal.
    pub search_moves: Vec<Move>,
    /// MultiPV: how many best moves to find, each with its line; at least one.
    pub multi_pv: usize,
    /// Endgame tables to probe, if any.
    pub endgames: Option<Endgames>,
}

/// The number of the thread that watches the time and talks to the observer.
pub const LEADER: usize = 0;

/// What the threads of one search share, and which of them this is.
#[derive(Copy, Clone)]
pub struct Shared<'a> {
    /// The transposition table.
    pub table: &'a Table,
    /// All threads' counts.
    pub crew: &'a Crew,
    /// This thread's number in the crew; [`LEADER`] leads.
    pub thread: usize,
}

/// The endgame tables that a search probes, and when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endgames {
    /// The tables.
    pub tables: Arc<Tables>,
    /// Minimum depth for probing positions with as many pieces as the limit; smaller ones are always probed.
    pub probe_depth: Depth,
    /// Maximum number of pieces, including kings, for probing.
    pub probe_limit: usize,
    /// Whether the fifty-move rule turns wins into draws.
    pub fifty_moves: bool,
}

impl Endgames {
    /// Maximum number of pieces that are probed.
    pub(super) fn limit(&self) -> usize {
        self.probe_limit.min(self.tables.max_pieces())
    }
}

/// What does not change while one thread searches.
pub(super) struct Task<'a> {
    /// The tunables in force.
    pub params: &'a Params,
    pub tt: &'a Table,
    pub crew: &'a Crew,
    /// Number of this thread in the crew.
    pub thread: usize,
    pub budget: &'a Budget,
    /// Number of best lines wanted, at least one.
    pub multi_pv: usize,
    pub reductions: &'a Reductions,
    /// The tunables of move ordering.
    pub ordering: OrderingWeights,
    pub reversible: &'a ReversibleMoves,
    /// Endgame tables to probe below the root, if any.
    pub endgames: Option<&'a Endgames>,
    /// Scout moves after the first with a null window.
    pub scouts: bool,
}
