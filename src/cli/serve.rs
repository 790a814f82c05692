//! `pacioli serve`: a page on this machine on which positions are searched while one watches.

use super::EXIT_DONE;
use super::common::{DEFAULT_HASH, hash_size, options_with_table};
use super::counts::within;
use super::output::{note, write_stdout};
use crate::runner::Interrupt;
use crate::serve::Server;

/// Arguments of `serve`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Port of this machine to listen on; 0 for any that is free.
    #[arg(long, value_name = "PORT", default_value_t = 0, value_parser = within::<u16>(0..=u64::from(u16::MAX)))]
    port: u16,
    /// Size of each search's transposition table in megabytes.
    #[arg(long, value_name = "MB", default_value_t = DEFAULT_HASH, value_parser = hash_size)]
    hash: usize,
}

/// Runs the command until it is interrupted.
///
/// # Errors
///
/// A port that cannot be opened, or a system without signals or random numbers.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let interrupt = Interrupt::new();
    interrupt.heed_signals()?;
    let server = Server::new(args.port, options_with_table(args.hash), interrupt)?;
    write_stdout(&format!("{}\n", server.url()))?;
    note("Open this address in a browser on this machine. Ctrl-C ends the server.");
    server.run();
    Ok(EXIT_DONE)
}
