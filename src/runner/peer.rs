//! Another UCI engine, started as a separate program and told what to search.
//!
//! Times are by this program's clock, the same for every engine.

mod advance;
mod clock;
mod declared;
mod error;
mod line;

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{self, Path};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

#[cfg(unix)]
use rustix::process::{Pid, Signal, kill_process_group};

use super::Interrupt;
use crate::board::{Move, Position};
use crate::engine::Limits;
use crate::search::StopFlag;
use crate::text::milliseconds;
use crate::tt::DEFAULT_MEGABYTES;
use advance::Advance;
use clock::Clock;
use declared::Declared;
pub use error::{PeerError, PeerFault};
pub use line::PeerLine;

/// How often to look at the clock, and whether a search should end.
const POLL: Duration = Duration::from_millis(20);
/// Maximum number of unread lines; an engine that sends more has to wait.
const MOST_UNREAD: usize = 4096;
/// Maximum number of lines that wait for room in the engine's input. One that reads has taken every line before it
/// answers `isready`, so that only its options can wait; nobody sets so many.
const MOST_UNSENT: usize = 1024;
/// Maximum bytes of a line; a longer one is split.
const LONGEST_LINE: u64 = 1 << 20;

/// How to start another engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PeerCommand {
    /// The program, with arguments separated by spaces, unless the whole names a file.
    pub command: String,
    /// UCI options to set, by name.
    pub options: Vec<(String, String)>,
    /// Size of its table in megabytes, unless the options set it.
    pub hash_mb: usize,
    /// How long it may take over anything but a search and getting ready for one.
    pub patience: Duration,
    /// How long a search without a limit of time may go on without a new depth or more nodes; if that is longer than
    /// the patience, also how long it may take to be ready: it may have to load a network, or to clear a large table.
    pub search_patience: Duration,
}

impl PeerCommand {
    /// How long a search may come no further, unless something else is set: some engines report nothing before an
    /// iteration ends.
    pub const SEARCH_PATIENCE: Duration = Duration::from_secs(600);
}

impl Default for PeerCommand {
    fn default() -> PeerCommand {
        let patience = Duration::from_secs(10);
        let search_patience = PeerCommand::SEARCH_PATIENCE;
        let (command, options) = (String::new(), Vec::new());
        PeerCommand { command, options, hash_mb: DEFAULT_MEGABYTES, patience, search_patience }
    }
}

/// What engines answer where they have no move, in lower case.
const NO_MOVES: [&str; 5] = ["(none)", "0000", "none", "null", ""];

/// The option that sets the size of an engine's hash table.
const HASH: &str = "Hash";
/// The option that tells an engine the rules; before each search it is set to those of the position.
pub const CHESS960: &str = "UCI_Chess960";

/// Another engine that is running.
pub struct Peer {
    command: String,
    name: String,
    options: Vec<Declared>,
    /// Megabytes of its hash table, if it can be told.
    hash_mb: Option<usize>,
    patience: Duration,
    search_patience: Duration,
    clock: Clock,
    child: Child,
    /// Lines to be written by a thread: a pipe that nobody reads blocks its writer for ever.
    input: SyncSender<String>,
    lines: Receiver<String>,
}

impl Peer {
    /// Starts an engine and sets its options.
    ///
    /// # Errors
    ///
    /// It cannot be started, is not a UCI engine, has no such option, or does not take a value.
    pub fn start(start: &PeerCommand, interrupt: &Interrupt) -> Result<Peer, PeerError> {
        let failed = |reason: String| PeerError { command: start.command.clone(), fault: PeerFault::Start { reason } };
        let mut child = spawn(&start.command).map_err(|error| failed(error.to_string()))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(failed("no pipes".to_owned()));
        };
        let (heard, lines) = sync_channel(MOST_UNREAD);
        let (sender, unsent) = sync_channel(MOST_UNSENT);
        in_background(move || read_lines(output, &heard))
            .and_then(|()| in_background(move || write_lines(input, &unsent)))
            .map_err(|error| failed(error.to_string()))?;
        let mut peer = Peer {
            command: start.command.clone(),
            name: start.command.clone(),
            options: Vec::new(),
            hash_mb: None,
            patience: start.patience,
            search_patience: start.search_patience,
            clock: Clock::new(Instant::now()),
            child,
            input: sender,
            lines,
        };
        peer.shake_hands()?;
        peer.set_options(start)?;
        peer.wait_ready(&|| interrupt.is_raised())?;
        Ok(peer)
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Megabytes of its hash table, if it can be told.
    pub fn hash_mb(&self) -> Option<usize> {
        self.hash_mb
    }

