//! Scores in the form that people and protocols use.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Score;

/// A score as in protocols, for the side to move unless stated otherwise.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ScoreKind {
    /// Centipawns.
    Cp(i32),
    /// Mate in this many full moves; negative if the side to move is mated.
    Mate(i32),
}

/// The same with the tie-breaker of a draw.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StatedScore {
    /// Centipawns or a mate.
    #[serde(flatten)]
    pub kind: ScoreKind,
    /// The tie-breaker; zero unless the score is that of a draw.
    pub tie: i32,
}

/// The score of a mate on the board in EPD; a mate in n plies is this minus n.
const EPD_MATE: i64 = 32_767;
/// The value of a mate on the board when scores are compared as numbers, and what each move to it costs. Mates in more
/// moves than [`FARTHEST_MATE`] count the same.
const MATE_VALUE: i32 = 1_000_000;
const MOVE_VALUE: i32 = 1000;
const FARTHEST_MATE: i32 = 900;

impl ScoreKind {
    /// As one number for comparisons: any mate is beyond any centipawns, and a faster one further.
    pub fn value(self) -> i32 {
        match self {
            ScoreKind::Cp(cp) => cp,
            ScoreKind::Mate(moves) if moves > 0 => MATE_VALUE - moves.min(FARTHEST_MATE) * MOVE_VALUE,
            ScoreKind::Mate(moves) => -MATE_VALUE - moves.max(-FARTHEST_MATE) * MOVE_VALUE,
        }
    }

    /// As the EPD operation `ce`.
    pub fn to_ce(self) -> i64 {
        match self {
            ScoreKind::Cp(cp) => i64::from(cp),
            ScoreKind::Mate(moves) if moves > 0 => EPD_MATE - (2 * i64::from(moves) - 1),
            ScoreKind::Mate(moves) => -EPD_MATE - 2 * i64::from(moves),
        }
    }

    /// Whether it is a mate.
    pub fn is_mate(self) -> bool {
        matches!(self, ScoreKind::Mate(_))
    }

    /// Whether it is a mate for the side that the sign of `goal` names, in at most that many moves.
    pub fn mates_within(self, goal: i32) -> bool {
        match self {
            ScoreKind::Mate(moves) => moves.signum() == goal.signum() && moves.unsigned_abs() <= goal.unsigned_abs(),
            ScoreKind::Cp(_) => false,
        }
    }
}

impl From<Score> for ScoreKind {
    fn from(score: Score) -> ScoreKind {
        score.kind()
    }
}

impl From<Score> for StatedScore {
    fn from(score: Score) -> StatedScore {
        StatedScore { kind: score.kind(), tie: score.tie() }
    }
}

impl fmt::Display for ScoreKind {
    /// Pawns with two decimals (`+0.35`), or `#3` and `#-3` for mates.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            ScoreKind::Mate(moves) => write!(f, "#{moves}"),
            ScoreKind::Cp(cp) => {
                let sign = if cp < 0 { '-' } else { '+' };
                write!(f, "{sign}{}.{:02}", cp.unsigned_abs() / 100, cp.unsigned_abs() % 100)
            }
        }
    }
}

impl fmt::Display for StatedScore {
    /// As [`ScoreKind`], with `=+12` after a draw's zero.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)?;
        match (self.kind, self.tie) {
            (ScoreKind::Mate(_), _) | (_, 0) => Ok(()),
            (ScoreKind::Cp(_), tie) => write!(f, "={tie:+}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ScoreKind::{Cp, Mate};

    #[test]
    fn mates_are_beyond_centipawns_and_quicker_ones_further() {
        let rising = [Mate(-1), Mate(-9), Mate(-5000), Cp(-20_000), Cp(0), Cp(20_000), Mate(30), Mate(1)];
        assert!(rising.windows(2).all(|pair| pair[0].value() < pair[1].value()));
    }

    #[test]
    fn a_goal_is_met_by_the_same_side_in_as_many_moves() {
        assert!(Mate(2).mates_within(3) && Mate(-2).mates_within(-2));
        assert!(!Mate(4).mates_within(3) && !Mate(2).mates_within(-3) && !Cp(900).mates_within(3));
    }

    #[test]
    fn epd_counts_plies_to_the_mate() {
        assert_eq!([Cp(-7), Mate(1), Mate(2), Mate(-1)].map(ScoreKind::to_ce), [-7, 32_766, 32_764, -32_765]);
    }

    #[test]
    fn a_tie_is_stated_behind_a_draw() {
        let stated = |kind, tie| StatedScore { kind, tie }.to_string();
        assert_eq!([stated(Cp(-5), 0), stated(Cp(0), -12), stated(Mate(-3), 0)], ["-0.05", "+0.00=-12", "#-3"]);
    }
}
