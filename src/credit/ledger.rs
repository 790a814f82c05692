//! The two accounts of a node.

use crate::units::{Credit, Depth};

/// Both sides' credit as a node sees it: a value, passed down and never changed upwards.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Default)]
pub struct Ledger {
    /// The account of the side to move.
    pub mine: Credit,
    /// The account of the side that just moved.
    pub his: Credit,
}

/// The result of cashing in.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct CashIn {
    /// The accounts afterwards.
    pub ledger: Ledger,
    /// Plies of extension.
    pub plies: Depth,
}

impl CashIn {
    /// Nothing cashed in, and nothing to cash in.
    pub const NOTHING: CashIn = CashIn { ledger: Ledger::EMPTY, plies: 0 };
}

impl Ledger {
    /// Nothing on either side.
    pub const EMPTY: Ledger = Ledger { mine: Credit::NONE, his: Credit::NONE };

    /// Law 1, cash-in on entry (paper, Fig. 1, lines 14-19): when the side that just moved has reached the limit, the
    /// excess is rounded up to whole plies; its account falls by that amount, and the other side's by as much but not
    /// below zero. A balance of exactly the limit extends nothing.
    #[must_use]
    pub fn cash_in(self, limit: Credit) -> CashIn {
        if self.his < limit {
            return CashIn { ledger: self, plies: 0 };
        }
        let plies = (self.his - limit).ceil_plies();
        let paid = Credit::from_plies(plies);
        CashIn { ledger: Ledger { mine: self.mine.saturating_sub(paid), his: self.his - paid }, plies }
    }

    /// Law 3: the child sees the accounts from the other side, with this move's award added to the mover's.
    #[must_use]
    pub fn after_move(self, award: Credit) -> Ledger {
        Ledger { mine: self.his, his: self.mine + award }
    }

    /// Law 5: whether a search with these accounts had at least as much on both sides as `other`.
    pub fn covers(self, other: Ledger) -> bool {
        self.mine >= other.mine && self.his >= other.his
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const LIMIT: Credit = Credit::from_plies(2);

    fn plies(amount: f64) -> Credit {
        Credit::sixteenths((amount * 16.0) as i16)
    }

    fn ledger(mine: f64, his: f64) -> Ledger {
        Ledger { mine: plies(mine), his: plies(his) }
    }

    #[test]
    fn the_papers_examples() {
        // "A value of hisCredit of 2.5 gives a 1-ply extension, and a hisCredit value of 3.25 gives a 2-ply extension";
        // exactly 2 extends nothing.
        for (his, extension) in [(1.75, 0), (2.0, 0), (2.25, 1), (2.5, 1), (3.0, 1), (3.25, 2)] {
            assert_eq!(ledger(0.0, his).cash_in(LIMIT).plies, extension, "{his}");
        }
        assert_eq!(ledger(1.5, 2.5).cash_in(LIMIT).ledger, ledger(0.5, 1.5));
        assert_eq!(ledger(0.5, 3.25).cash_in(LIMIT).ledger, ledger(0.0, 1.25));
    }

    proptest! {
        #[test]
        fn cashing_in_keeps_the_laws(mine in 0i16..64, his in 0i16..100, limit in 15i16..=48) {
            let limit = Credit::sixteenths(limit);
            let before = Ledger { mine: Credit::sixteenths(mine), his: Credit::sixteenths(his) };
            let CashIn { ledger, plies } = before.cash_in(limit);
            prop_assert!(ledger.his >= Credit::NONE && ledger.his <= limit);
            prop_assert!(ledger.mine >= Credit::NONE && ledger.mine <= before.mine);
            prop_assert_eq!(before.his - ledger.his, Credit::from_plies(plies));
            prop_assert_eq!(ledger.cash_in(limit).plies, 0);
        }

        #[test]
        fn accounts_swap_with_the_move(mine in 0i16..64, his in 0i16..64) {
            let before = Ledger { mine: Credit::sixteenths(mine), his: Credit::sixteenths(his) };
            let child = before.after_move(Credit::sixteenths(5));
            prop_assert_eq!((child.mine, child.his), (before.his, before.mine + Credit::sixteenths(5)));
            prop_assert_eq!(child.after_move(Credit::NONE).his, before.his);
        }
    }
}
