//! Where to look: the positions of a game in which the players' own scores rose.

use crate::lab::data::match_games::score_of;
use crate::pgn::PgnMove;

/// Scores beyond this are as good as mates.
const MATE: i32 = 10_000;
/// The least immediate rise of the score, in centipawns.
const RISE: i32 = 100;
/// The least rise if it comes later: most small late rises come to nothing.
const LATE_RISE: i32 = 200;
/// If the score before was higher, the position was already won.
const MOST_BEFORE: i32 = 250;
/// If the score after the rise is lower, the position is still lost, and there is nothing to find.
const LEAST_AFTER: i32 = -150;
/// How many plies later a rise may come and still count for the position.
const HORIZON: usize = 4;

/// A position worth a search.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Moves of the game before it.
    pub ply: usize,
    /// Whether the rise came only after the move: the side to move had not seen it yet.
    pub hidden: bool,
}

/// The candidates among the positions of a game, from the comments after its moves. If no comment has a score, that is
/// every position in which a move was made; if some have, moves without one are book moves.
pub fn candidates(moves: &[PgnMove]) -> Vec<Candidate> {
    let scores: Vec<Option<i32>> = moves.iter().map(|step| score(step.comments.first()?)).collect();
    if scores.iter().all(Option::is_none) {
        return (0..scores.len()).map(|ply| Candidate { ply, hidden: false }).collect();
    }
    (1..scores.len()).filter_map(|ply| candidate(&scores, ply)).collect()
}

/// Whether the score of the side to move rose since its opponent's move, and when.
fn candidate(scores: &[Option<i32>], ply: usize) -> Option<Candidate> {
    let now = scores[ply]?;
    let before = -scores[ply - 1]?;
    let mover =
        |later: usize| scores.get(ply + later).copied().flatten().map(|s| if later.is_multiple_of(2) { s } else { -s });
    let highest = (1..=HORIZON).filter_map(mover).fold(now, i32::max);
    let hidden = now - before < RISE;
    let is_rise = !hidden || highest - before >= LATE_RISE;
    (before <= MOST_BEFORE && highest >= LEAST_AFTER && is_rise).then_some(Candidate { ply, hidden })
}

/// The score in a comment for the side that moved, in centipawns; mates, as in `+M5/14 0.1s`, as large scores.
fn score(comment: &str) -> Option<i32> {
    let comment = comment.trim();
    match comment.as_bytes() {
        [b'+', b'M', ..] => Some(MATE),
        [b'-', b'M', ..] => Some(-MATE),
        _ => score_of(comment).map(|score| score.clamp(-MATE, MATE)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;

    fn of(scores: &[&str]) -> Vec<(usize, bool)> {
        // Which move it is does not matter.
        let m = Position::default().legal_moves()[0];
        let step = |score: &&str| PgnMove { mv: m, comments: vec![format!("{score}/9 0.1s")] };
        candidates(&scores.iter().map(step).collect::<Vec<_>>())
            .into_iter()
            .map(|candidate| (candidate.ply, candidate.hidden))
            .collect()
    }

    #[test]
    fn a_rise_is_seen_at_once_or_later() {
        assert_eq!(of(&["+0.20", "-0.20", "+0.25", "-0.20"]), []);
        // Black underestimates White's chances; White sees it at once.
        assert_eq!(of(&["+0.20", "-0.20", "+1.60", "-1.70"]), [(2, false)]);
        assert_eq!(of(&["+0.20", "-0.20", "+0.30", "-0.40", "+2.30", "-2.30"]), [(2, true), (4, false)]);
        assert_eq!(of(&["+0.20", "-0.20", "+0.30", "-0.40", "+2.00", "-2.00"]), [(4, false)]);
        assert_eq!(of(&["+0.20", "-0.20", "+M5", "-M4"]), [(2, false)]);
        // What was already won is skipped.
        assert_eq!(of(&["+3.00", "-3.00", "+9.00"]), []);
        // From lost to equal is a rise too; from lost to less lost is not.
        assert_eq!(of(&["-9.00", "+9.00", "-3.00"]), []);
        assert_eq!(of(&["-3.00", "+3.00", "+0.00"]), [(2, false)]);
    }

    #[test]
    fn moves_without_a_score_are_book_unless_all_are() {
        assert_eq!(of(&["book", "book", "+3.00"]), []);
        assert_eq!(of(&["", ""]), [(0, false), (1, false)]);
    }
}
