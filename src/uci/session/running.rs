//! What runs for a session, a search or a count, from its start until its answer is sent.

use std::sync::mpsc::{RecvTimeoutError, SendError};
use std::time::{Duration, Instant};

use super::Session;
use crate::board::Position;
use crate::engine::{Limits, TimePlan};
use crate::search::StopFlag;
use crate::uci::command::{self, Command};
use crate::uci::event::{Answer, Event, Finished};
use crate::uci::thinker::{self, Job};

/// How a conversation ends.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// By `quit`.
    Quit,
    /// By the end of input, or since nobody listens any more.
    Input,
}

/// How long something that runs is awaited at the end.
#[derive(Copy, Clone, Debug)]
pub(super) struct Patience {
    quit: Duration,
    end_of_input: Duration,
}

impl Patience {
    /// With the running search, once stopped. It ends within milliseconds, unless the machine has no time for it; a
    /// pipe that ends wants its answer even then.
    const SEARCH: Patience = Patience { quit: Duration::from_secs(1), end_of_input: Duration::from_secs(20) };
    /// With a perft.
    pub const PERFT: Patience = Patience { quit: Duration::from_millis(700), end_of_input: Duration::from_millis(700) };
    /// With a bench, which is often started by a pipe that ends right after the command.
    pub const BENCH: Patience = Patience { end_of_input: Duration::from_secs(60), ..Patience::PERFT };

    fn at(self, end: End) -> Duration {
        match end {
            End::Quit => self.quit,
            End::Input => self.end_of_input,
        }
    }
}

/// What is running, from its start until its answer is sent.
pub(super) enum Running {
    /// A search.
    Search(Box<Search>),
    /// A perft or bench, whose count is awaited.
    Count {
        stop: StopFlag,
        /// How long the end of the conversation waits for it.
        patience: Patience,
    },
}

/// A search from its start until its answer is sent.
pub(super) struct Search {
    pub stop: StopFlag,
    pub limits: Limits,
    pub position: Position,
    /// The time for it, from its start or from a `ponderhit` on.
    pub plan: TimePlan,
    /// Whether the answer must wait for `stop` or `ponderhit` even when it is known.
    pub held: bool,
    /// When the time after a `ponderhit` is up.
    pub deadline: Option<Instant>,
    /// The answer, once it is known.
    pub answer: Option<Answer>,
}

impl Search {
    /// Whether only one move may be played.
    pub fn has_one_choice(&self) -> bool {
        self.position.legal_moves().len() == 1 || self.limits.search_moves.len() == 1
    }
}

impl Running {
    /// Its stop flag.
    fn stop(&self) -> &StopFlag {
        match self {
            Running::Search(search) => &search.stop,
            Running::Count { stop, .. } => stop,
        }
    }

    /// The search, if it is one.
    pub fn search(&mut self) -> Option<&mut Search> {
        match self {
            Running::Search(search) => Some(search),
            Running::Count { .. } => None,
        }
    }

    /// Whether it is still running; a search that has its answer may only be waiting to give it.
    fn is_at_work(&self) -> bool {
        match self {
            Running::Search(search) => search.answer.is_none(),
            Running::Count { .. } => true,
        }
    }
}

/// How a waiting event affects the running job.
enum Urgency {
    Stop,
    End(End),
    None,
}

fn urgency(event: &Event) -> Urgency {
    let line = match event {
        Event::Line(line, _) => line,
        Event::EndOfInput | Event::OutputLost(_) => return Urgency::End(End::Input),
        Event::Finished(_) | Event::Overlong | Event::NoText => return Urgency::None,
    };
    match command::parse(line).command {
        Some(Command::Stop) => Urgency::Stop,
        Some(Command::Quit) => Urgency::End(End::Quit),
        _ => Urgency::None,
    }
}

impl Session {
    pub(super) fn start(&mut self, running: Running, job: Job) {
        self.running = Some(running);
        // Without its thread the job is done here: nothing is answered meanwhile, but the engine is not lost.
        if let Err(SendError(job)) = self.jobs.send(job) {
            self.out.message("the search thread has ended; continuing without it");
            self.backlog.push_back(Event::Finished(thinker::perform(job, &self.out, &self.debug)));
        }
    }

    /// Stops whatever is running, on the user's command.
    pub(super) fn stop(&mut self) {
        if let Some(running) = &self.running {
            running.stop().raise();
        }
        self.end_search(None);
    }

    /// Ends the running search, if any, and sends its answer; waits for it as long as allowed at this end of the
    /// conversation, or until that comes. A perft or bench is awaited, not stopped: its count is what was requested.
    /// Only `stop` ends it, or the end of the conversation after a while.
    pub(super) fn end_search(&mut self, end: Option<End>) {
        let patience = match &mut self.running {
            None => return,
            Some(Running::Search(search)) => {
                search.held = false;
                search.stop.raise();
                Patience::SEARCH
            }
            Some(Running::Count { patience, .. }) => *patience,
        };
        let mut until = end.map(|end| Instant::now() + patience.at(end));
        // What was received while an earlier job was awaited counts as well.
        let mut unread = 0;
        while let Some(running) = self.running.as_ref().filter(|running| running.is_at_work()) {
            if let Some(event) = self.backlog.get(unread) {
                unread += 1;
                match urgency(event) {
                    // It stays in the backlog: jobs in between must be stopped too.
                    Urgency::Stop => running.stop().raise(),
                    Urgency::End(end) => until = until.or(Some(Instant::now() + patience.at(end))),
                    Urgency::None => {}
                }
                continue;
            }
            let event = match until {
                None => self.events.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(until) => self.events.recv_timeout(until.saturating_duration_since(Instant::now())),
            };
            match event {
                Ok(Event::Finished(finished)) => self.finished(finished),
                // Only what waits for a count is before it, and that may take for ever.
                Ok(Event::Line(line, _))
                    if matches!(command::parse(&line).command, Some(Command::IsReady))
                        && self.backlog.is_empty()
                        && !running.stop().is_raised() =>
                {
                    self.out.line("readyok");
                }
                Ok(other) => self.backlog.push_back(other),
                // A count that is no longer awaited.
                Err(RecvTimeoutError::Timeout) if !running.stop().is_raised() => {
                    running.stop().raise();
                    until = Some(Instant::now() + Patience::SEARCH.quit);
                }
                Err(_) => {
                    self.is_given_up = true;
                    return;
                }
            }
        }
        self.answer_if_due();
    }

    pub(super) fn finished(&mut self, finished: Finished) {
        match finished {
            Finished::Count => {
                self.running = None;
                self.counted = Some(Instant::now());
            }
            Finished::Search { mut engine, answer, searched } => {
                if let Some(search) = self.running.as_mut().and_then(Running::search) {
                    search.answer = Some(answer);
                    if let Some(due) = search.deadline.filter(|deadline| *deadline <= Instant::now()) {
                        engine.note_delay(due.elapsed());
                    }
                }
                self.engine = Some(engine);
                self.searched = searched;
            }
        }
        self.answer_if_due();
        self.catch_up();
    }

    /// Sends the answer if it is known and need not wait any longer.
    pub(super) fn answer_if_due(&mut self) {
        let Some(search) = self.running.as_mut().and_then(Running::search) else { return };
        if let Some(answer) = search.answer.filter(|_| !search.held) {
            self.out.line(answer.line(&search.position));
            self.running = None;
        }
    }
}
