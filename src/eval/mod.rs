//! Layer 2: what a position is worth, in centipawns.
//!
//! | module | what is there |
//! |---|---|
//! | `evaluator` | the one type that the search asks, whichever evaluation is behind it |
//! | `classical` | a sum of terms that explains itself |
//! | `nnue` | a network that learned from games |
//! | `chances` | what a score means in games |
//! | `noise` | errors of judgement, for play at limited strength |

mod chances;
mod classical;
mod evaluator;
pub mod nnue;
mod noise;

pub use chances::{Chances, material};
pub use classical::{MAX_PHASE, TermTrace, Trace, evaluate, trace, trace_with};
pub use evaluator::Evaluator;
pub use noise::Noise;
