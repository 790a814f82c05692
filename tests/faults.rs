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

const WORK: [Work; 4] = [
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

#[test]
fn work_that_was_killed_comes_to_the_same_end() {
    let kills = std::env::var("PACIOLI_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(KILLS);
    let folder = folder();
    for work in &WORK {
        let landed = killed(folder.path(), work, kills);
        eprintln!("{}: {landed} of {kills} kills came before its end", work.name);
    }
}
