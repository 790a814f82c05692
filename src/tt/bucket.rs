//! A bucket: the entries that share a place, and how threads share them.
//!
//! # Why no thread sees what no thread wrote
//!
//! An entry is two words of 64 bits. Each is atomic, so that no read of a word sees a part of a write, and no two
//! accesses are a data race. That is all that is asked of the memory: every access is relaxed, which orders nothing
//! between the words.
//!
//! So a reader may see the first word of one write and the second of another. The second carries a code of 26 bits over
//! the key and everything else in both words. A pair that was not written together, or for another key, has the wrong
//! code, but for one in 2^26, and reads as a miss: what is found was stored as a whole, for this key. It may be old; in
//! a table of bounds that is no harm. Where the code deceives, the entry is another position's, as happens to any table
//! with short keys: the search takes its move only where that is legal, and its score may be wrong.
//!
//! Nor does anything follow from the order in which different entries become visible: an entry points to no other, and
//! nothing outside the table is handed over through it. What a search learns by other ways (its root, the stop, the end
//! of a thread) is synchronised there.
//!
//! [`keep`] reads a bucket, decides, and writes. Between, another thread may write there. Then one of the two is lost:
//! a search forgets what it found, or has one position in two entries, of which the first answers. The credit that law
//! 5 keeps can be lost so, too, with several threads; it is earned again when the move is.
//!
//! The model below runs these functions in every interleaving of two threads that write and one that reads, and lets
//! each read see every earlier store that a relaxed one may; `docs/reliability.md` says how. It has no stores that
//! overtake earlier loads of their thread; the argument above needs no order of the two.

use std::sync::atomic::{AtomicU64, Ordering};

use super::entry::{AGES, Bound, Entry, Packed};
use crate::board::PackedMove;

/// Entries in a bucket.
pub(super) const WAYS: usize = 4;
/// How many plies of depth one search of age is worth in replacement.
const AGE_WEIGHT: i32 = 4;

/// One of the two words of an entry.
pub(super) trait Word {
    /// What stands there.
    fn get(&self) -> u64;

    /// Puts this there.
    fn set(&self, value: u64);
}

impl Word for AtomicU64 {
    #[inline]
    fn get(&self) -> u64 {
        self.load(Ordering::Relaxed)
    }

    #[inline]
    fn set(&self, value: u64) {
        self.store(value, Ordering::Relaxed);
    }
}

/// What stands in a slot, whole or not.
#[inline]
pub(super) fn load<W: Word>(slot: &[W; 2]) -> Packed {
    Packed { word0: slot[0].get(), word1: slot[1].get() }
}

#[inline]
fn store<W: Word>(slot: &[W; 2], packed: Packed) {
    slot[0].set(packed.word0);
    slot[1].set(packed.word1);
}

/// The entry of a key.
#[inline]
pub(super) fn find<W: Word>(bucket: &[[W; 2]], key: u64) -> Option<Entry> {
    let packed = bucket.iter().map(load).find(|packed| packed.matches(key))?;
    (!packed.is_empty()).then(|| packed.entry())
}

/// Keeps an entry in the bucket of its key, in place of the one that is worth least.
///
/// An entry of the same position gives way unless it is much deeper. A move once known is not forgotten, and what it
/// once earned is not lessened while it is the entry's move (law 5, "preserve the envelope"). A position that was only
/// evaluated takes the place of nothing that is worth more.
#[inline]
pub(super) fn keep<W: Word>(bucket: &[[W; 2]], key: u64, mut entry: Entry, age: u8) {
    let worth = |packed: Packed| {
        let searches_ago = i32::from((age + AGES - packed.age()) % AGES);
        if packed.is_empty() { i32::MIN } else { packed.depth() - AGE_WEIGHT * searches_ago }
    };
    let mut victim = &bucket[0];
    let mut victim_worth = i32::MAX;
    for slot in bucket {
        let packed = load(slot);
        if !packed.is_empty() && packed.matches(key) {
            let mut old = packed.entry();
            if outweighs(packed, &entry, age) {
                if raise_credit(&mut old, &entry) {
                    store(slot, Packed::new(key, &old, packed.age()));
                }
                return;
            }
            if entry.best_move == PackedMove::NONE {
                entry.best_move = old.best_move;
            }
            raise_credit(&mut entry, &old);
            victim = slot;
            break;
        }
        if worth(packed) < victim_worth {
            victim_worth = worth(packed);
            victim = slot;
        }
    }
    if !entry.is_unsearched() || victim_worth <= entry.depth {
        store(victim, Packed::new(key, &entry, age));
    }
}

