//! The fit: the evaluation as a function of its weights, the loss, and the descent.
//!
//! The winning chance of an evaluation `e` is `1 / (1 + exp(-k e))`; the loss is the cross-entropy of this chance
//! against the target, as in logistic regression (Chess Programming Wiki, "Texel's Tuning Method"). The descent is Adam
//! (Kingma, Ba 2015) with a step size that decays to zero.

use super::features::{DANGER_UNIT, Features, is_danger};
use crate::lab::random::dice;
use crate::params::weights::Weights;

/// Positions per step of the descent.
const BATCH: usize = 8_192;
/// How far a weight moves in a step at the start, in its unit.
const STEP: f32 = 1.5;
const MOMENTUM: f32 = 0.9;
const VARIANCE_MEMORY: f32 = 0.999;
/// Keeps a division finite if there is no gradient at all; far below any real one.
const TINY: f32 = 1e-12;
/// The unit in which danger points move: about as much evaluation as a centipawn.
const DANGER_STEP: f32 = 6.0;
/// Weights that only guide play in endings that are won anyway: no result depends on them.
const GUIDES: [&str; 4] = ["bare_king_near", "bare_king_edge", "bare_king_corner", "won_pawn_ending"];
/// Bounds of the search for the best scale, per centipawn.
const SCALES: (f64, f64) = (0.0005, 0.02);

/// One training position.
pub(super) struct Lesson {
    /// The features of its evaluation.
    pub features: Features,
    /// The game's result for White: 0, one half or 1.
    pub result: f32,
    /// The search's score from White's view in centipawns.
    pub score: f32,
    /// The target winning chance.
    pub target: f32,
}

/// The evaluation as a function of its weights.
pub(super) struct Model {
    max: f32,
    mg_divisor: f32,
    eg_divisor: f32,
}

/// The middlegame's and the endgame's sum.
#[derive(Copy, Clone)]
struct Sums {
    mg: f32,
    eg: f32,
    /// Danger points of Black's and White's king.
    points: [f32; 2],
}

impl Sums {
    /// The evaluation from White's view, in centipawns.
    fn eval(self, features: &Features) -> f32 {
        (self.mg * features.phase + self.eg * (1.0 - features.phase)) * features.scale
    }
}

impl Model {
    /// The model; the shape of the danger curve is taken from the weights and stays fixed.
    pub(super) fn new(weights: &Weights) -> Model {
        Model {
            max: weights.danger_max as f32,
            mg_divisor: weights.danger_mg_divisor as f32,
            eg_divisor: weights.danger_eg_divisor as f32,
        }
    }

    fn sums(&self, values: &[f32], features: &Features) -> Sums {
        let mut sums = Sums { mg: 0.0, eg: 0.0, points: [0.0; 2] };
        for &(place, count) in &features.linear {
            sums.mg += values[usize::from(place)] * f32::from(count);
            sums.eg += values[usize::from(place) + 1] * f32::from(count);
        }
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            let entries = features.danger[side].iter();
            let points: f32 = entries.map(|&(place, count)| values[usize::from(place)] * f32::from(count)).sum();
            let points = (points / DANGER_UNIT).clamp(0.0, self.max);
            sums.points[side] = points;
            sums.mg += sign * points * points / self.mg_divisor;
            sums.eg += sign * points / self.eg_divisor;
        }
        sums
    }

    /// The evaluation from White's view, in centipawns.
    pub(super) fn eval(&self, values: &[f32], features: &Features) -> f32 {
        self.sums(values, features).eval(features)
    }

    /// Adds the gradient of the loss of one position.
    fn add_gradient(&self, values: &[f32], lesson: &Lesson, k: f32, gradient: &mut [f32]) {
        let features = &lesson.features;
        let sums = self.sums(values, features);
        let slope = (chance(k, sums.eval(features)) - lesson.target) * k * features.scale;
        let (mg, eg) = (slope * features.phase, slope * (1.0 - features.phase));
        for &(place, count) in &features.linear {
            gradient[usize::from(place)] += mg * f32::from(count);
            gradient[usize::from(place) + 1] += eg * f32::from(count);
        }
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            let points = sums.points[side];
            if points > 0.0 && points < self.max {
                let slope = sign * (mg * 2.0 * points / self.mg_divisor + eg / self.eg_divisor) / DANGER_UNIT;
                for &(place, count) in &features.danger[side] {
                    gradient[usize::from(place)] += slope * f32::from(count);
                }
            }
        }
    }

    /// The mean loss over some positions.
    pub(super) fn loss(&self, values: &[f32], lessons: &[Lesson], k: f32) -> f64 {
        let sum: f64 = lessons
            .iter()
            .map(|lesson| cross_entropy(chance(k, self.eval(values, &lesson.features)), lesson.target))
            .sum();
        sum / lessons.len().max(1) as f64
    }
}

