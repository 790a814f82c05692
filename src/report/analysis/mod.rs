//! Analysis for people: the best lines of a position and why, and where a game went wrong.
//!
//! [`position()`] searches one position for its best lines; [`game()`] searches every position of a game, and marks the
//! moves that lost part of the expected score, and sound sacrifices, once a second, deeper search agrees. Of the
//! moves of opening [`theory`] only blunders are. [`annotate`] writes a game back with the marks; [`text`] formats
//! both. Scores are White's throughout, as in printed analysis; every number is the same on every run with the same
//! settings, one thread and a node or depth limit.

mod analysed_move;
pub mod annotate;
mod confirm;
mod game;
mod mark;
mod reached;
mod sacrifice;
pub mod text;
pub mod theory;

pub use analysed_move::{AnalysedMove, Confirmation, Sacrifice};
pub use game::{GameAnalysis, GamesAnalysis, Plan, SideSummary, Stage, game};
pub use mark::Mark;
pub use sacrifice::Offer;
pub use theory::Theory;

use serde::Serialize;

use crate::board::{Color, Game, Move, Position};
use crate::credit::Mechanism;
use crate::engine::{Engine, Limits};
use crate::eval::Chances;
use crate::json::{MoveText, PovChances, PovScore, Variation};
use crate::runner::{Head, Kind, Provenance};
use crate::score::Score;
use crate::search::{Iteration, LedgerEntry, Observer, Outcome, StopFlag};
use crate::tt::Bound;

/// The best lines of a position.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PositionAnalysis {
    /// The version of the form, and the settings of the search.
    #[serde(flatten)]
    pub head: Head,
    /// The position's name; missing if it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The position searched.
    pub fen: String,
    /// Nodes searched for the position.
    pub nodes: u64,
    /// The best lines, best first; none if there is no legal move.
    pub lines: Vec<AnalysedLine>,
    /// Whether the search was ended before its limit; missing if not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub interrupted: bool,
}

/// One of the best lines.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AnalysedLine {
    /// The iteration that found the line.
    pub iteration: i32,
    /// White's score of the line.
    pub score: PovScore,
    /// How White's score compares with that one if it is not exact: the search ended before it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<Inexact>,
    /// White's winning chances at that score.
    pub chances: PovChances,
    /// The first move of the line; missing if there is no legal one.
    pub best_move: Option<MoveText>,
    /// The moves of the line.
    pub pv: Variation,
    /// What the line's moves earned, by mechanism; mechanisms that earned nothing are left out.
    pub ledger: Vec<LedgerSum>,
    /// Plies of extension cashed in along the line.
    pub cashed_plies: i32,
    #[serde(skip)]
    pub(super) moves: Vec<Move>,
    /// What each move did to the accounts; all missing if only the score is known.
    #[serde(skip)]
    pub(super) entries: Vec<Option<LedgerEntry>>,
    #[serde(skip)]
    value: Score,
}

/// A score that is only a bound.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Inexact {
    /// The score is this or less.
    Upper,
    /// The score is this or more.
    Lower,
}

impl Inexact {
    /// White's, from that of the side to move.
    fn of_white(bound: Bound, position: &Position) -> Option<Inexact> {
        match (bound, position.turn()) {
            (Bound::Upper, Color::White) | (Bound::Lower, Color::Black) => Some(Inexact::Upper),
            (Bound::Lower, Color::White) | (Bound::Upper, Color::Black) => Some(Inexact::Lower),
            (Bound::Exact | Bound::None, _) => None,
        }
    }

    /// White's score, without what breaks ties between draws, with what stands before it.
    pub(in crate::report) fn with_score(bound: Option<Inexact>, score: PovScore) -> String {
        let sign = match bound {
            None => "",
            Some(Inexact::Upper) => "<= ",
            Some(Inexact::Lower) => ">= ",
        };
        format!("{sign}{}", score.value.without_tie())
    }
}

/// The awards of one mechanism along a line.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LedgerSum {
    /// The mechanism.
    pub mechanism: Mechanism,
    /// The number of moves that earned by it.
    pub awards: u32,
    /// The sum of its awards in plies.
    pub granted_plies: f64,
}

impl AnalysedLine {
    /// Whether the score is a bound beyond which it may be worse for this side.
    fn may_be_worse_for(&self, side: Color) -> bool {
        self.bound == Some(side.fold_wb(Inexact::Upper, Inexact::Lower))
    }

    /// Its first move in SAN; empty if there is no legal one.
    pub(in crate::report) fn best_san(&self) -> &str {
        self.best_move.as_ref().map_or("", |best| &best.san)
    }

    /// The line of an iteration.
    fn new(position: &Position, iteration: &Iteration) -> AnalysedLine {
        AnalysedLine {
            bound: Inexact::of_white(iteration.bound, position),
            ledger: ledger_sums(&iteration.ledger),
            entries: iteration.ledger.clone(),
            cashed_plies: iteration.ledger.iter().flatten().map(|entry| entry.cashed).sum(),
            ..AnalysedLine::bare(position, iteration.iteration, iteration.score, &iteration.pv)
        }
    }

