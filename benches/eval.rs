//! Speed of the static evaluations: on the positions one move after middlegames, and of the network along moves, as a
//! search makes them.

use std::hint::black_box;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput};
use pacioli::board::{Move, Position, Role};
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

/// Positions, and a king's move that answers most moves there: castling, to the other half of the board, towards it,
/// off the back rank. After each the project's network has another view of the board, and builds its neurons.
const KING_MOVES: [(&str, &str); 4] = [
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1", "e1g1"),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1", "e1d1"),
    ("2r3k1/5pp1/p3p2p/1p6/8/1P2P3/P4PPP/2R3K1 b - - 0 1", "g1f1"),
    ("2r2rk1/1bqnbppp/pp1ppn2/8/2PNP3/1PN1BP2/P3B1PP/2RQ1RK1 b - - 0 14", "g1f2"),
];
/// Moves from one evaluation to the next where there are several.
const SEVERAL: usize = 4;

/// Moves, each with the position after it.
type Line = Vec<(Move, Position)>;

/// The lines that begin with each move of a position which is not the king's, and go on with the first such move.
fn lines_of_several(position: &Position) -> Vec<Line> {
    let moves = |position: &Position| position.legal_moves().into_iter().filter(|m| m.role() != Role::King);
    let step = |position: &Position, m: Move| (m, position.play(m));
    let line = |first: Move| {
        let begun = Some(step(position, first));
        let next = |(_, last): &(Move, Position)| moves(last).next().map(|m| step(last, m));
        std::iter::successors(begun, next).take(SEVERAL).collect()
    };
    moves(position).map(line).filter(|line: &Line| line.len() == SEVERAL).collect()
}

/// Each move of a position with this answer of the king, where it is legal.
fn lines_with_answer(position: &Position, answer: &str) -> Vec<Line> {
    let line = |m: Move| {
        let child = position.play(m);
        let answer = child.parse_uci(answer).ok()?;
        let end = child.play(answer);
        Some(vec![(m, child), (answer, end)])
    };
    position.legal_moves().into_iter().filter_map(line).collect()
}

/// Asks the network at the ends of lines from positions that it has evaluated, as a search has a node's ancestors.
fn at_ends(group: &mut BenchmarkGroup<'_, WallTime>, name: &str, starts: &[(Position, Vec<Line>)]) {
    let known = |(start, _): &(Position, Vec<Line>)| {
        let mut evaluator = Evaluator::new(&Params::default(), nnue::embedded());
        evaluator.begin(start);
        evaluator.evaluate(start);
        evaluator
    };
    let mut evaluators: Vec<Evaluator> = starts.iter().map(known).collect();
    group.throughput(Throughput::Elements(starts.iter().map(|(_, lines)| lines.len() as u64).sum()));
    group.bench_function(name, |bencher| {
        bencher.iter(|| {
            let mut sum = 0;
            for (evaluator, (_, lines)) in evaluators.iter_mut().zip(starts) {
                for line in lines {
                    line.iter().for_each(|(m, child)| evaluator.enter(Some(*m), black_box(child)));
                    sum += line.last().map_or(0, |(_, end)| evaluator.evaluate(end));
                    line.iter().for_each(|_| evaluator.leave());
                }
            }
            sum
        });
    });
}

pub fn eval(criterion: &mut Criterion) {
    let middlegames: Vec<Position> = MIDDLEGAMES.iter().filter_map(|fen| Position::from_fen(fen, false).ok()).collect();
    let after =
        |position: &Position| -> Line { position.legal_moves().into_iter().map(|m| (m, position.play(m))).collect() };
    let steps: Vec<Line> = middlegames.iter().map(after).collect();
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
    group.bench_function("network, each position by itself", |bencher| {
        let by_itself = |position: &&Position| network.evaluate(black_box(position).board(), position.turn());
        bencher.iter(|| positions.iter().map(by_itself).sum::<i32>());
    });
    let alone = |steps: &Line| steps.iter().map(|step| vec![step.clone()]).collect();
    let by_move: Vec<_> = middlegames.iter().cloned().zip(steps.iter().map(alone)).collect();
    at_ends(&mut group, "network, move by move", &by_move);
    let several: Vec<_> = middlegames.iter().map(|start| (start.clone(), lines_of_several(start))).collect();
    at_ends(&mut group, "network, several moves at once", &several);
    let king = |(fen, answer): (&str, &str)| {
        let start = Position::from_fen(fen, false).ok()?;
        let lines = lines_with_answer(&start, answer);
        Some((start, lines))
    };
    let of_kings: Vec<_> = KING_MOVES.into_iter().filter_map(king).collect();
    at_ends(&mut group, "network, after a king's move to another view", &of_kings);
    group.finish();
}
