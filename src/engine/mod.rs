//! Layer 4: the engine as a whole: options, table, threads and clock behind a small facade. Prints nothing.

mod clock;
mod lag;
mod level;
mod limits;
mod options;
mod pool;
mod threads;

use clock::NodeClock;
pub use clock::TimePlan;
use lag::WakeupLag;
pub use level::Level;
pub use limits::{Clock, Limits, Measure, TimeControl, TimeControlError};
pub use options::Options;
pub use threads::{SearchError, check_engine_room, check_room, has_room_for, no_thread, spawn, spawn_scoped};

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use fastrand::Rng;

use crate::board::{Color, Game};
use crate::book::BookMove;
use crate::eval::{self, nnue::Network};
use crate::params::Params;
use crate::search::{Budget, Observer, Outcome, Request, StopFlag};
use crate::syzygy::SyzygyProblem;
use crate::tt::{AllocationError, Table};
use pool::Workers;

/// What was reduced because of low memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shortage {
    /// The transposition table is smaller.
    pub table: Option<AllocationError>,
    /// Threads requested, and threads available.
    pub threads: Option<(usize, usize)>,
    /// Parallel searches requested, and available.
    pub jobs: Option<(usize, usize)>,
}

impl Shortage {
    /// This, or `None` if nothing was reduced.
    pub fn noted(self) -> Option<Shortage> {
        (self != Shortage::default()).then_some(self)
    }
}

impl fmt::Display for Shortage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let table = self.table.as_ref().map(ToString::to_string);
        let threads = self.threads.map(|(wanted, got)| format!("no memory for {wanted} threads; using {got}"));
        let jobs = self.jobs.map(|(wanted, got)| format!("no memory for {wanted} searches at a time; running {got}"));
        f.write_str(&table.into_iter().chain(threads).chain(jobs).collect::<Vec<_>>().join("; "))
    }
}

/// A chess engine: options, transposition table and what it has learned in the game so far.
pub struct Engine {
    options: Options,
    table: Table,
    workers: Workers,
    /// Seed of all random choices in this game.
    game_seed: u64,
    /// How late the machine lets searches end.
    lag: WakeupLag,
    /// The game's clock, if nodes stand for time.
    node_clock: NodeClock,
    /// Whether the table may hold results of searches that prune, which a search for a mate must not trust.
    is_pruned: bool,
}

impl Engine {
    /// An engine with these options, as far as memory allows.
    pub fn new(options: Options) -> (Engine, Option<Shortage>) {
        let game_seed = draw_seed(&options);
        // Workers are allocated first: the table makes do with what is left.
        let workers = pool::workers(options.threads, &options.effective_params(game_seed), &options.network);
        let (table, error) = threads::table(options.hash_mb);
        let shortage = Shortage { table: error, threads: missing_threads(&options, &workers), jobs: None };
        let (lag, node_clock) = (WakeupLag::default(), NodeClock::default());
        (Engine { options, table, workers, game_seed, lag, node_clock, is_pruned: false }, shortage.noted())
    }

    /// The options in force.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The time for a move within these limits, by the clock that counts nodes where they stand for time.
    pub fn plan(&self, limits: &Limits, turn: Color) -> TimePlan {
        let limits = self.node_clock.limits(limits, turn, &self.options.params);
        TimePlan::new(&limits, turn, &self.options, self.lag)
    }

    /// The time for a move from a `ponderhit` on. It is real even where nodes stand for time: the search has no clock
    /// of its own, and is stopped from outside.
    pub fn plan_after_ponderhit(&self, limits: &Limits, turn: Color) -> TimePlan {
        let limits = Limits { ponder: false, ..limits.clone() };
        let mut options = self.options.clone();
        options.params.node_time = 0;
        TimePlan::new(&limits, turn, &options, self.lag)
    }

    /// Learns how late a search ended that was stopped from outside when its time was up: it had no clock of its own.
    pub fn note_delay(&mut self, delay: Duration) {
        self.lag.note(delay, &self.options.params);
    }

    /// Size of the transposition table in megabytes, which may be less than requested.
    pub fn hash_megabytes(&self) -> usize {
        self.table.megabytes()
    }

