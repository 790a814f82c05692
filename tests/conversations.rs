//! Scripted conversations with the real program over real pipes: MultiPV, excluded moves, mates, analysis, Chess960,
//! and commands at any moment. `tests/uci.rs` has the protocol's basics.

use std::thread;
use std::time::Duration;

use pacioli::board::{Game, Move, Position};

use crate::common::Random;
use crate::common::process::{Engine, check_info, complaints, number_after};

/// A position with three legal moves, by the king.
const THREE_MOVES: &str = "7k/8/8/8/p7/8/8/K7 w - - 0 1";
/// White mates in two: the rook goes to a6.
const MATE_IN_TWO: &str = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";

fn game(fen: &str, chess960: bool) -> Game {
    Game::new(Position::from_fen(fen, chess960).unwrap())
}

/// The moves of an info line's variation.
fn line_of(info: &str, game: &Game) -> Vec<Move> {
    let words: Vec<&str> = info.split(" pv ").nth(1).unwrap_or_default().split(' ').collect();
    let line = game.position().legal_line(words.iter().copied());
    assert_eq!(line.len(), words.len(), "{info}");
    line
}

/// A score as a number for comparisons.
fn worth(info: &str) -> i64 {
    match (number_after(info, "cp"), number_after(info, "mate")) {
        (Some(centipawns), _) => centipawns,
        (None, Some(moves)) => moves.signum() * 1_000_000 - moves,
        (None, None) => panic!("no score in {info}"),
    }
}

/// Checks the blocks of lines that end the iterations: ranks and scores in order, no move twice, the right number of
/// lines. Returns the last block.
fn check_blocks(heard: &[String], game: &Game, count: usize) -> Vec<String> {
    let exact = |line: &&String| line.contains(" score ") && !line.contains("bound ");
    let infos: Vec<&String> = heard.iter().filter(exact).collect();
    let mut blocks: Vec<Vec<&String>> = Vec::new();
    for info in infos {
        check_info(info, game);
        match number_after(info, "multipv") {
            Some(1) => blocks.push(vec![info]),
            _ => blocks.last_mut().expect("rank 1 comes first").push(info),
        }
    }
    assert!(!blocks.is_empty());
    for block in &blocks {
        assert_eq!(block.len(), count, "{block:#?}");
        for (index, info) in block.iter().enumerate() {
            assert_eq!(number_after(info, "multipv"), Some(index as i64 + 1), "{block:#?}");
        }
        assert!(block.windows(2).all(|pair| worth(pair[0]) >= worth(pair[1])), "{block:#?}");
        let mut heads: Vec<_> = block.iter().map(|info| game.position().uci(line_of(info, game)[0])).collect();
        heads.sort();
        heads.dedup();
        assert_eq!(heads.len(), count, "{block:#?}");
    }
    blocks.pop().unwrap_or_default().into_iter().cloned().collect()
}

#[test]
fn several_best_lines_come_in_order_and_none_is_missing() {
    let mut engine = Engine::start();
    for (multi_pv, fen, go, count) in [
        (3, "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3", "go depth 6", 3),
        (200, "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3", "go depth 3", 31),
        (10, THREE_MOVES, "go depth 5", 3),
        (4, THREE_MOVES, "go depth 5 searchmoves a1b2 a1a2", 2),
        (4, THREE_MOVES, "go depth 5 excludemoves a1b2", 2),
        (2, MATE_IN_TWO, "go depth 10", 2),
        (1, THREE_MOVES, "go depth 5", 1),
    ] {
        let game = game(fen, false);
        engine.send(&format!("setoption name MultiPV value {multi_pv}"));
        engine.send(&format!("position fen {fen}"));
        engine.send(go);
        let heard = engine.until("bestmove");
        let best = check_blocks(&heard, &game, count);
        // A mate ends nothing while other lines are none.
        assert_eq!(number_after(&best[0], "depth"), number_after(go, "depth"), "{go}");
        let answer = heard.last().and_then(|line| line.split(' ').nth(1).map(str::to_owned));
        assert_eq!(answer, Some(game.position().uci(line_of(&best[0], &game)[0])), "{go}");
    }
}

