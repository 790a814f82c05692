//! The plain data of a report, as in the JSON format.
//!
//! The format is versioned: renaming, removing or redefining a field raises [`Kind::schema`]; a new field does not.
//!
//! [`Kind::schema`]: crate::runner::Kind::schema

use serde::Serialize;

use super::explain::ExplainedIteration;
use crate::board::{Move, Position};
use crate::credit::Mechanism;
use crate::json::{MoveText, PovScore, Variation};
use crate::runner::Head;
use crate::search::{CreditStats, MechanismStats};
use crate::units::Credit;

/// How some positions were searched, with the settings that produced it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Report {
    /// The version of the form, and the settings of the searches.
    #[serde(flatten)]
    pub head: Head,
    /// One entry for each position, in the order given.
    pub positions: Vec<PositionReport>,
}

impl Report {
    /// What the mark of some iterations means; `None` if none has it.
    pub(super) fn legend_of_mark(&self) -> Option<&'static str> {
        let mut rows = self.positions.iter().flat_map(|position| &position.iterations);
        rows.any(|row| row.restrained_at.is_some()).then_some(RESTRAINED_LEGEND)
    }
}

/// One position's iterations.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PositionReport {
    /// The position's name; missing if it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The position searched.
    pub fen: String,
    /// Whether it is played under the rules of Chess960, which the FEN need not show; for links.
    #[serde(skip)]
    pub is_chess960: bool,
    /// Source of the numbers under `paper`; only with the paper's positions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paper_source: Option<&'static str>,
    /// The first iteration requested.
    pub first_iteration: i32,
    /// The last iteration requested.
    pub last_iteration: i32,
    /// The requested iterations that were completed, in order.
    pub iterations: Vec<IterationRow>,
    /// The principal variation of each of them, if requested; for pages and pictures, since `explain` has its own
    /// format.
    #[serde(skip)]
    pub ledgers: Vec<PvLedger>,
}

impl PositionReport {
    /// What the position is called, with or without a name.
    pub(super) fn name(&self) -> &str {
        self.id.as_deref().unwrap_or("Position")
    }

    /// Which of the iterations requested were completed, if not all to the last.
    pub(super) fn ending(&self) -> Option<String> {
        let (first, last) = (self.first_iteration, self.last_iteration);
        match self.iterations.last() {
            None => Some(format!("No iteration from {first} to {last} was completed.")),
            Some(row) if row.iteration < last => Some(format!("The search ended after iteration {}.", row.iteration)),
            Some(_) => None,
        }
    }
}

/// An iteration's principal variation with its entries.
#[derive(Clone, Debug)]
pub struct PvLedger {
    /// The position searched.
    pub root: Position,
    /// What each move did to the accounts.
    pub explained: ExplainedIteration,
    /// The moves.
    pub moves: Vec<Move>,
}

/// One completed iteration.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct IterationRow {
    /// The iteration's number; in the deep-blue profile it counts the horizon search's plies.
    pub iteration: i32,
    /// Nominal depth in software plies; in the deep-blue profile the minimum software depth.
    pub nominal_depth: i32,
    /// Deepest leaf of the software's tree, extensions included.
    pub max_software: i32,
    /// Deepest ply of any node, horizon search and quiescence included.
    pub max_combined: i32,
    /// Nodes from the start of the search to the end of this iteration.
    pub nodes: u64,
    /// Nodes of this iteration alone.
    pub iteration_nodes: u64,
    /// Milliseconds from the start of the search; left out if times are not wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<u64>,
    /// The score for the side to move.
    pub score: PovScore,
    /// The number of window failures in this iteration.
    pub researches: u32,
    /// The value of `nodes` when growth control began to restrain this iteration, which cashed in nothing from then on;
    /// missing if it did not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub restrained_at: Option<u64>,
    /// The first move of the principal variation; missing if there is no legal move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best_move: Option<MoveText>,
    /// The moves of the principal variation.
    pub pv: Variation,
    /// What dual credit did in this iteration, all mechanisms together.
    pub credit: CreditRow,
    /// The same, mechanism by mechanism; mechanisms that did nothing are left out.
    pub mechanisms: Vec<MechanismRow>,
    /// What the paper printed for this position at a minimum software depth of `nominal_depth`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paper: Option<PaperField>,
}

impl IterationRow {
    /// Its number, marked if it was restrained.
    pub(super) fn marked(&self) -> String {
        format!("{}{}", self.iteration, if self.restrained_at.is_some() { RESTRAINED } else { "" })
    }
}

/// Marks an iteration that was restrained, and what the mark means.
const RESTRAINED: &str = "*";
const RESTRAINED_LEGEND: &str = "*: in its last part growth control kept the iteration from cashing in.";

/// What credit did.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CreditRow {
    /// The number of awards.
    pub awards: u64,
    /// The sum of the awards in plies; an exact multiple of a sixteenth.
    pub granted_plies: f64,
    /// Plies of extension paid from the accounts.
    pub cashed_plies: u64,
    /// Of these, plies that the last award alone would not have paid: earlier awards had waited in the account.
    pub delayed_plies: u64,
    /// The number of searches repeated with new credit.
    pub second_searches: u64,
    /// The number of these in which the move no longer scored well.
    pub failures: u64,
}

impl From<&MechanismStats> for CreditRow {
    fn from(stats: &MechanismStats) -> CreditRow {
        CreditRow {
            awards: stats.awards,
            granted_plies: stats.credit as f64 / f64::from(Credit::PER_PLY),
            cashed_plies: stats.cashed_plies,
            delayed_plies: stats.delayed_plies,
            second_searches: stats.second_searches,
            failures: stats.failures,
        }
    }
}

/// What one mechanism did.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MechanismRow {
    /// The mechanism.
    pub mechanism: Mechanism,
    /// What it did.
    #[serde(flatten)]
    pub credit: CreditRow,
}

/// The mechanisms that did anything, in order.
pub(super) fn mechanism_rows(stats: &CreditStats) -> Vec<MechanismRow> {
    Mechanism::ALL
        .into_iter()
        .filter(|&mechanism| *stats.of(mechanism) != MechanismStats::default())
        .map(|mechanism| MechanismRow { mechanism, credit: stats.of(mechanism).into() })
        .collect()
}

/// One row of the paper's table for the position.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PaperField {
    /// Minimum software depth in plies.
    pub min_software: i32,
    /// Maximum software depth in plies.
    pub max_software: i32,
    /// Smallest estimate of the combined maximum in plies.
    pub estimated_combined_low: i32,
    /// Largest estimate of the combined maximum in plies.
    pub estimated_combined_high: i32,
}
