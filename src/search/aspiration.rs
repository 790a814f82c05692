//! Aspiration windows: the first window of an iteration, and what happens when the score falls outside.
//!
//! Five policies, all from the literature. A search with pruning, extensions and a table is unstable: a fail-high may
//! be followed by a fail-low in the same iteration (Moreland, "Aspiration windows", whose first version crashed for
//! that reason). So where a policy widens step by step only the failing bound moves, and after a few failures the
//! window opens fully, so that no score can fail.

use super::facts::SearchResult;
use crate::params::{AspirationPolicy, Params};
use crate::score::{Score, Window};
use crate::tt::Bound;
use crate::units::{Depth, PERCENT};

/// Moreland: half a pawn on either side, then the full window.
const FIXED_WIDTH: i32 = 50;
/// Crafty: a quarter of a pawn, then one pawn on the failing side, both relative to the guess ("Aspiration Windows",
/// Chess Programming Wiki, "Gradual Widening"). The third step is ours; after that there is no bound.
const GRADUAL_STEPS: [i32; 3] = [25, 100, 300];
/// Fischerle: 0.24 and 0.56 pawns, the larger one on the side that odd or even depths tend to.
const PARITY_SMALL: i32 = 24;
const PARITY_LARGE: i32 = 56;

impl AspirationPolicy {
    /// Distances of the first window's bounds below and above the last score, in centipawns; `None` for the full
    /// window.
    fn first_widths(self, params: &Params, depth: Depth) -> Option<(i32, i32)> {
        match self {
            AspirationPolicy::Off => None,
            AspirationPolicy::Fixed => Some((FIXED_WIDTH, FIXED_WIDTH)),
            AspirationPolicy::Gradual => Some((GRADUAL_STEPS[0], GRADUAL_STEPS[0])),
            AspirationPolicy::Exponential => Some((params.aspiration_width, params.aspiration_width)),
            AspirationPolicy::Parity if depth % 2 == 1 => Some((PARITY_SMALL, PARITY_LARGE)),
            AspirationPolicy::Parity => Some((PARITY_LARGE, PARITY_SMALL)),
        }
    }

    /// The new value of a bound that has failed; `None` if it opens: that side alone for the gradual policy, for the
    /// others the whole window.
    fn next_bound(self, params: &Params, failure: Failure) -> Option<Score> {
        if failure.score.is_decisive() {
            return None;
        }
        match self {
            AspirationPolicy::Off | AspirationPolicy::Fixed | AspirationPolicy::Parity => None,
            AspirationPolicy::Gradual => {
                // A step that the score has already passed would fail again.
                let steps = GRADUAL_STEPS.iter().skip(failure.own as usize);
                steps.map(|&step| failure.away(failure.guess, step)).find(|&bound| failure.is_passed_by(bound))
            }
            AspirationPolicy::Exponential => Some(failure.away(
                failure.reached(),
                exponential_width(params, failure.all.min(params.aspiration_failures.unsigned_abs())),
            )),
        }
    }
}

/// By how many centipawns an exponential window's bound moves after so many failures. Engines differ in how fast that
/// grows: Robbolito doubled it, Stockfish adds a third. A bound that moves too far may cost more nodes than another
/// failure.
/// Elo: -1 ± 11 (`aspiration_growth`)
fn exponential_width(params: &Params, failures: u32) -> i32 {
    // The product would only overflow far beyond any score.
    let growth = |width: i32| width.saturating_mul(params.aspiration_growth) / PERCENT + params.aspiration_step;
    (0..failures).fold(params.aspiration_width, |width, _| width + growth(width))
}

/// Searches the root with a window, as policies and drivers use it. Tests use an unstable implementation.
pub(super) trait WindowSearch {
    /// Searches the root once.
    fn search(&mut self, window: Window) -> SearchResult;

    /// The window failed with this score; the search continues with another.
    fn failed(&mut self, score: Score, bound: Bound);
}

/// What is known at the start of an iteration.
#[derive(Copy, Clone, Debug)]
pub(super) struct Expectation {
    /// The last iteration's score; `None` in the first iterations.
    pub score: Option<Score>,
    /// Whether the score has jumped or windows have often failed recently.
    pub is_volatile: bool,
    /// Nominal depth of the iteration.
    pub depth: Depth,
}

/// The first window of an iteration.
/// Elo: +34 ± 11 (`aspiration_policy`)
fn first_window(params: &Params, expectation: Expectation) -> Window {
    let policy = params.aspiration_policy;
    let Some(score) = expectation.score.filter(|score| score.main().abs() < params.aspiration_too_large) else {
        return Window::FULL;
    };
    if policy == AspirationPolicy::Parity && expectation.is_volatile {
        return Window::FULL;
    }
    match policy.first_widths(params, expectation.depth) {
        Some((below, above)) => Window { alpha: score.offset(-below), beta: score.offset(above) },
        None => Window::FULL,
    }
}

