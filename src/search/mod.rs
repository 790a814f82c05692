//! Layer 3: the search.

mod aspiration;
mod awards;
mod budget;
mod draws;
mod drivers;
mod frame;
mod history;
mod horizon;
mod iterate;
mod node;
mod observer;
mod picker;
mod probes;
mod pruning;
mod pv;
mod quiescence;
mod root;
mod state;
mod telemetry;
mod worker;

pub use budget::{Budget, StopFlag};
pub use observer::{Iteration, Observer, Outcome, Silent};
pub use telemetry::{CreditStats, MechanismStats};
pub use worker::{Root, Worker};
