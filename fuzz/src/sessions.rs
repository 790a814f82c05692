//! Conversations in the protocol, with searches running. What stands in the way of many short ones is kept out: large
//! tables, many threads, and `bench`, for which the end of input waits.

use std::io::{self, BufReader, Read, Write};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use arbitrary::{Result, Unstructured};
use pacioli::params::INFO;
use pacioli::uci::converse;

/// Most lines of a conversation.
const MOST_LINES: usize = 60;
/// Most lines of one that has pauses.
const MOST_COMMANDS: usize = 24;

/// Bytes as the protocol's input.
pub fn uci_bytes(bytes: &[u8]) {
    let is_bearable = |line: &&[u8]| {
        let text = String::from_utf8_lossy(line).to_lowercase();
        let has_large_number = text.split(|c: char| !c.is_ascii_digit()).any(|number| number.len() > 1);
        let is_costly = (text.contains("hash") || text.contains("threads")) && has_large_number;
        !is_costly && !text.contains("bench")
    };
    let lines = bytes.split_inclusive(|&byte| byte == b'\n').filter(is_bearable).take(MOST_LINES);
    hear(lines.map(|line| (line.to_vec(), Duration::ZERO)).collect());
}

/// Commands that make sense, with pauses between them in which searches run: every `go` has one answer, and so has
/// every `isready`.
pub fn uci_commands(bytes: &[u8]) {
    let mut unstructured = Unstructured::new(bytes);
    let mut lines = Vec::new();
    while !unstructured.is_empty() && lines.len() < MOST_COMMANDS {
        let Ok(line) = command(&mut unstructured) else { break };
        let pause = Duration::from_millis(unstructured.int_in_range(0..=4).unwrap_or(0));
        lines.push((format!("{line}\n").into_bytes(), pause));
    }
    let sent = |start: &str| lines.iter().filter(|(line, _)| line.starts_with(start.as_bytes())).count();
    let expected = (sent("go ") - sent("go perft"), sent("isready"));
    let heard = hear(lines);
    let answers = |start: &str| heard.lines().filter(|line| line.starts_with(start)).count();
    assert_eq!((answers("bestmove"), answers("readyok")), expected, "{heard}");
}

/// One command.
fn command(u: &mut Unstructured) -> Result<String> {
    const POSITIONS: [&str; 8] = [
        "startpos",
        "fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "fen kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1",
        "fen 8/8/8/8/8/4k3/4p3/4K3 w - - 99 90",
        "fen R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1",
        "fen 1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1",
        "fen 8/Pk6/8/1p6/8/P1K5/8/6B1 w - - 37 130",
        "fen 8/8/8/8/8/8/8/8 w - - 0 1",
    ];
    const MOVES: [&str; 8] = ["e2e4", "e7e5", "g1f3", "e1g1", "e8c8", "a7a8q", "b2b1n", "h7h8x"];
    Ok(match u.int_in_range(0..=11)? {
        0..=2 => go(u)?,
        3 | 4 => {
            let mut line = format!("position {}", u.choose(&POSITIONS)?);
            for _ in 0..u.int_in_range(0..=4)? {
                line.push_str(if line.contains(" moves") { " " } else { " moves " });
                line.push_str(u.choose(&MOVES)?);
            }
            line
        }
        5 | 6 => set_option(u)?,
        7 => "isready".to_owned(),
        8 => (*u.choose(&["stop", "ponderhit"])?).to_owned(),
        9 => (*u.choose(&["ucinewgame", "explain", "eval", "d", "flip", "uci", "help"])?).to_owned(),
        10 => (*u.choose(&["debug on", "debug off", "go perft 2", "register later"])?).to_owned(),
        _ => "stop".to_owned(),
    })
}

fn go(u: &mut Unstructured) -> Result<String> {
    const PARTS: [&str; 14] = [
        "depth 3",
        "depth 200",
        "nodes 1",
        "nodes 3000",
        "movetime 3",
        "wtime 50",
        "btime 50",
        "winc 1",
        "movestogo 1",
        "mate 2",
        "infinite",
        "ponder",
        "searchmoves e2e4 g1f3",
        "excludemoves e2e4",
    ];
    let mut line = "go".to_owned();
    for _ in 0..u.int_in_range(0..=3)? {
        line = format!("{line} {}", u.choose(&PARTS)?);
    }
    // One without a limit searches until something ends it, as the end of input does.
    Ok(format!("{line} "))
}

fn set_option(u: &mut Unstructured) -> Result<String> {
    const OPTIONS: [&str; 16] = [
        "Hash value 1",
        "Hash value 2",
        "Threads value 1",
        "Threads value 2",
        "MultiPV value 1",
        "MultiPV value 3",
        "UCI_Chess960 value true",
        "UCI_Chess960 value false",
        "Ledger value true",
        "UCI_AnalyseMode value true",
        "UCI_ShowCurrLine value true",
        "UCI_ShowWDL value true",
        "UCI_LimitStrength value true",
        "Evaluation value nnue",
        "Profile value deep-blue",
        "Clear Hash",
    ];
    if u.ratio(1, 2)? {
        return Ok(format!("setoption name {}", u.choose(&OPTIONS)?));
    }
    let info = u.choose(INFO)?;
    Ok(format!("setoption name {} value {}", info.name, u.choose(&["0", "1", "16", "100", "true", "false", "-3"])?))
}

/// What a conversation of these lines, each followed by a pause, brings.
fn hear(lines: Vec<(Vec<u8>, Duration)>) -> String {
    let heard = Heard::default();
    converse(BufReader::new(Lines { lines: lines.into_iter(), rest: Vec::new() }), heard.clone())
        .expect("the output takes everything");
    let bytes = heard.0.lock().expect("no writer panics");
    String::from_utf8(bytes.clone()).expect("the protocol speaks UTF-8")
}

/// Lines that come one by one.
struct Lines {
    lines: std::vec::IntoIter<(Vec<u8>, Duration)>,
    rest: Vec<u8>,
}

impl Read for Lines {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.rest.is_empty()
            && let Some((line, pause)) = self.lines.next()
        {
            self.rest = line;
            thread::sleep(pause);
        }
        let count = self.rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&self.rest[..count]);
        self.rest.drain(..count);
        Ok(count)
    }
}

/// What was written.
#[derive(Clone, Default)]
struct Heard(Arc<Mutex<Vec<u8>>>);

impl Write for Heard {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("no writer panics").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
