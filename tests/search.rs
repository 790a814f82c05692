//! The search as a whole: draws, mates, termination, determinism, and a move at any time.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use pacioli::board::{Game, MAX_MOVES, Move, Position};
use pacioli::engine::{Clock, Engine, Limits, Options};
use pacioli::eval::{evaluate, trace};
use pacioli::params::{AspirationPolicy, Evaluation, Params, Profile, RootDriver};
use pacioli::score::{Draw, MAX_EVAL, Score, StatedScore};
use pacioli::search::{CreditStats, Iteration, NoMate, Observer, Outcome, Silent, StopFlag, ordered_moves};

use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, PositionError};

use crate::common::{Iterations, evaluate_drawn, outcome, positions, search, search_observed};

fn position(fen: &str) -> Position {
    Position::from_fen(fen, false).unwrap()
}

fn restricted(position: &Position, params: &Params, depth: i32, uci: &str) -> Outcome {
    let limits =
        Limits { search_moves: vec![position.parse_uci(uci).unwrap()], depth: Some(depth), ..Limits::default() };
    search(position, params, &limits).0
}

/// Full width, without anything that could prefer one draw to another.
fn full_width() -> Params {
    Params { horizon_depth: 0, credit: false, tt_cutoffs: false, no_progress: false, ..Profile::DeepBlue.params() }
}

#[test]
fn of_two_dead_draws_the_better_static_evaluation_is_chosen() {
    // The king may capture the knight or the bishop; what is left cannot mate. Everything else loses a piece.
    let position = position("7k/8/8/8/2nKb3/8/8/8 w - - 0 1");
    for profile in Profile::ALL {
        let (outcome, _) = search(&position, &profile.params(), &Limits::to_depth(6));
        let values = ["d4c4", "d4e4"].map(|uci| {
            let after = position.play(position.parse_uci(uci).unwrap());
            assert!(after.is_dead());
            -Score::draw(Draw::Theoretical { static_eval: evaluate_drawn(&after, profile.params().evaluation) })
        });
        assert_ne!(values[0], values[1], "the test position must show a difference");
        assert_eq!(outcome.score, values[0].max(values[1]), "{profile}");
        let better = if values[0] > values[1] { "d4c4" } else { "d4e4" };
        assert_eq!(position.uci(outcome.best_move.unwrap()), better, "{profile}");
    }
}

/// The score of a repetition after this many plies; the root's sign says whether it wants the repetition.
fn repetition_after(plies: i32, striving: bool) -> Score {
    Score::draw(Draw::Repetition { ply: plies, striving })
}

#[test]
fn the_side_that_avoids_a_repetition_wants_it_later() {
    // Black is far ahead and cannot escape the checks. Going back to f8 on the second visit would repeat after five
    // plies; the other square delays it to the seventh.
    let position = position("6k1/5p1p/8/6Q1/8/7P/qr4PK/r7 b - - 0 1");
    let (outcome, _) = search(&position, &full_width(), &Limits::to_depth(9));
    assert_eq!(outcome.score, repetition_after(7, false), "{}", position.san_line(&outcome.pv));
}

#[test]
fn the_side_that_strives_for_a_repetition_wants_it_sooner() {
    // White, far behind, has two checks that hold the draw: one repeats after six plies, the other after eight.
    let position = position("6k1/5p1p/5Q2/8/8/7P/qr4PK/r7 w - - 0 1");
    let (outcome, _) = search(&position, &full_width(), &Limits::to_depth(9));
    assert_eq!(outcome.score, repetition_after(6, true), "{}", position.san_line(&outcome.pv));
    let slower = restricted(&position, &full_width(), 9, "f6g5");
    assert_eq!(slower.score, repetition_after(8, true), "{}", position.san_line(&slower.pv));
}

#[test]
fn a_repetition_seen_a_move_ahead_changes_no_score() {
    let ahead = Params { upcoming_repetition: true, ..full_width() };
    for fen in ["6k1/5p1p/8/6Q1/8/7P/qr4PK/r7 b - - 0 1", "6k1/5p1p/5Q2/8/8/7P/qr4PK/r7 w - - 0 1"] {
        let position = position(fen);
        let (later, _) = search(&position, &full_width(), &Limits::to_depth(9));
        let (sooner, _) = search(&position, &ahead, &Limits::to_depth(9));
        assert_eq!(sooner.score, later.score, "{fen}");
        assert_ne!(sooner.nodes, later.nodes, "{fen}");
    }
}

