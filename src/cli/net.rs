//! `pacioli net`: the evaluation network.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context;

use super::EXIT_DONE;
use super::help::{NO_SEARCH, help};
use super::output::{all_tried, write_stdout};
use super::read::{is_standard, open_network};
use super::write::{check_outputs, json_text, write_if};
use crate::eval::nnue;
use crate::report::network;

/// Arguments of `net`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

/// What to do with a network.
#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Show what a network is and what it was made from
    #[command(after_help = help(&[NO_SEARCH], &["net info", "net info FILE.net --json net.json"]))]
    Info {
        /// The network file; the embedded one if none is given.
        #[arg(value_name = "FILE")]
        file: Option<PathBuf>,
        /// Also write it as JSON; `-` writes to standard output, instead of the text.
        #[arg(long, value_name = "FILE")]
        json: Option<PathBuf>,
    },
}

impl Args {
    /// Whether it shows the embedded network.
    pub fn asks_embedded(&self) -> bool {
        let Command::Info { file, .. } = &self.command;
        file.is_none()
    }
}

/// Runs the command.
///
/// # Errors
///
/// A file that cannot be read or written, or is not a network of this program.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let Command::Info { file, json } = &args.command;
    let inputs: Vec<PathBuf> = file.iter().cloned().collect();
    check_outputs(json.as_deref(), &inputs)?;
    let (name, network) = match file {
        Some(path) => {
            let network = Arc::new(open_network(path)?);
            (path.display().to_string(), network)
        }
        None => ("embedded".to_owned(), nnue::embedded().context("the embedded file is not a network")?),
    };
    let is_shown = !json.as_deref().is_some_and(is_standard);
    all_tried([
        write_if(json, || json_text(&network::NetworkInfo::new(&name, &network))),
        if is_shown { write_stdout(&network::to_text(&name, &network)) } else { Ok(()) },
    ])?;
    Ok(EXIT_DONE)
}
