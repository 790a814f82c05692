//! Long work that is killed at any moment goes on as if nothing had been: its files are, byte for byte, those of a run
//! that nobody touched.

use std::fs;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use fastrand::Rng;

use crate::common::mates_in_one;
#[cfg(unix)]
use crate::common::process::write_script;

/// How often each kind of work is killed before it has come to its end; `PACIOLI_KILLS` may say more.
const KILLS: usize = 3;
/// Attempts for each of these kills: about every second one comes in time, whatever else the machine does.
const ATTEMPTS: usize = 20;
/// Longer than anything waited for takes on a busy machine.
#[cfg(unix)]
const PATIENCE: Duration = Duration::from_secs(60);
/// What stands where a result will be written.
const BEFORE: &str = "what was there before";

/// A kind of work.
struct Work {
    name: &'static str,
    arguments: &'static str,
    /// What is added to go on with a run.
    resume: &'static str,
    /// What it writes, bit by bit; the last is its journal.
    grows: &'static [&'static str],
    /// What it writes at its end, which stands there whole or as it was before.
    appears: &'static [&'static str],
}

const WORK: [Work; 6] = [
    Work {
        // One job, for three blocks of games; `stops_change_no_game` has two.
        name: "datagen",
        arguments: "lab datagen data --games 80 --nodes 20 --seed 5 --hash 1",
        resume: "",
        grows: &["data", "data.journal"],
        appears: &[],
    },
    Work {
        name: "solve",
        arguments: "solve a.epd --depth 4 --hash 1 --jobs 2 --json r.jsonl --csv r.csv --html r.html",
        resume: "--resume",
        grows: &["r.jsonl"],
        appears: &["r.csv", "r.html"],
    },
    Work {
        name: "tune",
        arguments: "lab tune games --out new.rs --epochs 2",
        resume: "",
        grows: &[],
        appears: &["new.rs"],
    },
    Work {
        name: "positions",
        // The successors make it take a while.
        arguments: "lab positions p.bin games --evaluated-successors 20 --force",
        resume: "",
        grows: &[],
        appears: &["p.bin", "p.bin.json"],
    },
    Work {
        // By the paper's search: what another finds in so few games, the next may not. One job, which records games
        // twice; `games_before_one_that_was_interrupted_are_kept` has two.
        name: "mine",
        arguments: "lab mine games.pgn --hash 1 --depth 8 --look 20000 --grade 20000 --least 0 --json m.jsonl \
                    --profile deep-blue --engine-option Profile=deep-blue --engine",
        resume: "",
        grows: &["m.jsonl"],
        appears: &[],
    },
    Work {
        name: "spsa",
        arguments: "lab spsa s.jsonl --tune credit_limit futility_margin --games 12 --nodes 20 --batch 2 --hash 1 --jobs 2",
        resume: "",
        grows: &["s.jsonl"],
        appears: &[],
    },
];

/// Games to mine: in the last something is found, and one occurs twice.
const GAMES: [(&str, &str); 7] = [
    ("3r1k2/1p2bpp1/p7/2pnN2r/2P4p/1P5P/P4PP1/R1B1R1K1 w - - 0 1", "1. Rb1"),
    ("B2r2k1/p3bp2/1p2p1p1/4q2p/Q7/P1P1B1P1/5N1P/5NK1 b - - 0 1", "1... a5"),
    ("3r1k2/1p2bpp1/p7/2pnN2r/2P4p/1P5P/P4PP1/R1B1R1K1 w - - 0 1", "1. Rb1"),
    ("8/5K2/8/3kP3/8/8/5r2/4R3 w - - 0 1", "1. Ke8"),
    ("6k1/p4p2/5Qp1/p5P1/7K/7P/5P2/6q1 w - - 0 1", "1. f3"),
    ("6k1/1R2p2p/p3p1p1/5b2/2P5/1P2Br2/P1N1nP1P/7K w - - 0 1", "1. a3"),
    ("8/p7/P3K3/8/8/2k5/8/8 w - - 0 1", "1. Kd5"),
];

/// A folder with what the work is about.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: String| fs::write(folder.path().join(name), text).unwrap();
    write("a.epd", mates_in_one(12));
    write("short.epd", mates_in_one(4));
    write("games.pgn", GAMES.iter().map(|(fen, moves)| format!("[FEN \"{fen}\"]\n\n{moves} *\n\n")).collect());
    let made = command(folder.path(), "lab datagen games --games 6 --nodes 60 --hash 1", "").status().unwrap();
    assert!(made.success());
    folder
}

