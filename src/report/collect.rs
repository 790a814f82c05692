//! Listens to a search and keeps the requested iterations.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::evidence::Witness;
use super::explain::explain_iteration;
use super::model::{CreditRow, IterationRow, PositionReport, PvLedger, mechanism_rows};
use super::paper::{self, PaperPosition};
use crate::board::{Game, Move, Position};
use crate::engine::{Engine, Limits, Options};
use crate::json::{MoveText, PovScore, Variation};
use crate::search::{Iteration, MAX_ITERATION, Observer, Outcome, StopFlag};
use crate::text::milliseconds;
use crate::units::Depth;

/// The iterations to report, inclusive.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct IterationRange {
    first: Depth,
    last: Depth,
}

/// A range that cannot be reported.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RangeError {
    /// The text is not a range.
    #[error("`{text}` is not a range of iterations: expected A..B or a single number")]
    Syntax {
        /// The text given.
        text: String,
    },
    /// The range is empty or lies outside what can be searched.
    #[error("`{text}` is not a range of iterations: expected 1 to {max}, the smaller first")]
    Limits {
        /// The text given.
        text: String,
        /// The largest iteration allowed.
        max: Depth,
    },
}

impl IterationRange {
    /// The largest iteration allowed.
    pub const MAX: Depth = MAX_ITERATION;
    /// Every iteration.
    pub const ALL: IterationRange = IterationRange { first: 1, last: Self::MAX };

    /// A range from `first` to `last`, inclusive; `None` if it is out of bounds.
    pub fn new(first: Depth, last: Depth) -> Option<IterationRange> {
        (1 <= first && first <= last && last <= Self::MAX).then_some(IterationRange { first, last })
    }

    /// The first iteration.
    pub fn first(self) -> Depth {
        self.first
    }

    /// The last iteration.
    pub fn last(self) -> Depth {
        self.last
    }

    /// Whether an iteration lies in the range.
    fn contains(self, iteration: Depth) -> bool {
        self.first <= iteration && iteration <= self.last
    }
}

impl fmt::Display for IterationRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.first, self.last)
    }
}

impl FromStr for IterationRange {
    type Err = RangeError;
    fn from_str(text: &str) -> Result<IterationRange, RangeError> {
        let (first, last) = text.split_once("..").unwrap_or((text, text));
        let number =
            |part: &str| part.trim().parse::<Depth>().map_err(|_| RangeError::Syntax { text: text.to_owned() });
        IterationRange::new(number(first)?, number(last)?)
            .ok_or_else(|| RangeError::Limits { text: text.to_owned(), max: Self::MAX })
    }
}

/// What to search and what to keep.
#[derive(Copy, Clone, Debug)]
pub struct Job<'a> {
    /// The position's name, if any.
    pub name: Option<&'a str>,
    /// The game whose position is searched.
    pub game: &'a Game,
    /// The iterations to keep; the search ends with the last.
    pub range: IterationRange,
    /// Whether to keep times.
    pub with_times: bool,
    /// Whether to explain the principal variations, which takes some milliseconds for each award in them.
    pub with_ledgers: bool,
}

/// Turns the iterations of a search into rows, one after the other.
pub(super) struct Rows {
    position: Position,
    paper: Option<&'static PaperPosition>,
    with_times: bool,
    /// Nodes at the end of the previous iteration.
    nodes_before: u64,
}

impl Rows {
    pub(super) fn new(position: &Position, with_times: bool) -> Rows {
        Rows { position: position.clone(), paper: PaperPosition::find(position), with_times, nodes_before: 0 }
    }

