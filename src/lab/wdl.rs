//! Fits winning chances to games: every move with a score, in its comment or in training data, is a sample of score,
//! material and result.
//!
//! The fit is by maximum likelihood (the model is in `params/wdl.rs`). Samples of the same game are not independent, so
//! the likelihood ranks fits but says little about their error; look at the table of predictions and results instead.

mod information;

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;
use std::io::Read;

use self::information::{Information, NUMBERS};
use super::data::Sample;
use super::data::match_games::{self, MatchGames};
use crate::eval::material;
use crate::params::wdl::{FULL_MATERIAL, WdlFit};
use crate::pgn::{Games, RefusedGame, fingerprint};
use crate::text::grouped;

/// Scores beyond this are as good as decided and would only distort the tails.
const LARGEST_SCORE: i32 = 1000;
/// Where the search for the best fit starts, in centipawns.
const START: [f64; NUMBERS] = [150.0, 0.0, 0.0, 80.0, 0.0, 0.0];
/// Steps after which it ends, some ten being enough, and how often one that leads too far is halved.
const MOST_STEPS: usize = 100;
const MOST_HALVINGS: i32 = 20;
/// Smaller gains in the mean log probability are none: where samples leave a number open, they would go on for ever.
const LEAST_GAIN: f64 = 1e-10;
/// Derivatives are those between numbers so far apart on either side, in centipawns.
const DERIVATIVE_STEP: f64 = 0.1;
/// No number of a sensible fit is larger, in centipawns.
const FURTHEST: f64 = 10_000.0;
/// A number with a larger standard error, in centipawns, is not determined: any score that is fitted is within it.
const LARGEST_ERROR: f64 = LARGEST_SCORE as f64;
/// A chance that is none, lest a logarithm or a quotient have no number.
const IMPOSSIBLE: f64 = 1e-9;
/// Bounds of the score bands that the table shows, in centipawns.
const BANDS: [i32; 7] = [1, 25, 50, 100, 150, 250, 400];

/// Wins, draws and losses of the side to move.
type Results = [u64; 3];

/// Samples, gathered by score and material.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Samples {
    /// Games with a result and at least one score.
    pub games: usize,
    /// Games that were left out: no result, one from off the board, no score, illegal moves, or training data of a
    /// single position.
    pub left_out: usize,
    /// Games in which what had been played before was played again, as by a search of so many nodes that plays itself
    /// from both sides of an opening. They tell nothing new.
    pub repeated: usize,
    /// Fingerprints of the games.
    known: HashSet<u64>,
    /// Results by score and material.
    counts: BTreeMap<(i32, i32), Results>,
}

impl Samples {
    /// Adds the games of a PGN, each once; `refused` hears of those that cannot be used.
    ///
    /// # Errors
    ///
    /// The input cannot be read or is not a PGN.
    pub fn add_pgn(&mut self, pgn: impl Read, refused: &mut dyn FnMut(&RefusedGame)) -> std::io::Result<MatchGames> {
        let mut found = MatchGames::default();
        for game in Games::new(pgn) {
            match game? {
                Ok(game) => {
                    let samples = match_games::samples(&game);
                    found.count(&samples);
                    if samples.is_empty() {
                        self.left_out += 1;
                    } else {
                        self.add_once(game.fingerprint(), &samples);
                    }
                }
                Err(reason) => {
                    self.left_out += 1;
                    refused(&reason);
                }
            }
        }
        Ok(found)
    }

    /// Adds a game of training data, unless the same was played before. A position alone, as `lab datagen --again`
    /// searches it, is left out: it need not have been in the game whose result it has.
    pub fn add_game(&mut self, game: &[Sample]) {
        let [_, .., last] = game else {
            self.left_out += 1;
            return;
        };
        let end = last.position.play(last.best_move).key();
        let keys = game.iter().map(|sample| sample.position.key());
        self.add_once(fingerprint(keys.chain([end])), game);
    }

