//! Multiple threads: Lazy SMP (Chess Programming Wiki). Every thread deepens the same root independently; results reach
//! the others through the table. The leader observes the limits and talks to the observer. The helpers run until it is
//! done, but never deeper than requested, since their answer may be the one chosen. Finally all threads vote on the
//! move, unless the leader has proven that one side wins.

use std::sync::Arc;
use std::thread;

use super::threads::{THREAD_ROOM, has_room_elsewhere, has_room_for, is_roomy, spawn_scoped};
use crate::eval::nnue::Network;
use crate::params::Params;
use crate::room;
use crate::score::Score;
use crate::search::{Budget, Crew, Iteration, LEADER, NoMate, Observer, Outcome, Request, Shared, StopFlag, Worker};
use crate::tt::Table;

/// Base votes even for the worst score, so that depth decides between equal scores.
const BASE_VOTES: i64 = 10;

/// Fresh workers for this many threads, or for as many as memory allows; at least one.
pub(super) fn workers(threads: usize, params: &Params, network: &Option<Arc<Network>>) -> Workers {
    let worker = || Worker::new(params.clone(), network.clone());
    let mut workers = Workers { leader: worker(), helpers: Vec::new() };
    while workers.count() < threads && has_room_for(workers.count()) {
        workers.helpers.push(worker());
    }
    workers
}

/// One worker for each thread.
pub(super) struct Workers {
    leader: Worker,
    helpers: Vec<Worker>,
}

impl Workers {
    /// Number of workers.
    pub fn count(&self) -> usize {
        1 + self.helpers.len()
    }

    /// All of them, the leader first.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Worker> {
        std::iter::once(&mut self.leader).chain(&mut self.helpers)
    }
}

/// Sets a flag when dropped, also on panic.
struct RaiseOnDrop<'a>(&'a StopFlag);

impl Drop for RaiseOnDrop<'_> {
    fn drop(&mut self) {
        self.0.raise();
    }
}

/// Keeps the last completed iteration of a helper thread, which is usually stopped within the next one.
#[derive(Default)]
struct LastIteration(Option<Iteration>);

impl Observer for LastIteration {
    fn iteration(&mut self, iteration: &Iteration) {
        self.0 = Some(iteration.clone());
    }
}

/// The budget of the helpers. The leader watches the time, and all watch the nodes, since helpers search on while the
/// leader has to wait for a processor. The target is the same: no deeper iteration, and in a search for mate in n, that
/// mate, without the pruning that might miss it, since the shared table would pass on pruned results. Any other mate
/// does not stop them.
fn helpers_budget(budget: &Budget, done: &StopFlag) -> Budget {
    Budget {
        depth: budget.depth,
        nodes: budget.nodes,
        mate: budget.mate,
        started: budget.started,
        beyond_mate: true,
        stop: done.clone(),
        ..Budget::default()
    }
}

/// Searches with all workers, or with the leader alone.
pub(super) fn search(
    workers: &mut Workers,
    table: &Table,
    root: &Request,
    budget: &Budget,
    is_helped: bool,
    observer: &mut (dyn Observer + Send),
) -> Outcome {
    let (led, helped) = search_all::<LastIteration>(workers, table, root, budget, is_helped, observer);
    let helped: Vec<_> = helped.into_iter().map(|(outcome, last)| (outcome, last.0)).collect();
    let led = Outcome { no_mate: undenied(led.no_mate, &helped), ..led };
    if root.multi_pv > 1 { led } else { elect(led, &helped, observer) }
}

