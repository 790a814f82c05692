//! `pacioli lab wdl`: win/draw/loss chances fitted to games.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use super::data::{alone, each_game, own_units, without_samples};
use crate::cli::EXIT_DONE;
use crate::cli::kinds::Found;
use crate::cli::output::{note, write_stdout};
use crate::cli::read::open_games;
use crate::lab::wdl::Samples;
use crate::pgn::RefusedGame;

/// Arguments of `lab wdl`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// PGN files as written by fastchess and cutechess, or data files of `lab datagen`.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

/// Runs the command.
///
/// # Errors
///
/// Files that cannot be read, or games that do not determine winning chances.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let mut samples = Samples::default();
    for path in &args.files {
        let name = path.display();
        if Found::of_file(path) == Some(Found::Binary) {
            add_data(&mut samples, path)?;
        } else {
            let mut refused = |reason: &RefusedGame| note(format_args!("{name}: {reason}"));
            let found =
                samples.add_pgn(open_games(path)?, &mut refused).with_context(|| format!("cannot read {name}"))?;
            without_samples(&name, found).iter().for_each(note);
        }
    }
    if samples.is_empty() {
        bail!("no move has a usable score; in a PGN it is in the comment, such as {{+0.35/12 0.10s}}");
    }
    let Some(fit) = samples.fit() else { bail!("these games do not determine winning chances: more are needed") };
    write_stdout(&samples.to_text(&fit))?;
    Ok(EXIT_DONE)
}

/// Adds the games of a data file, and says in what they are unlike games that were played.
fn add_data(samples: &mut Samples, path: &Path) -> anyhow::Result<()> {
    let name = path.display();
    let before = samples.left_out;
    let source = each_game(path, |game| {
        samples.add_game(&game);
        Ok(())
    })?;
    own_units(&name, &source).iter().for_each(note);
    alone(&name, samples.left_out - before).iter().for_each(note);
    Ok(())
}
