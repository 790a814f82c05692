//! The engine's options: typed, with the ranges that users see.

use std::sync::Arc;
use std::time::Duration;

use super::Level;
use crate::book::{Book, BookChoice};
use crate::eval::nnue::{self, Network};
use crate::params::{Params, Profile};
use crate::search::Endgames;
use crate::syzygy::{MAX_PIECES, Tables};
use crate::tt::DEFAULT_MEGABYTES;
use crate::units::Depth;

/// Everything that can be set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Size of the transposition table in megabytes.
    pub hash_mb: usize,
    /// Number of search threads.
    pub threads: usize,
    /// Time reserved on each move for delays of the GUI and the operating system.
    pub move_overhead: Duration,
    /// Which search.
    pub profile: Profile,
    /// The tunables in force: the profile's, with individual settings on top.
    pub params: Params,
    /// The network to use if [`Params::evaluation`] selects it; initially the embedded one.
    pub network: Option<Arc<Network>>,
    /// Endgame tables, if any are open.
    pub tables: Option<Arc<Tables>>,
    /// Minimum depth for probing endgame tables in positions with as many pieces as the limit.
    pub syzygy_probe_depth: Depth,
    /// Maximum number of pieces for probing endgame tables.
    pub syzygy_probe_limit: usize,
    /// Whether wins spoiled by the fifty-move rule count as draws.
    pub syzygy_fifty_moves: bool,
    /// An opening book, if one is open.
    pub book: Option<Arc<Book>>,
    /// Whether [`Engine::book_move`](super::Engine::book_move) gives moves of the book. A search does not ask for one.
    pub own_book: bool,
    /// How a book move is chosen.
    pub book_choice: BookChoice,
    /// Whether to play at [`Options::elo`] instead of full strength.
    pub limit_strength: bool,
    /// The rating of limited strength.
    pub elo: u32,
    /// Seed for book moves and the errors of limited strength; 0 for a different one each game.
    pub seed: u32,
}

impl Options {
    /// Largest table size in megabytes.
    pub const MAX_HASH_MB: usize = 1 << 20;
    /// Maximum number of threads.
    pub const MAX_THREADS: usize = 256;
    /// Largest move overhead.
    pub const MAX_MOVE_OVERHEAD: Duration = Duration::from_secs(10);

    /// The level, if strength is limited.
    pub(super) fn level(&self) -> Option<Level> {
        self.limit_strength.then(|| Level::new(self.elo))
    }

    /// The tunables that the search uses in a game with this seed.
    pub(super) fn effective_params(&self, game_seed: u64) -> Params {
        self.level().map_or_else(|| self.params.clone(), |level| level.weaken(&self.params, game_seed))
    }

    /// The endgame tables and how to use them. Limited strength has none: nobody knows them by heart.
    pub(super) fn endgames(&self) -> Option<Endgames> {
        self.tables.as_ref().filter(|_| !self.limit_strength).map(|tables| Endgames {
            tables: tables.clone(),
            probe_depth: self.syzygy_probe_depth,
            probe_limit: self.syzygy_probe_limit,
            fifty_moves: self.syzygy_fifty_moves,
        })
    }

    /// Whether endgame tables give the same scores with these options.
    pub(super) fn knows_same_endgames(&self, other: &Options) -> bool {
        let same_tables = match (&self.tables, &other.tables) {
            (Some(ours), Some(theirs)) => ours.are_those_of(theirs),
            (ours, theirs) => ours.is_none() && theirs.is_none(),
        };
        same_tables
            && self.syzygy_probe_limit == other.syzygy_probe_limit
            && self.syzygy_fifty_moves == other.syzygy_fifty_moves
    }

    /// A profile's search, everything else as by default.
    pub fn of(profile: Profile) -> Options {
        Options { profile, params: profile.params(), ..Options::default() }
    }

    /// Changes the profile; earlier individual settings are dropped.
    pub fn set_profile(&mut self, profile: Profile) {
        self.profile = profile;
        self.params = profile.params();
    }
}

impl Default for Options {
    fn default() -> Options {
        Options {
            hash_mb: DEFAULT_MEGABYTES,
            threads: 1,
            move_overhead: Duration::from_millis(10),
            profile: Profile::default(),
            params: Profile::default().params(),
            network: nnue::embedded(),
            tables: None,
            syzygy_probe_depth: 1,
            syzygy_probe_limit: MAX_PIECES,
            syzygy_fifty_moves: true,
            book: None,
            own_book: false,
            book_choice: BookChoice::default(),
            limit_strength: false,
            elo: Level::MAX,
            seed: 0,
        }
    }
}
