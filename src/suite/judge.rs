//! The judge: one scorer for best moves, moves to avoid, mates and points, alone or combined.
//!
//! All tasks of a line must be fulfilled: if it names best moves, one of them must be played; no move to avoid may be
//! played; for mate in n, the score must be a mate in n moves or fewer. If there are only points, the move with the
//! most points is the solution. A [`Tracker`] follows the iterations of one search and records when the right answer
//! was found, and whether it was lost again.

use super::{MateLine, Milestone, PositionResult, Record, Rule};
use crate::board::Move;
use crate::json::{MoveText, PovScore};
use crate::score::StatedScore;
use crate::search::{Change, Iteration, Observer, Outcome, StopFlag};
use crate::text::milliseconds;
use crate::units::Depth;

/// The result of a search by any engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The move played; `None` if there is no legal one.
    pub best_move: Option<Move>,
    /// The score for the side to move.
    pub score: StatedScore,
    /// The last principal variation.
    pub pv: Vec<Move>,
    /// Whether the engine went on with a move that is not legal, which the variation leaves out.
    pub goes_wrong: bool,
    /// The last completed iteration.
    pub depth: Depth,
    /// Nodes searched.
    pub nodes: u64,
    /// Milliseconds used.
    pub time_ms: u64,
    /// The answers in turn since the last completed iteration, as far as they are known; the last one is the move
    /// played.
    pub changes: Vec<Change>,
}

impl From<Outcome> for Ending {
    fn from(outcome: Outcome) -> Ending {
        Ending {
            best_move: outcome.best_move,
            score: outcome.score.stated().without_tie(),
            pv: outcome.pv,
            goes_wrong: false,
            depth: outcome.depth,
            nodes: outcome.nodes,
            time_ms: milliseconds(outcome.elapsed),
            changes: outcome.changes,
        }
    }
}

/// Follows one search and judges it.
#[derive(Debug)]
pub struct Tracker<'a> {
    record: &'a Record,
    rule: Rule,
    stop: StopFlag,
    /// Since when the answer has been right, if it currently is.
    since: Option<Milestone>,
    /// Iterations in a row in which it has been right.
    held: u32,
    first_seen: Option<Milestone>,
    left_again: bool,
    /// Since when it had been right when [`Rule::Held`] was fulfilled.
    fulfilled: Option<Milestone>,
    /// Whether the last iteration found a mate that cannot be shortened.
    is_settled: bool,
}

