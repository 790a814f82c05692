//! Layer 4: the engine as one thing: options, table, threads and clock behind a small facade. Prints nothing.

mod clock;
mod limits;
mod options;
mod pool;

pub use clock::TimePlan;
pub use limits::{Clock, Limits};
pub use options::{OptionError, Options};

use crate::board::Game;
use crate::search::{Budget, Observer, Outcome, Root, StopFlag, Worker};
use crate::tt::{AllocationError, Table};

/// A chess engine: options, transposition table and what it learned in the game so far.
pub struct Engine {
    options: Options,
    table: Table,
    /// One for each thread; the first leads.
    workers: Vec<Worker>,
}

impl Engine {
    /// An engine with these options; the error says when the table is smaller than asked for.
    pub fn new(options: Options) -> (Engine, Option<AllocationError>) {
        let (table, error) = Table::new(options.hash_mb);
        let workers = pool::workers(options.threads, &options.params);
        (Engine { options, table, workers }, error)
    }

    /// The options in force.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Size of the transposition table in megabytes, which may be less than was asked for.
    pub fn hash_megabytes(&self) -> usize {
        self.table.megabytes()
    }

    /// Changes the options; the error says when the table is smaller than asked for.
    pub fn set_options(&mut self, options: Options) -> Option<AllocationError> {
        let mut error = None;
        if options.hash_mb != self.options.hash_mb {
            // The old table goes first, so that both never need memory at once.
            self.table = Table::new(1).0;
            (self.table, error) = Table::new(options.hash_mb);
        }
        if options.threads != self.options.threads {
            self.workers = pool::workers(options.threads, &options.params);
        } else if options.params != self.options.params {
            self.workers.iter_mut().for_each(|worker| worker.set_params(options.params.clone()));
        }
        self.options = options;
        error
    }

    /// Forgets everything learned, before a new game or an independent position.
    pub fn new_game(&mut self) {
        self.table.clear();
        self.workers.iter_mut().for_each(Worker::new_game);
    }

    /// Empties the transposition table.
    pub fn clear_hash(&mut self) {
        self.table.clear();
    }

    /// Searches the game's position; blocks until the limits are reached or `stop` is raised.
    ///
    /// With one thread and a node or depth limit the result depends on nothing but its inputs and what was searched
    /// since [`Engine::new_game`].
    pub fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        stop: &StopFlag,
        observer: &mut (dyn Observer + Send),
    ) -> Outcome {
        let plan = TimePlan::new(limits, game.position().turn(), &self.options);
        let budget = Budget {
            depth: limits.depth,
            nodes: limits.nodes,
            mate: limits.mate,
            beyond_mate: limits.infinite || limits.analysis,
            started: limits.since,
            soft: plan.soft,
            hard: plan.hard,
            stop: stop.clone(),
        };
        let root = Root { game: game.clone(), search_moves: limits.search_moves.clone(), multi_pv: limits.multi_pv };
        self.table.new_search();
        let outcome = pool::search(&mut self.workers, &self.table, &root, &budget, observer);
        outcome.unwrap_or_else(|| Outcome::without_search(game.position()))
    }
}
