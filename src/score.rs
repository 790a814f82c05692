//! Two-part scores and search windows.
//!
//! Deep Blue's scores were two 16-bit integers: the regular score, and a tie-breaker that chooses between draws
//! (Campbell, Hoane, Hsu, "Deep Blue", 2002, section 4.3). [`Score`] packs both into one `i32`, so that order,
//! negation and windows stay integer operations: the main part decides, and the tie-breaker decides between equal
//! main parts. Only draws carry a tie-breaker.
//!
//! The paper's tie-breaker of a repetition is the count of moves to it, positive if the machine strives for a draw.
//! Here it falls with the plies and is larger than any evaluation, so that the side that strives takes a repetition
//! sooner rather than later, and rather than another draw.
//!
//! Laws (property-tested below): scores are totally ordered by (main, tie); `-(-s) == s`; packing round-trips; mate
//! scores order by distance; the ply adjustment into and out of the transposition table round-trips; no arithmetic
//! leaves the range.

mod stated;

use std::fmt;
use std::ops::Neg;

pub use stated::{StatedScore, pawns};

use crate::units::{MAX_PLY, PERCENT, Ply};

/// The weight of one unit of the main part; the tie-breaker has the 16 bits below.
const MAIN_UNIT: i32 = 1 << 16;

/// Main part of a mate at the root; a mate `n` plies away is `MATE - n`.
const MATE: i32 = 32_000;
/// Main part of a tablebase win at the root; `n` plies away it is `TABLEBASE - n`.
const TABLEBASE: i32 = 28_000;
/// Bound of every window: beyond any score.
const INFINITY: i32 = 32_600;
/// Largest static evaluation in centipawns; also the largest tie-breaker of a theoretical draw.
pub const MAX_EVAL: i32 = 20_000;
/// Tie-breakers of repetitions are beyond those of theoretical draws, so that the two can be told apart.
const REPETITION_TIE: i32 = 30_000;

const _: () = assert!(MATE - MAX_PLY > TABLEBASE && TABLEBASE - MAX_PLY > MAX_EVAL);
const _: () = assert!(REPETITION_TIE - 2 * MAX_PLY > MAX_EVAL && REPETITION_TIE <= i16::MAX as i32);
const _: () = assert!(INFINITY > MATE && INFINITY < i16::MAX as i32);

/// A search score from the side to move's point of view: a main part in centipawns (or a mate or tablebase
/// distance) above a tie-breaker between draws.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(i32);

/// The kind of draw, with what its tie-breaker needs.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Draw {
    /// Dead material, fifty moves, stalemate, or a tablebase draw: the tie-breaker is the static evaluation, in
    /// centipawns for the side to move, and 1 if that is 0.
    Theoretical {
        /// Static evaluation in centipawns, for the side to move.
        static_eval: i32,
    },
    /// A repetition: the tie-breaker depends on the plies to it.
    Repetition {
        /// Plies from the root to the repeated position.
        ply: Ply,
        /// Whether the side to move wants the draw (otherwise its opponent does).
        striving: bool,
    },
}

impl Score {
    /// An equal score that is not a draw.
    pub const ZERO: Score = Score(0);
    /// Above every score.
    pub const INFINITY: Score = Score::from_parts(INFINITY, 0);

    /// The score with this main part and tie-breaker.
    const fn from_parts(main: i32, tie: i32) -> Score {
        Score(main * MAIN_UNIT + tie)
    }

    /// A score in centipawns, clamped to the range of static evaluations.
    pub const fn cp(centipawns: i32) -> Score {
        Score::from_parts(clamp(centipawns, MAX_EVAL), 0)
    }

    /// The side to move is mated here, `ply` plies from the root.
    pub const fn mated(ply: Ply) -> Score {
        Score::from_parts(-MATE + ply, 0)
    }

    /// The side to move gives mate `ply` plies from the root.
    pub const fn mating(ply: Ply) -> Score {
        Score::from_parts(MATE - ply, 0)
    }

    /// The side to move wins by tablebase, seen `ply` plies from the root.
    pub const fn tablebase_win(ply: Ply) -> Score {
        Score::from_parts(TABLEBASE - ply, 0)
    }

