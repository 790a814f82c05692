//! Deliberate evaluation errors, for play at limited strength.
//!
//! Each position gets its own error, which depends only on position and seed: the same seed plays the same game again,
//! and a position is misjudged the same way wherever the search meets it, as a person would.

use crate::board::Position;
use crate::params::Params;
use crate::score::MAX_EVAL;
use crate::units::GOLDEN_RATIO;

/// Random errors of the evaluation.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Noise {
    /// The largest error in centipawns.
    amplitude: i32,
    seed: u64,
}

impl Noise {
    /// The errors that the tunables ask for, if any.
    pub fn from_params(params: &Params) -> Option<Noise> {
        let seed = u64::from(params.eval_noise_seed.unsigned_abs());
        (params.eval_noise > 0).then_some(Noise { amplitude: params.eval_noise, seed })
    }

    /// An evaluation with the position's error. Small errors are likelier than large ones.
    #[cold]
    pub(super) fn apply(self, position: &Position, centipawns: i32) -> i32 {
        // Two uniform numbers from one hash: their mean is usually near the middle.
        let mixed = (position.key() ^ self.seed.wrapping_mul(GOLDEN_RATIO)).wrapping_mul(GOLDEN_RATIO);
        let mixed = (mixed ^ mixed >> 29).wrapping_mul(GOLDEN_RATIO);
        let (first, second) = ((mixed >> 48) as i64, (mixed >> 32 & 0xffff) as i64);
        let error = i64::from(self.amplitude) * (first + second - 0xffff) / 0xffff;
        (centipawns + error as i32).clamp(-MAX_EVAL, MAX_EVAL)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{Evaluator, evaluate};

    #[test]
    fn errors_are_bounded_spread_and_bound_to_the_seed() {
        let noisy = |seed| Params { eval_noise: 100, eval_noise_seed: seed, ..Params::default() };
        let mut position = Position::default();
        let mut errors = Vec::new();
        for index in 0..300 {
            let legal = position.legal_moves();
            if legal.is_empty() {
                position = Position::default();
                continue;
            }
            position = position.play(legal[(index * 7) % legal.len()]);
            let error = |seed| Evaluator::new(&noisy(seed), None).evaluate(&position) - evaluate(&position);
            assert_eq!(error(1), error(1));
            errors.push((error(1), error(2)));
        }
        assert!(errors.iter().all(|&(error, _)| error.abs() <= 100));
        assert!(errors.iter().filter(|(one, two)| one == two).count() < errors.len() / 10);
        let mean = errors.iter().map(|&(error, _)| error).sum::<i32>() / errors.len() as i32;
        assert!(mean.abs() < 15, "{mean}");
        assert!(errors.iter().any(|&(error, _)| error > 50) && errors.iter().any(|&(error, _)| error < -50));
    }

    #[test]
    fn there_are_none_at_full_strength() {
        assert_eq!(Noise::from_params(&Params::default()), None);
    }
}
