//! Singular, binary and trinary moves: one, two or three moves that beat all others by a margin (paper, section 4.1,
//! mechanism 1; the names come from stellar astronomy).

use super::{Award, Mechanism, Taper};
use crate::params::Params;
use crate::units::Ply;

/// The award for a move when `alternatives` other moves came within the margin of it.
pub fn award(params: &Params, taper: &Taper, ply: Ply, alternatives: usize) -> Option<Award> {
    if !params.credit_singular {
        return None;
    }
    let (mechanism, near) = match alternatives {
        0 => (Mechanism::Singular, params.singular_credit),
        1 => (Mechanism::Binary, params.binary_credit),
        2 => (Mechanism::Trinary, params.trinary_credit),
        _ => return None,
    };
    Award::of(mechanism, taper.scale(near, ply))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::Profile;

    #[test]
    fn fewer_alternatives_earn_more_and_three_earn_nothing() {
        let params = Profile::DeepBlue.params();
        let taper = Taper::new(&params, 8);
        let credit = |alternatives| award(&params, &taper, 0, alternatives).map(|a| a.credit);
        assert!(credit(0) > credit(1) && credit(1) > credit(2) && credit(2).is_some());
        assert_eq!(credit(3), None);
        let off = Params { credit_singular: false, ..params };
        assert_eq!(award(&off, &taper, 0, 0), None);
    }
}
