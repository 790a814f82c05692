//! The table: its size, its memory, and the bucket of each key.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use thiserror::Error;

use super::bucket::{self, WAYS};
use super::entry::{AGES, Bound, Entry};
use crate::files;
use crate::memory::{self, Words};
use crate::room::{self, MEGABYTE};
use crate::score::Score;
use crate::units::Ply;

/// Buckets sampled for the fill estimate.
const HASHFULL_SAMPLE: usize = 250;
/// Bytes of a cache line, and of a bucket.
const LINE: usize = 64;
/// Memory that a table leaves for everything else.
const RESERVE: usize = 16 * MEGABYTE;
/// Entries that one thread clears; smaller tables are not worth a second thread.
const CLEAR_SHARE: usize = 64 * MEGABYTE / size_of::<Words>();

/// The system provides memory when it is first touched, and in the worst case that takes longer than a short search. So
/// the buckets of tables up to this size are touched when they are cleared, before the clock runs; that takes some
/// tenths of a second, and more for larger ones.
const TOUCHED: usize = 1024 * MEGABYTE;
/// The same for tables that are cleared while the clock runs: that takes some milliseconds.
const TOUCHED_IN_TIME: usize = 16 * MEGABYTE;

/// Default size of the table in megabytes.
pub const DEFAULT_MEGABYTES: usize = 16;

/// The entries of a bucket: one cache line.
type Bucket = [Words; WAYS];

const _: () = assert!(size_of::<Bucket>() == LINE);

/// The requested memory is not available; the table has a smaller size instead.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("cannot allocate {wanted} MB for the transposition table; using {got} MB")]
pub struct AllocationError {
    /// Megabytes requested.
    pub wanted: usize,
    /// Megabytes in use.
    pub got: usize,
}

/// A transposition table, shared by reference between threads.
pub struct Table {
    entries: Vec<Words>,
    /// The first entry of the first bucket: the first one aligned to a cache line.
    first: usize,
    /// Number of buckets.
    count: usize,
    age: AtomicU8,
    /// Whether clearing has work to do: something was stored since it was last done, or the memory is new, and little
    /// enough to be touched at once.
    needs_clearing: AtomicBool,
}

/// A table of `megabytes`, or `None` if they are not available with some to spare.
fn allocate(megabytes: usize) -> Option<Table> {
    let bytes = megabytes.checked_mul(MEGABYTE)?;
    if available_megabytes().is_some_and(|available| megabytes > available) {
        return None;
    }
    let count = bytes / size_of::<Bucket>();
    // Enough extra entries to reach a cache line boundary.
    let mut entries = memory::zeroed(count * WAYS + WAYS - 1)?;
    if !room::has(RESERVE) {
        return None;
    }
    memory::advise_large_pages(&mut entries);
    let first = entries.as_ptr().cast::<u8>().align_offset(LINE) / size_of::<Words>();
    // Memory aligned for words only leaves buckets across two lines: slower, not wrong.
    let first = first.min(WAYS - 1);
    let needs_clearing = AtomicBool::new(bytes <= TOUCHED);
    Some(Table { entries, first, count, age: AtomicU8::new(0), needs_clearing })
}

/// The largest size that the machine has free, in megabytes, if the system reports it. Reserving more can succeed and
/// kill the process when the pages are touched.
fn available_megabytes() -> Option<usize> {
    let text = files::read_text(Path::new("/proc/meminfo"), files::TEXT_LIMIT).ok()?;
    let line = text.lines().find(|line| line.starts_with("MemAvailable:"))?;
    let kilobytes: usize = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 1024)
}

impl Table {
    /// A table of this many megabytes, available at once: the system clears its pages when they are first used.
    ///
    /// If the memory is not available, the table has [`DEFAULT_MEGABYTES`] instead, repeatedly halved if necessary, and
    /// the error says so; a table is returned in any case.
    pub fn new(megabytes: usize) -> (Table, Option<AllocationError>) {
        let wanted = megabytes.max(1);
        if let Some(table) = allocate(wanted) {
            return (table, None);
        }
        let smaller = std::iter::successors(Some(DEFAULT_MEGABYTES), |megabytes| Some(megabytes / 2));
        let smaller = smaller.take_while(|&megabytes| megabytes > 0).filter(|&megabytes| megabytes < wanted);
        let table = smaller.into_iter().find_map(allocate).unwrap_or_else(Table::least);
        let error = AllocationError { wanted, got: table.megabytes() };
        (table, Some(error))
    }

