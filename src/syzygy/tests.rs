use std::fs;
use std::path::PathBuf;

use super::*;
use crate::board::{Game, Move};

/// The folder of real tables; otherwise reports that a test is skipped.
fn real_tables() -> Option<PathBuf> {
    let folder = std::env::var_os("PACIOLI_SYZYGY").map(PathBuf::from);
    if folder.is_none() {
        eprintln!("skipped: PACIOLI_SYZYGY names no folder of tables");
    }
    folder
}

fn open_real() -> Option<Tables> {
    let (tables, mut problems) = Tables::open(&real_tables()?.to_string_lossy());
    // Larger sets may lack some of their tables.
    problems.retain(|problem| !matches!(problem, SyzygyProblem::Incomplete { pieces: 5.., .. }));
    assert_eq!(problems, []);
    tables
}

fn game(fen: &str) -> Game {
    Game::new(Position::from_fen(fen, false).unwrap())
}

/// A file with these contents and a valid checksum.
fn with_checksum(table: &[u8]) -> Vec<u8> {
    [table, &checksum::checksum_of(table)].concat()
}

/// A table of the queen's ending in which every win comes too late for the fifty-move rule, and its folder.
pub fn cursed_wins() -> (Tables, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    // The pieces as in the real table; then, for either side to move, that there is one value only, and which.
    let (pieces, values) = ([0x31, 0, 0xee, 0x66, 0x55, 0], [0x80, 3, 0x80, 1]);
    let mut table = [&Chess::TBW.magic[..], &pieces, &values].concat();
    table.resize(64, 0);
    fs::write(folder.path().join("KQvK.rtbw"), with_checksum(&table)).unwrap();
    (Tables::open(&folder.path().to_string_lossy()).0.unwrap(), folder)
}

/// Best outcome and its distance.
fn best(tables: &Tables, game: &Game, fifty_moves: bool) -> (Wdl, Option<u32>) {
    let ranked = tables.rank(game, &game.position().legal_moves(), fifty_moves).unwrap();
    (ranked.moves()[0].wdl, ranked.moves()[0].plies)
}

#[test]
fn nothing_is_opened_where_nothing_is() {
    let empty = tempfile::tempdir().unwrap();
    let (tables, problems) = Tables::open(&empty.path().to_string_lossy());
    assert!(tables.is_none());
    assert!(problems[0].to_string().contains("no tables in"), "{problems:?}");
    let (tables, problems) = Tables::open("/no/such/folder");
    assert!(tables.is_none() && problems.len() == 2, "{problems:?}");
    assert!(problems[0].to_string().contains("cannot read the folder /no/such/folder"), "{problems:?}");
}

#[test]
fn broken_files_are_named_and_the_rest_is_used() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_string_lossy().into_owned();
    let wdl_magic = [0x71, 0xe8, 0x23, 0x5d];
    let file = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).unwrap();
    let sized = |magic: &[u8], size: usize| [magic, &vec![0xff; size - magic.len()]].concat();
    file("KQvK.rtbw", b"");
    file("KRvK.rtbw", &sized(&wdl_magic, 100));
    file("KBvK.rtbw", &sized(b"oops", 80));
    file("readme.rtbw", &sized(&wdl_magic, 80));
    file("notes.txt", b"nothing to see");
    // Starts and ends like a table, with nonsense in between: once with a valid checksum, once without.
    file("KPvK.rtbw", &with_checksum(&sized(&wdl_magic, 64 * 4)));
    file("KNvK.rtbw", &sized(&wdl_magic, 16 + 64 * 4));
    let (tables, problems) = Tables::open(&path);
    let tables = tables.unwrap();
    assert_eq!(tables.to_string(), "Syzygy: 1 WDL and 0 DTZ tables, up to 3 pieces");
    for (problem, name) in problems.iter().zip(["KBvK.rtbw", "KNvK.rtbw", "KQvK.rtbw", "KRvK.rtbw", "readme.rtbw"]) {
        assert!(problem.to_string().contains(name), "{problem}");
    }
    assert!(problems[1].to_string().ends_with("its contents do not match its checksum"), "{problems:?}");
    assert!(problems[5].to_string().ends_with("of the 5 tables with 3 pieces there are 1 WDL and 0 DTZ"));
    // Damage that shows only in use is reported once.
    let position = Position::from_fen("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1", false).unwrap();
    assert_eq!((tables.wdl(&position), tables.wdl(&position)), (None, None));
    let told = tables.take_problems();
    assert!(told.len() == 1 && told[0].to_string().contains("KPvK.rtbw"), "{told:?}");
    assert_eq!(tables.take_problems(), []);
}

