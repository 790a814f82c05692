//! Layer 8: experiments that measure what parts of the search are worth. Prints nothing.
//!
//! [`ablate`] switches off one mechanism after the other and counts, position by position, what is no longer solved and
//! what is still solved; [`p_value`] says how likely such a difference is by chance alone. [`choices`] compares the
//! aspiration policies, the root drivers, or the search with and without the envelope; [`growth`] looks for iterations
//! that cost far more than the previous one; [`depths`] counts how deep extensions went over many positions; [`player`]
//! compares a player's moves with Pacioli's. All run their searches in a [`Pool`] of independent engines. [`wdl`] fits
//! winning chances to games; [`mine`] takes tactical positions from them. [`spsa`] tunes numbers by playing games.
//! [`datagen`] plays games for training, kept in the form of [`data`]; [`tune`] fits the classical evaluation to them;
//! [`selfplay`] is what games against oneself have in common.
//!
//! [`p_value`]: crate::stats::p_value
//! [`Pool`]: crate::runner::Pool
//!
//! Laws: every position of an experiment, and every game, starts with clean engines, so that a result depends on it and
//! the settings, not on the number of jobs or their order; comparisons use the same positions; only times differ from
//! run to run.

pub mod ablate;
pub mod choices;
pub mod data;
pub mod datagen;
pub mod depths;
pub mod growth;
pub mod mine;
pub mod player;
mod random;
pub mod selfplay;
pub mod spsa;
pub mod text;
pub mod tune;
mod variants;
pub mod wdl;

pub use variants::{Variant, variants};

use serde::Serialize;

use crate::engine::{Engine, Options};
use crate::params::Params;
use crate::runner::Pool;
use crate::suite::{Record, Suite};

/// An experiment: many searches, and a report on them.
pub trait Experiment {
    /// The report.
    type Report: Findings;

    /// The message if there is nothing to search.
    const NOTHING: &str;

    /// Number of searches.
    fn searches(&self) -> usize;

    /// Runs them in a pool of engines. `progress` is called after each.
    fn run(&self, pool: &mut Pool, progress: &mut dyn FnMut()) -> Self::Report;
}

/// The report of an experiment.
pub trait Findings: Tables + Serialize {
    /// Whether every check passed, and nothing had to be left out.
    fn holds(&self) -> bool;
}

/// A report as text for people.
pub trait Tables {
    /// The report.
    fn to_text(&self) -> String;
}

/// All positions of some suites.
fn positions(suites: &[Suite]) -> Vec<&Record> {
    suites.iter().flat_map(|suite| &suite.records).collect()
}

/// The names of some suites' files, in order.
fn suite_names(suites: &[Suite]) -> Vec<String> {
    suites.iter().map(|suite| suite.name.clone()).collect()
}

/// Number of rejected lines in some suites.
fn refused(suites: &[Suite]) -> usize {
    suites.iter().map(|suite| suite.refused.len()).sum()
}

/// Gives an engine other tunables for its next search.
fn set_params(engine: &mut Engine, params: &Params) {
    if engine.options().params != *params {
        let options = Options { params: params.clone(), ..engine.options().clone() };
        // The table size does not change, so there is no warning to pass on.
        let _ = engine.set_options(options);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tunables_are_changed_and_the_rest_stays() {
        let options = Options { hash_mb: 1, ..Options::default() };
        let (mut engine, _) = Engine::new(options.clone());
        let params = Params { credit: false, ..Params::default() };
        set_params(&mut engine, &params);
        assert_eq!(*engine.options(), Options { params, ..options });
    }
}
