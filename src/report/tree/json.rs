//! The tree as JSON lines: a head, then one visit per line, in the order of entry.

use serde::Serialize;

use super::model::{End, Node, NodeId, Reason, SecondSearch, Tree, TreeAward};
use crate::board::Position;
use crate::credit::Mechanism;
use crate::json::side::Side;
use crate::json::{self, MoveText, PovScore};
use crate::report::entry::{Accounts, GrantedAward};
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
    /// The number of this tree, from 1: with `--against` a second one follows.
    tree: usize,
    /// The version of the form, and the settings of the search.
    #[serde(flatten)]
    head: Head,
    /// The position searched.
    fen: String,
    /// Nodes searched, including those of horizon search and quiescence.
    nodes: u64,
    /// The number of visits, one on each of the following lines.
    visits: usize,
    /// The number of visits that were not recorded, since there were too many.
    left_out: u64,
}

/// One visit. Scores are those of the side to move.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Visit {
    /// The number of the tree to which it belongs, from 1.
    tree: usize,
    /// Its number in its tree, from 0, in the order of entry.
    id: NodeId,
    /// The number of the visit above it; null at the root.
    parent: Option<NodeId>,
    /// Plies from the root to it.
    ply: Ply,
    /// The iteration to which it belongs.
    iteration: Depth,
    /// Why the visit was made.
    reason: Reason,
    /// Whose move led here; missing where there is no move.
    #[serde(skip_serializing_if = "Option::is_none")]
    side: Option<Side>,
    /// The move that led here; missing at the root, for a null move and a verification.
    #[serde(flatten)]
    text: Option<MoveText>,
    /// Software plies to search before any were cashed in; less than 0 where a null move reduced them so far.
    depth_before_cash_in: Depth,
    /// Software plies to search, with those cashed in, without those that growth control cut off; 0 or less at a leaf.
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
    /// Nodes searched in it, including those of horizon search and quiescence.
    nodes: u64,
    /// What the move leading here did to the accounts. Searches for evidence, null moves, and the ply that replaces a
    /// horizon search start with empty ones.
    accounts: Accounts,
    /// The mechanism that paid for the plies cashed in; missing if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    paid_by: Option<Mechanism>,
    /// The award that the move leading here was made with.
    #[serde(skip_serializing_if = "Option::is_none")]
    award: Option<GrantedAward>,
    /// Whether the move is being searched again for that award.
    second_search: bool,
    /// The awards that moves earned here; missing if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    awards: Vec<EarnedAward>,
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

/// Writes a tree as JSON lines; `number` is its own, from 1, among those written together.
///
/// # Errors
///
/// None in practice: the lines have no maps with keys that JSON could not hold.
pub fn to_json_lines(tree: &Tree, number: usize) -> Result<String, serde_json::Error> {
    let first = Line::Tree(Box::new(Search {
        tree: number,
        head: Head::new(Kind::Tree, tree.provenance.clone()),
        fen: tree.position.fen(),
        nodes: tree.outcome.nodes,
        visits: tree.nodes.len(),
        left_out: tree.left_out,
    }));
    let mut text = json::line(&first)?;
    let mut failure = None;
    let awards = AwardsByNode::new(&tree.awards);
    tree.walk(&mut |id, above, here| {
        let visit = visit((number, tree), id, above, here, awards.of(id));
        match json::line(&Line::Visit(Box::new(visit))) {
            Ok(line) => text.push_str(&line),
            Err(error) => failure = Some(error),
        }
    });
    failure.map_or(Ok(text), Err)
}

/// The awards of each visit. They are granted in the order in which searches end, so they are sorted first.
struct AwardsByNode<'a> {
    sorted: Vec<&'a TreeAward>,
}

impl<'a> AwardsByNode<'a> {
    /// These awards, by visit; those of one visit stay in order.
    fn new(awards: &'a [TreeAward]) -> AwardsByNode<'a> {
        let mut sorted: Vec<&TreeAward> = awards.iter().collect();
        sorted.sort_by_key(|award| award.node);
        AwardsByNode { sorted }
    }

    /// The awards of a visit.
    fn of(&self, id: NodeId) -> &[&'a TreeAward] {
        let first = self.sorted.partition_point(|award| award.node < id);
        let end = self.sorted.partition_point(|award| award.node <= id);
        &self.sorted[first..end]
    }
}

fn visit(
    (number, tree): (usize, &Tree),
    id: NodeId,
    above: &Position,
    here: &Position,
    awards: &[&TreeAward],
) -> Visit {
    let node = tree.node(id);
    let m = node.mv.filter(|_| matches!(node.reason, Reason::Play | Reason::Evidence));
    let earned = |granted: &&TreeAward| EarnedAward {
        text: MoveText::new(here, granted.mv),
        award: GrantedAward::new(granted.award, here.turn()),
        second_search: granted.second_search,
    };
    let scored = |score: StatedScore| PovScore::of_mover(score, here);
    Visit {
        tree: number,
        id,
        parent: node.parent,
        ply: node.ply,
        iteration: node.iteration,
        reason: node.reason,
        side: m.map(|_| above.turn().into()),
        text: m.map(|m| MoveText::new(above, m)),
        depth_before_cash_in: node.asked,
        depth: node.depth,
        alpha: closed(node.window.alpha).map(scored),
        beta: closed(node.window.beta).map(scored),
        score: node.score.map(StatedScore::from).map(scored),
        bound: node.bound().map(bound_name),
        end: node.end,
        nodes: node.nodes,
        accounts: tree.accounts(node, above, here),
        paid_by: (node.cashed > 0).then_some(node.payer),
        award: tree.award_of(node).map(|granted| GrantedAward::new(granted.award, above.turn())),
        second_search: node.again,
        awards: awards.iter().map(earned).collect(),
    }
}

impl Tree {
    /// Both accounts at the visit above, and at this one. At the root, with nothing above, those before and after
    /// cash-in.
    fn accounts(&self, node: &Node, above: &Position, here: &Position) -> Accounts {
        let before = match node.parent {
            Some(parent) => (self.node(parent).after, above.turn()),
            None => (node.before, here.turn()),
        };
        Accounts::between(before, (node.after, here.turn()), node.cashed)
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
