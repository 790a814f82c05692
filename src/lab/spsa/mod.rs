//! Tuning by self-play: what is tuned, in the form that OpenBench takes too.

mod tunable;

pub use tunable::{Tunable, TunableError, add, add_lines};
