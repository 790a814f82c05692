//! `pacioli analyze`: a position's best lines, a game's mistakes, and the handling of bad input.

use std::fs;
#[cfg(unix)]
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Output, Stdio};
use std::time::Duration;
#[cfg(target_os = "linux")]
use std::time::Instant;

#[cfg(unix)]
use crate::common::process::interrupt;
use crate::common::process::{assert_refused, ended, exit_within, pacioli};

/// A short game with a blunder that allows an immediate mate.
const GAME: &str = "[White \"A\"]\n[Black \"B\"]\n[Result \"0-1\"]\n\n1. f3 e5 {well} 2. g4 Qh4# 0-1\n";

fn command(args: &[&str]) -> Command {
    let mut command = pacioli();
    command.arg("analyze").args(args);
    command
}

/// The output; the exit code must be 0.
fn printed(output: Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_search_is_the_one_asked_for() {
    let args = ["startpos", "--nodes", "1", "--profile", "deep-blue", "--set", "credit_limit=24", "--json", "-"];
    let value: serde_json::Value = serde_json::from_str(&printed(command(&args).output().unwrap())).unwrap();
    assert_eq!(value["provenance"]["profile"], "deep-blue");
    assert_eq!(value["provenance"]["set"], serde_json::json!(["credit_limit=24"]));
}

#[test]
fn the_best_lines_of_a_position_are_shown_in_san_with_what_paid_for_them() {
    let fen = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";
    let text = printed(command(&[fen, "--depth", "8", "--multipv", "2"]).output().unwrap());
    assert!(text.contains("\n1. #2 for White (win 100.0 %, draw 0.0 %, loss 0.0 %), iteration 8\n   1.Ra6 "), "{text}");
    assert!(text.contains("\n2. "), "{text}");
    let json = printed(command(&[fen, "--depth", "8", "--json", "-"]).output().unwrap());
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        (&value["lines"][0]["score"]["mate"], &value["lines"][0]["best_move"]["san"]),
        (&2.into(), &"Ra6".into())
    );
    let mated = printed(command(&["R5k1/5ppp/8/8/8/8/8/6K1 b - -"]).output().unwrap());
    assert!(mated.contains("no legal move"), "{mated}");
}

#[test]
fn the_threads_are_those_asked_for() {
    let json = printed(command(&["startpos", "--nodes", "1", "--threads", "2", "--json", "-"]).output().unwrap());
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(value["provenance"]["threads"], 2);
}

#[test]
fn a_position_of_a_suite_is_analysed_as_if_it_were_alone() {
    let folder = tempfile::tempdir().unwrap();
    let suite = folder.path().join("a.epd");
    // The table would know the second one, and spare nodes.
    fs::write(&suite, "4k3/8/4K3/4P3/8/8/8/8 w - - id \"a\";\n4k3/8/4K3/4P3/8/8/8/8 w - - id \"a\";\n").unwrap();
    let lines = printed(command(&[suite.to_str().unwrap(), "--depth", "4", "--json", "-"]).output().unwrap());
    let lines: Vec<&str> = lines.lines().collect();
    assert_eq!((lines.len(), lines[0]), (2, lines[1]));
}

#[test]
fn a_game_is_shown_with_its_mistakes_and_written_back_as_pgn() {
    let folder = tempfile::tempdir().unwrap();
    let (game, annotated) = (folder.path().join("game.pgn"), folder.path().join("annotated.pgn"));
    fs::write(&game, GAME).unwrap();
    let (game, annotated) = (game.to_str().unwrap(), annotated.to_str().unwrap());
    let text = printed(command(&[game, "--depth", "5", "--pgn", annotated]).output().unwrap());
    assert!(text.starts_with("A - B, ") && text.contains("| 2.g4??"), "{text}");
    assert!(text.contains("in 2 moves; "), "{text}");
    let pgn = fs::read_to_string(annotated).unwrap();
    // Where the lines are broken depends on the rest of the text.
    let line = pgn.replace('\n', " ");
    assert!(line.contains("g4 $4 {[%eval #-1] Blunder. ") && line.contains("well}"), "{pgn}");
    let page = printed(ended(&mut command(&["-", "--depth", "5", "--html", "-"]), GAME));
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("Blunder. "), "{page}");
    let again = printed(ended(&mut command(&["-", "--depth", "5", "--pgn", "-"]), GAME));
    assert_eq!(again, pgn, "the same analysis, from standard input to standard output");
}

