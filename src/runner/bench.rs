//! The node-count signature of the search and its speed, over fixed positions.

use std::fmt;
use std::time::{Duration, Instant};

use crate::board::{Game, Position, PositionError};
use crate::engine::{Engine, Limits};
use crate::search::{Silent, StopFlag};

/// The positions: the first four fields of each line.
const POSITIONS: &str = include_str!("../../positions/bench.epd");
const FIELDS: usize = 4;

/// The table size in megabytes that the signature holds for.
pub const SIGNATURE_HASH_MB: usize = 16;

/// Default last iteration: a few seconds in all.
pub const DEFAULT_DEPTH: i32 = 12;

/// Maximum last iteration.
pub const MAX_DEPTH: i32 = 64;

/// What the bench measured.
#[derive(Copy, Clone, Debug)]
pub struct Measured {
    /// The signature: nodes over all positions.
    pub nodes: u64,
    /// Nodes per second of search time; clearing the table between positions does not count.
    pub speed: u64,
}

/// The positions of the bench.
///
/// # Errors
///
/// The embedded file is damaged.
fn positions() -> Result<Vec<Position>, PositionError> {
    let position = |line: &str| {
        let fields: Vec<&str> = line.split_whitespace().take(FIELDS).collect();
        Position::from_fen(&fields.join(" "), false)
    };
    POSITIONS.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')).map(position).collect()
}

/// Searches all positions to a depth, each as a new game; `None` if it was stopped.
///
/// # Errors
///
/// A position of the embedded file is damaged.
pub fn measure(engine: &mut Engine, depth: i32, stop: &StopFlag) -> Result<Option<Measured>, PositionError> {
    /// Shorter times are meaningless.
    const SHORTEST_SECONDS: f64 = 1e-9;
    let limits = Limits::to_depth(depth);
    let mut nodes = 0;
    let mut searching = Duration::ZERO;
    for position in positions()? {
        engine.new_game();
        let start = Instant::now();
        nodes += engine.search(&Game::new(position), &limits, stop, &mut Silent).nodes;
        searching += start.elapsed();
        if stop.is_raised() {
            return Ok(None);
        }
    }
    let speed = (nodes as f64 / searching.as_secs_f64().max(SHORTEST_SECONDS)) as u64;
    Ok(Some(Measured { nodes, speed }))
}

impl fmt::Display for Measured {
    /// As OpenBench reads it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} nodes {} nps", self.nodes, self.speed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Options;

    #[test]
    fn every_line_of_the_file_is_a_position() {
        assert_eq!(positions().unwrap().len(), POSITIONS.matches("id \"bench.").count());
    }

    #[test]
    fn each_position_is_a_new_game() {
        let fresh = || Engine::new(Options { hash_mb: 1, ..Options::default() }).0;
        let limits = Limits::to_depth(3);
        let nodes = |position| fresh().search(&Game::new(position), &limits, &StopFlag::new(), &mut Silent).nodes;
        let measured = measure(&mut fresh(), 3, &StopFlag::new()).unwrap().unwrap();
        assert_eq!(measured.nodes, positions().unwrap().into_iter().map(nodes).sum::<u64>());
    }
}
