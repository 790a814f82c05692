//! The classical evaluation, in centipawns.
//!
//! A sum of terms, each a pair of weights for middlegame and endgame interpolated by the game phase (tapered
//! evaluation, Chess Programming Wiki), then scaled if the side ahead cannot win. Material and placement are updated
//! incrementally; pawn structure comes from a cache; the rest is computed from attack maps made once. All weights are
//! in `params/weights.rs`, their values in `params/weights/values.rs`.
//!
//! Laws, property-tested: a colour-flipped position evaluates to the same for the side to move; the cache changes
//! nothing; the trace adds up to the evaluation.

mod endgame;
mod geometry;
mod king;
mod kpk;
mod maps;
mod passed;
mod pawns;
mod pieces;
mod placement;
mod space;
#[cfg(test)]
mod tests;
mod threats;
mod trace;

pub use placement::MAX_PHASE;
pub use trace::{TermTrace, Trace};

use crate::board::{Color, Move, Position, role_number};
use crate::params::weights::{FULL_SCALE, WEIGHTS, Weights};
use crate::score::MAX_EVAL;
use crate::units::Tapered;
use geometry::{Black, Side, White};
use maps::Maps;
use pawns::{PawnCache, PawnEntry};
use placement::{Placement, Placements};
use trace::{NoTrace, Recorder, Tally, Term, Tracer};

/// The weights in use, at one address.
static IN_PLAY: Weights = WEIGHTS;

/// Computes what the evaluation looks up, if not yet done, so that no search has to wait for it. With a network only
/// positions with few pieces need it, and no start of the program should wait for them: `isready` and a new game do.
pub fn prepare() {
    kpk::prepare();
}

/// Evaluates positions for one search worker; remembers material and placement along the path, and pawn structures.
pub(super) struct Classical {
    pawns: PawnCache,
    placements: Placements,
    /// The key of the position evaluated last, and its evaluation: where the horizon search would end, it asks for the
    /// evaluation before quiescence does.
    last: Option<(u64, i32)>,
}

impl Classical {
    /// An evaluator with an empty cache.
    pub fn new() -> Classical {
        prepare();
        Classical { pawns: PawnCache::new(), placements: Placements::new(), last: None }
    }

    /// Begins a path at this position.
    pub fn begin(&mut self, position: &Position) {
        self.placements.begin(position);
    }

    /// Follows a move, or a null move, to the position after it.
    pub fn enter(&mut self, m: Option<Move>, child: &Position) {
        self.placements.enter(m, child);
    }

    /// Undoes the last move.
    pub fn leave(&mut self) {
        self.placements.leave();
    }

    /// The static evaluation from the side to move's view, in centipawns, within [`MAX_EVAL`].
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        if let Some((key, total)) = self.last
            && key == position.key()
        {
            return total;
        }
        let total = self.assess(position).total(position);
        self.last = Some((position.key(), total));
        total
    }

    /// The evaluation before scaling, which would give 0 for most dead positions.
    pub fn evaluate_drawn(&mut self, position: &Position) -> i32 {
        let unscaled = self.assess(position).unscaled;
        position.turn().fold_wb(unscaled, -unscaled)
    }

    fn assess(&mut self, position: &Position) -> Assessment {
        let placement = self.placements.of(position);
        assess(&IN_PLAY, position, placement, self.pawns.probe(&IN_PLAY, position), &mut NoTrace)
    }
}

/// The static evaluation from the side to move's view, in centipawns, within [`MAX_EVAL`]; stateless.
pub fn evaluate(position: &Position) -> i32 {
    let mut entry = PawnEntry::new(&IN_PLAY, position);
    assess(&IN_PLAY, position, Placement::new(position.board()), &mut entry, &mut NoTrace).total(position)
}

/// The evaluation of a position, term by term.
pub fn trace(position: &Position) -> Trace {
    trace_with(&IN_PLAY, position)
}