    /// A line of which only the score is known.
    fn bare(position: &Position, iteration: i32, value: Score, pv: &[Move]) -> AnalysedLine {
        AnalysedLine {
            iteration,
            score: PovScore::of_white(value, position),
            bound: None,
            chances: PovChances::of_white(Chances::new(value, position), position.turn()),
            best_move: pv.first().map(|&m| MoveText::new(position, m)),
            pv: Variation::new(position, pv),
            ledger: Vec::new(),
            cashed_plies: 0,
            moves: pv.to_vec(),
            entries: vec![None; pv.len()],
            value,
        }
    }
}

/// The awards along a line, summed by mechanism.
fn ledger_sums(ledger: &[Option<LedgerEntry>]) -> Vec<LedgerSum> {
    let awards_of = |mechanism: Mechanism| {
        ledger.iter().flatten().filter_map(|entry| entry.award).filter(move |award| award.mechanism == mechanism)
    };
    Mechanism::ALL
        .into_iter()
        .map(|mechanism| LedgerSum {
            mechanism,
            awards: awards_of(mechanism).count() as u32,
            granted_plies: awards_of(mechanism).map(|award| award.credit.plies()).sum(),
        })
        .filter(|sum| sum.awards > 0)
        .collect()
}

/// Keeps the lines of the last iteration.
#[derive(Default)]
struct Latest {
    lines: Vec<Iteration>,
}

impl Latest {
    /// A line replaces those of its rank and below: better ones of the same iteration came before it.
    fn keep(&mut self, iteration: Iteration) {
        self.lines.truncate(iteration.multipv.saturating_sub(1));
        self.lines.push(iteration);
    }
}

impl Observer for Latest {
    fn iteration(&mut self, iteration: &Iteration) {
        self.keep(iteration.clone());
    }

    fn unfinished(&mut self, iteration: &Iteration) {
        // A part of the first iteration is none.
        let is_any_complete = self.lines.first().is_some_and(|line| line.iteration > 0);
        let number = if is_any_complete { iteration.iteration } else { 0 };
        self.keep(Iteration { iteration: number, ..iteration.clone() });
    }
}

/// Searches a position and returns its best lines, as many as the limits ask for; `stop` ends the search early.
pub fn position(engine: &mut Engine, game: &Game, limits: &Limits, stop: &StopFlag) -> PositionAnalysis {
    let position = game.position();
    let mut latest = Latest::default();
    let outcome: Outcome = engine.search(game, limits, stop, &mut latest);
    let mut lines: Vec<AnalysedLine> = latest.lines.iter().map(|line| AnalysedLine::new(position, line)).collect();
    if lines.is_empty() && outcome.best_move.is_some() {
        lines.push(AnalysedLine::bare(position, outcome.depth, outcome.score, &outcome.pv));
    }
    PositionAnalysis {
        head: Head::new(Kind::Analysis, Provenance::of_engine(engine, limits)),
        id: None,
        fen: position.fen(),
        nodes: outcome.nodes,
        lines,
        interrupted: stop.is_raised(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Options;

    #[test]
    fn a_part_of_the_first_iteration_is_none() {
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let game = Game::new(Position::from_fen(fen, false).unwrap());
        let iteration = |nodes| {
            let (mut engine, _) = Engine::new(Options { hash_mb: 1, ..Options::default() });
            let limits = Limits::of_nodes(nodes);
            position(&mut engine, &game, &limits, &StopFlag::new()).lines[0].iteration
        };
        assert_eq!(iteration(20), 0);
        assert!(iteration(2000) > 0);
    }

    #[test]
    fn a_score_that_is_only_a_bound_is_one_for_white() {
        // Whoever is to move: a search that ends within an iteration has bounds.
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
        ] {
            let game = Game::new(Position::from_fen(fen, false).unwrap());
            let is_white = game.position().turn() == Color::White;
            let mut inexact = 0;
            for nodes in (1..60).map(|steps| 150 * steps) {
                let limits = Limits { nodes: Some(nodes), multi_pv: 3, ..Limits::default() };
                let engine = || Engine::new(Options { hash_mb: 1, ..Options::default() }).0;
                let mut latest = Latest::default();
                engine().search(&game, &limits, &StopFlag::new(), &mut latest);
                let analysis = position(&mut engine(), &game, &limits, &StopFlag::new());
                for (line, found) in analysis.lines.iter().zip(&latest.lines) {
                    let (upper, lower) = if is_white { ("<= ", ">= ") } else { (">= ", "<= ") };
                    let sign = match found.bound {
                        Bound::Upper => upper,
                        Bound::Lower => lower,
                        Bound::Exact | Bound::None => "",
                    };
                    let score = line.score.value.without_tie();
                    assert_eq!(Inexact::with_score(line.bound, line.score), format!("{sign}{score}"), "{nodes} {fen}");
                    inexact += u32::from(!sign.is_empty());
                }
            }
            assert!(inexact > 0, "nothing to test: {fen}");
        }
    }
}
