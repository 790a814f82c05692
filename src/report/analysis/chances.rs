//! What a score is worth in points: the one place where analysis turns centipawns into chances.

use serde::Serialize;

use crate::score::{Score, ScoreKind};

/// A score of so many centipawns is worth ten times the other side's chances. Elo's own convention for ratings, with a
/// centipawn in the place of a rating point; a fit to games belongs here in its stead.
const TENFOLD: f64 = 400.0;

/// White's chances.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
pub struct Chances {
    /// The part of the point that White may expect, from 0 to 1.
    pub expected: f64,
}

/// White's chances at a score for White.
pub fn chances(score: Score) -> Chances {
    let expected = match score.kind() {
        ScoreKind::Mate(_) => f64::from(u8::from(score.is_winning())),
        ScoreKind::Centipawns(centipawns) => 1.0 / (1.0 + 10f64.powf(-f64::from(centipawns) / TENFOLD)),
    };
    // Thousandths are more than is known, and print alike everywhere.
    Chances { expected: (expected * 1000.0).round() / 1000.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_rise_with_the_score_and_mirror() {
        let expected = |score| chances(score).expected;
        assert_eq!((expected(Score::ZERO), expected(Score::cp(400))), (0.5, 0.909));
        assert_eq!((expected(Score::mating(5)), expected(Score::mated(4))), (1.0, 0.0));
        for centipawns in (0..2000).step_by(50) {
            let (better, worse) = (expected(Score::cp(centipawns)), expected(Score::cp(-centipawns)));
            assert!((better + worse - 1.0).abs() < 1e-9 && expected(Score::cp(centipawns + 50)) >= better);
        }
    }
}