    /// The score of a draw: the one place where draws of every kind get their value.
    ///
    /// Both sides see the same value with opposite signs. The side that wants a repetition gets a positive tie-breaker
    /// that decreases with the distance, so that it wants the repetition sooner and the other side later. A tie-breaker
    /// is never 0: that would be the score of an equal position.
    pub const fn draw(draw: Draw) -> Score {
        match draw {
            Draw::Theoretical { static_eval: 0 } => Score::from_parts(0, 1),
            Draw::Theoretical { static_eval } => Score::from_parts(0, clamp(static_eval, MAX_EVAL)),
            Draw::Repetition { ply, striving } => {
                let tie = REPETITION_TIE - ply;
                Score::from_parts(0, if striving { tie } else { -tie })
            }
        }
    }

    /// The main part: centipawns, or the encoding of a mate or tablebase distance.
    pub const fn main(self) -> i32 {
        (self.0 - self.tie()) / MAIN_UNIT
    }

    /// The tie-breaker between draws; zero for any other score but bounds of null windows.
    pub const fn tie(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The packed form, for storage.
    pub const fn to_bits(self) -> i32 {
        self.0
    }

    /// The score with this packed form; clamped to the range, so that a damaged word stays within it.
    pub const fn from_bits(bits: i32) -> Score {
        Score(clamp(bits, Score::INFINITY.0))
    }

    /// This score moved by a number of centipawns, without its tie-breaker and within the window's range.
    pub const fn offset(self, centipawns: i32) -> Score {
        Score::from_parts(clamp(self.main() + centipawns, INFINITY), 0)
    }

    /// The next score above, for null windows.
    pub const fn next_up(self) -> Score {
        Score(self.0 + 1)
    }

    /// Whether this is a forced mate for either side.
    pub const fn is_mate(self) -> bool {
        self.main().abs() >= MATE - MAX_PLY
    }

    /// Whether this is a mate or a tablebase result for either side: a score that no margin should move.
    pub const fn is_decisive(self) -> bool {
        self.main().abs() > MAX_EVAL
    }

    /// Whether this is a forced win for the side to move, by mate or by tablebase.
    pub const fn is_winning(self) -> bool {
        self.main() > MAX_EVAL
    }

    /// Whether this is a forced loss for the side to move, by mate or by tablebase.
    pub const fn is_losing(self) -> bool {
        self.main() < -MAX_EVAL
    }

    /// What this score, at least a bound, is worth if only so many percent of the excess count: at least a centipawn,
    /// since the bound of a null window has a tie-breaker, and at 0 would pass for a draw. A score above it by its
    /// tie-breaker only stays.
    pub fn tempered(self, bound: Score, percent: i32) -> Score {
        let excess = self.main() - bound.main();
        if excess < 1 {
            return self;
        }
        let counted = (excess * percent + PERCENT - 1) / PERCENT;
        Score::cp(bound.main() + counted.max(1))
    }

    /// Whether this is the score of a draw. Bounds beside other scores may have a tie-breaker, too.
    pub const fn is_draw(self) -> bool {
        self.main() == 0 && self.tie() != 0
    }

    /// Whether this is the score of a repetition, which depends on the path and must not be stored in the table.
    pub const fn is_repetition(self) -> bool {
        self.main() == 0 && self.tie().abs() > MAX_EVAL
    }

    /// Plies from the root to the mate, if this is one.
    pub const fn mate_distance(self) -> Option<Ply> {
        if self.is_mate() { Some(MATE - self.main().abs()) } else { None }
    }

    /// Whether it is a mate in this many moves or fewer, for either side.
    pub fn is_mate_in(self, moves: i32) -> bool {
        self.mate_distance().is_some_and(|distance| (distance + 1) / 2 <= moves)
    }

    /// The score as people and protocols state it.
    pub const fn stated(self) -> StatedScore {
        match self.mate_distance() {
            Some(plies) if self.0 > 0 => StatedScore::Mate((plies + 1) / 2),
            // From the side that just moved, a mate against it is an odd number of plies away.
            Some(plies) => StatedScore::Mate(-((plies + 1) / 2)),
            None if self.is_draw() => StatedScore::Draw(self.tie()),
            None => StatedScore::Cp(self.main()),
        }
    }

    /// For the table: distances relative to this node instead of the root.
    pub const fn to_table(self, ply: Ply) -> Score {
        self.shift_distance(ply)
    }

    /// From the table: distances relative to the root again.
    pub const fn from_table(self, ply: Ply) -> Score {
        self.shift_distance(-ply)
    }

    /// Moves a decisive score away from zero by `plies`.
    const fn shift_distance(self, plies: Ply) -> Score {
        let main = self.main();
        if main > MAX_EVAL && main < INFINITY {
            Score::from_parts(clamp(main + plies, MATE), 0)
        } else if main < -MAX_EVAL && main > -INFINITY {
            Score::from_parts(clamp(main - plies, MATE), 0)
        } else {
            self
        }
    }
}

impl Neg for Score {
    type Output = Score;
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Score {
    /// As [`StatedScore`] has it, without the tie-breaker.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.stated().without_tie().fmt(f)
    }
}

/// `value` clamped to `-limit..=limit`.
const fn clamp(value: i32, limit: i32) -> i32 {
    if value > limit {
        limit
    } else if value < -limit {
        -limit
    } else {
        value
    }
}

/// A search window: a score is exact only strictly between `alpha` and `beta`.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Window {
    /// What the side to move has already secured.
    pub alpha: Score,
    /// What its opponent has already secured, from the side to move's view.
    pub beta: Score,
}

