//! Layer 8: experiments that say what a part of the search is worth. Prints nothing.
//!
//! [`ablate`] takes one mechanism after the other out of the search and counts, position by position, what is solved no
//! longer and what is solved all the same; [`p_value`] says how likely chance alone makes such a difference. [`choices`]
//! runs the aspiration policies, the root drivers, or the search with and without the envelope side by side; [`growth`]
//! looks for iterations that cost far more than the one before; [`player`] sets a player's moves beside
//! Pacioli's. All do their searches in a [`Pool`] of independent engines. [`wdl`] fits winning
//! chances to games; [`mine`] takes tactical positions from them.
//!
//! [`p_value`]: crate::stats::p_value
//! [`Pool`]: crate::runner::Pool
//!
//! Laws: every search starts from a clean engine, so that a result depends on the position and the settings, not on the
//! number of jobs or their order; what is compared is compared on the same positions; times are the only numbers that
//! differ from run to run.

pub mod ablate;
pub mod choices;
pub mod data;
pub mod datagen;
pub mod growth;
pub mod mine;
pub mod player;
pub mod text;
pub mod tune;
mod variants;
pub mod wdl;

pub use variants::{Variant, variants};

use serde::Serialize;

use crate::params::ParamError;
use crate::runner::Pool;
use crate::suite::{Record, Suite};

/// The version of the JSON forms; raised when a field changes its meaning or goes away.
pub const SCHEMA: u32 = 2;

/// An experiment: many searches, and what comes of them.
pub trait Experiment {
    /// What comes of it.
    type Report: Findings;

    /// What is said if there is nothing to search.
    const NOTHING: &str;

    /// How many searches it takes.
    fn searches(&self) -> usize;

    /// Does them in a pool of engines. `heard` is called after each.
    ///
    /// # Errors
    ///
    /// None as long as the experiment agrees with the list of tunables.
    fn run(&self, pool: &mut Pool, heard: &mut dyn FnMut()) -> Result<Self::Report, ParamError>;
}

/// What came of an experiment.
pub trait Findings: Serialize {
    /// For people.
    fn to_text(&self) -> String;

    /// Whether everything held that should, and nothing had to be left out.
    fn hold(&self) -> bool;
}

/// All positions of some suites.
fn positions(suites: &[Suite]) -> Vec<&Record> {
    suites.iter().flat_map(|suite| &suite.records).collect()
}

/// How many lines of some suites were refused.
fn refused(suites: &[Suite]) -> usize {
    suites.iter().map(|suite| suite.refused.len()).sum()
}
