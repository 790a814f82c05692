//! Check: a move that gives check (not in the paper's list, which pays the reply: see
//! [`check_evasion`](super::check_evasion)).
//!
//! Either side of the pair of check and evasion can be paid for the depth it deserves. A checking move is known before
//! it is searched, so its credit needs no second search.

use super::{Award, Mechanism, Taper};
use crate::params::Params;
use crate::units::Ply;

/// The award for a move that `gives_check`.
pub fn award(params: &Params, taper: &Taper, ply: Ply, gives_check: bool) -> Option<Award> {
    if !params.credit_check || !gives_check {
        return None;
    }
    Award::of(Mechanism::Check, taper.scale(params.check_credit, ply))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_with_check() {
        let params = Params { credit_check: true, ..Params::default() };
        let taper = Taper::new(&params, 8);
        assert!(award(&params, &taper, 2, true).is_some());
        assert_eq!(award(&params, &taper, 2, false), None);
        assert_eq!(award(&Params { credit_check: false, ..params }, &taper, 2, true), None);
    }
}
