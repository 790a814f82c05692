//! Layer 6: statistics of what was measured. Pure functions of counts and samples.
//!
//! [`p_value`] says how likely chance alone makes a difference between paired results (McNemar's test, and the sign
//! test); [`percentile`] and [`median`] say what is usual in a sample.

mod mcnemar;
mod percentile;

pub use mcnemar::p_value;
pub use percentile::{median, percentile};
