//! Shared by the tests: positions, a plain engine run, independent searches of mates and of quiescence, and the program
//! as a process and as a server.

pub mod process;
pub mod server;

use std::cell::RefCell;
use std::sync::{Arc, LazyLock};

use pacioli::board::{CheckInfo, Game, Move, Position, Role, is_noisy, see_at_least};
use pacioli::engine::{Engine, Limits, Options};
use pacioli::eval::nnue::{self, Network};
use pacioli::eval::{Evaluator, evaluate};
use pacioli::params::{Evaluation, Params};
use pacioli::score::{Draw, Score};
use pacioli::search::{Iteration, Observer, Outcome, Silent, StopFlag};

/// Half-moves without capture and pawn move after which a game is drawn: by the rules, not as the engine has it.
pub const FIFTY_MOVES: u32 = 100;

/// A perpetual check: to some of the checks there is only one reply. Iterations come fast.
pub const PERPETUAL: &str = "6k1/5p1p/5Q2/8/8/7P/qr4PK/r7 w - - 0 1";

thread_local! {
    static CLASSICAL: RefCell<Evaluator> = RefCell::new(Evaluator::new(&Params::default(), None));
}

/// The embedded network's evaluation, from the position alone: the search updates it move by move.
fn by_network(position: &Position) -> i32 {
    static NETWORK: LazyLock<Arc<Network>> = LazyLock::new(|| nnue::embedded().expect("a program with a network"));
    NETWORK.evaluate(position.board(), position.turn())
}

/// The evaluation of a theoretically drawn position for the tie-breaker.
pub fn evaluate_drawn(position: &Position, evaluation: Evaluation) -> i32 {
    match evaluation {
        Evaluation::Nnue => by_network(position),
        Evaluation::Classical => CLASSICAL.with_borrow_mut(|evaluator| evaluator.evaluate_drawn(position)),
    }
}

/// A linear congruential sequence: the same numbers every time.
pub struct Random(pub u64);

impl Default for Random {
    fn default() -> Random {
        Random(0x2545_f491_4f6c_dd1d)
    }
}

impl Random {
    /// The next number, below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

/// Positions of every kind: those of the bench and the classics, and random ones reached from them.
pub fn positions(count: usize) -> Vec<Position> {
    positions_with(count, 32)
}

/// The same, with at most `men` pieces and pawns on the board: their trees are small enough for plain algorithms.
pub fn positions_with(count: usize, men: usize) -> Vec<Position> {
    let sources = [include_str!("../../positions/bench.epd"), include_str!("../../positions/classics.epd")];
    let seeds: Vec<Position> = sources
        .iter()
        .flat_map(|text| text.lines())
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| line.split_whitespace().take(4).collect::<Vec<_>>().join(" "))
        .map(|fen| Position::from_fen(&fen, false).expect(&fen))
        .collect();
    let few = |position: &Position| position.board().occupied().count() <= men;
    let mut positions: Vec<Position> = seeds.iter().filter(|position| few(position)).cloned().collect();
    let mut random = Random::default();
    while positions.len() < count {
        let mut position = seeds[random.below(seeds.len())].clone();
        for _ in 0..1 + random.below(12) {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position = position.play(moves[random.below(moves.len())]);
        }
        if !position.legal_moves().is_empty() && few(&position) {
            positions.push(position);
        }
    }
    positions.truncate(count);
    positions
}

/// A suite of this many mates in one.
pub fn mates_in_one(count: usize) -> String {
    let line = |number: usize| format!("6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Ra8#; id \"p.{number}\";\n");
    (0..count).map(line).collect()
}

/// All completed iterations that were reported.
#[derive(Default)]
pub struct Iterations(pub Vec<Iteration>);

impl Observer for Iterations {
    fn iteration(&mut self, iteration: &Iteration) {
        self.0.push(iteration.clone());
    }
}

/// What an engine finds that nobody listens to and nobody stops.
pub fn outcome(engine: &mut Engine, game: &Game, limits: &Limits) -> Outcome {
    engine.search(game, limits, &StopFlag::new(), &mut Silent)
}

