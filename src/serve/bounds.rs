//! How much may be asked of the server, all in one place.

use std::time::Duration;

/// The most connections at a time; a browser opens up to six.
pub const MAX_CONNECTIONS: usize = 24;
/// The most connections beyond these that are told so; any more are closed.
pub const MAX_REFUSED: usize = 8;
/// The most bytes of a request's headers.
pub const MAX_HEADER_BYTES: usize = 16 * 1024;
/// The most headers of a request.
pub const MAX_HEADERS: usize = 64;
/// The longest body: a game with many comments.
pub const MAX_BODY: u64 = 512 * 1024;
/// How long a request may take to arrive, and a write of an answer to be accepted.
pub const REQUEST_TIMEOUT: Duration = Duration::from_secs(5);
/// The most plies of a game.
pub const MAX_PLIES: usize = 1000;
/// The most searches at a time, each with a table of its own.
pub const MAX_SEARCHES: usize = 4;
/// The most nodes of a search.
pub const MAX_NODES: u64 = 1_000_000_000;
/// The longest search.
pub const MAX_SECONDS: f64 = 600.0;
