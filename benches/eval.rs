//! Speed of the static evaluations: on the positions one move after middlegames, and of the network along these moves,
//! as a search makes them.

use std::hint::black_box;

use criterion::{Criterion, Throughput};
use pacioli::board::{Move, Position};
use pacioli::eval::{Evaluator, evaluate, nnue};
use pacioli::params::Params;

/// Middlegames of different character.
const MIDDLEGAMES: [&str; 6] = [
    "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 w - - 0 7",
    "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r2q1rk1/1b2bppp/p2ppn2/1p6/3QP3/1BN1B3/PPP2PPP/R4RK1 w - - 0 13",
    "r1b2rk1/pp1nqpp1/2p1pn1p/3p4/2PP3B/2NBPN2/PPQ2PPP/R4RK1 w - - 0 11",
    "2r2rk1/1bqnbppp/pp1ppn2/8/2PNP3/1PN1BP2/P3B1PP/2RQ1RK1 w - - 0 14",
];

pub fn eval(criterion: &mut Criterion) {
    let middlegames: Vec<Position> = MIDDLEGAMES.iter().filter_map(|fen| Position::from_fen(fen, false).ok()).collect();
    let after = |position: &Position| -> Vec<(Move, Position)> {
        position.legal_moves().into_iter().map(|m| (m, position.play(m))).collect()
    };
    let steps: Vec<Vec<(Move, Position)>> = middlegames.iter().map(after).collect();
    let positions: Vec<&Position> = steps.iter().flatten().map(|(_, child)| child).collect();
    let mut evaluator = Evaluator::new(&Params::default(), None);
    let mut group = criterion.benchmark_group("eval");
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("with the pawn cache", |bencher| {
        bencher.iter(|| positions.iter().map(|position| evaluator.evaluate(black_box(position))).sum::<i32>());
    });
    group.bench_function("without", |bencher| {
        bencher.iter(|| positions.iter().map(|position| evaluate(black_box(position))).sum::<i32>());
    });
    let network = nnue::embedded().expect("a program with a network");
    let mut updated = Evaluator::new(&Params::default(), Some(network.clone()));
    group.bench_function("network, move by move", |bencher| {
        bencher.iter(|| {
            let mut sum = 0;
            for (position, steps) in middlegames.iter().zip(&steps) {
                updated.begin(position);
                for (m, child) in steps {
                    updated.enter(Some(*m), black_box(child));
                    sum += updated.evaluate(child);
                    updated.leave();
                }
            }
            sum
        });
    });
    group.bench_function("network, each position by itself", |bencher| {
        let by_itself = |position: &&Position| network.evaluate(black_box(position).board(), position.turn());
        bencher.iter(|| positions.iter().map(by_itself).sum::<i32>());
    });
    group.finish();
}
