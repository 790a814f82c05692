//! `pacioli bench`: a node-count signature and the speed over fixed positions, as OpenBench reads them.

use super::counts::within;
use super::output::{note, write_stdout};
use super::{EXIT_DONE, SearchArgs};
pub(super) use crate::runner::bench::DEFAULT_DEPTH;
use crate::runner::bench::{MAX_DEPTH, SIGNATURE_HASH_MB, measure};
use crate::search::StopFlag;

/// Arguments of `bench`. The table has the UCI default size, so that test farms measure what plays. The signature holds
/// for that size only: with another, positions are replaced at other times.
#[derive(Debug, clap::Args)]
#[command(mut_arg("hash", |arg| arg.default_value("16").help(HASH_HELP)))]
pub struct Args {
    /// Last iteration for each position.
    #[arg(default_value_t = DEFAULT_DEPTH, value_parser = within::<i32>(1..=MAX_DEPTH.unsigned_abs().into()))]
    depth: i32,
    #[command(flatten)]
    search: SearchArgs,
}

const HASH_HELP: &str = "Size of the transposition table in megabytes; the signature holds for 16";

/// Runs the command.
///
/// # Errors
///
/// Bad settings.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let mut engine = args.search.engine()?;
    if engine.hash_megabytes() != SIGNATURE_HASH_MB {
        let size = engine.hash_megabytes();
        note(format_args!("the signature holds for --hash {SIGNATURE_HASH_MB}; {size} MB give another"));
    }
    if let Some(measured) = measure(&mut engine, args.depth, &StopFlag::new())? {
        write_stdout(&format!("{measured}\n"))?;
    }
    Ok(EXIT_DONE)
}
