//! Every output of a run, as snapshots of one small scripted run, so that they change only when the outputs do.

use std::collections::HashMap;
use std::ops::ControlFlow;

use pacioli::engine::Limits;
use pacioli::params::Profile;
use pacioli::runner::{Interrupt, PeerError, Pool, Provenance};
use pacioli::score::StatedScore;
use pacioli::search::StopFlag;
use pacioli::suite::{
    self, Comparison, Ending, Job, MateLine, Milestone, NamedRun, Record, Rule, Solver, Suite, SuiteReport, Tracker,
};

const SUITE: &str = "\
# A small suite.\n\
6kr/5b2/6KP/pP3P2/1B1Pn1p1/4P1PR/Q7/6N1 w - - bm Qxf7#; id \"mate.1\";\n\
6k1/5ppp/8/8/8/8/4P3/R3K3 w Q - 3 40 dm 1; id \"back <rank>\"; pv e4;\n\
\n\
k7/8/1K6/8/8/8/8/8 b - - am Kb8; id \"never.1\";\n\
8/8/8/8/8/5k2/5p2/5K2 b - - id \"Squares.001\"; c0 \"Ke3=100, Kg3=40\";\n\
8/8/8/8/8/6k1/6p1/6K1 b - - id \"Squares.002\"; c0 \"Kf3=10, Kh3=4\";\n\
rubbish\n\
8/8/8/8/8/5k2/5p2/5K2 b - - id \"nothing to do\";\n";

/// Answers with a score in centipawns, or a mate from 1000 on: each ends an iteration, the first iteration 1.
type Answers = &'static [(&'static str, i32)];

