//! `pacioli tree`: a whole search, node by node, and where it spent credit.

use std::path::{Path, PathBuf};

use super::common::{PositionArgs, apply};
use super::output::{all_tried, note};
use super::read::is_standard;
use super::screen::show;
use super::write::{check_outputs, write_if};
use super::{EXIT_DONE, SearchArgs};
use crate::board::Game;
use crate::engine::Limits;
use crate::report::tree::json::to_json_lines;
use crate::report::tree::page::to_page;
use crate::report::tree::text::{TABLES, parting_to_text, to_text};
use crate::report::tree::{MAX_NODES, Parting, Tree, record};
use crate::text::grouped;

/// Nodes searched if no limit is given.
pub(super) const DEFAULT_NODES: u64 = 20_000;

/// Arguments of `tree`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// Search again with this additional setting, and show where the two trees diverge; may be repeated.
    #[arg(long, value_name = "NAME=VALUE")]
    against: Vec<String>,
    /// Also write the tree as JSON, one node per line; `-` writes to standard output, instead of the text.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Also write the tree as a self-contained HTML page to explore.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

impl Args {
    /// The files to write.
    fn outputs(&self) -> impl Iterator<Item = &Path> {
        [&self.json, &self.html].into_iter().flatten().map(PathBuf::as_path)
    }

    /// Searches with these settings and records the tree.
    fn tree(&self, game: &Game, search: &SearchArgs) -> anyhow::Result<Tree> {
        let mut engine = search.engine()?;
        let limits = self.position.limits.limits_or(Limits::of_nodes(DEFAULT_NODES));
        let tree = record(&mut engine, game, &limits);
        if tree.left_out > 0 {
            note(format_args!("warning: only the first {} visits are recorded", grouped(MAX_NODES as u64)));
        }
        Ok(tree)
    }

    /// The settings of the second tree, if there is one.
    fn second(&self) -> anyhow::Result<Option<SearchArgs>> {
        if self.against.is_empty() {
            return Ok(None);
        }
        let mut options = self.position.search.options()?;
        for setting in &self.against {
            apply(&mut options.params, "--against", setting)?;
        }
        let settings = self.position.search.settings.iter().chain(&self.against).cloned().collect();
        Ok(Some(SearchArgs { settings, ..self.position.search.clone() }))
    }
}

/// Runs the command.
///
/// # Errors
///
/// A bad position, bad settings, or a file that cannot be written.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let game = args.position.game()?;
    let second = args.second()?;
    check_outputs(args.outputs(), &[])?;
    let tree = args.tree(&game, &args.position.search)?;
    let other = second.map(|search| args.tree(&game, &search)).transpose()?;
    let parting = other.as_ref().map(|other| Parting::of(&tree, other));
    let against = other.as_ref().zip(parting.as_ref());
    let json_lines = || {
        let trees = [Some(&tree), other.as_ref()].into_iter().flatten();
        let lines = (1..).zip(trees).map(|(number, tree)| to_json_lines(tree, number));
        Ok(lines.collect::<Result<String, _>>()?)
    };
    let show_text = || {
        show(&to_text(&tree), &TABLES)?;
        against.map_or(Ok(()), |(other, parting)| {
            show(&format!("\n{}\n{}", to_text(other), parting_to_text(&tree, other, parting)), &TABLES)
        })
    };
    all_tried([
        write_if(&args.json, json_lines),
        write_if(&args.html, || Ok(to_page(&tree, against)?)),
        if args.outputs().any(is_standard) { Ok(()) } else { show_text() },
    ])?;
    Ok(EXIT_DONE)
}
