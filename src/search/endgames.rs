//! Endgame tables in the search: what they say about the root's moves, and about positions below.
//!
//! A root that the tables know gives each move bounds: a winning move is worth at least the table win at its distance,
//! so that the shortest way is played unless the search proves a mate; a losing one at most as much, so that the
//! longest way is. Among draws the search decides, and its score becomes the tie-breaker. Below the root the outcome
//! tables answer right after captures and pawn moves, where the fifty-move counter plays no part.

use std::sync::Arc;

use super::state::{NodeKind, Search};
use crate::board::{Game, Move, Position};
use crate::eval::Evaluator;
use crate::score::{Draw, Score, Window};
use crate::tables::{Ranked, RankedMoves, Tables, Wdl};
use crate::tt::{Bound, Entry};
use crate::units::{Credit, Depth, MAX_PLY, Ply};

/// Table entries of endgame positions count as searched this much deeper: what the tables say is certain.
const CERTAINTY: Depth = 6;
/// No way to the next capture or pawn move counts as longer: scores stay within the band of table wins.
const LONGEST_WAY: Ply = 1000;

/// The tables that a search asks, and when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endgames {
    /// The tables.
    pub tables: Arc<Tables>,
    /// Least depth at which positions with as many pieces as the limit are asked about; smaller ones always are.
    pub probe_depth: Depth,
    /// The most pieces, kings included, that positions asked about have.
    pub probe_limit: usize,
    /// Whether the fifty-move rule turns wins into draws.
    pub fifty_moves: bool,
}

impl Endgames {
    /// The most pieces that are asked about.
    pub(super) fn limit(&self) -> usize {
        self.probe_limit.min(self.tables.max_pieces())
    }

    /// An outcome with the fifty-move rule applied, or not.
    fn settled(&self, wdl: Wdl) -> Wdl {
        match wdl {
            Wdl::CursedWin if !self.fifty_moves => Wdl::Win,
            Wdl::BlessedLoss if !self.fifty_moves => Wdl::Loss,
            wdl => wdl,
        }
    }
}

/// What the tables say about a node.
pub(super) enum Knowledge {
    /// The node's score, which ends it.
    Decides(Score),
    /// The search goes on, and its score lies within these bounds.
    Bounds(Window),
}

/// What the tables say about the root.
#[derive(Default)]
pub(super) struct RootKnowledge {
    /// Bounds of moves whose scores are known.
    bounds: Vec<(Move, Window)>,
    /// Whether the best outcome is a draw.
    is_draw: bool,
}

impl RootKnowledge {
    /// The knowledge that a ranking of the root's moves gives.
    fn new(position: &Position, ranked: &RankedMoves, evaluator: &mut Evaluator) -> RootKnowledge {
        let best = ranked.best();
        let bounds = |ranked: &Ranked| Some((ranked.m, known_bounds(position, ranked, best, evaluator)?));
        RootKnowledge {
            bounds: ranked.moves().iter().filter_map(bounds).collect(),
            is_draw: !matches!(best, Wdl::Win | Wdl::Loss),
        }
    }

    /// The score of a root move within what is known of it.
    pub fn hold(&self, m: Move, score: Score) -> Score {
        match self.bounds.iter().find(|(known, _)| *known == m) {
            Some((_, window)) => score.clamp(window.alpha, window.beta),
            None => score,
        }
    }

    /// The root's score as it is told: of a draw, which the search knows nothing of, its tie-breaker remains.
    pub fn told(&self, score: Score) -> Score {
        if self.is_draw && !score.is_decisive() {
            Score::draw(Draw::Theoretical { static_eval: score.main() })
        } else {
            score
        }
    }
}

