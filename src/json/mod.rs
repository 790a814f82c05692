//! Layer 5: what results for programs are made of. A move, a line of play, a score or a chance has one shape in every
//! JSON that Pacioli writes; docs/schema/README.md lists them, beside a JSON Schema for each kind of result.
//!
//! A result starts with a [`Head`](crate::runner::Head). [`json_fault`] says what is wrong with JSON that was read.

mod fault;
mod moves;
#[cfg(test)]
mod names;
mod score;
pub mod side;

pub use fault::{form_fault, json_fault};
pub use moves::{MoveText, Variation};
#[cfg(test)]
pub(crate) use names::names_schema;
pub use score::{PovChances, PovScore};

use serde::Serialize;

/// A value as a line of JSON, with its line break.
///
/// # Errors
///
/// It has no form in JSON.
pub fn line(value: &impl Serialize) -> serde_json::Result<String> {
    Ok(serde_json::to_string(value)? + "\n")
}

/// A result as readable JSON: indented, with a final newline.
///
/// # Errors
///
/// It has no form in JSON.
pub fn readable(result: &impl Serialize) -> serde_json::Result<String> {
    Ok(serde_json::to_string_pretty(result)? + "\n")
}
