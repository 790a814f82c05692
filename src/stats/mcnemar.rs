//! McNemar's test for paired yes-or-no results, in its exact form.
//!
//! Q. McNemar, "Note on the sampling error of the difference between correlated proportions or percentages",
//! Psychometrika 12 (1947), 153-157. Positions that both searches solve, or neither, say nothing about which is better.
//! If there were no difference, each of the others would fall to either side like a fair coin. With counts instead of
//! yes and no the same test is the sign test.

/// The two-sided probability that chance alone splits the differing pairs at least as unevenly as this.
///
/// Twice the binomial tail at one half, at most 1. The terms are computed as logarithms, since powers of one half soon
/// leave the range of a float.
pub fn p_value(gained: usize, lost: usize) -> f64 {
    let pairs = (gained + lost) as f64;
    let mut log_term = -pairs * std::f64::consts::LN_2;
    let mut tail = log_term.exp();
    for successes in 1..=gained.min(lost) {
        let k = successes as f64;
        log_term += ((pairs - k + 1.0) / k).ln();
        tail += log_term.exp();
    }
    (2.0 * tail).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_cases_agree_with_counting_by_hand() {
        for (gained, lost, exact) in [
            (0, 0, 1.0),
            (0, 1, 1.0),
            (5, 5, 1.0),
            (0, 6, 2.0 / 64.0),
            (1, 9, 22.0 / 1024.0),
            (3, 12, 2.0 * (1.0 + 15.0 + 105.0 + 455.0) / 32768.0),
        ] {
            for p in [p_value(gained, lost), p_value(lost, gained)] {
                assert!((p - exact).abs() < 1e-12, "{gained} {lost}: {p}, not {exact}");
            }
        }
    }

    #[test]
    fn large_cases_stay_within_a_probability() {
        assert!((p_value(5000, 5000) - 1.0).abs() < 1e-9);
        assert!(p_value(0, 5000) < 1e-300);
        // The normal approximation for a difference of two standard deviations, with continuity correction.
        let p = p_value(4900, 5100);
        assert!((p - 0.0466).abs() < 0.0005, "{p}");
    }

    #[test]
    fn a_more_uneven_split_is_never_more_likely() {
        for pairs in 1..60 {
            for gained in 1..=pairs / 2 {
                assert!(p_value(gained - 1, pairs - gained + 1) <= p_value(gained, pairs - gained) + 1e-12);
            }
        }
    }
}
