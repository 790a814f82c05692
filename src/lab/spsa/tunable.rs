//! What is tuned: tunables as lines of OpenBench's SPSA input.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::params::{INFO, ParamInfo, ParamKind, hint, text_form};

/// The final perturbation is the tunable's range divided by this.
const STEPS: f64 = 20.0;
/// The smallest final perturbation: less than half a unit would change nothing.
const LEAST_STEP: f64 = 0.5;
/// The final learning rate that OpenBench suggests.
const LEARNING_RATE: f64 = 0.002;
/// Perturbations and learning rates are at most this.
const GREATEST: f64 = 1e9;
/// The type of every tunable in a line; OpenBench has others.
const TYPE: &str = "int";
/// What begins a line without a tunable.
const COMMENT: char = '#';

/// A tunable number and how it is tuned, as a line of OpenBench's SPSA input:
/// `name, int, start, least, most, last perturbation, last learning rate`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(try_from = "String", into = "String")]
pub struct Tunable {
    /// The tunable's name.
    pub name: String,
    /// The value to start from.
    pub start: i32,
    /// The least value to try.
    pub least: i32,
    /// The greatest value to try.
    pub most: i32,
    /// How far from its value it is tried in the last games; in the first ones it is farther.
    pub perturbation: f64,
    /// By how much a result moves it in the last games, as a part of the perturbation; in the first ones by more.
    pub learning_rate: f64,
}

/// A line that does not say what to tune.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TunableError {
    /// Too few or too many parts.
    #[error("expected 7 parts, `name, int, start, least, most, last perturbation, last learning rate`, found {0}")]
    Parts(usize),
    /// Not the name of a number.
    #[error("no numeric tunable is named `{name}`{}", hint(name, names()))]
    Unknown {
        /// The name given.
        name: String,
    },
    /// Another type than whole numbers.
    #[error("the type `{0}` is not known: every tunable is an `{TYPE}`")]
    Type(String),
    /// Not a number.
    #[error("`{text}` is not {expected} for the {part}")]
    Number {
        /// Which part of the line.
        part: &'static str,
        /// What stands there.
        text: String,
        /// What should.
        expected: &'static str,
    },
    /// No values to try.
    #[error("the least value, {least}, is greater than the greatest, {most}")]
    Order {
        /// The least value.
        least: i32,
        /// The greatest value.
        most: i32,
    },
    /// A start outside the values to try.
    #[error("the start, {start}, is not within {least} to {most}")]
    Start {
        /// The start.
        start: i32,
        /// The least value.
        least: i32,
        /// The greatest value.
        most: i32,
    },
    /// Values that the tunable cannot have.
    #[error("{least} to {most} is not within the tunable's own range, {own}")]
    Range {
        /// The least value.
        least: i32,
        /// The greatest value.
        most: i32,
        /// The values it can have.
        own: ParamKind,
    },
    /// A tunable that is there already.
    #[error("`{0}` is named twice")]
    Twice(String),
}

/// The names of all numeric tunables.
fn names() -> impl Iterator<Item = &'static str> {
    INFO.iter().filter(|info| matches!(info.kind, ParamKind::Number { .. })).map(|info| info.name)
}

impl Tunable {
    /// The tunable from its default, over its whole range; switches and choices cannot be tuned.
    pub fn new(info: &ParamInfo) -> Option<Tunable> {
        let ParamKind::Number { default, min, max } = info.kind else { return None };
        Some(Tunable {
            name: info.name.to_owned(),
            start: default,
            least: min,
            most: max,
            perturbation: (f64::from(max - min) / STEPS).max(LEAST_STEP),
            learning_rate: LEARNING_RATE,
        })
    }

    /// The tunable with this name, as [`Tunable::new`] has it.
    ///
    /// # Errors
    ///
    /// [`TunableError::Unknown`] if no numeric tunable has this name.
    pub fn named(name: &str) -> Result<Tunable, TunableError> {
        let unknown = || TunableError::Unknown { name: name.to_owned() };
        ParamInfo::find(name).and_then(Tunable::new).ok_or_else(unknown)
    }

    /// The nearest value that may be tried.
    pub fn clamped(&self, value: f64) -> f64 {
        value.clamp(f64::from(self.least), f64::from(self.most))
    }

    /// Checks that the values can be tried.
    fn check(self, own: ParamKind) -> Result<Tunable, TunableError> {
        let Tunable { start, least, most, .. } = self;
        if least > most {
            return Err(TunableError::Order { least, most });
        }
        if matches!(own, ParamKind::Number { min, max, .. } if least < min || most > max) {
            return Err(TunableError::Range { least, most, own });
        }
        if !(least..=most).contains(&start) {
            return Err(TunableError::Start { start, least, most });
        }
        Ok(self)
    }
}

impl FromStr for Tunable {
    type Err = TunableError;

