//! `pacioli lab spsa` from the outside.

use std::fs;

use pacioli::params::Params;

use crate::common::process::{assert_refused, run_in as run, succeeded, text};

const OPENINGS: &str = "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -\n";

#[test]
fn lines_of_the_listing_are_tuned_and_the_run_can_be_taken_up() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let listing = run(folder, "spsa futility_margin credit_limit").stdout;
    fs::write(folder.join("tune.txt"), text(&listing).replace("0.002", "0.5")).unwrap();
    fs::write(folder.join("book.epd"), OPENINGS).unwrap();
    let tune = |journal: &str, more: &str| {
        let common = "--tune tune.txt --games 8 --nodes 20 --batch 3 --hash 1 --openings book.epd --random-plies 4";
        run(folder, &format!("lab spsa {journal} {common}{more}"))
    };
    let output = tune("a.jsonl", " --svg a.svg");
    let table = succeeded(&output);
    assert!(table.contains("\n8 of 8 games, at most 20 nodes each\n"), "{table}");
    let start = format!("\n| futility_margin | {:>5} | ", Params::default().futility_margin);
    assert!(table.contains(&start), "{table}");
    assert!(table.contains("\n    --set futility_margin="), "{table}");
    assert!(fs::read_to_string(folder.join("a.svg")).unwrap().contains(">futility_margin<"));
    let journal = fs::read_to_string(folder.join("a.jsonl")).unwrap();
    assert_eq!((journal.lines().count(), crate::schemas::check(&journal).as_str()), (3, "spsa"));

    // The number of jobs makes no difference, nor does an interruption.
    tune("b.jsonl", " --jobs 2");
    assert_eq!(fs::read_to_string(folder.join("b.jsonl")).unwrap(), journal);
    fs::write(folder.join("b.jsonl"), &journal[..journal.len() - 3]).unwrap();
    assert_eq!(text(&tune("b.jsonl", "").stdout), table);
    assert_eq!(fs::read_to_string(folder.join("b.jsonl")).unwrap(), journal);
    // What differs is named, and the file is left as it is.
    for (more, complaint) in [
        (" --seed 2", "a.jsonl: begun with another seed than now"),
        (" --set credit=off", "a.jsonl: begun with other settings (--set) than now"),
    ] {
        assert_refused(&tune("a.jsonl", more), complaint);
    }
    assert_eq!(fs::read_to_string(folder.join("a.jsonl")).unwrap(), journal);
    // Nothing is begun whose picture has no place.
    for place in ["tune.txt", "book.epd", "c.jsonl", "a.jsonl"] {
        assert_refused(&tune("c.jsonl", &format!(" --svg {place}")), place);
        assert!(!folder.join("c.jsonl").exists(), "{place}");
    }
}

#[test]
fn games_with_a_clock_can_be_repeated_since_nodes_stand_for_time() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let tune = |journal: &str, more: &str| {
        let common = "--tune expected_moves --games 8 --batch 2 --hash 1 --set node_time=1";
        run(folder, &format!("lab spsa {journal} {common} {more}"))
    };
    let output = tune("a.jsonl", "--clock 1+0.01");
    let table = succeeded(&output);
    assert!(table.contains("8 of 8 games, a clock of 1+0.01 s\n"), "{table}");
    let journal = fs::read_to_string(folder.join("a.jsonl")).unwrap();
    assert_eq!(crate::schemas::check(&journal), "spsa");
    tune("b.jsonl", "--clock 1+0.01 --jobs 2");
    assert_eq!(fs::read_to_string(folder.join("b.jsonl")).unwrap(), journal);
    for (more, complaint) in [
        ("--clock 1", "a.jsonl: begun with another clock than now"),
        ("--clock 1 --nodes 20", "--clock"),
        ("--clock 0", "expected seconds, and seconds for each move"),
        ("--clock 1 --set node_time=0", "--clock: without nodes that stand for time"),
        ("", "--nodes"),
    ] {
        assert_refused(&tune("a.jsonl", more), complaint);
    }
    assert_eq!(fs::read_to_string(folder.join("a.jsonl")).unwrap(), journal);
}

