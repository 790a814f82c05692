//! `pacioli lab spsa`: tuning by self-play.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::builder::ArgPredicate;

use crate::cli::common::{open_pool, stop_by_signals};
use crate::cli::counts::{count, jobs, positive, within};
use crate::cli::kinds::{self, Wanted};
use crate::cli::output::{all_tried, note, note_other_commits};
use crate::cli::progress::Progress;
use crate::cli::read::{is_standard, load_openings};
use crate::cli::screen::show;
use crate::cli::write::{check_places, check_replaceable, check_resumable, write_if};
use crate::cli::{EXIT_DONE, EXIT_INTERRUPTED, SearchArgs};
use crate::engine::{Clock, Limits, TimeControl};
use crate::files;
use crate::lab::spsa::{self, Conditions, PAIR, Rivals, Tunable, Tuning};
use crate::lab::text::{self, TABLES};
use crate::params::{ParamInfo, Params, Value};
use crate::text::decoded;

/// The most pairs in a batch: all their settings are held in memory.
const MAX_BATCH: u64 = 10_000;
/// Of so many pairs one side wins some, hardly ever none, if what is tuned has an effect.
const TELLING_PAIRS: u64 = 16;

/// Arguments of `lab spsa`. Small tables are quick to clear, and few nodes are searched.
#[derive(Debug, clap::Args)]
#[command(mut_arg("hash", |arg| arg.default_value("4")))]
pub struct Args {
    /// The results, batch by batch, as JSON lines; an existing file is resumed.
    #[arg(value_name = "JOURNAL.jsonl")]
    journal: PathBuf,
    /// What to tune: names of tunables, from the values in force and over their whole ranges, or files with a line for
    /// each.
    #[arg(long, value_name = "FILE|NAME", num_args = 1.., required = true)]
    tune: Vec<String>,
    /// Games in all, an even number. The steps become smaller towards the last.
    #[arg(long, value_name = "N", value_parser = even)]
    games: u64,
    /// Nodes for each move.
    #[arg(long, value_name = "N", value_parser = positive, required_unless_present = "clock")]
    nodes: Option<u64>,
    /// A clock for each game instead, in seconds, with seconds gained with every move, as in 8+0.08. It runs as
    /// --set node_time=N says: N nodes are a millisecond.
    #[arg(long, value_name = "TIME", conflicts_with = "nodes")]
    clock: Option<TimeControl>,
    /// EPD files with positions to start from, instead of the opening position; `-` reads standard input.
    #[arg(long, value_name = "FILE.epd")]
    openings: Vec<PathBuf>,
    /// Random moves before the first search; none if there are --openings.
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = within::<u16>(0..=100))]
    #[arg(default_value_if("openings", ArgPredicate::IsPresent, "0"))]
    random_plies: u16,
    /// Seed of all random choices.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = count)]
    seed: u64,
    /// Pairs of games played in parallel, each with two engines. The results do not depend on this number; more than
    /// --batch are of no use.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = jobs)]
    jobs: u16,
    /// Pairs of games played around the same values before their results count.
    #[arg(long, value_name = "PAIRS", default_value_t = 8, value_parser = within::<u64>(1..=MAX_BATCH))]
    batch: u64,
    /// Also draw the values over the games, as an SVG picture.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    search: SearchArgs,
}

/// Parses a number of games.
fn even(text: &str) -> Result<u64, String> {
    let games = positive(text)?;
    if games.is_multiple_of(PAIR) { Ok(games) } else { Err("expected an even number: games come in pairs".to_owned()) }
}

