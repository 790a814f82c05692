//! The solution of a position as results state it.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::board::Position;
use crate::json::MoveText;

/// Stands before the moves to avoid.
const AVOID: &str = "not ";
/// Stands before the number of moves to a mate.
const MATE: char = '#';
/// Separates the parts of a solution.
const PARTS: &str = ", ";

/// What is expected in a position: all that is given here must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Expected {
    /// Any of these moves is right; missing if no move is named. Of moves with points, those with the most.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub best: Vec<MoveText>,
    /// Each of these moves is wrong; missing if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub avoid: Vec<MoveText>,
    /// Moves to mate: positive if the side to move mates, negative if it is mated; missing if no mate is required.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mate: Option<i32>,
}

impl Expected {
    /// The same with its moves in one order, whatever that of the line.
    pub(super) fn sorted(&self) -> Expected {
        let mut sorted = self.clone();
        for moves in [&mut sorted.best, &mut sorted.avoid] {
            moves.sort_by(|one, other| one.uci.cmp(&other.uci));
        }
        sorted
    }

    /// Reads what [`Display`](fmt::Display) writes; `None` for anything else.
    pub(super) fn parse(position: &Position, text: &str) -> Option<Expected> {
        let list = |moves: &str| -> Option<Vec<MoveText>> {
            let read = |san| Some(MoveText::new(position, position.parse_san(san).ok()?));
            moves.split_whitespace().map(read).collect()
        };
        let mut expected = Expected::default();
        for part in text.split(PARTS) {
            if let Some(moves) = part.strip_prefix(AVOID) {
                expected.avoid = list(moves)?;
            } else if let Some(moves) = part.strip_prefix(MATE) {
                expected.mate = Some(moves.parse().ok()?);
            } else {
                expected.best = list(part)?;
            }
        }
        Some(expected)
    }
}

impl fmt::Display for Expected {
    /// In SAN: `Qd1`, `not Rxc5`, `#3`, or several of these.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let best = (!self.best.is_empty()).then(|| MoveText::sans(&self.best));
        let avoid = (!self.avoid.is_empty()).then(|| format!("{AVOID}{}", MoveText::sans(&self.avoid)));
        let mate = self.mate.map(|mate| format!("{MATE}{mate}"));
        let parts: Vec<String> = [best, avoid, mate].into_iter().flatten().collect();
        f.write_str(&parts.join(PARTS))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let start = Position::default();
        for text in ["", "e4", "e4 d4", "not Nf3 a4", "#3", "#-2", "e4 d4, not a4, #3"] {
            let expected = Expected::parse(&start, text).unwrap();
            assert_eq!(expected.to_string(), text);
            let json = serde_json::to_string(&expected).unwrap();
            assert_eq!(serde_json::from_str::<Expected>(&json).unwrap(), expected, "{json}");
        }
        let json = serde_json::to_string(&Expected::parse(&start, "not a4, #3").unwrap()).unwrap();
        assert_eq!(json, r#"{"avoid":[{"san":"a4","uci":"a2a4"}],"mate":3}"#);
    }

    #[test]
    fn what_is_no_solution_is_refused() {
        for text in ["e5", "#x", "not", "not Qd8", "e4, é"] {
            assert_eq!(Expected::parse(&Position::default(), text), None, "{text}");
        }
    }
}
