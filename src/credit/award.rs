//! Awards: how much, from which mechanism, tapered with the distance from the root.

use crate::params::{Params, choice};
use crate::score::Score;
use crate::units::{Credit, Ply};

choice! {
    /// What earns credit: the mechanisms of the paper's list (section 4.1), checks, and the envelope, which keeps what
    /// these earned.
    #[derive(Hash, PartialOrd, Ord)]
    Mechanism {
        /// One move better than all others by a margin.
        Singular = "singular",
        /// Two such moves.
        Binary = "binary",
        /// Three such moves.
        Trinary = "trinary",
        /// The only legal move ("absolute singular").
        ForcedReply = "forced reply",
        /// A reply to check.
        CheckEvasion = "check evasion",
        /// A move that gives check.
        Check = "check",
        /// A reply to a threat revealed by a null move.
        Threat = "threat",
        /// A reply to a threat of mate.
        MateThreat = "mate threat",
        /// A good move that was not available at this side's previous turn.
        Influence = "influence",
        /// A push of a passed pawn, or the reply to one.
        PassedPawn = "passed pawn",
        /// Credit that an earlier visit generated, kept in the table.
        Envelope = "envelope",
    }
}

impl Mechanism {
    /// Whether it rewards a reply to a threat that a null move revealed.
    pub const fn is_threat(self) -> bool {
        matches!(self, Mechanism::Threat | Mechanism::MateThreat)
    }

    /// Its number in the table: 1 and above, since 0 stands for no credit.
    pub const fn number(self) -> u8 {
        self as u8 + 1
    }

    /// The mechanism with this number.
    pub fn from_number(number: u8) -> Option<Mechanism> {
        Mechanism::ALL.get(usize::from(number).checked_sub(1)?).copied()
    }

    /// Whether it rewards a move for having few alternatives.
    pub const fn is_singularity(self) -> bool {
        matches!(self, Mechanism::Singular | Mechanism::Binary | Mechanism::Trinary)
    }
}

/// Credit with the mechanism that granted it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Award {
    /// What it is for.
    pub mechanism: Mechanism,
    /// How much.
    pub credit: Credit,
    /// Whether an earlier visit to the position earned it and the table kept it.
    pub kept: bool,
    /// The evidence of a probe: the score that the null move failed to reach, or the alternatives: for a binary award
    /// all but one of them, for a trinary one all but two.
    pub bound: Option<Score>,
}

impl Award {
    /// The larger of two awards: mechanisms combine by maximum.
    pub fn larger(a: Option<Award>, b: Option<Award>) -> Option<Award> {
        match (a, b) {
            (Some(x), Some(y)) => Some(if y.credit > x.credit { y } else { x }),
            (x, y) => x.or(y),
        }
    }

    /// An award, unless the amount is zero.
    pub fn of(mechanism: Mechanism, credit: Credit) -> Option<Award> {
        credit.is_some().then_some(Award { mechanism, credit, kept: false, bound: None })
    }

    /// The same award with the bound of the probe that it rests on.
    #[must_use]
    pub fn with_bound(self, bound: Score) -> Award {
        Award { bound: Some(bound), ..self }
    }

    /// Credit that the table kept; `source` is the mechanism's number there.
    pub fn kept(source: u8, credit: Credit) -> Option<Award> {
        let award = Award::of(Mechanism::from_number(source)?, credit)?;
        Some(Award { kept: true, ..award })
    }

    /// Whether the table keeps it for the move's next visit (law 5). Singularity may have to be tested again.
    pub fn lasts(&self, params: &Params) -> bool {
        params.credit_envelope && (params.credit_envelope_singular || !self.mechanism.is_singularity())
    }

    /// The telemetry row it belongs to: credit from the table is counted separately.
    pub fn row(self) -> Mechanism {
        if self.kept { Mechanism::Envelope } else { self.mechanism }
    }
}

/// The largest award that any mechanism grants near the root, in sixteenths of a ply. The award for a wide singular
/// margin is left out: it is granted before a move's first search, and this bounds what is generated after one.
pub fn largest_near(params: &Params) -> i32 {
    [
        params.singular_credit,
        params.binary_credit,
        params.trinary_credit,
        params.forced_reply_credit,
        params.check_evasion_credit,
        params.check_credit,
        params.threat_credit,
        params.mate_threat_credit,
        params.influence_credit,
        params.passed_pawn_credit,
    ]
    .into_iter()
    .max()
    .unwrap_or(0)
}

/// How awards shrink with the distance from the root, and where they end (law 6: it terminates).
///
/// The paper: "with positions near the root of the tree generally receiving more credit than positions far from the
/// root" (section 4.1). In the deep-blue profile the difference is so large that far from the root only a forced reply
/// still exceeds the limit by itself. The modern profile's scales take nothing off: there awards only end.
#[derive(Copy, Clone, Debug)]
pub struct Taper {
    near_plies: Ply,
    middle_plies: Ply,
    middle_scale: i32,
    far_scale: i32,
    reach: Ply,
}

/// Scales are in 256ths.
const FULL_SCALE: i32 = 256;

impl Taper {
    /// The taper of a search whose current iteration has this nominal depth in plies.
    pub fn new(params: &Params, nominal_depth: Ply) -> Taper {
        Taper {
            near_plies: params.credit_near_plies,
            middle_plies: params.credit_middle_plies,
            middle_scale: params.credit_middle_scale,
            far_scale: params.credit_far_scale,
            reach: params.credit_reach * nominal_depth,
        }
    }

    /// An award worth `near` sixteenths near the root, scaled for `ply`.
    pub fn scale(&self, near: i32, ply: Ply) -> Credit {
        let scale = if ply > self.reach {
            0
        } else if ply < self.near_plies {
            FULL_SCALE
        } else if ply < self.middle_plies {
            self.middle_scale
        } else {
            self.far_scale
        };
        Credit::sixteenths((near * scale / FULL_SCALE) as i16)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::Profile;

    #[test]
    fn awards_taper_and_end() {
        let params = Profile::DeepBlue.params();
        let taper = Taper::new(&params, 5);
        let at = |ply| taper.scale(params.singular_credit, ply).plies();
        assert_eq!((at(0), at(1), at(2), at(9), at(15)), (2.25, 2.25, 1.375, 1.375, 1.375));
        assert_eq!(at(16), 0.0);
        let three_stages = Params { credit_far_scale: 128, ..params.clone() };
        let taper = Taper::new(&three_stages, 5);
        let credits: Vec<f64> = [0, 2, 10, 16].map(|ply| taper.scale(params.singular_credit, ply).plies()).into();
        assert_eq!(credits, [2.25, 1.375, 1.125, 0.0]);
    }

    #[test]
    fn every_mechanism_has_a_number_of_its_own_and_no_credit_has_none() {
        for mechanism in Mechanism::ALL {
            assert_eq!(Mechanism::from_number(mechanism.number()), Some(mechanism));
            assert!((1..16).contains(&mechanism.number()), "the table has four bits for it");
        }
        assert_eq!(Mechanism::from_number(0), None);
        assert_eq!(Award::kept(0, Credit::sixteenths(9)), None);
    }

    #[test]
    fn awards_combine_by_maximum() {
        let award = |sixteenths| Award::of(Mechanism::Threat, Credit::sixteenths(sixteenths));
        assert_eq!(Award::larger(award(5), award(9)), award(9));
        assert_eq!(Award::larger(award(0), award(9)), award(9));
        assert_eq!(award(0), None);
    }
}
