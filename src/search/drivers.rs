//! Root drivers: how an iteration gets the root's score from window searches.
//!
//! PVS (NegaScout) and plain alpha-beta search the windows of an aspiration policy; they differ in whether the nodes
//! below scout with null windows. MTD(f) and SSS* only use null windows at the root (Plaat, Schaeffer, Pijls, de Bruin,
//! "Best-first fixed-depth minimax algorithms", 1996, which shows SSS* to be MTD from +infinity).

use super::aspiration::{Expectation, WindowSearch, search_in_windows};
use super::facts::SearchResult;
use crate::params::{Params, RootDriver as Driver};
use crate::score::{Score, Window};
use crate::tt::Bound;

/// Null-window searches in one iteration after which the full window decides.
const MAX_STEPS: u32 = 20;

/// Finds the root's score for one iteration.
pub(super) trait RootDriver {
    /// Searches until the score is known.
    fn drive(&self, params: &Params, expectation: Expectation, searcher: &mut dyn WindowSearch) -> SearchResult;

    /// Whether nodes below use null windows for all moves but the first.
    fn scouts(&self) -> bool {
        true
    }

    /// Whether principal variations must be kept in null windows, because the driver uses nothing else.
    fn needs_lines_everywhere(&self) -> bool {
        false
    }
}

/// Principal variation search, or plain alpha-beta if `scouts` is false.
struct AlphaBeta {
    scouts: bool,
}

/// MTD(f): null windows starting from the last score.
struct Mtdf;

/// SSS* as MTD from +infinity: null windows that only move down.
struct SssStar;

/// The driver selected by the tunables.
/// Elo: +85 ± 30 (`root_driver`)
pub(super) fn from_params(params: &Params) -> Box<dyn RootDriver> {
    match params.root_driver {
        Driver::Pvs => Box::new(AlphaBeta { scouts: true }),
        Driver::AlphaBeta => Box::new(AlphaBeta { scouts: false }),
        Driver::Mtdf => Box::new(Mtdf),
        Driver::SssStar => Box::new(SssStar),
    }
}

impl RootDriver for AlphaBeta {
    fn drive(&self, params: &Params, expectation: Expectation, searcher: &mut dyn WindowSearch) -> SearchResult {
        search_in_windows(params, expectation, searcher)
    }

    fn scouts(&self) -> bool {
        self.scouts
    }
}

impl RootDriver for Mtdf {
    fn drive(&self, _: &Params, expectation: Expectation, searcher: &mut dyn WindowSearch) -> SearchResult {
        converge(expectation.score.unwrap_or(Score::ZERO), searcher)
    }

    fn needs_lines_everywhere(&self) -> bool {
        true
    }
}

impl RootDriver for SssStar {
    fn drive(&self, _: &Params, _: Expectation, searcher: &mut dyn WindowSearch) -> SearchResult {
        converge(Score::INFINITY, searcher)
    }

    fn needs_lines_everywhere(&self) -> bool {
        true
    }
}

/// Narrows the bounds of the score with null windows, starting from a guess.
///
/// In an unstable search the bounds may cross, and small steps may never end: then the full window decides.
fn converge(guess: Score, searcher: &mut dyn WindowSearch) -> SearchResult {
    let (mut lower, mut upper) = (Window::FULL.alpha, Window::FULL.beta);
    let mut guess = guess;
    for _ in 0..MAX_STEPS {
        let beta = if guess <= lower { lower.next_up() } else { guess.min(upper) };
        guess = searcher.search(Window::reaching(beta))?;
        if guess >= beta {
            lower = guess;
        } else {
            upper = guess;
        }
        if lower == upper {
            return Ok(guess);
        }
        if lower > upper {
            break;
        }
        searcher.failed(guess, if guess >= beta { Bound::Lower } else { Bound::Upper });
    }
    searcher.search(Window::FULL)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Scripted {
        value: Score,
        unstable: bool,
        searches: u32,
    }

    impl WindowSearch for Scripted {
        fn search(&mut self, window: Window) -> SearchResult {
            self.searches += 1;
            assert!(self.searches <= MAX_STEPS + 1, "loops");
            if self.unstable && window != Window::FULL {
                return Ok(if self.searches % 2 == 1 { window.beta } else { window.alpha });
            }
            // Fail-soft with loose bounds, as in a real search.
            Ok(if self.value >= window.beta {
                self.value.min(window.beta.offset(40)).max(window.beta)
            } else if self.value <= window.alpha {
                self.value.max(window.alpha.offset(-40)).min(window.alpha)
            } else {
                self.value
            })
        }
        fn failed(&mut self, score: Score, bound: Bound) {
            let holds = if bound == Bound::Lower { score <= self.value } else { score >= self.value };
            assert!(self.unstable || holds, "{score} {bound:?}, but {}", self.value);
        }
    }

    fn drivers() -> Vec<Box<dyn RootDriver>> {
        Driver::ALL.map(|root_driver| from_params(&Params { root_driver, ..Params::default() })).into()
    }

    #[test]
    fn all_drivers_find_the_same_score_and_none_loops() {
        let params = Params::default();
        let expectation = Expectation { score: Some(Score::cp(20)), is_volatile: false, depth: 6 };
        for value in [Score::cp(0), Score::cp(35), Score::cp(-300), Score::mating(7), Score::mated(4)] {
            for (index, driver) in drivers().iter().enumerate() {
                let mut searcher = Scripted { value, unstable: false, searches: 0 };
                assert_eq!(driver.drive(&params, expectation, &mut searcher), Ok(value), "driver {index}");
                let mut searcher = Scripted { value, unstable: true, searches: 0 };
                assert!(driver.drive(&params, expectation, &mut searcher).is_ok(), "driver {index}");
            }
        }
    }
}
