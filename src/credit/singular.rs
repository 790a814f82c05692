//! Singular, binary and trinary moves: one, two or three moves that beat all others by a margin (paper, section 4.1,
//! mechanism 1; the names come from stellar astronomy).

use super::{Award, Mechanism, Taper};
use crate::board::{Move, is_noisy};
use crate::params::Params;
use crate::score::Score;
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

/// How far all other moves stay below the margin of singularity.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Gap {
    /// Less than by the wide margin.
    Narrow,
    /// By the wide margin.
    Wide,
    /// By the very wide margin, and the move is quiet.
    VeryWide,
}

impl Gap {
    /// The gap of `m` whose alternatives, tested against `bound`, reach `best`, with these margins in centipawns.
    pub fn of(m: Move, bound: Score, best: Score, wide: i32, very_wide: i32) -> Gap {
        let stays_below = |margin: i32| best < bound.offset(-margin);
        if !stays_below(wide) {
            Gap::Narrow
        } else if is_noisy(m) || !stays_below(very_wide) {
            Gap::Wide
        } else {
            Gap::VeryWide
        }
    }
}

/// The award for a tt move that beats all others by much more than the margin. Other engines call it a double or a
/// triple extension; it is not in the paper. The search asks for it off the principal variation only.
/// Elo: +2 ± 11 (`credit_wide_singular`)
pub fn wide_award(params: &Params, taper: &Taper, ply: Ply, gap: Gap) -> Option<Award> {
    if !params.credit_singular || !params.credit_wide_singular {
        return None;
    }
    let near = match gap {
        Gap::Narrow => return None,
        Gap::VeryWide if params.credit_very_wide_singular => params.very_wide_singular_credit,
        Gap::Wide | Gap::VeryWide => params.wide_singular_credit,
    };
    Award::of(Mechanism::Singular, taper.scale(near, ply))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
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

    #[test]
    fn a_gap_is_wide_beyond_its_margin_and_very_wide_for_quiet_moves_only() {
        let position = Position::from_fen("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", false).unwrap();
        let gap = |uci: &str, best| Gap::of(position.parse_uci(uci).unwrap(), Score::cp(100), Score::cp(best), 20, 80);
        assert_eq!([80, 79, 20, 19].map(|best| gap("e4e5", best)), [Gap::Narrow, Gap::Wide, Gap::Wide, Gap::VeryWide]);
        assert_eq!([80, 79, 20, 19].map(|best| gap("e4d5", best)), [Gap::Narrow, Gap::Wide, Gap::Wide, Gap::Wide]);
    }

    #[test]
    fn wider_margins_earn_more_and_have_switches_of_their_own() {
        let params = Params::default();
        let taper = Taper::new(&params, 8);
        let credit = |params: &Params, gap| wide_award(params, &taper, 0, gap).map(|award| award.credit);
        assert!(credit(&params, Gap::Wide) > award(&params, &taper, 0, 0).map(|award| award.credit));
        assert!(credit(&params, Gap::VeryWide) > credit(&params, Gap::Wide));
        assert_eq!(credit(&params, Gap::Narrow), None);
        let no_third = Params { credit_very_wide_singular: false, ..params.clone() };
        assert_eq!(credit(&no_third, Gap::VeryWide), credit(&params, Gap::Wide));
        for off in [
            Params { credit_singular: false, ..params.clone() },
            Params { credit_wide_singular: false, ..params.clone() },
        ] {
            assert_eq!((credit(&off, Gap::Wide), credit(&off, Gap::VeryWide)), (None, None));
        }
    }
}
