//! Step 8: what is known about the table move before its first search: the credit it once earned, and whether it is
//! singular.

use std::ops::ControlFlow;

use super::facts::{Aborted, Alternatives, Earned, Node, NodeKind, TtHint};
use super::state::Search;
use crate::board::{Move, PackedMove};
use crate::credit::singular::{self, Gap};
use crate::credit::{Award, forced_reply};
use crate::score::Score;
use crate::tt::Entry;
use crate::units::{Depth, PERCENT, Ply};

/// The result of the table move's singularity test.
enum Prediction {
    /// Nothing follows: it was not tested, or what was found earns nothing.
    Nothing,
    /// It earns this before it is searched.
    Award(Option<Award>),
    /// It is singular, and conventional extensions by so many plies replace credit.
    Extend(Depth),
    /// Others are about as good: it is reduced by this many plies.
    Common(Depth),
    /// Multi-cut: other moves reach beta too; the node returns this.
    MultiCut(Score),
}

impl Search<'_> {
    /// What is known about the table move before its first search, or a score to return.
    pub(super) fn weigh_tt_move<K: NodeKind>(
        &mut self,
        node: &Node<'_>,
        entry: Option<&Entry>,
        m: Move,
    ) -> Result<ControlFlow<Score, TtHint>, Aborted> {
        let kept = self.envelope_credit(entry, m, node.ply);
        let earned = Earned::default().with(kept, self.task.params);
        let mut hint = TtHint { mv: m, earned, extension: 0, surplus: 0, lead: 0 };
        let Some(entry) = entry.filter(|_| K::MAY_END_EARLY) else { return Ok(ControlFlow::Continue(hint)) };
        match self.predict_singularity::<K>(node, entry, &mut hint)? {
            Prediction::MultiCut(score) => return Ok(ControlFlow::Break(score)),
            Prediction::Award(award) => hint.earned = earned.with(award, self.task.params),
            Prediction::Extend(plies) => hint.extension = plies,
            Prediction::Common(plies) => hint.surplus = plies,
            Prediction::Nothing => {}
        }
        Ok(ControlFlow::Continue(hint))
    }

    /// Law 5: the credit that the table move once earned. Singularity may have to be tested again.
    /// Elo: -13 ± 10 (`credit_envelope`)
    fn envelope_credit(&self, entry: Option<&Entry>, m: Move, ply: Ply) -> Option<Award> {
        let entry = entry.filter(|entry| self.task.params.credit && entry.credit.is_some())?;
        let same_move = PackedMove::new(m) == entry.best_move;
        let in_reach = self.iteration.largest_award(ply).is_some();
        let award = (same_move && in_reach).then(|| Award::kept(entry.credit_source, entry.credit)).flatten();
        award.filter(|award| award.lasts(self.task.params))
    }

    /// Tests the table move against all others before it is searched, if the table expects it to hold. Its lead goes
    /// into the hint.
    fn predict_singularity<K: NodeKind>(
        &mut self,
        node: &Node<'_>,
        entry: &Entry,
        hint: &mut TtHint,
    ) -> Result<Prediction, Aborted> {
        let (params, m) = (self.task.params, hint.mv);
        let promising = entry.bound.is_lower()
            && entry.depth
                >= self.iteration.tt_depth(self.task.params, node.depth, node.ply) - params.singular_tt_slack
            && !entry.score.is_decisive();
        let useful = params.multi_cut
            || params.surplus_reduction
            || params.conventional_extensions
            || (params.credit && params.credit_singular);
        if !params.singular_prediction || !useful || !promising || !self.tests_alternatives(node.depth) {
            return Ok(Prediction::Nothing);
        }
        let bound = self.singular_bound(entry.score, node.depth + self.former_pv_plies::<K>(node));
        let enough = params.singular_arity as usize;
        let Alternatives { found, best } = self.alternatives(node, m, bound, self.probe_depth(node.depth), enough)?;
        if found >= enough {
            return Ok(self.not_singular(node, entry, bound));
        }
        // An only move is a forced reply.
        let Some(best) = best else {
            return Ok(if params.credit {
                Prediction::Award(forced_reply::award(params, &self.iteration.taper, node.ply, 1))
            } else {
                Prediction::Nothing
            });
        };
        hint.lead = lead(entry.score, best);
        if params.conventional_extensions && found == 0 {
            return Ok(Prediction::Extend(self.singular_extension::<K>(node, m, bound, best)));
        }
        if !params.credit {
            return Ok(Prediction::Nothing);
        }
        let (wide, very_wide) = (params.wide_singular_margin, params.very_wide_singular_margin);
        let gap = if K::PV || found > 0 { Gap::Narrow } else { Gap::of(m, bound, best, wide, very_wide) };
        let narrow = singular::award(params, &self.iteration.taper, node.ply, found);
        let award = Award::larger(narrow, singular::wide_award(params, &self.iteration.taper, node.ply, gap));
        Ok(Prediction::Award(award.map(|award| award.with_bound(bound))))
    }

    /// By how many plies a node counts as deeper for the margin of singularity: where the principal variation once was,
    /// a move has to stand out more. So Stockfish.
    /// Elo: +6 ± 8 (`singular_former_pv`)
    fn former_pv_plies<K: NodeKind>(&self, node: &Node<'_>) -> Depth {
        if node.was_pv && !K::PV { node.depth * self.task.params.singular_former_pv / PERCENT } else { 0 }
    }

    /// The consequence if other moves reach `bound` too.
    /// Elo: +3 ± 11 (`surplus_reduction`)
    /// Elo: -4 ± 11 (`multi_cut`)
    fn not_singular(&self, node: &Node<'_>, entry: &Entry, bound: Score) -> Prediction {
        let params = self.task.params;
        if params.multi_cut && bound >= node.window.beta && node.window.is_null() {
            return Prediction::MultiCut(bound);
        }
        if !params.surplus_reduction {
            return Prediction::Common(0);
        }
        let elsewhere = if node.cut_node { params.surplus_cut_plies } else { 0 };
        Prediction::Common(if entry.score >= node.window.beta { params.surplus_plies } else { elsewhere })
    }
}

/// Centipawns by which the best alternative stays below the table's score; 0 if its score is no evaluation.
fn lead(expected: Score, best: Score) -> i32 {
    if best.is_decisive() { 0 } else { expected.main() - best.main() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::START_FEN;
    use crate::params::Params;
    use crate::score::Window;
    use crate::search::facts::{NonPv, Pv};
    use crate::search::tests::with_node;

    #[test]
    fn where_the_principal_variation_once_was_a_singular_move_stands_out_by_a_larger_margin() {
        let plies = |singular_former_pv, was_pv, is_pv| {
            let params = Params { singular_former_pv, ..Params::default() };
            with_node(params, START_FEN, Window::reaching(Score::ZERO), 10, 1, |search, node| {
                let node = Node { was_pv, ..*node };
                if is_pv { search.former_pv_plies::<Pv>(&node) } else { search.former_pv_plies::<NonPv>(&node) }
            })
        };
        assert_eq!([0, 50, 100].map(|percent| plies(percent, true, false)), [0, 5, 10]);
        assert_eq!((plies(100, false, false), plies(100, true, true)), (0, 0));
    }
}
