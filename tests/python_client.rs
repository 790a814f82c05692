//! python-chess as a client: bots and analysis tools are built on it. Without it the test passes, and says so with
//! `--show-output`.

use std::process::Command;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/python_client.py");

#[test]
fn python_chess_plays_ponders_analyses_and_sets_options() {
    let has_library = Command::new("python3").args(["-c", "import chess.engine"]).output();
    if !has_library.is_ok_and(|output| output.status.success()) {
        println!("skipped: python3 with the library python-chess is not installed");
        return;
    }
    let output = Command::new("python3").args([SCRIPT, env!("CARGO_BIN_EXE_pacioli")]).output().expect("python3 runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (heard, complaints) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{heard}{complaints}");
    assert_eq!(heard.lines().filter(|line| line.ends_with(": ok")).count(), 7, "{heard}");
    // The library only logs what it does not understand.
    assert!(!complaints.contains("Exception") && !complaints.contains("Unexpected"), "{complaints}");
}
