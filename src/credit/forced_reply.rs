//! The forced reply, "absolute singular" in the paper: the only legal move (section 4.1, mechanism 2).
//!
//! A large credit is cheap here: if the move fails low, there are no alternatives to search.

use super::{Award, Mechanism, Taper};
use crate::params::Params;
use crate::units::Ply;

/// The award; `legal_moves` is the number of legal moves at the node.
pub fn award(params: &Params, taper: &Taper, ply: Ply, legal_moves: usize) -> Option<Award> {
    if !params.credit_forced_reply || legal_moves != 1 {
        return None;
    }
    Award::of(Mechanism::ForcedReply, taper.scale(params.forced_reply_credit, ply))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::credit::Ledger;
    use crate::params::Profile;
    use crate::units::Credit;

    #[test]
    fn only_the_only_move_earns() {
        let params = Params { credit_forced_reply: true, ..Params::default() };
        let taper = Taper::new(&params, 8);
        assert!(award(&params, &taper, 2, 1).is_some());
        assert_eq!(award(&params, &taper, 2, 2), None);
        assert_eq!(award(&Params { credit_forced_reply: false, ..params }, &taper, 2, 1), None);
    }

    #[test]
    fn in_the_papers_profile_it_extends_by_itself_two_plies_near_the_root_and_one_beyond() {
        let params = Profile::DeepBlue.params();
        let taper = Taper::new(&params, 3);
        let plies = |ply| {
            let credit = award(&params, &taper, ply, 1).map_or(Credit::NONE, |award| award.credit);
            Ledger::EMPTY.after_move(credit).cash_in(Credit::sixteenths(params.credit_limit as i16)).plies
        };
        assert_eq!([0, 1, 2, 5, 8].map(plies), [2, 2, 1, 1, 1]);
    }
}
