//! `pacioli eval`: the static evaluation of a position, term by term.

use super::EXIT_DONE;
use super::output::write_stdout;
use crate::board::Position;
use crate::report::evaluation;

/// Arguments of `eval`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The position.
    #[arg(value_name = "FEN")]
    fen: String,
    /// Read castling rights as Chess960 does.
    #[arg(long)]
    chess960: bool,
}

/// Runs the command.
///
/// # Errors
///
/// A bad FEN.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    write_stdout(&evaluation::to_text(&Position::from_fen(&args.fen, args.chess960)?))?;
    Ok(EXIT_DONE)
}
