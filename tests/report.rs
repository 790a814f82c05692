//! The report as a whole: results for the paper's two positions, and how the command handles its input.

use std::process::Command;

use pacioli::board::Game;
use pacioli::board::Position;
use pacioli::engine::{Engine, Options};
use pacioli::json::readable;
use pacioli::params::Profile;
use pacioli::report::collect::Job;
use pacioli::report::{IterationRange, Report, collect, paper};
use pacioli::runner::{Head, Kind, Provenance};

use crate::common::process::{assert_refused, pacioli};

/// Enough for the iterations searched here.
const HASH_MB: usize = 64;

#[test]
fn iterations_5_and_6_of_the_papers_positions() {
    let (mut engine, error) = Engine::new(Options { hash_mb: HASH_MB, ..Options::of(Profile::DeepBlue) });
    assert_eq!(error, None);
    let range = IterationRange::new(5, 6).unwrap();
    let positions = paper::POSITIONS.iter().map(|paper| {
        let game = Game::new(Position::from_fen(paper.fen, false).unwrap());
        collect(
            &mut engine,
            Job { name: None, game: &game, range, with_times: false, with_ledgers: false },
            &mut |_, _| {},
        )
    });
    let provenance = Provenance {
        program: "pacioli".to_owned(),
        profile: Some(Profile::DeepBlue),
        hash_mb: Some(HASH_MB),
        ..Provenance::default()
    };
    let report = Report { head: Head::new(Kind::Report, provenance), positions: positions.collect() };
    insta::assert_snapshot!(readable(&report).unwrap());
}

/// `pacioli report` with these arguments.
fn command(args: &[&str]) -> Command {
    let mut command = pacioli();
    command.arg("report").args(args);
    command
}

#[test]
fn bad_input_is_one_line_and_exit_code_2() {
    for args in [
        &["not a fen"][..],
        &["8/8/8/8/8/8/8/8 w - -"],
        &["no-such-file.epd"],
        &["Cargo.toml"],
        &["--set", "no_such=1"],
        &["--iterations", "1..2", "--json", "no/such/folder/x.json"],
    ] {
        let output = command(args).output().unwrap();
        assert_refused(&output, "error: ");
        assert!(output.stdout.is_empty(), "{args:?}");
    }
    for args in [["--iterations", "8..5"], ["--profile", "x"]] {
        assert_eq!(command(&args).output().unwrap().status.code(), Some(2), "{args:?}");
    }
}

#[test]
fn what_is_not_reported_is_said_by_the_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    let suite = folder.path().join("a.epd");
    let position = "8/8/4k3/8/8/3K4/4P3/8 w - -";
    let args = ["--hash", "1", "--iterations", "1..2"];
    for (text, code) in [(format!("{position}\n"), 0), (format!("{position}\nrubbish\n"), 1)] {
        std::fs::write(&suite, &text).unwrap();
        assert_eq!(command(&args).arg(&suite).output().unwrap().status.code(), Some(code), "{text}");
    }
    let mated = command(&args).arg("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1").output().unwrap();
    assert_eq!(mated.status.code(), Some(1));
    assert!(String::from_utf8(mated.stdout).unwrap().contains("No iteration from 1 to 2 was completed."));
}

#[test]
fn text_and_json_come_from_one_run_and_the_same_run_gives_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.json");
    let args = ["--no-time", "--hash", "1", "--iterations", "5..6", "--json"];
    let position = "8/8/4k3/8/8/3K4/4P3/8 w - - 0 1";
    let mut runs = Vec::new();
    for _ in 0..2 {
        let output = command(&args).arg(&path).arg(position).output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        let json = std::fs::read_to_string(&path).unwrap();
        assert!(json.contains("\"profile\": \"deep-blue\"") && json.contains(position), "{json}");
        assert!(!json.contains("time_ms"), "{json}");
        runs.push((output.stdout, json));
    }
    assert_eq!(runs[0], runs[1]);
}
