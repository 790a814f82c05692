//! Second searches: a suspected mistake, or a sacrifice, is searched again with more before it is marked.

use super::Mark;
use super::analysed_move::{Confirmation, HOLDS, Sacrifice, holds};
use super::mark::thousandths;
use super::reached::{Reached, Searcher};
use super::sacrifice::Offer;
use crate::board::{Color, Game, Move};
use crate::engine::Limits;
use crate::eval::Chances;
use crate::json::PovScore;
use crate::score::Score;
use crate::units::Depth;

/// If the mover wins without it, a sacrifice is a matter of taste.
const WON_ANYWAY: f64 = 0.95;

/// Limits with more of everything: so many times the nodes and the time, and an iteration for each doubling.
pub(super) fn deeper(limits: &Limits, factor: u32) -> Limits {
    Limits {
        nodes: limits.nodes.map(|nodes| nodes.saturating_mul(u64::from(factor))),
        move_time: limits.move_time.map(|time| time.saturating_mul(factor)),
        depth: limits.depth.map(|depth| further(depth, factor)),
        ..limits.clone()
    }
}

/// The last iteration of second searches with so many times the limits: one more for each doubling.
pub(super) fn further(depth: Depth, factor: u32) -> Depth {
    depth.saturating_add(factor.max(1).ilog2() as Depth)
}

/// A move of the game to be searched again.
pub(super) struct Suspect<'a> {
    /// The game before the move.
    pub before: &'a Game,
    /// The move.
    pub mv: Move,
    /// The game after it.
    pub after: &'a Game,
    /// Whether it was the game's last move.
    pub is_last: bool,
}

/// What second searches said of a mistake.
pub(super) struct Verdict {
    /// The scores.
    pub confirmation: Confirmation,
    /// The position after the move played.
    pub reached: Reached,
    /// The expected score that the move loses; `None` if the better move's score ended as a bound, so that it may lose
    /// less.
    pub loss: Option<f64>,
}

impl Suspect<'_> {
    /// Searches what the move and the better one lead to; `None` if that was not completed.
    pub fn compare(&self, searcher: &mut Searcher, better: Move) -> Option<Verdict> {
        let reached = Reached::in_game(searcher, self.after, self.is_last);
        let mut instead = self.before.clone();
        instead.play(better);
        let other = Reached::search(searcher, &instead);
        let (played, better) = (-reached.value, -other.value);
        let confirmation = Confirmation { played: self.for_white(played), better: self.for_white(better) };
        let may_lose_less = self.may_be_worse(&other);
        let loss = (self.points(better) - self.points(played)).max(0.0);
        let loss = (!may_lose_less).then_some(loss);
        (reached.is_known() && other.is_known()).then_some(Verdict { confirmation, loss, reached })
    }

    /// Searches what an offer leads to, and the best move without it, and says what expected score the offer loses;
    /// `None` if it is not sound or not needed, or the searches ended with bounds that leave that open.
    pub fn sacrifice(&self, searcher: &mut Searcher) -> Option<(Sacrifice, Reached, f64)> {
        let offer = Offer::of(self.before.position(), self.mv)?;
        let reached = Reached::in_game(searcher, self.after, self.is_last);
        let points = self.points(-reached.value);
        if points < HOLDS || self.may_be_worse(&reached) {
            return None;
        }
        let legal = self.before.position().legal_moves();
        let others: Vec<Move> = legal.iter().copied().filter(|&other| other != self.mv).collect();
        let analysis = searcher.search(self.before, &Limits { search_moves: others, ..searcher.limits.clone() });
        let without = analysis.lines.into_iter().next().filter(|line| line.iteration > 0 && reached.is_known())?;
        let instead = self.points(without.value);
        let is_sound = !without.may_be_worse_for(!self.mover()) && instead < WON_ANYWAY && holds(points, instead);
        let only = thousandths(points - instead) >= Mark::LEAST_LOSS;
        is_sound.then_some((Sacrifice { offer, only, without }, reached, (instead - points).max(0.0)))
    }

    fn mover(&self) -> Color {
        self.before.position().turn()
    }

    /// Whether a position may be worse for the mover than its score says.
    fn may_be_worse(&self, reached: &Reached) -> bool {
        reached.best.as_ref().is_some_and(|line| line.may_be_worse_for(self.mover()))
    }

    /// The expected score of the mover, by the material before the move: a capture alone must not change what a score
    /// is worth.
    fn points(&self, value: Score) -> f64 {
        Chances::new(value, self.before.position()).points()
    }

    /// A score of the mover as White's.
    fn for_white(&self, value: Score) -> PovScore {
        PovScore::of_white(value, self.before.position())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn every_limit_grows() {
        let limits =
            Limits { nodes: Some(10), move_time: Some(Duration::from_millis(5)), depth: Some(6), ..Limits::default() };
        let more = deeper(&limits, 4);
        assert_eq!((more.nodes, more.move_time, more.depth), (Some(40), Some(Duration::from_millis(20)), Some(8)));
        assert_eq!(deeper(&Limits::default(), 4), Limits::default());
    }
}