impl<'a> Tracker<'a> {
    /// A judge of one search of this record. Rules that need no end set `stop` when they are fulfilled.
    pub fn new(record: &'a Record, rule: Rule, stop: StopFlag) -> Tracker<'a> {
        let (since, first_seen, fulfilled) = (None, None, None);
        Tracker { record, rule, stop, since, held: 0, first_seen, left_again: false, fulfilled, is_settled: false }
    }

    /// Whether a move with its score is a right answer.
    fn is_right(&self, m: Option<Move>, score: StatedScore) -> bool {
        let record = self.record;
        let Some(m) = m else {
            return false;
        };
        let in_time = record.mate_goal().is_none_or(|goal| score.mates_within(goal));
        let best = record.best.is_empty() || record.best.contains(&m);
        let points_only = record.best.is_empty() && record.avoid.is_empty() && record.mate_goal().is_none();
        let worth_most = !points_only || record.points_of(Some(m)) == record.max_points();
        in_time && best && !record.avoid.contains(&m) && worth_most
    }

    /// Records the result of an iteration.
    pub fn answer(&mut self, m: Option<Move>, score: StatedScore, at: Milestone) {
        let plies = at.iteration;
        self.is_settled = match score {
            StatedScore::Mate(moves @ 1..) => moves.saturating_mul(2) - 1 <= plies,
            // A search ends early with being mated, too.
            StatedScore::Mate(moves) if self.record.mate_goal().is_some_and(|goal| goal < 0) => {
                moves.saturating_mul(-2) <= plies
            }
            _ => false,
        };
        self.note(self.is_right(m, score), at);
    }

    /// Records one more answer.
    fn note(&mut self, right: bool, at: Milestone) {
        if !right {
            self.left_again |= self.since.take().is_some();
            self.held = 0;
            return;
        }
        let since = *self.since.get_or_insert(at);
        self.first_seen.get_or_insert(at);
        self.held += 1;
        match self.rule {
            Rule::End => {}
            Rule::Seen => self.stop.raise(),
            Rule::Held(wanted) if self.held >= wanted => {
                self.fulfilled.get_or_insert(since);
                self.stop.raise();
            }
            Rule::Held(_) => {}
        }
    }

    /// Judges after the end of the search: the result of the position, numbered 0.
    pub fn finish(mut self, ending: &Ending) -> PositionResult {
        self.note_last_answer(ending);
        let record = self.record;
        let solution = match self.rule {
            Rule::End => self.since,
            Rule::Seen => self.first_seen,
            // A mate no longer than its iteration ends a search early: there is nothing left to hold out against.
            Rule::Held(_) => self.fulfilled.or(self.since.filter(|_| self.is_settled)),
        };
        let goal = record.mate_goal().filter(|&goal| ending.score.mates_within(goal));
        let check = |goal| {
            if ending.goes_wrong { MateLine::Wrong } else { MateLine::check(&record.position, &ending.pv, goal) }
        };
        PositionResult {
            index: 0,
            suite: record.file.clone(),
            line: record.line,
            id: record.id.clone(),
            themes: record.themes().map(str::to_owned).collect(),
            theme: record.theme().map(str::to_owned),
            fen: record.fen.clone(),
            expected: record.expected(),
            played: ending.best_move.map(|m| MoveText::new(&record.position, m)),
            score: PovScore::of_mover(ending.score, &record.position),
            pv: MoveText::line(&record.position, &ending.pv),
            solved: solution.is_some(),
            solution,
            first_seen: self.first_seen,
            left_again: self.left_again,
            points: record.points_of(ending.best_move),
            max_points: record.max_points(),
            mate_line: goal.map(check),
            iteration: ending.depth,
            nodes: ending.nodes,
            time_ms: Some(ending.time_ms),
        }
    }

    /// Records the answer at the end, which may have changed in an unfinished iteration.
    fn note_last_answer(&mut self, ending: &Ending) {
        let right = self.is_right(ending.best_move, ending.score);
        if right == self.since.is_some() {
            return;
        }
        self.is_settled = false;
        let iteration = ending.depth.saturating_add(1);
        // The first of the last answers that are right.
        let is_right = |change: &&Change| {
            change.best.is_some_and(|(m, score)| self.is_right(Some(m), score.stated().without_tie()))
        };
        let since = ending.changes.iter().rev().take_while(is_right).last().map(|change| change.since);
        let (nodes, time_ms) =
            since.map_or((ending.nodes, ending.time_ms), |since| (since.nodes, milliseconds(since.elapsed)));
        self.note(right, Milestone { iteration, nodes, time_ms: Some(time_ms) });
    }
}

impl Observer for Tracker<'_> {
    fn iteration(&mut self, iteration: &Iteration) {
        if iteration.multipv != 1 {
            return;
        }
        let time_ms = Some(milliseconds(iteration.elapsed));
        let at = Milestone { iteration: iteration.iteration, nodes: iteration.nodes, time_ms };
        self.answer(iteration.pv.first().copied(), iteration.score.stated().without_tie(), at);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::engine::{Engine, Limits, Options};
    use crate::score::Score;
    use crate::search::Moment;
    use crate::suite::parse_line;

    const HEAD: &str = "6k1/5ppp/8/8/8/8/4P3/R3K3 w - - ";

    fn record(operations: &str) -> Record {
        parse_line("x", 1, &format!("{HEAD}{operations}")).unwrap()
    }

    fn moves(record: &Record, text: &str) -> Vec<Move> {
        let mut position = record.position.clone();
        text.split_whitespace()
            .map(|word| {
                let m = position.parse_san(word).unwrap();
                position = position.play(m);
                m
            })
            .collect()
    }

    /// Judges a made-up search: one line of play for each iteration, and the final line.
    fn judge(record: &Record, rule: Rule, stream: &[&str], end: &str, score: Score) -> (PositionResult, bool) {
        let stop = StopFlag::new();
        let mut tracker = Tracker::new(record, rule, stop.clone());
        for (index, line) in stream.iter().enumerate() {
            let answer = moves(record, line).first().copied();
            tracker.answer(answer, score.into(), milestone(index as Depth + 1));
        }
        let pv = moves(record, end);
        let result = tracker.finish(&Ending {
            best_move: pv.first().copied(),
            score: score.into(),
            pv,
            goes_wrong: false,
            depth: stream.len() as Depth,
            nodes: 5000,
            time_ms: 500,
            changes: Vec::new(),
        });
        (result, stop.is_raised())
    }

    fn milestone(iteration: Depth) -> Milestone {
        Milestone { iteration, nodes: iteration as u64 * 100, time_ms: Some(iteration as u64 * 10) }
    }

    fn at(iteration: Depth) -> Option<Milestone> {
        Some(milestone(iteration))
    }

    #[test]
    fn the_last_answer_decides_and_the_time_is_when_it_was_taken_up_for_good() {
        let record = record("bm e4;");
        let (found, _) = judge(&record, Rule::End, &["Ra2", "e4", "Ra2", "e4", "e4"], "e4", Score::ZERO);
        assert!(found.solved && found.left_again);
        assert_eq!((found.first_seen, found.solution), (at(2), at(4)));
        let (lost, stopped) = judge(&record, Rule::End, &["Ra2", "e4", "e4", "Ra2", "Ra2"], "Ra2", Score::ZERO);
        assert!(!lost.solved && lost.left_again && !stopped);
        assert_eq!((lost.first_seen, lost.solution), (at(2), None));
        let (steady, _) = judge(&record, Rule::End, &["e4", "e4"], "e4", Score::ZERO);
        assert_eq!((steady.solution, steady.left_again), (at(1), false));
        let (never, _) = judge(&record, Rule::End, &[], "Ra2", Score::ZERO);
        assert_eq!((never.solved, never.first_seen, never.left_again), (false, None, false));
    }

    #[test]
    fn a_change_in_an_unfinished_iteration_counts() {
        let record = record("bm e4;");
        let late = Milestone { iteration: 3, nodes: 5000, time_ms: Some(500) };
        let (found, _) = judge(&record, Rule::End, &["Ra2", "Ra2"], "e4", Score::ZERO);
        assert_eq!((found.solved, found.solution), (true, Some(late)));
        let (lost, _) = judge(&record, Rule::End, &["e4", "e4"], "Ra2", Score::ZERO);
        assert_eq!((lost.solved, lost.left_again), (false, true));
    }

    #[test]
    fn a_change_counts_from_when_it_came() {
        let record = parse_line("x", 1, "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6;").unwrap();
        let (mut engine, _) = Engine::new(Options { hash_mb: 16, ..Options::default() });
        let limited = |engine: &mut Engine, nodes| {
            let limits = Limits::of_nodes(nodes);
            crate::suite::solve(engine, &record, &limits, Rule::End)
        };
        // Whether or not the iteration in which it is found is completed.
        let whole = limited(&mut engine, 100_000).solution.unwrap();
        let found = (1..40).find_map(|part| limited(&mut engine, whole.nodes * part / 40).solution).unwrap();
        assert!(found.nodes < whole.nodes && found.iteration == whole.iteration, "{found:?} {whole:?}");
        let later = limited(&mut engine, found.nodes + 50).solution.unwrap();
        assert_eq!((later.nodes, later.iteration), (found.nodes, found.iteration));
    }

    #[test]
    fn a_change_counts_from_the_first_of_the_last_right_answers() {
        let record = record("bm e4 e3;");
        let answer = |san: &str| record.position.parse_san(san).ok().map(|m| (m, Score::cp(5)));
        let found = |answers: &[&str]| {
            let change = |(index, san): (usize, &&str)| Change {
                best: answer(san),
                since: Moment { nodes: 100 * (index as u64 + 1), elapsed: Duration::from_millis(index as u64) },
            };
            let mut tracker = Tracker::new(&record, Rule::End, StopFlag::new());
            tracker.answer(answer("Ra2").map(|(m, _)| m), StatedScore::Cp(0), milestone(1));
            let result = tracker.finish(&Ending {
                best_move: answer("e4").map(|(m, _)| m),
                score: StatedScore::Cp(5),
                pv: Vec::new(),
                goes_wrong: false,
                depth: 1,
                nodes: 900,
                time_ms: 9,
                changes: answers.iter().enumerate().map(change).collect(),
            });
            result.solution.map(|at| (at.nodes, at.time_ms))
        };
        assert_eq!(found(&["e4"]), Some((100, Some(0))));
        assert_eq!(found(&["e3", "e4"]), Some((100, Some(0))), "right all the time");
        assert_eq!(found(&["e3", "Ra3", "e4"]), Some((300, Some(2))));
        assert_eq!(found(&["e4", "disproved", "e4"]), Some((300, Some(2))));
        assert_eq!(found(&[]), Some((900, Some(9))), "not known");
    }

    #[test]
    fn a_mate_counts_from_where_it_was_seen() {
        let fen = "rn1qr2Q/pbppk1p1/1p2pb2/4N3/3P4/2N5/PPP3PP/R4RK1 w - - dm 5;";
        let record = parse_line("x", 1, fen).unwrap();
        let (mut engine, _) = Engine::new(Options { hash_mb: 4, ..Options::default() });
        let mut limited = |nodes| {
            let limits = Limits::of_nodes(nodes);
            crate::suite::solve(&mut engine, &record, &limits, Rule::End).solution.map(|at| at.nodes)
        };
        // A search of as many nodes as another needed finds it too; not one of fewer.
        let found = (1..40).find_map(|hundreds| limited(100 * hundreds)).unwrap();
        assert_eq!((limited(found - 1), limited(found + 8).is_some()), (None, true), "{found}");
    }

    #[test]
    fn best_and_avoid_hold_together() {
        let avoid = record("am Ra8+ e3;");
        assert!(judge(&avoid, Rule::End, &["e4"], "e4", Score::ZERO).0.solved);
        assert!(!judge(&avoid, Rule::End, &["e4"], "e3", Score::ZERO).0.solved);
        let both = record("bm e4 e3; am e3;");
        assert!(judge(&both, Rule::End, &["e4"], "e4", Score::ZERO).0.solved);
        assert!(!judge(&both, Rule::End, &["e4"], "e3", Score::ZERO).0.solved);
        assert!(!judge(&both, Rule::End, &["e4"], "Ra2", Score::ZERO).0.solved);
    }

    #[test]
    fn points_are_counted_and_decide_where_nothing_else_does() {
        let points = record("c0 \"e4=100, e3=40\"");
        let (top, _) = judge(&points, Rule::End, &["e4"], "e4", Score::ZERO);
        assert_eq!((top.solved, top.points, top.max_points), (true, Some(100), Some(100)));
        let (half, _) = judge(&points, Rule::End, &["e4"], "e3", Score::ZERO);
        assert_eq!((half.solved, half.points), (false, Some(40)));
        let (none, _) = judge(&points, Rule::End, &[], "Ra2", Score::ZERO);
        assert_eq!((none.solved, none.points), (false, Some(0)));
        let named = record("bm e3; c0 \"e4=100, e3=40\"");
        assert!(judge(&named, Rule::End, &[], "e3", Score::ZERO).0.solved);
    }

    #[test]
    fn a_mate_must_be_claimed_and_its_line_is_played() {
        let mate = record("dm 1;");
        let (shown, _) = judge(&mate, Rule::End, &["e4", "Ra8"], "Ra8", Score::mating(1));
        assert_eq!((shown.solved, shown.mate_line), (true, Some(MateLine::Mates)));
        let (wrong, _) = judge(&mate, Rule::End, &[], "e4", Score::mating(1));
        assert_eq!((wrong.solved, wrong.mate_line), (true, Some(MateLine::Wrong)));
        // It mates, but a move later than claimed.
        let (late, _) = judge(&mate, Rule::End, &[], "e4 Kh8 Ra8", Score::mating(1));
        assert_eq!((late.solved, late.mate_line), (true, Some(MateLine::Wrong)));
        assert!(!judge(&mate, Rule::End, &["Ra8"], "Ra8", Score::mating(3)).0.solved);
        assert!(!judge(&mate, Rule::End, &["Ra8"], "Ra8", Score::mated(2)).0.solved);
        assert!(!judge(&mate, Rule::End, &["Ra8"], "Ra8", Score::cp(900)).0.solved);
        let longer = record("dm 2;");
        let (short, _) = judge(&longer, Rule::End, &[], "e4", Score::mating(3));
        assert_eq!((short.solved, short.mate_line), (true, Some(MateLine::Short)));
        let doomed = parse_line("x", 1, "7k/8/6K1/8/8/8/8/R7 b - - dm -1;").unwrap();
        let shown = |line| judge(&doomed, Rule::End, &[], line, Score::mated(2)).0.mate_line;
        assert_eq!((shown("Kg8"), shown("Kg8 Ra8")), (Some(MateLine::Short), Some(MateLine::Mates)));
    }

    #[test]
    fn rules_end_the_search_when_they_are_fulfilled() {
        let record = record("bm e4;");
        let stream = ["Ra2", "e4", "Ra2", "e4", "e4", "Ra2"];
        let (seen, stopped) = judge(&record, Rule::Seen, &stream, "Ra2", Score::ZERO);
        assert_eq!((seen.solved, seen.solution, stopped), (true, at(2), true));
        let (held, stopped) = judge(&record, Rule::Held(2), &stream, "Ra2", Score::ZERO);
        assert_eq!((held.solved, held.solution, stopped), (true, at(4), true));
        let (held, stopped) = judge(&record, Rule::Held(3), &stream, "e4", Score::ZERO);
        assert_eq!((held.solved, stopped), (false, false));
    }

    #[test]
    fn only_a_mate_that_cannot_be_shortened_need_not_be_held() {
        let record = record("bm e4;");
        let held = |stream: &[&str], score| judge(&record, Rule::Held(9), stream, "e4", score).0.solution;
        assert_eq!(held(&["e4"], Score::mating(1)), at(1));
        assert_eq!(held(&["Ra2", "Ra2", "e4"], Score::mating(3)), at(3));
        assert_eq!(held(&["Ra2", "e4"], Score::mating(3)), None, "the search ended before it was sure");
        assert_eq!(held(&["e4", "e4"], Score::mated(2)), None);
        assert_eq!(held(&[], Score::mating(1)), None, "found in an iteration that was not finished");
        assert_eq!(held(&["Ra8"], Score::mating(1)), None, "found so, after a mate by a wrong move");
        // Being mated ends a search, too.
        let doomed = self::record("dm -1;");
        let held = |stream: &[&str]| judge(&doomed, Rule::Held(9), stream, "e4", Score::mated(2)).0.solution;
        assert_eq!((held(&["e4"]), held(&["e4", "e4"])), (None, at(1)));
    }
}
