//! Listens to a search and records its tree.

use super::model::{AwardId, End, Node, NodeId, Reason, SecondSearch, Tree, TreeAward};
use crate::board::{Game, Move};
use crate::credit::Award;
use crate::engine::{Engine, Limits};
use crate::runner::Provenance;
use crate::search::{Iteration, NodeEntry, NodeExit, Observer, Purpose, StopFlag};
use crate::units::Ply;

/// The most visits recorded: some hundred megabytes. A longer search continues unrecorded.
pub const MAX_NODES: usize = 2_000_000;

/// A visit that has not ended.
struct Open {
    id: NodeId,
    ply: Ply,
    /// Nodes searched before it.
    nodes: u64,
    /// The last move in it that got an award, the award, and whether it is being searched again for it.
    awarded: Option<(Move, AwardId, bool)>,
}

/// Records what it hears.
struct Recorder {
    capacity: usize,
    nodes: Vec<Node>,
    awards: Vec<TreeAward>,
    iterations: Vec<Iteration>,
    open: Vec<Open>,
    /// Current visits that are not recorded.
    unrecorded: usize,
    left_out: u64,
}

impl Recorder {
    fn new(capacity: usize) -> Recorder {
        Recorder {
            capacity,
            nodes: Vec::new(),
            awards: Vec::new(),
            iterations: Vec::new(),
            open: Vec::new(),
            unrecorded: 0,
            left_out: 0,
        }
    }

    /// The current visit; `None` if it is not recorded.
    fn current(&mut self) -> Option<&mut Open> {
        if self.unrecorded > 0 { None } else { self.open.last_mut() }
    }

    /// The award of the last move that got one.
    fn last_award(&mut self) -> Option<&mut TreeAward> {
        let (_, award, _) = self.current()?.awarded?;
        self.awards.get_mut(award as usize)
    }
}

impl Observer for Recorder {
    fn iteration(&mut self, iteration: &Iteration) {
        if iteration.multipv == 1 {
            self.iterations.push(iteration.clone());
        }
    }

    fn wants_tree(&self) -> bool {
        true
    }

    fn node_entered(&mut self, entry: &NodeEntry<'_>) {
        if self.unrecorded > 0 || self.nodes.len() >= self.capacity {
            self.unrecorded += 1;
            self.left_out += 1;
            return;
        }
        let above = self.open.last();
        let reason = match (above, entry.purpose) {
            (None, _) => Reason::Root,
            (Some(above), _) if above.ply == entry.ply => Reason::Verification,
            (_, Purpose::Play) => Reason::Play,
            (_, Purpose::Evidence) => Reason::Evidence,
            (_, Purpose::Pass) => Reason::NullMove,
        };
        let is_awarded = |&(m, _, _): &(Move, AwardId, bool)| reason == Reason::Play && entry.mv == Some(m);
        let awarded = above.and_then(|above| above.awarded).filter(is_awarded);
        let id = self.nodes.len() as NodeId;
        self.nodes.push(Node {
            parent: above.map(|above| above.id),
            end_id: id + 1,
            mv: entry.mv.filter(|_| reason != Reason::Root),
            reason,
            ply: entry.ply,
            iteration: entry.iteration,
            asked: entry.asked,
            depth: entry.depth,
            window: entry.window,
            score: None,
            end: End::Stopped,
            nodes: 0,
            before: entry.before,
            after: entry.cash_in.ledger,
            cashed: entry.cash_in.plies,
            payer: entry.payer,
            delayed: entry.delayed,
            award: awarded.map(|(_, award, _)| award),
            again: awarded.is_some_and(|(_, _, again)| again),
        });
        self.open.push(Open { id, ply: entry.ply, nodes: entry.nodes, awarded: None });
    }

    fn node_left(&mut self, exit: &NodeExit) {
        if self.unrecorded > 0 {
            self.unrecorded -= 1;
            return;
        }
        let Some(open) = self.open.pop() else { return };
        let end_id = self.nodes.len() as NodeId;
        let Some(node) = self.nodes.get_mut(open.id as usize) else { return };
        node.end_id = end_id;
        node.score = exit.score;
        node.end = End::of(exit.end, exit.score, node.window);
        node.nodes = exit.nodes - open.nodes;
    }

    fn awarded(&mut self, m: Move, award: &Award) {
        let number = self.awards.len() as AwardId;
        let Some(open) = self.current() else { return };
        let node = open.id;
        open.awarded = Some((m, number, false));
        self.awards.push(TreeAward { node, mv: m, award: *award, second_search: SecondSearch::None });
    }

    fn second_search(&mut self) {
        if let Some((_, _, again)) = self.current().and_then(|open| open.awarded.as_mut()) {
            *again = true;
        }
        if let Some(award) = self.last_award() {
            award.second_search = SecondSearch::Held;
        }
    }

    fn second_search_failed(&mut self) {
        if let Some(award) = self.last_award() {
            award.second_search = SecondSearch::Failed;
        }
    }
}

/// Searches a position from a clean state and records the whole search. The engine must have one thread: the tree of a
/// second one is not heard.
pub fn record(engine: &mut Engine, game: &Game, limits: &Limits) -> Tree {
    record_at_most(engine, game, limits, MAX_NODES)
}

/// The same with at most `capacity` recorded visits.
pub(super) fn record_at_most(engine: &mut Engine, game: &Game, limits: &Limits, capacity: usize) -> Tree {
    let mut recorder = Recorder::new(capacity);
    engine.new_game();
    let outcome = engine.search(game, limits, &StopFlag::new(), &mut recorder);
    let Recorder { nodes, awards, iterations, left_out, .. } = recorder;
    Tree {
        position: game.position().clone(),
        provenance: Provenance::of_engine(engine, limits),
        nodes,
        awards,
        iterations,
        outcome,
        left_out,
    }
}
