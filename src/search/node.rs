//! The node function: the dual credit algorithm (paper, Fig. 1) in numbered steps, each a call to a named function.
//!
//! One function serves both profiles. With every modern rule switched off it is Fig. 1 with a transposition table;
//! what the modern profile adds is pruning and reductions around it, never inside the credit.

use arrayvec::ArrayVec;

use super::awards::NodeEvidence;
use super::endgames::Knowledge;
use super::history::bonus;
use super::picker::{Picker, Selection};
use super::probes::threat_of;
use super::pruning::{
    ReductionContext, exchange_threshold, late_move_reduction, null_move_reduction, prunes_by_reverse_futility,
    reduces_without_table_move, skips_by_futility, skips_late_moves,
};
use super::pv::{LedgerEntry, LineMove};
use super::root::BestLine;
use super::state::{Aborted, NodeKind, NonPv, Pv, Search, SearchResult};
use crate::board::{CheckInfo, Move, PackedMove, Position, is_noisy, see_at_least};
use crate::credit::threat::Threat;
use crate::credit::{Award, Ledger, passed_pawn, singular};
use crate::score::{Score, Window};
use crate::tt::{Bound, Entry};
use crate::units::{Credit, Depth, MAX_PLY, Ply};

/// Quiet moves remembered for the history's malus.
const REMEMBERED: usize = 64;

/// What a node knows before it looks at its moves.
struct Node<'a> {
    position: &'a Position,
    depth: Depth,
    ply: Ply,
    /// Accounts after cash-in.
    ledger: Ledger,
    window: Window,
    /// Bounds of the score that endgame tables know.
    known: Window,
    in_check: bool,
    /// Static evaluation; meaningless in check.
    static_eval: i32,
    improving: bool,
    cut_node: bool,
    checks: CheckInfo,
}

/// One move on its way to its searches.
struct Candidate {
    m: Move,
    child: Position,
    number: usize,
    /// Depth of the child before any reduction.
    depth: Depth,
    /// Plies by which the first search is reduced.
    reduction: Depth,
    /// The award that the move is searched with: predicted, from the table, or earned by its first search.
    award: Option<Award>,
    /// The award that the table keeps for it; at least as much.
    earned: Option<Award>,
}

impl Candidate {
    /// The credit that the move is searched with.
    fn credit(&self) -> Credit {
        self.award.map_or(Credit::NONE, |award| award.credit)
    }
}

/// The table's move, with what is known of it before its first search.
#[derive(Copy, Clone)]
struct TableHint {
    m: Move,
    /// Credit predicted or kept from earlier visits.
    credit: Option<Award>,
    /// Whether conventional extensions prolong it.
    extends: bool,
}

/// What the singularity test of the table move came to.
enum Prediction {
    /// It earns this before it is searched.
    Award(Option<Award>),
    /// It is singular, and conventional extensions stand in for credit.
    Extend,
    /// Other moves reach beta too: the node returns this.
    MultiCut(Score),
}

