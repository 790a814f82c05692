//! From a move that exceeded expectation to its credit: which evidence is gathered, and what it earns.
//!
//! The cheap mechanisms come first; a probe is only searched if it could earn more than they do, and nothing is
//! gathered if no award could matter (law 7).

use super::facts::{Aborted, Alternatives, Earned, Node, NodeEvidence};
use super::frame::Step;
use super::state::Search;
use crate::board::Move;
use crate::credit::{Award, Ledger, Mechanism, check_evasion, forced_reply, influence, passed_pawn, singular, threat};
use crate::params::SecondSearch;
use crate::score::Score;
use crate::units::{Credit, Depth, PERCENT, Ply};

impl Search<'_> {
    /// The credit earned by a move whose score exceeded alpha.
    /// Elo: +86 ± 23 (`credit`)
    pub(super) fn generate_credit(
        &mut self,
        evidence: &mut NodeEvidence<'_>,
        m: Move,
        score: Score,
    ) -> Result<Earned, Aborted> {
        let node = evidence.node;
        if !self.can_matter(node, self.iteration.largest_award(node.ply)) {
            return Ok(Earned::default());
        }
        let mut earned = Earned::default().with(self.cheap_award(evidence, m), self.task.params);
        // What the window cuts off is not evidence.
        let expectation = score.min(node.window.beta);
        if !expectation.is_losing() {
            let most = self.task.params.threat_credit.max(self.task.params.mate_threat_credit);
            let most = self.iteration.taper.scale(most, node.ply);
            if self.task.params.credit_threat && self.is_worth_evidence(node, earned.award, most) {
                earned = earned.with(self.threat_award(evidence, expectation)?, self.task.params);
            }
            let arity = self.useful_arity(node, earned.award);
            if self.task.params.singular_confirmation && self.tests_alternatives(node.depth) && arity > 0 {
                let award = self.singular_award(node, m, expectation, arity)?;
                earned = earned.with(award, self.task.params);
            }
        }
        let matters = |award: &Award| self.can_matter(node, award.credit);
        Ok(Earned { award: earned.award.filter(matters), lasting: earned.lasting.filter(matters) })
    }

    /// The mechanisms whose evidence needs no search.
    fn cheap_award(&self, evidence: &mut NodeEvidence<'_>, m: Move) -> Option<Award> {
        let node = evidence.node;
        let (params, ply) = (self.task.params, node.ply);
        let mut award = check_evasion::award(params, &self.iteration.taper, ply, node.in_check);
        if params.credit_forced_reply {
            let legal_moves = *evidence.legal_moves.get_or_insert_with(|| node.position.legal_moves().len());
            award = Award::larger(award, forced_reply::award(params, &self.iteration.taper, ply, legal_moves));
        }
        if params.credit_passed_pawn {
            let reply = self.path.frames.at(ply - 1).made.passed_pawn_push;
            let push = reply || passed_pawn::is_push(node.position, m);
            award = Award::larger(award, passed_pawn::award(params, &self.iteration.taper, ply, push));
        }
        // After a null move, nothing new comes from an opponent's move.
        if params.credit_influence
            && !self.path.frames.at(ply - 1).made.passed()
            && let Some(two_plies_ago) = &self.path.frames.at(ply - 2).position
        {
            let new = influence::is_newly_available(m, two_plies_ago);
            award = Award::larger(award, influence::award(params, &self.iteration.taper, ply, new));
        }
        award
    }

    /// The award for answering a threat, if a recent ancestor was forcing. Where pruning tried no null move, only
    /// `threat_search` looks for one.
    fn threat_award(&mut self, evidence: &mut NodeEvidence<'_>, expectation: Score) -> Result<Option<Award>, Aborted> {
        let node = evidence.node;
        if node.in_check || !self.recently_forcing(node.ply) {
            return Ok(None);
        }
        let (threat, bound) = match evidence.threat {
            Some(verdict) => verdict,
            None if !self.task.params.threat_search => return Ok(None),
            None => {
                let bound = expectation.offset(-self.task.params.threat_margin);
                let depth = self.probe_depth(node.depth) - 1;
                let threat = self.threat_by_passing(node.position, bound, depth, node.ply)?;
                *evidence.threat.insert((threat, bound))
            }
        };
        let award = threat::award(self.task.params, &self.iteration.taper, node.ply, threat);
        Ok(award.map(|award| award.with_bound(bound)))
    }

    /// The award for having fewer than `enough` alternatives, by an offset search of the other moves.
    fn singular_award(
        &mut self,
        node: &Node<'_>,
        m: Move,
        expectation: Score,
        enough: usize,
    ) -> Result<Option<Award>, Aborted> {
        let bound = self.singular_bound(expectation, node.depth);
        let at_full_depth = self.task.params.singular_full_on_pv && !node.window.is_null();
        let depth = if at_full_depth { node.depth } else { self.probe_depth(node.depth) };
        let Alternatives { found, best } = self.alternatives(node, m, bound, depth, enough)?;
        let is_proven = best.is_some() && found < enough;
        let award =
            if is_proven { singular::award(self.task.params, &self.iteration.taper, node.ply, found) } else { None };
        Ok(award.map(|award| award.with_bound(bound)))
    }

    /// Whether a node of this depth tests its alternatives.
    pub(super) fn tests_alternatives(&self, depth: Depth) -> bool {
        depth >= self.task.params.singular_min_depth
    }

    /// The score that an alternative must reach to refute a move's singularity.
    pub(super) fn singular_bound(&self, expectation: Score, depth: Depth) -> Score {
        expectation.offset(-self.task.params.singular_margin_base - self.task.params.singular_margin * depth)
    }

    /// The software depth of a probe from a node of this depth: a share of what remains above quiescence. Where that is
    /// less than the horizon search has, it is below zero.
    pub(super) fn probe_depth(&self, depth: Depth) -> Depth {
        let horizon = self.iteration.horizon_depth;
        (depth + horizon) * self.task.params.singular_probe_share / PERCENT - horizon
    }

    /// Whether one of the last few plies was forcing.
    fn recently_forcing(&self, ply: Ply) -> bool {
        self.path.frames.before(ply, self.task.params.threat_ancestors).iter().any(|frame| frame.made.forcing)
    }

    /// Whether a search for evidence is worth its nodes: its award would be larger than the present one, and could
    /// matter (law 7).
    fn is_worth_evidence(&self, node: &Node<'_>, award: Option<Award>, credit: Credit) -> bool {
        credit > award.map_or(Credit::NONE, |award| award.credit) && self.can_matter(node, credit)
    }

    /// The number of alternatives that ends their test: with that many or more, no award is worth it.
    fn useful_arity(&self, node: &Node<'_>, award: Option<Award>) -> usize {
        let is_useful = |&found: &usize| {
            singular::award(self.task.params, &self.iteration.taper, node.ply, found)
                .is_some_and(|singular| self.is_worth_evidence(node, award, singular.credit))
        };
        (0..self.task.params.singular_arity as usize).rfind(is_useful).map_or(0, |found| found + 1)
    }

    /// Whether the mover's account would exceed the limit with new credit.
    fn cashes_in_at_once(&self, ledger: Ledger, credit: Credit) -> bool {
        ledger.mine + credit > self.iteration.limit
    }

    /// Whether a move is searched again with new credit now; otherwise it counts from the next visit on, if the table
    /// keeps it.
    pub(super) fn searches_again(&self, ledger: Ledger, credit: Credit) -> bool {
        match self.task.params.second_search {
            SecondSearch::Never => false,
            SecondSearch::CashedAtOnce => self.cashes_in_at_once(ledger, credit),
            SecondSearch::Always => true,
        }
    }

    /// Law 7: whether an award of `credit` after a move's first search can change anything. It cannot if the move is
    /// not searched again with it and no table keeps it; nor if it reaches no further, or cash-in is disabled.
    fn can_matter(&self, node: &Node<'_>, credit: Credit) -> bool {
        if !credit.is_some() {
            return false;
        }
        if !self.task.params.credit_horizon_check {
            return true;
        }
        let is_used = self.task.params.credit_envelope || self.searches_again(node.ledger, credit);
        self.iteration.restraint == 0 && is_used && self.reaches_further(node, credit)
    }

    /// Law 7: whether an award of `credit` can deepen the search. It cannot if the software depth ends with the move
    /// and nothing is cashed in.
    pub(super) fn reaches_further(&self, node: &Node<'_>, credit: Credit) -> bool {
        node.depth > 1 || self.cashes_in_at_once(node.ledger, credit) || !self.task.params.credit_horizon_check
    }

    /// Records an award in the telemetry and for the nodes below, and reports it.
    pub(super) fn book_award(&mut self, award: Award, step: &mut Step) {
        let stats = self.iteration.credit.of_mut(award.row());
        stats.awards += 1;
        stats.credit += award.credit.to_sixteenths() as u64;
        step.made.source = Some(award.mechanism);
        step.made.award = award.credit;
        step.made.forcing = true;
        if self.observation.tree
            && let Some(m) = step.made.mv
        {
            self.observation.observer.awarded(m, &award);
        }
    }

    /// Records a cash-in by the side that moved to `ply` in the telemetry.
    pub(super) fn book_cash_in(&mut self, plies: Depth, ply: Ply) {
        let (payer, delayed) = (self.payer(ply), self.delayed(plies, ply));
        let stats = self.iteration.credit.of_mut(payer);
        stats.cashed_plies += plies as u64;
        stats.delayed_plies += delayed as u64;
    }

    /// Of the plies cashed in at `ply`, those that the last award alone would not have paid: earlier awards had waited
    /// for it. 0 if nothing is cashed in: the accounts are empty while a null move is verified, whatever that award.
    pub(super) fn delayed(&self, plies: Depth, ply: Ply) -> Depth {
        let at_once = Ledger::EMPTY.after_move(self.path.frames.at(ply - 1).made.award).cash_in(self.iteration.limit);
        (plies - at_once.plies).max(0)
    }

    /// The mechanism that pays for what is cashed in at `ply`.
    pub(super) fn payer(&self, ply: Ply) -> Mechanism {
        self.path.frames.at(ply - 1).made.source.unwrap_or(Mechanism::Envelope)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Position, START_FEN};
    use crate::credit::threat::Threat;
    use crate::params::{Params, Profile};
    use crate::score::Window;
    use crate::search::facts::{NonPv, Visit};
    use crate::search::frame::Purpose;
    use crate::search::iteration::RunningIteration;
    use crate::search::tests::{self, with_search};

    /// What a capture of the queen earns after a forcing move, with this verdict of a null move, where the table keeps
    /// it. One more pawn can capture the queen; all other moves lose.
    fn earned(params: Params, threat: Threat) -> Option<Mechanism> {
        let params = Params { credit_envelope: true, ..params };
        with_search(params, "7k/8/8/3q4/2P1P3/8/8/K7 w - - 0 1", |search, position| {
            search.iteration = RunningIteration::new(search.task.params, 8, 0, 0);
            search.path.frames.at_mut(0).made.forcing = true;
            let window = Window::null(Score::ZERO);
            let visit = Visit { position, window, depth: 6, ply: 1, ledger: Ledger::EMPTY, cut_node: false };
            let node = search.prepare::<NonPv>(visit, None);
            let mut evidence = NodeEvidence { node: &node, threat: Some((threat, Score::ZERO)), legal_moves: None };
            let m = position.parse_uci("e4d5").unwrap();
            let earned = search.generate_credit(&mut evidence, m, window.beta).unwrap();
            earned.award.map(|award| award.mechanism)
        })
    }

    #[test]
    fn an_amount_of_zero_switches_off_no_other_award_for_threats() {
        let with = |threat_credit, mate_threat_credit, threat| {
            earned(Params { threat_credit, mate_threat_credit, ..Params::default() }, threat)
        };
        for threat_credit in [0, 12] {
            assert_eq!(with(threat_credit, 16, Threat::Mate), Some(Mechanism::MateThreat));
        }
        for mate_threat_credit in [0, 16] {
            assert_eq!(with(12, mate_threat_credit, Threat::Material), Some(Mechanism::Threat));
        }
        assert_eq!((with(0, 16, Threat::Material), with(12, 0, Threat::Mate)), (None, None));
    }

    #[test]
    fn an_amount_of_zero_switches_off_no_other_award_for_few_alternatives() {
        let with = |singular_credit, binary_credit| {
            let on = Params { singular_confirmation: true, singular_arity: 2, ..Params::default() };
            earned(Params { singular_credit, binary_credit, ..on }, Threat::None)
        };
        for singular_credit in [0, 16] {
            assert_eq!(with(singular_credit, 6), Some(Mechanism::Binary));
            assert_eq!(with(singular_credit, 0), None);
        }
    }

    #[test]
    fn a_search_of_its_own_for_threats_is_the_paper_s_alone() {
        let found = |params: Params| {
            // Passing loses the queen.
            with_node(params, "7k/8/8/3q4/4P3/8/8/K7 b - - 0 1", |search, node| {
                search.path.frames.at_mut(1).made.forcing = true;
                let mut evidence = NodeEvidence { node, threat: None, legal_moves: None };
                let expectation = Score::cp(500);
                search.threat_award(&mut evidence, expectation).unwrap().map(|award| award.mechanism)
            })
        };
        assert_eq!(found(Profile::DeepBlue.params()), Some(Mechanism::Threat));
        for profile in [Profile::Modern, Profile::DeepBlue] {
            let params = Params { threat_search: false, ..profile.params() };
            assert_eq!((found(params.clone()), found(params.without_forward_pruning())), (None, None));
        }
        assert_eq!(found(Params::default().without_forward_pruning()), None, "nor does the search for mates");
    }

    #[test]
    fn what_was_not_cashed_in_was_not_delayed() {
        with_search(Params::default(), START_FEN, |search, _| {
            search.path.frames.at_mut(0).made.award = Credit::from_plies(1);
            assert_eq!([0, 1, 2].map(|plies| search.delayed(plies, 1)), [0, 0, 1]);
        });
    }

    #[test]
    fn a_move_is_searched_again_never_or_if_new_credit_is_cashed_in_at_once_or_always() {
        let again = SecondSearch::ALL.map(|second_search| {
            let params = Params { second_search, credit_limit: 15, ..Params::default() };
            with_search(params, START_FEN, |search, _| {
                [8, 16].map(|credit| search.searches_again(Ledger::EMPTY, Credit::sixteenths(credit)))
            })
        });
        assert_eq!(again, [[false, false], [false, true], [true, true]]);
    }

    /// A node of six plies after two, in an iteration that gathers evidence.
    fn with_node<T>(params: Params, fen: &str, examine: impl FnOnce(&mut Search<'_>, &Node<'_>) -> T) -> T {
        tests::with_node(params, fen, Window::null(Score::ZERO), 6, 2, examine)
    }

    #[test]
    fn an_only_move_has_no_witness_that_it_is_singular() {
        // The king can only take the rook.
        with_node(Params::default(), "8/8/8/8/8/7k/1r6/K7 w - - 0 1", |search, node| {
            let m = node.position.parse_uci("a1b2").unwrap();
            assert_eq!(search.singular_award(node, m, Score::ZERO, 1), Ok(None));
        });
    }

    #[test]
    fn nothing_new_comes_from_a_null_move() {
        let earned = |purpose| {
            let params = Params { credit_influence: true, ..Params::default() };
            with_node(params, "4k3/8/8/8/3p4/4N3/4K3/8 w - - 0 2", |search, node| {
                // The knight could not go to d5 while the pawn stood there.
                let before = Position::from_fen("4k3/8/8/3p4/8/4N3/8/4K3 w - - 0 1", false).unwrap();
                search.path.frames.at_mut(0).position = Some(before);
                search.path.frames.at_mut(1).made.purpose = purpose;
                let mut evidence = NodeEvidence { node, threat: None, legal_moves: None };
                let m = node.position.parse_uci("e3d5").unwrap();
                search.cheap_award(&mut evidence, m).map(|award| award.mechanism)
            })
        };
        assert_eq!((earned(Purpose::Play), earned(Purpose::Pass)), (Some(Mechanism::Influence), None));
    }

    #[test]
    fn where_nothing_is_cashed_in_no_award_can_matter() {
        let params = Params { credit_envelope: true, ..Params::default() };
        with_node(params, START_FEN, |search, node| {
            let matters = [0, 1].map(|restraint| {
                search.iteration.restrain(search.task.params, restraint);
                search.can_matter(node, Credit::from_plies(1))
            });
            assert_eq!(matters, [true, false]);
        });
    }
}
