//! Layer 10: the command line, one file for each subcommand. Without a subcommand Pacioli speaks UCI.

pub mod analyze;
pub mod bench;
mod common;
pub mod compare;
mod counts;
pub mod eval;
pub mod explain;
pub mod genfens;
mod help;
mod kinds;
pub mod lab;
pub mod lint;
pub mod merge;
pub mod net;
pub mod output;
mod peers;
pub mod perft;
mod progress;
mod read;
pub mod report;
mod results;
#[cfg(test)]
mod schemas;
mod screen;
pub mod serve;
pub mod solve;
pub mod spsa;
pub mod tree;
pub mod usage;
mod write;

use std::process::ExitCode;

use anyhow::Context;
use clap::{Parser, Subcommand};

pub use common::{LimitArgs, ProfilesArgs, SearchArgs};
use help::{NO_SEARCH, columns, help, limit, limit_by};

use crate::engine;
use crate::eval::nnue;
use crate::lab::text as lab_text;
use crate::report::explain as ledger;
use crate::report::tree::text as tree_text;
use crate::report::{analysis, evaluation, text as report_text};
use crate::suite;
use crate::text::grouped;
use crate::uci;

/// Done, and every check passed.
pub const EXIT_DONE: u8 = 0;
/// Done, but some check failed (an unsolved position, a wrong count).
pub const EXIT_NOT_HELD: u8 = 1;
/// Bad input or usage, or the system lacks what is needed.
pub const EXIT_BAD_INPUT: u8 = 2;
/// Ended by Ctrl-C or a request to terminate before all was done; what the journal has, or what the command can write
/// of what is done, is kept.
pub const EXIT_INTERRUPTED: u8 = 3;

/// The widest line of a help text.
const HELP_WIDTH: usize = 100;

