//! Pacioli's own look at a candidate: what a few plies see, and what many nodes see beyond.

use super::{Margins, SHALLOW_DEPTH, alone};
use crate::board::{Game, Move, Position};
use crate::engine::{Engine, Limits};
use crate::search::{Iteration, Observer, Silent, StopFlag};
use crate::suite::ScoreText;

/// What came of it.
#[derive(Clone, Debug)]
pub struct Look {
    /// The move of the shallow search.
    pub shallow: Move,
    /// The best move and the next of the longer search, with their scores.
    best: (Move, ScoreText),
    next: (Move, ScoreText),
    /// Nodes of the longer search after which the best move stayed the same.
    pub since: u64,
}

impl Look {
    /// The best move, where it is clear and the shallow search did not see it.
    pub fn clear_best(&self) -> Option<Move> {
        (self.best.0 != self.shallow && Margins::NEARLY.hold(self.best.1, self.next.1)).then_some(self.best.0)
    }
}

/// How many times dearer the look is than the glance before it, after which most candidates are dropped.
const GLANCES: u64 = 12;

/// Searches the position with few plies and with many nodes; `None` where there is no choice of moves, where the few
/// plies see the move that was `played`, or where a glance shows no clear move.
pub fn look(engine: &mut Engine, position: &Position, played: Move, nodes: u64, stop: &StopFlag) -> Option<Look> {
    let game = alone(position);
    engine.new_game();
    let limits = Limits { depth: Some(SHALLOW_DEPTH), ..Limits::default() };
    let shallow = engine.search(&game, &limits, stop, &mut Silent).best_move?;
    if shallow == played {
        return None;
    }
    let glance = two_lines(engine, &game, nodes / GLANCES, stop);
    let promises = glance.best?.0 != shallow && Margins::LOOSE.hold(glance.best?.1, glance.next?.1);
    if !promises {
        return None;
    }
    let pair = two_lines(engine, &game, nodes, stop);
    Some(Look { shallow, best: pair.best?, next: pair.next?, since: pair.since })
}

/// The two best lines after this many nodes.
fn two_lines(engine: &mut Engine, game: &Game, nodes: u64, stop: &StopFlag) -> Pair {
    engine.new_game();
    let limits = Limits { nodes: Some(nodes), multi_pv: 2, ..Limits::default() };
    let mut pair = Pair::default();
    engine.search(game, &limits, stop, &mut pair);
    pair
}

/// Hears the two best lines.
#[derive(Default)]
struct Pair {
    best: Option<(Move, ScoreText)>,
    next: Option<(Move, ScoreText)>,
    since: u64,
}

impl Observer for Pair {
    fn iteration(&mut self, iteration: &Iteration) {
        let line = iteration.pv.first().map(|&m| (m, ScoreText::from(iteration.score)));
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
    use super::*;
    use crate::engine::Options;

    fn at(fen: &str, played: &str) -> Option<Look> {
        let position = Position::from_fen(fen, false).unwrap();
        let played = position.parse_uci(played).unwrap();
        let mut engine = Engine::new(Options { hash_mb: 1, ..Options::default() }).0;
        look(&mut engine, &position, played, 30_000, &StopFlag::new())
    }

    #[test]
    fn what_a_few_plies_see_is_no_find() {
        // A mate in one, played and missed.
        for played in ["a1a8", "e2e4"] {
            assert!(at("6k1/5ppp/8/8/8/8/4P3/R3K3 w - - 0 1", played).is_none());
        }
    }

    #[test]
    fn without_a_choice_there_is_nothing_to_find() {
        assert!(at("k7/8/1K6/8/8/8/8/8 b - - 0 1", "a8b8").is_none());
    }

    #[test]
    fn a_clear_move_that_more_nodes_see_is_one() {
        // Schlage and Ahues, 1921.
        let look = at("8/p7/P3K3/8/8/2k5/8/8 w - - 0 1", "e6d5").unwrap();
        assert!(look.clear_best().is_some());
    }

    #[test]
    fn a_clear_move_beyond_the_shallow_search_is_found() {
        let position = Position::default();
        let [e4, d4] = ["e2e4", "d2d4"].map(|text| position.parse_uci(text).unwrap());
        let with =
            |shallow, next| Look { shallow, best: (e4, ScoreText::Cp(300)), next: (d4, ScoreText::Cp(next)), since: 0 };
        assert_eq!(with(d4, 20).clear_best(), Some(e4));
        assert_eq!(with(e4, 20).clear_best(), None);
        assert_eq!(with(d4, 280).clear_best(), None);
    }
}
