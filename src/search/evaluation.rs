//! Step 5: a node's static evaluation, and how it is corrected by search results.

use super::correction::CorrectionKey;
use super::draws::table_key;
use super::facts::{Node, NodeKind, Visit};
use super::state::Search;
use crate::board::{Move, Position, is_noisy, see_at_least};
use crate::params::Params;
use crate::score::{MAX_EVAL, Score, Window};
use crate::tt::{Bound, Entry};
use crate::units::Ply;

impl Search<'_> {
    /// Step 5: the node's static knowledge, and its frame.
    /// Elo: +58 ± 27 (`improving`)
    pub(super) fn prepare<'p, K: NodeKind>(&mut self, visit: Visit<'p>, entry: Option<&Entry>) -> Node<'p> {
        let Visit { position, window, depth, ply, ledger, cut_node } = visit;
        let in_check = position.in_check();
        let correction_key = CorrectionKey::new(position.state(), position.turn(), self.earlier(ply));
        let (mut raw_eval, mut static_eval, mut estimate) = (0, 0, 0);
        if !in_check {
            // The correction first: its memory is fetched while the network computes.
            let correction = self.correction(correction_key);
            raw_eval = self.static_eval(position, entry);
            static_eval = corrected(raw_eval, correction);
            estimate = self.refined(static_eval, entry);
            self.learn_of_swing(position, ply, static_eval);
        }
        let before = self.path.frames.at(ply - 2).static_eval;
        let keeps_position = self.task.params.credit && self.task.params.credit_influence;
        let frame = self.path.frames.at_mut(ply);
        frame.static_eval = (!in_check).then_some(static_eval);
        frame.position = keeps_position.then(|| position.clone());
        let below = self.path.frames.at_mut(ply + 1);
        below.killers = Default::default();
        below.cutoffs = 0;
        Node {
            position,
            depth,
            ply,
            ledger,
            window,
            known: Window::FULL,
            in_check,
            raw_eval,
            static_eval,
            estimate,
            improving: self.task.params.improving && !in_check && before.is_none_or(|before| static_eval > before),
            cut_node,
            was_pv: K::PV || entry.is_some_and(|entry| entry.was_pv),
            correction_key,
        }
    }

    /// The static evaluation in centipawns for the side to move, from the table entry if it has one.
    pub fn static_eval(&mut self, position: &Position, entry: Option<&Entry>) -> i32 {
        match entry.and_then(|entry| entry.static_eval) {
            Some(eval) => eval,
            None => self.path.evaluator.evaluate(position),
        }
    }

    /// Keeps the static evaluation of a position that the table does not know, where a node ends without a search that
    /// would be stored: most do, and are reached again.
    pub fn keep_evaluation(&self, position: &Position, entry: Option<&Entry>, raw_eval: i32, ply: Ply) {
        if entry.is_none() {
            self.task.tt.store(table_key(position), Entry::evaluated(raw_eval), ply);
        }
    }

    /// Centipawns that the correction history adds to a static evaluation.
    /// Elo: +19 ± 11 (`correction_history`)
    pub fn correction(&self, key: CorrectionKey) -> i32 {
        if self.task.params.correction_history { self.learned.corrections.get(self.task.params, key) } else { 0 }
    }

    /// The table score instead of a static evaluation, if it shows the evaluation to be too high or too low.
    /// Elo: +18 ± 11 (`tt_estimate`)
    pub fn refined(&self, static_eval: i32, entry: Option<&Entry>) -> i32 {
        let Some(entry) = entry.filter(|entry| self.task.params.tt_estimate && !entry.score.is_decisive()) else {
            return static_eval;
        };
        if entry.bound.excludes(entry.score, Score::cp(static_eval)) { entry.score.main() } else { static_eval }
    }

    /// Step 11: updates the correction history with the error of the static evaluation, if the score is a suitable
    /// bound and no capture explains the difference.
    pub(super) fn learn_of_evaluation<K: NodeKind>(
        &mut self,
        node: &Node<'_>,
        best: Score,
        bound: Bound,
        best_move: Option<Move>,
    ) {
        if self.task.params.correction_history
            && self.scores_position::<K>()
            && bound.excludes(best, Score::cp(node.static_eval))
            && !node.in_check
            && !best.is_decisive()
            && best_move.is_none_or(|m| !explains_error(self.task.params, node.position, m))
        {
            self.learned.corrections.update(
                self.task.params,
                node.correction_key,
                best.main() - node.static_eval,
                node.depth,
            );
        }
    }
}

