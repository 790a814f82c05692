//! Limited strength: what a player of a given rating sees.
//!
//! People lose to what they do not see: first to deep forcing lines, then to short ones, and they judge positions less
//! well. So a lower level searches fewer nodes, does without dual credit (which follows forcing lines), breaks off
//! exchanges sooner, and its evaluation errs. All of it is deterministic for a given seed. docs/levels.md has the
//! matches that the table is based on.

use crate::params::Params;

/// The levels between which others are interpolated: rating, nodes per move, largest evaluation error in centipawns,
/// and plies of quiescence.
const ANCHORS: [Anchor; 6] = [
    Anchor { elo: 1000, nodes: 50, noise: 200, reach: 2 },
    Anchor { elo: 1400, nodes: 150, noise: 130, reach: 4 },
    Anchor { elo: 1800, nodes: 1_000, noise: 70, reach: 8 },
    Anchor { elo: 2200, nodes: 16_000, noise: 30, reach: 64 },
    Anchor { elo: 2600, nodes: 120_000, noise: 0, reach: 64 },
    Anchor { elo: 3000, nodes: 1_000_000, noise: 0, reach: 64 },
];
/// From this rating on a level uses dual credit.
const CREDIT_FROM: u32 = 2000;

struct Anchor {
    elo: u32,
    nodes: u64,
    noise: i32,
    reach: i32,
}

/// A limited strength.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Level {
    elo: u32,
}

impl Level {
    /// The lowest rating.
    pub const MIN: u32 = ANCHORS[0].elo;
    /// The highest rating; above it is full strength.
    pub const MAX: u32 = ANCHORS[ANCHORS.len() - 1].elo;

    /// The level with this rating, or the nearest.
    pub fn new(elo: u32) -> Level {
        Level { elo: elo.clamp(Level::MIN, Level::MAX) }
    }

    /// The anchors around the level, and its relative position between them, from 0 to 1.
    fn between(self) -> (&'static Anchor, &'static Anchor, f64) {
        let upper = ANCHORS.iter().position(|anchor| anchor.elo >= self.elo).unwrap_or(ANCHORS.len() - 1).max(1);
        let (low, high) = (&ANCHORS[upper - 1], &ANCHORS[upper]);
        (low, high, f64::from(self.elo - low.elo) / f64::from(high.elo - low.elo))
    }

    /// Nodes per move.
    pub fn nodes(self) -> u64 {
        let (low, high, share) = self.between();
        (low.nodes as f64 * (high.nodes as f64 / low.nodes as f64).powf(share)).round() as u64
    }

    /// The tunables with everything removed that this level does not see; its errors depend on the seed.
    pub fn weaken(self, params: &Params, seed: u64) -> Params {
        let (low, high, share) = self.between();
        let mix = |low: i32, high: i32| (f64::from(low) + f64::from(high - low) * share).round() as i32;
        Params {
            credit: params.credit && self.elo >= CREDIT_FROM,
            quiescence_reach: params.quiescence_reach.min(mix(low.reach, high.reach)),
            eval_noise: params.eval_noise.max(mix(low.noise, high.noise)),
            eval_noise_seed: (seed & i32::MAX as u64) as i32,
            ..params.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_higher_level_sees_no_less() {
        let params = Params::default();
        let levels: Vec<Level> = (Level::MIN..=Level::MAX).step_by(50).map(Level::new).collect();
        for pair in levels.windows(2) {
            let (low, high) = (pair[0].weaken(&params, 1), pair[1].weaken(&params, 1));
            assert!(pair[0].nodes() < pair[1].nodes(), "{pair:?}");
            assert!(low.eval_noise >= high.eval_noise && low.quiescence_reach <= high.quiescence_reach, "{pair:?}");
            assert!(low.credit <= high.credit);
        }
        assert_eq!(Level::new(0).weaken(&params, 1).quiescence_reach, ANCHORS[0].reach);
        // At the ends, and beyond them, the first and the last anchor; halfway between two their geometric mean.
        let nodes = [0, 1000, 1600, 2000, 9999].map(|elo| Level::new(elo).nodes());
        assert_eq!(nodes, [50, 50, 387, 4000, 1_000_000]);
        assert_eq!(Level::new(Level::MAX).weaken(&params, 0), params);
    }

    #[test]
    fn what_is_switched_off_stays_off() {
        let params = Params { credit: false, eval_noise: 500, ..Params::default() };
        let weak = Level::new(2500).weaken(&params, 3);
        assert!(!weak.credit && weak.eval_noise == 500 && weak.eval_noise_seed == 3);
    }

    #[test]
    fn dual_credit_is_used_from_a_rating_of_2000_on() {
        let credit = |elo| Level::new(elo).weaken(&Params::default(), 1).credit;
        assert_eq!([1000, 1999, 2000, 3000].map(credit), [false, false, true, true]);
    }
}
