//! `pacioli lab`: experiments on the search.

mod data;
mod datagen;
mod depths;
mod match_games;
mod mine;
mod positions;
mod spsa;
mod theory;
mod tune;
mod wdl;

use std::path::PathBuf;

use anyhow::bail;
use clap::Subcommand;

use super::common::open_pool;
use super::counts::{count, jobs, positive};
use super::help::{NO_SEARCH, help, limit};
use super::output::all_tried;
use super::progress::Progress;
use super::read::{is_standard, load_or};
use super::screen::show;
use super::write::{check_outputs, json_text, write_if};
use super::{EXIT_DONE, EXIT_NOT_HELD, LimitArgs, SearchArgs};
use crate::engine::{Limits, Options};
use crate::lab::choices::Subject;
use crate::lab::text::TABLES;
use crate::lab::{Experiment, Findings, ablate, choices, growth, variants};
use crate::report::IterationRange;
use crate::suite::{BuiltIn, Suite};

/// Arguments of `lab`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

/// What limits the searches of comparisons of choices.
const CHOICE_LIMITS: &str = "Limits: the last of the iterations, and --nodes if given.";

#[derive(Debug, Subcommand)]
enum Command {
    /// What each credit mechanism is worth: solve suites with each one switched off in turn.
    #[command(after_help = help(
        &["Limits: --nodes for each position."],
        &["lab ablate", "lab ablate FILE.epd --nodes 300k --json ablation.json"],
    ))]
    Ablate(AblateArgs),
    /// What each window policy costs, iteration by iteration.
    #[command(after_help = help(
        &[CHOICE_LIMITS],
        &["lab aspiration", "lab aspiration FILE.epd --iterations 5..12 --nodes 2M"],
    ))]
    Aspiration(ChoiceArgs),
    /// What each root driver costs, iteration by iteration.
    #[command(after_help = help(&[CHOICE_LIMITS], &["lab drivers FILE.epd --iterations 5..10"]))]
    Drivers(ChoiceArgs),
    /// What the envelope saves: second searches, and best moves that flip back and forth.
    #[command(after_help = help(
        &[CHOICE_LIMITS],
        &["lab envelope FILE.epd --profile deep-blue --iterations 5..8"],
    ))]
    Envelope(ChoiceArgs),
    /// How deep extensions went over many positions, from the reports of `pacioli report`.
    #[command(after_help = help(&[NO_SEARCH], &["lab depths REPORT.json --svg depths.svg"]))]
    Depths(depths::Args),
    /// How much more each iteration costs than the one before.
    #[command(after_help = help(&[&limit(DEFAULT_NODES)], &["lab growth FILE.epd --ceiling 8"]))]
    Growth(GrowthArgs),
    /// How often Pacioli chooses a player's moves, read from a PGN file.
    #[command(after_help = help(
        &[&limit(DEFAULT_NODES)],
        &["lab match GAMES.pgn --player \"Deep Blue\" --nodes 200k --show 2.36"],
    ))]
    Match(match_games::Args),
    /// Tactical positions from games, confirmed by another engine, as a suite.
    #[command(after_help = help(
        &["Limits: --look and --grade for Pacioli's searches, --depth and --give-up for the other engine's."],
        &["lab mine GAMES.pgn --engine stockfish --json mined.jsonl --epd mined.epd --count 100"]))]
    Mine(mine::Args),
    /// Play games for training data.
    #[command(after_help = help(
        &["Limits: --nodes for each move."],
        &["lab datagen games.data --games 10k --nodes 5000 --jobs 2 --set material_scaling=off"]))]
    Datagen(datagen::Args),
    /// Tune numbers by games against themselves (SPSA).
    #[command(after_help = help(
        &[
            "Limits: --nodes for each move, or --clock for each game.",
            "FILE has lines as `pacioli spsa NAME...` prints them: name, int, start, least, most, last perturbation, \
             last learning rate.",
        ],
        &[
            "lab spsa tuning.jsonl --tune futility_margin credit_limit --games 20k --nodes 5000",
            "lab spsa tuning.jsonl --tune tune.txt --games 20k --nodes 5000 --jobs 2 --svg values.svg",
        ],
    ))]
    Spsa(spsa::Args),
    /// Extract the quiet positions from games of `datagen` or of matches, each once, shuffled, in the format trainers
    /// read.
    #[command(after_help = help(&[NO_SEARCH], &["lab positions positions.data games.data"]))]
    Positions(positions::Args),
    /// Write the table of opening theory that `analyze` has built in, from games or lines in PGN.
    #[command(after_help = help(&[NO_SEARCH], &["lab theory LINES.pgn --out openings.txt"]))]
    Theory(theory::Args),
    /// Fit the evaluation's weights to games of `datagen`.
    #[command(after_help = help(&[NO_SEARCH], &["lab tune games.data --out values.rs"]))]
    Tune(tune::Args),
    /// Fit win/draw/loss chances by score and material to games with scores in their comments, or to training data.
    #[command(after_help = help(&[NO_SEARCH], &["lab wdl games.pgn"]))]
    Wdl(wdl::Args),
}

/// Arguments common to the experiments over suites.
#[derive(Debug, clap::Args)]
struct CommonArgs {
    /// EPD files; `-` reads standard input. The built-in suite `classics` if none is given.
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    outputs: OutputArgs,
    #[command(flatten)]
    search: SearchArgs,
}

