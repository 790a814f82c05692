//! Training data from self-play: games from random openings with a fixed number of nodes for each move, every searched
//! position with its score, its best move and the game's result.
//!
//! Laws: a game depends on the seed, its number and the settings only, so that the file is the same whatever the number
//! of jobs and however often the work was interrupted; a file holds whole games in the order of their numbers.

mod game;
mod random;
mod record;

pub use game::Plan;
pub use random::Random;
pub use record::{DataError, DataWriter, GameResult, Header, RECORD_SIZE, Sample, read};

use crate::engine::Options;
use crate::search::StopFlag;
use crate::suite::Pool;

/// Games that are shared out at a time, and then written.
const BATCH: u64 = 32;

impl Plan {
    /// The header of a file with this plan's games, played under these options.
    pub fn header(&self, options: &Options) -> Header {
        let book: Vec<String> = self.book.iter().map(|position| position.fen()).collect();
        let text = format!("{} {book:?} {} {:?}", self.random_plies, options.hash_mb, options.params);
        Header { seed: self.seed, nodes: self.nodes, settings: digest(text.as_bytes()) }
    }
}

/// FNV-1a in 64 bits (Fowler, Noll, Vo).
fn digest(bytes: &[u8]) -> u64 {
    let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

/// Plays games until the file holds `games` of them or `stop` is raised. `heard` gets the games and records in the file
/// from time to time.
///
/// # Errors
///
/// A file that cannot be written.
pub fn run(
    pool: &mut Pool,
    plan: &Plan,
    games: u64,
    writer: &mut DataWriter,
    stop: &StopFlag,
    heard: &mut dyn FnMut(&DataWriter),
) -> Result<(), DataError> {
    heard(writer);
    while writer.games < games && !stop.is_raised() {
        let first = writer.games;
        let count = BATCH.min(games - first) as usize;
        let played = pool.run(count, |engine, task| game::play(engine, plan, first + task as u64, stop), &mut |_| ());
        // Games after one that was stopped have to wait for it: they are played again.
        for game in played.into_iter().map_while(|game| game) {
            writer.add(&game)?;
        }
        heard(writer);
    }
    Ok(())
}
