//! `pacioli explain`: which mechanism paid for each ply of the principal variation.

use std::path::PathBuf;

use super::common::game_from_fen;
use super::output::{note, write_stdout};
use super::{EXIT_DONE, EXIT_NOT_HELD, LimitArgs, SearchArgs, suites};
use crate::engine::Limits;
use crate::report::explain::{explain, to_text};

/// Nodes searched where no limit is given.
const DEFAULT_NODES: u64 = 1_000_000;

/// Arguments of `explain`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The position, quoted or in words.
    #[arg(value_name = "FEN", required = true)]
    fen: Vec<String>,
    #[command(flatten)]
    limits: LimitArgs,
    /// Read the position under the rules of Chess960.
    #[arg(long)]
    chess960: bool,
    #[command(flatten)]
    search: SearchArgs,
    /// Also write the explanation as JSON; `-` is standard output, in place of the text.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// Runs the command.
///
/// # Errors
///
/// A bad position, bad settings, or a file that cannot be written.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let game = game_from_fen(&args.fen.join(" "), args.chess960)?;
    suites::check_outputs(args.json.as_deref(), &[])?;
    let mut engine = args.search.engine()?;
    let limits = args.limits.limits_or(Limits { nodes: Some(DEFAULT_NODES), ..Limits::default() });
    let Some(explanation) = explain(&mut engine, &game, &limits) else {
        note("nothing to explain: no iteration was finished, or there is no legal move");
        return Ok(EXIT_NOT_HELD);
    };
    if let Some(path) = &args.json {
        suites::write_output(path, &format!("{}\n", serde_json::to_string_pretty(&explanation)?))?;
    }
    if !args.json.as_deref().is_some_and(suites::is_standard) {
        write_stdout(&to_text(game.position(), &explanation))?;
    }
    Ok(EXIT_DONE)
}
