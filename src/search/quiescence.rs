//! Quiescence: captures, promotions and evasions until the position is quiet, plus checks for the first few plies.

use super::chip::{Allowance, kind_of_check};
use super::correction::CorrectionKey;
use super::draws::table_key;
use super::evaluation::corrected;
use super::facts::{NodeKind, SearchResult};
use super::history::Earlier;
use super::picker::{Hints, Picker, Selection, is_quiescence_noisy};
use super::pv::LineMove;
use super::state::Search;
use crate::board::{CheckInfo, Move, PackedMove, Position, role_value, see_at_least};
use crate::credit::Ledger;
use crate::params::Params;
use crate::score::{Score, Window};
use crate::tt::{Bound, Entry};
use crate::units::{Depth, MAX_PLY, PERCENT, Ply};

/// The share of an excess that makes a mean, in percent.
const HALF: i32 = PERCENT / 2;

/// How long a line of quiescence is, and which checks it may still try besides captures.
#[derive(Copy, Clone)]
pub(super) struct Course {
    /// Plies since the start of quiescence.
    plies: Ply,
    /// What each side may still try by Deep Blue's rules, the side to move first; `None` if all checks that lose no
    /// material are tried for some plies.
    chip: Option<[Allowance; 2]>,
}

impl Course {
    /// The start of quiescence.
    pub fn new(params: &Params) -> Course {
        Course { plies: 0, chip: params.chip_checks.then(|| [Allowance::new(params); 2]) }
    }

    /// Whether the side to move may try checks.
    /// Elo: +2 ± 11 (`quiescence_check_plies`)
    fn tries_checks(&self, params: &Params) -> bool {
        match self.chip {
            Some([mine, _]) => !mine.is_spent(),
            None => self.plies < params.quiescence_check_plies,
        }
    }

    /// The course after a move leading to `child`, for its side to move; `None` if the move is a quiet check that may
    /// not be tried.
    fn after(self, child: &Position, is_quiet_check: bool) -> Option<Course> {
        let chip = match self.chip {
            Some([mine, his]) if is_quiet_check => Some([his, mine.spend(kind_of_check(child)?)?]),
            Some([mine, his]) => Some([his, mine]),
            None => None,
        };
        Some(Course { plies: self.plies + 1, chip })
    }

    /// A node's depth for the table: the fewer plies of checks are left, the lower. The chip had no table.
    /// Elo: +22 ± 11 (`quiescence_tt`)
    fn tt_depth(&self, params: &Params) -> Option<Depth> {
        let uses_table = params.quiescence_tt && self.chip.is_none();
        uses_table.then(|| -self.plies.min(params.quiescence_check_plies))
    }
}

