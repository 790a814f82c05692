//! The node function: the dual credit algorithm (paper, Fig. 1) in numbered steps, each a call to a named function.
//!
//! One function serves both profiles. With every modern rule switched off it is Fig. 1 with a transposition table. The
//! modern profile adds pruning and reductions around it, and awards checks and singular moves before their search.

use std::ops::ControlFlow;

use arrayvec::ArrayVec;

use super::draws::table_key;
use super::endgames::Knowledge;
use super::facts::{Aborted, Intake, NextMove, Node, NodeEvidence, NodeKind, SearchResult, TtHint, Visit};
use super::observer::{NodeEnd, NodeEntry};
use super::path::NO_PLY;
use super::picker::{Picker, Selection};
use super::pruning::{improves_above_beta, reduces_without_tt_move, skips_late_moves};
use super::state::Search;
use crate::board::{CheckInfo, Move, PackedMove, is_noisy};
use crate::credit::Award;
use crate::credit::threat::Threat;
use crate::score::{Score, Window};
use crate::tt::{Bound, Entry};
use crate::units::{Credit, Depth, MAX_PLY, Ply};

/// Moves remembered for the history malus.
const REMEMBERED: usize = 64;

/// What searching a node's moves has found.
struct Searched {
    best: Score,
    /// The move that raised alpha last, with its award that the table keeps.
    best_move: Option<(Move, Option<Award>)>,
    /// How many moves there were, as far as they were counted; with none the game is over.
    number: usize,
}