fn command(folder: &Path, arguments: &str, more: &str) -> Command {
    let program = env!("CARGO_BIN_EXE_pacioli");
    let mut command = Command::new(program);
    command.current_dir(folder).args(arguments.split_whitespace());
    if arguments.ends_with("--engine") {
        command.arg(program);
    }
    command.args(more.split_whitespace()).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Lets the work come to its end; its files, and how long it took.
fn done(folder: &Path, work: &Work, more: &str) -> (Vec<Vec<u8>>, Duration) {
    let start = Instant::now();
    let status = command(folder, work.arguments, more).status().unwrap();
    assert!(matches!(status.code(), Some(0 | 1)), "{}: {status}", work.name);
    (files(folder, work).into_iter().map(Option::unwrap).collect(), start.elapsed())
}

fn files(folder: &Path, work: &Work) -> Vec<Option<Vec<u8>>> {
    work.grows.iter().chain(work.appears).map(|file| fs::read(folder.join(file)).ok()).collect()
}

/// Takes away what the work has written, and puts something else where it will write at its end.
fn begin_anew(folder: &Path, work: &Work) {
    for file in work.grows {
        fs::remove_file(folder.join(file)).unwrap_or(());
    }
    for file in work.appears {
        fs::write(folder.join(file), BEFORE).unwrap();
    }
}

/// Whether the kill ended a program, and not itself just before.
fn was_killed(status: ExitStatus) -> bool {
    // Elsewhere nothing tells the one from the other.
    !cfg!(unix) || status.code().is_none()
}

/// What became of the work that was to be killed.
struct Killed {
    attempts: usize,
    /// Kills that came before its end.
    landed: usize,
    /// Those of them that left a part of the results recorded.
    midway: usize,
}

/// Whether the journal of killed work has results, lines after the first, but not all of them.
fn is_midway(folder: &Path, work: &Work, whole: &[Vec<u8>]) -> bool {
    let Some((journal, others)) = work.grows.split_last() else { return false };
    let lines = |bytes: &[u8]| bytes.iter().filter(|&&byte| byte == b'\n').count();
    let found = fs::read(folder.join(journal)).unwrap_or_default();
    (2..lines(&whole[others.len()])).contains(&lines(&found))
}

/// Kills the work so many times before its end, each time after it went on where it was, and anew when it has come to
/// its end. If it has a journal, it is killed until there was once a part of the results in it.
fn killed(folder: &Path, work: &Work, kills: usize) -> Killed {
    let (whole, mut time) = done(folder, work, "");
    let mut random = Rng::with_seed(kills as u64);
    let (mut is_begun, mut killed) = (false, Killed { attempts: 0, landed: 0, midway: 0 });
    let is_enough = |killed: &Killed| killed.landed >= kills && (killed.midway > 0 || work.grows.is_empty());
    begin_anew(folder, work);
    while !is_enough(&killed) && killed.attempts < ATTEMPTS * kills {
        killed.attempts += 1;
        let mut child = command(folder, work.arguments, if is_begun { work.resume } else { "" }).spawn().unwrap();
        let delay = time.mul_f64(random.f64());
        thread::sleep(delay);
        let has_ended = child.try_wait().unwrap().is_some();
        if has_ended && !is_begun {
            // The machine has less to do than when the time was taken.
            time = delay;
        } else if !has_ended {
            child.kill().unwrap();
            let has_landed = was_killed(child.wait().unwrap());
            killed.landed += usize::from(has_landed);
            killed.midway += usize::from(has_landed && is_midway(folder, work, &whole));
        }
        is_begun = true;
        let appears = files(folder, work).into_iter().zip(&whole).skip(work.grows.len()).zip(work.appears);
        for ((found, whole), file) in appears {
            let is_sound = found.is_some_and(|bytes| bytes == *whole || bytes == BEFORE.as_bytes());
            assert!(is_sound, "{}: {file} is neither whole nor what it was before", work.name);
        }
        if has_ended || random.u32(..8) == 0 {
            assert!(done(folder, work, work.resume).0 == whole, "{}: the result differs", work.name);
            begin_anew(folder, work);
            is_begun = false;
        }
    }
    let resume = if is_begun { work.resume } else { "" };
    assert!(done(folder, work, resume).0 == whole, "{}: the result differs", work.name);
    killed
}

/// Work that writes to a place, with what it needs from [`folder`].
const OUTPUTS: [&str; 11] = [
    "solve a.epd --depth 1 --hash 1 --quiet --json PLACE",
    "solve a.epd --depth 1 --hash 1 --quiet --csv PLACE",
    "solve a.epd --depth 1 --hash 1 --quiet --html PLACE",
    "compare r.jsonl r.jsonl --html PLACE",
    "lab datagen PLACE --games 1 --nodes 60 --hash 1",
    "lab positions PLACE games",
    "lab tune games --out PLACE --epochs 1",
    "lab mine games.pgn --hash 1 --depth 1 --look 100 --grade 100 --least 0 --json PLACE --engine",
    "lab spsa PLACE --tune credit_limit --games 2 --nodes 20 --hash 1",
    "lab spsa s.jsonl --tune credit_limit --games 2 --nodes 20 --hash 1 --svg PLACE",
    "analyze games.pgn --depth 1 --hash 1 --html PLACE",
];

#[test]
fn a_place_that_cannot_be_written_is_an_error_before_the_work() {
    let folder = folder();
    let read_only = folder.path().join("read-only");
    fs::create_dir(&read_only).unwrap();
    let mut permissions = fs::metadata(&read_only).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&read_only, permissions.clone()).unwrap();
    // Whoever runs with all rights may write to a folder that is read-only, but nobody to /proc.
    let is_obeyed = fs::write(read_only.join("probe"), "").is_err();
    let places = [("missing/x", true), ("read-only/x", is_obeyed), ("/proc/x", cfg!(target_os = "linux"))];
    let made = command(folder.path(), "solve a.epd --depth 1 --hash 1 --quiet --json r.jsonl", "").status().unwrap();
    assert_eq!(made.code(), Some(0));
    for (place, _) in places.into_iter().filter(|&(_, applies)| applies) {
        for output in OUTPUTS {
            let mut command = command(folder.path(), &output.replace("PLACE", place), "");
            let output = command.stdout(Stdio::piped()).stderr(Stdio::piped()).output().unwrap();
            let error = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{place}: {error}");
            assert!(error.contains(place), "{place}: {error}");
            assert!(output.stdout.is_empty(), "{place}: {}", String::from_utf8_lossy(&output.stdout));
        }
    }
    #[allow(clippy::permissions_set_readonly_false, reason = "the folder is removed next")]
    permissions.set_readonly(false);
    fs::set_permissions(&read_only, permissions).unwrap();
}

