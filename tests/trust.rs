//! Reliability: nothing crashes the program, nothing stalls it, nothing is lost, and no search is claimed that did not
//! take place. One test for each way in which this once failed.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::process::Output;
#[cfg(unix)]
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

#[cfg(unix)]
use pacioli::board::Position;
#[cfg(unix)]
use pacioli::engine::Limits;
use pacioli::engine::Options;
use pacioli::room;
#[cfg(unix)]
use pacioli::runner::{Interrupt, Peer, PeerCommand};
#[cfg(unix)]
use pacioli::search::StopFlag;

use crate::common::mates_in_one;
use crate::common::process::{Engine, PATIENCE, ended, pacioli, run_in, text};
#[cfg(unix)]
use crate::common::process::{interrupt, output, write_engine, write_script};

/// Longer than anything takes that must not wait for a search: less than the program's own patience with one at the end
/// of input.
const AT_ONCE: Duration = Duration::from_secs(5);

/// The protocol's answers to these lines until the end of input.
fn converse(input: &str) -> (Output, Duration) {
    let start = Instant::now();
    let output = ended(&mut pacioli(), input);
    (output, start.elapsed())
}

/// The program under a limit set by the shell, such as `-v 60000`.
#[cfg(target_os = "linux")]
fn limited(limit: &str, arguments: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("ulimit {limit}; exec \"$@\""), "sh"]).arg(pacioli().get_program());
    command.args(arguments.split_whitespace());
    command
}

/// Positions with a solution each, as a suite.
fn suite(folder: &Path) {
    fs::write(folder.join("a.epd"), mates_in_one(6)).unwrap();
}

#[test]
#[cfg(target_os = "linux")]
fn short_memory_is_an_error_or_a_smaller_search_but_never_none() {
    for kilobytes in [20_000, 30_000, 45_000, 60_000, 61_500, 65_000, 80_000, 100_000, 150_000] {
        let limit = format!("-v {kilobytes}");
        for arguments in ["solve classics --nodes 300 --quiet", "bench 2"] {
            let output = ended(&mut limited(&limit, arguments), "");
            let (out, error) = (text(&output.stdout), text(&output.stderr));
            let searched = matches!(output.status.code(), Some(0 | 1)) && out.contains(" nodes");
            let said = output.status.code() == Some(2) && error.contains("memory");
            // The shell, or the system before the program starts, may need more.
            let is_error = output.status.code().is_none_or(|code| code > 1) && !error.is_empty();
            let never_began = kilobytes < LEAST_TO_START * 1024 && out.is_empty() && is_error;
            assert!(searched || said || never_began, "{kilobytes} {arguments}: {output:?}");
            assert!(searched || kilobytes < LEAST_TO_SEARCH * 1024, "{kilobytes} {arguments}: {output:?}");
            assert!(!out.contains(" 0 nodes") && !out.starts_with("0 nodes"), "{kilobytes} {arguments}: {out}");
        }
    }
    for megabytes in (20..140).step_by(3) {
        let limit = format!("-v {}", megabytes * 1024);
        let output = ended(&mut limited(&limit, ""), "go nodes 1000\nisready\ngo nodes 1000\n");
        let (out, error) = (text(&output.stdout), text(&output.stderr));
        let searched = output.status.success() && out.matches("bestmove").count() == 2 && out.contains(" pv ");
        let said = output.status.code() == Some(2) && error.contains("memory") && !out.contains("bestmove");
        // The shell, or the system before the program starts, may need more.
        let never_began = megabytes < LEAST_TO_START && out.is_empty();
        assert!(!out.contains(" nodes 0 "), "{megabytes}: {out}");
        assert!(searched || said || never_began, "{megabytes}: {output:?}");
        assert!(searched || megabytes < LEAST_TO_SEARCH, "{megabytes}: {output:?}");
    }
}

/// Megabytes of addresses with which the program can say what is missing.
#[cfg(target_os = "linux")]
const LEAST_TO_START: u64 = 40;
/// Megabytes of addresses with which it searches; an unoptimised build has larger stacks.
#[cfg(target_os = "linux")]
const LEAST_TO_SEARCH: u64 = 110;

#[test]
#[cfg(target_os = "linux")]
fn threads_and_jobs_that_there_is_no_memory_for_are_fewer_and_it_is_said() {
    let mut dialogue = Engine::of(limited("-v 300000", ""));
    let heard = dialogue.ask("setoption name Threads value 256\nisready", "readyok");
    assert!(heard.iter().any(|line| line.contains("no memory for 256 threads; using ")), "{heard:?}");
    for _ in 0..3 {
        assert!(dialogue.ask("go nodes 20000", "bestmove").len() > 1);
    }
    let output = ended(&mut limited("-v 300000", "solve classics --jobs 64 --nodes 300 --hash 1 --quiet"), "");
    assert!(text(&output.stderr).contains("no memory for 64 searches at a time; running "), "{output:?}");
    assert!(matches!(output.status.code(), Some(0 | 1)), "{output:?}");
}

