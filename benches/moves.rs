//! Generating and making moves, and testing them for check, over the bench positions.

use criterion::{Criterion, Throughput};
use pacioli::board::{CheckInfo, MoveList, PackedMove, Position};

pub fn moves(criterion: &mut Criterion) {
    let all: Vec<(Position, MoveList)> =
        crate::common::positions().into_iter().map(|position| (position.clone(), position.legal_moves())).collect();
    let count = all.iter().map(|(_, moves)| moves.len() as u64).sum();
    let mut group = criterion.benchmark_group("moves");
    group.throughput(Throughput::Elements(count));
    group.bench_function("generate", |bencher| {
        bencher.iter(|| all.iter().map(|(position, _)| position.legal_moves().len()).sum::<usize>());
    });
    group.bench_function("play", |bencher| {
        bencher.iter(|| {
            let play = |(position, moves): &(Position, MoveList)| {
                moves.iter().fold(0, |keys, &m| keys ^ position.play(m).key())
            };
            all.iter().fold(0, |keys, entry| keys ^ play(entry))
        });
    });
    group.bench_function("gives check", |bencher| {
        bencher.iter(|| {
            let checks = |(position, moves): &(Position, MoveList)| {
                let info = CheckInfo::new(position);
                moves.iter().filter(|&&m| info.gives_check(position, m)).count()
            };
            all.iter().map(checks).sum::<usize>()
        });
    });
    group.bench_function("pack and unpack", |bencher| {
        bencher.iter(|| {
            let legal = |(position, moves): &(Position, MoveList)| {
                moves.iter().filter(|&&m| PackedMove::new(m).unpack(position).is_some()).count()
            };
            all.iter().map(legal).sum::<usize>()
        });
    });
    group.finish();
}
