//! Which nodes and moves the modern profile prunes. Each rule is a named function with its own switch; of all of them
//! the deep-blue profile only has explosion control.

use super::facts::Node;
use super::state::Search;
use crate::board::{CheckInfo, Move, Position, Role, attacked_by, is_noisy, see_at_least};
use crate::params::Params;
use crate::score::Score;
use crate::units::Depth;

/// Explosion control: the additional reduction of late moves in an iteration that already costs far more nodes than the
/// last one, one ply for each half of that cost beyond the limit.
pub(super) fn growth_restraint(params: &Params, cost: u64, last_cost: u64) -> Depth {
    if !params.growth_control {
        return 0;
    }
    let last_cost = last_cost.max(params.growth_floor as u64);
    let halves = 2 * cost / last_cost;
    halves.saturating_sub(2 * params.growth_limit as u64).min(params.growth_most as u64) as Depth
}

/// Reverse futility pruning: the static evaluation is so far above beta that a shallow search will not fall below it.
/// With too few pieces zugzwang is likely, and what hangs in the evaluation need not matter.
/// Elo: +103 ± 28 (`reverse_futility`)
pub(super) fn prunes_by_reverse_futility(
    params: &Params,
    position: &Position,
    depth: Depth,
    static_eval: i32,
    beta: Score,
    improving: bool,
) -> bool {
    let left = static_eval - params.reverse_futility_margin * (depth - Depth::from(improving));
    params.reverse_futility
        && depth <= params.reverse_futility_depth
        && !beta.is_decisive()
        && Score::cp(left) >= beta
        && position.piece_count(position.turn()) >= params.reverse_futility_pieces as usize
        && (Score::cp(left - params.reverse_futility_threat) >= beta || !pawns_attack_a_piece(position))
}

/// Whether a pawn attacks a piece of the side to move: it costs a move to save it, and two cannot be saved at once,
/// which an evaluation hardly sees. Integral and Koivisto have such a margin.
/// Elo: +6 ± 11 (`reverse_futility_threat`)
fn pawns_attack_a_piece(position: &Position) -> bool {
    let (board, us) = (position.board(), position.turn());
    let attacked = attacked_by(board, !us, Role::Pawn);
    (attacked & board.by_color(us) & !board.pawns()).any()
}

/// The score that a capture must reach in a shallow search for ProbCut; `None` if the rule does not apply.
/// Elo: -5 ± 12 (`probcut`)
pub(super) fn probcut_bound(params: &Params, depth: Depth, beta: Score, improving: bool) -> Option<Score> {
    let applies = params.probcut && depth >= params.probcut_depth && !beta.is_decisive();
    let easier = if improving { params.probcut_improving } else { 0 };
    applies.then(|| beta.offset((params.probcut_margin - easier).max(0)))
}

/// History pruning: whether a quiet move's history is too bad for a search at this depth.
/// Elo: -1 ± 11 (`history_pruning`)
fn history_prunes(params: &Params, depth: Depth, history: i32) -> bool {
    params.history_pruning && depth <= params.history_pruning_depth && history < -params.history_pruning_margin * depth
}

/// Whether a null-move cutoff must be verified: if the tree below is large, or at most one piece protects the side to
/// move from zugzwang.
/// Elo: +5 ± 11 (`null_move_verification`)
pub(super) fn verifies_null_move(params: &Params, depth: Depth, position: &Position) -> bool {
    params.null_move_verification
        && (depth >= params.null_move_verify_depth
            || position.piece_count(position.turn()) <= params.null_move_verify_pieces as usize)
}

/// What the evaluation must reach for a null move to be tried: at low depth, where its search is little more than
/// quiescence and would mostly confirm the evaluation, more than beta. So Stockfish and Weiss.
/// Elo: -2 ± 11 (`null_move_margin`)
pub(super) fn null_move_bar(params: &Params, depth: Depth, beta: Score) -> Score {
    let margin = params.null_move_margin - params.null_move_margin_slope * depth;
    if margin > 0 { beta.offset(margin) } else { beta }
}

/// Depth reduction of the null-move search: more at higher depth and with a larger margin above beta.
pub(super) fn null_move_reduction(params: &Params, depth: Depth, above_beta: i32) -> Depth {
    params.null_move_base
        + depth / params.null_move_divisor
        + (above_beta / params.null_move_eval_divisor).clamp(0, params.null_move_eval_most)
}

