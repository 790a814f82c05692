//! What every result for programs starts with: its kind, the version of its form, and what it was made with.

use std::fmt;

use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer as _, Serialize};
use thiserror::Error;

use super::Provenance;

/// What a result is.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Results of `solve` and `merge`.
    Solve,
    /// A comparison of two runs of `solve`.
    Compare,
    /// Findings of `lint`.
    Lint,
    /// A report of `report`.
    Report,
    /// A line explained by `explain`.
    Explain,
    /// A position analysed by `analyze`.
    Analysis,
    /// Games analysed by `analyze`.
    Games,
    /// A tree of `tree`.
    Tree,
    /// Both evaluations of a position, of `eval`.
    Evaluation,
    /// What a network is, of `net info`.
    Network,
    /// An ablation of `lab ablate`.
    Ablation,
    /// A comparison of choices: `lab aspiration`, `lab drivers`, `lab envelope`.
    Choices,
    /// The growth of iterations, of `lab growth`.
    Growth,
    /// The depths of many reports, of `lab depths`.
    Depths,
    /// A player's moves, of `lab match`.
    Match,
    /// Positions found by `lab mine`.
    Mine,
    /// The journal of `lab datagen`.
    Datagen,
    /// What a file of `lab positions` was made from.
    Positions,
    /// The journal of `lab spsa`.
    Spsa,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 19] = [
        Kind::Solve,
        Kind::Compare,
        Kind::Lint,
        Kind::Report,
        Kind::Explain,
        Kind::Analysis,
        Kind::Games,
        Kind::Tree,
        Kind::Evaluation,
        Kind::Network,
        Kind::Ablation,
        Kind::Choices,
        Kind::Growth,
        Kind::Depths,
        Kind::Match,
        Kind::Mine,
        Kind::Datagen,
        Kind::Positions,
        Kind::Spsa,
    ];

    /// The version of its form. Renaming, removing or redefining a member raises it; a new member does not.
    pub const fn schema(self) -> u32 {
        match self {
            Kind::Compare => 7,
            Kind::Solve | Kind::Lint => 6,
            Kind::Games | Kind::Growth | Kind::Match => 5,
            Kind::Ablation | Kind::Choices | Kind::Depths | Kind::Explain | Kind::Report => 4,
            Kind::Analysis | Kind::Evaluation | Kind::Mine | Kind::Tree => 3,
            Kind::Datagen => 2,
            Kind::Network | Kind::Positions | Kind::Spsa => 1,
        }
    }

    /// The command that writes it.
    pub const fn command(self) -> &'static str {
        match self {
            Kind::Solve => "pacioli solve",
            Kind::Compare => "pacioli compare",
            Kind::Lint => "pacioli lint",
            Kind::Report => "pacioli report",
            Kind::Explain => "pacioli explain",
            Kind::Analysis | Kind::Games => "pacioli analyze",
            Kind::Tree => "pacioli tree",
            Kind::Evaluation => "pacioli eval",
            Kind::Network => "pacioli net info",
            Kind::Ablation => "pacioli lab ablate",
            Kind::Choices => "pacioli lab aspiration, drivers or envelope",
            Kind::Growth => "pacioli lab growth",
            Kind::Depths => "pacioli lab depths",
            Kind::Match => "pacioli lab match",
            Kind::Mine => "pacioli lab mine",
            Kind::Datagen => "pacioli lab datagen",
            Kind::Positions => "pacioli lab positions",
            Kind::Spsa => "pacioli lab spsa",
        }
    }
}

impl fmt::Display for Kind {
    /// `JSON of pacioli solve`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "JSON of `{}`", self.command())
    }
}

/// What every result in JSON starts with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Head {
    /// What the result is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Kind", required))]
    pub kind: Option<Kind>,
    /// The version of the result's form.
    pub schema: u32,
    /// What the result was made with.
    pub provenance: Provenance,
}

