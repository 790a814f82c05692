//! Layer 6: running long work: many tasks on [`Pool`]s of engines, part of a run on each machine ([`Shard`]), results
//! with a [`Head`] in a [`Journal`] that survives an interrupted run, an [`Interrupt`] for Ctrl-C, and [`Peer`]s,
//! which are other UCI engines. [`mod@bench`] measures this one. Prints nothing.

pub mod bench;
mod head;
mod interrupt;
mod journal;
mod peer;
mod pool;
mod provenance;
mod shard;

pub use head::{FileHeader, Head, HeadError, Kind};
pub use interrupt::{Interrupt, SignalError};
pub use journal::{Journal, JournalError, JournalFile, LineError, ReopenError, read_first_line, read_line};
pub use peer::{CHESS960, Peer, PeerCommand, PeerError, PeerFault, PeerLine};
pub use pool::Pool;
pub use provenance::{Provenance, first_true};
pub use shard::{Shard, ShardError};

/// Name and version of the program.
pub const PROGRAM: &str = concat!("Pacioli ", env!("CARGO_PKG_VERSION"));
