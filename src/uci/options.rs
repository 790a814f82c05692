//! The UCI options: one declarative list, used for both the `option` lines and `setoption`.
//!
//! The standard options come first; every tunable and switch of [`params::INFO`](crate::params::INFO) follows under its
//! own name. Names are matched ignoring case. Setting `Profile` drops individual tunables set before, the evaluation
//! among them, so it is listed before them: GUIs restore options in that order.

use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;

use crate::book::{Book, BookChoice};
use crate::engine::{Level, Options};
use crate::eval::nnue;
use crate::params::{Evaluation, INFO, ParamError, ParamInfo, ParamKind, Profile, hint, parse_switch};
use crate::syzygy::{MAX_PIECES, Tables};
use crate::units::Depth;

/// Everything that can be set over UCI.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// The engine's options.
    pub options: Options,
    /// Whether positions are read, and castling is written, as in Chess960.
    pub chess960: bool,
    /// How many best moves to show with their lines; 0 means 1.
    pub multi_pv: usize,
    /// Whether searches are for analysis, and do not end because a mate is proven.
    pub analysis: bool,
    /// Lines that are only shown on request.
    pub extras: Extras,
}

/// Lines of a search that are only shown on request.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Extras {
    /// The refutations of moves that are not best, after each iteration.
    pub refutations: bool,
    /// The line being searched, about once a second.
    pub current_line: bool,
    /// The principal variation of each iteration as a ledger.
    pub ledger: bool,
    /// Winning chances with each score.
    pub chances: bool,
}

/// What to do besides storing a new value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing.
    Kept,
    /// Report this.
    Told(Vec<String>),
    /// Clear the transposition table.
    ClearHash,
}

/// A `setoption` that cannot be carried out; the old value stays.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SettingError {
    /// No option has this name.
    #[error("setoption: no option named `{name}`{}", hint(name, names()))]
    Unknown {
        /// The name given.
        name: String,
    },
    /// The option needs a value.
    #[error("setoption: {name} needs a value")]
    NoValue {
        /// The option.
        name: &'static str,
    },
    /// The value is outside the range.
    #[error("setoption: `{value}` is not a value for {name}: expected {expected}")]
    BadValue {
        /// The option.
        name: &'static str,
        /// The value given.
        value: String,
        /// What is allowed.
        expected: String,
    },
    /// A tunable that cannot be set.
    #[error("setoption: {0}")]
    Param(#[from] ParamError),
}

/// One standard option.
struct Spec {
    name: &'static str,
    /// Other names used for it by GUIs and bots.
    aliases: &'static [&'static str],
    kind: Kind,
}

/// The values of an option, and where they are stored.
enum Kind {
    Spin {
        default: i64,
        min: i64,
        max: i64,
        keep: fn(&mut Settings, i64),
    },
    Check {
        default: bool,
        keep: fn(&mut Settings, bool),
    },
    /// One of several texts; storing it may return messages.
    Combo {
        default: &'static str,
        choices: &'static [&'static str],
        keep: fn(&mut Settings, &str) -> Vec<String>,
    },
    /// A text that may be empty; storing it may return messages.
    Text {
        default: &'static str,
        keep: fn(&mut Settings, &str) -> Vec<String>,
    },
    Button {
        effect: Effect,
    },
}

/// The UCI notation of an empty string.
const EMPTY: &str = "<empty>";

/// The tunable that selects the evaluation.
const EVALUATION: &str = "evaluation";
/// The name of the embedded network.
const EMBEDDED: &str = "<embedded>";

