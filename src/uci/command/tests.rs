//! Tests of the command parser.

use proptest::prelude::*;

use super::*;

fn parsed_go(line: &str) -> (Go, usize) {
    let parsed = parse(line);
    match parsed.command {
        Some(Command::Go(go)) => (*go, parsed.faults.len()),
        other => panic!("{line}: {other:?}"),
    }
}

fn set(line: &str) -> (String, Option<String>) {
    match parse(line).command {
        Some(Command::SetOption { name, value }) => (name, value),
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn plain_commands_are_known_in_any_case_and_spacing() {
    assert_eq!(parse("uci").command, Some(Command::Uci));
    assert_eq!(parse("  IsReady \r").command, Some(Command::IsReady));
    assert_eq!(parse("debug\ton").command, Some(Command::Debug(true)));
    assert_eq!(parse("register name a code b").command, Some(Command::Register));
    assert_eq!(parse("bench").command, Some(Command::Bench(None)));
    assert_eq!(parse(" \t "), Parsed::default());
}

#[test]
fn unknown_words_before_a_command_are_skipped_and_named() {
    let parsed = parse("joho was debug on");
    assert_eq!(parsed.command, Some(Command::Debug(true)));
    assert_eq!(parsed.faults, [CommandError::UnknownCommand { text: "joho was".into() }]);
    assert_eq!(parse("joho").command, None);
}

#[test]
fn what_follows_the_depth_of_a_bench_is_named() {
    let parsed = parse("bench 5 --hash nonsense");
    assert_eq!(parsed.command, Some(Command::Bench(Some("5".into()))));
    let faults: Vec<String> = parsed.faults.iter().map(ToString::to_string).collect();
    assert_eq!(faults, ["bench: unexpected `--hash` at word 3", "bench: unexpected `nonsense` at word 4"]);
}

#[test]
fn options_keep_the_spaces_of_their_value() {
    assert_eq!(set("setoption name Hash value 32"), ("Hash".into(), Some("32".into())));
    assert_eq!(set("setoption  name  Clear   Hash"), ("Clear Hash".into(), None));
    assert_eq!(set("setoption name A B value C:\\x  y\\value z "), ("A B".into(), Some("C:\\x  y\\value z".into())));
    assert_eq!(set("setoption name UCI_Opponent value"), ("UCI_Opponent".into(), None));
    for bad in ["setoption", "setoption Hash 3", "setoption name", "setoption name value 3"] {
        let parsed = parse(bad);
        assert!(parsed.command.is_none() && parsed.faults.len() == 1, "{bad}");
    }
}

#[test]
fn positions_are_split_into_fen_and_moves() {
    let setup = |line| match parse(line).command {
        Some(Command::Position(setup)) => setup,
        other => panic!("{line}: {other:?}"),
    };
    assert_eq!(setup("position startpos"), Setup::default());
    assert_eq!(setup("position startpos moves e2e4 e7e5").moves, ["e2e4", "e7e5"]);
    assert_eq!(
        setup("position fen 8/8 w - moves a1a2"),
        Setup { fen: Some("8/8 w -".into()), moves: vec!["a1a2".into()] }
    );
    for bad in ["position", "position fen", "position fen moves e2e4", "position startpos e2e4", "position e2e4"] {
        let parsed = parse(bad);
        assert!(parsed.command.is_none() && parsed.faults.len() == 1, "{bad}");
    }
}

#[test]
fn go_reports_what_it_cannot_read_and_keeps_the_rest() {
    let (go, faults) = parsed_go("go depth x wtime 100 what nodes movetime 5");
    assert_eq!(faults, 3);
    assert_eq!(go.limits.depth, None);
    assert_eq!(go.limits.clock.white_time, Some(Duration::from_millis(100)));
    assert_eq!((go.limits.nodes, go.limits.move_time), (None, Some(Duration::from_millis(5))));
    assert_eq!(parse("go depth x").faults[0].to_string(), "go: `x` at word 3 is not a number for depth",);
}

#[test]
fn a_slip_is_answered_with_what_was_meant() {
    for (line, meant) in [
        ("go depht 5", "go: unexpected `depht` at word 2; did you mean `depth`?"),
        ("go infinit", "go: unexpected `infinit` at word 2; did you mean `infinite`?"),
        ("position startposs", "position: unexpected `startposs` at word 2; did you mean `startpos`?"),
        ("position startpos move e2e4", "position: unexpected `move` at word 3; did you mean `moves`?"),
        ("setoption nmae Hash value 1", "setoption: unexpected `nmae` at word 2; did you mean `name`?"),
        ("debug onn", "debug: unexpected `onn` at word 2; did you mean `on`?"),
        ("goo depth 5", "unknown command `goo depth 5`; did you mean `go`?; `help` lists the known ones"),
        ("startposs", "unknown command `startposs`; did you mean `startpos`?; `help` lists the known ones"),
    ] {
        let faults: Vec<String> = parse(line).faults.iter().map(ToString::to_string).collect();
        assert_eq!(faults, [meant], "{line}");
    }
    // A misspelled limit is still a limit: the search must end.
    assert!(parsed_go("go depht 5").0.is_limited && !parsed_go("go infinit").0.is_limited);
    assert!(parsed_go("go dpeth").0.is_limited && parsed_go("go dpeth x infinit").0.is_limited);
    for number in ["-5", "99999999999999999999", "-99999999999999999999", "5k"] {
        for line in [format!("go wtme {number}"), format!("go searchmoves e2e4 wtme {number}")] {
            assert!(parsed_go(&line).0.is_limited, "{line}");
        }
    }
}

#[test]
fn a_misspelled_limit_ends_a_list_of_moves() {
    for line in [
        "go searchmoves e2e4 movetme",
        "go searchmoves e2e4 movetme 100",
        "go searchmoves e2e4 excludemoves d2d4 depht 3 infinit",
    ] {
        let (go, _) = parsed_go(line);
        assert!(go.is_limited && go.search_moves == ["e2e4"], "{line}: {go:?}");
    }
    let (go, faults) = parsed_go("go excludemoves d2d4 depht 3 nodes 5");
    assert_eq!((go.exclude_moves, go.limits.nodes, faults), (vec!["d2d4".to_owned()], Some(5), 1));
}

#[test]
fn go_holds_its_numbers_within_reason() {
    let (go, faults) = parsed_go("go wtime -50 btime 99999999999999999999 movestogo 0 depth 0 nodes -1 mate 100000");
    // The depth and the nodes, which are told and taken for 1.
    assert_eq!(faults, 2);
    assert_eq!(parsed_go("go nodes 1e30"), parsed_go("go nodes 99999999999999999999"));
    assert_eq!(go.limits.clock.white_time, Some(Duration::ZERO));
    assert_eq!(go.limits.clock.black_time, Some(Clock::MOST));
    assert_eq!((go.limits.clock.moves_to_go, go.limits.depth), (None, Some(1)));
    assert_eq!((go.limits.nodes, go.limits.mate), (Some(1), Some(MAX_PLY)));
}

/// Parts of `go`, each under a different word.
const PARTS: [&str; 14] = [
    "searchmoves e2e4 d2d4",
    "excludemoves g1f3",
    "ponder",
    "wtime 1000",
    "btime 2000",
    "winc 10",
    "binc 20",
    "movestogo 7",
    "depth 9",
    "nodes 11",
    "mate 3",
    "movetime 4",
    "infinite",
    "perft 2",
];

proptest! {
    #[test]
    fn no_line_panics(line in "\\PC*") {
        parse(&line);
    }

    #[test]
    fn no_line_of_our_own_words_panics(
        words in prop::collection::vec(
            prop_oneof![
                prop::sample::select(vec![
                    "go", "position", "setoption", "name", "value", "fen", "moves", "startpos", "debug", "depth",
                    "wtime", "searchmoves", "perft", "-1", "18446744073709551616", "e2e4", "\t", "\u{a0}", "é",
                ]).prop_map(str::to_owned),
                any::<String>(),
            ],
            0..12,
        )
    ) {
        parse(&words.join(" "));
    }

    #[test]
    fn the_parts_of_go_come_in_any_order(parts in Just(PARTS.to_vec()).prop_shuffle()) {
        let (go, faults) = parsed_go(&format!("go {}", parts.join(" ")));
        let (expected, _) = parsed_go(&format!("go {}", PARTS.join(" ")));
        prop_assert_eq!(faults, 0);
        prop_assert_eq!(&go, &expected);
        prop_assert!(go.limits.infinite && go.limits.ponder);
        prop_assert_eq!(go.search_moves, ["e2e4", "d2d4"]);
        prop_assert_eq!(go.exclude_moves, ["g1f3"]);
        prop_assert_eq!((go.limits.depth, go.limits.nodes, go.limits.mate, go.perft), (Some(9), Some(11), Some(3), Some(2)));
        let ms = Duration::from_millis;
        let clock = Clock {
            white_time: Some(ms(1000)),
            black_time: Some(ms(2000)),
            white_increment: ms(10),
            black_increment: ms(20),
            moves_to_go: Some(7),
        };
        prop_assert_eq!((go.limits.clock, go.limits.move_time), (clock, Some(ms(4))));
    }
}
