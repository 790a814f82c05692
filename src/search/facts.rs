//! Types that the search's functions exchange: kinds of nodes, facts about a node and a move, and results of searches.
//! They know the layers below, but nothing of the search's state.

use super::correction::CorrectionKey;
use super::frame::Step;
use crate::board::{Move, Position};
use crate::credit::threat::Threat;
use crate::credit::{Award, CashIn, Ledger};
use crate::params::Params;
use crate::score::{Score, Window};
use crate::units::{Credit, Depth, Ply};

/// The search was aborted: no score below this point means anything.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Aborted {
    /// The search was told to stop, or its budget is spent.
    Budget,
    /// The horizon search has become too large; the software takes over.
    HorizonCeiling,
}

/// A score, unless the search was aborted.
pub(super) type SearchResult = Result<Score, Aborted>;

/// The kind of node, known at compile time.
pub(super) trait NodeKind {
    /// The root of the tree.
    const ROOT: bool;
    /// A node whose exact score may matter.
    const PV: bool;
    /// Whether it may return a score without searching its moves. The root never does: it must find a move.
    const MAY_END_EARLY: bool = !Self::ROOT;
}

/// The root: a PV node with its own list of moves.
pub(super) struct Root;
/// A node of the principal variation.
pub(super) struct Pv;
/// A node searched with a null window.
pub(super) struct NonPv;

impl NodeKind for Root {
    const ROOT: bool = true;
    const PV: bool = true;
}
impl NodeKind for Pv {
    const ROOT: bool = false;
    const PV: bool = true;
}
impl NodeKind for NonPv {
    const ROOT: bool = false;
    const PV: bool = false;
}

/// A node to be searched.
#[derive(Copy, Clone)]
pub(super) struct Visit<'a> {
    pub position: &'a Position,
    pub window: Window,
    /// Software plies left.
    pub depth: Depth,
    /// Plies from the root.
    pub ply: Ply,
    /// Both accounts: before cash-in as the node is entered, and after it for what follows.
    pub ledger: Ledger,
    /// Whether it is an expected cut node.
    pub cut_node: bool,
}

/// What is known at a node before its moves are searched.
#[derive(Copy, Clone)]
pub(super) struct Node<'a> {
    pub position: &'a Position,
    pub depth: Depth,
    pub ply: Ply,
    /// Accounts after cash-in.
    pub ledger: Ledger,
    pub window: Window,
    /// Bounds of the score from endgame tables.
    pub known: Window,
    pub in_check: bool,
    /// The uncorrected evaluation, as stored in the table; meaningless in check, like the next two.
    pub raw_eval: i32,
    /// The evaluation with the correction history applied.
    pub static_eval: i32,
    /// The table score if it is a better bound than the static evaluation, or else that evaluation.
    pub estimate: i32,
    pub improving: bool,
    pub cut_node: bool,
    /// Whether it is, or was at an earlier visit, a PV node.
    pub was_pv: bool,
    pub correction_key: CorrectionKey,
}

impl<'a> Node<'a> {
    /// The node as it was entered, after cash-in.
    pub fn visit(&self) -> Visit<'a> {
        let Node { position, window, depth, ply, ledger, cut_node, .. } = *self;
        Visit { position, window, depth, ply, ledger, cut_node }
    }
}

/// What a node does with one of the moves in a position.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Intake {
    /// It is none of the node's moves.
    Excluded,
    /// It is searched.
    Searched,
    /// It is searched unless a rule prunes it.
    Prunable,
}

/// The table move, with what is known about it before its first search.
#[derive(Copy, Clone)]
pub(super) struct TtHint {
    pub mv: Move,
    /// Credit predicted or kept from earlier visits.
    pub earned: Earned,
    /// Plies of conventional extension.
    pub extension: Depth,
    /// Plies by which it is reduced because other moves are about as good.
    pub surplus: Depth,
    /// Centipawns by which all others stay below its score in the table, if they were tested and it held.
    pub lead: i32,
}

/// A move whose turn it is.
#[derive(Copy, Clone)]
pub(super) struct NextMove {
    pub mv: Move,
    /// Its number among the node's moves, from 1.
    pub number: usize,
    /// Its history score if it is quiet.
    pub history: i32,
}

/// A move during its searches.
pub(super) struct Candidate {
    pub mv: Move,
    pub step: Step,
    /// Depth of the child before the late-move reduction.
    pub depth: Depth,
    /// Plies by which that reduces the first search.
    pub reduction: Depth,
    /// The award that the move is searched with: predicted, from the table, or earned by its first search.
    pub award: Option<Award>,
    /// The largest of its awards that are stored in the table.
    pub lasting: Option<Award>,
    /// The result of cashing in after it, when it was last searched.
    pub cash_in: CashIn,
    /// The ply above that its last score depends on.
    pub depends_on: Ply,
}

impl Candidate {
    /// The credit that the move is searched with.
    pub fn credit(&self) -> Credit {
        self.award.map_or(Credit::NONE, |award| award.credit)
    }

    /// Plies by which its last search was extended beyond the node's depth.
    pub fn extension(&self, node: &Node<'_>) -> Depth {
        (self.depth - (node.depth - 1)).max(0) + self.cash_in.plies
    }
}

/// Evidence gathered at a node on which credit depends.
pub(super) struct NodeEvidence<'a> {
    pub node: &'a Node<'a>,
    /// The null move's verdict, if it was tried, and the score below which there is a threat.
    pub threat: Option<(Threat, Score)>,
    /// Number of legal moves, once it is known.
    pub legal_moves: Option<usize>,
}

/// A move's awards.
#[derive(Copy, Clone, Default)]
pub(super) struct Earned {
    /// The largest award: what the move is searched with.
    pub award: Option<Award>,
    /// The largest of the awards that the table keeps for later visits (law 5).
    pub lasting: Option<Award>,
}

impl Earned {
    /// The same with another award.
    pub fn with(self, award: Option<Award>, params: &Params) -> Earned {
        let Some(award) = award else { return self };
        let lasting = award.lasts(params).then_some(award);
        Earned { award: Award::larger(self.award, Some(award)), lasting: Award::larger(self.lasting, lasting) }
    }
}

/// The result of the test of alternatives.
#[derive(Copy, Clone, Debug)]
pub(super) struct Alternatives {
    /// How many of the other moves reached the bound, as far as they were counted.
    pub found: usize,
    /// The best score of those searched, an upper bound if none reached the bound; `None` if there is no other legal
    /// move.
    pub best: Option<Score>,
}
