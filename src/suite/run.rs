//! Lets an engine solve suites.

use std::convert::Infallible;
use std::ops::ControlFlow;

use thiserror::Error;

use super::judge::Ending;
use super::model::{Contents, Run, SuitePosition};
use super::position_result::PositionResult;
use super::{Line, Record, Rule, Suite, SuiteReport, Task, Tracker};
use crate::board::Game;
use crate::engine::{Engine, Limits};
use crate::runner::{Head, Interrupt, Journal, JournalError, Kind, PeerError, Pool, Provenance, Shard};
use crate::search::StopFlag;

/// Something that searches a position: this engine, or another program.
pub trait Solver: Send {
    /// Searches a record's position from a clean state, and reports each iteration to the judge; blocks until the
    /// limits are reached or `stop` is set.
    ///
    /// # Errors
    ///
    /// Another program failed.
    fn search(
        &mut self,
        record: &Record,
        limits: &Limits,
        stop: &StopFlag,
        tracker: &mut Tracker<'_>,
    ) -> Result<Ending, PeerError>;
}

impl Solver for Engine {
    fn search(
        &mut self,
        record: &Record,
        limits: &Limits,
        stop: &StopFlag,
        tracker: &mut Tracker<'_>,
    ) -> Result<Ending, PeerError> {
        Ok(search(self, record, limits, stop, tracker))
    }
}

/// Searches with this engine.
fn search(engine: &mut Engine, record: &Record, limits: &Limits, stop: &StopFlag, tracker: &mut Tracker) -> Ending {
    engine.new_game();
    engine.search(&Game::new(record.position.clone()), limits, stop, tracker).into()
}

/// Engines of any kind, one search at a time each.
pub type Solvers = Pool<Box<dyn Solver>>;

/// What is to be done: the head of a report.
pub fn describe(suites: &[Suite], provenance: Provenance, rule: Rule, shard: Option<Shard>) -> Run {
    let contents = |suite: &Suite| {
        let (tasks, taskless): (Vec<&Record>, Vec<&Record>) =
            suite.records.iter().partition(|record| record.is_solvable());
        Contents {
            name: suite.name.clone(),
            positions: tasks.len(),
            crc32c: Some(checksum(&tasks)),
            refused: suite.refused.clone(),
            taskless: taskless.into_iter().map(SuitePosition::from).collect(),
        }
    };
    Run { head: Head::new(Kind::Solve, provenance), rule, shard, suites: suites.iter().map(contents).collect() }
}

/// The checksum of these positions, their solutions and what moves are worth.
fn checksum(tasks: &[&Record]) -> u32 {
    let worth = |record: &Record| -> String {
        record.points.iter().map(|&(m, points)| format!(" {}={points}", record.position.san(m))).collect()
    };
    let question = |record: &&Record| format!("{} {}{}\n", record.fen, record.expected(), worth(record));
    tasks.iter().fold(0, |sum, record| crc32c::crc32c_append(sum, question(record).as_bytes()))
}

impl From<&Record> for SuitePosition {
    fn from(record: &Record) -> SuitePosition {
        SuitePosition { suite: record.file.clone(), line: record.line, id: record.id.clone() }
    }
}

/// The settings of a run.
#[derive(Copy, Clone, Debug)]
pub struct Job<'a> {
    /// The positions.
    pub tasks: &'a [Task<'a>],
    /// The limits of each search.
    pub limits: &'a Limits,
    /// When a position counts as solved.
    pub rule: Rule,
    /// Whether to keep times.
    pub with_times: bool,
    /// Ends the run early.
    pub interrupt: &'a Interrupt,
}

