//! Fitting the evaluation's weights to games: a logistic regression on their results and the search's scores.
//!
//! Laws: the result depends only on the data and the settings, not on the number of jobs; positions of one game are
//! either all used for training or all kept for validation; weights that the data do not determine stay as they were.

mod features;
mod fit;

pub use fit::Settings;

use std::thread;

use super::data::Sample;
use crate::board::Color;
use crate::params::weights::Weights;
use crate::score::MAX_EVAL;
use features::Extractor;
use fit::{Descent, Lesson, Model, best_scale, chance};

/// One game in this many is kept for validation.
const VALIDATION_GAMES: usize = 10;

/// Positions for training and validation, game by game.
#[derive(Default)]
pub struct Examples {
    training: Vec<Sample>,
    validation: Vec<Sample>,
    games: usize,
    /// Games of a single position, which were left out.
    pub left_out: usize,
    /// Positions in the other games, quiet or not.
    pub seen: usize,
}

impl Examples {
    /// Adds a game's quiet samples: not in check, best move not a capture or promotion, no decided score. A position
    /// alone, as `lab datagen --again` searches it, is left out: it need not have been in the game whose result it has.
    pub fn add(&mut self, game: Vec<Sample>) {
        if game.len() < 2 {
            self.left_out += 1;
            return;
        }
        let group = if self.games.is_multiple_of(VALIDATION_GAMES) { &mut self.validation } else { &mut self.training };
        self.games += 1;
        self.seen += game.len();
        group.extend(game.into_iter().filter(|sample| sample.unquiet(MAX_EVAL).is_none()));
    }

    /// Whether there is nothing to train on, or nothing to validate with.
    pub fn is_empty(&self) -> bool {
        self.training.is_empty() || self.validation.is_empty()
    }
}

/// Mean losses on both groups of positions.
#[derive(Copy, Clone, Debug)]
pub struct Losses {
    /// On the training positions.
    pub training: f64,
    /// On the validation positions.
    pub validation: f64,
}

/// The result of a fit.
#[derive(Clone, Debug)]
pub struct Fit {
    /// Games of more than one position in the data.
    pub games: usize,
    /// Positions used for training.
    pub training: usize,
    /// Positions kept for validation.
    pub validation: usize,
    /// The scale of winning chances for evaluations, per centipawn.
    pub scale: f32,
    /// The same for the search's scores.
    pub score_scale: f32,
    /// With the initial weights.
    pub before: Losses,
    /// With the new weights, rounded.
    pub after: Losses,
    /// The new weights.
    pub weights: Weights,
}

/// What to fit.
pub struct Job<'a> {
    /// The initial weights.
    pub weights: &'a Weights,
    /// The share of the search's score in the target, 0 to 1; the rest is the game's result.
    pub score_share: f32,
    /// How to descend.
    pub settings: Settings,
    /// Threads for finding the coefficients.
    pub jobs: usize,
}

/// Fits the weights. `progress` gets the number of epochs done.
pub fn run(job: &Job, examples: Examples, progress: &mut dyn FnMut(u32)) -> Fit {
    let extractor = Extractor::new(job.weights);
    let games = examples.games;
    let mut training = lessons(&extractor, &examples.training, job.jobs);
    let mut validation = lessons(&extractor, &examples.validation, job.jobs);
    drop(examples);

    let pairs: Vec<_> = training.iter().map(|lesson| (lesson.features.eval as f32, lesson.result)).collect();
    let scale = best_scale(&pairs);
    let pairs: Vec<_> = training.iter().map(|lesson| (lesson.score, lesson.result)).collect();
    let score_scale = best_scale(&pairs);
    for lesson in training.iter_mut().chain(&mut validation) {
        let by_score = chance(score_scale, lesson.score);
        lesson.target = job.score_share * by_score + (1.0 - job.score_share) * lesson.result;
    }

    let model = Model::new(job.weights);
    let mut descent = Descent::new(&model, job.weights, scale, job.settings);
    let losses = |values: &[f32]| Losses {
        training: model.loss(values, &training, scale),
        validation: model.loss(values, &validation, scale),
    };
    let before = losses(&descent.values);
    for epoch in 0..job.settings.epochs {
        descent.epoch(&training, epoch);
        progress(epoch + 1);
    }
    let mut weights = job.weights.clone();
    let rounded: Vec<i32> = descent.values.iter().map(|value| value.round() as i32).collect();
    weights.set_values(&rounded);
    let values: Vec<f32> = rounded.iter().map(|&value| value as f32).collect();
    let after = losses(&values);
    Fit { games, training: training.len(), validation: validation.len(), scale, score_scale, before, after, weights }
}

