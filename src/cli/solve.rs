//! `pacioli solve`: solves test suites.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, bail};

use super::output::note;
use super::peers::PeerArgs;
use super::progress::Progress;
use super::results::ResultArgs;
use super::suites::{is_standard, load_or, write_output};
use super::{EXIT_DONE, EXIT_INTERRUPTED, EXIT_NOT_HELD, LimitArgs, SearchArgs};
use crate::engine::Limits;
use crate::runner::{Interrupt, Peer, PeerCommand, PeerError, Place, Pool, Provenance, Shard};
use crate::suite::{self, BuiltIn, PositionResult, Rule, Run, Solver, Solvers, Suite, SuiteReport, Task};
use crate::text::short;

/// Arguments of `solve`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// EPD files with bm, am, dm or points; `-` reads standard input; `tactics` and `classics` are suites that come with
    /// the program. The first of them where none is given.
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    search: SearchArgs,
    /// When a position is solved: `end` (the last answer is right), `held=N` (right in N iterations in a row) or `seen`
    /// (right in any iteration); the last two end the search there.
    #[arg(long, value_name = "RULE", default_value_t = Rule::End)]
    rule: Rule,
    /// Positions searched at a time, each by an engine with a table of its own.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: u16,
    /// Solve one part of N only, the I-th; `pacioli merge` puts the parts together.
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Read the suites under the rules of Chess960.
    #[arg(long)]
    chess960: bool,
    /// Keep times although nodes or depth limit the search. Without them such a run gives the same in every byte.
    #[arg(long)]
    times: bool,
    #[command(flatten)]
    peers: PeerArgs,
    #[command(flatten)]
    results: ResultArgs,
    /// Write the suites as EPD with depth, nodes, time, score and variation in each line.
    #[arg(long, value_name = "FILE")]
    epd: Option<PathBuf>,
    /// Take up a run where it was cut short: what the file of --json holds is not done again.
    #[arg(long, requires = "json")]
    resume: bool,
    /// Overwrite results that the file of --json holds.
    #[arg(long, requires = "json", conflicts_with = "resume")]
    force: bool,
}

/// Where nothing limits the search: the suite that comes along takes about a minute on one core.
const DEFAULT_NODES: u64 = 250_000;

/// An engine that takes part.
enum Contender<'a> {
    /// This engine.
    Own(&'a SearchArgs),
    /// Another one, of which one is running already.
    Peer(PeerCommand, Box<Peer>),
}

/// What is to be done, read and checked before the first search.
struct Plan<'a> {
    args: &'a Args,
    /// The positions to be solved.
    tasks: Vec<Task<'a>>,
    limits: Limits,
    contenders: Vec<Contender<'a>>,
    /// One for each contender, with what was done of it before.
    reports: Vec<SuiteReport>,
    /// Where results are written down as they come.
    place: Option<Place>,
}

/// Runs the command.
///
/// # Errors
///
/// A file that cannot be read or written, bad settings, another engine that does not do its part.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let suites = load_or(BuiltIn::TACTICS, &args.files, args.chess960)?;
    let plan = Plan::new(args, &suites)?;
    let is_empty = plan.tasks.is_empty();
    let interrupt = Interrupt::new();
    interrupt.heed_signals()?;
    let (reports, outcome) = plan.carry_out(&interrupt)?;
    args.write(&suites, &reports)?;
    outcome?;
    for report in &reports {
        doubt_limit(report, args.rule);
    }
    if is_empty {
        note("nothing to solve: no line has bm, am, dm or points");
    }
    if interrupt.is_raised() {
        note(if args.results.json.is_some() { "interrupted: --resume goes on" } else { "interrupted" });
        return Ok(EXIT_INTERRUPTED);
    }
    Ok(if reports.iter().all(SuiteReport::holds) { EXIT_DONE } else { EXIT_NOT_HELD })
}

impl<'a> Plan<'a> {
    fn new(args: &'a Args, suites: &'a [Suite]) -> anyhow::Result<Plan<'a>> {
        let limits = args.limits.limits_or(Limits { nodes: Some(DEFAULT_NODES), ..Limits::default() });
        let contenders = args.contenders()?;
        if args.epd.is_some() && contenders.len() > 1 {
            bail!("--epd holds the analysis of one engine: use --peers-only, or leave --engine out");
        }
        args.results.check(args.epd.iter().map(PathBuf::as_path), &args.files)?;
        let mut runs: Vec<Run> = Vec::with_capacity(contenders.len());
        for contender in &contenders {
            runs.push(suite::describe(suites, args.provenance(contender, &limits)?, args.rule, args.shard));
        }
        let tasks = suite::tasks(suites);
        let json = args.results.json.as_deref().filter(|path| !is_standard(path));
        let place = json.map_or(Ok(None), Place::take)?;
        let reports = match &place {
            Some(place) if args.resume => {
                suite::taken_up(place.text(), &runs, &tasks).with_context(|| place.path().display().to_string())?
            }
            None if args.resume => bail!("--resume goes on with a file: --json names none"),
            _ => runs.into_iter().map(|run| SuiteReport::new(run, Vec::new())).collect(),
        };
        if let (Some(place), false, false) = (&place, args.resume, args.force) {
            check_empty(place)?;
        }
        Ok(Plan { args, tasks, limits, contenders, reports, place })
    }

    /// Solves what is open, and returns what came of it with the first failure of another engine, if any.
    fn carry_out(self, interrupt: &Interrupt) -> anyhow::Result<(Vec<SuiteReport>, Result<(), PeerError>)> {
        let Plan { args, tasks, limits, contenders, mut reports, place } = self;
        let mut bar = Bar::new(&reports, args.results.quiet);
        let mut journal = match place {
            Some(place) => Some(place.begin(&suite::to_jsonl(&reports)?)?),
            None => None,
        };
        let mut outcome = Ok(());
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
            let mut solvers = contender.solvers(args.jobs)?;
            let ended = suite::go_on(&mut solvers, job, report, journal.as_mut(), &mut |result| bar.done(result))?;
            outcome = outcome.and(ended);
        }
        bar.finish();
        if let Some(journal) = journal {
            journal.finish(&suite::to_jsonl(&reports)?)?;
        }
        Ok((reports, outcome))
    }
}

