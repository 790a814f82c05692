//! Several threads obey what is asked of one: `go depth N`, `go nodes N`, `go mate N`, `searchmoves` and MultiPV, and
//! what they report is what they did.

use std::collections::HashSet;

use pacioli::board::{Game, Move, Position};
use pacioli::engine::{Engine, Limits, Options};
use pacioli::score::StatedScore;
use pacioli::search::{Iteration, Outcome, StopFlag};
use pacioli::tt::Bound;

use crate::common::{Iterations, positions};

const THREADS: [usize; 3] = [2, 3, 8];
const POSITIONS: usize = 52;
const DEPTH: i32 = 4;
/// How many nodes a thread searches before it looks at the counts of the others again.
const CHECK_INTERVAL: u64 = 1024;

fn engine(threads: usize) -> Engine {
    let (engine, shortage) = Engine::new(Options { threads, hash_mb: 4, ..Options::default() });
    assert!(shortage.is_none(), "{shortage:?}");
    engine
}

/// Searches a position, and returns what was reported and the outcome.
fn searched(engine: &mut Engine, position: &Position, limits: &Limits) -> (Vec<Iteration>, Outcome) {
    let mut told = Iterations::default();
    let outcome = engine.search(&Game::new(position.clone()), limits, &StopFlag::new(), &mut told);
    (told.0, outcome)
}

/// Searches each position with each number of threads, and checks what was reported and the outcome.
fn search_all(limits: &Limits, check: impl Fn(&[Iteration], &Outcome, usize, &str)) {
    for threads in THREADS {
        let mut engine = engine(threads);
        for position in positions(POSITIONS) {
            let (told, outcome) = searched(&mut engine, &position, limits);
            check(&told, &outcome, threads, &format!("{threads} threads, {}", position.fen()));
            let mut at = position.clone();
            for &m in &outcome.pv {
                assert!(at.legal_moves().contains(&m), "{}: {m:?}", at.fen());
                at.make(m);
            }
            assert_eq!(outcome.best_move, outcome.pv.first().copied());
        }
    }
}

#[test]
fn no_thread_goes_deeper_and_the_answer_is_that_of_a_completed_iteration() {
    let limits = Limits::to_depth(DEPTH);
    search_all(&limits, |told, outcome, _, what| {
        assert!(told.iter().all(|iteration| iteration.iteration <= DEPTH), "{what}");
        assert!(outcome.depth <= DEPTH, "{what}: {}", outcome.depth);
        let last = told.last().expect(what);
        assert_eq!((&last.pv, last.score, last.iteration), (&outcome.pv, outcome.score, outcome.depth), "{what}");
        assert_eq!(last.bound, Bound::Exact, "{what}");
        // The vote may be for an earlier iteration of a helper, but one thread went all the way, or found a mate.
        let deepest = told.iter().map(|iteration| iteration.iteration).max();
        assert!(deepest == Some(DEPTH) || outcome.score.is_mate(), "{what}: {deepest:?}");
    });
}

#[test]
fn nodes_are_those_of_all_threads_and_hardly_more_than_allowed() {
    let allowed = 2_000;
    let limits = Limits::of_nodes(allowed);
    search_all(&limits, |told, outcome, threads, what| {
        assert!(told.iter().map(|iteration| iteration.nodes).is_sorted(), "{what}");
        assert!(told.iter().all(|iteration| iteration.nodes <= outcome.nodes), "{what}");
        let most = allowed + CHECK_INTERVAL * threads as u64;
        assert!(outcome.nodes <= most, "{what}: {} nodes", outcome.nodes);
        assert!(outcome.nodes >= allowed || outcome.score.is_mate(), "{what}: {} nodes", outcome.nodes);
        assert!(outcome.depth > 0, "{what}: nothing was searched");
    });
}

/// Positions for what two threads must obey besides, and how deep they are searched.
const A_FEW: usize = 12;
const SHALLOW: i32 = 3;

#[test]
fn no_thread_plays_a_move_that_was_not_asked_for() {
    let mut engine = engine(2);
    for position in positions(A_FEW) {
        let moves = position.legal_moves();
        // One move, and several, from the end of the list: rarely the best ones.
        for count in [1, 3] {
            let search_moves: Vec<Move> = moves.iter().rev().take(count).copied().collect();
            let limits = Limits { depth: Some(SHALLOW), search_moves: search_moves.clone(), ..Limits::default() };
            let (told, outcome) = searched(&mut engine, &position, &limits);
            let firsts = told.iter().map(|iteration| iteration.pv.first()).chain([outcome.best_move.as_ref()]);
            for first in firsts {
                assert!(first.is_some_and(|m| search_moves.contains(m)), "{}: {first:?}", position.fen());
            }
        }
    }
}

#[test]
fn several_lines_start_with_as_many_different_moves() {
    const LINES: usize = 4;
    let mut engine = engine(2);
    let limits = Limits { depth: Some(SHALLOW), multi_pv: LINES, ..Limits::default() };
    for position in positions(A_FEW) {
        let (told, outcome) = searched(&mut engine, &position, &limits);
        let lines = LINES.min(position.legal_moves().len());
        assert!(!told.is_empty() && told.len() % lines == 0, "{}: {} lines", position.fen(), told.len());
        for iteration in told.chunks(lines) {
            let ranks: Vec<usize> = iteration.iter().map(|line| line.multipv).collect();
            let firsts: HashSet<Option<Move>> = iteration.iter().map(|line| line.pv.first().copied()).collect();
            assert_eq!(ranks, (1..=lines).collect::<Vec<_>>(), "{}", position.fen());
            assert!(firsts.len() == lines && !firsts.contains(&None), "{}: {firsts:?}", position.fen());
        }
        assert_eq!(outcome.best_move, told[told.len() - lines].pv.first().copied(), "{}", position.fen());
    }
}

#[test]
fn a_mate_that_is_asked_for_is_found() {
    let mut engine = engine(2);
    for (fen, moves) in [
        ("6k1/5ppp/8/8/8/8/5PPP/3RR1K1 w - - 0 1", 1),
        ("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", 2),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2),
    ] {
        let position = Position::from_fen(fen, false).unwrap();
        // Far more iterations than the mate takes.
        let limits = Limits { mate: Some(moves), depth: Some(24), ..Limits::default() };
        let (_, outcome) = searched(&mut engine, &position, &limits);
        assert_eq!(outcome.score.stated(), StatedScore::Mate(moves), "{fen}");
    }
}
