//! Passes on what the search does to the observer, node by node if requested.

use super::facts::{SearchResult, Visit};
use super::observer::{NodeEnd, NodeEntry, NodeExit, Observer};
use super::state::Search;
use crate::units::{Depth, Ply};

/// The observer and the data for its node reports.
pub(super) struct Told<'a> {
    pub observer: &'a mut (dyn Observer + Send),
    /// Whether every node is reported.
    pub tree: bool,
    /// How the last node ended.
    ended: NodeEnd,
}

impl<'a> Told<'a> {
    /// Tells this observer.
    pub fn new(observer: &'a mut (dyn Observer + Send)) -> Told<'a> {
        let tree = observer.wants_tree();
        Told { observer, tree, ended: NodeEnd::Moves }
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

impl Search<'_> {
    /// Reports that a node is entered, at this depth after cash-in.
    pub fn tell_entry(&mut self, visit: &Visit<'_>, depth: Depth) {
        let ply = visit.ply;
        let made = self.path.frames.at(ply - 1).made;
        self.told.ended = NodeEnd::Moves;
        self.told.observer.node_entered(&NodeEntry {
            position: visit.position,
            ply,
            mv: made.mv,
            purpose: made.purpose,
            iteration: self.iteration.number,
            nodes: self.meter.nodes,
            window: visit.window,
            asked: visit.depth,
            depth,
            horizon: self.iteration.horizon_depth,
            before: visit.ledger,
            cash_in: self.path.frames.at(ply).cash_in,
            payer: self.payer(ply),
        });
    }
}
