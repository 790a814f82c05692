//! Suites with the analysis written into their lines, as EPD provides: `acd` depth, `acn` nodes, `acs` seconds, `ce`
//! score and `pv` variation. What is written can be read again.

use super::model::{PositionResult, ScoreText, SuiteReport};
use super::{Record, Suite};

/// Operations that the analysis replaces.
const REPLACED: [&str; 5] = ["acd", "acn", "acs", "ce", "pv"];
/// The score of a mate on the board; a mate some plies away is this less the plies.
const MATE: i64 = 32_767;

/// The suites' lines in order with the results of the report of a run over these suites. Refused lines are left out;
/// lines with nothing to solve stay as they are.
pub fn to_epd(suites: &[Suite], report: &SuiteReport) -> String {
    let mut results = report.positions.iter();
    let mut text = String::new();
    for record in suites.iter().flat_map(|suite| &suite.records) {
        let result = if record.is_solvable() { results.next() } else { None };
        text.push_str(&annotated(record, result));
        text.push('\n');
    }
    text
}

/// One line with its result.
fn annotated(record: &Record, result: Option<&PositionResult>) -> String {
    let position = &record.position;
    let mut line = position.epd();
    let mut operation = |name: &str, operands: &str| {
        line.push(' ');
        line.push_str(name);
        if !operands.is_empty() {
            line.push(' ');
            line.push_str(operands);
        }
        line.push(';');
    };
    let has = |name: &str| record.opcodes.iter().any(|op| op.name == name);
    for opcode in &record.opcodes {
        // What does not begin with a letter is no operation, and after the position it would be read as a counter.
        let is_operation = opcode.name.starts_with(|first: char| first.is_alphabetic());
        if is_operation && (result.is_none() || !REPLACED.contains(&opcode.name.as_str())) {
            operation(&opcode.name, &opcode.operands);
        }
    }
    if !has("id") {
        operation("id", &format!("\"{}\"", record.id.replace('"', "'")));
    }
    if (position.halfmoves(), position.fullmoves()) != (0, 1) {
        for (name, count) in [("hmvc", position.halfmoves()), ("fmvn", position.fullmoves())] {
            if !has(name) {
                operation(name, &count.to_string());
            }
        }
    }
    if let Some(result) = result {
        operation("acd", &result.depth.to_string());
        operation("acn", &result.nodes.to_string());
        operation("acs", &(result.time_ms / 1000).to_string());
        operation("ce", &centipawns(result.score).to_string());
        if !result.pv.is_empty() {
            operation("pv", &result.pv.join(" "));
        }
    }
    line
}

/// A score as `ce` has it.
fn centipawns(score: ScoreText) -> i64 {
    match score {
        ScoreText::Cp(cp) => i64::from(cp),
        ScoreText::Mate(moves) if moves > 0 => MATE - (2 * i64::from(moves) - 1),
        ScoreText::Mate(moves) => -MATE - 2 * i64::from(moves),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_plies_from_the_bound() {
        let values =
            [ScoreText::Cp(-35), ScoreText::Mate(1), ScoreText::Mate(10), ScoreText::Mate(-1), ScoreText::Mate(0)];
        assert_eq!(values.map(centipawns), [-35, 32_766, 32_748, -32_765, -32_767]);
    }
}
