//! `pacioli perft`: counts the leaves of the legal move tree.

use std::time::Instant;

use anyhow::bail;

use super::EXIT_DONE;
use super::common::position_from_words;
use super::counts::within;
use super::output::write_stdout;
use crate::board::{Position, START, divide, perft};

/// The largest depth: more would take longer than anybody waits.
const MAX_DEPTH: u64 = 30;

/// Arguments of `perft`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Depth in plies, and the position if it is not the initial one: a FEN, quoted or unquoted, or `startpos`.
    #[arg(value_name = "DEPTH [FEN]", required = true)]
    words: Vec<String>,
    /// The position, in another way.
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// Show the count below each move.
    #[arg(long)]
    divide: bool,
    /// Read and write castling as in Chess960.
    #[arg(long)]
    chess960: bool,
}

/// Runs the command.
///
/// # Errors
///
/// A bad FEN.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let (depth, words) = args.depth_and_position()?;
    let position = match (&args.fen, words) {
        (Some(fen), []) => position_from_words(std::slice::from_ref(fen), args.chess960)?,
        (None, []) => Position::default(),
        (None, words) => position_from_words(words, args.chess960)?,
        (Some(_), [..]) => bail!("the position is given twice"),
    };
    let start = Instant::now();
    let nodes = if args.divide && depth > 0 {
        let counts = divide(&position, depth);
        for &(m, count) in &counts {
            write_stdout(&format!("{}: {count}\n", position.uci(m)))?;
        }
        counts.iter().map(|(_, count)| count).sum()
    } else {
        perft(&position, depth)
    };
    let elapsed = start.elapsed();
    let speed = (nodes as f64 / elapsed.as_secs_f64().max(1e-9)) as u64;
    write_stdout(&format!("{nodes} nodes in {:.3} s, {speed} nodes/s\n", elapsed.as_secs_f64()))?;
    Ok(EXIT_DONE)
}

impl Args {
    /// The depth, and the words of the position. The depth comes first, or after a position in one word.
    fn depth_and_position(&self) -> anyhow::Result<(u32, &[String])> {
        let (depth, position) = match self.words.as_slice() {
            [position, depth] if !is_number(position) => (Some(depth), std::slice::from_ref(position)),
            [depth, position @ ..] if is_number(depth) => (Some(depth), position),
            _ => (None, &[][..]),
        };
        let Some(depth) = depth else { bail!("the depth is missing: `pacioli perft 5`, `pacioli perft 5 {START}`") };
        match within(0..=MAX_DEPTH)(depth) {
            Ok(depth) => Ok((depth, position)),
            Err(expected) => bail!("`{depth}` is not a depth: {expected}"),
        }
    }
}

/// Whether a word is meant as a number, right or wrong, such as `3k` or `-1`; a board that begins with one has slashes.
fn is_number(word: &str) -> bool {
    word.trim_start_matches('-').starts_with(|c: char| c.is_ascii_digit()) && !word.contains('/')
}
