//! Endgame tables in play: conversion with and without them, their effect on a search, and messages over UCI. Real
//! tables are found through `PACIOLI_SYZYGY`; tests that need them otherwise pass, and say so with `--show-output`.

use std::fs;
use std::sync::Arc;

use pacioli::board::{Board, Color, Game, Move, Position, Square};
use pacioli::engine::{Engine, Limits, Options};
use pacioli::score::{Score, StatedScore};
use pacioli::syzygy::{Tables, Wdl};

use crate::common::outcome;
use crate::common::process::{ended, pacioli};

fn real_tables() -> Option<Arc<Tables>> {
    let Ok(path) = std::env::var("PACIOLI_SYZYGY") else {
        eprintln!("skipped: PACIOLI_SYZYGY names no folder of tables");
        return None;
    };
    Some(Arc::new(Tables::open(&path).0.expect("the folder has tables")))
}

fn game(fen: &str) -> Game {
    Game::new(Position::from_fen(fen, false).unwrap())
}

fn engine(tables: Option<Arc<Tables>>) -> Engine {
    Engine::new(Options { hash_mb: 4, tables, ..Options::default() }).0
}

/// The best move according to the tables, and its outcome.
fn best(tables: &Tables, game: &Game) -> (Move, Wdl) {
    let ranked = tables.rank(game, &game.position().legal_moves(), true).expect("the tables know it");
    (ranked.moves()[0].mv, ranked.moves()[0].wdl)
}

/// How a game ended.
struct Played {
    mated: bool,
    plies: usize,
    /// Moves of the engine that made the outcome worse.
    slips: usize,
}

/// The engine plays the side to move against the longest defence, to the end of the game or a maximum number of moves.
fn play(tables: &Tables, engine: &mut Engine, fen: &str, limits: &Limits, patience: usize) -> Played {
    let mut game = game(fen);
    let (mut plies, mut slips) = (0, 0);
    while !game.is_over() && plies < patience {
        let (answer, expected) = best(tables, &game);
        if plies % 2 == 1 {
            game.play(answer);
        } else {
            let m = outcome(engine, &game, limits).best_move.expect("the game goes on");
            let ranked = tables.rank(&game, &[m], true).expect("the tables know it");
            slips += usize::from(ranked.best() < expected);
            game.play(m);
        }
        plies += 1;
    }
    let mated = game.position().in_check() && game.position().legal_moves().is_empty();
    Played { mated, plies, slips }
}

/// Won endings: easy ones, some that need a technique, and pawns that must be promoted.
const WON: [&str; 8] = [
    "8/8/8/3k4/8/8/8/KQ6 w - - 0 1",
    "8/8/8/3k4/8/8/8/KR6 w - - 0 1",
    "8/8/8/3k4/8/8/8/KBB5 w - - 0 1",
    "8/8/8/3k4/8/8/8/KBN5 w - - 0 1",
    "8/8/8/3k4/8/8/4P3/4K3 w - - 0 1",
    "8/8/8/3k4/8/1r6/8/K1Q5 w - - 0 1",
    "8/8/8/8/8/2K5/5k1p/1Q6 w - - 0 1",
    "3k4/8/8/8/8/8/P5r1/K7 b - - 0 1",
];

#[test]
fn with_tables_won_endings_are_won_without_a_slip() {
    let Some(tables) = real_tables() else { return };
    for fen in WON {
        let (_, outcome) = best(&tables, &game(fen));
        let mut engine = engine(Some(tables.clone()));
        let played = play(&tables, &mut engine, fen, &Limits::of_nodes(3000), 300);
        assert_eq!(played.slips, 0, "{fen}");
        assert_eq!(played.mated, outcome == Wdl::Win, "{fen} after {} plies", played.plies);
    }
}

