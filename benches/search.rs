//! A search to a fixed depth, and its move ordering.

use criterion::{Criterion, Throughput};
use pacioli::board::Game;
use pacioli::engine::{Engine, Limits, Options};
use pacioli::search::{Silent, StopFlag, ordered_moves};

/// Deep enough for every rule of the search to act; all positions together take a fraction of a second.
const DEPTH: i32 = 8;

pub fn search(criterion: &mut Criterion) {
    let games: Vec<Game> = crate::common::positions().into_iter().map(Game::new).collect();
    let limits = Limits::to_depth(DEPTH);
    let (mut engine, _) = Engine::new(Options::default());
    let mut group = criterion.benchmark_group("search");
    group.throughput(Throughput::Elements(games.len() as u64));
    group.bench_function("to a fixed depth", |bencher| {
        bencher.iter(|| {
            engine.new_game();
            let nodes = |game: &Game| engine.search(game, &limits, &StopFlag::new(), &mut Silent).nodes;
            games.iter().map(nodes).sum::<u64>()
        });
    });
    group.finish();
}

pub fn picker(criterion: &mut Criterion) {
    let positions = crate::common::positions();
    let count = positions.iter().map(|position| position.legal_moves().len() as u64).sum();
    let mut group = criterion.benchmark_group("picker");
    group.throughput(Throughput::Elements(count));
    group.bench_function("all moves in order", |bencher| {
        bencher.iter(|| positions.iter().map(|position| ordered_moves(position).len()).sum::<usize>());
    });
    group.finish();
}
