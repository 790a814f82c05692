//! Layer 9: the UCI protocol, spoken over standard input and output.
//!
//! Three threads: one reads lines, one searches (`thinker`), and the main one (`session`) hears both over a single
//! channel and answers. A line becomes a typed `command`; `options` is the list of what can be set; `reporter`
//! hears the search and words what it tells with `output`.
//!
//! What the protocol leaves open, and how it is decided here:
//! - `stop`, `go`, `bench` and `quit` end a running search, and its `bestmove` comes before anything else.
//! - `setoption`, `ucinewgame` and `position` never disturb a running search: they hold from the next one on.
//! - A `position` that is wrong in any part (no FEN, an illegal move) changes nothing; the previous one stays.
//! - A `go` is never refused: what it says wrongly is reported and left out.
//! - `go ... excludemoves M ...` is ours: all moves but these are searched, of those in `searchmoves` where it stands
//!   too. Excluding every move excludes none.
//! - `go mate N` ends with a mate in N or fewer, given or suffered, and looks on after a longer one. A proven mate
//!   ends any other search but `infinite` and those under `UCI_AnalyseMode`.
//! - With `MultiPV` an iteration's lines come together, best first, when the last of them is known. A search that was
//!   cut short within an iteration shows the lines as they stand; one that it disproved has an upper bound for a score.
//! - A mate is stated only with its whole line. Where that cannot be had the score is 200 pawns, as a bound.
//! - A `go` with half a clock goes by the half that is there: the opponent's time, or an increment. Where limits were named
//!   and none of them ends the search (`movestogo` alone, a time without a value), it has a second. All of that is said.
//! - After `ponderhit` the clock runs from that moment, and the planned time for the move ends the search.
//! - Nothing on input ends the program but `quit` and the end of input; complaints are `info string` lines. A perft has
//!   less than a second from then on, a bench a minute. An output that is closed ends it too, as an error.

mod command;
mod options;
mod output;
mod reporter;
mod session;
mod thinker;

use std::io::{self, BufRead, BufReader, IsTerminal, Read, Write};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Instant;

use output::Output;
use session::Session;
use thinker::Event;

/// The longest line of input: a game of many thousand moves.
const LONGEST_LINE: u64 = 1 << 20;

/// Speaks UCI until `quit` or the end of input. A person at a terminal is greeted; a program is not.
///
/// # Errors
///
/// As [`converse`].
pub fn run() -> io::Result<()> {
    if io::stdin().is_terminal() {
        writeln!(io::stdout(), "{} speaks UCI: `help` lists the commands, `quit` ends.", session::NAME)?;
    }
    converse(BufReader::new(io::stdin()), io::stdout())
}

/// Speaks UCI with whoever is at the other ends of `input` and `output`, until `quit` or the end of input.
///
/// # Errors
///
/// The system gives no threads, or the lines cannot be sent.
pub fn converse(input: impl BufRead + Send + 'static, output: impl Write + Send + 'static) -> io::Result<()> {
    let (sender, events) = channel();
    let out = Output::heeded(output, sender.clone());
    let session = Session::new(out, sender.clone(), events)?;
    thread::Builder::new().name("input".to_owned()).spawn(move || read_lines(input, &sender))?;
    session.run()
}

/// Passes lines on until there are no more. Bytes that are no UTF-8 are replaced, and a carriage return or a byte
/// order mark, as Windows shells send them, is dropped.
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
    // Without a listener there is nobody to tell.
    let _ = events.send(Event::EndOfInput);
}