#[test]
fn a_search_of_one_node_invents_no_score() {
    let mut dialogue = Engine::start();
    let heard = dialogue.ask("go nodes 1", "bestmove");
    let scored: Vec<_> = heard.iter().filter(|line| line.contains(" score ")).collect();
    // Only the position's evaluation is known, at depth 0.
    assert!(scored.iter().all(|line| line.starts_with("info depth 0 ") && !line.contains(" cp 0 ")), "{heard:?}");
    // With some of the moves searched, the best of them is at least that good.
    for nodes in [2, 5, 10] {
        let heard = dialogue.ask(&format!("ucinewgame\ngo nodes {nodes}"), "bestmove");
        let scored: Vec<_> = heard.iter().filter(|line| line.contains(" score ")).collect();
        assert!(!scored.is_empty() && scored.iter().all(|line| line.contains(" lowerbound ")), "{heard:?}");
    }
}

/// Makes a named pipe; whether the system has them.
#[cfg(unix)]
fn make_pipe(path: &Path) -> bool {
    let is_made = Command::new("mkfifo").arg(path).status().is_ok_and(|status| status.success());
    if !is_made {
        eprintln!("skipped: no mkfifo");
    }
    is_made
}

#[test]
#[cfg(unix)]
fn a_pipe_is_written_whole_to_whoever_reads_it() {
    let folder = tempfile::tempdir().unwrap();
    suite(folder.path());
    let pipe = folder.path().join("pipe");
    if !make_pipe(&pipe) {
        return;
    }
    for option in ["--csv", "--json", "--html", "--epd"] {
        let solve = format!("solve a.epd --depth 2 --hash 1 --quiet {option}");
        assert_eq!(run_in(folder.path(), &format!("{solve} file")).status.code(), Some(0));
        let reader = Command::new("cat").arg(&pipe).stdout(Stdio::piped()).spawn().unwrap();
        assert_eq!(run_in(folder.path(), &format!("{solve} pipe")).status.code(), Some(0), "{option}");
        let expected = fs::read(folder.path().join("file")).unwrap();
        assert!(!expected.is_empty() && output(reader).stdout == expected, "{option}");
        fs::remove_file(folder.path().join("file")).unwrap();
    }
}

#[test]
#[cfg(unix)]
fn only_regular_files_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    if !make_pipe(&pipe) {
        return;
    }
    let mut dialogue = Engine::start();
    for path in [&pipe.display().to_string(), "/dev/zero", "/dev"] {
        let heard = dialogue.ask(&format!("setoption name Book File value {path}\nisready"), "readyok");
        assert!(heard[0].contains("it is not a regular file") || heard[0].contains("it is a directory"), "{heard:?}");
    }
    for arguments in [
        "solve pipe",
        "solve /dev/zero",
        "solve .",
        "merge pipe",
        "lab datagen pipe",
        "lab datagen /dev/null",
        "lab spsa pipe --tune credit_limit --games 2 --nodes 20",
        "lab spsa . --tune credit_limit --games 2 --nodes 20",
        "lab datagen .",
        "lab spsa s.jsonl --tune pipe --games 2 --nodes 20",
        "lab tune pipe --out x.rs",
        "lab positions x.bin pipe",
        "lab wdl pipe",
        "analyze pipe",
        "genfens 1 seed 1 book pipe",
    ] {
        let output = run_in(folder.path(), arguments);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments}: {error}");
        let is_directory = arguments.split(' ').any(|word| word == ".");
        let reason = if is_directory { "it is a directory" } else { "it is not a regular file" };
        assert!(error.contains(reason), "{arguments}: {error}");
    }
}

#[test]
fn a_large_table_is_there_at_once() {
    let available = || {
        let text = fs::read_to_string("/proc/meminfo").ok()?;
        let line = text.lines().find(|line| line.starts_with("MemAvailable:"))?;
        line.split_whitespace().nth(1)?.parse::<usize>().ok()
    };
    let Some(kilobytes) = available().filter(|&kilobytes| kilobytes > 4 << 20) else {
        eprintln!("skipped: the machine does not say that it has 4 GB to spare");
        return;
    };
    let megabytes = (kilobytes / 1024 / 4 * 3).min(Options::MAX_HASH_MB);
    if !room::has(megabytes * room::MEGABYTE) {
        eprintln!("skipped: the system does not reserve {megabytes} MB");
        return;
    }
    let mut dialogue = Engine::start();
    dialogue.ask("isready", "readyok");
    let start = Instant::now();
    let heard = dialogue.ask(&format!("setoption name Hash value {megabytes}\nisready"), "readyok");
    assert_eq!(heard.len(), 1, "{heard:?}");
    // With large pages each node may touch several megabytes, of which clearing the table gives back what was touched.
    for _ in 0..2 {
        dialogue.ask("go nodes 100", "bestmove");
        dialogue.ask("ucinewgame\nisready", "readyok");
    }
    assert!(start.elapsed() < Duration::from_secs(5), "{:?} for {megabytes} MB", start.elapsed());
}

