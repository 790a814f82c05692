//! `pacioli solve`: solves test suites.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressStyle};

use super::output::{note, write_stdout};
use super::suites::{check_outputs, is_standard, load_or_classics, write_output};
use super::{EXIT_DONE, EXIT_NOT_HELD, LimitArgs, SearchArgs};
use crate::engine::Limits;
use crate::suite::{self, PositionResult, Progress, Rule, Settings, Suite, SuiteReport};

/// Arguments of `solve`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// EPD files with bm, am, dm or points; `-` reads standard input. The suite that comes with the program where none
    /// is given.
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    search: SearchArgs,
    /// When a position is solved: `end` (the last answer is right), `held=N` (right in N iterations on end) or `seen`
    /// (right in any iteration); the last two end the search there.
    #[arg(long, value_name = "RULE", default_value_t = Rule::End)]
    rule: Rule,
    /// Write the results as JSON. One of these outputs may be `-`: it goes to standard output in place of the table, and
    /// the summary to standard error.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the results as CSV, a row for each position.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write the results as JUnit XML, for build servers.
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Write the suites as EPD with depth, nodes, time, score and variation in each line.
    #[arg(long, value_name = "FILE")]
    epd: Option<PathBuf>,
    /// Neither table nor progress: the summary and refused lines only.
    #[arg(long, short)]
    quiet: bool,
}

/// Where nothing limits the search: about a second on one core.
const DEFAULT_NODES: u64 = 1_000_000;

/// Runs the command.
///
/// # Errors
///
/// A file that cannot be read or written, bad settings.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    if args.outputs().filter(|path| is_standard(path)).count() > 1 {
        bail!("only one output can go to standard output");
    }
    let suites = load_or_classics(&args.files)?;
    let limits = args.limits.limits_or(Limits { nodes: Some(DEFAULT_NODES), ..Limits::default() });
    let solvable = suites.iter().flat_map(|suite| &suite.records).filter(|record| record.is_solvable()).count();
    let mut engine = args.search.engine()?;
    check_outputs(args.outputs(), &args.files)?;
    let mut bar = Bar::new(solvable as u64, args.quiet);
    let settings = settings(args, &limits, engine.hash_megabytes());
    let report = suite::run(&mut engine, &suites, &limits, args.rule, settings, &mut bar);
    bar.bar.finish_and_clear();
    write_outputs(args, &suites, &report)?;
    tell(args, &report)?;
    if solvable == 0 {
        note("nothing to solve: no line has bm, am, dm or points");
    }
    Ok(if report.holds() { EXIT_DONE } else { EXIT_NOT_HELD })
}

impl Args {
    /// The files to be written.
    fn outputs(&self) -> impl Iterator<Item = &Path> {
        [&self.json, &self.csv, &self.junit, &self.epd].into_iter().flatten().map(PathBuf::as_path)
    }
}

/// Writes what was asked for besides the table.
fn write_outputs(args: &Args, suites: &[Suite], report: &SuiteReport) -> anyhow::Result<()> {
    if let Some(path) = &args.json {
        let json = serde_json::to_string_pretty(report).context("cannot write JSON")?;
        write_output(path, &format!("{json}\n"))?;
    }
    if let Some(path) = &args.csv {
        write_output(path, &suite::to_csv(report).context("cannot write CSV")?)?;
    }
    if let Some(path) = &args.junit {
        write_output(path, &suite::to_junit(report).context("cannot write JUnit XML")?)?;
    }
    if let Some(path) = &args.epd {
        write_output(path, &suite::to_epd(suites, report))?;
    }
    Ok(())
}

/// The settings for the report.
fn settings(args: &Args, limits: &Limits, hash_mb: usize) -> Settings {
    Settings {
        profile: args.search.profile.to_string(),
        set: args.search.settings.clone(),
        hash_mb,
        rule: args.rule.to_string(),
        movetime_ms: limits.move_time.and_then(|time| u64::try_from(time.as_millis()).ok()),
        nodes: limits.nodes,
        depth: limits.depth,
    }
}

/// Writes table and summary. An output on standard output must stand there alone, so the summary gives way.
fn tell(args: &Args, report: &SuiteReport) -> anyhow::Result<()> {
    let mut text = String::new();
    let taken = args.outputs().any(is_standard);
    if !args.quiet && !taken {
        text.push_str(&suite::tables(report));
    }
    for line in suite::summary_lines(report) {
        text.push_str(&line);
        text.push('\n');
    }
    if taken {
        note(text.trim_end());
        return Ok(());
    }
    write_stdout(&text)
}

/// A progress bar on standard error, where a person is looking.
struct Bar {
    bar: ProgressBar,
    solved: u64,
}

impl Bar {
    /// A bar for this many positions; hidden where standard error is no terminal.
    fn new(positions: u64, quiet: bool) -> Bar {
        let hidden = quiet || !io::stderr().is_terminal();
        let bar = if hidden { ProgressBar::hidden() } else { ProgressBar::new(positions) };
        let template = "{bar:30} {pos}/{len}, {msg}, {per_sec}, {eta} left";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_message("0 solved");
        if !hidden {
            bar.enable_steady_tick(Duration::from_millis(250));
        }
        Bar { bar, solved: 0 }
    }
}

impl Progress for Bar {
    fn done(&mut self, result: &PositionResult) {
        self.solved += u64::from(result.solved);
        self.bar.set_message(format!("{} solved", self.solved));
        self.bar.inc(1);
    }
}
