//! How much of its planned time a search should take: less if the best move is settled, more if it changes, if few of
//! the nodes went into it, if its line was extended, or if the score falls.
//!
//! [`Pace`] decides between iterations. [`Standing`] and [`Deadlines`] decide within one, by the conditions of Deep
//! Blue's "panic time" (paper, section 8.4): an iteration with nothing new to report ends when it has had enough time,
//! while one that sees the score fall by 15 points continues, to find something better or learn how bad it is, and so
//! does one in which a new move may be the best. The two times themselves are Pacioli's. All three are pure functions
//! of the facts and the time used; none of them reads a clock.

use std::time::Duration;

use crate::board::Move;
use crate::params::Params;
use crate::score::Score;
use crate::tt::Bound;
use crate::units::{Depth, PERCENT};

/// What the iterations so far say about the time to take.
#[derive(Clone, Debug, Default)]
pub(super) struct Pace {
    best: Option<Move>,
    /// Iterations in a row that kept the best move of the one before: the one that found it does not count.
    stable: i32,
    last_score: Option<i32>,
    /// Drop of the score in the last iteration, in centipawns.
    drop: i32,
    /// The best move's share of all nodes, in percent.
    effort: i32,
    /// Plies by which the best line was extended.
    extension: Depth,
}

impl Pace {
    /// An iteration was completed with this best move, score in centipawns, share of the nodes in percent, and plies
    /// by which its line was extended.
    pub fn note(&mut self, best: Move, score: i32, effort: i32, extension: Depth) {
        self.stable = if self.best == Some(best) { self.stable + 1 } else { 0 };
        self.best = Some(best);
        self.drop = self.last_score.map_or(0, |last| (last - score).max(0));
        self.last_score = Some(score);
        self.effort = effort.clamp(0, PERCENT);
        self.extension = extension;
    }

    /// The time to take, in percent of the plan.
    /// Elo: +11 ± 11 (`pace_forcing`)
    pub fn percent(&self, params: &Params) -> i32 {
        let mut percent = PERCENT;
        if params.pace_stability {
            let unsettled = (params.pace_iterations - self.stable).max(0);
            percent = percent * (params.pace_settled + unsettled * params.pace_unsettled) / PERCENT;
        }
        if params.pace_effort {
            percent = percent * (params.pace_effort_base - self.effort) / PERCENT;
        }
        if params.pace_forcing && (params.credit || params.conventional_extensions) {
            let forced = self.extension.min(params.pace_forced_most);
            percent = percent * (params.pace_unforced + forced * params.pace_forced_ply) / PERCENT;
        }
        if params.pace_panic && self.drop >= params.panic_drop {
            percent = percent * (PERCENT + self.drop.min(params.panic_most)) / PERCENT;
        }
        percent.max(1)
    }
}

/// The running iteration compared with the last one: whether its best move so far is worth less, or may be replaced.
#[derive(Copy, Clone, Debug)]
pub(super) struct Standing {
    /// The last iteration's score; `None` if neither drops nor better moves count.
    expected: Option<Score>,
    /// Lower bound of the running window.
    alpha: Score,
    /// Whether a move has been searched in this window.
    has_searched: bool,
    /// Whether a new move has exceeded alpha, and more searches of it decide whether it is the best.
    is_rising: bool,
    /// Upper bound proven by the last window.
    ceiling: Option<Score>,
}

impl Standing {
    /// For a line expected to be worth this much; `None` if neither drops nor better moves count.
    pub fn new(expected: Option<Score>) -> Standing {
        Standing { expected, alpha: -Score::INFINITY, has_searched: false, is_rising: false, ceiling: None }
    }

    /// A search of the root starts with this lower bound.
    pub fn begin_window(&mut self, alpha: Score) {
        (self.alpha, self.has_searched) = (alpha, false);
    }

    /// A new move has exceeded alpha, but has not been searched to the end.
    pub fn note_rise(&mut self) {
        self.is_rising = self.expected.is_some();
    }

    /// A root move has been searched.
    pub fn note_move(&mut self) {
        (self.has_searched, self.is_rising) = (true, false);
    }

    /// Whether a new move may become the best.
    pub fn is_rising(&self) -> bool {
        self.is_rising
    }

    /// The window failed. A fail-high ends the alarm raised by an earlier fail-low.
    pub fn note_failure(&mut self, score: Score, bound: Bound) {
        self.ceiling = (bound == Bound::Upper).then_some(score);
    }