/// The standard options. Only what works is listed; those without an effect on the search are for GUIs that insist.
const SPECS: &[Spec] = &[
    Spec {
        name: "Hash",
        aliases: &[],
        kind: Kind::Spin {
            default: crate::tt::DEFAULT_MEGABYTES as i64,
            min: 1,
            max: Options::MAX_HASH_MB as i64,
            keep: |settings, value| settings.options.hash_mb = value as usize,
        },
    },
    Spec { name: "Clear Hash", aliases: &["ClearHash"], kind: Kind::Button { effect: Effect::ClearHash } },
    Spec {
        name: "Threads",
        aliases: &[],
        kind: Kind::Spin {
            default: 1,
            min: 1,
            max: Options::MAX_THREADS as i64,
            keep: |settings, value| settings.options.threads = value as usize,
        },
    },
    Spec {
        name: "Move Overhead",
        aliases: &["MoveOverhead", "Move_Overhead"],
        kind: Kind::Spin {
            default: 10,
            min: 0,
            max: Options::MAX_MOVE_OVERHEAD.as_millis() as i64,
            keep: |settings, value| settings.options.move_overhead = Duration::from_millis(value.unsigned_abs()),
        },
    },
    // Pondering does not affect time management; the option must exist for GUIs to ponder.
    Spec { name: "Ponder", aliases: &[], kind: Kind::Check { default: false, keep: |_, _| {} } },
    Spec {
        name: "UCI_Chess960",
        aliases: &[],
        kind: Kind::Check { default: false, keep: |settings, value| settings.chess960 = value },
    },
    Spec {
        name: "Ledger",
        aliases: &[],
        kind: Kind::Check { default: false, keep: |settings, value| settings.extras.ledger = value },
    },
    Spec {
        name: "MultiPV",
        aliases: &["Multi PV"],
        kind: Kind::Spin {
            default: 1,
            min: 1,
            max: crate::board::MAX_MOVES as i64,
            // One line is the same as none requested.
            keep: |settings, value| settings.multi_pv = if value == 1 { 0 } else { value as usize },
        },
    },
    Spec {
        name: "UCI_AnalyseMode",
        aliases: &["UCI_AnalyzeMode"],
        kind: Kind::Check { default: false, keep: |settings, value| settings.analysis = value },
    },
    Spec {
        name: "UCI_ShowRefutations",
        aliases: &[],
        kind: Kind::Check { default: false, keep: |settings, value| settings.extras.refutations = value },
    },
    Spec {
        name: "UCI_ShowCurrLine",
        aliases: &[],
        kind: Kind::Check { default: false, keep: |settings, value| settings.extras.current_line = value },
    },
    Spec { name: "UCI_Opponent", aliases: &[], kind: Kind::Text { default: EMPTY, keep: |_, _| Vec::new() } },
    Spec {
        name: "UCI_ShowWDL",
        aliases: &[],
        kind: Kind::Check { default: false, keep: |settings, value| settings.extras.chances = value },
    },
    Spec {
        name: "SyzygyPath",
        aliases: &["Syzygy Path", "Syzygy_Path"],
        kind: Kind::Text { default: EMPTY, keep: open_tables },
    },
    Spec {
        name: "SyzygyProbeDepth",
        aliases: &[],
        kind: Kind::Spin {
            default: 1,
            min: 1,
            max: 100,
            keep: |settings, value| settings.options.syzygy_probe_depth = value as Depth,
        },
    },
    Spec {
        name: "SyzygyProbeLimit",
        aliases: &[],
        kind: Kind::Spin {
            default: MAX_PIECES as i64,
            min: 0,
            max: MAX_PIECES as i64,
            keep: |settings, value| settings.options.syzygy_probe_limit = value as usize,
        },
    },
    Spec {
        name: "Syzygy50MoveRule",
        aliases: &[],
        kind: Kind::Check { default: true, keep: |settings, value| settings.options.syzygy_fifty_moves = value },
    },
    Spec {
        name: "OwnBook",
        aliases: &[],
        kind: Kind::Check { default: false, keep: |settings, value| settings.options.own_book = value },
    },
    Spec {
        name: "Book File",
        aliases: &["BookFile", "Book_File"],
        kind: Kind::Text { default: EMPTY, keep: open_book },
    },
    Spec {
        name: "Book Choice",
        aliases: &["BookChoice", "Book_Choice"],
        kind: Kind::Combo {
            default: "weighted",
            choices: &["weighted", "best"],
            keep: |settings, value| {
                settings.options.book_choice = if value == "best" { BookChoice::Best } else { BookChoice::Weighted };
                Vec::new()
            },
        },
    },
    Spec {
        name: "Profile",
        aliases: &[],
        kind: Kind::Combo { default: Profile::Modern.name(), choices: &Profile::NAMES, keep: set_profile },
    },
    Spec {
        name: "Evaluation",
        aliases: &[],
        kind: Kind::Combo {
            default: Evaluation::Nnue.name(),
            choices: &Evaluation::NAMES,
            keep: |settings, value| {
                // Every choice is a value of the tunable.
                _ = settings.options.params.set(EVALUATION, value);
                Vec::new()
            },
        },
    },
    Spec { name: "EvalFile", aliases: &["Eval File"], kind: Kind::Text { default: EMBEDDED, keep: open_network } },
    Spec {
        name: "UCI_LimitStrength",
        aliases: &[],
        kind: Kind::Check { default: false, keep: |settings, value| settings.options.limit_strength = value },
    },
    Spec {
        name: "UCI_Elo",
        aliases: &[],
        kind: Kind::Spin {
            default: Level::MAX as i64,
            min: Level::MIN as i64,
            max: Level::MAX as i64,
            keep: |settings, value| settings.options.elo = value as u32,
        },
    },
    // Randomness: book moves and the errors of limited strength; 0 means a new seed each game.
    Spec {
        name: "Seed",
        aliases: &[],
        kind: Kind::Spin {
            default: 0,
            min: 0,
            max: i32::MAX as i64,
            keep: |settings, value| settings.options.seed = value as u32,
        },
    },
];