    /// Adds the samples of a game with this fingerprint.
    fn add_once(&mut self, print: u64, game: &[Sample]) {
        if !self.known.insert(print) {
            self.repeated += 1;
            return;
        }
        self.games += 1;
        for sample in game {
            let lost = 2 - sample.result.half_points(sample.position.turn());
            self.add(sample.score, material(&sample.position), usize::from(lost));
        }
    }

    /// Adds one position: the score of the side to move, and 0, 1 or 2 for its win, draw or loss. A score of exactly
    /// zero is nearly always a draw that the search has found, which needs no fit.
    fn add(&mut self, score: i32, material: i32, result: usize) {
        if score != 0 && score.abs() <= LARGEST_SCORE {
            self.counts.entry((score, material)).or_default()[result] += 1;
        }
    }

    /// Number of positions.
    pub fn len(&self) -> u64 {
        self.counts.values().flatten().sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// Mean log probability that a fit gives to the results.
    pub fn log_likelihood(&self, fit: &WdlFit) -> f64 {
        let sum: f64 = self
            .counts
            .iter()
            .map(|(&(score, material), results)| {
                let chances = chances(fit, score, material);
                results
                    .iter()
                    .zip(chances)
                    .map(|(&count, chance)| count as f64 * chance.max(IMPOSSIBLE).ln())
                    .sum::<f64>()
            })
            .sum();
        sum / self.len().max(1) as f64
    }

    /// The maximum likelihood fit, by Fisher scoring: the numbers depend on each other so much that changing one at a
    /// time ends before the maximum. `None` if the samples do not determine it: a result does not occur, or a number
    /// goes ever further or has too large a standard error, as with less than three materials.
    pub fn fit(&self) -> Option<WdlFit> {
        if (0..3).any(|kind| self.counts.values().all(|results| results[kind] == 0)) {
            return None;
        }
        let mut best = START;
        let mut likelihood = self.log_likelihood(&fit_of(best));
        for _ in 0..MOST_STEPS {
            let step = self.information(best).step()?;
            let mut steps = (0..MOST_HALVINGS).map(|halvings| {
                let next = std::array::from_fn(|index| best[index] + step[index] * 0.5_f64.powi(halvings));
                (next, self.log_likelihood(&fit_of(next)))
            });
            let Some(better) = steps.find(|&(_, found)| found > likelihood + LEAST_GAIN) else { break };
            (best, likelihood) = better;
            if best.iter().any(|number| number.abs() > FURTHEST) {
                return None;
            }
        }
        let errors = self.information(best).standard_errors()?;
        errors.iter().all(|&error| error <= LARGEST_ERROR).then(|| fit_of(best))
    }

    /// What the samples tell of the numbers of a fit.
    fn information(&self, numbers: [f64; NUMBERS]) -> Information {
        let mut information = Information::default();
        let beside = |index: usize, change: f64| {
            let mut numbers = numbers;
            numbers[index] += change;
            fit_of(numbers)
        };
        let pairs: [_; NUMBERS] =
            std::array::from_fn(|index| [beside(index, DERIVATIVE_STEP), beside(index, -DERIVATIVE_STEP)]);
        for (&(score, material), results) in &self.counts {
            let slopes = pairs.map(|pair| {
                let [above, below] = pair.map(|fit| chances(&fit, score, material));
                std::array::from_fn::<f64, 3, _>(|kind| (above[kind] - below[kind]) / (2.0 * DERIVATIVE_STEP))
            });
            let samples = results.iter().sum::<u64>() as f64;
            for (kind, chance) in chances(&fit_of(numbers), score, material).into_iter().enumerate() {
                let slopes = slopes.map(|slope| slope[kind]);
                information.add(samples, results[kind] as f64, chance.max(IMPOSSIBLE), slopes);
            }
        }
        information
    }

    /// The fit, with predictions and results by score.
    pub fn to_text(&self, fit: &WdlFit) -> String {
        let mut text = format!(
            "{} games ({} played again, {} left out), {} positions\nshift  = {}\nspread = {}   m = material / {FULL_MATERIAL}\n\
             mean log-likelihood {:.4}\n\n{:>14} {:>9}  {:>20}  {:>20}\n",
            grouped(self.games as u64),
            grouped(self.repeated as u64),
            grouped(self.left_out as u64),
            grouped(self.len()),
            parabola(fit.shift),
            parabola(fit.spread),
            self.log_likelihood(fit),
            "score",
            "positions",
            "predicted W D L",
            "observed W D L",
        );
        for (index, &low) in BANDS.iter().enumerate() {
            let high = BANDS.get(index + 1).copied().unwrap_or(LARGEST_SCORE + 1);
            let (mut predicted, mut came) = ([0.0; 3], [0.0; 3]);
            for (&(score, material), results) in &self.counts {
                if !(low..high).contains(&score.abs()) {
                    continue;
                }
                let chances = chances(fit, score, material);
                let total = results.iter().sum::<u64>() as f64;
                for kind in 0..3 {
                    // Both sides of the board in one row: a loss from below counts as a win from above.
                    let seen = if score < 0 { 2 - kind } else { kind };
                    predicted[kind] += chances[seen] * total;
                    came[kind] += results[seen] as f64;
                }
            }
            let total: f64 = came.iter().sum();
            if total > 0.0 {
                let percent = |of: [f64; 3]| of.map(|part| format!("{:5.1}", 100.0 * part / total)).join(" ");
                let band = format!("{:.2}-{:.2}", f64::from(low) / 100.0, f64::from(high - 1) / 100.0);
                let _ = writeln!(
                    text,
                    "{band:>14} {:>9}  {:>20}  {:>20}",
                    grouped(total as u64),
                    percent(predicted),
                    percent(came)
                );
            }
        }
        text
    }
}

/// The fit with these numbers.
fn fit_of([a, b, c, d, e, f]: [f64; NUMBERS]) -> WdlFit {
    WdlFit { shift: [a, b, c], spread: [d, e, f] }
}

/// A quadratic function of the material.
fn parabola([constant, linear, square]: [f64; 3]) -> String {
    let term = |value: f64, unit: &str| format!("{} {:.1} {unit}", if value < 0.0 { '-' } else { '+' }, value.abs());
    format!("{constant:.1} {} {}", term(linear, "m"), term(square, "m²"))
}

/// Win, draw and loss of a sample according to a fit.
fn chances(fit: &WdlFit, score: i32, material: i32) -> [f64; 3] {
    let (win, loss) = fit.win_and_loss(f64::from(score), material);
    [win, (1.0 - win - loss).max(0.0), loss]
}

#[cfg(test)]
mod tests {
    use super::super::data::GameResult;
    use super::*;
    use crate::params::wdl::WDL_FIT;

