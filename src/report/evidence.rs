//! Evidence shown as lines: what passing would have allowed, and what the next best move is.
//!
//! The search keeps only the results of its probes, and the table not even those. For the few moves of a principal
//! variation the lines are searched again, in a separate engine that does not affect the explained search.

use std::collections::HashMap;

use serde::Serialize;

use crate::board::{Color, Game, Move, Position};
use crate::credit::Mechanism;
use crate::engine::{Engine, Limits, Options};
use crate::json::{PovScore, Variation};
use crate::params::Params;
use crate::score::Score;
use crate::search::{LedgerEntry, Silent, StopFlag};

/// Nodes for one line: some milliseconds.
const NODES: u64 = 5_000;
/// Maximum plies shown of a line.
const PLIES: usize = 4;

/// What a line shows.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum EvidenceKind {
    /// What the opponent plays if the mover passes.
    Threat,
    /// The mover's next best move.
    #[serde(rename = "next best")]
    NextBest,
}

/// A line that shows what a probe of the search saw.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Evidence {
    /// What the line shows.
    pub kind: EvidenceKind,
    /// The first moves of the line.
    pub pv: Variation,
    /// Its first move, for arrows.
    #[serde(skip)]
    pub first: Move,
    /// The score of the line for the mover.
    pub score: PovScore,
}

/// A line and its score for the side to move.
type Found = Option<(Vec<Move>, Score)>;

/// Finds the lines.
pub struct Witness {
    engine: Engine,
    /// Whether a next best move is also wanted where the search itself kept a bound.
    for_boards: bool,
    /// What was found, by position and excluded move: the lines of successive iterations have much in common.
    known: HashMap<(u64, Option<Move>), Found>,
}

impl Witness {
    /// A witness with a small table and the default search, whatever search is being explained, but its evaluation and
    /// its network: the line is shown beside its scores.
    pub fn new(explained: &Options) -> Witness {
        let params = Params::default().with_evaluation_of(&explained.params);
        let options = Options { hash_mb: 1, network: explained.network.clone(), params, ..Options::default() };
        // A smaller table than requested is good enough.
        let (engine, _) = Engine::new(options);
        Witness { engine, for_boards: false, known: HashMap::new() }
    }

    /// A witness that also finds the next best move where a bound would do for a text: a board shows it as an arrow.
    pub fn for_boards(explained: &Options) -> Witness {
        Witness { for_boards: true, ..Witness::new(explained) }
    }

    /// The line behind an entry of the ledger: for a threat, what is threatened; for a singular, binary or trinary move
    /// without a bound, since an earlier visit earned the award, the next best move. `None` if there is no such line,
    /// or if it does not confirm the bound that the search found.
    pub fn evidence(&mut self, position: &Position, m: Move, entry: &LedgerEntry) -> Option<Evidence> {
        let award = entry.award?;
        let (kind, place, (line, score)) = match award.mechanism {
            Mechanism::Threat | Mechanism::MateThreat => {
                let passed = position.play_null()?;
                let (line, score) = self.best_line(&passed, None)?;
                // The null move adds a ply to a mate.
                (EvidenceKind::Threat, passed, (line, -score.from_table(1)))
            }
            Mechanism::Singular | Mechanism::Binary | Mechanism::Trinary
                if award.bound.is_none() || self.for_boards =>
            {
                (EvidenceKind::NextBest, position.clone(), self.best_line(position, Some(m))?)
            }
            _ => return None,
        };
        let &first = line.first()?;
        let holds = match award.mechanism {
            // One or two others reach the bound, so the next best does.
            Mechanism::Binary | Mechanism::Trinary => award.bound.is_none_or(|bound| score >= bound),
            _ => award.bound.is_none_or(|bound| score < bound),
        };
        // Where Black passes, the next move has the next number, which a position after a pass does not know.
        let ends_move = kind == EvidenceKind::Threat && position.turn() == Color::Black;
        let number = position.fullmoves().saturating_add(u32::from(ends_move));
        let (pv, score) = (Variation::from_number(&place, number, &line), PovScore::of_mover(score, position));
        holds.then_some(Evidence { kind, pv, first, score })
    }

    /// The first plies of the best line without this move and its score for the side to move.
    fn best_line(&mut self, position: &Position, without: Option<Move>) -> Found {
        let key = (position.key(), without);
        if let Some(found) = self.known.get(&key) {
            return found.clone();
        }
        let found = self.search(position, without);
        self.known.insert(key, found.clone());
        found
    }