#[test]
fn a_win_that_the_counter_barely_leaves_time_for_is_won_in_time() {
    let Some(tables) = real_tables() else { return };
    let at = |clock: u32| format!("8/8/8/3k4/8/8/8/KBN5 w - - {clock} 90");
    // The largest counter with which the tables still call it a win.
    let latest = (0..100).rev().find(|&clock| best(&tables, &game(&at(clock))).1 == Wdl::Win).unwrap();
    // Its distance may be rounded, by one ply at most.
    let mut with_tables = engine(Some(tables.clone()));
    let played = play(&tables, &mut with_tables, &at(latest - 1), &Limits::of_nodes(2000), 200);
    assert!(played.mated && played.slips == 0, "{latest}: {} slips", played.slips);
    // A little later it is a cursed win: only the draw is left to lose, and it is reported as a draw.
    let cursed = game(&at(latest + 1));
    assert_eq!(best(&tables, &cursed).1, Wdl::CursedWin);
    let score = outcome(&mut with_tables, &cursed, &Limits::of_nodes(2000)).score;
    assert_eq!((score.main(), score.tie() > 0), (0, true), "{score}");
    let played = play(&tables, &mut with_tables, &cursed.position().fen(), &Limits::of_nodes(2000), 200);
    assert_eq!((played.mated, played.slips), (false, 0));
    // Without the rule it is won.
    let options = Options { hash_mb: 4, tables: Some(tables), syzygy_fifty_moves: false, ..Options::default() };
    let score = outcome(&mut Engine::new(options).0, &cursed, &Limits::of_nodes(2000)).score;
    assert!(score.is_winning(), "{score}");
}

#[test]
fn the_moves_asked_for_are_ranked_and_no_others() {
    let Some(tables) = real_tables() else { return };
    let game = game(WON[0]);
    // The queen wins sooner.
    let king_move = game.position().parse_uci("a1b2").unwrap();
    let limits = Limits { search_moves: vec![king_move], ..Limits::to_depth(3) };
    assert_eq!(outcome(&mut engine(Some(tables)), &game, &limits).best_move, Some(king_move));
}

#[test]
fn limited_strength_knows_no_tables() {
    let Some(tables) = real_tables() else { return };
    let options = Options { hash_mb: 4, tables: Some(tables), limit_strength: true, ..Options::default() };
    assert_eq!(outcome(&mut Engine::new(options).0, &game(WON[0]), &Limits::to_depth(3)).tb_hits, 0);
}

/// The real tables of outcomes alone, in a folder of their own.
fn outcomes_alone() -> (Arc<Tables>, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    for file in fs::read_dir(std::env::var("PACIOLI_SYZYGY").unwrap()).unwrap().map(Result::unwrap) {
        if file.path().extension().is_some_and(|extension| extension == "rtbw") {
            fs::copy(file.path(), folder.path().join(file.file_name())).unwrap();
        }
    }
    (Arc::new(Tables::open(&folder.path().to_string_lossy()).0.expect("the folder has tables")), folder)
}

#[test]
fn with_outcomes_alone_the_usual_mates_are_given_as_without_tables() {
    let Some(tables) = real_tables() else { return };
    let (outcomes, _folder) = outcomes_alone();
    for fen in &WON[..3] {
        let mut engine = engine(Some(outcomes.clone()));
        let score = outcome(&mut engine, &game(fen), &Limits::of_nodes(1000)).score;
        assert!(score >= Score::tablebase_win(1000), "{fen}: {score}");
        let played = play(&tables, &mut engine, fen, &Limits::of_nodes(20_000), 200);
        assert!(played.mated && played.slips == 0, "{fen} after {} plies, {} slips", played.plies, played.slips);
    }
}

#[test]
fn with_outcomes_alone_no_draw_is_lost() {
    let Some(tables) = real_tables() else { return };
    let (outcomes, _folder) = outcomes_alone();
    let mut engine = engine(Some(outcomes));
    let mut drawn = 0;
    for (king, pawn, other) in
        (0..64).flat_map(|king| (8..48).map(move |pawn| (king, pawn, (king * 29 + pawn * 7) % 64)))
    {
        let square = |index: u32| Square::new(index);
        let mut board = Board::empty();
        board.set_piece_at(square(king), Color::White.king());
        board.set_piece_at(square(pawn), Color::White.pawn());
        board.set_piece_at(square(other), Color::Black.king());
        let Ok(position) = Position::from_fen(&format!("{board} b - - 0 1"), false) else { continue };
        let game = Game::new(position);
        if game.is_over() || best(&tables, &game).1 != Wdl::Draw {
            continue;
        }
        drawn += 1;
        let played = outcome(&mut engine, &game, &Limits::of_nodes(200)).best_move.unwrap();
        assert_eq!(tables.rank(&game, &[played], true).unwrap().best(), Wdl::Draw, "{}", game.position().fen());
    }
    assert!(drawn > 300, "{drawn}");
}