    /// Changes the options, as far as memory allows.
    pub fn set_options(&mut self, options: Options) -> Option<Shortage> {
        let mut shortage = Shortage::default();
        if options.hash_mb != self.options.hash_mb {
            // Free the old table first, so that both never need memory at once.
            self.table = Table::new(1).0;
            (self.table, shortage.table) = threads::table(options.hash_mb);
        }
        let old_params = self.options.effective_params(self.game_seed);
        if options.seed != self.options.seed {
            self.game_seed = draw_seed(&options);
        }
        let params = options.effective_params(self.game_seed);
        let judges_otherwise = options.network != self.options.network || params != old_params;
        // The table's scores would be taken for those of the new evaluation and search, and of other endgame tables.
        if judges_otherwise || !options.knows_same_endgames(&self.options) {
            self.table.clear();
        }
        if options.threads != self.options.threads {
            self.workers = pool::workers(options.threads, &params, &options.network);
            shortage.threads = missing_threads(&options, &self.workers);
        } else if judges_otherwise {
            self.set_params(&params, &options.network);
        }
        self.options = options;
        shortage.noted()
    }

    /// Forgets everything learned, before a new game or an independent position.
    pub fn new_game(&mut self) {
        eval::prepare();
        self.table.clear();
        self.game_seed = draw_seed(&self.options);
        self.node_clock = NodeClock::default();
        if self.options.limit_strength {
            let (params, network) = (self.options.effective_params(self.game_seed), self.options.network.clone());
            self.set_params(&params, &network);
        } else {
            self.workers.iter_mut().for_each(|worker| worker.new_game());
        }
    }

    fn set_params(&mut self, params: &Params, network: &Option<Arc<Network>>) {
        self.workers.iter_mut().for_each(|worker| worker.set_params(params.clone(), network.clone()));
    }

    /// A move from the opening book for the game's position, if one is wanted: in a game, not in analysis.
    pub fn book_move(&self, game: &Game, limits: &Limits) -> Option<BookMove> {
        let analyses = limits.infinite || limits.ponder || limits.analysis || limits.mate.is_some();
        let is_wanted = self.options.own_book && !analyses && limits.search_moves.is_empty();
        let book = self.options.book.as_ref().filter(|_| is_wanted)?;
        // Depends on the position too: with the seed alone every move would draw the same random number.
        let mut random = Rng::with_seed(self.game_seed ^ game.position().key());
        book.choose(game.position(), self.options.book_choice, &mut random)
    }

    /// Problems that searches found in the endgame tables since the last call.
    pub fn syzygy_problems(&self) -> Vec<SyzygyProblem> {
        self.options.tables.as_ref().map_or_else(Vec::new, |tables| tables.take_problems())
    }

    /// Empties the transposition table.
    pub fn clear_hash(&mut self) {
        self.table.clear();
    }

    /// Searches the game's position; blocks until the search ends, as [`Limits`] says, after the nodes of a level, or
    /// once `stop` is set. No move comes from the book; that is [`Engine::book_move`].
    ///
    /// With one thread and a node or depth limit, the result depends only on its inputs and what was searched since
    /// [`Engine::new_game`].
    pub fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        stop: &StopFlag,
        observer: &mut (dyn Observer + Send),
    ) -> Outcome {
        let started = limits.since.unwrap_or_else(Instant::now);
        let turn = game.position().turn();
        let plan = self.plan(limits, turn);
        let allowed = self.options.level().map(Level::nodes);
        let budget = Budget {
            depth: limits.depth,
            nodes: limits.nodes.into_iter().chain(allowed).min(),
            soft_nodes: limits.soft_nodes,
            mate: limits.mate,
            // Without the mate that it is for, a search ends in analysis too.
            beyond_mate: limits.infinite || limits.analysis && limits.mate.is_none(),
            started: Some(started),
            soft: plan.soft,
            hard: plan.hard,
            stop: stop.clone(),
        };
        let root = Request {
            game: game.clone(),
            search_moves: limits.search_moves.clone(),
            multi_pv: limits.multi_pv,
            endgames: self.options.endgames(),
        };
        if limits.mate.is_some() && self.is_pruned {
            self.table.clear_in_time();
        }
        self.is_pruned = limits.mate.is_none();
        self.table.new_search();
        // A level is as strong as one thread makes it, and with the same seed the same moves give the same game.
        let is_helped = plan.has_time_for_helpers(&self.options.params) && allowed.is_none();
        let outcome = pool::search(&mut self.workers, &self.table, &root, &budget, is_helped, observer);
        self.node_clock.spend(outcome.nodes, limits, turn, &self.options.params);
        if plan != TimePlan::NONE && self.options.params.node_time == 0 {
            self.lag.note(WakeupLag::shown(&outcome, started.elapsed()), &self.options.params);
        }
        outcome
    }
}

/// Threads requested and threads available, if fewer.
fn missing_threads(options: &Options, workers: &Workers) -> Option<(usize, usize)> {
    let got = workers.count();
    (got < options.threads).then_some((options.threads, got))
}

