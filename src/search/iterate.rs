//! Iterative deepening: iterations until the budget is spent, with a move to play at any time.

use std::time::Duration;

use super::aspiration::{Expectation, WindowSearch};
use super::drivers::{self, RootDriver};
use super::facts::{Root, SearchResult, Visit};
use super::observer::{Change, Iteration, Outcome};
use super::pace::Pace;
use super::pv::{Line, LineMove};
use super::state::Search;
use super::trend::Trend;
use crate::board::Move;
use crate::credit::Ledger;
use crate::params::Params;
use crate::score::{Score, Window};
use crate::tt::Bound;
use crate::units::{Depth, PERCENT};

/// The maximum iteration.
pub const MAX_ITERATION: Depth = 128;

/// A best line: of all moves, or, with MultiPV, of those that are not the first move of a better line.
#[derive(Clone, Debug)]
struct Best {
    score: Score,
    bound: Bound,
    line: Line,
    /// The iteration that found it, or the one before if that was not finished; 0 before the first.
    iteration: Depth,
    /// The stability of this rank's line up to then.
    trend: Trend,
    /// Window failures in that iteration.
    researches: u32,
    /// The best moves in turn up to it, if it is of an iteration that was not finished.
    changes: Vec<Change>,
}

impl Best {
    /// Stands for a line before the first iteration; its score is unknown.
    fn fallback(m: Move) -> Best {
        let line = Line::from_iter([LineMove::plain(m)]);
        let trend = Trend::default();
        Best { score: Score::ZERO, bound: Bound::None, line, iteration: 0, trend, researches: 0, changes: Vec::new() }
    }

    /// Its first move.
    fn head(&self) -> Move {
        self.line[0].mv
    }

    /// Plies by which its line was extended.
    fn extension(&self) -> Depth {
        self.line.iter().map(|step| step.extension).sum()
    }
}

/// The window searches of one iteration for one line.
struct RootSearch<'s, 'a> {
    search: &'s mut Search<'a>,
    /// MultiPV rank of the line, from 1.
    rank: usize,
    /// This rank's previous line.
    earlier: &'s Best,
    researches: u32,
}

impl WindowSearch for RootSearch<'_, '_> {
    fn search(&mut self, window: Window) -> SearchResult {
        let search = &mut *self.search;
        let position = search.root.position.clone();
        search.root.rank.begin_window(window.alpha);
        let result = search.node::<Root>(Visit {
            position: &position,
            window,
            depth: search.iteration.nominal_depth,
            ply: 0,
            ledger: Ledger::EMPTY,
            cut_node: false,
        });
        search.root.rank.end_window();
        result
    }

    fn failed(&mut self, score: Score, bound: Bound) {
        self.researches += 1;
        self.search.root.rank.standing.note_failure(score, bound);
        let best = self.found(score, bound);
        let iteration = self.search.iteration_report(self.rank, &best);
        self.search.observation.observer.bound(&iteration);
    }
}

impl RootSearch<'_, '_> {
    /// The current best line, completed, with a score that was found for it.
    fn found(&mut self, score: Score, bound: Bound) -> Best {
        let rank = &self.search.root.rank;
        let mut line = match &rank.best {
            Some(best) if !best.line.is_empty() => best.line.clone(),
            _ => Line::from_iter(rank.first_move.or(rank.moves.first().copied()).map(LineMove::plain)),
        };
        self.search.complete(&mut line, &self.earlier.line, score, bound);
        let trend = self.earlier.trend.and(score, self.researches);
        let iteration = self.search.iteration.number;
        Best { score, bound, line, iteration, trend, researches: self.researches, changes: Vec::new() }
    }
}

