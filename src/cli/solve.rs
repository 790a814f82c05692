//! `pacioli solve`: solves test suites.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, bail};

use super::common::{TablesArgs, open_pool, warn_of_tables};
use super::counts::jobs;
use super::kinds::Wanted;
use super::output::{all_tried, note, note_other_commits};
use super::peers::PeerArgs;
use super::progress::Progress;
use super::read::{is_standard, load_or};
use super::results::ResultArgs;
use super::write::{check_own, write_output};
use super::{EXIT_DONE, EXIT_INTERRUPTED, EXIT_NOT_HELD, LimitArgs, SearchArgs};
use crate::engine::{Limits, Options};
use crate::params::Profile;
use crate::runner::{CHESS960, Interrupt, JournalFile, Kind, Peer, PeerCommand, Pool, Provenance, Shard, first_true};
use crate::suite::{self, BuiltIn, PositionResult, Rule, Run, RunError, Solver, Solvers, Suite, SuiteReport, Task};
use crate::text::{grouped, short};

/// Arguments of `solve`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// EPD files with bm, am, dm or points; `-` reads standard input; `tactics` and `classics` are built-in suites.
    /// `tactics` if none is given.
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    search: SearchArgs,
    #[command(flatten)]
    tables: TablesArgs,
    /// When a position counts as solved: `end` (the final answer is right), `held=N` (right in N iterations in a row)
    /// or `seen` (right in any iteration); the last two end the search at that point.
    #[arg(long, value_name = "RULE", default_value_t = Rule::End)]
    rule: Rule,
    /// Positions searched in parallel, each by an engine with its own table.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = jobs)]
    jobs: u16,
    /// Solve only the I-th of N parts; `pacioli merge` combines the parts.
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Read the suites under the rules of Chess960.
    #[arg(long)]
    chess960: bool,
    /// Record times although nodes or depth limit the search. Without them such a run is reproducible byte for byte.
    #[arg(long)]
    times: bool,
    #[command(flatten)]
    peers: PeerArgs,
    #[command(flatten)]
    results: ResultArgs,
    /// Write the suites as EPD with depth, nodes, time, score and variation in each line.
    #[arg(long, value_name = "FILE")]
    epd: Option<PathBuf>,
    /// Resume an interrupted run: results already in the --json file are not computed again.
    #[arg(long, requires = "json")]
    resume: bool,
    /// Overwrite results in the --json file.
    #[arg(long, requires = "json", conflicts_with = "resume")]
    force: bool,
}

/// If nothing limits the search: the built-in suite takes a minute or two on one core.
pub(super) const DEFAULT_NODES: u64 = 250_000;

/// An engine that takes part.
enum Contender {
    /// This engine, one instance for each parallel search.
    Own(Pool),
    /// Another one, with one instance already running.
    Peer(PeerCommand, Box<Peer>),
}

/// The work to do, read and checked before the first search.
struct Plan<'a> {
    args: &'a Args,
    /// The positions to solve.
    tasks: Vec<Task<'a>>,
    limits: Limits,
    contenders: Vec<Contender>,
    /// One for each contender, with the results of earlier runs.
    reports: Vec<SuiteReport>,
    /// Where results are recorded as they come in.
    journal_file: Option<JournalFile>,
}

/// Runs the command.
///
/// # Errors
///
/// A file that cannot be read or written, bad settings, or another engine that fails.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let suites = load_or(BuiltIn::TACTICS, &args.files, args.chess960)?;
    let interrupt = Interrupt::new();
    // Before the engines take the memory.
    interrupt.heed_signals()?;
    let plan = Plan::new(args, &suites, &interrupt)?;
    if interrupt.is_raised() {
        note("interrupted");
        return Ok(EXIT_INTERRUPTED);
    }
    let is_empty = plan.tasks.is_empty();
    let has_journal = plan.journal_file.is_some();
    let (reports, outcome) = plan.carry_out(&interrupt)?;
    // A journal has them already, or must not be written over since another file has taken its place.
    let json = if has_journal { Ok(()) } else { args.results.write_json(&reports, None) };
    // Without results a run that was interrupted replaces no others.
    let is_empty_handed = interrupt.is_raised() && reports.iter().all(|report| report.positions.is_empty());
    let others = if is_empty_handed { Ok(()) } else { args.write(&suites, &reports) };
    all_tried([outcome, json, others])?;
    for report in &reports {
        doubt_limit(report, args.rule);
    }
    if is_empty {
        note("nothing to solve: no line has bm, am, dm or points");
    }
    if reports.iter().any(|report| report.run.is_empty_part()) {
        note("nothing to solve: this part of the positions is empty");
    }
    if interrupt.is_raised() {
        note(if args.results.json.is_some() { "interrupted: --resume continues" } else { "interrupted" });
        return Ok(EXIT_INTERRUPTED);
    }
    Ok(if reports.iter().all(SuiteReport::holds) { EXIT_DONE } else { EXIT_NOT_HELD })
}

