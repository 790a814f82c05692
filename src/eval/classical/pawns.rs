//! Pawn structure, and its cache.
//!
//! Few moves change the structure, so its score, the passed pawns and the squares that pawns may ever attack are cached
//! under the pawn key; the shelter of each king is cached with them for the square the king was last seen on. The
//! definitions are the usual ones (Chess Programming Wiki, "Pawn Structure").

use super::geometry::{Black, Side, White, beside, count, file_fill, pawn_attacks};
use super::king;
use crate::board::{Bitboard, Board, Position, Square};
use crate::params::weights::Weights;
use crate::units::Tapered;

/// Entries in the cache: a quarter of a megabyte, so that it does not evict the attack tables from a core's cache.
const ENTRIES: usize = 1 << 12;

const _: () = assert!(size_of::<PawnEntry>() == 64);

/// A pair of weights that pawns alone give, middlegame and endgame: so small that an entry fits into a line of the
/// processor's cache.
#[derive(Copy, Clone, Default)]
struct Small(i16, i16);

impl From<Tapered> for Small {
    fn from(pair: Tapered) -> Small {
        Small(pair.mg() as i16, pair.eg() as i16)
    }
}

impl From<Small> for Tapered {
    fn from(Small(mg, eg): Small) -> Tapered {
        Tapered::new(mg.into(), eg.into())
    }
}

/// What is known of a pawn structure. Arrays are indexed by colour.
#[derive(Copy, Clone, Default)]
#[repr(align(64))]
pub(super) struct PawnEntry {
    key: u64,
    /// Score of the structure, in favour of each side.
    scores: [Small; 2],
    /// Passed pawns.
    pub(super) passed: [Bitboard; 2],
    /// Squares that each side's pawns attack or may come to attack by advancing.
    pub(super) spans: [Bitboard; 2],
    shelters: [Small; 2],
    shelter_kings: [Option<Square>; 2],
}

impl PawnEntry {
    /// Everything about the pawns of a position.
    pub(super) fn new(weights: &Weights, position: &Position) -> PawnEntry {
        let board = position.board();
        let pawns = [board.black() & board.pawns(), board.white() & board.pawns()];
        let mut entry = PawnEntry { key: position.state().pawn_key, ..PawnEntry::default() };
        entry.fill::<Black>(weights, pawns);
        entry.fill::<White>(weights, pawns);
        entry
    }

    /// Fills in one side's part.
    fn fill<S: Side>(&mut self, weights: &Weights, pawns: [Bitboard; 2]) {
        let (ours, theirs) = (pawns[S::INDEX], pawns[S::Enemy::INDEX]);
        let structure = Structure::new::<S>(ours, theirs);
        self.scores[S::INDEX] = structure.score::<S>(weights).into();
        self.passed[S::INDEX] = structure.passed;
        self.spans[S::INDEX] = structure.span;
    }

    /// The shelter of a side's king, recomputed if the king was elsewhere.
    pub(super) fn shelter<S: Side>(&mut self, weights: &Weights, board: &Board, king: Square) -> Tapered {
        if self.shelter_kings[S::INDEX] != Some(king) {
            self.shelter_kings[S::INDEX] = Some(king);
            self.shelters[S::INDEX] = king::shelter::<S>(weights, board, king).into();
        }
        self.shelters[S::INDEX].into()
    }

    /// The score of a side's structure.
    pub(super) fn score<S: Side>(&self) -> Tapered {
        self.scores[S::INDEX].into()
    }
}

/// One side's pawns by type.
struct Structure {
    isolated: Bitboard,
    doubled: Bitboard,
    backward: Bitboard,
    unopposed: Bitboard,
    phalanx: Bitboard,
    protected: Bitboard,
    passed: Bitboard,
    candidates: Bitboard,
    span: Bitboard,
}

impl Structure {
    fn new<S: Side>(ours: Bitboard, theirs: Bitboard) -> Structure {
        let attacks = pawn_attacks::<S>(ours);
        let their_attacks = pawn_attacks::<S::Enemy>(theirs);
        let span = S::front_fill(attacks);
        let their_span = S::Enemy::front_fill(their_attacks);
        // From the enemy's side, the squares "in front of" a set are those behind it from ours.
        let behind_ours = S::Enemy::front_fill(S::Enemy::forward(ours));
        let behind_theirs = S::Enemy::front_fill(S::Enemy::forward(theirs));
        let isolated = ours & !beside(file_fill(ours));
        let passed = ours & !(behind_theirs | their_span | behind_ours);
        let hopeful = ours & !(behind_theirs | behind_ours | passed);
        let stoppable = S::Enemy::forward(S::forward(ours) & their_attacks & !span);
        Structure {
            isolated,
            doubled: ours & behind_ours,
            backward: stoppable & !isolated,
            unopposed: ours & !behind_theirs,
            phalanx: ours & beside(ours),
            protected: ours & attacks,
            passed,
            candidates: hopeful.into_iter().filter(|&square| can_pass::<S>(ours, theirs, square)).collect(),
            span,
        }
    }