impl Args {
    /// The engines that take part, each known to run.
    fn contenders(&self) -> anyhow::Result<Vec<Contender<'_>>> {
        let mut contenders = Vec::new();
        if !self.peers.only {
            // Bad settings are to be known before another engine is started.
            self.search.options()?;
            contenders.push(Contender::Own(&self.search));
        }
        for peer in &self.peers.peers {
            let command = PeerCommand { hash_mb: self.search.hash, ..peer.clone() };
            let peer = Box::new(Peer::start(&command)?);
            contenders.push(Contender::Peer(command, peer));
        }
        Ok(contenders)
    }

    /// Writes every output, the table last.
    fn write(&self, suites: &[Suite], reports: &[SuiteReport]) -> anyhow::Result<()> {
        self.results.write(reports)?;
        if let (Some(path), [report]) = (&self.epd, reports) {
            write_output(path, &suite::to_epd(suites, report))?;
        }
        let mut outputs = self.results.paths().chain(self.epd.as_deref());
        self.results.tell(reports, outputs.any(is_standard))
    }

    /// With what a contender is run.
    fn provenance(&self, contender: &Contender, limits: &Limits) -> anyhow::Result<Provenance> {
        Ok(match contender {
            Contender::Own(search) => Provenance::of(&search.options()?, limits),
            Contender::Peer(command, peer) => Provenance {
                program: peer.name().to_owned(),
                set: command.options.iter().map(|(name, value)| format!("{name}={value}")).collect(),
                command: Some(command.command.clone()),
                hash_mb: self.search.hash,
                ..Provenance::default()
            }
            .within(limits),
        })
    }
}

impl Contender<'_> {
    /// As many of it as searches run at a time.
    fn solvers(self, jobs: u16) -> anyhow::Result<Solvers> {
        let mut solvers: Vec<Box<dyn Solver>> = Vec::with_capacity(usize::from(jobs));
        match self {
            Contender::Own(search) => {
                let (pool, warning) = Pool::new(&search.options()?, usize::from(jobs));
                if let Some(warning) = warning {
                    note(format_args!("warning: {warning}"));
                }
                solvers.extend(pool.into_workers().into_iter().map(|engine| Box::new(engine) as Box<dyn Solver>));
            }
            Contender::Peer(command, peer) => {
                solvers.push(peer);
                for _ in 1..jobs {
                    solvers.push(Box::new(Peer::start(&command)?));
                }
            }
        }
        Ok(Pool::of(solvers))
    }
}

/// Says so where another engine seems not to know a limit of nodes: some take it for no limit, or for no time at all.
fn doubt_limit(report: &SuiteReport, rule: Rule) {
    let settings = &report.run.provenance;
    let (Some(nodes), None, None, Rule::End) = (settings.nodes, settings.depth, settings.movetime_ms, rule) else {
        return;
    };
    let used: u64 = report.positions.iter().map(|result| result.nodes).sum();
    let mean = used / report.positions.len().max(1) as u64;
    if settings.command.is_some() && !report.positions.is_empty() && !(nodes / 4..=nodes * 4).contains(&mean) {
        let program = &settings.program;
        note(format_args!(
            "{program} used {mean} nodes a position where {nodes} was the limit: it may not know `go nodes`"
        ));
    }
}

/// Makes sure that nothing is in a journal's place that would be lost.
fn check_empty(place: &Place) -> anyhow::Result<()> {
    if place.text().trim().is_empty() {
        return Ok(());
    }
    let path = place.path().display();
    bail!("{path} holds results already: --resume goes on with them, --force overwrites them")
}

/// How many positions are solved until now, and how fast.
struct Bar {
    progress: Progress,
    solved: usize,
    nodes: u64,
    start: Instant,
}

impl Bar {
    /// A bar for what is still to be done.
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
        self.progress.say(format!(", {} solved", self.solved));
    }

    fn done(&mut self, result: &PositionResult) {
        self.solved += usize::from(result.solved);
        self.nodes += result.nodes;
        self.say();
        self.progress.add(1);
    }

    /// Takes the bar away and says how long it took, which no output may depend on.
    fn finish(self) {
        let hidden = self.progress.is_hidden();
        self.progress.finish();
        if !hidden {
            let seconds = self.start.elapsed().as_secs_f64();
            note(format_args!("{seconds:.1} s, {} nodes a second", short(self.nodes as f64 / seconds)));
        }
    }
}