#[test]
fn a_threefold_repetition_of_the_game_is_a_draw_whatever_repetitions_in_the_search_are() {
    let mut game = Game::new(position("7k/8/8/8/8/8/1Q6/K7 b - - 0 1"));
    for uci in ["h8g8", "b2c2", "g8h8", "c2b2", "h8g8", "b2c2", "g8h8"] {
        game.play_uci(uci).unwrap();
    }
    let limits = Limits { search_moves: vec![game.position().parse_uci("c2b2").unwrap()], ..Limits::to_depth(2) };
    for profile in Profile::ALL {
        for repetition_in_search in [false, true] {
            let params = Params { repetition_in_search, ..profile.params() };
            let (mut engine, _) = Engine::new(Options { params, hash_mb: 1, ..Options::default() });
            let outcome = outcome(&mut engine, &game, &limits);
            assert_eq!(outcome.score.main(), 0, "{profile}, {repetition_in_search}");
        }
    }
}

#[test]
fn ways_round_are_cut_off_and_the_score_stays() {
    // Only the kings can move: most lines make no progress.
    let position = position("8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1");
    let (all, _) = search(&position, &full_width(), &Limits::to_depth(9));
    let (straight, _) = search(&position, &Params { no_progress: true, ..full_width() }, &Limits::to_depth(9));
    assert_eq!(straight.score, all.score);
    assert!(straight.best_move.is_some() && straight.nodes < all.nodes, "{} {}", straight.nodes, all.nodes);
}

#[test]
fn a_way_round_counts_where_the_straight_one_is_not_searched() {
    // The rook's other first moves mate as well: by f8, which is one of them.
    let position = position("7k/7p/7P/8/8/p1p5/P1P5/KB3R2 w - - 0 1");
    let search_moves = vec![position.parse_uci("f1f2").unwrap()];
    let limits = Limits { search_moves, analysis: true, ..Limits::to_depth(6) };
    let (outcome, _) = search(&position, &Profile::DeepBlue.params(), &limits);
    assert_eq!(outcome.score, Score::mating(5), "{}", position.san_line(&outcome.pv));
}

#[test]
fn stalemate_and_fifty_moves_are_theoretical_draws_and_mate_on_the_hundredth_ply_counts() {
    let stalemate = position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    let (outcome, _) = search(&stalemate, &Params::default(), &Limits::to_depth(3));
    assert_eq!((outcome.best_move, outcome.score.main()), (None, 0));
    // White mates with the move that completes the fifty.
    let mate = position("7k/8/6K1/8/8/8/8/R7 w - - 99 90");
    let (outcome, _) = search(&mate, &Params::default(), &Limits::to_depth(3));
    assert_eq!(outcome.score.stated(), StatedScore::Mate(1));
    let late = position("8/8/4k3/8/8/4K3/4P3/8 w - - 99 90");
    let (outcome, _) = search(&late, &Params::default(), &Limits::to_depth(4));
    assert!(late.uci(outcome.best_move.unwrap()).starts_with("e2") || outcome.score.main() == 0);
}

#[test]
fn a_null_move_that_zugzwang_refutes_does_not_hide_a_mate() {
    // After Ra6 every move of Black's allows mate, and with a rook to win he stands well as long as he need not move.
    // The network knows that the rook hangs, too.
    let position = position("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1");
    for evaluation in Evaluation::ALL {
        let params = Params { evaluation, ..Params::default() };
        let (outcome, _) = search(&position, &params, &Limits::to_depth(6));
        assert_eq!(outcome.score.stated(), StatedScore::Mate(2), "{}", evaluation.name());
    }
}

#[test]
fn mates_are_found_with_their_whole_line() {
    for (fen, moves) in [
        ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", 1),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2),
        ("r1b2k1r/ppp1bppp/8/1B1Q4/5q2/2P5/PPP2PPP/R3R1K1 w - - 1 1", 2),
    ] {
        for profile in Profile::ALL {
            for evaluation in Evaluation::ALL {
                let params = Params { evaluation, ..profile.params() };
                let position = position(fen);
                let (outcome, _) = search(&position, &params, &Limits::to_depth(9));
                assert_eq!(outcome.score.stated(), StatedScore::Mate(moves), "{profile}: {fen}");
                assert_eq!(outcome.pv.len() as i32, 2 * moves - 1, "{profile}: {}", position.san_line(&outcome.pv));
                let end = outcome.pv.iter().fold(position, |position, &m| position.play(m));
                assert!(end.in_check() && end.legal_moves().is_empty());
            }
        }
    }
}

