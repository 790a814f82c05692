//! A pair of games between two settings: the same opening, with colours reversed.

use fastrand::Rng;

use super::{Contest, Origin, Tunable};
use crate::board::{Color, Game, Position};
use crate::engine::{Engine, Limits, Options};
use crate::lab::data::GameResult;
use crate::lab::random::digest;
use crate::lab::selfplay::{self, MAX_OPENING_SCORE};
use crate::params::{ParamError, Params};
use crate::runner::{Head, Kind, Pool, Provenance};
use crate::search::{Silent, StopFlag};

/// Openings drawn for a pair until one is balanced; the last is played in any case.
const ATTEMPTS: usize = 20;

/// Two engines that play each other, each with its own table.
pub struct Rivals {
    plus: Engine,
    minus: Engine,
}

impl Rivals {
    /// The engines of a pool, by twos; `None` if there are fewer than two.
    pub fn pair_off(pool: Pool) -> Option<Pool<Rivals>> {
        let mut engines = pool.into_workers().into_iter();
        let two = || Some(Rivals { plus: engines.next()?, minus: engines.next()? });
        let rivals: Vec<Rivals> = std::iter::from_fn(two).collect();
        (!rivals.is_empty()).then(|| Pool::of(rivals))
    }
}

/// What all games have in common.
#[derive(Clone, Debug)]
pub struct Conditions {
    /// The engines' options besides what is tuned.
    pub options: Options,
    /// What is tuned.
    pub tunables: Vec<Tunable>,
    /// The limits of each move; a clock starts with the game and runs on within the engines.
    pub limits: Limits,
    /// Start positions; the opening position if there are none.
    pub book: Vec<Position>,
    /// Random moves before the first search.
    pub random_plies: usize,
}

impl Conditions {
    /// The first line of the journal of so many games by these engines.
    pub fn origin(&self, provenance: Provenance, games: u64, seed: u64, batch: u64) -> Origin {
        let book: Vec<String> = self.book.iter().map(|position| position.fen()).collect();
        Origin {
            head: Head::new(Kind::Spsa, provenance.within(&self.limits)),
            tunables: self.tunables.clone(),
            games,
            seed,
            batch,
            random_plies: self.random_plies,
            openings: book.len(),
            digest: digest(format!("{book:?}").into_bytes()),
        }
    }

    /// Plays a pair: the plus side's wins less its losses; `None` if it was stopped.
    ///
    /// # Errors
    ///
    /// A value that the engine does not take.
    pub fn play(&self, rivals: &mut Rivals, contest: &Contest, stop: &StopFlag) -> Result<Option<i8>, ParamError> {
        let Rivals { plus, minus } = rivals;
        for (engine, values) in [(&mut *plus, &contest.plus), (&mut *minus, &contest.minus)] {
            // Tables are as large as before: memory cannot run short.
            engine.set_options(Options { params: self.params(values)?, ..self.options.clone() });
        }
        let opening = self.opening(plus, contest.random.clone(), stop);
        // Without a search of its own, a game that is over from its opening would count.
        if stop.is_raised() {
            return Ok(None);
        }
        let first = self.game(plus, minus, opening.clone(), stop);
        let second = first.and_then(|_| self.game(minus, plus, opening, stop));
        let points = |result: GameResult| result.half_points(Color::White) as i8 - 1;
        Ok(first.zip(second).map(|(first, second)| points(first) - points(second)))
    }

    /// The tunables with these values.
    fn params(&self, values: &[i32]) -> Result<Params, ParamError> {
        let mut params = self.options.params.clone();
        for (tunable, value) in self.tunables.iter().zip(values) {
            params.set(&tunable.name, &value.to_string())?;
        }
        Ok(params)
    }

    /// A random opening that this engine finds balanced; after so many attempts, any.
    fn opening(&self, engine: &mut Engine, mut random: Rng, stop: &StopFlag) -> Game {
        let mut draw = || {
            let start = selfplay::start(&self.book, &mut random);
            selfplay::opening(start, self.random_plies, &mut random)
        };
        let mut opening = draw();
        for _ in 1..ATTEMPTS {
            if selfplay::finished(&opening).is_none() {
                engine.new_game();
                let score = engine.search(&opening, &self.limits, stop, &mut Silent).score.main();
                if score.abs() <= MAX_OPENING_SCORE {
                    break;
                }
            }
            opening = draw();
        }
        opening
    }

