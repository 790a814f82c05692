//! The root of the tree: its moves, and the best line found so far.

use super::observer::{Change, Moment};
use super::pace::Standing;
use super::pv::Line;
use crate::board::{Color, Move, Position};
use crate::eval::Evaluator;
use crate::score::{Draw, Score, Window};
use crate::syzygy::{Ranked, RankedMoves, Wdl};
use crate::tt::Bound;
use crate::units::{PERCENT, Ply};

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
    /// The answers of this iteration so far, in turn.
    pub changes: Vec<Change>,
    /// The best line so far, once a move has exceeded alpha.
    pub best: Option<BestLine>,
    /// The moves searched so far, in turn, and what each was worth: at most that, unless it exceeded beta. Then it is
    /// the first move of the next window.
    tried: Vec<(Move, Score)>,
    /// The one found by the windows before the running one.
    before: Option<BestLine>,
    /// How it compares with the last iteration.
    pub standing: Standing,
}

impl RankSearch {
    /// The search among these moves, of which `first_move` is searched first. `expected` is the last iteration's score,
    /// if drops and better moves count.
    pub fn new(moves: Vec<Move>, legal: usize, first_move: Option<Move>, expected: Option<Score>) -> RankSearch {
        let is_restricted = moves.len() < legal;
        let standing = Standing::new(expected);
        let (changes, tried) = (Vec::new(), Vec::with_capacity(moves.len()));
        RankSearch { moves, is_restricted, first_move, changes, best: None, tried, before: None, standing }
    }

    /// What an iteration that is not finished has proven: its best line so far, unless that is a loss that one of the
    /// moves still to be searched may avoid.
    pub fn proven_so_far(&self) -> Option<&BestLine> {
        let is_only_move = self.moves.len() == 1;
        self.best.as_ref().filter(|best| !best.line.is_empty() && (is_only_move || !best.score.is_losing()))
    }

    /// Whether a move was worth no more than this when it was last searched, in whichever window of the iteration.
    pub fn is_at_most(&self, m: Move, score: Score) -> bool {
        self.tried.iter().rev().find(|(tried, _)| *tried == m).is_some_and(|(_, worth)| *worth <= score)
    }

    /// A move is better than all before it.
    pub fn lead(&mut self, m: Move, best: BestLine, since: Moment) {
        self.changes.push(Change { best: Some((m, best.score)), since });
        self.tried.push((m, best.score));
        self.first_move = Some(m);
        self.best = Some(best);
    }

    /// Begins a search with this lower bound.
    pub fn begin_window(&mut self, alpha: Score) {
        self.standing.begin_window(alpha);
        self.before = self.best.take();
    }

    /// A move did not exceed alpha. If it began the line found before by failing high, that is disproved.
    pub fn note_failure(&mut self, m: Move, score: Score, since: Moment) {
        self.tried.push((m, score));
        let begins = |line: &mut BestLine| line.line.first().is_some_and(|step| step.mv == m) && score < line.score;
        if self.before.take_if(begins).is_some() {
            self.changes.push(Change { best: None, since });
        }
    }

    /// Ends it: if no move has exceeded alpha, the line found before is still the best.
    pub fn end_window(&mut self) {
        self.best = self.best.take().or(self.before.take());
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
        (own * u64::from(PERCENT.unsigned_abs()) / total.max(1)) as i32
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
    /// Whether a side wins, and the tables do not know in how many plies.
    is_without_distance: bool,
}

impl RootKnowledge {
    /// The knowledge from a ranking of the root's moves.
    pub fn new(position: &Position, ranked: &RankedMoves, evaluator: &mut Evaluator) -> RootKnowledge {
        let best = ranked.best();
        let is_draw = !matches!(best, Wdl::Win | Wdl::Loss);
        let bounds = |ranked: &Ranked| Some((ranked.mv, known_bounds(position, ranked, best, evaluator)?));
        RootKnowledge {
            bounds: ranked.moves().iter().filter_map(bounds).collect(),
            is_draw,
            is_without_distance: !is_draw && ranked.moves().iter().any(|it| it.wdl == best && it.plies.is_none()),
        }
    }

