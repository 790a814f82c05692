//! Layer 6: statistics. Pure functions of counts and samples.
//!
//! [`p_value`] says how likely a difference between paired results is by chance alone (McNemar's test, and the sign
//! test); [`percentile`] and [`median`] describe a sample.

mod mcnemar;
mod percentile;

pub use mcnemar::p_value;
pub use percentile::{median, percentile};
