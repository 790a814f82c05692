//! What the benchmarks share: short runs and the bench positions.

use std::time::Duration;

use criterion::Criterion;
use pacioli::board::Position;

/// Samples, warm-up and measurement short enough that all benchmarks together take about a minute.
pub fn short() -> Criterion {
    Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
}

/// The positions of `positions/bench.epd`.
pub fn positions() -> Vec<Position> {
    include_str!("../../positions/bench.epd")
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| line.split_whitespace().take(4).collect::<Vec<_>>().join(" "))
        .map(|fen| Position::from_fen(&fen, false).expect("the bench positions are legal"))
        .collect()
}
