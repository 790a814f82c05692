//! Rules that say when a position counts as solved.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::params::text_form;

/// When a position counts as solved.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(try_from = "String", into = "String")]
pub enum Rule {
    /// The answer at the end of the search is right.
    #[default]
    End,
    /// The answer was right in this many iterations in a row; the search ends there.
    Held(u32),
    /// The answer was right in some iteration; the search ends there.
    Seen,
}

/// A text that is not a [`Rule`].
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}` is not a rule: expected end, seen or held=N with N from 1 to 99")]
pub struct RuleError(String);

impl FromStr for Rule {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<Rule, RuleError> {
        match text.split_once('=') {
            None if text == "end" => Some(Rule::End),
            None if text == "seen" => Some(Rule::Seen),
            Some(("held", number)) => number.parse().ok().filter(|n| (1..=99).contains(n)).map(Rule::Held),
            _ => None,
        }
        .ok_or_else(|| RuleError(text.to_owned()))
    }
}

text_form!(Rule);

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rule::End => write!(f, "end"),
            Rule::Held(iterations) => write!(f, "held={iterations}"),
            Rule::Seen => write!(f, "seen"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_spelled_as_they_print() {
        for rule in [Rule::End, Rule::Seen, Rule::Held(3)] {
            assert_eq!(rule.to_string().parse(), Ok(rule));
        }
        for text in ["", "held", "held=0", "held=x", "end=1", "held=100"] {
            assert!(text.parse::<Rule>().is_err(), "{text}");
        }
    }
}
