//! Layer 5: what results for programs are made of. A move, a line of play, a score or a chance has one shape in every
//! JSON that Pacioli writes.
//!
//! | what | in JSON |
//! |---|---|
//! | a position | `fen`; where it comes from: `suite` (a file), `line` in it, `id` |
//! | a move | `{"san":"Nf3","uci":"g1f3"}`, or an object that has these two members among others |
//! | a line of play | `pv`: an array of moves |
//! | a score | `{"cp":35,"tie":0,"pov":"white"}` or `{"mate":-3,"tie":0,"pov":"white"}`: centipawns, or moves to mate |
//! | winning chances | `{"win":312,"draw":500,"loss":188,"pov":"white"}`, per thousand games |
//! | credit for a move | `award`: `mechanism`, `plies`, whether it was `kept` from an earlier visit |
//! | a count of nodes | `nodes` from the start of a search, `iteration_nodes` of one iteration |
//! | a time | `time_ms`, from the start of a search |
//!
//! `pov` names the side whose view it is: what is good for it is positive. A result starts with a
//! [`Head`](crate::runner::Head), and `docs/schema` has a JSON Schema for each kind. [`json_fault`]
//! says what is wrong with JSON that was read.

mod fault;
mod moves;
#[cfg(test)]
mod names;
mod score;
pub mod side;

pub use fault::{form_fault, json_fault};
pub use moves::{MoveText, Variation};
#[cfg(test)]
pub use names::names_schema;
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