#[test]
fn several_folders_are_searched_and_the_first_one_with_a_table_has_it() {
    let Some(real) = real_tables() else { return };
    let (first, second) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for (folder, names) in [(&first, ["KQvK.rtbw", "KRvK.rtbw"]), (&second, ["KRvK.rtbw", "KRvK.rtbz"])] {
        for name in names {
            fs::copy(real.join(name), folder.path().join(name)).unwrap();
        }
    }
    let path = std::env::join_paths([first.path(), second.path()]).unwrap();
    let (tables, _) = Tables::open(path.to_str().unwrap());
    assert_eq!(tables.unwrap().to_string(), "Syzygy: 2 WDL and 1 DTZ tables, up to 3 pieces");
}

#[test]
fn a_table_cut_short_is_unknown_and_said_to_be_so() {
    let Some(real) = real_tables() else { return };
    let folder = tempfile::tempdir().unwrap();
    let whole = fs::read(real.join("KBNvK.rtbw")).unwrap();
    // Every length that opening cannot distinguish from a complete file.
    let mut unknown = 0;
    for length in (64..whole.len()).step_by((whole.len() / 20).next_multiple_of(64)) {
        fs::write(folder.path().join("KBNvK.rtbw"), with_checksum(&whole[..length])).unwrap();
        let (tables, _) = Tables::open(&folder.path().to_string_lossy());
        let tables = tables.unwrap();
        for fen in
            ["8/8/8/4k3/8/8/8/KBN5 w - - 0 1", "7k/8/8/8/8/5N2/8/KB6 b - - 0 1", "8/8/1k6/8/7B/8/8/K5N1 b - - 0 1"]
        {
            let position = Position::from_fen(fen, false).unwrap();
            match tables.wdl(&position) {
                Some(wdl) => assert_ne!(wdl, Wdl::Draw, "{length} {fen}"),
                None => unknown += 1,
            }
        }
        assert!(tables.take_problems().len() <= 1);
    }
    assert!(unknown > 10, "{unknown}");
}

#[test]
fn outcomes_and_distances_of_known_endings() {
    let Some(tables) = open_real() else { return };
    // A file's name has a letter for each piece, and the `v`.
    let pieces = |file: &PathBuf| file.file_stem().unwrap().len() - 1;
    assert_eq!(Some(tables.max_pieces()), files_of(&real_tables().unwrap()).unwrap().iter().map(pieces).max());
    for (fen, wdl, plies) in [
        // Mate in one, for either side.
        ("7k/8/6K1/8/8/8/8/R7 w - - 0 1", Wdl::Win, Some(1)),
        ("8/8/8/8/8/4k3/7r/4K3 b - - 0 1", Wdl::Win, Some(1)),
        // The pawn is stopped; the pawn is captured.
        ("8/8/8/8/2k5/2p5/8/2K5 w - - 0 1", Wdl::Draw, None),
        ("8/8/8/8/8/8/1k1K2Rp/8 w - - 0 1", Wdl::Win, Some(1)),
        ("8/8/8/8/8/4k3/8/K1BB4 b - - 0 1", Wdl::Loss, None),
        ("8/8/8/8/8/4k3/8/K1NN4 b - - 0 1", Wdl::Draw, None),
    ] {
        let found = best(&tables, &game(fen), true);
        assert_eq!(found.0, wdl, "{fen}");
        assert!(plies.is_none() || found.1 == plies, "{fen}: {found:?}");
    }
}

#[test]
fn the_slowest_loss_is_the_best() {
    let Some(tables) = open_real() else { return };
    let game = game("8/7k/5K2/8/8/8/8/R7 b - - 0 1");
    let ranked = tables.rank(&game, &game.position().legal_moves(), true).unwrap();
    assert!(ranked.moves().iter().all(|ranked| ranked.wdl == Wdl::Loss), "{ranked:?}");
    assert!(ranked.moves().is_sorted_by(|a, b| a.plies >= b.plies), "{ranked:?}");
    // Kh6 is mated at once.
    let [slowest, .., fastest] = ranked.moves() else { panic!("{ranked:?}") };
    assert!(Some(fastest.mv) == game.position().parse_uci("h7h6").ok() && slowest.plies > fastest.plies, "{ranked:?}");
}

