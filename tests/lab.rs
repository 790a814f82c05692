//! `pacioli lab` from the outside: tables, JSON, jobs and exit codes.

use std::fs;
use std::path::Path;
use std::process::Output;

const SUITE: &str = "\
1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id \"one\";
k7/8/1K6/8/8/8/8/8 b - - am Kb8; id \"never\";
r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - bm Bxa6; id \"three\";
";

/// Runs `pacioli lab` in a folder.
fn lab(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = assert_cmd::cargo::cargo_bin_cmd!("pacioli");
    command.current_dir(folder).arg("lab").args(arguments).args(["--hash", "1"]).output().unwrap()
}

/// A folder with a file `a.epd`.
fn folder(text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.epd"), text).unwrap();
    folder
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[test]
fn an_ablation_is_a_table_and_json_whatever_the_jobs() {
    let folder = folder(SUITE);
    let common = ["ablate", "a.epd", "--nodes", "2000", "--jobs"];
    let output = lab(folder.path(), &[&common[..], &["1", "--json", "a.json"]].concat());
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""));
    let table = text(&output.stdout);
    assert!(table.contains("3 positions, 2,000 nodes each\n"), "{table}");
    for row in ["| all on ", "| no credit ", "| no credit_singular ", "| no multi_cut "] {
        assert!(table.contains(row), "{row}: {table}");
    }
    let json = fs::read_to_string(folder.path().join("a.json")).unwrap();
    let alone = lab(folder.path(), &[&common[..], &["2", "--json", "-"]].concat());
    assert_eq!(text(&alone.stdout), json);

    let report: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&report["schema"], &report["settings"]["nodes"]), (&1.into(), &2000.into()));
    assert_eq!(report["positions"][1]["id"], "never");
    let variants = report["variants"].as_array().unwrap();
    assert!(variants.iter().all(|variant| variant["answers"][1]["solved"] == false));
    assert!(variants[0]["p_value"].is_null() && variants[1]["p_value"].is_f64());
}

#[test]
fn comparisons_show_every_choice() {
    let folder = folder(SUITE);
    for (experiment, choices) in [
        ("aspiration", &["off", "fixed", "gradual", "exponential", "parity"][..]),
        ("drivers", &["PVS", "alpha-beta", "MTD(f)", "SSS*"]),
    ] {
        let arguments = [experiment, "a.epd", "--iterations", "2..4", "--no-time", "--jobs", "2"];
        let output = lab(folder.path(), &arguments);
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""));
        let table = text(&output.stdout);
        for choice in choices {
            let rows = table.lines().filter(|line| line.contains(&format!("| {choice} "))).count();
            assert_eq!(rows, 4, "{choice}: {table}");
        }
        let json = lab(folder.path(), &[&arguments[..], &["--json", "-"]].concat());
        let report: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
        assert_eq!(report["choices"].as_array().unwrap().len(), choices.len());
    }
}

#[test]
fn a_refused_line_is_told_and_the_rest_is_run() {
    let folder = folder(&format!("{SUITE}nonsense\n"));
    let output = lab(folder.path(), &["ablate", "a.epd", "--nodes", "100"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output.stderr), "a.epd:4:2: `o` is no piece\n");
    assert!(text(&output.stdout).contains("3 positions, 1 line refused, "));
}

#[test]
fn bad_input_is_one_line_and_code_two() {
    let folder = folder("# nothing here\n");
    for arguments in [
        &["ablate", "a.epd"][..],
        &["drivers", "a.epd"],
        &["aspiration", "gone.epd"],
        &["ablate", "--set", "credit=maybe"],
        &["ablate", "--set", "no_such=1"],
    ] {
        let output = lab(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let error = text(&output.stderr);
        assert!(error.starts_with("error: ") && error.lines().count() == 1, "{error}");
    }
    for arguments in
        [&[][..], &["ablate", "--jobs", "0"], &["ablate", "--nodes", "0"], &["drivers", "--iterations", "9..2"]]
    {
        assert_eq!(lab(folder.path(), arguments).status.code(), Some(2), "{arguments:?}");
    }
}
