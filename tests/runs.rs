//! `pacioli solve` over many positions: with several jobs, in parts, interrupted and resumed, with other engines; and
//! `merge` and `compare`, which read its files.

use std::fs;
use std::path::Path;
use std::process::Command;
#[cfg(unix)]
use std::process::Stdio;
use std::time::{Duration, Instant};

#[cfg(unix)]
use crate::common::process::{interrupt, write_engine, write_script};
use crate::common::process::{run_in as pacioli, succeeded, text};

/// Some positions to search, of no particular difficulty: runs are compared with each other.
fn suite() -> String {
    let positions = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - bm Bxa6; c0 \"Bxa6=10, O-O=3\";",
        "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+;",
        "k7/8/1K6/8/8/8/8/8 b - - am Kb8;",
        "6k1/5ppp/8/8/8/8/4P3/R3K3 w Q - dm 1;",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - bm g3+;",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - am Bxf6;",
        "6k1/5ppp/8/8/8/8/8/RR2K3 w - - bm Rb8#;",
    ];
    let lines = positions.iter().enumerate().map(|(index, line)| format!("{line} id \"p.{index}\";\n"));
    format!("# comment\n{}rubbish\n8/8/8/8/8/5k2/5p2/5K2 b - - id \"bare\";\n", lines.collect::<String>())
}

const POSITIONS: usize = 7;
const PROGRAM: &str = env!("CARGO_BIN_EXE_pacioli");

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.epd"), suite()).unwrap();
    folder
}

/// Runs a command that must succeed, and returns its standard output.
fn done(folder: &Path, arguments: &str) -> String {
    done_with(folder, arguments, &[])
}

/// The same with more arguments, which may have spaces in them.
fn done_with(folder: &Path, arguments: &str, more: &[&str]) -> String {
    let mut command = Command::new(PROGRAM);
    let output = command.current_dir(folder).args(arguments.split_whitespace()).args(more).output().unwrap();
    assert!(matches!(output.status.code(), Some(0 | 1)), "{arguments}: {}", text(&output.stderr));
    text(&output.stdout).to_owned()
}

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap()
}

#[test]
fn the_number_of_jobs_changes_no_byte_of_any_output() {
    let folder = folder();
    let run = |jobs: &str| {
        let files = "--json r.jsonl --csv r.csv --junit r.xml --epd r.epd --html r.html";
        let out = done(folder.path(), &format!("solve a.epd --nodes 2000 --hash 1 --jobs {jobs} --force {files}"));
        let files = ["r.jsonl", "r.csv", "r.xml", "r.epd", "r.html"].map(|name| read(folder.path(), name));
        (out, files)
    };
    let first = run("1");
    assert!(first.1[0].lines().count() == POSITIONS + 2 && !first.1[0].contains("time_ms"), "{}", first.1[0]);
    for jobs in ["1", "2", "5"] {
        assert_eq!(run(jobs), first, "{jobs} jobs");
    }
}

