//! The `pacioli` program: a chess engine on the command line.

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;
#[cfg(unix)]
use std::sync::{Arc, atomic::AtomicBool};

use clap::Parser;
use pacioli::cli::output::{note, written};
use pacioli::cli::usage::complaint;
use pacioli::cli::{self, Cli};
use pacioli::memory::share_between_threads;

fn main() -> ExitCode {
    share_between_threads();
    outlive_full_files();
    let arguments = split_openbench(std::env::args_os());
    let outcome = match Cli::try_parse_from(&arguments) {
        Ok(cli) => cli::run(cli),
        // Help and version are not errors: clap prints them.
        Err(error) if !error.use_stderr() => {
            written(error.print().and_then(|()| io::stdout().flush())).map(|()| ExitCode::from(cli::EXIT_DONE))
        }
        Err(error) => {
            note(complaint(&error, &arguments));
            return ExitCode::from(cli::EXIT_BAD_INPUT);
        }
    };
    match outcome {
        Ok(code) => code,
        Err(error) => {
            note(format_args!("error: {error:#}"));
            ExitCode::from(cli::EXIT_BAD_INPUT)
        }
    }
}

/// Makes a file size limit (`ulimit -f`) an error like a full disk, where the signal would otherwise end the program.
fn outlive_full_files() {
    #[cfg(unix)]
    {
        // If the system refuses, the signal ends the program as before.
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::new(AtomicBool::new(false)));
    }
}

/// The arguments, with the single argument in which OpenBench passes `genfens ...` split into words.
fn split_openbench(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = arguments.collect();
    let whole = arguments.get(1).and_then(|first| first.to_str()).filter(|first| first.starts_with("genfens "));
    if let Some(words) = whole.map(|whole| whole.split_whitespace().map(OsString::from).collect::<Vec<_>>()) {
        arguments.splice(1..2, words);
    }
    arguments
}
