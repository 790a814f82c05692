//! Layer 4: the engine as one thing: options, table, worker and clock behind a small facade. Prints nothing.

mod clock;
mod limits;
mod options;

pub use clock::TimePlan;
pub use limits::{Clock, Limits};
pub use options::{OptionError, Options};

use std::thread;
use std::time::Instant;

use crate::board::Game;
use crate::search::{Budget, Observer, Outcome, Root, StopFlag, Worker};
use crate::tt::{AllocationError, Table};

/// Stack of a searching thread: the deepest recursion with room to spare.
const STACK_SIZE: usize = 32 << 20;

/// A chess engine: options, transposition table and what it learned in the game so far.
pub struct Engine {
    options: Options,
    table: Table,
    worker: Worker,
}

impl Engine {
    /// An engine with these options; the error says when the table is smaller than asked for.
    pub fn new(options: Options) -> (Engine, Option<AllocationError>) {
        let (table, error) = Table::new(options.hash_mb);
        let worker = Worker::new(options.params.clone());
        (Engine { options, table, worker }, error)
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
        if options.params != self.options.params {
            self.worker.set_params(options.params.clone());
        }
        self.options = options;
        error
    }

    /// Forgets everything learned, before a new game or an independent position.
    pub fn new_game(&mut self) {
        self.table.clear();
        self.worker.new_game();
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
        let start = Instant::now();
        let plan = TimePlan::new(limits, game.position().turn(), &self.options);
        let budget = Budget {
            depth: limits.depth,
            nodes: limits.nodes,
            mate: limits.mate,
            beyond_mate: limits.infinite || limits.analysis,
            soft_deadline: plan.soft.map(|soft| start + soft),
            hard_deadline: plan.hard.map(|hard| start + hard),
            stop: stop.clone(),
        };
        let root = Root { game: game.clone(), search_moves: limits.search_moves.clone(), multi_pv: limits.multi_pv };
        self.table.new_search();
        let (worker, table) = (&mut self.worker, &self.table);
        // The search recurses deeper than a default stack allows.
        let outcome = thread::scope(|scope| {
            let builder = thread::Builder::new().name("search".to_owned()).stack_size(STACK_SIZE);
            let handle = builder.spawn_scoped(scope, || worker.search(&root, table, &budget, observer));
            let handle = handle.ok()?;
            // A panic is a bug: it goes on in the caller's thread, not in silence.
            Some(handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        });
        outcome.unwrap_or_else(|| Outcome::without_search(game.position()))
    }
}