#[test]
fn several_best_lines_stay_in_order_wherever_the_search_is_cut_short() {
    let mut engine = Engine::start();
    engine.send("setoption name MultiPV value 4");
    let start = Game::default();
    for nodes in [1, 50, 300, 1000, 2500, 4000, 7000, 12_000, 20_000] {
        engine.send("ucinewgame");
        engine.send(&format!("go nodes {nodes}"));
        let heard = engine.until("bestmove");
        let last = heard.iter().rposition(|line| line.contains(" multipv 1 ")).expect("a line");
        let block: Vec<_> = heard[last..heard.len() - 1].iter().filter(|line| line.contains(" score ")).collect();
        block.iter().for_each(|info| check_info(info, &start));
        // A line disproved by an unfinished iteration has a bound, and so may one that had just failed.
        assert!(block.windows(2).all(|pair| worth(pair[0]) >= worth(pair[1])), "{block:#?}");
        let first = start.position().uci(line_of(block[0], &start)[0]);
        assert!(heard.last().is_some_and(|line| line.starts_with(&format!("bestmove {first}"))), "{heard:#?}");
    }
}

#[test]
fn a_line_that_an_unfinished_iteration_disproves_by_a_mate_is_shown_all_the_same() {
    let mut engine = Engine::start();
    engine.send("setoption name Hash value 1");
    engine.send("setoption name MultiPV value 2");
    let mut disproved = 0;
    for nodes in (2700..2900).step_by(10) {
        engine.send("ucinewgame");
        engine.send("position fen 1Q6/5Q2/8/8/8/5k2/8/K7 b - - 1 1");
        engine.send(&format!("go nodes {nodes}"));
        let heard = engine.until("bestmove");
        let last = heard.iter().rposition(|line| line.contains(" multipv 1 ")).expect("a line");
        let second = heard[last..].iter().find(|line| line.contains(" multipv 2 "));
        let second = second.unwrap_or_else(|| panic!("{nodes}: {heard:#?}"));
        disproved += usize::from(second.contains(" score cp -20000 upperbound "));
    }
    assert!(disproved > 0, "no mate was seen within an iteration");
}

#[test]
fn the_depth_of_the_best_line_never_falls() {
    let mut engine = Engine::start();
    for nodes in (1000..4000).step_by(100) {
        engine.send("ucinewgame");
        engine.send("position fen r2qk2r/pp2bppp/3pbn2/2p1n3/2P1P3/2N2N2/PP2BPPP/R1BQK2R w KQkq - 0 1");
        engine.send(&format!("go nodes {nodes}"));
        let depths: Vec<i64> = engine.until("bestmove").iter().filter_map(|line| number_after(line, "depth")).collect();
        assert!(!depths.is_empty() && depths.is_sorted(), "{nodes}: {depths:?}");
    }
}

#[test]
fn the_moves_of_a_game_stay_known_while_the_rules_of_castling_change_to_and_fro() {
    let mut engine = Engine::start();
    let moves = "b3c3 a1b1 c3b3 b1a1 b3c3 a1b1 c3b3";
    engine.send(&format!("position fen 6k1/8/8/8/8/1q6/8/K7 b - - 0 1 moves {moves}"));
    for value in [true, false] {
        engine.send(&format!("setoption name UCI_Chess960 value {value}"));
    }
    engine.send("go depth 4");
    // The king's move repeats the position for the third time.
    assert!(engine.until("bestmove").iter().any(|line| line.contains(" score cp 0 ")));
}