/// Solves the positions and returns the results: all, unless interrupted or an engine failed.
///
/// The engine forgets everything before each position, so that with a node or depth limit each result depends on
/// nothing else, whatever the number of engines. `progress` gets each result as soon as it is available, in any order,
/// and may end the run, but for searches in progress.
///
/// # Errors
///
/// The failure of another program, with the results up to then.
pub fn run(
    solvers: &mut Solvers,
    job: Job<'_>,
    progress: &mut dyn FnMut(&PositionResult) -> ControlFlow<()>,
) -> (Vec<PositionResult>, Result<(), PeerError>) {
    // This run only: after a failure another engine may do better.
    let ended = Interrupt::new();
    let work = |solver: &mut Box<dyn Solver>, number: usize| {
        if ended.is_raised() {
            return None;
        }
        let task = job.tasks[number];
        let stop = job.interrupt.stop_flag()?;
        let result =
            solve_with(task.record, job.rule, &stop, |tracker| solver.search(task.record, job.limits, &stop, tracker));
        if result.is_err() {
            ended.raise();
        }
        // An interrupted search says nothing about the position.
        let result = result.map(|result| PositionResult { index: task.index, ..result });
        (!job.interrupt.is_raised()).then(|| result.map(|r| if job.with_times { r } else { r.without_times() }))
    };
    let mut results = Vec::with_capacity(job.tasks.len());
    let mut error = Ok(());
    let mut hear = |result: &Option<Result<PositionResult, PeerError>>| {
        if let Some(Ok(result)) = result
            && progress(result).is_break()
        {
            ended.raise();
        }
    };
    for result in solvers.run(job.tasks.len(), work, &mut hear).into_iter().flatten() {
        match result {
            Ok(result) => results.push(result),
            Err(reason) if error.is_ok() => error = Err(reason),
            Err(_) => {}
        }
    }
    (results, error)
}

