//! `pacioli lab` from the outside: tables, JSON, jobs and exit codes.

use std::fs;
use std::path::Path;
use std::process::Output;

use pacioli::params::Params;

use crate::common::process::{pacioli, succeeded, text};

const SUITE: &str = "\
1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id \"one\";
k7/8/1K6/8/8/8/8/8 b - - am Kb8; id \"never\";
r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - bm Bxa6; id \"three\";
";

/// Runs `pacioli lab` in a folder.
fn lab(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = pacioli();
    command.current_dir(folder).arg("lab").args(arguments).args(["--hash", "1"]).output().unwrap()
}

/// The scores in a file of positions, the lowest first.
fn scores(file: &Path) -> Vec<i16> {
    let records = fs::read(file).unwrap();
    let mut scores: Vec<i16> =
        records.as_chunks::<32>().0.iter().map(|record| i16::from_le_bytes([record[24], record[25]])).collect();
    scores.sort_unstable();
    scores
}

/// A folder with a file `a.epd`.
fn folder(text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.epd"), text).unwrap();
    folder
}

#[test]
fn an_ablation_is_a_table_and_json_whatever_the_jobs() {
    let folder = folder(SUITE);
    let common = ["ablate", "a.epd", "--nodes", "2000", "--jobs"];
    let output = lab(folder.path(), &[&common[..], &["1", "--json", "a.json"]].concat());
    let table = succeeded(&output);
    assert!(table.contains("3 positions of a.epd, at most 2,000 nodes each\n"), "{table}");
    for row in ["| all on ", "| no credit ", "| no credit_singular ", "| no multi_cut "] {
        assert!(table.contains(row), "{row}: {table}");
    }
    let json = fs::read_to_string(folder.path().join("a.json")).unwrap();
    let alone = lab(folder.path(), &[&common[..], &["2", "--json", "-"]].concat());
    assert_eq!(text(&alone.stdout), json);

    let report: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&report["schema"], &report["provenance"]["nodes"]), (&4.into(), &2000.into()));
    assert_eq!(report["positions"][1]["id"], "never");
    let variants = report["variants"].as_array().unwrap();
    assert!(variants.iter().all(|variant| variant["answers"][1]["solved"] == false));
    assert!(variants[0]["p_value"].is_null() && variants[1]["p_value"].is_f64());
    assert!(variants.iter().any(|variant| variant["answers"] != variants[0]["answers"]), "{table}");
}

#[test]
fn comparisons_show_every_choice() {
    let folder = folder(SUITE);
    // Each to an iteration in which the choices make a difference.
    for (experiment, choices, last) in [
        ("aspiration", &["off", "fixed", "gradual", "exponential", "parity"][..], 5),
        ("drivers", &["pvs", "alpha-beta", "mtdf", "sss"], 4),
        ("envelope", &["off", "on"], 9),
    ] {
        let iterations = format!("{}..{last}", last - 2);
        let arguments = [experiment, "a.epd", "--iterations", &iterations, "--no-time", "--jobs", "2"];
        let file = format!("{experiment}.json");
        let output = lab(folder.path(), &[&arguments[..], &["--json", &file]].concat());
        let table = succeeded(&output);
        for choice in choices {
            let rows = table.lines().filter(|line| line.contains(&format!("| {choice} "))).count();
            assert_eq!(rows, 4, "{choice}: {table}");
        }
        let json = fs::read_to_string(folder.path().join(file)).unwrap();
        let report: serde_json::Value = serde_json::from_str(&json).unwrap();
        let told = report["choices"].as_array().unwrap();
        assert_eq!(told.len(), choices.len());
        assert!(told.iter().any(|choice| choice["total"]["nodes"] != told[0]["total"]["nodes"]), "{table}");
        let limited = lab(folder.path(), &[&arguments[..], &["--nodes", "150"]].concat());
        let limits = format!("3 positions of a.epd, at most 150 nodes each, to iteration {last}\n");
        assert!(text(&limited.stdout).contains(&limits), "{limited:?}");
    }
}

