//! Evidence shown as lines: what passing would have allowed, and what the next best move is.
//!
//! The search keeps only the results of its probes, and the table not even those. For the few moves of a principal
//! variation the lines are searched again, in a separate engine that does not affect the explained search.

use serde::Serialize;

use crate::board::{Game, Move, Position};
use crate::credit::Mechanism;
use crate::engine::{Engine, Limits, Options};
use crate::score::{Score, StatedScore};
use crate::search::{LedgerEntry, Silent, StopFlag};

/// Nodes for one line: some milliseconds.
const NODES: u64 = 5_000;
/// Maximum plies shown of a line.
const PLIES: usize = 4;

/// What a line shows.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum EvidenceKind {
    /// What the opponent plays if the mover passes.
    Threat,
    /// The mover's next best move.
    #[serde(rename = "next best")]
    NextBest,
}

/// A line that stands for a probe.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Evidence {
    /// What it shows.
    pub kind: EvidenceKind,
    /// Its first moves in SAN with move numbers.
    pub line: String,
    /// Its score for the mover.
    pub score: StatedScore,
}

/// Finds the lines.
pub struct Witness(Engine);

impl Witness {
    /// A witness with a small table and the default search, whatever search is being explained.
    pub fn new() -> Witness {
        // A smaller table than requested is good enough.
        Witness(Engine::new(Options { hash_mb: 1, ..Options::default() }).0)
    }

    /// The line behind an entry of the ledger: for a threat, what is threatened; for a singular, binary or trinary move
    /// without a bound, since an earlier visit earned the award, the next best move. `None` if there is no such line,
    /// or if it does not confirm the bound that the search found.
    pub fn evidence(&mut self, position: &Position, m: Move, entry: &LedgerEntry) -> Option<Evidence> {
        let award = entry.award?;
        match award.mechanism {
            Mechanism::Threat | Mechanism::MateThreat => {
                let passed = position.play_null()?;
                let (line, score) = self.best_line(&passed, Vec::new())?;
                // The null move adds a ply to a mate.
                let score = -score.from_table(1);
                let holds = award.bound.is_none_or(|bound| score < bound);
                holds.then(|| Evidence {
                    kind: EvidenceKind::Threat,
                    line: passed.san_line(&line),
                    score: score.into(),
                })
            }
            Mechanism::Singular | Mechanism::Binary | Mechanism::Trinary if award.bound.is_none() => {
                let others: Vec<Move> = position.legal_moves().into_iter().filter(|&other| other != m).collect();
                if others.is_empty() {
                    return None;
                }
                let (line, score) = self.best_line(position, others)?;
                Some(Evidence { kind: EvidenceKind::NextBest, line: position.san_line(&line), score: score.into() })
            }
            _ => None,
        }
    }

    /// The first plies of the best line and its score for the side to move; all moves are searched if none is given.
    fn best_line(&mut self, position: &Position, search_moves: Vec<Move>) -> Option<(Vec<Move>, Score)> {
        self.0.new_game();
        let limits = Limits { nodes: Some(NODES), search_moves, ..Limits::default() };
        let outcome = self.0.search(&Game::new(position.clone()), &limits, &StopFlag::new(), &mut Silent);
        let line: Vec<Move> = outcome.pv.into_iter().take(PLIES).collect();
        (!line.is_empty()).then_some((line, outcome.score))
    }
}

impl Default for Witness {
    fn default() -> Witness {
        Witness::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::credit::Award;
    use crate::units::Credit;

    /// An entry whose move earned a ply by this mechanism.
    fn entry(mechanism: Mechanism, bound: Option<Score>) -> LedgerEntry {
        let award = Award::of(mechanism, Credit::from_plies(1)).map(|award| Award { bound, ..award });
        LedgerEntry { award, ..LedgerEntry::default() }
    }

    fn evidence(fen: &str, san: &str, entry: &LedgerEntry) -> Option<Evidence> {
        let position = Position::from_fen(fen, false).unwrap();
        Witness::new().evidence(&position, position.parse_san(san).unwrap(), entry)
    }

    #[test]
    fn a_threat_is_shown_as_what_passing_allows() {
        // If White passes, the rook gives mate on the back rank.
        let fen = "4r1k1/5ppp/8/8/8/8/5PPP/6K1 w - - 0 10";
        assert_eq!(evidence(fen, "h3", &entry(Mechanism::Influence, None)), None);
        let found = evidence(fen, "h3", &entry(Mechanism::MateThreat, None)).unwrap();
        assert!(found.kind == EvidenceKind::Threat && found.line.contains("Re1#"), "{found:?}");
        assert_eq!(found.score, StatedScore::Mate(-1));
    }

    #[test]
    fn what_does_not_bear_out_the_bound_is_not_shown() {
        let quiet = "4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1";
        assert_eq!(evidence(quiet, "a3", &entry(Mechanism::Threat, Some(Score::cp(-500)))), None);
        assert!(evidence(quiet, "a3", &entry(Mechanism::Threat, Some(Score::cp(500)))).is_some());
    }

    #[test]
    fn a_singular_move_without_a_bound_is_shown_with_the_next_best() {
        // The queen can be captured or lost.
        let fen = "3qk3/8/8/8/8/8/8/3QK3 w - - 0 1";
        let found = evidence(fen, "Qxd8+", &entry(Mechanism::Singular, None)).unwrap();
        assert!(found.kind == EvidenceKind::NextBest && !found.line.contains("Qxd8"), "{found:?}");
        assert_eq!(evidence(fen, "Qxd8+", &entry(Mechanism::Singular, Some(Score::cp(10)))), None);
        // A single legal move has no next best.
        assert_eq!(evidence("7k/8/8/8/8/8/r7/6qK w - - 0 1", "Kxg1", &entry(Mechanism::Singular, None)), None);
    }
}