#[test]
fn a_search_that_ends_at_once_plays_and_states_what_the_tables_say() {
    let Some(tables) = real_tables() else { return };
    for fen in
        ["8/8/r7/k7/7B/8/8/7K b - - 8 1", "4k3/8/8/3K4/2R5/8/7p/8 w - - 61 1", "8/3K2N1/8/6k1/8/8/1p6/8 w - - 0 1"]
    {
        let game = game(fen);
        let (_, expected) = best(&tables, &game);
        for limit in 1..60 {
            let outcome = outcome(&mut engine(Some(tables.clone())), &game, &Limits::of_nodes(limit));
            let played = outcome.best_move.unwrap();
            assert_eq!(tables.rank(&game, &[played], true).unwrap().best(), expected, "{fen}, {limit} nodes");
            let sign = outcome.score.is_decisive().then_some(outcome.score.main().signum());
            assert_eq!(sign, Some(if expected == Wdl::Win { 1 } else { -1 }), "{fen}, {limit}: {}", outcome.score);
        }
    }
}

#[test]
fn a_won_ending_is_not_given_away_by_repetition() {
    let Some(tables) = real_tables() else { return };
    let mut game = game("7K/8/8/8/8/8/7Q/5k2 w - - 0 1");
    for m in ["h2c7", "f1e1", "c7h2", "e1f1", "h2c7", "f1e1"] {
        game.play_uci(m).unwrap();
    }
    let outcome = outcome(&mut engine(Some(tables)), &game, &Limits::of_nodes(20_000));
    // Then the king returns to f1 for the third time.
    assert_ne!(outcome.best_move, game.position().parse_uci("c7h2").ok());
    assert!(outcome.score.is_decisive(), "{}", outcome.score);
}

#[test]
fn with_tables_drawn_endings_are_held() {
    let Some(tables) = real_tables() else { return };
    for fen in
        ["8/8/8/8/3k4/4r3/8/3KB3 w - - 0 1", "8/8/8/8/4k3/8/3KP3/8 b - - 0 1", "8/8/8/8/8/2k5/2p5/2K4N w - - 0 1"]
    {
        if best(&tables, &game(fen)).1 != Wdl::Draw {
            panic!("{fen} is no draw");
        }
        let played = play(&tables, &mut engine(Some(tables.clone())), fen, &Limits::of_nodes(2000), 120);
        assert!(!played.mated && played.slips == 0, "{fen}");
    }
}

#[test]
fn without_tables_the_usual_mates_are_still_given() {
    let Some(tables) = real_tables() else { return };
    for fen in &WON[..3] {
        let played = play(&tables, &mut engine(None), fen, &Limits::of_nodes(20_000), 200);
        assert!(played.mated, "{fen} after {} plies, {} slips", played.plies, played.slips);
    }
}

#[test]
fn scores_of_tables_are_no_mates_and_mates_are_found_through_them() {
    let Some(tables) = real_tables() else { return };
    let mut engine = engine(Some(tables));
    let won = outcome(&mut engine, &game("8/8/8/3k4/8/8/8/KBN5 w - - 0 1"), &Limits::of_nodes(2000));
    assert!(won.score.is_winning() && !won.score.is_mate(), "{}", won.score);
    assert!(won.tb_hits > 0 && matches!(won.score.stated(), StatedScore::Cp(20_000..)));
    let mate = outcome(&mut engine, &game("7k/8/5K2/8/8/8/8/R7 w - - 0 1"), &Limits::of_nodes(2000));
    assert_eq!(mate.score, Score::mating(3));
    let lost = outcome(&mut engine, &game("8/8/8/3k4/8/8/8/KBN5 b - - 0 1"), &Limits::of_nodes(2000));
    assert!(lost.score.is_losing() && !lost.score.is_mate(), "{}", lost.score);
}

