//! Draws inside the search, all scored through [`Score::draw`], and how the table is kept from missing them.

use super::state::Search;
use crate::board::{Position, Repetition, is_fifty_moves};
use crate::score::{Draw, Score};
use crate::units::{GOLDEN_RATIO, Ply};

/// Plies without progress from which the fifty-move rule may decide within a search.
const LATE: u32 = 60;

/// The key of a position in the transposition table.
///
/// What a position is worth depends on the plies left to the fifty-move draw, which its key does not tell: a win with
/// time to spare is a draw in the same position near the limit (the graph-history interaction; Campbell 1985). Once a
/// search may reach the limit, positions share an entry only if they are equally far from it. Below that count a line
/// would have to be forty plies long to reach it.
pub(super) fn table_key(position: &Position) -> u64 {
    let halfmoves = position.halfmoves();
    if halfmoves < LATE { position.key() } else { position.key() ^ GOLDEN_RATIO.wrapping_mul(u64::from(halfmoves)) }
}

impl Search<'_> {
    /// The score of a position that is drawn by the rules or repeats an earlier one, or `None`.
    pub(super) fn draw_score(&mut self, position: &Position, ply: Ply) -> Option<Score> {
        if position.is_dead() || self.is_drawn_by_fifty_moves(position) {
            return Some(self.theoretical_draw(position));
        }
        if self.path.keys.repetition(position).is_some_and(|kind| self.is_drawn_by(kind)) {
            let striving = self.root.striver == position.turn();
            return Some(Score::draw(Draw::Repetition { ply, striving }));
        }
        None
    }

    /// The draw available to the side to move because its next move can repeat a position, if that reaches `beta`.
    /// Elo: +6 ± 8 (`upcoming_repetition`)
    pub(super) fn draw_in_hand(&self, position: &Position, beta: Score, ply: Ply) -> Option<Score> {
        if !self.task.params.upcoming_repetition {
            return None;
        }
        let striving = self.root.striver != position.turn();
        let draw = -Score::draw(Draw::Repetition { ply: ply + 1, striving });
        let can_repeat = || self.path.keys.can_repeat(position, self.task.reversible, |kind| self.is_drawn_by(kind));
        (draw >= beta && can_repeat()).then_some(draw)
    }

    /// Whether a repetition of this kind counts as a draw.
    fn is_drawn_by(&self, kind: Repetition) -> bool {
        kind == Repetition::Threefold || self.task.params.repetition_in_search
    }

    /// How many plies ago the side that just moved could have reached the position with a single move, if it could: the
    /// last moves made no progress, and that move is searched deeper (paper, section 4.3, "no progress"). At a root of
    /// which not all moves are searched it may be one of the others; then nobody would see what it leads to. In a test
    /// of alternatives it may be the tested move, which is left out there: others that only come later to the same
    /// position count as below the bound, however good it is.
    /// Elo: -4 ± 23 (`no_progress`)
    pub(super) fn makes_no_progress_since(&self, position: &Position, ply: Ply) -> Option<Ply> {
        if !self.task.params.no_progress {
            return None;
        }
        let plies = self.path.keys.could_have_come_sooner(position, self.task.reversible)?;
        (plies < ply || !self.root.rank.is_restricted).then_some(plies)
    }

    /// A theoretical draw; the static evaluation decides between several.
    pub(super) fn theoretical_draw(&mut self, position: &Position) -> Score {
        Score::draw(Draw::Theoretical { static_eval: self.path.evaluator.evaluate_drawn(position) })
    }

    /// Draws by the fifty-move rule, unless the last move gave mate.
    fn is_drawn_by_fifty_moves(&self, position: &Position) -> bool {
        is_fifty_moves(position) && !position.is_checkmate()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_near_the_fifty_move_limit_share_an_entry_only_at_the_same_distance() {
        let at =
            |halfmoves: u32| Position::from_fen(&format!("8/8/8/3k4/8/8/8/K6R w - - {halfmoves} 90"), false).unwrap();
        let keys = [0, 59, 60, 61, 99].map(|halfmoves| table_key(&at(halfmoves)));
        assert_eq!((keys[0], keys[1]), (at(0).key(), at(0).key()));
        // Forty plies before the limit and later.
        assert!((1..keys.len() - 1).all(|index| !keys[index + 1..].contains(&keys[index])), "{keys:x?}");
    }
}
