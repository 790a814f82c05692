//! What earlier cutoffs say about a node's moves, and what is learned at the end of a node.

use super::facts::Node;
use super::frame::KILLERS;
use super::history::{Earlier, Histories, LOOK_BACK, bonus};
use super::picker::{Hints, OrderingWeights};
use super::state::Search;
use crate::board::{Move, PackedMove, Position, is_noisy};
use crate::units::{Depth, Ply};

impl Search<'_> {
    /// The histories that order moves, unless they are switched off.
    /// Elo: +138 ± 29 (`use_history`)
    pub fn ordering_histories(&self) -> Option<&Histories> {
        self.task.params.use_history.then_some(&*self.learned.histories)
    }

    /// The preceding moves, as indices for the pair histories.
    pub fn earlier(&self, ply: Ply) -> Earlier {
        LOOK_BACK.map(|back| self.path.frames.at(ply - back).made.index)
    }

    /// The preceding moves for continuation history: none if it is switched off.
    /// Elo: +25 ± 27 (`continuation_history`)
    pub fn continued(&self, ply: Ply) -> Earlier {
        if self.task.params.continuation_history { self.earlier(ply) } else { Earlier::default() }
    }

    /// The killers of a ply.
    /// Elo: -15 ± 19 (`killers`)
    fn killers(&self, ply: Ply) -> [PackedMove; KILLERS] {
        if self.task.params.killers { self.path.frames.at(ply).killers } else { Default::default() }
    }

    /// The quiet move that last refuted the preceding move.
    /// Elo: +10 ± 27 (`counter_moves`)
    fn counter_move(&self, ply: Ply) -> PackedMove {
        if !self.task.params.counter_moves {
            return PackedMove::NONE;
        }
        self.learned.histories.counter_move(self.path.frames.at(ply - 1).made.index)
    }

    /// The hints for ordering a node's moves.
    pub fn hints(&self, ply: Ply, tt_move: Option<Move>) -> Hints {
        if !self.task.params.ordering {
            return Hints { unordered: true, ..self.no_hints() };
        }
        if !self.task.params.use_history {
            return Hints { tt_move, ..self.no_hints() };
        }
        Hints {
            tt_move,
            killers: self.killers(ply),
            counter_move: self.counter_move(ply),
            earlier: self.continued(ply),
            ..self.no_hints()
        }
    }

    /// Empty hints, with the ordering weights only.
    fn no_hints(&self) -> Hints {
        Hints::new(OrderingWeights::new(self.task.params))
    }

    /// Whether a quiet move is a killer here or the counter-move to the last move.
    pub fn is_refutation(&self, ply: Ply, m: Move) -> bool {
        let packed = PackedMove::new(m);
        self.killers(ply).contains(&packed) || self.counter_move(ply) == packed
    }

    /// Adds a bonus or malus for a capture to the histories.
    /// Elo: -1 ± 18 (`capture_history`)
    pub fn credit_capture(&mut self, position: &Position, m: Move, bonus: i32) {
        if self.task.params.capture_history {
            self.learned.histories.update_capture(position, m, bonus);
        }
    }

    /// A quiet move caused a cutoff: store it as killer, counter-move and in the histories.
    pub fn note_refutation(&mut self, position: &Position, m: Move, ply: Ply, depth: Depth) {
        let packed = PackedMove::new(m);
        let killers = &mut self.path.frames.at_mut(ply).killers;
        if killers[0] != packed {
            killers[1] = killers[0];
            killers[0] = packed;
        }
        self.learned.histories.set_counter_move(self.path.frames.at(ply - 1).made.index, packed);
        self.learned.histories.update_quiet(position.turn(), m, self.continued(ply), bonus(self.task.params, depth));
    }

    /// The history score of a quiet move; 0 for other moves.
    pub(super) fn quiet_history(&self, node: &Node<'_>, m: Move) -> i32 {
        if is_noisy(m) {
            0
        } else {
            self.learned.histories.quiets(node.position.turn(), self.continued(node.ply)).of(m)
        }
    }

    /// Step 11: a bonus for the move that caused the cutoff and a malus for those tried before it.
    pub(super) fn learn_from_cutoff(&mut self, node: &Node<'_>, cutter: Move, tried: &[Move]) {
        let Node { position, ply, depth, .. } = *node;
        self.path.frames.at_mut(ply).cutoffs += 1;
        let continued = self.continued(ply);
        if is_noisy(cutter) {
            self.credit_capture(position, cutter, bonus(self.task.params, depth));
        } else {
            self.note_refutation(position, cutter, ply, depth);
        }
        for &m in tried {
            if is_noisy(m) {
                self.credit_capture(position, m, -bonus(self.task.params, depth));
            } else if !is_noisy(cutter) {
                self.learned.histories.update_quiet(position.turn(), m, continued, -bonus(self.task.params, depth));
            }
        }
    }
}