/// Futility pruning: a quiet move will not raise so low an evaluation to alpha within the reduced depth.
/// Elo: +45 ± 11 (`futility`)
fn skips_by_futility(params: &Params, reduced_depth: Depth, static_eval: i32, alpha: Score) -> bool {
    params.futility
        && reduced_depth <= params.futility_depth
        && Score::cp(static_eval + params.futility_base + params.futility_margin * reduced_depth.max(0)) <= alpha
}

/// Whether a node counts as improving because its evaluation reaches beta, whatever it was two plies before. So
/// Stockfish.
/// Elo: +2 ± 8 (`improving_above_beta`)
pub(super) fn improves_above_beta(params: &Params, node: &Node<'_>) -> bool {
    params.improving && params.improving_above_beta && !node.in_check && Score::cp(node.static_eval) >= node.window.beta
}

/// Late-move pruning: after this many quiet moves at low depth the rest will not do better.
/// Elo: +70 ± 28 (`late_move_pruning`)
pub(super) fn skips_late_moves(params: &Params, depth: Depth, quiets_tried: usize, improving: bool) -> bool {
    let most = params.late_move_pruning_base + depth * depth;
    let allowance = if improving { most } else { most / 2 };
    params.late_move_pruning && depth <= params.late_move_pruning_depth && quiets_tried as i32 >= allowance
}

/// The exchange loss beyond which a move is skipped, in centipawns; `None` if the rule does not apply.
/// Elo: +67 ± 28 (`see_pruning`)
fn exchange_threshold(params: &Params, depth: Depth, reduced_depth: Depth, is_noisy: bool) -> Option<i32> {
    if !params.see_pruning || depth > params.see_pruning_depth {
        return None;
    }
    Some(if is_noisy { -params.see_noisy_margin * depth } else { -params.see_quiet_margin * reduced_depth.max(0) })
}

/// Whether a move's exchange value is within a threshold. A check may lose more: sacrifices come with checks.
/// Elo: +11 ± 11 (`see_pins`)
fn exchange_holds(params: &Params, position: &Position, checks: &CheckInfo, m: Move, threshold: i32) -> bool {
    let holds = |threshold| see_at_least(position, m, threshold, params.see_pins);
    holds(threshold) || checks.gives_check(position, m) && holds(threshold - params.see_check_margin)
}

/// Internal iterative reduction: without a table move, ordering is poor and the score uncertain.
/// Elo: -7 ± 11 (`internal_reduction`)
pub(super) fn reduces_without_tt_move(params: &Params, depth: Depth, has_tt_move: bool, matters: bool) -> bool {
    params.internal_reduction && matters && !has_tt_move && depth >= params.internal_reduction_depth
}

