//! Lines for output: extended if a cutoff shortened them, up to the end of the game but not beyond it, and complete to
//! the mate if the score is a mate.

use super::draws::table_key;
use super::frame::Step;
use super::pv::{Line, LineMove};
use super::state::Search;
use crate::board::{Move, Position};
use crate::score::Score;
use crate::tt::{Bound, Entry};
use crate::units::{MAX_PLY, Ply};

/// This close to a mate its last moves are searched for directly.
const PROOF_PLIES: Ply = 5;
/// Maximum number of positions for that: a few milliseconds.
const PROOF_NODES: u32 = 2_000;

/// What a line is to become.
#[derive(Copy, Clone)]
struct Goal {
    /// How many moves it should have.
    length: usize,
    /// Its score, and what kind of bound that is.
    score: Score,
    bound: Bound,
}

/// Moves shown of a refutation, including the refuted one.
const REFUTATION_PLIES: usize = 4;

impl Search<'_> {
    /// Completes a line with this score. If the score is a bound, the line continues like the `earlier` one, if that
    /// starts with the same moves and no mate was found since; any line continues with moves from the table; and the
    /// rest of a mate is searched for.
    pub(super) fn complete(&mut self, line: &mut Line, earlier: &[LineMove], score: Score, bound: Bound) {
        let goes_on = earlier.len() > line.len() && earlier.iter().zip(line.iter()).all(|(old, new)| old.mv == new.mv);
        if bound != Bound::Exact && !score.is_mate() && goes_on {
            // The accounts in it are another search's.
            line.extend(earlier[line.len()..].iter().map(|old| LineMove::plain(old.mv)));
        }
        let length = score.mate_distance().unwrap_or(self.iteration.number).min(MAX_PLY - 1) as usize;
        let position = self.root.position.clone();
        self.prolong(&position, line, 0, Goal { length, score, bound });
    }

    /// Follows a line from its `at`th move to its end, and extends it there to its goal.
    fn prolong(&mut self, position: &Position, line: &mut Line, at: usize, goal: Goal) {
        let ply = at as Ply;
        if let Some(known) = line.get(at) {
            let step = self.step(position, known.mv);
            self.through(&step, ply, |search, next| search.prolong(next, line, at + 1, goal));
            return;
        }
        if at >= goal.length {
            return;
        }
        if let Some((m, step)) = self.tt_step(position, ply, goal) {
            line.push(LineMove::plain(m));
            self.through(&step, ply, |search, next| search.prolong(next, line, at + 1, goal));
            return;
        }
        let left = (goal.length - at) as Ply;
        if goal.score.is_mate() && left <= PROOF_PLIES {
            let mut nodes = PROOF_NODES;
            let rest = self.mating_line(position, ply, left, &mut nodes).unwrap_or_default();
            if rest.len() as Ply == left {
                line.extend(rest.into_iter().map(LineMove::plain));
            }
        }
    }

    /// The table's refutation of a root move: the move, the reply to it and a continuation.
    pub(super) fn refutation(&mut self, m: Move) -> Vec<Move> {
        let mut line = Line::from_iter([LineMove::plain(m)]);
        let position = self.root.position.clone();
        let goal = Goal { length: REFUTATION_PLIES, score: Score::ZERO, bound: Bound::Lower };
        self.prolong(&position, &mut line, 0, goal);
        line.iter().map(|step| step.mv).collect()
    }

    /// The moves from the root to the current position, found by the keys on its path; it ends before a null move.
    pub(super) fn current_line(&self) -> Vec<Move> {
        let mut position = self.root.position.clone();
        let mut line = Vec::new();
        for &key in self.path.keys.search_keys() {
            let mut children = position.legal_moves().into_iter().map(|m| (m, position.play(m)));
            let Some((m, next)) = children.find(|(_, next)| next.key() == key) else { break };
            line.push(m);
            position = next;
        }
        line
    }

    /// The table move in a position of a line, ready to be made; `None` if there is none or it would draw.
    fn tt_step(&mut self, position: &Position, ply: Ply, goal: Goal) -> Option<(Move, Step)> {
        if self.draw_score(position, ply).is_some() {
            return None;
        }
        let m = self.tt_move(position, ply, goal)?;
        let step = self.step(position, m);
        let draws = self.through(&step, ply, |search, next| search.draw_score(next, ply + 1).is_some());
        (!draws).then_some((m, step))
    }

    /// The table move in a position of a line. An exact score is extended by exact entries only, and a mate by entries
    /// with the same mate. All-nodes have no table move: there the line of a bound continues with the move that leaves
    /// the other side the least.
    fn tt_move(&self, position: &Position, ply: Ply, goal: Goal) -> Option<Move> {
        let Goal { score, bound, .. } = goal;
        let mate = score.mate_distance();
        let sees_mate = |entry: &Entry| mate.is_none() || entry.score.mate_distance() == mate;
        let fits =
            |entry: &Entry| entry.bound == Bound::Exact || (bound != Bound::Exact && entry.bound == Bound::Lower);
        let entry = self
            .task
            .tt
            .probe(table_key(position), ply)
            .filter(|entry| sees_mate(entry) && (mate.is_some() || fits(entry)));
        let known = entry.and_then(|entry| entry.best_move.unpack(position));
        if known.is_some() || bound == Bound::Exact {
            return known;
        }
        let left_after = |m: Move| {
            let entry = self.task.tt.probe(table_key(&position.play(m)), ply + 1)?;
            (entry.bound != Bound::None && sees_mate(&entry)).then_some((entry.score, m))
        };
        let replies = position.legal_moves().into_iter().filter_map(left_after);
        replies.min_by_key(|&(score, _)| score).map(|(_, m)| m)
    }

    /// A line in which the side to move (if `left` is odd) or the other side (if it is even) mates in exactly `left`
    /// plies against the longest defence; `None` if there is none, or it is not found within the limit.
    fn mating_line(&mut self, position: &Position, ply: Ply, left: Ply, nodes: &mut u32) -> Option<Vec<Move>> {
        *nodes = nodes.checked_sub(1)?;
        let attacks = left % 2 == 1;
        let moves = position.legal_moves();
        if moves.is_empty() {
            return (position.in_check() && !attacks).then(Vec::new);
        }
        if left == 0 || self.draw_score(position, ply).is_some() {
            return None;
        }
        let tt_move = self.task.tt.probe(table_key(position), ply).and_then(|entry| entry.best_move.unpack(position));
        let mut steps: Vec<(Move, Step)> = moves.into_iter().map(|m| (m, self.step(position, m))).collect();
        steps.sort_by_key(|(m, step)| (Some(*m) != tt_move, !step.made.forcing));
        let mut longest: Option<Vec<Move>> = None;
        for (m, step) in steps {
            // The last move must give check to be mate.
            if left == 1 && !step.made.forcing {
                continue;
            }
            // A defence may be mated sooner than the longest one.
            let least = if attacks { left - 1 } else { 1 };
            let rest = (least..left).rev().step_by(2).find_map(|left| {
                self.through(&step, ply, |search, child| search.mating_line(child, ply + 1, left, nodes))
            });
            let line = rest.map(|rest| std::iter::once(m).chain(rest).collect::<Vec<_>>());
            match line {
                Some(line) if attacks && line.len() as Ply == left => return Some(line),
                Some(line) if !attacks => longest = longest.filter(|best| best.len() >= line.len()).or(Some(line)),
                None if !attacks => return None,
                _ => {}
            }
        }
        longest
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{PackedMove, START_FEN};
    use crate::params::Params;
    use crate::search::pv::LedgerEntry;
    use crate::search::tests::with_search;

    /// The moves, each from the position that the earlier ones lead to, and that position.
    fn played(position: &Position, moves: &[&str]) -> Vec<(Position, Move)> {
        let mut position = position.clone();
        let mut next = |uci: &&str| {
            let m = position.parse_uci(uci).unwrap();
            let after = position.play(m);
            (std::mem::replace(&mut position, after), m)
        };
        moves.iter().map(&mut next).collect()
    }

    #[test]
    fn a_mate_is_shown_to_its_end_though_other_defences_are_shorter() {
        with_search(Params::default(), "8/7R/3Q4/1k6/4K3/8/3q4/8 w - - 0 1", |search, position| {
            let line = search.mating_line(position, 0, 5, &mut 100_000).unwrap();
            let end = line.iter().fold(position.clone(), |position, &m| position.play(m));
            assert_eq!((line.len(), end.in_check(), end.legal_moves().len()), (5, true, 0));
        });
    }

    #[test]
    fn a_line_that_only_has_a_bound_goes_on_like_the_earlier_one_unless_it_is_a_mate() {
        with_search(Params::default(), START_FEN, |search, position| {
            let moves = played(position, &["e2e4", "e7e5", "g1f3"]);
            let earlier: Line = moves.into_iter().map(|(_, m)| LineMove::plain(m)).collect();
            let mut length = |score, bound| {
                let mut line = earlier[..1].to_vec();
                search.complete(&mut line, &earlier, score, bound);
                line.len()
            };
            assert_eq!((length(Score::cp(30), Bound::Lower), length(Score::cp(30), Bound::Exact)), (3, 1));
            assert_eq!((length(Score::mating(5), Bound::Lower), length(Score::mated(4), Bound::Upper)), (1, 1));
        });
    }

    #[test]
    fn without_a_table_move_the_line_of_a_bound_goes_on_with_the_move_that_leaves_the_least() {
        with_search(Params::default(), START_FEN, |search, position| {
            for (uci, left) in [("e2e4", 20), ("d2d4", -30), ("a2a3", 5)] {
                let after = position.play(position.parse_uci(uci).unwrap());
                let entry = Entry { score: Score::cp(left), bound: Bound::Lower, ..Entry::EMPTY };
                search.task.tt.store(table_key(&after), entry, 1);
            }
            let next = |bound| search.tt_move(position, 0, Goal { length: 1, score: Score::cp(30), bound });
            assert_eq!([Bound::Upper, Bound::Exact].map(next), [position.parse_uci("d2d4").ok(), None]);
        });
    }

    #[test]
    fn what_a_line_adds_from_the_earlier_one_has_no_accounts() {
        with_search(Params::default(), START_FEN, |search, position| {
            let moves = played(position, &["e2e4", "e7e5", "g1f3"]);
            let entry = |cashed| Some(LedgerEntry { cashed, ..LedgerEntry::default() });
            let earlier: Line =
                moves.into_iter().map(|(_, mv)| LineMove { mv, entry: entry(1), extension: 1 }).collect();
            let mut line = vec![LineMove { entry: entry(2), extension: 2, ..earlier[0] }];
            search.complete(&mut line, &earlier, Score::cp(30), Bound::Lower);
            let kept: Vec<_> = line.iter().map(|step| (step.entry, step.extension)).collect();
            assert_eq!(kept, [(entry(2), 2), (None, 0), (None, 0)]);
        });
    }

    #[test]
    fn a_line_ends_before_the_move_that_would_draw() {
        with_search(Params::default(), "7k/8/8/8/8/8/1Q6/K7 b - - 0 1", |search, position| {
            search.iteration.number = 20;
            let moves = played(position, &["h8g8", "b2c2", "g8h8", "c2b2"]);
            for (position, m) in &moves {
                let entry = Entry { best_move: PackedMove::new(*m), bound: Bound::Exact, ..Entry::EMPTY };
                search.task.tt.store(table_key(position), entry, 0);
            }
            let mut line = Line::from_iter([LineMove::plain(moves[0].1)]);
            search.complete(&mut line, &[], Score::cp(900), Bound::Exact);
            // Back at the root, the table has the first move again.
            assert_eq!(line.len(), moves.len());
            assert!(line.iter().zip(&moves).all(|(found, &(_, m))| found.mv == m));
        });
    }
}