#[test]
fn times_are_kept_where_asked_for_or_where_time_is_the_limit() {
    let folder = folder();
    for (limit, expected) in [("--depth 2", false), ("--depth 2 --times", true), ("--movetime 1", true)] {
        let json = done(folder.path(), &format!("solve a.epd {limit} --hash 1 --json -"));
        assert_eq!(json.contains("\"time_ms\""), expected, "{limit}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn the_table_that_was_used_is_recorded() {
    let folder = folder();
    let output = pacioli(folder.path(), "solve a.epd --depth 1 --hash 1048576 --json r.jsonl");
    let run: serde_json::Value = serde_json::from_str(read(folder.path(), "r.jsonl").lines().next().unwrap()).unwrap();
    // Unless there is memory for the table, another size is used, and said; elsewhere the memory may be granted, and the
    // program killed when it is used.
    let said = text(&output.stderr).split_once("; using ").map_or("1048576", |(_, used)| used);
    let used: u64 = said.split(' ').next().unwrap().parse().unwrap();
    assert_eq!(run["provenance"]["hash_mb"], used, "{output:?}");
}

#[test]
fn merged_parts_are_the_whole_run() {
    let folder = folder();
    let whole = done(folder.path(), "solve a.epd --nodes 2000 --hash 1 --json whole.jsonl --csv whole.csv");
    for part in 1..=3 {
        done(folder.path(), &format!("solve a.epd --nodes 2000 --hash 1 --shard {part}/3 --json {part}.jsonl"));
    }
    let merged = done(folder.path(), "merge 3.jsonl 1.jsonl 2.jsonl --json merged.jsonl --csv merged.csv");
    assert_eq!(merged, whole);
    assert_eq!(read(folder.path(), "merged.jsonl"), read(folder.path(), "whole.jsonl"));
    assert_eq!(read(folder.path(), "merged.csv"), read(folder.path(), "whole.csv"));
    let incomplete = pacioli(folder.path(), "merge 1.jsonl 2.jsonl");
    assert_eq!(incomplete.status.code(), Some(1));
    assert!(text(&incomplete.stdout).contains("incomplete: 2 positions of 7 not done"), "{incomplete:?}");
    done(folder.path(), "solve a.epd --depth 1 --hash 1 --shard 1/3 --json other.jsonl");
    let apart = pacioli(folder.path(), "merge 1.jsonl other.jsonl");
    assert!(text(&apart.stdout).contains("engine 2: "), "other settings are another run");
    assert!(text(&apart.stderr).contains("(nodes none, depth 1) are different runs and stay apart"), "{apart:?}");
    fs::write(folder.path().join("a.epd"), suite().replace("bm Bxa6", "bm O-O")).unwrap();
    done(folder.path(), "solve a.epd --nodes 2000 --hash 1 --shard 1/3 --json edited.jsonl");
    let apart = pacioli(folder.path(), "merge edited.jsonl 2.jsonl");
    assert!(text(&apart.stderr).contains("(suites of checksum "), "a suite that was edited is another: {apart:?}");
    // Parts by programs of different commits go together, and it is said.
    for (name, commit) in [("1.jsonl", "abc"), ("2.jsonl", "def")] {
        let part = read(folder.path(), name);
        let (run, results) = part.split_once('\n').unwrap();
        let mut run: serde_json::Value = serde_json::from_str(run).unwrap();
        run["provenance"]["commit"] = commit.into();
        fs::write(folder.path().join(name), format!("{run}\n{results}")).unwrap();
    }
    let merged = pacioli(folder.path(), "merge 1.jsonl 2.jsonl");
    let told = "2.jsonl: begun by a program of another commit, def, which may search otherwise\n";
    assert!(text(&merged.stderr).ends_with(told) && !text(&merged.stdout).contains("engine 2: "), "{merged:?}");
}

#[test]
fn an_engine_that_takes_part_twice_has_two_runs_after_merging_too() {
    let folder = folder();
    let solve = |more: &str| {
        let arguments = format!("solve a.epd --depth 1 --hash 1 --peers-only {more}");
        done_with(folder.path(), &arguments, &["--engine", PROGRAM, "--engine", PROGRAM])
    };
    let whole = solve("--json whole.jsonl");
    for part in 1..=2 {
        solve(&format!("--shard {part}/2 --json {part}.jsonl"));
    }
    let merged = pacioli(folder.path(), "merge 2.jsonl 1.jsonl --json merged.jsonl");
    assert!(text(&merged.stdout) == whole && !text(&merged.stderr).contains("stay apart"), "{merged:?}");
    assert_eq!(read(folder.path(), "merged.jsonl"), read(folder.path(), "whole.jsonl"));
}

#[test]
fn bad_input_is_one_line() {
    let folder = folder();
    fs::write(folder.path().join("x.jsonl"), "{\"type\":\"run\"}\n").unwrap();
    for arguments in [
        "merge gone.jsonl",
        "merge x.jsonl",
        "merge a.epd",
        "merge",
        "compare a.epd a.epd",
        "compare x.jsonl",
        "solve a.epd --shard 3/2",
        "solve a.epd --jobs 0",
        "solve a.epd --resume",
        "solve a.epd --engine no-such-engine-anywhere",
        "solve a.epd --engine-option Hash=1",
        "solve a.epd --peers-only",
        "solve a.epd --peers-only --engine no-such-engine-anywhere --set credit=off",
        "lint a.epd --nodes x",
    ] {
        let output = pacioli(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments}");
        let lines: Vec<&str> = text(&output.stderr).lines().filter(|line| !line.starts_with("a.epd:")).collect();
        assert_eq!(lines.len(), 1, "{arguments}: {lines:?}");
    }
}

#[test]
fn a_run_that_broke_off_is_taken_up() {
    let folder = folder();
    let solve = "solve a.epd --nodes 2000 --hash 1 --json r.jsonl";
    let out = done(folder.path(), solve);
    let whole = read(folder.path(), "r.jsonl");
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    // Cut within the fourth result, and with results in another order.
    let cut = format!("{}{}{}{}{}", lines[0], lines[3], lines[1], lines[2], &lines[4][..50]);
    fs::write(folder.path().join("r.jsonl"), cut).unwrap();
    assert_eq!(done(folder.path(), &format!("{solve} --resume --jobs 2")), out);
    assert_eq!(read(folder.path(), "r.jsonl"), whole);
    // Nothing is left to do; and existing results are not recomputed, even if they differ from what would come out.
    let marked =
        whole.replacen("\"theme\":\"p\"", "\"theme\":\"marked\"", 1).replace("\"name\":\"p\"", "\"name\":\"marked\"");
    fs::write(folder.path().join("r.jsonl"), &marked).unwrap();
    assert!(done(folder.path(), &format!("{solve} --resume")).contains("marked"));
    // A file of another run is not overwritten.
    for (arguments, reason) in [
        (
            "solve a.epd --nodes 3000 --hash 1 --json r.jsonl --resume",
            "r.jsonl: a run with another number of nodes than",
        ),
        ("solve a.epd --nodes 2000 --hash 1 --json r.jsonl --resume --shard 1/2", "another part of the positions"),
        ("solve a.epd a.epd --nodes 2000 --hash 1 --json r.jsonl --resume", "other suites"),
    ] {
        let output = pacioli(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains(reason), "{output:?}");
    }
    assert_eq!(read(folder.path(), "r.jsonl"), marked);
    fs::write(folder.path().join("a.epd"), suite().replace("p.0", "q.0").replace("bm Bxa6", "bm O-O")).unwrap();
    assert_eq!(pacioli(folder.path(), &format!("{solve} --resume")).status.code(), Some(2));
    // Without a file there is nothing to resume.
    let fresh = done(folder.path(), "solve a.epd --nodes 2000 --hash 1 --json fresh.jsonl --resume");
    assert!(fresh.contains("solved "));
}

#[test]
#[cfg(unix)]
fn ctrl_c_keeps_what_is_done_and_the_run_can_be_taken_up() {
    let folder = folder();
    let written = || fs::read_to_string(folder.path().join("r.jsonl")).unwrap_or_default();
    let is_result = |line: &str| line.starts_with("{\"type\":\"position\"");
    // The mates and the only moves are done at once; the others would take minutes.
    let endless = "solve a.epd --movetime 60000 --hash 1 --json r.jsonl --jobs 2 --resume";
    let mut kept: Vec<String> = Vec::new();
    for _ in 0..2 {
        let before = written();
        let mut command = Command::new(PROGRAM);
        command.current_dir(folder.path()).args(endless.split_whitespace());
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let deadline = Instant::now() + Duration::from_secs(60);
        while !(written().len() > before.len() && written().lines().any(is_result)) && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(20));
        }
        interrupt(&child);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(3));
        assert!(text(&output.stderr).contains("interrupted: --resume continues"), "{output:?}");
        assert!(text(&output.stdout).contains("incomplete: "), "{output:?}");
        let lines = written();
        assert!(lines.contains("\"complete\":false"), "{lines}");
        let results: Vec<String> = lines.lines().filter(|line| is_result(line)).map(str::to_owned).collect();
        assert!(!results.is_empty() && kept.iter().all(|line| results.contains(line)), "{lines}");
        kept = results;
    }
}

