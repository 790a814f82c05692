//! Layer 2: static evaluation, in centipawns.
//!
//! | module | what is there |
//! |---|---|
//! | `evaluator` | the one type that the search uses, whichever evaluation is behind it |
//! | `classical` | a hand-written sum of terms that can be shown term by term |
//! | `nnue` | a network trained on games |
//! | `chances` | what a score means in games |
//! | `noise` | errors of judgement, for play at limited strength |

mod chances;
mod classical;
mod evaluator;
pub mod nnue;
mod noise;

pub use chances::{Chances, material};
pub use classical::{MAX_PHASE, TermTrace, Trace, evaluate, prepare, trace, trace_with};
pub use evaluator::{Evaluator, counted, least_pieces, uncounted};
pub use noise::Noise;