    fn shake_hands(&mut self) -> Result<(), PeerError> {
        self.send("uci")?;
        let deadline = self.now() + self.patience;
        loop {
            let line = self.hear(Some(deadline), "after `uci`")?;
            if line == "uciok" {
                return Ok(());
            } else if let Some(name) = line.strip_prefix("id name ") {
                self.name = name.trim().to_owned();
            } else if let Some(option) = line.strip_prefix("option name ") {
                self.options.push(Declared::parse(option));
            }
        }
    }

    fn set_options(&mut self, start: &PeerCommand) -> Result<(), PeerError> {
        let is_given = start.options.iter().any(|(name, _)| name.eq_ignore_ascii_case(HASH));
        let is_set = self.option(HASH).is_some() && !is_given;
        let hash = is_set.then(|| (HASH.to_owned(), start.hash_mb.to_string()));
        for (name, value) in hash.iter().chain(&start.options) {
            let Some(known) = self.option(name) else {
                return Err(self.error(PeerFault::Option { name: name.clone() }));
            };
            if let Some(instead) = known.objection(value) {
                let (name, value) = (known.name.clone(), value.clone());
                return Err(self.error(PeerFault::OptionValue { name, value, instead }));
            }
            let line = format!("setoption name {} value {value}", known.name);
            if known.name.eq_ignore_ascii_case(HASH) {
                self.hash_mb = value.parse().ok();
            }
            self.send(&line)?;
        }
        Ok(())
    }

    /// The option of this name; case does not matter.
    fn option(&self, name: &str) -> Option<&Declared> {
        self.options.iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// Sends a line without waiting for the engine to read it. One that has exited is noticed when it does not answer.
    fn send(&self, line: &str) -> Result<(), PeerError> {
        match self.input.try_send(format!("{line}\n")) {
            Err(TrySendError::Full(_)) => Err(self.error(PeerFault::Deaf)),
            Err(TrySendError::Disconnected(_)) | Ok(()) => Ok(()),
        }
    }

    /// The time by which it is waited for.
    fn now(&mut self) -> Instant {
        self.clock.look(Instant::now())
    }

    /// The next line; empty if none comes for a moment. An engine that talks but has not answered by the deadline
    /// counts as silent.
    fn hear(&mut self, deadline: Option<Instant>, during: &str) -> Result<String, PeerError> {
        let line = match self.lines.recv_timeout(POLL) {
            Err(RecvTimeoutError::Timeout) => String::new(),
            heard => heard.map_err(|error| self.failure(error, during))?,
        };
        let is_late = deadline.is_some_and(|deadline| self.now() >= deadline);
        if is_late { Err(self.failure(RecvTimeoutError::Timeout, during)) } else { Ok(line) }
    }

    fn failure(&self, error: RecvTimeoutError, during: &str) -> PeerError {
        let during = during.to_owned();
        self.error(match error {
            RecvTimeoutError::Timeout => PeerFault::Silent { during },
            RecvTimeoutError::Disconnected => PeerFault::Ended { during },
        })
    }

    /// The error that it fails so.
    fn error(&self, fault: PeerFault) -> PeerError {
        PeerError { command: self.command.clone(), fault }
    }

    /// Waits until it is ready; where the run is ending, no longer than for anything else.
    fn wait_ready(&mut self, is_ending: &dyn Fn() -> bool) -> Result<(), PeerError> {
        self.send("isready")?;
        let begun = self.now();
        loop {
            let patience = if is_ending() { self.patience } else { self.patience.max(self.search_patience) };
            if self.hear(Some(begun + patience), "after `isready`")? == "readyok" {
                return Ok(());
            }
        }
    }

    /// Sends a position and limits, in a clean state.
    fn begin(&mut self, position: &Position, limits: &Limits, is_ending: &dyn Fn() -> bool) -> Result<(), PeerError> {
        if let Some(option) = self.option(CHESS960) {
            self.send(&format!("setoption name {} value {}", option.name, position.is_chess960()))?;
        } else if position.is_chess960() {
            return Err(self.error(PeerFault::Option { name: CHESS960.to_owned() }));
        }
        self.send("ucinewgame")?;
        self.wait_ready(is_ending)?;
        self.send(&format!("position fen {}", position.fen()))?;
        let mut go = "go".to_owned();
        let move_time = limits.move_time.map(milliseconds);
        let depth = limits.depth.and_then(|depth| u64::try_from(depth).ok());
        for (name, value) in [("depth", depth), ("nodes", limits.nodes), ("movetime", move_time)] {
            if let Some(value) = value {
                go.push_str(&format!(" {name} {value}"));
            }
        }
        self.send(&go)
    }
}

/// Runs one of a peer's two threads. Both end with the engine, which is the other end of their pipes, or when the peer
/// is dropped.
fn in_background(work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new().name("peer".to_owned()).spawn(work).map(drop)
}

fn read_lines(output: ChildStdout, heard: &SyncSender<String>) {
    let mut output = BufReader::new(output);
    let mut bytes = Vec::new();
    while matches!(output.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes), Ok(1..)) {
        if heard.send(String::from_utf8_lossy(&bytes).trim().to_owned()).is_err() {
            return;
        }
        bytes.clear();
    }
}