/// An engine that says when it searches, and has no answer as long as nobody tells it to go on, nor for some seconds
/// after that.
#[cfg(unix)]
fn waiting_engine(folder: &Path, seconds: u32) {
    let script = format!(
        "#!/bin/sh\nwhile read -r line; do case \"$line\" in\n\
         uci) echo 'id name Waiting'; echo uciok;;\n isready) echo readyok;;\n\
         go*) : > searching; until [ -e go-on ]; do sleep 0.1; done; sleep {seconds}; echo 'bestmove 0000';;\n\
         quit) exit;; esac; done\n"
    );
    write_script(&folder.join("waiting"), &script);
}

#[test]
#[cfg(unix)]
fn a_folder_that_vanishes_during_a_suite_is_an_error() {
    let folder = folder();
    let [place, searching, go_on] = ["place", "searching", "go-on"].map(|name| folder.path().join(name));
    // Of the outputs only a journal is missed before the end, and before the next answer only if that takes its time.
    for (output, seconds) in [("--json place/r.jsonl", 1), ("--csv place/r.csv", 0), ("--html place/r.html", 0)] {
        waiting_engine(folder.path(), seconds);
        fs::create_dir(&place).unwrap();
        let result = solved_while(folder.path(), output, || {
            fs::remove_dir_all(&place).unwrap();
            fs::write(&go_on, "").unwrap();
        });
        assert_eq!(result.status.code(), Some(2), "{output}: {result:?}");
        let error = String::from_utf8_lossy(&result.stderr).into_owned();
        assert!(error.contains(output.split(' ').next_back().unwrap()), "{output}: {error}");
        assert!(!place.exists(), "{output}: the folder is there again");
        let table = String::from_utf8_lossy(&result.stdout).into_owned();
        // Without a journal no other position is searched.
        let searched = table.matches("Ra8#").count();
        let wanted = if output.starts_with("--json") { 1..=2 } else { 4..=4 };
        assert!(wanted.contains(&searched), "{output}: {table}");
        [&searching, &go_on].into_iter().for_each(|mark| fs::remove_file(mark).unwrap());
    }
}

#[test]
#[cfg(unix)]
fn a_file_that_takes_the_place_of_a_journal_is_left_alone() {
    let folder = folder();
    waiting_engine(folder.path(), 1);
    let [journal, go_on] = ["r.jsonl", "go-on"].map(|name| folder.path().join(name));
    let result = solved_while(folder.path(), "--json r.jsonl --csv r.csv", || {
        fs::remove_file(&journal).unwrap();
        fs::write(&journal, "another's").unwrap();
        fs::write(&go_on, "").unwrap();
    });
    assert_eq!(result.status.code(), Some(2), "{result:?}");
    assert_eq!(fs::read_to_string(&journal).unwrap(), "another's");
    // The other outputs are written, and the table is shown.
    assert!(folder.path().join("r.csv").exists() && String::from_utf8_lossy(&result.stdout).contains("Ra8#"));
}

