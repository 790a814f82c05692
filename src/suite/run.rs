//! Lets an engine solve suites.

use super::model::{PositionResult, SCHEMA, Settings, SuiteReport, Summary, Taskless};
use super::score::milliseconds;
use super::{Record, Rule, Suite, Tracker};
use crate::board::{Game, Move, Position};
use crate::engine::{Engine, Limits};
use crate::search::StopFlag;

/// Hears how a run goes on.
pub trait Progress {
    /// A position is done.
    fn done(&mut self, result: &PositionResult);
}

/// Hears nothing.
#[derive(Copy, Clone, Debug, Default)]
pub struct NoProgress;

impl Progress for NoProgress {
    fn done(&mut self, _: &PositionResult) {}
}

/// Searches every position of the suites that has something to be found.
///
/// The engine forgets everything before each position, so that with a node or depth limit the result of one depends on
/// nothing but itself.
pub fn run(
    engine: &mut Engine,
    suites: &[Suite],
    limits: &Limits,
    rule: Rule,
    settings: Settings,
    progress: &mut dyn Progress,
) -> SuiteReport {
    let mut positions = Vec::new();
    let mut taskless = Vec::new();
    let mut sums = Vec::new();
    for suite in suites {
        let first = positions.len();
        let mut without = 0;
        for record in &suite.records {
            if !record.is_solvable() {
                without += 1;
                taskless.push(Taskless { suite: suite.name.clone(), line: record.line, id: record.id.clone() });
                continue;
            }
            let result = solve(engine, record, limits, rule);
            progress.done(&result);
            positions.push(result);
        }
        let mut sum = Summary::of(&suite.name, positions[first..].iter());
        sum.refused = suite.refused.len();
        sum.taskless = without;
        sums.push(sum);
    }
    let refused: Vec<_> = suites.iter().flat_map(|suite| suite.refused.clone()).collect();
    let mut total = Summary::of("", positions.iter());
    total.refused = refused.len();
    total.taskless = taskless.len();
    SuiteReport {
        schema: SCHEMA,
        program: concat!("Pacioli ", env!("CARGO_PKG_VERSION")).to_owned(),
        settings,
        total,
        suites: sums,
        themes: themes(&positions),
        positions,
        refused,
        taskless,
    }
}

/// Searches one position and judges the search; the engine forgets everything before it.
pub fn solve(engine: &mut Engine, record: &Record, limits: &Limits, rule: Rule) -> PositionResult {
    engine.new_game();
    let stop = StopFlag::new();
    let mut tracker = Tracker::new(record, rule, stop.clone());
    let outcome = engine.search(&Game::new(record.position.clone()), limits, &stop, &mut tracker);
    let judgement = tracker.finish(&outcome);
    PositionResult {
        suite: record.file.clone(),
        line: record.line,
        id: record.id.clone(),
        theme: record.theme().map(str::to_owned),
        fen: record.fen.clone(),
        expected: record.expected(),
        played: outcome.best_move.map(|m| record.position.san(m)),
        played_uci: outcome.best_move.map(|m| record.position.uci(m)),
        score: outcome.score.into(),
        pv: san_line(&record.position, &outcome.pv),
        solved: judgement.solved,
        solution: judgement.solution,
        first_seen: judgement.first_seen,
        left_again: judgement.left_again,
        points: judgement.points,
        max_points: judgement.max_points,
        mate_line: judgement.mate_line,
        depth: outcome.depth,
        nodes: outcome.nodes,
        time_ms: milliseconds(outcome.elapsed),
    }
}

/// A line in SAN, as far as it is legal.
fn san_line(position: &Position, line: &[Move]) -> Vec<String> {
    let mut position = position.clone();
    let mut words = Vec::with_capacity(line.len());
    for &m in line {
        if !position.is_legal(m) {
            break;
        }
        words.push(position.san(m));
        position = position.play(m);
    }
    words
}

/// Sums by theme, where there are points to compare themes by.
fn themes(positions: &[PositionResult]) -> Vec<Summary> {
    let mut names: Vec<&str> = Vec::new();
    for result in positions.iter().filter(|result| result.points.is_some()) {
        if let Some(theme) = result.theme.as_deref()
            && !names.contains(&theme)
        {
            names.push(theme);
        }
    }
    names
        .into_iter()
        .map(|name| Summary::of(name, positions.iter().filter(|result| result.theme.as_deref() == Some(name))))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Options;
    use crate::suite::parse;

    /// The same report without what the clock decides.
    fn timeless(mut report: SuiteReport) -> SuiteReport {
        let sums = std::iter::once(&mut report.total).chain(&mut report.suites).chain(&mut report.themes);
        for sum in sums {
            sum.time_ms = 0;
            sum.mean_solution_time_ms = None;
        }
        for result in &mut report.positions {
            result.time_ms = 0;
            for at in [&mut result.solution, &mut result.first_seen].into_iter().flatten() {
                at.time_ms = 0;
            }
        }
        report
    }

    fn report(text: &str) -> SuiteReport {
        let (mut engine, _) = Engine::new(Options { hash_mb: 1, ..Options::default() });
        let limits = Limits { depth: Some(3), ..Limits::default() };
        let suites = [parse("a.epd", text.as_bytes()), parse("b.epd", b"")];
        run(&mut engine, &suites, &limits, Rule::End, Settings::default(), &mut NoProgress)
    }

    /// One legal move, so that the answer does not depend on how well the engine plays.
    const FORCED: &str = "7k/8/8/8/8/8/r7/1r5K w - - ";

    #[test]
    fn lines_are_counted_by_what_they_are() {
        let position = "7k/8/8/8/8/6q1/8/7K b - -";
        let text = format!("{position} am Kg8 Kg7 Kh7; id \"T.1\";\n{position}\n{position} bm Kxh1;\n{position} dm 0;");
        let report = report(&text);
        assert_eq!((report.total.positions, report.total.refused, report.total.taskless), (1, 1, 2));
        assert_eq!(report.suites.len(), 2);
        assert_eq!(report.suites[1].positions, 0);
        assert_eq!(report.taskless[1].id, "a:4");
        assert!(!report.holds());
    }

    #[test]
    fn a_run_is_repeatable() {
        let start = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - ";
        let text = format!("{start}bm Bxa6; id \"T.1\"; c0 \"Bxa6=10, O-O=3\";\n{start}am d6; id \"T.2\";\n");
        let (first, second) = (report(&text), report(&text));
        assert_eq!(first.themes.len(), 1);
        assert_eq!(timeless(first), timeless(second));
    }

    #[test]
    fn a_position_without_a_legal_move_is_no_trouble() {
        assert!(parse("x", format!("{FORCED}bm Kg1;").as_bytes()).records.is_empty());
        let report = report("7k/5Q2/6K1/8/8/8/8/8 b - - dm -1;");
        assert_eq!((report.total.positions, report.total.solved), (1, 0));
        assert_eq!(report.positions[0].played, None);
    }
}
