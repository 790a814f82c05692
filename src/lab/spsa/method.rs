//! The method: both settings of a pair, and what its result changes. It knows nothing of chess.
//!
//! Spall's gains, as Fishtest and OpenBench use them: in pair k of K a value is perturbed by
//! `c_k = c (K / k)^gamma`, and moved by `a_k / c_k` for each point of the result, where
//! `a_k = r c^2 ((A + K) / (A + k))^alpha` with the last perturbation c, the last learning rate r, and A a tenth of K.

use fastrand::Rng;

use super::{PAIR, Tunable};
use crate::lab::random::dice;

/// How quickly the steps become smaller, and the perturbations (Spall 1998: the least values that his theory allows).
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;
/// The share of all pairs that is added to a pair's number, so that the first steps are not too large.
const STABILITY: f64 = 0.1;

/// Two settings to be compared by a pair of games.
#[derive(Clone, Debug)]
pub struct Contest {
    /// The values of one side, in the order of the tunables.
    pub plus: Vec<i32>,
    /// The values of the other side, perturbed in the opposite directions.
    pub minus: Vec<i32>,
    /// The random numbers of the pair for everything else.
    pub random: Rng,
}

/// The values, as results change them.
#[derive(Clone, Debug)]
pub struct Tuner {
    tunables: Vec<Tunable>,
    /// Pairs in all.
    pairs: u64,
    seed: u64,
    /// Pairs whose results are in.
    done: u64,
    /// Those of them that one side won.
    decided: u64,
    values: Vec<f64>,
}

impl Tuner {
    /// The values at their start.
    pub fn new(tunables: Vec<Tunable>, pairs: u64, seed: u64) -> Tuner {
        let values = tunables.iter().map(|tunable| f64::from(tunable.start)).collect();
        Tuner { tunables, pairs, seed, done: 0, decided: 0, values }
    }

    /// The values so far, in the order of the tunables.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Pairs whose results are in.
    pub fn done(&self) -> u64 {
        self.done
    }

    /// Those of them that one side won.
    pub fn decided(&self) -> u64 {
        self.decided
    }

    /// The games of the pairs whose results are in.
    pub fn games(&self) -> u64 {
        PAIR * self.done
    }

    /// Pairs whose results are not in yet.
    pub fn left(&self) -> u64 {
        self.pairs.saturating_sub(self.done)
    }

    /// The next pairs, all around the present values.
    pub fn contests(&self, count: u64) -> Vec<Contest> {
        (self.done + 1..).take(count.min(self.left()) as usize).map(|pair| self.contest(pair)).collect()
    }

    /// Both settings of the pair with this number, from 1.
    fn contest(&self, pair: u64) -> Contest {
        let (signs, mut random) = self.signs(pair);
        let (mut plus, mut minus) = (Vec::new(), Vec::new());
        for ((tunable, value), sign) in self.tunables.iter().zip(&self.values).zip(signs) {
            let distance = sign * self.perturbation(tunable, pair);
            // Rounded up as often as the fraction says, so that the mean is right; both sides alike, which adds the
            // least noise to their difference.
            let shift = random.f64();
            let rounded = |value: f64| (tunable.clamped(value) + shift).floor() as i32;
            plus.push(rounded(value + distance));
            minus.push(rounded(value - distance));
        }
        Contest { plus, minus, random }
    }

    /// Which way each value of the plus side is perturbed in a pair, and the pair's further random numbers.
    fn signs(&self, pair: u64) -> (Vec<f64>, Rng) {
        let mut random = dice(self.seed, pair);
        let signs = self.tunables.iter().map(|_| if random.bool() { 1.0 } else { -1.0 }).collect();
        (signs, random)
    }

    /// Learns from the result of the next pair: the plus side's wins less its losses.
    pub fn learn(&mut self, result: i8) {
        self.done += 1;
        self.decided += u64::from(result != 0);
        let (signs, _) = self.signs(self.done);
        for (index, (tunable, sign)) in self.tunables.iter().zip(signs).enumerate() {
            let step = self.rate(tunable, self.done) / self.perturbation(tunable, self.done);
            self.values[index] = tunable.clamped(self.values[index] + step * f64::from(result) * sign);
        }
    }

    /// How far a value is perturbed in a pair: c_k.
    fn perturbation(&self, tunable: &Tunable, pair: u64) -> f64 {
        tunable.perturbation * (self.pairs as f64 / pair as f64).powf(GAMMA)
    }

    /// The gain of a pair: a_k.
    fn rate(&self, tunable: &Tunable, pair: u64) -> f64 {
        let (last, stability) = (self.pairs as f64, STABILITY * self.pairs as f64);
        let growth = (stability + last) / (stability + pair as f64);
        tunable.learning_rate * tunable.perturbation.powi(2) * growth.powf(ALPHA)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tunable(start: i32, perturbation: f64) -> Tunable {
        let name = "made_up".to_owned();
        Tunable { name, start, least: 0, most: 100, perturbation, learning_rate: 0.05 }
    }

    #[test]
    fn gains_end_where_the_line_says() {
        let (tunable, tuner) = (tunable(50, 4.0), Tuner::new(Vec::new(), 1000, 1));
        assert!((tuner.perturbation(&tunable, 1000) - 4.0).abs() < 1e-9);
        assert!((tuner.rate(&tunable, 1000) - 0.05 * 16.0).abs() < 1e-9);
        // (1000 / 1)^0.101, and (1100 / 101)^0.602.
        assert!((tuner.perturbation(&tunable, 1) / 4.0 - 2.009).abs() < 1e-3);
        assert!((tuner.rate(&tunable, 1) / 0.8 - 4.211).abs() < 1e-3);
    }

    #[test]
    fn settings_stay_in_their_range_and_are_right_in_the_mean() {
        let tuner = Tuner::new(vec![tunable(50, 0.3), tunable(99, 8.0)], 4000, 7);
        let contests = tuner.contests(4000);
        assert_eq!(contests.len(), 4000);
        let mean = |value: fn(&Contest) -> f64| contests.iter().map(value).sum::<f64>() / contests.len() as f64;
        let side = |value: i32| f64::from(value);
        assert!((mean(|contest| f64::from(contest.plus[0])) - 50.0).abs() < 0.05);
        // The distance between both sides is twice the perturbation: here from 1.4 down to 0.6.
        let distance = contests.iter().map(|contest| (side(contest.plus[0]) - side(contest.minus[0])).abs());
        assert!((distance.sum::<f64>() / 4000.0 - 0.667).abs() < 0.05);
        assert!(contests.iter().all(|contest| (0..=100).contains(&contest.plus[1])));
        assert!(contests.iter().any(|contest| contest.plus[1] == 100 && contest.minus[1] < 95));
    }

    #[test]
    fn a_win_moves_every_value_towards_the_winner() {
        let mut tuner = Tuner::new(vec![tunable(50, 4.0), tunable(0, 4.0)], 10, 3);
        let contest = &tuner.contests(1)[0];
        let (towards_plus, before) = (contest.plus[0] > contest.minus[0], tuner.values().to_vec());
        tuner.learn(2);
        assert_eq!((tuner.values()[0] > before[0], tuner.done(), tuner.left()), (towards_plus, 1, 9));
        tuner.learn(0);
        let after = tuner.values().to_vec();
        tuner.learn(-2);
        assert_eq!((tuner.done(), tuner.decided()), (3, 2));
        assert!(tuner.values()[0] != after[0] && tuner.values().iter().all(|value| *value >= 0.0));
    }
}
