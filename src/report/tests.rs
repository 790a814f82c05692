//! Tests of the collector and the exporters on a made-up list of iterations.

use std::time::Duration;

use super::collect::{Collector, Job, Rows};
use super::evidence::Witness;
use super::explain::explain_iteration;
use super::model::{PositionReport, PvLedger};
use super::page::report_to_page;
use super::picture::to_picture;
use super::text::to_text;
use super::{IterationRange, Report, paper};
use crate::board::{Game, Move, Position};
use crate::credit::{Award, Mechanism};
use crate::engine::Options;
use crate::json::readable;
use crate::params::Profile;
use crate::runner::{Head, Kind, Provenance};
use crate::score::{Draw, Score};
use crate::search::{CreditStats, Iteration, LedgerEntry, MechanismStats, Observer};
use crate::tt::Bound;
use crate::units::Credit;

fn stats(awards: u64, credit: u64, cashed_plies: u64, second_searches: u64, failures: u64) -> MechanismStats {
    MechanismStats { awards, credit, cashed_plies, delayed_plies: cashed_plies / 2, second_searches, failures }
}

fn pv(position: &Position, moves: &[&str]) -> Vec<Move> {
    let line = position.legal_line(moves.iter().copied());
    assert_eq!(line.len(), moves.len());
    line
}

/// An iteration of the deep-blue profile; every number is made up.
fn iteration(number: i32, nodes: u64, score: Score, pv: Vec<Move>, credit: CreditStats) -> Iteration {
    Iteration {
        iteration: number,
        nominal_depth: number - 4,
        max_software: 2 * number - 8,
        max_combined: 2 * number + 3,
        score,
        bound: Bound::Exact,
        pv,
        ledger: Vec::new(),
        multipv: 1,
        nodes,
        elapsed: Duration::from_millis(nodes / 1000),
        hashfull: 0,
        tb_hits: 0,
        researches: 1,
        credit,
        restrained_at: None,
    }
}

/// A collector's report of made-up iterations 5 to 7 of a position, of which 6 to `last` are requested.
fn made_up(fen: &str, line: &[&str], last: i32, with_times: bool) -> PositionReport {
    let game = Game::new(Position::from_fen(fen, false).unwrap());
    let mut calls = Vec::new();
    let mut progress = |iteration, number| calls.push((iteration, number));
    let job =
        Job { name: None, game: &game, range: IterationRange::new(6, last).unwrap(), with_times, with_ledgers: true };
    let mut collector = Collector::new(job, &mut progress);
    let line = pv(game.position(), line);
    let mut credit = CreditStats::default();
    collector.iteration(&iteration(5, 4_321, Score::cp(21), line[..1].to_vec(), credit));
    *credit.of_mut(Mechanism::Singular) = stats(12, 12 * 36, 7, 5, 1);
    collector.current_move(6, line[0], 3);
    collector.iteration(&iteration(6, 1_004_321, Score::cp(-35), line[..3].to_vec(), credit));
    *credit.of_mut(Mechanism::Singular) = stats(1234, 1234 * 24 + 4, 70, 50, 10);
    *credit.of_mut(Mechanism::CheckEvasion) = stats(3, 48, 0, 1, 0);
    let draw = Score::draw(Draw::Theoretical { static_eval: -12 });
    // A second variation of the same iteration does not get a row.
    collector.iteration(&Iteration { multipv: 2, ..iteration(7, 2_000_000, draw, line.clone(), credit) });
    collector.iteration(&iteration(7, 12_345_678, draw, line, credit));
    let report = collector.finish(&Options::of(Profile::DeepBlue));
    assert_eq!(calls, [(6, 3)]);
    report
}

fn provenance(profile: Profile) -> Provenance {
    Provenance {
        program: "pacioli test".to_owned(),
        profile: Some(profile),
        hash_mb: Some(64),
        ..Provenance::default()
    }
}

fn report(profile: Profile, positions: Vec<PositionReport>) -> Report {
    Report { head: Head::new(Kind::Report, provenance(profile)), positions }
}