#[test]
fn a_mate_ends_the_search_once_it_was_searched_as_deep_as_the_mate_is_long() {
    // In the first a longer mate is found some iterations before the shortest, which takes more nodes to be sure of.
    for fen in ["Q7/N7/8/8/8/8/3k4/K1R5 w - - 0 1", "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"] {
        let most = 40_000;
        let limits = Limits::of_nodes(most);
        let (outcome, _) = search(&position(fen), &Params::default(), &limits);
        let distance = outcome.score.mate_distance().expect(fen);
        let is_ended = outcome.nodes < most;
        assert_eq!(is_ended, outcome.depth >= distance, "{} of {distance} plies: {fen}", outcome.depth);
    }
}

#[test]
fn an_infinite_search_goes_on_when_a_mate_is_proven() {
    let mate = position("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1");
    let last = |infinite| search(&mate, &Params::default(), &Limits { infinite, ..Limits::to_depth(8) }).0.depth;
    assert!(last(false) < 8);
    assert_eq!(last(true), 8);
}

#[test]
fn no_time_is_taken_for_an_only_move_but_for_a_reply() {
    // The knight must step between; the clock is an hour's.
    let clock = Clock { white_time: Some(Duration::from_secs(3600)), ..Clock::default() };
    for (fen, is_only) in
        [("4k3/8/8/8/8/4N3/3PPP2/r3K3 w - - 0 1", true), ("4k3/8/8/8/8/4N3/3PPP2/4K3 w - - 0 1", false)]
    {
        let limits = Limits { clock, nodes: Some(2_000), ..Limits::default() };
        let (outcome, _) = search(&position(fen), &Params::default(), &limits);
        assert_eq!((outcome.depth == 2, outcome.ponder.is_some()), (is_only, true), "{fen}");
    }
}

#[test]
fn what_the_iterations_show_decides_how_much_of_the_time_is_taken() {
    // A node is a millisecond. The plan is to take 2.5 s of a minute; at most it is four times that.
    let nodes = |fen: &str, params: &Params| {
        let clock = Clock { white_time: Some(Duration::from_secs(60)), ..Clock::default() };
        search(&position(fen), params, &Limits { clock, ..Limits::default() }).0.nodes
    };
    let plain = Params {
        node_time: 1,
        pace_stability: false,
        pace_effort: false,
        pace_forcing: false,
        pace_panic: false,
        pace_calm: false,
        ..Params::default()
    };
    // Only the bishop's capture of the queen comes into question.
    let capture = "rnb1kbnr/pppp1ppp/8/4p3/q3P3/1B3N2/PPPP1PPP/RNBQK2R w KQkq - 0 1";
    let planned = nodes(capture, &plain);
    assert!(planned < 10_000, "{planned}");
    let stability =
        Params { pace_stability: true, pace_settled: 10, pace_iterations: 1, pace_unsettled: 90, ..plain.clone() };
    let effort = Params { pace_effort: true, pace_effort_base: 100, ..plain.clone() };
    for less in [&stability, &effort] {
        assert!(nodes(capture, less) < planned);
    }
    // An iteration of which hardly anything fits into the plan.
    let eager = Params { useful_share: 1, ..plain.clone() };
    assert!(nodes(capture, &eager) > planned);
    // Far behind, but most nodes go into the same move.
    let behind = "rnb1kbnr/ppp2ppp/3p4/4p3/q3P3/1B3N2/PPPP1PPP/2B1K3 w kq - 0 1";
    assert!(nodes(behind, &Params { useful_share: 1, ..effort }) < nodes(behind, &eager));
    // Checks, all extended, hold the draw.
    let checks = "6k1/5p1p/5Q2/8/8/7P/qr4PK/r7 w - - 0 1";
    let forcing = Params { pace_forcing: true, pace_unforced: 100, pace_forced_ply: 100, ..plain.clone() };
    assert!(nodes(checks, &forcing) > nodes(checks, &plain));
    // An iteration that is longer than the plan, once with nothing new, once with a move that may become the best.
    let quiet = "r2qk2r/pp3ppp/2p1pn2/4n3/1b6/3P2PP/PPPN1PB1/R1BQK2R b KQkq - 0 1";
    let long = "r1bqk2r/ppp2ppp/2n2n2/2bpp3/4P3/2PP1N2/PP1N1PPP/R1BQKB1R w KQkq - 0 1";
    let calm = Params { node_time: 1, pace_calm: true, ..Profile::DeepBlue.params() };
    let to_the_end = Params { pace_calm: false, ..calm.clone() };
    assert!(nodes(quiet, &calm) < nodes(quiet, &to_the_end));
    assert_eq!(nodes(long, &calm), nodes(long, &to_the_end));
    // An iteration that is longer than a plan of 1 s, with a score that falls by some centipawns.
    let falling = "3r4/k5b1/pq2p1Np/4P3/2p2Bp1/P3n1P1/K1Q3B1/4N3 w - - 0 1";
    let alarmed_from =
        |panic_drop| Params { pace_calm: true, calm_most: 100, expected_moves: 60, panic_drop, ..eager.clone() };
    assert!(nodes(falling, &alarmed_from(1)) > nodes(falling, &alarmed_from(200)));
}

