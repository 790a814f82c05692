//! Counts of what dual credit did, for reports.

use crate::credit::Mechanism;

/// What one mechanism did.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct MechanismStats {
    /// Awards granted.
    pub awards: u64,
    /// Sum of the awards, in sixteenths of a ply.
    pub credit: u64,
    /// Plies cashed in from an account to which this mechanism added last; for an award kept in the table, the
    /// mechanism that earned it.
    pub cashed_plies: u64,
    /// Of these, plies that the last award alone would not have paid: earlier awards had waited in the account.
    pub delayed_plies: u64,
    /// Second searches caused by its awards.
    pub second_searches: u64,
    /// Second searches in which the good score did not hold.
    pub failures: u64,
}

/// What all mechanisms did.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct CreditStats {
    by_mechanism: [MechanismStats; Mechanism::ALL.len()],
}

impl CreditStats {
    /// The counts of one mechanism.
    pub fn of(&self, mechanism: Mechanism) -> &MechanismStats {
        &self.by_mechanism[mechanism as usize]
    }

    /// The mutable counts of one mechanism.
    pub(crate) fn of_mut(&mut self, mechanism: Mechanism) -> &mut MechanismStats {
        &mut self.by_mechanism[mechanism as usize]
    }

    /// The sums over all mechanisms.
    pub fn total(&self) -> MechanismStats {
        let mut total = MechanismStats::default();
        for stats in &self.by_mechanism {
            total.awards += stats.awards;
            total.credit += stats.credit;
            total.cashed_plies += stats.cashed_plies;
            total.delayed_plies += stats.delayed_plies;
            total.second_searches += stats.second_searches;
            total.failures += stats.failures;
        }
        total
    }
}
