//! Suites with the analysis written into their lines, as EPD provides: `acd` depth, `acn` nodes, `acs` seconds, `ce`
//! score, `dm` moves to a mate found, `pm` the move played and `pv` the variation. The output can be read again, with
//! the same tasks.

use super::model::SuiteReport;
use super::operations::closed;
use super::position_result::PositionResult;
use super::{Record, Suite};
use crate::json::MoveText;
use crate::score::StatedScore;
use crate::text::quoted;

/// Operations that the analysis replaces.
const REPLACED: [&str; 6] = ["acd", "acn", "acs", "ce", "pm", "pv"];

/// Which field of a line names the castling rooks.
const CASTLING: usize = 2;

/// The suites' lines in order, with the results of a run over these suites. Lines that are not positions, and positions
/// without a result, stay as they are.
pub fn to_epd(suites: &[Suite], report: &SuiteReport) -> String {
    let mut results = report.positions.iter().peekable();
    let mut text = String::new();
    let mut index = 0;
    for suite in suites {
        let mut others = suite.others.iter().peekable();
        for record in &suite.records {
            while let Some((_, other)) = others.next_if(|&&(line, _)| line < record.line) {
                push_line(&mut text, other);
            }
            let mut result = None;
            if record.is_solvable() {
                result = results.next_if(|result| result.index == index);
                index += 1;
            }
            push_line(&mut text, &annotated(record, result));
        }
        for (_, other) in others {
            push_line(&mut text, other);
        }
    }
    text
}

fn push_line(text: &mut String, line: &str) {
    text.push_str(line.trim_end());
    text.push('\n');
}

