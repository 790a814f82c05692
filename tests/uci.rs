//! Conversations over real pipes with the real program. No test assumes anything about scores or which move is best.

use std::thread;
use std::time::{Duration, Instant};

use pacioli::board::{Game, Position};

use crate::common::process::{Engine, complaints, number_after};

#[test]
fn handshake_names_the_engine_and_lists_options() {
    let mut engine = Engine::start();
    engine.send("uci");
    let heard = engine.until("uciok");
    assert!(heard[0].starts_with("id name Pacioli "), "no greeting on a pipe: {}", heard[0]);
    assert!(heard[1].starts_with("id author "));
    for option in [
        "option name Hash type spin default 16 min 1 max 1048576",
        "option name Clear Hash type button",
        "option name Move Overhead type spin default 10 min 0 max 10000",
        "option name Ponder type check default false",
        "option name UCI_Chess960 type check default false",
        "option name UCI_Opponent type string default <empty>",
        "option name Profile type combo default modern var modern var deep-blue",
        "option name null_move type check default true",
        "option name credit_limit type spin default 15 min 15 max 48",
    ] {
        assert!(heard.iter().any(|line| line == option), "{option}");
    }
    assert_eq!(engine.sync(), ["readyok"]);
    engine.send("quit");
    engine.expect_end();
}

#[test]
fn options_are_set_or_refused_aloud() {
    let mut engine = Engine::start();
    for line in [
        "setoption name Hash value 2",
        "setoption name hash value 1",
        "setoption name MoveOverhead value 50",
        "setoption name Clear Hash",
        "setoption name UCI_Opponent value GM 2800 human Gary Kasparov",
        "setoption name UCI_AnalyseMode value true",
        "setoption name Profile value deep-blue",
        "setoption name credit_limit value 24",
        "setoption name Threads value 1",
        "register later",
        "ucinewgame",
        "debug on",
    ] {
        engine.send(line);
        assert_eq!(complaints(&engine.sync()), 0, "{line}");
    }
    for line in [
        "setoption name Hash value 0",
        "setoption name Hash value lots",
        "setoption name Hash",
        "setoption name Profile value shallow-red",
        "setoption name credit_limit value 4000",
        "setoption name No Such Option value 1",
        "setoption",
        "debug",
    ] {
        engine.send(line);
        assert_eq!(complaints(&engine.sync()), 1, "{line}");
    }
}

#[test]
fn the_ledger_of_each_iteration_is_shown_where_it_is_wanted() {
    let mut engine = Engine::start();
    let fen = "r1r1q1k1/6p1/3b1p1p/1p1PpP2/1Pp5/2P4P/R1B2QP1/R5K1 w - - 0 37";
    let ledgers = |heard: &[String]| heard.iter().filter(|line| line.contains("| White")).count();
    for (ledger, profile) in [("false", "modern"), ("true", "modern"), ("true", "deep-blue")] {
        engine.send(&format!("setoption name Profile value {profile}"));
        engine.send(&format!("setoption name Ledger value {ledger}"));
        engine.send("ucinewgame");
        engine.send(&format!("position fen {fen}"));
        engine.send("go depth 5");
        let heard = engine.until("bestmove");
        assert_eq!(ledgers(&heard), if ledger == "true" { 5 } else { 0 }, "{heard:#?}");
        // The line with the principal variation is the last before the answer.
        assert!(heard[heard.len() - 2].contains(" pv "), "{heard:#?}");
        if ledger == "true" {
            let rows = heard.iter().filter(|line| line.starts_with("info string |") && line.contains("| 37."));
            assert!(rows.count() >= 5, "{heard:#?}");
        }
    }
}

// On other systems the memory may be granted and the program killed when it is used.
#[cfg(target_os = "linux")]
#[test]
fn an_impossible_hash_is_refused_politely() {
    let mut engine = Engine::start();
    engine.send("setoption name Hash value 1048576");
    // A machine with a terabyte to spare may take it; in any case the game goes on.
    let heard = engine.sync();
    assert!(heard.len() == 1 || heard.iter().any(|line| line.contains("cannot allocate")), "{heard:?}");
    engine.send("setoption name Hash value 1");
    engine.send("go depth 1");
    engine.expect_answer(&Game::default());
}

