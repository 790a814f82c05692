//! `pacioli eval`: the static evaluations of a position, term by term and piece by piece.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context;

use super::EXIT_DONE;
use super::output::write_stdout;
use crate::board::Position;
use crate::eval::nnue;
use crate::report::evaluation;

/// Arguments of `eval`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The position.
    #[arg(value_name = "FEN")]
    fen: String,
    /// Read castling rights as Chess960.
    #[arg(long)]
    chess960: bool,
    /// A network file to use instead of the embedded one.
    #[arg(long, value_name = "FILE")]
    eval_file: Option<PathBuf>,
}

/// Runs the command.
///
/// # Errors
///
/// A bad FEN, or a file that is not a network.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let position = Position::from_fen(&args.fen, args.chess960)?;
    let network = match &args.eval_file {
        Some(path) => Some(Arc::new(nnue::open(path).with_context(|| path.display().to_string())?)),
        None => nnue::embedded(),
    };
    write_stdout(&evaluation::to_text(&position, network.as_deref()))?;
    Ok(EXIT_DONE)
}
