//! Lines of the tree in notation.

use super::model::{Node, NodeId, Reason, Tree};
use crate::board::Position;
use crate::report::explain::numbered;

/// Notation of a null move.
pub const NULL_MOVE: &str = "--";

impl Tree {
    /// The position of a visit, given its parent's; `None` if the move does not fit, which no record has.
    pub(super) fn position_of(&self, node: &Node, above: &Position) -> Option<Position> {
        match (node.reason, node.mv) {
            (Reason::Root | Reason::Verification, _) => Some(above.clone()),
            (Reason::NullMove, _) => above.play_null(),
            (_, m) => m.filter(|&m| above.is_legal(m)).map(|m| above.play(m)),
        }
    }

    /// The move to a visit in SAN, given the parent's position; empty at the root and for a verification.
    pub(super) fn san_of(&self, node: &Node, above: &Position) -> String {
        match (node.reason, node.mv) {
            (Reason::Root | Reason::Verification, _) => String::new(),
            (Reason::NullMove, _) => NULL_MOVE.to_owned(),
            (_, m) => m.map_or_else(String::new, |m| above.san(m)),
        }
    }

    /// Visits all recorded nodes in the order of entry; `see` gets each with its parent's position and its own.
    pub(super) fn walk(&self, see: &mut dyn FnMut(NodeId, &Position, &Position)) {
        let mut path: Vec<(NodeId, Position)> = Vec::new();
        for (id, node) in (0..).zip(&self.nodes) {
            while path.last().is_some_and(|&(above, _)| Some(above) != node.parent) {
                path.pop();
            }
            let above = path.last().map_or(&self.position, |(_, position)| position);
            let Some(position) = self.position_of(node, above) else { continue };
            see(id, above, &position);
            path.push((id, position));
        }
    }

    /// The line from the root to a visit in SAN with move numbers. Moves made for evidence are in brackets.
    pub fn line(&self, id: NodeId) -> String {
        let mut position = self.position.clone();
        let mut words = Vec::new();
        for id in self.path(id) {
            let node = self.node(id);
            let san = self.san_of(node, &position);
            if !san.is_empty() {
                let san = if node.reason == Reason::Evidence { format!("[{san}]") } else { san };
                let is_numbered = words.is_empty() || position.turn().is_white();
                words.push(if is_numbered { numbered(&self.position, node.ply as usize - 1, &san) } else { san });
            }
            let Some(next) = self.position_of(node, &position) else { break };
            position = next;
        }
        if words.is_empty() { "root".to_owned() } else { words.join(" ") }
    }
}