impl Window {
    /// The whole range of scores.
    pub const FULL: Window = Window { alpha: Score(-Score::INFINITY.0), beta: Score::INFINITY };

    /// The null window just above `alpha`: it only asks whether the score exceeds `alpha`.
    pub const fn null(alpha: Score) -> Window {
        Window { alpha, beta: alpha.next_up() }
    }

    /// The null window just below `bound`: it only asks whether the score reaches it.
    pub const fn reaching(bound: Score) -> Window {
        Window { alpha: Score(bound.0 - 1), beta: bound }
    }

    /// The window from the opponent's view.
    pub fn flip(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }

    /// Whether the window is null: no score lies strictly inside.
    pub const fn is_null(self) -> bool {
        self.beta.0 == self.alpha.0 + 1
    }

    /// Whether `score` lies strictly inside, so that it is exact.
    pub fn contains(self, score: Score) -> bool {
        self.alpha < score && score < self.beta
    }

    /// The same window with a raised lower bound.
    pub const fn raised(self, alpha: Score) -> Window {
        Window { alpha, beta: self.beta }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Every kind of score a search can produce.
    fn scores() -> impl Strategy<Value = Score> {
        prop_oneof![
            (-MAX_EVAL..=MAX_EVAL).prop_map(Score::cp),
            (0..MAX_PLY).prop_map(Score::mated),
            (0..MAX_PLY).prop_map(Score::mating),
            (0..MAX_PLY).prop_map(Score::tablebase_win),
            (0..MAX_PLY).prop_map(|ply| -Score::tablebase_win(ply)),
            any::<i16>().prop_map(|e| Score::draw(Draw::Theoretical { static_eval: i32::from(e) })),
            (0..MAX_PLY, any::<bool>()).prop_map(|(ply, striving)| Score::draw(Draw::Repetition { ply, striving })),
            Just(Score::INFINITY),
            Just(-Score::INFINITY),
        ]
    }

    #[test]
    fn of_a_tempered_score_a_share_of_the_excess_counts_rounded_up() {
        let (score, bound) = (Score::cp(301), Score::cp(-100));
        assert_eq!([100, 75, 50, 0].map(|percent| score.tempered(bound, percent).main()), [301, 201, 101, -99]);
        let (beside, above) = (bound.next_up(), bound.next_up().next_up());
        assert_eq!((bound.tempered(bound, 50), above.tempered(beside, 50)), (bound, above), "no centipawn more");
    }

    proptest! {
        #[test]
        fn a_tempered_score_is_above_the_bound_no_better_and_no_draw(
            excess in 1..=2 * MAX_EVAL, bound in -MAX_EVAL..MAX_EVAL, percent in 0..=PERCENT,
        ) {
            let score = Score::cp((bound + excess).min(MAX_EVAL));
            // As null windows have them, for either side.
            for bound in [Score::cp(bound), Score::cp(bound).next_up(), -(-Score::cp(bound)).next_up()] {
                let tempered = score.tempered(bound, percent);
                prop_assert!(bound < tempered && tempered <= score && !tempered.is_draw());
            }
        }

        #[test]
        fn order_is_main_then_tie(a in scores(), b in scores()) {
            prop_assert_eq!(a.cmp(&b), (a.main(), a.tie()).cmp(&(b.main(), b.tie())));
        }

        #[test]
        fn negation_is_an_involution_and_reverses_order(a in scores(), b in scores()) {
            prop_assert_eq!(-(-a), a);
            prop_assert_eq!((-a).main(), -a.main());
            prop_assert_eq!((-a).tie(), -a.tie());
            prop_assert_eq!(a.cmp(&b), (-b).cmp(&-a));
        }

        #[test]
        fn packing_round_trips(a in scores()) {
            prop_assert_eq!(Score::from_bits(a.to_bits()), a);
            prop_assert_eq!(Score::from_parts(a.main(), a.tie()), a);
        }

        #[test]
        fn any_bits_stay_in_range(bits in any::<i32>()) {
            let score = Score::from_bits(bits);
            prop_assert!(score <= Score::INFINITY && score >= -Score::INFINITY);
        }

        #[test]
        fn table_adjustment_round_trips(a in scores(), ply in 0..MAX_PLY) {
            // A mate cannot be closer to the root than the node that sees it.
            prop_assume!(a.mate_distance().is_none_or(|d| d >= ply) );
            prop_assert_eq!(a.to_table(ply).from_table(ply), a);
        }

        #[test]
        fn both_sides_tell_the_table_the_same_distance(a in scores(), ply in 0..MAX_PLY) {
            prop_assert_eq!((-a).to_table(ply), -a.to_table(ply));
            prop_assert_eq!((-a).from_table(ply), -a.from_table(ply));
        }

        #[test]
        fn arithmetic_stays_in_range(a in scores(), margin in -100_000i32..100_000) {
            let moved = a.offset(margin);
            prop_assert!(moved <= Score::INFINITY && moved >= -Score::INFINITY);
            prop_assert_eq!(moved.tie(), 0);
        }

        #[test]
        fn windows_flip_and_null(a in scores(), b in scores()) {
            prop_assume!(a < b);
            let window = Window { alpha: a, beta: b };
            prop_assert_eq!(window.flip().flip(), window);
            prop_assert!(!Window::null(a).contains(a));
            prop_assert!(Window::null(a).is_null());
        }

        #[test]
        fn nearer_mates_are_better(near in 0..MAX_PLY - 1, gap in 1..10) {
            prop_assert!(Score::mating(near) > Score::mating(near + gap));
            prop_assert!(Score::mated(near) < Score::mated(near + gap));
        }

        #[test]
        fn a_draw_is_zero_sum_and_repetitions_are_told_apart(ply in 0..MAX_PLY, eval in any::<i16>()) {
            let striver = Score::draw(Draw::Repetition { ply, striving: true });
            prop_assert_eq!(-striver, Score::draw(Draw::Repetition { ply, striving: false }));
            prop_assert!(striver.is_repetition());
            let theoretical = Score::draw(Draw::Theoretical { static_eval: i32::from(eval) });
            prop_assert!(!theoretical.is_repetition());
        }
    }

    #[test]
    fn a_draw_is_told_from_an_equal_position_whatever_its_evaluation() {
        for (static_eval, tie) in [(-1, -1), (0, 1), (1, 1)] {
            let draw = Score::draw(Draw::Theoretical { static_eval });
            assert_eq!(draw.stated(), StatedScore::Draw(tie));
        }
        assert_eq!(Score::ZERO.stated(), StatedScore::Cp(0));
    }

    #[test]
    fn the_striver_wants_it_sooner_and_the_other_side_later() {
        let at = |ply, striving| Score::draw(Draw::Repetition { ply, striving });
        assert!(at(4, true) > at(8, true));
        assert!(at(4, false) < at(8, false));
        assert!(at(4, true) > Score::ZERO && at(4, false) < Score::ZERO);
        assert!(at(4, true) < Score::cp(1) && at(4, false) > Score::cp(-1));
    }

    #[test]
    fn mates_are_named_in_moves() {
        assert_eq!(Score::mating(1).stated(), StatedScore::Mate(1));
        assert_eq!(Score::mating(5).stated(), StatedScore::Mate(3));
        assert_eq!(Score::mated(2).stated(), StatedScore::Mate(-1));
        assert_eq!((-Score::mating(1)).stated(), StatedScore::Mate(-1));
        assert_eq!(Score::mated(0).stated(), StatedScore::Mate(0));
        assert_eq!(Score::cp(-35).to_string(), "-0.35");
        assert_eq!(Score::mating(3).to_string(), "#2");
    }
}