/// The results of each run in a JSON Lines file.
fn runs_in(lines: &str) -> Vec<Vec<serde_json::Value>> {
    let mut runs: Vec<Vec<serde_json::Value>> = Vec::new();
    for line in lines.lines() {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        match value["type"].as_str().unwrap() {
            "run" => runs.push(Vec::new()),
            "position" => runs.last_mut().unwrap().push(value),
            _ => {}
        }
    }
    runs
}

#[test]
fn another_engine_is_judged_by_the_same_rules() {
    // The same program run as another engine gives the same results as internally, except for its provenance.
    let folder = folder();
    let engines = ["--engine", PROGRAM, "--engine", PROGRAM, "--engine-option", "Profile=deep-blue"];
    let out = done_with(folder.path(), "solve a.epd --depth 5 --hash 1 --jobs 2 --json r.jsonl", &engines);
    assert!(out.contains("engine 3: "), "{out}");
    let mut runs = runs_in(&read(folder.path(), "r.jsonl"));
    assert_eq!(runs.iter().map(Vec::len).collect::<Vec<_>>(), [POSITIONS; 3]);
    // The other profile internally, which the engine was given as an option.
    done(folder.path(), "solve a.epd --depth 5 --hash 1 --profile deep-blue --json within.jsonl");
    runs.extend(runs_in(&read(folder.path(), "within.jsonl")));
    let told = |run: &[serde_json::Value]| -> Vec<Vec<serde_json::Value>> {
        let fields = ["played", "score", "solved", "solution", "first_seen", "left_again", "points", "iteration"];
        run.iter().map(|result| fields.map(|field| result[field].clone()).to_vec()).collect()
    };
    let nodes = |run: &[serde_json::Value]| run.iter().map(|r| r["nodes"].as_u64().unwrap()).sum::<u64>();
    for (within, other) in [(0, 1), (3, 2)] {
        assert_eq!(told(&runs[within]), told(&runs[other]));
        assert_eq!(nodes(&runs[within]), nodes(&runs[other]));
    }
    // A file with several runs is compared within itself.
    let compared = done(folder.path(), "compare r.jsonl");
    assert_eq!(compared.matches("7 positions in both").count(), 2, "{compared}");
    assert!(!compared.contains("r.jsonl"), "{compared}");
    // Of two files, each run's is named.
    let compared = done(folder.path(), "compare r.jsonl within.jsonl");
    let names: Vec<&str> = compared.lines().filter(|line| line.starts_with("A: ") || line.starts_with("B: ")).collect();
    assert!(names.len() == 6 && names.iter().all(|name| name.ends_with(".jsonl)")), "{compared}");
}