/// The seed of a game: the one that was set, or a new one each time.
fn draw_seed(options: &Options) -> u64 {
    if options.seed == 0 { Rng::new().u64(1..) } else { u64::from(options.seed) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{Crew, Iteration, LEADER, Shared, Silent, Worker};
    use crate::syzygy::cursed_wins;

    /// Whether the table still knows the opening position after a search of it, and this.
    fn remembers(after: impl FnOnce(&mut Engine)) -> bool {
        let (mut engine, _) = Engine::new(Options { hash_mb: 1, ..Options::default() });
        let game = Game::default();
        engine.search(&game, &Limits::to_depth(4), &StopFlag::new(), &mut Silent);
        after(&mut engine);
        engine.table.probe(game.position().key(), 0).is_some()
    }

    #[test]
    fn every_thread_searches_with_what_was_set_and_forgets_before_a_new_game() {
        let root = Request { game: Game::default(), search_moves: Vec::new(), multi_pv: 1, endgames: None };
        let budget = Budget { depth: Some(5), ..Budget::default() };
        // Each alone, with a table of its own.
        let nodes = |worker: &mut Worker| {
            let (table, crew) = (Table::new(1).0, Crew::new(1));
            worker.search(&root, Shared { table: &table, crew: &crew, thread: LEADER }, &budget, &mut Silent).nodes
        };
        let (mut engine, _) = Engine::new(Options { hash_mb: 1, threads: 2, ..Options::default() });
        let searched = |engine: &mut Engine| engine.workers.iter_mut().map(nodes).collect::<Vec<_>>();
        let set = Options { network: None, ..engine.options().clone() };
        let fresh = nodes(&mut Worker::new(set.params.clone(), None));
        engine.set_options(set);
        assert_eq!(searched(&mut engine), [fresh; 2]);
        assert!(!searched(&mut engine).contains(&fresh), "what was learned shows");
        engine.new_game();
        assert_eq!(searched(&mut engine), [fresh; 2]);
    }

    #[test]
    fn a_level_plays_the_same_game_with_any_number_of_threads() {
        let play = |threads, elo| {
            let limited = Options { hash_mb: 1, threads, limit_strength: true, elo, seed: 1, ..Options::default() };
            let (mut engine, _) = Engine::new(limited);
            let mut game = Game::default();
            for _ in 0..4 {
                let outcome = engine.search(&game, &Limits::default(), &StopFlag::new(), &mut Silent);
                assert!(outcome.depth > 0, "{elo}: {threads}");
                game.play(outcome.best_move.unwrap());
            }
            game.position().fen()
        };
        for elo in [1000, 1400, 1800] {
            assert_eq!(play(1, elo), play(4, elo), "{elo}");
        }
    }

    #[test]
    fn every_game_at_a_level_is_another_unless_a_seed_is_set() {
        let games = |seed| {
            let limited = Options { hash_mb: 1, limit_strength: true, elo: 1200, seed, ..Options::default() };
            let (mut engine, _) = Engine::new(limited);
            let mut play = || {
                engine.new_game();
                let mut game = Game::default();
                for _ in 0..4 {
                    let outcome = engine.search(&game, &Limits::default(), &StopFlag::new(), &mut Silent);
                    game.play(outcome.best_move.unwrap());
                }
                game.position().fen()
            };
            let first = play();
            (0..7).filter(|_| play() != first).count()
        };
        assert_eq!(games(1), 0);
        assert!(games(0) > 0);
    }

    #[test]
    fn a_delay_before_the_search_does_not_count_as_its_first_iteration() {
        let (mut engine, _) = Engine::new(Options { hash_mb: 1, ..Options::default() });
        let game = Game::default();
        let clock = Clock { white_time: Some(Duration::from_secs(60)), ..Clock::default() };
        let limits = Limits { clock, depth: Some(3), ..Limits::default() };
        let TimePlan { soft, hard } = engine.plan(&limits, game.position().turn());
        let mut depth_after = |delay: Duration| {
            engine.new_game();
            let since = Instant::now().checked_sub(delay);
            engine.search(&game, &Limits { since, ..limits.clone() }, &StopFlag::new(), &mut Silent).depth
        };
        let (soft, hard) = (soft.unwrap(), hard.unwrap());
        assert_eq!([Duration::ZERO, soft * 2, hard].map(&mut depth_after), [3, 3, 1]);
    }

    /// Keeps the search for so long from looking at the clock, once, after an iteration.
    struct Delay(Duration);

    impl Observer for Delay {
        fn iteration(&mut self, _: &Iteration) {
            std::thread::sleep(std::mem::take(&mut self.0));
        }
    }

    #[test]
    fn a_search_with_a_clock_of_its_own_shows_how_late_it_may_end() {
        let (delay, minute) = (Duration::from_millis(50), Duration::from_secs(60));
        let lag_after = |move_time, node_time| {
            let params = Params { node_time, ..Params::default() };
            let (mut engine, _) = Engine::new(Options { hash_mb: 1, params, ..Options::default() });
            let limits = Limits { depth: Some(3), move_time, ..Limits::default() };
            engine.search(&Game::default(), &limits, &StopFlag::new(), &mut Delay(delay));
            engine.lag
        };
        assert!(lag_after(Some(minute), 0).beyond(Duration::ZERO, minute, &Params::default()) >= delay);
        assert_eq!(lag_after(None, 0), WakeupLag::default());
        assert_eq!(lag_after(Some(minute), 1), WakeupLag::default(), "nothing delays nodes that stand for time");
    }

    #[test]
    fn where_nodes_stand_for_time_a_game_has_what_its_searches_have_left() {
        let params = Params { node_time: 1, ..Params::default() };
        let (mut engine, _) = Engine::new(Options { hash_mb: 1, params: params.clone(), ..Options::default() });
        let second = Duration::from_secs(1);
        let clock = Clock { white_time: Some(second), ..Clock::default() };
        let limits = Limits { clock, depth: Some(2), ..Limits::default() };
        let left = |engine: &Engine| engine.node_clock.limits(&limits, Color::White, &params).clock.white_time;
        let nodes = engine.search(&Game::default(), &limits, &StopFlag::new(), &mut Silent).nodes;
        assert_eq!(left(&engine), Some(second - Duration::from_millis(nodes)));
        engine.new_game();
        assert_eq!(left(&engine), Some(second));
    }

    #[test]
    fn no_time_is_too_long() {
        let params = Params { pace_calm: true, ..Params::default() };
        let (mut engine, _) = Engine::new(Options { hash_mb: 1, params, ..Options::default() });
        let most = Some(Duration::MAX);
        let clock = Clock { white_time: most, white_increment: Duration::MAX, ..Clock::default() };
        for clock in [
            clock,
            Clock { moves_to_go: Some(1), ..clock },
            Clock { white_time: None, black_time: most, ..clock },
            Clock { white_time: None, ..clock },
        ] {
            let limits = Limits { clock, move_time: most, depth: Some(3), ..Limits::default() };
            let outcome = engine.search(&Game::default(), &limits, &StopFlag::new(), &mut Silent);
            assert_eq!(outcome.depth, 3, "{clock:?}");
        }
    }

    #[test]
    fn a_cleared_table_knows_nothing() {
        assert!(remembers(|_| ()));
        assert!(!remembers(Engine::clear_hash));
    }

    #[test]
    fn the_table_is_as_full_as_the_last_search_has_made_it() {
        let (mut engine, _) = Engine::new(Options { hash_mb: 1, ..Options::default() });
        let mut hashfull_after = |game: &Game, limits: Limits| {
            engine.search(game, &limits, &StopFlag::new(), &mut Silent);
            engine.table.hashfull()
        };
        let mut game = Game::default();
        let full = hashfull_after(&game, Limits::of_nodes(60_000));
        game.play_uci("e2e4").unwrap();
        let empty = hashfull_after(&game, Limits::to_depth(1));
        assert!(full >= 100 && empty <= 10, "{full} {empty}");
    }

    #[test]
    fn a_search_for_a_mate_does_not_trust_what_was_pruned() {
        let search = |limits: Limits| {
            move |engine: &mut Engine| {
                // Nearly nothing is searched, and of another position.
                let mut game = Game::default();
                game.play_uci("e2e4").unwrap();
                engine.search(&game, &Limits { nodes: Some(1), ..limits }, &StopFlag::new(), &mut Silent);
            }
        };
        assert!(remembers(search(Limits::default())));
        assert!(!remembers(search(Limits { mate: Some(3), ..Limits::default() })));
    }

    #[test]
    fn the_table_is_of_one_set_of_endgame_tables() {
        let set = |options: Options| {
            move |engine: &mut Engine| {
                engine.set_options(Options { hash_mb: 1, ..options });
            }
        };
        assert!(remembers(set(Options { syzygy_probe_depth: 7, ..Options::default() })));
        assert!(!remembers(set(Options { syzygy_fifty_moves: false, ..Options::default() })));
        assert!(!remembers(set(Options { syzygy_probe_limit: 3, ..Options::default() })));
        let (tables, _folder) = cursed_wins();
        assert!(!remembers(set(Options { tables: Some(Arc::new(tables)), ..Options::default() })));
    }
}