    #[test]
    fn games_become_samples_from_the_movers_view() {
        let pgn = "[Result \"1-0\"]\n\n1. e4 {+0.30/5 0s} e5 {-0.30/5 0s} 2. Nf3 {book} Nc6 {+M5/3 0s} 1-0\n\n\
                   [Result \"*\"]\n\n1. e4 {+0.30/5 0s} *\n\n\
                   [Result \"0-1\"]\n\n1. e4 {+0.30/5 0s} Ke4 0-1\n\n\
                   [FEN \"8/5k2/8/8/8/2K5/4P3/8 b - - 0 1\"]\n[Result \"1/2-1/2\"]\n\n1... Ke6 {-1.00/9 0s} 1/2-1/2\n";
        let mut samples = Samples::default();
        let mut refused = Vec::new();
        let found = samples.add_pgn(pgn.as_bytes(), &mut |game| refused.push(game.to_string())).unwrap();
        assert_eq!(found, MatchGames { games: 3, empty: 1 });
        assert!(matches!(&refused[..], [game] if game.starts_with("game 3, Black's move 1: `Ke4` is not legal")));
        assert_eq!((samples.games, samples.left_out, samples.len()), (2, 2, 3));
        let expected = BTreeMap::from([((30, 78), [1, 0, 0]), ((-30, 78), [0, 0, 1]), ((-100, 1), [0, 1, 0])]);
        assert_eq!(samples.counts, expected);
    }

