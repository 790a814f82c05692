//! Check evasion: a reply to check that does not fail low (paper, section 4.1, mechanism 5, "traditional search
//! extension schemes, such as check evasion").

use super::{Award, Mechanism, Taper};
use crate::params::Params;
use crate::units::Ply;

/// The award for a good move of a side that is `in_check`.
pub fn award(params: &Params, taper: &Taper, ply: Ply, in_check: bool) -> Option<Award> {
    if !params.credit_check_evasion || !in_check {
        return None;
    }
    Award::of(Mechanism::CheckEvasion, taper.scale(params.check_evasion_credit, ply))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_in_check() {
        let params = Params { credit_check_evasion: true, ..Params::default() };
        let taper = Taper::new(&params, 8);
        assert!(award(&params, &taper, 2, true).is_some());
        assert_eq!(award(&params, &taper, 2, false), None);
        assert_eq!(award(&Params { credit_check_evasion: false, ..params }, &taper, 2, true), None);
    }
}
