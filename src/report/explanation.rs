//! Explained lines for programs: every iteration's, and the refutations of the other root moves.

use serde::Serialize;

use super::evidence::Witness;
use super::explain::{ExplainedIteration, ExplainedMove, explain_iteration};
use super::tree::{End, Tree};
use crate::board::Position;
use crate::engine::Options;
use crate::json::PovScore;
use crate::runner::{Head, Kind, Provenance};
use crate::search::Iteration;

/// The lines of a search explained.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Explanation {
    /// The version of the form, and the settings of the search.
    #[serde(flatten)]
    pub head: Head,
    /// The position searched.
    pub fen: String,
    /// The completed iterations, in order, each with its line.
    pub iterations: Vec<ExplainedIteration>,
    /// What refutes the other root moves in the last iteration, the most expensive first; missing if not asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refutations: Option<Vec<ExplainedRefutation>>,
}

/// What refutes a root move.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ExplainedRefutation {
    /// The most that the root move is worth, for the side to move at the root.
    pub score: PovScore,
    /// Nodes searched for the root move in this iteration.
    pub nodes: u64,
    /// What ended the last visit of the line.
    pub end: End,
    /// The line, the root move first, each move with its entry.
    pub pv: Vec<ExplainedMove>,
}

impl Explanation {
    /// Explains the lines of these iterations; the settings are those of the search.
    pub fn new(
        position: &Position,
        provenance: Provenance,
        options: &Options,
        iterations: &[Iteration],
    ) -> Explanation {
        let mut witness = Witness::new(options);
        let explain = |iteration| explain_iteration(position, iteration, &mut witness);
        Explanation {
            head: Head::new(Kind::Explain, provenance),
            fen: position.fen(),
            iterations: iterations.iter().map(explain).collect(),
            refutations: None,
        }
    }

    /// The same with at most this many refutations from the search's tree.
    pub fn with_refutations(self, tree: &Tree, most: usize) -> Explanation {
        let explained = |refutation: super::tree::Refutation| ExplainedRefutation {
            score: PovScore::of_mover(refutation.score, &tree.position),
            nodes: refutation.nodes,
            end: refutation.end,
            pv: tree.ledger(&refutation.path),
        };
        let refutations = tree.refutations().into_iter().take(most).map(explained).collect();
        Explanation { refutations: Some(refutations), ..self }
    }
}