impl<'a> Plan<'a> {
    fn new(args: &'a Args, suites: &'a [Suite], interrupt: &Interrupt) -> anyhow::Result<Plan<'a>> {
        let limits = args.limits.limits_or(Limits::of_nodes(DEFAULT_NODES));
        let contenders = args.contenders(interrupt)?;
        if args.epd.is_some() && contenders.len() > 1 {
            bail!("--epd holds the analysis of one engine: use --peers-only, or leave --engine out");
        }
        args.results.check(args.epd.as_deref(), &args.files)?;
        let mut runs: Vec<Run> = Vec::with_capacity(contenders.len());
        for contender in &contenders {
            runs.push(suite::describe(suites, args.provenance(contender, &limits), args.rule, args.shard));
        }
        let tasks = suite::tasks(suites);
        let json = args.results.json.as_deref().filter(|path| !is_standard(path));
        let journal_file = json.map_or(Ok(None), JournalFile::take)?;
        let reports = match &journal_file {
            Some(journal_file) if args.resume => {
                let name = journal_file.path().display();
                let reports = suite::taken_up(journal_file.text(), &runs, &tasks).with_context(|| name.to_string())?;
                for (report, run) in reports.iter().zip(&runs) {
                    let mut taken_part = report.run.head.provenance.clone();
                    note_other_commits(&name, taken_part.go_on_by(&run.head.provenance).as_deref());
                }
                reports
            }
            None if args.resume => bail!("--resume needs --json FILE"),
            _ => runs.into_iter().map(|run| SuiteReport::new(run, Vec::new())).collect(),
        };
        if let (Some(journal_file), false) = (&journal_file, args.resume) {
            if args.force {
                check_own(journal_file.path(), Wanted::Json(Kind::Solve))?
            } else {
                check_empty(journal_file)?
            }
        }
        Ok(Plan { args, tasks, limits, contenders, reports, journal_file })
    }

    /// Solves what is open, and returns the results with the first failure, if any. The others are told at once.
    fn carry_out(self, interrupt: &Interrupt) -> anyhow::Result<(Vec<SuiteReport>, anyhow::Result<()>)> {
        let Plan { args, tasks, limits, contenders, mut reports, journal_file } = self;
        let mut bar = Bar::new(&reports, args.results.quiet);
        let mut journal = match journal_file {
            Some(journal_file) => Some(journal_file.begin(&suite::to_jsonl(&reports)?)?),
            None => None,
        };
        let mut outcome = Ok(());
        let own = contenders.iter().find_map(Contender::options);
        for (report, contender) in reports.iter_mut().zip(contenders) {
            let open = report.open(&tasks);
            if open.is_empty() {
                continue;
            }
            let job = suite::Job {
                tasks: &open,
                limits: &limits,
                rule: args.rule,
                with_times: args.times || limits.move_time.is_some(),
                interrupt,
            };
            let mut tell = |result: &PositionResult| bar.done(result);
            let ended = contender
                .solvers(args.jobs, interrupt)
                .and_then(|mut solvers| Ok(suite::go_on(&mut solvers, job, report, journal.as_mut(), &mut tell)?));
            // Another engine may do better, but not without a place for its results.
            let is_lost = lost_its_journal(&ended);
            outcome = bar.progress.suspend(|| all_tried([outcome, ended]));
            if is_lost {
                bar.finish();
                return Ok((reports, outcome));
            }
        }
        bar.finish();
        own.iter().for_each(warn_of_tables);
        if let Some(journal) = journal
            && let Err(error) = journal.finish(&suite::to_jsonl(&reports)?)
        {
            outcome = all_tried([outcome, Err(RunError::from(error).into())]);
        }
        Ok((reports, outcome))
    }
}

impl Args {
    /// The engines that take part, each known to start.
    fn contenders(&self, interrupt: &Interrupt) -> anyhow::Result<Vec<Contender>> {
        let own = if self.peers.only {
            self.check_for_peers()?;
            None
        } else {
            // Report bad settings before another engine is started.
            let mut options = self.search.options()?;
            self.tables.add_to(&mut options)?;
            Some(options)
        };
        let mut peers = Vec::new();
        for peer in &self.peers.peers {
            let command = PeerCommand { hash_mb: self.search.hash, ..peer.clone() };
            let peer = Box::new(Peer::start(&command, interrupt)?);
            peers.push(Contender::Peer(command, peer));
        }
        // In the memory that the others have left.
        let own = own.map(|options| Contender::Own(open_pool(&options, self.jobs)));
        Ok(own.into_iter().chain(peers).collect())
    }

    /// Makes sure that nothing is asked for that only this engine has.
    fn check_for_peers(&self) -> anyhow::Result<()> {
        let given = [
            (!self.search.settings.is_empty(), "--set"),
            (self.search.profile != Profile::default(), "--profile"),
            (self.tables.are_given(), "--syzygy"),
        ];
        match first_true(&given) {
            Some(option) => bail!("{option} is for Pacioli, which --peers-only leaves out; see --engine-option"),
            None => Ok(()),
        }
    }

