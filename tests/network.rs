//! The project's network scores positions as its trainer does: `networks/scores.txt` has the scores of some, which the
//! trainer's tests compare with arithmetic of their own (`training/test_training.py`).
//!
//! `PACIOLI_RENEW=1 cargo test network::` writes them anew, after another network has become the project's.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use pacioli::board::Position;
use pacioli::eval::nnue;

#[path = "../build.rs"]
#[expect(dead_code, reason = "only what decides is called")]
mod build;

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

#[test]
fn only_what_may_be_a_network_is_built_in() {
    /// Where the layout begins, after eight letters and the numbers that say what it is.
    const HEAD: usize = 8 + 9 * size_of::<u32>();
    let network = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("networks/pacioli.net")).unwrap();
    for (bytes, reason) in [
        (&network[..], None),
        (&network[..HEAD], None),
        (&network[..HEAD - 1], Some("truncated: 43 bytes, where a network has at least 44")),
        (b"PACINET2, and more", Some("not a network of this program, which begins with PACINET3")),
        (b"PACINET", Some("not a network of this program, which begins with PACINET3")),
        (b"", Some("not a network of this program, which begins with PACINET3")),
    ] {
        assert_eq!(build::refusal(bytes).as_deref(), reason, "{}", bytes.len());
    }
}