#[test]
fn below_the_root_captures_lead_into_the_tables_as_depth_and_limit_allow() {
    let Some(tables) = real_tables() else { return };
    // Five men; capturing the rook leaves four.
    let root = game("8/7k/8/8/3r4/8/1K1Q4/3R4 w - - 0 1");
    let hits = |probe_depth, probe_limit| {
        let options = Options {
            tables: Some(tables.clone()),
            syzygy_probe_depth: probe_depth,
            syzygy_probe_limit: probe_limit,
            ..Options::default()
        };
        outcome(&mut Engine::new(options).0, &root, &Limits::to_depth(4))
    };
    // Larger tables would know the root.
    let found = hits(1, 4);
    assert!(found.tb_hits > 0 && found.score.is_winning(), "{} {}", found.tb_hits, found.score);
    assert_eq!(hits(1, 0).tb_hits, 0);
    assert!(hits(3, 4).tb_hits < found.tb_hits);
    assert_eq!(outcome(&mut engine(None), &root, &Limits::to_depth(4)).tb_hits, 0);
}

/// The program's output for these lines.
fn conversation(lines: &[&str]) -> String {
    let output = ended(&mut pacioli(), lines.join("\n") + "\n");
    assert!(output.status.success());
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn broken_tables_and_books_are_told_and_play_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("KQvK.rtbw"), b"nonsense").unwrap();
    let book = folder.path().join("book.bin");
    std::fs::write(&book, [7; 30]).unwrap();
    let tables = format!("setoption name SyzygyPath value {}", folder.path().display());
    let book = format!("setoption name Book File value {}", book.display());
    let heard = conversation(&[
        &tables,
        &book,
        "setoption name OwnBook value true",
        "position fen 8/8/8/3k4/8/8/8/KQ6 w - - 0 1",
        "go depth 2",
        "isready",
    ]);
    assert!(heard.contains("KQvK.rtbw is left out: it does not start like a table"), "{heard}");
    assert!(heard.contains("no tables in"), "{heard}");
    assert!(heard.contains("is no Polyglot book: its 30 bytes are no multiple of 16"), "{heard}");
    assert!(heard.contains("bestmove "), "{heard}");
}

#[test]
fn tables_are_used_on_the_command_line_too_and_named() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| pacioli().current_dir(folder.path()).args(arguments).output().unwrap();
    std::fs::write(folder.path().join("KQvK.rtbw"), b"nonsense").unwrap();
    for path in [".", "nowhere"] {
        let output = run(&["analyze", "startpos", "--depth", "1", "--syzygy", path]);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(
            said.starts_with(&format!("error: --syzygy {path}: Syzygy: "))
                && said.contains(&format!("no tables in `{path}`")),
            "{said}"
        );
    }
    let Ok(path) = std::env::var("PACIOLI_SYZYGY") else { return eprintln!("skipped: no PACIOLI_SYZYGY") };
    // The program runs in another folder.
    let path = std::path::absolute(path).unwrap().into_os_string().into_string().unwrap();
    let both = std::env::join_paths([".", &path]).unwrap().into_string().unwrap();
    // Won by the tables, in more moves than the search sees.
    let fen = "8/8/8/3k4/8/8/8/KBN5 w - - 0 1";
    let output = run(&["analyze", fen, "--depth", "2", "--threads", "2", "--syzygy", &both, "--json", "-"]);
    let analysis: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.starts_with("warning: ") && told.contains("KQvK.rtbw is left out"), "{told}");
    let provenance = &analysis["provenance"];
    assert!(provenance["tables"].as_str().unwrap().starts_with("Syzygy: "), "{provenance}");
    assert_eq!(provenance["threads"], 2);
    assert!(analysis["lines"][0]["score"]["cp"].as_i64().unwrap() > 10_000, "{analysis}");
    std::fs::write(folder.path().join("a.epd"), format!("{} bm Kb2;\n", &fen[..fen.len() - 4])).unwrap();
    let solve = |more: &[&str]| {
        let output = run(&[&["solve", "a.epd", "--depth", "1", "--json", "-"], more].concat());
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(solve(&["--syzygy", &path]).contains("\"tables\":\"Syzygy: "));
    assert!(!solve(&[]).contains("\"tables\""));
}