#[test]
fn what_cannot_be_tuned_is_said_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("bad.txt"), "\ncredit_limit, int, 15, 15, 480, 1.65, 0.002\n").unwrap();
    fs::write(folder.join("good.txt"), "credit_limit, int, 15, 15, 48, 1.65, 0.002\n").unwrap();
    let listing = "\u{feff}credit_limit, int, 15, 15, 48, 1.65, 0.002\r\n";
    fs::write(folder.join("wide.txt"), listing.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>()).unwrap();
    fs::write(folder.join("empty.txt"), "# nothing\n").unwrap();
    fs::write(folder.join("other.jsonl"), "something else").unwrap();
    let rest = "--games 2 --nodes 20 --hash 1";
    for (line, complaint) in [
        ("s.jsonl --tune bad.txt", "bad.txt: line 2: 15 to 480 is not within the tunable's own range, 15 to 48"),
        (
            "s.jsonl --tune wide.txt",
            "wide.txt: this is text in UTF-16, which has to be converted to UTF-8, not lines of `pacioli spsa`",
        ),
        ("s.jsonl --tune empty.txt", "--tune: nothing to tune in empty.txt"),
        ("s.jsonl --tune credt_limit", "no numeric tunable is named `credt_limit`; did you mean `credit_limit`?"),
        ("s.jsonl --tune credit", "no numeric tunable is named `credit`"),
        ("s.jsonl --tune credit_limit credit_limit", "`credit_limit` is named twice"),
        ("other.jsonl --tune credit_limit", "other.jsonl: line 1: it is not JSON"),
        ("good.txt --tune good.txt", "good.txt would overwrite an input or another output"),
        (
            "s.jsonl --tune good.txt --set CREDIT_LIMIT=20",
            "--set CREDIT_LIMIT=20: good.txt tunes it, from 15; change its line instead",
        ),
        ("s.jsonl --tune credit_limit --games 3", "expected an even number"),
        ("s.jsonl --tune credit_limit --batch 10001", "expected a whole number from 1 to 10,000"),
        ("s.jsonl --tune credit_limit --openings no.epd", "cannot read no.epd"),
    ] {
        let rest = if line.contains("--games") { "--nodes 20" } else { rest };
        assert_refused(&run(folder, &format!("lab spsa {line} {rest}")), complaint);
    }
    assert!(!folder.join("s.jsonl").exists());
    for svg in ["s.jsonl", "good.txt"] {
        let output = run(folder, &format!("lab spsa s.jsonl --tune good.txt {rest} --svg {svg}"));
        assert_refused(&output, "would overwrite");
    }
    assert_eq!(fs::read_to_string(folder.join("other.jsonl")).unwrap(), "something else");
}

#[test]
fn names_are_tuned_from_the_values_in_force() {
    let folder = tempfile::tempdir().unwrap();
    let line = "lab spsa s.jsonl --tune credit_limit --games 2 --nodes 20 --hash 1 --set credit_limit=31";
    let output = run(folder.path(), line);
    let table = succeeded(&output);
    assert!(table.contains("| credit_limit |    31 | "), "{table}");
}

#[test]
fn tunables_without_effect_are_told() {
    let folder = tempfile::tempdir().unwrap();
    // Its switch is off.
    let tune = |games: u8| {
        let line =
            format!("lab spsa s{games}.jsonl --tune influence_credit --games {games} --nodes 20 --hash 1 --jobs 2");
        run(folder.path(), &line)
    };
    let output = tune(32);
    let told = "s32.jsonl: no pair of games was won: what is tuned may have no effect with these settings\n";
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), told));
    // So few say nothing.
    succeeded(&tune(4));
}

#[test]
fn games_show_that_an_evaluation_is_better_without_noise() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("noise.txt"), "eval_noise, int, 200, 0, 400, 100, 0.1\n").unwrap();
    let line = "lab spsa s.jsonl --tune noise.txt --games 64 --nodes 20 --batch 8 --jobs 2 --hash 1";
    succeeded(&run(folder.path(), line));
    let journal = fs::read_to_string(folder.path().join("s.jsonl")).unwrap();
    let last: serde_json::Value = serde_json::from_str(journal.lines().last().unwrap()).unwrap();
    assert!(last["values"][0].as_f64().unwrap() < 150.0, "{journal}");
}
