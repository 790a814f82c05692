//! Counts as people type them: `250000`, `250k`, `1.5M`, `1e6`, `1,000,000`.

use thiserror::Error;

use super::grouped;

/// A text that is not a count that can be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CountError {
    /// It is no count.
    #[error("`{text}` is not a count: expected a whole number such as 250000, 250k, 1.5M or 1e6")]
    NotACount {
        /// The text given.
        text: String,
    },
    /// It is more than there can be.
    #[error("`{text}` is too large: the largest count is {}", grouped(u64::MAX))]
    TooLarge {
        /// The text given.
        text: String,
    },
}

/// Parses a count: digits, grouped or not, with `k`, `M` or `G` for thousands, millions or thousands of millions, or
/// with an exponent.
///
/// # Errors
///
/// Anything that is no whole number, or too large for one.
pub fn parse_count(text: &str) -> Result<u64, CountError> {
    let (digits, zeros) = parts(text.trim()).ok_or_else(|| CountError::NotACount { text: text.to_owned() })?;
    let number = match digits.trim_start_matches('0') {
        "" => Some(0),
        digits => {
            digits.parse().ok().zip(10_u64.checked_pow(zeros)).and_then(|(n, unit): (u64, u64)| n.checked_mul(unit))
        }
    };
    number.ok_or_else(|| CountError::TooLarge { text: text.to_owned() })
}

/// The digits of a number, and how many zeros follow them; `None` if it is no whole number.
fn parts(text: &str) -> Option<(String, u32)> {
    let (text, thousands) = match text.char_indices().last()? {
        (end, 'k' | 'K') => (&text[..end], 3),
        (end, 'm' | 'M') => (&text[..end], 6),
        (end, 'g' | 'G') => (&text[..end], 9),
        _ => (text, 0),
    };
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) if is_number(exponent) => (mantissa, exponent.parse().unwrap_or(u32::MAX)),
        Some(_) => return None,
        None => (text, 0),
    };
    let (before, after) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let after = after.trim_end_matches('0');
    let mut groups = before.split([',', '_']);
    let first = groups.next()?;
    // A decimal comma is none that separates thousands.
    let is_grouped = before.len() == first.len() || first.len() <= 3 && groups.clone().all(|group| group.len() == 3);
    let digits = first.to_owned() + &groups.collect::<String>() + after;
    if first.is_empty() || !is_grouped || !is_number(&digits) {
        return None;
    }
    let zeros = exponent.saturating_add(thousands).checked_sub(u32::try_from(after.len()).ok()?)?;
    Some((digits, zeros))
}

/// Whether a text has digits, and nothing else.
fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit())
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
            ("0e99", 0),
            ("18446744073709551615", u64::MAX),
        ] {
            assert_eq!(parse_count(text), Ok(count), "{text}");
        }
    }

    #[test]
    fn what_is_no_whole_number_is_refused() {
        for text in [
            "", "k", "x", "-5", "+5", "1.5", "1.2345k", "1e", "1e-3", "1e+3", ".5M", "1 000", "é", "1,5M", "0,5k",
            "1,00", "1234,567", "1,", "1,2345", "1,5,000",
        ] {
            assert!(matches!(parse_count(text), Err(CountError::NotACount { .. })), "{text}");
        }
        assert_eq!(
            parse_count("ten").unwrap_err().to_string(),
            "`ten` is not a count: expected a whole number such as 250000, 250k, 1.5M or 1e6"
        );
    }

    #[test]
    fn a_number_that_is_too_large_is_told_the_largest() {
        for text in ["1e30", "99999999999999999999", "20000000000G", "1e99", "1e4294967295k", "1e99999999999"] {
            let error = parse_count(text).unwrap_err().to_string();
            assert_eq!(error, format!("`{text}` is too large: the largest count is 18,446,744,073,709,551,615"));
        }
    }
}