/// How the line of a search's first iteration begins.
const FIRST: &[u8] = b"info depth 1 ";

/// Takes long to write the first iteration of the first search, as on a machine that has no time for it.
#[derive(Clone, Default)]
struct Slow(Arc<Mutex<Vec<u8>>>);

impl Write for Slow {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let is_first = |heard: &[u8]| !heard.windows(FIRST.len()).any(|part| part == FIRST);
        if bytes.starts_with(FIRST) && is_first(&self.0.lock().unwrap()) {
            thread::sleep(Duration::from_millis(1500));
        }
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn the_end_of_input_waits_for_the_answer_of_a_search_that_is_slow_to_end() {
    let heard = Slow::default();
    pacioli::uci::converse(&b"setoption name Hash value 1\ngo infinite\n"[..], heard.clone()).unwrap();
    let text = String::from_utf8(heard.0.lock().unwrap().clone()).unwrap();
    assert!(text.contains("bestmove "), "{text}");
}

/// Input of which each part is there once the answer to the one before has been sent.
struct Turns {
    parts: std::vec::IntoIter<String>,
    heard: Slow,
}

impl io::Read for Turns {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let answers = |heard: &Slow| String::from_utf8_lossy(&heard.0.lock().unwrap()).matches("bestmove").count();
        let asked = 2 - self.parts.len();
        let deadline = Instant::now() + PATIENCE;
        while answers(&self.heard) < asked && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(2));
        }
        let part = self.parts.next().unwrap_or_default();
        buffer[..part.len()].copy_from_slice(part.as_bytes());
        Ok(part.len())
    }
}

#[test]
fn how_late_a_search_ends_is_learned_after_a_ponderhit_too() {
    /// The time for the second of two moves on a clock.
    fn soft(first: &str) -> u64 {
        let heard = Slow::default();
        let first = format!("setoption name Hash value 1\n{first}\n");
        let parts = vec![first, "debug on\ngo wtime 3000\n".to_owned()].into_iter();
        let input = io::BufReader::new(Turns { parts, heard: heard.clone() });
        pacioli::uci::converse(input, heard.clone()).unwrap();
        let text = String::from_utf8(heard.0.lock().unwrap().clone()).unwrap();
        let soft = text
            .split("time: soft ")
            .nth(1)
            .and_then(|rest| rest.split(' ').next())
            .unwrap_or_else(|| panic!("{text}"));
        soft.parse().unwrap()
    }
    // The first iteration's line, and so the answer, comes late.
    let [calm, late] = ["go ponder\nstop", "go ponder movetime 1\nponderhit"];
    let [calm, late] = thread::scope(|scope| {
        let soft = |first: &'static str| scope.spawn(move || soft(first));
        [soft(calm), soft(late)].map(|soft| soft.join().unwrap())
    });
    assert!(late < calm, "{late} {calm}");
}

/// Takes nothing any more from the first iteration on.
struct Stuck(std::sync::mpsc::Receiver<()>);

