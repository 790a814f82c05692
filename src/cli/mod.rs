//! Layer 10: the command line, one file for each subcommand. Without a subcommand Pacioli speaks UCI.

pub mod analyze;
pub mod bench;
mod common;
pub mod compare;
pub mod eval;
pub mod explain;
pub mod genfens;
pub mod lab;
pub mod lint;
pub mod merge;
pub mod net;
pub mod output;
mod peers;
pub mod perft;
mod progress;
pub mod report;
mod results;
#[cfg(test)]
mod schemas;
pub mod serve;
pub mod solve;
pub mod spsa;
mod suites;
pub mod tree;

use std::process::ExitCode;

use anyhow::Context;
use clap::{Parser, Subcommand};

pub use common::{LimitArgs, ProfilesArgs, SearchArgs};

use crate::engine;
use crate::uci;

/// Done, and every check passed.
pub const EXIT_DONE: u8 = 0;
/// Done, but some check failed (an unsolved position, a wrong count).
pub const EXIT_NOT_HELD: u8 = 1;
/// Bad input or usage, or the system lacks what is needed.
pub const EXIT_BAD_INPUT: u8 = 2;
/// Ended by Ctrl-C or a request to terminate before all was done; what was done is kept.
pub const EXIT_INTERRUPTED: u8 = 3;

/// A chess engine with Deep Blue's dual-credit search.
///
/// Without a subcommand it speaks UCI, for GUIs and bots.
#[derive(Debug, Parser)]
#[command(name = "pacioli", version, about, long_about)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Count the leaves of the legal move tree.
    Perft(perft::Args),
    /// Show the static evaluations of a position, term by term and piece by piece.
    Eval(eval::Args),
    /// Show what the evaluation network is and what it was made from.
    Net(net::Args),
    /// Show the best lines of a position, or the mistakes of a game.
    Analyze(analyze::Args),
    /// Search fixed positions and print a node-count signature and the speed.
    Bench(bench::Args),
    /// Solve test suites in EPD.
    Solve(solve::Args),
    /// Compare two runs of `solve` position by position.
    Compare(compare::Args),
    /// Combine the parts of a run divided with `solve --shard`.
    Merge(merge::Args),
    /// Check test suites for mistakes.
    Lint(lint::Args),
    /// Show which mechanism paid for each ply of the principal variation.
    Explain(explain::Args),
    /// Show a whole search node by node, and where it spent credit.
    Tree(tree::Args),
    /// Show how deep each iteration went and which mechanism paid for it.
    Report(report::Args),
    /// Open a page on this machine to search positions on, and watch the searches.
    Serve(serve::Args),
    /// Print balanced opening positions for OpenBench: `genfens N seed S book B`.
    Genfens(genfens::Args),
    /// List the tunables in OpenBench's SPSA format.
    Spsa(spsa::Args),
    /// Experiments: what each mechanism, window policy and root driver is worth, how iterations grow, a player's moves.
    Lab(lab::Args),
}

/// Runs the command line.
///
/// # Errors
///
/// Bad input, described in one line.
pub fn run(cli: Cli) -> anyhow::Result<ExitCode> {
    engine::check_engine_room()?;
    let code = match cli.command {
        None => {
            uci::run().context("cannot speak UCI")?;
            EXIT_DONE
        }
        Some(Command::Perft(args)) => perft::run(&args)?,
        Some(Command::Eval(args)) => eval::run(&args)?,
        Some(Command::Net(args)) => net::run(&args)?,
        Some(Command::Analyze(args)) => analyze::run(&args)?,
        Some(Command::Bench(args)) => bench::run(&args)?,
        Some(Command::Solve(args)) => solve::run(&args)?,
        Some(Command::Compare(args)) => compare::run(&args)?,
        Some(Command::Merge(args)) => merge::run(&args)?,
        Some(Command::Lint(args)) => lint::run(&args)?,
        Some(Command::Explain(args)) => explain::run(&args)?,
        Some(Command::Tree(args)) => tree::run(&args)?,
        Some(Command::Report(args)) => report::run(&args)?,
        Some(Command::Serve(args)) => serve::run(&args)?,
        Some(Command::Genfens(args)) => genfens::run(&args)?,
        Some(Command::Spsa(args)) => spsa::run(&args)?,
        Some(Command::Lab(args)) => lab::run(&args)?,
    };
    Ok(ExitCode::from(code))
}
