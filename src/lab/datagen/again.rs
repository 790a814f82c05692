//! Positions of games that were played before, searched again for longer. Games of few nodes are cheap and various; but
//! what such a search says of a position is hardly more than its evaluation knows. So some positions of many games are
//! searched as long as a network needs, rather than every position of a few.

use fastrand::Rng;

use super::dice;
use crate::board::{Game, marlin};
use crate::engine::{Engine, Limits};
use crate::lab::data::{DataError, GameResult, Sample};
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
        let game = Game::new(marlin::unpack(&self.packed)?);
        engine.new_game();
        let outcome = engine.search(&game, limits, stop, &mut Silent);
        let (position, result) = (game.position().clone(), self.result);
        let sample = Sample { position, score: outcome.score.main(), best_move: outcome.best_move?, result };
        (!stop.is_raised()).then(|| vec![sample])
    }

    /// What identifies it.
    pub(super) fn bytes(&self) -> impl Iterator<Item = u8> {
        self.packed.into_iter().chain([self.result as u8])
    }
}

/// Positions chosen at random from games, the same for the same games, seed and number.
pub struct Chosen {
    per_game: usize,
    seed: u64,
    games: u64,
    positions: Vec<Again>,
}

impl Chosen {
    /// None yet; at most `per_game` of each game.
    pub fn new(per_game: usize, seed: u64) -> Chosen {
        Chosen { per_game, seed, games: 0, positions: Vec::new() }
    }

    /// Chooses among a game's quiet positions, since others are not learned from.
    ///
    /// # Errors
    ///
    /// No memory for more.
    pub fn add(&mut self, game: &[Sample]) -> Result<(), DataError> {
        let mut quiet: Vec<&Sample> = game.iter().filter(|sample| sample.unquiet(MAX_EVAL).is_none()).collect();
        dice(self.seed, self.games).shuffle(&mut quiet);
        self.games += 1;
        quiet.truncate(self.per_game);
        self.positions.try_reserve(quiet.len()).map_err(|_| DataError::NoMemory { positions: self.positions.len() })?;
        let packed = quiet
            .iter()
            .filter_map(|sample| Some(Again { packed: marlin::pack(&sample.position)?, result: sample.result }));
        self.positions.extend(packed);
        Ok(())
    }

    /// All of them, in random order: wherever the work ends, every game had the same chance.
    pub fn shuffled(mut self) -> Vec<Again> {
        Rng::with_seed(self.seed).shuffle(&mut self.positions);
        self.positions
    }
}
