//! With every switch off the search is a plain alpha-beta: it must give exactly what an independent minimax with
//! quiescence gives, with and without the transposition table.

mod common;

use common::{no_moves, positions, quiescence, score_at_depth, terminal};
use pacioli::board::Position;
use pacioli::params::{Params, Profile};
use pacioli::score::Score;

/// Positions compared.
const POSITIONS: usize = 220;

/// Plain minimax of `depth` plies.
fn minimax(position: &Position, depth: i32, ply: i32, checks: i32) -> Score {
    if depth == 0 {
        return quiescence(position, ply, checks, true);
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

/// Nothing but alpha-beta and the quiescence rules.
fn plain() -> Params {
    Params { quiescence_see: true, horizon_depth: 0, aspiration_policy: 0, ..Params::default().all_switches_off() }
}

fn compare(name: &str, params: &Params, depth: i32) {
    for position in positions(POSITIONS) {
        let expected = minimax(&position, depth, 0, params.quiescence_check_plies);
        let found = score_at_depth(&position, params, depth);
        assert_eq!(found, expected, "{name}, depth {depth}: {}", position.fen());
    }
}

#[test]
fn without_anything() {
    compare("plain", &plain(), 2);
}

#[test]
fn with_scouts_ordering_and_mate_distance() {
    let params = Params {
        zero_window_scouts: true,
        ordering: true,
        use_history: true,
        raised_alpha: true,
        mate_distance_pruning: true,
        ..plain()
    };
    compare("scouts", &params, 2);
}

#[test]
fn with_the_table() {
    let params = Params { table_cutoffs: true, ordering: true, use_history: true, zero_window_scouts: true, ..plain() };
    compare("table", &params, 2);
    compare("table and quiescence table", &Params { quiescence_table: true, ..params }, 2);
}

#[test]
fn with_aspiration_windows_and_every_driver() {
    for root_driver in 0..4 {
        for aspiration_policy in 0..5 {
            let params = Params {
                root_driver,
                aspiration_policy,
                aspiration_min_iteration: 2,
                table_cutoffs: true,
                ordering: true,
                use_history: true,
                zero_window_scouts: true,
                raised_alpha: true,
                ..plain()
            };
            for position in positions(40) {
                let expected = minimax(&position, 2, 0, params.quiescence_check_plies);
                let found = score_at_depth(&position, &params, 2);
                assert_eq!(found, expected, "driver {root_driver}, policy {aspiration_policy}: {}", position.fen());
            }
        }
    }
}

#[test]
fn the_horizon_search_is_a_minimax_too() {
    let params = Params {
        horizon_depth: 2,
        quiescence_check_plies: 2,
        zero_window_scouts: true,
        ordering: true,
        use_history: true,
        ..plain()
    };
    // Iteration 3 has one ply of software above two of horizon search.
    for position in positions(60) {
        let expected = minimax(&position, 3, 0, 2);
        assert_eq!(score_at_depth(&position, &params, 3), expected, "{}", position.fen());
    }
    assert!(Profile::DeepBlue.params().horizon_depth == 4);
}