/// An engine that answers from a list, by the positions' names.
struct Script(HashMap<&'static str, Answers>);

impl Solver for Script {
    fn search(
        &mut self,
        record: &Record,
        _: &Limits,
        _: &StopFlag,
        tracker: &mut Tracker<'_>,
    ) -> Result<Ending, PeerError> {
        let answers = self.0[record.id.as_str()];
        let score = |value: i32| if value > 1000 { StatedScore::Mate(value - 1000) } else { StatedScore::Cp(value) };
        let mut ending = Ending {
            best_move: None,
            score: StatedScore::Cp(0),
            pv: Vec::new(),
            goes_wrong: false,
            depth: 0,
            nodes: 0,
            time_ms: 0,
            changes: Vec::new(),
        };
        for &(text, value) in answers {
            let m = record.position.parse_uci(text).unwrap();
            ending.best_move = Some(m);
            ending.score = score(value);
            ending.pv = vec![m];
            ending.depth += 1;
            ending.nodes += 1200 * ending.depth as u64;
            ending.time_ms += 7;
            let at = Milestone { iteration: ending.depth, nodes: ending.nodes, time_ms: Some(ending.time_ms) };
            tracker.answer(Some(m), ending.score, at);
        }
        Ok(ending)
    }
}

/// A good run and a worse one.
const GOOD: [(&str, Answers); 5] = [
    ("mate.1", &[("a2f7", 1001)]),
    ("back <rank>", &[("e2e4", 30), ("a1a8", 1001)]),
    ("never.1", &[("a8b8", -900), ("a8b8", -910)]),
    ("Squares.001", &[("f3g3", 500), ("f3e3", 520), ("f3g3", 515), ("f3e3", 610)]),
    ("Squares.002", &[("g3h3", 500)]),
];
const WORSE: [(&str, Answers); 5] = [
    ("mate.1", &[("a2f7", 1001)]),
    ("back <rank>", &[("e2e4", 30), ("e2e3", 40)]),
    ("never.1", &[("a8b8", -900), ("a8b8", -910)]),
    ("Squares.001", &[("f3e3", 500), ("f3g3", 510)]),
    ("Squares.002", &[("g3h3", 500), ("g3f3", 501), ("g3f3", 502)]),
];

fn suites() -> Vec<Suite> {
    vec![suite::parse("small.epd", SUITE.as_bytes())]
}

fn report(program: &str, answers: [(&'static str, Answers); 5], with_times: bool) -> SuiteReport {
    let suites = suites();
    let limits = Limits::of_nodes(20_000);
    let provenance = Provenance {
        program: program.to_owned(),
        profile: Some(Profile::Modern),
        set: vec!["credit=off".to_owned()],
        hash_mb: Some(64),
        nodes: limits.nodes,
        ..Provenance::default()
    };
    let tasks = suite::tasks(&suites);
    let interrupt = Interrupt::new();
    let job = Job { tasks: &tasks, limits: &limits, rule: Rule::End, with_times, interrupt: &interrupt };
    let solver = || Box::new(Script(answers.into_iter().collect())) as Box<dyn Solver>;
    let (results, error) = suite::run(&mut Pool::of(vec![solver(), solver()]), job, &mut |_| ControlFlow::Continue(()));
    assert_eq!(error, Ok(()));
    SuiteReport::new(suite::describe(&suites, provenance, Rule::End, None), results)
}

fn good() -> SuiteReport {
    report("Pacioli 1.2.3", GOOD, true)
}

fn worse() -> SuiteReport {
    report("Other 4", WORSE, false)
}

/// The contents of a page or picture without its style.
fn without_style(text: &str) -> String {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("<style>") {
        parts.push(before);
        rest = after.split_once("</style>").unwrap().1;
    }
    parts.push(rest);
    let text = parts.join("<style/>");
    // The pieces' shapes are always the same, and checked by eye; one element per line is easier to compare.
    let (before, after) = text.split_once("<defs>").unwrap();
    format!("{before}<defs/>{}", after.split_once("</defs>").unwrap().1).replace("><", ">\n<")
}

#[test]
fn table_and_summary() {
    let report = good();
    insta::assert_snapshot!(format!("{}{}", suite::tables(&report), suite::summary_lines(&report).join("\n")));
}

#[test]
fn table_without_times() {
    let report = worse();
    insta::assert_snapshot!(format!("{}{}", suite::tables(&report), suite::summary_lines(&report).join("\n")));
}

#[test]
fn several_engines_side_by_side() {
    insta::assert_snapshot!(suite::side_by_side(&[good(), worse()]));
}

#[test]
fn what_the_first_of_several_engines_has_not_done_is_shown_too() {
    let good = good();
    let part = SuiteReport::new(good.run.clone(), good.positions[..2].to_vec());
    assert!(part.positions.iter().all(|result| result.solved) && part.themes.is_empty());
    let reports = [part, worse()];
    let (text, page) = (suite::side_by_side(&reports), suite::to_page(&reports));
    for result in &good.positions[2..] {
        assert!(text.contains(&result.id) && page.contains(&result.id), "{}: {text}", result.id);
    }
    assert!(text.lines().any(|line| line.split_whitespace().take(2).eq(["Squares", "2"])), "{text}");
    assert!(page.contains("<td class=\"wrap\">Squares</td>") && page.contains("id=\"only-unsolved\""));
}

#[test]
fn runs_of_other_limits_are_told_apart_and_compared_only_where_they_meet() {
    let good = good();
    let mut longer = good.run.clone();
    longer.head.provenance.nodes = Some(90_000);
    let parts = good.positions.split_at(2);
    let reports = [SuiteReport::new(good.run.clone(), parts.0.to_vec()), SuiteReport::new(longer, parts.1.to_vec())];
    let (text, page) = (suite::side_by_side(&reports), suite::to_page(&reports));
    let names = ["20,000", "90,000"].map(|nodes| format!("Pacioli 1.2.3 modern credit=off (nodes {nodes})"));
    assert!(names.iter().all(|name| text.contains(name) && page.contains(name)), "{text}");
    let limits = "A: 20,000 nodes per position, 64 MB of table, rule end; B: 90,000 nodes per position, 64 MB";
    assert!(page.contains(limits) && !page.contains(">1.0000<"), "{page}");
    assert!(!text.contains("1.0000") && !text.contains("gained"), "{text}");
    let warns = |reports: &[SuiteReport]| {
        let warning = "the limits differ: what is gained or lost may be due to them alone";
        [suite::side_by_side(reports), suite::to_page(reports)].map(|text| text.contains(warning))
    };
    assert_eq!(warns(&reports), [false, false]);
    // Together they meet in one position.
    let more = SuiteReport::new(reports[1].run.clone(), good.positions[1..].to_vec());
    let reports = [reports[0].clone(), more];
    assert!(suite::side_by_side(&reports).contains("1.0000"));
    assert_eq!(warns(&reports), [true, true]);
}

/// The points of both runs of a good engine and another, as the table of several engines shows them.
fn points_side_by_side(other: &SuiteReport) -> [String; 2] {
    let text = suite::side_by_side(&[good(), other.clone()]);
    ["Pacioli", "Other"].map(|engine| {
        let row = text.lines().rev().find(|line| line.trim_start().starts_with(engine)).unwrap();
        row.split(" %").nth(1).unwrap().split_whitespace().next().unwrap().to_owned()
    })
}

#[test]
fn points_of_another_scale_are_not_added_up() {
    let mut other = worse();
    other.positions.iter_mut().filter(|result| result.id == "Squares.002").for_each(|result| {
        (result.points, result.max_points) = (Some(1000), Some(1000));
    });
    // Of the position to which both give 100 points.
    assert_eq!(points_side_by_side(&SuiteReport::new(other.run, other.positions)), ["100", "40"]);
}

#[test]
fn points_are_added_up_where_all_runs_have_the_position() {
    let other = worse();
    assert_eq!(points_side_by_side(&other), ["104", "50"]);
    let part = SuiteReport::new(other.run.clone(), other.positions[..4].to_vec());
    assert_eq!(points_side_by_side(&part), ["100", "40"]);
    let is_said = |other: &SuiteReport| {
        let both = [good(), other.clone()];
        [suite::side_by_side(&both), suite::to_page(&both)]
            .map(|shown| shown.contains("points are those in the positions"))
    };
    assert_eq!([&other, &part].map(is_said), [[false; 2], [true; 2]]);
}

#[test]
fn times_are_summed_up_if_every_result_has_one() {
    let timed = good();
    let without = |index: usize| {
        let mut results = timed.positions.clone();
        results[index] = results[index].clone().without_times();
        SuiteReport::new(timed.run.clone(), results)
    };
    let times = |report: &SuiteReport| {
        let both = Comparison::new(report, &timed).both_solve;
        assert_eq!(both.before_time_ms.is_some(), both.after_time_ms.is_some());
        let mean = report.total.mean_solution_time_ms.map(|mean| mean.round() as u64);
        (report.total.time_ms, mean, both.before_time_ms)
    };
    assert_eq!(times(&timed), (Some(70), Some(16), Some(49)));
    // Of a solved position and of one that is not.
    assert_eq!(times(&without(0)), (None, None, None));
    assert_eq!(times(&without(2)), (None, Some(16), Some(49)));
    let nothing = SuiteReport::new(timed.run.clone(), Vec::new());
    assert_eq!(times(&nothing), (None, None, None));
}

#[test]
fn means_are_rounded() {
    let mut results = good().positions;
    // The mean of 1,200, 3,600 and 12,002 nodes, and of 7, 14 and 29 milliseconds.
    let solution = results[3].solution.as_mut().unwrap();
    (solution.nodes, solution.time_ms) = (solution.nodes + 2, Some(29));
    let report = SuiteReport::new(good().run, results);
    assert!(suite::summary_lines(&report)[0].ends_with(" 0.017 s and 5,601 nodes"));
    let comparison = Comparison::new(&report, &report);
    let text = comparison.to_text("a", "b");
    assert!(text.contains(" A 5,601, B 5,601;") && text.contains(" A 0.017 s, B 0.017 s\n"), "{text}");
    assert!(comparison.to_markdown("a", "b").contains(" | 5,601 | "));
    let reports = [report, worse()];
    assert!(suite::side_by_side(&reports).contains(" 5,601") && suite::to_page(&reports).contains(">5,601<"));
    assert!(suite::to_page(&reports[..1]).contains(">5,601<"));
}

#[test]
fn json_lines() {
    insta::assert_snapshot!(suite::to_jsonl(&[good(), worse()]).unwrap());
}

#[test]
fn csv() {
    insta::assert_snapshot!(suite::to_csv(&[good(), worse()]).unwrap());
}

#[test]
fn junit() {
    insta::assert_snapshot!(suite::to_junit(&[good(), worse()]).unwrap());
}

#[test]
fn annotated_epd() {
    let text = suite::to_epd(&suites(), &good());
    insta::assert_snapshot!(text);
    // It loads again, has the same tasks, and annotating it again changes nothing.
    let again = suite::parse("small.epd", text.as_bytes());
    assert_eq!((again.records.len(), again.refused.len(), again.others.len()), (6, 1, 3));
    let [before, after] = [&suites()[0], &again].map(|suite: &Suite| {
        let demand = |record: &Record| (record.id.clone(), record.fen.clone(), record.expected(), record.is_solvable());
        suite.records.iter().map(demand).collect::<Vec<_>>()
    });
    assert_eq!(before, after);
    assert_eq!(suite::to_epd(&[again], &good()), text);
}

#[test]
fn page() {
    insta::assert_snapshot!(without_style(&suite::to_page(&[good()])));
}

#[test]
fn a_page_says_what_is_amiss() {
    let (good, worse) = (good(), worse());
    let mut results = good.positions;
    results[1].mate_line = Some(MateLine::Wrong);
    let wrong = SuiteReport::new(good.run, results);
    let part = SuiteReport::new(worse.run, worse.positions[..4].to_vec());
    let amiss = "1 of 1 mates not shown by their line; 1 line refused; 1 line with nothing to solve.";
    let page = suite::to_page(std::slice::from_ref(&wrong));
    assert!(page.contains(&format!(">{amiss}<")) && page.contains(" 3,600 nodes; line does not mate."), "{page}");
    let both = [wrong, part];
    assert!(suite::side_by_side(&both).contains("solved   of   not done   percent"));
    let page = suite::to_page(&both);
    for text in [&*format!(">A: {amiss}<"), ">B: 1 line refused; ", ">not done<", ">25.0 %<", ">points<", ">40<"] {
        assert!(page.contains(text), "{text}: {page}");
    }
}

#[test]
fn page_of_several_engines() {
    insta::assert_snapshot!(without_style(&suite::to_page(&[good(), worse()])));
}

#[test]
fn comparison() {
    let (good, worse) = (good(), worse());
    let comparison = Comparison::new(&good, &worse);
    let runs = [NamedRun { name: "good", report: &good }, NamedRun { name: "worse", report: &worse }];
    insta::assert_snapshot!("comparison_text", comparison.to_text("good", "worse"));
    insta::assert_snapshot!("comparison_markdown", comparison.to_markdown("good", "worse"));
    insta::assert_snapshot!("comparison_json", serde_json::to_string_pretty(&comparison).unwrap());
    insta::assert_snapshot!(
        "comparison_page",
        without_style(&suite::to_comparison_page(runs[0], runs[1], &comparison))
    );
    insta::assert_snapshot!("comparison_curves", without_style(&suite::to_curves(&runs)));
}

#[test]
fn findings_of_lint() {
    let text = "\
        6k1/5ppp/8/8/8/8/4P3/R3K3 w - - dm 2; id \"a\";\n\
        6k1/5ppp/8/8/8/8/4P3/R3K3 w KQ e6 bm e4 Ra9; id \"b\";\n\
        1k6/ppp5/8/8/8/8/3P4/3K3R w - - bm d4; am d4; id \"a\";\n\
        6k1/5ppp/8/8/8/8/4P3/R3K3 w - - bm R1a8;\n";
    let findings = suite::lint(&[suite::parse("odd.epd", text.as_bytes())]);
    insta::assert_snapshot!(findings.iter().map(|finding| format!("{finding}\n")).collect::<String>());
}
