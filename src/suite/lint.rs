//! Finds mistakes in suites without searching: in single lines, and between lines.

use std::collections::HashMap;

use super::epd::Columns;
use super::fields::Word;
use super::finding::{Finding, FindingKind};
use super::moves::{MoveError, move_words, parse_move};
use super::{Opcode, Record, Suite};
use crate::board::{MateSolver, Move, Position, Spent, castling_san, is_mark};

/// All problems in some suites, which count as one collection; in the order of files and lines.
pub fn lint(suites: &[Suite]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut collection = Collection::default();
    for suite in suites {
        let first = findings.len();
        findings.extend(suite.refused.iter().map(Finding::from));
        for record in &suite.records {
            check_record(record, &mut findings);
            collection.check(record, &mut findings);
        }
        // Stable: findings about one line stay in the order of the checks.
        findings[first..].sort_by_key(|finding| finding.line);
    }
    findings
}

/// Positions and names seen so far, and where.
#[derive(Default)]
struct Collection {
    positions: HashMap<String, String>,
    names: HashMap<String, String>,
}

impl Collection {
    /// Compares a record with those before it.
    fn check(&mut self, record: &Record, findings: &mut Vec<Finding>) {
        let here = format!("{}:{}", record.file, record.line);
        let position = record.position.epd();
        let twins = likenesses(&record.position);
        let twin = twins.iter().find_map(|(likeness, how)| Some((self.positions.get(likeness)?, how)));
        if let Some((there, how)) = twin {
            let reason = format!("the same position as {there}{how}");
            findings.push(Finding::new(record, FindingKind::RepeatedPosition, 1, &[], reason));
        }
        self.positions.entry(position).or_insert_with(|| here.clone());
        if let Some(opcode) = record.opcodes.iter().find(|opcode| opcode.name == "id") {
            match self.names.get(&record.id) {
                Some(there) => {
                    let reason = format!("`{}` is also the name of {there}", record.id);
                    findings.push(Finding::new(record, FindingKind::RepeatedName, opcode.column, &[], reason));
                }
                None => {
                    self.names.insert(record.id.clone(), here);
                }
            }
        }
    }
}

/// The position and its equivalents: with colours swapped, and if nobody can castle, also mirrored left to right. Each
/// is four fields of FEN, with words that describe the difference.
pub fn likenesses(position: &Position) -> Vec<(String, &'static str)> {
    let (same, exchanged) = (position.epd(), position.mirrored().epd());
    let reversed = [(reversed(&same), " mirrored"), (reversed(&exchanged), " mirrored, with colours exchanged")];
    let mut likenesses = vec![(same, ""), (exchanged, " with colours exchanged")];
    likenesses.extend(reversed.into_iter().filter_map(|(epd, how)| Some((epd?, how))));
    likenesses
}

/// The position mirrored left to right, if nobody can castle.
fn reversed(epd: &str) -> Option<String> {
    let [board, turn, "-", en_passant] = epd.split(' ').collect::<Vec<_>>()[..] else { return None };
    let ranks: Vec<String> = board.split('/').map(|rank| rank.chars().rev().collect()).collect();
    let file = |c: char| if c.is_ascii_lowercase() { char::from(b'a' + b'h' - c as u8) } else { c };
    let en_passant: String = en_passant.chars().map(file).collect();
    Some(format!("{} {turn} - {en_passant}", ranks.join("/")))
}

/// Checks a record by itself.
fn check_record(record: &Record, findings: &mut Vec<Finding>) {
    let about_line = |kind, reason: String| Finding::new(record, kind, 1, &[], reason);
    let rights = record.impossible_rights().into_iter();
    findings.extend(rights.map(|why| about_line(FindingKind::ImpossibleRights, why)));
    if record.position.legal_moves().is_empty() {
        findings.push(about_line(FindingKind::GameOver, "no legal move: the game is over".to_owned()));
    } else if !record.is_solvable() {
        findings.push(about_line(FindingKind::NoTask, "nothing to solve: no bm, am, dm or points".to_owned()));
    }
    for opcode in record.opcodes.iter().filter(|opcode| matches!(opcode.name.as_str(), "bm" | "am")) {
        findings.extend(odd_spellings(record, opcode));
    }
    check_solution(record, findings);
    check_mate(record, findings);
}

