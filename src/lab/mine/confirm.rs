//! Confirmation of a candidate by the other engine.

use super::{Margins, Rules};
use crate::board::{Move, Position};
use crate::engine::Limits;
use crate::runner::{Peer, PeerError, PeerLine};
use crate::score::StatedScore;
use crate::search::StopFlag;
use crate::units::Depth;

/// From this depth on the engine's scores are trusted enough to give up.
const DOUBT_DEPTH: Depth = 12;
/// From this depth on scores have nearly settled, and it must have found the expected move.
const SETTLED_DEPTH: Depth = 17;

/// The engine's verdict on a confirmed position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Confirmed {
    /// Its line; never empty.
    pub line: Vec<Move>,
    /// The score of the line.
    pub score: StatedScore,
    /// The score of the next best move.
    pub next_score: StatedScore,
    /// The depth of both.
    pub depth: Depth,
}

/// The two best lines so far.
#[derive(Default)]
struct Lines([Option<PeerLine>; 2]);

impl Lines {
    fn hear(&mut self, line: PeerLine) {
        if let Some(slot) = line.rank.checked_sub(1).and_then(|index| self.0.get_mut(index)) {
            *slot = Some(line);
        }
    }

    /// Both, if they have the same depth.
    fn pair(&self) -> Option<(&PeerLine, &PeerLine)> {
        let [Some(best), Some(next)] = &self.0 else { return None };
        (best.depth == next.depth).then_some((best, next))
    }

    /// Whether confirmation is no longer possible.
    fn are_hopeless(&self, shallow: Move, expected: Option<Move>) -> bool {
        let Some((best, next)) = self.pair().filter(|(best, _)| best.depth >= DOUBT_DEPTH) else { return false };
        let solution = best.pv[0];
        let (margins, is_other) = match best.depth {
            SETTLED_DEPTH.. => (Margins::NEARLY, expected.is_some_and(|expected| solution != expected)),
            _ => (Margins::LOOSE, false),
        };
        solution == shallow || is_other || !margins.hold(best.score, next.score)
    }
}

/// Asks the engine; `None` if it does not confirm. The solution must not be `shallow`, and must be `expected`, if
/// given.
pub fn confirm(
    peer: &mut Peer,
    position: &Position,
    shallow: Move,
    expected: Option<Move>,
    rules: &Rules,
    stop: &StopFlag,
) -> Result<Option<Confirmed>, PeerError> {
    let limits = Limits { depth: Some(rules.depth), nodes: Some(rules.give_up_nodes), ..Limits::default() };
    let enough = StopFlag::new();
    let mut lines = Lines::default();
    let mut hear = |line: PeerLine| {
        lines.hear(line);
        if lines.are_hopeless(shallow, expected) {
            enough.raise();
        }
    };
    peer.lines(position, &limits, &[&enough, stop], "while searching a candidate", &mut hear)?;
    // What it still says after that depends on how soon it hears that it should stop.
    if enough.is_raised() || stop.is_raised() {
        return Ok(None);
    }
    Ok(verdict(&lines, shallow, expected, rules.depth))
}

/// What the final lines say.
fn verdict(lines: &Lines, shallow: Move, expected: Option<Move>, depth: Depth) -> Option<Confirmed> {
    let (best, next) = lines.pair().filter(|(best, _)| best.depth >= depth)?;
    let solution = best.pv[0];
    let holds = solution != shallow
        && expected.is_none_or(|expected| solution == expected)
        && Margins::STRICT.hold(best.score, next.score);
    holds.then(|| Confirmed { line: best.pv.clone(), score: best.score, next_score: next.score, depth: best.depth })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves() -> [Move; 3] {
        ["e2e4", "d2d4", "g1f3"].map(|text| Position::default().parse_uci(text).unwrap())
    }

    fn lines(depth: Depth, best: (Move, i32), next: (Move, i32)) -> Lines {
        let line = |rank, (m, cp): (Move, i32)| PeerLine {
            rank,
            depth,
            score: StatedScore::Cp(cp),
            nodes: 1,
            time_ms: 1,
            pv: vec![m],
            goes_wrong: false,
        };
        let mut lines = Lines::default();
        lines.hear(line(1, best));
        lines.hear(line(2, next));
        lines.hear(line(3, next));
        lines
    }

    #[test]
    fn only_a_clear_move_at_full_depth_is_confirmed() {
        let [e4, d4, nf3] = moves();
        let at = |depth, best, next| lines(depth, (e4, best), (d4, next));
        let confirmed = verdict(&at(25, 300, 20), d4, Some(e4), 25).unwrap();
        assert_eq!((confirmed.line, confirmed.next_score, confirmed.depth), (vec![e4], StatedScore::Cp(20), 25));
        assert_eq!(verdict(&at(24, 300, 20), d4, None, 25), None, "too shallow");
        assert_eq!(verdict(&at(25, 150, 20), d4, None, 25), None, "not clear");
        assert_eq!(verdict(&at(25, 300, 20), e4, None, 25), None, "solved by a few plies");
        assert_eq!(verdict(&at(25, 300, 20), d4, Some(nf3), 25), None, "not what Pacioli found");
        let mut torn = at(25, 300, 20);
        torn.0[1].as_mut().unwrap().depth = 24;
        assert_eq!(verdict(&torn, d4, None, 25), None, "different depths");
        assert_eq!(verdict(&Lines::default(), d4, None, 25), None);
    }

    #[test]
    fn the_engine_is_stopped_when_hope_is_gone_and_not_before() {
        let [e4, d4, nf3] = moves();
        let hopeless = |depth, best, next, expected| lines(depth, (e4, best), (d4, next)).are_hopeless(d4, expected);
        assert!(!hopeless(11, 20, 10, None), "too early to say");
        assert!(hopeless(12, 20, 10, None));
        assert!(!hopeless(16, 110, 10, None), "it may become clear");
        assert!(hopeless(17, 110, 10, None));
        assert!(!hopeless(16, 300, 10, Some(nf3)), "it may still be found");
        assert!(hopeless(17, 300, 10, Some(nf3)));
        assert!(lines(14, (d4, 300), (e4, 10)).are_hopeless(d4, None), "a few plies see it");
    }
}