/// Sets the profile; reports which individual settings that changes.
fn set_profile(settings: &mut Settings, name: &str) -> Vec<String> {
    let options = &mut settings.options;
    let before = options.params.clone();
    let mut dropped = before.differences(&options.profile.params());
    options.set_profile(name.parse().unwrap_or_default());
    let changed = before.differences(&options.params);
    dropped.retain(|setting| changed.contains(setting));
    if dropped.is_empty() {
        return Vec::new();
    }
    vec![format!("Profile {name} drops what was set before: {}", dropped.join(", "))]
}

/// Opens the endgame tables in these folders, replacing any before; reports what was found and what is wrong.
fn open_tables(settings: &mut Settings, path: &str) -> Vec<String> {
    settings.options.tables = None;
    if path.is_empty() {
        return Vec::new();
    }
    let (tables, problems) = Tables::open(path);
    let told = tables.iter().map(Tables::to_string).chain(problems.iter().map(ToString::to_string)).collect();
    settings.options.tables = tables.map(Arc::new);
    told
}

/// Loads a network, replacing the previous one; reports which it is, or why it is rejected and the old one stays.
fn open_network(settings: &mut Settings, path: &str) -> Vec<String> {
    if path.is_empty() || path == EMBEDDED {
        settings.options.network = nnue::embedded();
        return Vec::new();
    }
    match nnue::open(Path::new(path)) {
        Ok(network) => {
            let told = format!("network {path}, {:08x}", network.checksum());
            settings.options.network = Some(Arc::new(network));
            vec![told]
        }
        Err(error) => vec![format!("network {path}: {error}; keeping the old one")],
    }
}

/// Opens an opening book, replacing any before; reports what was found or why it is rejected.
fn open_book(settings: &mut Settings, path: &str) -> Vec<String> {
    settings.options.book = None;
    if path.is_empty() {
        return Vec::new();
    }
    match Book::open(Path::new(path)) {
        Ok(book) => {
            let told = book.to_string();
            settings.options.book = Some(Arc::new(book));
            vec![told]
        }
        Err(error) => vec![error.to_string()],
    }
}

/// The `option` lines, in order.
pub fn listing() -> Vec<String> {
    let standard = SPECS.iter().map(|spec| format!("option name {} type {}", spec.name, spec.kind.describe()));
    // The tunable that is a standard option too is listed once, under the name that GUIs know.
    let tunables = INFO.iter().filter(|info| info.name != EVALUATION);
    let tunables = tunables.map(|info| format!("option name {} type {}", info.name, describe_tunable(info)));
    standard.chain(tunables).collect()
}

/// A tunable's type, default and range, in UCI notation.
fn describe_tunable(info: &ParamInfo) -> String {
    match info.kind {
        ParamKind::Switch { default } => format!("check default {default}"),
        ParamKind::Number { default, min, max } => format!("spin default {default} min {min} max {max}"),
        ParamKind::Choice { default, names } => combo(default, names),
    }
}