/// A chess engine with Deep Blue's dual-credit search.
///
/// Without a subcommand it speaks UCI, for GUIs and bots.
#[derive(Debug, Parser)]
#[command(name = "pacioli", version, about, long_about, max_term_width = HELP_WIDTH)]
#[command(after_help = help(&[], &["", "solve", "explain startpos --depth 10", "help solve"]))]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Count the leaves of the legal move tree.
    #[command(after_help = help(&["Limits: the depth."], &["perft 5", "perft 4 startpos --divide"]))]
    Perft(perft::Args),
    /// Show the static evaluations of a position, term by term and piece by piece.
    #[command(after_help = help(
        &[NO_SEARCH, &columns(&evaluation::TABLES)],
        &["eval startpos", "eval startpos --html eval.html"],
    ))]
    Eval(eval::Args),
    /// Show what the evaluation network is and what it was made from.
    #[command(after_help = help(&[NO_SEARCH], &["net info"]))]
    Net(net::Args),
    /// Show the best lines of a position, or the mistakes of a game.
    #[command(after_help = help(
        &[
            &limit_by(&format!(
                "{} nodes for a position, {} for each position of a game",
                grouped(analyze::POSITION_NODES),
                grouped(analyze::GAME_NODES)
            )),
            &columns(&analysis::text::TABLES),
        ],
        &[
            "analyze startpos --movetime 2000 --multipv 3",
            "analyze GAME.pgn --nodes 100k --pgn annotated.pgn --html game.html",
            "analyze FILE.epd --json lines.jsonl --html lines.html",
        ],
    ))]
    Analyze(analyze::Args),
    /// Search fixed positions and print a node-count signature and the speed.
    #[command(after_help = help(
        &[&format!("Limits: the depth, {} if none is given.", bench::DEFAULT_DEPTH)],
        &["bench", "bench 10 --profile deep-blue"],
    ))]
    Bench(bench::Args),
    /// Solve test suites in EPD.
    #[command(after_help = help(
        &[&limit(solve::DEFAULT_NODES), &columns(&suite::TABLES)],
        &[
            "solve",
            "solve FILE.epd --movetime 1000 --html results.html",
            "solve FILE.epd --nodes 300k --set credit=off --json off.jsonl",
        ],
    ))]
    Solve(solve::Args),
    /// Compare two runs of `solve` position by position.
    #[command(after_help = help(
        &[NO_SEARCH],
        &["compare before.jsonl after.jsonl", "compare before.jsonl after.jsonl --html compare.html"],
    ))]
    Compare(compare::Args),
    /// Combine the parts of a run divided with `solve --shard`.
    #[command(after_help = help(
        &[NO_SEARCH, &columns(&suite::TABLES)],
        &["merge part-1.jsonl part-2.jsonl --json run.jsonl"],
    ))]
    Merge(merge::Args),
    /// Check test suites for mistakes: by the rules alone, or with a limit also by searches.
    #[command(after_help = help(
        &[&limit_by("nothing is searched, and better moves and duals are not looked for")],
        &["lint FILE.epd", "lint FILE.epd --nodes 100k --jobs 2"],
    ))]
    Lint(lint::Args),
    /// Show which mechanism paid for each ply of the principal variation.
    #[command(after_help = help(
        &[&limit(explain::DEFAULT_NODES), &columns(&ledger::TABLES)],
        &["explain startpos --depth 10", "explain startpos --profile deep-blue --depth 7 --html line.html"],
    ))]
    Explain(explain::Args),
    /// Show a whole search node by node, and where it spent credit.
    #[command(after_help = help(
        &[&limit(tree::DEFAULT_NODES), &columns(&tree_text::TABLES)],
        &["tree startpos --nodes 5k --html tree.html", "tree startpos --against multi_cut=off"],
    ))]
    Tree(tree::Args),
    /// Show how deep each iteration went and which mechanism paid for it.
    #[command(after_help = help(
        &["Limits: the last of the iterations.", &columns(&report_text::TABLES)],
        &["report", "report startpos --iterations 5..9 --svg report.svg", "report FILE.epd --json report.json"],
    ))]
    Report(report::Args),
    /// Open a page on this machine to search positions on, and watch the searches.
    #[command(after_help = help(&["Limits: set on the page."], &["serve", "serve --port 8080"]))]
    Serve(serve::Args),
    /// Print opening positions within five pawns of level, for OpenBench: `genfens N seed S book B`.
    #[command(after_help = help(
        &[&format!("Limits: {} nodes for each position.", grouped(genfens::NODES))],
        &["genfens 10 seed 1 book None"],
    ))]
    Genfens(genfens::Args),
    /// List the tunables in OpenBench's SPSA format.
    #[command(after_help = help(&[NO_SEARCH], &["spsa", "spsa credit_limit"]))]
    Spsa(spsa::Args),
    /// Experiments: what each mechanism, window policy and root driver is worth, how iterations grow, a player's moves;
    /// suites from games, training data, tuning.
    #[command(after_help = help(&[&columns(&lab_text::TABLES)], &["lab ablate", "lab growth --nodes 100k", "help lab match"]))]
    Lab(lab::Args),
}

impl Command {
    /// Whether it may ask the embedded network: only then is it worth some milliseconds to read it, and must it be one.
    fn asks_embedded(&self) -> bool {
        match self {
            Command::Perft(_) | Command::Compare(_) | Command::Merge(_) => false,
            Command::Net(args) => args.asks_embedded(),
            _ => true,
        }
    }
}

/// Runs the command line.
///
/// # Errors
///
/// Bad input, described in one line.
pub fn run(cli: Cli) -> anyhow::Result<ExitCode> {
    engine::check_engine_room()?;
    if cli.command.as_ref().is_none_or(Command::asks_embedded) {
        nnue::check_embedded()
            .context("the network that was built into this program is rejected (was EVALFILE given?)")?;
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_network_is_can_be_shown_without_one_in_the_program() {
        for (arguments, asks) in [
            (&["net", "info", "FILE.net"][..], false),
            (&["net", "info", "FILE.net", "--json", "-"], false),
            (&["net", "info"], true),
            (&["eval", "startpos"], true),
            (&["perft", "1"], false),
        ] {
            let cli = Cli::try_parse_from([&["pacioli"], arguments].concat()).unwrap();
            assert_eq!(cli.command.unwrap().asks_embedded(), asks, "{arguments:?}");
        }
    }
}