/// The winning chance of an evaluation.
pub(super) fn chance(k: f32, eval: f32) -> f32 {
    1.0 / (1.0 + (-k * eval).exp())
}

/// The cross-entropy of a chance against a target.
fn cross_entropy(chance: f32, target: f32) -> f64 {
    let (chance, target) = (f64::from(chance).clamp(1e-9, 1.0 - 1e-9), f64::from(target));
    -(target * chance.ln() + (1.0 - target) * (1.0 - chance).ln())
}

/// The scale `k` with which evaluations (first of each pair) best predict results (second), by golden-section search.
pub(super) fn best_scale(pairs: &[(f32, f32)]) -> f32 {
    let loss =
        |k: f64| -> f64 { pairs.iter().map(|&(eval, result)| cross_entropy(chance(k as f32, eval), result)).sum() };
    let golden = (5f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = SCALES;
    for _ in 0..24 {
        let (left, right) = (high - golden * (high - low), low + golden * (high - low));
        if loss(left) < loss(right) { high = right } else { low = left }
    }
    ((low + high) / 2.0) as f32
}

/// How to descend.
#[derive(Copy, Clone, Debug)]
pub struct Settings {
    /// Passes over all positions.
    pub epochs: u32,
    /// How far a weight is expected to move from its start, in centipawns. Weights that the data do not determine stay
    /// there.
    pub prior: f32,
    /// Seed of the order in which positions are visited.
    pub seed: u64,
}

/// The weights during the descent.
pub(super) struct Descent<'a> {
    model: &'a Model,
    settings: Settings,
    k: f32,
    start: Vec<f32>,
    /// The unit in which each number moves; zero if it is fixed.
    units: Vec<f32>,
    /// Numbers that must not become negative.
    nonnegative: Vec<bool>,
    /// Current values.
    pub values: Vec<f32>,
    momentum: Vec<f32>,
    variance: Vec<f32>,
    steps: i32,
}

