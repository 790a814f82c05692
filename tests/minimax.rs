//! With every switch off the search is plain alpha-beta: it must give exactly the result of an independent minimax with
//! quiescence, with and without the transposition table.

use std::sync::OnceLock;

use pacioli::board::{Game, Position};
use pacioli::engine::{Engine, Limits, Options};
use pacioli::params::{AspirationPolicy, Evaluation, Params, RootDriver};
use pacioli::score::Score;

use crate::common::{no_moves, outcome, positions, positions_with, quiescence, score_at_depth, terminal};

/// Depth in plies, positions compared at it, and the maximum number of men.
const COMPARISONS: [(i32, usize, usize); 3] = [(1, 220, 32), (2, 220, 14), (3, 30, 8)];

/// Plain minimax of `depth` plies.
fn minimax(position: &Position, depth: i32, ply: i32, checks: i32) -> Score {
    if depth == 0 {
        return quiescence(position, ply, checks);
    }
    if ply > 0
        && let Some(score) = terminal(position)
    {
        return score;
    }
    let moves = position.legal_moves();
    let scores = moves.iter().map(|&m| -minimax(&position.play(m), depth - 1, ply + 1, checks));
    scores.max().unwrap_or_else(|| no_moves(position, ply))
}

/// Only alpha-beta and the quiescence rules. The classical evaluation, since the network's takes a minute from scratch;
/// that its updates along a path equal that is a test of its own.
fn plain() -> Params {
    Params {
        evaluation: Evaluation::Classical,
        quiescence_see: true,
        horizon_depth: 0,
        aspiration_policy: AspirationPolicy::Off,
        ..Params::default().all_switches_off()
    }
}

/// The minimax scores, computed once for all tests.
fn expected() -> &'static [(Position, i32, Score)] {
    static EXPECTED: OnceLock<Vec<(Position, i32, Score)>> = OnceLock::new();
    EXPECTED.get_or_init(|| {
        let cases = COMPARISONS
            .iter()
            .flat_map(|&(depth, count, men)| positions_with(count, men).into_iter().map(move |p| (p, depth)));
        let checks = plain().quiescence_check_plies;
        cases.map(|(position, depth)| (position.clone(), depth, minimax(&position, depth, 0, checks))).collect()
    })
}

fn compare(name: &str, params: &Params) {
    for (position, depth, score) in expected() {
        assert_eq!(score_at_depth(position, params, *depth), *score, "{name}, depth {depth}: {}", position.fen());
    }
}

/// Alpha-beta with everything that must not change the score.
fn enhanced() -> Params {
    Params {
        zero_window_scouts: true,
        ordering: true,
        use_history: true,
        killers: true,
        counter_moves: true,
        continuation_history: true,
        continuation_sum: true,
        capture_history: true,
        raised_alpha: true,
        mate_distance_pruning: true,
        ..plain()
    }
}

#[test]
fn plain_alpha_beta_equals_minimax() {
    compare("plain", &plain());
}

#[test]
fn scouts_ordering_and_mate_distance_change_nothing() {
    compare("enhanced", &enhanced());
}

#[test]
fn the_table_changes_nothing() {
    let params = Params { tt_cutoffs: true, ..enhanced() };
    compare("table", &params);
    compare("table and quiescence table", &Params { quiescence_tt: true, ..params.clone() });
    // Deeper, with many transpositions, against the search without table that equals minimax above.
    for position in positions(140) {
        let without = score_at_depth(&position, &enhanced(), 3);
        assert_eq!(score_at_depth(&position, &params, 3), without, "{}", position.fen());
    }
}

#[test]
fn a_table_filled_far_from_the_fifty_move_limit_changes_nothing_near_it() {
    let params = Params { tt_cutoffs: true, quiescence_tt: true, ..enhanced() };
    let options = Options { params: params.clone(), hash_mb: 4, ..Options::default() };
    let mut engine = Engine::new(options).0;
    let limits = Limits::to_depth(3);
    let mut differing = 0;
    for early in positions_with(30, 8) {
        let board = early.fen().rsplitn(3, ' ').last().unwrap().to_owned();
        let mut score = |halfmoves: u32| {
            let position = Position::from_fen(&format!("{board} {halfmoves} 90"), false).unwrap();
            let found = outcome(&mut engine, &Game::new(position.clone()), &limits).score;
            (position, found)
        };
        let far = score(0).1;
        for halfmoves in [97, 98, 0] {
            let (position, found) = score(halfmoves);
            let expected = minimax(&position, 3, 0, params.quiescence_check_plies);
            assert_eq!(found, expected, "{}", position.fen());
            differing += usize::from(found != far);
        }
    }
    assert!(differing > 30, "only {differing} positions show the difference");
}

#[test]
fn every_driver_and_every_window_policy_finds_the_same_score() {
    let score = |position: Position| (score_at_depth(&position, &enhanced(), 3), position);
    let expected: Vec<_> = positions(16).into_iter().map(score).collect();
    for root_driver in RootDriver::ALL {
        for aspiration_policy in AspirationPolicy::ALL {
            let windows = Params { root_driver, aspiration_policy, aspiration_min_iteration: 2, ..enhanced() };
            let params = Params { tt_cutoffs: true, ..windows };
            for (expected, position) in &expected {
                let found = score_at_depth(position, &params, 3);
                assert_eq!(found, *expected, "{root_driver:?}, {aspiration_policy:?}: {}", position.fen());
            }
        }
    }
}

#[test]
fn the_horizon_search_is_a_minimax_too() {
    let params = Params { horizon_depth: 2, quiescence_check_plies: 2, ..enhanced() };
    // With stored results, those of earlier iterations with a shorter horizon search must not be used.
    let verdicts = Params { horizon_verdicts: true, tt_cutoffs: true, ..params.clone() };
    // Nor those of quiescence alone, if it uses the table too.
    let both = Params { quiescence_tt: true, ..verdicts.clone() };
    // Iteration 3 has one ply of software above two of horizon search.
    for position in positions_with(100, 8) {
        let expected = minimax(&position, 3, 0, 2);
        for params in [&params, &verdicts, &both] {
            assert_eq!(score_at_depth(&position, params, 3), expected, "{}", position.fen());
        }
    }
}
