//! What earlier cutoffs say about moves: butterfly, continuation and capture histories, counter-moves (Schaeffer 1989,
//! "The History Heuristic and Alpha-Beta Search Enhancements in Practice", and its descendants).

use crate::board::{Color, Move, PackedMove, Position, Role, move_target};
use crate::params::Params;
use crate::units::{Depth, Ply};

/// The bound of every history value. An update moves a value towards the bonus's sign by `bonus - value * |bonus| /
/// BOUND`; with `|bonus| <= BOUND` the result is a weighted mean of `value` and `±BOUND`, so it cannot leave the range.
const BOUND: i32 = 16_384;
const SQUARES: usize = 64;
const ROLES: usize = 6;
/// Piece kinds of both colours times squares.
const MOVE_INDICES: usize = 2 * ROLES * SQUARES;
/// Stands for the preceding move if there was none: a row of zeros that is never updated.
const NO_MOVE: usize = MOVE_INDICES;

/// How many plies back continuation histories look; the correction history uses the first two.
pub(super) const LOOK_BACK: [Ply; 3] = [1, 2, 4];

/// The moves made that many plies before; `None` if there was none.
pub(super) type Earlier = [Option<MoveIndex>; LOOK_BACK.len()];

/// A moved piece and its target square: the index of a continuation history.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct MoveIndex(u16);

impl MoveIndex {
    /// The index of a move by a colour.
    pub fn new(color: Color, m: Move) -> MoveIndex {
        let piece = color as usize * ROLES + m.role() as usize - 1;
        MoveIndex((piece * SQUARES + move_target(m).to_usize()) as u16)
    }

    /// How many pairs of moves there are.
    pub const PAIRS: usize = MOVE_INDICES * MOVE_INDICES;

    /// The index of the pair of this move and the preceding one.
    pub fn after(self, before: MoveIndex) -> usize {
        before.get() * MOVE_INDICES + self.get()
    }

    fn get(self) -> usize {
        usize::from(self.0)
    }
}

/// The histories of one worker, kept from search to search within a game.
pub(super) struct Histories {
    butterfly: Vec<i16>,
    continuation: Vec<i16>,
    captures: Vec<i16>,
    counter_moves: Vec<PackedMove>,
}

/// The histories for one node's quiet moves.
#[derive(Copy, Clone)]
pub(super) struct QuietHistory<'a> {
    color: Color,
    butterfly: &'a [i16],
    /// By the moves [`LOOK_BACK`] plies before; zeros if there was none.
    continuations: [&'a [i16]; LOOK_BACK.len()],
}

impl QuietHistory<'_> {
    /// The history score of a quiet move.
    pub fn of(&self, m: Move) -> i32 {
        let index = MoveIndex::new(self.color, m).get();
        let continued: i32 = self.continuations.iter().map(|continuation| i32::from(continuation[index])).sum();
        i32::from(self.butterfly[butterfly_index(self.color, m)]) + continued
    }
}

/// The bonus for a cutoff at this depth.
pub(super) fn bonus(params: &Params, depth: Depth) -> i32 {
    (params.history_bonus_slope * depth - params.history_bonus_offset).clamp(0, params.history_bonus_most)
}

/// Updates a value by the bonus, within the bound.
fn gravitate(value: &mut i16, bonus: i32) {
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / BOUND) as i16;
}

fn butterfly_index(color: Color, m: Move) -> usize {
    let from = m.from().map_or(0, |square| square.to_usize());
    (color as usize * SQUARES + from) * SQUARES + move_target(m).to_usize()
}

fn capture_index(color: Color, m: Move) -> usize {
    let captured = m.capture().unwrap_or(Role::Pawn) as usize - 1;
    MoveIndex::new(color, m).get() * ROLES + captured
}

impl Histories {
    /// Empty histories.
    pub fn new() -> Histories {
        Histories {
            butterfly: vec![0; 2 * SQUARES * SQUARES],
            continuation: vec![0; MoveIndex::PAIRS + MOVE_INDICES],
            captures: vec![0; MOVE_INDICES * ROLES],
            counter_moves: vec![PackedMove::NONE; MOVE_INDICES],
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.butterfly.fill(0);
        self.continuation.fill(0);
        self.captures.fill(0);
        self.counter_moves.fill(PackedMove::NONE);
    }

    /// The histories of a colour's quiet moves, in general and after the moves [`LOOK_BACK`] plies before.
    pub fn quiets(&self, color: Color, earlier: Earlier) -> QuietHistory<'_> {
        let continuation = |before: Option<MoveIndex>| {
            let start = before.map_or(NO_MOVE, MoveIndex::get) * MOVE_INDICES;
            &self.continuation[start..start + MOVE_INDICES]
        };
        QuietHistory { color, butterfly: &self.butterfly, continuations: earlier.map(continuation) }
    }

    /// The history score of a capture.
    pub fn capture(&self, position: &Position, m: Move) -> i32 {
        i32::from(self.captures[capture_index(position.turn(), m)])
    }

    /// Adds a bonus or malus for a quiet move of a colour.
    pub fn update_quiet(&mut self, color: Color, m: Move, earlier: Earlier, bonus: i32) {
        gravitate(&mut self.butterfly[butterfly_index(color, m)], bonus);
        for index in earlier.into_iter().flatten() {
            gravitate(&mut self.continuation[MoveIndex::new(color, m).after(index)], bonus);
        }
    }

    /// Adds a bonus or malus for a capture.
    pub fn update_capture(&mut self, position: &Position, m: Move, bonus: i32) {
        gravitate(&mut self.captures[capture_index(position.turn(), m)], bonus);
    }

    /// The quiet move that last refuted this one.
    pub fn counter_move(&self, previous: Option<MoveIndex>) -> PackedMove {
        previous.map_or(PackedMove::NONE, |index| self.counter_moves[index.get()])
    }

    /// Stores a refutation.
    pub fn set_counter_move(&mut self, previous: Option<MoveIndex>, m: PackedMove) {
        if let Some(index) = previous {
            self.counter_moves[index.get()] = m;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_sequence_of_updates_leaves_the_bound(bonuses in proptest::collection::vec(-BOUND / 2..=BOUND / 2, 0..400)) {
            let mut value = 0i16;
            for bonus in bonuses {
                gravitate(&mut value, bonus);
                prop_assert!(i32::from(value).abs() <= BOUND);
            }
        }
    }
}