impl Write for Stuck {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.starts_with(FIRST) {
            let _ = self.0.recv();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn quit_ends_a_search_that_was_stopped_and_cannot_answer() {
    let quits = |commands: &str| {
        let (reader, stuck) = std::sync::mpsc::channel();
        let start = Instant::now();
        let input = format!("setoption name Hash value 1\ngo infinite\n{commands}quit\n");
        pacioli::uci::converse(io::Cursor::new(input), Stuck(stuck)).unwrap();
        assert!(start.elapsed() < AT_ONCE, "{commands}");
        drop(reader);
    };
    thread::scope(|scope| {
        for commands in ["stop\n", "stop\nisready\n", "go infinite\nstop\ngo depth 3\n", "bench 3\n", ""] {
            scope.spawn(move || quits(commands));
        }
    });
}

#[test]
fn half_a_clock_is_enough_for_a_move() {
    let answers = |position: &str, line: &str, is_said: bool| {
        let mut dialogue = Engine::start();
        dialogue.ask(&format!("{position}\nisready"), "readyok");
        let start = Instant::now();
        let heard = dialogue.ask(line, "bestmove");
        assert!(start.elapsed() < Duration::from_secs(10), "{line}: {:?}", start.elapsed());
        let said = heard.iter().any(|answer| answer.starts_with("info string go: "));
        assert_eq!(said, is_said, "{position} {line}: {heard:?}");
    };
    // The second position has Black to move. The last move was pondered on without any clock.
    let [white, black] = ["position startpos", "position startpos moves e2e4"];
    thread::scope(|scope| {
        for (position, line, is_said) in [
            (white, "go wtime 100", false),
            (white, "go btime 100", true),
            (white, "go movetime x", true),
            (white, "go mate 0", true),
            (white, "go perft", true),
            (white, "go depth -1", true),
            (black, "go wtime 100", true),
            (black, "go btime 100", false),
            (white, "go ponder movestogo 3\nponderhit", true),
            (white, "go ponder btime 100\nponderhit", true),
        ] {
            scope.spawn(move || answers(position, line, is_said));
        }
    });
}

#[test]
fn quit_and_the_end_of_input_end_whatever_runs() {
    for task in [
        "",
        "isready",
        "go perft 4",
        "go perft 15",
        "go infinite",
        "go depth 1",
        "go depth 60",
        "go ponder",
        "go ponder wtime 1000 btime 1000",
        "position startpos\ngo mate 9",
    ] {
        for quits in [true, false] {
            let start = Instant::now();
            let mut dialogue = Engine::start();
            dialogue.send(task);
            // The input stays open after `quit`.
            if quits {
                dialogue.send("quit");
            } else {
                dialogue.input = None;
            }
            dialogue.expect_end();
            assert!(start.elapsed() < AT_ONCE, "{task}: {:?}", start.elapsed());
        }
    }
    // At the end of input a bench is awaited for longer.
    let (output, elapsed) = converse("bench 40\nquit\n");
    assert!(output.status.success() && elapsed < AT_ONCE, "{elapsed:?}");
}

#[test]
fn a_damaged_data_file_is_refused_and_a_cut_header_is_begun_anew() {
    let folder = tempfile::tempdir().unwrap();
    let (path, journal) = (folder.path().join("data"), folder.path().join("data.journal"));
    let datagen = "lab datagen data --games 2 --nodes 50 --seed 5 --hash 1";
    assert_eq!(run_in(folder.path(), datagen).status.code(), Some(0));
    let (whole, lines) = (fs::read(&path).unwrap(), fs::read(&journal).unwrap());
    let places = |file, bytes: &[u8]| [0, 9, 40, 100, bytes.len() / 2, bytes.len() - 20].map(|place| (file, place));
    for (file, place) in places(&path, &whole).into_iter().chain(places(&journal, &lines)) {
        let mut bytes = fs::read(file).unwrap();
        bytes[place] ^= 4;
        fs::write(file, bytes).unwrap();
        for arguments in [datagen, "lab tune data --out new.rs --epochs 0", "lab positions out data", "lab wdl data"] {
            let output = run_in(folder.path(), arguments);
            assert_eq!(output.status.code(), Some(2), "{place}: {output:?}");
            assert!(text(&output.stderr).contains("damaged"), "{place}: {output:?}");
        }
        fs::write(&path, &whole).unwrap();
        fs::write(&journal, &lines).unwrap();
    }
    fs::write(&path, []).unwrap();
    fs::write(&journal, &lines[..10]).unwrap();
    assert_eq!(run_in(folder.path(), datagen).status.code(), Some(0));
    assert!(fs::read(&path).unwrap() == whole && fs::read(&journal).unwrap() == lines);
    for cut in [0, 10, 150] {
        fs::write(&journal, &lines[..cut]).unwrap();
        let output = run_in(folder.path(), datagen);
        assert_eq!(output.status.code(), Some(2), "{cut}: {output:?}");
        assert!(text(&output.stderr).contains("its journal is cut before the end of its first line"), "{output:?}");
    }
}

#[test]
fn results_are_not_overwritten_in_silence() {
    let folder = tempfile::tempdir().unwrap();
    suite(folder.path());
    let solve = "solve a.epd --depth 2 --hash 1 --quiet --json r.jsonl";
    assert_eq!(run_in(folder.path(), solve).status.code(), Some(0));
    let path = folder.path().join("r.jsonl");
    let whole = fs::read(&path).unwrap();
    let output = run_in(folder.path(), "solve a.epd --depth 1 --hash 1 --quiet --json r.jsonl");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(text(&output.stderr).contains("--force"), "{output:?}");
    assert!(fs::read(&path).unwrap() == whole, "a rejected file was changed");
    for more in ["--resume", "--force"] {
        assert_eq!(run_in(folder.path(), &format!("{solve} {more}")).status.code(), Some(0));
        assert!(fs::read(&path).unwrap() == whole, "{more}");
    }
    let output = run_in(folder.path(), "solve a.epd --depth 2 --json - --resume");
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), ""), "{output:?}");
}

