//! The evaluation as the search sees it: it follows the search's moves and evaluates the position reached.

use std::sync::Arc;

use super::chances::material;
use super::classical::{self, Classical};
use super::nnue::{Accumulators, Network};
use super::noise::Noise;
use crate::board::{Move, Position};
use crate::params::{Evaluation, Params};
use crate::score::MAX_EVAL;

/// Evaluates positions for one search worker.
///
/// What is cheaper to update than to recompute is kept along a path: [`Evaluator::begin`] sets its first position,
/// [`Evaluator::enter`] and [`Evaluator::leave`] follow the moves made and undone. Any position may be evaluated; the
/// last one of the path is the cheapest.
pub struct Evaluator {
    kind: Kind,
    noise: Option<Noise>,
}

/// Which evaluation it is.
enum Kind {
    Classical(Classical),
    Network {
        network: Accumulators,
        /// With fewer pieces, kings and pawns included, the classical evaluation is asked, which has rules for what
        /// cannot be won.
        least_pieces: usize,
        scale: MaterialScale,
    },
}

/// How much the network's evaluation counts, which depends on the material left. A network learns each position by
/// itself; this is for choosing between positions: who is ahead keeps pieces, who is behind trades them.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
struct MaterialScale {
    /// Without any material, in parts of [`WHOLE`].
    base: i32,
    /// More for each unit of [`material`].
    per_unit: i32,
}

/// The parts of a whole evaluation.
const WHOLE: i32 = 1024;

impl MaterialScale {
    /// The scale that these tunables give: without scaling all of the evaluation, whatever the material.
    fn from_params(params: &Params) -> MaterialScale {
        if params.material_scaling {
            MaterialScale { base: params.material_scale_base, per_unit: params.material_scale_unit }
        } else {
            MaterialScale { base: WHOLE, per_unit: 0 }
        }
    }

    /// What an evaluation of this position counts for, in parts of [`WHOLE`].
    fn parts(self, position: &Position) -> i32 {
        self.base + self.per_unit * material(position)
    }

    /// The network's evaluation of this position as the search takes it.
    /// Elo: +14 ± 10 (`material_scaling`)
    fn apply(self, position: &Position, total: i32) -> i32 {
        (total * self.parts(position) / WHOLE).clamp(-MAX_EVAL, MAX_EVAL)
    }

    /// The network's evaluation of which this is what the search takes; itself where nothing counts.
    fn undo(self, position: &Position, counted: i32) -> i32 {
        (counted * WHOLE).checked_div(self.parts(position)).unwrap_or(counted)
    }
}

impl Evaluator {
    /// The evaluation that these tunables select, with random errors if they ask for any. Without a network it is the
    /// classical one.
    pub fn new(params: &Params, network: Option<Arc<Network>>) -> Evaluator {
        let kind = match network.filter(|_| params.evaluation == Evaluation::Nnue) {
            Some(network) => Kind::Network {
                network: Accumulators::new(network),
                least_pieces: least_pieces(params),
                scale: MaterialScale::from_params(params),
            },
            None => Kind::Classical(Classical::new()),
        };
        Evaluator { kind, noise: Noise::from_params(params) }
    }

    /// Begins a path at this position.
    pub fn begin(&mut self, position: &Position) {
        match &mut self.kind {
            Kind::Classical(classical) => classical.begin(position),
            Kind::Network { network, .. } => network.begin(position),
        }
    }

    /// Follows a move, or a null move, to the position after it.
    #[inline]
    pub fn enter(&mut self, m: Option<Move>, child: &Position) {
        match &mut self.kind {
            Kind::Classical(classical) => classical.enter(m, child),
            Kind::Network { network, .. } => network.enter(m, child),
        }
    }

    /// Undoes the last move.
    #[inline]
    pub fn leave(&mut self) {
        match &mut self.kind {
            Kind::Classical(classical) => classical.leave(),
            Kind::Network { network, .. } => network.leave(),
        }
    }

    /// The static evaluation from the side to move's view, in centipawns, within [`MAX_EVAL`].
    ///
    /// [`MAX_EVAL`]: crate::score::MAX_EVAL
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        let total = match &mut self.kind {
            Kind::Classical(classical) => classical.evaluate(position),
            Kind::Network { least_pieces, .. } if position.board().occupied().count() < *least_pieces => {
                classical::evaluate(position)
            }
            Kind::Network { network, scale, .. } => scale.apply(position, network.evaluate(position)),
        };
        match self.noise {
            None => total,
            Some(noise) => noise.apply(position, total),
        }
    }

    /// The evaluation for the tie-break between theoretical draws, which asks which of two such positions is better:
    /// without the scaling that gives 0 for most dead positions, and the network's without that by material.
    pub fn evaluate_drawn(&mut self, position: &Position) -> i32 {
        match &mut self.kind {
            Kind::Classical(classical) => classical.evaluate_drawn(position),
            Kind::Network { network, .. } => network.evaluate(position),
        }
    }
}