#[test]
fn marks_are_confirmed_and_theory_is_spared_on_request() {
    let of = |options: &[&str]| -> serde_json::Value {
        let args = [&["-", "--depth", "5", "--json", "-"], options].concat();
        serde_json::from_str(&printed(ended(&mut command(&args), GAME))).unwrap()
    };
    let usual = of(&[]);
    let (first, blunder) = (&usual["games"][0]["moves"][0], &usual["games"][0]["moves"][2]);
    assert_eq!((&first["theory"], first.get("mark")), (&true.into(), None));
    assert_eq!((&blunder["mark"], &blunder["confirmed"]["played"]["mate"]), (&"blunder".into(), &(-1).into()));
    assert_eq!(usual["games"][0]["confirm"], 4);
    let bare = of(&["--confirm", "0", "--no-theory"]);
    assert_eq!(
        (bare["games"][0]["moves"][0].get("theory"), bare["games"][0]["moves"][2].get("confirmed")),
        (None, None)
    );
    assert_eq!(
        (&bare["games"][0]["moves"][2]["mark"], &bare["games"][0]["confirm_nodes"]),
        (&"blunder".into(), &0.into())
    );
}

#[test]
fn an_unusable_game_is_named_and_left_out() {
    let games = format!("1. e4 e5 2. Ke3 *\n\n{GAME}");
    let output = ended(&mut command(&["-", "--depth", "3"]), games);
    let (text, said) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("standard input: game 1, White's move 2: `Ke3` is not legal"), "{said}");
    assert!(text.starts_with("A - B, "), "{text}");
    assert_refused(&ended(&mut command(&["-"]), "1. e4 e5 2. Ke3 *"), "`Ke3` is not legal");
}

#[test]
fn a_last_game_that_is_cut_off_is_refused_and_the_others_are_analysed() {
    let output = ended(&mut command(&["-", "--depth", "3"]), format!("{GAME}\n1. d4 d5 *\n\n1. c4 {{cut"));
    let (text, said) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert_eq!((output.status.code(), said.as_str()), (Some(1), "standard input: game 3: a comment is not closed\n"));
    assert!(text.starts_with("A - B, ") && text.contains("| 1...d5"), "{text}");
    let output = ended(&mut command(&["-"]), "1. c4 {cut");
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{output:?}");
}

#[test]
fn what_is_not_written_back_is_counted() {
    let games = format!("{}\n1. e4 (1. c4) e5 (1... c5!) *\n", GAME.replace("f3 e5", "f3 $6 (1. e4!) e5?!"));
    let args = ["-", "--depth", "2", "--pgn", "-"];
    let said = String::from_utf8(ended(&mut command(&args), &games).stderr).unwrap();
    assert_eq!(said, "note: standard input: left out of the annotated games: 3 variations, 2 glyphs\n");
    let said = String::from_utf8(ended(&mut command(&args), "1. e4! *\n").stderr).unwrap();
    assert_eq!(said, "note: standard input: left out of the annotated games: 1 glyph\n");
    for (args, games) in [(&args[..], GAME), (&args[..3], games.as_str())] {
        assert_eq!(ended(&mut command(args), games).stderr, b"");
    }
}

#[test]
fn what_a_start_lacks_or_cannot_have_is_said() {
    let games = "[FEN \"4k3/8/8/8/8/8/8/4K2R\"]\n\n1. Kd2 *\n\n[FEN \"4k3/8/8/8/8/8/8/4K2R w KQ -\"]\n\n1. O-O *\n";
    let said = String::from_utf8(ended(&mut command(&["-", "--depth", "2"]), games).stderr).unwrap();
    let notes = [
        "note: standard input: game 1: its FEN lacks fields; assumed: White to move, no castling, no en passant",
        "note: standard input: game 2: castling rights KQ are impossible: at most K; left out",
    ];
    assert_eq!(said.lines().collect::<Vec<_>>(), notes);
}

#[test]
fn bad_input_is_refused_in_one_line() {
    for (args, input, complaint) in [
        (vec!["hello"], "", "not a FEN"),
        (vec!["nothing.txt"], "", "there is no file `nothing.txt`"),
        (vec!["no-such-file.pgn"], "", "cannot read no-such-file.pgn"),
        (vec!["-"], "nothing here", "standard input: game 1, White's move 1: `nothing` is not a move"),
        (vec!["-"], "[White \"A\"]\n\n*\n", "standard input: no game with moves"),
        (vec!["-", "--pgn", "-", "--json", "-"], GAME, "only one output can go to standard output"),
        (vec!["-", "--multipv", "3"], GAME, "--multipv needs a position or a file of positions"),
        (vec!["8/8/4k3/8/8/3K4/8/R7 w - -", "--html", "no/such/folder/x.html"], "", "no/such/folder/x.html"),
        (vec!["8/8/4k3/8/8/3K4/8/R7 w - -", "--pgn", "x.pgn"], "", "--pgn needs a file of games"),
        (vec!["8/8/4k3/8/8/3K4/8/R7 w - -", "--confirm", "2"], "", "--confirm needs a file of games"),
        (vec!["8/8/4k3/8/8/3K4/8/R7 w - -", "--no-theory"], "", "--no-theory needs a file of games"),
        (vec!["8/8/4k3/8/8/3K4/8/R7 w - -", "--multipv", "0"], "", "expected a whole number from 1 to 270"),
    ] {
        assert_refused(&ended(&mut command(&args), input), complaint);
    }
}