#[test]
fn rules_end_the_search_of_another_engine_too() {
    let folder = folder();
    fs::write(folder.path().join("b.epd"), "k7/8/1K2p3/8/8/8/8/8 b - - bm e5; id \"only\";\n").unwrap();
    let start = Instant::now();
    let arguments = "solve b.epd --movetime 120000 --rule seen --hash 1 --peers-only";
    let out = done_with(folder.path(), arguments, &["--engine", PROGRAM]);
    assert!(out.contains("solved 1 of 1") && start.elapsed() < Duration::from_secs(60), "{out}");
}

#[test]
#[cfg(unix)]
fn an_engine_that_breaks_down_ends_the_run_and_what_is_done_is_kept() {
    let folder = folder();
    // It answers three times, and exits.
    let script = "#!/bin/sh\nn=0\nwhile read -r line; do case \"$line\" in\n\
                  uci) echo 'id name Faint'; echo uciok;;\n isready) echo readyok;;\n\
                  go*) n=$((n+1)); [ $n = 4 ] && exit 3; echo 'info depth 1 score cp 5 nodes 9 pv a7a8'; echo 'bestmove 0000';;\n\
                  quit) exit;; esac; done\n";
    let path = folder.path().join("faint");
    write_script(&path, script);
    // A file in the current folder is found without its path.
    let output = pacioli(folder.path(), "solve a.epd --nodes 9 --hash 1 --engine faint --peers-only --json r.jsonl");
    assert_eq!(output.status.code(), Some(2));
    let error = text(&output.stderr);
    assert!(error.ends_with("error: engine `faint` ended while searching p.3\n"), "{error}");
    assert!(
        text(&output.stdout).contains("solved 0 of 3") && text(&output.stdout).contains("4 positions of 7 not done")
    );
    assert_eq!(read(folder.path(), "r.jsonl").matches("\"type\":\"position\"").count(), 3);
    // If two do, both are told.
    let both = pacioli(folder.path(), "solve a.epd --nodes 9 --engine faint --engine ./faint --peers-only");
    let error = text(&both.stderr);
    for engine in ["faint", "./faint"] {
        assert!(error.contains(&format!("error: engine `{engine}` ended while searching")), "{error}");
    }
    let silent = pacioli(folder.path(), "solve a.epd --nodes 9 --engine ./faint --engine-option Skill=3");
    assert!(text(&silent.stderr).ends_with("error: engine `./faint` has no option `Skill`\n"), "{silent:?}");
    // Another one answers with what is no move, and declares what its option takes.
    let wrong = script
        .replace("echo uciok", "echo 'option name Skill type spin default 1 min 0 max 9'; echo uciok")
        .replace("bestmove 0000", "bestmove e9e9");
    fs::write(&path, wrong).unwrap();
    let run = |more: &str| {
        let output = pacioli(folder.path(), &format!("solve a.epd --nodes 9 --engine ./faint --peers-only{more}"));
        assert_eq!(output.status.code(), Some(2));
        text(&output.stderr).to_owned()
    };
    let error = run(" --engine-option Skill=10");
    assert!(error.ends_with("error: engine `./faint` does not take `10` for its option `Skill`: 0 to 9\n"), "{error}");
    let error = run(" --engine-option Skill=9");
    assert!(error.ends_with("answers `e9e9` while searching p.0, which is no legal move\n"), "{error}");
}

