//! Layer 2: the transposition table.
//!
//! Shared by all threads without locks and without data races: an entry is two atomic words, the second of which
//! carries a check code over both and the key, so that an entry torn by two writers reads as a miss; `bucket` argues
//! why that is enough, and models it. Buckets of four entries fill one cache line.
//!
//! Besides the usual fields an entry stores what dual credit needs (Campbell, Hoane, Hsu 2002, section 4, principle 6,
//! "preserve the search envelope"): the credit its move once earned, and both accounts it was searched with. Its depth
//! is the depth after cash-in, counted down to quiescence: the horizon search's plies are included.

mod bucket;
mod entry;
mod table;

pub use entry::{Bound, Entry};
pub use table::{AllocationError, DEFAULT_MEGABYTES, Table};
