//! The graph-history interaction: the same position is worth something else when it was reached by another way, since
//! repetitions and the fifty-move rule look back (Campbell, "The graph-history interaction: on ignoring position
//! history", 1985; Kishimoto and Müller, "A general solution to the graph history interaction problem", 2004). The cases
//! are those in which other engines were found to misjudge; each says where, and why its answer is right.

use std::collections::{HashMap, HashSet};

use pacioli::board::{Color, Game, Move, Position};
use pacioli::engine::{Engine, Limits, Options};
use pacioli::params::Profile;
use pacioli::score::StatedScore;
use pacioli::search::Outcome;

use crate::common::{FIFTY_MOVES, Prover, outcome};

/// Nodes for an answer.
const NODES: u64 = 20_000;

fn engine(profile: Profile) -> Engine {
    Engine::new(Options { hash_mb: 4, ..Options::of(profile) }).0
}

fn position(fen: &str) -> Position {
    Position::from_fen(fen, false).unwrap()
}

fn game(fen: &str, moves: &str) -> Game {
    let mut game = Game::new(position(fen));
    moves.split_whitespace().for_each(|uci| game.play_uci(uci).unwrap());
    game
}

fn answer(engine: &mut Engine, game: &Game) -> Outcome {
    outcome(engine, game, &Limits::of_nodes(NODES))
}

/// Proves mates, however long it takes.
fn prover() -> Prover {
    Prover { left: u64::MAX }
}

/// Whether a move lets the opponent repeat a position of the game for the third time.
fn may_be_repeated(game: &Game, m: Move) -> bool {
    let mut game = game.clone();
    game.play(m);
    game.position().legal_moves().into_iter().any(|reply| {
        let mut next = game.clone();
        next.play(reply);
        next.history().occurrences(next.position()) >= 3
    })
}

/// What an engine answers that has searched the same position before, with this counter of plies without progress.
fn answer_after(profile: Profile, board: &str, earlier: u32, now: u32, limits: Limits) -> Outcome {
    let mut engine = engine(profile);
    let at = |halfmoves: u32| game(&format!("{board} {halfmoves} 100"), "");
    answer(&mut engine, &at(earlier));
    outcome(&mut engine, &at(now), &limits)
}

#[test]
fn a_mate_on_the_hundredth_ply_is_one_although_the_counter_says_draw() {
    // deanmchris/blunder, issue 14, and lucametehau/CloverEngine, issue 157: both engines answered 0.00.
    for board in ["8/8/2p5/3b1K1k/4p3/4PpR1/5P2/8 w - -", "4Q3/8/1p4pk/1PbB1p1p/7P/p3P1PK/P3qP2/8 w - -"] {
        assert_eq!(prover().mates(&position(&format!("{board} 99 100")), 1), Ok(true));
        for profile in Profile::ALL {
            for earlier in [0, 60, 98] {
                let outcome = answer_after(profile, board, earlier, 99, Limits::of_nodes(NODES));
                assert_eq!(outcome.score.stated(), StatedScore::Mate(1), "{profile}, {board}, {earlier}");
            }
        }
    }
}

#[test]
fn a_mate_that_comes_too_late_is_a_draw_even_if_the_table_knows_it() {
    // With the counter at 0 all of them are won, and the table says so. Near the limit White has no time to mate and
    // nothing to capture or push: what is left is a draw.
    for board in ["8/8/8/3k4/8/8/8/K6R w - -", "8/8/8/8/3k4/8/8/K6Q w - -", "8/8/8/4k3/8/8/8/K1BB4 w - -"] {
        for now in [96, 97] {
            let is_won = prover().mates(&position(&format!("{board} {now} 100")), (FIFTY_MOVES - now) / 2);
            assert_eq!(is_won, Ok(false));
            for profile in Profile::ALL {
                // No deeper than to the limit, so that what the table knows would be used.
                let depth = (FIFTY_MOVES - now) as i32 + 1;
                let limits = Limits::to_depth(depth);
                let outcome = answer_after(profile, board, 0, now, limits);
                assert_eq!(outcome.score.main(), 0, "{profile}, {board} {now}");
            }
        }
    }
}

#[test]
fn no_mate_after_the_limit_is_announced() {
    // Uri Blass's position, in which Stockfish announced mate with the counter at 76 (official-stockfish/Stockfish,
    // issue 2370 and pull request 2381): White holds out until the limit. The engine may not see that, but it must not
    // announce a mate, whether or not it has searched the position with the counter at 0 before.
    let board = "8/1p2KP2/1p4q1/1Pp5/2P5/N1Pp1k2/3P4/1N6 b - -";
    for profile in Profile::ALL {
        let fresh = answer(&mut engine(profile), &game(&format!("{board} 76 40"), ""));
        let warm = answer_after(profile, board, 0, 76, Limits::of_nodes(NODES));
        assert!(!fresh.score.is_mate() && !warm.score.is_mate(), "{profile}: {:?} {:?}", fresh.score, warm.score);
    }
}

#[test]
fn a_mate_that_the_table_knows_is_not_announced_after_the_limit() {
    // The mate takes three plies: a hundred are left at first, then two.
    let at = |halfmoves: u32| game(&format!("7k/8/5K2/8/8/8/8/R7 w - - {halfmoves} 100"), "");
    for profile in Profile::ALL {
        let mut engine = engine(profile);
        assert_eq!(answer(&mut engine, &at(0)).score.stated(), StatedScore::Mate(2), "{profile}");
        // No deeper than to the limit, so that what the table knows would be used.
        let limits = Limits::to_depth(3);
        assert_eq!(outcome(&mut engine, &at(98), &limits).score.main(), 0, "{profile}");
    }
}

