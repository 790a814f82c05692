//! Parts of a run, for spreading it over machines.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::params::text_form;

/// One of several equal parts of a run: every position whose number has the same remainder.
///
/// Positions are dealt to the parts in turn, since suites often get harder from the first line to the last.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(try_from = "String", into = "String")]
pub struct Shard {
    /// Which part, from 1.
    number: usize,
    /// How many parts there are.
    count: usize,
}

/// A text that is not a [`Shard`].
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}` is not a part of a run: expected I/N with I from 1 to N")]
pub struct ShardError(String);

impl Shard {
    /// Whether the position with this number, from 0, belongs to the part.
    pub fn includes(self, index: usize) -> bool {
        index % self.count == self.number - 1
    }

    /// How many of `total` things belong to the part.
    pub fn share(self, total: u64) -> u64 {
        total.saturating_sub(self.number as u64 - 1).div_ceil(self.count as u64)
    }

    /// The overall number of the part's thing with this index; both from 0.
    pub fn nth(self, index: u64) -> u64 {
        index * self.count as u64 + self.number as u64 - 1
    }

    /// All `count` parts.
    pub fn all(count: usize) -> impl Iterator<Item = Shard> {
        (1..=count).map(move |number| Shard { number, count })
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Shard, ShardError> {
        let numbers =
            text.split_once('/').and_then(|(number, count)| Some((number.parse().ok()?, count.parse().ok()?)));
        match numbers {
            Some((number, count)) if (1..=count).contains(&number) => Ok(Shard { number, count }),
            _ => Err(ShardError(text.to_owned())),
        }
    }
}

text_form!(Shard);

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_belongs_to_one_part() {
        for count in 1..6 {
            for index in 0..20 {
                let parts = (1..=count).filter(|number| {
                    let shard: Shard = format!("{number}/{count}").parse().unwrap();
                    assert_eq!(shard.to_string().parse(), Ok(shard));
                    shard.includes(index)
                });
                assert_eq!(parts.count(), 1);
            }
        }
    }

    #[test]
    fn a_part_counts_and_numbers_what_belongs_to_it() {
        for (count, total) in [(1, 5), (3, 0), (3, 7), (4, 8), (5, 3)] {
            for shard in Shard::all(count) {
                let numbers: Vec<u64> = (0..total).filter(|&number| shard.includes(number as usize)).collect();
                assert_eq!(shard.share(total), numbers.len() as u64);
                assert!((0..).zip(&numbers).all(|(index, &number)| shard.nth(index) == number));
            }
        }
    }

    #[test]
    fn what_is_no_part_is_refused() {
        for text in ["", "1", "/", "0/3", "4/3", "1/0", "x/2", "1/2/3", "-1/2"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
