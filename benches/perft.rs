//! Bulk perft with our position, which keeps key and evaluation state, against shakmaty's own, which keeps neither.
//!
//! The difference is the cost of key and state; the goal is at most a tenth.

use criterion::{BenchmarkId, Criterion, Throughput};
use pacioli::board::{Position, perft};

/// Name, FEN, depth, and the number of leaves.
const CASES: [(&str, &str, u32, u64); 2] = [
    ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 4, 197_281),
    ("kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3, 97_862),
];

pub fn compare(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("perft");
    for (name, fen, depth, leaves) in CASES {
        let position = Position::from_fen(fen, false).expect("the cases are legal");
        assert_eq!(perft(&position, depth), leaves);
        group.throughput(Throughput::Elements(leaves));
        group.bench_with_input(BenchmarkId::new("pacioli", name), &position, |bencher, position| {
            bencher.iter(|| perft(position, depth));
        });
        group.bench_with_input(BenchmarkId::new("shakmaty", name), position.chess(), |bencher, chess| {
            bencher.iter(|| shakmaty::perft(chess, depth));
        });
    }
    group.finish();
}
