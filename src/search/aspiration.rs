//! Aspiration windows: which window an iteration begins with, and what happens when the score falls outside.
//!
//! Five policies, all from the literature. A search with pruning, extensions and a table is unstable: a fail-high may
//! be followed by a fail-low of the same iteration (Moreland, "Aspiration windows", whose first version crashed for
//! that reason). So only the failing bound moves and the other stays, and after a few failures the window opens
//! fully, which no score can fall out of.

use super::state::SearchResult;
use crate::params::Params;
use crate::score::{Score, Window};
use crate::tt::Bound;
use crate::units::Depth;

/// Failures of one iteration after which the window opens fully.
const MAX_FAILURES: u32 = 6;
/// Moreland: half a pawn on either side, then full width.
const FIXED_WIDTH: i32 = 50;
/// Crafty: a quarter of a pawn; the failing bound moves to one pawn, then to full width.
const GRADUAL_STEPS: [i32; 3] = [25, 100, 300];
/// Fischerle: 0.24 and 0.56 pawns, the larger one on the side to which odd and even depths tend.
const PARITY_SMALL: i32 = 24;
const PARITY_LARGE: i32 = 56;
/// Fischerle: an iteration that changed the score by more than this makes the next one begin with the full window.
const VOLATILE: i32 = 100;
/// Scores beyond this change by jumps: no window.
const TOO_LARGE: i32 = 1500;

/// How windows are chosen.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Policy {
    /// Always the full window.
    Off,
    /// Moreland: a fixed width, then the full window.
    Fixed,
    /// Crafty: the failing bound moves by steps.
    Gradual,
    /// Robbolito, Stockfish: small, and the failing bound's distance grows geometrically.
    Exponential,
    /// Fischerle: asymmetric 7:3 around the last score, turned by odd and even depth.
    Parity,
}

impl Policy {
    /// The policy that the tunables choose.
    pub fn from_params(params: &Params) -> Policy {
        match params.aspiration_policy {
            0 => Policy::Off,
            1 => Policy::Fixed,
            2 => Policy::Gradual,
            3 => Policy::Exponential,
            _ => Policy::Parity,
        }
    }

    /// Distances of the first window's bounds below and above the last score, in centipawns; `None` for full width.
    fn first_widths(self, params: &Params, depth: Depth) -> Option<(i32, i32)> {
        match self {
            Policy::Off => None,
            Policy::Fixed => Some((FIXED_WIDTH, FIXED_WIDTH)),
            Policy::Gradual => Some((GRADUAL_STEPS[0], GRADUAL_STEPS[0])),
            Policy::Exponential => Some((params.aspiration_width, params.aspiration_width)),
            Policy::Parity if depth % 2 == 1 => Some((PARITY_SMALL, PARITY_LARGE)),
            Policy::Parity => Some((PARITY_LARGE, PARITY_SMALL)),
        }
    }

    /// Distance of a bound from the failing score after it failed for the `failures`th time; `None` for no bound.
    fn next_width(self, params: &Params, failures: u32) -> Option<i32> {
        match self {
            Policy::Off | Policy::Fixed | Policy::Parity => None,
            Policy::Gradual => GRADUAL_STEPS.get(failures as usize).copied(),
            Policy::Exponential => Some(params.aspiration_width << failures.min(MAX_FAILURES)),
        }
    }
}

/// A search of the root with a window, as the policies and drivers see it. Tests put an unstable one in its place.
pub(super) trait WindowSearch {
    /// Searches the root once.
    fn search(&mut self, window: Window) -> SearchResult;

    /// The window failed with this score; the search goes on with another.
    fn failed(&mut self, score: Score, bound: Bound);
}

/// What is known when an iteration begins.
#[derive(Copy, Clone, Debug)]
pub(super) struct Expectation {
    /// The last iteration's score; `None` in the first iterations.
    pub score: Option<Score>,
    /// How far the score moved between the last two iterations, in centipawns.
    pub volatility: i32,
    /// Nominal depth of the iteration.
    pub depth: Depth,
}

/// The window that an iteration begins with.
fn first_window(policy: Policy, params: &Params, expectation: Expectation) -> Window {
    let Some(score) = expectation.score.filter(|score| score.main().abs() < TOO_LARGE) else { return Window::FULL };
    if policy == Policy::Parity && expectation.volatility > VOLATILE {
        return Window::FULL;
    }
    match policy.first_widths(params, expectation.depth) {
        Some((below, above)) => Window { alpha: score.offset(-below), beta: score.offset(above) },
        None => Window::FULL,
    }
}

