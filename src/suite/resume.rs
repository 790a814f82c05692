//! Resuming interrupted runs.

use std::collections::HashMap;

use thiserror::Error;

use super::{PositionResult, Record, Run, SuiteReport, Task, from_jsonl};
use crate::runner::{LineError, first_true};

/// A text that cannot be resumed.
#[derive(Debug, Error)]
pub enum ResumeError {
    /// It is not a file of runs.
    #[error(transparent)]
    Text(#[from] LineError),
    /// More runs of a program than take part now.
    #[error("more runs of {0} than now")]
    OneTooMany(String),
    /// A run of a program that does not take part now.
    #[error("a run of {0}, which is not part of this one")]
    OtherProgram(String),
    /// A run over the same suites, one of which had another name.
    #[error("a run with the suites under other names (`{found}`, now `{now}`)")]
    OtherName {
        /// Its name in that run.
        found: String,
        /// Its name now.
        now: String,
    },
    /// A run that differs from the current ones in this.
    #[error("a run with {0} than now")]
    OtherRun(&'static str),
    /// A position has changed since.
    #[error("{id} in {suite} has changed since")]
    OtherPosition {
        /// Its name.
        id: String,
        /// Its suite.
        suite: String,
    },
}

/// The results of these runs already in a text: one report for each run, empty if the text or the run is not there yet.
/// It names the commits of all programs that took part.
///
/// # Errors
///
/// A text of another format, or with other runs or more of them.
pub fn taken_up(text: &str, runs: &[Run], tasks: &[Task]) -> Result<Vec<SuiteReport>, ResumeError> {
    let found = if text.is_empty() { Vec::new() } else { from_jsonl(text)? };
    let mut reports: Vec<SuiteReport> = runs.iter().map(|run| SuiteReport::new(run.clone(), Vec::new())).collect();
    let records: HashMap<usize, &Record> = tasks.iter().map(|task| (task.index, task.record)).collect();
    // An engine that takes part twice has two of the same kind, one after the other.
    let mut free: Vec<&mut SuiteReport> = reports.iter_mut().collect();
    for report in found {
        let Some(place) = free.iter().position(|slot| slot.run.fits(&report.run)) else {
            return Err(difference(&report.run, runs));
        };
        let slot = free.remove(place);
        let mut begun = report.run.head.provenance.clone();
        begun.go_on_by(&slot.run.head.provenance);
        slot.run.head.provenance.commit = begun.commit;
        for result in report.positions {
            if records.get(&result.index).is_none_or(|record| !is_result_of(&result, record)) {
                return Err(ResumeError::OtherPosition { id: result.id, suite: result.suite });
            }
            slot.positions.push(result);
        }
    }
    Ok(reports.into_iter().map(|report| SuiteReport::new(report.run, report.positions)).collect())
}

/// Whether a search of the record as it is now would have the result's name, task and points.
fn is_result_of(result: &PositionResult, record: &Record) -> bool {
    let played = result.played.as_ref().and_then(|played| record.position.parse_uci(&played.uci).ok());
    let points = (record.points_of(played), record.max_points());
    let is_same_task = (record.fen.as_str(), record.expected().sorted()) == result.question();
    is_same_task && record.id == result.id && points == (result.points, result.max_points)
}

/// How a run differs from the requested ones, or that it is one more.
fn difference(found: &Run, wanted: &[Run]) -> ResumeError {
    let program = &found.head.provenance.program;
    let Some(run) = wanted.iter().find(|run| run.head.provenance.program == *program) else {
        return ResumeError::OtherProgram(program.clone());
    };
    if wanted.iter().any(|run| run.fits(found)) {
        return ResumeError::OneTooMany(program.clone());
    }
    if let Some((now, found)) = run.renamed_suite(found) {
        return ResumeError::OtherName { found: found.to_owned(), now: now.to_owned() };
    }
    let differs = first_true(&[
        (!run.has_suites_of(found), "other suites"),
        (run.shard != found.shard, "another part of the positions"),
        (run.rule != found.rule, "another rule"),
    ]);
    let differs = differs.or_else(|| run.head.provenance.difference(&found.head.provenance));
    ResumeError::OtherRun(differs.unwrap_or("other settings"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Engine, Limits, Options};
    use crate::runner::{Interrupt, JournalFile, Pool, Provenance, Shard};
    use crate::suite::{Job, Rule, Solver, Suite, describe, go_on, parse, tasks};

    const SUITE: &str = "k7/8/1K6/8/8/8/8/8 b - - bm Kb8;\n8/8/8/8/8/5k2/5p2/5K2 b - - bm Ke3;\n";

    fn run(suites: &[Suite], shard: Option<Shard>, program: &str) -> Run {
        let provenance = Provenance { program: program.to_owned(), ..Provenance::default() };
        describe(suites, provenance, Rule::End, shard)
    }

    #[test]
    fn what_stands_in_the_journal_is_not_open() {
        let suites = [parse("a.epd", SUITE.as_bytes())];
        let tasks = tasks(&suites);
        let (limits, interrupt) = (Limits::to_depth(1), Interrupt::new());
        let engine = Engine::new(Options { hash_mb: 1, ..Options::default() }).0;
        let mut solvers = Pool::of(vec![Box::new(engine) as Box<dyn Solver>]);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.jsonl");
        let run = run(&suites, None, "x");
        let mut report = SuiteReport::new(run.clone(), Vec::new());
        let mut journal = JournalFile::take(&path).unwrap().unwrap().begin("").unwrap();
        let job =
            Job { tasks: &tasks[1..], limits: &limits, rule: Rule::End, with_times: false, interrupt: &interrupt };
        go_on(&mut solvers, job, &mut report, Some(&mut journal), &mut |_| ()).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let taken = taken_up(&text, std::slice::from_ref(&run), &tasks).unwrap();
        assert_eq!(taken, [report]);
        assert_eq!(taken[0].open(&tasks).iter().map(|task| task.index).collect::<Vec<_>>(), [0]);
    }

    #[test]
    fn an_engine_that_takes_part_twice_has_two_runs() {
        let suites = [parse("a.epd", SUITE.as_bytes())];
        let tasks = tasks(&suites);
        let (mut engine, _) = Engine::new(Options { hash_mb: 1, ..Options::default() });
        let limits = Limits::to_depth(1);
        let mut result = |task: &Task| PositionResult {
            index: task.index,
            ..crate::suite::solve(&mut engine, task.record, &limits, Rule::End)
        };
        let run = run(&suites, None, "x");
        let report = |results| SuiteReport::new(run.clone(), results);
        let reports = [report(tasks.iter().map(&mut result).collect()), report(vec![result(&tasks[1])])];
        let text = crate::suite::to_jsonl(&reports).unwrap();
        assert_eq!(taken_up(&text, &[run.clone(), run.clone()], &tasks).unwrap(), reports);
        // Where it takes part once, the second would be lost.
        let reason = taken_up(&text, &[run], &tasks).unwrap_err().to_string();
        assert_eq!(reason, "more runs of x than now");
    }

    #[test]
    fn a_position_that_has_another_name_or_other_points_has_changed() {
        let line = "8/8/8/8/8/5k2/5p2/5K2 b - - id \"squares\"; c0 \"Ke3=100, Kg3=40, Ke4=1\";";
        let suites = [parse("a.epd", line.as_bytes())];
        let (mut engine, _) = Engine::new(Options { hash_mb: 1, ..Options::default() });
        let limits = Limits::to_depth(1);
        let record = &suites[0].records[0];
        let mut result = crate::suite::solve(&mut engine, record, &limits, Rule::End);
        let played = record.position.parse_san("Kg3").unwrap();
        result.played = Some(crate::json::MoveText::new(&record.position, played));
        result.points = Some(40);
        let run = run(&suites, None, "x");
        let text = crate::suite::to_jsonl(&[SuiteReport::new(run.clone(), vec![result])]).unwrap();
        let taken = |line: &str| {
            let suites = [parse("a.epd", line.as_bytes())];
            taken_up(&text, std::slice::from_ref(&run), &tasks(&suites))
        };
        assert!(taken(line).is_ok() && taken(&line.replace("Ke4=1", "Ke4=2")).is_ok());
        for changed in [("squares", "circles"), ("Kg3=40", "Kg3=50"), ("Kg3=40, ", ""), ("100", "90")] {
            let reason = taken(&line.replace(changed.0, changed.1)).unwrap_err().to_string();
            assert_eq!(reason, "squares in a.epd has changed since", "{changed:?}");
        }
    }

    #[test]
    fn other_runs_are_named_by_what_differs() {
        let suites = [parse("a.epd", SUITE.as_bytes())];
        let wanted = run(&suites, None, "x");
        let text = |run: Run| crate::suite::to_jsonl(&[SuiteReport::new(run, Vec::new())]).unwrap();
        let reason =
            |run: Run| taken_up(&text(run), std::slice::from_ref(&wanted), &tasks(&suites)).unwrap_err().to_string();
        let mut of_other_commit = wanted.clone();
        of_other_commit.head.provenance.commit = Some("1234567".to_owned());
        let taken = taken_up(&text(of_other_commit), std::slice::from_ref(&wanted), &tasks(&suites)).unwrap();
        assert_eq!(taken[0].run.head.provenance.commit.as_deref(), Some("1234567"));
        assert_eq!(reason(run(&suites, None, "y")), "a run of y, which is not part of this one");
        assert_eq!(reason(run(&suites[..0], None, "x")), "a run with other suites than now");
        let edited = [parse("a.epd", SUITE.replace("Ke3", "Kg3").as_bytes())];
        assert_eq!(reason(run(&edited, None, "x")), "a run with other suites than now");
        // Lines without a position or a task have their suite's name, too.
        let lines = format!("{SUITE}rubbish\n8/8/8/8/8/5k2/5p2/5K2 b - -\n");
        let [here, there] = ["a.epd", "./a.epd"].map(|name| run(&[parse(name, lines.as_bytes())], None, "x"));
        let renamed = taken_up(&text(there), &[here], &[]).unwrap_err().to_string();
        assert_eq!(renamed, "a run with the suites under other names (`./a.epd`, now `a.epd`)");
        // As in older files.
        let mut of_unknown_sum = wanted.clone();
        of_unknown_sum.suites[0].crc32c = None;
        assert!(taken_up(&text(of_unknown_sum), std::slice::from_ref(&wanted), &tasks(&suites)).is_ok());
        assert_eq!(reason(run(&suites, "1/2".parse().ok(), "x")), "a run with another part of the positions than now");
        assert_eq!(reason(Run { rule: Rule::Seen, ..wanted.clone() }), "a run with another rule than now");
        let mut of_other_size = wanted.clone();
        of_other_size.head.provenance.hash_mb = Some(7);
        assert_eq!(reason(of_other_size), "a run with another size of the table than now");
    }
}
