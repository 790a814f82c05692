//! The deep-blue profile as shipped equals the paper's search, transcribed here: Fig. 1 line by line, the generation of
//! credit (section 4.1), the searches for evidence (6.1), the credit of earlier visits, and the chip with its
//! quiescence (section 5). Where the paper gives no rule, as for the size of awards, the descriptions in [`Params`] are
//! transcribed.
//!
//! For every iteration the test compares the score, the number of nodes, both depths, the awards and second searches of
//! each mechanism, the plies cashed in and the failed second searches.
//!
//! The transcription shares with the engine the rules of chess, the static evaluation, score arithmetic and the numbers
//! in [`Params`] with their taper. Ledger, credit, table, searches, exchanges and threats to pieces are written
//! independently.
//!
//! Four settings differ from the profile as shipped:
//! - `ordering` is off: moves come as generated. The paper says only how the chip ordered its moves (section 3.1), and
//!   the profile orders them otherwise.
//! - `aspiration_policy` is `off`: each iteration is one search with the full window, like the figure's first call.
//! - `growth_control` is off: it only counts nodes now and then, and when it acts nothing is cashed in.
//! - `no_progress` is off: what depends on the path is not stored, for which the paper has no rule; `laws` looks after it.
//!
//! So these are not covered, nor are: replacement when the engine's table is full (these positions are far from
//! filling it), the hard limit of plies (none comes near it), threads, endgame tables, limits of time and nodes,
//! restricted or multiple root moves, and the mechanisms that the profile has switched off.

mod chip;
mod software;
mod table;

use pacioli::board::{Game, Position};
use pacioli::credit::Mechanism;
use pacioli::engine::{Engine, Limits, Options};
use pacioli::params::{AspirationPolicy, Params, Profile, SecondSearch};
use pacioli::search::{Iteration, StopFlag};

use crate::common::{Iterations, positions_with};
use software::{Counts, Event, Transcription};

/// With more positions than this, two might compete for a place in the engine's table.
const FEW_RECORDS: usize = 20_000;
/// Size of that table in megabytes.
const HASH_MB: usize = 16;

/// Endings and problems with few men, so that six iterations are quick; together they show every mechanism.
const FEW_MEN: [&str; 10] = [
    "6k1/6Pp/4p2B/3K4/8/8/8/8 w - - 0 1",
    "2K5/2P5/k7/7R/8/8/2r4p/8 w - - 0 1",
    "8/2P5/8/8/3r4/8/2K5/k7 w - - 0 1",
    "8/6K1/2P5/8/2k4p/8/8/8 b - - 0 1",
    "5r2/8/8/8/1Q6/8/8/k1K5 b - - 0 1",
    "8/N7/8/8/1r6/2K5/8/k7 b - - 0 1",
    "7K/8/k1P5/7p/8/8/8/8 w - - 0 1",
    "8/5k2/5p2/6p1/6P1/5P2/4K3/8 w - - 0 1",
    "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1",
    "k1K5/1p5R/1P3b2/p7/8/8/8/8 w - - 0 1",
];

/// The profile, except for what determinism requires.
fn as_shipped() -> Params {
    Params {
        ordering: false,
        aspiration_policy: AspirationPolicy::Off,
        growth_control: false,
        no_progress: false,
        ..Profile::DeepBlue.params()
    }
}

/// The same as printed in the figure: the node's own alpha for every move, no scouts, a second search whenever there is
/// credit, and no score from a table.
fn as_printed() -> Params {
    Params {
        raised_alpha: false,
        zero_window_scouts: false,
        second_search: SecondSearch::Always,
        credit_horizon_check: false,
        tt_cutoffs: false,
        horizon_verdicts: false,
        mate_distance_pruning: false,
        ..as_shipped()
    }
}

fn few_men() -> Vec<Position> {
    FEW_MEN.iter().map(|fen| Position::from_fen(fen, false).expect(fen)).collect()
}