    fn from_str(line: &str) -> Result<Tunable, TunableError> {
        let parts: Vec<&str> = line.split(',').map(str::trim).collect();
        let [name, kind, start, least, most, perturbation, learning_rate] = parts[..] else {
            return Err(TunableError::Parts(parts.len()));
        };
        let own = Tunable::named(name)?;
        if kind != TYPE {
            return Err(TunableError::Type(kind.to_owned()));
        }
        let tunable = Tunable {
            start: whole("start", start)?,
            least: whole("least value", least)?,
            most: whole("greatest value", most)?,
            perturbation: positive("last perturbation", perturbation)?,
            learning_rate: positive("last learning rate", learning_rate)?,
            name: own.name,
        };
        tunable.check(ParamKind::Number { default: own.start, min: own.least, max: own.most })
    }
}

text_form!(Tunable);

fn whole(part: &'static str, text: &str) -> Result<i32, TunableError> {
    text.parse().map_err(|_| TunableError::Number { part, text: text.to_owned(), expected: "a whole number" })
}

fn positive(part: &'static str, text: &str) -> Result<f64, TunableError> {
    let number = text.parse().ok().filter(|number: &f64| *number > 0.0 && *number <= GREATEST);
    let expected = "a number above zero, at most 1e9,";
    number.ok_or_else(|| TunableError::Number { part, text: text.to_owned(), expected })
}

impl fmt::Display for Tunable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tunable { name, start, least, most, perturbation, learning_rate } = self;
        write!(f, "{name}, {TYPE}, {start}, {least}, {most}, {perturbation}, {learning_rate}")
    }
}

/// Adds a tunable to others.
///
/// # Errors
///
/// [`TunableError::Twice`] if it is among them.
pub fn add(tunables: &mut Vec<Tunable>, tunable: Tunable) -> Result<(), TunableError> {
    if tunables.iter().any(|other| other.name == tunable.name) {
        return Err(TunableError::Twice(tunable.name));
    }
    tunables.push(tunable);
    Ok(())
}

/// Adds the tunables of a text to others, one a line; empty lines, those that begin with `#` and a byte order mark are
/// left out.
///
/// # Errors
///
/// The number of a line, from 1, and what is wrong with it.
pub fn add_lines(tunables: &mut Vec<Tunable>, text: &str) -> Result<(), (usize, TunableError)> {
    for (index, line) in text.trim_start_matches('\u{feff}').lines().map(str::trim).enumerate() {
        if !line.is_empty() && !line.starts_with(COMMENT) {
            line.parse().and_then(|tunable| add(tunables, tunable)).map_err(|error| (index + 1, error))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_as_openbench_reads_them() {
        let line = "credit_limit, int, 15, 15, 48, 1.65, 0.002";
        let tunable = Tunable::named("credit_limit").unwrap();
        assert_eq!(tunable.to_string(), line);
        assert_eq!(line.parse(), Ok(tunable));
    }

    #[test]
    fn every_number_is_read_as_it_is_written() {
        for tunable in INFO.iter().filter_map(Tunable::new) {
            assert_eq!(tunable.to_string().parse(), Ok(tunable));
        }
    }

    #[test]
    fn lines_with_mistakes_are_named() {
        let of = |text: &str| {
            let mut tunables = Vec::new();
            add_lines(&mut tunables, text).map(|()| tunables.len()).map_err(|(line, error)| format!("{line}: {error}"))
        };
        let good = "\u{feff}# mine\n\ncredit_limit, int, 16, 15, 30, 2, 0.01\r\n";
        assert_eq!(of(good), Ok(1));
        for (line, complaint) in [
            (
                "credit_limit, int, 16",
                "expected 7 parts, `name, int, start, least, most, last perturbation, last learning rate`, found 3",
            ),
            ("credit_limt, int, 16, 15, 30, 2, 0.01", "`credit_limt`; did you mean `credit_limit`?"),
            ("credit, int, 16, 15, 30, 2, 0.01", "no numeric tunable is named `credit`"),
            ("credit_limit, float, 16, 15, 30, 2, 0.01", "the type `float`"),
            ("credit_limit, int, 16.5, 15, 30, 2, 0.01", "`16.5` is not a whole number for the start"),
            (
                "credit_limit, int, 16, 15, 30, x, 0.01",
                "`x` is not a number above zero, at most 1e9, for the last perturbation",
            ),
            (
                "credit_limit, int, 16, 15, 30, 2, 0",
                "`0` is not a number above zero, at most 1e9, for the last learning rate",
            ),
            ("credit_limit, int, 16, 30, 15, 2, 0.01", "the least value, 30, is greater than the greatest, 15"),
            ("credit_limit, int, 31, 15, 30, 2, 0.01", "the start, 31, is not within 15 to 30"),
            ("credit_limit, int, 31, 15, 300, 2, 0.01", "15 to 300 is not within the tunable's own range, 15 to 48"),
            ("credit_limit, int, 16, 15, 30, 2, 0.01", "`credit_limit` is named twice"),
        ] {
            let error = of(&format!("{good}{line}\n")).unwrap_err();
            assert!(error.starts_with("4: ") && error.contains(complaint), "{error}");
        }
    }
}
