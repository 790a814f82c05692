//! What the threads tell the protocol's loop.

use std::io;
use std::time::Instant;

use crate::board::{Move, Position};
use crate::engine::{Engine, Options};
use crate::runner::Provenance;
use crate::search::Iteration;

/// Events for the protocol's loop.
pub enum Event {
    /// A line of input, and when it came.
    Line(String, Instant),
    /// No more input.
    EndOfInput,
    /// A line of input that is longer than any command.
    Overlong,
    /// What was typed is not UTF-8, and dropped.
    NoText,
    /// Lines cannot be sent any more.
    OutputLost(io::Error),
    /// The job is done.
    Finished(Finished),
}

/// A finished job.
pub enum Finished {
    /// A search, with its answer, which may have to wait.
    Search {
        /// The engine, returned.
        engine: Box<Engine>,
        /// Its answer.
        answer: Answer,
        /// The iteration that the answer is from.
        searched: Option<Box<Searched>>,
    },
    /// A bench or perft, which has sent its lines.
    Count,
}

/// The answer to `go`.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The move to play; `None` if there is no legal one.
    pub best: Option<Move>,
    /// The expected reply.
    pub ponder: Option<Move>,
}

impl Answer {
    /// The `bestmove` line in a position.
    pub fn line(self, position: &Position) -> String {
        let Some(best) = self.best else { return "bestmove (none)".to_owned() };
        let reply = self.ponder.map(|reply| format!(" ponder {}", position.play(best).uci(reply)));
        format!("bestmove {}{}", position.uci(best), reply.unwrap_or_default())
    }
}

/// The iteration that a search's answer is from.
pub struct Searched {
    /// The root.
    pub position: Position,
    /// What it was made with.
    pub provenance: Provenance,
    /// The settings of the search.
    pub options: Options,
    /// The iteration.
    pub iteration: Iteration,
}
