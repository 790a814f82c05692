//! Property tests of the rules layer over random playouts: incremental state must equal state from scratch, and
//! shakmaty is the reference.

use proptest::prelude::*;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{EnPassantMode, Position as _};

use super::*;

/// Starting points that exercise every kind of move: castling, en passant, promotions, Chess960 castling; and a check
/// that no last move could have given.
const STARTS: [(&str, bool); 9] = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", false),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", false),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", false),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", false),
    ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", false),
    ("8/8/8/8/k1p4R/8/3P4/3K4 w - - 0 1", false),
    ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", true),
    ("1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1", true),
    ("4k2r/P7/8/8/4r3/3n4/8/4K2R w Kk - 0 1", false),
];

/// Few pieces, so that random play repeats positions; with castling, blocked pawns, captures and en passant.
const SPARSE: [&str; 5] = [
    "8/8/4k3/8/8/3K4/8/R7 w - - 0 1",
    "4k3/8/p1p5/P1P5/8/1n6/8/R3K3 w Q - 0 1",
    "6k1/5p1p/5Q2/8/8/7P/qr4PK/r7 b - - 7 1",
    "k7/8/8/1b6/6B1/8/8/7K w - - 0 1",
    "6k1/8/7p/7P/5pP1/8/7K/1q6 b - g3 0 7",
];

/// A random legal game: the start's index and a stream of choices.
fn playouts(length: usize) -> impl Strategy<Value = (usize, Vec<u16>)> {
    (0..STARTS.len(), proptest::collection::vec(any::<u16>(), 1..length))
}

/// Plays the choices and calls `visit` with each position and the move about to be played.
fn play_out(
    (start, choices): (usize, Vec<u16>),
    mut visit: impl FnMut(&Position, Move) -> Result<(), TestCaseError>,
) -> Result<(), TestCaseError> {
    let (fen, chess960) = STARTS[start];
    let mut position = Position::from_fen(fen, chess960).map_err(|e| TestCaseError::fail(e.to_string()))?;
    for choice in choices {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let m = moves[usize::from(choice) % moves.len()];
        visit(&position, m)?;
        position = position.play(m);
    }
    Ok(())
}

/// The pieces of `color` that alone keep a slider from their king, and not by standing on the line to `target`, and
/// these sliders.
fn naive_pins(board: &Board, color: Color, target: Square) -> (Bitboard, Bitboard) {
    let (king, occupied) = (board.king_of(color).unwrap(), board.occupied());
    let attackers = |occupied| board.attacks_to(king, !color, occupied) & board.sliders();
    let from_king =
        |square: Square| (square.file() as i32 - king.file() as i32, square.rank() as i32 - king.rank() as i32);
    let is_aside = |slider: &Square| {
        let ((file, rank), (to_file, to_rank)) = (from_king(*slider), from_king(target));
        file * to_rank != rank * to_file
    };
    let opened = |from: Square| -> Bitboard {
        let sliders = attackers(occupied.without(from)) & !attackers(occupied);
        sliders.into_iter().filter(is_aside).collect()
    };
    let held = (board.by_color(color).without(king)).into_iter().filter(|&from| opened(from).any());
    held.fold((Bitboard::EMPTY, Bitboard::EMPTY), |(held, pinners), from| (held.with(from), pinners | opened(from)))
}