/// A combo's type, default and choices, in UCI notation.
fn combo(default: &str, choices: &[&str]) -> String {
    choices.iter().fold(format!("combo default {default}"), |mut line, choice| {
        // Writing to a string cannot fail.
        let _ = write!(line, " var {choice}");
        line
    })
}

/// The names of all options.
fn names() -> impl Iterator<Item = &'static str> {
    SPECS.iter().map(|spec| spec.name).chain(INFO.iter().map(|info| info.name))
}

/// The standard option with this name or alias; those for tunables are called like them.
pub fn standard(name: &str) -> Option<&'static str> {
    SPECS.iter().find(|spec| spec.is_named(name.trim())).map(|spec| spec.name)
}

/// Sets an option by name; nothing changes on an error.
pub fn set(settings: &mut Settings, name: &str, value: Option<&str>) -> Result<Effect, SettingError> {
    if let Some(spec) = SPECS.iter().find(|spec| spec.is_named(name)) {
        return spec.set(settings, value);
    }
    let info = ParamInfo::find(name).ok_or_else(|| SettingError::Unknown { name: name.to_owned() })?;
    let value = value.ok_or(SettingError::NoValue { name: info.name })?;
    settings.options.params.set(info.name, value)?;
    Ok(Effect::Kept)
}

impl Spec {
    /// Whether this is its name, or another that is used for it.
    fn is_named(&self, name: &str) -> bool {
        std::iter::once(&self.name).chain(self.aliases).any(|known| known.eq_ignore_ascii_case(name))
    }

    fn set(&self, settings: &mut Settings, value: Option<&str>) -> Result<Effect, SettingError> {
        let given = || value.ok_or(SettingError::NoValue { name: self.name });
        match self.kind {
            Kind::Spin { min, max, keep, .. } => {
                let text = given()?;
                let number = text.parse().ok().filter(|number| (min..=max).contains(number));
                keep(settings, number.ok_or_else(|| self.bad_value(text))?);
            }
            Kind::Check { keep, .. } => {
                let text = given()?;
                keep(settings, parse_switch(text).ok_or_else(|| self.bad_value(text))?);
            }
            Kind::Combo { choices, keep, .. } => {
                let text = given()?;
                let choice = choices.iter().find(|choice| choice.eq_ignore_ascii_case(text));
                return Ok(Effect::Told(keep(settings, choice.ok_or_else(|| self.bad_value(text))?)));
            }
            Kind::Text { keep, .. } => {
                return Ok(Effect::Told(keep(settings, value.filter(|&text| text != EMPTY).unwrap_or_default())));
            }
            Kind::Button { ref effect } => return Ok(effect.clone()),
        }
        Ok(Effect::Kept)
    }

    fn bad_value(&self, value: &str) -> SettingError {
        let meant = if let Kind::Combo { choices, .. } = self.kind {
            hint(value, choices.iter().copied())
        } else {
            String::new()
        };
        let expected = self.kind.expected() + &meant;
        SettingError::BadValue { name: self.name, value: value.to_owned(), expected }
    }
}

impl Kind {
    /// Type, default and range, in UCI notation.
    fn describe(&self) -> String {
        match self {
            Kind::Spin { default, min, max, .. } => format!("spin default {default} min {min} max {max}"),
            Kind::Check { default, .. } => format!("check default {default}"),
            Kind::Combo { default, choices, .. } => combo(default, choices),
            Kind::Text { default, .. } => format!("string default {default}"),
            Kind::Button { .. } => "button".to_owned(),
        }
    }