impl Search<'_> {
    /// Searches iteration after iteration; the outcome is that of the last one, or of a better move proven since.
    pub(super) fn iterate(mut self) -> Outcome {
        if self.root.choice.is_empty() {
            return self.no_legal_move();
        }
        let mut best: Vec<Best> =
            self.root.choice.iter().take(self.task.multi_pv).map(|&m| Best::fallback(m)).collect();
        let driver = drivers::from_params(self.task.params);
        let mut costs = Costs::default();
        let mut pace = Pace::default();
        let static_eval = self.path.evaluator.evaluate(&self.root.position);
        self.choose_striver(static_eval);
        let last = self.task.budget.depth.unwrap_or(MAX_ITERATION).clamp(1, MAX_ITERATION);
        let mut no_mate = None;
        self.meter.delay = self.time_used();
        while self.iteration.number < last {
            self.iteration = self.iteration.next(self.task.params, self.meter.nodes);
            self.meter.deadlines.plan(self.task.params, self.task.budget.soft, self.meter.delay, &pace);
            let finished = self.run_iteration(driver.as_ref(), &mut best);
            if !finished {
                break;
            }
            costs.note(self.time_searched().as_secs_f64());
            pace.note(
                best[0].head(),
                best[0].score.main(),
                self.root.effort_percent(best[0].head()),
                best[0].extension(),
            );
            self.choose_striver(best[0].score.main());
            let is_spent = self.task.budget.soft_nodes.is_some_and(|nodes| self.total_nodes() >= nodes);
            let is_stopped = is_spent || self.task.budget.stop.is_raised();
            if is_stopped || self.is_settled(&best) || self.is_out_of_time(&costs, &pace) {
                break;
            }
            no_mate = self.gives_up_mate();
            if no_mate.is_some() {
                break;
            }
        }
        Outcome { no_mate, ..self.outcome(&best[0]) }
    }

    /// The worse side wants repetitions. An equal score changes nothing: finding a repetition must not swap the roles,
    /// or the tie-breaker would change its sign in every iteration.
    fn choose_striver(&mut self, centipawns: i32) {
        let turn = self.root.position.turn();
        match centipawns.signum() {
            -1 => self.root.striver = turn,
            1 => self.root.striver = !turn,
            _ => {}
        }
    }

    /// Runs one iteration: for each rank in turn the search for the best line among moves that do not start a better
    /// one. Returns whether it was completed; if not, the lines found in it replace those they have beaten.
    fn run_iteration(&mut self, driver: &dyn RootDriver, best: &mut Vec<Best>) -> bool {
        let mut found: Vec<Best> = Vec::with_capacity(best.len());
        let mut heads: Vec<Move> = Vec::with_capacity(best.len());
        while found.len() < best.len() {
            // There are more old lines than new ones, so one is always left.
            let Some(earlier) = best.iter().find(|line| !heads.contains(&line.head())) else { break };
            let is_known = earlier.iteration > 0;
            let use_window = is_known && self.iteration.number >= self.task.params.aspiration_min_iteration;
            let expectation = Expectation {
                score: use_window.then_some(earlier.score),
                is_volatile: earlier.trend.is_volatile(),
                depth: self.iteration.nominal_depth,
            };
            let (params, rank) = (self.task.params, found.len() + 1);
            // Only the best line's score is the position's.
            let expected = (is_known && rank == 1).then_some(earlier.score);
            let first_move = (is_known || self.root.known.is_any()).then(|| earlier.head());
            self.root.rank = self.root.search_without(&heads, first_move, expected);
            let mut root = RootSearch { search: self, rank, earlier, researches: 0 };
            let Ok(score) = driver.drive(params, expectation, &mut root) else {
                let partial = root.search.root.rank.proven_so_far().filter(|_| rank == 1);
                if let Some((score, bound)) = partial.map(|line| (line.score, line.bound)) {
                    // A move that beat the first one within this iteration is proven better. In the first iteration
                    // it is the best only of those searched so far.
                    let iteration = earlier.iteration;
                    let bound = if is_known || bound != Bound::Exact { bound } else { Bound::Lower };
                    let line = root.found(score, bound);
                    let changes = std::mem::take(&mut root.search.root.rank.changes);
                    found.push(Best { iteration, changes, ..line });
                }
                self.keep_unfinished(found, rank, best);
                return false;
            };
            let line = root.found(score, Bound::Exact);
            heads.push(line.head());
            found.push(line);
        }
        // They were searched one after another without the better ones, but may still be out of order.
        found.sort_by_key(|line| std::cmp::Reverse(line.score));
        *best = found;
        for (index, line) in best.iter().enumerate() {
            let iteration = self.iteration_report(index + 1, line);
            self.observation.observer.iteration(&iteration);
        }
        if self.observation.observer.wants_refutations() {
            self.tell_refutations(best);
        }
        true
    }

    /// Puts the lines of an iteration that was aborted at this rank among the remaining ones of the last iteration. The
    /// scores of those that were found to be no better are capped; the others may be better than what was found.
    fn keep_unfinished(&mut self, mut found: Vec<Best>, rank: usize, best: &mut Vec<Best>) {
        found.sort_by_key(|line| std::cmp::Reverse(line.score));
        let Some(least) = found.last().map(|line| line.score) else { return };
        let heads: Vec<Move> = found.iter().map(Best::head).collect();
        let count = best.len();
        for line in best.drain(..).filter(|line| !heads.contains(&line.head()) && line.iteration > 0) {
            let is_no_better = rank > 1 || self.root.rank.is_at_most(line.head(), least);
            let is_capped = is_no_better && line.score > least;
            found.push(if is_capped { Best { score: least, bound: Bound::Upper, ..line } } else { line });
        }
        found.sort_by_key(|line| std::cmp::Reverse(line.score));
        found.truncate(count);
        *best = found;
        for (index, line) in best.iter().enumerate() {
            let mut iteration = self.iteration_report(index + 1, line);
            if !line.changes.is_empty() {
                iteration.iteration = self.iteration.number;
            }
            self.observation.observer.unfinished(&iteration);
        }
    }

    /// Tells the observer the refutations of the moves that do not start a best line.
    fn tell_refutations(&mut self, best: &[Best]) {
        let others: Vec<Move> =
            self.root.choice.iter().copied().filter(|m| best.iter().all(|line| line.head() != *m)).collect();
        for m in others {
            let line = self.refutation(m);
            self.observation.observer.refutation(&line);
        }
    }

    /// Whether more iterations hardly matter: the mate searched for is proven, or every line is a mate that an
    /// iteration as deep as it is long has not shortened.
    fn is_settled(&self, best: &[Best]) -> bool {
        if let Some(moves) = self.task.budget.mate {
            return best[0].score.is_mate_in(moves);
        }
        let is_shortest = |line: &Best| line.score.mate_distance().is_some_and(|distance| distance <= line.iteration);
        !self.task.budget.beyond_mate && best.iter().all(is_shortest)
    }

    /// Whether the running iteration has used its time: the full limit if the score is falling or a move may become the
    /// best, otherwise less.
    pub(super) fn is_time_up(&self) -> bool {
        let (deadlines, rank) = (self.meter.deadlines, &self.root.rank);
        deadlines.exist()
            && deadlines.are_over(self.task.params, self.time_used(), rank.drop(), rank.standing.is_rising())
    }

    /// The time used so far, which the nodes may stand for.
    fn time_used(&self) -> Duration {
        self.task.params.time_of(|| self.total_nodes()).unwrap_or_else(|| self.meter.start.elapsed())
    }

    /// The part of it since the first iteration began. A delay before that, while a table was cleared, say, leaves less
    /// until the hard limit, but is not what an iteration costs.
    fn time_searched(&self) -> Duration {
        self.time_used().saturating_sub(self.meter.delay)
    }

    /// Whether too little of another iteration fits into the soft limit, or there is only one move, and a reply to
    /// ponder on.
    fn is_out_of_time(&self, costs: &Costs, pace: &Pace) -> bool {
        let Some(soft) = self.task.budget.soft else { return false };
        if self.root.choice.len() == 1 && self.iteration.number > 1 {
            return true;
        }
        let plan = soft.as_secs_f64() * f64::from(pace.percent(self.task.params)) / f64::from(PERCENT);
        plan - self.time_searched().as_secs_f64()
            <= costs.predicted(self.task.params) * f64::from(self.task.params.useful_share) / f64::from(PERCENT)
    }

    /// The report on a line.
    fn iteration_report(&self, rank: usize, best: &Best) -> Iteration {
        Iteration {
            iteration: best.iteration.max(1),
            nominal_depth: self.iteration.nominal_depth,
            max_software: self.iteration.max_software,
            max_combined: self.iteration.max_combined,
            score: self.root.known.stated(best.score),
            bound: best.bound,
            pv: best.line.iter().map(|step| step.mv).collect(),
            ledger: best.line.iter().map(|step| step.entry).collect(),
            multipv: rank,
            nodes: self.total_nodes(),
            elapsed: self.meter.start.elapsed(),
            hashfull: self.task.tt.hashfull(),
            tb_hits: self.total_tb_hits(),
            researches: best.researches,
            credit: self.iteration.credit,
            restrained_at: self.iteration.restrained_at,
        }
    }

    /// Mate or stalemate at the root.
    fn no_legal_move(mut self) -> Outcome {
        let position = self.root.position.clone();
        let score = if position.in_check() { Score::mated(0) } else { self.theoretical_draw(&position) };
        Outcome {
            best_move: None,
            ponder: None,
            score,
            pv: Vec::new(),
            depth: 0,
            nodes: self.total_nodes(),
            tb_hits: self.total_tb_hits(),
            elapsed: self.meter.start.elapsed(),
            longest_pause: self.meter.looks.longest_pause,
            no_mate: None,
            changes: Vec::new(),
        }
    }

    /// The result of the search. If nothing was found in the first iteration, only the evaluation is known.
    fn outcome(self, best: &Best) -> Outcome {
        let is_known = best.bound != Bound::None;
        let mut evaluation = || Score::cp(self.path.evaluator.evaluate(&self.root.position));
        let score = if is_known { best.score } else { self.root.known.clamp(best.head(), evaluation()) };
        Outcome {
            best_move: best.line.first().map(|step| step.mv),
            ponder: best.line.get(1).map(|step| step.mv),
            score: self.root.known.stated(score),
            pv: best.line.iter().map(|step| step.mv).collect(),
            depth: best.iteration,
            nodes: self.total_nodes(),
            tb_hits: self.total_tb_hits(),
            elapsed: self.meter.start.elapsed(),
            longest_pause: self.meter.looks.longest_pause,
            no_mate: None,
            changes: best.changes.clone(),
        }
    }
}

