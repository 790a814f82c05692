//! Layer 3: the search.
//!
//! | file | what is there |
//! |---|---|
//! | `worker`, `state` | one search thread and what it has learned; one running search |
//! | `task`, `meter`, `root`, `iteration`, `path`, `observation` | the parts of a search: the request, what is spent, the root, the running iteration, the path, the observer |
//! | `facts` | types that its functions exchange |
//! | `iterate` | iterative deepening: iterations until the budget is spent, with a move to play at any time |
//! | `aspiration`, `trend`, `drivers` | an iteration's windows, and whether to trust them; PVS, alpha-beta, MTD(f), SSS* |
//! | `node`, `root_node` | the node function: the dual credit algorithm in numbered steps; the root's part in it |
//! | `evaluation`, `cutoffs`, `singularity`, `candidate` | its steps before the moves, the table move, and one move's searches |
//! | `door`, `frame` | the one function that makes and undoes moves; per-ply data |
//! | `awards`, `probes` | what a move earns, and the searches that gather the evidence |
//! | `conventional` | extensions in place of credit, as other engines have them |
//! | `horizon`, `quiescence`, `chip` | the end of the depth; what Deep Blue's chip did there |
//! | `draws`, `endgames`, `mate` | draws; endgame tables at the root and below; when a mate that is searched for is ruled out |
//! | `pruning`, `reductions` | the modern profile's rules, each a named function with a switch |
//! | `ordering`, `picker`, `history`, `correction` | move ordering; correction of the static evaluation |
//! | `lines`, `pv` | principal variations, completed before they are shown |
//! | `crew`, `pace`, `limits` | the threads of one search; the time of a search and an iteration; when it must end |
//! | `budget`, `observer`, `telemetry` | what it may spend, what a search reports, what dual credit did |
//!
//! `state` holds one search and imports the types of its parts, which know nothing of it; what a search does stands in
//! `impl Search` blocks of the other files. `tests/layers.rs` checks this.

mod aspiration;
mod awards;
mod budget;
mod candidate;
mod chip;
mod conventional;
mod correction;
mod crew;
mod cutoffs;
mod door;
mod draws;
mod drivers;
mod endgames;
mod evaluation;
mod facts;
mod frame;
mod history;
mod horizon;
mod iterate;
mod iteration;
mod limits;
mod lines;
mod mate;
mod meter;
mod node;
mod observation;
mod observer;
mod ordering;
mod pace;
mod path;
mod picker;
mod probes;
mod pruning;
mod pv;
mod quiescence;
mod reductions;
mod root;
mod root_node;
mod singularity;
mod state;
mod task;
mod telemetry;
#[cfg(test)]
mod tests;

mod trend;
mod worker;

pub use budget::{Budget, StopFlag};
pub use correction::{CorrectionKey, Corrections};
pub use crew::Crew;
pub use frame::Purpose;
pub use history::{Earlier, Histories, MoveIndex, QuietContext, QuietHistory};
pub use iterate::MAX_ITERATION;
pub use mate::last_mate_iteration;
pub use observer::{Change, Iteration, Moment, NoMate, NodeEnd, NodeEntry, NodeExit, Observer, Outcome, Silent};
pub use picker::ordered_moves;
pub use pv::LedgerEntry;
pub use task::{Endgames, LEADER, Request, Shared};
pub use telemetry::{CreditStats, MechanismStats};
pub use worker::Worker;
