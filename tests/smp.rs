//! Several threads obey what is asked of one: `go depth N` and `go nodes N`, and what they report is what they did.

use pacioli::board::Game;
use pacioli::engine::{Engine, Limits, Options};
use pacioli::search::{Iteration, Observer, Outcome, StopFlag};
use pacioli::tt::Bound;

use crate::common::positions;

const THREADS: [usize; 3] = [2, 3, 8];
const POSITIONS: usize = 52;
const DEPTH: i32 = 4;
/// How many nodes a thread searches before it looks at the counts of the others again.
const CHECK_INTERVAL: u64 = 1024;

/// All completed iterations that were reported.
#[derive(Default)]
struct Iterations(Vec<Iteration>);

impl Observer for Iterations {
    fn iteration(&mut self, iteration: &Iteration) {
        self.0.push(iteration.clone());
    }
}

/// Searches each position with each number of threads, and checks what was reported and the outcome.
fn search_all(limits: &Limits, check: impl Fn(&[Iteration], &Outcome, usize, &str)) {
    for threads in THREADS {
        let (mut engine, shortage) = Engine::new(Options { threads, hash_mb: 4, ..Options::default() });
        assert!(shortage.is_none(), "{shortage:?}");
        for position in positions(POSITIONS) {
            let mut told = Iterations::default();
            let game = Game::new(position.clone());
            let outcome = engine.search(&game, limits, &StopFlag::new(), &mut told);
            check(&told.0, &outcome, threads, &format!("{threads} threads, {}", position.fen()));
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
    let limits = Limits { depth: Some(DEPTH), ..Limits::default() };
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
    let limits = Limits { nodes: Some(allowed), ..Limits::default() };
    search_all(&limits, |told, outcome, threads, what| {
        assert!(told.iter().map(|iteration| iteration.nodes).is_sorted(), "{what}");
        assert!(told.iter().all(|iteration| iteration.nodes <= outcome.nodes), "{what}");
        let most = allowed + CHECK_INTERVAL * threads as u64;
        assert!(outcome.nodes <= most, "{what}: {} nodes", outcome.nodes);
        assert!(outcome.nodes >= allowed || outcome.score.is_mate(), "{what}: {} nodes", outcome.nodes);
    });
}
