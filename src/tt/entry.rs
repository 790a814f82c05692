//! One entry of the table and its 16-byte form.
//!
//! | word | bits | field |
//! |---|---|---|
//! | 0 | 0-15 | move |
//! | 0 | 16-47 | score, both parts |
//! | 0 | 48-63 | static evaluation |
//! | 1 | 0-7 | depth after cash-in |
//! | 1 | 8-9 | bound |
//! | 1 | 10 | was a PV node |
//! | 1 | 11-15 | age |
//! | 1 | 16-21 | credit of the move, in sixteenths |
//! | 1 | 22-27 | account of the side to move, in sixteenths |
//! | 1 | 28-33 | account of the other side, in sixteenths |
//! | 1 | 34-37 | what earned the credit, by the mechanism's number in the layer above |
//! | 1 | 38-63 | check code over key, word 0 and the rest of word 1 |

use crate::board::PackedMove;
use crate::score::{Score, Window};
use crate::units::{Credit, Depth, GOLDEN_RATIO};

/// What an entry's score says about the true score.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Bound {
    /// Nothing: the entry only keeps a move, credit or evaluation.
    None,
    /// The true score is at most this.
    Upper,
    /// The true score is at least this.
    Lower,
    /// The true score is this.
    Exact,
}

impl Bound {
    const ALL: [Bound; 4] = [Bound::None, Bound::Upper, Bound::Lower, Bound::Exact];

    /// The bound of a node's best score in a search between alpha and beta.
    pub fn of(best: Score, alpha: Score, beta: Score) -> Bound {
        if best >= beta {
            Bound::Lower
        } else if best > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }

    /// Whether a score with this bound gives a cutoff in this window.
    pub fn decides(self, score: Score, window: Window) -> bool {
        match self {
            Bound::Exact => true,
            Bound::Lower => score >= window.beta,
            Bound::Upper => score <= window.alpha,
            Bound::None => false,
        }
    }

    /// Whether the true score, bounded by `score`, cannot be `guess`; an exact one replaces every guess.
    pub fn excludes(self, score: Score, guess: Score) -> bool {
        match self {
            Bound::Exact => true,
            Bound::Lower => score > guess,
            Bound::Upper => score < guess,
            Bound::None => false,
        }
    }

    /// Whether the true score is known to be at least the entry's.
    pub const fn is_lower(self) -> bool {
        matches!(self, Bound::Lower | Bound::Exact)
    }
}

/// The table's information about a position.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The best or refuting move.
    pub best_move: PackedMove,
    /// The score with both parts; distances count from this node.
    pub score: Score,
    /// Static evaluation in centipawns for the side to move, if it was computed.
    pub static_eval: Option<i32>,
    /// Depth after cash-in in plies, counted to quiescence: including the horizon search. 0 and below for quiescence;
    /// below all of those if the position was only evaluated.
    pub depth: Depth,
    /// The kind of bound.
    pub bound: Bound,
    /// Whether the node was part of a principal variation.
    pub was_pv: bool,
    /// The credit that the move earned.
    pub credit: Credit,
    /// What earned the credit: a number of the layer above, 1 to 15; 0 if there is none.
    pub credit_source: u8,
    /// The account of the side to move, after cash-in.
    pub mine: Credit,
    /// The account of the other side, after cash-in.
    pub his: Credit,
}

impl Entry {
    /// An empty entry, with empty accounts and no credit, to be filled in.
    pub const EMPTY: Entry = Entry {
        best_move: PackedMove::NONE,
        score: Score::ZERO,
        static_eval: None,
        depth: 0,
        bound: Bound::None,
        was_pv: false,
        credit: Credit::NONE,
        credit_source: 0,
        mine: Credit::NONE,
        his: Credit::NONE,
    };

    /// An entry of a position that was evaluated, but not searched so that a result could be stored.
    pub const fn evaluated(static_eval: i32) -> Entry {
        Entry { static_eval: Some(static_eval), depth: UNSEARCHED, ..Entry::EMPTY }
    }

    /// Whether the position was only evaluated.
    pub(super) const fn is_unsearched(&self) -> bool {
        self.depth == UNSEARCHED
    }
}

/// The depth of an entry that has nothing but an evaluation: quiescence has at least -8.
const UNSEARCHED: Depth = -9;

/// Stands for "no static evaluation"; no evaluation is that low.
const NO_EVAL: i16 = i16::MIN;
/// The largest credit that fits: 6 bits of sixteenths. Larger amounts are stored as this, on the safe side.
const MAX_CREDIT: i16 = 63;
/// Bits of word 1 below the check code.
pub(super) const META_BITS: u32 = 38;
const SOURCE_MASK: u64 = 0xf;
const AGE_SHIFT: u32 = 11;
const AGE_MASK: u64 = 0x1f;
/// Number of distinct ages.
pub(super) const AGES: u8 = 32;

/// A credit field: clamped, never negative.
fn credit_bits(credit: Credit) -> u64 {
    credit.to_sixteenths().clamp(0, MAX_CREDIT) as u64
}

/// The credit field that starts at `shift`.
fn credit_field(word: u64, shift: u32) -> Credit {
    Credit::sixteenths((word >> shift & MAX_CREDIT as u64) as i16)
}