/// Interrupts an analysis once `is_begun` says so of it; its exit code, and what it has shown and said.
#[cfg(unix)]
fn interrupted(mut command: Command, is_begun: impl Fn(u32, &mut dyn BufRead)) -> (Option<i32>, String, String) {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    is_begun(child.id(), &mut output);
    interrupt(&child);
    let (mut shown, mut said) = (String::new(), String::new());
    output.read_to_string(&mut shown).unwrap();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    (child.wait().unwrap().code(), shown, said)
}

#[test]
#[cfg(unix)]
fn an_interrupted_analysis_writes_the_games_that_are_done() {
    let folder = tempfile::tempdir().unwrap();
    // The first game is done at once, since its only search finds a mate; the second would take minutes.
    let mate = "[White \"A\"]\n[FEN \"6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1\"]\n\n1. Ra8# 1-0\n";
    fs::write(folder.path().join("g.pgn"), format!("{mate}\n[White \"C\"]\n\n1. e4 e5 2. Nf3 *\n")).unwrap();
    let mut command = command(&["g.pgn", "--movetime", "60000", "--pgn", "out.pgn", "--json", "out.json"]);
    command.current_dir(folder.path());
    let (code, _, said) = interrupted(command, |_, output| {
        assert!(output.lines().map(Result::unwrap).any(|line| line.starts_with("Black: ")), "the first game is shown");
    });
    assert_eq!((code, said.as_str()), (Some(3), "interrupted: 1 of 2 games analysed\n"));
    let written = fs::read_to_string(folder.path().join("out.pgn")).unwrap();
    assert!(written.contains("[White \"A\"]") && !written.contains("[White \"C\"]"), "{written}");
    let json = fs::read_to_string(folder.path().join("out.json")).unwrap();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((json["games"].as_array().unwrap().len(), &json["interrupted"]), (1, &true.into()));
}

#[test]
fn what_nobody_reads_about_is_not_searched() {
    let folder = tempfile::tempdir().unwrap();
    // The first search finds a mate at once; the others would take minutes.
    let games = "[FEN \"6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1\"]\n\n1. Ra8# 1-0\n\n[White \"C\"]\n\n1. e4 e5 2. Nf3 *\n";
    let suite = "6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#;\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4;\n";
    for (input, text) in [("g.pgn", games), ("a.epd", suite)] {
        fs::write(folder.path().join(input), text).unwrap();
        let mut command = command(&[input, "--movetime", "600000"]);
        let mut child = command.current_dir(folder.path()).stdout(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let status = exit_within(&mut child, Duration::from_secs(60));
        assert_eq!(status.and_then(|status| status.code()), Some(0), "{input}: it ends by itself");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn an_analysis_interrupted_at_once_replaces_nothing_and_a_position_is_shown_as_it_is() {
    /// The bit of SIGINT among those that a process catches.
    const SIGINT: u64 = 1 << 1;
    let is_caught = |id: u32| {
        let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
        u64::from_str_radix(caught.trim(), 16).unwrap() & SIGINT != 0
    };
    let catches = |id: u32, _: &mut dyn BufRead| {
        let deadline = Instant::now() + Duration::from_secs(60);
        while !is_caught(id) {
            assert!(Instant::now() < deadline, "it does not catch an interrupt");
            std::thread::sleep(Duration::from_millis(10));
        }
    };
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("g.pgn"), GAME).unwrap();
    fs::write(folder.path().join("out.pgn"), "what was there").unwrap();
    let mut game = command(&["g.pgn", "--movetime", "60000", "--pgn", "out.pgn"]);
    game.current_dir(folder.path());
    let (code, _, said) = interrupted(game, catches);
    assert_eq!((code, said.as_str()), (Some(3), "interrupted: 0 of 1 game analysed\n"));
    assert_eq!(fs::read_to_string(folder.path().join("out.pgn")).unwrap(), "what was there");
    let (code, shown, said) = interrupted(command(&["startpos", "--movetime", "60000", "--json", "-"]), catches);
    assert_eq!((code, said.as_str()), (Some(3), "interrupted: the search went as far as is shown\n"));
    let json: serde_json::Value = serde_json::from_str(&shown).unwrap();
    assert_eq!((json["lines"].as_array().unwrap().len(), &json["interrupted"]), (1, &true.into()));
}
