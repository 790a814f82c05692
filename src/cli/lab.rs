//! `pacioli lab`: experiments on the search.

use std::fs::File;
use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Subcommand;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use super::output::{note, write_stdout};
use super::suites::{check_outputs, is_standard, load_or_classics, write_output};
use super::{EXIT_DONE, EXIT_NOT_HELD, SearchArgs};
use crate::engine::Limits;
use crate::lab::compare::Subject;
use crate::lab::wdl::Samples;
use crate::lab::{Pool, ablate, compare, text, variants};
use crate::report::IterationRange;
use crate::suite::{Record, Rule, Settings, Suite};

/// Arguments of `lab`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    experiment: Experiment,
}

#[derive(Debug, Subcommand)]
enum Experiment {
    /// What each credit mechanism is worth: solve suites with one after the other switched off.
    Ablate(AblateArgs),
    /// What each window policy costs, iteration by iteration.
    Aspiration(CompareArgs),
    /// What each root driver costs, iteration by iteration.
    Drivers(CompareArgs),
    /// Fit winning chances by score and material to games with scores in their comments.
    Wdl(WdlArgs),
}

/// What all experiments take.
#[derive(Debug, clap::Args)]
struct CommonArgs {
    /// EPD files; `-` reads standard input. The suite that comes with the program where none is given.
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Searches at a time, each in an engine with a table of its own.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: u16,
    /// Also write the results as JSON; `-` is standard output, in place of the table.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    #[command(flatten)]
    search: SearchArgs,
}

/// Arguments of `lab ablate`.
#[derive(Debug, clap::Args)]
struct AblateArgs {
    #[command(flatten)]
    common: CommonArgs,
    /// Nodes for each position.
    #[arg(long, value_name = "N", default_value_t = 300_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
}

/// Arguments of `lab aspiration` and `lab drivers`.
#[derive(Debug, clap::Args)]
struct CompareArgs {
    #[command(flatten)]
    common: CommonArgs,
    /// The iterations to show, both ends included.
    #[arg(long, value_name = "A..B", default_value = "5..10")]
    iterations: IterationRange,
    /// Leave times out, so that two runs with the same settings give the same report.
    #[arg(long)]
    no_time: bool,
}

/// Arguments of `lab wdl`.
#[derive(Debug, clap::Args)]
struct WdlArgs {
    /// PGN files as fastchess and cutechess write them.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

/// Runs the command.
///
/// # Errors
///
/// Bad files or settings, or nothing to search in them.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    match &args.experiment {
        Experiment::Ablate(args) => run_ablate(args),
        Experiment::Aspiration(args) => run_compare(args, Subject::Aspiration),
        Experiment::Drivers(args) => run_compare(args, Subject::Drivers),
        Experiment::Wdl(args) => run_wdl(args),
    }
}

/// Takes out one mechanism after the other.
fn run_ablate(args: &AblateArgs) -> anyhow::Result<u8> {
    let common = &args.common;
    let options = common.search.options()?;
    let (variants, already_off) = variants(&options.params)?;
    check_outputs(common.json.as_deref(), &common.files)?;
    let suites = load_or_classics(&common.files)?;
    let solvable = ablate::solvable(&suites).len();
    if solvable == 0 {
        bail!("nothing to solve: no line has bm, am, dm or points");
    }
    let settings = Settings {
        profile: options.profile.to_string(),
        set: common.search.settings.clone(),
        hash_mb: options.hash_mb,
        rule: Rule::End.to_string(),
        nodes: Some(args.nodes),
        ..Settings::default()
    };
    let limits = Limits { nodes: Some(args.nodes), ..Limits::default() };
    let bar = bar(solvable * variants.len())?;
    let job = ablate::Job { suites: &suites, variants: &variants, already_off, limits, settings };
    let report = ablate::run(&mut common.pool()?, job, &mut || bar.inc(1));
    bar.finish_and_clear();
    common.tell(&report, &text::ablation(&report))?;
    Ok(exit_code(&suites))
}

/// Runs all choices side by side.
fn run_compare(args: &CompareArgs, subject: Subject) -> anyhow::Result<u8> {
    let common = &args.common;
    let mut pool = common.pool()?;
    check_outputs(common.json.as_deref(), &common.files)?;
    let suites = load_or_classics(&common.files)?;
    let records: Vec<&Record> = suites.iter().flat_map(|suite| &suite.records).collect();
    if records.is_empty() {
        bail!("nothing to search: no line is a position");
    }
    let bar = bar(records.len() * subject.choices().len())?;
    let job = compare::Job {
        subject,
        records: &records,
        refused: suites.iter().map(|suite| suite.refused.len()).sum(),
        range: args.iterations,
        with_times: !args.no_time,
        settings: &common.search.settings,
    };
    let report = compare::run(&mut pool, job, &mut || bar.inc(1))?;
    bar.finish_and_clear();
    common.tell(&report, &text::comparison(&report))?;
    Ok(exit_code(&suites))
}

/// Fits winning chances.
fn run_wdl(args: &WdlArgs) -> anyhow::Result<u8> {
    let mut samples = Samples::default();
    for path in &args.files {
        let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
        let found = Samples::read(file).with_context(|| format!("cannot read {}", path.display()))?;
        samples.merge(found);
    }
    if samples.is_empty() {
        bail!("no move has a score in its comment, such as {{+0.35/12 0.10s}}");
    }
    write_stdout(&samples.to_text(&samples.fit()))?;
    Ok(EXIT_DONE)
}

impl CommonArgs {
    /// The engines; a smaller table than asked for is said on standard error.
    fn pool(&self) -> anyhow::Result<Pool> {
        let (pool, warning) = Pool::new(&self.search.options()?, usize::from(self.jobs));
        if let Some(warning) = warning {
            note(format_args!("warning: {warning}"));
        }
        Ok(pool)
    }

    /// Writes a report as it was asked for. Standard output carries one thing at a time; the table comes first, so that
    /// a file that cannot be written does not take a long run's result with it.
    fn tell(&self, report: &impl Serialize, text: &str) -> anyhow::Result<()> {
        if !self.json.as_deref().is_some_and(is_standard) {
            write_stdout(text)?;
        }
        let Some(path) = &self.json else { return Ok(()) };
        let json = serde_json::to_string_pretty(report).context("cannot write JSON")?;
        write_output(path, &format!("{json}\n"))
    }
}

/// Lines that could not be used are what may not hold here.
fn exit_code(suites: &[Suite]) -> u8 {
    if suites.iter().all(|suite| suite.refused.is_empty()) { EXIT_DONE } else { EXIT_NOT_HELD }
}

/// A progress bar on standard error, hidden where that is no terminal.
fn bar(searches: usize) -> anyhow::Result<ProgressBar> {
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} searches, {eta} left")?;
    Ok(ProgressBar::new(searches as u64).with_style(style))
}