/// Times at which the iterations ended, to predict the next one's.
#[derive(Default)]
struct Costs {
    end: f64,
    last: f64,
    before: f64,
}

impl Costs {
    /// An iteration ended this many seconds after the start of the first.
    fn note(&mut self, elapsed: f64) {
        self.before = self.last;
        self.last = elapsed - self.end;
        self.end = elapsed;
    }

    /// Predicted seconds of the next iteration: the last growth continues.
    fn predicted(&self, params: &Params) -> f64 {
        let least = f64::from(params.next_growth_least) / f64::from(PERCENT);
        let most = f64::from(params.next_growth_most) / f64::from(PERCENT);
        let growth = if self.before > 0.0 { self.last / self.before } else { least };
        self.last * growth.min(most).max(least)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::search::root::BestLine;
    use crate::search::tests::with_search;

    /// Finds a score without searching, after so many window failures, and notes what was expected of it.
    struct Scripted {
        score: Score,
        failures: u32,
        is_volatile: Cell<bool>,
    }

    impl RootDriver for Scripted {
        fn drive(&self, _: &Params, expectation: Expectation, searcher: &mut dyn WindowSearch) -> SearchResult {
            self.is_volatile.set(expectation.is_volatile);
            (0..self.failures).for_each(|_| searcher.failed(self.score, Bound::Lower));
            Ok(self.score)
        }
    }

    #[test]
    fn after_jumps_of_the_score_and_failed_windows_an_iteration_is_expected_to_be_volatile() {
        // What is expected of iterations with these scores and window failures.
        let expected = |iterations: [(i32, u32); 3]| {
            with_search(Params::default(), crate::board::START_FEN, |search, _| {
                let mut best = vec![Best::fallback(search.root.choice[0])];
                iterations.map(|(score, failures)| {
                    let driver = Scripted { score: Score::cp(score), failures, is_volatile: Cell::new(false) };
                    search.iteration = search.iteration.next(search.task.params, search.meter.nodes);
                    assert!(search.run_iteration(&driver, &mut best));
                    driver.is_volatile.get()
                })
            })
        };
        assert_eq!(expected([(0, 0), (100, 1), (0, 0)]), [false; 3]);
        assert_eq!(expected([(0, 0), (101, 0), (0, 0)]), [false, false, true]);
        assert_eq!(expected([(0, 1), (0, 1), (0, 0)]), [false, false, true]);
    }

    #[test]
    fn only_what_was_searched_is_no_better_than_what_an_unfinished_iteration_found() {
        with_search(Params::default(), crate::board::START_FEN, |search, _| {
            let moves: Vec<Move> = search.root.choice.iter().take(3).copied().collect();
            let line = |m, score, bound| Best { score: Score::cp(score), bound, iteration: 5, ..Best::fallback(m) };
            let before = [(0, 100), (1, 50), (2, 10)].map(|(place, score)| line(moves[place], score, Bound::Exact));
            // The first was searched and has fallen, the third leads, the second is not searched yet.
            search.root.rank.begin_window(Score::ZERO);
            let now = search.now();
            search.root.rank.note_failure(moves[0], Score::cp(-30), now);
            let mut best = before.to_vec();
            search.keep_unfinished(vec![line(moves[2], 40, Bound::Lower)], 1, &mut best);
            let told: Vec<_> = best.iter().map(|line| (line.head(), line.score.main(), line.bound)).collect();
            let expected = [(moves[1], 50, Bound::Exact), (moves[2], 40, Bound::Lower), (moves[0], 40, Bound::Upper)];
            assert_eq!(told, expected);
            // Whatever is searched for the second rank was no better than the first.
            let mut best = before.to_vec();
            search.keep_unfinished(vec![line(moves[2], 40, Bound::Exact)], 2, &mut best);
            assert!(best[1..].iter().all(|line| line.score.main() == 40 && line.bound == Bound::Upper));
        });
    }

    #[test]
    fn a_move_that_an_earlier_window_has_disproved_is_not_played() {
        with_search(Params::default(), crate::board::START_FEN, |search, _| {
            let [fallen, better] = [search.root.choice[0], search.root.choice[1]];
            let bound = Bound::Exact;
            let line = |m, score| Best { score: Score::cp(score), bound, iteration: 5, ..Best::fallback(m) };
            let now = search.now();
            // The best move of the last iteration fails low, another one fails high, and is all that the next window
            // has come to.
            search.root.rank.begin_window(Score::cp(87));
            search.root.rank.note_failure(fallen, Score::cp(60), now);
            search.root.rank.begin_window(Score::cp(87));
            let played = |search: &mut Search<'_>, score| {
                let mut best = vec![line(fallen, 100)];
                search.keep_unfinished(vec![line(better, score)], 1, &mut best);
                best[0].head()
            };
            assert_eq!([59, 60, 95].map(|score| played(search, score)), [fallen, better, better]);
            // What a later window finds counts.
            let found = line(fallen, 100);
            search.root.rank.lead(fallen, BestLine { score: found.score, bound: found.bound, line: found.line }, now);
            assert_eq!(played(search, 95), fallen);
        });
    }

    #[test]
    fn an_iteration_is_expected_to_grow_as_the_last_one_did() {
        let params = Params { next_growth_least: 100, next_growth_most: 400, ..Params::default() };
        let mut costs = Costs::default();
        // They took 1, 2 and 4 seconds.
        [1.0, 3.0, 7.0].into_iter().for_each(|end| costs.note(end));
        assert_eq!(costs.predicted(&params), 8.0);
        // And one of an hour.
        costs.note(3607.0);
        assert_eq!(costs.predicted(&params), 4.0 * 3600.0);
    }
}