/// A result that cannot be read here.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum HeadError {
    /// It is something else.
    #[error("this is {found}, not {wanted}")]
    OtherKind {
        /// What it is.
        found: Kind,
        /// What is read here.
        wanted: Kind,
    },
    /// It has another version of its form.
    #[error("schema {found}, but this program reads {}", versions(*.oldest, *.newest))]
    OtherSchema {
        /// Its version.
        found: u32,
        /// The oldest that is read.
        oldest: u32,
        /// The newest that is read.
        newest: u32,
    },
}

/// `3`, or `3 to 5`.
fn versions(oldest: u32, newest: u32) -> String {
    if oldest == newest { newest.to_string() } else { format!("{oldest} to {newest}") }
}

/// The members of a head that every version of every kind has.
#[derive(Copy, Clone, Debug, Default)]
pub struct FileHeader {
    /// What it is.
    pub kind: Option<Kind>,
    /// The version of its form.
    pub schema: Option<u32>,
}

impl FileHeader {
    /// The header in a text's first JSON object, of which the end may be missing; empty if it has none.
    pub fn of(text: &str) -> FileHeader {
        let mut header = FileHeader::default();
        // What is wrong after the header does not matter.
        let _ = serde_json::Deserializer::from_str(text).deserialize_map(Noted(&mut header));
        header
    }

    /// Checks that a result of this kind, in this version or a later one, can follow.
    ///
    /// # Errors
    ///
    /// Another kind or version. A text without a header is not refused here.
    pub fn check(self, wanted: Kind, oldest: u32) -> Result<(), HeadError> {
        if let Some(found) = self.kind.filter(|&kind| kind != wanted) {
            return Err(HeadError::OtherKind { found, wanted });
        }
        match self.schema {
            Some(found) if !(oldest..=wanted.schema()).contains(&found) => {
                Err(HeadError::OtherSchema { found, oldest, newest: wanted.schema() })
            }
            _ => Ok(()),
        }
    }
}

/// The type of the first line of a run's results.
const RUN: &str = "run";

/// Notes the members of a header as they are read.
struct Noted<'h>(&'h mut FileHeader);

impl<'de> Visitor<'de> for Noted<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        while let Some(name) = members.next_key::<String>()? {
            match name.as_str() {
                "type" => {
                    // Results of the first versions do not say more.
                    if members.next_value::<serde_json::Value>()? == RUN {
                        self.0.kind.get_or_insert(Kind::Solve);
                    }
                }
                "kind" => self.0.kind = serde_json::from_value(members.next_value()?).ok(),
                "schema" => self.0.schema = serde_json::from_value(members.next_value()?).ok(),
                _ => _ = members.next_value::<IgnoredAny>()?,
            }
            if self.0.kind.is_some() && self.0.schema.is_some() {
                break;
            }
        }
        Ok(())
    }
}

impl Head {
    /// The head of a result of this kind, in the present version of its form.
    pub fn new(kind: Kind, provenance: Provenance) -> Head {
        Head { kind: Some(kind), schema: kind.schema(), provenance }
    }

    /// Whether results of both belong together; see [`Provenance::fits`].
    pub fn fits(&self, other: &Head) -> bool {
        self.schema == other.schema && self.provenance.fits(&other.provenance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_of_another_kind_or_version_is_named() {
        let check = |object| FileHeader::of(object).check(Kind::Solve, 3).map_err(|error| error.to_string());
        assert_eq!(check(r#"{"kind":"solve","schema":6}"#), Ok(()));
        assert_eq!(check(r#"{"schema":3}"#), Ok(()));
        assert_eq!(check("rubbish"), Ok(()));
        let other = "this is JSON of `pacioli tree`, not JSON of `pacioli solve`";
        assert_eq!(check(r#"{"kind":"tree","schema":5}"#), Err(other.to_owned()));
        // Over several lines, and broken off.
        assert_eq!(check("{\n  \"schema\": 5,\n  \"kind\": \"tree\",\n  \"provenance\": {\"a"), Err(other.to_owned()));
        for (old, schema) in [(r#"{"schema":2}"#, 2), (r#"{"kind":"solve","schema":7}"#, 7)] {
            assert_eq!(check(old), Err(format!("schema {schema}, but this program reads 3 to 6")));
        }
    }
}
