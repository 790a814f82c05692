//! What a search tells while it runs, and in the end. The search prints nothing: it calls an [`Observer`].

use std::time::Duration;

use super::frame::Purpose;
use super::{CreditStats, LedgerEntry};
use crate::board::{Move, Position};
use crate::credit::{Award, CashIn, Ledger, Mechanism};
use crate::score::{Score, Window};
use crate::tt::{Bound, Entry};
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
    /// The principal variation; never empty if there is a legal move.
    pub pv: Vec<Move>,
    /// What each move of the principal variation did to the accounts; `None` if there are none. As long as `pv`.
    pub ledger: Vec<Option<LedgerEntry>>,
    /// Rank among several principal variations, from 1.
    pub multipv: usize,
    /// Nodes since the search began, all threads.
    pub nodes: u64,
    /// Time since the search began.
    pub elapsed: Duration,
    /// Fill of the transposition table in per mille.
    pub hashfull: usize,
    /// Positions that endgame tables knew, since the search began.
    pub tb_hits: u64,
    /// Window failures so far in this iteration.
    pub researches: u32,
    /// What dual credit did in this iteration.
    pub credit: CreditStats,
}

/// A node of the software's tree, as it is entered.
#[derive(Clone, Debug)]
pub struct NodeEntry<'a> {
    /// The position.
    pub position: &'a Position,
    /// Plies from the root.
    pub ply: Ply,
    /// The move that led here; `None` at the root and for a null move.
    pub mv: Option<Move>,
    /// Why the move was made.
    pub purpose: Purpose,
    /// Number of the iteration.
    pub iteration: Depth,
    /// Nodes that this thread has searched before, those of horizon search and quiescence included.
    pub nodes: u64,
    /// The window for the side to move.
    pub window: Window,
    /// Software plies to go, before cash-in.
    pub asked: Depth,
    /// Software plies to go, after cash-in; none are left at a leaf.
    pub depth: Depth,
    /// Plies of the horizon search below them.
    pub horizon: Depth,
    /// Both accounts before cash-in, the side to move's first.
    pub before: Ledger,
    /// What was cashed in, and the accounts then.
    pub cash_in: CashIn,
    /// The mechanism that pays for what is cashed in here, as the telemetry has it.
    pub payer: Mechanism,
}

/// A node of the software's tree, as it is left.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct NodeExit {
    /// Plies from the root; of the nodes there the one that was entered last is left.
    pub ply: Ply,
    /// The score for the side to move; none where the search was aborted.
    pub score: Option<Score>,
    /// How the node ended; means nothing where the search was aborted.
    pub end: NodeEnd,
    /// Nodes that this thread has searched by then, those of horizon search and quiescence included.
    pub nodes: u64,
}

/// How a node ended.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum NodeEnd {
    /// A horizon search of so many plies took over.
    Horizon(Depth),
    /// A draw by the rules, or by repeating.
    Draw,
    /// The side that just moved could have come here so many plies sooner.
    NoProgress(Ply),
    /// No mate that is still possible lies in the window.
    MateDistance,
    /// The table knew: the entry.
    Table(Entry),
    /// Endgame tables knew.
    Endgames,
    /// The static evaluation was too far above beta.
    StaticPruning,
    /// Passing held beta.
    NullMove,
    /// A capture held well above beta.
    ProbCut,
    /// Several moves reached beta.
    MultiCut,
    /// There is no legal move.
    NoMove,
    /// The moves were searched: all, or up to the one that cut off.
    Moves,
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

    /// Whether the search tells of every node of the software's tree, and of the credit that moves earn there:
    /// [`Observer::node_entered`] to [`Observer::second_search_failed`]. Asked once, before the search.
    fn wants_tree(&self) -> bool {
        false
    }

    /// The search enters a node of the software's tree, or comes to a leaf of it.
    fn node_entered(&mut self, entry: &NodeEntry<'_>) {
        let _ = entry;
    }

    /// The search leaves the node that it entered last of those not left yet.
    fn node_left(&mut self, exit: &NodeExit) {
        let _ = exit;
    }

    /// In the node entered last of those not left yet a move has earned credit, before or after its first search.
    fn awarded(&mut self, m: Move, award: &Award) {
        let _ = (m, award);
    }

    /// The move awarded last in that node is searched again with its credit.
    fn second_search(&mut self) {}

    /// The second search took the good score back.
    fn second_search_failed(&mut self) {}

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
    /// The move to play; `None` only if there is no legal move.
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
    pub tb_hits: u64,
    /// Time used.
    pub elapsed: Duration,
}
