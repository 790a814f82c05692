//! The path from the root to the current node, and the data along it. Only `door` extends or shortens it.

use super::facts::NodeKind;
use super::frame::{Frames, Made, Step};
use super::pv::PvTable;
use crate::board::{History, Position};
use crate::eval::Evaluator;
use crate::units::Ply;

/// No ply of the path: deeper than all of them.
pub(super) const NO_PLY: Ply = Ply::MAX;

/// The current path.
pub(super) struct Path<'a> {
    /// Keys of the game and of the moves since.
    pub keys: History,
    pub frames: Frames,
    /// The best lines found so far.
    pub lines: PvTable,
    /// Keep lines in null windows too, for drivers that use nothing else.
    pub lines_everywhere: bool,
    pub evaluator: &'a mut Evaluator,
    /// The ply above that the last score depends on: another move would have been better there
    /// ([`Search::makes_no_progress_since`]). Nodes below that ply must not store scores that depend on it.
    ///
    /// [`Search::makes_no_progress_since`]: super::state::Search::makes_no_progress_since
    pub depends_on: Ply,
}

impl<'a> Path<'a> {
    /// A path with only the root; the game before it counts for repetitions.
    pub fn new(root: &Position, game: &History, evaluator: &'a mut Evaluator, lines_everywhere: bool) -> Path<'a> {
        evaluator.begin(root);
        Path {
            keys: game.clone(),
            frames: Frames::new(),
            lines: PvTable::new(),
            lines_everywhere,
            evaluator,
            depends_on: NO_PLY,
        }
    }

    /// Follows a move from the node at `ply`. Returns the data of the move made there before, for [`Path::leave`].
    pub fn enter(&mut self, step: &Step, ply: Ply) -> Made {
        self.depends_on = NO_PLY;
        self.keys.push(&step.child);
        self.evaluator.enter(step.made.mv, &step.child);
        std::mem::replace(&mut self.frames.at_mut(ply).made, step.made)
    }

    /// Undoes the last move.
    pub fn leave(&mut self, ply: Ply, before: Made) {
        self.evaluator.leave();
        self.keys.pop();
        self.frames.at_mut(ply).made = before;
    }

    /// Whether nodes of this kind keep their principal variation.
    pub fn keeps_line<K: NodeKind>(&self) -> bool {
        K::PV || self.lines_everywhere
    }
}
