//! A mate that is announced is one: it is proven by an exhaustive search that knows the fifty-move rule, or, if it is
//! long, played out. `PACIOLI_MATES` sets the number of problems, by default few.

use std::env;

use pacioli::board::{Game, Position};
use pacioli::engine::{Engine, Limits, Options};
use pacioli::params::Profile;
use pacioli::score::StatedScore;
use pacioli::search::{Outcome, Silent, StopFlag};

use crate::common::Random;

/// Number of problems by default.
const FEW: usize = 12;
/// Mates up to this many moves are made sure of by exhaustive search.
const PROVABLE: u32 = 3;
/// Positions that a proof may cost.
const PROOF: u64 = 1_000_000;
/// Nodes for an answer, and for each move of a game that is played out.
const NODES: u64 = 5_000;
/// Half-moves without capture and pawn move after which a game is drawn.
const FIFTY_MOVES: u32 = 100;

/// Exhaustive search for mates by the rules alone, fifty moves included.
struct Prover {
    left: u64,
}

/// The prover's positions are used up.
struct Spent;

impl Prover {
    /// Whether the side to move mates in at most this many moves.
    fn mates(&mut self, position: &Position, moves: u32) -> Result<bool, Spent> {
        for m in position.legal_moves() {
            if self.is_mated(&position.play(m), moves - 1)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the side to move is mated in at most this many moves of its opponent.
    fn is_mated(&mut self, position: &Position, moves: u32) -> Result<bool, Spent> {
        self.left = self.left.checked_sub(1).ok_or(Spent)?;
        let replies = position.legal_moves();
        if replies.is_empty() {
            return Ok(position.in_check());
        }
        if moves == 0 || position.halfmoves() >= FIFTY_MOVES {
            return Ok(false);
        }
        for m in replies {
            let after = position.play(m);
            if after.halfmoves() >= FIFTY_MOVES || !self.mates(&after, moves)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

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
    let limits = Limits { nodes: Some(NODES), ..Limits::default() };
    engine.search(game, &limits, &StopFlag::new(), &mut Silent)
}

/// Whether the side that is to mate does so within this many of its moves, playing itself.
fn is_played_out(engine: &mut Engine, position: &Position, moves: i32) -> bool {
    let mut game = Game::new(position.clone());
    let plies = if moves > 0 { 2 * moves - 1 } else { -2 * moves };
    for _ in 0..plies {
        let Some(m) = answer(engine, &game).best_move else { break };
        game.play(m);
    }
    game.position().legal_moves().is_empty() && game.position().in_check()
}

#[test]
fn announced_mates_are_mates() {
    let count = env::var("PACIOLI_MATES").ok().and_then(|count| count.parse().ok()).unwrap_or(FEW);
    for profile in Profile::ALL {
        let options = Options { profile, params: profile.params(), hash_mb: 1, ..Options::default() };
        let (mut engine, _) = Engine::new(options);
        let (mut announced, mut late_mates, mut played) = (0, 0, 0);
        for (position, is_late) in problems(count) {
            engine.new_game();
            let outcome = answer(&mut engine, &Game::new(position.clone()));
            let StatedScore::Mate(moves) = outcome.score.stated() else { continue };
            announced += 1;
            late_mates += usize::from(is_late);
            let mut prover = Prover { left: PROOF };
            let proof = if moves > 0 {
                prover.mates(&position, moves.unsigned_abs())
            } else {
                prover.is_mated(&position, moves.unsigned_abs())
            };
            let holds = proof.unwrap_or_else(|Spent| {
                played += 1;
                is_played_out(&mut engine, &position, moves)
            });
            assert!(holds, "{profile}: mate in {moves} announced for {}", position.fen());
        }
        println!(
            "{profile}: {announced} of {count} announced, {late_mates} near the fifty-move limit, {played} played out"
        );
        assert!(announced > count / 2, "{profile}: only {announced} of {count}");
    }
}

#[test]
fn a_loss_seen_before_all_moves_were_searched_is_not_announced() {
    // Mate in three; the iteration that is cut sees the first move lose in two.
    let position = Position::from_fen("8/8/5R2/1K6/8/2k5/8/5Q2 b - - 0 1", false).unwrap();
    let (mut engine, _) = Engine::new(Options { hash_mb: 1, ..Options::default() });
    for nodes in (500..10_000).step_by(500) {
        engine.new_game();
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let outcome = engine.search(&Game::new(position.clone()), &limits, &StopFlag::new(), &mut Silent);
        if let StatedScore::Mate(moves) = outcome.score.stated() {
            assert!(moves <= -3, "mate in {moves} after {nodes} nodes");
        }
    }
}
