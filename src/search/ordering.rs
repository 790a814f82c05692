//! What earlier cutoffs say about a node's moves, and what is learned in steps 4, 5, 9 and 11.

use super::facts::Node;
use super::frame::KILLERS;
use super::history::{Earlier, Histories, LOOK_BACK, QuietContext, bonus};
use super::picker::Hints;
use super::state::Search;
use crate::board::{Color, Move, PackedMove, Position, attacked, is_noisy};
use crate::score::Score;
use crate::units::{Depth, PERCENT, Ply};

/// Of a pawn.
const CENTIPAWNS: i32 = 100;

impl Search<'_> {
    /// The histories that order moves, unless they are switched off.
    /// Elo: +138 ± 29 (`use_history`)
    pub fn ordering_histories(&self) -> Option<&Histories> {
        self.task.params.use_history.then_some(&*self.learned.histories)
    }

    /// The preceding moves, as indices for the pair histories.
    #[inline(always)]
    pub fn earlier(&self, ply: Ply) -> Earlier {
        LOOK_BACK.map(|back| self.path.frames.at(ply - back).made.index)
    }

    /// The preceding moves for continuation history: none if it is switched off.
    /// Elo: +22 ± 11 (`continuation_history`)
    #[inline(always)]
    pub fn continued(&self, ply: Ply) -> Earlier {
        if self.task.params.continuation_history { self.earlier(ply) } else { Earlier::default() }
    }

    /// What the histories of a colour's quiet moves at a ply depend on.
    #[inline(always)]
    pub fn quiet_context(&self, color: Color, ply: Ply) -> QuietContext {
        let frame = self.path.frames.at(ply);
        QuietContext { color, attacked: frame.attacked, earlier: self.continued(ply) }
    }

    /// Finds out what the histories of a node's quiet moves depend on, before they are ordered.
    /// Elo: +40 ± 11 (`threat_history`, `swing_history`, `reply_history`, `scout_history`, `tt_history`)
    pub fn note_context(&mut self, position: &Position, ply: Ply) {
        if self.task.params.threat_history {
            self.path.frames.at_mut(ply).attacked = attacked(position, !position.turn());
        }
    }

    /// The killers of a ply.
    /// Elo: -15 ± 19 (`killers`)
    fn killers(&self, ply: Ply) -> [PackedMove; KILLERS] {
        if self.task.params.killers { self.path.frames.at(ply).killers } else { Default::default() }
    }

    /// The quiet move that last refuted the preceding move.
    /// Elo: -3 ± 11 (`counter_moves`)
    fn counter_move(&self, ply: Ply) -> PackedMove {
        if !self.task.params.counter_moves {
            return PackedMove::NONE;
        }
        self.learned.histories.counter_move(self.path.frames.at(ply - 1).made.index)
    }

    /// The hints for ordering a node's moves.
    pub fn hints(&self, ply: Ply, tt_move: Option<Move>) -> Hints {
        let hints = self.noisy_hints(tt_move);
        if !self.task.params.ordering || !self.task.params.use_history {
            return hints;
        }
        Hints {
            killers: self.killers(ply),
            counter_move: self.counter_move(ply),
            earlier: self.continued(ply),
            attacked: self.path.frames.at(ply).attacked,
            ..hints
        }
    }

    /// The same where only noisy moves are wanted.
    pub fn noisy_hints(&self, tt_move: Option<Move>) -> Hints {
        let hints = Hints::new(self.task.ordering);
        if self.task.params.ordering { Hints { tt_move, ..hints } } else { Hints { unordered: true, ..hints } }
    }

    /// Whether a quiet move is a killer here or the counter-move to the last move.
    pub fn is_refutation(&self, ply: Ply, m: Move) -> bool {
        let packed = PackedMove::new(m);
        self.killers(ply).contains(&packed) || self.counter_move(ply) == packed
    }

    /// Adds a bonus or malus for a capture to the histories.
    /// Elo: -1 ± 18 (`capture_history`)
    pub fn learn_of_capture(&mut self, position: &Position, m: Move, bonus: i32) {
        if self.task.params.capture_history {
            self.learned.histories.update_capture(position, m, bonus);
        }
    }

    /// A quiet move caused a cutoff: store it as killer, counter-move and in the histories.
    pub fn note_refutation(&mut self, position: &Position, m: Move, ply: Ply, depth: Depth) {
        self.note_killer(m, ply);
        let context = self.quiet_context(position.turn(), ply);
        self.learned.histories.update_quiet(self.task.params, context, m, bonus(self.task.params, depth));
    }

    /// The same, but not in the histories.
    fn note_killer(&mut self, m: Move, ply: Ply) {
        let packed = PackedMove::new(m);
        let killers = &mut self.path.frames.at_mut(ply).killers;
        if killers[0] != packed {
            killers[1] = killers[0];
            killers[0] = packed;
        }
        self.learned.histories.set_counter_move(self.path.frames.at(ply - 1).made.index, packed);
    }

    /// The history score of a quiet move; 0 for other moves.
    pub(super) fn quiet_history(&self, context: QuietContext, m: Move) -> i32 {
        if is_noisy(m) { 0 } else { self.learned.histories.quiets(context).of(m) }
    }

    /// The last move before `ply` if it was quiet, with what its history depends on; `color` made it.
    fn last_quiet(&self, color: Color, ply: Ply) -> Option<(Move, QuietContext)> {
        let m = self.path.frames.at(ply - 1).made.mv.filter(|&m| !is_noisy(m))?;
        Some((m, self.quiet_context(color, ply - 1)))
    }

    /// Step 5: a quiet move is judged at once by what it did to the static evaluation.
    pub(super) fn learn_of_swing(&mut self, position: &Position, ply: Ply, static_eval: i32) {
        let params = self.task.params;
        if params.swing_history
            && let Some(before) = self.path.frames.at(ply - 1).static_eval
            && let Some((m, context)) = self.last_quiet(!position.turn(), ply)
        {
            let swing = -static_eval - before;
            let bonus = (swing * params.swing_weight / CENTIPAWNS).clamp(-params.swing_most, params.swing_most);
            self.learned.histories.update_butterfly(context, m, bonus);
        }
    }

    /// So many percent of the bonus for a cutoff at this depth.
    fn share_of_bonus(&self, share: i32, depth: Depth) -> i32 {
        bonus(self.task.params, depth) * share / PERCENT
    }

    /// Step 4: a quiet table move that cuts off without a search.
    pub(super) fn learn_from_table(&mut self, position: &Position, ply: Ply, m: Option<Move>, depth: Depth) {
        self.learn_of_refuted(position, ply, depth);
        if let Some(m) = m.filter(|&m| self.task.params.tt_history && !is_noisy(m)) {
            self.note_context(position, ply);
            let bonus = self.share_of_bonus(self.task.params.tt_share, depth);
            let context = self.quiet_context(position.turn(), ply);
            self.learned.histories.update_quiet(self.task.params, context, m, bonus);
        }
    }

    /// Steps 4 and 11: a cutoff refutes the move that led to the node. If that was quiet and one of its node's first,
    /// it came too early: a malus after the moves before it, as if found a ply deeper. Stockfish has such a rule.
    /// Elo: +5 ± 11 (`refuted_moves`)
    fn learn_of_refuted(&mut self, position: &Position, ply: Ply, depth: Depth) {
        let params = self.task.params;
        let number = self.path.frames.at(ply - 1).made.number;
        if (1..=params.refuted_moves as usize).contains(&number)
            && let Some((m, context)) = self.last_quiet(!position.turn(), ply)
        {
            self.learned.histories.update_continuation(params, context, m, -bonus(params, depth + 1));
        }
    }

    /// Step 9: the full-depth search after a reduced one tells what the move is worth after the moves before it.
    pub(super) fn learn_from_scout(&mut self, node: &Node<'_>, m: Move, is_good: bool) {
        if self.task.params.scout_history && !is_noisy(m) {
            let bonus = self.share_of_bonus(self.task.params.scout_share, node.depth);
            let context = self.quiet_context(node.position.turn(), node.ply);
            let bonus = if is_good { bonus } else { -bonus };
            self.learned.histories.update_continuation(self.task.params, context, m, bonus);
        }
    }

    /// Step 11: the node fails low, so the quiet move that led to it is good.
    pub(super) fn learn_from_failure(&mut self, node: &Node<'_>) {
        if self.task.params.reply_history
            && let Some((m, context)) = self.last_quiet(!node.position.turn(), node.ply)
        {
            let bonus = self.share_of_bonus(self.task.params.reply_share, node.depth);
            self.learned.histories.update_quiet(self.task.params, context, m, bonus);
        }
    }

    /// The depth as of which a cutoff teaches the histories: more where the static evaluation did not promise one,
    /// since it was found by the move. So Stormphrax and Lynx.
    /// Elo: -2 ± 11 (`surprise_plies`)
    fn depth_learned(&self, node: &Node<'_>) -> Depth {
        let is_surprise = !node.in_check && Score::cp(node.static_eval) <= node.window.alpha;
        node.depth + if is_surprise { self.task.params.surprise_plies } else { 0 }
    }

    /// Whether a cutoff by a quiet move says little: at low depth, by the first quiet move that was searched. It is a
    /// killer and counter-move, but no better than before. Ethereal has such a rule.
    /// Elo: -2 ± 11 (`easy_cutoff_depth`)
    fn is_easy_cutoff(&self, node: &Node<'_>, tried: &[Move]) -> bool {
        node.depth <= self.task.params.easy_cutoff_depth && tried.iter().all(|&m| is_noisy(m))
    }

    /// Step 11: a bonus for the move that caused the cutoff and a malus for those tried before it.
    pub(super) fn learn_from_cutoff(&mut self, node: &Node<'_>, cutter: Move, tried: &[Move]) {
        let Node { position, ply, .. } = *node;
        self.path.frames.at_mut(ply).cutoffs += 1;
        self.learn_of_refuted(position, ply, node.depth);
        let gain = bonus(self.task.params, self.depth_learned(node));
        let context = self.quiet_context(position.turn(), ply);
        if is_noisy(cutter) {
            self.learn_of_capture(position, cutter, gain);
        } else {
            self.note_killer(cutter, ply);
            if !self.is_easy_cutoff(node, tried) {
                self.learned.histories.update_quiet(self.task.params, context, cutter, gain);
            }
        }
        for &m in tried {
            if is_noisy(m) {
                self.learn_of_capture(position, m, -gain);
            } else if !is_noisy(cutter) {
                self.learned.histories.update_quiet(self.task.params, context, m, -gain);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::credit::Ledger;
    use crate::params::Params;
    use crate::score::Window;
    use crate::search::facts::{NonPv, Visit};
    use crate::search::tests::with_search;

    /// The history scores of 1...Kd7, its node's `number`th move, and of 2.Rg2 and 2.Ra3, after something is learned in
    /// the node of `depth` plies between them.
    fn learned(
        params: Params,
        number: usize,
        depth: Depth,
        learn: impl Fn(&mut Search<'_>, &Node<'_>, [Move; 2]),
    ) -> [i32; 3] {
        with_search(params, "3k4/p7/8/8/2b5/8/8/R3K3 w - - 0 1", |search, position| {
            let step = search.step(position, position.parse_uci("a1a2").unwrap());
            search.through(&step, 0, |search, middle| {
                let king_move = middle.parse_uci("d8d7").unwrap();
                let mut step = search.step(middle, king_move);
                step.made.number = number;
                let replies = search.through(&step, 1, |search, position| {
                    let window = Window::null(Score::ZERO);
                    let visit = Visit { position, window, depth, ply: 2, ledger: Ledger::EMPTY, cut_node: true };
                    let node = search.prepare::<NonPv>(visit, None);
                    let moves = ["a2g2", "a2a3"].map(|uci| position.parse_uci(uci).unwrap());
                    learn(search, &node, moves);
                    moves.map(|m| search.quiet_history(search.quiet_context(position.turn(), 2), m))
                });
                let king = search.quiet_history(search.quiet_context(middle.turn(), 1), king_move);
                [king, replies[0], replies[1]]
            })
        })
    }

    #[test]
    fn an_early_move_is_to_blame_for_its_refutation() {
        let blame = |refuted_moves, number, by_table| {
            let params = Params { refuted_moves, ..Params::default() };
            let [king, ..] = learned(params, number, 4, |search, node, [m, _]| {
                if by_table {
                    search.learn_from_table(node.position, node.ply, Some(m), node.depth);
                } else {
                    search.learn_from_cutoff(node, m, &[]);
                }
            });
            king
        };
        let malus = -bonus(&Params::default(), 5);
        for by_table in [false, true] {
            assert_eq!([0, 1, 2, 3].map(|number| blame(2, number, by_table)), [0, malus, malus, 0]);
            assert_eq!(blame(0, 1, by_table), 0);
        }
    }

    #[test]
    fn a_cutoff_that_the_evaluation_did_not_promise_teaches_as_if_it_were_deeper() {
        let params = |surprise_plies| Params { surprise_plies, ..Params::default() };
        let history = |surprise_plies, eval, in_check| {
            let [_, cutter, tried] = learned(params(surprise_plies), 1, 4, |search, node, [cutter, tried]| {
                let node = Node { static_eval: node.window.alpha.main() + eval, in_check, ..*node };
                search.learn_from_cutoff(&node, cutter, &[tried]);
            });
            [cutter, tried]
        };
        // In general, and after the two moves before.
        let as_of = |depth| [1, -1].map(|sign| sign * 3 * bonus(&params(0), depth));
        assert_eq!(history(2, 0, false), as_of(6));
        for [surprise_plies, eval, in_check] in [[2, 1, 0], [2, 0, 1], [0, 0, 0]] {
            assert_eq!(history(surprise_plies, eval, in_check == 1), as_of(4));
        }
    }

    #[test]
    fn an_easy_cutoff_makes_a_killer_and_no_history() {
        let learns = |easy_cutoff_depth, depth, after: &str| {
            let params = Params { easy_cutoff_depth, ..Params::default() };
            let [_, cutter, _] = learned(params, 1, depth, |search, node, [cutter, _]| {
                search.learn_from_cutoff(node, cutter, &[node.position.parse_uci(after).unwrap()]);
                assert!(search.is_refutation(node.ply, cutter));
            });
            cutter > 0
        };
        let (capture, quiet) = ("a2a7", "a2b2");
        assert!(!learns(2, 2, capture) && !learns(2, 1, capture));
        assert!(learns(2, 3, capture) && learns(2, 2, quiet) && learns(0, 1, capture));
    }
}