#[test]
fn no_output_takes_the_place_of_work() {
    let folder = tempfile::tempdir().unwrap();
    suite(folder.path());
    let is_done = |arguments: &str| run_in(folder.path(), arguments).status.code() == Some(0);
    assert!(is_done("solve a.epd --depth 2 --hash 1 --quiet --json r.jsonl"));
    assert!(is_done("lab datagen data --games 1 --nodes 50 --hash 1"));
    assert!(is_done("lab datagen other --games 1 --nodes 50 --hash 1"));
    assert!(is_done("lab positions p.bullet data"));
    assert!(is_done("lab spsa s.jsonl --tune credit_limit --games 2 --nodes 20 --hash 1"));
    fs::write(folder.path().join("old.jsonl"), "{\"type\":\"run\",\"schema\":5}\n").unwrap();
    fs::write(folder.path().join("older"), "{\"schema\":1,\"nodes\":100}\n").unwrap();
    fs::write(folder.path().join("m.jsonl"), "{\"kind\":\"mine\",\"schema\":3}\n").unwrap();
    fs::write(folder.path().join("x.net"), "PACINET1").unwrap();
    for (file, what) in [
        ("r.jsonl", "JSON of `pacioli solve`"),
        ("old.jsonl", "JSON of `pacioli solve`"),
        ("older", "JSON"),
        ("m.jsonl", "JSON of `pacioli lab mine`"),
        ("s.jsonl", "JSON of `pacioli lab spsa`"),
        ("data", "binary, such as training data"),
        ("data.journal", "JSON of `pacioli lab datagen`"),
        ("p.bullet.json", "JSON of `pacioli lab positions`"),
        ("x.net", "a network"),
    ] {
        let before = fs::read(folder.path().join(file)).unwrap();
        for arguments in [
            "solve a.epd --depth 2 --hash 1 --quiet --html PLACE",
            "solve a.epd --depth 2 --hash 1 --quiet --json new.jsonl --force --csv PLACE",
            "explain startpos --depth 2 --json PLACE",
            "merge part.jsonl --json PLACE",
            "merge part.jsonl --json new.jsonl --force --html PLACE",
            "lab theory games.pgn --out PLACE",
        ] {
            let output = run_in(folder.path(), &arguments.replace("PLACE", file));
            assert_eq!(output.status.code(), Some(2), "{output:?}");
            let complaint = format!("error: {file} is {what} and would be overwritten: ");
            assert!(text(&output.stderr).starts_with(&complaint), "{arguments}: {output:?}");
            assert!(fs::read(folder.path().join(file)).unwrap() == before, "{file}: {arguments}");
        }
        // Whoever overwrites by force does so with the same kind of file.
        for arguments in [
            "merge r.jsonl --quiet --json PLACE --force",
            "solve a.epd --depth 2 --hash 1 --quiet --json PLACE --force",
            "lab positions PLACE other --force",
        ] {
            let are_results = matches!(file, "r.jsonl" | "old.jsonl");
            if are_results && !arguments.starts_with("lab") {
                continue;
            }
            let output = run_in(folder.path(), &arguments.replace("PLACE", file));
            let complaint = format!("error: {file} is {what} and would be overwritten: choose another file");
            assert!(text(&output.stderr).starts_with(&complaint), "{arguments}: {output:?}");
            assert!(fs::read(folder.path().join(file)).unwrap() == before, "{file}: {arguments}");
        }
    }
    assert!(is_done("merge r.jsonl --quiet --json merged.jsonl"));
    let output = run_in(folder.path(), "merge r.jsonl --quiet --json merged.jsonl");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(text(&output.stderr).contains("--force overwrites it"), "{output:?}");
    assert!(is_done("merge r.jsonl --quiet --json merged.jsonl --force"));
    // What is made again in a moment is replaced.
    for _ in 0..2 {
        assert!(is_done("merge r.jsonl --quiet --csv r.csv --html r.html --junit r.xml"));
        assert!(is_done("explain startpos --depth 2 --hash 1 --json e.json --html e.html"));
    }
}

#[test]
fn the_record_of_positions_takes_the_place_of_no_other_file() {
    let folder = tempfile::tempdir().unwrap();
    suite(folder.path());
    let run = |arguments: &str| run_in(folder.path(), arguments);
    assert_eq!(run("solve a.epd --depth 2 --hash 1 --quiet --json p.json").status.code(), Some(0));
    assert_eq!(run("lab datagen data --games 1 --nodes 50 --hash 1").status.code(), Some(0));
    fs::write(folder.path().join("o.json"), "{\"type\":\"run\",\"schema\":4}\n").unwrap();
    for (arguments, complaint) in [
        ("lab positions o data --force", "error: o.json is JSON of `pacioli solve` and would be overwritten: "),
        ("lab positions p data", "error: p.json exists already: --force overwrites it"),
        ("lab positions p data --force", "error: p.json is JSON of `pacioli solve` and would be overwritten: "),
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(text(&output.stderr).starts_with(complaint), "{output:?}");
        assert!(!folder.path().join("p").exists(), "before the work");
    }
    for arguments in ["lab positions q data", "lab positions q data --force"] {
        assert_eq!(run(arguments).status.code(), Some(0));
    }
    assert!(folder.path().join("q.json").exists());
}

#[test]
#[cfg(unix)]
fn a_link_that_leads_nowhere_yet_stands_for_its_file() {
    let folder = tempfile::tempdir().unwrap();
    suite(folder.path());
    std::os::unix::fs::symlink("results", folder.path().join("link")).unwrap();
    let output = run_in(folder.path(), "solve a.epd --depth 2 --hash 1 --quiet --json results --csv link");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert_eq!(text(&output.stderr), "error: link would overwrite an input or another output\n");
    assert_eq!(run_in(folder.path(), "explain startpos --depth 2 --hash 1 --json link").status.code(), Some(0));
    assert!(fs::symlink_metadata(folder.path().join("link")).unwrap().is_symlink());
    assert!(folder.path().join("results").is_file());
}

