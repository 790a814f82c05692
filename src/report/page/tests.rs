//! The pages have every line and move, and their data says what the ledger says.

use std::sync::Arc;

use serde_json::Value;

use super::{Live, explanation_to_page, games_to_page, positions_to_page};
use crate::board::{Color, Game, Position};
use crate::engine::{Engine, Limits, Options};
use crate::eval::nnue;
use crate::params::Profile;
use crate::pgn::{Games, PgnGame};
use crate::report::analysis::text::game_to_text;
use crate::report::analysis::{self, GameAnalysis, Mark, Plan, PositionAnalysis, Theory};
use crate::report::explain::iterations;
use crate::runner::Provenance;
use crate::search::StopFlag;
use crate::text::grouped;

/// A perpetual check: to some of the checks there is only one reply.
const PERPETUAL: &str = "6k1/5p1p/5Q2/8/8/7P/qr4PK/r7 w - - 0 1";

fn engine(profile: Profile) -> Engine {
    Engine::new(Options { hash_mb: 4, ..Options::of(profile) }).0
}

/// A game from PGN and its analysis to a depth, with so many times the nodes for what is confirmed.
fn analysed(engine: &mut Engine, text: &str, depth: i32, confirm: u32) -> (PgnGame, GameAnalysis) {
    let game = Games::new(text.as_bytes()).next().unwrap().unwrap().unwrap();
    let (limits, theory) = (Limits::to_depth(depth), Theory::default());
    let plan = Plan { limits: &limits, confirm, theory: &theory, stop: &StopFlag::new() };
    let analysis = analysis::game(engine, &game, plan, &mut |_| {}).unwrap();
    (game, analysis)
}

/// The data of a page, which must load nothing from elsewhere.
fn data(page: &str) -> Value {
    for foreign in [" src=", "@import", "url(", "<link"] {
        assert!(!page.contains(foreign), "{foreign}");
    }
    let (_, rest) = page.split_once("id=\"data\">").expect("data");
    serde_json::from_str(rest.split_once("</script>").expect("its end").0).expect("JSON")
}

#[test]
fn what_is_told_of_a_running_search_is_told_from_its_start() {
    let mut engine = engine(Profile::DeepBlue);
    let game = Game::new(Position::from_fen(PERPETUAL, false).unwrap());
    let limits = Limits::to_depth(6);
    let found = iterations(&mut engine, &game, &limits);
    let mut live = Live::new(game.position(), Provenance::of_engine(&engine, &limits), engine.options());
    for iteration in &found {
        let told = serde_json::to_value(live.next(iteration)).unwrap();
        assert_eq!(
            (&told["iteration"], &told["nodes"]),
            (&iteration.iteration.into(), &grouped(iteration.nodes).into())
        );
    }
    assert!(found.len() > 2);
}

#[test]
fn a_page_has_every_iteration_and_every_move_with_its_entry() {
    let mut engine = engine(Profile::DeepBlue);
    let game = Game::new(Position::from_fen(PERPETUAL, false).unwrap());
    let limits = Limits::to_depth(7);
    let found = iterations(&mut engine, &game, &limits);
    let provenance = Provenance::of_engine(&engine, &limits);
    let page = || explanation_to_page(game.position(), &provenance, engine.options(), &found).expect("no odd maps");
    let data = data(&page());
    assert_eq!((&data["limit"], &data["choice"]), (&2.0.into(), &"slider".into()));
    let lines = data["lines"].as_array().unwrap();
    assert_eq!(lines.len(), found.len());
    let (mut cashed, mut arrows) = (0, 0);
    for (line, iteration) in lines.iter().zip(&found) {
        assert_eq!(line["name"], iteration.iteration.to_string());
        let moves = line["moves"].as_array().unwrap();
        assert_eq!(moves.len(), iteration.pv.len());
        let mut position = game.position().clone();
        for ((step, &m), entry) in moves.iter().zip(&iteration.pv).zip(&iteration.ledger) {
            assert!(step["san"].as_str().unwrap().ends_with(&position.san(m)), "{step}");
            let mover = position.turn();
            let shown = |side: Color| step["entry"][side.fold_wb("white", "black")].as_f64();
            let balances = entry.map(|entry| (entry.after.plies(), entry.other.plies())).unzip();
            assert_eq!((shown(mover), shown(!mover)), balances);
            position = position.play(m);
            assert_eq!(step["fen"], position.fen());
            assert_eq!(step["entry"]["cashed"].as_i64(), entry.map(|entry| i64::from(entry.cashed)));
            cashed += entry.map_or(0, |entry| entry.cashed);
            arrows += usize::from(!step["arrows"].is_null());
        }
        let software = iteration.ledger.iter().take_while(|entry| entry.is_some()).count();
        let end = &line["horizon"];
        assert_eq!(end["before"].as_u64().unwrap_or(0), software as u64);
        assert!(end.is_null() || end["text"].as_str().unwrap().contains("the accounts end"), "{end}");
    }
    assert!(cashed > 0 && arrows > 0, "nothing to test");
    assert_eq!(page(), page(), "the same page");
}

