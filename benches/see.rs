//! Static exchange evaluation of every capture and every quiet move in the bench positions.

use criterion::{Criterion, Throughput};
use pacioli::board::{Move, Position, see, see_at_least};

pub fn exchanges(criterion: &mut Criterion) {
    let all: Vec<(Position, Vec<Move>)> = crate::common::positions()
        .into_iter()
        .map(|position| (position.clone(), position.legal_moves().into_iter().collect()))
        .collect();
    let mut group = criterion.benchmark_group("see");
    for (name, captures) in [("captures", true), ("quiet", false)] {
        let moves: Vec<(&Position, Move)> = all
            .iter()
            .flat_map(|(position, moves)| moves.iter().map(move |&m| (position, m)))
            .filter(|&(_, m)| m.is_capture() == captures)
            .collect();
        group.throughput(Throughput::Elements(moves.len() as u64));
        group.bench_function(format!("{name}, value"), |bencher| {
            bencher.iter(|| moves.iter().map(|&(position, m)| see(position, m)).sum::<i32>());
        });
        group.bench_function(format!("{name}, at least 0"), |bencher| {
            bencher.iter(|| moves.iter().filter(|&&(position, m)| see_at_least(position, m, 0, true)).count());
        });
    }
    group.finish();
}
