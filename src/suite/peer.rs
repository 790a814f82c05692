//! Another UCI engine as a solver, under the same rules as this one.
//!
//! UCI has no message for a finished iteration: an engine may correct itself within one. So the last exact line of a
//! depth counts, and it is known to be the last when a deeper one comes, or the end.

use super::judge::Ending;
use super::run::Solver;
use super::{Milestone, Record, Tracker};
use crate::board::Move;
use crate::engine::Limits;
use crate::runner::{Peer, PeerError, PeerLine};
use crate::score::StatedScore;
use crate::search::StopFlag;
use crate::text::milliseconds;

impl Solver for Peer {
    fn search(
        &mut self,
        record: &Record,
        limits: &Limits,
        stop: &StopFlag,
        tracker: &mut Tracker<'_>,
    ) -> Result<Ending, PeerError> {
        let mut latest: Option<PeerLine> = None;
        let mut hear = |line: PeerLine| {
            if line.rank != 1 {
                return;
            }
            let finished = latest.replace(line.clone()).filter(|before| before.depth < line.depth);
            if let Some(before) = finished {
                tell(&before, tracker);
            }
        };
        let during = format!("while searching {}", record.id);
        let (best_move, nodes, elapsed) = self.lines(&record.position, limits, &[stop], &during, &mut hear)?;
        Ok(ending(best_move, latest, nodes, milliseconds(elapsed), tracker))
    }
}

/// Reports the last iteration to the judge, and sums up; `nodes` and time are those of the whole search.
fn ending(
    best_move: Option<Move>,
    latest: Option<PeerLine>,
    nodes: u64,
    time_ms: u64,
    tracker: &mut Tracker,
) -> Ending {
    let Some(latest) = latest else {
        let pv = best_move.into_iter().collect();
        let (score, changes) = (StatedScore::Cp(0), Vec::new());
        return Ending { best_move, score, pv, goes_wrong: false, depth: 0, nodes, time_ms, changes };
    };
    tell(&latest, tracker);
    // An answer without a line of its own was found after the last line.
    let has_line = latest.pv.first() == best_move.as_ref();
    let pv = if has_line { latest.pv } else { best_move.into_iter().collect() };
    let goes_wrong = has_line && latest.goes_wrong;
    let (score, depth) = (latest.score, latest.depth);
    Ending { best_move, score, pv, goes_wrong, depth, nodes, time_ms, changes: Vec::new() }
}

/// Reports the result of an iteration to the judge.
fn tell(line: &PeerLine, tracker: &mut Tracker) {
    let at = Milestone { iteration: line.depth, nodes: line.nodes, time_ms: Some(line.time_ms) };
    tracker.answer(line.pv.first().copied(), line.score, at);
}