/// Runs the command.
///
/// # Errors
///
/// Bad files or settings.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    check_resumable(&args.journal)?;
    check_places([args.journal.as_path()].into_iter().chain(args.svg.as_deref()), &args.inputs())?;
    check_replaceable(args.svg.as_deref())?;
    let conditions = args.conditions()?;
    let name = args.journal.display();
    let engines = open_pool(&conditions.options, args.jobs.saturating_mul(PAIR as u16));
    let origin = conditions.origin(engines.provenance(&Limits::default()), args.games, args.seed, args.batch);
    let Some(mut pool) = Rivals::pair_off(engines) else { bail!("there is no memory for two engines") };
    let stop = stop_by_signals()?;
    let mut tuning = Tuning::open(&args.journal, origin).with_context(|| format!("{name}"))?;
    note_other_commits(&name, tuning.begun_by.as_deref());

    let progress = Progress::new(args.games, "games");
    progress.begin_at(tuning.tuner().games());
    let play = |rivals: &mut Rivals, contest: &_| conditions.play(rivals, contest, &stop);
    spsa::run(&mut pool, &mut tuning, play, &stop, &mut || progress.add(PAIR)).with_context(|| format!("{name}"))?;
    progress.finish();
    all_tried([
        if args.svg.as_deref().is_some_and(is_standard) { Ok(()) } else { show(&text::spsa(&tuning), &TABLES) },
        write_if(&args.svg, || Ok(spsa::picture(&tuning))),
    ])?;
    let tuner = tuning.tuner();
    if tuner.decided() == 0 && tuner.done() >= TELLING_PAIRS {
        note(format_args!("{name}: no pair of games was won: what is tuned may have no effect with these settings"));
    }
    if tuner.left() > 0 {
        note("interrupted: the same command resumes it");
        return Ok(EXIT_INTERRUPTED);
    }
    Ok(EXIT_DONE)
}

impl Args {
    fn conditions(&self) -> anyhow::Result<Conditions> {
        let options = self.search.options()?;
        Ok(Conditions {
            tunables: self.tunables(&options.params)?,
            limits: self.limits(&options.params)?,
            options,
            book: load_openings(&self.openings)?,
            random_plies: usize::from(self.random_plies),
        })
    }

    /// The limits of each move.
    fn limits(&self, params: &Params) -> anyhow::Result<Limits> {
        if self.clock.is_some() && params.node_time == 0 {
            bail!("--clock: without nodes that stand for time (--set node_time=N) no game could be repeated");
        }
        let clock = self.clock.map(Clock::from).unwrap_or_default();
        Ok(Limits { nodes: self.nodes, clock, ..Limits::default() })
    }

    /// What is tuned.
    fn tunables(&self, params: &Params) -> anyhow::Result<Vec<Tunable>> {
        let mut tunables = Vec::new();
        for word in &self.tune {
            match Tunable::named(word) {
                Ok(tunable) => spsa::add(&mut tunables, in_force(tunable, params)).context("--tune")?,
                Err(_) if Path::new(word).exists() => {
                    let before = tunables.len();
                    add_file(&mut tunables, Path::new(word))?;
                    self.check_unset(word, &tunables[before..])?;
                }
                Err(error) => return Err(error).with_context(|| format!("--tune: there is no file `{word}`")),
            }
        }
        if tunables.is_empty() {
            bail!("--tune: nothing to tune in {}", self.tune.join(", "));
        }
        Ok(tunables)
    }

    /// Checks that no setting is for what a file tunes, from the value in its line: it would have no effect.
    fn check_unset(&self, file: &str, tunables: &[Tunable]) -> anyhow::Result<()> {
        for setting in &self.search.settings {
            let name = setting.split('=').next().and_then(ParamInfo::find).map_or("", |info| info.name);
            if let Some(Tunable { start, .. }) = tunables.iter().find(|tunable| tunable.name == name) {
                bail!("--set {setting}: {file} tunes it, from {start}; change its line instead");
            }
        }
        Ok(())
    }

    /// The files that must not be overwritten.
    fn inputs(&self) -> Vec<PathBuf> {
        let tune = self.tune.iter().map(PathBuf::from);
        tune.chain(self.openings.iter().cloned()).collect()
    }
}

/// The tunable from the value in force.
fn in_force(tunable: Tunable, params: &Params) -> Tunable {
    match params.get(&tunable.name) {
        Some(Value::Number(start)) => Tunable { start, ..tunable },
        _ => tunable,
    }
}

/// Adds the tunables of a file's lines.
fn add_file(tunables: &mut Vec<Tunable>, path: &Path) -> anyhow::Result<()> {
    let name = path.display().to_string();
    let bytes = files::read(path, files::TEXT_LIMIT).with_context(|| format!("cannot read {name}"))?;
    kinds::check_text(&name, &bytes, Wanted::Tunables)?;
    spsa::add_lines(tunables, &decoded(&bytes))
        .map_err(|(line, error)| anyhow::Error::from(error).context(format!("{name}: line {line}")))
}