impl Search<'_> {
    /// Searches a node: its score for the side to move.
    ///
    /// `ledger` holds both accounts before cash-in; `cut_node` says whether a fail-high is expected.
    pub(super) fn node<K: NodeKind>(
        &mut self,
        position: &Position,
        mut window: Window,
        mut depth: Depth,
        ply: Ply,
        ledger: Ledger,
        cut_node: bool,
    ) -> SearchResult {
        // 1. Cash in the credit of the side that just moved (law 1), before anything looks at the depth.
        let cash_in = ledger.cash_in(self.limit);
        depth += cash_in.plies;
        if cash_in.plies > 0 {
            self.book_cash_in(cash_in.plies, ply);
        }

        // 2. Where the software's depth ends, the horizon search takes over.
        if depth <= 0 || ply >= MAX_PLY - 1 {
            self.max_software = self.max_software.max(ply);
            return self.horizon::<K>(position, window, self.horizon_depth, ply);
        }
        self.enter(ply)?;
        if self.keeps_line::<K>() {
            self.pv.clear(ply);
        }
        let ledger = self.without_idle_credit(cash_in.ledger, depth, ply);

        // 3. Draws, and the mates still possible.
        if !K::ROOT {
            if let Some(score) = self.draw_score(position, ply) {
                return Ok(score);
            }
            if self.params.mate_distance_pruning {
                window = within_mate_distance(window, ply);
                if window.alpha >= window.beta {
                    return Ok(window.alpha);
                }
            }
        }

        // 4. What the table knows: a cut-off, or a move with the credit it once earned.
        let entry = self.table.probe(position.key(), ply);
        if !K::ROOT
            && let Some(score) = entry.and_then(|entry| self.table_cutoff::<K>(&entry, window, depth, ledger))
        {
            return Ok(score);
        }
        let table_move = if K::ROOT { self.root.first_move } else { None }
            .or_else(|| entry.and_then(|entry| entry.best_move.unpack(position)));

        // And what endgame tables know: the score, or bounds within which the search goes on.
        let known = match self.ask_endgames::<K>(position, window, depth, ply) {
            Knowledge::Decides(score) => return Ok(score),
            Knowledge::Bounds(known) => known,
        };
        window = window.raised(window.alpha.max(known.alpha));

        // 5. Static evaluation, and whether it improves on two plies before.
        let node = self.prepare(position, window, depth, ply, ledger, cut_node, entry.as_ref());

        // 6. May the whole node be pruned?
        if !K::PV
            && !node.in_check
            && prunes_by_reverse_futility(self.params, depth, node.static_eval, window.beta, node.improving)
        {
            return Ok(Score::cp((node.static_eval + window.beta.main()) / 2).max(window.beta));
        }

        // 7. Null move: prune, or keep its verdict as evidence of a threat.
        let mut threat = None;
        if !K::PV && self.may_pass(&node) {
            match self.null_move(&node)? {
                Ok(score) => return Ok(score),
                Err(verdict) => threat = Some(verdict),
            }
        }
        if reduces_without_table_move(self.params, depth, table_move.is_some(), K::PV || cut_node) {
            depth -= 1;
        }
        let node = Node { depth, known, ..node };

        // 8. Is the table move singular? Then it earns its credit before its first search.
        let mut table_credit = self.envelope_credit(entry.as_ref(), table_move, ply);
        let mut extends_table_move = false;
        if !K::ROOT
            && let (Some(entry), Some(m)) = (entry.as_ref(), table_move)
        {
            match self.predict_singularity(&node, entry, m)? {
                Prediction::MultiCut(score) => return Ok(score),
                Prediction::Award(award) => table_credit = Award::larger(table_credit, award),
                Prediction::Extend => extends_table_move = true,
            }
        }

        // 9. The moves.
        let table_hint = table_move.map(|m| TableHint { m, credit: table_credit, extends: extends_table_move });
        self.moves::<K>(&node, table_hint, threat)
    }

    /// Step 5: the node's static knowledge, and its frame.
    #[allow(clippy::too_many_arguments)]
    fn prepare<'p>(
        &mut self,
        position: &'p Position,
        window: Window,
        depth: Depth,
        ply: Ply,
        ledger: Ledger,
        cut_node: bool,
        entry: Option<&Entry>,
    ) -> Node<'p> {
        let in_check = position.in_check();
        let mut static_eval = 0;
        if !in_check {
            static_eval = self.static_eval(position, entry);
        }
        let before = self.frames.at(ply - 2).static_eval;
        let inherited = self.frames.at(ply - 2).last_award;
        // Two plies further down there must be depth left for the copy to be of use.
        let keeps_position = self.params.credit && self.params.credit_influence && depth > 2;
        let frame = self.frames.at_mut(ply);
        frame.static_eval = (!in_check).then_some(static_eval);
        frame.last_award = inherited;
        frame.position = keeps_position.then(|| position.clone());
        self.frames.at_mut(ply + 1).killers = Default::default();
        let improving = !in_check && before.is_none_or(|before| static_eval > before);
        let checks = CheckInfo::new(position);
        let known = Window::FULL;
        Node { position, depth, ply, ledger, window, known, in_check, static_eval, improving, cut_node, checks }
    }

    /// Whether a null move is worth trying: the evaluation is above beta, there is a piece left that makes zugzwang
    /// unlikely, and the last move was none.
    fn may_pass(&self, node: &Node<'_>) -> bool {
        self.params.null_move
            && node.depth >= self.params.null_move_min_depth
            && !node.in_check
            && !self.frames.at(node.ply).after_null
            && Score::cp(node.static_eval) >= node.window.beta
            && !node.window.beta.is_losing()
            && node.position.has_pieces(node.position.turn())
    }

    /// Step 7: the null-move search, with both accounts empty. `Ok` is a score to return, `Err` the evidence.
    fn null_move(&mut self, node: &Node<'_>) -> Result<Result<Score, Threat>, Aborted> {
        let Some(passed) = node.position.play_null() else { return Ok(Err(Threat::None)) };
        let (ply, beta) = (node.ply, node.window.beta);
        let reduction = null_move_reduction(self.params, node.depth, node.static_eval - beta.main());
        let frame = self.frames.at_mut(ply);
        frame.moved = None;
        frame.forcing = false;
        frame.passed_pawn_push = false;
        self.frames.at_mut(ply + 1).after_null = true;
        self.path.push(&passed);
        let window = Window::reaching(beta).flip();
        let score = self.node::<NonPv>(&passed, window, node.depth - reduction, ply + 1, Ledger::EMPTY, !node.cut_node);
        self.path.pop();
        self.frames.at_mut(ply + 1).after_null = false;
        let score = -score?;
        if score >= beta {
            // A mate found by passing is not proven.
            return Ok(Ok(if score.is_winning() { beta } else { score }));
        }
        Ok(Err(threat_of(score, beta.offset(-self.params.threat_margin))))
    }

    /// Law 5: the credit that the table move once earned.
    fn envelope_credit(&self, entry: Option<&Entry>, table_move: Option<Move>, ply: Ply) -> Option<Award> {
        let entry = entry.filter(|_| self.params.credit && self.params.credit_envelope)?;
        let same_move = table_move.is_some_and(|m| PackedMove::new(m) == entry.best_move);
        let in_reach = self.largest_award(ply).is_some();
        (same_move && in_reach).then(|| Award::kept(entry.credit_source, entry.credit)).flatten()
    }

    /// Step 8: tests the table move against all others before it is searched, where the table expects it to hold.
    fn predict_singularity(&mut self, node: &Node<'_>, entry: &Entry, m: Move) -> Result<Prediction, Aborted> {
        let params = self.params;
        let promising = entry.bound.is_lower()
            && entry.depth >= node.depth - params.singular_tt_slack
            && !entry.score.is_decisive();
        let useful = params.multi_cut || params.conventional_extensions || (params.credit && params.credit_singular);
        if !params.singular_prediction || !useful || !promising || !self.tests_alternatives(node.depth) {
            return Ok(Prediction::Award(None));
        }
        let bound = self.singular_bound(entry.score, node.depth);
        let enough = params.singular_arity as usize;
        let depth = self.probe_depth(node.depth);
        let found = self.alternatives(node.position, m, bound, depth, node.ply, enough)?;
        if found >= enough {
            let cuts = params.multi_cut && bound >= node.window.beta && node.window.is_null();
            return Ok(if cuts { Prediction::MultiCut(bound) } else { Prediction::Award(None) });
        }
        if params.conventional_extensions {
            return Ok(Prediction::Extend);
        }
        if !params.credit {
            return Ok(Prediction::Award(None));
        }
        let award = singular::award(params, &self.taper, node.ply, found);
        Ok(Prediction::Award(award.map(|award| award.with_bound(bound))))
    }

    /// Steps 9 to 12: searches the moves, and stores the outcome.
    fn moves<K: NodeKind>(
        &mut self,
        node: &Node<'_>,
        table_hint: Option<TableHint>,
        threat: Option<Threat>,
    ) -> SearchResult {
        let Node { position, ply, mut window, .. } = *node;
        let original_alpha = window.alpha;
        let mut best = node.known.alpha;
        let mut best_move: Option<(Move, Option<Award>)> = None;
        let mut evidence = NodeEvidence {
            position,
            depth: node.depth,
            ply,
            ledger: node.ledger,
            beta: window.beta,
            in_check: node.in_check,
            threat,
            legal_moves: None,
        };
        let table_move = table_hint.map(|hint| hint.m);
        let mut picker = Picker::new(self.hints(ply, table_move), Selection::All);
        let mut tried: ArrayVec<Move, REMEMBERED> = ArrayVec::new();
        let mut number = 0;
        let mut quiets = 0;
        while let Some(m) = picker.next(position, self.ordering_histories()) {
            if K::ROOT && !self.root.moves.contains(&m) {
                continue;
            }
            number += 1;
            if !K::ROOT && !best.is_losing() && best > -Score::INFINITY {
                if !is_noisy(m) && !node.in_check && skips_late_moves(self.params, node.depth, quiets, node.improving) {
                    picker.skip_quiets();
                    continue;
                }
                if self.skips_move(node, window.alpha, m, number) {
                    continue;
                }
            }
            quiets += usize::from(!is_noisy(m));
            if K::ROOT {
                self.observer.current_move(self.root.iteration, m, number);
            }
            let hint = table_hint.filter(|hint| hint.m == m);
            let mut candidate = self.make_candidate::<K>(node, m, number, hint);
            self.path.push(&candidate.child);
            let bar = window.alpha.max(best);
            let score = self.search_and_credit::<K>(node, window, bar, &mut candidate, &mut evidence);
            self.path.pop();
            let score = if K::ROOT { self.root.known.hold(m, score?) } else { score? };
            if score > best {
                best = score;
                if score > window.alpha {
                    best_move = Some((m, candidate.earned));
                    self.accept::<K>(node, &candidate, score);
                    if score >= window.beta {
                        break;
                    }
                    if self.params.raised_alpha {
                        window = window.raised(score);
                    }
                }
            }
            if !tried.is_full() {
                tried.push(m);
            }
        }

        // 10. No legal move: mate or stalemate.
        if number == 0 {
            return Ok(if node.in_check { Score::mated(ply) } else { self.theoretical_draw(position) });
        }

        best = best.min(node.known.beta);

        // 11. What the cut-off teaches the ordering.
        if let Some((m, _)) = best_move
            && best >= window.beta
        {
            self.learn(node, m, &tried);
        }

        // 12. Store, with credit and accounts.
        self.remember::<K>(node, best, best_move, self.bound_of(best, original_alpha, window.beta));
        Ok(best)
    }

    /// Whether a hopeless or losing move is skipped without a search.
    fn skips_move(&self, node: &Node<'_>, alpha: Score, m: Move, number: usize) -> bool {
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
        exchange_threshold(params, node.depth, reduced_depth, noisy)
            .is_some_and(|threshold| !see_at_least(node.position, m, threshold))
    }

    /// Makes a move and decides how deep its first search goes.
    fn make_candidate<K: NodeKind>(
        &mut self,
        node: &Node<'_>,
        m: Move,
        number: usize,
        hint: Option<TableHint>,
    ) -> Candidate {
        let Node { position, ply, .. } = *node;
        let gives_check = node.checks.gives_check(position, m);
        let child = position.play(m);
        self.table.prefetch(child.key());
        self.note_move(position, m, ply);
        let passed_pawn_push = self.params.credit_passed_pawn && passed_pawn::is_push(position, m);
        let frame = self.frames.at_mut(ply);
        frame.forcing = gives_check;
        frame.passed_pawn_push = passed_pawn_push;
        let award = hint.and_then(|hint| hint.credit);
        if let Some(award) = award {
            self.book_award(award, ply);
        }
        let extension = self.conventional_extension(ply, gives_check || hint.is_some_and(|hint| hint.extends));
        let reduction = if self.params.late_move_reductions && number > 1 + usize::from(K::PV) && node.depth >= 3 {
            let is_noisy = is_noisy(m);
            let history = if is_noisy { 0 } else { self.histories.quiet(position, m, self.earlier(ply)) };
            let context = ReductionContext {
                is_pv: K::PV,
                is_noisy,
                cut_node: node.cut_node,
                improving: node.improving,
                gives_check,
                history,
            };
            late_move_reduction(self.params, self.reductions, node.depth, number, &context).min(node.depth - 2)
        } else {
            0
        };
        Candidate { m, child, number, depth: node.depth - 1 + extension, reduction, award, earned: award }
    }

    /// The ply that other engines extend checks and singular moves by, where that is switched on in place of credit.
    fn conventional_extension(&self, ply: Ply, forcing: bool) -> Depth {
        let in_reach = ply < self.params.conventional_reach * self.root.iteration;
        Depth::from(self.params.conventional_extensions && forcing && in_reach)
    }

    /// Fig. 1, lines 26-33: search; if the move exceeds `bar`, generate credit; if there is new credit, search again
    /// with it (laws 2 and 4). The score returned is the last search's.
    fn search_and_credit<K: NodeKind>(
        &mut self,
        node: &Node<'_>,
        window: Window,
        bar: Score,
        candidate: &mut Candidate,
        evidence: &mut NodeEvidence<'_>,
    ) -> SearchResult {
        let score = self.search_candidate::<K>(node, window, candidate)?;
        if score <= bar || !self.params.credit {
            return Ok(score);
        }
        // The probes make moves of their own from this frame.
        let (moved, forcing) = (self.frames.at(node.ply).moved, self.frames.at(node.ply).forcing);
        let award = self.generate_credit(evidence, candidate.m, score)?;
        let frame = self.frames.at_mut(node.ply);
        (frame.moved, frame.forcing) = (moved, forcing);
        let Some(award) = award.filter(|award| award.credit > candidate.credit()) else { return Ok(score) };
        candidate.earned = Some(award);
        self.book_award(award, node.ply);
        if !self.searches_again(node.ledger, award.credit) {
            return Ok(score);
        }
        candidate.award = Some(award);
        candidate.reduction = 0;
        self.credit.of_mut(award.mechanism).second_searches += 1;
        let score = self.search_candidate::<K>(node, window, candidate)?;
        if score <= bar {
            self.credit.of_mut(award.mechanism).failures += 1;
        }
        Ok(score)
    }

    /// Principal variation search of one move: a reduced scout, a full-depth scout, the open window, each only if the
    /// one before exceeds alpha.
    fn search_candidate<K: NodeKind>(
        &mut self,
        node: &Node<'_>,
        window: Window,
        candidate: &Candidate,
    ) -> SearchResult {
        let ledger = node.ledger.after_move(candidate.credit());
        let (child, depth, ply) = (&candidate.child, candidate.depth, node.ply + 1);
        let scout = Window::null(window.alpha).flip();
        // Should only scouts be searched, the move has no line; least of all that of the move before it.
        if self.keeps_line::<K>() {
            self.pv.clear(ply);
        }
        if candidate.reduction > 0 {
            let score = -self.node::<NonPv>(child, scout, depth - candidate.reduction, ply, ledger, true)?;
            if score <= window.alpha {
                return Ok(score);
            }
        }
        if window.is_null() {
            return Ok(-self.node::<NonPv>(child, window.flip(), depth, ply, ledger, !node.cut_node)?);
        }
        if self.scouts && candidate.number > 1 {
            let score = -self.node::<NonPv>(child, scout, depth, ply, ledger, !node.cut_node)?;
            if !window.contains(score) {
                return Ok(score);
            }
        }
        Ok(-self.node::<Pv>(child, window.flip(), depth, ply, ledger, false)?)
    }

    /// A move exceeded alpha: it heads the principal variation, and at the root it is the move to play so far.
    fn accept<K: NodeKind>(&mut self, node: &Node<'_>, candidate: &Candidate, score: Score) {
        if self.keeps_line::<K>() {
            let entry = LedgerEntry::new(node.ledger, candidate.award, self.limit);
            self.pv.update(node.ply, LineMove { m: candidate.m, entry });
        }
        if K::ROOT {
            self.root.first_move = Some(candidate.m);
            self.root.best = Some(BestLine { score, line: self.pv.line(node.ply).clone() });
        }
    }

    /// Step 11: credits the move that cut off and debits those tried before it.
    fn learn(&mut self, node: &Node<'_>, cutter: Move, tried: &[Move]) {
        let Node { position, ply, depth, .. } = *node;
        let earlier = self.earlier(ply);
        if is_noisy(cutter) {
            self.histories.update_capture(position, cutter, bonus(depth));
        } else {
            self.note_refutation(position, cutter, ply, depth);
        }
        for &m in tried {
            if is_noisy(m) {
                self.histories.update_capture(position, m, -bonus(depth));
            } else if !is_noisy(cutter) {
                self.histories.update_quiet(position, m, earlier, -bonus(depth));
            }
        }
    }

    /// Step 12: stores the node's score, depth after cash-in, accounts, and its best move with the credit it earned.
    fn remember<K: NodeKind>(
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
        let entry = Entry {
            best_move: best_move.map_or(PackedMove::NONE, |(m, _)| PackedMove::new(m)),
            score,
            static_eval: (!node.in_check).then_some(node.static_eval),
            depth: node.depth,
            bound,
            was_pv: K::PV,
            credit: award.map_or(Credit::NONE, |award| award.credit),
            credit_source: award.map_or(0, |award| award.mechanism as u8),
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
