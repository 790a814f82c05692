//! `pacioli lab datagen`: training data from self-play.

use std::path::PathBuf;

use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressStyle};

use crate::cli::output::{note, write_stdout};
use crate::cli::suites::load;
use crate::cli::{EXIT_DONE, EXIT_INTERRUPTED, SearchArgs};
use crate::files;
use crate::lab::datagen::{self, DataWriter, Plan};
use crate::runner::{Pool, Shard};
use crate::search::StopFlag;

/// Arguments of `lab datagen`. Small tables are quick to clear, and nodes are few.
#[derive(Debug, clap::Args)]
#[command(mut_arg("hash", |arg| arg.default_value("4")))]
pub struct Args {
    /// The data file; one that exists is taken up where it was left.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Games in the finished file.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Nodes for each move.
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Seed of all chance.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// EPD files with positions to start from, in place of the opening position; `-` reads standard input.
    #[arg(long, value_name = "FILE")]
    openings: Vec<PathBuf>,
    /// Random moves before the first search.
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(0..=100))]
    random_plies: u16,
    /// Play one part of N of the games only, the I-th; --parts puts the parts together.
    #[arg(long, value_name = "I/N", conflicts_with = "parts")]
    shard: Option<Shard>,
    /// The files of all parts of the same games, in any order: their games are taken, and only those that are missing
    /// are played.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    parts: Vec<PathBuf>,
    /// Games at a time, each with an engine of its own. The file is the same with any number.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: u16,
    #[command(flatten)]
    search: SearchArgs,
}

/// Runs the command.
///
/// # Errors
///
/// Bad files or settings.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let options = args.search.options()?;
    let plan = args.plan()?;
    let (mut pool, warning) = Pool::new(&options, usize::from(args.jobs));
    if let Some(warning) = warning {
        note(format_args!("warning: {warning}"));
    }
    let name = args.file.display();
    let mut writer = DataWriter::open(&args.file, &plan.header(&options)).with_context(|| format!("{name}"))?;
    let games = plan.share(args.games);
    if !args.parts.is_empty() {
        let read = |path: &PathBuf| {
            files::read(path, files::DATA_LIMIT).with_context(|| format!("cannot read {}", path.display()))
        };
        let parts: Vec<Vec<u8>> = args.parts.iter().map(read).collect::<Result<_, _>>()?;
        datagen::join(&plan, &options, games, &parts, &mut writer)
            .map_err(|(part, error)| anyhow::Error::from(error).context(args.parts[part].display().to_string()))?;
    }
    let begun = writer.games;
    let stop = StopFlag::new();
    let raised = stop.clone();
    ctrlc::set_handler(move || raised.raise()).context("cannot listen for Ctrl-C")?;

    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} games, {msg} positions, {eta} left")?;
    let bar = ProgressBar::new(games).with_style(style).with_position(begun);
    let mut heard = |writer: &DataWriter| {
        bar.set_position(writer.games);
        bar.set_message(writer.records.to_string());
    };
    datagen::run(&mut pool, &plan, args.games, &mut writer, &stop, &mut heard).with_context(|| format!("{name}"))?;
    bar.finish_and_clear();
    write_stdout(&format!("{name}: {} games, {} positions\n", writer.games, writer.records))?;
    Ok(if writer.games < games { EXIT_INTERRUPTED } else { EXIT_DONE })
}

impl Args {
    fn plan(&self) -> anyhow::Result<Plan> {
        let suites = load(&self.openings, false)?;
        if let Some(refused) = suites.iter().find_map(|suite| suite.refused.first()) {
            bail!("{refused}");
        }
        let book: Vec<_> = suites.into_iter().flat_map(|suite| suite.records).map(|record| record.position).collect();
        if book.is_empty() && !self.openings.is_empty() {
            bail!("no position to start from");
        }
        Ok(Plan {
            seed: self.seed,
            nodes: self.nodes,
            random_plies: usize::from(self.random_plies),
            book,
            shard: self.shard,
        })
    }
}
