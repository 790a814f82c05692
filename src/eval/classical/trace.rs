//! The breakdown of an evaluation: what each term gave each side.
//!
//! The evaluation posts every amount to a [`Tally`], generic over a [`Tracer`]. Play uses the one that records nothing
//! and costs nothing; [`super::trace`] uses the one that records everything. So there is one evaluation, and its trace
//! cannot disagree with it.

use super::geometry::Side;
use crate::board::Color;
use crate::params::choice;
use crate::units::Tapered;

choice! {
    /// The terms of the evaluation, in the order of the trace.
    Term {
        Material = "material",
        Placement = "placement",
        Pawns = "pawns",
        PassedPawns = "passed pawns",
        Mobility = "mobility",
        Pieces = "pieces",
        KingShelter = "king shelter",
        KingDanger = "king danger",
        Threats = "threats",
        Space = "space",
        BareKing = "bare king",
        Tempo = "tempo",
    }
}

/// Sees the amounts that an evaluation adds up.
pub(super) trait Tracer {
    /// Whether it records, so that detail needed only for a record can be skipped.
    const RECORDS: bool;
    /// Notes an amount in favour of a side.
    fn record(&mut self, term: Term, color: Color, amount: Tapered);
}

/// Keeps no record.
pub(super) struct NoTrace;

impl Tracer for NoTrace {
    const RECORDS: bool = false;
    fn record(&mut self, _: Term, _: Color, _: Tapered) {}
}

/// Keeps every amount, by term and colour.
#[derive(Default)]
pub(super) struct Recorder {
    amounts: [[Tapered; 2]; Term::ALL.len()],
}

impl Tracer for Recorder {
    const RECORDS: bool = true;
    fn record(&mut self, term: Term, color: Color, amount: Tapered) {
        self.amounts[term as usize][color as usize] += amount;
    }
}

impl Recorder {
    /// The record in printable form.
    pub(super) fn into_terms(self) -> Vec<TermTrace> {
        let side = |term: Term, color: Color| self.amounts[term as usize][color as usize];
        Term::ALL
            .into_iter()
            .map(|term| TermTrace {
                name: term.name(),
                white: side(term, Color::White),
                black: side(term, Color::Black),
            })
            .collect()
    }
}

/// The sum of the amounts, White's minus Black's, and the tracer that sees them.
pub(super) struct Tally<'a, T> {
    /// White's amounts minus Black's.
    pub(super) sum: Tapered,
    /// Sees each amount.
    pub(super) tracer: &'a mut T,
}

impl<T: Tracer> Tally<'_, T> {
    /// Adds an amount in favour of a side.
    pub(super) fn post<S: Side>(&mut self, term: Term, amount: Tapered) {
        match S::COLOR {
            Color::White => self.sum += amount,
            Color::Black => self.sum -= amount,
        }
        self.tracer.record(term, S::COLOR, amount);
    }
}

/// What one term gave each side, in centipawns.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct TermTrace {
    /// The term's name.
    pub name: &'static str,
    /// In favour of White.
    pub white: Tapered,
    /// In favour of Black.
    pub black: Tapered,
}

/// An evaluation with everything that went into it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The terms, each for both sides.
    pub terms: Vec<TermTrace>,
    /// The sum of all terms, White's minus Black's, before tapering and scaling.
    pub sum: Tapered,
    /// Game phase: [`crate::eval::MAX_PHASE`] in the opening, 0 with pawns only.
    pub phase: i32,
    /// The scale applied to the tapered value, in 64ths.
    pub scale: i32,
    /// The evaluation from White's view, in centipawns.
    pub white_total: i32,
    /// The evaluation from the side to move's view, in centipawns.
    pub total: i32,
}