/// The exchange value by plain search over captures on one square, least valuable attacker first; pins count if
/// `heeds_pins`.
fn naive_see(position: &Position, m: Move, heeds_pins: bool) -> i32 {
    type Pins = [(Bitboard, Bitboard); 2];
    fn exchange(board: &Board, target: Square, side: Color, on_target: i32, pins: &Option<Pins>) -> i32 {
        let (held, pinners) =
            pins.map_or((Bitboard::EMPTY, Bitboard::EMPTY), |[white, black]| side.fold_wb(white, black));
        // What stands on the target has captured, and pins no more.
        let held = if (pinners & board.occupied()).without(target).any() { held } else { Bitboard::EMPTY };
        let attackers = board.attacks_to(target, side, board.occupied()) & !held;
        let Some((from, role)) =
            Role::ALL.into_iter().find_map(|role| (attackers & board.by_role(role)).first().map(|s| (s, role)))
        else {
            return 0;
        };
        let mut after = board.clone();
        after.discard_piece_at(from);
        after.set_piece_at(target, role.of(side));
        if role == Role::King && after.attacks_to(target, !side, after.occupied()).any() {
            return 0;
        }
        (on_target - exchange(&after, target, !side, role_value(role), pins)).max(0)
    }
    let target = move_target(m);
    let pins = heeds_pins.then(|| Color::ALL.map(|color| naive_pins(position.board(), color, target)));
    let captured = m.capture().map_or(0, role_value);
    let promoted = m.promotion().map_or(0, |role| role_value(role) - role_value(Role::Pawn));
    let mover = m.promotion().unwrap_or(m.role());
    let after = position.play(m);
    if let Move::Castle { .. } = m {
        return 0;
    }
    captured + promoted - exchange(after.board(), target, after.turn(), role_value(mover), &pins)
}