/// Whether the material that a move wins explains why the evaluation was wrong. A capture that loses an exchange wins
/// none, so what it proves, the evaluation could have known. So Hobbes and Pawnocchio.
/// Elo: -1 ± 11 (`correction_losing_captures`)
fn explains_error(params: &Params, position: &Position, m: Move) -> bool {
    is_noisy(m) && (!params.correction_losing_captures || see_at_least(position, m, 0, params.see_pins))
}

/// A static evaluation with its correction.
pub(super) fn corrected(raw_eval: i32, correction: i32) -> i32 {
    (raw_eval + correction).clamp(-MAX_EVAL, MAX_EVAL)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::START_FEN;
    use crate::search::facts::NonPv;
    use crate::search::tests::{with_node, with_search};

    #[test]
    fn corrections_learn_by_how_much_the_corrected_evaluation_was_wrong() {
        let learned = |static_eval, best| {
            with_node(Params::default(), START_FEN, Window::null(Score::ZERO), 6, 1, |search, node| {
                // Whatever the evaluation itself says.
                let node = Node { raw_eval: 0, static_eval, ..*node };
                search.learn_of_evaluation::<NonPv>(&node, best, Bound::Exact, None);
                search.correction(node.correction_key).signum()
            })
        };
        assert_eq!([100, 200, 300].map(|static_eval| learned(static_eval, Score::cp(200))), [1, 0, -1]);
        for decisive in [Score::mating(5), Score::mated(4), Score::tablebase_win(5)] {
            assert_eq!(learned(200, decisive), 0, "{decisive}");
        }
    }

    #[test]
    fn captures_explain_errors_but_those_that_lose_an_exchange_only_if_so_set() {
        let position = Position::from_fen("4k3/4p3/3p1p2/8/8/8/8/2BQK1N1 w - - 0 1", false).unwrap();
        let explains = |correction_losing_captures, uci: &str| {
            let params = Params { correction_losing_captures, ..Params::default() };
            explains_error(&params, &position, position.parse_uci(uci).unwrap())
        };
        assert_eq!(["d1d6", "g1f3"].map(|uci| explains(false, uci)), [true, false]);
        assert_eq!(["d1d6", "g1f3"].map(|uci| explains(true, uci)), [false; 2]);
        let position = Position::from_fen("4k3/8/3p4/8/8/8/8/3QK3 w - - 0 1", false).unwrap();
        let params = Params { correction_losing_captures: true, ..Params::default() };
        assert!(explains_error(&params, &position, position.parse_uci("d1d6").unwrap()), "it wins a pawn");
    }

    #[test]
    fn a_node_that_is_pruned_as_a_whole_keeps_its_evaluation_unless_the_table_knows_the_position() {
        let kept = |params, known: Option<Entry>| {
            with_node(params, START_FEN, Window::reaching(Score::cp(-3000)), 6, 1, |search, node| {
                let key = table_key(node.position);
                if let Some(known) = known {
                    search.task.tt.store(key, known, 1);
                }
                search.node::<NonPv>(node.visit()).unwrap();
                (search.task.tt.probe(key, 1), Entry::evaluated(node.raw_eval))
            })
        };
        let by_margin = Params { null_move: false, reverse_futility_depth: 6, ..Params::default() };
        let by_passing = Params { reverse_futility: false, ..Params::default() };
        for params in [by_margin, by_passing] {
            let (found, evaluated) = kept(params.clone(), None);
            assert_eq!(found, Some(evaluated));
            let known = Entry { static_eval: Some(3), bound: Bound::Upper, ..Entry::EMPTY };
            assert_eq!(kept(params, Some(known)).0, Some(known));
        }
        let searched = Params { reverse_futility: false, null_move: false, ..Params::default() };
        assert_eq!(kept(searched, None).0.map(|entry| entry.bound), Some(Bound::Lower));
    }

    #[test]
    fn the_tables_score_is_the_better_estimate_unless_it_is_no_evaluation() {
        let refined = |score, bound| {
            let entry = Entry { score, bound, ..Entry::EMPTY };
            with_search(Params::default(), START_FEN, |search, _| search.refined(100, Some(&entry)))
        };
        assert_eq!([50, 150].map(|score| refined(Score::cp(score), Bound::Lower)), [100, 150]);
        assert_eq!([50, 150].map(|score| refined(Score::cp(score), Bound::Upper)), [50, 100]);
        assert_eq!((refined(Score::mating(5), Bound::Lower), refined(Score::mated(6), Bound::Exact)), (100, 100));
    }
}
