//! Arguments that several subcommands share, spelled the same everywhere.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use clap::Args;

use super::counts::{depth, positive, within};
use super::kinds::{self, Found};
use super::output::note;
use super::read::input_name;
use crate::board::{Game, Position, START, assumed, left_out};
use crate::engine::{Engine, Limits, Options};
use crate::params::{ParamError, Params, Profile, hint};
use crate::runner::{Interrupt, Pool};
use crate::search::StopFlag;
use crate::syzygy::{SyzygyProblem, Tables};
use crate::uci;

/// UCI options that the command line has under another name: each command that searches, or the one named.
const OPTIONS: [(&str, &str); 6] = [
    ("Hash", "`--hash`"),
    ("Profile", "`--profile`"),
    ("MultiPV", "`--multipv` of `pacioli analyze`"),
    ("Threads", "`--threads` of `pacioli analyze`"),
    ("SyzygyPath", "`--syzygy` of `pacioli analyze` and `pacioli solve`"),
    ("EvalFile", "`--eval-file` of `pacioli eval`"),
];

/// The size of the transposition table if none is given, in megabytes.
pub(super) const DEFAULT_HASH: usize = 64;

/// Limits of a search.
#[derive(Clone, Debug, Default, Args)]
pub struct LimitArgs {
    /// Time for each position, in milliseconds.
    #[arg(long, value_name = "MS", value_parser = positive)]
    pub movetime: Option<u64>,
    /// Nodes for each position.
    #[arg(long, value_name = "N", value_parser = positive)]
    pub nodes: Option<u64>,
    /// Last iteration for each position.
    #[arg(long, value_name = "N", value_parser = depth)]
    pub depth: Option<i32>,
}

impl LimitArgs {
    /// The limits given, or `default` if there are none.
    pub fn limits_or(&self, default: Limits) -> Limits {
        if self.movetime.is_none() && self.nodes.is_none() && self.depth.is_none() {
            return default;
        }
        Limits {
            move_time: self.movetime.map(Duration::from_millis),
            nodes: self.nodes,
            depth: self.depth,
            ..Limits::default()
        }
    }
}

/// The command line as given.
pub fn command_line() -> String {
    let arguments = std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned());
    std::iter::once("pacioli".to_owned()).chain(arguments).collect::<Vec<_>>().join(" ")
}

/// Which search to run.
#[derive(Clone, Debug, Args)]
pub struct SearchArgs {
    /// Size of the transposition table in megabytes.
    #[arg(long, value_name = "MB", default_value_t = DEFAULT_HASH, value_parser = hash_size)]
    pub hash: usize,
    /// Which search: modern or deep-blue.
    #[arg(long, value_name = "PROFILE", default_value = "modern")]
    pub profile: Profile,
    /// Set a tunable or a switch; may be repeated.
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub settings: Vec<String>,
}

/// One position to search.
#[derive(Debug, Args)]
pub struct PositionArgs {
    /// The position, quoted or unquoted; `startpos` is the initial one.
    #[arg(value_name = "FEN", required = true)]
    fen: Vec<String>,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Read the position under the rules of Chess960.
    #[arg(long)]
    chess960: bool,
    #[command(flatten)]
    pub search: SearchArgs,
}

impl PositionArgs {
    /// A game that starts there.
    ///
    /// # Errors
    ///
    /// As [`position_from_words`].
    pub fn game(&self) -> anyhow::Result<Game> {
        Ok(Game::new(position_from_words(&self.fen, self.chess960)?))
    }
}

/// Which searches to run, for comparisons of the profiles.
#[derive(Clone, Debug, Args)]
pub struct ProfilesArgs {
    /// Size of each transposition table in megabytes.
    #[arg(long, value_name = "MB", default_value_t = DEFAULT_HASH, value_parser = hash_size)]
    pub hash: usize,
    /// Which search, modern or deep-blue; both if none is given.
    #[arg(long = "profile", value_name = "PROFILE")]
    pub profiles: Vec<Profile>,
    /// Set a tunable or a switch on top of each profile; may be repeated.
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub settings: Vec<String>,
}

