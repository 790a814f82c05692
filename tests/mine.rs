//! `pacioli lab mine` from the outside, with Pacioli itself as the confirming engine.

use std::fs;
use std::path::Path;
use std::process::Output;

use pacioli::suite;

use crate::common::process::pacioli;

fn mine(folder: &Path, engine: &str, arguments: &[&str]) -> Output {
    let mut command = pacioli();
    command.current_dir(folder).args(["lab", "mine", "--hash", "1", "--engine", engine]).args(arguments);
    command.output().unwrap()
}

/// The tested program, as the confirming engine.
const ENGINE: &str = env!("CARGO_BIN_EXE_pacioli");

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// The king's diagonal route is as short as the straight one: only Kd5 wins (Schlage and Ahues, 1921). The first game
/// is not usable.
const GAMES: &str = "[White \"A\"]\n\n1. e4 e5 2. Ke3 *\n\n[FEN \"8/p7/P3K3/8/8/2k5/8/8 w - - 0 1\"]\n\n1. Kd5 *\n";

/// Small searches: the position is easy enough for an evaluation that knows king and pawn against king.
const SMALL: [&str; 12] = [
    "--depth",
    "12",
    "--look",
    "80000",
    "--grade",
    "50000",
    "--least",
    "0",
    "--set",
    "evaluation=classical",
    "--engine-option",
    "Evaluation=classical",
];

/// A folder with the games.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("games.pgn"), GAMES).unwrap();
    folder
}

#[test]
fn a_tactic_is_found_once_and_the_run_can_be_taken_up() {
    let folder = folder();
    let run = |json: &str, more: &[&str]| {
        let arguments = [&["games.pgn", "games.pgn", "--json", json, "--name", "t"], &SMALL[..], more].concat();
        let output = mine(folder.path(), ENGINE, &arguments);
        assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
        (text(&output.stdout).to_owned(), fs::read(folder.path().join(json)).unwrap(), output)
    };
    let (epd, json, output) = run("a.jsonl", &[]);
    assert!(text(&output.stderr).starts_with("games.pgn: game 1, White's move 2: "), "{}", text(&output.stderr));
    assert_eq!(crate::schemas::check(text(&json)), "mine");
    let suite = suite::parse("mined.epd", epd.as_bytes());
    assert!(suite.refused.is_empty() && suite::lint(std::slice::from_ref(&suite)).is_empty(), "{epd}");
    let [record] = &suite.records[..] else { panic!("{epd}") };
    assert_eq!((record.id.as_str(), record.expected().to_string().as_str()), ("t.001", "Kd5"));
    assert!(record.themes().any(|theme| theme == "quiet move"), "{epd}");
    // A resumed run has nothing to do, and the number of jobs makes no difference.
    assert_eq!(run("a.jsonl", &[]).1, json);
    let (other_epd, other_json, _) = run("b.jsonl", &["--jobs", "2"]);
    assert_eq!((other_epd, other_json), (epd, json.clone()));
    // A result cut off in the middle of a line is computed again.
    fs::write(folder.path().join("a.jsonl"), &json[..json.len() - 3]).unwrap();
    assert_eq!(run("a.jsonl", &[]).1, json);
    // Other settings mean another run.
    let output =
        mine(folder.path(), ENGINE, &[&["games.pgn", "--json", "a.jsonl"], &SMALL[..], &["--per-game", "2"]].concat());
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("a.jsonl: made by Pacioli"), "{}", text(&output.stderr));
}

#[test]
fn what_cannot_be_mined_is_said_in_one_line() {
    let folder = folder();
    fs::write(folder.path().join("empty.pgn"), "").unwrap();
    for (engine, arguments, message) in [
        ("no-such-engine", &["games.pgn", "--json", "x"][..], "engine `no-such-engine` cannot be started"),
        (ENGINE, &["missing.pgn", "--json", "x"], "cannot read missing.pgn"),
        (ENGINE, &["empty.pgn", "--json", "x"], "no game to mine"),
        (ENGINE, &["games.pgn", "--json", "games.pgn"], "would overwrite"),
        (ENGINE, &["games.pgn", "--json", "x", "--engine-option", "Nonsense=1"], "has no option `Nonsense`"),
    ] {
        let output = mine(folder.path(), engine, arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let said = text(&output.stderr);
        assert!(said.contains(message) && said.lines().count() == 1, "{said}");
    }
}
