//! A search's tree as plain data: every visit to a node of the software, in the order in which they were entered.
//!
//! A visit is a node of this tree: a position that is searched twice, first by a scout and then with the open window,
//! is there twice. Since visits are kept in the order of entry, a subtree is a range of them, and sums over a subtree
//! are sums over a range. Horizon search and quiescence are not recorded; their nodes are counted for the visit they
//! belong to.

use serde::Serialize;

use crate::board::{Move, Position};
use crate::credit::{Award, Ledger, Mechanism};
#[cfg(test)]
use crate::json::names_schema;
use crate::params::choice;
use crate::runner::Provenance;
use crate::score::{Score, Window};
use crate::search::{CreditStats, Iteration, NodeEnd, Outcome};
use crate::tt::Bound;
use crate::units::{Depth, Ply};

/// Index of a visit in the order of entry.
pub type NodeId = u32;

/// Index of an award in the order in which they were granted.
pub type AwardId = u32;

choice! {
    /// Why a node is visited.
    #[derive(Hash)]
    Reason {
        /// It is the root, for one window of an iteration.
        Root = "root",
        /// To search a move.
        Play = "play",
        /// To gather evidence about another move or about the parent node.
        Evidence = "evidence",
        /// To see what passing leads to.
        NullMove = "null move",
        /// The parent node once more, to verify that it fails high without a null move.
        Verification = "verification",
    }
}

#[cfg(test)]
names_schema!(Reason, "Why a visit is made.");

choice! {
    /// What ended a visit.
    End {
        /// A move reached beta.
        CutOff = "cut-off",
        /// All moves were searched, or pruned one by one.
        AllMoves = "all moves",
        /// The horizon search, or quiescence, took over.
        Horizon = "horizon",
        /// A table cutoff.
        Table = "table",
        /// A null-move cutoff.
        NullMove = "null move",
        /// Reverse futility pruning.
        StaticPruning = "static pruning",
        /// A capture stayed well above beta.
        ProbCut = "ProbCut",
        /// Several moves reached beta.
        MultiCut = "multi-cut",
        /// A draw by the rules, or by repetition.
        Draw = "draw",
        /// The side that just moved could have come here sooner.
        NoProgress = "no progress",
        /// No mate that is still possible is within the window.
        MateDistance = "mate distance",
        /// An endgame table result.
        Endgames = "endgame tables",
        /// There is no legal move.
        NoMove = "no legal move",
        /// The search was stopped here.
        Stopped = "stopped",
    }
}

impl End {
    /// What ended a visit with this score, if it has one.
    pub(super) fn of(end: NodeEnd, score: Option<Score>, window: Window) -> End {
        let Some(score) = score else { return End::Stopped };
        match end {
            NodeEnd::Horizon(_) => End::Horizon,
            NodeEnd::Draw => End::Draw,
            NodeEnd::NoProgress(_) => End::NoProgress,
            NodeEnd::MateDistance => End::MateDistance,
            NodeEnd::Table(_) => End::Table,
            NodeEnd::Endgames => End::Endgames,
            NodeEnd::StaticPruning => End::StaticPruning,
            NodeEnd::NullMove => End::NullMove,
            NodeEnd::ProbCut => End::ProbCut,
            NodeEnd::MultiCut => End::MultiCut,
            NodeEnd::NoMove => End::NoMove,
            NodeEnd::Moves if score >= window.beta => End::CutOff,
            NodeEnd::Moves => End::AllMoves,
        }
    }
}

#[cfg(test)]
names_schema!(End, "What ended a visit.");

/// One visit to a node.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The parent visit; none at the root.
    pub parent: Option<NodeId>,
    /// One past the last visit below this one.
    pub end_id: NodeId,
    /// The move that led here; none at the root and for a null move; for a verification that of the parent.
    pub mv: Option<Move>,
    /// Why the node is visited.
    pub reason: Reason,
    /// Plies from the root.
    pub ply: Ply,
    /// Number of the iteration.
    pub iteration: Depth,
    /// Software plies left, before cash-in.
    pub asked: Depth,
    /// The same after cash-in, without those that growth control cut off.
    pub depth: Depth,
    /// The window for the side to move.
    pub window: Window,
    /// The score for the side to move; none if the search was stopped.
    pub score: Option<Score>,
    /// What ended the visit.
    pub end: End,
    /// Nodes searched in it, including those of horizon search and quiescence.
    pub nodes: u64,
    /// Both accounts before cash-in, the side to move's first.
    pub before: Ledger,
    /// Both accounts after cash-in.
    pub after: Ledger,
    /// Plies cashed in.
    pub cashed: Depth,
    /// The mechanism that paid for them; meaningless if there are none.
    pub payer: Mechanism,
    /// Of the plies cashed in, those that the last award alone would not have paid.
    pub delayed: Depth,
    /// The award, among the tree's, that the move was made with.
    pub award: Option<AwardId>,
    /// Whether this is a second search, with credit that the first one earned.
    pub again: bool,
}

