//! Arguments that name other engines.

use std::sync::LazyLock;
use std::time::Duration;

use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Command, FromArgMatches};

use super::counts::within;
use crate::runner::{CHESS960, PeerCommand};

/// Other engines to run alongside this one, each with the options that follow it.
#[derive(Clone, Debug, Default)]
pub struct PeerArgs {
    /// How to start them; their hash size is not set yet.
    pub peers: Vec<PeerCommand>,
    /// Whether to leave this engine out.
    pub only: bool,
}

const ENGINE: &str = "engine";
const OPTION: &str = "engine_option";
const ONLY: &str = "peers_only";
const PATIENCE: &str = "engine_patience";
/// The longest patience: a week.
const MAX_PATIENCE: u64 = 7 * 24 * 3600;

/// Parses the seconds for which a search of another engine may come no further, or not begin.
///
/// # Errors
///
/// None, or more than a week.
pub fn patience(text: &str) -> Result<Duration, String> {
    within(1..=MAX_PATIENCE)(text).map(Duration::from_secs).map_err(|expected| format!("{expected}, in seconds"))
}

/// The patience without that option, as it is typed.
pub static DEFAULT_PATIENCE: LazyLock<String> = LazyLock::new(|| PeerCommand::SEARCH_PATIENCE.as_secs().to_string());

/// Parses the name and the value of another engine's option.
///
/// # Errors
///
/// No equals sign between them, or an option that each position sets.
pub fn engine_option(text: &str) -> Result<(String, String), &'static str> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    let (name, value) = (name.trim(), value.trim());
    if name.eq_ignore_ascii_case(CHESS960) {
        return Err("it is set to the rules of each position, which are those of Chess960 with `solve --chess960`");
    }
    Ok((name.to_owned(), value.to_owned()))
}

impl clap::Args for PeerArgs {
    fn augment_args(command: Command) -> Command {
        command
            .arg(
                Arg::new(ENGINE)
                    .long("engine")
                    .value_name("CMD")
                    .action(ArgAction::Append)
                    .help("Also run another UCI engine over the same suites; may be repeated"),
            )
            .arg(
                Arg::new(OPTION)
                    .long("engine-option")
                    .value_name("NAME=VALUE")
                    .action(ArgAction::Append)
                    .requires(ENGINE)
                    .help("Set a UCI option of the preceding --engine; may be repeated"),
            )
            .arg(
                Arg::new(ONLY)
                    .long("peers-only")
                    .action(ArgAction::SetTrue)
                    .requires(ENGINE)
                    .help("Leave this engine out: run only those given by --engine"),
            )
            .arg(
                Arg::new(PATIENCE)
                    .long("engine-patience")
                    .value_name("SECONDS")
                    .value_parser(patience)
                    .default_value(DEFAULT_PATIENCE.as_str())
                    .requires(ENGINE)
                    .help(
                        "Give another engine up if its search reports no new depth and no more nodes for so long, or \
                         if it takes as long, and ten seconds at least, to be ready for one",
                    ),
            )
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for PeerArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<PeerArgs, clap::Error> {
        // The position on the command line says which option belongs to which engine.
        let placed = |name: &str| -> Vec<(usize, String)> {
            let values = matches.get_many::<String>(name).into_iter().flatten().cloned();
            matches.indices_of(name).into_iter().flatten().zip(values).collect()
        };
        let engines = placed(ENGINE);
        let search_patience = *matches.get_one(PATIENCE).unwrap_or(&PeerCommand::SEARCH_PATIENCE);
        let start = |command: &String| PeerCommand { command: command.clone(), search_patience, ..Default::default() };
        let mut peers: Vec<PeerCommand> = engines.iter().map(|(_, command)| start(command)).collect();
        for (place, setting) in placed(OPTION) {
            let fault = |what: &str| {
                let message = format!("--engine-option {setting}: {what}\n");
                clap::Error::raw(ErrorKind::ValueValidation, message)
            };
            let option = engine_option(&setting).map_err(fault)?;
            let peer = engines.iter().rposition(|&(engine, _)| engine < place);
            peers[peer.ok_or_else(|| fault("no --engine precedes it"))?].options.push(option);
        }
        Ok(PeerArgs { peers, only: matches.get_flag(ONLY) })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = PeerArgs::from_arg_matches(matches)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Args as _;

    fn parse(text: &str) -> Result<PeerArgs, clap::Error> {
        let command = PeerArgs::augment_args(Command::new("x").no_binary_name(true));
        PeerArgs::from_arg_matches(&command.try_get_matches_from(text.split('|'))?)
    }

    #[test]
    fn options_belong_to_the_engine_before_them() {
        let text = "--engine|a b|--engine-option|Threads=2|--engine-option|Style = x=y|--engine|c|--peers-only";
        let args = parse(text).unwrap();
        assert!(args.only);
        assert_eq!((args.peers.len(), args.peers[0].command.as_str()), (2, "a b"));
        let option = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(args.peers[0].options, [option("Threads", "2"), option("Style", "x=y")]);
        assert!(args.peers[1].options.is_empty());
    }

    #[test]
    fn one_patience_holds_for_all_engines() {
        let patience = |text: &str| -> Vec<u64> {
            parse(text).unwrap().peers.iter().map(|peer| peer.search_patience.as_secs()).collect()
        };
        assert_eq!(patience("--engine|a"), [600]);
        assert_eq!(patience("--engine|a|--engine-patience|30|--engine|b"), [30, 30]);
        for refused in ["--engine-patience|30", "--engine|a|--engine-patience|0", "--engine|a|--engine-patience|1e9"] {
            assert!(parse(refused).is_err(), "{refused}");
        }
    }

    #[test]
    fn the_rules_are_no_option_of_an_engine() {
        for setting in ["UCI_Chess960=true", "uci_chess960 = false"] {
            let error = parse(&format!("--engine|a|--engine-option|{setting}")).unwrap_err().to_string();
            assert!(error.contains(setting) && error.contains("--chess960"), "{error}");
        }
    }

    #[test]
    fn options_without_an_engine_are_refused() {
        for text in
            ["--engine-option|A=1", "--engine-option|A=1|--engine|a", "--engine|a|--engine-option|A", "--peers-only"]
        {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