    fn search(&mut self, position: &Position, without: Option<Move>) -> Found {
        // All moves are searched if none is given.
        let mut search_moves = Vec::new();
        if let Some(m) = without {
            search_moves.extend(position.legal_moves().into_iter().filter(|&other| other != m));
            if search_moves.is_empty() {
                return None;
            }
        }
        self.engine.new_game();
        let limits = Limits { nodes: Some(NODES), search_moves, ..Limits::default() };
        let outcome = self.engine.search(&Game::new(position.clone()), &limits, &StopFlag::new(), &mut Silent);
        let line: Vec<Move> = outcome.pv.into_iter().take(PLIES).collect();
        (!line.is_empty()).then_some((line, outcome.score))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::credit::Award;
    use crate::eval::nnue;
    use crate::params::{Evaluation, Profile};
    use crate::score::StatedScore;
    use crate::units::Credit;

    /// An entry whose move earned a ply by this mechanism.
    fn entry(mechanism: Mechanism, bound: Option<Score>) -> LedgerEntry {
        let award = Award::of(mechanism, Credit::from_plies(1)).map(|award| Award { bound, ..award });
        LedgerEntry { award, ..LedgerEntry::default() }
    }

    fn evidence(fen: &str, san: &str, entry: &LedgerEntry) -> Option<Evidence> {
        let position = Position::from_fen(fen, false).unwrap();
        Witness::new(&Options::default()).evidence(&position, position.parse_san(san).unwrap(), entry)
    }

    #[test]
    fn a_threat_is_shown_as_what_passing_allows() {
        // If White passes, the rook gives mate on the back rank.
        let fen = "4r1k1/5ppp/8/8/8/8/5PPP/6K1 w - - 0 10";
        assert_eq!(evidence(fen, "h3", &entry(Mechanism::Influence, None)), None);
        let found = evidence(fen, "h3", &entry(Mechanism::MateThreat, None)).unwrap();
        assert!(found.kind == EvidenceKind::Threat && found.pv.text() == "10...Re1#", "{found:?}");
        assert_eq!(found.score.value, StatedScore::Mate(-1));
        // Black would pass with its tenth move.
        let fen = "6k1/5ppp/8/8/8/8/5PPP/4R1K1 b - - 0 10";
        assert_eq!(evidence(fen, "h6", &entry(Mechanism::MateThreat, None)).unwrap().pv.text(), "11.Re8#");
    }

    #[test]
    fn evidence_has_the_evaluation_and_the_network_of_the_search_that_is_explained() {
        let other = Arc::new(nnue::random(7, 1));
        let of = |params| {
            let witness = Witness::new(&Options { network: Some(other.clone()), params, ..Options::default() });
            let options = witness.engine.options();
            (options.params.clone(), options.network.as_ref() == Some(&other))
        };
        let scaled = Params { material_scale_base: 512, material_scale_unit: 8, ..Params::default() };
        let counted = Params { nnue_least_pieces: 20, eval_noise: 50, eval_noise_seed: 7, ..Params::default() };
        for params in [scaled, counted] {
            assert_eq!(of(params.clone()), (params, true));
        }
        let (params, has_network) = of(Profile::DeepBlue.params());
        assert_eq!((params.evaluation, params.material_scaling, has_network), (Evaluation::Classical, false, true));
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
        assert!(found.kind == EvidenceKind::NextBest && !found.pv.text().contains("Qxd8"), "{found:?}");
        assert_eq!(evidence(fen, "Qxd8+", &entry(Mechanism::Singular, Some(Score::cp(10)))), None);
        // A board shows the next best move all the same, if that of a singular one stays below the bound.
        let position = Position::from_fen(fen, false).unwrap();
        let m = position.parse_san("Qxd8+").unwrap();
        let shown = |mechanism, bound| {
            let mut witness = Witness::for_boards(&Options::default());
            witness.evidence(&position, m, &entry(mechanism, Some(Score::cp(bound))))
        };
        let singular = [500, -3000].map(|bound| shown(Mechanism::Singular, bound));
        assert_eq!(singular, [Some(found.clone()), None]);
        let others = [Mechanism::Binary, Mechanism::Trinary].map(|mechanism| shown(mechanism, -3000));
        assert_eq!(others, [Some(found.clone()), Some(found)]);
        // A single legal move has no next best.
        assert_eq!(evidence("7k/8/8/8/8/8/r7/6qK w - - 0 1", "Kxg1", &entry(Mechanism::Singular, None)), None);
    }
}
