//! All integration tests as modules of one program: linking a program per file took longer than the tests.
//!
//! The files next to this one are its modules, one for each part that is tested.

use std::fs;
use std::path::Path;

mod analyze;
mod browser;
mod cli;
mod common;
mod conversations;
mod determinism;
mod documents;
mod explain;
mod faults;
mod figure_one;
mod fuzz;
mod graph_history;
mod help;
mod lab;
mod laws;
mod layers;
mod mates;
mod mine;
mod minimax;
mod network;
mod perft;
mod python_client;
mod report;
mod runs;
mod schemas;
mod search;
mod serve;
mod smp;
mod solve;
mod spsa;
mod suite_outputs;
mod tables;
mod tactics;
mod tree;
mod trust;
mod uci;
mod uci_fuzz;

#[test]
fn every_file_is_a_module() {
    let entries = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")).expect("the folder of this file");
    let names = entries.map(|entry| entry.expect("a name").file_name().into_string().expect("a plain name"));
    for name in names.filter(|name| name.ends_with(".rs") && name != "main.rs") {
        let declaration = format!("\nmod {};\n", name.trim_end_matches(".rs"));
        assert!(include_str!("main.rs").contains(&declaration), "tests/{name} is no module of tests/main.rs");
    }
}
