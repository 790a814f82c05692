//! Layer 3: the search.
//!
//! Placeholder overview; completed with the search itself.

mod budget;
mod observer;
mod telemetry;
mod worker;

pub use budget::{Budget, StopFlag};
pub use observer::{Iteration, Observer, Outcome, Silent};
pub use telemetry::{CreditStats, MechanismStats};
pub use worker::{Root, Worker};