/// Searches a position from scratch with these tunables; the outcome, and the score of each iteration.
pub fn search(position: &Position, params: &Params, limits: &Limits) -> (Outcome, Vec<Score>) {
    let mut told = Iterations::default();
    let outcome = search_observed(position, params, limits, &mut told);
    (outcome, told.0.iter().map(|iteration| iteration.score).collect())
}

/// The same with an observer.
pub fn search_observed(
    position: &Position,
    params: &Params,
    limits: &Limits,
    observer: &mut (dyn Observer + Send),
) -> Outcome {
    let options = Options { params: params.clone(), hash_mb: 4, ..Options::default() };
    let (mut engine, _) = Engine::new(options);
    engine.search(&Game::new(position.clone()), limits, &StopFlag::new(), observer)
}

/// The score of a search to a fixed depth.
pub fn score_at_depth(position: &Position, params: &Params, depth: i32) -> Score {
    search(position, params, &Limits::to_depth(depth)).0.score
}

/// The score of a position that is over, or drawn whatever is played.
pub fn terminal(position: &Position) -> Option<Score> {
    let mated = position.in_check() && position.legal_moves().is_empty();
    if position.is_dead() || (position.halfmoves() >= FIFTY_MOVES && !mated) {
        return Some(Score::draw(Draw::Theoretical { static_eval: evaluate_drawn(position, Evaluation::Classical) }));
    }
    None
}

/// The score if the side to move has no legal move.
pub fn no_moves(position: &Position, ply: i32) -> Score {
    if position.in_check() {
        Score::mated(ply)
    } else {
        Score::draw(Draw::Theoretical { static_eval: evaluate_drawn(position, Evaluation::Classical) })
    }
}

/// Exhaustive search for mates by the rules alone, fifty moves included.
pub struct Prover {
    /// Positions that the proofs may still cost.
    pub left: u64,
}

/// The prover's positions are used up.
#[derive(Debug, PartialEq, Eq)]
pub struct Spent;

impl Prover {
    /// Whether the side to move mates in at most this many moves.
    pub fn mates(&mut self, position: &Position, moves: u32) -> Result<bool, Spent> {
        for m in position.legal_moves() {
            if self.is_mated(&position.play(m), moves - 1)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the side to move is mated in at most this many moves of its opponent.
    pub fn is_mated(&mut self, position: &Position, moves: u32) -> Result<bool, Spent> {
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

/// The moves of quiescence by its rules: evasions in check; otherwise the captures, queen promotions and, for `checks`
/// more plies, checks that lose no material.
fn quiescence_moves(position: &Position, checks: i32) -> Vec<Move> {
    let info = CheckInfo::new(position);
    let wanted = |m: &Move| {
        if position.in_check() {
            return true;
        }
        if is_noisy(*m) && m.promotion().is_none_or(|role| role == Role::Queen) {
            return see_at_least(position, *m, 0, false);
        }
        checks > 0 && info.gives_check(position, *m) && see_at_least(position, *m, 0, false)
    };
    position.legal_moves().iter().copied().filter(wanted).collect()
}

/// Quiescence over those moves by textbook alpha-beta with the full window, in any order, without a table: a plain
/// minimax of such a large tree would not end.
pub fn quiescence(position: &Position, ply: i32, checks: i32) -> Score {
    quiescence_within(position, -Score::INFINITY, Score::INFINITY, ply, checks)
}

/// The same within a window, fail-soft.
fn quiescence_within(position: &Position, mut alpha: Score, beta: Score, ply: i32, checks: i32) -> Score {
    if let Some(score) = terminal(position) {
        return score;
    }
    let mut best = if position.in_check() { Score::mated(ply) } else { Score::cp(evaluate(position)) };
    for m in quiescence_moves(position, checks) {
        alpha = alpha.max(best);
        if alpha >= beta {
            break;
        }
        best = best.max(-quiescence_within(&position.play(m), -beta, -alpha, ply + 1, checks - 1));
    }
    best
}
