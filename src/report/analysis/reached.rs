//! What a search of one position of a game says.

use super::{AnalysedLine, PositionAnalysis, position};
use crate::board::Game;
use crate::engine::{Engine, Limits};
use crate::eval::Chances;
use crate::score::Score;
use crate::search::StopFlag;

/// Searches the positions of a game one after another.
pub(super) struct Searcher<'a> {
    pub engine: &'a mut Engine,
    /// The limits of each search.
    pub limits: Limits,
    /// Ends them early.
    pub stop: &'a StopFlag,
    /// Nodes searched so far.
    pub nodes: u64,
}

impl Searcher<'_> {
    /// Searches a position with these limits.
    pub fn search(&mut self, game: &Game, limits: &Limits) -> PositionAnalysis {
        let analysis = position(self.engine, game, limits, self.stop);
        self.nodes += analysis.nodes;
        analysis
    }
}

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

    /// Searches a position, unless the rules give its score.
    pub fn search(searcher: &mut Searcher, game: &Game) -> Reached {
        if game.is_over() {
            let chances = Chances::of_end(game.position());
            let value = if chances == Chances::LOSS { Score::mated(0) } else { Score::ZERO };
            return Reached { value, chances, best: None };
        }
        Reached::search_on(searcher, game)
    }

    /// Searches a position of a game, the last one or one from which it went on.
    pub fn in_game(searcher: &mut Searcher, game: &Game, is_last: bool) -> Reached {
        if is_last { Reached::search(searcher, game) } else { Reached::search_on(searcher, game) }
    }

    /// Searches a position from which the game went on, even if a draw could have been claimed.
    fn search_on(searcher: &mut Searcher, game: &Game) -> Reached {
        let analysis = searcher.search(game, &searcher.limits.clone());
        let best = analysis.lines.into_iter().next();
        let value = best.as_ref().map_or(Score::ZERO, |line| line.value);
        Reached { value, chances: Chances::new(value, game.position()), best }
    }
}