/// The network's evaluation of this position as the search takes it, in centipawns: less, the less material is left;
/// `None` with so few pieces that it asks the classical one.
pub fn counted(params: &Params, position: &Position, by_network: i32) -> Option<i32> {
    scale(params, position).map(|scale| scale.apply(position, by_network))
}

/// A score that a search found for this position, in the network's own units: undoes [`counted`] as far as the material
/// on the board tells. That at the end of the line that was found, by which it was counted, is unknown.
pub fn uncounted(params: &Params, position: &Position, score: i32) -> i32 {
    scale(params, position).map_or(score, |scale| scale.undo(position, score))
}

/// How much the network's evaluation of this position counts; `None` with so few pieces that the classical one is
/// asked.
fn scale(params: &Params, position: &Position) -> Option<MaterialScale> {
    let is_asked = position.board().occupied().count() >= least_pieces(params);
    is_asked.then(|| MaterialScale::from_params(params))
}

/// With fewer pieces, kings and pawns included, the classical evaluation is asked instead of the network.
pub fn least_pieces(params: &Params) -> usize {
    params.nnue_least_pieces.unsigned_abs() as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{evaluate, nnue};

    #[test]
    fn the_network_counts_for_less_with_less_material() {
        let network = nnue::embedded().expect("a program with a network");
        let params = Params { material_scale_base: 512, material_scale_unit: 8, ..Params::default() };
        let off = Params { material_scaling: false, ..params.clone() };
        let by = |params: &Params, position: &Position| {
            let mut evaluator = Evaluator::new(params, Some(network.clone()));
            evaluator.begin(position);
            evaluator.evaluate(position)
        };
        // A queen and seven pawns against two rooks and six: 9 + 7 + 10 + 6 units, 512 + 8 * 32 parts of 1024.
        let position = Position::from_fen("2r2rk1/1pp2ppp/p7/8/8/8/PPPPQPPP/6K1 w - - 0 1", false).unwrap();
        let whole = network.evaluate(position.board(), position.turn());
        assert!(whole.abs() > 20, "{whole}");
        assert_eq!((by(&off, &position), by(&params, &position)), (whole, whole * 768 / 1024));
        let swapped = position.mirrored();
        assert_eq!((by(&params, &swapped), by(&params, &position)), (whole * 768 / 1024, whole * 768 / 1024));
        assert_eq!([&off, &params].map(|params| counted(params, &position, -400)), [Some(-400), Some(-300)]);
        let most = Params { material_scale_base: 2048, material_scale_unit: 20, ..params.clone() };
        assert_eq!(
            [100, MAX_EVAL, -MAX_EVAL].map(|total| counted(&most, &position, total)),
            [262, MAX_EVAL, -MAX_EVAL].map(Some)
        );
        assert_eq!([-300, 262].map(|score| uncounted(&params, &position, score)), [-400, 349]);
        assert_eq!((uncounted(&most, &position, 262), uncounted(&off, &position, 262)), (99, 262));
        let nothing = Params { material_scale_base: 0, material_scale_unit: 0, ..params.clone() };
        assert_eq!((counted(&nothing, &position, 262), uncounted(&nothing, &position, 262)), (Some(0), 262));
        let mut evaluator = Evaluator::new(&params, Some(network.clone()));
        evaluator.begin(&position);
        assert_eq!(evaluator.evaluate_drawn(&position), whole);
        let classical = Params { evaluation: Evaluation::Classical, ..params };
        assert_eq!(by(&classical, &position), evaluate(&position));
    }

    #[test]
    fn few_pieces_are_evaluated_by_rules() {
        let network = nnue::embedded().expect("a program with a network");
        let by = |least: i32, position: &Position| {
            let params = Params { nnue_least_pieces: least, ..Params::default() };
            let mut evaluator = Evaluator::new(&params, Some(network.clone()));
            evaluator.begin(position);
            evaluator.evaluate(position)
        };
        // A king in the corner before a rook pawn draws.
        let drawn = Position::from_fen("k7/8/8/8/8/8/P7/K7 w - - 0 1", false).unwrap();
        assert_eq!((by(6, &drawn), evaluate(&drawn)), (0, 0));
        let seven = Position::from_fen("8/8/3k4/3p4/3P4/3K4/1p3PP1/8 w - - 0 1", false).unwrap();
        for position in [drawn, seven] {
            let total = network.evaluate(position.board(), position.turn());
            let count = position.board().occupied().count() as i32;
            let [by_network, none] = [count, count + 1]
                .map(|least| counted(&Params { nnue_least_pieces: least, ..Params::default() }, &position, total));
            assert_eq!((Some(by(count, &position)), by(count + 1, &position)), (by_network, evaluate(&position)));
            assert!(none.is_none() && by_network != Some(evaluate(&position)));
            let least = Params { nnue_least_pieces: count + 1, ..Params::default() };
            assert_eq!(uncounted(&least, &position, 300), 300);
        }
    }
}
