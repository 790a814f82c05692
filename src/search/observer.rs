//! What a search reports while it runs and when it ends. The search prints nothing: it calls an [`Observer`].

use std::fmt;
use std::time::Duration;

use super::frame::Purpose;
use super::{CreditStats, LedgerEntry};
use crate::board::{Move, Position};
use crate::credit::{Award, CashIn, Ledger, Mechanism};
use crate::score::{Score, Window};
use crate::tt::{Bound, Entry};
use crate::units::{Depth, Ply};

/// One iteration, completed or failed high or low.
#[derive(Clone, Debug)]
pub struct Iteration {
    /// Number of the iteration. In the deep-blue profile it includes the horizon search's plies, as in the paper.
    pub iteration: Depth,
    /// Nominal depth in software plies: the paper's "minimum software depth".
    pub nominal_depth: Depth,
    /// Deepest leaf of the full nodes, where the horizon search begins, extensions included: the paper's "maximum
    /// software depth".
    pub max_software: Ply,
    /// Deepest ply reached by any node, horizon search and quiescence included.
    pub max_combined: Ply,
    /// The score for the side to move.
    pub score: Score,
    /// Whether the score is exact, or a bound from a failed window.
    pub bound: Bound,
    /// The principal variation; never empty if there is a legal move.
    pub pv: Vec<Move>,
    /// What each move of the principal variation did to the accounts; `None` if there are none. As long as `pv`.
    pub ledger: Vec<Option<LedgerEntry>>,
    /// MultiPV rank, from 1.
    pub multipv: usize,
    /// Nodes since the start of the search, all threads.
    pub nodes: u64,
    /// Time since the start of the search.
    pub elapsed: Duration,
    /// Fill of the transposition table in per mille.
    pub hashfull: usize,
    /// Positions resolved by endgame tables since the start of the search.
    pub tb_hits: u64,
    /// Window failures so far in this iteration.
    pub researches: u32,
    /// What dual credit did in this iteration.
    pub credit: CreditStats,
    /// The value of `nodes` when growth control began to restrain this iteration; `None` if it did not.
    pub restrained_at: Option<u64>,
}

/// A node of the software's tree, on entry.
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
    /// Nodes searched before by this thread, including horizon search and quiescence.
    pub nodes: u64,
    /// The window for the side to move.
    pub window: Window,
    /// Software plies left, before cash-in; less than 0 where a null move reduced them so far.
    pub asked: Depth,
    /// The same after cash-in, without those that growth control cuts off; 0 or less at a leaf.
    pub depth: Depth,
    /// Plies of the horizon search below them.
    pub horizon: Depth,
    /// Both accounts before cash-in, the side to move's first.
    pub before: Ledger,
    /// What was cashed in, and the accounts afterwards.
    pub cash_in: CashIn,
    /// The mechanism that pays for what is cashed in here, as in the telemetry.
    pub payer: Mechanism,
    /// Of the plies cashed in, those that the last award alone would not have paid.
    pub delayed: Depth,
}

/// A node of the software's tree, on exit.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct NodeExit {
    /// Plies from the root; the exit belongs to the last node entered at this ply.
    pub ply: Ply,
    /// The score for the side to move; none if the search was aborted.
    pub score: Option<Score>,
    /// How the node ended; meaningless if the search was aborted.
    pub end: NodeEnd,
    /// Nodes searched by this thread up to then, including horizon search and quiescence.
    pub nodes: u64,
}

/// How a node ended.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum NodeEnd {
    /// A horizon search of this many plies took over.
    Horizon(Depth),
    /// A draw by the rules, or by repetition.
    Draw,
    /// The side that just moved could have come here this many plies sooner.
    NoProgress(Ply),
    /// No mate that is still possible is within the window.
    MateDistance,
    /// A table cutoff by this entry.
    Table(Entry),
    /// An endgame table result.
    Endgames,
    /// Reverse futility pruning.
    StaticPruning,
    /// A null-move cutoff.
    NullMove,
    /// A capture stayed well above beta.
    ProbCut,
    /// Several moves reached beta.
    MultiCut,
    /// There is no legal move.
    NoMove,
    /// The moves were searched: all of them, or up to a cutoff.
    Moves,
}

/// Listens to a search.
pub trait Observer {
    /// An iteration was completed, with an exact score.
    fn iteration(&mut self, iteration: &Iteration) {
        let _ = iteration;
    }