/// The training positions from samples, in order.
fn lessons(extractor: &Extractor, samples: &[Sample], jobs: usize) -> Vec<Lesson> {
    let share = samples.len().div_ceil(jobs.max(1)).max(1);
    let of_share = |share: &[Sample]| share.iter().map(|sample| lesson(extractor, sample)).collect::<Vec<_>>();
    thread::scope(|scope| {
        let handles: Vec<_> = samples.chunks(share).map(|share| scope.spawn(move || of_share(share))).collect();
        let join = |handle: thread::ScopedJoinHandle<'_, Vec<Lesson>>| {
            handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        handles.into_iter().flat_map(join).collect()
    })
}

fn lesson(extractor: &Extractor, sample: &Sample) -> Lesson {
    let result = f32::from(sample.result.half_points(Color::White)) / 2.0;
    let score = sample.position.turn().fold_wb(sample.score, -sample.score) as f32;
    Lesson { features: extractor.features(&sample.position), result, score, target: result }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::lab::data::GameResult;
    use crate::params::weights::WEIGHTS;

    /// Quiet positions in which the side to move has a pawn more.
    const WHITE_AHEAD: &str = "4k3/pp6/8/8/8/8/PPP5/4K3 w - - 0 1";
    const BLACK_AHEAD: &str = "4k3/ppp5/8/8/8/8/PP6/4K3 b - - 0 1";

    fn sample(fen: &str, score: i32, result: GameResult) -> Sample {
        let position = Position::from_fen(fen, false).unwrap();
        let best_move = position.legal_moves()[0];
        Sample { position, score, best_move, result }
    }

    /// The fit to two games, in which the side ahead won and the searches found this score, and one for validation,
    /// each with its position twice.
    fn fit(validation: Sample, score: i32, score_share: f32) -> Fit {
        let mut examples = Examples::default();
        examples.add(vec![validation; 2]);
        examples.add(vec![sample(WHITE_AHEAD, score, GameResult::WhiteWins); 2]);
        examples.add(vec![sample(BLACK_AHEAD, score, GameResult::BlackWins); 2]);
        let settings = Settings { epochs: 3, prior: 40.0, seed: 1 };
        run(&Job { weights: &WEIGHTS, score_share, settings, jobs: 1 }, examples, &mut |_| ())
    }

    #[test]
    fn lessons_are_seen_from_white() {
        let lesson = lesson(&Extractor::new(&WEIGHTS), &sample(BLACK_AHEAD, 50, GameResult::BlackWins));
        assert_eq!((lesson.score, lesson.result, lesson.features.eval < 0), (-50.0, 0.0, true));
    }

    #[test]
    fn targets_are_scores_as_far_as_asked_for_and_results_otherwise() {
        let loss = |score, share| fit(sample(WHITE_AHEAD, 0, GameResult::Draw), score, share).before.training;
        assert_eq!(loss(100, 0.0), loss(-100, 0.0));
        assert_ne!(loss(100, 1.0), loss(-100, 1.0));
    }

    #[test]
    fn nothing_is_learned_from_a_position_alone() {
        let mut examples = Examples::default();
        for score in 0..20 {
            examples.add(vec![sample(WHITE_AHEAD, score, GameResult::WhiteWins)]);
        }
        assert_eq!((examples.is_empty(), examples.left_out, examples.seen), (true, 20, 0));
    }

    #[test]
    fn nothing_is_learned_from_games_for_validation() {
        let [won, lost] =
            [GameResult::WhiteWins, GameResult::BlackWins].map(|result| fit(sample(WHITE_AHEAD, 0, result), 100, 0.0));
        assert_eq!((won.training, won.validation), (4, 2));
        assert_eq!(won.weights.values(), lost.weights.values());
        assert_ne!(won.weights.values(), WEIGHTS.values());
        assert!(won.after.validation < lost.after.validation);
    }
}