/// Gives an entry the credit of another of the same position, where that has the same move and more credit; whether it
/// did.
fn raise_credit(entry: &mut Entry, other: &Entry) -> bool {
    let rises = entry.best_move == other.best_move && other.credit > entry.credit;
    if rises {
        entry.credit = other.credit;
        entry.credit_source = other.credit_source;
    }
    rises
}

/// Whether the stored entry of a position is worth more than a new one: same search, deeper by several plies, and
/// the new one not exact; or the new one has only an evaluation.
fn outweighs(old: Packed, new: &Entry, age: u8) -> bool {
    const DEPTH_EDGE: i32 = 4;
    new.is_unsearched() || old.age() == age && new.bound != Bound::Exact && old.depth() > new.depth + DEPTH_EDGE
}

/// The functions above under loom, which tries every interleaving, and for a relaxed read every earlier store that it
/// may see: `RUSTFLAGS="--cfg loom" cargo test --lib tt::bucket`.
#[cfg(all(test, loom))]
mod model {
    use super::*;
    use crate::score::Score;
    use crate::units::Credit;
    use loom::sync::Arc;
    use loom::thread;

    impl Word for loom::sync::atomic::AtomicU64 {
        fn get(&self) -> u64 {
            self.load(Ordering::Relaxed)
        }

        fn set(&self, value: u64) {
            self.store(value, Ordering::Relaxed);
        }
    }

    type Slot = [loom::sync::atomic::AtomicU64; 2];

    fn entry(number: u16) -> Entry {
        Entry {
            best_move: PackedMove::from_bits(number),
            score: Score::cp(i32::from(number)),
            depth: i32::from(number),
            bound: Bound::Lower,
            static_eval: Some(i32::from(number) + 7),
            credit: Credit::sixteenths(number as i16),
            ..Entry::EMPTY
        }
    }

    /// Threads that each store an entry, `(key, number)`, in a bucket of so many slots, while this one looks for some
    /// of the keys: whatever is found was stored for its key, or stood there before.
    fn check<const SLOTS: usize>(before: Option<(u64, u16)>, stores: &'static [(u64, u16)]) {
        loom::model(move || {
            let bucket: Arc<[Slot; SLOTS]> = Arc::new(std::array::from_fn(|_| Slot::default()));
            let written: Vec<(u64, u16)> = before.iter().chain(stores).copied().collect();
            if let Some((key, number)) = before {
                keep(&bucket[..], key, entry(number), 0);
            }
            let writers: Vec<_> = stores
                .iter()
                .map(|&(key, number)| {
                    let bucket = bucket.clone();
                    thread::spawn(move || keep(&bucket[..], key, entry(number), 0))
                })
                .collect();
            let sound = |key: u64| {
                let found = find(&bucket[..], key);
                let is_known = |found: &Entry| written.iter().any(|&(k, n)| k == key && entry(n) == *found);
                assert!(found.as_ref().is_none_or(is_known), "{key}: {found:?}");
            };
            stores.iter().for_each(|&(key, _)| sound(key));
            writers.into_iter().for_each(|writer| writer.join().unwrap());
            written.iter().for_each(|&(key, _)| sound(key));
        });
    }

    /// The model can show what the check in each slot is for: halves of two writes do come together.
    #[test]
    #[should_panic(expected = "mixed")]
    fn halves_of_two_writes_can_meet_in_a_slot() {
        loom::model(|| {
            let slot: Arc<Slot> = Arc::new(Slot::default());
            let writers = [1, 2].map(|number| {
                let slot = slot.clone();
                thread::spawn(move || store(&slot, Packed::new(5, &entry(number), 0)))
            });
            let packed = load(&slot);
            assert!(packed.is_empty() || packed.matches(5), "mixed");
            writers.into_iter().for_each(|writer| writer.join().unwrap());
        });
    }

    #[test]
    fn two_writers_of_one_position_are_never_mixed() {
        check::<1>(None, &[(5, 1), (5, 2)]);
    }

    #[test]
    fn two_positions_in_one_slot_are_never_mixed() {
        check::<1>(None, &[(5, 1), (6, 2)]);
    }

    #[test]
    fn what_stood_there_before_is_never_mixed_with_what_comes() {
        check::<1>(Some((5, 3)), &[(6, 1)]);
        check::<1>(Some((5, 3)), &[(5, 9)]);
    }

    #[test]
    fn two_writers_in_a_bucket_of_two() {
        check::<2>(None, &[(5, 1), (6, 2)]);
    }
}
