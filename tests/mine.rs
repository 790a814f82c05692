//! `pacioli lab mine` from the outside, with Pacioli itself as the confirming engine.

use std::fs;
use std::path::Path;
#[cfg(unix)]
use std::process::Stdio;
use std::process::{Command, Output};
#[cfg(unix)]
use std::thread;
#[cfg(unix)]
use std::time::{Duration, Instant};

use pacioli::suite;

use crate::common::process::{assert_refused, pacioli, text};
#[cfg(unix)]
use crate::common::process::{interrupt, write_script};

fn command(folder: &Path, engine: &str, arguments: &[&str]) -> Command {
    let mut command = pacioli();
    command.current_dir(folder).args(["lab", "mine", "--hash", "1", "--engine", engine]).args(arguments);
    command
}

fn mine(folder: &Path, engine: &str, arguments: &[&str]) -> Output {
    command(folder, engine, arguments).output().unwrap()
}

/// Longer than anything waited for takes on a busy machine.
#[cfg(unix)]
const PATIENCE: Duration = Duration::from_secs(60);
/// The tested program, as the confirming engine.
const ENGINE: &str = env!("CARGO_BIN_EXE_pacioli");

/// The king's diagonal route is as short as the straight one: only Kd5 wins (Schlage and Ahues, 1921). The first game
/// is not usable.
const GAMES: &str = "[White \"A\"]\n\n1. e4 e5 2. Ke3 *\n\n[FEN \"8/p7/P3K3/8/8/2k5/8/8 w - - 0 1\"]\n\n1. Kd5 *\n";

/// Small searches: the position is easy enough for an evaluation that knows king and pawn against king. By the paper's
/// search, since how many nodes the modern one takes changes with every margin.
const SMALL: [&str; 12] = [
    "--depth",
    "12",
    "--look",
    "80000",
    "--grade",
    "50000",
    "--least",
    "0",
    "--profile",
    "deep-blue",
    "--engine-option",
    "Profile=deep-blue",
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
    let lines: Vec<serde_json::Value> = text(&json).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0]["rules"]["grade_nodes"], 50_000);
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
    // Other settings, of either engine, mean another run.
    for other in [["--per-game", "2"], ["--engine-option", "Hash=2"]] {
        let output = mine(folder.path(), ENGINE, &[&["games.pgn", "--json", "a.jsonl"], &SMALL[..], &other].concat());
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains("a.jsonl: made by Pacioli"), "{}", text(&output.stderr));
    }
}

#[test]
fn what_is_solved_too_soon_is_left_out() {
    let folder = folder();
    let run = |json: &str, least: &str| {
        let small = SMALL.map(|argument| if argument == "0" { least } else { argument });
        let output = mine(folder.path(), ENGINE, &[&["games.pgn", "--json", json], &small[..]].concat());
        assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
        let json = fs::read_to_string(folder.path().join(json)).unwrap();
        let found = json.lines().last().and_then(|line| line.split_once("\"solution_nodes\":"));
        found.map(|(_, rest)| rest.split([',', '}']).next().unwrap().parse::<u64>().unwrap())
    };
    let nodes = run("a.jsonl", "0").expect("a find");
    assert_eq!(run("b.jsonl", &nodes.to_string()), Some(nodes));
    assert_eq!(run("c.jsonl", &(nodes + 1).to_string()), None);
}

/// Makes an engine that answers every search with these lines.
#[cfg(unix)]
fn make_engine(folder: &Path, lines: &[&str]) {
    make_moody_engine(folder, lines, "none", ":");
}

/// The same, but where a FEN has this part, it does something else before it answers.
#[cfg(unix)]
fn make_moody_engine(folder: &Path, lines: &[&str], part: &str, deed: &str) {
    let answer: String = lines.iter().map(|line| format!("echo 'info {line}'; ")).collect();
    let script = format!(
        "#!/bin/sh\nwhile read -r line; do case \"$line\" in\n\
         uci) echo 'id name Parrot'; echo 'option name MultiPV type spin default 1 min 1 max 2'; echo uciok;;\n\
         isready) echo readyok;;\n position*) position=$line;;\n\
         go*) {answer}case \"$position\" in *{part}*) {deed};; esac; echo 'bestmove 0000';;\n\
         quit) exit;; esac; done\n"
    );
    let path = folder.join("parrot");
    write_script(&path, script);
}

/// It says with a file that it searches, and has no answer until it is told to stop.
#[cfg(unix)]
const WAIT: &str = ": > searching; until [ \"$line\" = stop ]; do read -r line || exit; done";