impl ProfilesArgs {
    /// The search arguments of each profile.
    pub fn each(&self) -> Vec<SearchArgs> {
        let profiles = if self.profiles.is_empty() { &Profile::ALL[..] } else { &self.profiles };
        let with = |&profile| SearchArgs { hash: self.hash, profile, settings: self.settings.clone() };
        profiles.iter().map(with).collect()
    }
}

/// The engine's options with a table of this size. There is no GUI whose delay would have to be kept back of the time.
pub(super) fn options_with_table(hash_mb: usize) -> Options {
    Options { hash_mb, move_overhead: Duration::ZERO, ..Options::default() }
}

/// Parses the size of the table.
pub(super) fn hash_size(text: &str) -> Result<usize, String> {
    within(1..=Options::MAX_HASH_MB as u64)(text).map_err(|expected| format!("{expected}, in megabytes"))
}

impl SearchArgs {
    /// The engine's options.
    ///
    /// # Errors
    ///
    /// An unknown tunable or a value out of range.
    pub fn options(&self) -> anyhow::Result<Options> {
        let mut options = options_with_table(self.hash);
        options.set_profile(self.profile);
        for setting in &self.settings {
            apply(&mut options.params, "--set", setting)?;
        }
        Ok(options)
    }

    /// An engine with these options; warns on standard error if the table is smaller than requested.
    ///
    /// # Errors
    ///
    /// As [`SearchArgs::options`].
    pub fn engine(&self) -> anyhow::Result<Engine> {
        Ok(engine(self.options()?))
    }
}

/// An engine with these options; warns on standard error if the table is smaller than requested.
pub fn engine(options: Options) -> Engine {
    let (engine, warning) = Engine::new(options);
    if let Some(warning) = warning {
        note(format_args!("warning: {warning}"));
    }
    engine
}

/// Endgame tables for searches.
#[derive(Clone, Debug, Default, Args)]
pub struct TablesArgs {
    /// Use the Syzygy endgame tables in these folders, separated as the system separates paths (`:`, on Windows `;`).
    #[arg(long, value_name = "PATH")]
    syzygy: Option<String>,
}

impl TablesArgs {
    /// Whether there are any.
    pub fn are_given(&self) -> bool {
        self.syzygy.is_some()
    }

    /// Opens the tables for the engine; warns on standard error of those that are missing or damaged.
    ///
    /// # Errors
    ///
    /// None can be used.
    pub fn add_to(&self, options: &mut Options) -> anyhow::Result<()> {
        let Some(path) = &self.syzygy else { return Ok(()) };
        let (tables, problems) = Tables::open(path);
        let Some(tables) = tables else {
            let reasons: Vec<String> = problems.iter().map(ToString::to_string).collect();
            bail!("--syzygy {path}: {}", reasons.join("; "));
        };
        warn(&problems);
        options.tables = Some(Arc::new(tables));
        Ok(())
    }
}

/// Warns on standard error of what searches found to be damaged in the endgame tables.
pub fn warn_of_tables(options: &Options) {
    warn(&options.tables.as_ref().map_or_else(Vec::new, |tables| tables.take_problems()));
}

fn warn(problems: &[SyzygyProblem]) {
    problems.iter().for_each(|problem| note(format_args!("warning: {problem}")));
}

/// Applies a setting that an option of the command line has.
///
/// # Errors
///
/// An unknown tunable or a value out of range; the option and the setting are named.
pub fn apply(params: &mut Params, option: &str, setting: &str) -> anyhow::Result<()> {
    let outcome = params.apply(setting).map_err(|error| {
        let ParamError::UnknownName { name } = &error else { return anyhow!(error) };
        let Some(standard) = uci::standard_option(name) else { return anyhow!(error) };
        let here = OPTIONS.iter().find(|(known, _)| *known == standard).map(|(_, here)| format!(": here it is {here}"));
        anyhow!("`{standard}` is a UCI option, not a tunable{}", here.unwrap_or_default())
    });
    outcome.with_context(|| format!("{option} {setting}"))
}

