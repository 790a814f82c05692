//! Training data from self-play: games from random openings with a fixed number of nodes for each move, every searched
//! position with its score, its best move and the game's result.
//!
//! Laws: a game depends on the seed, its number and the settings only, so that the file is the same whatever the number
//! of jobs and however often the work was interrupted; a file holds whole games in the order of their numbers.

mod game;
mod record;

pub use game::Plan;
pub use record::{DataError, DataWriter, GameResult, Header, RECORD_SIZE, Sample, read};

use fastrand::Rng;
use record::whole_games;

use crate::engine::Options;
use crate::runner::{Pool, Shard};
use crate::search::StopFlag;

/// Games that are shared out at a time, and then written.
const BATCH: u64 = 32;

impl Plan {
    /// The header of a file with this plan's games, played under these options.
    pub fn header(&self, options: &Options) -> Header {
        let book: Vec<String> = self.book.iter().map(|position| position.fen()).collect();
        let mut text = format!("{} {book:?} {} {:?}", self.random_plies, options.hash_mb, options.params);
        if let Some(shard) = self.shard {
            text.push_str(&format!(" {shard}"));
        }
        Header { seed: self.seed, nodes: self.nodes, settings: digest(text.as_bytes()) }
    }

    /// How many of so many games the plan is for.
    pub fn share(&self, games: u64) -> u64 {
        self.shard.map_or(games, |shard| shard.share(games))
    }

    /// The number, among all games, of the plan's game with this number.
    fn number(&self, index: u64) -> u64 {
        self.shard.map_or(index, |shard| shard.nth(index))
    }
}

/// Adds the games of the parts of a plan to a file of the whole, up to `games` of them or to the first that no part has.
/// The parts may come in any order.
///
/// # Errors
///
/// A file that cannot be written, or bytes that are not a part of this plan; their number in the list comes with it.
pub fn join(
    plan: &Plan,
    options: &Options,
    games: u64,
    parts: &[Vec<u8>],
    writer: &mut DataWriter,
) -> Result<(), (usize, DataError)> {
    let mut in_order: Vec<Vec<&[u8]>> = vec![Vec::new(); parts.len()];
    for (index, bytes) in parts.iter().enumerate() {
        let is_of = |shard: &Shard| {
            let plan = Plan { shard: Some(*shard), ..plan.clone() };
            bytes.starts_with(&plan.header(options).encode())
        };
        let place = Shard::all(parts.len()).position(|shard| is_of(&shard));
        in_order[place.ok_or((index, DataError::OtherSettings))?] =
            whole_games(bytes).map_err(|error| (index, error))?;
    }
    while writer.games < games {
        let (part, index) = (writer.games as usize % parts.len().max(1), writer.games as usize / parts.len().max(1));
        let Some(game) = in_order.get(part).and_then(|games| games.get(index)) else { break };
        writer.add(game).map_err(|error| (part, error))?;
    }
    Ok(())
}

/// The dice of one of many tasks under a common seed: the same whatever else is done, before or beside it.
pub fn dice(seed: u64, task: u64) -> Rng {
    let first = Rng::with_seed(seed).u64(..);
    // Drawn once more, as neighbouring tasks must not begin at neighbouring states.
    Rng::with_seed(Rng::with_seed(first.wrapping_add(task)).u64(..))
}

/// FNV-1a in 64 bits (Fowler, Noll, Vo).
fn digest(bytes: &[u8]) -> u64 {
    let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

/// Plays games until the file holds its share of `games` or `stop` is raised. `heard` gets the games and records in the file
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
    let games = plan.share(games);
    while writer.games < games && !stop.is_raised() {
        let first = writer.games;
        let count = BATCH.min(games - first) as usize;
        let played = pool.run(
            count,
            |engine, task| game::play(engine, plan, plan.number(first + task as u64), stop),
            &mut |_| (),
        );
        // Games after one that was stopped have to wait for it: they are played again.
        for game in played.into_iter().map_while(|game| game) {
            writer.add(&game)?;
        }
        heard(writer);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dice_depend_on_seed_and_task_only() {
        let draws = |seed, task| std::iter::repeat_with(|| dice(seed, task).u64(..)).take(2).collect::<Vec<_>>();
        let first = draws(1, 1);
        assert_eq!(first[0], first[1]);
        assert!(draws(1, 2)[0] != first[0] && draws(2, 1)[0] != first[0]);
    }

    #[test]
    fn the_parts_of_a_plan_are_the_whole() {
        let folder = tempfile::tempdir().unwrap();
        let options = Options { hash_mb: 1, ..Options::default() };
        let whole = Plan { seed: 7, nodes: 20, random_plies: 4, book: Vec::new(), shard: None };
        let file = |name: &str, plan: &Plan, parts: &[Vec<u8>]| {
            let path = folder.path().join(name);
            let mut writer = DataWriter::open(&path, &plan.header(&options)).unwrap();
            join(plan, &options, 5, parts, &mut writer).unwrap();
            let joined = writer.games;
            let (mut pool, _) = Pool::new(&options, 1);
            run(&mut pool, plan, 5, &mut writer, &StopFlag::new(), &mut |_| ()).unwrap();
            (joined, std::fs::read(path).unwrap())
        };
        let part =
            |shard| file(&format!("{shard:?}").replace('/', "-"), &Plan { shard: Some(shard), ..whole.clone() }, &[]).1;
        let mut parts: Vec<Vec<u8>> = Shard::all(2).map(part).collect();
        parts.reverse();
        let (_, expected) = file("whole", &whole, &[]);
        assert_eq!(file("joined", &whole, &parts), (5, expected.clone()));
        // What a part lacks is played.
        parts[1].truncate(2 * RECORD_SIZE);
        assert_eq!(file("lacking", &whole, &parts), (0, expected.clone()));
        // The whole is no part, and a part alone not the whole.
        let mut writer = DataWriter::open(&folder.path().join("other"), &whole.header(&options)).unwrap();
        for wrong in [&[expected][..], &parts[..1]] {
            assert!(matches!(join(&whole, &options, 5, wrong, &mut writer), Err((0, DataError::OtherSettings))));
        }
    }
}