/// A game in which White's rook may take the queen all the time, by whose scores something better was overlooked until
/// the last move. Black has a pawn or none on the seventh rank.
#[cfg(unix)]
fn blind_game(rank: &str, last: &str) -> String {
    let moves = ["1. Rd2", "Kg8", "2. Rd1", "Kf8", "3. Rd2", "Ke8", "4. Rd1", "Kf8"];
    let scored: String =
        moves.iter().zip(["+0.10", "-0.10"].iter().cycle()).map(|(m, score)| format!("{m} {{{score}/9}} ")).collect();
    format!("[FEN \"7k/{rank}/8/3q4/8/8/8/K2R4 w - - 0 1\"]\n\n{scored}5. {last} {{+2.60/9}} *\n\n")
}

/// A whim that confirms a move of the king in such games, at the least depth.
#[cfg(unix)]
const WHIM: [&str; 2] =
    ["depth 9 multipv 1 score cp 400 nodes 9 pv a1b1", "depth 9 multipv 2 score cp 0 nodes 9 pv a1b2"];

/// A folder with such games: of each what stands on the seventh rank, and White's last move.
#[cfg(unix)]
fn blind_games(games: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let pgn: String = games.iter().map(|(rank, last)| blind_game(rank, last)).collect();
    fs::write(folder.path().join("blind.pgn"), pgn).unwrap();
    folder
}

/// Games that differ in the pawn alone.
#[cfg(unix)]
const THREE_GAMES: [(&str, &str); 3] = [("p7", "Rd2"), ("1p6", "Rd2"), ("2p5", "Rd2")];

/// The arguments that mine them, and more.
#[cfg(unix)]
fn of_blind_games<'a>(more: &[&'a str]) -> Vec<&'a str> {
    ["blind.pgn --look 200 --grade 100 --least 0 --set evaluation=classical".split(' ').collect(), more.to_vec()]
        .concat()
}

#[test]
#[cfg(unix)]
fn neither_jobs_nor_interruptions_change_a_byte() {
    // The third game is the first again; the fifth shows the same positions, but ends otherwise.
    let games = [("p7", "Rd2"), ("1p6", "Rd2"), ("p7", "Rd2"), ("2p5", "Rd2"), ("p7", "Rd3"), ("8", "Rd2")];
    let folder = blind_games(&games);
    make_engine(folder.path(), &WHIM);
    let path = folder.path().join("m.jsonl");
    for (count, expected) in [("9", [1, 1, 1, 0, 1].as_slice()), ("3", &[1, 1, 1])] {
        let journal = |begun: &[u8], jobs: &str| {
            fs::write(&path, begun).unwrap();
            let rest = ["--depth", "9", "--json", "m.jsonl", "--count", count, "--jobs", jobs];
            let output = mine(folder.path(), "./parrot", &of_blind_games(&rest));
            assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
            fs::read(&path).unwrap()
        };
        let whole = journal(&[], "1");
        let finds: Vec<usize> = text(&whole).lines().skip(1).map(|line| line.matches("\"fen\"").count()).collect();
        assert_eq!(finds, expected, "a game twice, or a position twice, or one that is not found");
        assert!(journal(&[], "2") == whole, "{count}: another number of jobs");
        let ends = (1..=whole.len()).filter(|&end| whole[end - 1] == b'\n');
        for (index, cut) in ends.chain([whole.len() / 2]).enumerate() {
            let jobs = ["1", "2"][index % 2];
            assert!(journal(&whole[..cut], jobs) == whole, "{count}: cut at {cut}, resumed with {jobs} jobs");
        }
    }
}

