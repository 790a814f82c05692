//! What a search of one position of a game says.

use super::{AnalysedLine, position};
use crate::board::Game;
use crate::engine::{Engine, Limits};
use crate::eval::Chances;
use crate::score::Score;

/// The result of searching one position of the game.
pub(super) struct Reached {
    /// For the side to move.
    pub value: Score,
    /// For the side to move.
    pub chances: Chances,
    /// None if the game is over.
    pub best: Option<AnalysedLine>,
}

impl Reached {
    /// Whether there is anything behind the value: a completed iteration, or the rules.
    pub fn is_known(&self) -> bool {
        self.best.as_ref().is_none_or(|line| line.iteration > 0)
    }

    /// Searches a position, unless the rules give its score; nodes are added to `nodes`.
    pub fn search(engine: &mut Engine, game: &Game, limits: &Limits, nodes: &mut u64) -> Reached {
        if game.is_over() {
            let chances = Chances::of_end(game.position());
            let value = if chances == Chances::LOSS { Score::mated(0) } else { Score::ZERO };
            return Reached { value, chances, best: None };
        }
        Reached::search_on(engine, game, limits, nodes)
    }

    /// Searches a position of a game, the last one or one from which it went on.
    pub fn in_game(engine: &mut Engine, game: &Game, is_last: bool, limits: &Limits, nodes: &mut u64) -> Reached {
        let search = if is_last { Reached::search } else { Reached::search_on };
        search(engine, game, limits, nodes)
    }

    /// Searches a position from which the game went on, even if a draw could have been claimed.
    fn search_on(engine: &mut Engine, game: &Game, limits: &Limits, nodes: &mut u64) -> Reached {
        let analysis = position(engine, game, limits);
        *nodes += analysis.nodes;
        let best = analysis.lines.into_iter().next();
        let value = best.as_ref().map_or(Score::ZERO, |line| line.value);
        Reached { value, chances: Chances::new(value, game.position()), best }
    }
}