#[test]
#[cfg(unix)]
fn a_run_interrupted_before_its_first_result_replaces_no_others() {
    let folder = folder();
    done(folder.path(), "solve a.epd --depth 1 --hash 1 --json r.jsonl --csv r.csv");
    let before = [read(folder.path(), "r.jsonl"), read(folder.path(), "r.csv")];
    // The interrupt comes while the other engine starts, or during its first search.
    let interrupted = |at_start: &str, at_go: &str| {
        let script = format!(
            "#!/bin/sh\n{at_start}\nwhile read -r line; do case \"$line\" in\n\
             uci) echo uciok;;\n isready) echo readyok;;\n go*) {at_go};;\n\
             stop) echo 'bestmove 0000';;\n quit) exit;; esac; done\n"
        );
        write_script(&folder.path().join("slow"), script);
        let run = "solve a.epd --depth 2 --hash 1 --engine ./slow --peers-only --json r.jsonl --csv r.csv --force";
        let output = pacioli(folder.path(), run);
        assert_eq!(output.status.code(), Some(3), "{output:?}");
        text(&output.stderr).lines().last().unwrap().to_owned()
    };
    const INTERRUPT: &str = "kill -INT $PPID; sleep 1";
    assert_eq!(interrupted(INTERRUPT, "exit"), "interrupted");
    assert_eq!([read(folder.path(), "r.jsonl"), read(folder.path(), "r.csv")], before);
    // A journal has begun by then.
    assert_eq!(interrupted("", INTERRUPT), "interrupted: --resume continues");
    assert_eq!(read(folder.path(), "r.csv"), before[1]);
}

