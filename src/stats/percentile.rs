//! Percentiles of a sample.

/// The smallest value of a sorted sample that `percent` percent of it do not exceed (nearest rank); `None` if the
/// sample is empty.
pub fn percentile(sorted: &[f64], percent: usize) -> Option<f64> {
    let rank = (sorted.len() * percent).div_ceil(100).max(1);
    sorted.get(rank - 1).copied()
}

/// The middle value of a sorted sample, the lower one of two; `None` if the sample is empty.
pub fn median(sorted: &[f64]) -> Option<f64> {
    percentile(sorted, 50)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_those_of_the_sorted_sample() {
        let sample: Vec<f64> = (1..=20).map(f64::from).collect();
        let found = [0, 1, 50, 95, 96, 100].map(|percent| percentile(&sample, percent));
        assert_eq!(found, [1.0, 1.0, 10.0, 19.0, 20.0, 20.0].map(Some));
        assert_eq!((median(&sample[..3]), median(&[])), (Some(2.0), None));
        assert_eq!(percentile(&sample, 101), None);
    }
}
