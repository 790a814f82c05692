//! A command line that helps: every help has examples, slips are answered with what was meant, and what is not what was
//! asked for is named.

use std::fs;

use clap::{Command, CommandFactory};
use pacioli::board::START_FEN;
use pacioli::cli::Cli;

use crate::common::process::{Engine, assert_refused, run_in as run, succeeded};
use crate::documents::{arguments, refusal};

/// The widest line of a help text.
const WIDTH: usize = 100;
const EPD: &str = "k7/8/1K6/8/8/8/8/8 b - - bm Kb8; id \"forced\";\n";
const PGN: &str = "[White \"A\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
const ROOK: &str = "8/8/4k3/8/8/3K4/8/R7";

/// The help of a command and of all below it.
fn helps(command: &mut Command, helps: &mut Vec<(String, String)>) {
    helps.push((command.get_name().to_owned(), command.render_long_help().to_string()));
    for below in command.get_subcommands_mut().filter(|below| below.get_name() != "help") {
        self::helps(below, helps);
    }
}

#[test]
fn every_help_is_narrow_and_has_examples_that_work() {
    // As wide as it gets, whatever the width of the terminal that the test runs in.
    let mut command = Cli::command().term_width(WIDTH);
    command.build();
    let mut all = Vec::new();
    helps(&mut command, &mut all);
    assert!(all.len() > 25, "{}", all.len());
    for (name, help) in &all {
        let plain = help.split_whitespace().collect::<Vec<_>>().join(" ");
        let widest = help.lines().max_by_key(|line| line.chars().count()).unwrap();
        assert!(widest.chars().count() <= WIDTH, "{name}: {widest}");
        let examples: Vec<&str> = help.lines().filter(|line| line.starts_with("  pacioli")).collect();
        assert!(!examples.is_empty(), "{name} has no example");
        let has_tables =
            ["solve", "merge", "eval", "explain", "tree", "report", "analyze", "lab"].contains(&name.as_str());
        assert!(!has_tables || plain.contains("lose columns in this order: "), "{name} does not say which columns go");
        for example in examples {
            let refusal = refusal(&arguments(example).expect("a command line"));
            assert_eq!(refusal, None, "{name}: {example}");
        }
        let is_group = ["pacioli", "lab", "net"].contains(&name.as_str());
        let says = |text: &str| plain.contains(text);
        match says("--movetime <MS>") {
            true => assert!(says("Without a limit: "), "{name} does not say its default limit"),
            false => assert!(is_group || says("Limits: ") || says("Nothing is searched."), "{name} has no limits"),
        }
    }
}

/// A folder with files of several kinds.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("a.epd", EPD),
        ("b.EPD", EPD),
        ("a.pgn", PGN),
        ("a.txt", "some text\n"),
        ("a.svg", "<?xml version=\"1.0\"?>\n<svg></svg>\n"),
    ] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    assert!(run(folder.path(), "eval startpos").status.success());
    assert!(run(folder.path(), "tree startpos --nodes 100 --hash 1 --json tree.json").status.success());
    assert!(run(folder.path(), "explain startpos --nodes 100 --hash 1 --json explain.json").status.success());
    assert!(run(folder.path(), "solve a.epd --nodes 100 --hash 1 --csv a.csv").status.success());
    folder
}