#[test]
#[cfg(target_os = "linux")]
fn under_nohup_the_end_of_the_terminal_ends_no_run() {
    let folder = folder();
    fs::write(folder.path().join("mates.epd"), "7k/R7/6K1/8/8/8/8/8 w - - bm Ra8#;\n".repeat(2)).unwrap();
    let code_after = |signal: &str| {
        let mate = "echo 'info depth 1 score mate 1 nodes 5 pv a7a8'; echo 'bestmove a7a8'";
        write_engine(&folder.path().join("slow"), &format!("kill -{signal} $PPID; sleep 0.5; {mate}"));
        // As `nohup` has the one ignored, and a script the other by what it runs in the background.
        let mut command = Command::new("sh");
        command.args(["-c", "trap '' HUP INT; exec \"$@\"", "sh", PROGRAM]).current_dir(folder.path());
        let run = "solve mates.epd --depth 1 --engine ./slow --peers-only";
        command.args(run.split(' ')).output().unwrap().status.code()
    };
    assert_eq!(["HUP", "INT", "TERM"].map(code_after), [Some(0), Some(3), Some(3)]);
}

#[test]
#[cfg(unix)]
fn an_engines_nodes_are_those_of_the_whole_search() {
    let folder = folder();
    fs::write(folder.path().join("mates.epd"), "7k/R7/6K1/8/8/8/8/8 w - - bm Ra8#;\n".repeat(3)).unwrap();
    const SOLVE: &str = "solve mates.epd --nodes 900 --engine ./other --peers-only --json r.jsonl";
    let told = |score: &str| {
        let line = format!("info depth 1 score {score} nodes 5 pv a7a8");
        let at_go = format!("echo '{line}'; echo 'info nodes 80'; echo 'bestmove 0000'");
        write_engine(&folder.path().join("other"), &at_go);
        let output = pacioli(folder.path(), &format!("{SOLVE} --force"));
        assert!(text(&output.stdout).contains("240 nodes"), "{output:?}");
        text(&output.stderr).contains("Other used 80 nodes per position although the limit was 900")
    };
    // Who ends a search because a mate is proven does not ignore the limit.
    assert_eq!((told("mate 1"), told("cp 5")), (false, true));
    // An edited file may hold any number.
    let most = read(folder.path(), "r.jsonl").replace("\"nodes\":80", &format!("\"nodes\":{}", u64::MAX));
    fs::write(folder.path().join("r.jsonl"), most).unwrap();
    let error = pacioli(folder.path(), &format!("{SOLVE} --resume")).stderr;
    assert!(text(&error).contains("Other used 18,446,744,073,709,551,615 nodes"), "{}", text(&error));
}

#[test]
#[cfg(unix)]
fn of_an_engines_lines_only_the_best_answers() {
    let folder = folder();
    fs::write(folder.path().join("mate.epd"), "7k/R7/6K1/8/8/8/8/8 w - - bm Ra8#;\n").unwrap();
    let at_go = "for depth in 1 2; do echo \"info depth $depth multipv 1 score cp 5 nodes 5 pv a7a8\"\n\
                 echo \"info depth $depth multipv 2 score cp 3 nodes 5 pv a7b7\"; done; echo 'bestmove a7a8'";
    write_engine(&folder.path().join("other"), at_go);
    done(folder.path(), "solve mate.epd --nodes 9 --engine ./other --peers-only --json r.jsonl");
    let result = &runs_in(&read(folder.path(), "r.jsonl"))[0][0];
    assert_eq!((&result["solution"]["iteration"], &result["left_again"]), (&1.into(), &false.into()), "{result}");
}

