//! `pacioli explain`: which mechanism paid for each ply of the principal variation.

use std::path::{Path, PathBuf};

use super::common::PositionArgs;
use super::counts::within;
use super::output::{all_tried, note};
use super::read::is_standard;
use super::screen::show;
use super::write::{check_outputs, json_text, write_if};
use super::{EXIT_DONE, EXIT_NOT_HELD};
use crate::board::MAX_MOVES;
use crate::engine::Limits;
use crate::report::evidence::Witness;
use crate::report::explain::{TABLES, explain_iteration, iterations, to_text};
use crate::report::explanation::Explanation;
use crate::report::page::explanation_to_page;
use crate::report::tree::record;
use crate::report::tree::text::refutations_to_text;
use crate::runner::Provenance;

/// Nodes searched if no limit is given.
pub(super) const DEFAULT_NODES: u64 = 1_000_000;

/// Arguments of `explain`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// Also write the line of every iteration as JSON; `-` writes to standard output, instead of the text.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Also write the line of every iteration as a self-contained HTML page with a board to step through it.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Also show what refutes N of the root moves, the most expensive first, each with its ledger.
    #[arg(long, value_name = "N", value_parser = within::<usize>(0..=MAX_MOVES as u64))]
    refutations: Option<usize>,
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
/// A bad position, bad settings, or a file that cannot be written.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let game = args.position.game()?;
    check_outputs(args.outputs(), &[])?;
    let mut engine = args.position.search.engine()?;
    let limits = args.position.limits.limits_or(Limits::of_nodes(DEFAULT_NODES));
    let tree = args.refutations.map(|_| record(&mut engine, &game, &limits));
    let completed = match &tree {
        Some(tree) => tree.iterations.clone(),
        None => iterations(&mut engine, &game, &limits),
    };
    let Some(last) = completed.last() else { return Ok(nothing()) };
    let (position, options, provenance) = (game.position(), engine.options(), Provenance::of_engine(&engine, &limits));
    let refuted = tree.as_ref().zip(args.refutations);
    let to_json = || {
        let explanation = Explanation::new(position, provenance.clone(), options, &completed);
        json_text(&match refuted {
            Some((tree, most)) => explanation.with_refutations(tree, most),
            None => explanation,
        })
    };
    let show_text = || {
        let explained = explain_iteration(position, last, &mut Witness::new(options));
        show(&to_text(position, &provenance, &explained), &TABLES)?;
        refuted.map_or(Ok(()), |(tree, most)| {
            show(&format!("\n{}", refutations_to_text(tree, &tree.refutations(), most)), &TABLES)
        })
    };
    all_tried([
        write_if(&args.json, to_json),
        write_if(&args.html, || Ok(explanation_to_page(position, &provenance, options, &completed)?)),
        if args.outputs().any(is_standard) { Ok(()) } else { show_text() },
    ])?;
    Ok(EXIT_DONE)
}

/// Reports that there is no line to explain; returns the exit code.
fn nothing() -> u8 {
    note("nothing to explain: no iteration was completed, or there is no legal move");
    EXIT_NOT_HELD
}
