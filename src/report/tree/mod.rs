//! A whole search, node by node: which lines went deeper than the nominal depth, and what paid for it.
//!
//! Credit pays most in refutations that no principal variation shows. [`record()`] listens to a search and fills one
//! plain [`Tree`]; `sums` and `refutations` evaluate it, [`Parting`] compares two, and the exporters [`text`], [`json`]
//! and [`page`] write it. Only the software's tree is recorded; horizon search and quiescence below it are only
//! counted.

mod against;
pub mod json;
mod line;
mod model;
pub mod page;
mod record;
mod refutations;
mod sums;
#[cfg(test)]
mod tests;
pub mod text;

pub use against::Parting;
pub use line::NULL_MOVE;
pub use model::{AwardId, End, Node, NodeId, Reason, SecondSearch, Tree, TreeAward};
pub use record::{MAX_NODES, record};
pub use refutations::Refutation;
pub use sums::{ReasonSum, Spending};
