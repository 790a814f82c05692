//! Both static evaluations of a position for programs.

use serde::Serialize;

use super::counted;
use crate::board::{Position, Square};
use crate::eval::nnue::Network;
use crate::eval::{self, Chances, TermTrace};
use crate::json::{PovChances, PovScore};
use crate::runner::{Head, Kind, Provenance};
use crate::score::StatedScore;
use crate::units::Tapered;

/// Both evaluations of a position.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PositionEvaluation {
    /// The version of the form, and the program.
    #[serde(flatten)]
    head: Head,
    /// The position evaluated.
    fen: String,
    /// The classical evaluation, term by term.
    classical: ClassicalEvaluation,
    /// The network's evaluation; missing if there is no network.
    #[serde(skip_serializing_if = "Option::is_none")]
    network: Option<NetworkEvaluation>,
}

/// The classical evaluation, term by term.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ClassicalEvaluation {
    /// The score for the side to move.
    score: PovScore,
    /// What the score means in games, for the side to move; where the game is over, how it ended.
    chances: PovChances,
    /// The phase of the game: 24 with all pieces on the board, 0 with pawns only. It mixes middlegame and endgame.
    phase: i32,
    /// By how much the mixed sum is multiplied, in 64ths: fewer than 64 in drawish endgames.
    scale: i32,
    /// The terms, in the order of the evaluation.
    terms: Vec<Term>,
}

/// A term of the classical evaluation.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Term {
    /// The term's name.
    name: &'static str,
    /// What the term gives White.
    white: Amounts,
    /// What the term gives Black.
    black: Amounts,
}

/// What a term gives a side.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Amounts {
    /// In the middlegame, in centipawns.
    middlegame: i32,
    /// In the endgame, in centipawns.
    endgame: i32,
}

/// The network's evaluation, piece by piece.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct NetworkEvaluation {
    /// The checksum that identifies the network, in hexadecimal.
    checksum: String,
    /// The score for the side to move.
    score: PovScore,
    /// What the score means in games, as a search takes it by default, for the side to move; where the game is over,
    /// how it ended.
    chances: PovChances,
    /// Pieces on the board, which choose the output bucket.
    pieces: usize,
    /// Whether a search asks the network here by default: with few pieces it asks the classical evaluation, and the
    /// network only to rank draws; where the game is over, there is nothing to ask.
    is_asked: bool,
    /// The score as a search takes it by default: less, the less material is left. Absent where it is not asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    counted: Option<PovScore>,
    /// The output bucket that decides, from 1 to 8.
    output_bucket: usize,
    /// What each piece other than the kings is worth.
    piece_values: Vec<PieceValue>,
}

/// What a piece is worth to the network.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct PieceValue {
    /// The piece as in a FEN: capitals are White's.
    piece: String,
    /// The square on which it stands, such as `e4`.
    square: String,
    /// By how much its owner's score falls if it is taken off the board.
    value: PovScore,
}

impl From<Tapered> for Amounts {
    fn from(amount: Tapered) -> Amounts {
        Amounts { middlegame: amount.mg(), endgame: amount.eg() }
    }
}

impl PositionEvaluation {
    /// Evaluates a position; without a network only classically.
    pub fn new(position: &Position, network: Option<&Network>) -> PositionEvaluation {
        PositionEvaluation {
            head: Head::new(Kind::Evaluation, Provenance::of_program()),
            fen: position.fen(),
            classical: classical(position),
            network: network.map(|network| by_network(position, network)),
        }
    }
}

/// Centipawns for the side to move.
fn score(position: &Position, total: i32) -> PovScore {
    PovScore::of_mover(StatedScore::Cp(total), position)
}

/// What they mean in games.
fn chances(position: &Position, total: i32) -> PovChances {
    PovChances { value: Chances::of_evaluation(total, position), pov: position.turn() }
}

fn classical(position: &Position) -> ClassicalEvaluation {
    let trace = eval::trace(position);
    let term = |term: &TermTrace| Term { name: term.name, white: term.white.into(), black: term.black.into() };
    let terms = trace.terms.iter().map(term).collect();
    ClassicalEvaluation {
        score: score(position, trace.total),
        chances: chances(position, trace.total),
        phase: trace.phase,
        scale: trace.scale,
        terms,
    }
}

fn by_network(position: &Position, network: &Network) -> NetworkEvaluation {
    let total = network.evaluate(position.board(), position.turn());
    // Where the game is over, there is nothing to ask.
    let counted = counted(position, total).filter(|_| !position.is_terminal());
    let pieces = position.board().occupied().count();
    let value = |(square, value): (Square, i32)| {
        let piece = position.board().piece_at(square)?;
        let value = PovScore { value: StatedScore::Cp(value), pov: piece.color };
        Some(PieceValue { piece: piece.char().to_string(), square: square.to_string(), value })
    };
    NetworkEvaluation {
        checksum: format!("{:08x}", network.checksum()),
        score: score(position, total),
        chances: chances(position, counted.unwrap_or(total)),
        pieces,
        is_asked: counted.is_some(),
        counted: counted.map(|counted| score(position, counted)),
        output_bucket: Network::output_bucket(pieces) + 1,
        piece_values: network.piece_values(position).into_iter().filter_map(value).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::MAX_PHASE;
    use crate::params::weights::FULL_SCALE;

    #[test]
    fn it_has_what_the_text_has() {
        let position = Position::from_fen("4k3/7r/8/8/8/8/4Q3/3K4 b - - 0 1", false).unwrap();
        let Some(network) = eval::nnue::embedded() else { panic!("the project's own network is sound") };
        let json = serde_json::to_value(PositionEvaluation::new(&position, Some(&network))).unwrap();
        assert_eq!(json["classical"]["score"]["cp"], eval::trace(&position).total);
        assert_eq!(json["network"]["score"]["pov"], "black");
        let values = json["network"]["piece_values"].as_array().unwrap();
        let queen = network.piece_values(&position)[0].1;
        assert_eq!((values.len(), &values[0]["square"], &values[0]["value"]["cp"]), (2, &"e2".into(), &queen.into()));
        assert_eq!((&values[0]["value"]["pov"], &values[1]["value"]["pov"]), (&"white".into(), &"black".into()));
        assert!(serde_json::to_value(PositionEvaluation::new(&position, None)).unwrap().get("network").is_none());
        // As the descriptions say.
        assert_eq!((MAX_PHASE, FULL_SCALE, crate::eval::nnue::OUTPUT_BUCKETS), (24, 64, 8));
    }
}
