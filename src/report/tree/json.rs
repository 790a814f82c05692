//! The tree as JSON lines: a head, then one visit per line, in the order of entry.

use serde::Serialize;

use super::model::{End, NodeId, Reason, SecondSearch, Tree, TreeAward};
use crate::board::Position;
use crate::credit::{Ledger, Mechanism};
use crate::json::{MoveText, PovScore};
use crate::report::entry::GrantedAward;
use crate::runner::{Head, Kind};
use crate::score::{Score, StatedScore};
use crate::tt::Bound;
use crate::units::{Depth, Ply};

/// One line: first the search, then its visits.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "lowercase")]
#[cfg_attr(test, schemars(title = "A line of a tree"))]
pub(crate) enum Line {
    /// The search.
    Tree(Box<Search>),
    /// A visit.
    Visit(Box<Visit>),
}

/// The first line: what was searched, the settings, and how many lines follow.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Search {
    #[serde(flatten)]
    head: Head,
    fen: String,
    /// Nodes searched, including those of horizon search and quiescence.
    nodes: u64,
    /// Lines that follow.
    visits: usize,
    /// Visits that were not recorded.
    left_out: u64,
}

/// One visit. Scores are those of the side to move.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Visit {
    /// Its number, in the order of entry.
    id: NodeId,
    /// The visit above it; null at the root.
    parent: Option<NodeId>,
    /// Plies from the root.
    ply: Ply,
    /// The iteration.
    iteration: Depth,
    /// Why it was made.
    reason: Reason,
    /// The move that led here; missing at the root and for a null move.
    #[serde(flatten)]
    text: Option<MoveText>,
    /// Plies to search before any were cashed in.
    depth_before: Depth,
    /// Plies to search.
    depth: Depth,
    /// The window's lower bound; null if it is infinite.
    alpha: Option<PovScore>,
    /// The window's upper bound; null if it is infinite.
    beta: Option<PovScore>,
    /// The score; null if the search was stopped.
    score: Option<PovScore>,
    /// What the score is: `exact`, or an `upper` or `lower` bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<&'static str>,
    /// What ended the visit.
    end: End,
    /// Nodes searched in it.
    nodes: u64,
    /// The accounts before cashing in.
    before: Balances,
    /// The accounts after it.
    after: Balances,
    /// Plies of extension cashed in.
    cashed_plies: Depth,
    /// The mechanism that paid for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    paid_by: Option<Mechanism>,
    /// The award that the move leading here was made with.
    #[serde(skip_serializing_if = "Option::is_none")]
    award: Option<GrantedAward>,
    /// Whether the move is being searched again for that award.
    second_search: bool,
    /// What moves earned here.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    awards: Vec<EarnedAward>,
}

/// Both accounts in plies, the side to move's first.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Balances {
    /// The account of the side to move.
    mine: f64,
    /// The other account.
    his: f64,
}

impl From<Ledger> for Balances {
    fn from(ledger: Ledger) -> Balances {
        Balances { mine: ledger.mine.plies(), his: ledger.his.plies() }
    }
}

/// Credit that a move earned.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct EarnedAward {
    /// The move.
    #[serde(flatten)]
    text: MoveText,
    /// What it earned.
    #[serde(flatten)]
    award: GrantedAward,
    /// Whether it was searched again for that, and with which result.
    second_search: SecondSearch,
}

/// Writes the tree as JSON lines.
///
/// # Errors
///
/// None in practice: the lines have no maps with keys that JSON could not hold.
pub fn to_json_lines(tree: &Tree) -> Result<String, serde_json::Error> {
    let first = Line::Tree(Box::new(Search {
        head: Head::new(Kind::Tree, tree.provenance.clone()),
        fen: tree.position.fen(),
        nodes: tree.outcome.nodes,
        visits: tree.nodes.len(),
        left_out: tree.left_out,
    }));
    let mut text = serde_json::to_string(&first)?;
    text.push('\n');
    let mut failure = None;
    let awards = AwardsByNode::new(&tree.awards);
    tree.walk(&mut |id, above, here| match serde_json::to_string(&line(tree, id, above, here, awards.of(id))) {
        Ok(line) => {
            text.push_str(&line);
            text.push('\n');
        }
        Err(error) => failure = Some(error),
    });
    failure.map_or(Ok(text), Err)
}

/// The awards of each visit. They are granted in the order in which searches end, so they are sorted first.
pub(super) struct AwardsByNode<'a> {
    sorted: Vec<&'a TreeAward>,
}

impl<'a> AwardsByNode<'a> {
    /// These awards, by visit; those of one visit stay in order.
    pub fn new(awards: &'a [TreeAward]) -> AwardsByNode<'a> {
        let mut sorted: Vec<&TreeAward> = awards.iter().collect();
        sorted.sort_by_key(|award| award.node);
        AwardsByNode { sorted }
    }

    /// The awards of a visit.
    pub fn of(&self, id: NodeId) -> &[&'a TreeAward] {
        let first = self.sorted.partition_point(|award| award.node < id);
        let end = self.sorted.partition_point(|award| award.node <= id);
        &self.sorted[first..end]
    }
}

fn line(tree: &Tree, id: NodeId, above: &Position, here: &Position, awards: &[&TreeAward]) -> Line {
    Line::Visit(Box::new(visit(tree, id, above, here, awards)))
}

fn visit(tree: &Tree, id: NodeId, above: &Position, here: &Position, awards: &[&TreeAward]) -> Visit {
    let node = tree.node(id);
    let m = node.mv.filter(|_| matches!(node.reason, Reason::Play | Reason::Evidence));
    let earned = |granted: &&TreeAward| EarnedAward {
        text: MoveText::new(here, granted.mv),
        award: GrantedAward::new(granted.award, here.turn()),
        second_search: granted.second_search,
    };
    let scored = |score: StatedScore| PovScore::of_mover(score, here);
    Visit {
        id,
        parent: node.parent,
        ply: node.ply,
        iteration: node.iteration,
        reason: node.reason,
        text: m.map(|m| MoveText::new(above, m)),
        depth_before: node.asked,
        depth: node.depth,
        alpha: closed(node.window.alpha).map(scored),
        beta: closed(node.window.beta).map(scored),
        score: node.score.map(StatedScore::from).map(scored),
        bound: node.bound().map(bound_name),
        end: node.end,
        nodes: node.nodes,
        before: node.before.into(),
        after: node.after.into(),
        cashed_plies: node.cashed,
        paid_by: (node.cashed > 0).then_some(node.payer),
        award: tree.award_of(node).map(|granted| GrantedAward::new(granted.award, above.turn())),
        second_search: node.again,
        awards: awards.iter().map(earned).collect(),
    }
}

/// A window's bound, unless it is infinite.
pub(super) fn closed(bound: Score) -> Option<StatedScore> {
    let is_open = bound >= Score::INFINITY || bound <= -Score::INFINITY;
    (!is_open).then(|| bound.into())
}

/// The kind of bound, in a word.
pub(super) fn bound_name(bound: Bound) -> &'static str {
    match bound {
        Bound::None => "none",
        Bound::Upper => "upper",
        Bound::Lower => "lower",
        Bound::Exact => "exact",
    }
}
