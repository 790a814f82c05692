//! Where to look: the positions of a game that its players did not think decided.

use crate::lab::wdl::score_of;
use crate::pgn::PgnMove;

/// Scores beyond this are as good as mates.
const MATE: i32 = 10_000;
/// What the last move left to the other side with a higher score was won already, in centipawns.
const MOST_BEFORE: i32 = 250;
/// With a lower score it was lost.
const LEAST_BEFORE: i32 = -300;

/// How many moves of the game come before each candidate, from the comments after its moves. Where no comment has a
/// score, that is every position in which a move was made; where some have, moves without one come from a book.
pub fn candidates(moves: &[PgnMove]) -> Vec<usize> {
    let scores: Vec<Option<i32>> = moves.iter().map(|step| score(step.comments.first()?)).collect();
    if scores.iter().all(Option::is_none) {
        return (0..scores.len()).collect();
    }
    let is_open = |&ply: &usize| {
        let before = scores[ply - 1].map(|score| -score);
        scores[ply].is_some() && before.is_some_and(|before| (LEAST_BEFORE..=MOST_BEFORE).contains(&before))
    };
    (1..scores.len()).filter(is_open).collect()
}

/// The score in a comment for the side that moved, in centipawns; mates, as in `+M5/14 0.1s`, as large ones.
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

    fn of(scores: &[&str]) -> Vec<usize> {
        // Which moves they are does not matter.
        let m = Position::default().legal_moves()[0];
        let step = |score: &&str| PgnMove { m, comments: vec![format!("{score}/9 0.1s")] };
        candidates(&scores.iter().map(step).collect::<Vec<_>>())
    }

    #[test]
    fn open_positions_are_looked_at() {
        assert_eq!(of(&["+0.20", "-0.20", "+0.25", "-0.20"]), [1, 2, 3]);
        // White won in the end: Black's last move is not looked at, White's still is.
        assert_eq!(of(&["+0.20", "-0.20", "+4.00", "-4.20"]), [1, 2]);
        assert!(of(&["+3.00", "-3.00", "+9.00"]).is_empty());
        assert_eq!(of(&["+0.20", "-M4", "+M3"]), [1]);
    }

    #[test]
    fn moves_without_a_score_are_book_unless_all_are() {
        assert!(of(&["book", "book", "+3.00"]).is_empty());
        assert_eq!(of(&["", ""]), [0, 1]);
    }
}
