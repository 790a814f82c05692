//! Counts on the command line, all of which take `250k`, `1.5M` and `1e6` besides plain numbers.

pub use crate::text::parse_count as count;

use std::ops::RangeInclusive;

use crate::search::MAX_ITERATION;
use crate::text::{grouped, parse_count};

/// The most jobs at a time.
const MAX_JOBS: u64 = 1024;

/// A count of at least one.
///
/// # Errors
///
/// No count, zero, or one that is too large.
pub fn positive(text: &str) -> Result<u64, String> {
    match parse_count(text).map_err(|error| error.to_string())? {
        0 => Err("expected at least 1".to_owned()),
        count => Ok(count),
    }
}

/// Counts from the first to the last of a range; an error names both.
pub fn within<T: TryFrom<u64>>(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text| {
        let count =
            parse_count(text).ok().filter(|count| range.contains(count)).and_then(|count| count.try_into().ok());
        let expected =
            || format!("expected a whole number from {} to {}", grouped(*range.start()), grouped(*range.end()));
        count.ok_or_else(expected)
    }
}

/// How many jobs to run at a time.
///
/// # Errors
///
/// None, or too many.
pub fn jobs(text: &str) -> Result<u16, String> {
    within(1..=MAX_JOBS)(text)
}

/// The number of an iteration.
///
/// # Errors
///
/// None that can be asked for.
pub fn depth(text: &str) -> Result<i32, String> {
    within(1..=MAX_ITERATION.unsigned_abs().into())(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_out_of_its_range_is_told_the_range() {
        let parse = within::<u16>(1..=2000);
        assert_eq!([parse("1"), parse("1.5k"), parse("2000")], [Ok(1), Ok(1500), Ok(2000)]);
        for text in ["0", "2001", "-1", "x", "1e30", "99999999999999999999"] {
            assert_eq!(parse(text), Err("expected a whole number from 1 to 2,000".to_owned()), "{text}");
        }
        // A range that the type does not hold is cut.
        assert!(within::<u8>(0..=1000)("300").is_err());
    }
}