/// What the leader found, with the counts of all threads, and what each helper found, with its listener. A helper for
/// which there is no thread or memory is left out; the leader runs on the current thread if that has enough stack, or
/// if no other is available.
fn search_all<Listener: Observer + Default + Send>(
    workers: &mut Workers,
    table: &Table,
    root: &Request,
    budget: &Budget,
    is_helped: bool,
    observer: &mut (dyn Observer + Send),
) -> (Outcome, Vec<(Outcome, Listener)>) {
    let Workers { leader, helpers } = workers;
    let room = if is_helped { room::blocks(helpers.len(), THREAD_ROOM) } else { 0 };
    let helpers = &mut helpers[..room];
    let crew = Crew::new(1 + helpers.len());
    let done = StopFlag::new();
    let helping = helpers_budget(budget, &done);
    let (led, helped) = thread::scope(|scope| {
        let ended = RaiseOnDrop(&done);
        let helpers: Vec<_> = (1..)
            .zip(helpers)
            .filter_map(|(thread, worker)| {
                let (crew, helping) = (&crew, &helping);
                let help = move || {
                    let mut listener = Listener::default();
                    let outcome = worker.search(root, Shared { table, crew, thread }, helping, &mut listener);
                    (outcome, listener)
                };
                spawn_scoped(scope, "helper", help).ok()
            })
            .collect();
        let shared = Shared { table, crew: &crew, thread: LEADER };
        let led = lead(leader, root, shared, budget, observer);
        drop(ended);
        let helped: Vec<_> = helpers.into_iter().map(|handle| handle.join()).collect();
        // A panic is a bug: propagate it to the caller's thread.
        let helped: Vec<_> =
            helped.into_iter().map(|end| end.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect();
        (led, helped)
    });
    // The leader ended before the helpers did.
    let (nodes, tb_hits) = crew.sums().unwrap_or((led.nodes, led.tb_hits));
    (Outcome { nodes, tb_hits, ..led }, helped)
}

/// The leader's search.
fn lead(
    leader: &mut Worker,
    root: &Request,
    shared: Shared<'_>,
    budget: &Budget,
    observer: &mut (dyn Observer + Send),
) -> Outcome {
    if is_roomy() || !has_room_elsewhere() {
        return leader.search(root, shared, budget, observer);
    }
    let led = thread::scope(|scope| {
        let (leader, observer) = (&mut *leader, &mut *observer);
        let handle = spawn_scoped(scope, "search", move || leader.search(root, shared, budget, observer)).ok()?;
        Some(handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    });
    led.unwrap_or_else(|| leader.search(root, shared, budget, observer))
}

/// That the leader has given up a mate, unless a helper has found it meanwhile.
fn undenied(no_mate: Option<NoMate>, helped: &[(Outcome, Option<Iteration>)]) -> Option<NoMate> {
    no_mate.filter(|no_mate| !helped.iter().any(|(outcome, _)| no_mate.is_refuted_by(outcome.score)))
}

/// The outcome to answer with: the leader's, or the line of a helper, of which the observer is told.
///
/// A win or a loss that the leader has proven is not put to the vote. If it is mated, any other score has so much more
/// weight that a helper which has not seen the mate yet would win; and helpers that agree on a longer mate would
/// outvote a shorter one.
fn elect(led: Outcome, helped: &[(Outcome, Option<Iteration>)], observer: &mut (dyn Observer + Send)) -> Outcome {
    let elected = if led.score.is_decisive() { sooner_win(led.score, helped) } else { most_voted(&led, helped) };
    let Some(line) = elected else { return led };
    let Outcome { nodes, tb_hits, elapsed, .. } = led;
    observer.iteration(&Iteration { nodes, tb_hits, elapsed, ..line.clone() });
    Outcome {
        best_move: line.pv.first().copied(),
        ponder: line.pv.get(1).copied(),
        score: line.score,
        pv: line.pv.clone(),
        depth: line.iteration,
        changes: Vec::new(),
        ..led
    }
}

/// What a helper may be elected with. It is usually stopped within an iteration: this is the last one that it
/// completed, if its move is still the same.
fn line_of((outcome, last): &(Outcome, Option<Iteration>)) -> Option<&Iteration> {
    last.as_ref().filter(|last| last.pv.first() == outcome.best_move.as_ref())
}

/// The best win that a helper has proven, if it is better than what the leader has.
fn sooner_win(proven: Score, helped: &[(Outcome, Option<Iteration>)]) -> Option<&Iteration> {
    let is_sooner = |line: &&Iteration| line.score.is_winning() && line.score > proven;
    helped.iter().filter_map(line_of).filter(is_sooner).max_by_key(|line| line.score)
}

/// The line of a helper for which more votes are cast than for the leader's move: each thread votes for its move, with
/// more weight for greater depth and a better score.
fn most_voted<'a>(led: &Outcome, helped: &'a [(Outcome, Option<Iteration>)]) -> Option<&'a Iteration> {
    let all = || std::iter::once(led).chain(helped.iter().map(|(outcome, _)| outcome));
    // A thread without an iteration has no vote, and little more than the static evaluation for a score.
    let searched = all().filter(|outcome| outcome.depth > 0);
    let worst = searched.map(|outcome| outcome.score.main()).min().unwrap_or_default();
    let weight = |outcome: &Outcome| (i64::from(outcome.score.main() - worst) + BASE_VOTES) * i64::from(outcome.depth);
    let votes = |candidate: &Outcome| -> i64 {
        all().filter(|outcome| outcome.best_move == candidate.best_move).map(weight).sum()
    };
    let (mut elected, mut most) = (None, votes(led));
    for helper in helped {
        let Some(line) = line_of(helper) else { continue };
        let votes = votes(&helper.0);
        if votes > most {
            (elected, most) = (Some(line), votes);
        }
    }
    elected
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::board::{Game, Position};
    use crate::search::NodeExit;

    fn request(fen: &str) -> Request {
        let game = Game::new(Position::from_fen(fen, false).unwrap());
        Request { game, search_moves: Vec::new(), multi_pv: 1, endgames: None }
    }

    fn think(threads: usize, fen: &str, depth: i32) -> (Outcome, Iteration) {
        let root = request(fen);
        let budget = Budget { depth: Some(depth), ..Budget::default() };
        let mut workers = workers(threads, &Params::default(), &None);
        let mut last = LastIteration::default();
        let outcome = search(&mut workers, &Table::new(4).0, &root, &budget, true, &mut last);
        (outcome, last.0.unwrap())
    }

    #[test]
    fn several_threads_find_the_same_mate_and_end_in_time() {
        let mate = "6k1/5ppp/8/8/8/8/5PPP/3RR1K1 w - - 0 1";
        for threads in 1..=3 {
            let (outcome, _) = think(threads, mate, 8);
            assert_eq!(outcome.score.mate_distance(), Some(1), "{threads}");
        }
    }

    #[test]
    fn no_thread_answers_from_a_deeper_iteration_than_was_asked_for() {
        // So few nodes per iteration that helpers without a limit are far ahead when the leader has finished.
        for fen in ["4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "8/8/8/3k4/8/8/3P4/3K4 w - - 0 1"] {
            for depth in 1..=6 {
                for _ in 0..5 {
                    let (outcome, last) = think(4, fen, depth);
                    assert!(outcome.depth <= depth && last.iteration <= depth, "{} {} {depth}", outcome.depth, fen);
                }
            }
        }
    }

    /// Counts the nodes of the one thread that it listens to.
    #[derive(Default)]
    struct OwnNodes(u64);

    impl Observer for OwnNodes {
        fn wants_tree(&self) -> bool {
            true
        }

        fn node_left(&mut self, exit: &NodeExit) {
            self.0 = exit.nodes;
        }
    }

    #[test]
    fn the_nodes_told_are_the_sum_of_what_each_thread_has_searched() {
        let middlegame = "r1bqk2r/ppp2ppp/2n2n2/2bpp3/4P3/2PP1N2/PP1N1PPP/R1BQKB1R w KQkq - 0 1";
        let limits =
            [Budget { depth: Some(5), ..Budget::default() }, Budget { nodes: Some(5_000), ..Budget::default() }];
        for (threads, budget) in (1..=3).flat_map(|threads| limits.clone().map(|budget| (threads, budget))) {
            let mut workers = workers(threads, &Params::default(), &None);
            let mut leader = OwnNodes::default();
            let (led, helped) = search_all::<OwnNodes>(
                &mut workers,
                &Table::new(4).0,
                &request(middlegame),
                &budget,
                true,
                &mut leader,
            );
            assert_eq!(helped.len() + 1, threads, "every thread has searched");
            let own: Vec<u64> = std::iter::once(leader.0).chain(helped.iter().map(|(_, own)| own.0)).collect();
            // Even if helpers use up all nodes on a busy machine before the leader gets a turn.
            assert!(leader.0 > 0 && led.depth > 0, "the leader has searched");
            assert!(led.nodes > 0 && led.nodes == own.iter().sum::<u64>(), "{} nodes told of {own:?}", led.nodes);
        }
    }

    #[test]
    fn helpers_look_for_the_same_and_leave_the_time_to_the_leader() {
        let second = Some(Duration::from_secs(1));
        let budget = Budget {
            depth: Some(7),
            mate: Some(3),
            nodes: Some(1000),
            soft_nodes: Some(500),
            soft: second,
            hard: second,
            ..Budget::default()
        };
        let done = StopFlag::new();
        let helping = helpers_budget(&budget, &done);
        assert_eq!((helping.depth, helping.mate), (budget.depth, budget.mate));
        assert_eq!((helping.nodes, helping.soft_nodes), (budget.nodes, None));
        assert_eq!((helping.soft, helping.hard), (None, None));
        budget.stop.raise();
        assert!(!helping.stop.is_raised());
        done.raise();
        assert!(helping.stop.is_raised());
    }

    /// Keeps the leader after an iteration until a helper has searched the root to depth 3.
    struct Patient<'a> {
        table: &'a Table,
        key: u64,
    }

    impl Observer for Patient<'_> {
        fn iteration(&mut self, _: &Iteration) {
            // Longer than a helper needs on a busy machine.
            const PATIENCE: Duration = Duration::from_secs(10);
            let begun = Instant::now();
            let is_deep = || self.table.probe(self.key, 0).is_some_and(|entry| entry.depth >= 3);
            while !is_deep() && begun.elapsed() < PATIENCE {
                thread::yield_now();
            }
        }
    }

    #[test]
    fn a_helper_that_has_seen_more_gives_the_answer() {
        // Mate in two, seen in the second iteration. The leader does only the first.
        let root = request("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1");
        let budget = Budget { soft_nodes: Some(1), ..Budget::default() };
        let (table, mut workers) = (Table::new(1).0, workers(2, &Params::default(), &None));
        let mut patient = Patient { table: &table, key: root.game.position().key() };
        let outcome = search(&mut workers, &table, &root, &budget, true, &mut patient);
        assert_eq!(outcome.best_move, root.game.position().parse_uci("a1a6").ok());
    }

    /// A small ending.
    const ENDING: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";

    /// What one thread found in it, and what another found instead, with the given differences in depth and score.
    fn rivals(deeper: i32, better: i32) -> (Outcome, (Outcome, Option<Iteration>)) {
        let (led, last) = think(1, ENDING, 6);
        let moves = request(ENDING).game.position().legal_moves();
        let other = moves.iter().copied().find(|&m| Some(m) != led.best_move).unwrap();
        let (depth, score) = (led.depth + deeper, Score::cp(led.score.main() + better));
        let helped = Outcome { best_move: Some(other), pv: vec![other], depth, score, ..led.clone() };
        let last = Iteration { pv: vec![other], iteration: depth, score, ..last };
        (led, (helped, Some(last)))
    }

    #[test]
    fn a_deeper_or_better_helper_wins_the_vote_and_its_line_is_told() {
        for (deeper, better, wins) in
            [(1, 0, true), (0, 1, true), (5, 40, true), (0, 0, false), (-1, 0, false), (0, -1, false)]
        {
            let (led, helped) = rivals(deeper, better);
            let mut last = LastIteration::default();
            let elected = elect(led.clone(), std::slice::from_ref(&helped), &mut last);
            let expected = if wins { &helped.0 } else { &led };
            assert_eq!((elected.best_move, &elected.pv), (expected.best_move, &expected.pv), "{deeper} {better}");
            // The last line reported is that of the move played.
            assert_eq!(last.0.map(|line| line.pv), wins.then(|| helped.0.pv.clone()), "{deeper} {better}");
        }
    }

    #[test]
    fn two_threads_outvote_a_third() {
        let (led, helped) = rivals(0, -1);
        let elected = elect(led.clone(), &[helped.clone(), helped.clone()], &mut LastIteration::default());
        assert_eq!(elected.best_move, helped.0.best_move);
        // Two that agree with the leader form a majority.
        let (led, (mut agrees, last)) = rivals(0, 0);
        agrees.best_move = led.best_move;
        let elected = elect(led.clone(), &[(agrees, last), helped], &mut LastIteration::default());
        assert_eq!(elected.best_move, led.best_move);
    }

    #[test]
    fn only_a_sooner_win_replaces_what_the_leader_has_proven() {
        // The leader's score, how much deeper two helpers with another move are, their scores, and the one elected.
        for (proven, deeper, scores, best) in [
            (Score::mating(5), 0, [Score::mating(7), Score::mating(7)], Score::mating(5)),
            (Score::mating(5), -4, [Score::mating(1), Score::mating(3)], Score::mating(1)),
            (Score::mated(6), -4, [Score::cp(-1900), Score::cp(-1900)], Score::mated(6)),
            (Score::mated(6), 1, [Score::cp(-1900), Score::cp(-1900)], Score::mated(6)),
            (Score::mated(6), 1, [Score::cp(-1900), Score::tablebase_win(9)], Score::tablebase_win(9)),
            (Score::mated(6), 1, [Score::mated(8), Score::mated(4)], Score::mated(6)),
            (Score::mated(6), -4, [Score::mating(3), Score::mated(8)], Score::mating(3)),
            (-Score::tablebase_win(8), -4, [Score::cp(-1900), Score::cp(-1900)], -Score::tablebase_win(8)),
            (Score::tablebase_win(9), -4, [Score::tablebase_win(11), Score::mating(5)], Score::mating(5)),
        ] {
            let (led, (helped, last)) = rivals(deeper, 0);
            let led = Outcome { score: proven, ..led };
            let helpers = scores.map(|score| {
                (Outcome { score, ..helped.clone() }, last.clone().map(|last| Iteration { score, ..last }))
            });
            let elected = elect(led.clone(), &helpers, &mut LastIteration::default());
            let best_move = if best == proven { led.best_move } else { helped.best_move };
            assert_eq!((elected.best_move, elected.score), (best_move, best), "{proven:?} {deeper} {scores:?}");
        }
    }

    #[test]
    fn a_helper_that_has_searched_nothing_does_not_shift_the_weights() {
        // Two centipawns weigh more than an iteration.
        let (led, helped) = rivals(1, -2);
        let idle = (Outcome { depth: 0, score: Score::cp(led.score.main() - 300), ..helped.0.clone() }, None);
        for helpers in [vec![helped.clone()], vec![helped, idle]] {
            let elected = elect(led.clone(), &helpers, &mut LastIteration::default());
            assert_eq!(elected.best_move, led.best_move, "{} helpers", helpers.len());
        }
    }

    #[test]
    fn a_mate_that_a_helper_finds_is_not_denied() {
        let given_up = Some(NoMate::GivenUp { moves: 3, depth: 20 });
        let (_, (helped, last)) = rivals(0, 0);
        for (score, said) in
            [(Score::mating(5), None), (Score::mated(6), None), (Score::mating(7), given_up), (Score::ZERO, given_up)]
        {
            let other = (Outcome { score, ..helped.clone() }, last.clone());
            assert_eq!(undenied(given_up, &[(helped.clone(), None), other]), said, "{score:?}");
        }
    }

    #[test]
    fn a_helper_without_a_line_of_its_own_cannot_be_elected() {
        let (led, (helped, _)) = rivals(30, 100);
        let mut last = LastIteration::default();
        assert_eq!(elect(led.clone(), &[(helped, None)], &mut last).best_move, led.best_move);
        assert!(last.0.is_none());
    }

    #[test]
    fn a_helper_that_was_stopped_within_an_iteration_stands_for_the_last_one() {
        // The same move with another line, or a worse score, and nothing completed by the leader.
        let (led, (helped, last)) = rivals(0, -500);
        let told = last.clone().unwrap();
        let stopped = Outcome { pv: led.pv.clone(), score: Score::cp(-600), ..helped.clone() };
        let idle = Outcome { depth: 0, ..led.clone() };
        let elected = elect(idle, &[(stopped, last.clone())], &mut LastIteration::default());
        assert_eq!((elected.best_move, elected.score), (told.pv.first().copied(), told.score));
        // One that has found a better move since votes for that, and cannot be elected with what it has given up.
        let (led, (helped, last)) = rivals(5, 500);
        let moves = request(ENDING).game.position().legal_moves();
        let third = moves.into_iter().find(|&m| Some(m) != led.best_move && Some(m) != helped.best_move);
        for found in [led.best_move, third] {
            let other = Outcome { best_move: found, ..helped.clone() };
            let elected = elect(led.clone(), &[(other, last.clone())], &mut LastIteration::default());
            assert_eq!((elected.best_move, elected.pv), (led.best_move, led.pv.clone()));
        }
    }
}
