//! `pacioli lab tune`: the evaluation's weights fitted to games.

use std::fmt::Write;
use std::path::PathBuf;

use anyhow::bail;

use super::data::{alone, each_game};
use crate::cli::EXIT_DONE;
use crate::cli::counts::{count, jobs, within};
use crate::cli::output::{note, write_stdout};
use crate::cli::progress::Progress;
use crate::cli::write::{check_outputs, write_output};
use crate::lab::tune::{self, Examples, Fit, Job, Settings};
use crate::params::weights::WEIGHTS;
use crate::text::{counted, grouped};

/// Arguments of `lab tune`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Data files of `lab datagen`; the positions of --again are left out.
    #[arg(value_name = "DATA", required = true)]
    data: Vec<PathBuf>,
    /// Where to write the new weights, in the format of `src/params/weights/values.rs`.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Passes over the data.
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = within::<u32>(0..=10_000))]
    epochs: u32,
    /// Share of the search's score in the target, in percent; the rest is the game's result.
    #[arg(long, value_name = "PERCENT", default_value_t = 50, value_parser = within::<u8>(0..=100))]
    score_share: u8,
    /// How far a weight is expected to move, in centipawns: the smaller, the more data it takes to move it.
    #[arg(long, value_name = "CP", default_value_t = 40, value_parser = within::<u16>(1..=u64::from(u16::MAX)))]
    prior: u16,
    /// Seed of the order in which positions are visited.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = count)]
    seed: u64,
    /// Threads that read the positions. The result does not depend on this number.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = jobs)]
    jobs: u16,
}

/// Runs the command.
///
/// # Errors
///
/// Bad files or settings.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    check_outputs([args.out.as_path()], &args.data)?;
    let mut examples = Examples::default();
    for path in &args.data {
        let before = examples.left_out;
        each_game(path, |game| {
            examples.add(game);
            Ok(())
        })?;
        alone(&path.display(), examples.left_out - before).iter().for_each(note);
    }
    if examples.is_empty() {
        bail!("too few quiet positions to fit: more games are needed");
    }
    let seen = examples.seen;
    let job = Job {
        weights: &WEIGHTS,
        score_share: f32::from(args.score_share) / 100.0,
        settings: Settings { epochs: args.epochs, prior: f32::from(args.prior), seed: args.seed },
        jobs: usize::from(args.jobs),
    };
    let progress = Progress::new(u64::from(args.epochs), "passes");
    let fit = tune::run(&job, examples, &mut |done| progress.set(u64::from(done)));
    progress.finish();
    write_output(&args.out, &fit.weights.source())?;
    write_stdout(&summary(&fit, seen)?)?;
    Ok(EXIT_DONE)
}

/// The fit in a few lines.
fn summary(fit: &Fit, seen: usize) -> anyhow::Result<String> {
    let mut text = String::new();
    writeln!(text, "{}, {}", counted(fit.games, "game"), counted(seen, "position"))?;
    writeln!(
        text,
        "quiet: {} for training, {} for validation",
        grouped(fit.training as u64),
        grouped(fit.validation as u64)
    )?;
    writeln!(text, "winning chance: K = {:.5} for evaluations, {:.5} for scores", fit.scale, fit.score_scale)?;
    writeln!(text, "loss before: {:.6} training, {:.6} validation", fit.before.training, fit.before.validation)?;
    writeln!(text, "loss after:  {:.6} training, {:.6} validation", fit.after.training, fit.after.validation)?;
    Ok(text)
}
