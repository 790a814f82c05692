//! What is done with the bytes that fuzzing makes up: one function for each kind of input. Each must come to an end for
//! any bytes, without a panic; what it asserts besides is said at it.
//!
//! `targets/` gives these functions to libFuzzer. `tests/fuzz.rs` runs them over the seeds that are kept here, and over
//! real files where there are some, as a plain test that needs neither cargo-fuzz nor a nightly compiler.

mod files;
mod sessions;
mod texts;

pub use files::{book, data, network, results, tables};
pub use sessions::{uci_bytes, uci_commands};
pub use texts::{epd, fen, pgn};

/// What is done with the bytes.
pub type Body = fn(&[u8]);

/// The name of each kind of input, which is that of its target and of its folder of seeds, and what is done with it.
pub const TARGETS: [(&str, Body); 10] = [
    ("fen", fen),
    ("epd", epd),
    ("pgn", pgn),
    ("uci_bytes", uci_bytes),
    ("uci_commands", uci_commands),
    ("book", book),
    ("tables", tables),
    ("results", results),
    ("data", data),
    ("network", network),
];
