//! Steps 4, 6 and 7: what may end a node before its moves are searched: the table; then pruning, each attempt with its
//! own switch, of which the deep-blue profile makes none.

use std::ops::ControlFlow;

use super::facts::{Aborted, Node, NodeKind, NonPv, SearchResult, Visit};
use super::picker::{Picker, Selection, is_quiescence_noisy};
use super::probes::threat_of;
use super::pruning::{
    null_move_bar, null_move_reduction, probcut_bound, prunes_by_reverse_futility, verifies_null_move,
};
use super::state::Search;
use crate::board::{Move, Position, Role, see_at_least};
use crate::credit::Ledger;
use crate::credit::threat::Threat;
use crate::score::{Score, Window};
use crate::tt::{Bound, Entry};
use crate::units::{Depth, Ply};

impl Search<'_> {
    /// The score of a table entry that cuts the node off: searched at least as deep after cash-in, by the table's
    /// depth, with at least as much in both accounts (law 5), and on the right side of the window.
    /// Elo: +92 ± 32 (`tt_cutoffs`)
    pub(super) fn tt_cutoff<K: NodeKind>(
        &self,
        entry: &Entry,
        window: Window,
        depth: Depth,
        ledger: Ledger,
    ) -> Option<Score> {
        if !self.task.params.tt_cutoffs || (K::PV && self.task.scouts) || entry.depth < depth {
            return None;
        }
        let searched_with = Ledger { mine: entry.mine, his: entry.his };
        if self.task.params.credit_envelope && !searched_with.covers(ledger) {
            return None;
        }
        entry.bound.decides(entry.score, window).then_some(entry.score)
    }

    /// Step 6: the score of a node whose evaluation is so far above beta that its moves need no search. A node that
    /// verifies a null move needs it: in zugzwang the evaluation is just what misleads.
    pub(super) fn prune_statically(&self, node: &Node<'_>) -> Option<Score> {
        let beta = node.window.beta;
        let prunes = !node.in_check
            && !self.path.frames.at(node.ply).confirms_null
            && prunes_by_reverse_futility(
                self.task.params,
                node.position,
                node.depth,
                node.estimate,
                beta,
                node.improving,
            );
        prunes.then(|| Score::cp(node.estimate).tempered(beta, self.task.params.reverse_futility_share))
    }

    /// Whether to try a null move: the evaluation is well above beta, a remaining piece makes zugzwang unlikely, and
    /// the last move was not a null move.
    /// Elo: +86 ± 27 (`null_move`)
    pub(super) fn may_pass(&self, node: &Node<'_>) -> bool {
        self.task.params.null_move
            && node.depth >= self.task.params.null_move_min_depth
            && !node.in_check
            && !self.path.frames.at(node.ply - 1).made.passed()
            && !self.path.frames.at(node.ply).confirms_null
            && Score::cp(node.estimate) >= null_move_bar(self.task.params, node.depth, node.window.beta)
            && !node.window.beta.is_losing()
            && node.position.has_pieces(node.position.turn())
    }

    /// Whether the table has the capture of a piece with a lower bound: that is likelier to fail high than passing, so
    /// no null move is tried, and none shows a threat. So Reckless.
    /// Elo: +7 ± 8 (`null_move_yields`)
    pub(super) fn prefers_capture(&self, position: &Position, entry: Option<&Entry>) -> bool {
        let captured = |entry: &Entry| entry.best_move.unpack(position).and_then(Move::capture);
        self.task.params.null_move_yields
            && entry.filter(|entry| entry.bound.is_lower()).and_then(captured).is_some_and(|role| role != Role::Pawn)
    }

    /// Step 7: the null-move search, with both accounts empty: a score to return, or the evidence.
    pub(super) fn null_move(&mut self, node: &Node<'_>) -> Result<ControlFlow<Score, (Threat, Score)>, Aborted> {
        let Some(step) = self.pass(node.position) else {
            return Ok(ControlFlow::Continue((Threat::None, node.window.beta)));
        };
        let (ply, beta) = (node.ply, node.window.beta);
        let depth = node.depth - null_move_reduction(self.task.params, node.depth, node.estimate - beta.main());
        let window = Window::reaching(beta);
        let score = -self.through(&step, ply, |search, passed| {
            let cut_node = !node.cut_node;
            search.node::<NonPv>(Visit {
                position: passed,
                window: window.flip(),
                depth,
                ply: ply + 1,
                ledger: Ledger::EMPTY,
                cut_node,
            })
        })?;
        if score < beta {
            let bound = beta.offset(-self.task.params.threat_margin);
            return Ok(ControlFlow::Continue((threat_of(score, bound), bound)));
        }
        // A mate found after a null move is not proven.
        let score = if score.is_winning() { beta } else { score };
        if verifies_null_move(self.task.params, node.depth, node.position)
            && self.move_reaches(node, window, depth)? < beta
        {
            return Ok(ControlFlow::Continue((Threat::None, node.window.beta)));
        }
        Ok(ControlFlow::Break(score))
    }

    /// The node's score without the null move, if zugzwang might refute it.
    fn move_reaches(&mut self, node: &Node<'_>, window: Window, depth: Depth) -> SearchResult {
        let depends_on = self.path.depends_on;
        let cash_in = self.path.frames.at(node.ply).cash_in;
        self.path.frames.at_mut(node.ply).confirms_null = true;
        let visit = Visit { window, depth: depth.max(1), ledger: Ledger::EMPTY, cut_node: false, ..node.visit() };
        let score = self.node::<NonPv>(visit);
        // The node goes on with the accounts that it was entered with.
        let frame = self.path.frames.at_mut(node.ply);
        (frame.confirms_null, frame.cash_in) = (false, cash_in);
        self.path.depends_on = self.path.depends_on.min(depends_on);
        score
    }

    /// Step 7, ProbCut (Buro 1995): if a capture stays well above beta in a shallow search, the full search will fail
    /// high.
    pub(super) fn probcut(&mut self, node: &Node<'_>, entry: Option<&Entry>) -> Result<Option<Score>, Aborted> {
        let Some(bound) = probcut_bound(self.task.params, node.depth, node.window.beta, node.improving) else {
            return Ok(None);
        };
        let shallow = node.depth - self.task.params.probcut_reduction;
        let known_to_fail = entry.is_some_and(|entry| {
            entry.depth >= self.iteration.tt_depth(self.task.params, shallow, node.ply)
                && entry.bound.decides(entry.score, Window::reaching(bound))
                && entry.score < bound
        });
        if node.in_check || known_to_fail {
            return Ok(None);
        }
        let needed_gain = bound.main() - node.static_eval;
        let tt_move = entry.and_then(|entry| entry.best_move.unpack(node.position));
        let tt_capture = tt_move.filter(|&m| is_quiescence_noisy(m));
        let mut picker = Picker::new(self.noisy_hints(tt_capture), Selection::Noisy);
        while let Some(m) = picker.next(node.position, self.ordering_histories()) {
            if !see_at_least(node.position, m, needed_gain, self.task.params.see_pins) {
                continue;
            }
            let step = self.evidence_step(node.position, m);
            let score = self.through(&step, node.ply, |search, child| {
                search.confirm_capture(child, bound, shallow, node.ply + 1)
            })?;
            if score >= bound {
                let proven = Node { depth: shallow + 1, ledger: Ledger::EMPTY, ..*node };
                self.remember::<NonPv>(&proven, score, Some((m, None)), Bound::Lower);
                return Ok(Some(if score.is_winning() { node.window.beta } else { score }));
            }
        }
        Ok(None)
    }

    /// Whether a capture reaches `bound`: quiescence is tried first, because it is cheap.
    fn confirm_capture(&mut self, child: &Position, bound: Score, depth: Depth, ply: Ply) -> SearchResult {
        let window = Window::reaching(bound).flip();
        let score = -self.horizon::<NonPv>(child, window, self.iteration.horizon_depth, ply)?;
        if score < bound || depth <= 0 {
            return Ok(score);
        }
        let visit = Visit { position: child, window, depth, ply, ledger: Ledger::EMPTY, cut_node: false };
        Ok(-self.node::<NonPv>(visit)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::PackedMove;
    use crate::credit::CashIn;
    use crate::params::Params;
    use crate::search::tests;
    use crate::units::Credit;

    /// A node of ten plies after one, where the side to move is to reach `beta`.
    fn with_node<T>(
        params: Params,
        fen: &str,
        beta: Score,
        examine: impl FnOnce(&mut Search<'_>, &Node<'_>) -> T,
    ) -> T {
        tests::with_node(params, fen, Window::reaching(beta), 10, 1, examine)
    }

    /// White is far ahead, and has a rook or no piece at all.
    const ROOK: &str = "4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1";
    const PAWNS: &str = "4k3/8/8/8/8/8/2PPP3/4K3 w - - 0 1";

    #[test]
    fn a_side_passes_that_has_pieces_and_stands_well_and_is_not_about_to_be_mated() {
        let passes = |fen, beta| with_node(Params::default(), fen, beta, |search, node| search.may_pass(node));
        assert!(passes(ROOK, Score::ZERO));
        assert!(!passes(PAWNS, Score::ZERO), "zugzwang is likely");
        assert!(!passes(ROOK, Score::cp(3000)));
        assert!(!passes(ROOK, Score::mated(6)) && !passes(ROOK, -Score::tablebase_win(6)));
    }

    #[test]
    fn a_side_passes_only_if_it_stands_better_than_beta_by_the_margin() {
        let passes = |null_move_margin, above_beta| {
            let params = Params { null_move_margin, null_move_margin_slope: 4, ..Params::default() };
            with_node(params, ROOK, Score::ZERO, |search, node| {
                search.may_pass(&Node { estimate: above_beta, ..*node })
            })
        };
        assert_eq!([-1, 0].map(|above| passes(0, above)), [false, true]);
        assert_eq!([59, 60].map(|above| passes(100, above)), [false, true], "at a depth of ten plies");
    }

    #[test]
    fn a_side_does_not_pass_where_the_table_has_the_capture_of_a_piece_with_a_lower_bound() {
        let yields = |null_move_yields, fen: &str, bound| {
            let params = Params { null_move_yields, ..Params::default() };
            with_node(params, fen, Score::ZERO, |search, node| {
                let best_move = PackedMove::new(node.position.parse_uci("e4d5").unwrap());
                let entry = Entry { best_move, bound, ..Entry::EMPTY };
                (search.prefers_capture(node.position, Some(&entry)), search.prefers_capture(node.position, None))
            })
        };
        let (rook, pawn) = ("4k3/8/8/3r4/4P3/8/8/4K2R w - - 0 1", "4k3/8/8/3p4/4P3/8/8/4K2R w - - 0 1");
        assert_eq!([Bound::Lower, Bound::Exact].map(|bound| yields(true, rook, bound)), [(true, false); 2]);
        assert_eq!(yields(true, rook, Bound::Upper), (false, false), "nothing says that the capture is good enough");
        assert_eq!(yields(true, pawn, Bound::Lower), (false, false));
        assert_eq!(yields(false, rook, Bound::Lower), (false, false));
    }

    #[test]
    fn a_node_that_verifies_a_null_move_searches_its_moves() {
        let ends = |confirms_null| {
            let params = Params { reverse_futility_depth: 10, reverse_futility_pieces: 1, ..Params::default() };
            with_node(params, ROOK, Score::cp(-3000), |search, node| {
                search.path.frames.at_mut(node.ply).confirms_null = confirms_null;
                (search.prune_statically(node).is_some(), search.may_pass(node))
            })
        };
        assert_eq!((ends(false), ends(true)), ((true, true), (false, false)));
    }

    #[test]
    fn a_node_goes_on_after_the_verification_of_a_null_move_as_it_was_before() {
        with_node(Params::default(), ROOK, Score::ZERO, |search, node| {
            let cash_in =
                CashIn { ledger: Ledger { mine: Credit::sixteenths(3), his: Credit::sixteenths(7) }, plies: 2 };
            search.path.frames.at_mut(node.ply).cash_in = cash_in;
            // What the null move found depends on the root.
            search.path.depends_on = 0;
            search.move_reaches(node, node.window, 2).unwrap();
            let frame = search.path.frames.at(node.ply);
            assert_eq!((frame.cash_in, frame.confirms_null, search.path.depends_on), (cash_in, false, 0));
        });
    }

    #[test]
    fn a_mate_found_after_a_null_move_is_not_proven() {
        // If White passes, Black must step into the mate; but no side may pass.
        let (fen, beta) = ("7k/8/6K1/8/8/8/8/R7 w - - 0 1", Score::cp(5000));
        for null_move_verification in [false, true] {
            let params = Params { null_move_verification, ..Params::default() };
            let found = with_node(params, fen, beta, |search, node| search.null_move(node));
            assert!(found.is_ok_and(|verdict| verdict.break_value() == Some(beta)), "{null_move_verification}");
        }
    }

    #[test]
    fn what_probcut_finds_is_worth_beta_and_proven_as_deep_as_it_was_searched() {
        // The capture of the rook is mate.
        let fen = "3r2k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";
        let params = Params { probcut: true, probcut_depth: 5, probcut_reduction: 4, ..Params::default() };
        with_node(params, fen, Score::ZERO, |search, node| {
            assert_eq!(search.probcut(node, None), Ok(Some(Score::ZERO)));
            let entry = search.task.tt.probe(node.position.key(), node.ply).unwrap();
            // One ply for the capture, and six after it.
            assert_eq!((entry.depth, entry.bound, entry.score), (7, Bound::Lower, Score::mating(2)));
        });
    }
}
