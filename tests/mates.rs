//! A mate that is announced is one: it is proven by an exhaustive search that knows the fifty-move rule, or, if that
//! would take too long, played out: the engine attacks, and every defence is tried, as long as they are not too many.
//! `PACIOLI_MATES` sets the number of problems, by default few.

use std::env;

use pacioli::board::{Game, Move, Position};
use pacioli::engine::{Engine, Limits, Options};
use pacioli::params::Profile;
use pacioli::score::StatedScore;
use pacioli::search::Outcome;

use crate::common::{FIFTY_MOVES, Prover, Random, Spent, outcome};

/// Number of problems by default.
const FEW: usize = 12;
/// Mates up to this many moves are made sure of by exhaustive search.
const PROVABLE: u32 = 3;
/// Positions that a proof may cost.
const PROOF: u64 = 1_000_000;
/// Positions that the proof of what is left may cost at each move of a mate that is played out.
const STEP_PROOF: u64 = 50_000;
/// Ways to defend that are tried against a mate that is played out.
const DEFENCES: usize = 300;
/// Nodes for an answer.
const NODES: u64 = 5_000;
/// Nodes for a move of a mate that is played out: more where fewer find no mate in time.
const ATTACK: [u64; 3] = [NODES, 10 * NODES, 100 * NODES];

/// A position with a few pieces at random, or nothing if it is not legal.
fn scattered(random: &mut Random) -> Option<String> {
    let mut squares = [b'1'; 64];
    let pieces = [&b"QRk"[..], b"RRkp", b"QNkpp", b"RBNkr", b"QPkqp", b"RPPkr", b"BNPkp", b"QRBkqrb"];
    let chosen = pieces[random.below(pieces.len())];
    for &piece in chosen.iter().chain(b"K") {
        let square = random.below(64);
        if matches!(piece, b'P' | b'p') && !(8..56).contains(&square) {
            return None;
        }
        squares[square] = piece;
    }
    let ranks: Vec<&str> = squares.chunks(8).map(|rank| std::str::from_utf8(rank).unwrap()).collect();
    let side = if random.below(2) == 0 { 'w' } else { 'b' };
    Some(format!("{} {side} - -", ranks.join("/")))
}

/// A problem: a position where the side to move mates soon, or is mated, without and then with a clock that may be too short.
fn problems(count: usize) -> impl Iterator<Item = (Position, bool)> {
    let mut random = Random(2026);
    let mut found = 0;
    std::iter::from_fn(move || {
        while found < count {
            let Some(fen) = scattered(&mut random) else { continue };
            let Ok(position) = Position::from_fen(&format!("{fen} 0 1"), false) else { continue };
            let mut prover = Prover { left: PROOF };
            let is_problem = matches!(prover.mates(&position, PROVABLE), Ok(true))
                || matches!(prover.is_mated(&position, PROVABLE), Ok(true));
            if !is_problem || position.legal_moves().is_empty() {
                continue;
            }
            found += 1;
            // Every second one near the limit: with between one and seven half-moves left.
            if found % 2 == 0 {
                let clock = FIFTY_MOVES as usize - 1 - random.below(7);
                let late = Position::from_fen(&format!("{fen} {clock} 90"), false).expect(&fen);
                return Some((late, true));
            }
            return Some((position, false));
        }
        None
    })
}

fn answer(engine: &mut Engine, game: &Game) -> Outcome {
    outcome(engine, game, &Limits::of_nodes(NODES))
}

/// Plays out a mate that is too long to be proven at once: the engine attacks, and what is left is proven by exhaustive
/// search as soon as that is possible.
///
/// Where every legal reply was tried the mate is proven, since only the attacker's moves are chosen. That is done as
/// long as there are ways to defend left, which each reply gets its share of; beyond them the engine defends as well,
/// which proves nothing about its other replies.
struct PlayedOut<'e> {
    engine: &'e mut Engine,
    /// Positions that the proof of what is left may cost at each move.
    step_proof: u64,
    /// Whether every legal reply was tried so far.
    tries_all: bool,
}

