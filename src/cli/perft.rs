//! `pacioli perft`: counts the leaves of the legal move tree.

use std::time::Instant;

use super::EXIT_DONE;
use super::common::position_from_fen;
use super::output::write_stdout;
use crate::board::{Position, divide, perft};

/// Arguments of `perft`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Depth in plies.
    #[arg(value_parser = clap::value_parser!(u32).range(0..=30))]
    depth: u32,
    /// The position; the start position if none is given.
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// Show the count below each move.
    #[arg(long)]
    divide: bool,
    /// Read and write castling as in Chess960.
    #[arg(long)]
    chess960: bool,
}

/// Runs the command.
///
/// # Errors
///
/// A bad FEN.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let position = match &args.fen {
        Some(fen) => position_from_fen(fen, args.chess960)?,
        None => Position::default(),
    };
    let start = Instant::now();
    let nodes = if args.divide && args.depth > 0 {
        let counts = divide(&position, args.depth);
        for &(m, count) in &counts {
            write_stdout(&format!("{}: {count}\n", position.uci(m)))?;
        }
        counts.iter().map(|(_, count)| count).sum()
    } else {
        perft(&position, args.depth)
    };
    let elapsed = start.elapsed();
    let speed = (nodes as f64 / elapsed.as_secs_f64().max(1e-9)) as u64;
    write_stdout(&format!("{nodes} nodes in {:.3} s, {speed} nodes/s\n", elapsed.as_secs_f64()))?;
    Ok(EXIT_DONE)
}
