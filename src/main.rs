//! The `pacioli` program: a chess engine on the command line.

use std::ffi::OsString;
use std::process::ExitCode;
#[cfg(unix)]
use std::sync::{Arc, atomic::AtomicBool};

use clap::Parser;
use pacioli::cli::output::note;
use pacioli::cli::{self, Cli};
use pacioli::params::hint;

fn main() -> ExitCode {
    outlive_full_files();
    let cli = match Cli::try_parse_from(split_openbench(std::env::args_os())) {
        Ok(cli) => cli,
        // Help and version are not errors: clap prints them.
        Err(error) if !error.use_stderr() => error.exit(),
        Err(error) => {
            note(plain(&error.to_string()));
            return ExitCode::from(cli::EXIT_BAD_INPUT);
        }
    };
    match cli::run(cli) {
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

/// What the standard library says of numbers it cannot read, and what is said instead.
const NUMBERS: [(&str, &str); 5] = [
    ("invalid digit found in string", "not a whole number"),
    ("cannot parse integer from empty string", "not a whole number"),
    ("number too large to fit in target type", "too large"),
    ("number too small to fit in target type", "too small"),
    ("invalid float literal", "not a number"),
];

/// clap's message for a bad argument, without the usage: its first paragraph and its suggestion, in one line.
fn plain(message: &str) -> String {
    let mut lines = message.lines().map(str::trim);
    let paragraph: Vec<&str> = lines.by_ref().take_while(|line| !line.is_empty()).collect();
    let mut text = paragraph.join(" ");
    // Others only say how to pass a word that looks like an option.
    if let Some(tip) = lines.find_map(|line| line.strip_prefix("tip: ")).filter(|tip| tip.contains("similar")) {
        // What was typed, and the names like it, are in quotes.
        let typed = text.split('\'').nth(1).unwrap_or_default().to_owned();
        text.push_str(&hint(&typed, tip.split('\'').skip(1).step_by(2)));
    }
    NUMBERS.iter().fold(text, |text, (theirs, ours)| text.replace(theirs, ours))
}