    fn score<S: Side>(&self, weights: &Weights) -> Tapered {
        let weak = (self.isolated | self.backward) & self.unopposed;
        let mut score = weights.isolated * count(self.isolated)
            + weights.doubled * count(self.doubled)
            + weights.backward * count(self.backward)
            + weights.weak_unopposed * count(weak);
        score += self.candidates.into_iter().map(|square| weights.candidate[S::rank(square)]).sum();
        score += self.phalanx.into_iter().map(|square| weights.phalanx[S::rank(square)]).sum();
        score += self.protected.into_iter().map(|square| weights.protected_pawn[S::rank(square)]).sum();
        score
    }
}

/// Whether at least as many own pawns next to or behind this one can support its advance as enemy pawns can stop it.
fn can_pass<S: Side>(ours: Bitboard, theirs: Bitboard, square: Square) -> bool {
    let pawn = Bitboard::from_square(square);
    let stoppers = theirs & beside(S::front_fill(S::forward(pawn)));
    let helpers = ours & beside(S::Enemy::front_fill(pawn));
    count(stoppers) <= count(helpers)
}

/// A cache of pawn structures, always replaced.
pub(super) struct PawnCache {
    entries: Vec<PawnEntry>,
}

impl PawnCache {
    /// An empty cache. An empty entry is correct for the key of a board without pawns.
    pub(super) fn new() -> PawnCache {
        PawnCache { entries: vec![PawnEntry::default(); ENTRIES] }
    }

    /// The entry of a position's pawns.
    pub(super) fn probe(&mut self, weights: &Weights, position: &Position) -> &mut PawnEntry {
        let key = position.state().pawn_key;
        let entry = &mut self.entries[key as usize & (ENTRIES - 1)];
        if entry.key != key {
            *entry = PawnEntry::new(weights, position);
        }
        entry
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(squares: &[Square]) -> Bitboard {
        squares.iter().fold(Bitboard::EMPTY, |set, &square| set.with(square))
    }

    fn white(ours: &[Square], theirs: &[Square]) -> Structure {
        Structure::new::<White>(set(ours), set(theirs))
    }

    #[test]
    fn passed_pawns_have_no_enemy_pawn_before_or_beside_their_path() {
        let passed = |ours: &[Square], theirs: &[Square]| white(ours, theirs).passed;
        assert_eq!(passed(&[Square::E5], &[]), set(&[Square::E5]));
        assert_eq!(passed(&[Square::E5], &[Square::E7]), Bitboard::EMPTY);
        assert_eq!(passed(&[Square::E5], &[Square::D7]), Bitboard::EMPTY);
        assert_eq!(passed(&[Square::E5], &[Square::D5, Square::F4, Square::C7]), set(&[Square::E5]));
        // Only the front one of doubled pawns counts as passed.
        assert_eq!(passed(&[Square::E5, Square::E3], &[]), set(&[Square::E5]));
    }

    #[test]
    fn candidates_have_help_enough() {
        let candidates = |ours: &[Square], theirs: &[Square]| white(ours, theirs).candidates;
        assert_eq!(candidates(&[Square::E4, Square::D4], &[Square::D6]), set(&[Square::E4]));
        assert_eq!(candidates(&[Square::E4], &[Square::D6]), Bitboard::EMPTY);
        assert_eq!(candidates(&[Square::E4, Square::D4], &[Square::D6, Square::F6]), Bitboard::EMPTY);
        // A passed pawn is no longer a candidate, and one blocked by an enemy pawn never is.
        assert_eq!(candidates(&[Square::E4, Square::D4], &[Square::D5, Square::E6]), Bitboard::EMPTY);
    }

    #[test]
    fn isolated_doubled_and_opposed_pawns_are_told_apart() {
        let structure = white(&[Square::A2, Square::A4, Square::D4, Square::E2], &[Square::D6]);
        assert_eq!(structure.isolated, set(&[Square::A2, Square::A4]));
        assert_eq!(structure.doubled, set(&[Square::A2]));
        assert_eq!(structure.unopposed, set(&[Square::A2, Square::A4, Square::E2]));
    }

    #[test]
    fn backward_pawns_are_left_behind_and_cannot_advance() {
        let backward = |ours: &[Square], theirs: &[Square]| white(ours, theirs).backward;
        assert_eq!(backward(&[Square::D3, Square::E4], &[Square::C5]), set(&[Square::D3]));
        // No pawn defends the next square.
        assert_eq!(backward(&[Square::D3, Square::E4], &[]), Bitboard::EMPTY);
        // A neighbour next to it can support its advance.
        assert_eq!(backward(&[Square::D3, Square::E3], &[Square::C5]), Bitboard::EMPTY);
        // Without neighbours it is isolated instead.
        assert_eq!(backward(&[Square::D3], &[Square::C5]), Bitboard::EMPTY);
    }

    #[test]
    fn phalanx_and_protection() {
        let structure = white(&[Square::D4, Square::E4, Square::F5, Square::A2], &[]);
        assert_eq!(structure.phalanx, set(&[Square::D4, Square::E4]));
        assert_eq!(structure.protected, set(&[Square::F5]));
    }
}
