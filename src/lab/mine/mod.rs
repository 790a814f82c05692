//! Tactical positions from games: found by Pacioli, confirmed by another engine, graded and labelled by theme.
//!
//! This is a cascade, each step more expensive than the last. Scores in the games' comments show where the evaluation
//! rose ([`candidates`]); a shallow search and a long one tell whether the reason is a clear best move that only the
//! second sees (`look`); another engine must agree at a depth that only it reaches (`confirm`), and is stopped as soon
//! as that is impossible. What remains is graded by the nodes that Pacioli needs.
//!
//! Laws: a game's finds depend only on the game and the settings, not on what other games have shown; they are recorded
//! in the order of the games until there are enough, so that neither the number of jobs nor interruptions change the
//! results. A position is kept once, even with colours swapped or wings mirrored; it is searched as the suite states
//! it, without the game's history.

mod candidates;
mod confirm;
mod look;
mod margins;
mod mined;
mod suite_text;
mod themes;

use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use candidates::{Candidate, candidates};
pub use margins::Margins;
#[cfg(test)]
pub(crate) use mined::Line;
pub use mined::{Mined, Origin};
pub use suite_text::{grade, suite_text};
pub use themes::{Theme, themes};

use crate::board::{Move, Position, PositionError};
use crate::engine::{Engine, Limits};
use crate::json::{MoveText, PovScore};
use crate::pgn::PgnGame;
use crate::runner::{JournalError, Peer, PeerError, Pool};
use crate::search::StopFlag;
use crate::suite::{self, Rule, likenesses};
use crate::units::Depth;

/// Depth of the search that must not find the solution.
pub const SHALLOW_DEPTH: Depth = 4;

/// Least distance in plies between two positions from one game: closer ones show the same tactic.
const DISTANCE: usize = 12;

/// The requirements on a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Rules {
    /// Nodes for Pacioli's look at a candidate, with two variations.
    pub look_nodes: u64,
    /// Depth of the other engine's search, with two variations.
    pub depth: Depth,
    /// Nodes after which the other engine gives a position up.
    pub give_up_nodes: u64,
    /// Nodes of the search that grades a position.
    pub grade_nodes: u64,
    /// Positions that Pacioli solves with fewer nodes are left out.
    pub least_nodes: u64,
    /// Maximum number of positions from one game.
    pub per_game: usize,
}

/// A position that meets the requirements.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Find {
    /// The position found.
    pub fen: String,
    /// The other engine's line, the solution first.
    pub pv: Vec<MoveText>,
    /// The score of the solution by the other engine.
    pub score: PovScore,
    /// The score of the second best move by the other engine.
    pub next_score: PovScore,
    /// The depth in plies of both scores.
    pub depth: Depth,
    /// Nodes that Pacioli needs to find the solution and keep it; none if it does not.
    pub solution_nodes: Option<u64>,
    /// The most nodes that Pacioli was given.
    pub node_limit: u64,
}

