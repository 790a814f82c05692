//! `pacioli eval`: the static evaluations of a position, term by term and piece by piece.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::EXIT_DONE;
use super::common::position_from_words;
use super::output::all_tried;
use super::read::{is_standard, open_network};
use super::screen::show;
use super::write::{check_outputs, json_text, write_if};
use crate::eval::nnue;
use crate::report::evaluation;

/// Arguments of `eval`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The position, quoted or unquoted; `startpos` is the initial one.
    #[arg(value_name = "FEN", required = true)]
    fen: Vec<String>,
    /// Read castling rights as Chess960.
    #[arg(long)]
    chess960: bool,
    /// A network file to use instead of the embedded one.
    #[arg(long, value_name = "FILE")]
    eval_file: Option<PathBuf>,
    /// Also write both evaluations as JSON; `-` writes to standard output, instead of the text.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Also write both evaluations as a self-contained HTML page; `-` writes to standard output, instead of the text.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

impl Args {
    /// The files to write.
    fn outputs(&self) -> impl Iterator<Item = &Path> {
        [&self.json, &self.html].into_iter().flatten().map(PathBuf::as_path)
    }
}

/// Runs the command.
///
/// # Errors
///
/// A bad FEN, a file that is not a network, or one that cannot be written.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    check_outputs(args.outputs(), &[])?;
    let position = position_from_words(&args.fen, args.chess960)?;
    let network = match &args.eval_file {
        Some(path) => Some(Arc::new(open_network(path)?)),
        None => nnue::embedded(),
    };
    let network = network.as_deref();
    let show_text = || show(&evaluation::to_text(&position, network), &evaluation::TABLES);
    all_tried([
        write_if(&args.json, || json_text(&evaluation::PositionEvaluation::new(&position, network))),
        write_if(&args.html, || Ok(evaluation::to_page(&position, network))),
        if args.outputs().any(is_standard) { Ok(()) } else { show_text() },
    ])?;
    Ok(EXIT_DONE)
}
