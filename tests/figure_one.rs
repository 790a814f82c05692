//! The dual-credit node without table and ordering equals Fig. 1 of the paper, transcribed here line by line.
//!
//! The transcription shares with the engine only the rules of chess, the static evaluation and the sizes of awards
//! ([`Taper`] and the tunables); ledger arithmetic, searches, offset tests and quiescence are written anew.

use pacioli::board::{Move, Position};
use pacioli::credit::Taper;
use pacioli::params::{Params, Profile};
use pacioli::score::Score;

use crate::common::{no_moves, positions_with, quiescence_within, score_at_depth, terminal};

/// Plies of software, positions compared with so many, and the most men on their boards.
const COMPARISONS: [(i32, usize, usize); 3] = [(1, 40, 32), (2, 30, 10), (3, 6, 8)];

struct FigureOne<'a> {
    params: &'a Params,
    taper: Taper,
    /// Credited searches made, to see that the test has something to compare.
    second_searches: u32,
    cash_ins: u32,
}

impl FigureOne<'_> {
    /// `int DC(position p, int alpha, int beta, int depthToGo, float myCredit, float hisCredit)`, credit in plies.
    #[allow(clippy::too_many_arguments)]
    fn dc(
        &mut self,
        p: &Position,
        alpha: Score,
        beta: Score,
        mut depth_to_go: i32,
        mut my_credit: f64,
        mut his_credit: f64,
        ply: i32,
    ) -> Score {
        let credit_limit = f64::from(self.params.credit_limit) / 16.0;
        if his_credit >= credit_limit {
            let extension_amount = (his_credit - credit_limit).ceil();
            his_credit -= extension_amount;
            my_credit = (my_credit - extension_amount).max(0.0);
            depth_to_go += extension_amount as i32;
            self.cash_ins += u32::from(extension_amount > 0.0);
        }
        if depth_to_go <= 0 {
            return quiescence_within(p, alpha, beta, ply, self.params.quiescence_check_plies, true);
        }
        // "Details such as checkmate and stalemate have also been glossed over."
        if ply > 0
            && let Some(score) = terminal(p)
        {
            return score;
        }
        let successors = p.legal_moves();
        if successors.is_empty() {
            return no_moves(p, ply);
        }
        let mut best_score = alpha;
        for &m in &successors {
            let succ = p.play(m);
            let mut sc = -self.dc(&succ, -beta, -alpha, depth_to_go - 1, his_credit, my_credit, ply + 1);
            if sc > best_score {
                let new_credit = self.generate_credit(p, m, sc.min(beta), depth_to_go, ply);
                if new_credit > 0.0 {
                    self.second_searches += 1;
                    sc = -self.dc(&succ, -beta, -alpha, depth_to_go - 1, his_credit, my_credit + new_credit, ply + 1);
                }
                if sc > best_score {
                    best_score = sc;
                }
            }
            if best_score >= beta {
                return best_score;
            }
        }
        best_score
    }

    /// `GenerateCredit()`: check evasion, the forced reply, and the number of good alternatives; the largest counts.
    fn generate_credit(&mut self, p: &Position, m: Move, sc: Score, depth: i32, ply: i32) -> f64 {
        let amount = |near: i32| self.taper.scale(near, ply).plies();
        let mut credit: f64 = 0.0;
        if p.in_check() {
            credit = credit.max(amount(self.params.check_evasion_credit));
        }
        if p.legal_moves().len() == 1 {
            credit = credit.max(amount(self.params.forced_reply_credit));
        }
        let singular = amount(self.params.singular_credit);
        if sc.is_losing() || depth < self.params.singular_min_depth || singular <= credit {
            return credit;
        }
        let bound = sc.offset(-self.params.singular_margin_base - self.params.singular_margin * depth);
        let below = Score::from_bits(bound.to_bits() - 1);
        let mut good = 0;
        for &other in p.legal_moves().iter().filter(|&&other| other != m) {
            let score = -self.dc(&p.play(other), -bound, -below, depth / 2 - 1, 0.0, 0.0, ply + 1);
            good += usize::from(score >= bound);
            if good == 3 {
                break;
            }
        }
        let near = [self.params.singular_credit, self.params.binary_credit, self.params.trinary_credit];
        near.get(good).map_or(credit, |&near| credit.max(self.taper.scale(near, ply).plies()))
    }
}

/// The deep-blue profile reduced to what Fig. 1 and the mechanisms of this test need.
fn figure_one_params() -> Params {
    Params {
        credit: true,
        credit_singular: true,
        credit_forced_reply: true,
        credit_check_evasion: true,
        singular_confirmation: true,
        quiescence_see: true,
        horizon_depth: 0,
        aspiration_policy: 0,
        quiescence_check_plies: 1,
        second_search: 2,
        singular_arity: 3,
        singular_min_depth: 2,
        singular_margin_base: 50,
        credit_reach: 3,
        ..Profile::DeepBlue.params().all_switches_off()
    }
}

#[test]
fn the_node_without_table_equals_the_transcription() {
    // A smaller limit makes lone awards cash in, so that few plies show every line of the figure.
    for credit_limit in [32, 20] {
        let params = Params { credit_limit, ..figure_one_params() };
        let mut work = (0, 0);
        for (depth, count, men) in COMPARISONS {
            for position in positions_with(count, men) {
                let taper = Taper::new(&params, depth);
                let mut figure = FigureOne { params: &params, taper, second_searches: 0, cash_ins: 0 };
                let expected = figure.dc(&position, -Score::INFINITY, Score::INFINITY, depth, 0.0, 0.0, 0);
                work = (work.0 + figure.second_searches, work.1 + figure.cash_ins);
                let found = score_at_depth(&position, &params, depth);
                assert_eq!(found, expected, "limit {credit_limit}, depth {depth}: {}", position.fen());
            }
        }
        assert!(work.0 > 1000 && work.1 > 100, "the comparison has too little to compare: {work:?}");
    }
}