impl Search<'_> {
    /// Searches a node: its score for the side to move.
    pub(super) fn node<K: NodeKind>(&mut self, mut visit: Visit<'_>) -> SearchResult {
        // 1. Cash in the credit of the side that just moved (law 1), before anything looks at the depth.
        let ply = visit.ply;
        let cash_in = visit.ledger.cash_in(self.iteration.limit);
        if cash_in.plies > 0 {
            self.book_cash_in(cash_in.plies, ply);
        }
        self.path.frames.at_mut(ply).cash_in = cash_in;
        // Explosion control may end the software depth sooner.
        let depth = (visit.depth + cash_in.plies)
            .min(self.iteration.most_depth(self.task.params, ply) - self.iteration.horizon_depth);
        if self.observation.tree {
            self.tell_entry(&visit, depth);
        }
        visit.depth = depth;
        visit.ledger = cash_in.ledger;
        // 2. At the end of the software depth, the horizon search takes over.
        self.path.depends_on = NO_PLY;
        let is_leaf = depth <= 0 || ply >= MAX_PLY - 1;
        let result = if is_leaf { self.leaf::<K>(visit) } else { self.visit::<K>(visit) };
        if self.observation.tree {
            self.observation.left(ply, result, self.meter.nodes);
        }
        result
    }

    /// Reports that a node is entered, at this depth after cash-in.
    fn tell_entry(&mut self, visit: &Visit<'_>, depth: Depth) {
        let ply = visit.ply;
        let made = self.path.frames.at(ply - 1).made;
        self.observation.ended = NodeEnd::Moves;
        self.observation.observer.node_entered(&NodeEntry {
            position: visit.position,
            ply,
            mv: made.mv,
            purpose: made.purpose,
            iteration: self.iteration.number,
            nodes: self.meter.nodes,
            window: visit.window,
            asked: visit.depth,
            depth,
            horizon: self.iteration.horizon_depth,
            before: visit.ledger,
            cash_in: self.path.frames.at(ply).cash_in,
            payer: self.payer(ply),
            delayed: self.delayed(self.path.frames.at(ply).cash_in.plies, ply),
        });
    }

    /// Steps 3 to 8: what may end a node before its moves are searched. Depth and accounts are those after cash-in.
    pub(super) fn visit<K: NodeKind>(&mut self, visit: Visit<'_>) -> SearchResult {
        let Visit { position, mut window, mut depth, ply, ledger, cut_node } = visit;
        self.enter(ply)?;
        if self.path.keeps_line::<K>() {
            self.path.lines.clear(ply);
        }

        // 3. Draws, no progress, and mate distance pruning.
        if K::MAY_END_EARLY {
            if let Some(score) =
                self.draw_score(position, ply).or_else(|| self.draw_in_hand(position, window.beta, ply))
            {
                self.observation.note_end(NodeEnd::Draw);
                return Ok(score);
            }
            if let Some(plies) = self.makes_no_progress_since(position, ply) {
                self.observation.note_end(NodeEnd::NoProgress(plies));
                self.path.depends_on = ply - plies;
                return Ok(window.beta);
            }
            if self.task.params.mate_distance_pruning {
                window = within_mate_distance(window, ply);
                if window.alpha >= window.beta {
                    self.observation.note_end(NodeEnd::MateDistance);
                    return Ok(window.alpha);
                }
            }
        }

        // 4. Transposition table: a cutoff, or a move with the credit it once earned.
        let entry = self.task.tt.probe(table_key(position), ply);
        if K::MAY_END_EARLY
            && let Some(entry) = entry
            && let Some(score) =
                self.tt_cutoff::<K>(&entry, window, self.iteration.tt_depth(self.task.params, depth, ply), ledger)
        {
            if score >= window.beta {
                self.learn_from_table(position, ply, entry.best_move.unpack(position), depth);
            }
            self.observation.note_end(NodeEnd::Table(entry));
            return Ok(score);
        }

        // And endgame tables: the score, or bounds within which the search continues.
        let known = match self.ask_endgames::<K>(position, window, depth, ply) {
            Knowledge::Decides(score) => {
                self.observation.note_end(NodeEnd::Endgames);
                return Ok(score);
            }
            Knowledge::Bounds(known) => known,
        };
        window = window.raised(window.alpha.max(known.alpha));

        // 5. Static evaluation, and whether it has improved since two plies before.
        let node = self.prepare::<K>(Visit { window, ..visit }, entry.as_ref());

        // 6. Can the whole node be pruned?
        if !K::PV
            && let Some(score) = self.prune_statically(&node)
        {
            self.keep_evaluation(position, entry.as_ref(), node.raw_eval, ply);
            self.observation.note_end(NodeEnd::StaticPruning);
            return Ok(score);
        }

        // 7. Null move: prune, or keep its verdict as evidence of a threat. ProbCut may prune as well.
        let mut threat = None;
        if !K::PV && self.may_pass(&node) && !self.prefers_capture(position, entry.as_ref()) {
            match self.null_move(&node)? {
                ControlFlow::Break(score) => {
                    self.keep_evaluation(position, entry.as_ref(), node.raw_eval, ply);
                    self.observation.note_end(NodeEnd::NullMove);
                    return Ok(score);
                }
                ControlFlow::Continue(verdict) => threat = Some(verdict),
            }
        }
        if !K::PV
            && let Some(score) = self.probcut(&node, entry.as_ref())?
        {
            self.observation.note_end(NodeEnd::ProbCut);
            return Ok(score);
        }
        // What follows asks for the table's move, which costs time to unpack.
        let tt_move = self.move_to_begin_with::<K>(position, entry.as_ref());
        if reduces_without_tt_move(self.task.params, depth, tt_move.is_some(), K::PV || cut_node) {
            depth -= 1;
        }
        let improving = node.improving || improves_above_beta(self.task.params, &node);
        let node = Node { depth, known, improving, ..node };
        self.note_context(position, ply);

        // 8. Is the table move singular? Then it earns its credit before its first search.
        let tt_hint = match tt_move.map(|m| self.weigh_tt_move::<K>(&node, entry.as_ref(), m)).transpose()? {
            Some(ControlFlow::Break(score)) => {
                self.observation.note_end(NodeEnd::MultiCut);
                return Ok(score);
            }
            Some(ControlFlow::Continue(hint)) => Some(hint),
            None => None,
        };

        // The moves.
        self.moves::<K>(&node, tt_hint.as_ref(), threat)
    }

    /// Steps 9 to 12: searches the moves, and stores the result. A function of its own, as most nodes end before, and
    /// need no room for moves.
    #[inline(never)]
    fn moves<K: NodeKind>(
        &mut self,
        node: &Node<'_>,
        tt_hint: Option<&TtHint>,
        threat: Option<(Threat, Score)>,
    ) -> SearchResult {
        // 9. The moves.
        let mut tried = ArrayVec::new();
        let Searched { best, best_move, number } = self.search_moves::<K>(node, tt_hint, threat, &mut tried)?;

        // 10. No legal move: mate or stalemate.
        if number == 0 {
            self.observation.note_end(NodeEnd::NoMove);
            return Ok(if node.in_check { Score::mated(node.ply) } else { self.theoretical_draw(node.position) });
        }

        // 11. Update histories and the correction of the evaluation.
        let best = best.min(node.known.beta);
        let bound = Bound::of(best, node.window.alpha, node.window.beta);
        if let Some((m, _)) = best_move
            && bound == Bound::Lower
        {
            self.learn_from_cutoff(node, m, &tried);
        }
        if bound == Bound::Upper {
            self.learn_from_failure(node);
        }
        self.learn_of_evaluation::<K>(node, best, bound, best_move.map(|(m, _)| m));

        // 12. Store, with credit and accounts.
        self.observation.note_end(NodeEnd::Moves);
        self.remember::<K>(node, best, best_move, bound);
        Ok(best)
    }

    /// Step 9: searches the moves in the picker's order until one reaches beta. Those that did not are added to
    /// `tried`, and the path's dependence is that of the result.
    #[inline]
    fn search_moves<K: NodeKind>(
        &mut self,
        node: &Node<'_>,
        tt_hint: Option<&TtHint>,
        threat: Option<(Threat, Score)>,
        tried: &mut ArrayVec<Move, REMEMBERED>,
    ) -> Result<Searched, Aborted> {
        let Node { position, ply, mut window, .. } = *node;
        let mut best = node.known.alpha;
        let mut best_move: Option<(Move, Option<Award>)> = None;
        let mut evidence = NodeEvidence { node, threat, legal_moves: None };
        let tt_move = tt_hint.map(|hint| hint.mv);
        let mut picker = Picker::new(self.hints(ply, tt_move), Selection::All);
        // Not in `prepare`: many nodes end before.
        let checks = CheckInfo::new(position);
        // Otherwise nobody asks, and whether castling gives check is found out by playing it.
        if self.task.params.futility || self.task.params.check_order > 0 {
            picker.recognise_checks(&checks);
        }
        let context = self.quiet_context(position.turn(), ply);
        let mut depends_on = NO_PLY;
        let mut number = 0;
        let mut quiets = 0;
        while let Some(m) = picker.next(position, self.ordering_histories()) {
            let intake = self.take_up::<K>(m, number + 1);
            if intake == Intake::Excluded {
                continue;
            }
            number += 1;
            let may_be_pruned = intake == Intake::Prunable && !best.is_losing() && best > -Score::INFINITY;
            if may_be_pruned {
                if !is_noisy(m)
                    && !node.in_check
                    && skips_late_moves(self.task.params, node.depth, quiets, node.improving)
                {
                    picker.skip_quiets();
                    continue;
                }
                if self.is_futile(node, &checks, window.alpha, m, number) {
                    // So are all later quiet moves but checks: they are reduced no less, alpha does not fall, and
                    // killers and counter-moves, which are futile later, came before.
                    number += picker.skip_quiets_unless_checks();
                    continue;
                }
            }
            self.prefetch(position, m);
            let history = self.quiet_history(context, m);
            if may_be_pruned && self.is_bad(node, &checks, m, number, history) {
                continue;
            }
            quiets += usize::from(!is_noisy(m));
            let next = NextMove { mv: m, number, history };
            let mut candidate = self.make_candidate::<K>(node, next, tt_hint);
            let bar = window.alpha.max(best);
            let nodes_before = self.meter.nodes;
            let result = self.search_and_credit::<K>(node, window, bar, &mut candidate, &mut evidence);
            let score = self.settle::<K>(node, &candidate, bar, nodes_before, result)?;
            if score > best {
                best = score;
                if score > window.alpha {
                    best_move = Some((m, candidate.lasting));
                    if score >= window.beta {
                        depends_on = candidate.depends_on;
                        break;
                    }
                    if self.task.params.raised_alpha {
                        window = window.raised(score);
                    }
                }
            }
            depends_on = depends_on.min(candidate.depends_on);
            if !tried.is_full() {
                tried.push(m);
            }
        }
        self.path.depends_on = depends_on;
        Ok(Searched { best, best_move, number })
    }

    /// Step 12: stores the node's score, depth after cash-in, accounts, and its best move with the credit it earned.
    pub(super) fn remember<K: NodeKind>(
        &mut self,
        node: &Node<'_>,
        score: Score,
        best_move: Option<(Move, Option<Award>)>,
        bound: Bound,
    ) {
        if !self.scores_position::<K>() {
            return;
        }
        let award = best_move.and_then(|(_, award)| award);
        // A score that depends on the path is not the position's score.
        let bound = if self.path.depends_on < node.ply { Bound::None } else { bound };
        let entry = Entry {
            best_move: best_move.map_or(PackedMove::NONE, |(m, _)| PackedMove::new(m)),
            score,
            static_eval: (!node.in_check).then_some(node.raw_eval),
            depth: self.iteration.tt_depth(self.task.params, node.depth, node.ply),
            bound,
            was_pv: node.was_pv,
            credit: award.map_or(Credit::NONE, |award| award.credit),
            credit_source: award.map_or(0, |award| award.mechanism.number()),
            mine: node.ledger.mine,
            his: node.ledger.his,
        };
        self.task.tt.store(table_key(node.position), entry, node.ply);
    }
}

/// The window without scores that no line through this node can reach: being mated here, or mating with the next move.
fn within_mate_distance(window: Window, ply: Ply) -> Window {
    Window { alpha: window.alpha.max(Score::mated(ply)), beta: window.beta.min(Score::mating(ply + 1)) }
}