#[test]
fn a_mate_is_denied_only_for_the_moves_searched() {
    let mut engine = Engine::start();
    engine.send("position fen kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1");
    engine.send("go mate 2 searchmoves a1a2");
    assert!(engine.until("bestmove").contains(&"info string no mate in 2 by the moves searched".to_owned()));
    engine.send("position fen 7k/5KQ1/8/8/8/8/8/8 b - - 0 1");
    engine.send("go mate 1");
    assert!(!engine.until("bestmove").iter().any(|line| line.contains("go mate 1")));
}

#[test]
fn excluded_moves_are_not_played_and_excluding_all_excludes_none() {
    let mut engine = Engine::start();
    let game = game(THREE_MOVES, false);
    engine.send(&format!("position fen {THREE_MOVES}"));
    for (go, allowed) in [
        ("go excludemoves a1a2 depth 4", vec!["a1b1", "a1b2"]),
        ("go depth 4 excludemoves a1a2 a1b2", vec!["a1b1"]),
        ("go excludemoves a1a2 searchmoves a1a2 a1b1 depth 4", vec!["a1b1"]),
    ] {
        engine.send(go);
        let best = engine.expect_answer(&game);
        assert!(allowed.contains(&best.as_str()), "{go}: {best}");
    }
    for go in ["go depth 2 excludemoves a1a2 a1b1 a1b2", "go depth 2 excludemoves e2e4"] {
        engine.send(go);
        engine.expect("info string excludemoves: ");
        engine.expect_answer(&game);
    }
    // Nor does it admit moves that were not requested.
    for requested in [["a1a2", "a1b1"], ["a1a2", "a1b2"], ["a1b1", "a1b2"]] {
        let moves = requested.join(" ");
        engine.send(&format!("go depth 2 searchmoves {moves} excludemoves {moves}"));
        engine.expect("info string excludemoves: ");
        let best = engine.expect_answer(&game);
        assert!(requested.contains(&best.as_str()), "{requested:?}: {best}");
    }
}

#[test]
fn a_mate_is_looked_for_from_both_sides_until_it_is_short_enough() {
    let mut engine = Engine::start();
    let attacker = game(MATE_IN_TWO, false);
    engine.send(&format!("position fen {MATE_IN_TWO}"));
    engine.send("go mate 2");
    assert_eq!(engine.expect_answer(&attacker), "a1a6");
    let mut defender = attacker.clone();
    defender.play_uci("a1a6").unwrap();
    engine.send(&format!("position fen {MATE_IN_TWO} moves a1a6"));
    engine.send("go mate 1");
    let heard = engine.until("bestmove");
    let last = heard.iter().rfind(|line| line.contains(" score ")).expect("a score");
    check_info(last, &defender);
    assert_eq!(number_after(last, "mate"), Some(-1), "{last}");
    // A longer mate than requested is none: the search ends when that is proven.
    engine.send(&format!("position fen {MATE_IN_TWO}"));
    engine.send("go mate 1");
    let heard = engine.until("bestmove");
    assert!(heard.iter().any(|line| line == "info string no mate in 1"), "{heard:?}");
    // Where it ends without one is said, unless another limit ends it.
    let is_said = |heard: &[String]| heard.iter().any(|line| line.starts_with("info string go mate 1: "));
    assert!(is_said(&heard));
    engine.send("go mate 1 nodes 100");
    assert!(!is_said(&engine.until("bestmove")));
}

#[test]
fn several_lines_come_without_bounds_between_them() {
    let mut engine = Engine::start();
    engine.send("setoption name MultiPV value 3");
    engine.send("go depth 10");
    let heard = engine.until("bestmove");
    assert!(heard.iter().any(|line| line.contains(" multipv 3 ")), "{heard:?}");
    assert!(heard.iter().all(|line| !line.contains("bound ")), "{heard:?}");
}

