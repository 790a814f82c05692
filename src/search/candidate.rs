//! Step 9 for one move: how deep it is searched, and the credit it earns.

use super::facts::{Candidate, Earned, NextMove, Node, NodeEvidence, NodeKind, NonPv, Pv, SearchResult, TtHint, Visit};
use super::path::NO_PLY;
use super::reductions::{ReductionContext, late_move_reduction};
use super::state::Search;
use crate::board::is_noisy;
use crate::credit::{Award, CashIn, check};
use crate::score::{Score, Window};
use crate::units::{Depth, Ply};

impl Search<'_> {
    /// Makes a move and decides the depth of its first search.
    pub(super) fn make_candidate<K: NodeKind>(
        &mut self,
        node: &Node<'_>,
        next: NextMove,
        tt_hint: Option<&TtHint>,
    ) -> Candidate {
        let Node { position, ply, .. } = *node;
        let NextMove { mv: m, number, .. } = next;
        let hint = tt_hint.filter(|hint| hint.mv == m);
        let mut step = self.step(position, m);
        let gives_check = step.made.forcing;
        step.made.number = number;
        step.made.source = self.path.frames.at(ply - 2).made.source;
        let check = self.check_award(ply, gives_check);
        let hinted = hint.map_or_else(Earned::default, |hint| hint.earned);
        let Earned { award, lasting } = hinted.with(check, self.task.params);
        let award = award.filter(|award| self.reaches_further(node, award.credit));
        if let Some(award) = award {
            self.book_award(award, &mut step);
        }
        let extension = self.conventional_extension(node, m, gives_check, hint);
        step.made.widely_extended = extension > 1;
        let surplus = hint.map_or(0, |hint| hint.surplus);
        let reduction = self.reduction::<K>(node, next, tt_hint, gives_check);
        let depth = (node.depth - 1 + extension - surplus).max(0);
        Candidate { mv: m, step, depth, reduction, award, lasting, cash_in: CashIn::NOTHING, depends_on: NO_PLY }
    }

    /// The award that a check gets before it is searched.
    fn check_award(&self, ply: Ply, gives_check: bool) -> Option<Award> {
        if self.task.params.credit {
            check::award(self.task.params, &self.iteration.taper, ply, gives_check)
        } else {
            None
        }
    }

    /// Plies by which the first search of a move is reduced.
    /// Elo: +103 ± 29 (`late_move_reductions`)
    fn reduction<K: NodeKind>(
        &self,
        node: &Node<'_>,
        next: NextMove,
        tt_hint: Option<&TtHint>,
        gives_check: bool,
    ) -> Depth {
        let NextMove { mv: m, number, history } = next;
        let first_moves = 1 + usize::from(K::PV);
        if !self.task.params.late_move_reductions
            || number <= first_moves
            || node.depth < self.task.params.reduction_min_depth
        {
            return 0;
        }
        let context = ReductionContext {
            is_pv: K::PV,
            was_pv: node.was_pv,
            near_root: node.ply <= self.task.params.reduction_near_plies,
            is_noisy: is_noisy(m),
            noisy_tt_move: tt_hint.is_some_and(|hint| is_noisy(hint.mv)),
            cut_node: node.cut_node,
            improving: node.improving,
            gives_check,
            is_refutation: self.is_refutation(node.ply, m),
            child_cutoffs: self.path.frames.at(node.ply + 1).cutoffs,
            lead: tt_hint.map_or(0, |hint| hint.lead),
            history,
        };
        let reduction = late_move_reduction(self.task.params, self.task.reductions, node.depth, number, &context);
        (reduction + self.iteration.restraint).min(node.depth - 2)
    }

    /// Fig. 1, lines 26-33: search; if the move exceeds `bar`, generate credit; if there is new credit, search again
    /// with it (laws 2 and 4), in both profiles only if it would be cashed in at once. Returns the last search's score.
    pub(super) fn search_and_credit<K: NodeKind>(
        &mut self,
        node: &Node<'_>,
        window: Window,
        bar: Score,
        candidate: &mut Candidate,
        evidence: &mut NodeEvidence<'_>,
    ) -> SearchResult {
        let score = self.search_candidate::<K>(node, window, candidate)?;
        if score <= bar || !self.task.params.credit {
            return Ok(score);
        }
        self.note_rise::<K>(candidate);
        let earned = self.generate_credit(evidence, candidate.mv, score)?;
        candidate.lasting = Award::larger(candidate.lasting, earned.lasting);
        let Some(award) = earned.award.filter(|award| award.credit > candidate.credit()) else { return Ok(score) };
        self.book_award(award, &mut candidate.step);
        if !self.searches_again(node.ledger, award.credit) {
            return Ok(score);
        }
        candidate.award = Some(award);
        candidate.reduction = 0;
        self.iteration.credit.of_mut(award.mechanism).second_searches += 1;
        if self.observation.tree {
            self.observation.observer.second_search();
        }
        let score = self.search_candidate::<K>(node, window, candidate)?;
        if score <= bar {
            self.iteration.credit.of_mut(award.mechanism).failures += 1;
            if self.observation.tree {
                self.observation.observer.second_search_failed();
            }
        }
        Ok(score)
    }

    /// Principal variation search of one move: a reduced scout, a full-depth scout, the open window, each only if the
    /// previous one exceeds alpha.
    fn search_candidate<K: NodeKind>(
        &mut self,
        node: &Node<'_>,
        window: Window,
        candidate: &mut Candidate,
    ) -> SearchResult {
        let Candidate { mv: m, depth, reduction, .. } = *candidate;
        let scout = Window::null(window.alpha);
        // If only scouts are searched, the move has no line; above all it must not keep the previous move's.
        if self.path.keeps_line::<K>() {
            self.path.lines.clear(node.ply + 1);
        }
        if reduction > 0 {
            let score = self.search_child::<NonPv>(node, scout, candidate, depth - reduction, true)?;
            if score <= window.alpha {
                return Ok(score);
            }
            self.note_rise::<K>(candidate);
        }
        if window.is_null() {
            let score = self.search_child::<NonPv>(node, window, candidate, depth, !node.cut_node)?;
            if reduction > 0 {
                self.learn_from_scout(node, m, score > window.alpha);
            }
            return Ok(score);
        }
        if self.task.scouts && candidate.step.made.number > 1 {
            let score = self.search_child::<NonPv>(node, scout, candidate, depth, !node.cut_node)?;
            if reduction > 0 && !window.contains(score) {
                self.learn_from_scout(node, m, score > window.alpha);
            }
            if !window.contains(score) {
                return Ok(score);
            }
            self.note_rise::<K>(candidate);
        }
        self.search_child::<Pv>(node, window, candidate, depth, false)
    }

    /// Searches the position after a move with the move's credit; window and score are the node's.
    fn search_child<K: NodeKind>(
        &mut self,
        node: &Node<'_>,
        window: Window,
        candidate: &mut Candidate,
        depth: Depth,
        cut_node: bool,
    ) -> SearchResult {
        let ledger = node.ledger.after_move(candidate.credit());
        let score = self.through(&candidate.step, node.ply, |search, child| {
            search.node::<K>(Visit {
                position: child,
                window: window.flip(),
                depth,
                ply: node.ply + 1,
                ledger,
                cut_node,
            })
        })?;
        candidate.cash_in = self.path.frames.at(node.ply + 1).cash_in;
        candidate.depends_on = self.path.depends_on;
        Ok(-score)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::credit::Ledger;
    use crate::params::{Params, Profile};
    use crate::search::facts::{Aborted, Root};
    use crate::search::iteration::RunningIteration;
    use crate::search::pace::Pace;
    use crate::search::tests::{with_node, with_search};

    /// Searches the capture of a queen as the second move of a root that is worth nothing so far, or only scouts it,
    /// where a calm iteration ends after so many nodes; and how many it took.
    fn second_move(calm: Option<u64>, is_scout: bool) -> (SearchResult, u64) {
        let paced = Params { pace_stability: false, pace_effort: false, ..Profile::DeepBlue.params() };
        // A node is a millisecond.
        let params = Params { node_time: 1, calm_most: 100, ..paced };
        with_search(params, "6k1/8/8/3q4/4P3/8/8/K6R w - - 0 1", |search, position| {
            search.iteration = RunningIteration::new(search.task.params, 6, 0, 0);
            search.root.rank = search.root.search_without(&[], None, Some(Score::ZERO));
            search.root.rank.begin_window(Score::ZERO);
            let calm = calm.map(Duration::from_millis);
            search.meter.deadlines.plan(search.task.params, calm, Duration::ZERO, &Pace::default());
            let window = Window { alpha: Score::ZERO, ..Window::FULL };
            let visit = Visit { position, window, depth: 2, ply: 0, ledger: Ledger::EMPTY, cut_node: false };
            let node = search.prepare::<Root>(visit, None);
            let next = NextMove { mv: position.parse_uci("e4d5").unwrap(), number: 2, history: 0 };
            let mut candidate = search.make_candidate::<Root>(&node, next, None);
            let score = if is_scout {
                let depth = candidate.depth;
                search.search_child::<NonPv>(&node, Window::null(window.alpha), &mut candidate, depth, true)
            } else {
                let mut evidence = NodeEvidence { node: &node, threat: None, legal_moves: None };
                search.search_and_credit::<Root>(&node, window, window.alpha, &mut candidate, &mut evidence)
            };
            (score, search.meter.nodes)
        })
    }

    #[test]
    fn a_table_move_that_is_far_ahead_lets_other_moves_be_reduced_more() {
        let reduction = |reduction_lead_most, lead| {
            let params = Params { reduction_lead_most, reduction_lead_margin: 70, ..Params::default() };
            with_node(params, "4k3/8/8/8/8/8/PPPP4/4K3 w - - 0 1", Window::null(Score::ZERO), 10, 1, |search, node| {
                let find = |uci| node.position.parse_uci(uci).unwrap();
                let hint = TtHint { mv: find("a2a3"), earned: Earned::default(), extension: 0, surplus: 0, lead };
                let next = NextMove { mv: find("b2b3"), number: 10, history: 0 };
                search.make_candidate::<NonPv>(node, next, Some(&hint)).reduction
            })
        };
        assert_eq!([0, 70, 170, 1000].map(|lead| reduction(200, lead) - reduction(0, 0)), [0, 0, 1, 2]);
        assert_eq!(reduction(0, 1000), reduction(0, 0));
    }

    #[test]
    fn a_calm_iteration_does_not_end_between_the_scout_of_a_better_move_and_its_other_searches() {
        let is_better = |score: SearchResult| score.is_ok_and(|score| score > Score::ZERO);
        let (score, nodes) = second_move(None, true);
        assert!(is_better(score));
        assert_eq!(second_move(Some(nodes / 2), false).0, Err(Aborted::Budget), "it may be no better");
        assert!(is_better(second_move(Some(nodes), false).0));
    }
}
