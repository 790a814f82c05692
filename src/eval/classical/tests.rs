//! Laws of the evaluation over random playouts, and each term on positions where it must and must not apply.

use proptest::prelude::*;

use super::*;
use crate::eval::Evaluator;
use crate::params::Params;

/// Starting points from opening to pawn ending.
const STARTS: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 w - - 0 7",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/5k2/2b3p1/7p/7P/3B2P1/5K2/8 w - - 0 1",
    "8/8/8/8/k1p4R/8/3P4/3K4 w - - 0 1",
    "8/8/4k3/8/8/3KBN2/8/8 w - - 0 1",
];

/// A random legal game: the start's index and a stream of choices.
fn playouts() -> impl Strategy<Value = (usize, Vec<u16>)> {
    (0..STARTS.len(), proptest::collection::vec(any::<u16>(), 1..80))
}

/// The positions of a game.
fn positions((start, choices): (usize, Vec<u16>)) -> Vec<Position> {
    let mut positions = vec![position(STARTS[start])];
    for choice in choices {
        let last = &positions[positions.len() - 1];
        let moves = last.legal_moves();
        if moves.is_empty() {
            break;
        }
        positions.push(last.play(moves[usize::from(choice) % moves.len()]));
    }
    positions
}

fn position(fen: &str) -> Position {
    Position::from_fen(fen, false).unwrap()
}

/// What a term gives White and Black.
fn term(fen: &str, name: &str) -> (Tapered, Tapered) {
    let trace = trace(&position(fen));
    let term = trace.terms.iter().find(|term| term.name == name).unwrap();
    (term.white, term.black)
}

/// What a term gives White.
fn white(fen: &str, name: &str) -> Tapered {
    term(fen, name).0
}