#[test]
fn the_position_that_made_extensions_explode_ends() {
    // Another engine's check extensions never ended here (law 6 of dual credit, "it terminates").
    let position = position("8/Pk6/8/1p6/8/P1K5/8/6B1 w - - 37 130");
    for (profile, iterations, bound) in [(Profile::Modern, 16, 10_000_000), (Profile::DeepBlue, 7, 10_000_000)] {
        let (outcome, scores) = search(&position, &profile.params(), &Limits::to_depth(iterations));
        println!("{profile}: {} nodes", outcome.nodes);
        assert!(outcome.nodes < bound, "{profile}: {} nodes", outcome.nodes);
        assert!(scores.len() as i32 == iterations || outcome.score.is_mate());
    }
}

/// The nodes of each completed iteration.
#[derive(Default)]
struct Costs(Vec<u64>);

impl Observer for Costs {
    fn iteration(&mut self, iteration: &Iteration) {
        self.0.push(iteration.nodes - self.0.iter().sum::<u64>());
    }
}

/// The largest ratio of an iteration's nodes to the previous one's, over some positions.
fn worst_growth(params: &Params, iterations: i32) -> f64 {
    let floor = params.growth_floor as u64;
    let ratios = positions(12).into_iter().map(|position| {
        let mut costs = Costs::default();
        search_observed(&position, params, &Limits::to_depth(iterations), &mut costs);
        let steps = costs.0.windows(2).map(|pair| pair[1] as f64 / pair[0].max(floor) as f64);
        steps.fold(0.0, f64::max)
    });
    ratios.fold(0.0, f64::max)
}

#[test]
fn growth_control_holds_back_iterations_that_cost_far_more_than_the_last() {
    let on = Params { growth_limit: 2, growth_floor: 1000, ..Params::default() };
    let off = Params { growth_control: false, ..on.clone() };
    let (restrained, free) = (worst_growth(&on, 9), worst_growth(&off, 9));
    println!("an iteration costs at most {restrained:.1} times the previous one, without control {free:.1}");
    assert!(restrained < free, "{restrained:.1} and {free:.1}");
}

#[test]
fn an_iteration_tells_since_when_growth_control_restrains_it() {
    // What an iteration costs is looked at about every thousand nodes.
    const LOOKS: u64 = 1024;
    let on = Params { growth_limit: 2, growth_floor: 1000, ..Params::default() };
    // Iterations without and with restraint.
    let mut seen = [0; 2];
    for position in positions(12) {
        let mut told = Iterations::default();
        search_observed(&position, &on, &Limits::to_depth(9), &mut told);
        let (mut begin, mut last) = (0, 0);
        for Iteration { nodes: end, restrained_at, .. } in told.0 {
            let limit = (2 * on.growth_limit as u64 + 1) * last.max(on.growth_floor as u64) / 2;
            let unrestrained = restrained_at.unwrap_or(end) - begin;
            assert!(unrestrained <= limit + LOOKS, "{unrestrained} of {}, {restrained_at:?}", end - begin);
            assert!(restrained_at.is_none() || unrestrained >= limit, "{unrestrained}: the limit is {limit}");
            seen[usize::from(restrained_at.is_some())] += 1;
            (begin, last) = (end, end - begin);
        }
    }
    assert!(seen.iter().all(|&iterations| iterations > 0), "nothing to test: {seen:?}");
}

