//! `pacioli lab match`: a player's moves compared with Pacioli's.

use std::path::PathBuf;

use anyhow::bail;

use super::{DEFAULT_NODES, OutputArgs};
use crate::cli::counts::positive;
use crate::cli::read::read_games;
use crate::cli::write::check_outputs;
use crate::cli::{LimitArgs, ProfilesArgs, SearchArgs};
use crate::engine::{Limits, Options};
use crate::lab::player::{self, MoveName};
use crate::text::counted;

/// Arguments of `lab match`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The games; `-` reads standard input.
    #[arg(value_name = "FILE.pgn")]
    file: PathBuf,
    /// The player, or part of the name, ignoring case.
    #[arg(long, value_name = "NAME")]
    player: String,
    /// Show a move iteration by iteration, given as game and move number: `2.36`; may be repeated.
    #[arg(long, value_name = "GAME.MOVE")]
    show: Vec<MoveName>,
    /// Nodes for each move shown, in place of --nodes; the other limits hold for these moves too.
    #[arg(long, value_name = "N", requires = "show", value_parser = positive)]
    show_nodes: Option<u64>,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    outputs: OutputArgs,
    #[command(flatten)]
    search: ProfilesArgs,
}

/// Runs the command.
///
/// # Errors
///
/// Bad files or settings, or no move of the player in them.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let each: Vec<Options> = args.search.each().iter().map(SearchArgs::options).collect::<anyhow::Result<_>>()?;
    check_outputs(args.outputs.json.as_deref(), std::slice::from_ref(&args.file))?;
    let name = args.file.display();
    let (games, refused) = read_games(&args.file)?;
    let turns = player::turns(&games, &args.player);
    if turns.is_empty() {
        bail!("{name}: no move of a player whose name contains `{}` in {}", args.player, counted(games.len(), "game"));
    }
    if let Some(missing) = args.show.iter().find(|&&show| turns.iter().all(|turn| turn.name() != show)) {
        bail!("--show {missing}: {} has no such move in {name}", args.player);
    }
    let job = player::Job {
        player: args.player.clone(),
        turns,
        refused,
        profiles: each.iter().map(|options| (options.profile, options.params.clone())).collect(),
        limits: args.limits.limits_or(Limits::of_nodes(DEFAULT_NODES)),
        shown: args.show.clone(),
        shown_nodes: args.show_nodes,
    };
    args.outputs.conduct(&job, &each[0])
}