fn scale(fen: &str) -> i32 {
    trace(&position(fen)).scale
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn mirrored_positions_evaluate_alike(game in playouts()) {
        for position in positions(game) {
            prop_assert_eq!(evaluate(&position), evaluate(&position.mirrored()), "{}", position.fen());
        }
    }

    #[test]
    fn mirrored_positions_are_as_good_if_they_are_drawn(game in playouts()) {
        let mut classical = Classical::new();
        for position in positions(game) {
            let [one, other] = [&position, &position.mirrored()].map(|drawn| classical.evaluate_drawn(drawn));
            prop_assert_eq!(one, other, "{}", position.fen());
        }
    }

    #[test]
    fn cache_and_trace_agree_with_the_plain_evaluation(game in playouts()) {
        let mut evaluator = Evaluator::new(&Params::default(), None);
        let positions = positions(game);
        // Twice, and the second time backwards, to meet what the first time has cached, and at once what was last.
        for position in positions.iter().chain(positions.iter().rev()) {
            prop_assert_eq!(evaluator.evaluate(position), evaluate(position), "{}", position.fen());
        }
        for position in positions {
            let plain = evaluate(&position);
            let trace = trace(&position);
            prop_assert_eq!(trace.total, plain, "{}", position.fen());
            prop_assert_eq!(trace.white_total, position.turn().fold_wb(plain, -plain));
            let sum: Tapered = trace.terms.iter().map(|term| term.white - term.black).sum();
            prop_assert_eq!(sum, trace.sum);
            prop_assert_eq!(sum.mix(trace.phase, MAX_PHASE) * trace.scale / FULL_SCALE, trace.white_total);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn placement_kept_along_a_path_is_that_from_scratch(game in playouts()) {
        let positions = positions(game);
        let mut placements = Placements::new();
        placements.begin(&positions[0]);
        for pair in positions.windows(2) {
            if let Some(passed) = pair[0].play_null() {
                placements.enter(None, &passed);
                prop_assert_eq!(placements.last(), Some((passed.key(), Placement::new(passed.board()))));
                placements.leave();
            }
            let m = pair[0].legal_moves().into_iter().find(|&m| pair[0].play(m).key() == pair[1].key());
            placements.enter(m, &pair[1]);
            prop_assert_eq!(placements.last(), Some((pair[1].key(), Placement::new(pair[1].board()))));
        }
        for position in positions.iter().rev() {
            prop_assert_eq!(placements.of(position), Placement::new(position.board()));
            prop_assert_eq!(placements.last().map(|(key, _)| key), Some(position.key()));
            placements.leave();
        }
    }
}

#[test]
fn the_opening_position_is_worth_the_tempo() {
    assert_eq!(evaluate(&Position::default()), WEIGHTS.tempo.mg());
}

#[test]
fn of_a_dead_position_the_side_with_the_bishop_is_better() {
    let mut classical = Classical::new();
    for (fen, sign) in [
        ("4k3/8/8/8/8/8/8/2B1K3 w - - 0 1", 1),
        ("4k3/8/8/8/8/8/8/2B1K3 b - - 0 1", -1),
        ("2b1k3/8/8/8/8/8/8/4K3 w - - 0 1", -1),
        ("2b1k3/8/8/8/8/8/8/4K3 b - - 0 1", 1),
    ] {
        let position = position(fen);
        let drawn = classical.evaluate_drawn(&position);
        assert_eq!((evaluate(&position), drawn.signum()), (0, sign), "{fen}: {drawn}");
    }
}

#[test]
fn passed_pawns_gain_with_a_free_path_and_a_distant_enemy_king() {
    let blocked = white("8/3n4/3P4/8/8/1k6/8/K7 w - - 0 1", "passed pawns");
    let free = white("6n1/8/3P4/8/8/1k6/8/K7 w - - 0 1", "passed pawns");
    let near = white("2k3n1/8/3P4/8/8/8/8/K7 w - - 0 1", "passed pawns");
    assert!(free.eg() > blocked.eg() && free.eg() > near.eg());
    assert_eq!(white("6n1/3p4/3P4/8/8/1k6/8/K7 w - - 0 1", "passed pawns"), Tapered::ZERO);
}

#[test]
fn the_rule_of_the_square_counts_whose_turn_it_is() {
    let caught = white("8/8/8/P3k3/8/8/8/7K b - - 0 1", "passed pawns").eg();
    let escaped = white("8/8/8/P3k3/8/8/8/7K w - - 0 1", "passed pawns").eg();
    assert_eq!(escaped - caught, WEIGHTS.unstoppable.eg());
    let with_piece = white("7n/8/8/P3k3/8/8/8/7K w - - 0 1", "passed pawns").eg();
    assert!(with_piece < escaped);
}

#[test]
fn rooks_belong_behind_passed_pawns() {
    let gain = |fen: &str| white(fen, "passed pawns") - white("4k3/7r/8/4P3/8/8/7R/4K3 w - - 0 1", "passed pawns");
    assert_eq!(gain("4k3/7r/8/4P3/8/4R3/8/4K3 w - - 0 1"), WEIGHTS.passed_own_rook);
    assert_eq!(gain("4k3/8/8/4P3/8/4r3/7R/4K3 w - - 0 1"), WEIGHTS.passed_enemy_rook);
}

#[test]
fn space_counts_for_pieces_only() {
    assert_eq!(white("4k3/8/8/8/8/8/3PP3/4K3 w - - 0 1", "space"), Tapered::ZERO);
    // Twelve squares minus two occupied by pawns and one attacked by a pawn; none is behind a pawn.
    let knight = white("4k3/8/8/2p5/8/8/3PP3/1N2K3 w - - 0 1", "space");
    assert_eq!(knight, WEIGHTS.space * 9);
    let behind = white("4k3/8/8/8/3P4/8/8/1N2K3 w - - 0 1", "space");
    assert_eq!(behind, WEIGHTS.space * 11 + WEIGHTS.space_behind_pawn * 2);
}

#[test]
fn king_and_pawn_against_king_is_known_exactly() {
    // Only the side to move differs, or the file.
    for (won, drawn) in [
        ("8/4k3/8/4K3/4P3/8/8/8 b - - 0 1", "8/4k3/8/4K3/4P3/8/8/8 w - - 0 1"),
        ("8/8/8/3p4/3k4/8/3K4/8 w - - 0 1", "8/8/8/3p4/3k4/8/3K4/8 b - - 0 1"),
        ("8/8/8/6p1/6k1/8/6K1/8 w - - 0 1", "8/8/8/7p/7k/8/7K/8 w - - 0 1"),
    ] {
        assert_eq!(scale(won), FULL_SCALE, "{won}");
        assert!(evaluate(&position(won)).abs() > WEIGHTS.won_pawn_ending.eg(), "{won}");
        assert_eq!(evaluate(&position(drawn)), 0, "{drawn}");
    }
}

#[test]
fn bishops_come_in_pairs() {
    let pair = white("4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1", "pieces");
    let one = white("4k3/8/8/8/8/8/8/2B1K3 w - - 0 1", "pieces");
    // The second one is one step from the king.
    assert_eq!(pair - one, WEIGHTS.bishop_pair + WEIGHTS.bishop_king_distance);
}

#[test]
fn rooks_like_open_files_and_the_seventh_rank() {
    let closed = white("4k3/3p4/8/8/8/8/3P4/3RK3 w - - 0 1", "pieces");
    let semi_open = white("4k3/3p4/8/8/8/8/2P5/3RK3 w - - 0 1", "pieces");
    let open = white("4k3/2p5/8/8/8/8/2P5/3RK3 w - - 0 1", "pieces");
    let plain = WEIGHTS.rook_pawns;
    assert_eq!(closed, plain);
    assert_eq!((semi_open - plain, open - plain), (WEIGHTS.rook_semi_open_file, WEIGHTS.rook_open_file));
    let seventh = white("4k3/R6p/8/8/8/8/P7/4K3 w - - 0 1", "pieces");
    let idle = white("8/R7/4k2p/8/8/8/P7/4K3 w - - 0 1", "pieces");
    assert_eq!((seventh - plain, idle), (WEIGHTS.rook_on_seventh, plain));
}

#[test]
fn outposts_need_a_pawn_behind_and_no_pawn_that_can_attack() {
    let outpost = white("4k3/6p1/8/3N4/4P3/8/8/4K3 w - - 0 1", "pieces");
    let unprotected = white("4k3/6p1/8/3N4/8/4P3/8/4K3 w - - 0 1", "pieces");
    let attackable = white("4k3/2p5/8/3N4/4P3/8/8/4K3 w - - 0 1", "pieces");
    let plain = WEIGHTS.knight_pawns + WEIGHTS.knight_king_distance * 4;
    assert_eq!((outpost - plain, unprotected, attackable), (WEIGHTS.knight_outpost, plain, plain));
    let on_its_way = white("4k3/6p1/8/8/4P3/2N5/8/4K3 w - - 0 1", "pieces");
    assert_eq!(on_its_way, WEIGHTS.outpost_in_reach + WEIGHTS.knight_pawns + WEIGHTS.knight_king_distance * 2);
}

#[test]
fn a_bad_bishop_has_its_pawns_on_its_own_colour() {
    let bad = white("4k3/8/8/8/3P1P2/8/8/2B1K3 w - - 0 1", "pieces");
    let good = white("4k3/8/8/3P1P2/8/8/8/2B1K3 w - - 0 1", "pieces");
    let plain = WEIGHTS.bishop_king_distance * 2;
    assert_eq!((bad - plain, good), (WEIGHTS.bishop_pawns * 2, plain));
}

#[test]
fn mobility_ignores_squares_that_pawns_attack() {
    let free = white("4k3/8/8/8/3N4/8/8/4K3 w - - 0 1", "mobility");
    let hemmed = white("4k3/3p1p2/8/8/3N4/8/8/4K3 w - - 0 1", "mobility");
    assert_eq!(free, WEIGHTS.knight_mobility[8]);
    assert_eq!(hemmed, WEIGHTS.knight_mobility[6]);
}

#[test]
fn a_castled_king_likes_its_pawns_at_home() {
    let sheltered = white("4k3/8/8/8/8/8/5PPP/6K1 w - - 0 1", "king shelter").mg();
    let advanced = white("4k3/8/8/8/6PP/8/5P2/6K1 w - - 0 1", "king shelter").mg();
    let bare = white("4k3/8/8/8/8/8/PPP5/6K1 w - - 0 1", "king shelter").mg();
    let stormed = white("4k3/8/8/8/8/6p1/5PPP/6K1 w - - 0 1", "king shelter").mg();
    let left_alone = white("4k3/6p1/8/8/8/8/5PPP/6K1 w - - 0 1", "king shelter").mg();
    assert!(sheltered > advanced && advanced > bare && left_alone > stormed);
}

#[test]
fn danger_needs_attackers_and_grows_with_them() {
    let calm = term("3qk3/8/8/8/8/8/5PPP/6K1 w - - 0 1", "king danger").0;
    let queen = term("4k3/8/8/8/7q/8/5PPP/6K1 w - - 0 1", "king danger").0;
    let both = term("4k3/8/8/6n1/7q/8/5PPP/6K1 w - - 0 1", "king danger").0;
    assert_eq!(calm, Tapered::ZERO);
    assert!(queen.mg() <= 0 && both.mg() < queen.mg() && both.mg() < -20, "{queen:?} {both:?}");
    assert_eq!(term("4k3/8/8/6n1/8/8/5PPP/6K1 w - - 0 1", "king danger").0, Tapered::ZERO);
}

#[test]
fn threats_see_forks_hanging_pieces_and_pushes() {
    let name = "threats";
    let fork = white("4k3/8/2n1n3/3P4/8/8/8/3K4 w - - 0 1", name);
    assert!(fork.mg() >= 2 * WEIGHTS.threat_by_pawn.mg());
    let hanging = white("4k3/8/8/3n4/8/8/6B1/3K4 w - - 0 1", name);
    let defended = white("4k3/8/4p3/3n4/8/8/6B1/3K4 w - - 0 1", name);
    assert!(hanging.mg() > defended.mg());
    // The push attacks the knight, and the pawn already guards one of the knight's squares.
    let push = white("4k3/8/8/2n5/8/3P4/8/3K4 w - - 0 1", name);
    assert_eq!(push, WEIGHTS.threat_by_push + WEIGHTS.restricted);
    assert_eq!(
        white("4k3/8/8/2n5/3P4/8/8/3K4 b - - 0 1", name).mg(),
        WEIGHTS.threat_by_pawn.mg() + WEIGHTS.hanging.mg()
    );
}

#[test]
fn bishops_of_opposite_colours_scale_down() {
    let opposite = scale("8/5k2/4b1p1/7p/7P/2B1P1P1/4PK2/8 w - - 0 1");
    let same = scale("8/5k2/3b2p1/7p/7P/2B1P1P1/4PK2/8 w - - 0 1");
    let with_rooks = scale("r7/5k2/4b1p1/7p/7P/2B1P1P1/4PK2/7R w - - 0 1");
    let with_queens = scale("q7/5k2/4b1p1/7p/7P/2B1P1P1/4PK2/7Q w - - 0 1");
    assert!(opposite < with_rooks && with_rooks < same);
    assert_eq!((same, with_queens), (FULL_SCALE, FULL_SCALE));
    // The front pawn on e3 is passed; no black one is.
    assert_eq!(opposite, WEIGHTS.opposite_bishops_scale + WEIGHTS.opposite_bishops_passed);
}

#[test]
fn small_edges_without_pawns_do_not_win() {
    for drawn in [
        "4k3/8/8/8/8/8/8/2B1K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/1NN1K3 w - - 0 1",
        "4kb2/8/8/8/8/8/8/R3K3 w - - 0 1",
        "r3k3/8/8/8/8/8/8/R1B1K3 w - - 0 1",
        "q3k3/8/8/8/8/8/8/Q1N1K3 w - - 0 1",
        "4kn2/8/8/8/8/8/4P3/4KN2 w - - 0 1",
    ] {
        assert!(scale(drawn) < FULL_SCALE / 2, "{drawn}");
    }
    for won in [
        "4k3/8/8/8/8/8/8/R3K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1",
        "4k3/8/8/8/8/8/8/2B1K1N1 w - - 0 1",
        "r3k3/8/8/8/8/8/8/Q3K3 w - - 0 1",
        "r3k3/8/8/8/8/8/PPPP4/R1B1K3 w - - 0 1",
        "4k3/8/8/8/8/8/PP6/4K3 w - - 0 1",
    ] {
        assert_eq!(scale(won), FULL_SCALE, "{won}");
    }
}

#[test]
fn the_wrong_rook_pawn_does_not_queen() {
    let wrong = "1k6/8/8/P7/8/8/8/2B1K3 w - - 0 1";
    assert_eq!(scale(wrong), WEIGHTS.wrong_rook_pawn_scale);
    // The right bishop, a knight's pawn, a king outside the corner.
    for won in
        ["1k6/8/8/P7/8/8/8/4KB2 w - - 0 1", "1k6/8/8/1P6/8/8/8/2B1K3 w - - 0 1", "8/8/5k2/P7/8/8/8/2B1K3 w - - 0 1"]
    {
        assert_eq!(scale(won), FULL_SCALE, "{won}");
    }
    assert_eq!(scale("k7/8/K7/P7/P7/8/8/8 w - - 0 1"), WEIGHTS.wrong_rook_pawn_scale);
}

#[test]
fn a_bare_king_is_driven_to_the_edge_and_into_the_right_corner() {
    let value = |fen: &str| evaluate(&position(fen));
    assert!(value("7k/5K2/8/8/8/8/8/R7 w - - 0 1") > value("8/8/8/3k4/8/8/5K2/R7 w - - 0 1"));
    // The bishop on c1 controls dark corners: h8, not a8.
    let right = white("7k/8/5K2/5N2/8/8/8/2B5 w - - 0 1", "bare king");
    let wrong = white("k7/8/2K5/2N5/8/8/8/2B5 w - - 0 1", "bare king");
    assert!(right.eg() > wrong.eg());
    assert_eq!(white("4k3/7p/8/8/8/8/8/R3K3 w - - 0 1", "bare king"), Tapered::ZERO);
}
