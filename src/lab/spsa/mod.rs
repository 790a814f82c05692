//! Tuning by self-play: simultaneous perturbation stochastic approximation, as Fishtest and OpenBench run it (J. C.
//! Spall, "Multivariate stochastic approximation using a simultaneous perturbation gradient approximation", IEEE
//! Transactions on Automatic Control 37, 1992; "Implementation of the simultaneous perturbation algorithm for
//! stochastic optimization", IEEE Transactions on Aerospace and Electronic Systems 34, 1998).
//!
//! Every tunable is perturbed at random, up or down, all at the same time; the setting thus reached and its opposite
//! play two games, and the values move towards the winner's. So the number of games does not grow with the number of
//! tunables.
//!
//! Laws: the values depend only on the settings and the seed, not on the number of jobs or on interruptions: a batch of
//! pairs is played around the same values, and their results are learned from in order. The method knows nothing of
//! chess; what plays a pair is passed to [`run`].

mod method;
mod pair;
mod picture;
mod tunable;
mod tuning;

pub use method::{Contest, Tuner};
pub use pair::{Conditions, Rivals};
pub use picture::picture;
pub use tunable::{Tunable, TunableError, add, add_lines};
#[cfg(test)]
pub(crate) use tuning::Batch;
pub use tuning::{Origin, Tuning, Values};

use thiserror::Error;

use crate::params::ParamError;
use crate::runner::{JournalError, Pool};
use crate::search::StopFlag;

/// Games in which a setting and its opposite meet.
pub const PAIR: u64 = 2;

/// A failure that ends a tuning.
#[derive(Debug, Error)]
pub enum SpsaError {
    /// The journal cannot be written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A value that the engine does not take.
    #[error(transparent)]
    Param(#[from] ParamError),
}

/// Plays batch after batch until all games are played or `stop` is raised; a batch that was not finished is played
/// again when the tuning is resumed. `play` plays a pair and returns the plus side's wins less its losses, or `None` if
/// it was stopped. `progress` is called after each pair.
///
/// # Errors
///
/// A journal that cannot be written, or whatever `play` says.
pub fn run<W: Send>(
    pool: &mut Pool<W>,
    tuning: &mut Tuning,
    play: impl Fn(&mut W, &Contest) -> Result<Option<i8>, ParamError> + Sync,
    stop: &StopFlag,
    progress: &mut dyn FnMut(),
) -> Result<(), SpsaError> {
    while tuning.tuner().left() > 0 && !stop.is_raised() {
        let contests = tuning.tuner().contests(tuning.origin().batch);
        let played = pool.run(contests.len(), |worker, task| play(worker, &contests[task]), &mut |_| progress());
        let results = played.into_iter().collect::<Result<Vec<_>, _>>()?;
        let Some(results) = results.into_iter().collect() else { break };
        tuning.add(results)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::runner::{Head, Kind, Provenance};

    /// Two tunables with ranges of 0 to 100 or more, so many pairs.
    fn origin(pairs: u64) -> Origin {
        let tunable = |line: &str| line.parse::<Tunable>().unwrap();
        Origin {
            head: Head::new(Kind::Spsa, Provenance::of_program()),
            tunables: vec![
                tunable("futility_margin, int, 20, 0, 100, 6, 0.1"),
                tunable("reverse_futility_margin, int, 180, 0, 200, 12, 0.1"),
            ],
            games: 2 * pairs,
            seed: 3,
            batch: 8,
            random_plies: 0,
            openings: 0,
            digest: 0,
        }
    }

    /// Two games whose outcome is more likely the nearer a side's values are to 70 and 90.
    fn toss(contest: &Contest) -> i8 {
        let loss = |values: &[i32]| {
            let (a, b) = (f64::from(values[0] - 70) / 100.0, f64::from(values[1] - 90) / 200.0);
            a * a + b * b
        };
        let ahead = loss(&contest.minus) - loss(&contest.plus);
        let mut random = contest.random.clone();
        let mut game = || if random.f64() < 1.0 / (1.0 + (-8.0 * ahead).exp()) { 1 } else { -1 };
        game() + game()
    }

    /// Tunes to the end; the values, and the journal.
    fn tuned(path: &Path, jobs: usize, pairs: u64) -> (Vec<f64>, String) {
        let mut tuning = Tuning::open(path, origin(pairs)).unwrap();
        let play = |(): &mut (), contest: &Contest| Ok(Some(toss(contest)));
        run(&mut Pool::of(vec![(); jobs]), &mut tuning, play, &StopFlag::new(), &mut || ()).unwrap();
        assert_eq!((tuning.tuner().done(), tuning.tuner().left()), (pairs, 0));
        (tuning.tuner().values().to_vec(), std::fs::read_to_string(path).unwrap())
    }

    #[test]
    fn values_find_the_optimum_through_the_noise() {
        let folder = tempfile::tempdir().unwrap();
        let (values, _) = tuned(&folder.path().join("s"), 1, 4000);
        assert!((values[0] - 70.0).abs() < 12.0 && (values[1] - 90.0).abs() < 24.0, "{values:?}");
    }

    #[test]
    fn curves_are_shares_of_the_ranges() {
        let folder = tempfile::tempdir().unwrap();
        let mut origin = origin(1);
        // Both start a fifth of the way up.
        for (tunable, (least, start, most)) in origin.tunables.iter_mut().zip([(0, 20, 100), (100, 120, 200)]) {
            (tunable.least, tunable.start, tunable.most) = (least, start, most);
        }
        let svg = picture(&Tuning::open(&folder.path().join("s"), origin).unwrap());
        let curves: Vec<&str> = svg.split("class=\"curve ").skip(1).filter_map(|rest| rest.split('"').nth(2)).collect();
        assert!(curves.len() == 2 && curves[0] == curves[1], "{curves:?}");
    }

    #[test]
    fn jobs_and_interruptions_change_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let (_, whole) = tuned(&folder.path().join("one"), 1, 100);
        assert_eq!(tuned(&folder.path().join("two"), 2, 100).1, whole);
        // Stopped in the middle of a batch, which is then played again.
        let path = folder.path().join("parts");
        let mut tuning = Tuning::open(&path, origin(100)).unwrap();
        let (stop, played) = (StopFlag::new(), AtomicUsize::new(0));
        let play = |(): &mut (), contest: &Contest| {
            if played.fetch_add(1, Ordering::Relaxed) == 20 {
                stop.raise();
            }
            Ok((!stop.is_raised()).then(|| toss(contest)))
        };
        run(&mut Pool::of(vec![()]), &mut tuning, play, &stop, &mut || ()).unwrap();
        assert_eq!(tuning.tuner().done(), 16);
        drop(tuning);
        assert_eq!(tuned(&path, 1, 100).1, whole);
    }
}