/// Positions examined to prove a mate: a few hundredths of a second.
const MATE_BUDGET: u64 = 300_000;

/// Checks a number of moves to mate by exhaustive search, if the budget allows.
fn check_mate(record: &Record, findings: &mut Vec<Finding>) {
    let Some(goal) = record.mate_goal() else { return };
    // If the budget runs out, nothing is known and nothing is reported.
    let Ok(wrong) = wrong_mate(record, goal) else { return };
    if let Some((column, moves, reason)) = wrong {
        findings.push(Finding::new(record, FindingKind::WrongMate, column, &moves, reason));
    }
}

/// The character that is wrong, the moves that it concerns, and the reason.
type WrongMate = (usize, Vec<Move>, String);

/// What is wrong with a mate.
fn wrong_mate(record: &Record, goal: i32) -> Result<Option<WrongMate>, Spent> {
    let mut solver = MateSolver::new(MATE_BUDGET);
    let (position, moves) = (&record.position, goal.unsigned_abs());
    let shortest =
        if goal > 0 { solver.shortest_win(position, moves)? } else { solver.shortest_loss(position, moves)? };
    let sign = if goal > 0 { "" } else { "-" };
    let fault = match shortest {
        None => Some(format!("no mate in {goal}")),
        Some(0) => Some(format!("mate already, not in {goal}")),
        Some(shortest) if shortest < moves => Some(format!("mate in {sign}{shortest}, not in {goal}")),
        Some(_) => None,
    };
    if let Some(reason) = fault {
        return Ok(Some((record.dm_column, Vec::new(), reason)));
    }
    for &m in record.best.iter().filter(|_| goal > 0) {
        if !solver.loses(&position.play(m), moves - 1)? {
            let reason = format!("{} does not mate in {goal}", position.san(m));
            return Ok(Some((record.column_of("bm"), vec![m], reason)));
        }
    }
    Ok(None)
}

/// Checks whether the tasks of a line agree.
fn check_solution(record: &Record, findings: &mut Vec<Finding>) {
    if let (Some(goal), Some((other, column))) = (record.mate_goal(), record.other_dm) {
        let reason = format!("mate in {other} and mate in {goal} are both asked for");
        findings.push(Finding::new(record, FindingKind::Contradiction, column, &[], reason));
    }
    let names = |moves: &[Move]| moves.iter().map(|&m| record.position.san(m)).collect::<Vec<_>>().join(" ");
    let mut report = |opcode, kind, moves: &[Move], reason| {
        findings.push(Finding::new(record, kind, record.column_of(opcode), moves, reason));
    };
    let both: Vec<Move> = record.best.iter().copied().filter(|m| record.avoid.contains(m)).collect();
    if !both.is_empty() {
        let reason = format!("{} is both a best move and a move to avoid", names(&both));
        report("am", FindingKind::Contradiction, &both, reason);
    }
    let legal = record.position.legal_moves().len();
    if !record.avoid.is_empty() && record.avoid.len() == legal {
        report("am", FindingKind::NoSolution, &record.avoid, "every legal move should be avoided".to_owned());
    }
    if !record.best.is_empty() && record.best.len() == legal {
        report("bm", FindingKind::AlwaysSolved, &record.best, "every legal move is a best move".to_owned());
    }
    let top = record.max_points();
    let best = record.points.iter().filter(|(m, _)| record.best.contains(m)).map(|&(_, points)| points).max();
    if let Some(top) = top
        && !record.best.is_empty()
        && best != Some(top)
    {
        let reason = format!("{} has {} of {top} points", names(&record.best), best.unwrap_or(0));
        report("bm", FindingKind::PointsDiffer, &record.best, reason);
    }
}

/// Moves interpreted differently from their spelling.
fn odd_spellings(record: &Record, opcode: &Opcode) -> Vec<Finding> {
    let position = &record.position;
    let operands = Word { text: &opcode.operands, start: 0 };
    let mut columns = Columns::new(&opcode.operands, opcode.column);
    let mut found = Vec::new();
    for word in move_words(operands) {
        let column = columns.at(word.start);
        match parse_move(position, word.text) {
            Ok(m) if !is_proper(position, m, word.text) => {
                let reason = format!("`{}` is read as {}", word.text, position.san(m));
                found.push(Finding::new(record, FindingKind::OddSpelling, column, &[m], reason));
            }
            Err(MoveError::Ambiguous { text, names, candidates }) => {
                let reason = format!("`{text}` is ambiguous: read as {names}");
                found.push(Finding::new(record, FindingKind::AmbiguousMove, column, &candidates, reason));
            }
            _ => {}
        }
    }
    found
}

