//! What a search looks up and learns at every node: the histories of its quiet moves, and corrections of evaluations.

use std::hint::black_box;

use criterion::{Criterion, Throughput};
use pacioli::board::{Move, Position, attacked, is_noisy};
use pacioli::params::Params;
use pacioli::search::{CorrectionKey, Corrections, Histories, MoveIndex, QuietContext};

/// A bonus of usual size.
const BONUS: i32 = 500;
/// An error of usual size, in centipawns.
const ERROR: i32 = -40;
/// The depth of the search that finds it.
const DEPTH: i32 = 6;

/// A position's quiet moves, and what their histories depend on. The moves that are said to precede are some of its
/// own, as they only select tables.
fn quiets(position: &Position) -> (QuietContext, Vec<Move>) {
    let moves = position.legal_moves();
    let mut indices = moves.iter().map(|&m| MoveIndex::new(position.turn(), m));
    let earlier = std::array::from_fn(|_| indices.next());
    let attacked = attacked(position, !position.turn());
    let context = QuietContext { color: position.turn(), attacked, earlier };
    (context, moves.into_iter().filter(|&m| !is_noisy(m)).collect())
}

pub fn histories(criterion: &mut Criterion) {
    let nodes: Vec<_> = crate::common::positions().iter().map(quiets).collect();
    let (params, mut histories) = (Params::default(), Histories::default());
    let mut group = criterion.benchmark_group("histories");
    group.throughput(Throughput::Elements(nodes.iter().map(|(_, moves)| moves.len() as u64).sum()));
    group.bench_function("look up", |bencher| {
        bencher.iter(|| {
            let of_node = |(context, moves): &(QuietContext, Vec<Move>)| {
                let history = histories.quiets(black_box(*context));
                moves.iter().map(|&m| history.of(m)).sum::<i32>()
            };
            nodes.iter().map(of_node).sum::<i32>()
        });
    });
    group.bench_function("learn", |bencher| {
        bencher.iter(|| {
            for (context, moves) in &nodes {
                moves.iter().for_each(|&m| histories.update_quiet(&params, *context, m, black_box(BONUS)));
            }
        });
    });
    group.finish();
}

pub fn corrections(criterion: &mut Criterion) {
    let params = Params::default();
    let key = |position: &Position| CorrectionKey::new(position.state(), position.turn(), quiets(position).0.earlier);
    let keys: Vec<_> = crate::common::positions().iter().map(key).collect();
    let mut corrections = Corrections::default();
    let mut group = criterion.benchmark_group("corrections");
    group.throughput(Throughput::Elements(keys.len() as u64));
    group.bench_function("look up", |bencher| {
        bencher.iter(|| keys.iter().map(|&key| corrections.get(&params, black_box(key))).sum::<i32>());
    });
    group.bench_function("learn", |bencher| {
        bencher.iter(|| keys.iter().for_each(|&key| corrections.update(&params, key, black_box(ERROR), DEPTH)));
    });
    group.finish();
}
