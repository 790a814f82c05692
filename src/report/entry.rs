//! The entries of a ledger: what a move earned, and what it did to both accounts.

use serde::Serialize;

use crate::board::Color;
use crate::credit::{Award, Mechanism};
use crate::json::PovScore;
use crate::search::LedgerEntry;

/// Credit with its reason.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GrantedAward {
    /// What earned it.
    pub mechanism: Mechanism,
    /// How much it is, in plies.
    pub plies: f64,
    /// Whether an earlier visit earned it and the table kept it.
    pub kept: bool,
    /// Singular moves: the score that the alternatives failed to reach; threats: that passing failed to reach.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<PovScore>,
}

impl GrantedAward {
    /// The award of a move of this side.
    pub(super) fn new(award: Award, pov: Color) -> GrantedAward {
        GrantedAward {
            mechanism: award.mechanism,
            plies: award.credit.plies(),
            kept: award.kept,
            bound: award.bound.map(|bound| PovScore { value: bound.into(), pov }),
        }
    }
}

/// What one move did to both accounts, in plies. Each balance follows from the previous one: the mover's by the award
/// and what was cashed in, the other side's by what it gave up.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Accounts {
    /// The mover's account before the move.
    pub before: f64,
    /// Plies of extension cashed in.
    pub cashed_plies: i32,
    /// The mover's account after award and cash-in.
    pub balance: f64,
    /// What the other side gave up for that.
    pub given_up: f64,
    /// The other side's account afterwards.
    pub other_balance: f64,
}

impl From<LedgerEntry> for Accounts {
    fn from(entry: LedgerEntry) -> Accounts {
        Accounts {
            before: entry.before.plies(),
            cashed_plies: entry.cashed,
            balance: entry.after.plies(),
            given_up: entry.given_up.plies(),
            other_balance: entry.other.plies(),
        }
    }
}
