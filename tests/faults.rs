//! Long work that is killed at any moment goes on as if nothing had been: its files are, byte for byte, those of a run
//! that nobody touched.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use fastrand::Rng;

/// How often each kind of work is killed; `PACIOLI_KILLS` may say more.
const KILLS: usize = 3;

/// A kind of work.
struct Work {
    name: &'static str,
    arguments: &'static str,
    /// What is added to go on with a run.
    resume: &'static str,
    /// What it writes.
    files: &'static [&'static str],
}

const WORK: [Work; 5] = [
    Work {
        name: "datagen",
        arguments: "lab datagen data --games 6 --nodes 100 --seed 5 --hash 1 --jobs 2",
        resume: "",
        files: &["data", "data.journal"],
    },
    Work {
        name: "solve",
        arguments: "solve a.epd --depth 4 --hash 1 --jobs 2 --json r.jsonl --csv r.csv",
        resume: "--resume",
        files: &["r.jsonl", "r.csv"],
    },
    Work { name: "tune", arguments: "lab tune games --out new.rs --epochs 2", resume: "", files: &["new.rs"] },
    Work {
        name: "mine",
        arguments: "lab mine games.pgn --hash 1 --depth 5 --look 2000 --grade 2000 --least 0 --json m.jsonl --engine",
        resume: "",
        files: &["m.jsonl"],
    },
    Work {
        name: "spsa",
        arguments: "lab spsa s.jsonl --tune credit_limit futility_margin --games 12 --nodes 20 --batch 2 --hash 1 --jobs 2",
        resume: "",
        files: &["s.jsonl"],
    },
];

/// A folder with what the work is about.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: String| fs::write(folder.path().join(name), text).unwrap();
    write("a.epd", (0..12).map(|n| format!("6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Ra8#; id \"p.{n}\";\n")).collect());
    let game = |n: usize| format!("[Round \"{n}\"]\n[FEN \"8/p7/P3K3/8/8/2k5/8/8 w - - 0 {}\"]\n\n1. Kd5 *\n\n", n + 1);
    write("games.pgn", (0..6).map(game).collect());
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
    work.files.iter().map(|file| fs::read(folder.join(file)).ok()).collect()
}

/// Kills the work so many times, each time after it went on where it was, and afresh when it has come to its end.
/// Returns how often it was killed before that.
fn killed(folder: &Path, work: &Work, kills: usize) -> usize {
    let (whole, time) = done(folder, work, "");
    let afresh = || work.files.iter().for_each(|file| fs::remove_file(folder.join(file)).unwrap_or(()));
    let mut random = Rng::with_seed(kills as u64);
    let (mut begun, mut landed) = (false, 0);
    afresh();
    for _ in 0..kills {
        let mut child = command(folder, work.arguments, if begun { work.resume } else { "" }).spawn().unwrap();
        begun = true;
        thread::sleep(time.mul_f64(random.f64()));
        let has_ended = child.try_wait().unwrap().is_some();
        if !has_ended {
            child.kill().unwrap();
            child.wait().unwrap();
            landed += 1;
        }
        // What is written at the end stands there whole, or not at all.
        if work.name == "tune" {
            assert!(files(folder, work)[0].as_ref().is_none_or(|file| *file == whole[0]), "tune: half a file");
        }
        if has_ended || random.u32(..8) == 0 {
            assert!(done(folder, work, work.resume).0 == whole, "{}: the result differs", work.name);
            afresh();
            begun = false;
        }
    }
    assert!(done(folder, work, if begun { work.resume } else { "" }).0 == whole, "{}: the result differs", work.name);
    landed
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
            let output = command(folder.path(), &output.replace("PLACE", place), "").stderr(Stdio::piped()).output();
            let output = output.unwrap();
            let error = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{place}: {error}");
            assert!(error.contains(place), "{place}: {error}");
        }
    }
    #[allow(clippy::permissions_set_readonly_false, reason = "the folder is removed next")]
    permissions.set_readonly(false);
    fs::set_permissions(&read_only, permissions).unwrap();
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
    while size() < 1000 && start.elapsed() < Duration::from_secs(60) {
        thread::sleep(Duration::from_millis(10));
    }
    fs::remove_dir_all(&place).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("data.journal"), "{output:?}");
}

#[test]
fn work_that_was_killed_comes_to_the_same_end() {
    let kills = std::env::var("PACIOLI_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(KILLS);
    let folder = folder();
    for work in &WORK {
        let landed = killed(folder.path(), work, kills);
        eprintln!("{}: {landed} of {kills} kills came before its end", work.name);
    }
}