    /// The row of the next iteration.
    pub(super) fn next(&mut self, iteration: &Iteration) -> IterationRow {
        let nodes_before = std::mem::replace(&mut self.nodes_before, iteration.nodes);
        IterationRow {
            iteration: iteration.iteration,
            nominal_depth: iteration.nominal_depth,
            max_software: iteration.max_software,
            max_combined: iteration.max_combined,
            nodes: iteration.nodes,
            iteration_nodes: iteration.nodes.saturating_sub(nodes_before),
            time_ms: self.with_times.then(|| milliseconds(iteration.elapsed)),
            score: PovScore::of_mover(iteration.score, &self.position),
            researches: iteration.researches,
            restrained_at: iteration.restrained_at,
            best_move: iteration.pv.first().map(|&m| MoveText::new(&self.position, m)),
            pv: Variation::new(&self.position, &iteration.pv),
            credit: CreditRow::from(&iteration.credit.total()),
            mechanisms: mechanism_rows(&iteration.credit),
            paper: self.paper.and_then(|paper| paper.row(iteration.nominal_depth)),
        }
    }
}

/// Listens to the search and keeps its rows.
pub(super) struct Collector<'a> {
    job: Job<'a>,
    rows: Rows,
    kept: Vec<IterationRow>,
    /// The iterations to be explained.
    iterations: Vec<Iteration>,
    progress: &'a mut (dyn FnMut(Depth, usize) + Send),
}

impl<'a> Collector<'a> {
    pub(super) fn new(job: Job<'a>, progress: &'a mut (dyn FnMut(Depth, usize) + Send)) -> Collector<'a> {
        let rows = Rows::new(job.game.position(), job.with_times);
        Collector { job, rows, kept: Vec::new(), iterations: Vec::new(), progress }
    }

    /// The finished report of the position; the settings are those of the search.
    pub(super) fn finish(self, options: &Options) -> PositionReport {
        let Collector { job, rows: Rows { paper, .. }, kept, iterations, .. } = self;
        let position = job.game.position();
        let mut witness = None;
        let ledger = |iteration: Iteration| PvLedger {
            explained: explain_iteration(
                position,
                &iteration,
                witness.get_or_insert_with(|| Witness::for_boards(options)),
            ),
            root: position.clone(),
            moves: iteration.pv,
        };
        PositionReport {
            id: job.name.map(str::to_owned).or_else(|| paper.map(|paper| paper.name.to_owned())),
            fen: position.fen(),
            is_chess960: position.is_chess960(),
            paper_source: paper.map(|_| paper::SOURCE),
            first_iteration: job.range.first,
            last_iteration: job.range.last,
            iterations: kept,
            ledgers: iterations.into_iter().map(ledger).collect(),
        }
    }
}

impl Observer for Collector<'_> {
    fn iteration(&mut self, iteration: &Iteration) {
        // With MultiPV the first line is the iteration's result.
        if iteration.multipv != 1 {
            return;
        }
        let row = self.rows.next(iteration);
        if self.job.range.contains(iteration.iteration) {
            self.kept.push(row);
            if self.job.with_ledgers {
                self.iterations.push(iteration.clone());
            }
        }
    }

    fn current_move(&mut self, iteration: Depth, _: Move, number: usize) {
        (self.progress)(iteration, number);
    }
}

/// Searches one position from a clean state, up to the last iteration of the range, and reports on it.
///
/// `progress` gets the iteration and the number of the current root move.
pub fn collect(engine: &mut Engine, job: Job<'_>, progress: &mut (dyn FnMut(Depth, usize) + Send)) -> PositionReport {
    collect_within(engine, job, &Limits::default(), progress).0
}

/// The same with further limits, and the outcome of the search, whose last iteration may have been interrupted.
pub fn collect_within(
    engine: &mut Engine,
    job: Job<'_>,
    limits: &Limits,
    progress: &mut (dyn FnMut(Depth, usize) + Send),
) -> (PositionReport, Outcome) {
    let depth = limits.depth.unwrap_or(job.range.last).min(job.range.last);
    let limits = Limits { depth: Some(depth), ..limits.clone() };
    let mut collector = Collector::new(job, progress);
    engine.new_game();
    let outcome = engine.search(job.game, &limits, &StopFlag::new(), &mut collector);
    (collector.finish(engine.options()), outcome)
}