#[test]
fn without_a_legal_move_there_is_a_page_that_says_so() {
    let mut engine = engine(Profile::Modern);
    let game = Game::new(Position::from_fen("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", false).unwrap());
    let analysis = analysis::position(&mut engine, &game, &Limits::to_depth(3), &StopFlag::new());
    let page = positions_to_page(&[(game.position(), &analysis)], engine.options()).unwrap();
    let alone = &data(&page)["lines"];
    assert_eq!((&alone[0]["heading"], alone.as_array().map(Vec::len)), (&"There is no legal move.".into(), Some(1)));
    // It is on the board.
    assert_eq!(alone[0]["start"]["fen"], game.position().fen());
    assert_eq!(alone[0]["moves"], Value::Array(Vec::new()));
    // Among several it is named.
    let start = Game::new(Position::default());
    let other = analysis::position(&mut engine, &start, &Limits::to_depth(1), &StopFlag::new());
    let over = PositionAnalysis { id: Some("over".to_owned()), ..analysis };
    let analyses = [(game.position(), &over), (start.position(), &other)];
    let page = positions_to_page(&analyses, engine.options()).unwrap();
    let lines = &data(&page)["lines"];
    assert_eq!((&lines[0]["name"], lines.as_array().map(Vec::len)), (&"over: no legal move".into(), Some(2)));
    // A name from right to left does not turn around what is said of it.
    let arabic = PositionAnalysis { id: Some("\u{623}\u{62d}\u{645}\u{62f}".to_owned()), ..over };
    let page = positions_to_page(&[(game.position(), &arabic)], engine.options()).unwrap();
    assert_eq!(data(&page)["lines"][0]["name"], "\u{2068}\u{623}\u{62d}\u{645}\u{62f}\u{2069}: no legal move");
}

#[test]
fn the_best_lines_of_a_position_can_be_chosen() {
    let mut engine = engine(Profile::Modern);
    let game = Game::new(Position::from_fen("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", false).unwrap());
    let limits = Limits { multi_pv: 2, ..Limits::to_depth(5) };
    let analysis = analysis::position(&mut engine, &game, &limits, &StopFlag::new());
    let data = data(&positions_to_page(&[(game.position(), &analysis)], engine.options()).unwrap());
    let names: Vec<&str> = data["lines"].as_array().unwrap().iter().filter_map(|line| line["name"].as_str()).collect();
    assert_eq!((names.len(), names[0]), (2, "1. #2 Ra6"));
}

#[test]
fn what_breaks_the_tie_between_draws_is_not_shown() {
    const KNIGHT: &str = "8/8/4k3/8/8/4K1N1/8/8 w - - 0 1";
    let mut engine = engine(Profile::Modern);
    let game = Game::new(Position::from_fen(KNIGHT, false).unwrap());
    let analysis = analysis::position(&mut engine, &game, &Limits::to_depth(2), &StopFlag::new());
    let score = analysis.lines[0].score.value;
    assert_ne!(score, score.without_tie(), "nothing to test");
    let page = data(&positions_to_page(&[(game.position(), &analysis)], engine.options()).unwrap());
    assert!(page["lines"][0]["name"].as_str().unwrap().starts_with("1. +0.00 "), "{page}");
    assert!(page["lines"][0]["heading"].as_str().unwrap().starts_with("+0.00 for White "), "{page}");

    let text = format!("[FEN \"{KNIGHT}\"]\n\n1. Ne4 Ke5 *");
    let (game, analysis) = analysed(&mut engine, &text, 2, 1);
    let score = analysis.moves[0].score.value;
    assert_ne!(score, score.without_tie(), "nothing to test");
    let page = data(&games_to_page(&[game], &[analysis], engine.options()).unwrap());
    assert_eq!(page["lines"][0]["moves"][0]["judged"]["score"], "+0.00");
}