#[test]
fn growth_is_a_table_and_json_and_says_whether_the_ceiling_holds() {
    let folder = folder(SUITE);
    let arguments = ["growth", "a.epd", "--depth", "7", "--floor", "100", "--ceiling"];
    let holds = lab(folder.path(), &[&arguments[..], &["100000", "--json", "a.json"]].concat());
    let table = succeeded(&holds);
    assert!(table.contains(" all |") && table.contains("Ceiling: 100000."), "{table}");
    let json = fs::read_to_string(folder.path().join("a.json")).unwrap();
    let report: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&report["ceiling"], &report["provenance"]["depth"]), (&100_000.0.into(), &7.into()));
    assert!(report["iterations"][0]["median"].is_f64() && report["above"].as_array().unwrap().is_empty());
    let exceeded = lab(folder.path(), &[&arguments[..], &["0.5"]].concat());
    assert_eq!(exceeded.status.code(), Some(1));
    assert!(text(&exceeded.stdout).contains("| above the ceiling |"));
}

#[test]
fn depths_are_counted_over_reports_of_the_same_settings() {
    let folder = folder(SUITE);
    let run = |arguments: &[&str]| pacioli().args(arguments).current_dir(folder.path()).output().unwrap();
    let report = ["report", "a.epd", "--iterations", "2..4", "--hash", "1", "--json"];
    assert!(run(&[&report[..], &["a.json"]].concat()).status.success());
    let output = run(&["lab", "depths", "a.json", "--svg", "a.svg"]);
    let table = succeeded(&output);
    assert!(table.contains("\n3 positions, to iteration 4\n") && table.contains("|    4 |         3 |"), "{table}");
    assert!(fs::read_to_string(folder.path().join("a.svg")).unwrap().contains("3 positions"));
    assert!(run(&[&report[..], &["b.json", "--set", "credit=off"]].concat()).status.success());
    let old = fs::read_to_string(folder.path().join("a.json")).unwrap().replace("\"schema\": 4", "\"schema\": 1");
    fs::write(folder.path().join("old.json"), old).unwrap();
    for (files, complaint) in [
        (&["a.json", "b.json"][..], "b.json: searched by Pacioli"),
        (&["a.json", "a.json"], "a.json: has this position a second time"),
        (&["old.json"], "old.json: schema 1, but this program reads 2 to 4"),
        (&["a.epd"], "a.epd: this is a suite in EPD, not JSON of `pacioli report`"),
        (&["none.json"], "cannot read none.json"),
    ] {
        let output = run(&[&["lab", "depths"], files].concat());
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains(complaint), "{}", text(&output.stderr));
    }
}