/// A 26-bit code over the key and all the entry's bits.
fn check_code(key: u64, word0: u64, meta: u64) -> u64 {
    let mixed = (key ^ word0).wrapping_mul(GOLDEN_RATIO);
    ((mixed ^ mixed >> 32 ^ meta).wrapping_mul(GOLDEN_RATIO)) >> META_BITS
}

/// An entry in its stored form.
#[derive(Copy, Clone, Debug)]
pub(super) struct Packed {
    pub word0: u64,
    pub word1: u64,
}

impl Packed {
    /// Packs an entry of the position with `key`.
    pub fn new(key: u64, entry: &Entry, age: u8) -> Packed {
        let eval =
            entry.static_eval.map_or(NO_EVAL, |eval| eval.clamp(-i32::from(i16::MAX), i32::from(i16::MAX)) as i16);
        let word0 = u64::from(entry.best_move.to_bits())
            | u64::from(entry.score.to_bits() as u32) << 16
            | u64::from(eval as u16) << 48;
        let depth = entry.depth.clamp(i32::from(i8::MIN), i32::from(i8::MAX)) as i8;
        let meta = u64::from(depth as u8)
            | (entry.bound as u64) << 8
            | u64::from(entry.was_pv) << 10
            | (u64::from(age) & AGE_MASK) << AGE_SHIFT
            | credit_bits(entry.credit) << 16
            | credit_bits(entry.mine) << 22
            | credit_bits(entry.his) << 28
            | (u64::from(entry.credit_source) & SOURCE_MASK) << 34;
        Packed { word0, word1: meta | check_code(key, word0, meta) << META_BITS }
    }

    /// The bits of word 1 that are not the check code.
    fn meta(self) -> u64 {
        self.word1 & ((1 << META_BITS) - 1)
    }

    /// Whether this is an intact entry of the position with `key`.
    pub fn matches(self, key: u64) -> bool {
        self.word1 >> META_BITS == check_code(key, self.word0, self.meta())
    }

    /// Whether nothing was ever stored here.
    pub fn is_empty(self) -> bool {
        self.word0 == 0 && self.word1 == 0
    }

    /// Depth after cash-in.
    pub fn depth(self) -> Depth {
        Depth::from(self.word1 as u8 as i8)
    }

    /// The kind of bound.
    pub fn bound(self) -> Bound {
        Bound::ALL[(self.word1 >> 8 & 3) as usize]
    }

    /// The search that stored it.
    pub fn age(self) -> u8 {
        (self.word1 >> AGE_SHIFT & AGE_MASK) as u8
    }

    /// The move's bits.
    pub fn best_move(self) -> PackedMove {
        PackedMove::from_bits(self.word0 as u16)
    }

    /// Unpacks the entry.
    pub fn entry(self) -> Entry {
        let eval = (self.word0 >> 48) as u16 as i16;
        Entry {
            best_move: self.best_move(),
            score: Score::from_bits((self.word0 >> 16) as u32 as i32),
            static_eval: (eval != NO_EVAL).then_some(i32::from(eval)),
            depth: self.depth(),
            bound: self.bound(),
            was_pv: self.word1 >> 10 & 1 == 1,
            credit: credit_field(self.word1, 16),
            credit_source: (self.word1 >> 34 & SOURCE_MASK) as u8,
            mine: credit_field(self.word1, 22),
            his: credit_field(self.word1, 28),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    prop_compose! {
        fn entries()(bits in any::<u16>(), score in any::<i32>(), eval in proptest::option::of(-20_000i32..20_000),
                     depth in -20i32..120, bound in 0usize..4, was_pv in any::<bool>(),
                     credit in 0i16..64, credit_source in 0u8..16, mine in 0i16..64, his in 0i16..64) -> Entry {
            Entry {
                best_move: PackedMove::from_bits(bits), score: Score::from_bits(score), static_eval: eval, depth,
                bound: Bound::ALL[bound], was_pv, credit_source, credit: Credit::sixteenths(credit), mine: Credit::sixteenths(mine),
                his: Credit::sixteenths(his),
            }
        }
    }

    proptest! {
        #[test]
        fn entries_round_trip(key in any::<u64>(), entry in entries(), age in 0u8..32) {
            let packed = Packed::new(key, &entry, age);
            prop_assert!(packed.matches(key));
            prop_assert_eq!(packed.entry(), entry);
            prop_assert_eq!(packed.age(), age);
        }

        #[test]
        fn torn_entries_and_other_keys_are_misses(key in any::<u64>(), other in any::<u64>(), a in entries(), b in entries()) {
            prop_assume!(key != other && a != b);
            let (first, second) = (Packed::new(key, &a, 1), Packed::new(key, &b, 1));
            prop_assert!(!first.matches(other));
            if first.word0 != second.word0 {
                let torn = Packed { word0: first.word0, word1: second.word1 };
                prop_assert!(!torn.matches(key));
            }
        }
    }

    #[test]
    fn a_bound_excludes_what_lies_beyond_it_and_an_exact_score_is_no_guess() {
        let excluded = |bound: Bound| [4, 5, 6].map(|guess| bound.excludes(Score::cp(5), Score::cp(guess)));
        assert_eq!(excluded(Bound::Lower), [true, false, false]);
        assert_eq!(excluded(Bound::Upper), [false, false, true]);
        assert_eq!((excluded(Bound::Exact), excluded(Bound::None)), ([true; 3], [false; 3]));
    }
}