    /// Whether anything is known: then the moves are in the order of their results.
    pub fn is_any(&self) -> bool {
        self.is_draw || !self.bounds.is_empty()
    }

    /// Clamps a root move's score to what is known about it.
    pub fn clamp(&self, m: Move, score: Score) -> Score {
        match self.bounds.iter().find(|(known, _)| *known == m) {
            Some((_, window)) => score.clamp(window.alpha, window.beta),
            None => score,
        }
    }

    /// The root's score for output: of a draw, unknown to the search, only the tie-breaker remains. A win or loss at an
    /// unknown distance is as far away as any.
    pub fn stated(&self, score: Score) -> Score {
        if self.is_without_distance {
            let win = Score::tablebase_win(LONGEST_WAY);
            return match score.main().signum() {
                1 => score.max(win),
                -1 => score.min(-win),
                _ => score,
            };
        }
        if !self.is_draw || score.is_decisive() || score.is_draw() {
            return score;
        }
        Score::draw(Draw::Theoretical { static_eval: score.main() })
    }
}

/// Bounds of a ranked move's score, if the tables know more than the search can.
fn known_bounds(position: &Position, ranked: &Ranked, best: Wdl, evaluator: &mut Evaluator) -> Option<Window> {
    // Without distances the search decides among the best moves, as it does without tables.
    let unknown = if ranked.wdl == best { Score::cp(1) } else { Score::tablebase_win(LONGEST_WAY) };
    let at_distance = |plies: u32| Score::tablebase_win((plies as Ply).min(LONGEST_WAY));
    let win = ranked.plies.map_or(unknown, at_distance);
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::search::pv::LineMove;

    #[test]
    fn a_line_that_a_later_window_disproves_is_not_kept() {
        let moves = Position::default().legal_moves().to_vec();
        let line = |m, score| BestLine { score, bound: Bound::Lower, line: Line::from_iter([LineMove::plain(m)]) };
        // What is proven if a move fails high with 40, and one does not exceed the next window's alpha.
        let proven = |failing: usize, score| {
            let mut rank = RankSearch::new(moves.clone(), moves.len(), None, None);
            rank.begin_window(Score::ZERO);
            rank.best = Some(line(moves[0], Score::cp(40)));
            rank.end_window();
            rank.begin_window(Score::cp(20));
            rank.note_failure(moves[failing], score, Moment { nodes: 7, elapsed: Duration::ZERO });
            let is_disproved = rank.changes.last().is_some_and(|change| change.best.is_none());
            assert_eq!(is_disproved, failing == 0 && score < Score::cp(40));
            rank.end_window();
            rank.proven_so_far().map(|line| line.score)
        };
        assert_eq!(proven(0, Score::cp(10)), None);
        assert_eq!(proven(1, Score::cp(10)), Some(Score::cp(40)));
        assert_eq!(proven(0, Score::cp(40)), Some(Score::cp(40)));
    }

    #[test]
    fn a_draw_by_the_tables_is_certain_whatever_the_search_saw() {
        let drawn = RootKnowledge { is_draw: true, ..RootKnowledge::default() };
        for (seen, tie) in [(Score::cp(30), 30), (Score::cp(30).next_up(), 30), (Score::cp(-30), -30), (Score::ZERO, 1)]
        {
            let stated = drawn.stated(seen);
            assert_eq!((stated.main(), stated.tie()), (0, tie));
        }
        let better = Score::draw(Draw::Theoretical { static_eval: 55 });
        let lost = Score::mated(4);
        assert_eq!((drawn.stated(better), drawn.stated(lost)), (better, lost));
        assert_eq!(RootKnowledge::default().stated(Score::ZERO), Score::ZERO);
    }

    #[test]
    fn a_table_win_at_an_unknown_distance_is_the_longest_but_a_mate_is_a_mate() {
        let decided = RootKnowledge { is_without_distance: true, ..RootKnowledge::default() };
        let win = Score::tablebase_win(LONGEST_WAY);
        assert_eq!([300, -300].map(|seen| decided.stated(Score::cp(seen))), [win, -win]);
        let seen = [Score::mating(5), Score::mated(4), Score::ZERO];
        assert_eq!(seen.map(|score| decided.stated(score)), seen);
    }
}