#[test]
fn in_analysis_a_proven_mate_does_not_end_the_search() {
    let mut engine = Engine::start();
    let deepest = |engine: &mut Engine| {
        engine.send("go depth 12");
        let heard = engine.until("bestmove");
        heard.iter().filter_map(|line| number_after(line, "depth")).max()
    };
    engine.send(&format!("position fen {MATE_IN_TWO}"));
    assert!(deepest(&mut engine) < Some(12));
    engine.send("setoption name UCI_AnalyseMode value true");
    assert_eq!(deepest(&mut engine), Some(12));
    // A search for a mate that is not there ends all the same.
    engine.send("go mate 1");
    let heard = engine.until("bestmove");
    assert!(heard.iter().any(|line| line == "info string no mate in 1"), "{heard:?}");
}

#[test]
fn refutations_and_current_lines_are_shown_where_asked_for() {
    let mut engine = Engine::start();
    let start = Game::default();
    engine.send("go depth 4");
    assert!(engine.until("bestmove").iter().all(|line| !line.contains("refutation") && !line.contains("currline")));
    engine.send("setoption name UCI_ShowRefutations value true");
    engine.send("setoption name UCI_ShowCurrLine value true");
    engine.send("go depth 4");
    let heard = engine.until("bestmove");
    let refutations: Vec<_> = heard.iter().filter_map(|line| line.strip_prefix("info refutation ")).collect();
    // In each iteration those of all moves but the best.
    assert!(refutations.len() == 4 * 19 && refutations.iter().any(|line| line.contains(' ')), "{heard:#?}");
    for line in refutations {
        let mut game = start.clone();
        line.split(' ').for_each(|text| game.play_uci(text).unwrap_or_else(|error| panic!("{line}: {error}")));
    }
    engine.send("go infinite");
    let line = engine.expect("info currline ");
    let mut game = start.clone();
    for text in line.split(' ').skip(3) {
        game.play_uci(text).unwrap_or_else(|error| panic!("{line}: {error}"));
    }
    let line = loop {
        let line = engine.expect("info depth ");
        if line.contains(" currmove ") {
            break line;
        }
    };
    assert!(number_after(&line, "currmovenumber").is_some_and(|number| (1..=20).contains(&number)), "{line}");
    engine.send("stop");
    engine.expect("bestmove");
}

#[test]
fn castling_rights_that_end_with_the_rules_of_chess960_are_named() {
    let mut engine = Engine::start();
    engine.send("setoption name UCI_Chess960 value true");
    engine.send("position fen 1rk3r1/pppppppp/8/8/8/8/PPPPPPPP/1RK3R1 w KQkq - 0 1");
    assert_eq!(engine.sync().len(), 1);
    engine.send("setoption name UCI_Chess960 value false");
    engine.expect("info string position: ");
}

#[test]
fn castling_rights_come_and_go_with_the_rules_of_chess960() {
    const BOARD: &str = "1r2k1r1/8/8/8/8/8/8/1R2K1R1";
    let mut engine = Engine::start();
    let fen = format!("{BOARD} w GBgb - 0 1");
    let moves = format!("position fen {fen} moves b1b2 b8b7 b2b1");
    for (line, place, rights) in [
        (format!("position fen {fen}"), format!("{BOARD} w"), "KQkq"),
        (fen.clone(), format!("{BOARD} w"), "KQkq"),
        (moves, "4k1r1/1r6/8/8/8/8/8/1R2K1R1 b".to_owned(), "Kk"),
    ] {
        engine.send("setoption name UCI_Chess960 value false");
        engine.send(&line);
        engine.sync();
        for (chess960, shown, told) in [(true, rights, 0), (false, "-", 1), (true, rights, 0)] {
            engine.send(&format!("setoption name UCI_Chess960 value {chess960}"));
            let lost = format!("info string position: castling rights {rights} are impossible; left out");
            assert_eq!(engine.sync().iter().filter(|line| **line == lost).count(), told, "{line}");
            engine.send("d");
            let position = engine.expect("Fen: ");
            assert!(position.starts_with(&format!("Fen: {place} {shown} - ")), "{line}: {position}");
        }
        // The moves are still those of the game.
        engine.send("undo");
        let is_back = engine.sync().iter().any(|told| told.starts_with("info string taken back; "));
        assert_eq!(is_back, line.contains("moves"), "{line}");
    }
    // After a castling move that the other rules do not know.
    engine.send("setoption name UCI_Chess960 value true");
    engine.send(&format!("position fen {fen} moves e1b1"));
    for (chess960, shown) in [(true, "kq"), (false, "-"), (true, "kq")] {
        engine.send(&format!("setoption name UCI_Chess960 value {chess960}"));
        engine.send("d");
        let position = engine.expect("Fen: ");
        assert!(position.starts_with(&format!("Fen: 1r2k1r1/8/8/8/8/8/8/2KR2R1 b {shown} - ")), "{position}");
    }
}

