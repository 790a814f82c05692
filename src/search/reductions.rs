//! How far the modern profile reduces late moves.

use crate::params::Params;
use crate::units::{Depth, PERCENT};

/// Depths and move numbers below this have a reduction of their own; the last one serves beyond.
const TABULATED: usize = 64;
/// Reductions are tabulated in hundredths of a ply.
const HUNDREDTHS: i32 = 100;

/// Late-move reductions by depth and move number.
pub(super) struct Reductions {
    hundredths: Vec<i32>,
}

impl Reductions {
    /// The table for these tunables: the product of the logarithms, scaled.
    pub fn new(params: &Params) -> Reductions {
        let scaled = |n: usize| f64::ln(n.max(1) as f64);
        let hundredths = (0..TABULATED * TABULATED)
            .map(|index| {
                let product = scaled(index / TABULATED) * scaled(index % TABULATED);
                let share = product * f64::from(HUNDREDTHS * HUNDREDTHS) / f64::from(params.reduction_divisor);
                params.reduction_base + share as i32
            })
            .collect();
        Reductions { hundredths }
    }

    /// The reduction of the `number`th move at a depth, in hundredths of a ply.
    pub fn get(&self, depth: Depth, number: usize) -> i32 {
        let depth = (depth.max(0) as usize).min(TABULATED - 1);
        self.hundredths[depth * TABULATED + number.min(TABULATED - 1)]
    }

    /// The same in whole plies, if only depth and number are known.
    pub fn plies(&self, depth: Depth, number: usize) -> Depth {
        self.get(depth, number) / HUNDREDTHS
    }
}

/// Inputs of the late-move reduction besides depth and move number.
pub(super) struct ReductionContext {
    pub is_pv: bool,
    pub was_pv: bool,
    pub near_root: bool,
    pub is_noisy: bool,
    pub noisy_tt_move: bool,
    pub cut_node: bool,
    pub improving: bool,
    pub gives_check: bool,
    pub is_refutation: bool,
    /// Cutoffs so far among the node's children: replies that refuted earlier moves, in searches for evidence too.
    pub child_cutoffs: i32,
    /// Centipawns by which the table move is ahead of all others.
    pub lead: i32,
    pub history: i32,
}

/// Late-move reduction of a move's first search in plies: more in expected cut nodes or if the evaluation gets worse,
/// less for moves with a good history, and near the root, where a sacrifice searched too shallowly would be missed.
pub(super) fn late_move_reduction(
    params: &Params,
    reductions: &Reductions,
    depth: Depth,
    number: usize,
    context: &ReductionContext,
) -> Depth {
    let mut hundredths = reductions.get(depth, number);
    if context.is_noisy || context.gives_check {
        hundredths = hundredths * params.reduction_forcing_share / PERCENT;
    }
    let adjust = |condition: bool, amount: i32| if condition { amount } else { 0 };
    hundredths += adjust(context.cut_node, params.reduction_cut_node)
        + adjust(!context.improving, params.reduction_worsening)
        + adjust(context.child_cutoffs > params.reduction_many_cutoffs, params.reduction_cutoffs)
        + behind_singular(params, context.lead)
        - adjust(context.is_pv, params.reduction_pv)
        - adjust(context.was_pv, params.reduction_was_pv)
        - adjust(context.near_root, params.reduction_near_root);
    if !context.is_noisy {
        hundredths += adjust(context.noisy_tt_move, params.reduction_noisy_tt_move)
            - adjust(context.is_refutation, params.reduction_refutation)
            - context.history * HUNDREDTHS / params.reduction_history_divisor;
    }
    (hundredths / HUNDREDTHS).max(0)
}

/// How much more moves are reduced, in hundredths of a ply, that the singularity test found so far behind the table
/// move: the less likely it is that one of them is better. So Hobbes.
/// Elo: -4 ± 11 (`reduction_lead_most`)
fn behind_singular(params: &Params, lead: i32) -> i32 {
    (lead - params.reduction_lead_margin).clamp(0, params.reduction_lead_most)
}

#[cfg(test)]
mod tests {
    use super::*;

    impl ReductionContext {
        /// A quiet move with no special properties.
        fn quiet() -> ReductionContext {
            ReductionContext {
                is_pv: false,
                was_pv: false,
                near_root: false,
                is_noisy: false,
                noisy_tt_move: false,
                cut_node: false,
                improving: true,
                gives_check: false,
                is_refutation: false,
                child_cutoffs: 0,
                lead: 0,
                history: 0,
            }
        }
    }

    #[test]
    fn later_moves_and_deeper_nodes_are_reduced_more() {
        let params = Params::default();
        let table = Reductions::new(&params);
        let quiet = |cut_node| ReductionContext { cut_node, ..ReductionContext::quiet() };
        let reduction = |depth, number| late_move_reduction(&params, &table, depth, number, &quiet(false));
        assert!(reduction(4, 4) <= reduction(12, 4) && reduction(12, 4) < reduction(12, 30));
        assert!(late_move_reduction(&params, &table, 8, 8, &quiet(true)) > reduction(8, 8));
        assert!(reduction(300, 300) > 0);
    }

    #[test]
    fn the_further_the_table_move_is_ahead_the_more_other_moves_are_reduced_up_to_a_limit() {
        let params = Params { reduction_lead_most: 200, reduction_lead_margin: 70, ..Params::default() };
        let more = |params: &Params| [0, 70, 71, 170, 270, 5000].map(|lead| behind_singular(params, lead));
        assert_eq!(more(&params), [0, 0, 1, 100, 200, 200]);
        assert_eq!(more(&Params { reduction_lead_most: 0, ..params.clone() }), [0; 6]);
    }

    #[test]
    fn moves_near_the_root_are_reduced_less() {
        let params = Params::default();
        let table = Reductions::new(&params);
        let reduction = |params: &Params, near_root| {
            let context = ReductionContext { near_root, ..ReductionContext::quiet() };
            late_move_reduction(params, &table, 10, 20, &context)
        };
        assert_eq!(reduction(&params, true), reduction(&params, false) - 1);
        let off = Params { reduction_near_root: 0, ..params };
        assert_eq!(reduction(&off, true), reduction(&off, false));
    }
}