/// The evaluation with other weights, term by term, for tuning.
pub fn trace_with(weights: &Weights, position: &Position) -> Trace {
    let mut recorder = Recorder::default();
    let mut entry = PawnEntry::new(weights, position);
    let placement = Placement::new(position.board());
    let assessment = assess(weights, position, placement, &mut entry, &mut recorder);
    Trace {
        terms: recorder.into_terms(),
        sum: assessment.sum,
        phase: assessment.phase,
        scale: assessment.scale,
        white_total: assessment.white,
        total: assessment.total(position),
    }
}

/// The result of an evaluation.
struct Assessment {
    sum: Tapered,
    phase: i32,
    scale: i32,
    /// Final value from White's view.
    white: i32,
    /// The same before scaling: who would be better if the position could be won.
    unscaled: i32,
}

impl Assessment {
    /// Final value from the side to move's view.
    fn total(&self, position: &Position) -> i32 {
        position.turn().fold_wb(self.white, -self.white)
    }
}

/// The evaluation itself: every term for both sides, mixed and scaled.
fn assess<T: Tracer>(
    weights: &Weights,
    position: &Position,
    kept: Placement,
    pawns: &mut PawnEntry,
    tracer: &mut T,
) -> Assessment {
    let sum = if T::RECORDS { Tapered::ZERO } else { kept.sum };
    let mut tally = Tally { sum, tracer };
    if T::RECORDS {
        placement::<White, T>(weights, position, &mut tally);
        placement::<Black, T>(weights, position, &mut tally);
    }
    let mut maps = Maps::new(weights, position);
    let white_shelter = pawns.shelter::<White>(weights, maps.board, maps.of::<White>().king);
    let black_shelter = pawns.shelter::<Black>(weights, maps.board, maps.of::<Black>().king);
    // The pieces of both sides first: the other terms need complete attack maps.
    pieces::score::<White, T>(&mut maps, pawns, &mut tally);
    pieces::score::<Black, T>(&mut maps, pawns, &mut tally);
    terms::<White, T>(&maps, pawns, white_shelter, &mut tally);
    terms::<Black, T>(&maps, pawns, black_shelter, &mut tally);
    match position.turn() {
        Color::White => tally.post::<White>(Term::Tempo, weights.tempo),
        Color::Black => tally.post::<Black>(Term::Tempo, weights.tempo),
    }
    let phase = kept.phase.clamp(0, MAX_PHASE);
    let mixed = tally.sum.mix(phase, MAX_PHASE);
    let scale = endgame::scale(&maps, pawns, mixed);
    let white = (mixed * scale / FULL_SCALE).clamp(-MAX_EVAL, MAX_EVAL);
    Assessment { sum: tally.sum, phase, scale, white, unscaled: mixed.clamp(-MAX_EVAL, MAX_EVAL) }
}

/// The terms of one side that need complete attack maps.
fn terms<S: Side, T: Tracer>(maps: &Maps, pawns: &PawnEntry, shelter: Tapered, tally: &mut Tally<T>) {
    tally.post::<S>(Term::Pawns, pawns.score::<S>());
    tally.post::<S>(Term::KingShelter, shelter);
    tally.post::<S>(Term::KingDanger, king::danger::<S>(maps, shelter));
    tally.post::<S>(Term::Threats, threats::score::<S>(maps));
    tally.post::<S>(Term::Space, space::score::<S>(maps));
    tally.post::<S>(Term::PassedPawns, passed::score::<S>(maps, pawns));
    tally.post::<S>(Term::BareKing, endgame::bare_king::<S>(maps));
}

/// Material and placement of one side, which the incremental sum does not separate.
fn placement<S: Side, T: Tracer>(weights: &Weights, position: &Position, tally: &mut Tally<T>) {
    let board = position.board();
    for square in board.by_color(S::COLOR) {
        if let Some(role) = board.role_at(square) {
            tally.post::<S>(Term::Material, weights.material[role_number(role)]);
            tally.post::<S>(Term::Placement, weights.squares[role_number(role)][S::seen(square).to_usize()]);
        }
    }
}
