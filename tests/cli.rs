//! The commands from a person's or script's view: closed pipes, bad arguments, outputs that must not be lost.

use std::fs;
use std::process::Stdio;
use std::time::Duration;

use crate::common::process::{assert_refused, ended, exit_within, pacioli, run_in, succeeded};

#[test]
fn bad_arguments_are_one_line_and_exit_code_2() {
    for args in [
        &["perft", "x"][..],
        &["perft"],
        &["no-such-command"],
        &["eval"],
        &["eval", "not a fen"],
        &["bench", "0"],
        &["solve", "--depth", "0"],
        &["solve", "--hash", "0"],
        &["solve", "--profile", "fritz"],
        &["explain", "8/8/8/8/8/8/8/8 w - -"],
        &["report", "--iterations", "9..2"],
    ] {
        assert_refused(&pacioli().args(args).output().unwrap(), "error: ");
    }
}

#[test]
fn openings_are_as_many_as_asked_for_and_depend_on_the_seed() {
    let fens = |arguments: &[&str]| succeeded(&pacioli().args(arguments).output().unwrap()).to_owned();
    let one = fens(&["genfens", "3", "seed", "1"]);
    assert_eq!(one.lines().count(), 3, "{one}");
    assert_eq!(fens(&["genfens 3 seed 1 book None"]), one, "in one argument, as OpenBench passes it");
    assert_ne!(fens(&["genfens", "3", "seed", "2"]), one);
}

#[test]
fn help_and_version_are_no_errors() {
    for args in [["--help"], ["--version"]] {
        let output = pacioli().args(args).output().unwrap();
        assert!(output.status.success() && !output.stdout.is_empty());
    }
}

#[test]
#[cfg(target_os = "linux")]
fn help_that_cannot_be_written_is_an_error() {
    for args in [&["--help"][..], &["--version"], &["help", "solve"], &["eval", "startpos"]] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let output = pacioli().args(args).stdout(full).stderr(Stdio::piped()).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {error}");
        assert!(error.starts_with("error: cannot write standard output: "), "{args:?}: {error}");
    }
}

#[test]
fn a_reader_that_leaves_is_no_crash() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    for args in [&["perft", "3", "--divide"][..], &["eval", start], &["bench", "1"], &["--help"]] {
        let mut child = pacioli().args(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert!(output.stderr.is_empty(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.code(), Some(0), "{args:?}");
    }
}

#[test]
fn a_book_may_have_a_space_in_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let book = folder.path().join("my book.epd");
    fs::write(&book, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n").unwrap();
    let output = pacioli().args(["genfens", "1", "seed", "1", "book", book.to_str().unwrap()]).output().unwrap();
    assert!(output.status.success() && output.stdout.starts_with(b"info string genfens "), "{output:?}");
}

#[test]
fn positions_that_nobody_reads_are_not_made() {
    let mut child = pacioli().args(["genfens", "1000000", "seed", "1"]).stdout(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let status = exit_within(&mut child, Duration::from_secs(60));
    assert_eq!(status.and_then(|status| status.code()), Some(0), "it ends by itself");
}

#[test]
fn two_outputs_cannot_share_standard_output() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    for args in [
        &["analyze", start, "--json", "-", "--html", "-"][..],
        &["explain", start, "--json", "-", "--html", "-"],
        &["tree", start, "--json", "-", "--html", "-"],
        &["report", start, "--json", "-", "--svg", "-"],
        &["solve", "positions/classics.epd", "--hash", "1", "--json", "-", "--csv", "-"],
        &["compare", "a.jsonl", "b.jsonl", "--json", "-", "--markdown", "-"],
        &["merge", "a.jsonl", "--json", "-", "--csv", "-"],
        &["lab", "depths", "a.json", "--json", "-", "--svg", "-"],
    ] {
        let output = pacioli().args(args).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{args:?}: {error}");
        assert_eq!(error, "error: only one output can go to standard output\n", "{args:?}");
    }
}

#[test]
fn no_output_overwrites_an_input_or_another_output() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = [
        ("a.epd", "6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Ra8#; id \"back rank\";\n"),
        ("a.pgn", "[White \"A\"]\n\n1. f3 (1. e4) e5 2. g4 Qh4# 0-1\n"),
    ];
    for (name, text) in inputs {
        fs::write(folder.path().join(name), text).unwrap();
    }
    for (output, arguments) in [
        ("a.epd", "solve a.epd --depth 2 --epd a.epd --csv out"),
        ("out", "solve a.epd --depth 2 --json out --csv out"),
        ("a.pgn", "analyze a.pgn --depth 1 --hash 1 --pgn a.pgn"),
        ("a.epd", "analyze a.epd --depth 1 --hash 1 --json a.epd"),
        ("a.epd", "report a.epd --iterations 1..2 --hash 1 --json a.epd"),
        ("a.epd", "lint a.epd --json a.epd"),
        ("a.epd", "lab ablate a.epd --nodes 100 --hash 1 --json a.epd"),
        ("a.pgn", "lab match a.pgn --player A --nodes 100 --hash 1 --json a.pgn"),
        ("a.pgn", "lab theory a.pgn --out a.pgn"),
    ] {
        let complaint = format!("{output} would overwrite an input or another output");
        assert_refused(&run_in(folder.path(), arguments), &complaint);
        for (name, text) in inputs {
            assert_eq!(fs::read_to_string(folder.path().join(name)).unwrap(), text, "{arguments}");
        }
    }
}

#[test]
fn counts_are_finished_before_the_next_command_and_stopped_by_stop() {
    let converse = |lines: &str| String::from_utf8(ended(&mut pacioli(), lines).stdout).unwrap();
    assert!(converse("go perft 3\nquit\n").contains("Nodes searched: 8902"));
    assert!(converse("bench 1\n").contains(" nodes "));
    // A quit would wait for less than a busy machine may need to end it.
    assert!(converse("bench 60\nisready\nstop\n").contains("bench stopped"));
    assert!(converse("bench 1 2 3\nbench x\nquit\n").contains("is not a depth"));
}