#[test]
fn rooks_that_are_named_without_the_rules_of_chess960_ask_for_them() {
    let mut engine = Engine::start();
    let fen = "1rk3r1/pppppppp/8/8/8/8/PPPPPPPP/1RK3R1 w GBgb - 0 1";
    for line in [format!("position fen {fen}"), fen.to_owned(), "4k3/8/8/8/8/8/8/1R2K3 w HB - 0 1".to_owned()] {
        engine.send(&line);
        let told = engine.sync().iter().filter(|told| told.ends_with(": set UCI_Chess960")).count();
        assert_eq!(told, 1, "{line}");
    }
    // Not if they are not named, or if no more would be kept.
    for fen in [
        "1rk3r1/pppppppp/8/8/8/8/PPPPPPPP/1RK3R1 w KQkq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w HAha e3 0 1",
        "4k3/8/8/8/8/8/8/4K2R w HA - 0 1",
    ] {
        engine.send(&format!("position fen {fen}"));
        let told = engine.sync();
        assert!(told.len() == 2 && !told.iter().any(|told| told.contains("UCI_Chess960")), "{told:?}");
    }
    // A rook that is named twice loses nothing.
    engine.send("position fen 4k3/8/8/8/8/8/8/4K2R w HK - 0 1");
    assert_eq!(engine.sync().len(), 1);
}

#[test]
fn chess960_positions_are_read_in_both_notations_and_castling_is_written_as_taking_the_rook() {
    let mut engine = Engine::start();
    engine.send("setoption name UCI_Chess960 value true");
    let mut keys = Vec::new();
    for fen in
        ["1rk3r1/pppppppp/8/8/8/8/PPPPPPPP/1RK3R1 w KQkq - 0 1", "1rk3r1/pppppppp/8/8/8/8/PPPPPPPP/1RK3R1 w GBgb - 0 1"]
    {
        engine.send(&format!("position fen {fen}"));
        engine.send("d");
        keys.push(engine.expect("Key: "));
        for castling in ["c1b1", "c1g1"] {
            engine.send(&format!("go depth 3 searchmoves {castling}"));
            assert_eq!(engine.expect_answer(&game(fen, true)), castling);
        }
        engine.send(&format!("position fen {fen} moves c1g1 c8b8"));
        engine.send("d");
        assert!(engine.expect("Fen: ").contains("/1R3RK1 w - - 2 2"));
        assert_eq!(complaints(&engine.sync()), 0);
    }
    assert_eq!(keys[0], keys[1]);
}

#[test]
fn the_castling_rights_of_a_typed_position_are_not_a_command() {
    let mut engine = Engine::start();
    engine.send("setoption name UCI_Chess960 value true");
    engine.send("1k1r4/8/8/8/8/8/8/1K1R4 b d - 0 1");
    assert_eq!(engine.sync(), ["info string set up; black to move", "readyok"]);
    engine.send("d");
    assert!(engine.expect("Fen: ").starts_with("Fen: 1k1r4/8/8/8/8/8/8/1K1R4 b "));
}