/// What ended a run before its end.
#[derive(Debug, Error)]
pub enum RunError {
    /// Another program failed.
    #[error(transparent)]
    Peer(#[from] PeerError),
    /// The journal cannot be written.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// Continues a run: solves the positions, writes each result into the journal as it comes, and adds it to the report.
///
/// A failure ends it; the results up to then are kept, and searches in progress are completed.
///
/// # Errors
///
/// Another program that fails, or a journal that cannot be written.
pub fn go_on(
    solvers: &mut Solvers,
    job: Job<'_>,
    report: &mut SuiteReport,
    mut journal: Option<&mut Journal>,
    progress: &mut dyn FnMut(&PositionResult),
) -> Result<(), RunError> {
    if let Some(journal) = &mut journal {
        journal.add(&Line::Run(&report.run))?;
    }
    let mut written = Ok(());
    let mut hear = |result: &PositionResult| {
        progress(result);
        if let (Some(journal), true) = (&mut journal, written.is_ok()) {
            written = journal.add(&Line::Position(result));
        }
        if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let (results, outcome) = run(solvers, job, &mut hear);
    let done = std::mem::take(&mut report.positions).into_iter().chain(results).collect();
    *report = SuiteReport::new(report.run.clone(), done);
    written?;
    Ok(outcome?)
}

/// Searches one position and judges the search; the engine forgets everything before it.
pub fn solve(engine: &mut Engine, record: &Record, limits: &Limits, rule: Rule) -> PositionResult {
    let stop = StopFlag::new();
    let Ok(result) =
        solve_with(record, rule, &stop, |tracker| Ok::<_, Infallible>(search(engine, record, limits, &stop, tracker)));
    result
}

/// Judges a search that sets and obeys `stop`.
fn solve_with<E>(
    record: &Record,
    rule: Rule,
    stop: &StopFlag,
    search: impl FnOnce(&mut Tracker) -> Result<Ending, E>,
) -> Result<PositionResult, E> {
    let mut tracker = Tracker::new(record, rule, stop.clone());
    let ending = search(&mut tracker)?;
    Ok(tracker.finish(&ending))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::engine::Options;
    use crate::suite::{parse, tasks};

    /// A suite of these lines, solved by so many engines at a time.
    pub(in crate::suite) fn report(text: &str, jobs: usize) -> SuiteReport {
        let engine = || -> Box<dyn Solver> { Box::new(Engine::new(Options { hash_mb: 1, ..Options::default() }).0) };
        let mut solvers = Pool::of((0..jobs).map(|_| engine()).collect());
        let suites = [parse("a.epd", text.as_bytes()), parse("b.epd", b"")];
        let limits = Limits::to_depth(3);
        let tasks = tasks(&suites);
        let interrupt = Interrupt::new();
        let job = Job { tasks: &tasks, limits: &limits, rule: Rule::End, with_times: false, interrupt: &interrupt };
        let mut progress = 0;
        let (results, error) = run(&mut solvers, job, &mut |_| {
            progress += 1;
            ControlFlow::Continue(())
        });
        assert_eq!((error, progress), (Ok(()), tasks.len()));
        SuiteReport::new(describe(&suites, Provenance::default(), Rule::End, None), results)
    }

    /// A run without times, the same with them, and one that has not begun.
    pub(in crate::suite) fn untimed_timed_and_not_begun() -> [SuiteReport; 3] {
        let untimed = report("k7/8/1K6/8/8/8/8/8 b - - bm Kb8;\n", 1);
        let result = PositionResult { time_ms: Some(7), ..untimed.positions[0].clone() };
        let [timed, not_begun] =
            [vec![result], Vec::new()].map(|results| SuiteReport::new(untimed.run.clone(), results));
        [untimed, timed, not_begun]
    }

    /// One legal move, so that the answer does not depend on how well the engine plays.
    const FORCED: &str = "7k/8/8/8/8/8/r7/1r5K w - - ";

    #[test]
    fn lines_are_counted_by_what_they_are() {
        let position = "7k/8/8/8/8/6q1/8/7K b - -";
        let text = format!("{position} am Kg8 Kg7 Kh7; id \"T.1\";\n{position}\n{position} bm Kxh1;\n{position} dm 0;");
        let report = report(&text, 1);
        assert_eq!((report.total.positions, report.total.refused, report.total.taskless), (1, 1, 2));
        assert_eq!(report.suites.len(), 2);
        assert_eq!(report.suites[1].positions, 0);
        assert_eq!(report.run.suites[0].taskless[1].id, "a:4");
        assert!(!report.holds());
    }

    #[test]
    fn a_run_is_the_same_for_any_number_of_jobs() {
        let start = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - ";
        let line = |number: usize| format!("{start}bm Bxa6; id \"T.{number}\"; c0 \"Bxa6=10, O-O=3\";\n");
        let text: String = (1..9).map(line).collect();
        let first = report(&text, 1);
        assert_eq!((first.themes.len(), first.positions.len()), (1, 8));
        for jobs in [1, 3] {
            assert_eq!(report(&text, jobs), first);
        }
    }

    #[test]
    fn a_position_without_a_legal_move_is_no_trouble() {
        assert!(parse("x", format!("{FORCED}bm Kg1;").as_bytes()).records.is_empty());
        let report = report("7k/5Q2/6K1/8/8/8/8/8 b - - dm -1;", 1);
        assert_eq!((report.total.positions, report.total.solved), (1, 0));
        assert_eq!(report.positions[0].played, None);
    }

    #[test]
    fn an_interrupted_run_keeps_what_is_done_and_nothing_half_done() {
        let (engine, _) = Engine::new(Options { hash_mb: 1, ..Options::default() });
        const COUNT: usize = 2000;
        let suites = [parse("a.epd", "8/8/8/8/8/5k2/5p2/5K2 b - - bm Ke3;\n".repeat(COUNT).as_bytes())];
        let tasks = tasks(&suites);
        let interrupt = Interrupt::new();
        let limits = Limits::to_depth(6);
        let job = Job { tasks: &tasks, limits: &limits, rule: Rule::End, with_times: false, interrupt: &interrupt };
        let mut solvers = Pool::of(vec![Box::new(engine) as Box<dyn Solver>]);
        let (results, error) = run(&mut solvers, job, &mut |_| {
            interrupt.raise();
            ControlFlow::Continue(())
        });
        // The first is there; others may have been done before the request was seen. All positions are the same.
        assert!(error.is_ok() && (1..COUNT).contains(&results.len()), "{}", results.len());
        let done = |result: &PositionResult| (result.iteration, result.nodes);
        assert!(results.iter().all(|result| done(result) == done(&results[0])), "{results:?}");
        // Whoever hears of the results may end the run, which interrupts nothing else.
        let job = Job { interrupt: &Interrupt::new(), ..job };
        let (results, error) = run(&mut solvers, job, &mut |_| ControlFlow::Break(()));
        assert!(
            error.is_ok() && (1..COUNT).contains(&results.len()) && !job.interrupt.is_raised(),
            "{}",
            results.len()
        );
    }
}
