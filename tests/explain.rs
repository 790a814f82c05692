//! `pacioli explain` from the outside: text and JSON of one line, and how the entries fit together.

use serde_json::Value;

use crate::common::PERPETUAL;
use crate::common::process::{ended, pacioli, succeeded};

/// Deep Blue - Kasparov, 1997, game 2, before White's move 37.
const QUIET: &str = "r1r1q1k1/6p1/3b1p1p/1p1PpP2/1Pp5/2P4P/R1B2QP1/R5K1 w - - 0 37";

/// The output of `pacioli explain`.
fn explain(arguments: &[&str]) -> String {
    succeeded(&ended(pacioli().arg("explain").args(arguments), "")).to_owned()
}

/// The line of the last iteration.
fn last_line(explanation: &Value) -> &Vec<Value> {
    explanation["iterations"].as_array().and_then(|all| all.last()).and_then(|last| last["pv"].as_array()).unwrap()
}

#[test]
fn text_and_json_tell_the_same_line_and_the_same_run_gives_the_same() {
    let arguments = [PERPETUAL, "--profile", "deep-blue", "--depth", "6", "--json", "-"];
    let json = explain(&arguments);
    assert_eq!(explain(&arguments), json);
    let explanation: Value = serde_json::from_str(&json).unwrap();
    let text = explain(&arguments[..5]);
    let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("| ")).skip(1).collect();
    let line = last_line(&explanation);
    assert_eq!(rows.len(), line.len(), "{text}");
    for (row, step) in rows.iter().zip(line) {
        assert!(row.contains(&format!(".{} ", step["san"].as_str().unwrap())), "{row}");
        assert!(row.contains(step["award"]["mechanism"].as_str().unwrap_or_default()), "{row}");
    }
}

#[test]
fn the_accounts_are_carried_from_entry_to_entry() {
    let mut awards = 0;
    for (position, profile) in [(QUIET, "modern"), (PERPETUAL, "modern"), (PERPETUAL, "deep-blue")] {
        let text = explain(&[position, "--profile", profile, "--depth", "7", "--json", "-"]);
        let explanation: Value = serde_json::from_str(&text).unwrap();
        let line = last_line(&explanation);
        // Below the software's depth there are no accounts.
        let software = line.iter().take_while(|step| !step["accounts"].is_null()).count();
        assert!(line[software..].iter().all(|step| step["accounts"].is_null() && step["award"].is_null()));
        for (index, step) in line[..software].iter().enumerate() {
            let balance = |step: &Value, side: &str, when: &str| step["accounts"][side][when].as_f64().unwrap();
            let earned = step["award"]["plies"].as_f64().unwrap_or(0.0);
            assert_eq!(step["ply"], index + 1);
            assert_eq!(step["side"], ["white", "black"][index % 2]);
            let (mover, cashed) = (step["side"].as_str().unwrap(), step["accounts"]["cashed_plies"].as_f64().unwrap());
            let (before, after) = (balance(step, mover, "before_move"), balance(step, mover, "after_move"));
            assert!((before + earned - cashed - after).abs() < 1e-9, "{step:#}");
            // Both have what the last entry left.
            for side in ["white", "black"] {
                let left = if index == 0 { 0.0 } else { balance(&line[index - 1], side, "after_move") };
                assert_eq!(balance(step, side, "before_move"), left, "ply {}: {explanation:#}", index + 1);
            }
            // Evidence belongs to probes.
            let mechanism = step["award"]["mechanism"].as_str().unwrap_or_default();
            let probed = ["singular", "binary", "trinary", "threat", "mate threat"].contains(&mechanism);
            assert!(probed || (step["award"]["bound"].is_null() && step["evidence"].is_null()), "{step:#}");
            awards += usize::from(!mechanism.is_empty());
        }
    }
    assert!(awards > 0, "nothing to test");
}

#[test]
fn the_json_has_every_iteration_and_the_refutations_asked_for() {
    let text = explain(&[PERPETUAL, "--depth", "5", "--refutations", "2", "--json", "-"]);
    let explanation: Value = serde_json::from_str(&text).unwrap();
    let iterations = explanation["iterations"].as_array().unwrap();
    let numbers: Vec<i64> = iterations.iter().filter_map(|row| row["iteration"].as_i64()).collect();
    assert_eq!(numbers, (1..=numbers.len() as i64).collect::<Vec<_>>());
    let refutations = explanation["refutations"].as_array().unwrap();
    assert_eq!(refutations.len(), 2, "{explanation:#}");
    let best = &last_line(&explanation)[0]["uci"];
    assert!(refutations.iter().all(|refutation| refutation["pv"][0]["uci"] != *best), "{explanation:#}");
    assert!(explain(&[PERPETUAL, "--depth", "5", "--json", "-"]).find("refutations").is_none());
}

#[test]
fn the_page_is_written_beside_the_text() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("line.html");
    let text = explain(&[PERPETUAL, "--depth", "5", "--refutations", "1", "--html", file.to_str().unwrap()]);
    assert!(text.contains("Refutations of the root moves"), "{text}");
    let page = std::fs::read_to_string(file).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("Glossary"), "{page}");
    let on_output = explain(&[PERPETUAL, "--depth", "5", "--html", "-"]);
    assert!(on_output.starts_with("<!DOCTYPE html>") && on_output.ends_with("</html>\n"), "{on_output}");
    let output = pacioli().args(["explain", PERPETUAL, "--html", "no/such/folder/x.html"]).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), error.lines().count(), output.stdout.len()), (Some(2), 1, 0), "{error}");
}
