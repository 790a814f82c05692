//! `pacioli solve` from the outside: good and bad files, outputs and exit codes; and suites from a folder, if there is
//! one.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use pacioli::suite::{self, BuiltIn};

use crate::common::process::{pacioli, succeeded, text};

/// White is in check; the only evasion mates.
const MATE: &str = "6kr/5b2/6KP/pP3P2/1B1Pn1p1/4P1PR/Q7/6N1 w - - bm Qxf7#; id \"mate.1\";";
/// The only legal move is one to avoid: no search can solve it.
const NEVER: &str = "k7/8/1K6/8/8/8/8/8 b - - am Kb8; id \"never.1\";";
/// The only legal move is the best one.
const FORCED: &str = "k7/8/1K6/8/8/8/8/8 b - - bm Kb8; id \"forced.1\"; c0 \"Kb8=7\";";

/// Runs `pacioli solve` in a folder.
fn solve(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = pacioli();
    command.current_dir(folder).arg("solve").args(["--hash", "1"]).args(arguments).output().unwrap()
}

/// A folder with one file.
fn folder(name: &str, text: &[u8]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(name), text).unwrap();
    folder
}

#[test]
fn everything_solved_is_code_zero() {
    let folder = folder("a.epd", format!("# comment\r\n\r\n{FORCED}\r\n").as_bytes());
    let output = solve(folder.path(), &["a.epd", "--depth", "2"]);
    let out = succeeded(&output);
    assert!(out.contains("forced.1") && out.contains("solved 1 of 1, 7 of 7 points (100.0 %)"), "{out}");
}

#[test]
fn something_unsolved_is_code_one() {
    let folder = folder("a.epd", format!("{FORCED}\n{NEVER}\n").as_bytes());
    let output = solve(folder.path(), &["a.epd", "--depth", "2", "--quiet"]);
    assert_eq!(output.status.code(), Some(1));
    let out = text(&output.stdout);
    assert!(out.starts_with("solved 1 of 2, ") && out.lines().count() == 1, "{out}");
}

#[test]
fn a_bad_line_is_named_and_the_run_goes_on() {
    let bad = "rubbish\n8/8/8 w - -\nk7/8/1K6/8/8/8/8/8 b - - bm Kb7;\n";
    let folder = folder("a.epd", format!("{FORCED}\n{bad}{FORCED}\n").as_bytes());
    let output = solve(folder.path(), &["a.epd", "--depth", "2"]);
    assert_eq!(output.status.code(), Some(1));
    let refused: Vec<&str> = text(&output.stderr).lines().collect();
    assert_eq!(
        refused,
        ["a.epd:2:2: `u` is not a piece", "a.epd:3:6: the board ends at rank 6", "a.epd:4:29: `Kb7` is not legal here",]
    );
    assert!(text(&output.stdout).contains("solved 2 of 2, 14 of 14 points (100.0 %), 3 lines refused"));
}

#[test]
fn the_time_for_a_position_is_not_shortened() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4;\n";
    let folder = folder("a.epd", start.as_bytes());
    let output = solve(folder.path(), &["a.epd", "--movetime", "50", "--csv", "-"]);
    let mut reader = csv::Reader::from_reader(&output.stdout[..]);
    let column = reader.headers().unwrap().iter().position(|heading| heading == "time_ms").unwrap();
    let row = reader.records().next().unwrap().unwrap();
    assert!(row[column].parse::<u64>().unwrap() >= 50, "{row:?}");
}

