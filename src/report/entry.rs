//! The entries of a ledger: what a move earned, and what it did to both accounts.

use std::fmt::Display;

use serde::Serialize;

use crate::board::Color;
use crate::credit::{Award, Ledger, Mechanism};
use crate::json::PovScore;
use crate::search::LedgerEntry;
use crate::units::Credit;

/// Credit with its reason.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GrantedAward {
    /// What earned the credit.
    pub mechanism: Mechanism,
    /// How much credit it is, in plies.
    pub plies: f64,
    /// Whether an earlier visit earned it and the table kept it.
    pub kept: bool,
    /// Singular moves: the score that the alternatives failed to reach; binary ones: all but one of them; trinary ones:
    /// all but two; threats: that passing failed to reach.
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

/// What a search for evidence showed: how many other moves reach its bound, or that passing does not.
pub(super) fn finding(mechanism: Mechanism, bound: impl Display) -> String {
    match mechanism {
        Mechanism::Threat | Mechanism::MateThreat => format!("passing stays below {bound}"),
        Mechanism::Binary => format!("only one other reaches {bound}"),
        Mechanism::Trinary => format!("only two others reach {bound}"),
        _ => format!("others stay below {bound}"),
    }
}

/// Both accounts around one move. The mover's grows by the award and falls by the plies cashed in; the other side gives
/// up as much as is cashed in, as long as it has something.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Accounts {
    /// White's account.
    pub white: Account,
    /// Black's account.
    pub black: Account,
    /// Plies of extension cashed in after the move, out of the mover's account.
    pub cashed_plies: i32,
}

/// One side's account, in plies.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Account {
    /// The balance before the move, in plies.
    pub before_move: f64,
    /// The balance after the move, its award and what was cashed in for it, in plies.
    pub after_move: f64,
}

impl Account {
    /// An account with these balances.
    fn new(before: Credit, after: Credit) -> Account {
        Account { before_move: before.plies(), after_move: after.plies() }
    }

    /// What a move of the other side made this one give up, in plies.
    pub(super) fn given_up(self) -> f64 {
        self.before_move - self.after_move
    }
}

impl Accounts {
    /// What a move of this side did.
    pub(super) fn new(entry: LedgerEntry, mover: Color) -> Accounts {
        let own = Account::new(entry.before, entry.after);
        let other = Account::new(entry.other + entry.given_up, entry.other);
        let (white, black) = mover.fold_wb((own, other), (other, own));
        Accounts { white, black, cashed_plies: entry.cashed }
    }

    /// The accounts above and at a node, each with the side to move there, and what was cashed in between.
    pub(super) fn between(above: (Ledger, Color), here: (Ledger, Color), cashed_plies: i32) -> Accounts {
        let of = |(ledger, turn): (Ledger, Color), side| if side == turn { ledger.mine } else { ledger.his };
        let account = |side| Account::new(of(above, side), of(here, side));
        Accounts { white: account(Color::White), black: account(Color::Black), cashed_plies }
    }

    /// This side's account.
    pub fn of(&self, side: Color) -> Account {
        side.fold_wb(self.white, self.black)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_others_reach_a_bound_as_the_mechanism_grants() {
        let shown = [Mechanism::Singular, Mechanism::Binary, Mechanism::Trinary, Mechanism::MateThreat]
            .map(|mechanism| finding(mechanism, "+0.17"));
        assert_eq!(
            shown,
            [
                "others stay below +0.17",
                "only one other reaches +0.17",
                "only two others reach +0.17",
                "passing stays below +0.17",
            ]
        );
    }
}
