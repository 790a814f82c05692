//! Steps 4, 6 and 7: what may end a node before its moves are searched: the table; then pruning, each attempt with its
//! own switch, of which the deep-blue profile makes none.

use std::ops::ControlFlow;

use super::facts::{Aborted, Node, NodeKind, NonPv, SearchResult, Visit};
use super::picker::{Picker, Selection, is_quiescence_noisy};
use super::probes::threat_of;
use super::pruning::{null_move_reduction, probcut_bound, prunes_by_reverse_futility, verifies_null_move};
use super::state::Search;
use crate::board::{Position, see_at_least};
use crate::credit::Ledger;
use crate::credit::threat::Threat;
use crate::score::{Score, Window};
use crate::tt::{Bound, Entry};
use crate::units::{Depth, PERCENT, Ply};

impl Search<'_> {
    /// The score of a table entry that cuts the node off: searched at least as deep after cash-in, by the table's
    /// depth, with at least as much in both accounts (law 5), and on the right side of the window.
    /// Elo: +92 ± 32 (`tt_cutoffs`)
    pub(super) fn tt_cutoff<K: NodeKind>(
        &self,
        entry: &Entry,
        window: Window,
        depth: Depth,
        ledger: Ledger,
    ) -> Option<Score> {
        if !self.task.params.tt_cutoffs || (K::PV && self.task.scouts) || entry.depth < depth {
            return None;
        }
        let searched_with = Ledger { mine: entry.mine, his: entry.his };
        if self.task.params.credit_envelope && !searched_with.covers(ledger) {
            return None;
        }
        entry.bound.decides(entry.score, window).then_some(entry.score)
    }

    /// Step 6: the score of a node whose evaluation is so far above beta that its moves need no search. A node that
    /// verifies a null move needs it: in zugzwang the evaluation is just what misleads.
    pub(super) fn prune_statically(&self, node: &Node<'_>) -> Option<Score> {
        let beta = node.window.beta;
        let prunes = !node.in_check
            && !self.path.frames.at(node.ply).confirms_null
            && prunes_by_reverse_futility(
                self.task.params,
                node.position,
                node.depth,
                node.estimate,
                beta,
                node.improving,
            );
        let share = self.task.params.reverse_futility_share;
        let mean = (node.estimate * share + beta.main() * (PERCENT - share)) / PERCENT;
        prunes.then(|| Score::cp(mean).max(beta))
    }

    /// Whether to try a null move: the evaluation is above beta, a remaining piece makes zugzwang unlikely, and the
    /// last move was not a null move.
    /// Elo: +86 ± 27 (`null_move`)
    pub(super) fn may_pass(&self, node: &Node<'_>) -> bool {
        self.task.params.null_move
            && node.depth >= self.task.params.null_move_min_depth
            && !node.in_check
            && !self.path.frames.at(node.ply - 1).made.passed()
            && !self.path.frames.at(node.ply).confirms_null
            && Score::cp(node.estimate) >= node.window.beta
            && !node.window.beta.is_losing()
            && node.position.has_pieces(node.position.turn())
    }

    /// Step 7: the null-move search, with both accounts empty: a score to return, or the evidence.
    pub(super) fn null_move(&mut self, node: &Node<'_>) -> Result<ControlFlow<Score, (Threat, Score)>, Aborted> {
        let Some(step) = self.pass(node.position) else {
            return Ok(ControlFlow::Continue((Threat::None, node.window.beta)));
        };
        let (ply, beta) = (node.ply, node.window.beta);
        let depth = node.depth - null_move_reduction(self.task.params, node.depth, node.estimate - beta.main());
        let window = Window::reaching(beta);
        let score = -self.through(&step, ply, |search, passed| {
            let cut_node = !node.cut_node;
            search.node::<NonPv>(Visit {
                position: passed,
                window: window.flip(),
                depth,
                ply: ply + 1,
                ledger: Ledger::EMPTY,
                cut_node,
            })
        })?;
        if score < beta {
            let bound = beta.offset(-self.task.params.threat_margin);
            return Ok(ControlFlow::Continue((threat_of(score, bound), bound)));
        }
        // A mate found after a null move is not proven.
        let score = if score.is_winning() { beta } else { score };
        if verifies_null_move(self.task.params, node.depth, node.position)
            && self.move_reaches(node, window, depth)? < beta
        {
            return Ok(ControlFlow::Continue((Threat::None, node.window.beta)));
        }
        Ok(ControlFlow::Break(score))
    }

    /// The node's score without the null move, if zugzwang might refute it.
    fn move_reaches(&mut self, node: &Node<'_>, window: Window, depth: Depth) -> Result<Score, Aborted> {
        let depends_on = self.path.depends_on;
        let cash_in = self.path.frames.at(node.ply).cash_in;
        self.path.frames.at_mut(node.ply).confirms_null = true;
        let visit = Visit { window, depth: depth.max(1), ledger: Ledger::EMPTY, cut_node: false, ..node.visit() };
        let score = self.node::<NonPv>(visit);
        // The node goes on with the accounts that it was entered with.
        let frame = self.path.frames.at_mut(node.ply);
        (frame.confirms_null, frame.cash_in) = (false, cash_in);
        self.path.depends_on = self.path.depends_on.min(depends_on);
        score
    }

    /// Step 7, ProbCut (Buro 1995): if a capture stays well above beta in a shallow search, the full search will fail
    /// high.
    pub(super) fn probcut(&mut self, node: &Node<'_>, entry: Option<&Entry>) -> Result<Option<Score>, Aborted> {
        let Some(bound) = probcut_bound(self.task.params, node.depth, node.window.beta, node.improving) else {
            return Ok(None);
        };
        let shallow = node.depth - self.task.params.probcut_reduction;
        let known_to_fail = entry.is_some_and(|entry| {
            entry.depth >= self.iteration.tt_depth(self.task.params, shallow, node.ply)
                && entry.bound.decides(entry.score, Window::reaching(bound))
                && entry.score < bound
        });
        if node.in_check || known_to_fail {
            return Ok(None);
        }
        let needed_gain = bound.main() - node.static_eval;
        let tt_move = entry.and_then(|entry| entry.best_move.unpack(node.position));
        let tt_capture = tt_move.filter(|&m| is_quiescence_noisy(m));
        let mut picker = Picker::new(self.noisy_hints(tt_capture), Selection::Noisy);
        while let Some(m) = picker.next(node.position, self.ordering_histories()) {
            if !see_at_least(node.position, m, needed_gain) {
                continue;
            }
            let step = self.evidence_step(node.position, m);
            let score = self.through(&step, node.ply, |search, child| {
                search.confirm_capture(child, bound, shallow, node.ply + 1)
            })?;
            if score >= bound {
                let proven = Node { depth: shallow + 1, ledger: Ledger::EMPTY, ..*node };
                self.remember::<NonPv>(&proven, score, Some((m, None)), Bound::Lower);
                return Ok(Some(if score.is_winning() { node.window.beta } else { score }));
            }
        }
        Ok(None)
    }

    /// Whether a capture reaches `bound`: quiescence is tried first, because it is cheap.
    fn confirm_capture(&mut self, child: &Position, bound: Score, depth: Depth, ply: Ply) -> SearchResult {
        let window = Window::reaching(bound).flip();
        let score = -self.horizon::<NonPv>(child, window, self.iteration.horizon_depth, ply)?;
        if score < bound || depth <= 0 {
            return Ok(score);
        }
        let visit = Visit { position: child, window, depth, ply, ledger: Ledger::EMPTY, cut_node: false };
        Ok(-self.node::<NonPv>(visit)?)
    }
}
