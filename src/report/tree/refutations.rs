//! The refutations of the root moves except the best, each as a line with its ledger.

use super::model::{End, NodeId, Reason, Tree};
use crate::report::explain::{ExplainedMove, explained};
use crate::score::Score;
use crate::search::LedgerEntry;

/// The line that refutes a root move.
#[derive(Clone, Debug, PartialEq)]
pub struct Refutation {
    /// The visits along it; the first is the one after the root move.
    pub path: Vec<NodeId>,
    /// The root move's score for the side to move at the root: only a bound if the window was null.
    pub score: Score,
    /// Nodes spent on the root move in this iteration.
    pub nodes: u64,
    /// What ended the line.
    pub end: End,
}

impl Tree {
    /// The refutations found by the last completed iteration, most expensive first.
    pub fn refutations(&self) -> Vec<Refutation> {
        let Some(last) = self.iterations.last() else { return Vec::new() };
        let roots: Vec<NodeId> = self.roots().filter(|&id| self.node(id).iteration == last.iteration).collect();
        let mut found = self.searched_moves(roots.iter().flat_map(|&root| self.children(root)));
        found.retain(|&(id, _)| last.pv.first() != self.node(id).mv.as_ref());
        found.sort_by_key(|&(id, nodes)| (std::cmp::Reverse(nodes), id));
        found.into_iter().filter_map(|(id, nodes)| self.refutation(id, nodes)).collect()
    }

    /// The moves searched by these visits, in the order of their first searches. Of each, the last search, whose score
    /// is the move's, as an earlier one may have promised more; and the nodes of all its searches.
    fn searched_moves(&self, visits: impl Iterator<Item = NodeId>) -> Vec<(NodeId, u64)> {
        let mut found: Vec<(NodeId, u64)> = Vec::new();
        for id in visits.filter(|&id| self.node(id).reason == Reason::Play && self.node(id).score.is_some()) {
            let node = self.node(id);
            match found.iter_mut().find(|(other, _)| self.node(*other).mv == node.mv) {
                Some((latest, nodes)) => (*latest, *nodes) = (id, *nodes + node.nodes),
                None => found.push((id, node.nodes)),
            }
        }
        found
    }

    /// The line after a root move: the cutoff moves of the side that refutes it, and the other side's best replies.
    fn refutation(&self, first: NodeId, nodes: u64) -> Option<Refutation> {
        let mut path = vec![first];
        let mut id = first;
        while let Some(next) = self.decisive_child(id) {
            path.push(next);
            id = next;
        }
        Some(Refutation { score: -self.node(first).score?, path, nodes, end: self.node(id).end })
    }

    /// The child that determined a visit's score: from the last search of the best move.
    fn decisive_child(&self, id: NodeId) -> Option<NodeId> {
        if !matches!(self.node(id).end, End::CutOff | End::AllMoves) {
            return None;
        }
        let moves = self.searched_moves(self.children(id)).into_iter().map(|(child, _)| child);
        match self.node(id).end {
            End::CutOff => moves.max(),
            // Of equal moves the first, as in the search. The scores are the other side's.
            _ => moves.min_by_key(|&child| self.node(child).score),
        }
    }

    /// The ledger of a path that begins below the root. As in a principal variation the accounts end with the first
    /// leaf: what the software searches there instead of a horizon search begins with empty ones.
    pub fn ledger(&self, path: &[NodeId]) -> Vec<ExplainedMove> {
        let mut position = self.position.clone();
        let mut line = Vec::with_capacity(path.len());
        let mut has_accounts = true;
        for (index, &id) in path.iter().enumerate() {
            let node = self.node(id);
            let (Some(m), Some(next)) = (node.mv, self.position_of(node, &position)) else { break };
            let entry = if has_accounts { self.entry(id) } else { None };
            line.push(explained(&position, index + 1, m, entry, None));
            has_accounts &= node.depth > 0;
            position = next;
        }
        line
    }

    /// What the move to a visit did to the accounts, if that above is no leaf.
    fn entry(&self, id: NodeId) -> Option<LedgerEntry> {
        let node = self.node(id);
        let above = self.node(node.parent?).after;
        Some(LedgerEntry {
            award: self.award_of(node).map(|granted| granted.award),
            before: above.mine,
            cashed: node.cashed,
            after: node.after.his,
            given_up: node.before.mine.saturating_sub(node.after.mine),
            other: node.after.mine,
        })
    }
}