impl Descent<'_> {
    /// A descent from these weights.
    pub(super) fn new<'a>(model: &'a Model, weights: &Weights, k: f32, settings: Settings) -> Descent<'a> {
        let start: Vec<f32> = weights.values().iter().map(|&value| value as f32).collect();
        let mut units = Vec::with_capacity(start.len());
        let mut nonnegative = Vec::with_capacity(start.len());
        for field in weights.fields() {
            let danger = is_danger(field.name);
            let guides = GUIDES.contains(&field.name);
            let unit = if field.tapered && !guides {
                1.0
            } else if danger {
                DANGER_STEP
            } else {
                0.0
            };
            units.extend(std::iter::repeat_n(unit, field.count));
            nonnegative.extend(std::iter::repeat_n(danger, field.count));
        }
        let zeros = vec![0.0; start.len()];
        Descent {
            model,
            settings,
            k,
            values: start.clone(),
            start,
            units,
            nonnegative,
            momentum: zeros.clone(),
            variance: zeros,
            steps: 0,
        }
    }

    /// One pass over all positions, in its own order.
    pub(super) fn epoch(&mut self, lessons: &[Lesson], number: u32) {
        let mut order: Vec<usize> = (0..lessons.len()).collect();
        dice(self.settings.seed, u64::from(number)).shuffle(&mut order);
        let passed = f64::from(number) / f64::from(self.settings.epochs);
        let step = STEP * (0.5 + 0.5 * (passed * std::f64::consts::PI).cos()) as f32;
        let mut gradient = vec![0.0; self.values.len()];
        for batch in order.chunks(BATCH) {
            gradient.fill(0.0);
            for &index in batch {
                self.model.add_gradient(&self.values, &lessons[index], self.k, &mut gradient);
            }
            self.step(&gradient, batch.len(), lessons.len(), step);
        }
    }

    /// One step of Adam.
    fn step(&mut self, gradient: &[f32], batch: usize, lessons: usize, step: f32) {
        self.steps += 1;
        let momentum_share = 1.0 - MOMENTUM.powi(self.steps);
        let variance_share = 1.0 - VARIANCE_MEMORY.powi(self.steps);
        for (index, &total) in gradient.iter().enumerate() {
            let unit = self.units[index];
            if unit == 0.0 {
                continue;
            }
            // In units, so that all numbers move at the same rate; the prior's pull is spread over all positions.
            let moved = (self.values[index] - self.start[index]) / unit;
            let pull = moved / (self.settings.prior * self.settings.prior * lessons as f32);
            let slope = total * unit / batch as f32 + pull;
            let (momentum, variance) = (&mut self.momentum[index], &mut self.variance[index]);
            *momentum = MOMENTUM * *momentum + (1.0 - MOMENTUM) * slope;
            *variance = VARIANCE_MEMORY * *variance + (1.0 - VARIANCE_MEMORY) * slope * slope;
            let scaled = *momentum / momentum_share / ((*variance / variance_share).sqrt() + TINY);
            self.values[index] -= step * unit * scaled;
            if self.nonnegative[index] {
                self.values[index] = self.values[index].max(0.0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::features::place;
    use super::*;
    use crate::params::weights::WEIGHTS;

    #[test]
    fn the_scale_that_made_the_results_is_found() {
        let pairs: Vec<(f32, f32)> = (-300..300).map(|eval| (eval as f32, chance(0.006, eval as f32))).collect();
        assert!((best_scale(&pairs) - 0.006).abs() < 0.0001);
    }

    /// Lessons with exact targets from other weights must lead to these weights.
    #[test]
    fn the_descent_finds_weights_that_explain_the_targets() {
        let model = Model::new(&WEIGHTS);
        let place = place(&WEIGHTS.fields(), "bishop_pair").unwrap();
        let k = 0.006;
        let lessons: Vec<Lesson> = (0..4000)
            .map(|index| {
                let (count, phase) = ((index % 3) as i16 - 1, (index % 5) as f32 / 4.0);
                let features = Features {
                    linear: vec![(place as u16, count)],
                    danger: [Vec::new(), Vec::new()],
                    phase,
                    scale: 1.0,
                    eval: 0,
                };
                let eval = f32::from(count) * (60.0 * phase + 10.0 * (1.0 - phase));
                Lesson { features, result: 0.5, score: 0.0, target: chance(k, eval) }
            })
            .collect();
        let settings = Settings { epochs: 200, prior: 1000.0, seed: 1 };
        let mut descent = Descent::new(&model, &WEIGHTS, k, settings);
        let before = model.loss(&descent.values, &lessons, k);
        (0..settings.epochs).for_each(|epoch| descent.epoch(&lessons, epoch));
        assert!(model.loss(&descent.values, &lessons, k) < before);
        assert!((descent.values[place] - 60.0).abs() < 1.0 && (descent.values[place + 1] - 10.0).abs() < 1.0);
        // Nothing else moves.
        let moved = descent.values.iter().zip(&descent.start).filter(|(now, then)| now != then).count();
        assert_eq!(moved, 2);
    }
}
