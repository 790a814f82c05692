//! What is said of a command line that cannot be understood: one line, in the words of this program.

use std::ffi::OsString;
use std::path::Path;

use clap::CommandFactory;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::Cli;
use crate::params::hint;

/// What the standard library says of numbers it cannot read, and what is said instead.
const NUMBERS: [(&str, &str); 5] = [
    ("invalid digit found in string", "not a whole number"),
    ("cannot parse integer from empty string", "not a whole number"),
    ("number too large to fit in target type", "too large"),
    ("number too small to fit in target type", "too small"),
    ("invalid float literal", "not a number"),
];

/// What is wrong with these arguments, the first of which names the program, by clap's error: the first paragraph of
/// its message without the usage, and what was probably meant.
pub fn complaint(error: &clap::Error, arguments: &[OsString]) -> String {
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let (path, _) = known_commands(arguments);
        return format!("error: `{path}` needs a command; {}", list(&path));
    }
    let message = error.to_string();
    let mut lines = message.lines().map(str::trim);
    let paragraph: Vec<&str> = lines.by_ref().take_while(|line| !line.is_empty()).collect();
    let text = NUMBERS.iter().fold(paragraph.join(" "), |text, (theirs, ours)| text.replace(theirs, ours));
    if error.kind() == ErrorKind::InvalidSubcommand {
        return text + &unknown_command(error, arguments);
    }
    if error.kind() == ErrorKind::InvalidUtf8 {
        return format!("{text}: {}", not_utf8(arguments).join(", "));
    }
    // Others only say how to pass a word that looks like an option.
    let Some(tip) = lines.find_map(|line| line.strip_prefix("tip: ")).filter(|tip| tip.contains("similar")) else {
        return text;
    };
    // What was typed, and the names like it, are in quotes.
    let typed = text.split('\'').nth(1).unwrap_or_default().to_owned();
    text + &hint(&typed, tip.split('\'').skip(1).step_by(2))
}

/// The arguments that are not UTF-8, as far as they can be shown; those that name files may be so.
fn not_utf8(arguments: &[OsString]) -> Vec<String> {
    let found = arguments.iter().filter(|argument| argument.to_str().is_none());
    found.map(|argument| format!("`{}`", argument.display())).collect()
}

/// What was probably meant by a command that does not exist.
fn unknown_command(error: &clap::Error, arguments: &[OsString]) -> String {
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidSubcommand) else { return String::new() };
    let (path, known) = known_commands(arguments);
    match hint(typed, known.iter().map(String::as_str)) {
        _ if Path::new(typed).is_file() => format!("; files follow a command, such as `pacioli analyze {typed}`"),
        hint if hint.is_empty() => format!("; {}", list(&path)),
        hint => hint,
    }
}

/// Where the subcommands of a command are found.
fn list(path: &str) -> String {
    format!("`{path} --help` lists those there are")
}

/// The command that the arguments name as far as there is one, and its subcommands.
fn known_commands(arguments: &[OsString]) -> (String, Vec<String>) {
    let cli = Cli::command();
    let (mut command, mut path) = (&cli, cli.get_name().to_owned());
    // `help solve` is about `solve`.
    for word in arguments.iter().skip(1).filter(|word| *word != "help") {
        let Some(below) = command.find_subcommand(word) else { break };
        path = format!("{path} {}", below.get_name());
        command = below;
    }
    (path, command.get_subcommands().map(|below| below.get_name().to_owned()).collect())
}