impl Node {
    /// The kind of bound of the score; none if the search was stopped.
    pub fn bound(&self) -> Option<Bound> {
        self.score.map(|score| Bound::of(score, self.window.alpha, self.window.beta))
    }

    /// What two visits have in common if they were asked the same question.
    pub(super) fn question(&self) -> (Option<Move>, Reason, Ply, Depth, Depth, Window, Ledger, Depth) {
        (self.mv, self.reason, self.ply, self.asked, self.depth, self.window, self.before, self.cashed)
    }
}

/// The result of searching a move again with its award.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum SecondSearch {
    /// There was none: the credit came before the first search, or only counts from the next visit on.
    None,
    /// The move still exceeded expectation, or the search was stopped.
    Held,
    /// The good score did not hold.
    Failed,
}

/// Credit that a move earned.
#[derive(Clone, Debug, PartialEq)]
pub struct TreeAward {
    /// The visit to the node in which the move was made.
    pub node: NodeId,
    /// The move.
    pub mv: Move,
    /// What it earned.
    pub award: Award,
    /// Whether it was searched again for that.
    pub second_search: SecondSearch,
}

/// A search, visit by visit.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The position searched.
    pub position: Position,
    /// The settings of the search.
    pub provenance: Provenance,
    /// The visits in the order of entry.
    pub nodes: Vec<Node>,
    /// The awards in the order in which they were granted.
    pub awards: Vec<TreeAward>,
    /// The best line of each completed iteration.
    pub iterations: Vec<Iteration>,
    /// The result of the search.
    pub outcome: Outcome,
    /// Visits that were not recorded because there were too many.
    pub left_out: u64,
}

impl Tree {
    /// The visit with this index.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    /// Siblings from `first` on, up to `end`.
    fn row(&self, first: NodeId, end: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let next = move |id: &NodeId| Some(self.node(*id).end_id).filter(|&next| next < end);
        std::iter::successors((first < end).then_some(first), next)
    }

    /// The visits to the root.
    pub fn roots(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.row(0, self.nodes.len() as NodeId)
    }

    /// The children of a visit.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.row(id + 1, self.node(id).end_id)
    }

    /// The visits of a subtree.
    pub fn subtree(&self, id: NodeId) -> &[Node] {
        &self.nodes[id as usize..self.node(id).end_id as usize]
    }

    /// The visits from below the root to this one.
    pub fn path(&self, id: NodeId) -> Vec<NodeId> {
        let up = std::iter::successors(Some(id), |&id| self.node(id).parent);
        let mut path: Vec<NodeId> = up.filter(|&id| self.node(id).parent.is_some()).collect();
        path.reverse();
        path
    }

    /// The award that the move to a visit was made with.
    pub fn award_of(&self, node: &Node) -> Option<&TreeAward> {
        self.awards.get(node.award? as usize)
    }

    /// What credit did in the recorded part of the tree, optionally in one iteration only.
    pub fn credit(&self, iteration: Option<Depth>) -> CreditStats {
        let mut stats = CreditStats::default();
        let counts = |node: &Node| iteration.is_none_or(|iteration| node.iteration == iteration);
        for node in self.nodes.iter().filter(|node| node.cashed > 0 && counts(node)) {
            let row = stats.of_mut(node.payer);
            row.cashed_plies += node.cashed as u64;
            row.delayed_plies += node.delayed as u64;
        }
        for granted in self.awards.iter().filter(|granted| counts(self.node(granted.node))) {
            let award = granted.award;
            let row = stats.of_mut(award.row());
            row.awards += 1;
            row.credit += award.credit.to_sixteenths() as u64;
            row.second_searches += u64::from(granted.second_search != SecondSearch::None);
            row.failures += u64::from(granted.second_search == SecondSearch::Failed);
        }
        stats
    }
}