#[test]
fn every_go_is_answered_once_whatever_comes_in_between() {
    let mut engine = Engine::start();
    let mut random = Random::default();
    let mut next = |count: usize| random.below(count);
    let starts = [
        "go infinite",
        "go ponder wtime 100 btime 100",
        "go movetime 20",
        "go nodes 3000",
        "go depth 3",
        "go ponder infinite",
        "go mate 3 nodes 2000",
    ];
    let between = [
        "isready",
        "ponderhit",
        "setoption name MultiPV value 3",
        "setoption name MultiPV value 1",
        "position startpos moves e2e4",
        "position startpos",
        "ucinewgame",
        "debug on",
        "debug off",
        "register later",
        "d",
    ];
    for _ in 0..40 {
        engine.send(starts[next(starts.len())]);
        for _ in 0..next(5) {
            thread::sleep(Duration::from_millis(next(8) as u64));
            engine.send(between[next(between.len())]);
        }
        engine.send("stop");
        engine.send("uci");
        let heard = engine.until("uciok");
        let answers: Vec<_> = heard.iter().filter(|line| line.starts_with("bestmove ")).collect();
        assert_eq!(answers.len(), 1, "{heard:#?}");
        assert!(!answers[0].contains("(none)"));
    }
}

#[test]
fn isready_is_answered_while_a_count_is_waited_for() {
    let mut engine = Engine::start();
    engine.send("go perft 64");
    engine.send("go depth 1");
    engine.sync();
    // With words around it, too, as when nothing runs.
    for line in ["isready now", "xyz IsReady"] {
        engine.send(line);
        engine.expect("readyok");
    }
    engine.expect_no("bestmove");
    engine.send("stop");
    engine.expect("info string perft stopped");
    engine.expect_answer(&Game::default());
}

/// Sent at once, so that later commands are read while the earlier search is still ending.
#[test]
fn a_stop_reaches_every_search_before_it() {
    let mut engine = Engine::start();
    for (commands, searches) in [
        ("go infinite\ngo infinite\nstop\n", 2),
        ("go infinite\ngo ponder\ngo infinite\nstop now\n", 3),
        ("go perft 64\ngo infinite\nstop\n", 1),
        ("go perft 64\ngo perft 64\ngo depth 1\nstop\n", 1),
    ] {
        for _ in 0..3 {
            engine.send_bytes(commands.as_bytes());
            (0..searches).for_each(|_| assert!(!engine.expect("bestmove").is_empty()));
            assert!(engine.sync().iter().all(|line| !line.starts_with("bestmove")), "{commands}");
        }
    }
    // The end of input is noticed even while a count is awaited.
    engine.send_bytes(b"go perft 64\ngo perft 64\nstop\nstop\nquit\n");
    engine.expect_end();
}

#[test]
fn the_last_line_is_explained_at_the_prompt() {
    let mut engine = Engine::start();
    engine.send("explain");
    assert_eq!(complaints(&engine.sync()), 1);
    engine.send(&format!("position fen {MATE_IN_TWO}"));
    engine.send("go depth 8");
    engine.expect("bestmove");
    engine.send("position startpos");
    engine.send("explain");
    let heard = engine.sync();
    assert!(complaints(&heard) == 0 && heard[0] == MATE_IN_TWO, "{heard:#?}");
    assert!(heard.iter().any(|line| line.contains("| 1.Ra6")), "{heard:#?}");
    assert!(heard.iter().any(|line| line.contains("win 100.0 %")), "{heard:#?}");
    // Without a legal move nothing is searched.
    engine.send("position fen 7k/5KQ1/8/8/8/8/8/8 b - - 0 1");
    engine.send("go depth 8");
    engine.expect("bestmove (none)");
    engine.send("explain");
    assert_eq!(complaints(&engine.sync()), 1);
}
