//! What kind of tactic a position shows, by the solution's line and the scores.

use crate::board::{Move, Position, is_noisy, role_value, see};
use crate::params::choice;
use crate::score::StatedScore;

choice! {
    /// A kind of tactic.
    Theme {
        /// Material is given up temporarily.
        Sacrifice = "sacrifice",
        /// The solution is not a capture, promotion or check.
        QuietMove = "quiet move",
        /// Every other move loses, this one holds.
        Defence = "defence",
        /// A pawn promotes in the line.
        Promotion = "promotion",
        /// The solution mates.
        Mate = "mate",
        /// None of these: material is won by direct force.
        Material = "material",
    }
}

/// A sacrifice must lose at least this much by exchange on the first move, or leave the line down by this much for a
/// while.
const GIVEN: i32 = 150;
/// A promotion within this many plies is part of the idea.
const IDEA_PLIES: usize = 11;
/// A score below this is lost.
const LOST: i32 = -200;
/// A score above this is more than a defence.
const MORE_THAN_HELD: i32 = 150;

/// The themes of a position, by the solution's line and the scores of the best and second best move; at least one if
/// the line has a move.
pub fn themes(position: &Position, line: &[Move], score: StatedScore, next_score: StatedScore) -> Vec<Theme> {
    let Some(&first) = line.first() else { return Vec::new() };
    let is = |theme: &Theme| match theme {
        Theme::Sacrifice => see(position, first) <= -GIVEN || is_down(line),
        Theme::QuietMove => !is_noisy(first) && !position.play(first).in_check(),
        Theme::Defence => next_score.value() <= LOST && score.value() < MORE_THAN_HELD,
        Theme::Promotion => line.iter().take(IDEA_PLIES).step_by(2).any(|m| m.promotion().is_some()),
        Theme::Mate => matches!(score, StatedScore::Mate(1..)),
        Theme::Material => false,
    };
    let mut themes: Vec<Theme> = Theme::ALL.into_iter().filter(is).collect();
    if themes.is_empty() {
        themes.push(Theme::Material);
    }
    themes
}

/// Whether the side to move has lost more than it captured by its second move.
fn is_down(line: &[Move]) -> bool {
    /// The move, the answer, and the next move.
    const PLIES: usize = 3;
    let taken = |m: &Move| m.capture().map_or(0, role_value);
    let balance = |(ply, m)| if ply == 1 { -taken(m) } else { taken(m) };
    line.len() >= PLIES && line.iter().take(PLIES).enumerate().map(balance).sum::<i32>() <= -GIVEN
}

#[cfg(test)]
mod tests {
    use super::*;
    use StatedScore::{Cp, Mate};

    fn of(fen: &str, line: &str, score: StatedScore, next: StatedScore) -> Vec<&'static str> {
        let start = Position::from_fen(fen, false).unwrap();
        let mut position = start.clone();
        let mut moves = Vec::new();
        for san in line.split(' ') {
            let m = position.parse_san(san).unwrap();
            moves.push(m);
            position = position.play(m);
        }
        themes(&start, &moves, score, next).into_iter().map(Theme::name).collect()
    }

    #[test]
    fn a_queen_given_for_mate_is_a_sacrifice() {
        let opera = "4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - 0 1";
        assert_eq!(of(opera, "Qb8+ Nxb8 Rd8#", Mate(2), Cp(200)), ["sacrifice", "mate"]);
    }

    #[test]
    fn an_exchange_that_comes_back_at_once_is_none() {
        // Queens are traded; nothing is sacrificed.
        let queens = "3qk3/8/8/8/8/8/8/3QK2R w - - 0 1";
        assert_eq!(of(queens, "Qxd8+ Kxd8 Rh8+", Cp(500), Cp(0)), ["material"]);
        // The material won stays won.
        let rooks = "3r2k1/4nppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";
        assert_eq!(of(rooks, "Rxd8#", Mate(1), Cp(0)), ["mate"]);
    }

    #[test]
    fn quiet_moves_and_defences() {
        let opposition = "8/8/8/4k3/8/4K3/4P3/8 b - - 0 1";
        assert_eq!(of(opposition, "Kd5", Cp(0), Cp(-600)), ["quiet move", "defence"]);
        assert_eq!(of(opposition, "Kd5", Cp(400), Mate(-5)), ["quiet move"]);
    }

    #[test]
    fn promotions_of_the_solving_side_count() {
        let race = "8/2P5/8/8/8/6k1/K5p1/8 w - - 0 1";
        assert_eq!(of(race, "c8=Q g1=Q Qc7+", Cp(0), Cp(-900)), ["defence", "promotion"]);
        // The other side's promotions do not count, nor are they sacrifices.
        let late = "8/8/2P5/8/8/6k1/6p1/K7 w - - 0 1";
        assert_eq!(of(late, "c7 g1=Q+ Kb2", Cp(0), Cp(-50)), ["quiet move"]);
        assert!(themes(&Position::default(), &[], Cp(0), Cp(0)).is_empty());
    }
}
