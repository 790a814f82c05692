//! Results as CSV: a row for each engine and position, with fixed column names.

use serde::Serialize;

use super::labels::labels;
use super::model::SuiteReport;
use super::position_result::PositionResult;
use super::{MateLine, Milestone};
use crate::board::Color;
use crate::json::{MoveText, side};
use crate::score::StatedScore;

/// The columns, which are the fields of a row.
const COLUMNS: [&str; 25] = [
    "engine",
    "suite",
    "line",
    "id",
    "theme",
    "themes",
    "fen",
    "expected",
    "played",
    "score_cp",
    "score_mate",
    "pov",
    "solved",
    "solution_iteration",
    "solution_nodes",
    "solution_time_ms",
    "first_iteration",
    "left_again",
    "points",
    "max_points",
    "mate_line",
    "depth",
    "nodes",
    "time_ms",
    "pv",
];

/// One row.
#[derive(Serialize)]
struct Row<'a> {
    engine: &'a str,
    suite: &'a str,
    line: usize,
    id: &'a str,
    theme: Option<&'a str>,
    themes: String,
    fen: &'a str,
    expected: String,
    played: Option<&'a str>,
    score_cp: Option<i32>,
    score_mate: Option<i32>,
    #[serde(with = "side")]
    pov: Color,
    solved: bool,
    solution_iteration: Option<i32>,
    solution_nodes: Option<u64>,
    solution_time_ms: Option<u64>,
    first_iteration: Option<i32>,
    left_again: bool,
    points: Option<u32>,
    max_points: Option<u32>,
    mate_line: Option<MateLine>,
    depth: i32,
    nodes: u64,
    time_ms: Option<u64>,
    pv: String,
}

impl<'a> Row<'a> {
    fn new(engine: &'a str, result: &'a PositionResult) -> Row<'a> {
        let (score_cp, score_mate) = match result.score.value {
            StatedScore::Cp(cp) => (Some(cp), None),
            StatedScore::Draw(_) => (Some(0), None),
            StatedScore::Mate(moves) => (None, Some(moves)),
        };
        let at: Option<Milestone> = result.solution;
        Row {
            engine,
            suite: &result.suite,
            line: result.line,
            id: &result.id,
            theme: result.theme.as_deref(),
            themes: result.themes.join(", "),
            fen: &result.fen,
            expected: result.expected.to_string(),
            played: result.played_san(),
            score_cp,
            score_mate,
            pov: result.score.pov,
            solved: result.solved,
            solution_iteration: at.map(|at| at.iteration),
            solution_nodes: at.map(|at| at.nodes),
            solution_time_ms: at.and_then(|at| at.time_ms),
            first_iteration: result.first_seen.map(|at| at.iteration),
            left_again: result.left_again,
            points: result.points,
            max_points: result.max_points,
            mate_line: result.mate_line,
            depth: result.iteration,
            nodes: result.nodes,
            time_ms: result.time_ms,
            pv: MoveText::sans(&result.pv),
        }
    }
}

/// The positions of all reports as CSV with a heading line, even if there is no position.
///
/// # Errors
///
/// Errors of the CSV writer; writing to memory, there are none.
pub fn to_csv(reports: &[SuiteReport]) -> Result<String, ::csv::Error> {
    let mut writer = ::csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    writer.write_record(COLUMNS)?;
    for (engine, report) in labels(reports).iter().zip(reports) {
        for result in &report.positions {
            writer.serialize(Row::new(engine, result))?;
        }
    }
    let bytes = writer.into_inner().map_err(|error| ::csv::Error::from(error.into_error()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::run::tests::report;

    #[test]
    fn the_columns_are_those_of_the_rows_even_if_there_are_none() {
        let report = report("k7/8/1K6/8/8/8/8/8 b - - bm Kb8;", 1);
        let mut writer = ::csv::Writer::from_writer(Vec::new());
        writer.serialize(Row::new("x", &report.positions[0])).unwrap();
        let named_by_fields = String::from_utf8(writer.into_inner().unwrap()).unwrap();
        let empty = to_csv(&[SuiteReport::new(report.run, Vec::new())]).unwrap();
        assert_eq!(empty.lines().collect::<Vec<_>>(), named_by_fields.lines().take(1).collect::<Vec<_>>());
    }
}