/// Searches one iteration: windows until the score falls inside one.
pub(super) fn search_in_windows(
    policy: Policy,
    params: &Params,
    expectation: Expectation,
    searcher: &mut dyn WindowSearch,
) -> SearchResult {
    let mut window = first_window(policy, params, expectation);
    let mut failures = 0;
    loop {
        let score = searcher.search(window)?;
        let bound = if score <= window.alpha && window.alpha > Window::FULL.alpha {
            Bound::Upper
        } else if score >= window.beta && window.beta < Window::FULL.beta {
            Bound::Lower
        } else {
            return Ok(score);
        };
        failures += 1;
        searcher.failed(score, bound);
        window = next_window(policy, params, window, score, bound, failures);
    }
}

/// The window after a failure: only the failing bound moves, away from the score.
fn next_window(policy: Policy, params: &Params, window: Window, score: Score, bound: Bound, failures: u32) -> Window {
    if failures >= MAX_FAILURES {
        return Window::FULL;
    }
    let width = policy.next_width(params, failures).filter(|_| !score.is_decisive());
    match (bound, width) {
        (_, None) if policy != Policy::Gradual => Window::FULL,
        (Bound::Upper, Some(width)) => Window { alpha: score.min(window.alpha).offset(-width), ..window },
        (Bound::Upper, None) => Window { alpha: Window::FULL.alpha, ..window },
        (_, Some(width)) => Window { beta: score.max(window.beta).offset(width), ..window },
        (_, None) => Window { beta: Window::FULL.beta, ..window },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) const POLICIES: [Policy; 5] =
        [Policy::Off, Policy::Fixed, Policy::Gradual, Policy::Exponential, Policy::Parity];

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

    /// Fails high and low in turn whatever the window, as an unstable search may.
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

    fn expectation(score: i32) -> Expectation {
        Expectation { score: Some(Score::cp(score)), volatility: 0, depth: 7 }
    }

    #[test]
    fn every_policy_finds_a_stable_score() {
        let params = Params::default();
        for policy in POLICIES {
            for value in [0, 3, -40, 80, 500, -3000] {
                let mut searcher = Stable { value: Score::cp(value), searches: 0 };
                let score = search_in_windows(policy, &params, expectation(10), &mut searcher).unwrap();
                assert_eq!(score, Score::cp(value), "{policy:?}");
            }
            let mut searcher = Stable { value: Score::mating(5), searches: 0 };
            assert_eq!(search_in_windows(policy, &params, expectation(10), &mut searcher).unwrap(), Score::mating(5));
        }
    }

    #[test]
    fn no_policy_loops_when_the_search_is_unstable() {
        let params = Params::default();
        for policy in POLICIES {
            let mut searcher = Unstable { searches: 0 };
            assert!(search_in_windows(policy, &params, expectation(10), &mut searcher).is_ok(), "{policy:?}");
            assert!(searcher.searches <= MAX_FAILURES + 1, "{policy:?}");
        }
    }

    #[test]
    fn only_the_failing_bound_moves() {
        let params = Params::default();
        let window = Window { alpha: Score::cp(-10), beta: Score::cp(10) };
        for policy in [Policy::Gradual, Policy::Exponential] {
            let high = next_window(policy, &params, window, Score::cp(12), Bound::Lower, 1);
            assert_eq!(high.alpha, window.alpha);
            assert!(high.beta > Score::cp(12));
            let low = next_window(policy, &params, window, Score::cp(-12), Bound::Upper, 1);
            assert_eq!(low.beta, window.beta);
            assert!(low.alpha < Score::cp(-12));
        }
    }

    #[test]
    fn parity_leans_to_the_side_that_the_depth_favours() {
        let params = Params::default();
        let at = |depth| {
            let expectation = Expectation { depth, ..expectation(0) };
            first_window(Policy::Parity, &params, expectation)
        };
        assert_eq!((at(7).alpha.main(), at(7).beta.main()), (-24, 56));
        assert_eq!((at(8).alpha.main(), at(8).beta.main()), (-56, 24));
        let volatile = Expectation { volatility: 200, ..expectation(0) };
        assert_eq!(first_window(Policy::Parity, &params, volatile), Window::FULL);
    }
}
