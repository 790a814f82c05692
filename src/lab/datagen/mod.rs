//! Training data from self-play: games from random openings with about the same number of nodes per move; every
//! searched position with its score, best move and the game's result. The file format is [`viri`].
//!
//! Laws: a game depends only on the seed, its number and the settings, so that the file is the same for any number of
//! jobs and however often the work was interrupted; a file holds complete games in the order of their numbers. The
//! blocks in its journal do depend on both.
//!
//! [`viri`]: super::data::viri

mod again;
mod game;

pub use again::{Again, Chosen};
pub use game::{HARD_NODES, Plan};

use std::path::PathBuf;

use super::data::index::{self, Header, Index};
use super::data::{self, DataError, DataFile, DataWriter};
use super::random::digest;
use crate::runner::{Head, Kind, Pool, Provenance, Shard};
use crate::search::StopFlag;

/// Games for each worker between one write and the next.
const GAMES: u64 = 32;
/// The same where each game is one search.
const SEARCHES: u64 = 256;
/// Games copied from parts between one write and the next.
const COPIES: u64 = 256;

impl Plan {
    /// The header of a file with this plan's games, played by engines of this provenance, started with this command.
    pub fn header(&self, provenance: Provenance, command: String) -> Header {
        let book: Vec<String> = self.book.iter().map(|position| position.fen()).collect();
        let settings = format!("{book:?} {:?} {:?}", provenance.profile, provenance.set).into_bytes();
        // The review, too: earlier versions do not know it, but would find another digest.
        let review = self.review.into_iter().flat_map(u64::to_le_bytes);
        let digest = digest(settings.into_iter().chain(self.again.iter().flat_map(Again::bytes)).chain(review));
        Header {
            head: Head::new(Kind::Datagen, provenance),
            command,
            seed: self.seed,
            nodes: self.nodes,
            review: self.review,
            random_plies: self.random_plies,
            chess960_percent: self.chess960_percent,
            openings: self.book.len(),
            digest,
            shard: self.shard,
        }
    }

    /// How many of `games` games are part of the plan.
    pub fn share(&self, games: u64) -> u64 {
        let games = if self.again.is_empty() { games } else { games.min(self.again.len() as u64) };
        self.shard.map_or(games, |shard| shard.share(games))
    }

    /// The overall number of the plan's game with this index.
    fn number(&self, index: u64) -> u64 {
        self.shard.map_or(index, |shard| shard.nth(index))
    }
}

/// Adds the games from files of parts to a file of the whole, up to `games` of them or to the first that no part has.
/// The parts may come in any order. Returns the number in the list of the part that lacks a game, if one does.
///
/// # Errors
///
/// A file that is not a part of the whole, or a part that was given before: the error has its number in the list. With
/// no number, the file of the whole cannot be written.
pub fn join(
    whole: &Header,
    games: u64,
    parts: &[PathBuf],
    writer: &mut DataWriter,
) -> Result<Option<usize>, (Option<usize>, DataError)> {
    let count = parts.len().max(1);
    let shards: Vec<Shard> = Shard::all(count).collect();
    let mut in_order: Vec<Option<(usize, DataFile)>> = shards.iter().map(|_| None).collect();
    for (index, path) in parts.iter().enumerate() {
        let told = |error| (Some(index), error);
        let journal = Index::read(path).map_err(told)?.ok_or_else(|| told(index::lack(path)))?;
        let shard = journal.header.shard.ok_or_else(|| told(DataError::NoPart))?;
        let place = shards.iter().position(|other| *other == shard);
        let place = place.ok_or_else(|| told(DataError::OtherCount { shard, count }))?;
        journal.header.check_fit(&Header { shard: Some(shard), ..whole.clone() }).map_err(told)?;
        if in_order[place].is_some() {
            return Err(told(DataError::GivenAlready { shard }));
        }
        let mut part = data::open(path).map_err(told)?;
        for _ in 0..shard.share(writer.games) {
            part.next_bytes().map_err(told)?;
        }
        in_order[place] = Some((index, part));
    }
    let (mut is_more, mut lacking) = (true, None);
    while is_more && writer.games < games {
        let mut block = Vec::new();
        while block.len() < COPIES.min(games - writer.games) as usize {
            let number = writer.games as usize + block.len();
            let Some((index, part)) = &mut in_order[number % count] else { break };
            let Some(game) = part.next_bytes().map_err(|error| (Some(*index), error))? else {
                lacking = Some(*index);
                break;
            };
            block.push(game);
        }
        is_more = !block.is_empty();
        writer.add(&block).map_err(|error| (None, error))?;
    }
    Ok(lacking)
}