/// The nodes that some positions take.
fn nodes(params: &Params, iterations: i32) -> u64 {
    positions(4).iter().map(|position| search(position, params, &Limits::to_depth(iterations)).0.nodes).sum()
}

#[test]
fn growth_control_also_cuts_what_was_cashed_in_before() {
    let cut = Params { growth_limit: 2, growth_floor: 1000, ..Profile::DeepBlue.params() };
    let uncut = Params { growth_cut: false, ..cut.clone() };
    let (cut, uncut) = (nodes(&cut, 6), nodes(&uncut, 6));
    println!("{cut} nodes, without the cut {uncut}");
    assert!(cut < uncut, "{cut} and {uncut}");
}

#[test]
fn without_dual_credit_nothing_is_awarded_or_cashed_in() {
    let params = Params { credit: false, ..Params::default() };
    for position in positions(4) {
        let mut told = Iterations::default();
        search_observed(&position, &params, &Limits::to_depth(9), &mut told);
        for iteration in told.0 {
            assert_eq!(iteration.credit, CreditStats::default(), "{}: {}", position.fen(), iteration.iteration);
        }
    }
}

#[test]
fn each_kind_of_conventional_extension_is_alive_only_with_all_of_them() {
    // With so small a margin that three plies come up in small trees.
    let on =
        Params { credit: false, conventional_extensions: true, conventional_triple_margin: 20, ..Params::default() };
    let off = Params { conventional_extensions: false, ..on.clone() };
    let count = |params: &Params| nodes(params, 9);
    let (all, none) = (count(&on), count(&off));
    assert_ne!(all, none);
    for kind in ["conventional_checks", "conventional_double", "conventional_triple"] {
        let without = |base: &Params| {
            let mut params = base.clone();
            params.set(kind, "off").unwrap();
            count(&params)
        };
        assert_ne!(without(&on), all, "{kind}");
        assert_eq!(without(&off), none, "{kind}");
    }
    // Without room on the line only single extensions are left.
    let no_room = Params { conventional_line_cap: 0, ..on.clone() };
    let single = Params { conventional_double: false, ..on };
    assert_eq!(count(&no_room), count(&single));
}

#[test]
fn the_same_search_twice_is_the_same_search() {
    for profile in Profile::ALL {
        for position in positions(8) {
            let limits = Limits::of_nodes(15_000);
            let runs = [(); 2].map(|()| search(&position, &profile.params(), &limits));
            let [(a, a_scores), (b, b_scores)] = runs;
            assert_eq!((a.nodes, a.best_move, a.score, a.pv), (b.nodes, b.best_move, b.score, b.pv));
            assert_eq!(a_scores, b_scores);
        }
    }
}

#[test]
fn a_search_for_a_mate_ends_without_one() {
    let mate = |moves| Limits { mate: Some(moves), ..Limits::default() };
    let middlegame = Position::from_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -", false);
    for position in [Position::default(), middlegame.unwrap()] {
        let (outcome, _) = search(&position, &Params::default(), &mate(2));
        assert_eq!((outcome.no_mate, outcome.depth), (Some(NoMate::Proven { moves: 2 }), 4));
    }
    // Mate in two, found if it is asked for and not if less is.
    let two = Position::from_fen("7k/8/5K2/8/8/8/8/R7 w - -", false).unwrap();
    assert_eq!(search(&two, &Params::default(), &mate(1)).0.no_mate, Some(NoMate::Proven { moves: 1 }));
    let found = search(&two, &Params::default(), &mate(2)).0;
    assert!(found.no_mate.is_none() && found.score.mate_distance() == Some(3), "{found:?}");
    // Of a limit on nodes the proof has what is left.
    let nodes = search(&Position::default(), &Params::default(), &mate(2)).0.nodes;
    for (left, proof) in [(1, None), (100_000, Some(NoMate::Proven { moves: 2 }))] {
        let limits = Limits { nodes: Some(nodes + left), ..mate(2) };
        let (outcome, _) = search(&Position::default(), &Params::default(), &limits);
        assert_eq!((outcome.no_mate, outcome.depth), (proof, 4), "{left}");
    }
    // Without a proof it ends some plies later.
    let unproven = Params { mate_positions: 0, mate_patience: 3, ..Params::default() };
    let (outcome, _) = search(&Position::default(), &unproven, &mate(1));
    assert_eq!(outcome.no_mate, Some(NoMate::GivenUp { moves: 1, depth: 5 }));
    let few = Params { mate_nodes: 1000, ..unproven };
    assert!(matches!(search(&Position::default(), &few, &mate(9)).0.no_mate, Some(NoMate::GivenUp { moves: 9, .. })));
}

