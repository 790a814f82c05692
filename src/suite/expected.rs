//! The solution of a position as results state it.

use std::fmt;

/// Stands before the moves to avoid.
const AVOID: &str = "not ";
/// Stands before the number of moves to a mate.
const MATE: char = '#';
/// Separates the parts of a solution, and the moves within a part.
const PARTS: &str = ", ";
const MOVES: &str = " ";

/// What is expected in a position, with moves in SAN.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expected {
    /// Any of these is right.
    pub best: Vec<String>,
    /// Each of these is wrong.
    pub avoid: Vec<String>,
    /// Moves to mate.
    pub mate: Option<i32>,
}

impl Expected {
    /// Reads what [`Display`](fmt::Display) writes. Anything else counts as moves.
    pub fn parse(text: &str) -> Expected {
        let list = |moves: &str| moves.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let mut expected = Expected::default();
        for part in text.split(PARTS) {
            if let Some(moves) = part.strip_prefix(AVOID) {
                expected.avoid.extend(list(moves));
            } else if let Some(moves) = part.strip_prefix(MATE).and_then(|moves| moves.parse().ok()) {
                expected.mate = Some(moves);
            } else {
                expected.best.extend(list(part));
            }
        }
        expected
    }
}

impl fmt::Display for Expected {
    /// `Qd1`, `not Rxc5`, `#3`, or several of these.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let best = (!self.best.is_empty()).then(|| self.best.join(MOVES));
        let avoid = (!self.avoid.is_empty()).then(|| format!("{AVOID}{}", self.avoid.join(MOVES)));
        let mate = self.mate.map(|moves| format!("{MATE}{moves}"));
        let parts: Vec<String> = [best, avoid, mate].into_iter().flatten().collect();
        f.write_str(&parts.join(PARTS))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for text in ["", "Qd1", "e4 d4", "not Rxc5 Ra1", "#3", "#-2", "e4 d4, not a4, #3"] {
            assert_eq!(Expected::parse(text).to_string(), text);
        }
        let several = Expected::parse("e4 d4, not a4, #3");
        assert_eq!((several.best.len(), several.avoid.as_slice(), several.mate), (2, &["a4".to_owned()][..], Some(3)));
        assert_eq!(Expected::parse("#x,not, é").best, ["#x,not", "é"]);
    }
}
