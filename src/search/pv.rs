//! Principal variations, one line for each ply, built from the leaves up.

use arrayvec::ArrayVec;

use crate::board::Move;
use crate::units::{MAX_PLY, Ply};

/// The best line from one node on.
pub type Line = ArrayVec<Move, { MAX_PLY as usize }>;

/// The best line found so far below each ply of the current path.
pub(super) struct PvTable {
    lines: Vec<Line>,
}

impl PvTable {
    /// Lines for every ply, all empty.
    pub fn new() -> PvTable {
        PvTable { lines: vec![Line::new(); MAX_PLY as usize + 1] }
    }

    /// A node begins: it has no line yet.
    pub fn clear(&mut self, ply: Ply) {
        self.lines[ply as usize].clear();
    }

    /// `m` is the best move at `ply`; its line is the one just found below it.
    pub fn update(&mut self, ply: Ply, m: Move) {
        let (upper, lower) = self.lines.split_at_mut(ply as usize + 1);
        let line = &mut upper[ply as usize];
        line.clear();
        line.push(m);
        // A line as long as the table loses its last move.
        line.extend(lower[0].iter().copied().take(MAX_PLY as usize - 1));
    }

    /// The line from a ply on.
    pub fn line(&self, ply: Ply) -> &Line {
        &self.lines[ply as usize]
    }
}
