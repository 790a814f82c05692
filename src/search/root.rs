//! The root of the tree: its moves, and the best line found so far.

use super::facts::{Candidate, Intake, Node, NodeKind, SearchResult};
use super::pace::Standing;
use super::pv::{LedgerEntry, Line, LineMove};
use super::state::Search;
use crate::board::{Color, Move, Position};
use crate::eval::Evaluator;
use crate::score::{Draw, Score, Window};
use crate::syzygy::{Ranked, RankedMoves, Wdl};
use crate::tt::{Bound, Entry};
use crate::units::Ply;

/// A line found by the running iteration.
#[derive(Clone, Debug)]
pub(super) struct BestLine {
    pub score: Score,
    /// A lower bound if the move exceeded beta.
    pub bound: Bound,
    pub line: Line,
}

/// The search for one rank's line in one iteration: nothing of it outlasts that.
pub(super) struct RankSearch {
    /// The moves searched: the choice without the first moves of better lines.
    pub moves: Vec<Move>,
    /// Whether some legal moves are left out, so that the root's score is not the position's.
    pub is_restricted: bool,
    /// Searched first: the best move of the last iteration, or a better one found since.
    pub first_move: Option<Move>,
    /// The best line so far, once a move has exceeded alpha.
    pub best: Option<BestLine>,
    /// How it compares with the last iteration.
    pub standing: Standing,
}

impl RankSearch {
    /// The search among these moves, of which `first_move` is searched first. `expected` is the last iteration's score,
    /// if a drop counts.
    pub fn new(moves: Vec<Move>, legal: usize, first_move: Option<Move>, expected: Option<Score>) -> RankSearch {
        let is_restricted = moves.len() < legal;
        RankSearch { moves, is_restricted, first_move, best: None, standing: Standing::new(expected) }
    }

    /// Begins a search with this lower bound. Returns the line found by the windows before, for
    /// [`RankSearch::end_window`].
    pub fn begin_window(&mut self, alpha: Score) -> Option<BestLine> {
        self.standing.begin_window(alpha);
        self.best.take()
    }

    /// Ends it: if no move has exceeded alpha, the line found before is still the best.
    pub fn end_window(&mut self, before: Option<BestLine>) {
        self.best = self.best.take().or(before);
    }

    /// By how many centipawns the best move is worth less than the last iteration's.
    pub fn drop(&self) -> i32 {
        self.standing.drop(self.best.as_ref().map(|line| line.score))
    }
}

/// The state of a search's root.
pub(super) struct RootState {
    /// The position.
    pub position: Position,
    /// All moves that may be played: the legal ones, or those requested.
    pub choice: Vec<Move>,
    /// The side that wants repetitions: the worse one by the last iteration.
    pub striver: Color,
    /// Endgame table results of the moves.
    pub known: RootKnowledge,
    /// The running search for a line.
    pub rank: RankSearch,
    legal: usize,
    /// Nodes spent on each move of the choice so far.
    effort: Vec<u64>,
}

impl RootState {
    /// A root with only these moves; with all legal moves if none of them is legal.
    pub fn new(position: Position, search_moves: &[Move]) -> RootState {
        let legal = position.legal_moves();
        let mut choice: Vec<Move> = legal.iter().copied().filter(|m| search_moves.contains(m)).collect();
        if choice.is_empty() {
            choice = legal.to_vec();
        }
        let striver = !position.turn();
        RootState {
            effort: vec![0; choice.len()],
            rank: RankSearch::new(choice.clone(), legal.len(), None, None),
            position,
            choice,
            striver,
            known: RootKnowledge::default(),
            legal: legal.len(),
        }
    }

    /// The same root with its moves in the order of their endgame table results.
    pub fn sort(&mut self, moves: Vec<Move>, known: RootKnowledge) {
        self.choice = moves;
        self.known = known;
        self.rank = self.search_without(&[], None, None);
    }

    /// A move was searched with this many nodes.
    pub fn spend(&mut self, m: Move, nodes: u64) {
        self.rank.standing.note_move();
        if let Some(place) = self.choice.iter().position(|&other| other == m) {
            self.effort[place] += nodes;
        }
    }

    /// A move's share of all nodes, in percent.
    pub fn effort_percent(&self, m: Move) -> i32 {
        let total: u64 = self.effort.iter().sum();
        let own = self.choice.iter().position(|&other| other == m).map_or(0, |place| self.effort[place]);
        (own * 100 / total.max(1)) as i32
    }

    /// The search for the best line that starts with none of these moves; see [`RankSearch::new`].
    pub fn search_without(&self, better: &[Move], first_move: Option<Move>, expected: Option<Score>) -> RankSearch {
        let moves = self.choice.iter().copied().filter(|m| !better.contains(m)).collect();
        RankSearch::new(moves, self.legal, first_move, expected)
    }
}

/// The largest distance to the next capture or pawn move: scores stay within the band of table wins.
const LONGEST_WAY: Ply = 1000;