    /// Writes every output but the JSON lines, and the table last.
    fn write(&self, suites: &[Suite], reports: &[SuiteReport]) -> anyhow::Result<()> {
        let epd = match (&self.epd, reports) {
            (Some(path), [report]) => write_output(path, &suite::to_epd(suites, report)),
            _ => Ok(()),
        };
        let mut outputs = self.results.paths().chain(self.epd.as_deref());
        all_tried([self.results.write_reports(reports), epd, self.results.tell(reports, outputs.any(is_standard))])
    }

    /// The settings a contender runs with.
    fn provenance(&self, contender: &Contender, limits: &Limits) -> Provenance {
        let mut provenance = match contender {
            Contender::Own(pool) => pool.provenance(limits),
            Contender::Peer(command, peer) => Provenance {
                program: peer.name().to_owned(),
                set: command.options.iter().map(|(name, value)| format!("{name}={value}")).collect(),
                command: Some(command.command.clone()),
                hash_mb: peer.hash_mb(),
                ..Provenance::default()
            }
            .within(limits),
        };
        // Castling is written otherwise then, so such results do not belong with others.
        if self.chess960 {
            provenance.set.push(format!("{CHESS960}=true"));
        }
        provenance
    }
}

impl Contender {
    /// This engine's options.
    fn options(&self) -> Option<Options> {
        if let Contender::Own(pool) = self { Some(pool.options()) } else { None }
    }

    /// One instance for each parallel search.
    fn solvers(self, jobs: u16, interrupt: &Interrupt) -> anyhow::Result<Solvers> {
        let mut solvers: Vec<Box<dyn Solver>> = Vec::with_capacity(usize::from(jobs));
        match self {
            Contender::Own(pool) => {
                solvers.extend(pool.into_workers().into_iter().map(|engine| Box::new(engine) as Box<dyn Solver>));
            }
            Contender::Peer(command, peer) => {
                solvers.push(peer);
                for _ in 1..jobs {
                    solvers.push(Box::new(Peer::start(&command, interrupt)?));
                }
            }
        }
        Ok(Pool::of(solvers))
    }
}

/// Whether a run ended because its journal cannot be written.
fn lost_its_journal(outcome: &anyhow::Result<()>) -> bool {
    outcome.as_ref().is_err_and(|error| matches!(error.downcast_ref(), Some(RunError::Journal(_))))
}

/// Warns if another engine seems to ignore a node limit: some take it as no limit, or as no time at all.
fn doubt_limit(report: &SuiteReport, rule: Rule) {
    let settings = &report.run.head.provenance;
    let (Some(nodes), None, None, Rule::End) = (settings.nodes, settings.depth, settings.movetime_ms, rule) else {
        return;
    };
    // A proven mate may end a search.
    let searched: Vec<u64> =
        report.positions.iter().filter(|result| !result.score.value.is_mate()).map(|result| result.nodes).collect();
    let sum: u128 = searched.iter().map(|&nodes| u128::from(nodes)).sum();
    let mean = (sum / searched.len().max(1) as u128) as u64;
    if settings.command.is_some() && !searched.is_empty() && !(nodes / 4..=nodes.saturating_mul(4)).contains(&mean) {
        let program = &settings.program;
        note(format_args!(
            "{program} used {} nodes per position although the limit was {}: it may not support `go nodes`",
            grouped(mean),
            grouped(nodes)
        ));
    }
}

/// Makes sure that nothing in the journal's file would be lost.
fn check_empty(journal_file: &JournalFile) -> anyhow::Result<()> {
    if journal_file.text().trim().is_empty() {
        return Ok(());
    }
    let path = journal_file.path().display();
    bail!("{path} is not empty: --resume continues with its results, if it has any, --force overwrites it")
}

/// How many positions are solved so far, and how fast.
struct Bar {
    progress: Progress,
    solved: usize,
    nodes: u64,
    start: Instant,
}

impl Bar {
    /// A bar for the remaining work.
    fn new(reports: &[SuiteReport], quiet: bool) -> Bar {
        let wanted: usize = reports.iter().map(|report| report.run.wanted()).sum();
        let done: usize = reports.iter().map(|report| report.positions.len()).sum();
        let solved = reports.iter().map(|report| report.total.solved).sum();
        let progress = if quiet { Progress::hidden() } else { Progress::new(wanted as u64, "positions") };
        progress.begin_at(done as u64);
        let bar = Bar { progress, solved, nodes: 0, start: Instant::now() };
        bar.say();
        bar
    }

    fn say(&self) {
        self.progress.say(format!(", {} solved", grouped(self.solved as u64)));
    }

    fn done(&mut self, result: &PositionResult) {
        self.solved += usize::from(result.solved);
        self.nodes += result.nodes;
        self.say();
        self.progress.add(1);
    }

    /// Removes the bar and prints how long it took, which no output may depend on.
    fn finish(self) {
        let hidden = self.progress.is_hidden();
        self.progress.finish();
        if !hidden {
            let seconds = self.start.elapsed().as_secs_f64();
            note(format_args!("{seconds:.1} s, {} nodes per second", short(self.nodes as f64 / seconds)));
        }
    }
}
