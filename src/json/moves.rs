//! Moves and lines of play.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::board::{Move, Position};

/// A move in both notations.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MoveText {
    /// In standard algebraic notation, as people write it.
    pub san: String,
    /// In UCI notation, as engines write it: from, to, and the piece of a promotion.
    pub uci: String,
}

impl MoveText {
    /// A legal move in this position.
    pub fn new(position: &Position, m: Move) -> MoveText {
        MoveText { san: position.san(m), uci: position.uci(m) }
    }

    /// The moves of a line, up to the first illegal one.
    pub fn line(position: &Position, line: &[Move]) -> Vec<MoveText> {
        let mut position = position.clone();
        let mut moves = Vec::with_capacity(line.len());
        for &m in line {
            if !position.is_legal(m) {
                break;
            }
            moves.push(MoveText::new(&position, m));
            position = position.play(m);
        }
        moves
    }

    /// A line in standard algebraic notation, without numbers.
    pub fn sans(line: &[MoveText]) -> String {
        line.iter().map(|step| step.san.as_str()).collect::<Vec<_>>().join(" ")
    }
}

impl fmt::Display for MoveText {
    /// In standard algebraic notation.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.san)
    }
}

/// A line of play: an array of moves in JSON, and in texts the moves with their numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Variation {
    moves: Vec<MoveText>,
    #[serde(skip)]
    text: String,
}

impl Variation {
    /// A line of legal moves from this position.
    pub fn new(position: &Position, line: &[Move]) -> Variation {
        Variation::from_number(position, position.fullmoves(), line)
    }

    /// The same with this number for its first move.
    pub fn from_number(position: &Position, number: u32, line: &[Move]) -> Variation {
        Variation { moves: MoveText::line(position, line), text: position.san_line_from(number, line) }
    }

    /// A line with this text and without moves, for texts.
    #[cfg(test)]
    pub fn made_up(text: &str) -> Variation {
        Variation { moves: Vec::new(), text: text.to_owned() }
    }

    /// The moves.
    pub fn moves(&self) -> &[MoveText] {
        &self.moves
    }

    /// The moves in SAN with move numbers.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Variation {
    /// The moves in SAN with move numbers.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_an_array_for_programs_and_numbered_for_people() {
        let start = Position::default();
        let e4 = start.parse_uci("e2e4").unwrap();
        let e5 = start.play(e4).parse_uci("e7e5").unwrap();
        let line = Variation::new(&start, &[e4, e5]);
        assert_eq!(line.to_string(), "1.e4 e5");
        let json = r#"[{"san":"e4","uci":"e2e4"},{"san":"e5","uci":"e7e5"}]"#;
        assert_eq!(serde_json::to_string(&line).unwrap(), json);
        assert_eq!(MoveText::line(&start, &[e4, e4, e5]), line.moves()[..1], "only as far as it is legal");
    }
}
