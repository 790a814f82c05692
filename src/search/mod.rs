//! Layer 3: the search.
//!
//! | file | what is there |
//! |---|---|
//! | `worker` | one searching thread and what it learned |
//! | `iterate` | iterative deepening: iterations until the budget is spent, with a move to play at any time |
//! | `aspiration`, `drivers` | the windows of an iteration; PVS, alpha-beta, MTD(f), SSS* |
//! | `node` | the node function: the dual credit algorithm in numbered steps |
//! | `awards`, `probes` | what a move earns, and the searches that gather the evidence |
//! | `horizon`, `quiescence` | where the depth ends |
//! | `endgames` | what endgame tables say of the root and of positions below |
//! | `pruning` | the modern profile's rules, each a named function with a switch |
//! | `picker`, `history` | the order of moves |
//! | `draws`, `root`, `pv`, `frame`, `state` | draws, the root's moves, lines, what is kept for each ply, and the rest |
//! | `budget`, `observer`, `telemetry` | limits, what a search tells, what dual credit did |

mod aspiration;
mod awards;
mod budget;
mod draws;
mod drivers;
mod endgames;
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
pub use endgames::Endgames;
pub use observer::{Iteration, Observer, Outcome, Silent};
pub use pv::LedgerEntry;
pub use telemetry::{CreditStats, MechanismStats};
pub use worker::{Root, Worker};