#[test]
fn the_fifty_move_counter_turns_wins_into_cursed_ones() {
    let Some(tables) = open_real() else { return };
    let start = "8/8/8/8/3k4/8/8/KBN5 w - -";
    let (wdl, plies) = best(&tables, &game(&format!("{start} 0 1")), true);
    let plies = plies.unwrap();
    assert_eq!(wdl, Wdl::Win);
    assert!((40..70).contains(&plies), "{plies}");
    for (clock, wdl) in [(100 - plies, Wdl::Win), (101 - plies, Wdl::CursedWin)] {
        let game = game(&format!("{start} {clock} 90"));
        assert_eq!(best(&tables, &game, true).0, wdl, "{clock}");
        assert_eq!(best(&tables, &game, false).0, Wdl::Win, "{clock}");
        // The same from the other side's view.
        let m = tables.rank(&game, &game.position().legal_moves(), true).unwrap().moves()[0].mv;
        let mut after = game.clone();
        after.play(m);
        assert_eq!(best(&tables, &after, true).0, -wdl, "{clock}");
    }
}

#[test]
fn a_third_occurrence_is_a_draw_whatever_the_tables_say() {
    let Some(tables) = open_real() else { return };
    let mut game = game("8/8/8/8/3k4/8/8/K6R w - - 0 1");
    for m in ["h1h2", "d4d5", "h2h1", "d5d4"].into_iter().cycle().take(8) {
        game.play_uci(m).unwrap();
    }
    let ranked = tables.rank(&game, &game.position().legal_moves(), true).unwrap();
    let back = game.position().parse_uci("h1h2").unwrap();
    let of = |m: Move| ranked.moves().iter().find(|ranked| ranked.mv == m).unwrap().wdl;
    // The position after h1h2 has occurred twice.
    assert_eq!(of(back), Wdl::Draw);
    assert_eq!(ranked.best(), Wdl::Win);
    assert_ne!(ranked.moves()[0].mv, back);
}

#[test]
fn a_third_occurrence_that_the_opponent_can_reach_is_a_draw() {
    let Some(tables) = open_real() else { return };
    let mut game = game("7K/8/8/8/8/8/7Q/5k2 w - - 0 1");
    for m in ["h2c7", "f1e1", "c7h2", "e1f1", "h2c7", "f1e1"] {
        game.play_uci(m).unwrap();
    }
    let ranked = tables.rank(&game, &game.position().legal_moves(), true).unwrap();
    // After h2 the king would return to f1 for the third time. By the tables the move is one of the fastest.
    let back = game.position().parse_uci("c7h2").unwrap();
    let of = |m: Move| ranked.moves().iter().find(|ranked| ranked.mv == m).unwrap();
    assert_eq!((of(back).wdl, of(back).plies), (Wdl::Draw, None));
    assert_eq!((ranked.best(), ranked.moves()[0].plies), (Wdl::Win, Some(13)));
    let without_history = tables.rank(&Game::new(game.position().clone()), &[back], true).unwrap();
    assert_eq!(without_history.moves()[0].plies, Some(13));
}

#[test]
fn without_the_fifty_move_rule_no_counter_ends_the_game() {
    let Some(tables) = open_real() else { return };
    for (clock, by_the_rule) in [(98, Wdl::CursedWin), (99, Wdl::Draw), (100, Wdl::Draw)] {
        let game = game(&format!("8/8/1B6/8/1K6/8/4N3/7k w - - {clock} 90"));
        assert_eq!((best(&tables, &game, true).0, best(&tables, &game, false).0), (by_the_rule, Wdl::Win), "{clock}");
    }
}

#[test]
fn castling_and_too_many_pieces_are_outside() {
    let Some(tables) = open_real() else { return };
    // With the kings one piece more than there are tables for.
    let knights = tables.max_pieces() - 1;
    let too_many = format!("4k3/8/8/8/8/8/{}{}/K7 w - - 0 1", "N".repeat(knights), 8 - knights);
    for fen in ["4k3/8/8/8/8/8/8/4K2R w K - 0 1", &too_many] {
        let game = game(fen);
        assert_eq!(tables.rank(&game, &game.position().legal_moves(), true), None, "{fen}");
    }
}

#[test]
fn real_tables_agree_with_their_checksums_and_any_damage_is_seen() {
    let Some(real) = real_tables() else { return };
    let mut files = 0;
    for file in files_of(&real).unwrap() {
        if fs::metadata(&file).unwrap().len() > checksum::MOST_BYTES {
            continue;
        }
        let bytes = fs::read(&file).unwrap();
        checksum::check(&bytes).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        files += 1;
        for at in [4, bytes.len() / 3, bytes.len() - 17, bytes.len() - 1] {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            assert!(checksum::check(&damaged).is_err(), "{} at {at}", file.display());
        }
    }
    assert!(files >= 10, "{files}");
}
