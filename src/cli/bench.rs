//! `pacioli bench`: a node-count signature and the speed over fixed positions, as OpenBench reads them.

use std::time::Instant;

use super::{EXIT_DONE, SearchArgs};
use crate::board::{Game, Position};
use crate::engine::Limits;
use crate::search::{Silent, StopFlag};

/// Arguments of `bench`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Last iteration for each position.
    #[arg(default_value_t = 10, value_parser = clap::value_parser!(i32).range(1..=64))]
    depth: i32,
    #[command(flatten)]
    search: SearchArgs,
}

/// The bench positions: the first four fields of each line.
const POSITIONS: &str = include_str!("../../positions/bench.epd");

/// Runs the command.
///
/// # Errors
///
/// Bad settings.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let mut engine = args.search.engine()?;
    let limits = Limits { depth: Some(args.depth), ..Limits::default() };
    let start = Instant::now();
    let mut nodes = 0;
    for line in POSITIONS.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let fen = line.split_whitespace().take(4).collect::<Vec<_>>().join(" ");
        engine.new_game();
        nodes +=
            engine.search(&Game::new(Position::from_fen(&fen, false)?), &limits, &StopFlag::new(), &mut Silent).nodes;
    }
    let elapsed = start.elapsed().as_secs_f64();
    println!("{nodes} nodes {} nps", (nodes as f64 / elapsed.max(1e-9)) as u64);
    Ok(EXIT_DONE)
}