/// Compares engine and transcription over some iterations, and counts the events that occurred.
fn compare(params: &Params, positions: &[Position], iterations: i32) -> Counts {
    let mut sum = Counts::default();
    for position in positions {
        sum.add(&compare_in(position, params, iterations));
    }
    sum
}

fn compare_in(position: &Position, params: &Params, last: i32) -> Counts {
    let (transcription, expected) = Transcription::iterate(position, params, last);
    assert!(transcription.records.len() < FEW_RECORDS, "too many for the engine's table: {}", position.fen());
    let mut found = Iterations::default();
    let (mut engine, _) = Engine::new(Options { params: params.clone(), hash_mb: HASH_MB, ..Options::default() });
    let limits = Limits::to_depth(last);
    engine.search(&Game::new(position.clone()), &limits, &StopFlag::new(), &mut found);
    assert_eq!(found.0.len(), expected.len(), "iterations: {}", position.fen());
    let mut sum = Counts::default();
    for (found, expected) in found.0.iter().zip(&expected) {
        let what = format!("iteration {}: {}", found.iteration, position.fen());
        let counts = &expected.counts;
        let by = |of: fn(&Iteration, Mechanism) -> u64| Mechanism::ALL.map(|mechanism| of(found, mechanism));
        assert_eq!((found.score, found.nodes), (expected.score, expected.nodes), "score and nodes, {what}");
        assert_eq!((found.max_software, found.max_combined), (counts.max_software, counts.max_combined), "{what}");
        assert_eq!(by(|found, mechanism| found.credit.of(mechanism).awards), counts.awards, "awards, {what}");
        let second_searches = by(|found, mechanism| found.credit.of(mechanism).second_searches);
        assert_eq!(second_searches, counts.second_searches, "second searches, {what}");
        let total = found.credit.total();
        let events = [Event::CashedPly, Event::DelayedPly, Event::Failure].map(|event| counts.events[event as usize]);
        let totals = [total.cashed_plies, total.delayed_plies, total.failures];
        assert_eq!(totals, events, "cashed in, delayed, and failed, {what}");
        sum.add(counts);
    }
    sum
}

/// Requires that a comparison was not vacuous: every mechanism of the profile awarded, and every event except those
/// named.
fn require(counts: &Counts, without: &[Event]) {
    for mechanism in Mechanism::ALL.into_iter().filter(|&mechanism| mechanism != Mechanism::Check) {
        assert!(counts.awards[mechanism as usize] > 0, "no award: {}", mechanism.name());
    }
    for event in Event::ALL.into_iter().filter(|event| !without.contains(event)) {
        assert!(counts.events[event as usize] > 0, "never: {event:?}");
    }
    let second_searches: u64 = counts.second_searches.iter().sum();
    assert!(second_searches > 100, "few second searches: {second_searches}");
}

#[test]
fn the_profile_as_shipped_equals_the_transcription() {
    let mut counts = compare(&as_shipped(), &few_men(), 6);
    counts.add(&compare(&as_shipped(), &positions_with(3, 9), 5));
    require(&counts, &[]);
}

/// Iteration `i` has `i - 1` plies of software here, so that awards add up along a line before they are cashed in.
#[test]
fn more_plies_of_software_over_a_shorter_chip_equal_the_transcription() {
    let params = Params { horizon_depth: 1, ..as_shipped() };
    require(&compare(&params, &few_men(), 4), &[Event::TooLarge]);
}

/// With a smaller limit single awards of more mechanisms are cashed in.
#[test]
fn a_smaller_limit_equals_the_transcription() {
    let params = Params { horizon_depth: 1, credit_limit: 20, ..as_shipped() };
    require(&compare(&params, &positions_with(25, 10), 3), &[Event::TooLarge]);
}

#[test]
fn the_figure_as_printed_equals_the_transcription() {
    let params = Params { horizon_depth: 1, ..as_printed() };
    require(&compare(&params, &few_men(), 3), &[Event::TooLarge, Event::Cutoff]);
}