#[test]
fn data_of_no_game_end_with_an_error_and_leave_nothing() {
    let folder = tempfile::tempdir().unwrap();
    // Every game from here is lost for one side from the beginning.
    fs::write(folder.path().join("lost.epd"), "rnbqkbnr/pppppppp/8/8/8/8/8/4K3 w kq -\n").unwrap();
    fs::write(folder.path().join("other.journal"), "a text\n").unwrap();
    for (arguments, complaint) in [
        (
            "lab datagen data --games 1 --nodes 20 --hash 1 --random-plies 0 --openings lost.epd",
            "none of 1000 openings",
        ),
        ("lab datagen other --games 1 --nodes 20 --hash 1", "line 1 of its journal is damaged"),
        ("lab datagen - --games 1 --nodes 20 --hash 1", "standard output cannot be resumed"),
        ("lab spsa - --tune credit_limit --games 2 --nodes 20 --hash 1", "standard output cannot be resumed"),
    ] {
        let output = run_in(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(text(&output.stderr).contains(complaint), "{output:?}");
    }
    assert!(!folder.path().join("other").exists() && !folder.path().join("-").exists());
}

#[test]
fn two_runs_on_one_file_exclude_each_other() {
    let folder = tempfile::tempdir().unwrap();
    suite(folder.path());
    for (file, arguments) in [
        ("r.jsonl", "solve a.epd --depth 2 --hash 1 --quiet --json r.jsonl"),
        ("m.jsonl", "merge r.jsonl --quiet --json m.jsonl --force"),
        ("data", "lab datagen data --games 1 --nodes 50 --hash 1"),
        ("s.jsonl", "lab spsa s.jsonl --tune credit_limit --games 2 --nodes 20 --hash 1"),
    ] {
        let held = File::create(folder.path().join(file)).unwrap();
        if held.try_lock().is_err() {
            eprintln!("skipped: no locks in this file system");
            return;
        }
        let output = run_in(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(text(&output.stderr).contains("another run is writing it"), "{output:?}");
        drop(held);
        assert_eq!(run_in(folder.path(), arguments).status.code(), Some(0));
    }
}

#[test]
#[cfg(unix)]
fn an_interrupted_run_has_an_exit_code_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    for (file, arguments) in [
        ("data", "lab datagen data --games 1000000 --nodes 100 --hash 1"),
        ("s.jsonl", "lab spsa s.jsonl --tune credit_limit --games 1000000 --nodes 100 --batch 1 --hash 1"),
    ] {
        let mut command = pacioli();
        command.current_dir(folder.path()).args(arguments.split_whitespace());
        let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let deadline = Instant::now() + PATIENCE;
        let size = || fs::metadata(folder.path().join(file)).map_or(0, |metadata| metadata.len());
        while size() == 0 && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(20));
        }
        interrupt(&child);
        assert_eq!(output(child).status.code(), Some(3), "{arguments}");
    }
}

#[test]
#[cfg(unix)]
fn an_engine_that_only_talks_is_given_up() {
    let start = Instant::now();
    let talker = PeerCommand { command: "yes".to_owned(), patience: Duration::from_secs(1), ..PeerCommand::default() };
    let error = Peer::start(&talker, &Interrupt::new()).err().expect("`yes` is no engine").to_string();
    assert!(error.contains("engine `yes` does not answer after `uci`"), "{error}");
    assert!(start.elapsed() < Duration::from_secs(40));
}

#[test]
#[cfg(unix)]
fn an_engine_that_loads_its_network_when_it_is_to_be_ready_is_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("heavy");
    let script = "#!/bin/sh\nwhile read -r line; do case \"$line\" in\n\
                  uci) echo uciok;;\n isready) sleep 3; echo readyok;;\n quit) exit;; esac; done\n";
    write_script(&path, script);
    let (command, patience) = (path.display().to_string(), Duration::from_secs(2));
    let begun = |search_patience, is_ending: bool| {
        let heavy = PeerCommand { command: command.clone(), patience, search_patience, ..PeerCommand::default() };
        let interrupt = Interrupt::new();
        if is_ending {
            interrupt.raise();
        }
        Peer::start(&heavy, &interrupt).map(drop).map_err(|error| error.to_string())
    };
    let given_up = Err(format!("engine `{command}` does not answer after `isready`"));
    assert_eq!(begun(PATIENCE, false), Ok(()));
    assert_eq!(begun(Duration::from_secs(1), false), given_up);
    assert_eq!(begun(PATIENCE, true), given_up, "the run is ending");
}