/// Plays games until the file holds its share of `games` or `stop` is set. `progress` gets the games and positions in
/// the file from time to time.
///
/// # Errors
///
/// A file that cannot be written, or a game without a suitable opening.
pub fn run(
    pool: &mut Pool,
    plan: &Plan,
    games: u64,
    writer: &mut DataWriter,
    stop: &StopFlag,
    progress: &mut dyn FnMut(&DataWriter),
) -> Result<(), DataError> {
    progress(writer);
    let games = plan.share(games);
    let share = if plan.again.is_empty() { GAMES } else { SEARCHES };
    let batch = share * pool.workers().len().max(1) as u64;
    while writer.games < games && !stop.is_raised() {
        let first = writer.games;
        let count = batch.min(games - first) as usize;
        let played = pool.run(
            count,
            |engine, task| game::play(engine, plan, plan.number(first + task as u64), stop),
            &mut |_| (),
        );
        // Games after a stopped one, or one that has no opening, are discarded; those before it are kept.
        let (mut block, mut failed) = (Vec::new(), Ok(()));
        for game in played {
            match game {
                Ok(Some(game)) => block.push(game),
                Ok(None) => break,
                Err(error) => {
                    failed = Err(error);
                    break;
                }
            }
        }
        writer.add(&block)?;
        progress(writer);
        failed?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Instant;

    use super::*;
    use crate::board::{Move, Position, is_noisy, see};
    use crate::engine::{Limits, Options};
    use crate::lab::random::dice;

    fn plan() -> Plan {
        Plan {
            seed: 7,
            nodes: 20,
            review: None,
            random_plies: 4,
            book: Vec::new(),
            chess960_percent: 50,
            again: Vec::new(),
            shard: None,
        }
    }

    #[test]
    fn the_parts_of_a_plan_are_the_whole() {
        let folder = tempfile::tempdir().unwrap();
        let options = Options { hash_mb: 1, ..Options::default() };
        let whole = plan();
        let path = |name: &str| folder.path().join(name);
        let file = |name: &str, plan: &Plan, parts: &[PathBuf]| {
            let mut writer = open(&path(name), plan, &options);
            join(&header(plan, &options), 5, parts, &mut writer).unwrap();
            let joined = writer.games;
            let (mut pool, _) = Pool::new(&options, 1);
            run(&mut pool, plan, 5, &mut writer, &StopFlag::new(), &mut |_| ()).unwrap();
            (joined, std::fs::read(path(name)).unwrap())
        };
        let part = |shard: Shard| {
            let name = format!("part-{shard}").replace('/', "-");
            file(&name, &Plan { shard: Some(shard), ..whole.clone() }, &[]);
            path(&name)
        };
        let mut parts: Vec<PathBuf> = Shard::all(2).map(part).collect();
        parts.reverse();
        let (_, expected) = file("whole", &whole, &[]);
        assert_eq!(file("joined", &whole, &parts), (5, expected.clone()));
        // Games missing from a part are played, and joining can be resumed.
        let first = std::fs::read(&parts[1]).unwrap();
        std::fs::write(&parts[1], []).unwrap();
        std::fs::write(index::path(&parts[1]), first_line(&parts[1])).unwrap();
        assert_eq!(file("lacking", &whole, &parts), (0, expected.clone()));
        file("part-1-2", &Plan { shard: "1/2".parse().ok(), ..whole.clone() }, &[]);
        assert!(std::fs::read(&parts[1]).unwrap() == first);
        let mut writer = open(&path("again"), &whole, &options);
        for games in 1..=5 {
            join(&header(&whole, &options), games, &parts, &mut writer).unwrap();
        }
        assert!(std::fs::read(path("again")).unwrap() == expected);
        // The whole is not a part, and one part is not the whole.
        let mut writer = open(&path("other"), &whole, &options);
        let mut wrong = |given: &[PathBuf]| join(&header(&whole, &options), 5, given, &mut writer).unwrap_err();
        assert!(matches!(wrong(&[path("whole")]), (Some(0), DataError::NoPart)));
        assert!(matches!(wrong(&parts[..1]), (Some(0), DataError::OtherCount { count: 1, .. })));
    }

    #[test]
    fn more_workers_write_longer_blocks_of_the_same_games() {
        let folder = tempfile::tempdir().unwrap();
        let options = Options { hash_mb: 1, ..Options::default() };
        let plan = Plan { nodes: 1, ..plan() };
        let file = |jobs: usize| {
            let path = folder.path().join(jobs.to_string());
            let (mut pool, _) = Pool::new(&options, jobs);
            let mut writer = open(&path, &plan, &options);
            run(&mut pool, &plan, GAMES + 1, &mut writer, &StopFlag::new(), &mut |_| ()).unwrap();
            let blocks = Index::read(&path).unwrap().unwrap().blocks.iter().map(|block| block.games).collect();
            (std::fs::read(&path).unwrap(), blocks)
        };
        let (alone, two): ((_, Vec<u64>), (_, Vec<u64>)) = (file(1), file(2));
        assert!(alone.0 == two.0);
        assert_eq!((alone.1, two.1), (vec![GAMES, 1], vec![GAMES + 1]));
    }

    #[test]
    fn stops_change_no_game() {
        let folder = tempfile::tempdir().unwrap();
        let options = Options { hash_mb: 1, ..Options::default() };
        let (mut pool, _) = Pool::new(&options, 2);
        let mut played = |name: &str, stop: &StopFlag| {
            let path = folder.path().join(name);
            let mut writer = open(&path, &plan(), &options);
            run(&mut pool, &plan(), GAMES, &mut writer, stop, &mut |_| ()).unwrap();
            std::fs::read(&path).unwrap()
        };
        let begin = Instant::now();
        let whole = played("whole", &StopFlag::new());
        let time = begin.elapsed();
        // Some come when a game is finished and one before it is not.
        let mut random = dice(1, 1);
        for _ in 0..20 {
            let stop = StopFlag::new();
            thread::scope(|scope| {
                scope.spawn(|| {
                    thread::sleep(time.mul_f64(random.f64() / 8.0));
                    stop.raise();
                });
                played("stopped", &stop);
            });
        }
        assert!(played("stopped", &StopFlag::new()) == whole);
    }

    #[test]
    fn the_file_to_blame_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let options = Options { hash_mb: 1, ..Options::default() };
        let whole = plan();
        let path = |name: &str| folder.path().join(name);
        let part = |name: &str, shard: &str, games: &[Vec<u8>]| {
            open(&path(name), &Plan { shard: shard.parse().ok(), ..whole.clone() }, &options).add(games).unwrap();
        };
        let (mut engine, _) = crate::engine::Engine::new(options.clone());
        part("first", "1/2", &[game::play(&mut engine, &whole, 0, &StopFlag::new()).unwrap().unwrap()]);
        part("second", "2/2", &[]);
        let mut short = open(&path("short"), &whole, &options);
        let lacking = join(&header(&whole, &options), 2, &[path("first"), path("second")], &mut short).unwrap();
        assert_eq!((lacking, short.games), (Some(1), 1));
        let mut writer = open(&path("whole"), &whole, &options);
        let twice = join(&header(&whole, &options), 2, &[path("first"), path("first")], &mut writer);
        assert!(matches!(twice, Err((Some(1), DataError::GivenAlready { .. }))), "{twice:?}");
        assert_eq!(writer.games, 0);
        // No part is to blame for what happens to the file of the whole.
        std::fs::rename(index::path(&path("whole")), path("elsewhere")).unwrap();
        let failed = join(&header(&whole, &options), 2, &[path("first"), path("second")], &mut writer);
        assert!(matches!(failed, Err((None, DataError::Journal(_)))), "{failed:?}");
    }

    fn header(plan: &Plan, options: &Options) -> Header {
        plan.header(Provenance::of(options, &Limits::default()), String::new())
    }

    fn open(path: &std::path::Path, plan: &Plan, options: &Options) -> DataWriter {
        DataWriter::open(path, &header(plan, options)).unwrap()
    }

    fn first_line(data: &std::path::Path) -> String {
        let lines = std::fs::read_to_string(index::path(data)).unwrap();
        lines.split_inclusive('\n').next().unwrap().to_owned()
    }

    #[test]
    fn games_are_read_as_they_were_played() {
        let options = Options { hash_mb: 1, ..Options::default() };
        let (mut engine, _) = crate::engine::Engine::new(options);
        let whole = plan();
        let mut chess960 = 0;
        for number in 0..6 {
            let samples = game::samples(&mut engine, &whole, number, &StopFlag::new()).unwrap().unwrap();
            let bytes = data::viri::encode(&samples).unwrap();
            let mut games = data::Games::new(&bytes[..]).unwrap();
            let read = games.next().unwrap().unwrap();
            assert!(games.next().is_none());
            let essence = |sample: &data::Sample| {
                (sample.position.fen(), sample.position.key(), sample.best_move, sample.score, sample.result)
            };
            assert!(read.iter().map(essence).eq(samples.iter().map(essence)), "game {number}");
            chess960 += usize::from(read[0].position.is_chess960());
        }
        assert!((1..6).contains(&chess960), "{chess960} of 6 games");
    }

    #[test]
    fn successors_of_chosen_positions_are_legal_and_quiet() {
        let (mut engine, _) = crate::engine::Engine::new(Options { hash_mb: 1, ..Options::default() });
        let game = game::samples(&mut engine, &plan(), 0, &StopFlag::new()).unwrap().unwrap();
        let chosen = |successors, seed| {
            let mut chosen = Chosen::new(usize::MAX, successors, seed);
            chosen.add(&game).unwrap();
            chosen.shuffled()
        };
        let quiet: Vec<_> =
            game.iter().filter(|sample| sample.unquiet(crate::score::MAX_EVAL).is_none()).cloned().collect();
        let (mut expected, mut all) = (Vec::new(), 0);
        for sample in &quiet {
            let after = sample.position.legal_moves().into_iter().map(|m| sample.position.play(m));
            let after: Vec<Position> =
                after.filter(|after| !after.in_check() && !after.legal_moves().is_empty()).collect();
            all += after.len();
            let wins = |after: &Position, m: Move| is_noisy(m) && see(after, m) > 0;
            let settled = after.iter().filter(|after| !after.legal_moves().into_iter().any(|m| wins(after, m)));
            expected.extend(settled.map(|after| after.fen()));
        }
        assert!(expected.len() < all, "no capture wins anything");
        let fens = |chosen: &[Again]| {
            let mut fens: Vec<String> = chosen.iter().map(|again| again.position().unwrap().fen()).collect();
            fens.sort_unstable();
            fens
        };
        expected.sort_unstable();
        assert_eq!(fens(&chosen(256, 1)), expected);
        let two = fens(&chosen(2, 1));
        assert!(two.len() <= 2 * quiet.len() && two.len() > quiet.len());
        assert!(two.iter().all(|fen| expected.binary_search(fen).is_ok()));
        assert!(chosen(2, 1) == chosen(2, 1) && fens(&chosen(2, 2)) != two);
    }

    #[test]
    fn positions_of_games_are_searched_again() {
        let options = Options { hash_mb: 1, ..Options::default() };
        let (mut engine, _) = crate::engine::Engine::new(options.clone());
        let stop = StopFlag::new();
        let games: Vec<Vec<data::Sample>> =
            (0..3).map(|number| game::samples(&mut engine, &plan(), number, &stop).unwrap().unwrap()).collect();
        let chosen = |per_game, seed| {
            let mut chosen = Chosen::new(per_game, 0, seed);
            games.iter().for_each(|game| chosen.add(game).unwrap());
            chosen.shuffled()
        };
        let again = Plan { nodes: 500, again: chosen(4, 1), ..plan() };
        assert!(chosen(4, 1) == again.again && chosen(4, 2) != again.again);
        assert_eq!(again.share(u64::MAX), again.again.len() as u64);
        let quiet = |game: &[data::Sample]| {
            game.iter().filter(|sample| sample.unquiet(crate::score::MAX_EVAL).is_none()).count()
        };
        let all: usize = games.iter().map(|game| quiet(game).min(4)).sum();
        assert_eq!(again.again.len(), all);
        assert_eq!(chosen(usize::MAX, 1).len(), games.iter().map(|game| quiet(game)).sum::<usize>());
        let fens = |seed| {
            let mut fens: Vec<_> = chosen(4, seed).iter().map(|again| again.position().unwrap().fen()).collect();
            fens.sort_unstable();
            fens
        };
        assert_ne!(fens(1), fens(2), "always the same positions of a game");

        let mut other_scores = 0;
        for number in 0..all as u64 {
            let bytes = game::play(&mut engine, &again, number, &stop).unwrap().unwrap();
            let read = data::Games::new(&bytes[..]).unwrap().next().unwrap().unwrap();
            let [sample] = &read[..] else { panic!("{} samples", read.len()) };
            let before = games.iter().flatten().find(|before| before.position.fen() == sample.position.fen()).unwrap();
            assert_eq!(before.result, sample.result);
            // A search of its own, from an empty table.
            engine.new_game();
            let limits = Limits { soft_nodes: Some(500), ..Limits::default() };
            let game = crate::board::Game::new(before.position.clone());
            let outcome = engine.search(&game, &limits, &stop, &mut crate::search::Silent);
            assert_eq!((outcome.score.main(), outcome.best_move), (sample.score, Some(sample.best_move)));
            other_scores += usize::from(before.score != sample.score);
        }
        assert!(other_scores > all / 2);
        // A stopped search is no sample, and other positions are other data.
        stop.raise();
        assert!(game::play(&mut engine, &again, 0, &stop).unwrap().is_none());
        let digest = |plan: &Plan| header(plan, &options).digest;
        assert!(digest(&again) != digest(&Plan { again: chosen(4, 2), ..again.clone() }));
        let [won, drawn] = [data::GameResult::WhiteWins, data::GameResult::Draw].map(|result| {
            let mut chosen = Chosen::new(1, 0, 1);
            let game: Vec<_> = games[0].iter().map(|sample| data::Sample { result, ..sample.clone() }).collect();
            chosen.add(&game).unwrap();
            digest(&Plan { again: chosen.shuffled(), ..again.clone() })
        });
        assert!(won != drawn, "the same position with another result is the same");
    }

    #[test]
    fn a_finished_game_is_searched_once_more_from_its_end() {
        let (mut engine, _) = crate::engine::Engine::new(Options { hash_mb: 1, ..Options::default() });
        let stop = StopFlag::new();
        let mut samples = |plan: &Plan| game::samples(&mut engine, plan, 0, &stop).unwrap().unwrap();
        let reviewed = Plan { review: Some(150), ..plan() };
        let (played, game) = (samples(&plan()), samples(&reviewed));
        let same = |a: &data::Sample, b: &data::Sample| {
            (a.position.fen(), a.best_move, a.result) == (b.position.fen(), b.best_move, b.result)
        };
        assert!(played.len() == game.len() && played.iter().zip(&game).all(|(a, b)| same(a, b)));
        let is_quiet = |sample: &data::Sample| sample.unquiet(i32::MAX).is_none();
        let quiet = game.iter().filter(|sample| is_quiet(sample)).count();
        assert!(0 < quiet && quiet < game.len());
        // With the table that later positions have left, and with an empty one.
        let mut scores = |is_kept: bool| {
            engine.new_game();
            let limits = Limits { soft_nodes: Some(150), ..Limits::default() };
            let mut score = |(played, sample): (&data::Sample, &data::Sample)| {
                if !is_quiet(sample) {
                    return played.score;
                }
                if !is_kept {
                    engine.new_game();
                }
                let game = crate::board::Game::new(sample.position.clone());
                engine.search(&game, &limits, &stop, &mut crate::search::Silent).score.main()
            };
            let mut scores: Vec<i32> = played.iter().zip(&game).rev().map(&mut score).collect();
            scores.reverse();
            scores
        };
        let expected: Vec<i32> = game.iter().map(|sample| sample.score).collect();
        assert_eq!(scores(true), expected);
        assert!(scores(false) != expected, "nothing of what was seen later is used");
        stop.raise();
        assert!(game::review(&mut engine, &reviewed, played, &stop).is_none());
        let options = Options::default();
        assert_ne!(header(&reviewed, &options).digest, header(&plan(), &options).digest);
    }

    #[test]
    fn the_header_names_what_differs() {
        let mut options = Options::default();
        let first = header(&plan(), &options);
        assert!(first.head.provenance.set.is_empty());
        options.params.apply("credit=off").unwrap();
        let other = header(&plan(), &options);
        assert_eq!(other.head.provenance.set, ["credit=off"]);
        assert_ne!(first.digest, other.digest);
        let with_book = |fen| {
            let book = vec![Position::from_fen(fen, false).unwrap()];
            header(&Plan { book, ..plan() }, &options).digest
        };
        assert_ne!(with_book("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"), with_book("4k3/8/8/8/8/8/3P4/4K3 w - - 0 1"));
    }
}