const GAMES: &str = "\
[White \"Deep Thing\"]
[Black \"Other\"]

1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0

[White \"Other\"]
[Black \"Deep Thing\"]

1. e4 e5 2. Kd4 *
";

#[test]
fn a_match_shows_both_profiles_and_the_moves_asked_for() {
    let folder = folder(SUITE);
    fs::write(folder.path().join("a.pgn"), &GAMES[..GAMES.rfind(" 2. Kd4").unwrap()]).unwrap();
    let arguments = ["match", "a.pgn", "--player", "deep thing", "--depth", "4", "--show", "1.4", "--jobs", "2"];
    let output = lab(folder.path(), &[&arguments[..], &["--json", "a.json"]].concat());
    let table = succeeded(&output);
    assert!(table.contains("deep thing: 5 moves in 2 games, to iteration 4\n"), "{table}");
    assert!(table.contains("Game 1, 4.Qxf7# was played\n") && table.contains("Qxf7# (played)"), "{table}");
    assert!(table.contains("modern profile: ") && table.contains("deep-blue profile: "), "{table}");
    let json = fs::read_to_string(folder.path().join("a.json")).unwrap();
    let report: serde_json::Value = serde_json::from_str(&json).unwrap();
    let moves = report["profiles"][1]["moves"].as_array().unwrap();
    assert_eq!((moves.len(), &moves[3]["same"], &moves[3]["played"]["san"]), (5, &true.into(), &"Qxf7#".into()));
    assert!(moves[0]["iterations"][3]["max_software"].is_i64());
    assert_ne!(report["profiles"][0]["moves"][0]["iterations"], moves[0]["iterations"]);
    let one = lab(folder.path(), &[&arguments[..], &["--profile", "modern"]].concat());
    assert!(!text(&one.stdout).contains("deep-blue"));
    let off = lab(folder.path(), &[&arguments[..], &["--set", "credit=off", "--json", "-"]].concat());
    let off: serde_json::Value = serde_json::from_str(succeeded(&off)).unwrap();
    for profile in off["profiles"].as_array().unwrap() {
        assert_eq!(profile["provenance"]["set"], serde_json::json!(["credit=off"]));
    }
}

#[test]
fn a_refused_game_is_told_and_the_rest_is_run() {
    let folder = folder(SUITE);
    fs::write(folder.path().join("a.pgn"), GAMES).unwrap();
    let output = lab(folder.path(), &["match", "a.pgn", "--player", "Deep", "--nodes", "100"]);
    assert_eq!(output.status.code(), Some(1));
    let error = text(&output.stderr);
    assert!(
        error.starts_with("a.pgn: game 2, White's move 2: `Kd4` is not legal") && error.lines().count() == 1,
        "{error}"
    );
    assert!(text(&output.stdout).contains("Deep: 4 moves in 1 game, 1 refused, at most 100 nodes each\n"));
    for (arguments, part) in [
        (&["match", "a.pgn", "--player", "nobody"][..], "nobody"),
        (&["match", "a.pgn", "--player", "Deep", "--show", "1.9"], "1.9"),
        (&["match", "a.epd", "--player", "Deep"], "not games in PGN"),
        (&["match", "gone.pgn", "--player", "Deep"], "gone.pgn"),
    ] {
        let output = lab(folder.path(), arguments);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(error.lines().last().unwrap().contains(part), "{error}");
    }
    assert_eq!(lab(folder.path(), &["match", "a.pgn", "--player", "Deep", "--show", "x"]).status.code(), Some(2));
    assert_eq!(lab(folder.path(), &["growth", "a.epd", "--ceiling", "-1"]).status.code(), Some(2));
}

#[test]
fn a_refused_line_is_told_and_the_rest_is_run() {
    let folder = folder(&format!("{SUITE}nonsense\n"));
    let output = lab(folder.path(), &["ablate", "a.epd", "--nodes", "100"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output.stderr), "a.epd:4:2: `o` is not a piece\n");
    assert!(text(&output.stdout).contains("3 positions of a.epd, 1 line refused, "));
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

#[test]
fn data_are_the_same_whatever_the_jobs_and_the_interruptions() {
    let folder = folder("");
    let datagen = |file: &str, games: &str, more: &[&str]| {
        let arguments = ["datagen", file, "--games", games, "--nodes", "300", "--seed", "5"];
        lab(folder.path(), &[&arguments[..], more].concat())
    };
    let output = datagen("whole", "6", &[]);
    assert!(succeeded(&output).starts_with("whole: 6 games, "));
    let whole = fs::read(folder.path().join("whole")).unwrap();
    assert_eq!(whole.len() % 4, 0);

    // Three games, the beginning of a fourth, and the rest with two jobs.
    datagen("parts", "3", &["--jobs", "2"]);
    let path = folder.path().join("parts");
    let begun = fs::read(&path).unwrap();
    assert!(whole.starts_with(&begun) && begun.len() < whole.len());
    fs::write(&path, &whole[..begun.len() + 40]).unwrap();
    assert_eq!(datagen("parts", "6", &["--jobs", "2"]).status.code(), Some(0));
    assert!(fs::read(&path).unwrap() == whole, "an interrupted file differs");

    let other = datagen("parts", "6", &["--random-plies", "7"]);
    assert_eq!(other.status.code(), Some(2));
    assert!(text(&other.stderr).starts_with("error: parts: begun with another number of random plies than now"));
    assert!(fs::read(&path).unwrap() == whole, "a rejected file was changed");
    fs::write(&path, "something else").unwrap();
    assert_eq!(datagen("parts", "6", &[]).status.code(), Some(2));
    assert_eq!(fs::read(&path).unwrap(), b"something else");
}

#[test]
fn a_part_is_given_once() {
    let folder = folder("");
    let common = ["datagen", "--games", "6", "--nodes", "20"];
    assert!(lab(folder.path(), &[&common[..], &["part", "--shard", "1/2"]].concat()).status.success());
    let output = lab(folder.path(), &[&common[..], &["whole", "--parts", "part", "part"]].concat());
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(text(&output.stderr), "error: part: part 1/2 of the games was already given\n");
    let output = lab(folder.path(), &[&common[..], &["whole", "--parts", "part"]].concat());
    assert_eq!(output.status.code(), Some(2));
    let error = "error: part: it is part 1/2 of the games, with 1 file given: all parts are expected\n";
    assert_eq!(text(&output.stderr), error);
    let output = lab(folder.path(), &[&common[..], &["whole", "--parts", "part", "none"]].concat());
    assert_eq!(output.status.code(), Some(2));
    let error = text(&output.stderr);
    assert!(error.starts_with("error: none: ") && !error.contains("journal"), "{error}");
    // That the fifth is played, although a part has it, is said; the games are those of one run.
    let short = ["datagen", "short", "--games", "2", "--nodes", "20", "--shard", "2/2"];
    assert!(lab(folder.path(), &short).status.success());
    let output = lab(folder.path(), &[&common[..], &["whole", "--parts", "part", "short"]].concat());
    let said = "short: it ends before game 4 of 6; all from there on are played, even those of other parts\n";
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), said));
    assert!(lab(folder.path(), &[&common[..], &["alone"]].concat()).status.success());
    let games = |name: &str| fs::read(folder.path().join(name)).unwrap();
    assert_eq!(games("whole"), games("alone"));
}

#[test]
fn positions_are_taken_out_of_data() {
    let folder = folder("");
    let run = |arguments: &str| {
        let arguments = arguments.split(' ');
        pacioli().current_dir(folder.path()).arg("lab").args(arguments).output().unwrap()
    };
    run("datagen one --games 6 --nodes 100 --hash 1 --chess960-percent 50");
    run("datagen two --games 3 --nodes 100 --seed 2 --hash 1");
    let output = run("positions out one two");
    let scaled =
        "made without `--set material_scaling=off`: a network would learn the scaling, and it would count twice";
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(text(&output.stderr), format!("one: {scaled}\ntwo: {scaled}\n"));
    // Thousands are set apart by commas.
    let told: Vec<u64> =
        text(&output.stdout).replace(',', "").split(' ').filter_map(|word| word.parse().ok()).collect();
    let [games, positions, kept, left_out @ ..] = &told[..] else { panic!("{output:?}") };
    assert_eq!((*games, *positions), (9, kept + left_out.iter().sum::<u64>()));
    let read = || fs::read(folder.path().join("out")).unwrap();
    let records = read();
    assert_eq!(records.len() as u64, 32 * kept);

    // Existing files are kept, unless told otherwise; another seed gives another order.
    let again = run("positions out one two --seed 2");
    assert_eq!(again.status.code(), Some(2));
    assert!(text(&again.stderr).contains("--force") && read() == records);
    run("positions out one two --seed 2 --force");
    let sorted = |bytes: &[u8]| {
        let mut records = bytes.as_chunks::<32>().0.to_vec();
        records.sort_unstable();
        records
    };
    assert!(read() != records && sorted(&read()) == sorted(&records));

    // So do other successors.
    let evaluated = |seed: u8| {
        succeeded(&run(&format!("positions near two --evaluated-successors 1 --seed {seed} --force")));
        sorted(&fs::read(folder.path().join("near")).unwrap())
    };
    assert!(evaluated(1) == evaluated(1) && evaluated(1) != evaluated(2));

    // Finished games are searched again, and so are some of their positions and what follows them.
    succeeded(&run("datagen seen --games 3 --nodes 100 --seed 2 --hash 1 --review 400"));
    let data = |name: &str| fs::read(folder.path().join(name)).unwrap();
    assert!(data("seen").len() == data("two").len() && data("seen") != data("two"), "the same moves, other scores");
    assert!(text(&data("seen.journal")).contains("\"review\":400,"));
    let output = run("datagen beside --again two --per-game 1 --successors 3 --nodes 1 --hash 1");
    let games = succeeded(&output).split(' ').nth(1).unwrap().parse::<u32>().unwrap();
    assert!((4..=9).contains(&games), "{output:?}");

    // Half a game at the end is skipped and reported.
    let bytes = fs::read(folder.path().join("two")).unwrap();
    fs::write(folder.path().join("cut"), &bytes[..bytes.len() - 10]).unwrap();
    let output = run("positions few cut");
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stdout).starts_with("few: 2 games, "), "{output:?}");
    assert!(text(&output.stderr).starts_with("cut: ") && text(&output.stderr).contains("unfinished"), "{output:?}");
    let output = run("positions few cut --force --skip-plies 1000");
    assert_eq!(output.status.code(), Some(2));
    // Nor is a journal of the data overwritten.
    let output = run("positions two.journal two --force");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(text(&output.stderr), "error: two.journal would overwrite an input or another output\n");
    let output = run("positions - two --force");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(text(&output.stderr), "error: `-`: positions are not written to standard output; name a file\n");
    assert!(!folder.path().join("-").exists());
    // Three games alone need not determine winning chances.
    assert!(run("wdl one two").stdout.starts_with(b"9 games "));
    // What is in another file once more counts once.
    let output = run("wdl one two cut");
    assert!(text(&output.stdout).starts_with("9 games (2 played again, 0 left out), "), "{output:?}");
    assert!(text(&output.stderr).starts_with("cut: ") && text(&output.stderr).contains("unfinished"), "{output:?}");
    // Nor do scores in other units, or of other games, go into a fit in silence.
    run("datagen own --games 3 --nodes 100 --seed 3 --hash 1 --set material_scaling=off");
    succeeded(&run("positions learned own"));
    run("datagen again --again one --games 5 --nodes 100 --hash 1");
    let output = run("wdl one two own again");
    let told = "own: scores with material_scaling=off, which are not those of UCI and of matches\n\
                again: nothing from 5 games of a single position, as of `lab datagen --again`\n";
    assert!(text(&output.stderr).starts_with(told), "{output:?}");
    let output = run("tune one again --out new.rs --epochs 0");
    assert_eq!(text(&output.stderr), "again: nothing from 5 games of a single position, as of `lab datagen --again`\n");
    let output = run("datagen once --again one --per-game 1 --nodes 1 --hash 1");
    assert_eq!(text(&output.stdout), "once: 6 games, 6 positions\n");
    let output = run("datagen twice --again cut --per-game 1 --nodes 1 --hash 1");
    assert_eq!(text(&output.stdout), "twice: 2 games, 2 positions\n");
    assert!(text(&output.stderr).starts_with("cut: ") && text(&output.stderr).contains("unfinished"), "{output:?}");
    // A position alone is not the beginning of its game.
    let output = run("positions alone again --skip-plies 4");
    assert!(text(&output.stdout).contains(" kept; 0 early, "), "{output:?}");
}