/// A failed window, and how often that has happened in this iteration.
#[derive(Copy, Clone, Debug)]
struct Failure {
    /// The centre of the first window.
    guess: Score,
    /// The bound that failed.
    old: Score,
    /// The score, at or beyond that bound.
    score: Score,
    /// Whether it is the lower bound.
    is_low: bool,
    /// How often this bound has failed.
    own: u32,
    /// How often either bound has failed.
    all: u32,
}

impl Failure {
    /// A score `centipawns` further out than `from`.
    fn away(self, from: Score, centipawns: i32) -> Score {
        from.offset(if self.is_low { -centipawns } else { centipawns })
    }

    /// The outer one of the failing score and its bound.
    fn reached(self) -> Score {
        if self.is_low { self.score.min(self.old) } else { self.score.max(self.old) }
    }

    /// Whether a bound is further out than that.
    fn is_passed_by(self, bound: Score) -> bool {
        if self.is_low { bound < self.reached() } else { bound > self.reached() }
    }
}

/// The window of an iteration, and how often each of its bounds has failed.
#[derive(Copy, Clone, Debug)]
struct Attempt {
    guess: Score,
    window: Window,
    low: u32,
    high: u32,
}

impl Attempt {
    /// The first window of an iteration.
    fn new(params: &Params, expectation: Expectation) -> Attempt {
        let window = first_window(params, expectation);
        Attempt { guess: expectation.score.unwrap_or(Score::ZERO), window, low: 0, high: 0 }
    }

    /// The window after a failure: the failing bound moves, or the window opens.
    fn after_failure(self, params: &Params, score: Score, bound: Bound) -> Attempt {
        let policy = params.aspiration_policy;
        let (is_low, Window { alpha, beta }) = (bound == Bound::Upper, self.window);
        let (low, high) = (self.low + u32::from(is_low), self.high + u32::from(!is_low));
        let (old, own) = if is_low { (alpha, low) } else { (beta, high) };
        let failure = Failure { guess: self.guess, old, score, is_low, own, all: low + high };
        let window = match policy.next_bound(params, failure) {
            _ if failure.all >= params.aspiration_failures.unsigned_abs() => Window::FULL,
            None if policy != AspirationPolicy::Gradual => Window::FULL,
            next if is_low => Window { alpha: next.unwrap_or(Window::FULL.alpha), beta },
            next => Window { alpha, beta: next.unwrap_or(Window::FULL.beta) },
        };
        Attempt { window, low, high, ..self }
    }
}