#[test]
fn a_missing_file_is_one_line_and_code_two() {
    let folder = folder("a.epd", FORCED.as_bytes());
    for arguments in [&["a.epd", "gone.epd"][..], &["."], &["a.epd", "--depth", "1", "--json", "no/such/folder.json"]] {
        let output = solve(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let error = text(&output.stderr);
        let culprit = arguments.iter().rev().find(|a| a.contains('.')).unwrap();
        assert!(error.starts_with("error: cannot ") && error.contains(culprit), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
    for arguments in [&["--rule", "luck"][..], &["--nodes", "many"], &["--depth", "0"]] {
        assert_eq!(solve(folder.path(), arguments).status.code(), Some(2), "{arguments:?}");
    }
}

#[test]
fn a_file_with_nothing_to_solve_is_said_to_be_one() {
    let folder = folder("a.epd", b"k7/8/1K6/8/8/8/8/8 b - - id \"bare\";\n");
    let output = solve(folder.path(), &["a.epd"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output.stderr), "nothing to solve: no line has bm, am, dm or points\n");
    assert!(text(&output.stdout).contains("1 line with nothing to solve"));
}

#[test]
fn an_empty_part_of_a_suite_is_said_to_be_one_and_code_zero() {
    let folder = folder("a.epd", b"7k/8/8/8/8/8/8/K7 w - - am Ka2;\n");
    let output = solve(folder.path(), &["a.epd", "--depth", "1", "--shard", "2/2"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stderr).contains("this part of the positions is empty"), "{output:?}");
}

#[test]
fn json_stands_alone_on_standard_output() {
    let folder = folder("a.epd", format!("{FORCED}\n{NEVER}\nrubbish\n").as_bytes());
    let lines = |text: &[u8]| -> Vec<serde_json::Value> {
        serde_json::Deserializer::from_slice(text).into_iter().map(|value| value.unwrap()).collect()
    };
    let output = solve(folder.path(), &["a.epd", "--depth", "2", "--json", "-"]);
    let [run, first, second, end] = &lines(&output.stdout)[..] else { panic!("{output:?}") };
    assert_eq!((&run["type"], &run["schema"]), (&"run".into(), &6.into()));
    assert_eq!(run["provenance"]["depth"], 2);
    assert_eq!(run["suites"][0]["refused_lines"][0]["line"], 3);
    assert_eq!((&first["played"]["san"], &first["solved"], &first["points"]), (&"Kb8".into(), &true.into(), &7.into()));
    assert_eq!(second["id"], "never.1");
    assert_eq!((&end["total"]["solved"], &end["total"]["positions"]), (&1.into(), &2.into()));
    assert!(text(&output.stderr).contains("solved 1 of 2"));

    let output = solve(folder.path(), &["a.epd", "--depth", "2", "--json", "r.jsonl"]);
    let same = lines(&fs::read(folder.path().join("r.jsonl")).unwrap());
    assert_eq!(same[1]["nodes"], first["nodes"]);
    assert!(text(&output.stdout).contains("solved 1 of 2"));
}

#[test]
fn csv_has_a_row_for_each_position() {
    let folder = folder("a.epd", format!("{FORCED}\n{NEVER}\n").as_bytes());
    let output = solve(folder.path(), &["a.epd", "--depth", "2", "--csv", "-"]);
    let mut reader = csv::Reader::from_reader(&output.stdout[..]);
    let headings = reader.headers().unwrap().clone();
    let column = |name: &str| headings.iter().position(|heading| heading == name).unwrap();
    let rows: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>().unwrap();
    assert_eq!(rows.len(), 2);
    assert_eq!((&rows[0][column("id")], &rows[0][column("solved")]), ("forced.1", "true"));
    assert_eq!((&rows[1][column("expected")], &rows[1][column("points")]), ("not Kb8", ""));
}

#[test]
fn junit_is_sound_xml_whatever_the_names() {
    let odd = FORCED.replace("forced.1", "<\u{1}&'\u{fffe}>");
    let folder = folder("a.epd", format!("{odd}\n{NEVER}\nrub<bish\n{}\n", &NEVER[..26]).as_bytes());
    solve(folder.path(), &["a.epd", "--depth", "2", "--junit", "r.xml"]);
    let xml = fs::read_to_string(folder.path().join("r.xml")).unwrap();
    assert!(xml.contains("<testsuite name=\"a.epd\" tests=\"4\" failures=\"1\" errors=\"1\" skipped=\"1\""), "{xml}");
    let mut reader = quick_xml::Reader::from_str(&xml);
    let mut cases = 0;
    loop {
        match reader.read_event().unwrap() {
            quick_xml::events::Event::Eof => break,
            quick_xml::events::Event::Start(tag) | quick_xml::events::Event::Empty(tag) => {
                assert!(tag.attributes().all(|attribute| attribute.is_ok()));
                cases += usize::from(tag.name().as_ref() == "testcase");
            }
            _ => {}
        }
    }
    assert_eq!(cases, 4);
}

#[test]
fn annotated_suites_load_again() {
    let counters = "k7/8/1K6/8/8/8/8/8 b - - 3 40 ; bm Kb8 ; acd 99 ; c0 \"a; b\"";
    let folder = folder("a.epd", format!("{FORCED}\n{NEVER}\n{counters}\n{}\n", &NEVER[..26]).as_bytes());
    solve(folder.path(), &["a.epd", "--depth", "2", "--epd", "b.epd"]);
    let before = suite::parse("a.epd", &fs::read(folder.path().join("a.epd")).unwrap());
    let after = suite::parse("a.epd", &fs::read(folder.path().join("b.epd")).unwrap());
    assert_eq!(after.refused, []);
    assert_eq!(after.records.len(), before.records.len());
    for (old, new) in before.records.iter().zip(&after.records) {
        assert_eq!((&old.id, &old.fen, &old.best, &old.avoid), (&new.id, &new.fen, &new.best, &new.avoid));
        assert_eq!(old.points, new.points);
        let depths = new.opcodes.iter().filter(|op| op.name == "acd").count();
        assert_eq!(depths, usize::from(new.is_solvable()));
    }
    assert_eq!(after.records[2].opcodes[1].text(), "a; b");
}

#[test]
fn annotated_suites_keep_comments_and_refused_lines() {
    let folder = folder("a.epd", format!("# one\n\n{FORCED}\nrubbish\n  # two\n{NEVER}\n# three").as_bytes());
    solve(folder.path(), &["a.epd", "--depth", "2", "--epd", "b.epd"]);
    let text = fs::read_to_string(folder.path().join("b.epd")).unwrap();
    let heads: Vec<&str> = text.lines().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(heads, ["#", "", "k7/8/1K6/8/8/8/8/8", "rubbish", "", "k7/8/1K6/8/8/8/8/8", "#"]);
}

#[test]
fn several_suites_are_summed_up_one_by_one() {
    let folder = folder("a.epd", FORCED.as_bytes());
    fs::write(folder.path().join("b.epd"), format!("{NEVER}\n{MATE}\n")).unwrap();
    let output = solve(folder.path(), &["a.epd", "b.epd", "a.epd", "--depth", "2"]);
    let out = text(&output.stdout);
    assert_eq!(out.matches("a.epd: solved 1 of 1").count(), 2, "{out}");
    assert!(out.contains("b.epd: solved 1 of 2") && out.contains("never.1"), "{out}");
}

#[test]
fn a_mate_in_one_is_solved() {
    let folder = folder("a.epd", MATE.as_bytes());
    let output = solve(folder.path(), &["a.epd", "--depth", "4"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stdout).contains("Qxf7#"));
}

#[test]
fn the_suite_that_comes_along_is_sound() {
    let classics = BuiltIn::CLASSICS.parse(false);
    assert_eq!(classics.refused, []);
    assert!(!classics.records.is_empty());
    for record in &classics.records {
        assert!(record.is_solvable(), "{}", record.id);
        assert!(!record.id.starts_with("classics:"), "line {} has no name", record.line);
    }
}

#[test]
fn suites_that_come_along_are_known_by_name_unless_a_file_is_called_so() {
    let empty = tempfile::tempdir().unwrap();
    let output = solve(empty.path(), &["classics", "--nodes", "50", "--quiet"]);
    let count = BuiltIn::CLASSICS.parse(false).records.len();
    assert!(text(&output.stdout).contains(&format!(" of {count}, ")), "{}", text(&output.stdout));
    let folder = folder("classics", FORCED.as_bytes());
    let output = solve(folder.path(), &["classics", "--nodes", "50", "--quiet"]);
    assert!(text(&output.stdout).starts_with("solved 1 of 1, "), "{}", text(&output.stdout));
    let output = solve(empty.path(), &["classic"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("there is no file `classic`; did you mean `classics`?"),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn themes_that_comments_name_get_a_table() {
    let line = |themes: &str| format!("k7/8/1K6/8/8/8/8/8 b - - bm Kb8; c3 \"themes: {themes}\";\n");
    let folder = folder("a.epd", [line("mate, defence"), line("defence"), NEVER.to_owned()].concat().as_bytes());
    let output = solve(folder.path(), &["a.epd", "--depth", "2"]);
    let rows: Vec<Vec<&str>> = text(&output.stdout).lines().map(|line| line.split_whitespace().collect()).collect();
    for row in [["mate", "1", "1"], ["defence", "2", "2"]] {
        assert!(rows.iter().any(|cells| cells.starts_with(&row)), "{}", text(&output.stdout));
    }
}

/// Suites in circulation, from the folder given by `PACIOLI_SUITES`.
fn real_suites() -> Option<PathBuf> {
    let folder = std::env::var_os("PACIOLI_SUITES").map(PathBuf::from);
    if folder.is_none() {
        eprintln!("PACIOLI_SUITES names no folder of suites: nothing checked");
    }
    folder
}

#[test]
fn real_suites_load_completely() {
    let Some(folder) = real_suites() else { return };
    let mut loaded = 0;
    for (name, count, solvable) in [
        ("bratko-kopec", 24, 24),
        ("lct2", 35, 35),
        ("kaufman", 25, 25),
        ("wac", 300, 300),
        ("iq4", 183, 183),
        ("silent-but-deadly", 134, 134),
        ("sts", 1188, 1188),
        ("endgame-dm-4", 48, 43),
        ("endgame-dm-5", 27, 26),
    ] {
        let Ok(bytes) = fs::read(folder.join(name).with_extension("epd")) else { continue };
        loaded += 1;
        let suite = suite::parse(name, &bytes);
        assert_eq!(suite.refused, [], "{name}");
        assert_eq!(suite.records.len(), count, "{name}");
        assert_eq!(suite.records.iter().filter(|record| record.is_solvable()).count(), solvable, "{name}");
        if name == "sts" {
            assert!(suite.records.iter().all(|record| !record.points.is_empty() && record.theme().is_some()));
        }
    }
    assert!(loaded > 0, "none of the suites is in {}", folder.display());
}

#[test]
fn a_suite_made_to_break_parsers_does_not() {
    let Some(folder) = real_suites() else { return };
    let Ok(bytes) = fs::read(folder.join("destruction-test.epd")) else {
        return eprintln!("skipped: no destruction-test.epd in {}", folder.display());
    };
    let suite = suite::parse("destruction-test.epd", &bytes);
    for error in &suite.refused {
        eprintln!("{error}");
        assert!(error.column >= 1 && !error.reason.is_empty());
    }
    for record in &suite.records {
        eprintln!("accepted {}", record.id);
    }
    assert_eq!(suite.records.len() + suite.refused.len(), 106);
}

#[test]
fn lint_lists_findings_and_says_so_with_its_code() {
    let folder = folder("a.epd", format!("{FORCED}\nrubbish\n{FORCED}\n").as_bytes());
    let lint = |arguments: &[&str]| {
        let mut command = pacioli();
        command.current_dir(folder.path()).arg("lint").args(arguments).output().unwrap()
    };
    let output = lint(&["a.epd"]);
    assert_eq!(output.status.code(), Some(1));
    let out = text(&output.stdout);
    assert!(out.contains("a.epd:2:2: error: `u` is not a piece\n"), "{out}");
    assert!(out.contains("a.epd:3:1: warning: the same position as a.epd:1\n"), "{out}");
    let output = lint(&["a.epd", "--json", "-"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["findings"].as_array().unwrap().len(), out.lines().count() - 1);
    assert_eq!((lint(&["b.epd"]).status.code(), lint(&[]).status.code()), (Some(2), Some(2)));
    for (option, value) in [
        ("--dual-margin", "50"),
        ("--wrong-margin", "50"),
        ("--jobs", "2"),
        ("--set", "credit=off"),
        ("--profile", "deep-blue"),
        ("--hash", "1"),
    ] {
        let output = lint(&["a.epd", option, value]);
        let complaint = format!("error: {option} needs a limit: --movetime, --nodes or --depth\n");
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(2), complaint.as_str()));
        assert_eq!(lint(&["a.epd", option, value, "--depth", "1"]).status.code(), Some(1));
    }
    // A queen to take: a line that says so, and one that does not.
    let hanging = "4k3/8/8/3q4/4P3/8/PP6/4K3 w - - bm";
    fs::write(folder.path().join("b.epd"), format!("{hanging} exd5;\n{hanging} Kf2;\n")).unwrap();
    for (option, value, wrong, dual) in [
        ("--wrong-margin", "1", 1, 0),
        ("--wrong-margin", "10000", 0, 1),
        ("--dual-margin", "0", 1, 0),
        ("--dual-margin", "10000", 1, 1),
    ] {
        let output = lint(&["b.epd", "--depth", "3", "--hash", "1", option, value]);
        let found = ["likely wrong", "likely dual"].map(|doubt| text(&output.stdout).matches(doubt).count());
        assert_eq!(found, [wrong, dual], "{option} {value}: {output:?}");
    }
}