    /// An iteration's window failed; the score is a bound.
    fn bound(&mut self, iteration: &Iteration) {
        let _ = iteration;
    }

    /// The search ended within an iteration that had proven something new: one of the final lines, best first. Lines
    /// that the iteration did not reach are one iteration behind.
    fn unfinished(&mut self, iteration: &Iteration) {
        let _ = iteration;
    }

    /// The search starts a root move: its iteration, the move, and its number from 1.
    fn current_move(&mut self, iteration: Depth, m: Move, number: usize) {
        let _ = (iteration, m, number);
    }

    /// Whether to report every node of the software's tree, and the credit that moves earn there:
    /// [`Observer::node_entered`] to [`Observer::second_search_failed`]. Asked once, before the search.
    fn wants_tree(&self) -> bool {
        false
    }

    /// The search enters a node of the software's tree, or reaches a leaf of it.
    fn node_entered(&mut self, entry: &NodeEntry<'_>) {
        let _ = entry;
    }

    /// The search leaves the innermost current node.
    fn node_left(&mut self, exit: &NodeExit) {
        let _ = exit;
    }

    /// In the innermost current node a move has earned credit, before or after its first search.
    fn awarded(&mut self, m: Move, award: &Award) {
        let _ = (m, award);
    }

    /// The last move awarded in that node is searched again with its credit.
    fn second_search(&mut self) {}

    /// The good score did not hold in the second search.
    fn second_search_failed(&mut self) {}

    /// Whether to call [`Observer::refutation`] after each iteration.
    fn wants_refutations(&self) -> bool {
        false
    }

    /// A root move that is not among the best, first in the line, with its refutation as far as it is known.
    fn refutation(&mut self, line: &[Move]) {
        let _ = line;
    }

    /// Whether to call [`Observer::current_line`] now. Asked about every thousand nodes.
    fn wants_current_line(&self) -> bool {
        false
    }

    /// The moves from the root to the position being searched, up to the first null move.
    fn current_line(&mut self, line: &[Move]) {
        let _ = line;
    }
}

/// Ignores everything.
#[derive(Copy, Clone, Debug, Default)]
pub struct Silent;

impl Observer for Silent {}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The move to play; `None` only if there is no legal move.
    pub best_move: Option<Move>,
    /// The expected reply.
    pub ponder: Option<Move>,
    /// The score of the best move for the side to move; the position's evaluation if no move was searched.
    pub score: Score,
    /// The last principal variation.
    pub pv: Vec<Move>,
    /// The last iteration that found its best line; 0 if there was none.
    pub depth: Depth,
    /// Nodes searched, all threads.
    pub nodes: u64,
    /// Positions resolved by endgame tables.
    pub tb_hits: u64,
    /// Time used.
    pub elapsed: Duration,
    /// The longest time between two looks at the clock; zero if there was no deadline.
    pub longest_pause: Duration,
    /// What a search for a mate ended with that found none.
    pub no_mate: Option<NoMate>,
    /// What was the best move in turn in an iteration that had not found its best line yet, the last one being the move
    /// to play; empty if that is of the iteration in [`depth`](Outcome::depth).
    pub changes: Vec<Change>,
}

/// A new answer within an iteration.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The best move, and its score for the side to move; `None` if what had exceeded it was disproved, so that it is
    /// again that of the last iteration.
    pub best: Option<(Move, Score)>,
    /// Since when.
    pub since: Moment,
}

/// When something happened in a search.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// Nodes since the start of the search, all threads.
    pub nodes: u64,
    /// Time since the start of the search.
    pub elapsed: Duration,
}

/// No mate was found in as many moves as were asked for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum NoMate {
    /// There is none: every move of either side was tried.
    Proven {
        /// The moves asked for.
        moves: i32,
    },
    /// There may be one, but the search ended where its limit for such searches is.
    GivenUp {
        /// The moves asked for.
        moves: i32,
        /// The last completed iteration.
        depth: Depth,
    },
}

impl NoMate {
    /// Whether this score is a mate in as many moves after all.
    pub fn is_refuted_by(self, score: Score) -> bool {
        let (NoMate::Proven { moves } | NoMate::GivenUp { moves, .. }) = self;
        score.is_mate_in(moves)
    }
}

impl fmt::Display for NoMate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoMate::Proven { moves } => write!(f, "no mate in {moves}"),
            NoMate::GivenUp { moves, depth } => write!(f, "no mate in {moves} found to depth {depth}"),
        }
    }
}
