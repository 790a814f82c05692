//! `pacioli lab theory`: the table of opening theory that `pacioli analyze` has built in.

use std::path::PathBuf;

use crate::cli::counts::within;
use crate::cli::output::note;
use crate::cli::read::read_games;
use crate::cli::write::{check_outputs, write_output};
use crate::cli::{EXIT_DONE, EXIT_NOT_HELD};
use crate::report::analysis::theory::{Lines, Theory};
use crate::text::{counted, grouped};

/// Arguments of `lab theory`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Games or opening lines in PGN, of each the first hundred plies; `-` reads standard input.
    #[arg(value_name = "FILE.pgn", required = true)]
    files: Vec<PathBuf>,
    /// Keep the moves that at least so many games share.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = within::<u32>(1..=u64::from(u32::MAX)))]
    least: u32,
    /// Where to write the table; standard output by default.
    #[arg(long, value_name = "FILE", default_value = "-")]
    out: PathBuf,
}

/// Runs the command: exit code 1 if a game was left out.
///
/// # Errors
///
/// A file that cannot be read or written.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    check_outputs([args.out.as_path()], &args.files)?;
    let mut lines = Lines::default();
    let (mut taken, mut left_out) = (0, 0);
    for file in &args.files {
        let (games, refused) = read_games(file)?;
        left_out += refused;
        for game in games {
            if lines.add(&game) { taken += 1 } else { left_out += 1 }
        }
    }
    let table = lines.to_table(args.least);
    write_output(&args.out, &table)?;
    let positions = grouped(Theory::parse(&table)?.len() as u64);
    note(format_args!("{}, {positions} positions, {left_out} left out", counted(taken, "game")));
    Ok(if left_out > 0 { EXIT_NOT_HELD } else { EXIT_DONE })
}
