//! The answer to a search request: what the search finds, line by line while it runs.

use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::http::Connection;
use super::search_request::Search;
use crate::board::Move;
use crate::engine::{Engine, spawn_scoped};
use crate::report::NominalWords;
use crate::report::page::{Live, LiveIteration, credit_limit};
use crate::runner::Provenance;
use crate::search::{Iteration, Observer, StopFlag};
use crate::text::grouped;
use crate::units::Depth;

/// The least time between updates on the move being searched.
const UPDATE_INTERVAL: Duration = Duration::from_millis(250);

/// A line of the answer.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Event {
    /// The settings, the balance beyond which an account is cashed in, in plies, and what the nominal depth is called.
    Begin { heading: String, credit_limit: Option<f64>, nominal: &'static str },
    /// The iteration and root move being searched.
    Now(String),
    /// A completed iteration.
    Iteration(Box<LiveIteration>),
    /// How the search ended.
    End(String),
}

/// What the search reports.
enum Update {
    Iteration(Box<Iteration>),
    Move(Depth, Move, usize),
}

/// Passes on what the search reports; once the receiver is gone, that is lost.
struct ProgressObserver {
    updates: Sender<Update>,
    last_move: Instant,
}

impl Observer for ProgressObserver {
    fn iteration(&mut self, iteration: &Iteration) {
        let _ = self.updates.send(Update::Iteration(Box::new(iteration.clone())));
    }

    fn current_move(&mut self, iteration: Depth, mv: Move, number: usize) {
        if self.last_move.elapsed() >= UPDATE_INTERVAL {
            self.last_move = Instant::now();
            let _ = self.updates.send(Update::Move(iteration, mv, number));
        }
    }
}

/// Searches and sends what is found, until the search ends or is stopped, or the other side closes the connection.
pub(super) fn stream_search(search: Search, stop: &StopFlag, connection: &Connection) {
    let Search { game, options, limits } = search;
    let (mut engine, _) = Engine::new(options.clone());
    let provenance = Provenance::of_engine(&engine, &limits);
    let begin = Event::Begin {
        heading: format!("{}{}", provenance.heading(), provenance.limits()),
        credit_limit: credit_limit(&engine.options().params),
        nominal: NominalWords::of(&provenance).name,
    };
    let position = game.position().clone();
    thread::scope(|scope| {
        let listening = spawn_scoped(scope, "connection", || {
            connection.wait_for_end();
            stop.raise();
        });
        let (sender, updates) = channel();
        let mut observer = ProgressObserver { updates: sender, last_move: Instant::now() };
        let search = move || engine.search(&game, &limits, stop, &mut observer);
        let running = listening.and_then(|_| spawn_scoped(scope, "search", search));
        let mut live = Live::new(&position, provenance, &options);
        let send = |event: &Event| connection.send_line(event);
        let mut sent = connection.begin_lines().and_then(|()| send(&begin)).inspect_err(|_| stop.raise());
        for update in updates {
            // Nobody listens any more: what the search finds until it ends need not be explained.
            if stop.is_raised() {
                continue;
            }
            let event = match update {
                Update::Iteration(iteration) => Event::Iteration(Box::new(live.next(&iteration))),
                Update::Move(iteration, mv, number) => {
                    Event::Now(format!("iteration {iteration}, move {number}: {}", position.san(mv)))
                }
            };
            sent = sent.and_then(|()| send(&event)).inspect_err(|_| stop.raise());
        }
        let end = match running.map(thread::ScopedJoinHandle::join) {
            Ok(Ok(outcome)) => {
                let how = if stop.is_raised() { "stopped" } else { "finished" };
                format!("{how} after {} nodes", grouped(outcome.nodes))
            }
            _ => "the search could not be run: too little memory".to_owned(),
        };
        let _ = sent.and_then(|()| send(&Event::End(end)));
        connection.end();
    });
}
