//! How much of its planned time a search deserves: less where the best move is settled, more where it changes, where
//! few of the nodes went into it, or where the score falls. Deep Blue's "panic time" began at a drop of 15 points
//! (paper, section 4.3).

use crate::board::Move;
use crate::params::Params;

/// Percentages are of this.
const FULL: i32 = 100;
/// Iterations with the same best move after which it counts as settled.
const SETTLED: i32 = 5;

/// What the iterations so far say about the time to take.
#[derive(Clone, Debug, Default)]
pub(super) struct Pace {
    best: Option<Move>,
    /// Iterations on end with the same best move.
    stable: i32,
    last_score: Option<i32>,
    /// Centipawns by which the score fell in the last iteration.
    drop: i32,
    /// The share of all nodes that went into the best move, in percent.
    effort: i32,
}

impl Pace {
    /// An iteration is finished with this best move, score in centipawns, and share of the nodes in percent.
    pub fn note(&mut self, best: Move, score: i32, effort: i32) {
        self.stable = if self.best == Some(best) { self.stable + 1 } else { 0 };
        self.best = Some(best);
        self.drop = self.last_score.map_or(0, |last| (last - score).max(0));
        self.last_score = Some(score);
        self.effort = effort.clamp(0, FULL);
    }

    /// The time to take, in percent of the plan.
    pub fn percent(&self, params: &Params) -> i32 {
        let mut percent = FULL;
        if params.pace_stability {
            let unsettled = (SETTLED - self.stable).max(0);
            percent = percent * (params.pace_settled + unsettled * params.pace_unsettled) / FULL;
        }
        if params.pace_effort {
            percent = percent * (params.pace_effort_base - self.effort) / FULL;
        }
        if params.pace_panic && self.drop >= params.panic_drop {
            percent = percent * (FULL + self.drop.min(params.panic_most)) / FULL;
        }
        percent.max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;

    #[test]
    fn settled_moves_take_less_time_and_falling_scores_more() {
        let params = Params::default();
        let moves = Position::default().legal_moves();
        let mut settled = Pace::default();
        (0..10).for_each(|_| settled.note(moves[0], 20, 90));
        let mut changing = Pace::default();
        (0..10).for_each(|index| changing.note(moves[index % 2], 20, 90));
        let mut spread = settled.clone();
        spread.note(moves[0], 20, 30);
        let mut falling = settled.clone();
        falling.note(moves[0], -20, 90);
        let quiet = settled.percent(&params);
        assert!(quiet < 100);
        for other in [&changing, &spread, &falling] {
            assert!(other.percent(&params) > quiet);
        }
        let mut dip = settled.clone();
        dip.note(moves[0], 20 - params.panic_drop + 1, 90);
        assert_eq!(dip.percent(&params), quiet);
    }
}