#[test]
fn a_search_for_a_mate_is_one_without_forward_pruning() {
    let nodes = |params: &Params, limits: &Limits| search(&Position::default(), params, limits).0.nodes;
    let (plain, unpruned) = (Params::default(), Params::default().without_forward_pruning());
    let mate = nodes(&plain, &Limits { mate: Some(9), ..Limits::to_depth(7) });
    assert_eq!(mate, nodes(&unpruned, &Limits::to_depth(7)));
    assert_ne!(mate, nodes(&plain, &Limits::to_depth(7)));
}

#[test]
fn new_game_forgets_everything() {
    let (mut engine, _) = Engine::new(Options { hash_mb: 4, ..Options::default() });
    let (mut first_total, mut again_total) = (0, 0);
    for position in positions(40) {
        let game = Game::new(position);
        let mut nodes = || outcome(&mut engine, &game, &Limits::to_depth(6)).nodes;
        let (first, again) = (nodes(), nodes());
        engine.new_game();
        assert_eq!(outcome(&mut engine, &game, &Limits::to_depth(6)).nodes, first);
        engine.new_game();
        first_total += first;
        again_total += again;
    }
    assert!(
        again_total < first_total / 2,
        "{again_total} of {first_total}: what the table keeps is not searched again"
    );
}

#[test]
fn other_options_are_searched_with_as_by_a_new_engine() {
    let nodes = |engine: &mut Engine| {
        [Limits::to_depth(9), Limits { mate: Some(9), ..Limits::to_depth(5) }]
            .map(|limits| outcome(engine, &Game::default(), &limits).nodes)
    };
    let plain = Options { hash_mb: 4, seed: 7, ..Options::default() };
    let weak = Options { limit_strength: true, elo: 1500, ..plain.clone() };
    let classical_only = Options { params: Params { nnue_least_pieces: 33, ..Params::default() }, ..plain.clone() };
    let without_network = Options { network: None, ..plain.clone() };
    let unpruned = Options { params: Params { futility: false, ..Params::default() }, ..plain.clone() };
    // A search for a mate has its own copy of the switch; a table of reductions is computed from the number.
    let params = Params { killers: false, reduction_base: 100, ..Params::default() };
    let reduced_otherwise = Options { params, ..plain.clone() };
    for options in [weak, classical_only, without_network, unpruned, reduced_otherwise] {
        let expected = nodes(&mut Engine::new(options.clone()).0);
        let (mut engine, _) = Engine::new(plain.clone());
        nodes(&mut engine);
        engine.set_options(options);
        assert_eq!(nodes(&mut engine), expected);
    }
}

#[test]
fn a_stop_at_any_node_leaves_a_legal_move_and_a_line() {
    for profile in Profile::ALL {
        for position in positions(20) {
            for nodes in [0, 1, 2, 3, 5, 10, 30, 100, 300, 1000, 3000, 10_000] {
                let limits = Limits::of_nodes(nodes);
                let (outcome, _) = search(&position, &profile.params(), &limits);
                assert!(outcome.nodes <= nodes.max(1), "{} of {nodes}", outcome.nodes);
                assert_eq!(outcome.pv.first().copied(), outcome.best_move);
                let mut end = position.clone();
                for &m in &outcome.pv {
                    assert!(end.is_legal(m), "{profile}, {nodes} nodes: {}", position.fen());
                    end = end.play(m);
                }
                assert!(outcome.best_move.is_some());
            }
        }
    }
}

/// Sets the flag after a number of iterations.
struct Stopper {
    flag: StopFlag,
    after: usize,
    seen: AtomicUsize,
}

impl Observer for Stopper {
    fn iteration(&mut self, iteration: &Iteration) {
        assert!(!iteration.pv.is_empty());
        if self.seen.fetch_add(1, Ordering::Relaxed) + 1 == self.after {
            self.flag.raise();
        }
    }
}

