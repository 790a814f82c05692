//! Thousands of lines, valid and not, to the real program over real pipes: it never dies, answers every `isready`, and
//! gives exactly one `bestmove` for each `go`. The lines follow from a seed; only their timing is random.

use std::thread;
use std::time::Duration;

use fastrand::Rng;
use pacioli::board::{Game, Position};

use crate::common::process::Engine;

const SEED: u64 = 1494;
/// How often everything is stopped and counted.
const ROUNDS: usize = 200;
/// Maximum number of lines in between.
const LINES: usize = 40;
/// One line in this many is followed by a pause, of less than this many milliseconds.
const PAUSE_EVERY: u32 = 10;
const PAUSE_MS: u64 = 10;

/// A line, and its expected answer.
#[derive(Default)]
struct Line {
    bytes: Vec<u8>,
    is_go: bool,
    is_ready: bool,
}

impl Line {
    fn new(text: impl Into<String>) -> Line {
        Line { bytes: text.into().into_bytes(), ..Line::default() }
    }

    fn go(text: String) -> Line {
        Line { is_go: true, ..Line::new(text) }
    }
}

/// One of several texts.
fn pick<'a>(random: &mut Rng, texts: &[&'a str]) -> &'a str {
    texts[random.usize(..texts.len())]
}

/// The option names in the program's listing.
fn option_names(listing: &[String]) -> Vec<String> {
    let named = listing.iter().filter_map(|line| line.strip_prefix("option name "));
    let names = named.filter_map(|line| line.split(" type ").next());
    names.map(str::to_owned).collect()
}

/// Mostly valid parts, in any order; of several equal ones the last counts. Without a limit it searches until stopped.
fn go(random: &mut Rng) -> Line {
    let mut line = "go".to_owned();
    for _ in 0..random.usize(..4) {
        let word = pick(random, &["depth", "nodes", "movetime", "mate", "wtime", "btime", "winc", "binc", "movestogo"]);
        let value = pick(random, &["0", "1", "3", "7", "20", "-5", "", "x", "99999999999999999999"]);
        line.push_str(&format!(" {word} {value}"));
    }
    line.push_str(pick(
        random,
        &[
            "",
            "",
            "",
            " infinite",
            " ponder",
            " searchmoves",
            " searchmoves e2e4 d7d5 xyz",
            " excludemoves a2a3 e1g1",
            " joho",
        ],
    ));
    Line::go(line)
}

/// A position some random moves after one of a few starts, or an invalid one.
fn position(random: &mut Rng) -> Line {
    const STARTS: [&str; 5] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1",
        "8/8/8/8/8/4k3/4p3/4K3 w - - 99 90",
        "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1",
    ];
    const WRONG: [&str; 7] = [
        "position",
        "position fen",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1 moves e2e4",
        "position startpos moves e2e5",
        "position startpos moves e2e4 e7e5 e1e3 d2d4",
        "position moves e2e4",
    ];
    if random.u32(..5) == 0 {
        return Line::new(pick(random, &WRONG));
    }
    let fen = pick(random, &STARTS);
    let mut game = Game::new(Position::from_fen(fen, false).unwrap());
    let mut line = format!("position fen {fen} moves");
    for _ in 0..random.usize(..30) {
        let Some(m) = random.choice(&game.position().legal_moves()).copied() else { break };
        line.push_str(&format!(" {}", game.position().uci(m)));
        game.play(m);
    }
    Line::new(line)
}

fn set_option(random: &mut Rng, names: &[String]) -> Line {
    const VALUES: [&str; 11] = [
        "",
        " value",
        " value 0",
        " value 1",
        " value 2",
        " value -1",
        " value true",
        " value false",
        " value a b",
        " value <empty>",
        " value 99999999999999999999",
    ];
    let name = match random.u32(..8) {
        0 => "No Such Option",
        _ => &names[random.usize(..names.len())],
    };
    let name = if random.bool() { name.to_owned() } else { name.to_uppercase().replace(' ', "") };
    Line::new(format!("setoption name {name}{}", pick(random, &VALUES)))
}

/// Bytes that start no command.
fn garbage(random: &mut Rng) -> Line {
    let mut bytes = vec![b'#'];
    bytes.extend(std::iter::repeat_with(|| random.u8(..)).filter(|byte| !b"\n\r".contains(byte)).take(30));
    // A command may follow an unknown word: keep the bytes one word.
    bytes
        .iter_mut()
        .filter(|byte| byte.is_ascii_whitespace() || **byte == 0x0b || **byte >= 0x80)
        .for_each(|byte| *byte = 0xff);
    Line { bytes, ..Line::default() }
}

fn line(random: &mut Rng, options: &[String]) -> Line {
    match random.u32(..20) {
        0..=5 => go(random),
        6..=8 => position(random),
        9..=11 => set_option(random, options),
        12 | 13 => Line {
            is_ready: true,
            ..Line::new(pick(random, &["isready", "  isready ", "joho isready", "ISREADY now"]))
        },
        14 => Line::new(pick(random, &["stop", "stop", "ponderhit"])),
        15 => Line::new("ponderhit"),
        16 => Line::new(pick(random, &["d", "eval", "flip", "explain", "help", "ucinewgame"])),
        17 => Line::new(pick(
            random,
            &["debug on", "debug off", "debug", "register later", "bench 0", "bench x", "", " ", "go perft 2"],
        )),
        18 => garbage(random),
        _ => Line::new(pick(
            random,
            &["setoption", "setoption name", "setoption value 3", "position elsewhere", "uci_ok", "\u{feff}"],
        )),
    }
}

#[test]
fn whatever_is_sent_every_go_and_every_isready_is_answered_once() {
    let mut random = Rng::with_seed(SEED);
    let mut engine = Engine::start();
    engine.send("uci");
    let options = option_names(&engine.until("uciok"));
    for round in 0..ROUNDS {
        let lines: Vec<Line> = (0..random.usize(1..LINES)).map(|_| line(&mut random, &options)).collect();
        let mut bytes = Vec::new();
        for line in &lines {
            let start = bytes.len();
            bytes.extend_from_slice(&line.bytes);
            bytes.extend_from_slice(pick(&mut random, &["\n", "\r\n"]).as_bytes());
            engine.send_bytes(&bytes[start..]);
            // Now and then a search gets some time.
            if random.u32(..PAUSE_EVERY) == 0 {
                thread::sleep(Duration::from_millis(random.u64(..PAUSE_MS)));
            }
        }
        engine.send("stop");
        engine.send("uci");
        let heard = engine.until("uciok");
        let count = |start: &str| heard.iter().filter(|line| line.starts_with(start)).count();
        let sent = || String::from_utf8_lossy(&bytes).into_owned();
        assert_eq!(count("bestmove "), lines.iter().filter(|line| line.is_go).count(), "round {round}: {}", sent());
        assert_eq!(count("readyok"), lines.iter().filter(|line| line.is_ready).count(), "round {round}: {}", sent());
    }
    engine.send("quit");
    engine.expect_end();
}
