//! The same question has the same answer: whoever listens, whatever else runs, and whatever was asked before. That debug
//! and release builds agree is checked by `.ci/run`, and the instruction sets of the network by its own tests.

use std::process::{Child, Stdio};

use pacioli::board::{Game, Move, Position};
use pacioli::credit::Award;
use pacioli::engine::{Engine, Limits, Options};
use pacioli::params::Profile;
use pacioli::search::{Iteration, NodeEntry, NodeExit, Observer, Silent, StopFlag};

use crate::common::process::{self, pacioli};

/// Searches: a profile, a position and a depth that takes some ten thousand nodes.
const SEARCHES: [(Profile, &str, i32); 3] = [
    (Profile::Modern, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 8),
    (Profile::Modern, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 10),
    (Profile::DeepBlue, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6),
];

/// Listens to everything that a search tells.
#[derive(Default)]
struct Curious {
    iterations: usize,
    entered: u64,
    left: u64,
    awards: usize,
    refutations: usize,
    lines: usize,
}

impl Observer for Curious {
    fn iteration(&mut self, _: &Iteration) {
        self.iterations += 1;
    }

    fn wants_tree(&self) -> bool {
        true
    }

    fn node_entered(&mut self, _: &NodeEntry<'_>) {
        self.entered += 1;
    }

    fn node_left(&mut self, _: &NodeExit) {
        self.left += 1;
    }

    fn awarded(&mut self, _: Move, _: &Award) {
        self.awards += 1;
    }

    fn wants_refutations(&self) -> bool {
        true
    }

    fn refutation(&mut self, _: &[Move]) {
        self.refutations += 1;
    }

    fn wants_current_line(&self) -> bool {
        true
    }

    fn current_line(&mut self, _: &[Move]) {
        self.lines += 1;
    }
}

#[test]
fn who_listens_changes_no_search() {
    for (profile, fen, depth) in SEARCHES {
        let game = Game::new(Position::from_fen(fen, false).unwrap());
        let limits = Limits::to_depth(depth);
        let search = |observer: &mut (dyn Observer + Send)| {
            let options = Options { hash_mb: 1, ..Options::of(profile) };
            let outcome = Engine::new(options).0.search(&game, &limits, &StopFlag::new(), observer);
            (outcome.nodes, outcome.best_move, outcome.score, outcome.pv)
        };
        let mut curious = Curious::default();
        assert_eq!(search(&mut curious), search(&mut Silent), "{profile} {fen}");
        let Curious { iterations, entered, left, awards, refutations, lines } = curious;
        assert!(iterations > 0 && entered > 0 && entered == left, "{profile} {fen}");
        assert!(awards > 0 && refutations > 0 && lines > 0, "{profile} {fen}");
    }
}

#[test]
fn twenty_copies_at_a_time_count_the_same_nodes() {
    let copies: Vec<Child> =
        (0..20).map(|_| pacioli().args(["bench", "3"]).stdout(Stdio::piped()).spawn().unwrap()).collect();
    let nodes = |copy: Child| {
        let output = copy.wait_with_output().unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap().split(" nodes").next().unwrap().to_owned()
    };
    let counts: Vec<String> = copies.into_iter().map(nodes).collect();
    assert!(!counts[0].is_empty() && counts.iter().all(|count| *count == counts[0]), "{counts:?}");
}

/// A line without what depends on the clock; `None` if the line itself does.
fn timeless(line: &str) -> Option<String> {
    if line.contains(" currmove ") {
        return None;
    }
    let mut words = line.split(' ');
    let mut kept = Vec::new();
    while let Some(word) = words.next() {
        if ["time", "nps"].contains(&word) {
            words.next();
        } else {
            kept.push(word);
        }
    }
    Some(kept.join(" "))
}

#[test]
fn after_ucinewgame_an_analysis_repeats_word_for_word() {
    let mut engine = process::Engine::start();
    engine.send("setoption name UCI_ShowRefutations value true");
    for (profile, fen, depth) in SEARCHES {
        let mut analysis = || {
            engine.send(&format!("setoption name Profile value {profile}\nucinewgame"));
            // The second search finds what the first has left in the tables.
            [depth - 1, depth].map(|depth| {
                engine.send(&format!("position fen {fen}\ngo depth {depth}"));
                engine.until("bestmove").iter().filter_map(|line| timeless(line)).collect::<Vec<_>>()
            })
        };
        let first = analysis();
        assert!(first[0].iter().any(|line| line.contains(" pv ")), "{first:#?}");
        assert_eq!(analysis(), first, "{profile} {fen}");
    }
}
