//! Correction history: how far the static evaluation has been off from search results, in positions that share their
//! pawns, one side's pieces, both sides' knights and bishops, or the last two moves with this one. The table stores the
//! uncorrected evaluation; the correction is added again at each visit.

use super::history::{Earlier, MoveIndex, gravitate};
use crate::board::{Color, State};
use crate::params::Params;
use crate::units::Depth;

/// Slots of each table, for each side to move.
const SLOTS: usize = 1 << 14;
/// The bound of every value.
const BOUND: i32 = 1024;

/// The evaluation's learned errors; positive where it was too low.
pub struct Corrections {
    pawns: Vec<i16>,
    /// By White's pieces, then by Black's.
    pieces: [Vec<i16>; 2],
    /// By the knights and bishops of both sides: the network often misjudges which of them are good, and that outlasts
    /// moves of other pieces. So Stash, Sirius and Altair.
    /// Elo: -7 ± 11 (`correction_minor_weight`)
    minors: Vec<i16>,
    continuation: Vec<i16>,
}

/// The slots of one position.
#[derive(Copy, Clone)]
pub struct CorrectionKey {
    pawns: usize,
    pieces: [usize; 2],
    minors: usize,
    continuation: Option<usize>,
}

impl CorrectionKey {
    /// The slots of a position with this side to move, reached by these moves.
    pub fn new(state: &State, turn: Color, earlier: Earlier) -> CorrectionKey {
        let slot = |key: u64| (key as usize % SLOTS) * 2 + turn as usize;
        let continuation = match earlier {
            [Some(last), Some(before), ..] => Some(last.after(before)),
            _ => None,
        };
        let (pawns, pieces) = (slot(state.pawn_key), state.piece_keys.map(slot));
        CorrectionKey { pawns, pieces, minors: slot(state.minor_key), continuation }
    }
}

impl Default for Corrections {
    /// Empty tables.
    fn default() -> Corrections {
        let table = || vec![0; SLOTS * 2];
        Corrections {
            pawns: table(),
            pieces: [table(), table()],
            minors: table(),
            continuation: vec![0; MoveIndex::PAIRS],
        }
    }
}

impl Corrections {
    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.pawns.fill(0);
        self.pieces.iter_mut().for_each(|table| table.fill(0));
        self.minors.fill(0);
        self.continuation.fill(0);
    }

    /// Centipawns to add to the static evaluation.
    pub fn get(&self, params: &Params, key: CorrectionKey) -> i32 {
        let pieces: i32 = self.pieces.iter().zip(key.pieces).map(|(table, slot)| i32::from(table[slot])).sum();
        let continuation = key.continuation.map_or(0, |slot| i32::from(self.continuation[slot]));
        let sum = i32::from(self.pawns[key.pawns]) * params.correction_pawn_weight
            + pieces * params.correction_piece_weight
            + continuation * params.correction_move_weight
            + i32::from(self.minors[key.minors]) * params.correction_minor_weight;
        sum / BOUND
    }

    /// Learns from a search of this depth that found the evaluation `error` centipawns too low.
    pub fn update(&mut self, params: &Params, key: CorrectionKey, error: i32, depth: Depth) {
        let step = (error * depth / params.correction_divisor).clamp(-params.correction_most, params.correction_most);
        gravitate::<BOUND>(&mut self.pawns[key.pawns], step);
        for (table, slot) in self.pieces.iter_mut().zip(key.pieces) {
            gravitate::<BOUND>(&mut table[slot], step);
        }
        gravitate::<BOUND>(&mut self.minors[key.minors], step);
        if let Some(slot) = key.continuation {
            gravitate::<BOUND>(&mut self.continuation[slot], step);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use proptest::prelude::*;

    fn key(fen: &str) -> CorrectionKey {
        let position = Position::from_fen(fen, false).unwrap();
        CorrectionKey::new(position.state(), position.turn(), Earlier::default())
    }

    #[test]
    fn errors_move_the_evaluation_of_positions_with_the_same_pawns_and_of_no_others() {
        let params = Params::default();
        let mut corrections = Corrections::default();
        let learned = key("4k3/pp6/8/8/8/8/PPP5/4K2R w - - 0 1");
        for _ in 0..20 {
            corrections.update(&params, learned, -80, 6);
        }
        assert!(corrections.get(&params, learned) < 0);
        assert!(corrections.get(&params, key("4k2r/pp6/8/8/8/8/PPP5/R3K3 w - - 0 1")) < 0);
        assert_eq!(corrections.get(&params, key("3rk1n1/ppp5/8/8/8/8/PP6/3RK3 w - - 0 1")), 0);
        assert_eq!(corrections.get(&params, key("4k3/pp6/8/8/8/8/PPP5/4K2R b - - 0 1")), 0);
    }

    #[test]
    fn errors_move_the_evaluation_of_positions_with_the_same_knights_and_bishops_if_these_have_a_weight() {
        let correction = |correction_minor_weight, fen: &str| {
            let params = Params { correction_minor_weight, ..Params::default() };
            let mut corrections = Corrections::default();
            for _ in 0..20 {
                corrections.update(&params, key("4k3/pp6/2n5/8/8/3B4/PPP5/4K2R w - - 0 1"), -80, 6);
            }
            corrections.get(&params, key(fen))
        };
        // Other pawns, and other pieces of both sides.
        let same = "3k4/ppp5/2n5/8/8/3B4/PP6/R3K3 w - - 0 1";
        assert_eq!(correction(0, same), 0);
        assert!(correction(30, same) < 0);
        assert_eq!(correction(30, "3k4/ppp5/3n4/8/8/3B4/PP6/R3K3 w - - 0 1"), 0);
        assert_eq!(correction(30, "3k4/ppp5/2n5/8/8/2B5/PP6/R3K3 w - - 0 1"), 0);
    }

    proptest! {
        #[test]
        fn no_sequence_of_updates_leaves_the_bound(errors in proptest::collection::vec((-30_000i32..30_000, 0i32..128), 0..200)) {
            let params = Params::default();
            let mut corrections = Corrections::default();
            let slots = key("4k3/pp6/8/8/8/8/PPP5/4K2R w - - 0 1");
            for (error, depth) in errors {
                corrections.update(&params, slots, error, depth);
                prop_assert!(i32::from(corrections.pawns[slots.pawns]).abs() <= BOUND);
            }
        }
    }
}