impl Search<'_> {
    /// The depth after the node's `number`th move, if it is reduced as late moves commonly are.
    pub(super) fn reduced_depth(&self, node: &Node<'_>, number: usize) -> Depth {
        let params = self.task.params;
        let reduction = if params.late_move_reductions { self.task.reductions.plies(node.depth, number) } else { 0 };
        node.depth - 1 - reduction
    }

    /// Whether a quiet move, the node's `number`th, is skipped because it will not reach alpha. Part of the loop over
    /// the moves, as it is asked of most.
    #[inline(always)]
    pub(super) fn is_futile(&self, node: &Node<'_>, checks: &CheckInfo, alpha: Score, m: Move, number: usize) -> bool {
        !is_noisy(m)
            && !node.in_check
            && self.is_hopeless(node, m, self.reduced_depth(node, number), alpha)
            && !checks.gives_check(node.position, m)
    }

    /// Whether the margin of futility pruning leaves a quiet move below alpha. It is wider for killers and
    /// counter-moves, which have done well nearby; Hobbes' for killers.
    /// Elo: +3 ± 11 (`futility_refutation`)
    #[inline(always)]
    fn is_hopeless(&self, node: &Node<'_>, m: Move, reduced_depth: Depth, alpha: Score) -> bool {
        let params = self.task.params;
        let skips = |more| skips_by_futility(params, reduced_depth, node.static_eval + more, alpha);
        skips(0) && (skips(params.futility_refutation) || !self.is_refutation(node.ply, m))
    }

    /// Whether a move, the node's `number`th, is skipped for its bad history or because it loses an exchange.
    pub(super) fn is_bad(&self, node: &Node<'_>, checks: &CheckInfo, m: Move, number: usize, history: i32) -> bool {
        let params = self.task.params;
        let noisy = is_noisy(m);
        if !noisy && history_prunes(params, node.depth, history) {
            return true;
        }
        exchange_threshold(params, node.depth, self.reduced_depth(node, number), noisy)
            .filter(|_| noisy || !self.keeps_out_of_reach(node, m))
            .is_some_and(|threshold| !exchange_holds(params, node.position, checks, m, threshold))
    }

    /// Whether a quiet move is known to stay out of reach, so that no exchange can follow: neither of its squares is
    /// attacked, and a piece that it gives way to would attack the one that it leaves.
    fn keeps_out_of_reach(&self, node: &Node<'_>, m: Move) -> bool {
        let attacked = self.path.frames.at(node.ply).attacked;
        self.task.params.threat_history
            && !attacked.contains(m.to())
            && m.from().is_some_and(|from| !attacked.contains(from))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{PackedMove, START_FEN};
    use crate::score::Window;
    use crate::search::tests::with_node;

    #[test]
    fn an_iteration_is_restrained_only_beyond_the_limit_and_more_and_more() {
        let params = Params { growth_limit: 4, growth_floor: 10_000, ..Params::default() };
        let restraint = |cost, last_cost| growth_restraint(&params, cost, last_cost);
        assert_eq!([40_000, 44_999, 45_000, 50_000, 80_000].map(|cost| restraint(cost, 10_000)), [0, 0, 1, 2, 8]);
        assert_eq!(restraint(44_999, 0), 0, "the floor applies if the last iteration cost less");
        assert_eq!(restraint(u64::MAX / 2, 10_000), params.growth_most);
        assert_eq!(growth_restraint(&Params { growth_control: false, ..params.clone() }, 1 << 40, 0), 0);
    }

    #[test]
    fn what_ends_a_node_by_a_capture_reaches_beta() {
        let bound = |probcut_margin, improving| {
            let params = Params { probcut: true, probcut_margin, probcut_improving: 50, ..Params::default() };
            probcut_bound(&params, params.probcut_depth, Score::cp(100), improving)
        };
        assert_eq!(
            [(160, false), (160, true), (0, true)].map(|(m, i)| bound(m, i)),
            [260, 210, 100].map(|cp| Some(Score::cp(cp)))
        );
    }

    #[test]
    fn a_check_may_lose_more_than_another_move() {
        // Either bishop captures a guarded pawn, and loses two pawns' worth; only the capture on h7 gives check.
        let position = Position::from_fen("6k1/1p3p1p/p7/8/8/3B4/3B4/6K1 w - - 0 1", false).unwrap();
        let checks = CheckInfo::new(&position);
        let holds = |see_check_margin, uci: &str, threshold| {
            let params = Params { see_check_margin, ..Params::default() };
            let m = position.parse_uci(uci).unwrap();
            exchange_holds(&params, &position, &checks, m, threshold)
        };
        let loss = |uci: &str| (-2000..0).rev().find(|&threshold| holds(0, uci, threshold)).unwrap();
        let (check, quiet) = (loss("d3h7"), loss("d3a6"));
        assert_eq!(check, quiet, "both lose a bishop for a pawn");
        assert!(holds(300, "d3h7", check + 300) && !holds(300, "d3h7", check + 301));
        assert!(!holds(300, "d3a6", quiet + 1));
    }

    #[test]
    fn a_side_with_hardly_a_piece_is_not_believed_to_stand_well() {
        // Black, with a bishop, is in zugzwang; with a knight more it need not move a pawn.
        let params = Params::default();
        let prunes = |fen: &str| {
            let position = Position::from_fen(fen, false).unwrap();
            prunes_by_reverse_futility(&params, &position, 1, 5000, Score::ZERO, false)
        };
        assert!(!prunes("kbK5/pp6/RP6/8/8/8/8/8 b - - 0 1"));
        assert!(prunes("kbK5/pp6/RP6/8/8/8/8/n7 b - - 0 1"));
    }

    #[test]
    fn where_a_pawn_attacks_a_piece_the_evaluation_must_be_higher_for_reverse_futility() {
        let prunes = |reverse_futility_threat, static_eval, fen: &str| {
            let params = Params { reverse_futility_margin: 0, reverse_futility_threat, ..Params::default() };
            let position = Position::from_fen(fen, false).unwrap();
            prunes_by_reverse_futility(&params, &position, 1, static_eval, Score::ZERO, false)
        };
        let (knight, pawn) = ("4k3/8/8/4p3/3N4/8/8/R3K3 w - - 0 1", "4k3/8/8/4p3/3P4/8/8/RN2K3 w - - 0 1");
        assert_eq!([0, 29, 30].map(|static_eval| prunes(30, static_eval, knight)), [false, false, true]);
        assert!(prunes(0, 0, knight) && prunes(30, 0, pawn));
        // By its own pawn, and the opponent's piece.
        assert!(prunes(30, 0, "4k3/8/8/8/3Np3/4P3/8/R3K3 w - - 0 1"));
        assert!(prunes(30, 0, "4k3/8/8/4p3/3N4/8/8/4K1nr b - - 0 1"));
    }

    #[test]
    fn the_shallower_a_null_move_is_the_further_above_beta_the_evaluation_must_be() {
        let bar = |null_move_margin, depth, beta| {
            let params = Params { null_move_margin, null_move_margin_slope: 4, ..Params::default() };
            null_move_bar(&params, depth, beta)
        };
        let beta = Score::cp(-30);
        assert_eq!([3, 10, 24].map(|depth| bar(100, depth, beta)), [88, 60, 4].map(|margin| beta.offset(margin)));
        // The tie-breaker of draws stays.
        let beta = Score::ZERO.next_up();
        assert_eq!((bar(100, 25, beta), bar(100, 40, beta), bar(0, 3, beta)), (beta, beta, beta));
    }

    #[test]
    fn a_null_move_is_verified_in_large_trees_and_by_a_side_with_hardly_a_piece() {
        let params = Params { null_move_verify_depth: 14, null_move_verify_pieces: 1, ..Params::default() };
        let verifies = |depth, fen: &str| verifies_null_move(&params, depth, &Position::from_fen(fen, false).unwrap());
        let (one, two) = ("4k3/8/8/8/8/8/4P3/1N2K3 w - - 0 1", "4k3/8/8/8/8/8/4P3/1NB1K3 w - - 0 1");
        assert!(!verifies(13, two) && verifies(14, two));
        assert!(verifies(1, one) && !verifies(1, two));
        let off = Params { null_move_verification: false, ..params.clone() };
        assert!(!verifies_null_move(&off, 14, &Position::default()));
    }

    #[test]
    fn a_killer_is_futile_later_than_other_moves() {
        let is_futile = |futility_refutation, uci: &str, above_margin| {
            let params = Params { futility_refutation, futility_margin: 0, ..Params::default() };
            with_node(params, START_FEN, Window::null(Score::ZERO), 4, 1, |search, node| {
                let find = |uci: &str| node.position.parse_uci(uci).unwrap();
                search.path.frames.at_mut(node.ply).killers[0] = PackedMove::new(find("e2e4"));
                let alpha = Score::cp(node.static_eval + search.task.params.futility_base + above_margin);
                search.is_futile(node, &CheckInfo::new(node.position), alpha, find(uci), 5)
            })
        };
        assert_eq!([-1, 0, 20, 21].map(|above| is_futile(21, "e2e4", above)), [false, false, false, true]);
        assert_eq!([-1, 0].map(|above| is_futile(21, "d2d4", above)), [false, true]);
        assert_eq!([-1, 0].map(|above| is_futile(0, "e2e4", above)), [false, true]);
    }

    #[test]
    fn switches_turn_rules_off() {
        let off = Params::default().all_switches_off();
        assert!(!prunes_by_reverse_futility(&off, &Position::default(), 1, 5000, Score::ZERO, true));
        assert!(!skips_by_futility(&off, 1, -5000, Score::ZERO));
        assert!(!skips_late_moves(&off, 1, 200, false));
        assert_eq!(exchange_threshold(&off, 1, 1, true), None);
        assert!(!reduces_without_tt_move(&off, 10, false, true));
    }

    #[test]
    fn a_node_whose_evaluation_reaches_beta_may_count_as_improving() {
        let improves = |improving, improving_above_beta, above_beta, in_check| {
            let params = Params { improving, improving_above_beta, ..Params::default() };
            with_node(params, START_FEN, Window::reaching(Score::cp(100)), 4, 1, |search, node| {
                let node = Node { static_eval: 100 + above_beta, in_check, ..*node };
                improves_above_beta(search.task.params, &node)
            })
        };
        assert_eq!([-1, 0, 50].map(|above| improves(true, true, above, false)), [false, true, true]);
        assert!(!improves(true, true, 50, true), "in check");
        assert!(!improves(true, false, 50, false) && !improves(false, true, 50, false));
    }

    #[test]
    fn no_evaluation_is_far_above_a_mate_or_a_table_result() {
        let prunes = |beta| prunes_by_reverse_futility(&Params::default(), &Position::default(), 1, 5000, beta, false);
        assert!(prunes(Score::cp(-3000)) && !prunes(Score::mated(5)) && !prunes(-Score::tablebase_win(5)));
    }
}
