//! The node function: the dual credit algorithm (paper, Fig. 1) in numbered steps, each a call to a named function.
//!
//! One function serves both profiles. With every modern rule switched off it is Fig. 1 with a transposition table;
//! what the modern profile adds is pruning and reductions around it, never inside the credit.

use std::ops::ControlFlow;

use arrayvec::ArrayVec;

use super::awards::NodeEvidence;
use super::candidate::Candidate;
use super::correction::CorrectionKey;
use super::endgames::Knowledge;
use super::history::bonus;
use super::observer::NodeEnd;
use super::picker::{Picker, Selection};
use super::pruning::{
    exchange_holds, exchange_threshold, history_prunes, reduces_without_table_move, skips_by_futility, skips_late_moves,
};
use super::pv::{LedgerEntry, LineMove};
use super::root::BestLine;
use super::state::{NO_PLY, NodeKind, Search, SearchResult};
use crate::board::{CheckInfo, Move, PackedMove, Position, is_noisy};
use crate::credit::threat::Threat;
use crate::credit::{Award, Ledger};
use crate::score::{Score, Window};
use crate::tt::{Bound, Entry};
use crate::units::{Credit, Depth, MAX_PLY, Ply};

/// Quiet moves remembered for the history's malus.
const REMEMBERED: usize = 64;

/// A node to be searched.
#[derive(Copy, Clone)]
pub(super) struct Visit<'a> {
    pub position: &'a Position,
    pub window: Window,
    /// Software plies to go.
    pub depth: Depth,
    /// Plies from the root.
    pub ply: Ply,
    /// Both accounts, before cash-in.
    pub ledger: Ledger,
    /// Whether a fail-high is expected.
    pub cut_node: bool,
}

/// What a node knows before it looks at its moves.
#[derive(Copy, Clone)]
pub(super) struct Node<'a> {
    pub position: &'a Position,
    pub depth: Depth,
    pub ply: Ply,
    /// Accounts after cash-in.
    pub ledger: Ledger,
    pub window: Window,
    /// Bounds of the score that endgame tables know.
    pub known: Window,
    pub in_check: bool,
    /// The evaluation alone, as the table keeps it; meaningless in check, as are the next two.
    pub raw_eval: i32,
    /// The evaluation corrected by what was learned of its errors.
    pub static_eval: i32,
    /// The table's score where it bounds the true one better than the static evaluation.
    pub estimate: i32,
    pub improving: bool,
    pub cut_node: bool,
    /// Whether it is, or was at an earlier visit, part of a principal variation.
    pub was_pv: bool,
    pub checks: CheckInfo,
    pub correction_key: CorrectionKey,
}

impl<'a> Node<'a> {
    /// The node as it was entered, after cash-in.
    pub fn visit(&self) -> Visit<'a> {
        let Node { position, window, depth, ply, ledger, cut_node, .. } = *self;
        Visit { position, window, depth, ply, ledger, cut_node }
    }
}

/// The table's move, with what is known of it before its first search.
#[derive(Copy, Clone)]
pub(super) struct TableHint {
    pub m: Move,
    /// Credit predicted or kept from earlier visits.
    pub credit: Option<Award>,
    /// The part of it that was kept.
    pub kept: Option<Award>,
    /// Whether conventional extensions prolong it.
    pub extends: bool,
    /// Plies by which it is searched less deep, because others are about as good.
    pub surplus: Depth,
}