/// A position from a FEN, under the rules of Chess960 if asked for or if it names the castling rooks; what had to be
/// assumed or left out is said on standard error.
///
/// # Errors
///
/// Not a FEN, or not a legal position.
fn position_from_fen(fen: &str, chess960: bool) -> anyhow::Result<Position> {
    let position =
        Position::from_fen_of_either(fen, chess960).map_err(|error| anyhow!("{error}{}", hint(fen, [START])))?;
    if let Some(assumed) = assumed(fen) {
        note(format_args!("note: `{}` lacks fields of a FEN; assumed: {assumed}", fen.trim()));
    }
    for reason in left_out(fen, &position) {
        note(format_args!("note: {reason}; left out of `{}`", fen.trim()));
    }
    Ok(position)
}

/// A position from command line words, where no file is accepted; otherwise as [`position_from_fen`].
///
/// # Errors
///
/// As [`position_from_fen`]; a file is named as what it is.
pub fn position_from_words(words: &[String], chess960: bool) -> anyhow::Result<Position> {
    // Of several files the first is named.
    let named = if are_files(words) { &words[..1] } else { words };
    let Some(path) = kinds::file_named(named) else { return position_from_fen(&words.join(" "), chess960) };
    let name = input_name(path);
    let what = match Found::of_file(path) {
        _ if !path.exists() => "is no position".to_owned(),
        Some(found) => format!("is {found}"),
        None if path.is_dir() => "is a folder".to_owned(),
        None => "is a file".to_owned(),
    };
    bail!(
        "{name} {what}: this command takes a FEN or `{START}`; files are read by `pacioli analyze`, suites also by \
        `pacioli report`"
    )
}

/// Whether these words are several files, where one at most could be read.
fn are_files<W: AsRef<OsStr>>(words: &[W]) -> bool {
    words.len() > 1 && words.iter().all(|word| kinds::file_named(std::slice::from_ref(word)).is_some())
}

/// A game that starts from a FEN, under the rules of Chess960 if asked for.
///
/// # Errors
///
/// Not a FEN, or not a legal position.
pub fn game_from_fen(fen: &str, chess960: bool) -> anyhow::Result<Game> {
    Ok(Game::new(position_from_fen(fen, chess960)?))
}

/// The same from command line words that do not name a file, where a file would also have been accepted.
///
/// # Errors
///
/// As [`game_from_fen`]; for a single word the error says that there is no such file, and nothing else if its extension
/// makes it the name of one. Several files are refused.
pub fn game_unless_file(words: &[OsString], chess960: bool) -> anyhow::Result<Game> {
    if are_files(words) {
        bail!("{} and {}: one file is read at a time", words[0].display(), words[1].display());
    }
    // What is not UTF-8 is no position, and shown as far as it is.
    let words: Vec<String> = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let game = game_from_fen(&words.join(" "), chess960);
    match words.as_slice() {
        [word] if game.is_err() && Path::new(word).extension().is_some() => bail!("there is no file `{word}`"),
        [word] if !word.is_empty() && !word.contains(' ') => game.with_context(|| format!("there is no file `{word}`")),
        _ => game,
    }
}

/// An engine for each of these jobs, or as many as memory allows; what is smaller than requested is reported on
/// standard error.
pub fn open_pool(options: &Options, jobs: u16) -> Pool {
    let (pool, shortage) = Pool::new(options, usize::from(jobs));
    if let Some(shortage) = shortage {
        note(format_args!("warning: {shortage}"));
    }
    pool
}

/// The flag that Ctrl-C raises.
///
/// # Errors
///
/// The system does not report it.
pub fn stop_by_signals() -> anyhow::Result<StopFlag> {
    let interrupt = Interrupt::new();
    // Before signals are heeded: one that comes at once raises it, too.
    let stop = interrupt.stop_flag().context("interrupted")?;
    interrupt.heed_signals()?;
    Ok(stop)
}
