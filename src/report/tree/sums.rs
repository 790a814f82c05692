//! Sums over a tree: visits by reason and by end, and the subtrees in which credit was spent.

use std::collections::HashMap;

use super::model::{End, Node, NodeId, Reason, Tree};
use crate::board::Move;
use crate::credit::Mechanism;
use crate::units::Ply;

/// What was spent for one reason.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct ReasonSum {
    /// Visits for this reason.
    pub visits: u64,
    /// Visits that belong to a search for this reason, including the first.
    pub below: u64,
    /// Nodes searched in these, including those of horizon search and quiescence; for evidence, those of searches that
    /// are no visits, too.
    pub nodes: u64,
}

/// A subtree in which credit was spent, over all visits to it by the same line.
#[derive(Clone, Debug, PartialEq)]
pub struct Spending {
    /// Its first visit.
    pub first: NodeId,
    /// Visits by the same line.
    pub visits: u64,
    /// Plies cashed in there.
    pub plies: u64,
    /// The same by the mechanism that paid.
    pub by_mechanism: [u64; Mechanism::ALL.len()],
    /// Nodes searched there, including those of horizon search and quiescence.
    pub nodes: u64,
    /// The deepest ply of a full node.
    pub deepest: Ply,
}

impl Tree {
    /// Nodes searched in each visit, without those of visits below it.
    fn own_nodes(&self) -> Vec<u64> {
        let mut own: Vec<u64> = self.nodes.iter().map(|node| node.nodes).collect();
        for node in &self.nodes {
            if let Some(parent) = node.parent {
                own[parent as usize] -= node.nodes;
            }
        }
        own
    }

    /// Of a visit's own nodes, those of tests of moves and of null moves that begin with the horizon search: above the
    /// leaves a visit counts one node for itself. 0 if what lies below it was not recorded completely.
    fn unvisited(&self, node: &Node, own: u64) -> u64 {
        let is_complete = self.left_out == 0 || (node.end_id as usize) < self.nodes.len();
        if node.depth > 0 && is_complete { own.saturating_sub(1) } else { 0 }
    }

    /// Visits and nodes by reason. A visit below one made for evidence, or below a null move, belongs to that search.
    /// What begins with the horizon search is no visit, and counts as evidence, a null move too.
    pub fn by_reason(&self) -> Vec<(Reason, ReasonSum)> {
        let mut sums = [ReasonSum::default(); Reason::ALL.len()];
        let mut belongs: Vec<Reason> = Vec::with_capacity(self.nodes.len());
        let is_play = |reason: Reason| matches!(reason, Reason::Root | Reason::Play);
        for (node, own) in self.nodes.iter().zip(self.own_nodes()) {
            let above = node.parent.map_or(Reason::Root, |parent| belongs[parent as usize]);
            let reason = if is_play(above) { node.reason } else { above };
            let below = if is_play(reason) { Reason::Evidence } else { reason };
            let unvisited = self.unvisited(node, own);
            belongs.push(reason);
            sums[node.reason as usize].visits += 1;
            sums[reason as usize].below += 1;
            sums[reason as usize].nodes += own - unvisited;
            sums[below as usize].nodes += unvisited;
        }
        Reason::ALL.into_iter().zip(sums).filter(|(_, sum)| *sum != ReasonSum::default()).collect()
    }

    /// The number of visits by what ended them.
    pub fn by_end(&self) -> Vec<(End, u64)> {
        let mut visits = [0; End::ALL.len()];
        for node in &self.nodes {
            visits[node.end as usize] += 1;
        }
        End::ALL.into_iter().zip(visits).filter(|&(_, visits)| visits > 0).collect()
    }

    /// The subtrees in which credit was spent: each starts with the first plies cashed in on its line, so that none is
    /// within another. Those with most plies cashed in come first.
    pub fn spendings(&self) -> Vec<Spending> {
        let mut by_line: HashMap<Vec<(Reason, Option<Move>)>, Spending> = HashMap::new();
        let mut id = 0;
        while (id as usize) < self.nodes.len() {
            if self.node(id).cashed == 0 {
                id += 1;
                continue;
            }
            let line = self.path(id).into_iter().map(|id| (self.node(id).reason, self.node(id).mv)).collect();
            let sum = self.spending(id);
            by_line.entry(line).and_modify(|known| known.add(&sum)).or_insert(sum);
            id = self.node(id).end_id;
        }
        let mut spendings: Vec<Spending> = by_line.into_values().collect();
        spendings.sort_by_key(|spending| (std::cmp::Reverse(spending.plies), spending.first));
        spendings
    }

    /// What was spent in one subtree.
    fn spending(&self, id: NodeId) -> Spending {
        let (mut plies, mut by_mechanism, mut deepest) = (0, [0; Mechanism::ALL.len()], 0);
        for node in self.subtree(id) {
            plies += node.cashed as u64;
            by_mechanism[node.payer as usize] += node.cashed as u64;
            deepest = deepest.max(node.ply);
        }
        Spending { first: id, visits: 1, plies, by_mechanism, nodes: self.node(id).nodes, deepest }
    }
}

impl Spending {
    /// Adds another visit by the same line.
    fn add(&mut self, other: &Spending) {
        self.visits += other.visits;
        self.plies += other.plies;
        for (own, other) in self.by_mechanism.iter_mut().zip(other.by_mechanism) {
            *own += other;
        }
        self.nodes += other.nodes;
        self.deepest = self.deepest.max(other.deepest);
    }

    /// The mechanisms that paid, in descending order of plies.
    pub fn payers(&self) -> Vec<(Mechanism, u64)> {
        let mut payers: Vec<(Mechanism, u64)> =
            Mechanism::ALL.into_iter().zip(self.by_mechanism).filter(|&(_, plies)| plies > 0).collect();
        payers.sort_by_key(|&(_, plies)| std::cmp::Reverse(plies));
        payers
    }
}