impl Search<'_> {
    /// Searches a node: its score for the side to move.
    pub(super) fn node<K: NodeKind>(&mut self, mut visit: Visit<'_>) -> SearchResult {
        // 1. Cash in the credit of the side that just moved (law 1), before anything looks at the depth.
        let ply = visit.ply;
        let cash_in = visit.ledger.cash_in(self.limit);
        if cash_in.plies > 0 {
            self.book_cash_in(cash_in.plies, ply);
        }
        self.frames.at_mut(ply).cash_in = cash_in;
        // Explosion control may end the software sooner.
        let depth = (visit.depth + cash_in.plies).min(self.most_depth(ply) - self.horizon_depth);
        if self.tells_tree {
            self.tell_entry(&visit, depth);
        }
        visit.depth = depth;
        visit.ledger = cash_in.ledger;
        let result = self.visit::<K>(visit);
        if self.tells_tree {
            self.tell_exit(ply, result);
        }
        result
    }

    /// Steps 2 to 8: what may end a node before its moves are searched. Depth and accounts are those after cash-in.
    pub(super) fn visit<K: NodeKind>(&mut self, visit: Visit<'_>) -> SearchResult {
        let Visit { position, mut window, mut depth, ply, ledger, cut_node } = visit;
        self.leans_on = NO_PLY;

        // 2. Where the software's depth ends, the horizon search takes over.
        if depth <= 0 || ply >= MAX_PLY - 1 {
            self.max_software = self.max_software.max(ply);
            return self.leaf::<K>(visit);
        }
        self.enter(ply)?;
        if self.keeps_line::<K>() {
            self.pv.clear(ply);
        }

        // 3. Draws, ways round, and the mates still possible.
        if !K::ROOT {
            if let Some(score) =
                self.draw_score(position, ply).or_else(|| self.draw_in_hand(position, window.beta, ply))
            {
                self.note_end(NodeEnd::Draw);
                return Ok(score);
            }
            if let Some(plies) = self.makes_no_progress_since(position) {
                self.note_end(NodeEnd::NoProgress(plies));
                self.leans_on = ply - plies;
                return Ok(window.beta);
            }
            if self.params.mate_distance_pruning {
                window = within_mate_distance(window, ply);
                if window.alpha >= window.beta {
                    self.note_end(NodeEnd::MateDistance);
                    return Ok(window.alpha);
                }
            }
        }

        // 4. What the table knows: a cut-off, or a move with the credit it once earned.
        let entry = self.table.probe(position.key(), ply);
        if !K::ROOT
            && let Some(entry) = entry
            && let Some(score) = self.table_cutoff::<K>(&entry, window, self.table_depth(depth, ply), ledger)
        {
            self.note_end(NodeEnd::Table(entry));
            return Ok(score);
        }
        let table_move = if K::ROOT { self.root.first_move } else { None }
            .or_else(|| entry.and_then(|entry| entry.best_move.unpack(position)));

        // And what endgame tables know: the score, or bounds within which the search goes on.
        let known = match self.ask_endgames::<K>(position, window, depth, ply) {
            Knowledge::Decides(score) => {
                self.note_end(NodeEnd::Endgames);
                return Ok(score);
            }
            Knowledge::Bounds(known) => known,
        };
        window = window.raised(window.alpha.max(known.alpha));

        // 5. Static evaluation, and whether it improves on two plies before.
        let node = self.prepare::<K>(Visit { window, ..visit }, entry.as_ref());

        // 6. May the whole node be pruned?
        if !K::PV
            && let Some(score) = self.prune_statically(&node)
        {
            self.note_end(NodeEnd::StaticPruning);
            return Ok(score);
        }

        // 7. Null move: prune, or keep its verdict as evidence of a threat. A capture may prove as much.
        let mut threat = None;
        if !K::PV && self.may_pass(&node) {
            match self.null_move(&node)? {
                ControlFlow::Break(score) => {
                    self.note_end(NodeEnd::NullMove);
                    return Ok(score);
                }
                ControlFlow::Continue(verdict) => threat = Some(verdict),
            }
        }
        if !K::PV
            && let Some(score) = self.probcut(&node, entry.as_ref())?
        {
            self.note_end(NodeEnd::ProbCut);
            return Ok(score);
        }
        if reduces_without_table_move(self.params, depth, table_move.is_some(), K::PV || cut_node) {
            depth -= 1;
        }
        let node = Node { depth, known, ..node };

        // 8. Is the table move singular? Then it earns its credit before its first search.
        let table_hint = match table_move.map(|m| self.weigh_table_move::<K>(&node, entry.as_ref(), m)).transpose()? {
            Some(ControlFlow::Break(score)) => {
                self.note_end(NodeEnd::MultiCut);
                return Ok(score);
            }
            Some(ControlFlow::Continue(hint)) => Some(hint),
            None => None,
        };

        // 9. The moves.
        self.moves::<K>(&node, table_hint.as_ref(), threat)
    }

    /// Step 5: the node's static knowledge, and its frame.
    pub(super) fn prepare<'p, K: NodeKind>(&mut self, visit: Visit<'p>, entry: Option<&Entry>) -> Node<'p> {
        let Visit { position, window, depth, ply, ledger, cut_node } = visit;
        let in_check = position.in_check();
        let correction_key = CorrectionKey::new(position.state(), position.turn(), self.earlier(ply));
        let (mut raw_eval, mut static_eval, mut estimate) = (0, 0, 0);
        if !in_check {
            raw_eval = self.static_eval(position, entry);
            static_eval = self.corrected(raw_eval, correction_key);
            estimate = self.refined(static_eval, entry);
        }
        let before = self.frames.at(ply - 2).static_eval;
        let keeps_position = self.params.credit && self.params.credit_influence;
        let frame = self.frames.at_mut(ply);
        frame.static_eval = (!in_check).then_some(static_eval);
        frame.position = keeps_position.then(|| position.clone());
        let below = self.frames.at_mut(ply + 1);
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
            improving: self.params.improving && !in_check && before.is_none_or(|before| static_eval > before),
            cut_node,
            was_pv: K::PV || entry.is_some_and(|entry| entry.was_pv),
            checks: CheckInfo::new(position),
            correction_key,
        }
    }

    /// Steps 9 to 12: searches the moves, and stores the outcome.
    fn moves<K: NodeKind>(
        &mut self,
        node: &Node<'_>,
        table_hint: Option<&TableHint>,
        threat: Option<(Threat, Score)>,
    ) -> SearchResult {
        let Node { position, ply, mut window, .. } = *node;
        let original_alpha = window.alpha;
        let mut best = node.known.alpha;
        let mut best_move: Option<(Move, Option<Award>)> = None;
        let mut evidence = NodeEvidence { node, threat, legal_moves: None };
        let table_move = table_hint.map(|hint| hint.m);
        let mut picker = Picker::new(self.hints(ply, table_move), Selection::All)
            .favouring_checks(node.checks, self.params.check_order);
        let mut tried: ArrayVec<Move, REMEMBERED> = ArrayVec::new();
        let mut leans_on = NO_PLY;
        let mut number = 0;
        let mut quiets = 0;
        while let Some(m) = picker.next(position, self.ordering_histories()) {
            if K::ROOT && !self.root.moves.contains(&m) {
                continue;
            }
            number += 1;
            let history = self.quiet_history(node, m);
            if !K::ROOT && !best.is_losing() && best > -Score::INFINITY {
                if !is_noisy(m) && !node.in_check && skips_late_moves(self.params, node.depth, quiets, node.improving) {
                    picker.skip_quiets();
                    continue;
                }
                if self.skips_move(node, window.alpha, m, number, history) {
                    continue;
                }
            }
            quiets += usize::from(!is_noisy(m));
            if K::ROOT {
                self.observer.current_move(self.root.iteration, m, number);
            }
            let mut candidate = self.make_candidate::<K>(node, m, number, history, table_hint);
            let bar = window.alpha.max(best);
            let nodes_before = self.nodes;
            let score = self.search_and_credit::<K>(node, window, bar, &mut candidate, &mut evidence);
            if K::ROOT {
                self.root.spend(m, self.nodes - nodes_before);
            }
            let score = if K::ROOT { self.root.known.hold(m, score?) } else { score? };
            if score > best {
                best = score;
                if score > window.alpha {
                    best_move = Some((m, candidate.lasting));
                    self.accept::<K>(node, &candidate, score);
                    if score >= window.beta {
                        leans_on = candidate.leans_on;
                        break;
                    }
                    if self.params.raised_alpha {
                        window = window.raised(score);
                    }
                }
            }
            leans_on = leans_on.min(candidate.leans_on);
            if !tried.is_full() {
                tried.push(m);
            }
        }

        // 10. No legal move: mate or stalemate.
        self.leans_on = leans_on;
        if number == 0 {
            self.note_end(NodeEnd::NoMove);
            return Ok(if node.in_check { Score::mated(ply) } else { self.theoretical_draw(position) });
        }

        // 11. What the outcome teaches the ordering and the evaluation.
        best = best.min(node.known.beta);
        let bound = self.bound_of(best, original_alpha, window.beta);
        if let Some((m, _)) = best_move
            && bound == Bound::Lower
        {
            self.learn_from_cutoff(node, m, &tried);
        }
        self.learn_of_evaluation(node, best, bound, best_move.map(|(m, _)| m));

        // 12. Store, with credit and accounts.
        self.note_end(NodeEnd::Moves);
        self.remember::<K>(node, best, best_move, bound);
        Ok(best)
    }

    /// What the histories say about a quiet move; 0 for other moves.
    pub(super) fn quiet_history(&self, node: &Node<'_>, m: Move) -> i32 {
        if is_noisy(m) { 0 } else { self.histories.quiets(node.position.turn(), self.continued(node.ply)).of(m) }
    }

    /// Whether a hopeless or losing move is skipped without a search.
    pub(super) fn skips_move(&self, node: &Node<'_>, alpha: Score, m: Move, number: usize, history: i32) -> bool {
        let params = self.params;
        let noisy = is_noisy(m);
        let reduction = if params.late_move_reductions { self.reductions.plies(node.depth, number) } else { 0 };
        let reduced_depth = node.depth - 1 - reduction;
        if !noisy
            && !node.in_check
            && skips_by_futility(params, reduced_depth, node.static_eval, alpha)
            && !node.checks.gives_check(node.position, m)
        {
            return true;
        }
        if !noisy && history_prunes(params, node.depth, history) {
            return true;
        }
        exchange_threshold(params, node.depth, reduced_depth, noisy)
            .is_some_and(|threshold| !exchange_holds(params, node.position, &node.checks, m, threshold))
    }

    /// A move exceeded alpha: it heads the principal variation, and at the root it is the move to play so far.
    fn accept<K: NodeKind>(&mut self, node: &Node<'_>, candidate: &Candidate, score: Score) {
        if self.keeps_line::<K>() {
            let entry = LedgerEntry::new(node.ledger, candidate.award, candidate.cash_in);
            let entry = self.params.credit.then_some(entry);
            self.pv.update(node.ply, LineMove { m: candidate.m, entry });
        }
        if K::ROOT {
            self.root.first_move = Some(candidate.m);
            self.root.best = Some(BestLine { score, line: self.pv.line(node.ply).clone() });
        }
    }

    /// Step 11: credits the move that cut off and debits those tried before it.
    fn learn_from_cutoff(&mut self, node: &Node<'_>, cutter: Move, tried: &[Move]) {
        let Node { position, ply, depth, .. } = *node;
        self.frames.at_mut(ply).cutoffs += 1;
        let continued = self.continued(ply);
        if is_noisy(cutter) {
            self.credit_capture(position, cutter, bonus(depth));
        } else {
            self.note_refutation(position, cutter, ply, depth);
        }
        for &m in tried {
            if is_noisy(m) {
                self.credit_capture(position, m, -bonus(depth));
            } else if !is_noisy(cutter) {
                self.histories.update_quiet(position.turn(), m, continued, -bonus(depth));
            }
        }
    }

    /// Step 11: how far the static evaluation was off, where the search says so and no capture explains it.
    fn learn_of_evaluation(&mut self, node: &Node<'_>, best: Score, bound: Bound, best_move: Option<Move>) {
        if self.params.correction_history
            && bound.excludes(best, Score::cp(node.static_eval))
            && !node.in_check
            && !best.is_decisive()
            && best_move.is_none_or(|m| !is_noisy(m))
        {
            self.corrections.update(node.correction_key, best.main() - node.static_eval, node.depth);
        }
    }

    /// Step 12: stores the node's score, depth after cash-in, accounts, and its best move with the credit it earned.
    pub(super) fn remember<K: NodeKind>(
        &mut self,
        node: &Node<'_>,
        score: Score,
        best_move: Option<(Move, Option<Award>)>,
        bound: Bound,
    ) {
        if K::ROOT && self.root.is_restricted {
            return;
        }
        let award = best_move.and_then(|(_, award)| award);
        // What depends on the path is not the position's score.
        let bound = if self.leans_on < node.ply { Bound::None } else { bound };
        let entry = Entry {
            best_move: best_move.map_or(PackedMove::NONE, |(m, _)| PackedMove::new(m)),
            score,
            static_eval: (!node.in_check).then_some(node.raw_eval),
            depth: self.table_depth(node.depth, node.ply),
            bound,
            was_pv: node.was_pv,
            credit: award.map_or(Credit::NONE, |award| award.credit),
            credit_source: award.map_or(0, |award| award.mechanism.number()),
            mine: node.ledger.mine,
            his: node.ledger.his,
        };
        self.table.store(node.position.key(), entry, node.ply);
    }
}

/// The window without scores that no line through this node can reach: being mated here, mating with the next move.
fn within_mate_distance(window: Window, ply: Ply) -> Window {
    Window { alpha: window.alpha.max(Score::mated(ply)), beta: window.beta.min(Score::mating(ply + 1)) }
}