    /// By how many centipawns, at least, the score has dropped, given the score of the best line that exceeded alpha.
    ///
    /// If no move has exceeded alpha, those already searched are worth at most alpha; before the first one, the bound
    /// proven by the last window still holds. If nothing is known the score has not dropped.
    pub fn drop(&self, best: Option<Score>) -> i32 {
        let searched = self.has_searched.then_some(self.alpha);
        let known = best.or_else(|| self.ceiling.into_iter().chain(searched).min());
        match (self.expected, known) {
            (Some(expected), Some(known)) => (expected.main() - known.main()).max(0),
            _ => 0,
        }
    }
}

/// When a running iteration ends, in time since the clock started.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Deadlines {
    /// If the score has not dropped, and no move may become the best; `None` if that makes no difference.
    calm: Option<Duration>,
    /// In any case.
    hard: Option<Duration>,
}

impl Deadlines {
    /// Only the hard limit, if there is one.
    pub fn hard(hard: Option<Duration>) -> Deadlines {
        Deadlines { calm: None, hard }
    }

    /// The next iteration's calm deadline: a share of the planned time, scaled by the iterations so far. The first one
    /// began with this delay.
    /// Elo: +11 ± 22 (`pace_calm`)
    pub fn plan(&mut self, params: &Params, soft: Option<Duration>, delay: Duration, pace: &Pace) {
        let share = |soft: Duration| soft.mul_f64(f64::from(pace.percent(params)) / f64::from(PERCENT));
        let calm = |soft: Duration| delay + share(soft).mul_f64(f64::from(params.calm_most) / f64::from(PERCENT));
        self.calm = soft.filter(|_| params.pace_calm).map(calm);
    }

    /// Whether there are any.
    pub fn exist(&self) -> bool {
        self.calm.is_some() || self.hard.is_some()
    }

