//! Conventional extensions in place of credit, as other engines have them: the opponent that dual credit is measured
//! against.
//!
//! A singular table move is extended by a ply, or by two or three if every other move stays far below it; a check by a
//! ply if it loses nothing. Negative extensions (`surplus_reduction`) and multi-cut are the same with and without
//! credit.

use super::facts::{Node, NodeKind, TtHint};
use super::state::Search;
use crate::board::{Move, see_at_least};
use crate::credit::singular::Gap;
use crate::score::Score;
use crate::units::{Depth, Ply};

impl Search<'_> {
    /// Plies by which a move is extended. The figure is credit's against single plies.
    /// Elo: -12 ± 20 (`conventional_extensions`)
    pub(super) fn conventional_extension(
        &self,
        node: &Node<'_>,
        m: Move,
        gives_check: bool,
        hint: Option<&TtHint>,
    ) -> Depth {
        let params = self.task.params;
        if !params.conventional_extensions || node.ply > params.conventional_reach * self.iteration.nominal_depth {
            return 0;
        }
        let pays = || see_at_least(node.position, m, -params.conventional_check_may_lose, params.see_pins);
        let check = Depth::from(params.conventional_checks && gives_check && pays());
        hint.map_or(0, |hint| hint.extension).max(check)
    }

    /// Plies by which a singular table move is extended whose alternatives, tested against `bound`, reach `best`.
    pub(super) fn singular_extension<K: NodeKind>(&self, node: &Node<'_>, m: Move, bound: Score, best: Score) -> Depth {
        let params = self.task.params;
        let gap = Gap::of(m, bound, best, params.conventional_double_margin, params.conventional_triple_margin);
        let is_wide = params.conventional_double
            && !K::PV
            && gap != Gap::Narrow
            && self.wide_extensions_above(node.ply) < params.conventional_line_cap;
        let is_very_wide = is_wide && params.conventional_triple && gap == Gap::VeryWide;
        1 + Depth::from(is_wide) + Depth::from(is_very_wide)
    }

    /// Number of moves on the line to this ply that were extended by more than a ply.
    fn wide_extensions_above(&self, ply: Ply) -> i32 {
        self.path.frames.before(ply, ply).iter().map(|frame| i32::from(frame.made.widely_extended)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::credit::Ledger;
    use crate::params::Params;
    use crate::score::Window;
    use crate::search::facts::{Earned, NextMove, NonPv, Pv, Visit};
    use crate::search::iteration::RunningIteration;
    use crate::search::tests::{with_node, with_search};

    #[test]
    fn a_check_is_extended_within_reach_if_it_loses_no_more_than_it_may() {
        let extension = |conventional_check_may_lose, ply| {
            let conventional = Params { credit: false, conventional_extensions: true, ..Params::default() };
            let params = Params { conventional_reach: 2, conventional_check_may_lose, ..conventional };
            // The bishop takes a pawn with check, and is taken.
            with_search(params, "6k1/5p1p/8/8/8/3B4/8/6K1 w - - 0 1", |search, position| {
                search.iteration = RunningIteration::new(search.task.params, 4, 0, 0);
                let window = Window::null(Score::ZERO);
                let visit = Visit { position, window, depth: 4, ply, ledger: Ledger::EMPTY, cut_node: true };
                let node = search.prepare::<NonPv>(visit, None);
                search.conventional_extension(&node, position.parse_uci("d3h7").unwrap(), true, None)
            })
        };
        assert_eq!([0, 2000].map(|may_lose| extension(may_lose, 8)), [0, 1]);
        assert_eq!([8, 9].map(|ply| extension(2000, ply)), [1, 0]);
    }

    /// A node at `ply` with a quiet move, e4e5, and a capture, e4d5.
    fn with_moves<T>(ply: Ply, examine: impl FnOnce(&mut Search<'_>, &Node<'_>) -> T) -> T {
        let params = Params {
            credit: false,
            conventional_extensions: true,
            conventional_double_margin: 20,
            conventional_triple_margin: 80,
            conventional_line_cap: 8,
            ..Params::default()
        };
        with_node(params, "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", Window::null(Score::ZERO), 4, ply, examine)
    }

    #[test]
    fn a_singular_move_is_extended_widely_off_the_principal_variation_and_not_too_often_on_a_line() {
        /// Plies if the alternatives, tested against 100, reach 80, 79, 20 and 19, below so many wide extensions.
        fn plies<K: NodeKind>(uci: &str, wide_above: Ply) -> [Depth; 4] {
            with_moves(9, |search, node| {
                (0..wide_above).for_each(|ply| search.path.frames.at_mut(ply).made.widely_extended = true);
                let m = node.position.parse_uci(uci).unwrap();
                [80, 79, 20, 19].map(|best| search.singular_extension::<K>(node, m, Score::cp(100), Score::cp(best)))
            })
        }
        assert_eq!(plies::<NonPv>("e4e5", 0), [1, 2, 2, 3]);
        assert_eq!(plies::<NonPv>("e4d5", 0), [1, 2, 2, 2]);
        assert_eq!(plies::<Pv>("e4e5", 0), [1; 4]);
        assert_eq!(plies::<NonPv>("e4e5", 7), [1, 2, 2, 3]);
        assert_eq!(plies::<NonPv>("e4e5", 8), [1; 4]);
    }

    #[test]
    fn a_move_counts_as_widely_extended_from_two_plies_on() {
        let is_wide = |extension| {
            with_moves(1, |search, node| {
                let mv = node.position.parse_uci("e4e5").unwrap();
                let hint = TtHint { mv, earned: Earned::default(), extension, surplus: 0, lead: 0 };
                let next = NextMove { mv, number: 1, history: 0 };
                search.make_candidate::<NonPv>(node, next, Some(&hint)).step.made.widely_extended
            })
        };
        assert_eq!([1, 2].map(is_wide), [false, true]);
    }
}