/// A failure that ends mining.
#[derive(Debug, Error)]
pub enum MineError {
    /// The other engine failed.
    #[error(transparent)]
    Peer(#[from] PeerError),
    /// The finds cannot be recorded.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A find is no legal position.
    #[error(transparent)]
    Position(#[from] PositionError),
}

/// Our own engine and another one.
pub struct Miner {
    /// Searches for candidates and grades.
    pub engine: Engine,
    /// Confirms candidates.
    pub peer: Peer,
}

impl Miner {
    /// A game's finds, at most as many as the rules allow, whether or not another game has them too: what is known
    /// depends on how many games are examined at the same time. `None` if it was stopped.
    ///
    /// # Errors
    ///
    /// The other engine failed.
    fn examine(&mut self, game: &PgnGame, rules: &Rules, stop: &StopFlag) -> Result<Option<Vec<Find>>, PeerError> {
        let mut finds = Vec::new();
        let positions: Vec<Position> = game.positions().map(|position| forgetful(&position)).collect();
        let mut next_ply = 0;
        for candidate in candidates(&game.moves) {
            if finds.len() >= rules.per_game || stop.is_raised() {
                break;
            }
            let position = &positions[candidate.ply];
            if candidate.ply >= next_ply
                && let Some(find) =
                    self.examine_position(position, candidate, game.moves[candidate.ply].mv, rules, stop)?
            {
                finds.push(find);
                next_ply = candidate.ply + DISTANCE;
            }
        }
        Ok((!stop.is_raised()).then_some(finds))
    }

    /// Examines one candidate.
    fn examine_position(
        &mut self,
        position: &Position,
        candidate: Candidate,
        played: Move,
        rules: &Rules,
        stop: &StopFlag,
    ) -> Result<Option<Find>, PeerError> {
        // What the player saw at once, and four plies see too, is not a find.
        let seen = (!candidate.hidden).then_some(played);
        let look = look::look(&mut self.engine, position, rules.look_nodes, seen, stop);
        let Some(look) = look else { return Ok(None) };
        let expected = look.clear_best().filter(|_| look.since >= rules.least_nodes);
        if expected.is_none() && (!candidate.hidden || look.clear_best().is_some()) {
            return Ok(None);
        }
        let Some(pair) = confirm::confirm(&mut self.peer, position, look.shallow, expected, rules, stop)? else {
            return Ok(None);
        };
        let best = pair.line[0];
        let nodes = solution_nodes(&mut self.engine, position, best, rules.grade_nodes);
        let is_hard_enough = nodes.is_none_or(|nodes| nodes >= rules.least_nodes);
        Ok(is_hard_enough.then(|| Find {
            fen: position.fen(),
            pv: MoveText::line(position, &pair.line),
            score: PovScore::of_mover(pair.score, position),
            next_score: PovScore::of_mover(pair.next_score, position),
            depth: pair.depth,
            solution_nodes: nodes,
            node_limit: rules.grade_nodes,
        }))
    }
}

/// What to mine.
#[derive(Copy, Clone, Debug)]
pub struct Job<'a> {
    /// The games, in order.
    pub games: &'a [PgnGame],
    /// The requirements on a position.
    pub rules: &'a Rules,
    /// How many positions are enough: the game that reaches it is the last one recorded.
    pub count: usize,
}

/// Mines games in order until there are enough positions or `stop` is set, recording a few games at a time; games
/// already in the journal are skipped, and so are repetitions of a game. `progress` is called now and then with the
/// journal and the number of games done since the last call.
///
/// # Errors
///
/// See [`MineError`]; the games before the one that failed are in the journal.
pub fn run(
    pool: &mut Pool<Miner>,
    &Job { games, rules, count }: &Job<'_>,
    mined: &mut Mined,
    stop: &StopFlag,
    progress: &mut dyn FnMut(&Mined, usize),
) -> Result<(), MineError> {
    /// Games per worker between one write and the next.
    const SHARE: usize = 4;
    let is_enough = |mined: &Mined| mined.finds().len() >= count;
    for chunk in games.chunks(SHARE * pool.workers().len().max(1)) {
        if stop.is_raised() || is_enough(mined) {
            break;
        }
        let open = open(chunk, mined);
        // The first that failed: an engine that hangs would be waited for in each game after it.
        let failed = AtomicUsize::new(open.len());
        let work = |miner: &mut Miner, task: usize| {
            if task > failed.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let finds = miner.examine(open[task].1, rules, stop);
            if finds.is_err() {
                // What another engine does after a stop is no failure.
                if stop.is_raised() {
                    return Ok(None);
                }
                failed.fetch_min(task, Ordering::Relaxed);
            }
            finds
        };
        let results = pool.run(open.len(), work, &mut |_| ());
        for (&(key, _), finds) in open.iter().zip(results) {
            // Where the run ends must not depend on how many games are examined together.
            if is_enough(mined) {
                break;
            }
            // Games after a stopped one are discarded; those before it are kept.
            let Some(finds) = finds? else { return Ok(()) };
            mined.game(key, finds)?;
        }
        progress(mined, chunk.len());
    }
    Ok(())
}

/// The games that are still to be examined, each once, with their numbers.
fn open<'g>(games: &'g [PgnGame], mined: &Mined) -> Vec<(u64, &'g PgnGame)> {
    let mut seen = HashSet::new();
    let numbered = games.iter().map(|game| (game.fingerprint(), game));
    numbered.filter(|&(print, _)| !mined.is_done(print) && seen.insert(print)).collect()
}

/// The position with its counters reset, as in a line of EPD.
fn forgetful(position: &Position) -> Position {
    Position::from_fen(&format!("{} 0 1", position.epd()), position.is_chess960()).unwrap_or_else(|_| position.clone())
}

/// A common name for the position and all equivalent ones.
fn likeness(position: &Position) -> String {
    likenesses(position).into_iter().map(|(epd, _)| epd).min().unwrap_or_default()
}

/// Nodes that Pacioli needs to find the move and keep it to the end of a longer search.
fn solution_nodes(engine: &mut Engine, position: &Position, best: Move, limit: u64) -> Option<u64> {
    let line = format!("{} bm {};", position.epd(), position.san(best));
    let record = suite::parse_line("", 1, &line).ok()?;
    let limits = Limits::of_nodes(limit);
    suite::solve(engine, &record, &limits, Rule::End).solution.map(|at| at.nodes)
}