/// Searches one iteration: windows until the score is inside one.
pub(super) fn search_in_windows(
    params: &Params,
    expectation: Expectation,
    searcher: &mut dyn WindowSearch,
) -> SearchResult {
    let mut attempt = Attempt::new(params, expectation);
    loop {
        let window = attempt.window;
        let score = searcher.search(window)?;
        let bound = if score <= window.alpha && window.alpha > Window::FULL.alpha {
            Bound::Upper
        } else if score >= window.beta && window.beta < Window::FULL.beta {
            Bound::Lower
        } else {
            return Ok(score);
        };
        searcher.failed(score, bound);
        attempt = attempt.after_failure(params, score, bound);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stable game value, searched fail-soft.
    struct Stable {
        value: Score,
        searches: u32,
    }

    impl WindowSearch for Stable {
        fn search(&mut self, window: Window) -> SearchResult {
            self.searches += 1;
            assert!(window.alpha < window.beta);
            Ok(self.value)
        }
        fn failed(&mut self, _: Score, _: Bound) {}
    }

    /// Fails high and low alternately whatever the window, as an unstable search may.
    struct Unstable {
        searches: u32,
    }

    impl WindowSearch for Unstable {
        fn search(&mut self, window: Window) -> SearchResult {
            self.searches += 1;
            assert!(self.searches < 50, "loops");
            let high = self.searches % 2 == 1;
            Ok(match (high, window == Window::FULL) {
                (_, true) => Score::cp(7),
                (true, _) => window.beta,
                (false, _) => window.alpha,
            })
        }
        fn failed(&mut self, _: Score, _: Bound) {}
    }

    fn with_policy(aspiration_policy: AspirationPolicy) -> Params {
        Params { aspiration_policy, ..Params::default() }
    }

    fn expectation(score: i32) -> Expectation {
        Expectation { score: Some(Score::cp(score)), is_volatile: false, depth: 7 }
    }

    #[test]
    fn a_score_that_changes_in_jumps_gets_the_full_window() {
        let params = Params { aspiration_too_large: 1500, ..with_policy(AspirationPolicy::Exponential) };
        let window = |score| first_window(&params, expectation(score));
        for sign in [1, -1] {
            assert_ne!(window(sign * 1499), Window::FULL);
            assert_eq!(window(sign * 1500), Window::FULL);
        }
    }

    #[test]
    fn every_policy_finds_a_stable_score() {
        for policy in AspirationPolicy::ALL {
            let params = with_policy(policy);
            for value in [0, 3, -40, 80, 500, -3000] {
                let mut searcher = Stable { value: Score::cp(value), searches: 0 };
                let score = search_in_windows(&params, expectation(10), &mut searcher).unwrap();
                assert_eq!(score, Score::cp(value), "{policy:?}");
            }
            let mut searcher = Stable { value: Score::mating(5), searches: 0 };
            assert_eq!(search_in_windows(&params, expectation(10), &mut searcher).unwrap(), Score::mating(5));
        }
    }

    #[test]
    fn no_policy_loops_when_the_search_is_unstable() {
        for policy in AspirationPolicy::ALL {
            let params = with_policy(policy);
            let mut searcher = Unstable { searches: 0 };
            assert!(search_in_windows(&params, expectation(10), &mut searcher).is_ok(), "{policy:?}");
            assert!(searcher.searches <= params.aspiration_failures.unsigned_abs() + 1, "{policy:?}");
        }
    }

    #[test]
    fn an_exponential_window_doubles_or_grows_more_slowly() {
        let widths = |aspiration_width, aspiration_growth, aspiration_step| {
            let params = Params { aspiration_width, aspiration_growth, aspiration_step, ..Params::default() };
            (0..=20).map(|failures| exponential_width(&params, failures)).collect::<Vec<_>>()
        };
        let doubled = |width: i32| (0..=20).map(|failures| width << failures).collect::<Vec<_>>();
        assert_eq!(widths(13, 100, 0), doubled(13));
        assert_eq!(widths(13, 40, 1)[..4], [13, 13 + 5 + 1, 19 + 7 + 1, 27 + 10 + 1]);
        // Whatever can be set, beyond any score if too large to be doubled exactly.
        let beyond = |width: &i32| Score::ZERO.offset(*width);
        assert!(widths(500, 100, 0).iter().map(beyond).eq(doubled(500).iter().map(beyond)));
        assert!(widths(500, 100, 50).is_sorted());
    }

    #[test]
    fn only_the_failing_bound_moves() {
        for policy in [AspirationPolicy::Gradual, AspirationPolicy::Exponential] {
            let params = with_policy(policy);
            let first = Attempt::new(&params, expectation(0));
            let high = first.after_failure(&params, Score::cp(30), Bound::Lower).window;
            assert_eq!(high.alpha, first.window.alpha);
            assert!(high.beta > Score::cp(30));
            let low = first.after_failure(&params, Score::cp(-30), Bound::Upper).window;
            assert_eq!(low.beta, first.window.beta);
            assert!(low.alpha < Score::cp(-30));
        }
    }

    /// Distances of a window's bounds from the guess, in centipawns, after failures with these scores, relative to the
    /// guess too.
    fn gradual(guess: i32, failures: &[(i32, Bound)]) -> Window {
        let params = with_policy(AspirationPolicy::Gradual);
        let mut attempt = Attempt::new(&params, expectation(guess));
        for &(away, bound) in failures {
            attempt = attempt.after_failure(&params, Score::cp(guess + away), bound);
        }
        attempt.window
    }

    fn around(guess: i32, below: i32, above: i32) -> Window {
        Window { alpha: Score::cp(guess - below), beta: Score::cp(guess + above) }
    }

    #[test]
    fn gradual_widening_goes_from_the_guess_by_steps_as_described() {
        for guess in [-120, 0, 40] {
            // From [g - 1/4, g + 1/4] to [g - 1/4, g + 1], wherever the score is in between.
            assert_eq!(gradual(guess, &[]), around(guess, 25, 25));
            for away in [25, 26, 60, 99] {
                assert_eq!(gradual(guess, &[(away, Bound::Lower)]), around(guess, 25, 100));
                assert_eq!(gradual(guess, &[(-away, Bound::Upper)]), around(guess, 100, 25));
            }
        }
    }

    #[test]
    fn gradual_widening_counts_each_bound_by_itself() {
        // "It will often happen that the above re-search will fail low": the other bound starts with its own first
        // step.
        let mut failures = vec![(30, Bound::Lower), (-30, Bound::Upper)];
        assert_eq!(gradual(40, &failures), around(40, 100, 100));
        failures.push((-110, Bound::Upper));
        assert_eq!(gradual(40, &failures), around(40, 300, 100));
        failures.push((-310, Bound::Upper));
        assert_eq!(gradual(40, &failures), Window { alpha: Window::FULL.alpha, ..around(40, 0, 100) });
    }

    #[test]
    fn gradual_widening_skips_steps_that_the_score_has_passed() {
        assert_eq!(gradual(40, &[(100, Bound::Lower)]), around(40, 25, 300));
        assert_eq!(gradual(40, &[(-150, Bound::Upper)]), around(40, 300, 25));
        assert_eq!(gradual(40, &[(500, Bound::Lower)]), Window { beta: Window::FULL.beta, ..around(40, 25, 0) });
    }

    #[test]
    fn parity_leans_to_the_side_that_the_depth_favours() {
        let params = with_policy(AspirationPolicy::Parity);
        let at = |depth| first_window(&params, Expectation { depth, ..expectation(0) });
        assert_eq!((at(7).alpha.main(), at(7).beta.main()), (-24, 56));
        assert_eq!((at(8).alpha.main(), at(8).beta.main()), (-56, 24));
        let volatile = Expectation { is_volatile: true, ..expectation(0) };
        assert_eq!(first_window(&params, volatile), Window::FULL);
    }
}