#[test]
#[cfg(unix)]
fn an_engines_line_that_goes_on_with_an_illegal_move_is_wrong() {
    let folder = folder();
    fs::write(folder.path().join("mate.epd"), "6k1/5ppp/8/8/8/8/4P3/R3K3 w - - dm 2;\n").unwrap();
    for (line, expected) in [
        ("a1a8", "mates"),
        ("a1a2 g8f8", "short"),
        ("a1a2 g8f8 e1e8", "wrong"),
        // Beyond the end of the game.
        ("a1a8 g8f8", "wrong"),
    ] {
        let at_go = format!("echo 'info depth 3 score mate 2 nodes 5 pv {line}'; echo 'bestmove {}'", &line[..4]);
        write_engine(&folder.path().join("other"), &at_go);
        done(folder.path(), "solve mate.epd --nodes 9 --engine ./other --peers-only --json r.jsonl --force");
        let result = &runs_in(&read(folder.path(), "r.jsonl"))[0][0];
        assert_eq!(result["mate_line"], expected, "{line}: {result}");
    }
}

#[test]
#[cfg(unix)]
fn an_engine_is_told_its_options_and_the_rules() {
    let folder = folder();
    fs::write(folder.path().join("c.epd"), "4k3/8/8/8/8/8/8/1R2K1R1 w GB - bm O-O;\n").unwrap();
    let script = "#!/bin/sh\nwhile read -r line; do echo \"$line\" >> heard; case \"$line\" in\n\
                  uci) echo 'option name Hash type spin default 16 min 1 max 64'\n\
                  echo 'option name UCI_Chess960 type check default false'; echo uciok;;\n isready) echo readyok;;\n\
                  go*) echo 'bestmove 0000';;\n quit) exit;; esac; done\n";
    write_script(&folder.path().join("logger"), script);
    let solve = "solve c.epd --chess960 --depth 1 --hash 3 --engine ./logger --peers-only --json r.jsonl --force";
    for (more, hash_mb, told) in [("", 3, &["3"][..]), (" --engine-option hash=5", 5, &["5"])] {
        fs::write(folder.path().join("heard"), "").unwrap();
        done(folder.path(), &format!("{solve}{more}"));
        let heard = read(folder.path(), "heard");
        let set = |name: &str| -> Vec<&str> {
            let start = format!("setoption name {name} value ");
            heard.lines().filter_map(|line| line.strip_prefix(&start)).collect()
        };
        assert_eq!((set("Hash"), set("UCI_Chess960")), (told.to_vec(), vec!["true"]), "{heard}");
        let run: serde_json::Value =
            serde_json::from_str(read(folder.path(), "r.jsonl").lines().next().unwrap()).unwrap();
        assert_eq!(run["provenance"]["hash_mb"], hash_mb);
    }
    // No other size is recorded than it can have.
    let larger = solve.replace("--hash 3", "--hash 65");
    let refused = pacioli(folder.path(), &larger);
    let error = "error: engine `./logger` does not take `65` for its option `Hash`: 1 to 64\n";
    assert!(refused.status.code() == Some(2) && text(&refused.stderr).ends_with(error), "{refused:?}");
    done(folder.path(), &format!("{larger} --engine-option Hash=64"));
}

#[test]
#[cfg(unix)]
fn the_time_of_an_engine_begins_with_its_search() {
    let folder = folder();
    fs::write(folder.path().join("one.epd"), "7k/R7/6K1/8/8/8/8/8 w - - bm Ra8#;\n").unwrap();
    // Its table takes two seconds to clear.
    let script = "#!/bin/sh\nwhile read -r line; do case \"$line\" in\n\
                  uci) echo uciok;;\n ucinewgame) sleep 2;;\n isready) echo readyok;;\n\
                  go*) echo 'info depth 1 score mate 1 nodes 5 pv a7a8'; echo 'bestmove a7a8';;\n\
                  quit) exit;; esac; done\n";
    write_script(&folder.path().join("slow"), script);
    done(folder.path(), "solve one.epd --depth 1 --times --engine ./slow --peers-only --json r.jsonl");
    let result = &runs_in(&read(folder.path(), "r.jsonl"))[0][0];
    assert!(result["time_ms"].as_u64().unwrap() < 2000, "{result}");
}

