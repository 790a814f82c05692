//! The tree as JSON lines: a head, then one visit per line, in the order of entry.

use serde::Serialize;

use super::model::{End, NodeId, Reason, SecondSearch, Tree, TreeAward};
use crate::board::Position;
use crate::credit::{Award, Ledger, Mechanism};
use crate::runner::Head;
use crate::score::{Score, StatedScore};
use crate::tt::Bound;
use crate::units::{Depth, Ply};

/// The version of this format. Renaming, removing or redefining a field raises it; a new one does not.
pub const SCHEMA: u32 = 1;

/// The first line: what was searched, the settings, and how many lines follow.
#[derive(Serialize)]
struct FirstLine {
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

/// One visit.
#[derive(Serialize)]
struct Line {
    id: NodeId,
    parent: Option<NodeId>,
    ply: Ply,
    iteration: Depth,
    reason: Reason,
    /// The move that led here; missing at the root and for a null move.
    #[serde(skip_serializing_if = "Option::is_none")]
    san: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    uci: Option<String>,
    depth_before: Depth,
    depth: Depth,
    /// Scores are for the side to move here; an infinite bound is null.
    alpha: Option<StatedScore>,
    beta: Option<StatedScore>,
    score: Option<StatedScore>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<&'static str>,
    end: End,
    nodes: u64,
    before: Accounts,
    after: Accounts,
    cashed: Depth,
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
struct Accounts {
    mine: f64,
    his: f64,
}

impl From<Ledger> for Accounts {
    fn from(ledger: Ledger) -> Accounts {
        Accounts { mine: ledger.mine.plies(), his: ledger.his.plies() }
    }
}

/// Credit with its reason.
#[derive(Serialize)]
struct GrantedAward {
    mechanism: Mechanism,
    plies: f64,
    /// Whether the table kept it from an earlier visit.
    kept: bool,
    /// The score that the alternatives, or passing, failed to reach.
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<StatedScore>,
}

impl From<Award> for GrantedAward {
    fn from(award: Award) -> GrantedAward {
        GrantedAward {
            mechanism: award.mechanism,
            plies: award.credit.plies(),
            kept: award.kept,
            bound: award.bound.map(StatedScore::from),
        }
    }
}

/// Credit that a move earned.
#[derive(Serialize)]
struct EarnedAward {
    uci: String,
    #[serde(flatten)]
    award: GrantedAward,
    second_search: SecondSearch,
}

/// Writes the tree as JSON lines.
///
/// # Errors
///
/// None in practice: the lines have no maps with keys that JSON could not hold.
pub fn to_json_lines(tree: &Tree) -> Result<String, serde_json::Error> {
    let first = FirstLine {
        head: Head::new(SCHEMA, tree.provenance.clone()),
        fen: tree.position.fen(),
        nodes: tree.outcome.nodes,
        visits: tree.nodes.len(),
        left_out: tree.left_out,
    };
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
    let node = tree.node(id);
    let m = node.mv.filter(|_| matches!(node.reason, Reason::Play | Reason::Evidence));
    let earned = |granted: &&TreeAward| EarnedAward {
        uci: here.uci(granted.mv),
        award: granted.award.into(),
        second_search: granted.second_search,
    };
    Line {
        id,
        parent: node.parent,
        ply: node.ply,
        iteration: node.iteration,
        reason: node.reason,
        san: m.map(|m| above.san(m)),
        uci: m.map(|m| above.uci(m)),
        depth_before: node.asked,
        depth: node.depth,
        alpha: closed(node.window.alpha),
        beta: closed(node.window.beta),
        score: node.score.map(StatedScore::from),
        bound: node.bound().map(bound_name),
        end: node.end,
        nodes: node.nodes,
        before: node.before.into(),
        after: node.after.into(),
        cashed: node.cashed,
        paid_by: (node.cashed > 0).then_some(node.payer),
        award: tree.award_of(node).map(|granted| granted.award.into()),
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