impl Search<'_> {
    /// The quiescence score of a position.
    pub(super) fn quiescence<K: NodeKind>(
        &mut self,
        position: &Position,
        mut window: Window,
        ply: Ply,
        course: Course,
    ) -> SearchResult {
        self.enter(ply)?;
        let keep_line = self.path.keeps_line::<K>();
        if keep_line {
            self.path.lines.clear(ply);
        }

        // 1. Draws, and the end of quiescence itself.
        if let Some(score) = self.draw_score(position, ply) {
            return Ok(score);
        }
        if self.ends_quiescence(ply, course) {
            return Ok(Score::cp(self.path.evaluator.evaluate(position)));
        }

        // 2. Transposition table.
        let in_check = position.in_check();
        // The correction first: its memory is fetched beside the table's.
        let correction = if in_check {
            0
        } else {
            self.correction(CorrectionKey::new(position.state(), position.turn(), Earlier::default()))
        };
        let tt_depth = course.tt_depth(self.task.params);
        let entry = tt_depth.and_then(|_| self.task.tt.probe(table_key(position), ply));
        if let (Some(entry), Some(depth)) = (entry, tt_depth)
            && let Some(score) = self.tt_cutoff::<K>(&entry, window, depth, Ledger::EMPTY)
        {
            return Ok(score);
        }

        // 3. Stand pat: passing is worth the evaluation.
        let mut raw = None;
        let mut best = Score::mated(ply);
        if !in_check {
            let raw_eval = self.static_eval(position, entry.as_ref());
            raw = Some(raw_eval);
            best = Score::cp(self.refined(corrected(raw_eval, correction), entry.as_ref()));
            if best >= window.beta {
                if tt_depth.is_some() {
                    self.keep_evaluation(position, entry.as_ref(), raw_eval, ply);
                }
                return Ok(best);
            }
            window = window.raised(best.max(window.alpha));
        }
        let original_alpha = window.alpha;

        // 4. The moves.
        let mut best_move = PackedMove::NONE;
        let stand_pat = best.main();
        let tt_move = entry.and_then(|entry| entry.best_move.unpack(position));
        if in_check || course.tries_checks(self.task.params) {
            self.note_context(position, ply);
        }
        let (hints, selection) = self.quiescence_moves(position, ply, tt_move, course);
        let mut picker = Picker::new(hints, selection);
        picker.skip_losing_captures(!in_check && self.task.params.quiescence_see);
        let mut evasions = 0;
        while let Some(m) = picker.next_wanted(position, self.ordering_histories(), |m| {
            let is_wanted = in_check || self.is_worth_trying(position, m, stand_pat, window.alpha);
            if is_wanted {
                self.prefetch(position, m);
            }
            is_wanted
        }) {
            evasions += usize::from(in_check);
            let step = self.step(position, m);
            let Some(course) = course.after(&step.child, !in_check && !is_quiescence_noisy(m)) else { continue };
            let score = -self
                .through(&step, ply, |search, child| search.quiescence::<K>(child, window.flip(), ply + 1, course))?;
            if score > best {
                best = score;
                if score > window.alpha {
                    best_move = PackedMove::new(m);
                    window = window.raised(score);
                    if keep_line {
                        self.path.lines.update(ply, LineMove::plain(m));
                    }
                    if score >= window.beta {
                        break;
                    }
                }
            }
        }
        if in_check && evasions == 0 {
            return Ok(Score::mated(ply));
        }

        best = self.moderated(best, window.beta);

        // 5. Store.
        if let Some(depth) = tt_depth {
            let bound = Bound::of(best, original_alpha, window.beta);
            let entry = Entry { best_move, score: best, static_eval: raw, depth, bound, was_pv: K::PV, ..Entry::EMPTY };
            self.task.tt.store(table_key(position), entry, ply);
        }
        Ok(best)
    }

    /// What a move's score beyond beta counts for: half of the excess, since replies that are not tried might take it
    /// back. A draw's score stays. Stockfish does so, for standing pat too.
    /// Elo: +4 ± 8 (`quiescence_mean`)
    fn moderated(&self, best: Score, beta: Score) -> Score {
        let is_estimate = !best.is_draw() && !best.is_decisive() && !beta.is_decisive();
        let moderates = self.task.params.quiescence_mean && best > beta && is_estimate;
        if moderates { best.tempered(beta, HALF) } else { best }
    }

    /// Whether a node of quiescence is not searched any further: too many plies, or too many nodes since its start.
    fn ends_quiescence(&mut self, ply: Ply, course: Course) -> bool {
        if course.plies == 0 {
            self.meter.quiescence_start = self.meter.nodes;
        }
        let nodes = self.meter.nodes - self.meter.quiescence_start;
        let Params { quiescence_reach, quiescence_nodes, .. } = *self.task.params;
        ply >= MAX_PLY - 1 || course.plies >= quiescence_reach || nodes > quiescence_nodes.unsigned_abs().into()
    }

    /// The moves of quiescence, and what is known about them: all in check; otherwise captures and promotions, plus
    /// checks if they are tried.
    fn quiescence_moves(
        &self,
        position: &Position,
        ply: Ply,
        tt_move: Option<Move>,
        course: Course,
    ) -> (Hints, Selection) {
        if position.in_check() {
            return (self.hints(ply, tt_move), Selection::All);
        }
        let checks = course.tries_checks(self.task.params).then(|| CheckInfo::new(position));
        let tt_move = tt_move.filter(|&m| {
            let tried = is_quiescence_noisy(m) || checks.is_some_and(|checks| checks.gives_check(position, m));
            tried && (!self.task.params.quiescence_see || see_at_least(position, m, 0, self.task.params.see_pins))
        });
        let selection = checks.map_or(Selection::Noisy, Selection::NoisyAndChecks);
        // Without quiet moves nothing is needed that only orders them.
        let hints = if checks.is_some() { self.hints(ply, tt_move) } else { self.noisy_hints(tt_move) };
        (hints, selection)
    }

    /// Whether a move is tried when not in check: a capture or promotion that can reach alpha, or a check that loses no
    /// material.
    /// Elo: +11 ± 11 (`quiescence_delta`)
    fn is_worth_trying(&self, position: &Position, m: Move, stand_pat: i32, alpha: Score) -> bool {
        if !is_quiescence_noisy(m) {
            return see_at_least(position, m, 0, self.task.params.see_pins);
        }
        if self.task.params.quiescence_delta && m.promotion().is_none() && !alpha.is_decisive() {
            let gain = m.capture().map_or(0, role_value);
            return Score::cp(stand_pat + self.task.params.delta_margin + gain) > alpha
                && self.gains_enough(position, m, stand_pat, alpha);
        }
        true
    }

    /// Whether a capture wins material, if it must: where not even some centipawns more than standing pat reach alpha,
    /// an even exchange will not help, whatever its victim is worth. So Stockfish, Weiss and Stash.
    /// Elo: -1 ± 11 (`quiescence_gain_margin`)
    fn gains_enough(&self, position: &Position, m: Move, stand_pat: i32, alpha: Score) -> bool {
        let margin = self.task.params.quiescence_gain_margin;
        margin == 0 || Score::cp(stand_pat + margin) > alpha || see_at_least(position, m, 1, self.task.params.see_pins)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::START_FEN;
    use crate::score::Draw;
    use crate::search::facts::{NonPv, Pv};
    use crate::search::tests::with_search;

    /// The nodes of a sharp position's quiescence that starts at ply 1, and its deepest ply.
    fn extent(params: Params) -> (u64, Ply) {
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        with_search(params, fen, |search, position| {
            let course = Course::new(search.task.params);
            search.quiescence::<Pv>(position, Window::FULL, 1, course).unwrap();
            (search.meter.nodes, search.iteration.max_combined)
        })
    }

    #[test]
    fn quiescence_ends_after_so_many_plies() {
        let deepest = |quiescence_reach| extent(Params { quiescence_reach, ..Params::default() }).1;
        assert_eq!([0, 1, 2].map(deepest), [1, 2, 3]);
    }

    #[test]
    fn quiescence_ends_after_so_many_nodes() {
        let nodes = |quiescence_nodes| extent(Params { quiescence_nodes, ..Params::default() }).0;
        let all = nodes(i32::MAX);
        assert_eq!(nodes(all as i32), all);
        // What has begun tries its other moves, each for a node.
        assert!(nodes(10) < all, "{} {all}", nodes(10));
    }

    #[test]
    fn a_capture_must_win_material_where_standing_pat_is_far_below_alpha() {
        let tries = |quiescence_gain_margin, below_alpha, fen: &str| {
            let params = Params { quiescence_gain_margin, delta_margin: 1000, ..Params::default() };
            with_search(params, fen, |search, position| {
                let m = position.parse_uci("c3d5").unwrap();
                search.is_worth_trying(position, m, 50, Score::cp(50 + below_alpha))
            })
        };
        let (even, winning) = ("4k3/8/2p5/3n4/8/2N5/8/4K3 w - - 0 1", "4k3/8/8/3n4/8/2N5/8/4K3 w - - 0 1");
        assert_eq!([199, 200, 500].map(|below| tries(200, below, even)), [true, false, false]);
        assert!(tries(200, 500, winning) && tries(0, 500, even));
    }

    #[test]
    fn beyond_beta_half_of_the_excess_counts_unless_it_is_no_estimate() {
        let moderated = |quiescence_mean, best, beta| {
            let params = Params { quiescence_mean, ..Params::default() };
            with_search(params, START_FEN, |search, _| search.moderated(best, beta))
        };
        let (low, high, mate) = (Score::cp(100), Score::cp(301), Score::mating(4));
        assert_eq!(moderated(true, high, low), Score::cp(201));
        assert_eq!(moderated(true, low, high), low);
        assert_eq!((moderated(true, mate, low), moderated(true, low, Score::mated(4))), (mate, low));
        assert_eq!(moderated(true, Score::ZERO, Score::cp(-100)), Score::cp(-50), "an evaluation");
        let draw = Score::draw(Draw::Theoretical { static_eval: 7 });
        assert_eq!(moderated(true, draw, Score::cp(-100)), draw);
        assert_eq!(moderated(false, high, low), high);
    }

    #[test]
    fn a_winning_capture_is_returned_and_stored_as_half_of_what_it_is_beyond_beta() {
        let beta = Score::cp(-200);
        let found = |quiescence_mean| {
            let params = Params { quiescence_mean, ..Params::default() };
            with_search(params, "4k3/pp6/8/3q4/4P3/8/PP6/4K3 w - - 0 1", |search, position| {
                let course = Course::new(search.task.params);
                let score = search.quiescence::<NonPv>(position, Window::reaching(beta), 1, course).unwrap();
                let entry = search.task.tt.probe(table_key(position), 1).unwrap();
                assert_eq!((entry.score, entry.bound), (score, Bound::Lower));
                score
            })
        };
        let whole = found(false);
        assert!(whole.main() > beta.main() + 2);
        assert_eq!(found(true), Score::cp(beta.main() + (whole.main() - beta.main() + 1) / 2));
    }

    #[test]
    fn what_quiescence_stores_is_deeper_than_an_evaluation_whatever_checks_it_has_tried() {
        let mut params = Params::default();
        params.set("quiescence_check_plies", "8").unwrap();
        assert!(params.set("quiescence_check_plies", "9").is_err(), "the most there can be");
        let course = Course { plies: 20, ..Course::new(&params) };
        assert!(course.tt_depth(&params).is_some_and(|depth| depth > Entry::evaluated(0).depth));
    }

    #[test]
    fn the_evaluation_with_which_a_side_stands_pat_is_kept_unless_the_search_has_no_table() {
        let kept = |quiescence_tt, beta| {
            let params = Params { quiescence_tt, ..Params::default() };
            with_search(params, START_FEN, |search, position| {
                let (window, course) = (Window::reaching(beta), Course::new(search.task.params));
                search.quiescence::<NonPv>(position, window, 1, course).unwrap();
                let raw = search.static_eval(position, None);
                let entry = search.task.tt.probe(table_key(position), 1);
                entry.map(|entry| (entry.bound, entry.static_eval == Some(raw)))
            })
        };
        let (low, high) = (Score::cp(-3000), Score::cp(3000));
        assert_eq!([low, high].map(|beta| kept(true, beta)), [Some((Bound::None, true)), Some((Bound::Upper, true))]);
        assert_eq!(kept(false, low), None);
    }

    #[test]
    fn where_quiescence_ends_the_evaluation_is_the_side_to_moves() {
        for (turn, is_better) in [("w", true), ("b", false)] {
            let params = Params { quiescence_reach: 0, ..Params::default() };
            with_search(params, &format!("4k3/8/8/8/8/8/4P3/Q3K3 {turn} - - 0 1"), |search, position| {
                let course = Course::new(search.task.params);
                let score = search.quiescence::<Pv>(position, Window::FULL, 1, course).unwrap();
                assert_eq!(score > Score::ZERO, is_better, "{turn}: {score}");
            });
        }
    }
}