/// One line with its result.
fn annotated(record: &Record, result: Option<&PositionResult>) -> String {
    let position = &record.position;
    let mut line = position.epd();
    if position.is_chess960() {
        // `KQkq` would be read as chess: the rooks are named as the line has them.
        let mut fields: Vec<&str> = line.split(' ').collect();
        fields[CASTLING] = &record.castling;
        line = fields.join(" ");
    }
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
    let asks_for_mate = record.mate_goal().is_some();
    let is_replaced = |name: &str| REPLACED.contains(&name) || (name == "dm" && !asks_for_mate);
    let counters = [("hmvc", position.halfmoves()), ("fmvn", position.fullmoves())];
    for opcode in &record.opcodes {
        // An opcode that does not start with a letter is not an operation, and would be read as a counter.
        let is_operation = opcode.name.starts_with(|first: char| first.is_alphabetic());
        if is_operation && (result.is_none() || !is_replaced(&opcode.name)) {
            // The fields of the position may have said something else.
            let count = counters.iter().find(|(name, _)| *name == opcode.name).map(|(_, count)| count.to_string());
            let operands = count.unwrap_or_else(|| closed(&opcode.operands));
            operation(&opcode.name, &operands);
        }
    }
    if !has("id") {
        operation("id", &quoted(&record.id));
    }
    if counters.map(|(_, count)| count) != [0, 1] {
        for (name, count) in counters.iter().filter(|(name, _)| !has(name)) {
            operation(name, &count.to_string());
        }
    }
    if let Some(result) = result {
        // Next to `acd` a mate that is asked for together with other tasks would be read as one that was found.
        if !(asks_for_mate && record.names_moves()) {
            operation("acd", &result.iteration.to_string());
        }
        operation("acn", &result.nodes.to_string());
        if let Some(time_ms) = result.time_ms {
            operation("acs", &(time_ms / 1000).to_string());
        }
        operation("ce", &result.score.value.to_ce().to_string());
        if let StatedScore::Mate(moves @ 1..) = result.score.value
            && !asks_for_mate
        {
            operation("dm", &moves.to_string());
        }
        if let Some(played) = result.played_san() {
            operation("pm", played);
        }
        if !result.pv.is_empty() {
            operation("pv", &MoveText::sans(&result.pv));
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Engine, Limits, Options};
    use crate::runner::Provenance;
    use crate::suite::run::tests::report;
    use crate::suite::{Rule, describe, parse, solve, tasks};

    #[test]
    fn a_string_that_is_left_open_is_closed() {
        let line = "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - id \"x\"; c0 \"Qd1+=20,";
        let suites = [parse("x.epd", line.as_bytes())];
        let run = describe(&suites, Provenance::default(), Rule::End, None);
        let written = to_epd(&suites, &SuiteReport::new(run, Vec::new()));
        assert!(written.ends_with("c0 \"Qd1+=20,\";\n"), "{written}");
        let again = parse("x.epd", written.as_bytes());
        assert_eq!(again.records[0].expected(), suites[0].records[0].expected());
    }

    #[test]
    fn what_was_read_is_read_again() {
        let head = "4k3/8/8/8/8/8/4P3/4K3 w - -";
        let text = [
            "5 10 bm e4; hmvc 7; id wheel 24\";",
            "bm e4; hmvc 7; id \"wheel 24\\\"\"; c0 \"x\";",
            "0 1 bm e4; hmvc 7; fmvn 3; id \"C:\\;",
            "bm e4; c0 \"C:\\;",
            "bm \"e4\" \"e3",
        ];
        let suites = [parse("\"a\".epd", text.map(|line| format!("{head} {line}\n")).concat().as_bytes())];
        let run = describe(&suites, Provenance::default(), Rule::End, None);
        let written = to_epd(&suites, &SuiteReport::new(run, Vec::new()));
        let again = parse("b.epd", written.as_bytes());
        assert_eq!((suites[0].records.len(), again.records.len()), (text.len(), text.len()), "{written}");
        for (before, after) in suites[0].records.iter().zip(&again.records) {
            let told = |record: &Record| (record.fen.clone(), record.id.clone(), record.expected());
            assert_eq!(told(before), told(after), "{written}");
        }
        assert_eq!(
            suites[0].records.iter().map(|record| record.position.halfmoves()).collect::<Vec<_>>(),
            [5, 7, 0, 0, 0]
        );
    }

    #[test]
    fn a_mate_asked_for_with_a_move_is_asked_for_again() {
        let head = "6k1/5ppp/8/8/8/8/4P3/R3K3 w - -";
        let text =
            ["bm Ra8; dm 1;", "bm Ra8 #1;", "am e4; dm 1;", "dm 1;", "bm Ra8;"].map(|task| format!("{head} {task}\n"));
        let suites = [parse("m.epd", text.concat().as_bytes())];
        let (mut engine, _) = Engine::new(Options { hash_mb: 1, ..Options::default() });
        let limits = Limits::to_depth(2);
        let results = tasks(&suites)
            .into_iter()
            .map(|task| PositionResult { index: task.index, ..solve(&mut engine, task.record, &limits, Rule::End) });
        let report =
            SuiteReport::new(describe(&suites, Provenance::default(), Rule::End, None), results.collect::<Vec<_>>());
        let written = to_epd(&suites, &report);
        let again = parse("m.epd", written.as_bytes());
        for (before, after) in suites[0].records.iter().zip(&again.records) {
            assert_eq!(before.expected(), after.expected(), "{written}");
        }
        assert_eq!(written.matches(" acd ").count(), 2, "{written}");
    }

    #[test]
    fn times_are_in_whole_seconds() {
        let line = "6k1/5ppp/8/8/8/8/4P3/R3K3 w - - bm Ra8#;";
        let mut report = report(line, 1);
        report.positions[0].time_ms = Some(2500);
        let written = to_epd(&[parse("a.epd", line.as_bytes())], &report);
        assert!(written.contains(" acs 2;"), "{written}");
    }

    #[test]
    fn castling_rooks_are_named_as_they_were() {
        let line = "4k3/8/8/8/8/8/8/1R2K1R1 w GB - bm O-O-O; id \"inner\";\n";
        let suites = [parse("c.epd", line.as_bytes())];
        let run = describe(&suites, Provenance::default(), Rule::End, None);
        assert_eq!(to_epd(&suites, &SuiteReport::new(run, Vec::new())), line);
    }

    #[test]
    fn mates_are_counted_in_plies_from_the_bound() {
        let values = [
            StatedScore::Cp(-35),
            StatedScore::Mate(1),
            StatedScore::Mate(10),
            StatedScore::Mate(-1),
            StatedScore::Mate(0),
        ];
        assert_eq!(values.map(StatedScore::to_ce), [-35, 32_766, 32_748, -32_765, -32_767]);
    }
}
