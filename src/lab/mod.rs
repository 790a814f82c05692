//! Layer 8: experiments that say what a part of the search is worth. Prints nothing.
//!
//! [`ablate`] takes one mechanism after the other out of the search and counts, position by position, what is solved no
//! longer and what is solved all the same; [`p_value`] says how likely chance alone makes such a difference. [`compare`]
//! runs the aspiration policies, the root drivers, or the search with and without the envelope side by side; [`growth`]
//! looks for iterations that cost far more than the one before; [`replay`] sets a player's moves beside
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
pub mod compare;
pub mod datagen;
pub mod growth;
pub mod mine;
pub mod replay;
pub mod text;
pub mod tune;
mod variants;
pub mod wdl;

pub use variants::{Variant, variants};

/// The version of the JSON forms; raised when a field changes its meaning or goes away.
pub const SCHEMA: u32 = 1;
