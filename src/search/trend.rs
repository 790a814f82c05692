//! How stable a line's score has been recently: whether a narrow window is worth trying.
//!
//! The author of Fischerle: if the score has fluctuated or re-searches were frequent at low depths, higher ones may as
//! well start with the full window; in general, if it has ranged widely over the last k moves (R. Stuckardt, "Iterative
//! Vertiefung & Aspirationsfenster-Suche"). A search only knows its own iterations, and uses those instead of moves.
//! Full windows never fail, so narrow ones return when the score has calmed down.

use arrayvec::ArrayVec;

use crate::score::Score;

/// Fischerle: if scores differ by more than this, the next iteration starts with the full window.
const VOLATILE: i32 = 100;
/// Fischerle's k: the number of jumps of the score between iterations that are considered.
const JUMPS: usize = 3;
/// Fischerle: this many re-searches within as many iterations have the same effect. With this policy an iteration fails
/// at most once, so this is the majority of them.
const MANY_RESEARCHES: u32 = 2;

/// The last iterations of a line.
#[derive(Clone, Debug, Default)]
pub(super) struct Trend {
    /// Scores in centipawns, latest last: one more than the jumps between them.
    scores: ArrayVec<i32, { JUMPS + 1 }>,
    /// Window failures of the last iterations, latest last.
    researches: ArrayVec<u32, JUMPS>,
}

impl Trend {
    /// The same after one more iteration with this score and this many window failures.
    pub fn and(&self, score: Score, researches: u32) -> Trend {
        let mut next = self.clone();
        push_latest(&mut next.scores, score.main());
        push_latest(&mut next.researches, researches);
        next
    }

    /// Whether the scores are far apart, or windows have often failed.
    pub fn is_volatile(&self) -> bool {
        let (least, most) = (self.scores.iter().min(), self.scores.iter().max());
        let range = most.zip(least).map_or(0, |(most, least)| most - least);
        range > VOLATILE || self.researches.iter().sum::<u32>() >= MANY_RESEARCHES
    }
}

/// Adds the latest and drops the oldest if there is no room.
fn push_latest<T, const N: usize>(values: &mut ArrayVec<T, N>, latest: T) {
    if values.is_full() {
        values.remove(0);
    }
    values.push(latest);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether iterations with these scores and numbers of re-searches are volatile.
    fn is_volatile(iterations: &[(i32, u32)]) -> bool {
        let note = |trend: Trend, &(score, researches): &(i32, u32)| trend.and(Score::cp(score), researches);
        iterations.iter().fold(Trend::default(), note).is_volatile()
    }

    #[test]
    fn the_last_jumps_together_make_a_score_volatile_not_the_last_alone() {
        assert!(!is_volatile(&[]) && !is_volatile(&[(900, 0)]));
        assert!(is_volatile(&[(0, 0), (101, 0)]) && !is_volatile(&[(0, 0), (100, 0)]));
        // None of these jumps is large, but their sum is.
        assert!(is_volatile(&[(0, 0), (40, 0), (80, 0), (120, 0)]));
        assert!(!is_volatile(&[(0, 0), (40, 0), (0, 0), (40, 0)]));
        // A large one counts for as many iterations as are considered, and no longer.
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