#[test]
#[cfg(unix)]
fn an_engine_that_comes_no_further_is_given_up() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    suite(folder);
    let is_given_up = |name: &str, limit: &str| {
        let engine = format!("--engine ./{name} --engine-patience 1 --peers-only");
        let output = run_in(folder, &format!("solve a.epd --hash 1 --quiet {limit} {engine}"));
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let complaint = format!("engine `./{name}` has come no further for 1 s while searching ");
        assert!(text(&output.stderr).contains(&complaint), "{output:?}");
    };
    let engines = [("mute", ":"), ("babbler", "while :; do echo 'info depth 1 score cp 5 nodes 9 pv a7a8'; done")];
    for (name, search) in engines {
        write_engine(&folder.join(name), search);
    }
    thread::scope(|scope| {
        for (name, _) in engines {
            for limit in ["--depth 3", "--nodes 900"] {
                scope.spawn(move || is_given_up(name, limit));
            }
        }
    });
}

#[test]
#[cfg(unix)]
fn an_engine_that_searches_on_after_stop_is_given_up() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("obstinate");
    // It searches for ten seconds, and always comes further.
    let search = "for n in $(seq 100); do echo \"info depth 1 score cp 5 nodes $n pv e2e4\"; sleep 0.1; done";
    write_engine(&path, &format!("{search}; echo bestmove e2e4"));
    let (command, patience) = (path.display().to_string(), Duration::from_secs(1));
    let obstinate = PeerCommand { command: command.clone(), patience, ..PeerCommand::default() };
    let mut peer = Peer::start(&obstinate, &Interrupt::new()).unwrap();
    let (limits, stop) = (Limits::to_depth(3), StopFlag::new());
    let answer = peer.lines(&Position::default(), &limits, &[&stop], "while searching", &mut |_| stop.raise());
    let error = answer.expect_err("it was told to stop").to_string();
    assert_eq!(error, format!("engine `{command}` does not answer while searching"));
}

#[test]
#[cfg(unix)]
fn an_engine_behind_a_script_does_not_outlive_it() {
    let folder = tempfile::tempdir().unwrap();
    let [script, engine, beats] = ["script", "engine", "beats"].map(|name| folder.path().join(name));
    // It neither reads nor says anything, and ends only with the folder.
    write_script(&engine, format!("#!/bin/sh\nwhile echo >> '{}'; do sleep 0.1; done\n", beats.display()));
    write_script(&script, format!("#!/bin/sh\n'{}'\nexit\n", engine.display()));
    let patience = Duration::from_secs(1);
    let mute = PeerCommand { command: script.display().to_string(), patience, ..PeerCommand::default() };
    assert!(Peer::start(&mute, &Interrupt::new()).is_err());
    let lived = || fs::metadata(&beats).map_or(0, |metadata| metadata.len());
    let before = lived();
    assert!(before > 0, "the engine ran");
    thread::sleep(Duration::from_secs(1));
    assert_eq!(lived(), before);
}

#[test]
#[cfg(unix)]
fn an_engine_that_talks_and_does_not_read_is_given_up() {
    let folder = tempfile::tempdir().unwrap();
    // More than fits in a pipe and in what is kept until there is room in it.
    fs::write(folder.path().join("long.epd"), mates_in_one(3000)).unwrap();
    let answers = "uciok\nreadyok\ninfo depth 1 score cp 0 nodes 1 pv a1a8\nbestmove a1a8";
    let path = folder.path().join("babble");
    write_script(&path, format!("#!/bin/sh\nexec yes '{answers}'\n"));
    let output = run_in(folder.path(), "solve long.epd --nodes 10 --quiet --engine ./babble --peers-only");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(text(&output.stderr).contains("engine `./babble` does not read what it is sent"), "{output:?}");
}

#[test]
fn what_a_fen_loses_is_said() {
    let mut dialogue = Engine::start();
    let bare = "4k3/8/8/8/8/8/8/4K3 w KQkq e6 0 1";
    let reasons = ["castling rights KQkq are impossible", "no pawn can have passed e6"];
    let expected = reasons.map(|reason| format!("info string position: {reason}; left out"));
    let heard = dialogue.ask(&format!("position fen {bare} moves e1e2\nisready"), "readyok");
    assert_eq!(heard[..heard.len() - 1], expected, "{heard:?}");
    let sound = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
    assert_eq!(dialogue.ask(&format!("position fen {sound}\nisready"), "readyok").len(), 1);
    let heard = dialogue.ask("position fen 4k3/8/8/8/8/8/8/4K3 w - - 99999999999 1\nisready", "readyok");
    assert!(heard[0].contains("99999999999 is larger than any that is kept"), "{heard:?}");
    let output = ended(pacioli().args(["eval", bare]), "");
    assert!(output.status.success(), "{output:?}");
    assert!(reasons.iter().all(|reason| text(&output.stderr).contains(reason)), "{output:?}");
}