fn write_lines(mut input: ChildStdin, unsent: &Receiver<String>) {
    for line in unsent {
        if input.write_all(line.as_bytes()).and_then(|()| input.flush()).is_err() {
            return;
        }
    }
}

/// A process group of its own, which Ctrl-C does not reach (`CreateProcess`).
#[cfg(windows)]
const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;

/// Starts the program. In its own process group Ctrl-C does not reach it, and the run ends in an orderly way.
fn spawn(command: &str) -> io::Result<Child> {
    let mut command = if Path::new(command).is_file() {
        // By its whole path, or one in the current folder would be looked for where programs are.
        Command::new(path::absolute(command)?)
    } else {
        let mut words = command.split_whitespace();
        let mut program = Command::new(words.next().unwrap_or(""));
        program.args(words);
        program
    };
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    #[cfg(windows)]
    std::os::windows::process::CommandExt::creation_flags(&mut command, CREATE_NEW_PROCESS_GROUP);
    command.spawn()
}

impl Drop for Peer {
    fn drop(&mut self) {
        // One that does not read is killed like one that does not obey.
        let _ = self.send("quit");
        let deadline = Instant::now() + Duration::from_secs(1);
        while Instant::now() < deadline {
            if matches!(self.child.try_wait(), Ok(Some(_))) {
                return;
            }
            thread::sleep(POLL);
        }
        // It was asked to quit; if it has exited already, killing it fails. It may be a script that waits for the
        // engine, which would outlive it.
        #[cfg(unix)]
        let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Peer {
    /// Searches a position in a clean state and reports every exact line, of any rank, as it comes; blocks until the
    /// limits are reached or one of `stops` is set, and returns the answer with the nodes and time of the whole search.
    ///
    /// # Errors
    ///
    /// The engine failed, or comes no further; `during` says what it was doing.
    pub fn lines(
        &mut self,
        position: &Position,
        limits: &Limits,
        stops: &[&StopFlag],
        during: &str,
        progress: &mut dyn FnMut(PeerLine),
    ) -> Result<(Option<Move>, u64, Duration), PeerError> {
        let is_ending = || stops.iter().any(|stop| stop.is_raised());
        self.begin(position, limits, &is_ending)?;
        let start = Instant::now();
        let begun = self.now();
        // When it should have answered, if ever.
        let mut deadline = limits.move_time.map(|time| begun + time + self.patience);
        let mut advance = Advance::new(begun);
        let mut told_to_stop = false;
        loop {
            if !told_to_stop && is_ending() {
                self.send("stop")?;
                told_to_stop = true;
                deadline = Some(self.now() + self.patience);
            }
            let line = self.hear(deadline, during)?;
            let now = self.now();
            advance.hear(&line, now);
            if deadline.is_none() && advance.pause(now) >= self.search_patience {
                let (during, seconds) = (during.to_owned(), self.search_patience.as_secs());
                return Err(self.error(PeerFault::Stalled { during, seconds }));
            }
            if let Some(line) = PeerLine::parse(&line, position, milliseconds(start.elapsed())) {
                progress(line);
            } else if let Some(answer) = line.strip_prefix("bestmove") {
                let answer = answer.split_whitespace().next().unwrap_or("");
                return Ok((self.legal(position, answer, during)?, advance.nodes(), start.elapsed()));
            }
        }
    }

    /// The move that an answer is; `None` if it says that there is none.
    fn legal(&self, position: &Position, answer: &str, during: &str) -> Result<Option<Move>, PeerError> {
        if NO_MOVES.contains(&answer.to_ascii_lowercase().as_str()) {
            return Ok(None);
        }
        position
            .parse_uci(answer)
            .map(Some)
            .map_err(|_| self.error(PeerFault::Illegal { during: during.to_owned(), answer: answer.to_owned() }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_is_no_engine_is_named() {
        let start = |command: &str| {
            Peer::start(&PeerCommand { command: command.to_owned(), ..PeerCommand::default() }, &Interrupt::new())
        };
        for command in ["no-such-engine --uci", ""] {
            assert!(matches!(start(command), Err(PeerError { fault: PeerFault::Start { .. }, .. })), "{command}");
        }
        #[cfg(unix)]
        assert_eq!(start("true").err().unwrap().to_string(), "engine `true` ended after `uci`");
    }
}
