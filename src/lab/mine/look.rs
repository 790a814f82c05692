//! Pacioli's own look at a candidate: what a shallow search sees, and what a long one sees beyond that.

use super::{Margins, SHALLOW_DEPTH};
use crate::board::{Game, Move, Position};
use crate::engine::{Engine, Limits};
use crate::score::StatedScore;
use crate::search::{Iteration, Observer, Silent, StopFlag};

/// The result.
#[derive(Clone, Debug)]
pub struct Look {
    /// The move of the shallow search.
    pub shallow: Move,
    /// The best move and the second best of the longer search, with their scores.
    best: (Move, StatedScore),
    next: (Move, StatedScore),
    /// Nodes of the longer search after which the best move no longer changed.
    pub since: u64,
}

impl Look {
    /// The best move, if it is clear and the shallow search did not see it.
    pub fn clear_best(&self) -> Option<Move> {
        (self.best.0 != self.shallow && Margins::NEARLY.hold(self.best.1, self.next.1)).then_some(self.best.0)
    }
}

/// The share of a look's nodes that a glance costs.
const GLANCE: u64 = 8;

/// Searches the position with few plies and with many nodes; `None` if there is no choice of moves, or a search was
/// stopped. If the player saw the reason for the rise, `seen` is the move played: then also `None` if the shallow
/// search sees it too, or if a search of fewer nodes still agrees with the shallow one. These are the common cases, and
/// no more is spent on them.
pub fn look(engine: &mut Engine, position: &Position, nodes: u64, seen: Option<Move>, stop: &StopFlag) -> Option<Look> {
    let game = Game::new(position.clone());
    let mut best = |limits: Limits| {
        engine.new_game();
        engine.search(&game, &limits, stop, &mut Silent).best_move
    };
    let shallow = best(Limits::to_depth(SHALLOW_DEPTH))?;
    if seen == Some(shallow) {
        return None;
    }
    if seen.is_some() && best(Limits::of_nodes(nodes / GLANCE)) == Some(shallow) {
        return None;
    }
    engine.new_game();
    let limits = Limits { nodes: Some(nodes), multi_pv: 2, ..Limits::default() };
    let mut pair = Pair::default();
    engine.search(&game, &limits, stop, &mut pair);
    Some(Look { shallow, best: pair.best?, next: pair.next?, since: pair.since })
}

/// Records the two best lines.
#[derive(Default)]
struct Pair {
    best: Option<(Move, StatedScore)>,
    next: Option<(Move, StatedScore)>,
    since: u64,
}

impl Observer for Pair {
    fn iteration(&mut self, iteration: &Iteration) {
        let line = iteration.pv.first().map(|&m| (m, StatedScore::from(iteration.score)));
        match iteration.multipv {
            1 => {
                if self.best.map(|(m, _)| m) != line.map(|(m, _)| m) {
                    self.since = iteration.nodes;
                }
                self.best = line;
            }
            2 => self.next = line,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::engine::Options;
    use crate::score::Score;
    use crate::search::CreditStats;
    use crate::tt::Bound;

    fn at(fen: &str, seen: Option<&str>) -> Option<Look> {
        let position = Position::from_fen(fen, false).unwrap();
        let mut engine = Engine::new(Options { hash_mb: 1, ..Options::default() }).0;
        let seen = seen.map(|text| position.parse_uci(text).unwrap());
        look(&mut engine, &position, 30_000, seen, &StopFlag::new())
    }

    #[test]
    fn what_a_few_plies_see_is_no_find() {
        // A mate in one: with no move given, played, and missed.
        let fen = "6k1/5ppp/8/8/8/8/4P3/R3K3 w - - 0 1";
        assert_eq!(at(fen, None).unwrap().clear_best(), None);
        assert!(at(fen, Some("a1a8")).is_none());
        assert!(at(fen, Some("e2e4")).is_none());
    }

    #[test]
    fn without_a_choice_there_is_nothing_to_find() {
        assert!(at("k7/8/1K6/8/8/8/8/8 b - - 0 1", None).is_none());
        assert!(at("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", None).is_none());
    }

    #[test]
    fn a_best_move_counts_from_where_it_became_one() {
        let position = Position::default();
        let mut pair = Pair::default();
        for (nodes, multipv, text, since) in [
            (10, 1, "e2e4", 10),
            (10, 2, "d2d4", 10),
            (20, 1, "e2e4", 10),
            (30, 1, "d2d4", 30),
            (30, 2, "e2e4", 30),
            (40, 1, "d2d4", 30),
        ] {
            pair.iteration(&Iteration {
                iteration: 1,
                nominal_depth: 1,
                max_software: 1,
                max_combined: 1,
                score: Score::ZERO,
                bound: Bound::Exact,
                pv: vec![position.parse_uci(text).unwrap()],
                ledger: Vec::new(),
                multipv,
                nodes,
                elapsed: Duration::ZERO,
                hashfull: 0,
                tb_hits: 0,
                researches: 0,
                credit: CreditStats::default(),
                restrained_at: None,
            });
            assert_eq!(pair.since, since, "{text} at {nodes} nodes");
        }
    }

    #[test]
    fn a_clear_move_beyond_the_shallow_search_is_found() {
        let position = Position::default();
        let [e4, d4] = ["e2e4", "d2d4"].map(|text| position.parse_uci(text).unwrap());
        let with = |shallow, next| Look {
            shallow,
            best: (e4, StatedScore::Cp(300)),
            next: (d4, StatedScore::Cp(next)),
            since: 0,
        };
        assert_eq!(with(d4, 20).clear_best(), Some(e4));
        assert_eq!(with(e4, 20).clear_best(), None);
        assert_eq!(with(d4, 280).clear_best(), None);
    }
}
