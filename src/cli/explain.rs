//! `pacioli explain`: which mechanism paid for each ply of the principal variation.

use std::path::PathBuf;

use super::common::PositionArgs;
use super::output::{note, write_stdout};
use super::{EXIT_DONE, EXIT_NOT_HELD, suites};
use crate::engine::Limits;
use crate::report::evidence::Witness;
use crate::report::explain::{explain, explain_iteration, to_text};
use crate::report::tree::record;
use crate::report::tree::text::refutations_to_text;

/// Nodes searched if no limit is given.
const DEFAULT_NODES: u64 = 1_000_000;

/// Arguments of `explain`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// Also write the explanation as JSON; `-` writes to standard output, instead of the text.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Also show what refutes N of the root moves, the most expensive first, each with its ledger.
    #[arg(long, value_name = "N", conflicts_with = "json")]
    refutations: Option<usize>,
}

/// Runs the command.
///
/// # Errors
///
/// A bad position, bad settings, or a file that cannot be written.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let game = args.position.game()?;
    suites::check_outputs(args.json.as_deref(), &[])?;
    let mut engine = args.position.search.engine()?;
    let limits = args.position.limits.limits_or(Limits { nodes: Some(DEFAULT_NODES), ..Limits::default() });
    if let Some(most) = args.refutations {
        let tree = record(&mut engine, &game, &limits);
        let Some(last) = tree.iterations.last() else { return Ok(nothing()) };
        let explanation = explain_iteration(game.position(), tree.provenance.clone(), last, &mut Witness::new());
        let refutations = refutations_to_text(&tree, &tree.refutations(), most);
        write_stdout(&format!("{}\n{refutations}", to_text(game.position(), &explanation)))?;
        return Ok(EXIT_DONE);
    }
    let Some(explanation) = explain(&mut engine, &game, &limits) else {
        return Ok(nothing());
    };
    if let Some(path) = &args.json {
        suites::write_output(path, &format!("{}\n", serde_json::to_string_pretty(&explanation)?))?;
    }
    if !args.json.as_deref().is_some_and(suites::is_standard) {
        write_stdout(&to_text(game.position(), &explanation))?;
    }
    Ok(EXIT_DONE)
}

/// Reports that there is no line to explain; returns the exit code.
fn nothing() -> u8 {
    note("nothing to explain: no iteration was completed, or there is no legal move");
    EXIT_NOT_HELD
}
