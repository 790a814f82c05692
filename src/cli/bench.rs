//! `pacioli bench`: a node-count signature and the speed over fixed positions, as OpenBench reads them.

use std::fmt;
use std::time::{Duration, Instant};

use anyhow::bail;

use super::output::{note, write_stdout};
use super::{EXIT_DONE, SearchArgs};
use crate::board::Game;
use crate::engine::{Engine, Limits};
use crate::search::{Silent, StopFlag};
use crate::suite;

/// Arguments of `bench`. The table has the size that UCI begins with, so that test farms measure what plays. The signature
/// holds for that size: with another one positions are forgotten at other times.
#[derive(Debug, clap::Args)]
#[command(mut_arg("hash", |arg| arg.default_value("16").help(HASH_HELP)))]
pub struct Args {
    /// Last iteration for each position.
    #[arg(default_value_t = DEFAULT_DEPTH, value_parser = clap::value_parser!(i32).range(1..=i64::from(MAX_DEPTH)))]
    depth: i32,
    #[command(flatten)]
    search: SearchArgs,
}

/// The bench positions: the first four fields of each line.
const POSITIONS: &str = include_str!("../../positions/bench.epd");

/// Size in megabytes of the table that the signature holds for.
pub const SIGNATURE_HASH_MB: usize = 16;
const HASH_HELP: &str = "Size of the transposition table in megabytes; the signature is that of 16";

/// Last iteration where none is given: a few seconds in all.
pub const DEFAULT_DEPTH: i32 = 12;

/// Last iteration that can be asked for.
pub const MAX_DEPTH: i32 = 64;

/// What the bench measured.
#[derive(Copy, Clone, Debug)]
pub struct Measured {
    /// The signature: nodes over all positions.
    pub nodes: u64,
    /// Nodes in a second of searching; clearing the table between positions does not count.
    pub speed: u64,
}

/// Searches all bench positions to a depth, each as a new game; `None` where it was stopped.
///
/// # Errors
///
/// A position of the file that comes along is damaged.
pub fn measure(engine: &mut Engine, depth: i32, stop: &StopFlag) -> anyhow::Result<Option<Measured>> {
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let suite = suite::parse("bench.epd", POSITIONS.as_bytes());
    if let Some(refused) = suite.refused.first() {
        bail!("{refused}");
    }
    let mut nodes = 0;
    let mut searching = Duration::ZERO;
    for record in suite.records {
        engine.new_game();
        let start = Instant::now();
        nodes += engine.search(&Game::new(record.position), &limits, stop, &mut Silent).nodes;
        searching += start.elapsed();
        if stop.is_raised() {
            return Ok(None);
        }
    }
    let speed = (nodes as f64 / searching.as_secs_f64().max(1e-9)) as u64;
    Ok(Some(Measured { nodes, speed }))
}

impl fmt::Display for Measured {
    /// As OpenBench reads it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} nodes {} nps", self.nodes, self.speed)
    }
}

/// Runs the command.
///
/// # Errors
///
/// Bad settings.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let mut engine = args.search.engine()?;
    if engine.hash_megabytes() != SIGNATURE_HASH_MB {
        let size = engine.hash_megabytes();
        note(format_args!("the signature is that of --hash {SIGNATURE_HASH_MB}; {size} MB have another"));
    }
    if let Some(measured) = measure(&mut engine, args.depth, &StopFlag::new())? {
        write_stdout(&format!("{measured}\n"))?;
    }
    Ok(EXIT_DONE)
}