#[test]
fn a_raised_flag_ends_an_endless_search() {
    for after in 1..6 {
        let flag = StopFlag::new();
        let mut stopper = Stopper { flag: flag.clone(), after, seen: AtomicUsize::new(0) };
        let (mut engine, _) = Engine::new(Options::default());
        let outcome = engine.search(&Game::default(), &Limits::default(), &flag, &mut stopper);
        assert!(outcome.best_move.is_some() && outcome.depth as usize == after);
    }
}

/// Sets the flag as an iteration begins, and knows the nodes until then.
struct Caller {
    flag: StopFlag,
    iteration: i32,
    nodes: u64,
}

impl Observer for Caller {
    fn iteration(&mut self, iteration: &Iteration) {
        self.nodes = iteration.nodes;
    }

    fn current_move(&mut self, iteration: i32, _: Move, _: usize) {
        if iteration == self.iteration {
            self.flag.raise();
        }
    }
}

#[test]
fn a_young_search_heeds_the_flag_within_few_nodes() {
    // Each may wait for new memory, where the table is large.
    let nodes_after = |game: &Game, iteration| {
        let flag = StopFlag::new();
        let mut caller = Caller { flag: flag.clone(), iteration, nodes: 0 };
        let (mut engine, _) = Engine::new(Options { hash_mb: 1, ..Options::default() });
        let outcome = engine.search(game, &Limits::default(), &flag, &mut caller);
        assert!(outcome.best_move.is_some());
        (caller.nodes, outcome.nodes)
    };
    for iteration in 2..8 {
        let (before, after) = nodes_after(&Game::default(), iteration);
        assert!(after <= before + (before / 16).max(16) + 1, "{iteration}: {after}");
    }
    // The first iteration is done in full if it is as short as nearly all are.
    let queens = Position::from_fen("qqqqkqqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQKQQQ w - - 0 1", false).unwrap();
    let (_, after) = nodes_after(&Game::new(queens), 1);
    assert!((256..300).contains(&after), "{after}");
}

#[test]
fn all_limits_together_hold() {
    let clock = Clock { white_time: Some(Duration::from_secs(60)), ..Clock::default() };
    let limits = Limits {
        depth: Some(5),
        nodes: Some(100_000),
        move_time: Some(Duration::from_secs(20)),
        clock,
        ..Limits::default()
    };
    let search = |limits| search(&Position::default(), &Params::default(), &limits).0;
    let outcome = search(limits.clone());
    assert!(outcome.depth == 5 && outcome.nodes <= 100_000);
    // Each of them ends a search that the others would let go on.
    let outcome = search(Limits { depth: Some(100), nodes: Some(20_000), ..limits.clone() });
    assert!(outcome.depth > 5 && (10_000..=20_000).contains(&outcome.nodes), "{} {}", outcome.depth, outcome.nodes);
    let start = Instant::now();
    let short = Some(Duration::from_millis(30));
    let hour = Clock { white_time: Some(Duration::from_secs(3600)), ..clock };
    search(Limits { depth: Some(100), nodes: Some(1 << 40), move_time: short, clock: hour, ..limits.clone() });
    search(Limits { depth: Some(100), nodes: Some(1 << 40), clock: Clock { white_time: short, ..clock }, ..limits });
    assert!(start.elapsed() < Duration::from_secs(15), "{:?}", start.elapsed());
}

#[test]
fn soft_nodes_end_a_search_with_its_iteration() {
    let (position, params, soft) = (Position::default(), Params::default(), 5_000);
    let limits = Limits { soft_nodes: Some(soft), ..Limits::default() };
    let (outcome, _) = search(&position, &params, &limits);
    let nodes = |iterations| search(&position, &params, &Limits::to_depth(iterations)).0.nodes;
    assert_eq!(outcome.nodes, nodes(outcome.depth));
    assert!(outcome.nodes >= soft && nodes(outcome.depth - 1) < soft);
    let (hard, _) = search(&position, &params, &Limits { nodes: Some(soft / 10), ..limits });
    assert!(hard.nodes <= soft / 10);
}

#[test]
fn search_moves_are_obeyed() {
    let position = Position::default();
    let limits = Limits { search_moves: vec![position.parse_uci("a2a3").unwrap()], ..Limits::to_depth(6) };
    let (outcome, _) = search(&position, &Params::default(), &limits);
    assert_eq!(position.uci(outcome.best_move.unwrap()), "a2a3");
}

/// Checks that no iteration loses its line.
struct LineKeeper(Position);

