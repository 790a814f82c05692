//! The `pacioli` program: a chess engine on the command line.

use std::process::ExitCode;

use clap::Parser;
use pacioli::cli::{self, Cli};

fn main() -> ExitCode {
    match cli::run(Cli::parse()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(cli::EXIT_BAD_INPUT)
        }
    }
}
