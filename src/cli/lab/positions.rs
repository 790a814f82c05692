//! `pacioli lab positions`: quiet positions for a trainer, from the games of `lab datagen`.

use std::path::PathBuf;

use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressStyle};

use crate::cli::output::{note, write_stdout};
use crate::cli::suites::check_outputs;
use crate::cli::{EXIT_DONE, EXIT_INTERRUPTED};
use crate::files;
use crate::lab::data;
use crate::lab::data::positions::{Collection, Filter};
use crate::score::MAX_EVAL;
use crate::search::StopFlag;

/// Arguments of `lab positions`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Where to write the positions, in bulletformat.
    #[arg(value_name = "OUT")]
    out: PathBuf,
    /// Data files of `lab datagen`; a game at the end that was cut short is passed over.
    #[arg(value_name = "DATA", required = true)]
    data: Vec<PathBuf>,
    /// Leave out positions with a score further from level, in centipawns; those of mates and tables are left out
    /// anyway.
    #[arg(long, value_name = "CP", default_value_t = MAX_EVAL, value_parser = clap::value_parser!(i32).range(0..=i64::from(MAX_EVAL)))]
    max_score: i32,
    /// Leave out the first searched positions of each game; the random moves before are no part of it.
    #[arg(long, value_name = "N", default_value_t = 0)]
    skip_plies: u16,
    /// Seed of the order.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Overwrite OUT where it is there.
    #[arg(long)]
    force: bool,
}

/// Runs the command.
///
/// # Errors
///
/// Bad files, or more positions than the memory holds.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let out = args.out.display();
    if !args.force && args.out.metadata().is_ok_and(|found| found.len() > 0) {
        bail!("{out} is there already: --force overwrites it");
    }
    check_outputs([args.out.as_path()], &args.data)?;
    let stop = StopFlag::new();
    let raised = stop.clone();
    ctrlc::set_handler(move || raised.raise()).context("cannot listen for Ctrl-C")?;

    let size = |path: &PathBuf| path.metadata().map_or(0, |found| found.len());
    let style = ProgressStyle::with_template("{bar:30} {bytes}/{total_bytes}, {msg} positions kept, {eta} left")?;
    let bar = ProgressBar::new(args.data.iter().map(size).sum()).with_style(style);
    let filter = Filter { max_score: args.max_score, skip_plies: usize::from(args.skip_plies) };
    let mut collection = Collection::new(filter);
    let mut bytes_before = 0;
    for path in &args.data {
        let name = path.display();
        let mut games = data::open(path).with_context(|| format!("cannot read {name}"))?;
        while let Some(game) = games.next() {
            collection.add(&game.with_context(|| format!("{name}"))?).with_context(|| format!("{name}"))?;
            if stop.is_raised() {
                bar.finish_and_clear();
                return Ok(EXIT_INTERRUPTED);
            }
            bar.set_position(bytes_before + games.bytes());
            bar.set_message(collection.len().to_string());
        }
        bytes_before += games.bytes();
        if games.left_over() > 0 {
            bar.suspend(|| note(format_args!("{name}: {} bytes of an unfinished game at the end", games.left_over())));
        }
    }
    bar.finish_and_clear();
    if collection.is_empty() {
        bail!("no quiet position in the data");
    }
    let (counts, kept) = (collection.counts, collection.len());
    let records = collection.shuffled(args.seed);
    files::replace(&args.out, records.as_flattened()).with_context(|| format!("cannot write {out}"))?;
    write_stdout(&format!(
        "{out}: {} games, {} positions, {kept} kept; {} early, {} in check, {} noisy, {} out of range, {} duplicates\n",
        counts.games,
        counts.positions,
        counts.early,
        counts.in_check,
        counts.noisy,
        counts.out_of_range,
        counts.duplicates,
    ))?;
    Ok(EXIT_DONE)
}
