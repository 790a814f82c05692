//! Scores in the form that people and protocols use.

use std::fmt;

use super::{MAX_EVAL, Score};

/// A score as in protocols, for the side to move unless stated otherwise.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum StatedScore {
    /// Centipawns.
    Cp(i32),
    /// Mate in this many full moves; negative if the side to move is mated.
    Mate(i32),
    /// A draw with this tie-breaker, which is not zero.
    Draw(i32),
}

/// The score of a mate on the board in EPD; a mate in n plies is this minus n.
const EPD_MATE: i64 = 32_767;
/// The value of a mate on the board when scores are compared as numbers, and what each move to it costs. Mates in more
/// moves than [`FARTHEST_MATE`] count the same.
const MATE_VALUE: i32 = 1_000_000;
const MOVE_VALUE: i32 = 1000;
const FARTHEST_MATE: i32 = 900;

impl StatedScore {
    /// As one number for comparisons: any mate is beyond any centipawns, and a faster one further.
    pub fn value(self) -> i32 {
        match self {
            StatedScore::Cp(cp) => cp,
            StatedScore::Draw(_) => 0,
            StatedScore::Mate(moves) if moves > 0 => MATE_VALUE - moves.min(FARTHEST_MATE) * MOVE_VALUE,
            StatedScore::Mate(moves) => -MATE_VALUE - moves.max(-FARTHEST_MATE) * MOVE_VALUE,
        }
    }

    /// As the EPD operation `ce`.
    pub fn to_ce(self) -> i64 {
        match self {
            StatedScore::Cp(cp) => i64::from(cp),
            StatedScore::Draw(_) => 0,
            StatedScore::Mate(moves) if moves > 0 => EPD_MATE - (2 * i64::from(moves) - 1),
            StatedScore::Mate(moves) => -EPD_MATE - 2 * i64::from(moves),
        }
    }

    /// The same without a draw's tie-breaker, as other engines state it.
    pub fn without_tie(self) -> StatedScore {
        match self {
            StatedScore::Draw(_) => StatedScore::Cp(0),
            score => score,
        }
    }

    /// Whether it is a mate.
    pub fn is_mate(self) -> bool {
        matches!(self, StatedScore::Mate(_))
    }

    /// Whether it is a mate for the side that the sign of `goal` names, in at most that many moves.
    pub fn mates_within(self, goal: i32) -> bool {
        match self {
            StatedScore::Mate(moves) => moves.signum() == goal.signum() && moves.unsigned_abs() <= goal.unsigned_abs(),
            StatedScore::Cp(_) | StatedScore::Draw(_) => false,
        }
    }
}

impl From<Score> for StatedScore {
    fn from(score: Score) -> StatedScore {
        score.stated()
    }
}

/// Centipawns as pawns with two decimals and a sign.
pub fn pawns(centipawns: i32) -> String {
    let sign = if centipawns < 0 { '-' } else { '+' };
    let (whole, hundredths) = (centipawns.unsigned_abs() / 100, centipawns.unsigned_abs() % 100);
    format!("{sign}{whole}.{hundredths:02}")
}

impl fmt::Display for StatedScore {
    /// Pawns with two decimals (`+0.35`), `#3` and `#-3` for mates, `+0.00=+12` for a draw with its tie-breaker, and
    /// `+0.00=rep` for a repetition, whose tie-breaker counts plies.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            StatedScore::Mate(moves) => write!(f, "#{moves}"),
            StatedScore::Draw(tie) if tie.abs() > MAX_EVAL => f.write_str("+0.00=rep"),
            StatedScore::Draw(tie) => write!(f, "+0.00={tie:+}"),
            StatedScore::Cp(cp) => f.write_str(&pawns(cp)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use StatedScore::{Cp, Draw, Mate};

    #[test]
    fn mates_are_beyond_centipawns_and_quicker_ones_further() {
        let rising = [Mate(-1), Mate(-9), Mate(-5000), Cp(-20_000), Cp(0), Cp(20_000), Mate(30), Mate(1)];
        assert!(rising.windows(2).all(|pair| pair[0].value() < pair[1].value()));
    }

    #[test]
    fn pawns_have_two_decimals_and_a_sign() {
        assert_eq!([0, 7, -5, -134, i32::MIN].map(pawns), ["+0.00", "+0.07", "-0.05", "-1.34", "-21474836.48"]);
    }

    #[test]
    fn a_goal_is_met_by_the_same_side_in_as_many_moves() {
        assert!(Mate(2).mates_within(3) && Mate(-2).mates_within(-2));
        assert!(!Mate(4).mates_within(3) && !Mate(2).mates_within(-3) && !Cp(900).mates_within(3));
    }

    #[test]
    fn epd_counts_plies_to_the_mate() {
        assert_eq!([Cp(-7), Mate(1), Mate(2), Mate(-1)].map(StatedScore::to_ce), [-7, 32_766, 32_764, -32_765]);
    }

    #[test]
    fn a_tie_is_stated_behind_a_draw() {
        assert_eq!(
            [Cp(-5), Draw(-12), Draw(7), Draw(29_993), Draw(-29_990), Mate(-3)]
                .map(|score| score.to_string())
                .join(" "),
            "-0.05 +0.00=-12 +0.00=+7 +0.00=rep +0.00=rep #-3"
        );
        assert_eq!((Draw(-12).value(), Draw(-12).to_ce(), Draw(-12).without_tie()), (0, 0, Cp(0)));
    }
}
