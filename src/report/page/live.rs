//! A search while it runs: each iteration as a row, a line with its ledger, and the charts up to then.

use serde::Serialize;

use super::explained;
use super::model::Line;
use crate::board::Position;
use crate::engine::Options;
use crate::report::Report;
use crate::report::collect::{IterationRange, Rows};
use crate::report::evidence::Witness;
use crate::report::model::PositionReport;
use crate::report::picture::charts;
use crate::runner::{Head, Kind, Provenance};
use crate::search::Iteration;
use crate::text::{grouped, shortened};

/// Follows a search.
pub struct Live {
    position: Position,
    rows: Rows,
    /// The settings, without any position.
    report: Report,
    /// The iterations so far.
    searched: PositionReport,
    witness: Witness,
}

/// A completed iteration, for the script. Scores are for the side to move.
#[derive(Serialize)]
pub struct LiveIteration {
    /// Its number.
    iteration: i32,
    /// Nominal depth in software plies.
    nominal: i32,
    /// Deepest leaf of the software's tree.
    software: i32,
    /// Nodes since the start of the search.
    nodes: String,
    score: String,
    /// The first moves of its line.
    moves: String,
    /// Its line with the ledger.
    line: Line,
    /// Charts of all iterations so far, as SVG: of the depths, and of the credit if there was any.
    charts: Vec<String>,
}

impl Live {
    /// Follows a search of this position; the settings are those of the search.
    pub fn new(position: &Position, provenance: Provenance, options: &Options) -> Live {
        let searched = PositionReport {
            id: None,
            fen: position.fen(),
            is_chess960: position.is_chess960(),
            paper_source: None,
            first_iteration: IterationRange::ALL.first(),
            last_iteration: IterationRange::ALL.last(),
            iterations: Vec::new(),
            ledgers: Vec::new(),
        };
        Live {
            position: position.clone(),
            rows: Rows::new(position, false),
            report: Report { head: Head::new(Kind::Report, provenance), positions: Vec::new() },
            searched,
            witness: Witness::for_boards(options),
        }
    }

    /// What the page shows of the next iteration. Takes some milliseconds for each award in its line.
    pub fn next(&mut self, iteration: &Iteration) -> LiveIteration {
        let (line, score) = explained(&self.position, iteration, &mut self.witness);
        self.searched.iterations.push(self.rows.next(iteration));
        let figures = charts(&self.report, &self.searched);
        LiveIteration {
            iteration: iteration.iteration,
            nominal: iteration.nominal_depth,
            software: iteration.max_software,
            nodes: grouped(iteration.nodes),
            score: score.to_string(),
            moves: shortened(&self.position.san_line(&iteration.pv)),
            line,
            charts: figures.iter().map(|figure| figure.inline().into_string()).collect(),
        }
    }
}