/// A short suite solved by the waiting engine, with these outputs; what happens while it searches lets it go on.
#[cfg(unix)]
fn solved_while(folder: &Path, outputs: &str, happens: impl FnOnce()) -> std::process::Output {
    let arguments = format!("solve short.epd --nodes 9 --engine ./waiting --peers-only {outputs}");
    let mut command = command(folder, &arguments, "");
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let (start, searching) = (Instant::now(), folder.join("searching"));
    while !searching.exists() && start.elapsed() < PATIENCE {
        thread::sleep(Duration::from_millis(10));
    }
    assert!(searching.exists(), "{outputs}: it does not search");
    happens();
    child.wait_with_output().unwrap()
}

#[test]
#[cfg(target_os = "linux")]
fn an_output_that_cannot_be_written_costs_no_other() {
    let folder = folder();
    for work in ["solve a.epd --depth 1 --json r.jsonl", "report startpos --iterations 1..2 --json r.json"] {
        command(folder.path(), &format!("{work} --hash 1"), "").stdout(Stdio::null()).status().unwrap();
    }
    for (work, output) in [
        ("analyze games.pgn --depth 1 --hash 1", "--pgn"),
        ("analyze a.epd --depth 1 --hash 1", "--json"),
        ("analyze startpos --depth 1 --hash 1", "--json"),
        ("explain startpos --depth 2 --hash 1", "--json"),
        ("tree startpos --nodes 200 --hash 1", "--json"),
        ("report startpos --iterations 1..2 --hash 1", "--json"),
        ("report startpos --iterations 1..2 --hash 1", "--svg"),
        ("eval startpos", "--json"),
        ("compare r.jsonl r.jsonl", "--json"),
        ("compare r.jsonl r.jsonl", "--svg"),
        ("compare r.jsonl r.jsonl", "--markdown"),
    ] {
        let page = folder.path().join("page.html");
        let arguments = format!("{work} {output} /dev/full --html page.html");
        let result = command(folder.path(), &arguments, "").stderr(Stdio::piped()).output().unwrap();
        assert_eq!(result.status.code(), Some(2), "{work}: {result:?}");
        fs::remove_file(&page).unwrap_or_else(|error| panic!("{work}: {error}"));
    }
    for work in ["compare r.jsonl r.jsonl", "lint a.epd", "net info", "lab depths r.json"] {
        let arguments = format!("{work} --json /dev/full");
        let result = command(folder.path(), &arguments, "").stdout(Stdio::piped()).output().unwrap();
        assert_eq!(result.status.code(), Some(2), "{work}: {result:?}");
        assert!(!result.stdout.is_empty(), "{work}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error() {
    let folder = folder();
    for output in ["--json", "--csv", "--junit", "--epd", "--html"] {
        let arguments = format!("solve a.epd --depth 1 --hash 1 --quiet {output} /dev/full");
        let result = command(folder.path(), &arguments, "").stderr(Stdio::piped()).output().unwrap();
        let error = String::from_utf8_lossy(&result.stderr);
        assert_eq!(result.status.code(), Some(2), "{output}: {error}");
        assert!(error.contains("cannot write /dev/full") && error.contains("No space left"), "{output}: {error}");
    }
}

#[test]
#[cfg(unix)]
fn a_folder_that_vanishes_during_the_work_is_an_error() {
    let folder = folder();
    let place = folder.path().join("place");
    fs::create_dir(&place).unwrap();
    let arguments = "lab datagen place/data --games 1000000 --nodes 60 --hash 1";
    let child = command(folder.path(), arguments, "").stderr(Stdio::piped()).spawn().unwrap();
    let start = Instant::now();
    let size = || fs::metadata(place.join("data")).map_or(0, |metadata| metadata.len());
    while size() < 1000 && start.elapsed() < PATIENCE {
        thread::sleep(Duration::from_millis(10));
    }
    fs::remove_dir_all(&place).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("error: place/data"), "{output:?}");
}

#[test]
fn work_that_was_killed_comes_to_the_same_end() {
    let kills = std::env::var("PACIOLI_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(KILLS);
    let folder = folder();
    for work in &WORK {
        let Killed { attempts, landed, midway } = killed(folder.path(), work, kills);
        eprintln!("{}: {landed} of {attempts} kills came before its end, {midway} of them midway", work.name);
        assert!(landed >= kills, "{}: of {attempts} kills too few came before its end", work.name);
        let has_gone_on = midway > 0 || work.grows.is_empty();
        assert!(has_gone_on, "{}: after {landed} kills there was nothing to go on from", work.name);
    }
    let mined = fs::read_to_string(folder.path().join("m.jsonl")).unwrap();
    assert!(mined.contains("\"fen\""), "where nothing is found, nothing can be found otherwise");
}