#[test]
fn positions_are_taken_out_of_matches_too() {
    // Of the second game a move cannot be played; the third has no result.
    let folder = folder("");
    let pgn = "[Result \"1-0\"]\n\n1. e4 {+0.30/5 0s} e5 {-0.25/5 0s} 2. Nf3 {book} Nc6 {-0.31/9 0s} 1-0\n\n\
               [Result \"1-0\"]\n\n1. e4 {+0.30/5 0s} Ke4 1-0\n\n\
               [Result \"*\"]\n\n1. d4 {+0.30/5 0s} *\n";
    fs::write(folder.path().join("match.pgn"), pgn).unwrap();
    let run = |arguments: &[&str]| {
        pacioli().current_dir(folder.path()).args(["lab", "positions", "out"]).args(arguments).output().unwrap()
    };
    let output = run(&["match.pgn"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stdout).starts_with("out: 2 games, 3 positions, 3 kept; "), "{output:?}");
    let record = fs::read_to_string(folder.path().join("out.json")).unwrap();
    let record: serde_json::Value = serde_json::from_str(&record).unwrap();
    assert_eq!(record["sources"][0]["bytes"], pgn.len());
    assert!(text(&output.stderr).contains("match.pgn: game 2, Black's move 1: "), "{output:?}");
    assert!(text(&output.stderr).contains("match.pgn: nothing from 1 of 2 games, without a result, or "), "{output:?}");
    let lost_on_time = "[Result \"0-1\"]\n[Termination \"time forfeit\"]\n\n1. e4 {+9.50/9 0s} 0-1\n\n";
    fs::write(folder.path().join("time.pgn"), lost_on_time).unwrap();
    let late = run(&["match.pgn", "time.pgn", "--force"]);
    assert!(text(&late.stdout).starts_with("out: 3 games, 3 positions, 3 kept; "), "{late:?}");
    let why = "time.pgn: nothing from 1 of 1 games, without a result, or decided off the board (`Termination`), or ";
    assert!(text(&late.stderr).contains(why), "{late:?}");
    let fit = pacioli().current_dir(folder.path()).args(["lab", "wdl", "match.pgn"]).output().unwrap();
    let [told, again] = [&output, &fit].map(|output| text(&output.stderr));
    assert!(again.starts_with(told) && again.contains("do not determine winning chances"), "{again}");
    let scores = || scores(&folder.path().join("out"));
    assert_eq!(scores(), [-31, -25, 30]);
    assert_eq!(run(&["match.pgn", "--force", "--lookahead", "50"]).status.code(), Some(0));
    assert_eq!(scores(), [-241, -124, 76]);
    let output = run(&["match.pgn", "--force", "--max-score", "28"]);
    assert!(text(&output.stdout).contains(" 1 kept; 0 early, 0 in check, 0 noisy, 2 out of range, "), "{output:?}");
    let output = run(&["match.pgn", "--force", "--evaluated-successors", "2"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stdout).starts_with("out: 2 games, 9 positions, "), "{output:?}");
    // No score is too large to be out of range.
    let pgn = "[Result \"1-0\"]\n\n1. e4 {-30000000/1 0s} e5 {+30000000/1 0s} 2. Nf3 {+0.30/5 0s} 1-0\n";
    fs::write(folder.path().join("huge.pgn"), pgn).unwrap();
    let output = run(&["huge.pgn", "--force"]);
    assert_eq!(output.status.code(), Some(0));
    let kept = "out: 1 games, 3 positions, 1 kept; 0 early, 0 in check, 0 noisy, 2 out of range, 0 duplicates\n";
    assert_eq!(text(&output.stdout), kept);
}

