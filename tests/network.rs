//! The project's network scores positions as its trainer does: `networks/scores.txt` has the scores of some, which the
//! trainer's tests compare with arithmetic of their own (`training/test_training.py`).
//!
//! `PACIOLI_RENEW=1 cargo test network::` writes them anew, after another network has become the project's.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use pacioli::board::Position;
use pacioli::eval::nnue;

#[test]
fn the_projects_network_gives_the_scores_that_its_trainer_is_tested_with() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    // Another one may be embedded.
    let network = nnue::open(&root.join("networks/pacioli.net")).unwrap();
    let mut text = String::new();
    for file in ["bench.epd", "classics.epd"] {
        for line in fs::read_to_string(root.join("positions").join(file)).unwrap().lines() {
            let fields: Vec<&str> = line.split(' ').take(4).collect();
            let Ok(position) = Position::from_fen(&format!("{} 0 1", fields.join(" ")), false) else { continue };
            let score = network.evaluate(position.board(), position.turn());
            writeln!(text, "{score} {}", position.fen()).unwrap();
        }
    }
    let scores = root.join("networks/scores.txt");
    if std::env::var_os("PACIOLI_RENEW").is_some() {
        fs::write(&scores, &text).unwrap();
    }
    assert!(text.lines().count() > 50);
    assert_eq!(fs::read_to_string(&scores).unwrap(), text);
}
