//! All benchmarks in one program: `cargo bench -- perft` runs those whose names start like this.

use criterion::{criterion_group, criterion_main};

mod common;
mod eval;
mod learned;
mod moves;
mod perft;
mod search;
mod see;
mod table;

criterion_group! {
    name = benches;
    config = common::short();
    targets =
        eval::eval,
        learned::corrections,
        learned::histories,
        moves::moves,
        perft::compare,
        search::picker,
        search::search,
        see::exchanges,
        table::table
}
criterion_main!(benches);