    /// Whether the iteration ends now, with this much time used and a drop of `drop` centipawns, and perhaps a move
    /// that may become the best.
    pub fn are_over(&self, params: &Params, elapsed: Duration, drop: i32, is_rising: bool) -> bool {
        let calm = self.calm.filter(|_| drop < params.panic_drop && !is_rising);
        [calm, self.hard].into_iter().flatten().any(|deadline| elapsed >= deadline)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;

    /// A plan of one second, of which a calm iteration gets twice as much and any iteration five times.
    fn deadlines() -> (Params, Deadlines) {
        let params = Params {
            pace_calm: true,
            pace_stability: false,
            pace_effort: false,
            pace_forcing: false,
            calm_most: 200,
            panic_drop: 15,
            ..Params::default()
        };
        let mut deadlines = Deadlines::hard(Some(Duration::from_secs(5)));
        deadlines.plan(&params, Some(Duration::from_secs(1)), Duration::ZERO, &Pace::default());
        (params, deadlines)
    }

    #[test]
    fn a_calm_iteration_ends_before_one_whose_score_falls() {
        let (params, deadlines) = deadlines();
        let over = |millis, drop| deadlines.are_over(&params, Duration::from_millis(millis), drop, false);
        assert!(!over(1999, 0) && over(2000, 0));
        assert!(over(2000, 14) && !over(2000, 15));
        assert!(!over(4999, 300) && over(5000, 300));
    }

    #[test]
    fn a_delay_before_the_first_iteration_takes_no_calm_time_but_no_other_is_added() {
        let (params, mut deadlines) = deadlines();
        deadlines.plan(&params, Some(Duration::from_secs(1)), Duration::from_secs(2), &Pace::default());
        let over = |millis, drop| deadlines.are_over(&params, Duration::from_millis(millis), drop, false);
        assert!(!over(3999, 0) && over(4000, 0));
        assert!(!over(4999, 300) && over(5000, 300));
    }

    #[test]
    fn without_a_plan_or_switched_off_only_the_hard_limit_ends_an_iteration() {
        let (params, _) = deadlines();
        let mut deadlines = Deadlines::hard(None);
        deadlines.plan(&params, None, Duration::ZERO, &Pace::default());
        assert!(!deadlines.exist() && !deadlines.are_over(&params, Duration::from_secs(1_000_000), 0, false));
        let mut deadlines = Deadlines::hard(Some(Duration::from_secs(5)));
        let off = Params { pace_calm: false, ..params };
        deadlines.plan(&off, Some(Duration::from_secs(1)), Duration::ZERO, &Pace::default());
        assert_eq!(deadlines, Deadlines::hard(Some(Duration::from_secs(5))));
        assert!(deadlines.exist() && !deadlines.are_over(&off, Duration::from_secs(4), 0, false));
    }

    #[test]
    fn a_settled_move_shortens_the_calm_deadline() {
        let (params, unsettled) = deadlines();
        let params = Params { pace_stability: true, ..params };
        let moves = Position::default().legal_moves();
        let mut pace = Pace::default();
        (0..10).for_each(|_| pace.note(moves[0], 20, 50, 0));
        let mut settled = unsettled;
        settled.plan(&params, Some(Duration::from_secs(1)), Duration::ZERO, &pace);
        assert!(settled.calm < unsettled.calm && settled.hard == unsettled.hard);
    }

    #[test]
    fn the_first_move_failing_low_is_a_fall_until_a_better_one_is_found() {
        let mut standing = Standing::new(Some(Score::cp(30)));
        standing.begin_window(Score::cp(14));
        // Nothing is known before the first move is searched, nor if it holds.
        assert_eq!(standing.drop(None), 0);
        assert_eq!(standing.drop(Some(Score::cp(25))), 5);
        standing.note_move();
        assert_eq!(standing.drop(None), 16);
        assert_eq!(standing.drop(Some(Score::cp(28))), 2);
        assert_eq!(standing.drop(Some(Score::cp(60))), 0);
    }

    #[test]
    fn a_fail_low_counts_through_the_search_that_follows_and_a_fail_high_ends_it() {
        let mut standing = Standing::new(Some(Score::cp(30)));
        standing.begin_window(Score::cp(14));
        standing.note_move();
        standing.note_failure(Score::cp(-10), Bound::Upper);
        standing.begin_window(Score::cp(-42));
        assert_eq!(standing.drop(None), 40);
        // The first move is worth less than before: the alarm continues. A better one ends it.
        assert_eq!(standing.drop(Some(Score::cp(-30))), 60);
        assert_eq!(standing.drop(Some(Score::cp(20))), 10);
        // It fails low once more: worse than was proven.
        standing.note_move();
        assert_eq!(standing.drop(None), 72);
        standing.note_failure(Score::cp(50), Bound::Lower);
        standing.begin_window(Score::cp(14));
        assert_eq!(standing.drop(None), 0);
    }

    #[test]
    fn a_move_that_may_become_the_best_is_searched_to_the_end_or_to_the_hard_deadline() {
        let (params, deadlines) = deadlines();
        let over = |millis, standing: &Standing| {
            let drop = standing.drop(Some(Score::cp(30)));
            deadlines.are_over(&params, Duration::from_millis(millis), drop, standing.is_rising())
        };
        let mut standing = Standing::new(Some(Score::cp(30)));
        standing.begin_window(Score::cp(14));
        standing.note_move();
        assert!(over(2000, &standing));
        standing.note_rise();
        assert!(!over(4999, &standing) && over(5000, &standing));
        standing.note_move();
        assert!(over(2000, &standing));
        // What is not the position's best line changes no move.
        let mut other = Standing::new(None);
        other.note_rise();
        assert!(over(2000, &other));
    }

    #[test]
    fn nothing_has_fallen_where_nothing_was_expected() {
        let mut standing = Standing::new(None);
        standing.begin_window(Score::cp(14));
        standing.note_move();
        assert_eq!(standing.drop(None), 0);
        assert_eq!(standing.drop(Some(Score::mated(4))), 0);
        let standing = Standing::new(Some(Score::ZERO));
        assert!(standing.drop(Some(Score::mated(4))) > Params::default().panic_drop);
    }

    #[test]
    fn settled_moves_take_less_time_and_falling_scores_more() {
        let params = Params::default();
        let moves = Position::default().legal_moves();
        let mut settled = Pace::default();
        (0..10).for_each(|_| settled.note(moves[0], 20, 90, 0));
        let mut changing = Pace::default();
        (0..10).for_each(|index| changing.note(moves[index % 2], 20, 90, 0));
        let mut spread = settled.clone();
        spread.note(moves[0], 20, 30, 0);
        let mut falling = settled.clone();
        falling.note(moves[0], -20, 90, 0);
        let quiet = settled.percent(&params);
        assert!(quiet < 100);
        let mut forcing = settled.clone();
        forcing.note(moves[0], 20, 90, 2);
        for other in [&changing, &spread, &falling, &forcing] {
            assert!(other.percent(&params) > quiet);
        }
        // If nothing is ever extended, that says nothing.
        let without = Params { credit: false, ..params.clone() };
        assert_eq!(settled.percent(&without), forcing.percent(&without));
        assert!(settled.percent(&without) > quiet);
        let mut dip = settled.clone();
        dip.note(moves[0], 20 - params.panic_drop + 1, 90, 0);
        assert_eq!(dip.percent(&params), quiet);
    }
}
