//! How steady a line's score has been of late: whether a narrow window is worth trying.
//!
//! The author of Fischerle: where the score has swung or searches were repeated often at low depths, the higher ones
//! may as well begin with the full window; in general, where it has ranged widely over the last k moves (R. Stuckardt,
//! "Iterative Vertiefung & Aspirationsfenster-Suche"). A search knows its own iterations only, and takes those for the
//! moves. Full windows never fail, so that narrow ones come back when the score has calmed down.

use arrayvec::ArrayVec;

use crate::score::Score;

/// Fischerle: scores that lie further apart than this make the next iteration begin with the full window.
const VOLATILE: i32 = 100;
/// Fischerle's k: so many jumps of the score from one iteration to the next are looked back on.
const JUMPS: usize = 3;
/// Fischerle: so many searches repeated within as many iterations do the same. Under this policy an iteration fails
/// once at most, so that it is the greater part of them.
const MANY_RESEARCHES: u32 = 2;

/// The last iterations of a line.
#[derive(Clone, Debug, Default)]
pub(super) struct Trend {
    /// Scores in centipawns, the latest last: one more than jumps between them.
    scores: ArrayVec<i32, { JUMPS + 1 }>,
    /// Window failures of the last iterations, the latest last.
    researches: ArrayVec<u32, JUMPS>,
}

impl Trend {
    /// The same after one more iteration with this score and so many window failures.
    pub fn and(&self, score: Score, researches: u32) -> Trend {
        let mut next = self.clone();
        push_latest(&mut next.scores, score.main());
        push_latest(&mut next.researches, researches);
        next
    }

    /// Whether the scores lie far apart, or windows have failed often.
    pub fn is_volatile(&self) -> bool {
        let (least, most) = (self.scores.iter().min(), self.scores.iter().max());
        let range = most.zip(least).map_or(0, |(most, least)| most - least);
        range > VOLATILE || self.researches.iter().sum::<u32>() >= MANY_RESEARCHES
    }
}

/// Adds the latest and forgets the oldest if there is no room.
fn push_latest<T, const N: usize>(values: &mut ArrayVec<T, N>, latest: T) {
    if values.is_full() {
        values.remove(0);
    }
    values.push(latest);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether iterations with these scores and so many repeated searches were volatile.
    fn is_volatile(iterations: &[(i32, u32)]) -> bool {
        let note = |trend: Trend, &(score, researches): &(i32, u32)| trend.and(Score::cp(score), researches);
        iterations.iter().fold(Trend::default(), note).is_volatile()
    }

    #[test]
    fn the_last_jumps_together_make_a_score_volatile_not_the_last_alone() {
        assert!(!is_volatile(&[]) && !is_volatile(&[(900, 0)]));
        assert!(is_volatile(&[(0, 0), (101, 0)]) && !is_volatile(&[(0, 0), (100, 0)]));
        // None of these jumps is large, all of them are.
        assert!(is_volatile(&[(0, 0), (40, 0), (80, 0), (120, 0)]));
        assert!(!is_volatile(&[(0, 0), (40, 0), (0, 0), (40, 0)]));
        // A large one counts for as many iterations as are looked back on, and no longer.
        assert!(is_volatile(&[(0, 0), (200, 0), (200, 0), (200, 0)]));
        assert!(!is_volatile(&[(0, 0), (200, 0), (200, 0), (200, 0), (200, 0)]));
    }

    #[test]
    fn frequent_repeated_searches_make_a_score_volatile_while_they_are_recent() {
        assert!(!is_volatile(&[(0, 0), (0, 0), (0, 1)]));
        assert!(is_volatile(&[(0, 1), (0, 0), (0, 1)]) && is_volatile(&[(0, 1), (0, 1)]));
        assert!(!is_volatile(&[(0, 1), (0, 0), (0, 0), (0, 1)]) && !is_volatile(&[(0, 2), (0, 0), (0, 0), (0, 0)]));
    }
}