#[test]
fn bad_input_is_named_and_changes_nothing() {
    let mut engine = Engine::start();
    engine.send("position startpos moves e2e4");
    engine.send("d");
    let before = engine.expect("Key: ");
    engine.expect("Checkers:");
    for line in [
        "position fen not a position at all",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position fen",
        "position",
        "position elsewhere",
        "position startpos moves e2e4 e2e4",
        "position startpos moves e2e4 e7e5 rubbish",
        "xyzzy",
        "bench 0",
        "\u{1b}[31mred\u{7}",
    ] {
        engine.send(line);
        let heard = engine.sync();
        assert!(complaints(&heard) >= 1, "{line}");
        assert!(heard.iter().all(|line| line.starts_with("info string") || line == "readyok"), "{heard:?}");
        engine.send("d");
        assert_eq!(engine.expect("Key: "), before, "{line}");
        engine.expect("Checkers:");
    }
    engine.send("position startpos moves e2e4 e7e5 e1e3");
    let complaint = engine.expect("info string");
    assert!(complaint.contains("move 3") && complaint.contains("e1e3"), "{complaint}");
    engine.send_bytes(b"position \xff\xfe\x00 moves\n\n\r\n");
    assert_eq!(complaints(&engine.sync()), 1);
    engine.send("joho debug on");
    assert_eq!(complaints(&engine.sync()), 1);
}

#[test]
fn every_kind_of_limit_is_answered() {
    let mut engine = Engine::start();
    let game = Game::default();
    for line in [
        "go depth 2",
        "go nodes 500",
        "go movetime 30",
        "go wtime 100",
        "go wtime 200 btime 200 winc 10 binc 10",
        "go binc 10 winc 10 movestogo 5 btime 200 wtime 200",
        "go wtime -20 btime 100",
        "go wtime 0 btime 0",
        "go nodes 0",
        "go depth 0",
        "go mate 1 movetime 30",
        "go movetime 30 depth 64 nodes 100000000",
        "go depth 2 nonsense 7",
    ] {
        engine.send(line);
        engine.expect_answer(&game);
    }
    // A clock for one side only, and it is the other one's.
    engine.send("position startpos moves e2e4");
    engine.send("go btime 100");
    let mut after = Game::default();
    after.play_uci("e2e4").unwrap();
    engine.expect_answer(&after);
    engine.send("go searchmoves a7a6 h7h6 a1a8 depth 3");
    let best = engine.expect_answer(&after);
    assert!(["a7a6", "h7h6"].contains(&best.as_str()), "{best}");
}

#[test]
fn infinite_search_answers_only_after_stop() {
    let mut engine = Engine::start();
    for line in ["go infinite", "go infinite depth 1", "go depth 1 infinite movetime 1"] {
        engine.send(line);
        engine.expect("info depth");
        engine.expect_no("bestmove");
        assert!(engine.sync().iter().all(|line| !line.starts_with("bestmove")));
        engine.send("stop");
        assert!(engine.expect("bestmove").len() > "bestmove ".len());
        engine.send("stop");
        engine.expect_no("bestmove");
    }
}

#[test]
fn isready_is_answered_while_searching() {
    let mut engine = Engine::start();
    engine.send("go infinite");
    for _ in 0..20 {
        assert!(engine.sync().iter().all(|line| !line.starts_with("bestmove")));
    }
    engine.send("stop");
    engine.expect("bestmove");
}

/// Sent at once, so that it is read while what comes before it is still waited for.
#[test]
fn isready_does_not_overtake_what_was_sent_before_it() {
    let mut engine = Engine::start();
    let place = |heard: &[String], text: &str| heard.iter().position(|line| line.contains(text));
    for commands in ["stop\nisready\n", "stop\nsetoption name Foo value 1\nisready\n"] {
        for _ in 0..3 {
            engine.send("go infinite");
            engine.expect("info depth");
            engine.send_bytes(commands.as_bytes());
            let heard = engine.until("readyok");
            assert!(place(&heard, "bestmove").is_some(), "{commands}: {heard:#?}");
        }
    }
    engine.send_bytes(b"go perft 64\ngo perft 1\nsetoption name Foo value 1\nisready\nstop\n");
    let heard = engine.until("readyok");
    assert!(place(&heard, "perft stopped").is_some() && place(&heard, "`Foo`").is_some(), "{heard:#?}");
}

#[test]
fn a_search_that_waits_for_a_count_has_its_whole_time() {
    const WAIT: Duration = Duration::from_millis(200);
    let mut engine = Engine::start();
    engine.send("go perft 64");
    engine.send("go movetime 300");
    engine.sync();
    thread::sleep(WAIT);
    let stopped = Instant::now();
    engine.send("stop");
    let line = engine.expect("info depth 1 ");
    // Its clock starts when the count has ended.
    let since_stop = stopped.elapsed().as_millis() as i64;
    assert!(number_after(&line, "time").is_some_and(|time| time <= since_stop), "{line}: {since_stop} ms");
    engine.expect("bestmove");
}