/// How the searches are run and where the results go.
#[derive(Debug, clap::Args)]
struct OutputArgs {
    /// Searches run in parallel, each in an engine with its own table.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = jobs)]
    jobs: u16,
    /// Also write the results as JSON; `-` writes to standard output, instead of the table.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// Arguments of `lab ablate`.
#[derive(Debug, clap::Args)]
struct AblateArgs {
    #[command(flatten)]
    common: CommonArgs,
    /// Nodes for each position.
    #[arg(long, value_name = "N", default_value_t = 300_000, value_parser = positive)]
    nodes: u64,
}

/// Arguments of `lab aspiration`, `lab drivers` and `lab envelope`.
#[derive(Debug, clap::Args)]
struct ChoiceArgs {
    #[command(flatten)]
    common: CommonArgs,
    /// The iterations to show, inclusive.
    #[arg(long, value_name = "A..B", default_value = "5..10")]
    iterations: IterationRange,
    /// Stop a search after this many nodes; iterations that not every choice completed are left out.
    #[arg(long, value_name = "N", value_parser = positive)]
    nodes: Option<u64>,
    /// Leave out times, so that two runs with the same settings give the same report.
    #[arg(long)]
    no_time: bool,
}

/// Nodes for each position or move if no limit is given.
const DEFAULT_NODES: u64 = 2_000_000;

/// Arguments of `lab growth`.
#[derive(Debug, clap::Args)]
struct GrowthArgs {
    #[command(flatten)]
    common: CommonArgs,
    #[command(flatten)]
    limits: LimitArgs,
    /// Leave out iterations with fewer nodes; the previous one counts as at least this many.
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = count)]
    floor: u64,
    /// The most that an iteration should cost, as a multiple of the previous one's nodes.
    #[arg(long, value_name = "RATIO", default_value_t = 8.0, value_parser = ceiling)]
    ceiling: f64,
}

/// Parses the ceiling.
fn ceiling(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|ceiling: &f64| ceiling.is_finite() && *ceiling > 0.0);
    number.ok_or_else(|| "expected a number greater than zero".to_owned())
}

/// Runs the command.
///
/// # Errors
///
/// Bad files or settings, or nothing to search in them.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    match &args.command {
        Command::Ablate(args) => run_ablate(args),
        Command::Aspiration(args) => run_choices(args, Subject::Aspiration),
        Command::Drivers(args) => run_choices(args, Subject::Drivers),
        Command::Envelope(args) => run_choices(args, Subject::Envelope),
        Command::Depths(args) => depths::run(args),
        Command::Growth(args) => run_growth(args),
        Command::Match(args) => match_games::run(args),
        Command::Mine(args) => mine::run(args),
        Command::Datagen(args) => datagen::run(args),
        Command::Spsa(args) => spsa::run(args),
        Command::Positions(args) => positions::run(args),
        Command::Theory(args) => theory::run(args),
        Command::Tune(args) => tune::run(args),
        Command::Wdl(args) => wdl::run(args),
    }
}

/// Removes one mechanism after the other.
fn run_ablate(args: &AblateArgs) -> anyhow::Result<u8> {
    args.common.conduct(|suites, options| {
        let (variants, already_off) = variants(&options.params)?;
        let limits = Limits::of_nodes(args.nodes);
        Ok(ablate::Job { suites, variants, already_off, limits })
    })
}

/// Runs all choices side by side.
fn run_choices(args: &ChoiceArgs, subject: Subject) -> anyhow::Result<u8> {
    args.common.conduct(|suites, options| {
        let params = choices::each_choice(subject, &options.params)?;
        let (range, node_limit) = (args.iterations, args.nodes);
        Ok(choices::Job { subject, params, suites, range, node_limit, with_times: !args.no_time })
    })
}

/// Compares each iteration with the previous one.
fn run_growth(args: &GrowthArgs) -> anyhow::Result<u8> {
    args.common.conduct(|suites, _| {
        let limits = args.limits.limits_or(Limits::of_nodes(DEFAULT_NODES));
        Ok(growth::Job { suites, limits, floor: args.floor, ceiling: args.ceiling })
    })
}

impl CommonArgs {
    /// Runs an experiment over the suites.
    fn conduct<E: Experiment>(
        &self,
        plan: impl FnOnce(Vec<Suite>, &Options) -> anyhow::Result<E>,
    ) -> anyhow::Result<u8> {
        let options = self.search.options()?;
        check_outputs(self.outputs.json.as_deref(), &self.files)?;
        let suites = load_or(BuiltIn::CLASSICS, &self.files, false)?;
        self.outputs.conduct(&plan(suites, &options)?, &options)
    }
}

impl OutputArgs {
    /// Runs an experiment and reports the results.
    fn conduct<E: Experiment>(&self, experiment: &E, options: &Options) -> anyhow::Result<u8> {
        let searches = experiment.searches();
        if searches == 0 {
            bail!(E::NOTHING);
        }
        let mut pool = open_pool(options, self.jobs);
        let progress = Progress::new(searches as u64, "searches");
        let report = experiment.run(&mut pool, &mut || progress.add(1));
        progress.finish();
        self.tell(&report)?;
        Ok(if report.holds() { EXIT_DONE } else { EXIT_NOT_HELD })
    }

    /// Writes a report where it was asked for. Standard output carries one output only.
    fn tell(&self, report: &impl Findings) -> anyhow::Result<()> {
        all_tried([
            if self.json.as_deref().is_some_and(is_standard) { Ok(()) } else { show(&report.to_text(), &TABLES) },
            write_if(&self.json, || json_text(report)),
        ])
    }
}