/// A book with two moves for the start position, e2e4 and the heavier d2d4: its folder, and the line that opens it.
fn book_of_two_moves() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("my book.bin");
    let entry = |m: u16, weight: u16| {
        let key = Position::default().polyglot_key().to_be_bytes();
        [&key[..], &m.to_be_bytes(), &weight.to_be_bytes(), &[0; 4]].concat()
    };
    std::fs::write(&path, [entry(12 << 6 | 28, 1), entry(11 << 6 | 27, 2)].concat()).unwrap();
    let file = format!("setoption name Book File value {}", path.display());
    (folder, file)
}

const OWN_BOOK: &str = "setoption name OwnBook value true";
const BEST_OF_BOOK: &str = "setoption name Book Choice value best";

#[test]
fn a_book_move_is_played_when_asked_for_and_depends_on_the_seed() {
    let (_folder, file) = book_of_two_moves();
    let played = |settings: &[&str]| -> String {
        let script = [&[file.as_str()], settings, &["position startpos", "go nodes 1"]].concat();
        let heard = conversation(&script);
        assert!(heard.contains("info depth 0 pv ") && !heard.contains("score"), "a move from the book has no score");
        heard.lines().find(|line| line.starts_with("bestmove")).expect("an answer").to_owned()
    };
    let best = [OWN_BOOK, BEST_OF_BOOK];
    assert_eq!(played(&best), "bestmove d2d4");
    // A game in which several lines are shown is one, too.
    assert_eq!(played(&[&best[..], &["setoption name MultiPV value 2"]].concat()), "bestmove d2d4");
    let by_seed = |seed: u32| played(&[OWN_BOOK, &format!("setoption name Seed value {seed}")]);
    let answers: Vec<String> = (1..=12).map(by_seed).collect();
    assert_eq!(by_seed(5), answers[4]);
    assert!(answers.iter().any(|answer| answer == "bestmove e2e4"), "{answers:?}");
    assert!(answers.iter().any(|answer| answer == "bestmove d2d4"), "{answers:?}");
}

#[test]
fn analysis_and_a_choice_of_moves_do_without_the_book() {
    let (_folder, file) = book_of_two_moves();
    let heard_after = |lines: &[&str]| {
        let heard = conversation(&[&[file.as_str(), OWN_BOOK, BEST_OF_BOOK, "position startpos"], lines].concat());
        assert!(heard.contains(" score ") && !heard.contains(" book: "), "{lines:?}: {heard}");
        heard
    };
    assert!(heard_after(&["go nodes 50 searchmoves a2a3"]).contains("bestmove a2a3"));
    heard_after(&["setoption name UCI_AnalyseMode value true", "go nodes 50"]);
    heard_after(&["go mate 1 nodes 50"]);
    heard_after(&["go ponder nodes 50", "ponderhit"]);
    heard_after(&["go infinite nodes 50", "stop"]);
}

#[test]
fn limited_strength_plays_the_same_game_again_with_the_same_seed() {
    let game = |seed: u32| {
        let options = Options { limit_strength: true, elo: 1200, seed, hash_mb: 1, ..Options::default() };
        let mut engine = Engine::new(options).0;
        let mut game = Game::default();
        for _ in 0..20 {
            let outcome = outcome(&mut engine, &game, &Limits::of_nodes(1_000_000));
            assert!(outcome.nodes < 1000, "{}", outcome.nodes);
            game.play(outcome.best_move.unwrap());
        }
        game.position().fen()
    };
    assert_eq!(game(1), game(1));
    assert!((2..6).any(|seed| game(seed) != game(1)), "the seed changes nothing");
}
