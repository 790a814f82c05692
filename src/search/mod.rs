//! Layer 3: the search.
//!
//! | file | what is there |
//! |---|---|
//! | `worker` | one searching thread and what it learned |
//! | `iterate` | iterative deepening: iterations until the budget is spent, with a move to play at any time |
//! | `aspiration`, `trend`, `drivers` | an iteration's windows, whether to trust them; PVS, alpha-beta, MTD(f), SSS* |
//! | `node` | the node function: the dual credit algorithm in numbered steps |
//! | `cutoffs`, `singularity`, `candidate` | its steps before the moves, the table's move, and one move's searches |
//! | `door` | the one function that makes a move and takes it back |
//! | `awards`, `probes` | what a move earns, and the searches that gather the evidence |
//! | `horizon`, `quiescence`, `chip` | where the depth ends; what Deep Blue's chip did there |
//! | `endgames` | what endgame tables say of the root and of positions below |
//! | `pruning` | the modern profile's rules, each a named function with a switch |
//! | `picker`, `history`, `correction` | the order of moves; how far evaluations have been off |
//! | `lines` | lines completed before they are shown |
//! | `draws`, `root`, `pv`, `frame`, `state` | draws, the root's moves, lines, what is kept for each ply, and the rest |
//! | `crew`, `pace` | the threads of one search; the time of a search and an iteration |
//! | `budget`, `observer`, `telemetry` | limits, what a search tells, what dual credit did |

mod aspiration;
mod awards;
mod budget;
mod candidate;
mod chip;
mod correction;
mod crew;
mod cutoffs;
mod door;
mod draws;
mod drivers;
mod endgames;
mod frame;
mod history;
mod horizon;
mod iterate;
mod lines;
mod node;
mod observer;
mod pace;
mod picker;
mod probes;
mod pruning;
mod pv;
mod quiescence;
mod root;
mod singularity;
mod state;
mod telemetry;
#[cfg(test)]
mod tests;
mod trend;
mod worker;

pub use budget::{Budget, StopFlag};
pub use crew::Crew;
pub use endgames::Endgames;
pub use frame::Purpose;
pub use observer::{Iteration, NodeEnd, NodeEntry, Observer, Outcome, Silent};
pub use picker::ordered_moves;
pub use pv::LedgerEntry;
pub use telemetry::{CreditStats, MechanismStats};
pub use worker::{Root, Shared, Worker};
