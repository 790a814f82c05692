//! Layer 9: the UCI protocol, spoken over standard input and output.
//!
//! Three threads: one reads lines, one searches (`thinker`), and the main one (`session`) receives from both over a
//! single channel and answers. A line becomes a typed `command`; `options` is the list of what can be set; `reporter`
//! listens to the search and formats its reports with `output`.
//!
//! What the protocol leaves open, and how it is decided here:
//! - `stop`, `go`, `bench` and `quit` end a running search, and its `bestmove` comes before anything else.
//! - `isready` is answered in its place, after a `bestmove` that is due. If the command just before it waits for a
//!   perft or bench to end, it is answered at once.
//! - `setoption`, `ucinewgame` and `position` never disturb a running search: they apply from the next one on.
//! - A `position` that is wrong in any part (not a FEN, an illegal move) changes nothing; the previous one stays.
//! - A `go` is never rejected: wrong parts are reported and ignored.
//! - `go ... excludemoves M ...` is an extension: all moves but these are searched, or all those in `searchmoves` if
//!   that is given too. Excluding every move excludes none.
//! - `go mate N` ends with a mate in N or fewer, for either side, and continues after a longer one. A proven mate ends
//!   any other search except `infinite` and those with `UCI_AnalyseMode`.
//! - With `MultiPV` an iteration's lines are sent together, best first, when the last of them is known. A search
//!   stopped within an iteration shows the current lines; one that it disproved has an upper bound as its score.
//! - A mate is only reported with its complete line. If that is not available the score is 200 pawns, as a bound.
//! - A `go` with an incomplete clock uses what is there: the opponent's time, or an increment. If limits were given and
//!   none of them ends the search (`movestogo` alone, a time without a value), it gets one second. All of this is
//!   reported.
//! - The time of a `go` that waits for a perft or bench counts from the end of that.
//! - After `ponderhit` the clock runs from that moment, and the planned time for the move ends the search.
//! - Only `quit` and the end of input end the program; errors are `info string` lines. A running perft or bench then
//!   gets less than a second, but a bench a minute at the end of input: its count is often asked for by a pipe that
//!   ends with the command. A closed output ends the program too, as an error.

mod command;
mod event;
mod options;
mod output;
mod prompt;
mod reporter;
mod session;
mod thinker;

use std::io::{self, BufRead, BufReader, IsTerminal, Read, Write};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Instant;

use event::Event;
pub use options::standard as standard_option;
use output::Output;
use rustyline::DefaultEditor;
use session::Session;

use crate::engine::no_thread;
use crate::runner::PROGRAM;

/// The longest line of input: a game of many thousand moves.
const LONGEST_LINE: u64 = 1 << 20;

/// Speaks UCI until `quit` or the end of input. A person at a terminal gets a greeting and a line to edit; a program
/// does not.
///
/// # Errors
///
/// As [`converse`].
pub fn run() -> io::Result<()> {
    if !io::stdin().is_terminal() {
        return converse(BufReader::new(io::stdin()), io::stdout());
    }
    writeln!(io::stdout(), "{PROGRAM} speaks UCI: `help` lists the commands, `quit` exits.")?;
    match DefaultEditor::new().ok().filter(|_| io::stdout().is_terminal()) {
        Some(editor) => answer(move |events| prompt::read_lines(editor, events), io::stdout()),
        None => converse(BufReader::new(io::stdin()), io::stdout()),
    }
}

/// Speaks UCI with whoever is at the other ends of `input` and `output`, until `quit` or the end of input.
///
/// # Errors
///
/// The system cannot start threads, or lines cannot be sent.
pub fn converse(input: impl BufRead + Send + 'static, output: impl Write + Send + 'static) -> io::Result<()> {
    answer(move |events| read_lines(input, events), output)
}

/// Answers the lines that `read` passes on.
fn answer(read: impl FnOnce(&Sender<Event>) + Send + 'static, output: impl Write + Send + 'static) -> io::Result<()> {
    let (sender, events) = channel();
    let out = Output::heeded(output, sender.clone());
    // Before the session, whose table takes what memory there is.
    let reader = sender.clone();
    thread::Builder::new().name("input".to_owned()).spawn(move || read(&reader)).map_err(no_thread)?;
    Session::new(out, sender, events)?.run()
}

/// Passes lines on until the end of input. Bytes that are not UTF-8 are replaced, and a carriage return or a byte order
/// mark, as sent by Windows shells, is dropped.
fn read_lines(mut input: impl BufRead, events: &Sender<Event>) {
    let mut bytes = Vec::new();
    while matches!(input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes), Ok(1..)) {
        let is_whole = bytes.len() < LONGEST_LINE as usize || bytes.ends_with(b"\n");
        let event = if is_whole {
            let line = String::from_utf8_lossy(&bytes);
            Event::Line(line.trim_start_matches('\u{feff}').trim().to_owned(), Instant::now())
        } else if input.skip_until(b'\n').is_ok() {
            Event::Overlong
        } else {
            break;
        };
        if events.send(event).is_err() {
            return;
        }
        bytes.clear();
    }
    // Without a receiver there is nobody to tell.
    let _ = events.send(Event::EndOfInput);
}