#[test]
fn pondering_waits_for_the_move_to_be_played() {
    let mut engine = Engine::start();
    let game = Game::default();
    for line in ["go ponder wtime 300 btime 300", "go ponder movetime 50", "go depth 1 ponder"] {
        engine.send(line);
        engine.expect_no("bestmove");
        engine.send("ponderhit");
        engine.expect("bestmove");
        engine.send(line);
        engine.send("stop");
        engine.expect_answer(&game);
    }
    engine.send("go ponder infinite");
    engine.send("ponderhit");
    engine.expect_no("bestmove");
    engine.send("stop");
    engine.expect("bestmove");
    engine.send("ponderhit");
    engine.expect("info string ponderhit");
}

/// The soft and the hard time that the last of these commands says, on a machine that has shown no lag yet.
fn times_told(commands: &[&str]) -> [i64; 2] {
    let mut engine = Engine::start();
    let (&last, before) = commands.split_last().expect("a command");
    before.iter().chain(&["debug on", last]).for_each(|command| engine.send(command));
    let line = engine.expect("info string time: ");
    ["soft", "hard"].map(|name| number_after(&line, name).expect("a time"))
}

#[test]
fn a_move_that_was_expected_has_the_usual_time_of_its_own_clock() {
    let [soft, hard] = times_told(&["go wtime 60000 btime 60000"]);
    assert!(soft < hard, "{soft} {hard}");
    assert_eq!(times_told(&["go ponder wtime 60000 btime 1000", "ponderhit"]), [soft, soft]);
    // Unless the move may not take as long.
    assert_eq!(times_told(&["go ponder wtime 60000 btime 60000 movetime 100", "ponderhit"]), [90, 90]);
}

#[test]
fn where_nodes_stand_for_time_the_times_told_are_those_of_their_clock() {
    let nodes = "setoption name node_time value 10000";
    let [soft, _] = times_told(&[nodes, "go wtime 60000"]);
    // A search of one iteration takes hardly any of it, whatever the GUI says.
    let [left, _] = times_told(&[nodes, "go wtime 60000 depth 1", "go wtime 1000"]);
    assert!(left > soft / 2, "{left} {soft}");
}

#[test]
fn after_a_ponderhit_the_overhead_is_kept_back_even_where_nodes_stand_for_time() {
    for nodes in ["setoption name node_time value 0", "setoption name node_time value 10000"] {
        assert_eq!(times_told(&[nodes, "go ponder movetime 1000", "ponderhit"]), [990, 990], "{nodes}");
    }
}

#[test]
fn an_only_move_is_not_thought_about_when_it_was_expected() {
    let mut engine = Engine::start();
    // The knight must step between; half an hour of this clock would be for the move.
    engine.send("position fen 4k3/8/8/8/8/4N3/3PPP2/r3K3 w - - 0 1");
    engine.send("go ponder wtime 72000000 btime 72000000");
    engine.expect_no("bestmove");
    engine.send("ponderhit");
    engine.expect("bestmove e3d1");
    // Nor when it was not; but there is a reply to ponder on.
    engine.send("go wtime 72000000 btime 72000000");
    engine.expect("bestmove e3d1 ponder ");
}

#[test]
fn a_new_search_ends_the_old_one_first() {
    let mut engine = Engine::start();
    engine.send("go infinite");
    engine.send("go ponder wtime 1000 btime 1000");
    engine.expect("bestmove");
    engine.send("go depth 1");
    engine.expect("bestmove");
    engine.expect("bestmove");
    engine.expect_no("bestmove");
}

#[test]
fn what_is_set_during_a_search_holds_for_the_next() {
    const FEN: &str = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    let mut engine = Engine::start();
    engine.send("go infinite");
    engine.send("setoption name Hash value 2");
    engine.send(&format!("position fen {FEN}"));
    engine.send("setoption name UCI_Chess960 value true");
    assert!(engine.sync().iter().all(|line| !line.starts_with("bestmove")));
    engine.send("stop");
    let best = engine.expect("bestmove");
    assert!(Position::default().parse_uci(best.split(' ').nth(1).unwrap()).is_ok(), "{best}");
    engine.send("go depth 2 searchmoves e1h1");
    assert_eq!(engine.expect_answer(&Game::new(Position::from_fen(FEN, true).unwrap())), "e1h1");
    let explained = engine.ask("explain", "Pacioli ");
    assert!(explained.last().is_some_and(|heading| heading.contains(", 2 MB of table")), "{explained:?}");
}

#[test]
fn after_the_table_is_cleared_everything_is_searched_again() {
    let mut engine = Engine::start();
    let mut nodes = |before: &str| {
        engine.send(before);
        engine.sync();
        engine.send("go depth 12");
        engine.until("bestmove").iter().filter_map(|line| number_after(line, "nodes")).max().unwrap()
    };
    let (first, again, cleared) = (nodes("ucinewgame"), nodes("position startpos"), nodes("setoption name Clear Hash"));
    assert!(again < first / 2 && cleared > first / 2, "{first} {again} {cleared}");
    // During a search, too.
    let cleared = nodes("go infinite\nsetoption name Clear Hash\nstop");
    assert!(cleared > first / 2, "{first} {cleared}");
    assert_eq!(nodes("go infinite\nucinewgame\nstop"), first);
}

