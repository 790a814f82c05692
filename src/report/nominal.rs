//! What the nominal depth of some searches is called.

use crate::params::Profile;
use crate::runner::Provenance;

/// Words for the nominal depth.
pub struct NominalWords {
    /// Above a column of a text.
    pub header: &'static str,
    /// Elsewhere.
    pub name: &'static str,
    /// What it is, as a line below a table.
    pub legend: &'static str,
}

impl NominalWords {
    /// For searches with this provenance. The deep-blue profile neither prunes nor reduces unless it is told to, so its
    /// nominal depth is a minimum.
    pub fn of(provenance: &Provenance) -> &'static NominalWords {
        const MINIMUM: NominalWords = NominalWords {
            header: "min soft",
            name: "minimum",
            legend: "min soft: nominal depth of the software search; without pruning and reductions no line is shorter.\n",
        };
        const NOMINAL: NominalWords = NominalWords {
            header: "nominal",
            name: "nominal",
            legend: "nominal: depth of the search before extensions and reductions.\n",
        };
        if provenance.profile == Some(Profile::DeepBlue) { &MINIMUM } else { &NOMINAL }
    }
}
