//! Two trees of one position, searched with different settings, and where they diverge.

use std::collections::HashMap;

use super::model::{NodeId, Reason, Tree};
use crate::board::Move;

/// Where two trees diverge.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parting {
    /// The first visit, in the order of entry, that differs; none if one tree is a prefix of the other.
    pub first: Option<NodeId>,
    /// In each tree, the visits without a counterpart in the other, below visits that have one.
    pub places: [Vec<NodeId>; 2],
}

/// Key by which visits below two matching ones are matched: the move, the reason, and a count among equal ones.
type Key = (Option<Move>, Reason, usize);

impl Parting {
    /// Where these trees diverge.
    pub fn of(left: &Tree, right: &Tree) -> Parting {
        let pairs = left.nodes.iter().zip(&right.nodes);
        let first = pairs.take_while(|(a, b)| a.question() == b.question()).count();
        let is_end = first >= left.nodes.len().min(right.nodes.len());
        let mut parting = Parting { first: (!is_end).then_some(first as NodeId), places: Default::default() };
        // Roots with the same iteration and number match.
        let roots = |tree: &Tree| {
            let mut counts = HashMap::new();
            let numbered = |id: NodeId| {
                let number: &mut usize = counts.entry(tree.node(id).iteration).or_default();
                *number += 1;
                ((tree.node(id).iteration, *number), id)
            };
            tree.roots().map(numbered).collect::<Vec<_>>()
        };
        let others: HashMap<_, _> = roots(right).into_iter().collect();
        let mut pairs: Vec<(NodeId, NodeId)> =
            roots(left).iter().filter_map(|(key, id)| Some((*id, *others.get(key)?))).collect();
        while let Some((a, b)) = pairs.pop() {
            if left.node(a).question() == right.node(b).question() {
                parting.compare_below(left, right, a, b, &mut pairs);
            } else {
                parting.places[0].push(a);
                parting.places[1].push(b);
            }
        }
        parting.places.iter_mut().for_each(|places| places.sort_unstable());
        parting
    }

    /// Matches the children of two matching visits; a child without a match is a place where the trees diverge.
    fn compare_below(&mut self, left: &Tree, right: &Tree, a: NodeId, b: NodeId, pairs: &mut Vec<(NodeId, NodeId)>) {
        let mut others: HashMap<Key, NodeId> = keyed(right, b).into_iter().collect();
        for (key, id) in keyed(left, a) {
            match others.remove(&key) {
                Some(other) => pairs.push((id, other)),
                None => self.places[0].push(id),
            }
        }
        self.places[1].extend(others.into_values());
    }
}

/// The children of a visit with their keys.
fn keyed(tree: &Tree, id: NodeId) -> Vec<(Key, NodeId)> {
    let mut counts = HashMap::new();
    let key = |id: NodeId| {
        let node = tree.node(id);
        let number: &mut usize = counts.entry((node.mv, node.reason)).or_default();
        *number += 1;
        ((node.mv, node.reason, *number), id)
    };
    tree.children(id).map(key).collect()
}