#[test]
fn a_side_may_pass_whatever_the_material() {
    for turn in ["w", "b"] {
        let fen = format!("rnbqkbnr/pppppppp/8/8/8/8/PPPQQQQQ/RNBQKBNR {turn} KQkq - 0 1");
        let position = Position::from_fen(&fen, false).unwrap();
        assert_eq!(position.play_null().map(|passed| passed.turn()), Some(!position.turn()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn key_and_state_equal_those_from_scratch(game in playouts(120)) {
        play_out(game, |position, m| {
            let next = position.play(m);
            prop_assert_eq!((next.key(), *next.state()), next.from_scratch());
            prop_assert_eq!(next.key(), next.chess().zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0);
            if let Some(passed) = position.play_null() {
                prop_assert_eq!((passed.key(), *passed.state()), passed.from_scratch());
            } else {
                prop_assert!(position.in_check());
            }
            Ok(())
        })?;
    }

    #[test]
    fn lines_are_numbered_however_far_the_game_is(number in prop_oneof![1u32..200, u32::MAX - 1..=u32::MAX]) {
        let start = Position::from_fen(&format!("6k1/8/8/8/8/8/8/6K1 b - - 0 {number}"), false).unwrap();
        let line = start.legal_line(["g8g7", "g1g2", "g7g6"]);
        let next = number.saturating_add(1);
        prop_assert_eq!(start.san_line(&line), format!("{number}...Kg7 {next}.Kg2 Kg6"));
    }

    #[test]
    fn the_likely_key_is_the_key_of_plain_moves(game in playouts(60)) {
        play_out(game, |position, _| {
            let en_passant = |position: &Position| position.chess().legal_ep_square().is_some();
            let rights = |position: &Position| position.chess().castles().castling_rights();
            for m in position.legal_moves() {
                let next = position.play(m);
                let is_plain = !m.is_castle() && !m.is_promotion() && rights(position) == rights(&next);
                if is_plain && !en_passant(position) && !en_passant(&next) {
                    prop_assert_eq!(position.likely_key_after(m), next.key());
                }
            }
            Ok(())
        })?;
    }

    #[test]
    fn packed_moves_round_trip_and_all_other_bits_are_refused(game in playouts(60), noise in any::<u16>()) {
        play_out(game, |position, _| {
            let moves = position.legal_moves();
            for &m in &moves {
                prop_assert_eq!(PackedMove::new(m).unpack(position), Some(m));
            }
            let all: Vec<_> = moves.iter().copied().map(PackedMove::new).collect();
            for from in Square::ALL {
                let targets = moves.iter().filter(|m| m.from() == Some(from)).map(|m| m.to()).collect();
                prop_assert_eq!(PackedMove::targets(&all, from), targets);
            }
            prop_assert!(PackedMove::from_bits(noise | 1 << 15).unpack(position).is_none());
            // All kinds there are, in order.
            let unpacked = (0..1 << 15).filter(|&bits| PackedMove::from_bits(bits).unpack(position).is_some());
            let mut packed: Vec<_> = moves.iter().map(|&m| PackedMove::new(m).to_bits()).collect();
            packed.sort_unstable();
            prop_assert_eq!(unpacked.collect::<Vec<_>>(), packed);
            Ok(())
        })?;
    }

    #[test]
    fn a_move_is_legal_if_it_is_among_those_generated(game in playouts(40), squares in (0_u32..64, 0_u32..64)) {
        let optional = || std::iter::once(None).chain(Role::ALL.map(Some));
        play_out(game, |position, chosen| {
            let moves = position.legal_moves();
            // Of two pairs of squares, a legal move's and any.
            let pairs = [(chosen.from().unwrap(), chosen.to()), (Square::new(squares.0), Square::new(squares.1))];
            for (from, to) in pairs {
                for role in Role::ALL {
                    for (capture, promotion) in optional().flat_map(|taken| optional().map(move |into| (taken, into))) {
                        let m = Move::Normal { role, from, capture, to, promotion };
                        prop_assert_eq!(position.is_legal(m), moves.contains(&m), "{:?}", m);
                    }
                }
            }
            Ok(())
        })?;
    }

    #[test]
    fn the_stages_are_the_legal_moves_in_order(game in playouts(60)) {
        play_out(game, |position, _| {
            let legal = |selects: &dyn Fn(Move) -> bool| -> Vec<Move> {
                position.legal_moves().into_iter().filter(|&m| selects(m)).collect()
            };
            let generator = Generator::new(position);
            let checks = CheckInfo::new(position);
            let stage = |add: &dyn Fn(&mut Groups)| -> Vec<Move> {
                let (mut groups, mut moves) = (Groups::new(), Vec::new());
                add(&mut groups);
                groups.into_iter().for_each(|group| group.each(position, |m| moves.push(m)));
                moves
            };
            let (mut en_passant, mut castling) = (MoveList::new(), MoveList::new());
            position.push_en_passant(&mut en_passant);
            position.push_castling(&mut castling);

            let noisy = [en_passant.to_vec(), stage(&|groups| generator.noisy(groups))].concat();
            prop_assert_eq!(noisy, legal(&is_noisy), "{}", position.fen());
            let quiet = [stage(&|groups| generator.quiet(groups)), castling.to_vec()].concat();
            prop_assert_eq!(quiet, legal(&|m| !is_noisy(m)), "{}", position.fen());
            let quiet_checks = stage(&|groups| generator.quiet_checks(groups, &checks));
            let gives_check = |m: Move| !is_noisy(m) && !m.is_castle() && position.play(m).in_check();
            prop_assert_eq!(quiet_checks, legal(&gives_check), "{}", position.fen());
            Ok(())
        })?;
    }

    #[test]
    fn gives_check_agrees_with_playing_the_move(game in playouts(60)) {
        play_out(game, |position, _| {
            let info = CheckInfo::new(position);
            for m in position.legal_moves() {
                prop_assert_eq!(info.gives_check(position, m), position.play(m).in_check(), "{}", position.uci(m));
            }
            Ok(())
        })?;
    }

    #[test]
    fn exchange_values_agree_with_a_plain_exchange_search(game in playouts(60), threshold in -1200i32..1200) {
        play_out(game, |position, _| {
            for m in position.legal_moves() {
                let value = see(position, m);
                prop_assert_eq!(value, naive_see(position, m, false), "{} {}", position.fen(), position.uci(m));
                for (heeds_pins, value) in [(false, value), (true, naive_see(position, m, true))] {
                    let reaches = |threshold| see_at_least(position, m, threshold, heeds_pins);
                    prop_assert_eq!(reaches(threshold), value >= threshold, "{} {}", position.fen(), position.uci(m));
                    prop_assert!(reaches(value) && !reaches(value + 1), "{} {}", position.fen(), position.uci(m));
                }
            }
            Ok(())
        })?;
    }

    #[test]
    fn repetition_agrees_with_a_naive_count(shuffles in proptest::collection::vec(any::<u16>(), 1..80), search_from in 0usize..80) {
        // Few pieces, so that random play repeats.
        let mut game = Game::new(Position::from_fen("8/8/4k3/8/8/3K4/8/R7 w - - 0 1", false).unwrap());
        let mut searched: Option<(History, Position)> = None;
        let mut seen = vec![game.position().key()];
        for (ply, choice) in shuffles.into_iter().enumerate() {
            let position = searched.as_ref().map_or(game.position(), |(_, position)| position).clone();
            let moves = position.legal_moves();
            prop_assume!(!moves.is_empty());
            let m = moves[usize::from(choice) % moves.len().min(3)];
            let next = position.play(m);
            seen.push(next.key());
            let root = search_from.min(seen.len());
            if ply < search_from {
                game.play(m);
            } else {
                let (history, position) = searched.get_or_insert_with(|| (game.history().clone(), position));
                *position = next.clone();
                history.push(position);
            }
            let history = searched.as_ref().map_or(game.history(), |(history, _)| history);
            let in_search = seen.iter().skip(root + 1).filter(|&&key| key == next.key()).count();
            let in_all = seen.iter().filter(|&&key| key == next.key()).count();
            prop_assert_eq!(history.occurrences(&next), in_all);
            let expected = (searched.is_some() && in_search >= 2) || in_all >= 3;
            prop_assert_eq!(history.repetition(&next).is_some(), expected, "ply {} root {}", ply, root);
        }
    }

    #[test]
    fn moves_that_repeat_and_shorter_ways_agree_with_trying_every_move(
        shuffles in proptest::collection::vec(any::<u16>(), 1..40), root in 0usize..20, start in 0..SPARSE.len(),
    ) {
        let reversible = ReversibleMoves::new();
        let mut game = Game::new(Position::from_fen(SPARSE[start], false).unwrap());
        let mut path = vec![game.position().clone()];
        let mut search: Option<History> = None;
        for (ply, choice) in shuffles.into_iter().enumerate() {
            let moves = path[ply].legal_moves();
            if moves.is_empty() {
                break;
            }
            // Few choices, so that random play repeats positions.
            let m = moves[usize::from(choice) % moves.len().min(4)];
            let next = path[ply].play(m);
            if ply < root {
                game.play(m);
            } else {
                search.get_or_insert_with(|| game.history().clone()).push(&next);
            }
            path.push(next.clone());
            let history = search.as_ref().unwrap_or(game.history());
            let kinds: Vec<_> = next.legal_moves().into_iter().filter_map(|m| {
                let after = next.play(m);
                let mut history = history.clone();
                history.push(&after);
                history.repetition(&after)
            }).collect();
            for counts in [|_| true, |kind| kind == Repetition::Threefold] {
                let repeats = kinds.iter().copied().any(counts);
                prop_assert_eq!(history.can_repeat(&next, &reversible, counts), repeats, "{} {:?}", ply, path);
            }
            // From the parent, the last move itself leads here: that is not a shorter way.
            let first = root.max((path.len() - 1).saturating_sub(next.halfmoves() as usize));
            let leads_here = |from: &Position| from.legal_moves().into_iter().any(|m| from.play(m).key() == next.key());
            let rights = |position: &Position| position.chess().castles().castling_rights();
            let last = path.len() - 1;
            let sooner = (first..last.saturating_sub(1))
                .rev()
                .find(|&at| rights(&path[at]) == rights(&next) && leads_here(&path[at]))
                .map(|at| (last - at) as i32);
            prop_assert_eq!(history.could_have_come_sooner(&next, &reversible), sooner, "{} {:?}", ply, path);
        }
    }

    #[test]
    fn a_mirrored_position_mirrors_back(game in playouts(60)) {
        play_out(game, |position, _| {
            let mirrored = position.mirrored();
            prop_assert_eq!(mirrored.turn(), !position.turn());
            prop_assert_eq!(mirrored.legal_moves().len(), position.legal_moves().len());
            prop_assert_eq!(mirrored.mirrored().fen(), position.fen());
            Ok(())
        })?;
    }
}

#[test]
fn a_shorter_way_may_start_where_a_capture_en_passant_was_possible() {
    let mut game = Game::new(Position::from_fen("6k1/8/7p/7P/5pP1/8/7K/1q6 b - g3 0 7", false).unwrap());
    let mut history = game.history().clone();
    for m in ["b1a1", "h2g2", "a1b1", "g2h2", "b1a1"] {
        game.play_uci(m).unwrap();
        history.push(game.position());
    }
    assert_eq!(history.could_have_come_sooner(game.position(), &ReversibleMoves::new()), Some(5));
}

#[test]
fn material_is_dead_if_no_moves_at_all_lead_to_mate() {
    let read = |board: &str| Position::from_fen(&format!("{board} w - - 0 1"), false).unwrap();
    // A knight alone, and bishops on squares of one colour.
    for board in ["4k3/8/8/8/8/8/8/1N2K3", "4kb2/8/8/8/8/8/8/2B1K3", "4k3/8/8/8/8/4B3/8/2B1K3"] {
        assert!(read(board).is_dead(), "{board}");
    }
    let knights = read("6nk/8/6K1/4N3/8/8/8/8");
    assert!(!knights.is_dead() && knights.play(knights.parse_uci("e5f7").unwrap()).is_checkmate());
    for board in ["4k3/8/8/8/8/8/8/1NN1K3", "2b1k3/8/8/8/8/8/8/2B1K3", "4k3/8/8/8/8/8/8/2B1Kn2"] {
        assert!(!read(board).is_dead(), "{board}");
    }
}

#[test]
fn bad_fens_are_refused_with_a_reason() {
    for (fen, part) in [
        ("", "not a FEN"),
        ("hello", "not a FEN"),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "board is empty"),
        ("rnbqkbnr/pppppppp/8/6/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "not a FEN"),
        ("4k3/8/8/8/8/8/8/P3K3 w - - 0 1", "pawn"),
        ("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", "check"),
    ] {
        let error = Position::from_fen(fen, false).unwrap_err().to_string();
        assert!(error.contains(part), "`{fen}`: {error}");
    }
}

#[test]
fn impossible_rights_are_dropped_and_moves_are_checked() {
    let position = Position::from_fen("nrbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", false).unwrap();
    assert!(position.fen().contains(" w KQk "), "{}", position.fen());
    assert!(position.parse_uci("e2e5").is_err() && position.parse_uci("xyz").is_err());
    assert!(position.parse_san("Qh5").is_err() && position.parse_san("e4!?").is_ok());
}

#[test]
fn an_ambiguous_move_is_not_called_illegal() {
    let position = Position::from_fen("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", false).unwrap();
    let error = |text| position.parse_san(text).unwrap_err().to_string();
    assert_eq!(error("Nd2"), "`Nd2` is ambiguous: Nbd2 or Nfd2");
    assert_eq!(error("Nxd2"), format!("`Nxd2` is not legal in `{}`", position.fen()));
}

#[test]
fn both_spellings_of_castling_are_read() {
    let position = Position::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", false).unwrap();
    assert_eq!(position.parse_uci("e1g1").unwrap(), position.parse_uci("e1h1").unwrap());
    assert_eq!(position.uci(position.parse_san("O-O-O").unwrap()), "e1c1");
}

#[test]
fn a_line_is_read_up_to_the_first_illegal_move() {
    let start = Position::default();
    let line = start.legal_line(["e2e4", "e7e5", "e4e5", "g1f3"]);
    assert_eq!(start.uci_words(&line), ["e2e4", "e7e5"]);
}

#[test]
fn the_largest_counters_of_a_fen_are_played_on_from() {
    let position = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 4294967295 4294967295", false).unwrap();
    let child = position.play(position.parse_uci("h1h2").unwrap());
    assert_eq!(child.reversible_plies(), u32::MAX);
    assert!(is_fifty_moves(&child));
}
