//! Evaluation weights in centipawns: one place, read by the incremental state and by the evaluation.

use crate::units::Tapered;

/// Phase weight by role, pawn to king; the opening position sums to [`crate::board::MAX_PHASE`].
pub const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];

const fn s(mg: i32, eg: i32) -> Tapered {
    Tapered::new(mg, eg)
}

/// Material plus piece-square weight by role (pawn to king) and square (a1 first), from White's side.
pub const PIECE_SQUARE: [[Tapered; 64]; 6] =
    [[s(82, 94); 64], [s(337, 281); 64], [s(365, 297); 64], [s(477, 512); 64], [s(1025, 936); 64], [s(0, 0); 64]];