const LINE: [&str; 7] = ["c2e4", "e8f8", "a2a6", "a8a6", "a1a6", "c8a8", "a6a8"];

#[test]
fn the_text_of_a_paper_position_has_the_papers_columns() {
    let text = to_text(&report(Profile::DeepBlue, vec![made_up(paper::POSITIONS[0].fen, &LINE, 7, true)]));
    insta::assert_snapshot!(text, @r#"
    pacioli test, profile deep-blue, 64 MB of table

    Deep Blue - Kasparov, 1997, game 2, before White's move 37
    r1r1q1k1/6p1/3b1p1p/1p1PpP2/1Pp5/2P4P/R1B2QP1/R5K1 w - - 0 1

    | iter | min soft | max soft | paper | max comb | paper est. |      nodes |      total |     time |     score | awards |  granted | cashed | delayed | again | failed | PV                                  |
    |------|----------|----------|-------|----------|------------|------------|------------|----------|-----------|--------|----------|--------|---------|-------|--------|-------------------------------------|
    |    6 |        2 |        4 |     5 |       15 |      11-21 |  1,000,000 |  1,004,321 |  1.004 s |     -0.35 |     12 |    27.00 |      7 |       3 |     5 |      1 | 1.Be4 Qf8 2.Ra6                     |
    |    7 |        3 |        6 |     6 |       17 |      12-22 | 11,341,357 | 12,345,678 | 12.345 s | +0.00=-12 |  1,237 | 1,854.25 |     70 |      35 |    51 |     10 | 1.Be4 Qf8 2.Ra6 Rxa6 3.Rxa6 Ra8 ... |

    | mechanism     | iter | awards |  granted | cashed | delayed | again | failed |
    |---------------|------|--------|----------|--------|---------|-------|--------|
    | singular      |    6 |     12 |    27.00 |      7 |       3 |     5 |      1 |
    | singular      |    7 |  1,234 | 1,851.25 |     70 |      35 |    50 |     10 |
    | check evasion |    7 |      3 |     3.00 |      0 |       0 |     1 |      0 |

    min soft: nominal depth of the software search; without pruning and reductions no line is shorter.
    max soft: deepest leaf of the software, extensions included; max comb: deepest node, horizon search and quiescence
    included. nodes: of this iteration; total, time: since the search began. awards, granted, cashed: how often credit was
    awarded, the sum in plies, and plies of extension paid from it; delayed: those of them that the last award alone would
    not have paid. again, failed: searches repeated with new credit, and those whose good score did not hold. Scores are
    for the side to move.
    envelope: awards kept in the table; what they pay counts for the mechanism that earned them.
    paper: M. Campbell, A. J. Hoane, F.-h. Hsu, "Deep Blue", Artificial Intelligence 134 (2002), 57-83, section 4.2, Tables 2 and 3.
    "#);
}

#[test]
fn the_papers_figures_are_beside_its_software_depth_whatever_the_iteration() {
    let mut rows = Rows::new(&Position::from_fen(paper::POSITIONS[0].fen, false).unwrap(), false);
    // As in the modern profile, which has no horizon search.
    let sixth = Iteration { nominal_depth: 6, ..iteration(6, 1, Score::cp(0), Vec::new(), CreditStats::default()) };
    let paper = rows.next(&sixth).paper.unwrap();
    assert_eq!((paper.min_software, paper.max_software), (6, 17));
}

#[test]
fn other_positions_have_no_paper_columns_and_times_can_be_left_out() {
    let mut report =
        report(Profile::Modern, vec![made_up("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", &["e2e4", "e8e7", "e1e2"], 8, false)]);
    report.head.provenance.set.push("credit_limit=24".to_owned());
    insta::assert_snapshot!(to_text(&report), @r"
    pacioli test, profile modern, 64 MB of table, credit_limit=24

    4k3/8/8/8/8/8/4P3/4K3 w - - 0 1

    | iter | nominal | max soft | max comb |      nodes |      total |     score | awards |  granted | cashed | delayed | again | failed | PV             |
    |------|---------|----------|----------|------------|------------|-----------|--------|----------|--------|---------|-------|--------|----------------|
    |    6 |       2 |        4 |       15 |  1,000,000 |  1,004,321 |     -0.35 |     12 |    27.00 |      7 |       3 |     5 |      1 | 1.e4 Ke7 2.Ke2 |
    |    7 |       3 |        6 |       17 | 11,341,357 | 12,345,678 | +0.00=-12 |  1,237 | 1,854.25 |     70 |      35 |    51 |     10 | 1.e4 Ke7 2.Ke2 |

    The search ended after iteration 7.

    | mechanism     | iter | awards |  granted | cashed | delayed | again | failed |
    |---------------|------|--------|----------|--------|---------|-------|--------|
    | singular      |    6 |     12 |    27.00 |      7 |       3 |     5 |      1 |
    | singular      |    7 |  1,234 | 1,851.25 |     70 |      35 |    50 |     10 |
    | check evasion |    7 |      3 |     3.00 |      0 |       0 |     1 |      0 |

    nominal: depth of the search before extensions and reductions.
    max soft: deepest leaf of the software, extensions included; max comb: deepest node, horizon search and quiescence
    included. nodes: of this iteration; total, time: since the search began. awards, granted, cashed: how often credit was
    awarded, the sum in plies, and plies of extension paid from it; delayed: those of them that the last award alone would
    not have paid. again, failed: searches repeated with new credit, and those whose good score did not hold. Scores are
    for the side to move.
    envelope: awards kept in the table; what they pay counts for the mechanism that earned them.
    ");
}

#[test]
fn the_json_has_everything() {
    let report = report(Profile::DeepBlue, vec![made_up(paper::POSITIONS[0].fen, &LINE, 6, false)]);
    insta::assert_snapshot!(readable(&report).unwrap(), @r#"
    {
      "kind": "report",
      "schema": 4,
      "provenance": {
        "program": "pacioli test",
        "profile": "deep-blue",
        "set": [],
        "hash_mb": 64
      },
      "positions": [
        {
          "id": "Deep Blue - Kasparov, 1997, game 2, before White's move 37",
          "fen": "r1r1q1k1/6p1/3b1p1p/1p1PpP2/1Pp5/2P4P/R1B2QP1/R5K1 w - - 0 1",
          "paper_source": "M. Campbell, A. J. Hoane, F.-h. Hsu, \"Deep Blue\", Artificial Intelligence 134 (2002), 57-83, section 4.2, Tables 2 and 3",
          "first_iteration": 6,
          "last_iteration": 6,
          "iterations": [
            {
              "iteration": 6,
              "nominal_depth": 2,
              "max_software": 4,
              "max_combined": 15,
              "nodes": 1004321,
              "iteration_nodes": 1000000,
              "score": {
                "cp": -35,
                "tie": 0,
                "pov": "white"
              },
              "researches": 1,
              "best_move": {
                "san": "Be4",
                "uci": "c2e4"
              },
              "pv": [
                {
                  "san": "Be4",
                  "uci": "c2e4"
                },
                {
                  "san": "Qf8",
                  "uci": "e8f8"
                },
                {
                  "san": "Ra6",
                  "uci": "a2a6"
                }
              ],
              "credit": {
                "awards": 12,
                "granted_plies": 27.0,
                "cashed_plies": 7,
                "delayed_plies": 3,
                "second_searches": 5,
                "failures": 1
              },
              "mechanisms": [
                {
                  "mechanism": "singular",
                  "awards": 12,
                  "granted_plies": 27.0,
                  "cashed_plies": 7,
                  "delayed_plies": 3,
                  "second_searches": 5,
                  "failures": 1
                }
              ],
              "paper": {
                "min_software": 2,
                "max_software": 5,
                "estimated_combined_low": 11,
                "estimated_combined_high": 21
              }
            }
          ]
        }
      ]
    }
    "#);
}

#[test]
fn a_mate_and_an_empty_line_are_said() {
    let game = Game::new(Position::from_fen("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", false).unwrap());
    let mut progress = |_, _| {};
    let job = Job {
        name: Some("stalemate"),
        game: &game,
        range: IterationRange::new(1, 3).unwrap(),
        with_times: false,
        with_ledgers: false,
    };
    let mut collector = Collector::new(job, &mut progress);
    collector.iteration(&Iteration {
        nominal_depth: 1,
        ..iteration(1, 1, Score::mating(5), Vec::new(), CreditStats::default())
    });
    let found = collector.finish(&Options::of(Profile::DeepBlue));
    assert_eq!((found.id.as_deref(), &found.iterations[0].best_move), (Some("stalemate"), &None));
    assert_eq!(found.iterations[0].score.to_string(), "#3");
    let nothing = PositionReport { iterations: Vec::new(), ..found.clone() };
    for (position, ending) in
        [(found, "The search ended after iteration 1."), (nothing, "No iteration from 1 to 3 was completed.")]
    {
        let report = report(Profile::Modern, vec![position]);
        for shown in [to_text(&report), to_picture(&report), to_page(&report)] {
            assert!(shown.contains(ending) && !shown.contains("NaN"), "{shown}");
        }
    }
}

#[test]
fn a_position_is_linked_under_its_rules_whatever_was_completed() {
    for (chess960, rules) in [(false, "standard"), (true, "chess960")] {
        let game = Game::new(Position::from_fen("6k1/5ppp/8/8/8/8/8/1R2K1R1 w KQ - 0 1", chess960).unwrap());
        let mut progress = |_, _| {};
        let job = Job { name: None, game: &game, range: IterationRange::ALL, with_times: false, with_ledgers: true };
        let position = Collector::new(job, &mut progress).finish(&Options::of(Profile::DeepBlue));
        let page = to_page(&report(Profile::DeepBlue, vec![position]));
        assert!(page.contains(&format!("/analysis/{rules}/6k1/5ppp/")), "{page}");
    }
}

/// A line of seven moves in which White's third and Black's second cashed in.
fn entries() -> Vec<Option<LedgerEntry>> {
    let entry = |mechanism, earned, before, cashed, after, other| {
        Some(LedgerEntry {
            award: Award::of(mechanism, Credit::sixteenths(earned)),
            before: Credit::sixteenths(before),
            cashed,
            after: Credit::sixteenths(after),
            given_up: Credit::sixteenths(if cashed > 0 { 16 } else { 0 }),
            other: Credit::sixteenths(other),
        })
    };
    use Mechanism::{CheckEvasion, Influence, Singular};
    vec![
        entry(Singular, 24, 0, 0, 24, 0),
        entry(CheckEvasion, 16, 0, 0, 16, 24),
        entry(Singular, 0, 24, 0, 24, 16),
        entry(Singular, 36, 16, 2, 20, 0),
        entry(Influence, 24, 0, 1, 8, 4),
        entry(Singular, 0, 4, 0, 4, 8),
        entry(CheckEvasion, 16, 8, 0, 24, 4),
    ]
}

/// The report as a page, without a line if there is none.
fn to_page(report: &Report) -> String {
    report_to_page(report, &Profile::DeepBlue.params()).unwrap()
}

/// A picture without its style and piece shapes, which are checked by eye; one element per line.
fn drawing(text: &str) -> String {
    let (before, after) = text.split_once("<style>").unwrap();
    let text = format!("{before}{}", after.split_once("</style>").unwrap().1);
    let (before, after) = text.split_once("<defs>").unwrap();
    format!("{before}{}", after.split_once("</defs>").unwrap().1).replace("><", ">\n<")
}

#[test]
fn pictures_show_depths_credit_and_the_ledger() {
    let mut position = made_up(paper::POSITIONS[0].fen, &LINE, 7, true);
    let game = Game::new(Position::from_fen(paper::POSITIONS[0].fen, false).unwrap());
    let ledger = |number| {
        let found = Iteration {
            ledger: entries(),
            ..iteration(number, 12_345_678, Score::cp(12), pv(game.position(), &LINE), CreditStats::default())
        };
        let explained = explain_iteration(game.position(), &found, &mut Witness::new(&Options::of(Profile::DeepBlue)));
        PvLedger { root: game.position().clone(), explained, moves: found.pv }
    };
    position.ledgers = vec![ledger(6), ledger(7)];
    let other = position.clone();
    let report = report(Profile::DeepBlue, vec![position]);
    let picture = to_picture(&report);
    // Two turning points, each with a board and a number in its row.
    assert_eq!((picture.matches("class=\"badge\"").count(), picture.matches("class=\"frame\"").count()), (4, 2));
    insta::assert_snapshot!("picture", drawing(&picture));
    let page = to_page(&report);
    insta::assert_snapshot!("page", drawing(page.split_once("<noscript>").unwrap().0));
    // The lines are on the board, with what each move did.
    let data = |page: &str| -> serde_json::Value {
        let data = page.split_once("id=\"data\">").unwrap().1.split_once("</script>").unwrap().0;
        serde_json::from_str(data).unwrap()
    };
    let two = data(&to_page(&Report { positions: vec![other.clone(), other], ..report }));
    let places: Vec<_> = two["lines"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| (line["position"].as_u64(), line["name"].as_str()))
        .collect();
    let (first, second) = (Some(0), Some(1));
    assert_eq!(places, [(first, Some("6")), (first, Some("7")), (second, Some("6")), (second, Some("7"))]);
    assert_eq!(two["positions"].as_array().map(Vec::len), Some(2));
    let data = data(&page);
    assert!(data["positions"].is_null() && data["lines"].as_array().map(Vec::len) == Some(2));
    let moves = data["lines"][0]["moves"].as_array().unwrap();
    assert_eq!((moves.len(), &moves[3]["entry"]["cashed"], &data["limit"]), (LINE.len(), &2.into(), &2.0.into()));
}

#[test]
fn an_iteration_without_credit_has_its_column_too() {
    let mut position = made_up(paper::POSITIONS[0].fen, &LINE, 7, false);
    position.iterations[0].credit.granted_plies = 0.0;
    position.iterations[0].mechanisms.clear();
    let picture = to_picture(&report(Profile::DeepBlue, vec![position]));
    let (_, columns) = picture.split_once("Who earned the credit").unwrap();
    assert!([">0<", ">6<", ">7<"].into_iter().all(|label| columns.contains(label)), "{columns}");
}

#[test]
fn an_iteration_that_was_restrained_is_marked() {
    let mut position = made_up(paper::POSITIONS[0].fen, &LINE, 7, false);
    let shown = |position: &PositionReport| {
        let report = report(Profile::DeepBlue, vec![position.clone()]);
        [to_text(&report), to_page(&report), readable(&report).unwrap()]
    };
    let words = [
        ["|   6* |", "*: in its last part growth control"],
        ["<td class=\"right\">6*</td>", "*: in its last part growth control"],
        ["\"restrained_at\": 900000,", "\"iteration\": 6,"],
    ];
    let marked = |position: &PositionReport| {
        let said = |(text, words): (&String, [&str; 2])| words.iter().all(|word| text.contains(word));
        shown(position).iter().zip(words).map(said).collect::<Vec<_>>()
    };
    assert_eq!(marked(&position), [false; 3]);
    position.iterations[0].restrained_at = Some(900_000);
    assert_eq!(marked(&position), [true; 3]);
}

#[test]
fn ranges_are_read_and_checked() {
    let read = |text: &str| text.parse::<IterationRange>().map(|range| range.to_string());
    assert_eq!(read("5..8").unwrap(), "5..8");
    assert_eq!(read("7").unwrap(), "7..7");
    for bad in ["", "..", "5..", "a..b", "8..5", "0..4", "1..129", "5...8", "1..99999999999"] {
        assert!(read(bad).is_err(), "{bad}");
    }
}