/// Endgame table results at the root.
#[derive(Default)]
pub(super) struct RootKnowledge {
    /// Bounds of moves whose scores are known.
    bounds: Vec<(Move, Window)>,
    /// Whether the best outcome is a draw.
    pub is_draw: bool,
}

impl RootKnowledge {
    /// The knowledge from a ranking of the root's moves.
    pub fn new(position: &Position, ranked: &RankedMoves, evaluator: &mut Evaluator) -> RootKnowledge {
        let best = ranked.best();
        let bounds = |ranked: &Ranked| Some((ranked.mv, known_bounds(position, ranked, best, evaluator)?));
        RootKnowledge {
            bounds: ranked.moves().iter().filter_map(bounds).collect(),
            is_draw: !matches!(best, Wdl::Win | Wdl::Loss),
        }
    }

    /// Clamps a root move's score to what is known about it.
    pub fn hold(&self, m: Move, score: Score) -> Score {
        match self.bounds.iter().find(|(known, _)| *known == m) {
            Some((_, window)) => score.clamp(window.alpha, window.beta),
            None => score,
        }
    }

    /// The root's score for output: of a draw, unknown to the search, only the tie-breaker remains.
    pub fn told(&self, score: Score) -> Score {
        if self.is_draw && !score.is_decisive() {
            Score::draw(Draw::Theoretical { static_eval: score.main() })
        } else {
            score
        }
    }
}

/// Bounds of a ranked move's score, if the tables know more than the search can.
fn known_bounds(position: &Position, ranked: &Ranked, best: Wdl, evaluator: &mut Evaluator) -> Option<Window> {
    let win = Score::tablebase_win(ranked.plies.map_or(LONGEST_WAY, |plies| (plies as Ply).min(LONGEST_WAY)));
    match ranked.wdl {
        Wdl::Win => Some(Window { alpha: win, ..Window::FULL }),
        Wdl::Loss => Some(Window { beta: -win, ..Window::FULL }),
        _ if best == Wdl::Win => {
            let after = position.play(ranked.mv);
            let draw = -Score::draw(Draw::Theoretical { static_eval: evaluator.evaluate_drawn(&after) });
            Some(Window { alpha: draw, beta: draw })
        }
        // If a win can only be spoilt by the fifty-move rule, plain draws give away the chance.
        wdl if wdl < best => Some(Window { beta: Score::ZERO, ..Window::FULL }),
        _ => None,
    }
}

impl Search<'_> {
    /// First hook of the move loop: what becomes of a move, the node's `number`th. The root has its own list, prunes
    /// none of it, and tells the observer of each move.
    pub(super) fn take_up<K: NodeKind>(&mut self, m: Move, number: usize) -> Intake {
        if !K::ROOT {
            return Intake::Prunable;
        }
        if !self.root.rank.moves.contains(&m) {
            return Intake::Excluded;
        }
        self.told.observer.current_move(self.iteration.number, m, number);
        Intake::Searched
    }

    /// Second hook: the searches of a move are over. One that exceeds `bar` starts the principal variation.
    ///
    /// At the root, its nodes are recorded, the score is clamped to what endgame tables know about the move, and if it
    /// exceeds `bar` it is the move to play so far.
    pub(super) fn settle<K: NodeKind>(
        &mut self,
        node: &Node<'_>,
        candidate: &Candidate,
        bar: Score,
        nodes_before: u64,
        result: SearchResult,
    ) -> SearchResult {
        let m = candidate.mv;
        let score = if K::ROOT {
            self.root.spend(m, self.meter.nodes - nodes_before);
            self.root.known.hold(m, result?)
        } else {
            result?
        };
        if score > bar && self.path.keeps_line::<K>() {
            let entry = LedgerEntry::new(node.ledger, candidate.award, candidate.cash_in);
            let entry = self.task.params.credit.then_some(entry);
            self.path.lines.update(node.ply, LineMove { mv: m, entry });
        }
        if K::ROOT && score > bar {
            let bound = if score >= node.window.beta { Bound::Lower } else { Bound::Exact };
            self.root.rank.first_move = Some(m);
            self.root.rank.best = Some(BestLine { score, bound, line: self.path.lines.line(node.ply).clone() });
        }
        Ok(score)
    }

    /// The move that a node searches first; `entry` is its table entry.
    pub(super) fn move_to_begin_with<K: NodeKind>(&self, position: &Position, entry: Option<&Entry>) -> Option<Move> {
        let of_table = || entry.and_then(|entry| entry.best_move.unpack(position));
        if K::ROOT { self.root.rank.first_move.or_else(of_table) } else { of_table() }
    }

    /// Whether a node's score is that of its position: not at a root that leaves out moves.
    pub(super) fn scores_position<K: NodeKind>(&self) -> bool {
        !(K::ROOT && self.root.rank.is_restricted)
    }
}
