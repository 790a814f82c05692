//! Whom the search tells what it does, node by node where that is wanted.

use super::facts::{SearchResult, Visit};
use super::observer::{NodeEnd, NodeEntry, NodeExit, Observer};
use super::state::Search;
use crate::units::{Depth, Ply};

/// The observer and what it is told of nodes.
pub(super) struct Told<'a> {
    pub observer: &'a mut (dyn Observer + Send),
    /// Whether it hears of every node.
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

    /// Notes how a node ends, where the observer hears of it.
    #[inline]
    pub fn note_end(&mut self, end: NodeEnd) {
        if self.tree {
            self.ended = end;
        }
    }

    /// Tells of a node that is left after so many nodes in all; no score where the search was aborted.
    pub fn left(&mut self, ply: Ply, result: SearchResult, nodes: u64) {
        self.observer.node_left(&NodeExit { ply, score: result.ok(), end: self.ended, nodes });
    }
}

impl Search<'_> {
    /// Tells the observer of a node that is entered, at this depth after cash-in.
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