#[test]
fn slips_and_files_of_the_wrong_kind_are_named() {
    let folder = folder();
    for (line, complaint) in [
        ("slove", "unrecognized subcommand 'slove'; did you mean `solve`?"),
        ("solve --nods 5", "unexpected argument '--nods' found; did you mean `--nodes`?"),
        ("help slove", "unrecognized subcommand 'slove'; did you mean `solve`?"),
        ("help lab ablat", "unrecognized subcommand 'ablat'; did you mean `ablate`?"),
        ("lab mtach", "unrecognized subcommand 'mtach'; did you mean `match`?"),
        ("lab", "error: `pacioli lab` needs a command; `pacioli lab --help` lists those there are"),
        ("net", "error: `pacioli net` needs a command; `pacioli net --help` lists those there are"),
        ("frobnicate", "unrecognized subcommand 'frobnicate'; `pacioli --help` lists those there are"),
        ("a.pgn", "unrecognized subcommand 'a.pgn'; files follow a command, such as `pacioli analyze a.pgn`"),
        ("explain startposs", "not a board in `startposs`; did you mean `startpos`?"),
        ("solve --set Hash=16", "--set Hash=16: `Hash` is a UCI option, not a tunable: here it is `--hash`"),
        ("bench --set EvalFile=x", "not a tunable: here it is `--eval-file` of `pacioli eval`"),
        ("bench --set MultiPV=2", "not a tunable: here it is `--multipv` of `pacioli analyze`"),
        ("solve --set MoveOverhead=50", "--set MoveOverhead=50: `Move Overhead` is a UCI option, not a tunable"),
        ("tree startpos --against threads=2", "--against threads=2: `Threads` is a UCI option, not a tunable"),
        ("solve --set evaluation=clasical", "expected nnue or classical; did you mean `classical`?"),
        ("spsa nul_move_depth", "no numeric tunable is named `nul_move_depth`; did you mean `null_move_"),
        ("solve --set mult_cut=off", "unknown parameter `mult_cut`; did you mean `multi_cut`?"),
        ("solve --set null_move=maybe", "`maybe` is not a value for `null_move`: expected on or off"),
        ("solve --profile modren", "expected modern or deep-blue; did you mean `modern`?"),
        ("solve --nodes ten", "`ten` is not a count: expected a whole number such as 250000, 250k, 1.5M or 1e6"),
        ("solve --jobs two", "'--jobs <N>': expected a whole number from 1 to 1,024"),
        ("solve --jobs 99999999999999999999", "'--jobs <N>': expected a whole number from 1 to 1,024"),
        ("solve --depth 129", "'--depth <N>': expected a whole number from 1 to 128"),
        ("solve --hash 99999999999", "expected a whole number from 1 to 1,048,576, in megabytes"),
        ("serve --port 99999", "expected a whole number from 0 to 65,535"),
        ("solve --nodes 1e30", "`1e30` is too large: the largest count is 18,446,744,073,709,551,615"),
        ("solve --movetime 99999999999999999999", "is too large: the largest count is 18,446,744,073,709,551,615"),
        ("perft startpos", "the depth is missing: `pacioli perft 5`, `pacioli perft 5 startpos`"),
        ("perft 3k", "`3k` is not a depth: expected a whole number from 0 to 30"),
        ("perft 31", "`31` is not a depth: expected a whole number from 0 to 30"),
        ("perft 3 startposs", "not a board in `startposs`; did you mean `startpos`?"),
        ("perft 3 startpos --fen startpos", "the position is given twice"),
        ("genfens x", "genfens: `x` is not a number for the number of positions"),
        ("lab match a.pgn --player A --nodes 0.5", "`0.5` is not a count"),
        ("explain hello", "not a FEN: the first field is not a board in `hello`"),
        ("solve a.pgn", "a.pgn: this is games in PGN, not a suite in EPD"),
        ("lint a.svg", "a.svg: this is an SVG picture, not a suite in EPD"),
        ("report tree.json", "tree.json: this is JSON of `pacioli tree`, not a suite in EPD"),
        ("compare a.epd a.epd", "a.epd: this is a suite in EPD, not JSON of `pacioli solve`"),
        ("compare tree.json a.epd", "this is JSON of `pacioli tree`, not JSON of `pacioli solve`"),
        ("solve a.csv", "a.csv: this is a table in CSV, not a suite in EPD"),
        ("lint explain.json", "explain.json: this is JSON of `pacioli explain`, not a suite in EPD"),
        ("compare explain.json a.epd", "this is JSON of `pacioli explain`, not JSON of `pacioli solve`"),
        ("merge a.csv", "a.csv: this is a table in CSV, not JSON of `pacioli solve`"),
        ("analyze a.csv", "a.csv: this is a table in CSV, not games in PGN"),
        ("analyze a.svg", "a.svg: this is an SVG picture, not games in PGN"),
        ("analyze b.EPD --pgn x.pgn", "--pgn needs a file of games"),
        ("report a.pgn", "a.pgn: this is games in PGN, not a suite in EPD"),
        ("report no.EPD", "cannot read no.EPD: "),
        ("report no.json", "there is no file `no.json`"),
        ("analyze a.pgn b.pgn", "a.pgn and b.pgn: one file is read at a time"),
        ("explain a.pgn b.pgn", "a.pgn is games in PGN: this command takes a FEN or `startpos`"),
        ("solve tactic", "there is no file `tactic`; did you mean `tactics`?"),
        ("solve --nodes 0", "'--nodes <N>': expected at least 1"),
        ("explain .", ". is a folder: this command takes a FEN or `startpos`"),
        ("net info no.net", "cannot read no.net: "),
        ("explain a.epd", "a.epd is a suite in EPD: this command takes a FEN or `startpos`; files are read by"),
        ("tree a.pgn", "a.pgn is games in PGN: this command takes a FEN or `startpos`"),
        ("eval tree.json", "tree.json is JSON of `pacioli tree`: this command takes a FEN or `startpos`"),
        ("eval a.txt", "a.txt is a file: this command takes a FEN or `startpos`"),
        ("tree no.epd", "no.epd is no position: this command takes a FEN or `startpos`"),
        ("eval startpos --eval-file a.epd", "a.epd: this is a suite in EPD, not a network"),
        ("net info a.svg", "a.svg: this is an SVG picture, not a network"),
        ("lab wdl explain.json", "explain.json: this is JSON of `pacioli explain`, not games in PGN"),
        ("lab tune a.pgn --out x", "a.pgn: this is games in PGN, not training data of `pacioli lab datagen`"),
        ("lab positions x a.csv", "a.csv: this is a table in CSV, not training data of `pacioli lab datagen`"),
        ("lab theory a.svg", "a.svg: this is an SVG picture, not games in PGN"),
        ("lab depths explain.json", "this is JSON of `pacioli explain`, not JSON of `pacioli report`"),
        ("merge a.txt", "a.txt: line 1: not a line of `solve --json`: it is not JSON"),
        ("lab depths a.txt", "a.txt: not a report as `pacioli report` writes it: it is not JSON"),
        ("lab depths tree.json", "this is JSON of `pacioli tree`, not JSON of `pacioli report`"),
        ("lab match a.epd --player A", "a.epd: this is a suite in EPD, not games in PGN"),
        ("analyze tree.json", "tree.json: this is JSON of `pacioli tree`, not games in PGN"),
    ] {
        assert_refused(&run(folder.path(), line), complaint);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn names_of_files_need_not_be_utf8() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    use crate::common::process::pacioli;

    let folder = tempfile::tempdir().unwrap();
    let run = |line: &str, last: &[u8]| {
        let mut command = pacioli();
        command.current_dir(folder.path()).args(line.split(' ')).arg(OsStr::from_bytes(last)).output().unwrap()
    };
    for (line, name, text) in [
        ("analyze --depth 1 --hash 1", &b"caf\xe9.pgn"[..], PGN),
        ("analyze --depth 1 --hash 1", b"caf\xe9.epd", EPD),
        ("report --iterations 1..2 --hash 1", b"caf\xe9", EPD),
    ] {
        fs::write(folder.path().join(OsStr::from_bytes(name)), text).unwrap();
        let output = run(line, name);
        assert!(matches!(output.status.code(), Some(0 | 1)) && output.stderr.is_empty(), "{line}: {output:?}");
    }
    for (line, complaint) in [
        ("analyze", "error: there is no file `th\u{fffd}`: not a FEN: "),
        ("report", "error: there is no file `th\u{fffd}`: not a FEN: "),
        ("solve --engine", "error: invalid UTF-8 was detected in one or more arguments: `th\u{fffd}`\n"),
    ] {
        let output = run(line, b"th\xe9");
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{line}: {said}");
        assert!(said.starts_with(complaint) && said.lines().count() == 1, "{line}: {said}");
    }
}

#[test]
fn positions_and_counts_are_read_as_people_write_them() {
    let folder = folder();
    let output = run(folder.path(), "analyze startpos --nodes 1k --hash 1");
    assert!(succeeded(&output).starts_with(START_FEN));
    for line in ["perft 3 startpos", "perft startpos 3", "perft 3 --fen startpos", &format!("perft 3 {START_FEN}")] {
        let output = run(folder.path(), line);
        assert!(String::from_utf8(output.stdout).unwrap().starts_with("8902 nodes"), "{line}");
    }
    assert!(run(folder.path(), &format!("eval {START_FEN}")).status.success());
    let output = run(folder.path(), &format!("explain {ROOK} --nodes 0.5k --hash 1"));
    let assumed = format!("note: `{ROOK}` lacks fields of a FEN; assumed: White to move, no castling, no en passant\n");
    assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap()), (Some(0), assumed));
    let output = run(folder.path(), "analyze a.epd --nodes 1e3 --hash 1 --json a.jsonl");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && text.starts_with("forced\nk7/8/1K6/8/8/8/8/8 b - - 0 1\n"), "{text}");
    assert_eq!(crate::schemas::check(&fs::read_to_string(folder.path().join("a.jsonl")).unwrap()), "analysis");
    let output = run(folder.path(), "analyze b.EPD --nodes 1k --hash 1 --html a.html");
    let page = fs::read_to_string(folder.path().join("a.html")).unwrap();
    assert!(output.status.success() && page.contains("\"forced: 1. "), "{output:?}");
}