    #[test]
    fn what_was_played_again_counts_once() {
        let game = |round: u8, moves: &str| format!("[Round \"{round}\"]\n[Result \"1-0\"]\n\n{moves} 1-0\n\n");
        let short = "1. e4 {+0.30/5 0s} e5 {-0.30/5 0s}";
        let (first, again, longer) =
            (game(1, short), game(2, short), game(3, &format!("{short} 2. Nf3 {{+0.20/5 0s}}")));
        let mut samples = Samples::default();
        samples.add_pgn([first.clone(), again, longer].concat().as_bytes(), &mut |_| ()).unwrap();
        assert_eq!((samples.games, samples.repeated, samples.len()), (2, 1, 5));
        // In another file too.
        samples.add_pgn(first.as_bytes(), &mut |_| ()).unwrap();
        assert_eq!((samples.games, samples.repeated, samples.len()), (2, 2, 5));
        let fit = WdlFit { shift: [317.04, -538.2, 304.8], spread: [84.1, 50.0, -41.4] };
        let parabolas = "shift  = 317.0 - 538.2 m + 304.8 m²\nspread = 84.1 + 50.0 m - 41.4 m²   m = material / 78\n";
        assert!(samples.to_text(&fit).contains(parabolas), "{}", samples.to_text(&fit));
        assert!(samples.to_text(&WDL_FIT).starts_with("2 games (2 played again, 0 left out), 5 positions\n"));
    }

    #[test]
    fn training_data_become_samples_too() {
        let position = crate::board::Position::default();
        let best_move = position.parse_uci("e2e4").unwrap();
        let first = Sample { position: position.clone(), score: 30, best_move, result: GameResult::BlackWins };
        let position = position.play(best_move);
        let best_move = position.parse_uci("e7e5").unwrap();
        let second = Sample { position, score: -30, best_move, ..first.clone() };
        let mate = Sample { score: 31_990, ..second.clone() };
        let mut samples = Samples::default();
        samples.add_game(&[first.clone(), second.clone(), mate]);
        assert_eq!(samples.games, 1);
        assert_eq!(samples.counts, BTreeMap::from([((30, 78), [0, 0, 1]), ((-30, 78), [1, 0, 0])]));
        // What was played again counts once, also where it is in a PGN.
        let game = [first, second];
        samples.add_game(&game);
        samples.add_game(&game);
        samples.add_pgn(&b"[Result \"0-1\"]\n\n1. e4 {+0.30/5 0s} e5 0-1\n"[..], &mut |_| ()).unwrap();
        samples.add_game(&[]);
        samples.add_game(&game[..1]);
        assert_eq!((samples.games, samples.repeated, samples.left_out, samples.len()), (2, 2, 2, 4));
    }

    #[test]
    fn a_fit_finds_the_model_that_made_the_data() {
        let truth = WdlFit { shift: [90.0, 80.0, 30.0], spread: [45.0, 50.0, -15.0] };
        let mut samples = Samples::default();
        for score in (-800..=800).step_by(10) {
            for material in [10, 30, 50, 78] {
                let counts = chances(&truth, score, material).map(|chance| (chance * 10_000.0).round() as u64);
                samples.counts.insert((score, material), counts);
            }
        }
        let fit = samples.fit().unwrap();
        for centipawns in [-300, -50, 0, 40, 120, 500] {
            for material in [10, 40, 78] {
                let (found, wanted) = (chances(&fit, centipawns, material), chances(&truth, centipawns, material));
                for kind in 0..3 {
                    assert!((found[kind] - wanted[kind]).abs() < 1e-4, "{centipawns} {material} {fit:?}");
                }
            }
        }
        assert!(samples.to_text(&fit).contains("predicted W D L"));
    }

