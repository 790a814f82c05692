//! Counts as people type them: `250000`, `250k`, `1.5M`, `1e6`, `1,000,000`.

use thiserror::Error;

/// A text that is not a count.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{text}` is not a count: expected a whole number such as 250000, 250k, 1.5M or 1e6")]
pub struct CountError {
    /// The text given.
    text: String,
}

/// Parses a count: digits, grouped or not, with `k`, `M` or `G` for thousands, millions or thousands of millions, or
/// with an exponent.
///
/// # Errors
///
/// Anything that is no whole number, or too large for one.
pub fn parse_count(text: &str) -> Result<u64, CountError> {
    whole(text.trim()).ok_or_else(|| CountError { text: text.to_owned() })
}

/// The number; `None` if it is none.
fn whole(text: &str) -> Option<u64> {
    let (text, thousands) = match text.char_indices().last()? {
        (end, 'k' | 'K') => (&text[..end], 3),
        (end, 'm' | 'M') => (&text[..end], 6),
        (end, 'g' | 'G') => (&text[..end], 9),
        _ => (text, 0),
    };
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<u32>().ok()?),
        None => (text, 0),
    };
    let (before, after) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let after = after.trim_end_matches('0');
    let digits: String = before.chars().chain(after.chars()).filter(|digit| !matches!(digit, '_' | ',')).collect();
    if before.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let zeros = (thousands + exponent).checked_sub(after.len() as u32)?;
    digits.parse::<u64>().ok()?.checked_mul(10_u64.checked_pow(zeros)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_read_as_people_type_them() {
        for (text, count) in [
            ("0", 0),
            ("250000", 250_000),
            ("100k", 100_000),
            ("1.5M", 1_500_000),
            ("1e5", 100_000),
            ("2.5e6", 2_500_000),
            ("0.1k", 100),
            ("1.50k", 1500),
            ("2G", 2_000_000_000),
            ("1,234,567", 1_234_567),
            ("1_000", 1000),
            ("18446744073709551615", u64::MAX),
        ] {
            assert_eq!(parse_count(text), Ok(count), "{text}");
        }
    }

    #[test]
    fn what_is_no_whole_number_is_refused() {
        for text in
            ["", "k", "x", "-5", "+5", "1.5", "1.2345k", "1e", "1e-3", "1e99", "20000000000G", ".5M", "1 000", "é"]
        {
            assert!(parse_count(text).is_err(), "{text}");
        }
        assert_eq!(
            parse_count("ten").unwrap_err().to_string(),
            "`ten` is not a count: expected a whole number such as 250000, 250k, 1.5M or 1e6"
        );
    }
}
