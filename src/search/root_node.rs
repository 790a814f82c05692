//! What the root does otherwise than other nodes: three hooks of the move loop, the move to begin with, and what its
//! score stands for.

use super::facts::{Candidate, Intake, Node, NodeKind, SearchResult};
use super::pv::{LedgerEntry, LineMove};
use super::root::BestLine;
use super::state::Search;
use crate::board::{Move, Position};
use crate::score::Score;
use crate::tt::{Bound, Entry};

impl Search<'_> {
    /// First hook of the move loop: what becomes of a move, the node's `number`th. The root has its own list, prunes
    /// none of it, and tells the observer of each move.
    pub(super) fn take_up<K: NodeKind>(&mut self, m: Move, number: usize) -> Intake {
        if !K::ROOT {
            return Intake::Prunable;
        }
        if !self.root.rank.moves.contains(&m) {
            return Intake::Excluded;
        }
        self.observation.observer.current_move(self.iteration.number, m, number);
        Intake::Searched
    }

    /// Second hook: a move has exceeded alpha, and more has to be searched to settle it. At the root a calm deadline
    /// waits for that, since the move would not be played otherwise; the first one would.
    pub(super) fn note_rise<K: NodeKind>(&mut self, candidate: &Candidate) {
        if K::ROOT && candidate.step.made.number > 1 {
            self.root.rank.standing.note_rise();
        }
    }

    /// Third hook: the searches of a move are over. One that exceeds `bar` starts the principal variation.
    ///
    /// At the root, its nodes are recorded, the score is clamped to what endgame tables know about the move, and if it
    /// exceeds `bar` it is the move to play so far.
    pub(super) fn settle<K: NodeKind>(
        &mut self,
        node: &Node<'_>,
        candidate: &Candidate,
        bar: Score,
        nodes_before: u64,
        result: SearchResult,
    ) -> SearchResult {
        let m = candidate.mv;
        let score = if K::ROOT {
            self.root.spend(m, self.meter.nodes - nodes_before);
            self.root.known.clamp(m, result?)
        } else {
            result?
        };
        if score > bar && self.path.keeps_line::<K>() {
            let entry = LedgerEntry::new(node.ledger, candidate.award, candidate.cash_in);
            let entry = self.task.params.credit.then_some(entry);
            self.path.lines.update(node.ply, LineMove { mv: m, entry, extension: candidate.extension(node) });
        }
        if K::ROOT && score > bar {
            let bound = if score >= node.window.beta { Bound::Lower } else { Bound::Exact };
            let (line, now) = (self.path.lines.line(node.ply).clone(), self.now());
            self.root.rank.lead(m, BestLine { score, bound, line }, now);
        } else if K::ROOT {
            let now = self.now();
            self.root.rank.note_failure(m, score, now);
        }
        Ok(score)
    }

    /// The move that a node searches first; `entry` is its table entry.
    pub(super) fn move_to_begin_with<K: NodeKind>(&self, position: &Position, entry: Option<&Entry>) -> Option<Move> {
        let of_table = || entry.and_then(|entry| entry.best_move.unpack(position));
        if K::ROOT { self.root.rank.first_move.or_else(of_table) } else { of_table() }
    }

    /// Whether a node's score is that of its position: not at a root that leaves out moves.
    pub(super) fn scores_position<K: NodeKind>(&self) -> bool {
        !(K::ROOT && self.root.rank.is_restricted)
    }
}
