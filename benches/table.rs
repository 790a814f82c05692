//! Probing and storing in a transposition table much larger than the processor's caches.

use criterion::{Criterion, Throughput};
use pacioli::board::PackedMove;
use pacioli::score::Score;
use pacioli::tt::{Bound, Entry, Table};
use pacioli::units::Credit;

const MEGABYTES: usize = 256;
/// Keys in a round: 16 MB of entries spread over the table.
const KEYS: u64 = 1 << 20;

/// Well distributed keys; different seeds give different ones.
fn keys(seed: u64) -> impl Iterator<Item = u64> {
    (1..=KEYS).map(move |n| (n ^ seed << 32).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

fn entry(depth: i32) -> Entry {
    Entry {
        best_move: PackedMove::from_bits(0x1234),
        score: Score::cp(17),
        static_eval: Some(12),
        depth,
        bound: Bound::Lower,
        was_pv: false,
        credit: Credit::sixteenths(20),
        credit_source: 0,
        mine: Credit::sixteenths(8),
        his: Credit::sixteenths(24),
    }
}

pub fn table(criterion: &mut Criterion) {
    let (table, error) = Table::new(MEGABYTES);
    if let Some(error) = error {
        eprintln!("{error}");
    }
    let store = || keys(0).for_each(|key| table.store(key, entry((key % 20) as i32), 3));
    // What is to be found is there even if only some of these run.
    store();
    assert!(keys(0).any(|key| table.probe(key, 3).is_some()), "nothing is found");
    let mut group = criterion.benchmark_group("table");
    group.throughput(Throughput::Elements(KEYS));
    group.bench_function("store", |bencher| bencher.iter(store));
    group.bench_function("probe, hit", |bencher| {
        bencher.iter(|| keys(0).filter(|&key| table.probe(key, 3).is_some()).count());
    });
    group.bench_function("probe, miss", |bencher| {
        bencher.iter(|| keys(1).filter(|&key| table.probe(key, 3).is_some()).count());
    });
    group.finish();
}