impl PlayedOut<'_> {
    /// Whether the side to move mates within this many of its moves, or, for a negative number, is mated.
    fn holds(&mut self, position: &Position, moves: i32, defences: usize) -> bool {
        let game = Game::new(position.clone());
        let count = moves.unsigned_abs();
        if moves > 0 { self.mates(&game, count, defences) } else { self.is_mated(&game, count, defences) }
    }

    fn mates(&mut self, game: &Game, moves: u32, defences: usize) -> bool {
        if game.position().halfmoves() >= FIFTY_MOVES {
            return false;
        }
        if let Ok(proven) = (Prover { left: self.step_proof }).mates(game.position(), moves) {
            return proven;
        }
        self.attack(game, moves).is_some_and(|m| self.is_mated(&after(game, m), moves - 1, defences))
    }

    /// The engine's move that is to mate within this many moves.
    fn attack(&mut self, game: &Game, moves: u32) -> Option<Move> {
        let moves = i32::try_from(moves).ok()?;
        ATTACK.into_iter().find_map(|nodes| {
            let limits = Limits { nodes: Some(nodes), mate: Some(moves), ..Limits::default() };
            let outcome = outcome(self.engine, game, &limits);
            let is_mate = matches!(outcome.score.stated(), StatedScore::Mate(found) if (1..=moves).contains(&found));
            outcome.best_move.filter(|_| is_mate)
        })
    }

    fn is_mated(&mut self, game: &Game, moves: u32, defences: usize) -> bool {
        let position = game.position();
        let mut replies = position.legal_moves().to_vec();
        if replies.is_empty() {
            return position.in_check();
        }
        if moves == 0 || position.halfmoves() >= FIFTY_MOVES {
            return false;
        }
        if defences < replies.len() {
            self.tries_all &= replies.len() == 1;
            replies = answer(self.engine, game).best_move.into_iter().collect();
        }
        let share = defences / replies.len().max(1);
        replies.into_iter().all(|reply| self.mates(&after(game, reply), moves, share))
    }
}

fn after(game: &Game, m: Move) -> Game {
    let mut game = game.clone();
    game.play(m);
    game
}

#[test]
fn announced_mates_are_mates() {
    let count = env::var("PACIOLI_MATES").ok().and_then(|count| count.parse().ok()).unwrap_or(FEW);
    let problems: Vec<_> = problems(count).collect();
    for profile in Profile::ALL {
        let options = Options { hash_mb: 1, ..Options::of(profile) };
        let (mut engine, _) = Engine::new(options);
        let (mut announced, mut late_mates, mut played, mut in_part) = (0, 0, 0, 0);
        for &(ref position, is_late) in &problems {
            engine.new_game();
            let outcome = answer(&mut engine, &Game::new(position.clone()));
            let StatedScore::Mate(moves) = outcome.score.stated() else { continue };
            announced += 1;
            late_mates += usize::from(is_late);
            let mut prover = Prover { left: PROOF };
            let proof = if moves > 0 {
                prover.mates(position, moves.unsigned_abs())
            } else {
                prover.is_mated(position, moves.unsigned_abs())
            };
            let holds = proof.unwrap_or_else(|Spent| {
                let mut game = PlayedOut { engine: &mut engine, step_proof: STEP_PROOF, tries_all: true };
                let holds = game.holds(position, moves, DEFENCES);
                played += 1;
                in_part += usize::from(!game.tries_all);
                holds
            });
            assert!(holds, "{profile}: mate in {moves} announced for {}", position.fen());
        }
        println!(
            "{profile}: {announced} of {count} announced, {late_mates} near the fifty-move limit, {played} played out, \
             {in_part} of these not against every defence"
        );
        assert!(announced > count / 2, "{profile}: only {announced} of {count}");
    }
}

#[test]
fn a_mate_is_played_out_against_every_defence() {
    /// Enough for the last two moves only.
    const STEP_PROOF: u64 = 5_000;
    let (mut engine, _) = Engine::new(Options { hash_mb: 1, ..Options::default() });
    for (fen, moves) in [("8/7k/8/R7/1R6/8/8/7K w - - 0 1", 3), ("8/7k/8/8/R7/1R6/8/7K b - - 0 1", -4)] {
        let position = Position::from_fen(fen, false).unwrap();
        let mut played = |moves, defences| {
            let mut game = PlayedOut { engine: &mut engine, step_proof: STEP_PROOF, tries_all: true };
            (game.holds(&position, moves, defences), game.tries_all)
        };
        assert_eq!(played(moves, DEFENCES), (true, true), "{fen}");
        assert_eq!(played(moves, 1), (true, false), "{fen}: against the engine's own replies");
        assert!(!played(moves - moves.signum(), DEFENCES).0, "{fen}: one move sooner");
    }
    // The clock runs out before the mate.
    let late = Position::from_fen("8/7k/8/R7/1R6/8/8/7K w - - 96 90", false).unwrap();
    assert!(!PlayedOut { engine: &mut engine, step_proof: STEP_PROOF, tries_all: true }.holds(&late, 3, DEFENCES));
}

#[test]
fn a_loss_seen_before_all_moves_were_searched_is_not_announced() {
    // Mate in three; the iteration that is cut sees the first move lose in two.
    let position = Position::from_fen("8/8/5R2/1K6/8/2k5/8/5Q2 b - - 0 1", false).unwrap();
    let (mut engine, _) = Engine::new(Options { hash_mb: 1, ..Options::default() });
    let mut announced = 0;
    for nodes in (500..15_000).step_by(500) {
        engine.new_game();
        let limits = Limits::of_nodes(nodes);
        let outcome = outcome(&mut engine, &Game::new(position.clone()), &limits);
        if let StatedScore::Mate(moves) = outcome.score.stated() {
            assert!(moves <= -3, "mate in {moves} after {nodes} nodes");
            announced += 1;
        }
    }
    assert!(announced > 0, "too few nodes for any mate");
}
