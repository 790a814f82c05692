//! A move of a game with its assessment, and the second searches behind it.

use serde::Serialize;

use super::mark::thousandths;
use super::reached::Reached;
use super::sacrifice::Offer;
use super::{AnalysedLine, Inexact, Mark};
use crate::board::{Color, Move, Position};
use crate::json::side;
use crate::json::{MoveText, PovChances, PovScore};

/// A sacrifice that leaves less than this expected score is no success.
pub(super) const HOLDS: f64 = 0.45;
/// Plies of the game after a sacrifice whose scores may refute it: they were searched from nearer by.
const FOLLOWED: usize = 4;

/// A move of a game with its assessment.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AnalysedMove {
    /// The number of the move, as on a score sheet.
    pub number: u32,
    /// Whose move it is.
    #[serde(with = "side")]
    #[cfg_attr(test, schemars(with = "crate::json::side::Side"))]
    pub side: Color,
    /// The move.
    #[serde(flatten)]
    pub text: MoveText,
    /// White's score after the move.
    pub score: PovScore,
    /// How White's score compares with that one if it is not exact: the search ended before it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<Inexact>,
    /// White's winning chances after the move.
    pub chances: PovChances,
    /// The expected score that the move lost, from 0 to 1; 0 if it is the best one, missing if it was not judged:
    /// no iteration before it or after it was completed, or the second searches ended before they could tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loss: Option<f64>,
    /// How bad the move is; missing if it is not marked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mark: Option<Mark>,
    /// Whether the position after it belongs to opening theory.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub theory: bool,
    /// What the second searches said, if it was suspected to be a mistake; missing if they ended before they could
    /// tell, or the move is a sound sacrifice. The loss and the score are theirs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confirmed: Option<Confirmation>,
    /// What it gives up, if it is a sound sacrifice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sacrifice: Option<Sacrifice>,
    /// The best line in place of the move.
    pub best: AnalysedLine,
    #[serde(skip)]
    pub(super) mv: Move,
}

impl AnalysedMove {
    /// The glyph of its mark or its sacrifice; empty without either.
    pub fn glyph(&self) -> &'static str {
        let sacrifice = || self.sacrifice.as_ref().map(Sacrifice::glyph);
        self.mark.map(Mark::glyph).or_else(sacrifice).unwrap_or_default()
    }

    /// The number (NAG) of either in the PGN standard.
    pub fn nag(&self) -> Option<u8> {
        let sacrifice = || self.sacrifice.as_ref().map(Sacrifice::nag);
        self.mark.map(Mark::nag).or_else(sacrifice)
    }

    /// The line that a reader wants to see instead: the better one of a mistake, or the best without a sacrifice.
    pub fn instead(&self) -> Option<&AnalysedLine> {
        let without = self.sacrifice.as_ref().map(|sacrifice| &sacrifice.without);
        self.mark.map(|_| &self.best).or(without)
    }

    /// White's score of that line, with what stands before it: the second search's, if there was one.
    pub fn instead_score(&self) -> Option<String> {
        let confirmed = self.mark.and(self.confirmed).map(|confirmed| (None, confirmed.better));
        let (bound, score) = confirmed.or_else(|| self.instead().map(|line| (line.bound, line.score)))?;
        Some(Inexact::with_score(bound, score))
    }

    /// Sets what a search of the position after it says, and what it loses by that, if that can be told.
    pub(super) fn assess(&mut self, before: &Position, after: &Reached, loss: Option<f64>) {
        self.score = PovScore::of_white(-after.value, before);
        self.bound = after.best.as_ref().and_then(|line| line.bound);
        self.chances = PovChances::of_white(after.chances, !before.turn());
        self.loss = loss.map(thousandths);
        // What has a name has been thought over by more than one search; but some names are those of traps.
        self.mark = self.loss.and_then(Mark::of_loss).filter(|&mark| !self.theory || mark == Mark::Blunder);
    }
}

/// The scores of second searches for a suspected mistake, both White's.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Confirmation {
    /// The score after the move played.
    pub played: PovScore,
    /// The score after the better move.
    pub better: PovScore,
}

/// A sound sacrifice.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Sacrifice {
    /// What is given for what.
    #[serde(flatten)]
    pub offer: Offer,
    /// Whether every other move is worse by at least the loss of an inaccuracy.
    pub only: bool,
    /// The best line without the sacrifice.
    pub without: AnalysedLine,
}

impl Sacrifice {
    /// The annotation glyph.
    pub const fn glyph(&self) -> &'static str {
        if self.only { "!!" } else { "!" }
    }

    /// Its number (NAG) in the PGN standard.
    pub const fn nag(&self) -> u8 {
        if self.only { 3 } else { 1 }
    }

    /// Whether the moves that follow in the game show that it fails: the mover scores too little before he has made a
    /// mistake.
    pub(super) fn is_refuted_by(&self, mover: Color, rest: &[AnalysedMove]) -> bool {
        let instead = self.without.chances.points_of(mover);
        rest.iter()
            .take(FOLLOWED)
            .take_while(|step| step.side != mover || step.mark.is_none())
            .any(|step| !holds(step.chances.points_of(mover), instead))
    }
}

/// Whether this expected score after a sacrifice is a success, with that of the best move in its place.
pub(super) fn holds(points: f64, instead: f64) -> bool {
    points >= HOLDS && thousandths(instead - points) < Mark::LEAST_LOSS
}
