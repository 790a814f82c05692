//! Positions of games that were played before, searched again for longer. Games of few nodes are cheap and various; but
//! what such a search says of a position is hardly more than its evaluation knows. So some positions of many games are
//! searched as long as a network needs, rather than every position of a few; or positions after random moves from them,
//! since games hold only what follows good moves.

use fastrand::Rng;

use crate::board::{Game, Move, Position, is_noisy, marlin, see_at_least};
use crate::engine::{Engine, Limits};
use crate::lab::data::{DataError, GameResult, Sample};
use crate::lab::random::dice;
use crate::score::MAX_EVAL;
use crate::search::{Silent, StopFlag};

/// A position to search again: its bytes in viriformat, and how its game ended.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Again {
    packed: [u8; marlin::SIZE],
    result: GameResult,
}

impl Again {
    /// Searches it, as the first position of a game; `None` if it was stopped.
    pub(super) fn search(&self, engine: &mut Engine, limits: &Limits, stop: &StopFlag) -> Option<Vec<Sample>> {
        let game = Game::new(self.position()?);
        engine.new_game();
        let outcome = engine.search(&game, limits, stop, &mut Silent);
        let (position, result) = (game.position().clone(), self.result);
        let sample = Sample { position, score: outcome.score.main(), best_move: outcome.best_move?, result };
        (!stop.is_raised()).then(|| vec![sample])
    }

    /// The position; none if the bytes are not one's.
    pub(super) fn position(&self) -> Option<Position> {
        marlin::unpack(&self.packed)
    }

    /// What identifies it.
    pub(super) fn bytes(&self) -> impl Iterator<Item = u8> {
        self.packed.into_iter().chain([self.result as u8])
    }
}

/// Positions chosen at random from games, the same for the same games, seed and number.
pub struct Chosen {
    per_game: usize,
    successors: usize,
    seed: u64,
    games: u64,
    positions: Vec<Again>,
}

impl Chosen {
    /// None yet; at most `per_game` of each game, or `successors` of each of these instead.
    pub fn new(per_game: usize, successors: usize, seed: u64) -> Chosen {
        Chosen { per_game, successors, seed, games: 0, positions: Vec::new() }
    }

    /// Chooses among a game's quiet positions, since others are not learned from.
    ///
    /// # Errors
    ///
    /// No memory for more.
    pub fn add(&mut self, game: &[Sample]) -> Result<(), DataError> {
        let mut random = dice(self.seed, self.games);
        self.games += 1;
        let mut quiet: Vec<&Sample> = game.iter().filter(|sample| sample.unquiet(MAX_EVAL).is_none()).collect();
        random.shuffle(&mut quiet);
        for sample in quiet.into_iter().take(self.per_game) {
            let positions = match self.successors {
                0 => vec![sample.position.clone()],
                count => successors(&sample.position, count, &mut random),
            };
            let chosen = self.positions.len();
            self.positions.try_reserve(positions.len()).map_err(|_| DataError::NoMemory { positions: chosen })?;
            let packed = |position| Some(Again { packed: marlin::pack(position)?, result: sample.result });
            self.positions.extend(positions.iter().filter_map(packed));
        }
        Ok(())
    }

    /// All of them, in random order: wherever the work ends, every game had the same chance.
    pub fn shuffled(mut self) -> Vec<Again> {
        Rng::with_seed(self.seed).shuffle(&mut self.positions);
        self.positions
    }
}

/// Positions after some of the legal moves, whatever they are worth, from which something is learned: none in check,
/// none that ends the game, and none in which a capture or promotion wins material, since it would be the best move.
fn successors(position: &Position, count: usize, random: &mut Rng) -> Vec<Position> {
    let mut moves: Vec<Move> = position.legal_moves().into_iter().collect();
    random.shuffle(&mut moves);
    moves.into_iter().map(|m| position.play(m)).filter(is_settled).take(count).collect()
}

/// Whether the game goes on and the side to move is not in check and wins nothing at once.
fn is_settled(position: &Position) -> bool {
    let wins = |m: Move| is_noisy(m) && see_at_least(position, m, 1, false);
    !position.in_check() && !Game::new(position.clone()).is_over() && !position.legal_moves().into_iter().any(wins)
}
