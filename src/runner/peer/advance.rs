//! Whether another engine's search comes any further.

use std::time::{Duration, Instant};

/// How far a search has come by its own account, and when it last came further. Lines alone are no advance: an engine
/// that has lost its way may repeat itself for ever.
#[derive(Copy, Clone, Debug)]
pub(super) struct Advance {
    depth: u64,
    nodes: u64,
    at: Instant,
}

impl Advance {
    /// Nothing yet.
    pub fn new(start: Instant) -> Advance {
        Advance { depth: 0, nodes: 0, at: start }
    }

    /// Takes in a line: a greater depth or more nodes than ever before are an advance, whatever else it says.
    pub fn hear(&mut self, line: &str, now: Instant) {
        let Some(info) = line.strip_prefix("info ") else { return };
        let mut words = info.split_whitespace();
        while let Some(word) = words.next() {
            let most = match word {
                "depth" => &mut self.depth,
                "nodes" => &mut self.nodes,
                // What follows is text.
                "string" => return,
                _ => continue,
            };
            let count = words.next().and_then(|count| count.parse().ok()).unwrap_or(0);
            if count > *most {
                *most = count;
                self.at = now;
            }
        }
    }

    /// The most nodes that were told.
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// How long it has come no further.
    pub fn pause(&self, now: Instant) -> Duration {
        now.saturating_duration_since(self.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_new_depth_or_more_nodes_are_an_advance() {
        let start = Instant::now();
        let mut advance = Advance::new(start);
        for (second, line, pause) in [
            (1, "", 1),
            (2, "info depth 1 score cp 3 nodes 20 pv e2e4", 0),
            (3, "info depth 1 score cp 3 nodes 20 pv e2e4", 1),
            (4, "info string depth 9 nodes 900", 2),
            (5, "info time 900 nps 900 hashfull 9", 3),
            (6, "info depth x nodes", 4),
            (7, "info nodes 21 nps 7", 0),
            (8, "info depth 2 currmove e2e4 currmovenumber 1", 0),
            (9, "info depth 1 nodes 21", 1),
            (10, "bestmove e2e4", 2),
            (11, "info pv e2e4 e7e5 depth 2 nodes 22", 0),
        ] {
            let now = start + Duration::from_secs(second);
            advance.hear(line, now);
            assert_eq!(advance.pause(now), Duration::from_secs(pause), "{second}: {line}");
        }
        assert_eq!(advance.nodes(), 22);
    }
}
