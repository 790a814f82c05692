//! Positions, suites and games: texts that people and other programs write.

use std::cell::RefCell;

use pacioli::board::{Game, Position, pinned, see};
use pacioli::engine::{Engine, Limits, Options};
use pacioli::eval::{Chances, evaluate};
use pacioli::lab::{mine, wdl};
use pacioli::pgn::Games;
use pacioli::runner::Provenance;
use pacioli::score::Score;
use pacioli::search::{Silent, StopFlag};
use pacioli::suite::{self, Rule, SuiteReport, describe, lint, parse_as, to_epd};

/// Nodes of the search that some positions are given to.
const NODES: u64 = 60;
/// One text in so many is searched: to forget the last search takes longer than all else.
const SEARCHED: u32 = 8;

/// Claimed mates in up to this many moves are verified; longer ones take a second each.
const SHORT_MATE: u32 = 2;

thread_local! {
    static ENGINE: RefCell<Engine> = RefCell::new(Engine::new(Options { hash_mb: 1, ..Options::default() }).0);
}

/// What holds of every position: it is written as it is read, its moves are, and its key is the same from scratch.
fn position(position: &Position, chess960: bool) {
    let written = position.fen();
    let again = Position::from_fen(&written, chess960).expect("what is written can be read");
    assert_eq!((again.fen(), again.key()), (written, position.key()));
    assert_eq!(position.from_scratch(), (position.key(), *position.state()));
    assert_eq!(position.mirrored().mirrored().fen(), position.fen());
    for m in position.legal_moves() {
        assert_eq!(position.parse_uci(&position.uci(m)).ok(), Some(m));
        assert_eq!(position.parse_san(&position.san(m)).ok(), Some(m));
        see(position, m);
        let child = position.play(m);
        assert_eq!(child.from_scratch(), (child.key(), *child.state()));
    }
    pinned(position, position.turn());
    Chances::new(Score::cp(evaluate(position)), position);
}

/// A position in FEN. It is evaluated, and now and then, as the text decides, searched for a few nodes.
pub fn fen(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    for chess960 in [false, true] {
        let Ok(found) = Position::from_fen(text, chess960) else { continue };
        position(&found, chess960);
        if !bytes.iter().map(|&byte| u32::from(byte)).sum::<u32>().is_multiple_of(SEARCHED) {
            continue;
        }
        let limits = Limits::of_nodes(NODES);
        ENGINE.with_borrow_mut(|engine| {
            engine.new_game();
            let outcome = engine.search(&Game::new(found.clone()), &limits, &StopFlag::new(), &mut Silent);
            assert_eq!(outcome.best_move.is_none(), found.legal_moves().is_empty());
        });
    }
}

/// A suite in EPD: checked for mistakes, and written again, after which it reads the same.
pub fn epd(bytes: &[u8]) {
    for chess960 in [false, true] {
        let found = parse_as("x.epd", bytes, chess960);
        for record in &found.records {
            position(&record.position, record.position.is_chess960());
            record.expected();
            record.theme();
            assert!(record.themes().all(|theme| !theme.is_empty()));
            assert!(record.mate_goal().is_none() || record.is_solvable());
        }
        let is_short = |record: &&suite::Record| record.dm.is_none_or(|moves| moves.unsigned_abs() <= SHORT_MATE);
        let records = found.records.iter().filter(is_short).cloned().collect();
        lint(&[suite::Suite { records, ..found.clone() }]).iter().for_each(|finding| assert!(finding.column > 0));
        let suites = [found];
        assert!(suite::tasks(&suites).len() <= suites[0].records.len());
        let run = describe(&suites, Provenance::default(), Rule::End, None);
        let written = to_epd(&suites, &SuiteReport::new(run, Vec::new()));
        let again = parse_as("x.epd", written.as_bytes(), chess960);
        let told = |suite: &suite::Suite| -> Vec<_> {
            suite.records.iter().map(|record| (record.position.epd(), record.expected())).collect()
        };
        assert_eq!(told(&again), told(&suites[0]));
    }
}

/// Games in PGN: looked through for scores and for positions worth a search.
pub fn pgn(bytes: &[u8]) {
    for game in Games::new(bytes) {
        let Ok(game) = game else { break };
        let Ok(game) = game else { continue };
        let mut position = game.start.clone();
        for step in &game.moves {
            assert!(position.is_legal(step.mv));
            position.make(step.mv);
        }
        let candidates = mine::candidates(&game.moves);
        assert!(candidates.iter().all(|candidate| candidate.ply < game.moves.len()));
    }
    let _ = wdl::Samples::default().add_pgn(bytes, &mut |_| ());
}
