//! Passes on what the search does to the observer, node by node if requested.

use super::facts::SearchResult;
use super::observer::{NodeEnd, NodeExit, Observer};
use crate::units::Ply;

/// The observer and the data for its node reports.
pub(super) struct Observation<'a> {
    pub observer: &'a mut (dyn Observer + Send),
    /// Whether every node is reported.
    pub tree: bool,
    /// How the last node ended.
    pub ended: NodeEnd,
}

impl<'a> Observation<'a> {
    /// Tells this observer.
    pub fn new(observer: &'a mut (dyn Observer + Send)) -> Observation<'a> {
        let tree = observer.wants_tree();
        Observation { observer, tree, ended: NodeEnd::Moves }
    }

    /// Records how a node ends, if nodes are reported.
    #[inline]
    pub fn note_end(&mut self, end: NodeEnd) {
        if self.tree {
            self.ended = end;
        }
    }

    /// Reports that a node is left after this many nodes in total; without a score if the search was aborted.
    pub fn left(&mut self, ply: Ply, result: SearchResult, nodes: u64) {
        self.observer.node_left(&NodeExit { ply, score: result.ok(), end: self.ended, nodes });
    }
}
