//! Counts on the command line, all of which take `250k`, `1.5M` and `1e6` besides plain numbers.

use crate::text::{CountError, parse_count};

/// Any count.
///
/// # Errors
///
/// No count.
pub fn count(text: &str) -> Result<u64, CountError> {
    parse_count(text)
}

/// A count of at least one.
///
/// # Errors
///
/// No count, or zero.
pub fn positive(text: &str) -> Result<u64, String> {
    match parse_count(text).map_err(|error| error.to_string())? {
        0 => Err("expected at least 1".to_owned()),
        count => Ok(count),
    }
}