#[test]
fn two_occurrences_in_the_game_are_no_draw_yet() {
    // official-stockfish/Stockfish, issue 566: 0.00 because positions had occurred once before in the game, where White
    // mates with the next move. The game from its last capture on.
    let moves = "g1g2 g5f5 d3e3 f5f4 g2f2 f4g4 e3f3 g4h4 f3f4 h4g5 f2g3 g5h6 f4f5 h6h7 g3g4 h7h8 f5f6 h8h7 g4g5 h7g7 \
                 f6f5 g7h7 g5f6 h7g8 f5g5 g8h8 f6f7 h8h7 g5g7 h7h8 g7g6 h8h7 g6f6 h7h8 f6g6 h8h7 g6f6";
    let game = game("8/8/N7/P5kP/8/3R4/1P5P/6K1 w - - 0 50", moves);
    assert_eq!(prover().is_mated(game.position(), 1), Ok(true), "{}", game.position().fen());
    for profile in Profile::ALL {
        assert_eq!(answer(&mut engine(profile), &game).score.stated(), StatedScore::Mate(-1), "{profile}");
    }
}

#[test]
fn a_won_game_is_not_repeated_into_a_draw_although_the_table_knows_it_as_won() {
    // lucasart/Demolito, issue 26: Qe3 as a win, although Black could then repeat a position of the game for the third
    // time. The engine has searched every position of the game before, so that the table holds them all as won.
    let moves = "e3d4 a3b4 d4d3 d6d5 d3e3 b4e4 e3d2 d5d4 d2d1 e4e5 d1d2 e5e3 d2c2 e3c3 c2d1 c3d3 d1e1 d4e4 e1f2 d3f3 \
                 f2e1 f3e3 e1d1 e4d4 d1c2 e3d3 c2b2 d3c3 b2b1";
    for profile in Profile::ALL {
        let mut engine = engine(profile);
        let mut game = game("8/8/3K4/8/8/Q3k3/8/8 b - - 0 69", "");
        for uci in moves.split_whitespace() {
            answer(&mut engine, &game);
            game.play_uci(uci).unwrap();
        }
        let moves = game.position().legal_moves();
        let drawing: Vec<Move> = moves.into_iter().filter(|&m| may_be_repeated(&game, m)).collect();
        assert!(!drawing.is_empty(), "the game must offer a mistake");
        let best = answer(&mut engine, &game).best_move.unwrap();
        assert!(!drawing.contains(&best), "{profile}: {}", game.position().uci(best));
        for m in drawing {
            let limits = Limits { search_moves: vec![m], ..Limits::of_nodes(NODES) };
            let outcome = outcome(&mut engine, &game, &limits);
            assert_eq!(outcome.score.main(), 0, "{profile}: {}", game.position().uci(m));
        }
    }
}

/// What can be reached from a position by moves of kings alone, with each move's position and whether it captures.
fn king_moves(start: &Position) -> HashMap<u64, (Color, Vec<(u64, bool)>)> {
    let mut known = HashMap::new();
    let mut open = vec![start.clone()];
    while let Some(position) = open.pop() {
        if known.contains_key(&position.key()) {
            continue;
        }
        let next = |m: Move| (position.play(m), m.capture().is_some());
        let moves: Vec<(Position, bool)> = position.legal_moves().into_iter().map(next).collect();
        let keys = moves.iter().map(|(next, captures)| (next.key(), *captures)).collect();
        known.insert(position.key(), (position.turn(), keys));
        open.extend(moves.into_iter().filter(|(_, captures)| !captures).map(|(next, _)| next));
    }
    known
}

/// The positions from which White forces the capture of a pawn, worked out backwards over all positions of an ending in
/// which only kings can move.
fn won_positions(start: &Position) -> HashSet<u64> {
    let known = king_moves(start);
    let mut won = HashSet::new();
    loop {
        let before = won.len();
        for (&key, (turn, moves)) in &known {
            let is_won = |&(next, captures): &(u64, bool)| if captures { turn.is_white() } else { won.contains(&next) };
            let is_forced = !moves.is_empty() && moves.iter().all(is_won);
            if is_forced || (turn.is_white() && moves.iter().any(is_won)) {
                won.insert(key);
            }
        }
        if won.len() == before {
            return won;
        }
    }
}

#[test]
fn returning_to_a_position_of_the_game_once_is_no_way_out() {
    // official-stockfish/Stockfish, pull request 925, with the ending of Lasker and Reichhelm: with Ka7 Black returns to
    // the initial position, which Stockfish took for a draw; it is the one in which White wins by Kb1. After Kb7 White
    // cannot force the capture of a pawn, and there is no other way to make progress: a draw.
    let start = "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1";
    let won = won_positions(&position(start));
    let (a7, b7) = (game(start, "a1a2 a7a8 a2a1 a8a7"), game(start, "a1a2 a7a8 a2a1 a8b7"));
    assert!(won.contains(&a7.position().key()) && !won.contains(&b7.position().key()));
    for profile in Profile::ALL {
        let mut engine = engine(profile);
        let mut game = game(start, "");
        for uci in ["a1a2", "a7a8", "a2a1"] {
            answer(&mut engine, &game);
            game.play_uci(uci).unwrap();
        }
        let back = game.position().parse_uci("a8a7").unwrap();
        let limits = Limits { search_moves: vec![back], ..Limits::of_nodes(NODES) };
        let outcome = outcome(&mut engine, &game, &limits);
        assert!(outcome.score.main() < 0, "{profile}: {:?}", outcome.score);
        // The deep-blue profile does not see as far as the end of these ways round.
        let best = answer(&mut engine, &game).best_move.unwrap();
        let holds = !won.contains(&game.position().play(best).key());
        assert!(holds || profile == Profile::DeepBlue, "{profile}: {}", game.position().uci(best));
    }
}