/// What a ranked move is worth at least and at most, where the tables say more than the search can.
fn known_bounds(position: &Position, ranked: &Ranked, best: Wdl, evaluator: &mut Evaluator) -> Option<Window> {
    let win = Score::tablebase_win(ranked.plies.map_or(LONGEST_WAY, |plies| (plies as Ply).min(LONGEST_WAY)));
    match ranked.wdl {
        Wdl::Win => Some(Window { alpha: win, ..Window::FULL }),
        Wdl::Loss => Some(Window { beta: -win, ..Window::FULL }),
        _ if best == Wdl::Win => {
            let after = position.play(ranked.m);
            let draw = -Score::draw(Draw::Theoretical { static_eval: evaluator.evaluate_drawn(&after) });
            Some(Window { alpha: draw, beta: draw })
        }
        // Where a win is left to be spoilt by the fifty-move rule only, plain draws give that chance away.
        wdl if wdl < best => Some(Window { beta: Score::ZERO, ..Window::FULL }),
        _ => None,
    }
}

impl Search<'_> {
    /// Asks the tables about the root and puts its moves in their order.
    pub(super) fn rank_root(&mut self, game: &Game) {
        let Some(endgames) = self.endgames else { return };
        let few = game.position().board().occupied().count() <= endgames.limit();
        let Some(ranked) = few.then(|| endgames.tables.rank(game, &self.root.choice, endgames.fifty_moves)).flatten()
        else {
            return;
        };
        self.root.choice = ranked.moves().iter().map(|ranked| ranked.m).collect();
        self.root.moves.clone_from(&self.root.choice);
        self.root.known = RootKnowledge::new(game.position(), &ranked, self.evaluator);
        self.table_hits += ranked.moves().len() as u64;
        if self.root.known.is_draw {
            // They would say the same of every position below.
            self.endgames = None;
        }
    }

    /// What the tables say about a node; nothing about most.
    #[inline]
    pub(super) fn ask_endgames<K: NodeKind>(
        &mut self,
        position: &Position,
        window: Window,
        depth: Depth,
        ply: Ply,
    ) -> Knowledge {
        match self.endgames {
            Some(endgames) if !K::ROOT && position.halfmoves() == 0 => {
                self.probe_endgames(endgames, position, window, depth, ply)
            }
            _ => Knowledge::Bounds(Window::FULL),
        }
    }

    /// Asks about a position right after a capture or pawn move. What it says is stored in the transposition table too,
    /// which is quicker to ask.
    #[cold]
    fn probe_endgames(
        &mut self,
        endgames: &Endgames,
        position: &Position,
        window: Window,
        depth: Depth,
        ply: Ply,
    ) -> Knowledge {
        const NOTHING: Knowledge = Knowledge::Bounds(Window::FULL);
        let pieces = position.board().occupied().count();
        let limit = endgames.limit();
        if pieces > limit || (pieces == limit && depth < endgames.probe_depth) || !endgames.tables.covers(position) {
            return NOTHING;
        }
        let Some(wdl) = endgames.tables.wdl(position) else { return NOTHING };
        self.table_hits += 1;
        let (score, bound) = match endgames.settled(wdl) {
            Wdl::Win => (Score::tablebase_win(ply), Bound::Lower),
            Wdl::Loss => (-Score::tablebase_win(ply), Bound::Upper),
            _ => (self.theoretical_draw(position), Bound::Exact),
        };
        if bound.decides(score, window) {
            self.remember_certainty(position, score, bound, depth, ply);
            return Knowledge::Decides(score);
        }
        Knowledge::Bounds(match bound {
            Bound::Lower => Window { alpha: score, ..Window::FULL },
            _ => Window { beta: score, ..Window::FULL },
        })
    }

    /// Stores what the tables say; no account that a later visit brings is larger.
    fn remember_certainty(&mut self, position: &Position, score: Score, bound: Bound, depth: Depth, ply: Ply) {
        let entry = Entry {
            score,
            depth: (depth + CERTAINTY).min(MAX_PLY),
            bound,
            mine: Credit::from_plies(MAX_PLY),
            his: Credit::from_plies(MAX_PLY),
            ..Entry::EMPTY
        };
        self.table.store(position.key(), entry, ply);
    }
}