/// Whether a text is a proper spelling of a move: SAN except for check and annotation marks, or coordinates.
fn is_proper(position: &Position, m: Move, text: &str) -> bool {
    let bare = text.trim_end_matches(is_mark);
    let san = position.san(m);
    bare == san.trim_end_matches(is_mark) || castling_san(text).is_some() || text == position.uci(m)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::parse;

    fn findings(text: &str) -> Vec<String> {
        lint(&[parse("x", text.as_bytes())]).iter().map(Finding::to_string).collect()
    }

    #[test]
    fn findings_name_their_kind_position_and_moves() {
        let text = "4k3/8/8/8/8/2N3N1/8/4K3 w - - am Ne4; id \"k\";\nrubbish";
        let found = lint(&[parse("x", text.as_bytes())]);
        let json = serde_json::to_value(&found).unwrap();
        let fen = "4k3/8/8/8/8/2N3N1/8/4K3 w - - 0 1";
        assert_eq!(
            json[0],
            serde_json::json!({
                "severity": "warning", "kind": "ambiguous move", "suite": "x", "line": 1, "column": 34, "id": "k",
                "fen": fen, "moves": [{"san": "Nce4", "uci": "c3e4"}, {"san": "Nge4", "uci": "g3e4"}],
                "reason": "`Ne4` is ambiguous: read as Nce4 or Nge4",
            })
        );
        assert_eq!((&json[1]["kind"], json[1].get("fen")), (&"unreadable".into(), None));
    }

    const HEAD: &str = "4k3/8/8/8/8/8/4P3/R3K3 w Q - ";

    #[test]
    fn a_sound_suite_has_no_findings() {
        let text = format!(
            "# fine\n{HEAD}bm e4 O-O-O+; am a1b1; id \"1\";\n4k3/8/8/8/3pP3/8/8/4K3 b - e3 bm dxe3!; id \"2\";"
        );
        assert_eq!(findings(&text), Vec::<String>::new());
    }

    #[test]
    fn contradictions_are_errors() {
        let line = |operations: &str| format!("{HEAD}{operations}");
        assert_eq!(findings(&line("bm e3 e4; am e4;")), ["x:1:43: error: e4 is both a best move and a move to avoid"]);
        assert_eq!(findings(&line("bm e5;")), ["x:1:33: error: `e5` is not legal here"]);
        let all = "k7/8/1K6/8/8/8/8/8 b - - am Kb8;";
        assert_eq!(findings(all), ["x:1:29: error: every legal move should be avoided"]);
        let points = line("bm e3; c0 \"e4=10, e3=4\";");
        assert_eq!(findings(&points), ["x:1:33: warning: e3 has 4 of 10 points"]);
    }

    #[test]
    fn repeated_positions_and_names_are_found() {
        let mirrored = "r3k3/4p3/8/8/8/8/8/4K3 b q - ";
        let text = format!("{HEAD}bm e4; id \"a\";\n{mirrored}bm e5; id \"b\";\n{HEAD}bm e3; id \"a\";");
        assert_eq!(
            findings(&text),
            [
                "x:2:1: warning: the same position as x:1 with colours exchanged",
                "x:3:1: warning: the same position as x:1",
                "x:3:40: warning: `a` is also the name of x:1",
            ]
        );
    }

    #[test]
    fn left_and_right_are_alike_where_nobody_can_castle() {
        let first = "4k3/8/8/1pP5/8/8/4P3/R3K3 w - b6 bm e4;";
        let twin = |line: &str| findings(&format!("{first}\n{line}"));
        let same = "x:2:1: warning: the same position as x:1";
        assert_eq!(twin("3k4/8/8/5Pp1/8/8/3P4/3K3R w - g6 bm d4;"), [format!("{same} mirrored")]);
        let exchanged = "3k3r/3p4/8/8/5pP1/8/8/3K4 b - g3 bm d5;";
        assert_eq!(twin(exchanged), [format!("{same} mirrored, with colours exchanged")]);
        assert!(twin("3k4/8/8/5Pp1/8/8/3P4/3K3R w - - bm d4;").is_empty());
        let castling = "4k3/8/8/8/8/8/4P3/R3K2R w K - bm e4;\n3k4/8/8/8/8/8/3P4/R2K3R w - - bm d4;";
        assert_eq!(findings(castling), Vec::<String>::new());
    }

    #[test]
    fn mates_are_proven_or_refuted() {
        let head = "7k/8/5K2/8/8/8/8/R7 w - - ";
        assert_eq!(findings(&format!("{head}dm 2;")), Vec::<String>::new());
        assert_eq!(findings(&format!("{head}dm 1;")), ["x:1:30: error: no mate in 1"]);
        assert_eq!(findings(&format!("{head}dm 3;")), ["x:1:30: error: mate in 2, not in 3"]);
        assert_eq!(findings(&format!("{head}bm Ra8; dm 2;")), ["x:1:30: error: Ra8+ does not mate in 2"]);
        assert_eq!(findings("7k/8/6K1/8/8/8/8/R7 b - - dm -2;"), ["x:1:30: error: mate in -1, not in -2"]);
        let over = "x:1:1: warning: no legal move: the game is over";
        let already = "x:1:31: error: mate already, not in -1";
        assert_eq!(findings("7k/6Q1/6K1/8/8/8/8/8 b - - dm -1;"), [over, already]);
        assert_eq!(findings(&format!("{head}id \"x\"; bm Ra8 #1;")), ["x:1:42: error: no mate in 1"]);
        let differ = findings(&format!("{head}id \"x\"; bm #3; dm 2;"));
        let both = "x:1:45: error: mate in 2 and mate in 3 are both asked for";
        assert_eq!(differ, [both, "x:1:38: error: mate in 2, not in 3"]);
        let both = "error: mate in 2 and mate in 3 are both asked for";
        let wrong = "error: mate in 2, not in 3";
        assert_eq!(findings(&format!("{head}dm 2; dm 3;")), [format!("x:1:30: {both}"), format!("x:1:36: {wrong}")]);
        // Beside an analysis, too, if nothing else is asked for.
        let found = findings(&format!("{head}acd 9; dm 2; dm 3;"));
        assert_eq!(found, [format!("x:1:37: {both}"), format!("x:1:43: {wrong}")]);
        for agreed in [
            "bm #2; dm 2;",
            "bm #2; dm 0;",
            "bm #2; acd 9; dm 3;",
            "dm 2; dm 2;",
            "dm 2; dm 0;",
            "bm #2; acd 9; dm 3; dm 4;",
        ] {
            assert_eq!(findings(&format!("{head}{agreed}")), Vec::<String>::new(), "{agreed}");
        }
        // Nothing is reported if it cannot be proven within the budget.
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - dm 9;";
        assert_eq!(findings(start), Vec::<String>::new());
    }

    #[test]
    fn rights_that_cannot_be_are_found() {
        let text = "4k3/8/8/8/8/8/4P3/R3K3 w KQkq e6 bm e4;";
        assert_eq!(
            findings(text),
            [
                "x:1:1: warning: castling rights KQkq are impossible: at most Q",
                "x:1:1: warning: no pawn can have passed e6",
            ]
        );
    }

    #[test]
    fn odd_spellings_and_empty_tasks_are_found() {
        let knights = "4k3/8/8/8/8/2N3N1/8/4K3 w - - am Ne4;";
        assert_eq!(findings(knights), ["x:1:34: warning: `Ne4` is ambiguous: read as Nce4 or Nge4"]);
        let capture = "4k3/8/8/8/8/3b4/4P3/4K3 w - - bm edx3;";
        assert_eq!(findings(capture), ["x:1:34: warning: `edx3` is read as exd3"]);
        assert_eq!(findings(HEAD), ["x:1:1: warning: nothing to solve: no bm, am, dm or points"]);
        let over = "7k/5Q2/6K1/8/8/8/8/8 b - - ;";
        assert_eq!(findings(over), ["x:1:1: warning: no legal move: the game is over"]);
    }
}
