//! Searches that gather evidence: how many alternatives a move has, and what passing would lead to.
//!
//! Deep Blue's were "full or reduced depth offset searches and null move threat tests" (paper, section 4). They start
//! with empty accounts, so that credit earned by the line before them does not extend them. What moves inside them earn
//! goes into these accounts and may be cashed in like any other credit.

use super::facts::{Aborted, Alternatives, Node, NonPv, SearchResult, Visit};
use super::picker::{Picker, Selection};
use super::pruning::skips_late_moves;
use super::state::Search;
use crate::board::{CheckInfo, Move, Position, is_noisy};
use crate::credit::Ledger;
use crate::credit::threat::Threat;
use crate::score::{Score, Window};
use crate::units::{Depth, Ply};

impl Search<'_> {
    /// How many of the other moves reach `bound` in a search of `depth` plies; counting stops at `enough`.
    ///
    /// The common test for singularity, multi-cut and the binary and trinary awards.
    /// Elo: +17 ± 11 (`probe_pruning`)
    pub(super) fn alternatives(
        &mut self,
        node: &Node<'_>,
        except: Move,
        bound: Score,
        depth: Depth,
        enough: usize,
    ) -> Result<Alternatives, Aborted> {
        let Node { position, ply, .. } = *node;
        let probe = Node { depth, ..*node };
        // Below zero, plies are taken from the horizon search. To pruning, whose margins grow with depth, that is zero.
        let judged = Node { depth: depth.max(0), ..*node };
        let checks = CheckInfo::new(position);
        let mut picker = Picker::new(self.hints(ply, None), Selection::All);
        let mut found = 0;
        let mut best = None;
        let mut number = 0;
        while let Some(m) = picker.next(position, self.ordering_histories()) {
            if m == except {
                continue;
            }
            number += 1;
            // The first move is always searched: without a witness nothing would be known.
            if self.task.params.probe_pruning && number > 1 && self.skips_in_probe(&judged, &checks, bound, m, number) {
                continue;
            }
            let reduced_depth = self.reduced_depth(&probe, number);
            let step = self.evidence_step(position, m);
            let window = Window::reaching(bound).flip();
            let score =
                -self.through(&step, ply, |search, child| search.reduced(child, window, reduced_depth, ply + 1))?;
            best = best.max(Some(score));
            if score >= bound {
                found += 1;
                if found >= enough {
                    break;
                }
            }
        }
        Ok(Alternatives { found, best })
    }

    /// Whether a move is so likely to stay below `bound` that the test of alternatives skips it.
    fn skips_in_probe(&self, probe: &Node<'_>, checks: &CheckInfo, bound: Score, m: Move, number: usize) -> bool {
        if probe.in_check || bound.is_losing() {
            return false;
        }
        let history = || self.quiet_history(self.quiet_context(probe.position.turn(), probe.ply), m);
        !is_noisy(m) && skips_late_moves(self.task.params, probe.depth, number, probe.improving)
            || self.is_futile(probe, checks, bound.offset(-1), m, number)
            || self.is_bad(probe, checks, m, number, history())
    }

    /// What passing leads to, by a null-move search of `depth` plies: whether it fails to reach `bound`, or is mated.
    pub(super) fn threat_by_passing(
        &mut self,
        position: &Position,
        bound: Score,
        depth: Depth,
        ply: Ply,
    ) -> Result<Threat, Aborted> {
        let Some(step) = self.pass(position) else { return Ok(Threat::None) };
        let window = Window::reaching(bound).flip();
        let score = -self.through(&step, ply, |search, passed| search.reduced(passed, window, depth, ply + 1))?;
        Ok(threat_of(score, bound))
    }

    /// A null-window search with empty accounts and `depth` software plies; below zero, plies are taken from the
    /// horizon search instead. It keeps no lines, because the line of the move being tested is still needed.
    fn reduced(&mut self, position: &Position, window: Window, depth: Depth, ply: Ply) -> SearchResult {
        let lines_everywhere = std::mem::replace(&mut self.path.lines_everywhere, false);
        let score = if depth < 0 {
            self.horizon::<NonPv>(position, window, self.iteration.horizon_depth + depth, ply)
        } else {
            self.node::<NonPv>(Visit { position, window, depth, ply, ledger: Ledger::EMPTY, cut_node: false })
        };
        self.path.lines_everywhere = lines_everywhere;
        score
    }
}

/// The threat shown by a null move's score; `bound` is the lowest score without a threat.
pub(super) fn threat_of(score: Score, bound: Score) -> Threat {
    if score >= bound {
        Threat::None
    } else if score.is_mate() {
        Threat::Mate
    } else {
        Threat::Material
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::Params;
    use crate::search::tests::with_node;

    #[test]
    fn below_zero_as_much_is_skipped_as_at_depth_zero() {
        let fen = "4k3/8/4p3/3n4/8/2N5/8/4K3 w - - 0 1";
        let params = Params { horizon_depth: 8, late_move_pruning: false, ..Params::default() };
        with_node(params, fen, Window::null(Score::ZERO), 6, 2, |search, node| {
            let except = node.position.parse_uci("e1d1").unwrap();
            // So far below the evaluation no move is futile, and each that is searched reaches it.
            let bound = Score::cp(-1000);
            let mut found = |depth| search.alternatives(node, except, bound, depth, usize::MAX).map(|all| all.found);
            let others = node.position.legal_moves().len() - 1;
            assert_eq!([0, -1, -8].map(&mut found), [Ok(others); 3]);
        });
    }
}