#[test]
fn what_scores_count_for_by_material_is_taken_out_of_matches_if_asked_for() {
    let folder = folder("");
    // A queen and seven pawns against two rooks and six; then so few pieces that no network was asked.
    let pgn = "[FEN \"2r2rk1/1pp2ppp/p7/8/8/8/PPPPQPPP/6K1 w - - 0 1\"]\n[Result \"1-0\"]\n\n\
               1. d3 {+3.00/9 0s} h6 {-3.10/9 0s} 2. h3 {+M9/9 0s} 1-0\n\n\
               [FEN \"8/5k2/8/8/8/2K5/4P3/8 b - - 0 1\"]\n[Result \"1/2-1/2\"]\n\n1... Ke6 {-1.00/9 0s} 1/2-1/2\n";
    fs::write(folder.path().join("match.pgn"), pgn).unwrap();
    lab(folder.path(), &["datagen", "data", "--games", "1", "--nodes", "20"]);
    let run = |out: &str, arguments: &[&str]| {
        let command = [&["positions", out][..], arguments].concat();
        let output = pacioli().current_dir(folder.path()).arg("lab").args(command).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let record = fs::read(folder.path().join(format!("{out}.json"))).unwrap();
        let scores: Vec<i32> = scores(&folder.path().join(out)).into_iter().map(i32::from).collect();
        (scores, serde_json::from_slice::<serde_json::Value>(&record).unwrap())
    };
    let (as_told, record) = run("told", &["match.pgn"]);
    assert_eq!((as_told, record.get("undo_material_scaling")), (vec![-310, -100, 300], None));
    let params = Params::default();
    let undone = |score: i32| score * 1024 / (params.material_scale_base + params.material_scale_unit * 32);
    let (own, record) = run("own", &["match.pgn", "--undo-material-scaling"]);
    assert_eq!((own, &record["undo_material_scaling"]), (vec![undone(-310), -100, undone(300)], &true.into()));
    assert!(undone(300) > 320, "{}", undone(300));
    // Journals say what is in the scores of data files, which stay.
    assert_eq!(run("data.out", &["data"]).0, run("data.own", &["data", "--undo-material-scaling"]).0);
}