#[test]
fn moves_typed_without_a_command_are_played() {
    let mut engine = Engine::start();
    for (line, answer) in [
        ("undo", "info string undo: there is no move to take back"),
        ("e2e4", "info string 1.e4; black to move"),
        ("Nf6 e4e5", "info string 1...Nf6; white to move"),
        ("d5", "info string 2...d5; white to move"),
        ("e5d6", "info string 3.exd6; black to move"),
        ("undo", "info string taken back; white to move"),
        ("e5e7", "info string `e5e7` is not legal in "),
        ("Qxx", "info string unknown command `Qxx`"),
        ("postion startpos", "info string unknown command `postion startpos`; did you mean `position`?"),
        ("setoption name Hsh value 1", "info string setoption: no option named `Hsh`; did you mean `Hash`?"),
        ("position fen 4k3/8/8/8/8/8/8/R3K3", "info string position: fields are missing; assumed: White to move"),
        ("setoption name Profile value modren", "info string setoption: `modren` is not a value for Profile: expected"),
        ("8/8/8/8/8/5k2/6q1/7K b - - 0 1", "info string not a legal position: "),
        ("4k3/8/8/8/8/9/8/R3K3 w - - 0 1", "info string not a FEN: "),
        ("4k3/8/8/8/8/8/R3K3 w - - 0 1", "info string not a FEN: "),
        ("4k3/8/8/8/8/8/8/R3X3 w - - 0 1", "info string not a FEN: "),
        ("b/n debug off", "info string unknown command `b/n`"),
        ("8/8/8/8/8/8/8/8 debug off", "info string unknown command `8/8/8/8/8/8/8/8`"),
        ("startpos", "info string set up; white to move"),
        ("g1-f3", "info string 1.Nf3; black to move"),
        ("b8-c6", "info string 1...Nc6; white to move"),
        ("b1-c4", "info string `b1c4` is not legal in "),
        ("4k3/8/8/8/8/8/8/R3K3 b", "info string set up; black to move; assumed: no castling, no en passant"),
        ("Kd7", "info string 1...Kd7; white to move"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq", "info string set up; white to move; assumed: no en passant"),
        ("e1-g1", "info string 1.O-O; black to move"),
        ("undo", "info string taken back; white to move"),
        ("0-0+ o-o-o", "info string 1.O-O; black to move"),
        ("0-0", "info string `O-O` is not legal in "),
        ("4k3/P7/8/3pP3/8/8/8/4K3 w - d6", "info string set up; white to move"),
        ("a8Q+", "info string 1.a8=Q+; black to move"),
        ("undo", "info string taken back; white to move"),
        ("a7-a8=Q", "info string 1.a8=Q+; black to move"),
        ("undo", "info string taken back; white to move"),
        ("e5-d6", "info string 1.exd6; black to move"),
        ("undo", "info string taken back; white to move"),
        ("e5xd6e.p.", "info string 1.exd6; black to move"),
        ("Ke8-d8", "info string 1...Kd8; white to move"),
        ("e2-e4", "info string `e2e4` is not legal in "),
        ("a8X", "info string unknown command `a8X`"),
    ] {
        engine.send(line);
        let said = engine.sync();
        assert!(said[0].starts_with(answer), "{line}: {said:?}");
    }
    engine.send("position startpos moves e2e4");
    engine.send("undo");
    engine.send("go nodes 0.1k");
    engine.until("bestmove ");
    engine.send("d");
    assert_eq!(engine.expect("Fen: "), format!("Fen: {START_FEN}"));
    engine.send("quit");
    engine.expect_end();
}