#[test]
fn a_marked_move_has_its_better_line() {
    let text = "[White \"<b>\"]\n[Black \"\u{623}\u{62d}\u{645}\u{62f}\"]\n\n1. f3 e5 2. g4 Qh4# 0-1";
    let mut engine = engine(Profile::Modern);
    let (game, analysis) = analysed(&mut engine, text, 5, 2);
    let page = games_to_page(&[game], &[analysis], engine.options()).unwrap();
    assert!(!page.contains("<b> -"), "a name must not become markup");
    let data = data(&page);
    // Nor turn around the title.
    assert_eq!(data["lines"][0]["name"], "<b> - \u{2068}\u{623}\u{62d}\u{645}\u{62f}\u{2069}, 0-1");
    let moves = data["lines"][0]["moves"].as_array().unwrap();
    assert_eq!((moves.len(), &moves[2]["judged"]["mark"]), (4, &"??".into()));
    let better = &data["better"][moves[2]["judged"]["better"].as_u64().unwrap() as usize];
    assert!(better["moves"][0]["san"].as_str().unwrap().starts_with("2."), "{better}");
    assert_eq!(moves[2]["arrows"][0][2], "better");
    assert_eq!(moves[3]["judged"]["points"], 0.0);
    // What the rules decide needs no evaluation.
    assert_eq!([&moves[3]["judged"]["classical"], &moves[3]["judged"]["network"]], [0.0, 0.0]);
    // Without a search nobody sees the mate, but Black's queen is seen by both.
    for name in ["classical", "network"] {
        assert!(moves[0]["judged"][name].as_f64().is_some_and(|points| (0.3..0.7).contains(&points)), "{name}");
    }
}

#[test]
fn what_a_move_loses_is_stated_as_exactly_as_its_mark_needs() {
    let text = "[FEN \"k7/8/1K6/8/8/8/8/2Q5 w - - 0 1\"]\n\n1. Qc7 1/2-1/2";
    let mut engine = engine(Profile::Modern);
    let (game, mut analysis) = analysed(&mut engine, text, 4, 0);
    // With two decimals it would seem a blunder.
    (analysis.moves[0].loss, analysis.moves[0].mark) = (Some(0.199), Some(Mark::Mistake));
    assert!(game_to_text(&game, &analysis).contains(" 0.199 "));
    let page = data(&games_to_page(&[game], &[analysis], engine.options()).unwrap());
    let comment = page["lines"][0]["moves"][0]["judged"]["comment"].as_str().unwrap();
    assert!(comment.ends_with(" It loses 0.199 of the point."), "{comment}");
}

#[test]
fn the_curve_of_the_network_is_that_of_the_network_in_use() {
    // Black has no queen.
    let text = "[FEN \"rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]\n\n1. e4 e5 *";
    let mut engine = engine(Profile::Modern);
    let (game, analysis) = analysed(&mut engine, text, 1, 1);
    let (games, analyses) = ([game], [analysis]);
    let mut options = engine.options().clone();
    let mut judged = |name: &str| {
        let page = data(&games_to_page(&games, &analyses, &options).unwrap());
        options.network = Some(Arc::new(nnue::random(7, 1)));
        page["lines"][0]["moves"][0]["judged"][name].clone()
    };
    let (network, classical) = (judged("network"), judged("classical"));
    assert_ne!(network, judged("network"));
    assert_eq!(classical, judged("classical"));
    for points in [network, classical] {
        assert!(points.as_f64().unwrap() > 0.9, "{points}");
    }
    // It counts as it does in the searches: here not at all.
    (options.params.material_scale_base, options.params.material_scale_unit) = (0, 0);
    let page = data(&games_to_page(&games, &analyses, &options).unwrap());
    assert_eq!(page["lines"][0]["moves"][0]["judged"]["network"], 0.5);
}