    /// Plays a game from an opening; `None` if it was stopped.
    fn game(&self, white: &mut Engine, black: &mut Engine, opening: Game, stop: &StopFlag) -> Option<GameResult> {
        white.new_game();
        black.new_game();
        selfplay::play(opening, |game| {
            let engine = game.position().turn().fold_wb(&mut *white, &mut *black);
            let outcome = engine.search(game, &self.limits, stop, &mut Silent);
            (!stop.is_raised()).then_some(outcome)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Results of pairs between two values of a tunable that spoils the evaluation.
    fn results(plus: i32, minus: i32) -> Vec<i8> {
        let options = Options { hash_mb: 1, ..Options::default() };
        let mut pool = Rivals::pair_off(Pool::new(&options, 2).0).unwrap();
        let tunables = vec![Tunable::named("eval_noise").unwrap()];
        let limits = Limits::of_nodes(40);
        let conditions = Conditions { options, tunables, limits, book: Vec::new(), random_plies: 6 };
        let contest = |seed| Contest { plus: vec![plus], minus: vec![minus], random: Rng::with_seed(seed) };
        let work = |rivals: &mut Rivals, task: usize| {
            conditions.play(rivals, &contest(task as u64), &StopFlag::new()).unwrap().unwrap()
        };
        pool.run(4, work, &mut |_| ())
    }

    #[test]
    fn a_setting_is_as_good_as_itself_and_the_sides_are_alike() {
        assert_eq!(results(0, 0), [0; 4]);
        let forth = results(0, 200);
        assert!(forth.iter().sum::<i8>() > 0, "{forth:?}");
        assert_eq!(results(200, 0), forth.iter().map(|result| -result).collect::<Vec<_>>());
    }

    #[test]
    fn another_book_has_another_digest() {
        let digest = |fen| {
            let (options, limits) = (Options::default(), Limits::default());
            let book = vec![Position::from_fen(fen, false).unwrap()];
            let conditions = Conditions { options, tunables: Vec::new(), limits, book, random_plies: 0 };
            conditions.origin(Provenance::default(), 2, 1, 1).digest
        };
        assert_ne!(digest("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"), digest("4k3/8/8/8/8/8/3P4/4K3 w - - 0 1"));
    }

    #[test]
    fn fewer_than_two_engines_do_not_play() {
        let pool = |jobs| Pool::new(&Options { hash_mb: 1, ..Options::default() }, jobs).0;
        assert!(Rivals::pair_off(pool(1)).is_none());
        assert_eq!(Rivals::pair_off(pool(3)).unwrap().workers().len(), 1);
    }

    #[test]
    fn a_pair_that_was_stopped_has_no_result() {
        let options = Options { hash_mb: 1, ..Options::default() };
        let mut rivals = Rivals::pair_off(Pool::new(&options, 2).0).unwrap().into_workers();
        let limits = Limits::of_nodes(60);
        let mut conditions = Conditions { options, tunables: Vec::new(), limits, book: Vec::new(), random_plies: 6 };
        let contest = Contest { plus: Vec::new(), minus: Vec::new(), random: Rng::with_seed(1) };
        let stop = StopFlag::new();
        stop.raise();
        assert_eq!(conditions.play(&mut rivals[0], &contest, &stop), Ok(None));
        // Not even one whose opening needs no search to be judged.
        conditions.book = vec![Position::from_fen("8/8/4k3/8/8/4K3/8/8 w - - 0 1", false).unwrap()];
        assert_eq!(conditions.play(&mut rivals[0], &contest, &stop), Ok(None));
    }

    #[test]
    fn an_opening_is_balanced_unless_there_is_none() {
        let position = |fen| Position::from_fen(fen, false).unwrap();
        let level = Position::default();
        let won = position("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        let (mut engine, _) = Engine::new(Options { hash_mb: 1, ..Options::default() });
        for (book, drawn) in [(vec![won.clone(), level.clone()], &level), (vec![won.clone()], &won)] {
            let options = Options { hash_mb: 1, ..Options::default() };
            let limits = Limits::of_nodes(200);
            let conditions = Conditions { options, tunables: Vec::new(), limits, book, random_plies: 0 };
            for seed in 0..6 {
                let opening = conditions.opening(&mut engine, Rng::with_seed(seed), &StopFlag::new());
                assert_eq!(opening.position().fen(), drawn.fen(), "{seed}");
            }
        }
    }
}
