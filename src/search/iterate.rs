//! Iterative deepening: iteration after iteration until the budget is spent, with a move to play at any time.

use std::time::Instant;

use super::aspiration::{Expectation, WindowSearch};
use super::drivers::{self, RootDriver};
use super::observer::{Iteration, Outcome};
use super::pv::{Line, LineMove};
use super::state::{Root, Search, SearchResult};
use super::telemetry::CreditStats;
use crate::credit::{Ledger, Taper};
use crate::score::{Score, Window};
use crate::tt::Bound;
use crate::units::{Depth, MAX_PLY};

/// No search is deeper than this many iterations.
const MAX_ITERATION: Depth = 128;
/// An iteration is predicted to cost this many times the last one, within these limits.
const MIN_GROWTH: f64 = 1.5;
const MAX_GROWTH: f64 = 4.0;
/// A new iteration begins where at least this share of it probably fits into the soft limit: even unfinished it may
/// find a better move.
const USEFUL_SHARE: f64 = 0.4;

/// The best that is known so far.
#[derive(Clone, Debug)]
struct Best {
    score: Score,
    line: Line,
    iteration: Depth,
}

/// The window searches of one iteration.
struct RootSearch<'s, 'a> {
    search: &'s mut Search<'a>,
    nominal_depth: Depth,
    researches: u32,
}

impl WindowSearch for RootSearch<'_, '_> {
    fn search(&mut self, window: Window) -> SearchResult {
        let search = &mut *self.search;
        let position = search.root.position.clone();
        search.node::<Root>(&position, window, self.nominal_depth, 0, Ledger::EMPTY, false)
    }

    fn failed(&mut self, score: Score, bound: Bound) {
        self.researches += 1;
        self.search.report_bound(self.nominal_depth, self.researches, score, bound);
    }
}

