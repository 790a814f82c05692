//! When one move is clearly best, and it matters.

use crate::score::StatedScore;

/// Bounds on the scores of the best and second best move, in centipawns.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Margins {
    /// The best must score at least this much more.
    pub gap: i32,
    /// The second best must not score more: if it wins too, there is nothing to find.
    pub most_next: i32,
    /// The same if the best move mates.
    pub most_next_to_mate: i32,
    /// The best must score at least this: losing more slowly is not a solution.
    pub least_best: i32,
}

impl Margins {
    /// What a position must finally satisfy.
    pub const STRICT: Margins = Margins { gap: 150, most_next: 200, most_next_to_mate: 400, least_best: -50 };
    /// What it must satisfy on the way, while scores are still uncertain.
    pub const LOOSE: Margins = Margins { gap: 75, most_next: 320, most_next_to_mate: 600, least_best: -150 };
    /// The same once they have nearly settled.
    pub const NEARLY: Margins = Margins { gap: 120, most_next: 240, most_next_to_mate: 450, least_best: -80 };

    /// Whether the best move is clearly best.
    pub fn hold(&self, best: StatedScore, next: StatedScore) -> bool {
        match (best, next) {
            (StatedScore::Mate(1..), StatedScore::Mate(next)) => next <= 0,
            (StatedScore::Mate(1..), next) => next.value() <= self.most_next_to_mate,
            (StatedScore::Mate(_), _) => false,
            (best, StatedScore::Mate(next)) => next <= 0 && best.value() >= self.least_best,
            (best, next) => {
                let (best, next) = (best.value(), next.value());
                // Another engine may state any number.
                best.saturating_sub(next) >= self.gap && next <= self.most_next && best >= self.least_best
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use StatedScore::{Cp, Mate};

    #[test]
    fn the_best_move_is_clear_and_matters() {
        for (best, next, holds) in [
            (Cp(160), Cp(10), true),
            (Cp(150), Cp(10), false),
            (Cp(900), Cp(250), false),
            (Cp(0), Cp(-300), true),
            (Cp(-200), Cp(-900), false),
            (Cp(0), Mate(-3), true),
            (Cp(-60), Mate(-3), false),
            (Mate(4), Cp(390), true),
            (Mate(4), Cp(410), false),
            (Mate(2), Mate(5), false),
            (Mate(2), Mate(-5), true),
            (Mate(-2), Mate(-1), false),
            (Cp(100), Mate(3), false),
            (Cp(i32::MAX), Cp(i32::MIN), true),
            (Cp(i32::MIN), Cp(i32::MAX), false),
        ] {
            assert_eq!(Margins::STRICT.hold(best, next), holds, "{best} {next}");
            assert!(!holds || Margins::NEARLY.hold(best, next), "{best} {next}");
            assert!(!Margins::NEARLY.hold(best, next) || Margins::LOOSE.hold(best, next), "{best} {next}");
        }
    }
}