    /// A table of one bucket: what is left without memory, and where Miri, which looks at all entries whenever one is
    /// asked for, runs longer tests.
    fn least() -> Table {
        let entries = std::iter::repeat_with(Words::default).take(WAYS).collect();
        Table { entries, first: 0, count: 1, age: AtomicU8::new(0), needs_clearing: AtomicBool::new(false) }
    }

    /// Size in megabytes.
    pub fn megabytes(&self) -> usize {
        self.bytes() / MEGABYTE
    }

    fn bytes(&self) -> usize {
        self.count * size_of::<Bucket>()
    }

    /// Clears the table: at once if nothing was stored since it was last cleared, or since a large one was made; a new
    /// one that is not large is touched from end to end. A large table is not touched, but given new memory, if the
    /// system takes the old one back (Linux).
    pub fn clear(&mut self) {
        self.clear_by_touch(TOUCHED);
    }

    /// Clears the table while the clock runs: all but small ones are given new memory.
    pub fn clear_in_time(&mut self) {
        self.clear_by_touch(TOUCHED_IN_TIME);
    }

    /// Clears the table: one of at most so many bytes by touching all of it.
    fn clear_by_touch(&mut self, touched: usize) {
        *self.age.get_mut() = 0;
        if !std::mem::take(self.needs_clearing.get_mut()) {
            return;
        }
        if self.bytes() > touched && memory::renew(&mut self.entries) {
            return;
        }
        let parts = Mutex::new(self.entries.chunks_mut(CLEAR_SHARE));
        let helpers = thread::available_parallelism().map_or(1, usize::from).min(self.count * WAYS / CLEAR_SHARE);
        let work = || {
            loop {
                let part = parts.lock().unwrap_or_else(PoisonError::into_inner).next();
                let Some(part) = part else { return };
                part.fill_with(Words::default);
            }
        };
        thread::scope(|scope| {
            for _ in 1..helpers {
                // If the system cannot start a helper, it is left out.
                let _ = thread::Builder::new().name("clear".to_owned()).spawn_scoped(scope, work);
            }
            work();
        });
    }

    /// Starts a new search: from now on entries of earlier searches are replaced first.
    pub fn new_search(&self) {
        let age = self.age.load(Ordering::Relaxed);
        self.age.store((age + 1) % AGES, Ordering::Relaxed);
    }

    fn buckets(&self) -> &[Bucket] {
        self.entries[self.first..].as_chunks().0
    }

    /// The bucket of a key: the key's upper bits scaled to the number of buckets.
    fn bucket(&self, key: u64) -> &Bucket {
        let index = ((u128::from(key) * self.count as u128) >> 64) as usize;
        &self.buckets()[index]
    }

