//! Threats: a null move shows that the side to move would lose by passing (paper, section 4.1, mechanism 3).
//!
//! Positions under a threat have few reasonable replies. As in Deep Blue, a threat earns credit only if a recent
//! ancestor was forcing, so that quiet positions with a permanent weakness are not extended.

use super::{Award, Mechanism, Taper};
use crate::params::Params;
use crate::units::Ply;

/// What the null move leads to.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Threat {
    /// No threat.
    None,
    /// A loss beyond the margin.
    Material,
    /// Mate.
    Mate,
}

/// The award for a good reply to a threat, if a recent ancestor was forcing.
/// Elo: -5 ± 11 (`credit_threat`)
pub fn award(params: &Params, taper: &Taper, ply: Ply, threat: Threat) -> Option<Award> {
    if !params.credit_threat {
        return None;
    }
    match threat {
        Threat::None => None,
        Threat::Material => Award::of(Mechanism::Threat, taper.scale(params.threat_credit, ply)),
        Threat::Mate => Award::of(Mechanism::MateThreat, taper.scale(params.mate_threat_credit, ply)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_threat_earns_and_a_mate_threat_more() {
        let params = Params::default();
        let taper = Taper::new(&params, 8);
        let credit = |threat| award(&params, &taper, 2, threat).map(|a| a.credit);
        assert!(credit(Threat::Mate) > credit(Threat::Material));
        assert!(credit(Threat::Material).is_some());
        assert_eq!(credit(Threat::None), None);
        assert_eq!(award(&Params { credit_threat: false, ..params }, &taper, 2, Threat::Mate), None);
    }
}
