//! The search thread, so that the protocol's loop can always answer.
//!
//! The engine belongs to whoever uses it: the loop while idle, this thread during a search. It is passed with the job
//! and returned with the answer, so that nothing can change it in between.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, Sender, channel};

use super::event::{Answer, Event, Finished, Searched};
use super::options::Extras;
use super::output::Output;
use super::reporter::Reporter;
use crate::board::{Game, Position, perft};
use crate::book::BookMove;
use crate::engine::{self, Engine, Limits, Options};
use crate::runner::Provenance;
use crate::runner::bench::measure;
use crate::search::StopFlag;

/// Perft does not check the stop flag this close to the leaves, which takes a few milliseconds.
const PERFT_UNINTERRUPTED: u32 = 3;

/// A job that takes time.
pub enum Job {
    /// Search the game's position.
    Search {
        /// The engine, returned with the answer.
        engine: Box<Engine>,
        /// The game.
        game: Box<Game>,
        /// How long.
        limits: Limits,
        /// What else to show.
        extras: Extras,
        /// Stops it when set.
        stop: StopFlag,
    },
    /// Run the bench.
    Bench {
        /// The options of its engine.
        options: Box<Options>,
        /// Last iteration for each position.
        depth: i32,
        /// Stops it when set.
        stop: StopFlag,
    },
    /// Count leaves below each move.
    Perft {
        /// The root.
        position: Box<Position>,
        /// Plies.
        depth: u32,
        /// Stops it when set.
        stop: StopFlag,
    },
}

/// Starts the thread; it ends when the sender of jobs is dropped.
///
/// # Errors
///
/// The system cannot start a thread.
pub fn spawn(out: Output, debug: Arc<AtomicBool>, events: Sender<Event>) -> io::Result<Sender<Job>> {
    let (sender, jobs) = channel();
    engine::spawn("search", move || work(&jobs, &out, &debug, &events))?;
    Ok(sender)
}

fn work(jobs: &Receiver<Job>, out: &Output, debug: &AtomicBool, events: &Sender<Event>) {
    for job in jobs {
        if events.send(Event::Finished(perform(job, out, debug))).is_err() {
            return;
        }
    }
}

/// Does a job on this thread.
pub fn perform(job: Job, out: &Output, debug: &AtomicBool) -> Finished {
    match job {
        Job::Search { mut engine, game, limits, extras, stop } => {
            let mut reporter = Reporter::new(out, &game, debug, extras, limits.multi_pv);
            let provenance = Provenance::of_engine(&engine, &limits);
            if extras.ledger {
                reporter.show_ledgers(engine.options());
            }
            let answer = match engine.book_move(&game, &limits) {
                Some(found) => play_from_book(game.position(), found, out),
                None => search(&mut engine, &game, &limits, &stop, &mut reporter, out),
            };
            let searched = reporter.into_last().map(|iteration| {
                // To explain it takes neither of the files, which may be large.
                let options = Options { book: None, tables: None, ..engine.options().clone() };
                let position = game.position().clone();
                Box::new(Searched { position, provenance, options, iteration })
            });
            Finished::Search { engine, answer, searched }
        }
        Job::Bench { options, depth, stop } => {
            bench(*options, depth, &stop, out);
            Finished::Count
        }
        Job::Perft { position, depth, stop } => {
            divide(&position, depth, &stop, out);
            Finished::Count
        }
    }
}

/// Reports that the move comes from the book and answers with it.
fn play_from_book(position: &Position, BookMove { mv: m, weight }: BookMove, out: &Output) -> Answer {
    out.message(format_args!("book: {} (weight {weight})", position.san(m)));
    out.line(format_args!("info depth 0 pv {}", position.uci(m)));
    Answer { best: Some(m), ponder: None }
}

/// Searches and answers.
fn search(
    engine: &mut Engine,
    game: &Game,
    limits: &Limits,
    stop: &StopFlag,
    reporter: &mut Reporter<'_>,
    out: &Output,
) -> Answer {
    if let Err(error) = engine::check_room() {
        out.message(error);
        let wanted = limits.search_moves.first().copied();
        let first = wanted.or_else(|| game.position().legal_moves().first().copied());
        out.message("the move is played without search");
        return Answer { best: first, ponder: None };
    }
    let outcome = engine.search(game, limits, stop, reporter);
    if let Some(no_mate) = outcome.no_mate {
        let by = if limits.search_moves.is_empty() { "" } else { " by the moves searched" };
        out.message(format_args!("{no_mate}{by}"));
    }
    engine.syzygy_problems().into_iter().for_each(|problem| out.message(problem));
    if limits.search_moves.is_empty() {
        reporter.answer(&outcome, &game.position().legal_moves())
    } else {
        reporter.answer(&outcome, &limits.search_moves)
    }
}

/// Runs the bench with its own engine, so that nothing learned in the game is lost.
fn bench(options: Options, depth: i32, stop: &StopFlag, out: &Output) {
    let (mut engine, warning) = Engine::new(options);
    if let Some(warning) = warning {
        out.message(warning);
    }
    match measure(&mut engine, depth, stop) {
        Ok(Some(measured)) => out.line(measured),
        Ok(None) => out.message("bench stopped"),
        Err(error) => out.message(format_args!("bench: {error}")),
    }
}

/// Sends the count below each move, and their sum in the format that scripts expect.
fn divide(position: &Position, depth: u32, stop: &StopFlag, out: &Output) {
    let mut total = u64::from(depth == 0);
    if depth > 0 {
        for &m in &position.legal_moves() {
            let Some(count) = count(&position.play(m), depth - 1, stop) else {
                out.message("perft stopped");
                return;
            };
            out.line(format_args!("{}: {count}", position.uci(m)));
            total = total.saturating_add(count);
        }
    }
    out.line(format_args!("\nNodes searched: {total}\n"));
}

/// Perft that can be stopped: `None` if it was.
fn count(position: &Position, depth: u32, stop: &StopFlag) -> Option<u64> {
    if stop.is_raised() {
        return None;
    }
    if depth <= PERFT_UNINTERRUPTED {
        return Some(perft(position, depth));
    }
    let counts = position.legal_moves().into_iter().map(|m| count(&position.play(m), depth - 1, stop));
    counts.sum::<Option<u64>>()
}