    #[test]
    fn no_numbers_nearby_fit_better() {
        // As many materials as in games, of which most positions have much: so the numbers depend on each other.
        let mut samples = Samples::default();
        for score in (-600..=600).step_by(25) {
            for material in 4..=FULL_MATERIAL {
                let results = chances(&WDL_FIT, score * 9 / 10, material).map(|chance| (chance * 30.0).round() as u64);
                samples.counts.insert((score, material), results);
            }
        }
        let fit = samples.fit().unwrap();
        let best = samples.log_likelihood(&fit);
        let numbers = [fit.shift, fit.spread].concat();
        // A step of a centipawn or none in each number, either way.
        for directions in 1..3_i32.pow(NUMBERS as u32) {
            let beside = std::array::from_fn(|number| {
                numbers[number] + f64::from(directions / 3_i32.pow(number as u32) % 3 - 1)
            });
            assert!(samples.log_likelihood(&fit_of(beside)) <= best, "{beside:?} is better than {fit:?}");
        }
    }

    #[test]
    fn samples_that_determine_no_fit_are_told() {
        // Whoever stood better lost.
        let mut samples = Samples::default();
        for (score, result) in [(30, 2), (-25, 0), (120, 2), (-110, 0)] {
            samples.add(score, 78, result);
        }
        assert_eq!(samples.fit(), None);
        // A sample of each result.
        let mut few = Samples::default();
        for (score, material, result) in [(200, 20, 0), (5, 40, 1), (-180, 60, 2)] {
            few.add(score, material, result);
        }
        assert_eq!(few.fit(), None);
    }

    #[test]
    fn a_fit_needs_three_materials_and_every_result() {
        let samples = |materials: &[i32], results: [bool; 3]| {
            let mut samples = Samples::default();
            for (score, &material) in
                (-600..=600).step_by(40).flat_map(|score| materials.iter().map(move |m| (score, m)))
            {
                let counts = chances(&WDL_FIT, score, material).map(|chance| (chance * 100.0).round() as u64);
                let of = |kind: usize| if results[kind] { counts[kind] } else { 0 };
                samples.counts.insert((score, material), [of(0), of(1), of(2)]);
            }
            samples
        };
        assert!(samples(&[10, 40, 78], [true; 3]).fit().is_some());
        assert_eq!(samples(&[10, 78], [true; 3]).fit(), None);
        for missing in 0..3 {
            assert_eq!(samples(&[10, 40, 78], std::array::from_fn(|kind| kind != missing)).fit(), None, "{missing}");
        }
    }

    #[test]
    fn every_score_is_in_its_band() {
        let mut samples = Samples::default();
        for score in [1, -3, 24, 47, 49, -50, 98, 399, 1000, -1000, 0, 1001] {
            samples.add(score, 78, 1);
        }
        assert_eq!(samples.len(), 10, "neither the score of zero nor the one beyond the bands");
        let text = samples.to_text(&WDL_FIT);
        let rows = text.lines().skip_while(|line| !line.contains("predicted")).skip(1);
        let bands: Vec<String> =
            rows.map(|row| row.split_whitespace().take(2).collect::<Vec<_>>().join(" has ")).collect();
        let expected = ["0.01-0.24 has 3", "0.25-0.49 has 2", "0.50-0.99 has 2", "2.50-3.99 has 1", "4.00-10.00 has 2"];
        assert_eq!(bands, expected);
    }

    #[test]
    fn a_loss_from_below_is_a_win_from_above() {
        let mut samples = Samples::default();
        for (score, result) in [(30, 0), (-30, 2), (35, 1), (-40, 0)] {
            samples.add(score, 78, result);
        }
        let text = samples.to_text(&WDL_FIT);
        let row: Vec<f64> = text.lines().last().unwrap().split_whitespace().skip(2).flat_map(str::parse).collect();
        assert_eq!(row[3..], [50.0, 25.0, 25.0]);
        assert!(row[0] > row[2], "who stands better is expected to win more often than to lose: {row:?}");
    }
}