impl Search<'_> {
    /// Searches iteration after iteration; the outcome is that of the last one, or of a better move proven since.
    pub(super) fn iterate(mut self) -> Outcome {
        let Some(&fallback) = self.root.moves.first() else { return self.no_legal_move() };
        let mut best = Best { score: Score::ZERO, line: Line::from_iter([LineMove::plain(fallback)]), iteration: 0 };
        let driver = drivers::from_params(self.params);
        self.scouts = self.params.zero_window_scouts && driver.scouts();
        self.lines_everywhere = driver.needs_lines_everywhere();
        let mut costs = Costs::default();
        let mut volatility = 0;
        let static_eval = self.evaluator.evaluate(&self.root.position);
        self.choose_striver(static_eval);
        let last = self.budget.depth.unwrap_or(MAX_ITERATION).clamp(1, MAX_ITERATION);
        for iteration in 1..=last {
            let nominal_depth = self.begin_iteration(iteration);
            let known = (iteration >= self.params.aspiration_min_iteration && best.iteration > 0).then_some(best.score);
            let expectation = Expectation { score: known, volatility, depth: nominal_depth };
            let finished = self.run_iteration(driver.as_ref(), nominal_depth, expectation);
            match finished {
                Some((score, researches)) => {
                    let line = self.complete_line();
                    volatility = (score.main() - best.score.main()).abs();
                    best = Best { score, line, iteration };
                    self.report(nominal_depth, researches, score, Bound::Exact, &best.line);
                }
                None => {
                    // A move that beat the first one within this iteration is proven better.
                    if let Some(found) = self.root.best.take().filter(|found| !found.line.is_empty()) {
                        best = Best { score: found.score, line: found.line, iteration: best.iteration };
                    }
                    break;
                }
            }
            costs.note(self.start.elapsed().as_secs_f64());
            self.choose_striver(best.score.main());
            if self.budget.stop.is_raised() || self.is_settled(&best) || self.is_out_of_time(&costs) {
                break;
            }
        }
        self.outcome(best)
    }

    /// Sets up an iteration and says how many plies of software it has.
    ///
    /// In the deep-blue profile iteration `i` has `i - 4` plies of software (paper, section 4.2) and 4 of horizon
    /// search; the first iterations shorten the horizon search instead.
    fn begin_iteration(&mut self, iteration: Depth) -> Depth {
        let horizon = self.params.horizon_depth;
        let nominal_depth = (iteration - horizon).max(1);
        self.horizon_depth = horizon.min(iteration - 1);
        self.taper = Taper::new(self.params, nominal_depth);
        self.max_software = 0;
        self.max_combined = 0;
        self.credit = CreditStats::default();
        self.root.iteration = iteration;
        self.root.best = None;
        nominal_depth
    }

    /// The worse side strives for repetitions. A level score changes nothing: a repetition that was found must not turn
    /// the roles round, or the tie-breaker would change its sign in every iteration.
    fn choose_striver(&mut self, centipawns: i32) {
        let turn = self.root.position.turn();
        match centipawns.signum() {
            -1 => self.striver = turn,
            1 => self.striver = !turn,
            _ => {}
        }
    }

    /// Runs one iteration; `None` where it was aborted.
    fn run_iteration(
        &mut self,
        driver: &dyn RootDriver,
        nominal_depth: Depth,
        expectation: Expectation,
    ) -> Option<(Score, u32)> {
        let params = self.params;
        let mut root = RootSearch { search: self, nominal_depth, researches: 0 };
        let score = driver.drive(params, expectation, &mut root).ok()?;
        Some((score, root.researches))
    }

    /// The principal variation of the iteration, prolonged from the table where a cut-off shortened it.
    fn complete_line(&mut self) -> Line {
        let mut line = match self.root.best.take() {
            Some(best) if !best.line.is_empty() => best.line,
            _ => Line::from_iter(self.root.first_move.or(self.root.moves.first().copied()).map(LineMove::plain)),
        };
        self.extend_from_table(&mut line);
        line
    }

    /// Adds moves from exact table entries to a line until it leaves the table, repeats or ends.
    fn extend_from_table(&mut self, line: &mut Line) {
        let mut position = self.root.position.clone();
        let mut seen = vec![position.key()];
        for &LineMove { m, .. } in line.iter() {
            position = position.play(m);
            seen.push(position.key());
        }
        let goal = (self.root.iteration as usize).min(MAX_PLY as usize - 1);
        while line.len() < goal {
            let Some(entry) = self.table.probe(position.key(), 0).filter(|entry| entry.bound == Bound::Exact) else {
                return;
            };
            let Some(m) = entry.best_move.unpack(&position) else { return };
            position = position.play(m);
            if seen.contains(&position.key()) || position.is_dead() || line.try_push(LineMove::plain(m)).is_err() {
                return;
            }
            seen.push(position.key());
        }
    }

    /// Whether more iterations cannot matter: a mate than which none is shorter, or the mate asked for.
    fn is_settled(&self, best: &Best) -> bool {
        let Some(distance) = best.score.mate_distance() else { return false };
        let wanted = self.budget.mate.is_some_and(|moves| (distance + 1) / 2 <= moves);
        wanted || distance <= best.iteration
    }

    /// Whether too little of another iteration fits into the soft limit, or there is nothing to choose.
    fn is_out_of_time(&self, costs: &Costs) -> bool {
        let Some(deadline) = self.budget.soft_deadline else { return false };
        if self.root.moves.len() == 1 {
            return true;
        }
        let left = deadline.saturating_duration_since(Instant::now()).as_secs_f64();
        left <= costs.predicted() * USEFUL_SHARE
    }

    /// Tells the observer of a finished iteration.
    fn report(&mut self, nominal_depth: Depth, researches: u32, score: Score, bound: Bound, line: &[LineMove]) {
        let iteration = self.iteration_report(nominal_depth, researches, score, bound, line);
        self.observer.iteration(&iteration);
    }

    /// Tells the observer of a failed window.
    fn report_bound(&mut self, nominal_depth: Depth, researches: u32, score: Score, bound: Bound) {
        let line = match &self.root.best {
            Some(best) if !best.line.is_empty() => best.line.clone(),
            _ => Line::from_iter(self.root.first_move.or(self.root.moves.first().copied()).map(LineMove::plain)),
        };
        let iteration = self.iteration_report(nominal_depth, researches, score, bound, &line);
        self.observer.bound(&iteration);
    }

    fn iteration_report(
        &self,
        nominal_depth: Depth,
        researches: u32,
        score: Score,
        bound: Bound,
        line: &[LineMove],
    ) -> Iteration {
        Iteration {
            iteration: self.root.iteration,
            nominal_depth,
            max_software: self.max_software,
            max_combined: self.max_combined,
            score: self.root.known.told(score),
            bound,
            pv: line.iter().map(|step| step.m).collect(),
            ledger: line.iter().map(|step| step.entry).collect(),
            multipv: 1,
            nodes: self.nodes,
            elapsed: self.start.elapsed(),
            hashfull: self.table.hashfull(),
            table_hits: self.table_hits,
            researches,
            credit: self.credit,
        }
    }

    /// Mate or stalemate at the root.
    fn no_legal_move(self) -> Outcome {
        let position = self.root.position.clone();
        let score = if position.in_check() { Score::mated(0) } else { self.theoretical_draw(&position) };
        Outcome {
            best_move: None,
            ponder: None,
            score,
            pv: Vec::new(),
            depth: 0,
            nodes: self.nodes,
            table_hits: self.table_hits,
            elapsed: self.start.elapsed(),
        }
    }

    fn outcome(self, best: Best) -> Outcome {
        Outcome {
            best_move: best.line.first().map(|step| step.m),
            ponder: best.line.get(1).map(|step| step.m),
            score: self.root.known.told(best.score),
            pv: best.line.iter().map(|step| step.m).collect(),
            depth: best.iteration,
            nodes: self.nodes,
            table_hits: self.table_hits,
            elapsed: self.start.elapsed(),
        }
    }
}

/// Times at which the iterations ended, to predict the next one's cost.
#[derive(Default)]
struct Costs {
    end: f64,
    last: f64,
    before: f64,
}

impl Costs {
    /// An iteration ended this many seconds after the start.
    fn note(&mut self, elapsed: f64) {
        self.before = self.last;
        self.last = elapsed - self.end;
        self.end = elapsed;
    }

    /// Seconds that the next iteration will probably take: the last one's growth goes on.
    fn predicted(&self) -> f64 {
        let growth = if self.before > 0.0 { self.last / self.before } else { MIN_GROWTH };
        self.last * growth.clamp(MIN_GROWTH, MAX_GROWTH)
    }
}
