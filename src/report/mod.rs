//! Layer 7: reports of how deep the search went, iteration by iteration.
//!
//! After Tables 2 and 3 of M. Campbell, A. J. Hoane, F.-h. Hsu, "Deep Blue", Artificial Intelligence 134 (2002),
//! section 4.2: for each iteration the minimum and maximum depth of the software search and the maximum depth of
//! software and hardware together. Where the paper had to estimate the last, here it is measured.
//!
//! [`collect()`] listens to a search and fills one plain [`Report`]; [`text`] writes it for people.
//! [`explain`], [`evaluation`] and [`analysis`] look at single lines, positions and games, for people; [`mod@page`]
//! shows them on a board.
//! Laws: the model holds exact numbers, never rounded ones; every field except the times is the same on every run with
//! the same settings and one thread; an exporter shows what the model holds and measures nothing itself.

pub mod analysis;
pub mod collect;
pub mod entry;
pub mod evaluation;
pub mod evidence;
pub mod explain;
pub mod explanation;
mod glossary;
mod horizon;
pub mod model;
pub mod network;
mod nominal;
pub mod page;
pub mod paper;
pub mod picture;
#[cfg(test)]
mod tests;
pub mod text;
pub mod tree;

pub use collect::{IterationRange, RangeError, collect, collect_within};
pub use model::Report;
pub use nominal::NominalWords;