impl LineKeeper {
    fn check(&self, iteration: &Iteration) {
        assert!(!iteration.pv.is_empty(), "iteration {}", iteration.iteration);
        let end = iteration.pv.iter().try_fold(self.0.clone(), |p, &m| p.is_legal(m).then(|| p.play(m)));
        assert!(end.is_some(), "iteration {}: {:?}", iteration.iteration, iteration.pv);
    }
}

impl Observer for LineKeeper {
    fn iteration(&mut self, iteration: &Iteration) {
        self.check(iteration);
    }
    fn bound(&mut self, iteration: &Iteration) {
        self.check(iteration);
    }
}

#[test]
fn no_driver_and_no_policy_loses_its_line_in_an_unstable_search() {
    // Pruning, credit and a shared table make the search unstable; the narrowest windows make it fail all the time.
    for root_driver in RootDriver::ALL {
        for aspiration_policy in AspirationPolicy::ALL {
            let windows = Params { root_driver, aspiration_policy, ..Params::default() };
            let params = Params { aspiration_width: 1, aspiration_min_iteration: 1, ..windows };
            let (mut engine, _) = Engine::new(Options { params, hash_mb: 1, ..Options::default() });
            for position in positions(8) {
                let limits = Limits::of_nodes(5_000);
                let game = Game::new(position.clone());
                let outcome = engine.search(&game, &limits, &StopFlag::new(), &mut LineKeeper(position));
                assert!(outcome.depth > 0 && outcome.pv.first().copied() == outcome.best_move);
            }
        }
    }
}

#[test]
fn searches_for_evidence_leave_no_moves_in_the_line() {
    // The tests of alternatives come between a move's search and its line; null-window drivers keep lines everywhere.
    for root_driver in RootDriver::ALL {
        let params = Params { root_driver, singular_confirmation: true, ..Params::default() };
        let (mut engine, _) = Engine::new(Options { params, hash_mb: 1, ..Options::default() });
        for position in positions(12) {
            engine.new_game();
            let limits = Limits::of_nodes(10_000);
            let game = Game::new(position.clone());
            engine.search(&game, &limits, &StopFlag::new(), &mut LineKeeper(position));
        }
    }
}

/// A position with more pieces than a FEN may have.
fn crowd(fen: &str) -> Position {
    let crowd = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard);
    let crowd = crowd.or_else(PositionError::ignore_too_much_material);
    Position::from_chess(crowd.or_else(PositionError::ignore_impossible_check).unwrap())
}

#[test]
fn absurd_material_is_clamped_and_does_not_overflow() {
    // 24, 30 and 45 queens.
    for rest in [
        "QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/8/8/4K3",
        "QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQ2/8/4K3",
        "QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQK3",
    ] {
        for (turn, best) in [("w", MAX_EVAL), ("b", -MAX_EVAL)] {
            let crowd = crowd(&format!("k7/pp6/{rest} {turn} - - 0 1"));
            assert_eq!((evaluate(&crowd), trace(&crowd).total), (best, best), "{rest} {turn}");
        }
    }
}

#[test]
fn as_many_moves_as_a_list_holds_are_searched() {
    let crowd = crowd("kBQQQQQQ/BR5Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - - 0 1");
    assert_eq!(crowd.legal_moves().len(), MAX_MOVES);
    assert_eq!(ordered_moves(&crowd).iter().map(|&m| crowd.uci(m)).collect::<BTreeSet<_>>().len(), MAX_MOVES);
    for profile in Profile::ALL {
        let (mut engine, _) = Engine::new(Options { hash_mb: 1, ..Options::of(profile) });
        let limits = Limits::of_nodes(20_000);
        let outcome = outcome(&mut engine, &Game::new(crowd.clone()), &limits);
        assert!(outcome.best_move.is_some() && outcome.depth > 0, "{profile}");
    }
}

#[test]
fn a_stop_is_heeded_in_the_first_iteration_too() {
    // So many captures that the first iteration alone takes minutes.
    let game = Game::new(position("qqqqkqqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQKQQQ w - - 0 1"));
    let flag = StopFlag::new();
    flag.raise();
    for profile in Profile::ALL {
        let (mut engine, _) = Engine::new(Options { hash_mb: 1, ..Options::of(profile) });
        let outcome = engine.search(&game, &Limits::default(), &flag, &mut Silent);
        assert!(outcome.best_move.is_some() && outcome.nodes < 100_000, "{profile}: {} nodes", outcome.nodes);
    }
}
