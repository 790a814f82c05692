//! What another engine says of its search.

use crate::board::{Move, Position, PositionError};
use crate::score::StatedScore;
use crate::units::Depth;

/// The contents of an `info` line with an exact score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PeerLine {
    /// MultiPV rank, from 1.
    pub rank: usize,
    /// The depth of the search.
    pub depth: Depth,
    /// For the side to move.
    pub score: StatedScore,
    /// Nodes since the start of the search.
    pub nodes: u64,
    /// Milliseconds since the start of the search.
    pub time_ms: u64,
    /// The variation as far as its moves are legal; never empty.
    pub pv: Vec<Move>,
    /// Whether it goes on with a move that is not legal.
    pub goes_wrong: bool,
}

impl PeerLine {
    /// Parses a line; `None` if it is something else, or a bound.
    pub(super) fn parse(line: &str, position: &Position, time_ms: u64) -> Option<PeerLine> {
        let mut words = line.strip_prefix("info ")?.split_whitespace();
        let (score, pv) = (StatedScore::Cp(0), Vec::new());
        let mut info = PeerLine { rank: 1, depth: 0, score, nodes: 0, time_ms, pv, goes_wrong: false };
        let mut scored = false;
        while let Some(word) = words.next() {
            match word {
                "depth" => info.depth = words.next()?.parse().ok()?,
                "nodes" => info.nodes = words.next()?.parse().ok()?,
                "multipv" => info.rank = words.next()?.parse().ok()?,
                "score" => {
                    scored = true;
                    info.score = match (words.next()?, words.next()?.parse().ok()?) {
                        ("cp", value) => StatedScore::Cp(value),
                        ("mate", value) => StatedScore::Mate(value),
                        _ => return None,
                    };
                }
                "lowerbound" | "upperbound" => return None,
                // The rest of the line is text.
                "string" => break,
                // The moves themselves are passed over below: whatever follows them counts, too.
                "pv" => {
                    info.pv = position.legal_line(words.clone());
                    info.goes_wrong = words.clone().nth(info.pv.len()).is_some_and(|word| is_move(position, word));
                }
                _ => {}
            }
        }
        (scored && !info.pv.is_empty()).then_some(info)
    }
}

/// Whether a word is a move, legal or not.
fn is_move(position: &Position, word: &str) -> bool {
    !matches!(position.parse_uci(word), Err(PositionError::MoveSyntax { .. }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn info_lines_are_read_and_others_passed_over() {
        let position = Position::default();
        let read = |line: &str| PeerLine::parse(line, &position, 7);
        let line = "info depth 9 seldepth 12 multipv 1 score cp -31 wdl 1 2 3 nodes 500 nps 9 hashfull 1 time 3 pv e2e4 e7e5 zz";
        let info = read(line).unwrap();
        assert_eq!((info.depth, info.score, info.nodes, info.time_ms), (9, StatedScore::Cp(-31), 500, 7));
        assert_eq!(info.pv.len(), 2);
        assert_eq!(read("info depth 3 score mate -2 nodes 5 pv e2e4").unwrap().score, StatedScore::Mate(-2));
        assert_eq!((info.rank, read("info depth 9 multipv 2 score cp 3 nodes 5 pv d2d4").unwrap().rank), (1, 2));
        // Of several variations, as of several scores, the last counts.
        let info = read("info depth 9 score cp 3 nodes 5 pv e2e4 zz pv d2d4").unwrap();
        assert_eq!(info.pv, position.legal_line(["d2d4"]));
        // The parts of a line may come in any order.
        let first = "info pv e2e4 e7e5 score cp -31 multipv 2 depth 9 nodes 500";
        let last = "info score cp -31 multipv 2 depth 9 nodes 500 pv e2e4 e7e5";
        assert_eq!(read(first), read(last));
        assert_eq!(read(&format!("{last} string score cp 7 upperbound")), read(last));
        assert_eq!(read(first).unwrap().rank, 2);
        // A move that is not legal is told from the end of a variation.
        let goes_wrong = |pv: &str| read(&format!("info depth 9 score cp 3 pv {pv}")).unwrap().goes_wrong;
        assert_eq!(["e2e4 e7e5", "e2e4 nodes 5", "e2e4 zz", "e2e4 pv d2d4"].map(goes_wrong), [false; 4]);
        assert_eq!(["e2e4 e4e5", "e2e4 e2e4", "e2e4 0000 nodes 5", "d2d4 pv e2e4 a1a8"].map(goes_wrong), [true; 4]);
        for other in [
            "info depth 9 score cp 3 upperbound nodes 5 pv e2e4",
            "info depth 9 nodes 5 pv e2e4 score cp 3 upperbound",
            "info depth 9 score cp 3 nodes 5 pv e2e4 lowerbound",
            "info depth 9 currmove e2e4 currmovenumber 1",
            "info depth 9 score cp 3 nodes 5",
            "info depth 9 nodes 5 pv e2e4",
            "info depth x score cp 3 pv e2e4",
            "info string depth 9 score cp 3 pv e2e4",
            "info depth 9 score",
            "bestmove e2e4",
            "",
        ] {
            assert_eq!(read(other), None, "{other}");
        }
    }
}