    /// The allowed values, for people.
    fn expected(&self) -> String {
        match self {
            Kind::Spin { min, max, .. } => format!("{min} to {max}"),
            Kind::Check { .. } => "true or false".to_owned(),
            Kind::Combo { choices, .. } => choices.join(" or "),
            Kind::Text { .. } | Kind::Button { .. } => "anything".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_listed_defaults_are_the_settings_one_starts_with() {
        let mut settings = Settings::default();
        for spec in SPECS {
            let default = match &spec.kind {
                Kind::Spin { default, .. } => default.to_string(),
                Kind::Check { default, .. } => default.to_string(),
                Kind::Combo { default, .. } | Kind::Text { default, .. } => (*default).to_owned(),
                Kind::Button { .. } => continue,
            };
            set(&mut settings, spec.name, Some(&default)).unwrap();
            assert_eq!(settings, Settings::default(), "{}", spec.name);
        }
    }

    #[test]
    fn numbers_and_switches_are_kept_where_they_take_effect() {
        type Keep = fn(&mut Settings);
        let rows: [(&str, &str, Keep); 18] = [
            ("Hash", "32", |settings| settings.options.hash_mb = 32),
            ("Threads", "2", |settings| settings.options.threads = 2),
            ("Move Overhead", "55", |settings| settings.options.move_overhead = Duration::from_millis(55)),
            ("Ponder", "true", |_| ()),
            ("UCI_Chess960", "true", |settings| settings.chess960 = true),
            ("Ledger", "true", |settings| settings.extras.ledger = true),
            ("MultiPV", "3", |settings| settings.multi_pv = 3),
            ("UCI_AnalyseMode", "true", |settings| settings.analysis = true),
            ("UCI_ShowRefutations", "true", |settings| settings.extras.refutations = true),
            ("UCI_ShowCurrLine", "true", |settings| settings.extras.current_line = true),
            ("UCI_ShowWDL", "true", |settings| settings.extras.chances = true),
            ("SyzygyProbeDepth", "9", |settings| settings.options.syzygy_probe_depth = 9),
            ("SyzygyProbeLimit", "5", |settings| settings.options.syzygy_probe_limit = 5),
            ("Syzygy50MoveRule", "false", |settings| settings.options.syzygy_fifty_moves = false),
            ("OwnBook", "true", |settings| settings.options.own_book = true),
            ("UCI_LimitStrength", "true", |settings| settings.options.limit_strength = true),
            ("UCI_Elo", "1500", |settings| settings.options.elo = 1500),
            ("Seed", "7", |settings| settings.options.seed = 7),
        ];
        let known = SPECS.iter().filter(|spec| matches!(spec.kind, Kind::Spin { .. } | Kind::Check { .. }));
        assert!(known.map(|spec| spec.name).eq(rows.map(|(name, ..)| name)));
        for (name, value, keep) in rows {
            let (mut settings, mut expected) = (Settings::default(), Settings::default());
            set(&mut settings, name, Some(value)).unwrap();
            keep(&mut expected);
            assert_eq!(settings, expected, "{name}");
        }
    }

    #[test]
    fn every_profile_is_a_choice_and_every_choice_a_profile() {
        for profile in Profile::ALL {
            let mut settings = Settings::default();
            set(&mut settings, "profile", Some(&profile.to_string())).unwrap();
            assert_eq!(settings.options.profile, profile);
        }
        let line = listing().into_iter().find(|line| line.starts_with("option name Profile ")).unwrap();
        assert_eq!(line, "option name Profile type combo default modern var modern var deep-blue");
    }

    #[test]
    fn the_profile_is_listed_before_what_it_drops_and_says_what_that_is() {
        let lines = listing();
        let place = |name: &str| lines.iter().position(|line| line.starts_with(&format!("option name {name} type ")));
        assert!(place("Profile") < place("Evaluation") && place("Profile") < place(INFO[0].name));
        let mut settings = Settings::default();
        assert_eq!(set(&mut settings, "Profile", Some("modern")), Ok(Effect::Told(Vec::new())));
        // The first two are so in the profile, too.
        for (name, value) in [("Evaluation", "classical"), ("null_move", "off"), ("credit_limit", "24")] {
            set(&mut settings, name, Some(value)).unwrap();
        }
        let told = vec!["Profile deep-blue drops what was set before: credit_limit=24".to_owned()];
        assert_eq!(set(&mut settings, "Profile", Some("Deep-Blue")), Ok(Effect::Told(told)));
        assert_eq!(settings.options.params, Profile::DeepBlue.params());
        set(&mut settings, "Evaluation", Some("nnue")).unwrap();
        assert_eq!(set(&mut settings, "Profile", Some("modern")), Ok(Effect::Told(Vec::new())));
    }

    #[test]
    fn no_option_is_listed_twice_and_the_evaluation_is_listed_as_guis_know_it() {
        // GUIs and match runners compare names as they are listed.
        let lines = listing();
        assert!(lines.contains(&"option name Evaluation type combo default nnue var nnue var classical".to_owned()));
        let name = |line: &String| line.split(" type ").next().unwrap_or_default().to_ascii_lowercase();
        let names: std::collections::HashSet<String> = lines.iter().map(name).collect();
        assert_eq!(names.len(), lines.len());
        for (value, evaluation) in [("nnue", Evaluation::Nnue), ("classical", Evaluation::Classical)] {
            let mut settings = Settings::default();
            set(&mut settings, "Evaluation", Some(value)).unwrap();
            assert_eq!(settings.options.params.evaluation, evaluation);
        }
    }

    #[test]
    fn a_network_file_replaces_the_old_network_only_if_it_is_sound() {
        let folder = tempfile::tempdir().unwrap();
        let mut settings = Settings::default();
        let mut load = |name: &str, bytes: Option<&[u8]>| {
            let path = folder.path().join(name);
            bytes.inspect(|bytes| std::fs::write(&path, bytes).unwrap());
            let value = if name == EMBEDDED { name.to_owned() } else { path.display().to_string() };
            let Ok(Effect::Told(told)) = set(&mut settings, "EvalFile", Some(&value)) else { panic!("{name}") };
            let network = settings.options.network.as_ref().map(|network| network.checksum());
            (told.join("; ").replace(&value, name), network)
        };
        let (embedded, other) = (nnue::embedded().map(|network| network.checksum()), nnue::random(7, 1).write());
        let read = nnue::Network::read(&other).unwrap().checksum();
        assert_eq!(load("good", Some(&other)), (format!("network good, {read:08x}"), Some(read)));
        // Another one must stay than the program would have anyway.
        let mut wrong = other.clone();
        wrong[100] ^= 1;
        for (name, bytes, reason) in [
            ("foreign", Some(&b"{\"kind\":\"solve\"}"[..]), "not a network file of this program"),
            ("older", Some(b"PACINET2, and more"), "a network file of another version: PACINET3 expected"),
            ("short", Some(&other[..other.len() - 1]), "truncated: "),
            ("wrong", Some(&wrong), "checksum"),
            ("missing", None, "cannot read it: "),
            (".", None, "cannot read it: "),
        ] {
            let (told, network) = load(name, bytes);
            assert!(told.contains(reason) && told.ends_with("; keeping the old one"), "{name}: {told}");
            assert_eq!(network, Some(read), "{name}");
        }
        assert_eq!(load(EMBEDDED, None), (String::new(), embedded));
        assert_ne!(embedded, Some(read));
    }

    #[test]
    fn names_are_found_in_any_case_and_by_alias() {
        let mut settings = Settings::default();
        set(&mut settings, "hash", Some("32")).unwrap();
        set(&mut settings, "moveoverhead", Some("55")).unwrap();
        set(&mut settings, "uci_chess960", Some("true")).unwrap();
        set(&mut settings, "Credit_Limit", Some("24")).unwrap();
        set(&mut settings, "null_move", Some("false")).unwrap();
        assert_eq!((settings.options.hash_mb, settings.options.params.credit_limit), (32, 24));
        assert_eq!(settings.options.move_overhead, Duration::from_millis(55));
        set(&mut settings, "ledger", Some("true")).unwrap();
        assert!(settings.chess960 && settings.extras.ledger && !settings.options.params.null_move);
        assert_eq!(set(&mut settings, "clear hash", None), Ok(Effect::ClearHash));
        set(&mut settings, "UCI_Opponent", None).unwrap();
    }

    #[test]
    fn bad_settings_change_nothing_and_say_what_is_allowed() {
        let mut settings = Settings::default();
        for (name, value) in [
            ("Hash", Some("0")),
            ("Hash", Some("99999999999999999999")),
            ("Hash", None),
            ("Threads", Some("1000")),
            ("Profile", Some("fritz")),
            ("Ponder", Some("maybe")),
            ("credit_limit", Some("1000")),
            ("credit_limit", None),
            ("no such", Some("1")),
        ] {
            assert!(set(&mut settings, name, value).is_err(), "{name} {value:?}");
            assert_eq!(settings, Settings::default());
        }
        let error = set(&mut settings, "Ponder", Some("maybe")).unwrap_err();
        assert_eq!(error.to_string(), "setoption: `maybe` is not a value for Ponder: expected true or false");
    }
}