#[test]
fn tuning_lowers_the_loss_and_writes_source() {
    let folder = folder("");
    lab(folder.path(), &["datagen", "data", "--games", "24", "--nodes", "200"]);
    let tune = |more: &[&str]| {
        let mut command = pacioli();
        command.current_dir(folder.path()).args(["lab", "tune", "data"]).args(more).output().unwrap()
    };
    let output = tune(&["--out", "new.rs", "--epochs", "5"]);
    let summary = succeeded(&output);
    let training = |name: &str| -> f64 {
        let line = summary.lines().find(|line| line.starts_with(name)).unwrap();
        line[name.len()..].split_whitespace().next().unwrap().parse().unwrap()
    };
    assert!(training("loss after:") < training("loss before:"), "{summary}");
    let again = tune(&["--out", "-", "--epochs", "5", "--jobs", "3"]);
    let source = fs::read_to_string(folder.path().join("new.rs")).unwrap();
    assert_eq!(text(&again.stdout), format!("{source}{summary}"));
    for other in [["--score-share", "100"], ["--prior", "1"]] {
        let output = tune(&[&["--out", "-", "--epochs", "5"][..], &other].concat());
        assert!(output.status.success(), "{output:?}");
        assert!(!text(&output.stdout).starts_with(&source), "{other:?} changes nothing");
    }

    // Without a step the current weights come out as they are in the repository.
    tune(&["--out", "same.rs", "--epochs", "0"]);
    let same = fs::read_to_string(folder.path().join("same.rs")).unwrap();
    let values = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/params/weights/values.rs");
    assert_eq!(same, fs::read_to_string(values).unwrap());

    fs::write(folder.path().join("data"), "PACIOLI1 but then nothing of use to anybody").unwrap();
    let output = tune(&["--out", "new.rs"]);
    assert_eq!(output.status.code(), Some(2));
    let told = text(&output.stderr);
    let [left_out, fault] = told.lines().collect::<Vec<_>>()[..] else { panic!("{told}") };
    assert!(left_out.ends_with(" bytes of an unfinished game at the end"), "{told}");
    assert!(fault.starts_with("error: too few quiet positions"), "{told}");
}

#[test]
fn theory_is_a_table_of_what_games_share() {
    let folder = folder("");
    let games = "1. e4 e5 2. Nf3 *\n\n1. e4 c5 *\n\n[FEN \"8/8/4k3/8/8/3K4/8/R7 w - - 0 1\"]\n\n1. Ra6+ *\n";
    fs::write(folder.path().join("a.pgn"), games).unwrap();
    let run = |least| {
        let arguments = ["lab", "theory", "a.pgn", "--least", least];
        pacioli().current_dir(folder.path()).args(arguments).output().unwrap()
    };
    let output = run("1");
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(1), "e4 ( c5 ) e5 Nf3\n"));
    assert_eq!(text(&output.stderr), "2 games, 4 positions, 1 left out\n");
    assert_eq!(text(&run("2").stdout), "e4\n");
}