#[test]
#[cfg(unix)]
fn games_before_one_that_was_interrupted_are_kept() {
    let folder = blind_games(&THREE_GAMES);
    let [journal, searching] = ["m.jsonl", "searching"].map(|name| folder.path().join(name));
    let mut whole = Vec::new();
    for jobs in ["1", "2"] {
        let rest = ["--depth", "9", "--json", "m.jsonl", "--jobs", jobs];
        let arguments = of_blind_games(&rest);
        let run = || {
            make_engine(folder.path(), &WHIM);
            assert_eq!(mine(folder.path(), "./parrot", &arguments).status.code(), Some(0));
            fs::read(&journal).unwrap()
        };
        if whole.is_empty() {
            whole = run();
        }
        [&journal, &searching].into_iter().for_each(|file| fs::remove_file(file).unwrap_or(()));
        // With two jobs the third game is finished before the second.
        make_moody_engine(folder.path(), &WHIM, "/1p6/", WAIT);
        let mut command = command(folder.path(), "./parrot", &arguments);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let start = Instant::now();
        while !searching.exists() && start.elapsed() < PATIENCE {
            thread::sleep(Duration::from_millis(10));
        }
        interrupt(&child);
        assert_eq!(child.wait().unwrap().code(), Some(3));
        let begun = fs::read(&journal).unwrap();
        assert!(whole.starts_with(&begun), "{jobs} jobs: {}", text(&begun));
        let games = text(&begun).lines().skip(1).count();
        assert!(jobs == "2" || games == 1, "{games} games");
        assert!(run() == whole, "{jobs} jobs: resumed");
    }
}

#[test]
#[cfg(unix)]
fn after_a_failure_of_the_engine_no_other_game_is_searched() {
    let folder = blind_games(&THREE_GAMES);
    // In the second game and the third it answers with what is no move.
    let fail = "echo \"$position\" >> failed; echo 'bestmove e9e9'";
    make_moody_engine(folder.path(), &WHIM, "/[12]p[56]/", fail);
    let arguments = of_blind_games(&["--depth", "9", "--json", "m.jsonl"]);
    assert_refused(&mine(folder.path(), "./parrot", &arguments), "`e9e9`");
    let failed = fs::read_to_string(folder.path().join("failed")).unwrap();
    assert!(failed.contains("/1p6/") && failed.lines().count() == 1, "{failed}");
    let journal = fs::read_to_string(folder.path().join("m.jsonl")).unwrap();
    assert_eq!(journal.lines().skip(1).count(), 1, "the game before: {journal}");
}

#[test]
#[cfg(unix)]
fn positions_a_few_plies_apart_are_one_find() {
    let folder = blind_games(&THREE_GAMES[..1]);
    make_engine(folder.path(), &WHIM);
    let rest = ["--depth", "9", "--json", "m.jsonl", "--per-game", "2"];
    let output = mine(folder.path(), "./parrot", &of_blind_games(&rest));
    assert!(text(&output.stderr).starts_with("1 position from 1 game"), "{}", text(&output.stderr));
}

#[test]
#[cfg(unix)]
fn what_the_engine_says_after_it_was_told_to_stop_does_not_count() {
    let folder = blind_games(&THREE_GAMES[..1]);
    let hopeless = ["depth 12 multipv 1 score cp 0 nodes 9 pv a1b1", "depth 12 multipv 2 score cp 0 nodes 9 pv a1b2"];
    let late = WHIM.map(|line| line.replace("depth 9", "depth 13"));
    let late = [late[0].as_str(), late[1].as_str()];
    for (lines, found) in [(late.to_vec(), 1), ([&hopeless[..], &late].concat(), 0)] {
        make_engine(folder.path(), &lines);
        let rest = ["--depth", "13", "--json", &format!("{found}.jsonl"), "--epd", "m.epd"];
        let output = mine(folder.path(), "./parrot", &of_blind_games(&rest));
        assert!(text(&output.stderr).starts_with(&format!("{found} position")), "{}", text(&output.stderr));
    }
}

#[test]
fn what_cannot_be_mined_is_said_in_one_line() {
    let folder = folder();
    fs::write(folder.path().join("empty.pgn"), "").unwrap();
    fs::write(folder.path().join("notes"), "my precious notes").unwrap();
    for (engine, arguments, message) in [
        ("no-such-engine", &["games.pgn", "--json", "x"][..], "engine `no-such-engine` cannot be started"),
        (ENGINE, &["missing.pgn", "--json", "x"], "cannot read missing.pgn"),
        (ENGINE, &["empty.pgn", "--json", "x"], "no game to mine"),
        (ENGINE, &["games.pgn", "--json", "games.pgn"], "would overwrite"),
        (ENGINE, &["games.pgn", "--json", "notes"], "notes: line 1: it is not JSON"),
        (ENGINE, &["games.pgn", "--json", "x", "--engine-option", "Nonsense=1"], "has no option `Nonsense`"),
        (ENGINE, &["games.pgn", "--json", "x", "--engine-option", "UCI_Chess960=true"], "the rules of each position"),
    ] {
        assert_refused(&mine(folder.path(), engine, arguments), message);
    }
    assert_eq!(fs::read_to_string(folder.path().join("notes")).unwrap(), "my precious notes");
}