    /// Prefetches the bucket of a key before a probe.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        memory::prefetch(self.bucket(key));
    }

    /// The entry for the position with this key, with distances counted from the root `ply` plies up.
    pub fn probe(&self, key: u64, ply: Ply) -> Option<Entry> {
        let mut entry = bucket::find(self.bucket(key), key)?;
        entry.score = entry.score.from_table(ply);
        Some(entry)
    }

    /// Stores the result of a search `ply` plies below the root, or only an evaluation.
    ///
    /// The value of a repetition depends on the path and is not stored: such an entry keeps its move and credit only.
    /// An entry of the same position is replaced unless it is much deeper. A known move is not forgotten, and its
    /// credit is not reduced while it is the entry's move (law 5, "preserve the envelope").
    pub fn store(&self, key: u64, mut entry: Entry, ply: Ply) {
        if entry.score.is_repetition() {
            entry.bound = Bound::None;
            entry.score = Score::ZERO;
        }
        entry.score = entry.score.to_table(ply);
        let age = self.age.load(Ordering::Relaxed);
        if !self.needs_clearing.load(Ordering::Relaxed) {
            self.needs_clearing.store(true, Ordering::Relaxed);
        }
        bucket::keep(self.bucket(key), key, entry, age);
    }

    /// How full the table is with entries of the current search, in per mille of a sample.
    pub fn hashfull(&self) -> usize {
        let age = self.age.load(Ordering::Relaxed);
        let sample = &self.buckets()[..self.count.min(HASHFULL_SAMPLE)];
        let used = sample
            .iter()
            .flatten()
            .filter(|slot| {
                let packed = bucket::load(slot);
                !packed.is_empty() && packed.age() == age
            })
            .count();
        used * 1000 / (sample.len() * WAYS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::PackedMove;
    use crate::units::{Credit, GOLDEN_RATIO};
    use proptest::prelude::*;

    fn entry(depth: i32, score: Score) -> Entry {
        Entry {
            best_move: PackedMove::from_bits(0x1234),
            score,
            static_eval: Some(17),
            depth,
            bound: Bound::Exact,
            was_pv: false,
            credit: Credit::sixteenths(20),
            credit_source: 3,
            mine: Credit::sixteenths(8),
            his: Credit::sixteenths(32),
        }
    }

    #[test]
    fn what_is_stored_is_found_with_distances_from_the_root() {
        let (table, error) = Table::new(1);
        assert_eq!((error, table.megabytes()), (None, 1));
        table.store(42, entry(5, Score::mating(9)), 4);
        assert_eq!(table.probe(42, 4), Some(entry(5, Score::mating(9))));
        assert_eq!(table.probe(42, 2).unwrap().score, Score::mating(7));
        assert_eq!(table.probe(43, 4), None);
        // Being mated is as far away.
        table.store(42, entry(5, Score::mated(8)), 4);
        assert_eq!(table.probe(42, 2).unwrap().score, Score::mated(6));
    }

    #[test]
    fn a_repetition_never_enters() {
        let (table, _) = Table::new(1);
        let draw = Score::draw(crate::score::Draw::Repetition { ply: 6, striving: false });
        table.store(7, entry(5, draw), 0);
        let found = table.probe(7, 0).unwrap();
        assert_eq!((found.bound, found.score), (Bound::None, Score::ZERO));
        assert_eq!(found.best_move, PackedMove::from_bits(0x1234));
    }

    #[test]
    fn a_store_without_a_move_keeps_the_old_move_and_its_credit() {
        let (table, _) = Table::new(1);
        table.store(9, entry(5, Score::cp(3)), 0);
        table.store(9, Entry { best_move: PackedMove::NONE, credit: Credit::NONE, ..entry(6, Score::cp(1)) }, 0);
        let found = table.probe(9, 0).unwrap();
        assert_eq!((found.depth, found.best_move), (6, PackedMove::from_bits(0x1234)));
        assert_eq!(found.credit, Credit::sixteenths(20));
    }

    proptest! {
        /// The envelope: as long as the table has a move for a position, it has all the credit that the move was ever
        /// stored with since it became the entry's move.
        #[test]
        fn what_a_move_earned_is_never_lost_while_it_is_the_entrys_move(
            stores in prop::collection::vec((0u16..3, 0i16..64, 1u8..12, -2i32..20, any::<bool>()), 1..40)
        ) {
            let table = Table::least();
            let mut envelope = (PackedMove::NONE, Credit::NONE);
            for (m, credit, credit_source, depth, is_exact) in stores {
                let best_move = PackedMove::from_bits(m);
                let credit = if best_move == PackedMove::NONE { Credit::NONE } else { Credit::sixteenths(credit) };
                let bound = if is_exact { Bound::Exact } else { Bound::Upper };
                table.store(5, Entry { best_move, credit, credit_source, bound, ..entry(depth, Score::cp(1)) }, 0);
                let found = table.probe(5, 0).unwrap();
                let before = if found.best_move == envelope.0 { envelope.1 } else { Credit::NONE };
                let new = if found.best_move == best_move { credit } else { Credit::NONE };
                prop_assert_eq!(found.credit, before.max(new));
                prop_assert!(envelope.0 == PackedMove::NONE || found.best_move != PackedMove::NONE);
                envelope = (found.best_move, found.credit);
            }
        }
    }

    #[test]
    fn what_was_only_evaluated_takes_the_place_of_nothing_worth_more() {
        let (table, _) = Table::new(1);
        let evaluated = Entry::evaluated(9);
        // Of its own position, after it and before it.
        table.store(0, evaluated, 0);
        assert_eq!(table.probe(0, 0), Some(evaluated));
        table.store(0, entry(-8, Score::cp(1)), 0);
        table.new_search();
        table.store(0, evaluated, 0);
        assert_eq!(table.probe(0, 0), Some(entry(-8, Score::cp(1))));
        // Of others in its bucket, unless they are old.
        let (table, _) = Table::new(1);
        (0..4).for_each(|key| table.store(key, entry(-8, Score::cp(1)), 0));
        table.store(100, evaluated, 0);
        assert!((0..4).all(|key| table.probe(key, 0).is_some()) && table.probe(100, 0).is_none());
        table.new_search();
        table.store(100, evaluated, 0);
        assert_eq!(table.probe(100, 0), Some(evaluated));
        // It gives way itself.
        (1..4).for_each(|key| table.store(key, entry(-8, Score::cp(1)), 0));
        table.store(5, entry(-8, Score::cp(1)), 0);
        assert!((1..6).filter(|&key| table.probe(key, 0).is_some()).count() == 4 && table.probe(100, 0).is_none());
    }

    #[test]
    fn old_shallow_entries_give_way_first() {
        // After the last age comes the first.
        for searches in [0, AGES - 1] {
            let (table, _) = Table::new(1);
            (0..searches).for_each(|_| table.new_search());
            // Keys that differ in their low bits share a bucket.
            for key in 0..4 {
                table.store(key, entry(10 + key as i32, Score::cp(1)), 0);
            }
            table.new_search();
            table.store(1, entry(8, Score::cp(2)), 0);
            table.store(100, entry(1, Score::cp(2)), 0);
            assert!(table.probe(0, 0).is_none(), "the shallowest old entry is replaced, {searches}");
            assert!((1..4).all(|key| table.probe(key, 0).is_some()), "{searches}");
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "filling a table takes too long there")]
    fn hashfull_counts_this_search_and_clear_forgets() {
        let (mut table, _) = Table::new(1);
        for key in 0..200_000u64 {
            table.store(key.wrapping_mul(GOLDEN_RATIO), entry(1, Score::cp(1)), 0);
        }
        assert!(table.hashfull() > 900);
        table.new_search();
        assert_eq!(table.hashfull(), 0);
        table.store(1, entry(1, Score::cp(1)), 0);
        assert!(table.probe(1, 0).is_some());
        table.clear();
        assert!(table.probe(1, 0).is_none());
    }

    #[test]
    #[cfg_attr(miri, ignore = "filling a table takes too long there")]
    fn nothing_is_left_after_clearing() {
        // The last one has more parts than threads that clear it.
        let large = 2 * CLEAR_SHARE * size_of::<Words>() / MEGABYTE + 1;
        for (megabytes, in_time) in [(1, true), (TOUCHED_IN_TIME / MEGABYTE + 1, true), (large, false)] {
            let (mut table, _) = Table::new(megabytes);
            let keys = || (0..10_000u64).map(|key| key.wrapping_mul(GOLDEN_RATIO));
            keys().for_each(|key| table.store(key, entry(1, Score::cp(1)), 0));
            if in_time {
                table.clear_in_time()
            } else {
                table.clear()
            }
            assert!(keys().all(|key| table.probe(key, 0).is_none()), "{megabytes} MB");
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "it falls back to a table that is too large there")]
    fn an_impossible_size_falls_back_and_says_so() {
        let (table, error) = Table::new(usize::MAX / MEGABYTE);
        let error = error.expect("no machine has that much");
        assert_eq!(error.got, table.megabytes());
        assert!(error.to_string().contains("cannot allocate"));
        table.store(1, entry(1, Score::cp(1)), 0);
        assert!(table.probe(1, 0).is_some());
    }

    /// Miri takes its time.
    const ROUNDS: i32 = if cfg!(miri) { 200 } else { 50_000 };

    #[test]
    fn threads_that_share_a_table_never_see_a_torn_entry() {
        let table = Table::least();
        std::thread::scope(|scope| {
            for thread in 0..4i32 {
                let table = &table;
                scope.spawn(move || {
                    for round in 0..ROUNDS {
                        let key = (round % 3) as u64;
                        let value = thread * 1000 + round % 1000;
                        table.store(key, Entry { static_eval: Some(value), ..entry(value % 100, Score::cp(value)) }, 0);
                        if let Some(found) = table.probe(key, 0) {
                            assert_eq!(found.static_eval, Some(found.score.main()));
                            assert_eq!(found.depth, found.score.main() % 100);
                        }
                    }
                });
            }
        });
    }
}
