//! A search whose iterations are sent while it runs.

use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::ask::Search;
use super::http::Connection;
use crate::board::Move;
use crate::engine::{Engine, spawn_scoped};
use crate::report::page::{Live, LiveIteration, limit};
use crate::runner::Provenance;
use crate::search::{Iteration, Observer, StopFlag};
use crate::text::grouped;
use crate::units::Depth;

/// How often the move being searched is told.
const TELLING: Duration = Duration::from_millis(250);

/// A line of the answer.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Event {
    /// The settings, and the balance beyond which an account is cashed in.
    Begin { heading: String, limit: Option<f64> },
    /// The iteration and root move being searched.
    Now(String),
    /// A completed iteration.
    Iteration(Box<LiveIteration>),
    /// How the search ended.
    End(String),
}

/// What the search tells.
enum Told {
    Iteration(Box<Iteration>),
    Move(Depth, Move, usize),
}

/// Passes on what the search tells; what nobody hears any more is lost.
struct Teller {
    listener: Sender<Told>,
    last: Instant,
}

impl Observer for Teller {
    fn iteration(&mut self, iteration: &Iteration) {
        let _ = self.listener.send(Told::Iteration(Box::new(iteration.clone())));
    }

    fn current_move(&mut self, iteration: Depth, m: Move, number: usize) {
        if self.last.elapsed() >= TELLING {
            self.last = Instant::now();
            let _ = self.listener.send(Told::Move(iteration, m, number));
        }
    }
}

/// Searches and sends what is found, until the search ends or is stopped, or the other side closes the connection.
pub(super) fn watch(search: Search, stop: &StopFlag, connection: &Connection) {
    let Search { game, options, limits } = search;
    let (mut engine, _) = Engine::new(options);
    let provenance = Provenance::of_engine(&engine, &limits);
    let begin = Event::Begin {
        heading: format!("{}{}", provenance.heading(), provenance.limits()),
        limit: limit(&engine.options().params),
    };
    let position = game.position().clone();
    thread::scope(|scope| {
        scope.spawn(|| {
            connection.wait_for_end();
            stop.raise();
        });
        let (listener, told) = channel();
        let mut teller = Teller { listener, last: Instant::now() };
        let running = spawn_scoped(scope, "search", move || engine.search(&game, &limits, stop, &mut teller));
        let mut live = Live::new(&position, provenance);
        let tell = |event: &Event| connection.send_line(event);
        let mut sent = connection.begin_lines().and_then(|()| tell(&begin));
        for told in told {
            let event = match told {
                Told::Iteration(iteration) => Event::Iteration(Box::new(live.next(&iteration))),
                Told::Move(iteration, m, number) => {
                    Event::Now(format!("iteration {iteration}, move {number}: {}", position.san(m)))
                }
            };
            sent = sent.and_then(|()| tell(&event));
            if sent.is_err() {
                stop.raise();
            }
        }
        let end = match running.map(thread::ScopedJoinHandle::join) {
            Ok(Ok(outcome)) => format!("{} nodes", grouped(outcome.nodes)),
            _ => "the search could not be run: too little memory".to_owned(),
        };
        let _ = sent.and_then(|()| tell(&Event::End(end)));
        connection.end();
    });
}