#[test]
fn two_runs_are_compared() {
    let folder = folder();
    done(folder.path(), "solve a.epd --depth 1 --hash 1 --json a.jsonl");
    done(folder.path(), "solve a.epd --nodes 20000 --hash 1 --times --json b.jsonl");
    let out = done(folder.path(), "compare a.jsonl b.jsonl --svg c.svg --html c.html --json c.json");
    assert!(out.contains("7 positions in both: A solves ") && out.contains("McNemar"), "{out}");
    let json: serde_json::Value = serde_json::from_str(&read(folder.path(), "c.json")).unwrap();
    assert_eq!(json["positions"], POSITIONS);
    let limits = (&json["before"]["provenance"]["depth"], &json["after"]["provenance"]["nodes"]);
    assert_eq!(limits, (&1.into(), &20_000.into()));
    // Only one of the runs has times, so there is only one chart.
    assert_eq!(read(folder.path(), "c.svg").matches("class=\"heading\"").count(), 1);
    assert!(read(folder.path(), "c.html").contains("<svg"));
    assert!(out.contains("\nnodes: A none, B 20,000\ndepth: A 1, B none\nwarning: the limits differ"), "{out}");
    let same = done(folder.path(), "compare b.jsonl b.jsonl --label old --label new --markdown c.md");
    assert!(same.starts_with("A: old\nB: new\n\n") && same.contains("gains 0 and loses 0: p = 1.000"), "{same}");
    assert!(read(folder.path(), "c.md").contains("\n| B: new | "));
    let unnamed = pacioli(folder.path(), "compare b.jsonl b.jsonl --label old");
    assert!(text(&unnamed.stderr).contains("1 name with --label for 2 runs"), "{unnamed:?}");
}

#[test]
fn chess960_suites_are_read_where_asked_for() {
    let folder = folder();
    let line = "4k3/8/8/8/8/8/8/1R2K1R1 w GB - bm O-O-O; id \"inner rooks\";\n4k3/8/8/8/8/8/8/1R2K1R1 w KQ - bm O-O; id \"x\";\n";
    fs::write(folder.path().join("c.epd"), line).unwrap();
    let run = |flag: &str| pacioli(folder.path(), &format!("solve c.epd --depth 1 --hash 1 {flag}"));
    assert!(text(&run("").stderr).contains("c.epd:2:"), "castling with inner rooks is no move of chess");
    assert_eq!(text(&run("--chess960").stderr), "");
    // Rights that no solution needs are not left out without a word.
    fs::write(folder.path().join("s.epd"), "# comment\nnrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w KQkq - bm e4;\n")
        .unwrap();
    let reason = "impossible castling or en passant rights left out of 1 line (the first: line 2)";
    let expected = format!("note: s.epd: {reason}: `pacioli lint` names them\n");
    for command in ["solve s.epd --depth 1", "analyze s.epd --depth 1", "report s.epd --iterations 1..2"] {
        let command = format!("{command} --hash 1 --profile modern");
        assert_eq!(text(&pacioli(folder.path(), &command).stderr), expected, "{command}");
        assert_eq!(text(&pacioli(folder.path(), &format!("{command} --chess960")).stderr), "", "{command}");
    }
    // Every position's link is to a board with those rules, whichever rooks castle.
    let run_with_page = run("--chess960 --html -");
    let page = text(&run_with_page.stdout);
    let links = ["chess960", "standard"].map(|rules| page.matches(&format!("/analysis/{rules}/")).count());
    assert_eq!(links, [2, 0]);
    assert!(text(&pacioli(folder.path(), "lint c.epd --chess960").stdout).contains("2 lines: 0 errors"));
    let report = pacioli(folder.path(), "report c.epd --chess960 --iterations 1..2 --profile modern --hash 1");
    assert_eq!(report.status.code(), Some(0));
    // A position that names its rooks is one of Chess960 as an argument, too.
    let divided = pacioli(folder.path(), "perft 1 4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1 --divide");
    assert!(succeeded(&divided).contains("e1b1"), "{divided:?}");
}