#[test]
fn no_legal_move_is_answered_with_none() {
    let mut engine = Engine::start();
    for (fen, score) in [("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", "mate 0"), ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "cp 0")] {
        engine.send(&format!("position fen {fen}"));
        engine.send("go depth 3");
        let heard = engine.until("bestmove");
        assert_eq!(heard, [format!("info depth 0 score {score}"), "bestmove (none)".to_owned()]);
        // No time is announced where none is taken.
        for go in ["go movestogo 3", "go wtime 1000", "go ponder movestogo 3\nponderhit"] {
            engine.send(go);
            assert_eq!(engine.until("bestmove"), heard, "{go}");
        }
        engine.send("go infinite");
        engine.expect_no("bestmove");
        engine.send("stop");
        assert_eq!(engine.expect("bestmove"), "bestmove (none)");
    }
}

#[test]
fn drawn_positions_and_long_games_are_searched_like_others() {
    let mut engine = Engine::start();
    for fen in ["7k/8/8/8/8/8/8/R6K w - - 99 80", "7k/8/8/8/8/8/8/R6K w - - 100 80", "7k/8/8/8/8/8/8/1B5K w - - 0 1"] {
        engine.send(&format!("position fen {fen}"));
        engine.send("go depth 4");
        engine.expect_answer(&Game::new(Position::from_fen(fen, false).unwrap()));
    }
    let mut game = Game::default();
    let mut line = "position startpos moves".to_owned();
    for text in ["g1f3", "g8f6", "f3g1", "f6g8"].into_iter().cycle().take(200) {
        game.play_uci(text).unwrap();
        line.push_str(&format!(" {text}"));
    }
    engine.send(&line);
    engine.send("go depth 3");
    engine.expect_answer(&game);
}

#[test]
fn castling_is_written_as_the_variant_wants() {
    const FEN: &str = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1";
    let mut engine = Engine::start();
    for (chess960, castling) in [(false, "e1g1"), (true, "e1h1")] {
        engine.send(&format!("setoption name UCI_Chess960 value {chess960}"));
        engine.send(&format!("position fen {FEN}"));
        engine.send("go depth 2 searchmoves e1h1");
        let best = engine.expect_answer(&Game::new(Position::from_fen(FEN, chess960).unwrap()));
        assert_eq!(best, castling);
    }
    engine.send("position startpos moves g1f3 a7a6 g2g3 a6a5 f1g2 a5a4 e1h1 a4a3");
    assert_eq!(complaints(&engine.sync()), 0);
}

#[test]
fn extra_commands_answer() {
    let mut engine = Engine::start();
    engine.send("go perft 3");
    assert_eq!(engine.expect("Nodes searched"), "Nodes searched: 8902");
    engine.send("go perft 0");
    assert_eq!(engine.expect("Nodes searched"), "Nodes searched: 1");
    engine.send("go perft 64");
    engine.sync();
    engine.send("stop");
    engine.expect("info string perft stopped");
    engine.send("position startpos moves e2e4");
    engine.send("flip");
    engine.send("d");
    assert!(engine.expect("Fen: ").contains("/4p3/"));
    assert!(engine.expect("Key: ").len() == "Key: ".len() + 16);
    engine.send("help");
    engine.expect("ucinewgame");
    engine.sync();
    engine.send("bench 1");
    // A search waits for an earlier bench, and starts then.
    engine.send("go depth 1");
    let signature = engine.until("bestmove").iter().any(|line| line.contains(" nodes ") && line.ends_with(" nps"));
    assert!(signature);
}

#[test]
fn the_signature_is_that_of_one_thread_at_full_strength() {
    let mut engine = Engine::start();
    let mut signature = || {
        engine.send_bytes(b"bench 3\ngo depth 1\n");
        let heard = engine.until("bestmove");
        let line = heard.iter().find(|line| line.ends_with(" nps")).unwrap_or_else(|| panic!("{heard:#?}"));
        let nodes = line.split(' ').next().map(str::to_owned);
        engine.send_bytes(b"setoption name UCI_Elo value 1000\nsetoption name UCI_LimitStrength value true\n");
        engine.send("setoption name Threads value 2");
        nodes
    };
    assert_eq!(signature(), signature());
}

#[test]
fn carriage_returns_are_accepted() {
    let mut engine = Engine::start();
    engine.send_bytes(b"\xef\xbb\xbfuci\r\nposition startpos moves e2e4\r\ngo depth 1\r\n");
    engine.expect("uciok");
    let mut game = Game::default();
    game.play_uci("e2e4").unwrap();
    engine.expect_answer(&game);
}