#[test]
fn complaints_are_short_and_to_the_point() {
    let folder = tempfile::tempdir().unwrap();
    for (fen, complaint) in [
        ("8/8/8/8/8/8/8/8/8 w - -", "9 ranks where there should be 8"),
        ("4k3/8/8/8/8/8/4K3 w - -", "7 ranks where there should be 8"),
        ("4k3/8/8/8/ppppppppp/8/8/4K3 w - -", "the squares of rank 4 add up to 9, not 8"),
        ("", "not a FEN: it is empty"),
    ] {
        for name in ["eval", "analyze"] {
            let output = ended(pacioli().args([name, fen]), "");
            let error = text(&output.stderr);
            assert!(error.contains(complaint) && !error.contains("no file"), "{error}");
        }
    }
    let long = "a".repeat(3_000_000);
    let (output, _) = converse(&format!("{long}\nisready\n"));
    assert!(text(&output.stdout).ends_with("readyok\n") && output.stdout.len() < 2000);
    fs::write(folder.path().join("long.epd"), &long).unwrap();
    let output = run_in(folder.path(), "solve long.epd --depth 1");
    assert!(output.stderr.len() < 3000, "{}", output.stderr.len());
}

#[test]
#[cfg(target_os = "linux")]
fn a_limit_on_files_is_an_error_and_loses_nothing() {
    const LIMIT: &str = "-f 4";
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    // Results of some ten thousand bytes, of which the limit leaves a few thousand.
    fs::write(path("a.epd"), mates_in_one(100)).unwrap();
    let solve = |output: &str, name: &str| format!("solve a.epd --depth 1 --hash 1 --quiet {output} {name}");
    let refused = |arguments: &str| {
        let output = ended(limited(LIMIT, arguments).current_dir(folder.path()), "");
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(text(&output.stderr).contains("cannot write"), "{output:?}");
    };
    for output in ["--csv", "--html"] {
        fs::write(path("r"), "what was there").unwrap();
        refused(&solve(output, "r"));
        assert_eq!(fs::read_to_string(path("r")).unwrap(), "what was there");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "something is left next to it");
    }
    // What was done before the limit is taken up.
    refused(&solve("--json", "limited.jsonl"));
    assert!(fs::read_to_string(path("limited.jsonl")).unwrap().contains("\"type\":\"position\""));
    for arguments in [solve("--json", "whole.jsonl"), solve("--resume --json", "limited.jsonl")] {
        let output = run_in(folder.path(), &arguments);
        assert!(matches!(output.status.code(), Some(0 | 1)), "{output:?}");
    }
    assert!(fs::read(path("limited.jsonl")).unwrap() == fs::read(path("whole.jsonl")).unwrap());
}

#[test]
#[cfg(target_os = "linux")]
fn a_part_is_not_blamed_for_the_file_that_it_is_copied_to() {
    let folder = tempfile::tempdir().unwrap();
    // Of more bytes than the limit leaves.
    let datagen = |name: &str| format!("lab datagen {name} --games 24 --nodes 20 --hash 1");
    assert!(run_in(folder.path(), &format!("{} --shard 1/1", datagen("part"))).status.success());
    let mut command = limited("-f 4", &format!("{} --parts part", datagen("whole")));
    let output = ended(command.current_dir(folder.path()), "");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(text(&output.stderr).starts_with("error: whole: "), "{output:?}");
}

#[test]
#[cfg(unix)]
fn a_closed_output_of_the_protocol_is_an_error() {
    let mut command = pacioli();
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    // The input stays open: the program must find out by itself.
    let mut input = child.stdin.take().unwrap();
    writeln!(input, "uci\ngo infinite").unwrap();
    let output = output(child);
    drop(input);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

#[test]
fn dozens_of_queens_do_not_stall_a_search_of_one_ply() {
    let mut dialogue = Engine::start();
    for fen in [
        "kbQ2Q1Q/ppQ1Q1Q1/2Q1q1q1/1q1Q1Q1q/8/1q1Q1q1q/PP1q1q1q/KB1q2q1 w - - 0 1",
        "kb6/ppqQqQqQ/2QqQqQq/8/8/2qQqQqQ/PPQqQqQq/KB6 w - - 0 1",
    ] {
        let start = Instant::now();
        let heard = dialogue.ask(&format!("position fen {fen}\ngo depth 1"), "bestmove");
        assert!(heard.iter().all(|line| !line.starts_with("info string")), "{fen}: {heard:?}");
        assert!(start.elapsed() < Duration::from_secs(60), "{fen}: {:?} {heard:?}", start.elapsed());
    }
}

#[test]
fn the_signature_is_that_of_one_size_of_table_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let nodes = |output: &str| output.split(" nodes").next().unwrap_or_default().to_owned();
    let plain = run_in(folder.path(), "bench 4");
    assert_eq!(text(&plain.stderr), "");
    let other = run_in(folder.path(), "bench 4 --hash 1");
    assert!(text(&other.stderr).contains("the signature holds for --hash 16"), "{other:?}");
    let mut dialogue = Engine::start();
    dialogue.ask("setoption name Hash value 1\nsetoption name Threads value 2\nisready", "readyok");
    let line = dialogue.ask("bench 4", "").remove(0);
    assert_eq!(nodes(&line), nodes(text(&plain.stdout)));
}
