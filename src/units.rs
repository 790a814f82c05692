//! The units of the search: plies, depths and credit; and tapered weights, the unit of the evaluation.

use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// Distance from the root in half-moves.
pub type Ply = i32;

/// Remaining search depth in half-moves.
pub type Depth = i32;

/// The hard limit on the distance from the root.
pub const MAX_PLY: Ply = 192;

/// A whole, in percent.
pub const PERCENT: i32 = 100;

/// The golden ratio in 64 bits, which is odd: multiplying by it spreads every bit over all higher ones.
pub const GOLDEN_RATIO: u64 = 0x9e37_79b9_7f4a_7c15;

/// Credit in sixteenths of a ply, the unit of the accounts.
///
/// Deep Blue counted in quarters of a ply; its profile does not keep to them, since its amounts taper.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Credit(i16);

impl Credit {
    /// No credit.
    pub const NONE: Credit = Credit(0);
    /// Sixteenths in one ply.
    pub const PER_PLY: i16 = 16;

    /// This many sixteenths of a ply.
    pub const fn sixteenths(sixteenths: i16) -> Credit {
        Credit(sixteenths)
    }

    /// The amount in sixteenths of a ply.
    pub const fn to_sixteenths(self) -> i16 {
        self.0
    }

    /// The amount in plies, for people.
    pub fn plies(self) -> f64 {
        f64::from(self.0) / f64::from(Credit::PER_PLY)
    }

    /// Whole plies needed to cover this amount: its ceiling.
    pub const fn ceil_plies(self) -> Depth {
        ((self.0 + Credit::PER_PLY - 1) / Credit::PER_PLY) as Depth
    }

    /// Whole plies as credit.
    pub const fn from_plies(plies: Depth) -> Credit {
        Credit(plies as i16 * Credit::PER_PLY)
    }

    /// Whether it is more than none.
    pub const fn is_some(self) -> bool {
        self.0 > 0
    }

    /// The difference, but not below zero.
    pub const fn saturating_sub(self, other: Credit) -> Credit {
        if self.0 > other.0 { Credit(self.0 - other.0) } else { Credit::NONE }
    }
}

impl Add for Credit {
    type Output = Credit;
    fn add(self, other: Credit) -> Credit {
        Credit(self.0 + other.0)
    }
}

impl Sub for Credit {
    type Output = Credit;
    fn sub(self, other: Credit) -> Credit {
        Credit(self.0 - other.0)
    }
}

/// A pair of weights in centipawns, for the middlegame and for the endgame, packed into one integer so that terms are
/// added in one operation. Either half has 32 bits: sixty queens are worth more than 16 hold.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default)]
pub struct Tapered(i64);

impl Tapered {
    /// Zero in both phases.
    pub const ZERO: Tapered = Tapered(0);

    /// A weight of `mg` centipawns in the middlegame and `eg` in the endgame.
    pub const fn new(mg: i32, eg: i32) -> Tapered {
        Tapered(((eg as i64) << i32::BITS) + mg as i64)
    }

    /// The middlegame part in centipawns.
    pub const fn mg(self) -> i32 {
        self.0 as i32
    }

    /// The endgame part in centipawns.
    pub const fn eg(self) -> i32 {
        // Adding half a unit undoes the borrow of a negative middlegame part.
        (self.0.wrapping_add(1 << (i32::BITS - 1)) >> i32::BITS) as i32
    }

    /// The interpolation for a phase between 0 (endgame) and `max_phase` (opening), in centipawns, rounded towards
    /// zero, so that colour-flipped positions give exactly opposite values.
    pub const fn mix(self, phase: i32, max_phase: i32) -> i32 {
        (self.mg() * phase + self.eg() * (max_phase - phase)) / max_phase
    }
}

impl std::fmt::Debug for Tapered {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Tapered({}, {})", self.mg(), self.eg())
    }
}

impl Add for Tapered {
    type Output = Tapered;
    fn add(self, other: Tapered) -> Tapered {
        Tapered(self.0.wrapping_add(other.0))
    }
}

impl AddAssign for Tapered {
    fn add_assign(&mut self, other: Tapered) {
        *self = *self + other;
    }
}

impl Sub for Tapered {
    type Output = Tapered;
    fn sub(self, other: Tapered) -> Tapered {
        Tapered(self.0.wrapping_sub(other.0))
    }
}

impl SubAssign for Tapered {
    fn sub_assign(&mut self, other: Tapered) {
        *self = *self - other;
    }
}

impl Neg for Tapered {
    type Output = Tapered;
    fn neg(self) -> Tapered {
        Tapered(self.0.wrapping_neg())
    }
}

impl Mul<i32> for Tapered {
    type Output = Tapered;
    fn mul(self, factor: i32) -> Tapered {
        Tapered(self.0.wrapping_mul(i64::from(factor)))
    }
}

impl Sum for Tapered {
    fn sum<I: Iterator<Item = Tapered>>(iter: I) -> Tapered {
        iter.fold(Tapered::ZERO, Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn credit_rounds_up_to_whole_plies() {
        let plies = |sixteenths| Credit::sixteenths(sixteenths).ceil_plies();
        assert_eq!((plies(0), plies(1), plies(16), plies(17), plies(20)), (0, 1, 1, 2, 2));
    }

    proptest! {
        #[test]
        fn tapered_parts_survive_arithmetic(a in -3000..3000, b in -3000..3000, c in -3000..3000, d in -3000..3000, k in -9..9) {
            let (x, y) = (Tapered::new(a, b), Tapered::new(c, d));
            prop_assert_eq!((x + y).mg(), a + c);
            prop_assert_eq!((x + y).eg(), b + d);
            prop_assert_eq!((x - y).eg(), b - d);
            prop_assert_eq!((x * k).mg(), a * k);
            prop_assert_eq!((x * k).eg(), b * k);
            prop_assert_eq!((-x).mix(7, 24), -x.mix(7, 24));
        }
    }
}
