//! `pacioli genfens`: opening positions for data generation, as OpenBench asks for them.
//!
//! OpenBench passes `genfens N seed S book B [anything]` as a single argument, followed by `quit`; both that and
//! ordinary words are accepted. Each position is a book position or the start position plus some random moves, and a
//! short search must find it balanced enough to play.

use std::path::Path;

use anyhow::{Context, bail};
use fastrand::Rng;

use super::EXIT_DONE;
use super::output::write_while_read;
use crate::board::{Game, Position};
use crate::engine::{Engine, Limits, Options};
use crate::files;
use crate::lab::selfplay;
use crate::search::{Silent, StopFlag};
use crate::suite;

/// Random plies from the start position, and from a book position.
const PLIES_FROM_START: std::ops::Range<usize> = 8..10;
const PLIES_FROM_BOOK: std::ops::Range<usize> = 1..5;
/// Positions with a larger score than this, in centipawns, are left out.
const LARGEST_SCORE: i32 = 500;
/// Nodes of the search that checks that.
pub(super) const NODES: u64 = 1000;
/// Attempts for one position after which the book is considered unusable.
const ATTEMPTS: usize = 1000;

/// Arguments of `genfens`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// `N seed S book B`; `None` for no book.
    #[arg(value_name = "WORDS", required = true, allow_hyphen_values = true)]
    words: Vec<String>,
}

/// What is requested.
#[derive(Debug, PartialEq, Eq)]
struct Request {
    count: usize,
    seed: u64,
    book: Option<String>,
}

impl Request {
    /// Parses the words; unknown ones, which OpenBench may add, are ignored.
    fn parse(words: &[&str]) -> anyhow::Result<Request> {
        let number = |name: &str, text: Option<&&str>| -> anyhow::Result<u64> {
            let text = text.with_context(|| format!("genfens: {name} missing"))?;
            text.parse().ok().with_context(|| format!("genfens: `{text}` is not a number for {name}"))
        };
        let after = |name: &str| words.iter().position(|word| *word == name).map(|at| words.get(at + 1));
        let seed = after("seed").map_or(Ok(0), |text| number("seed", text))?;
        let book = after("book").flatten().filter(|book| !book.eq_ignore_ascii_case("none"));
        let count = usize::try_from(number("the number of positions", words.first())?)?;
        Ok(Request { count, seed, book: book.map(|&book| book.to_owned()) })
    }
}

/// Runs the command; it ends early if nobody reads on.
///
/// # Errors
///
/// Words that make no sense, a book that cannot be read, or one without usable positions.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let words: Vec<&str> = args.words.iter().map(String::as_str).collect();
    let request = Request::parse(&words)?;
    let book = request.book.as_deref().map_or(Ok(Vec::new()), |book| read_book(Path::new(book)))?;
    let (mut engine, _) = Engine::new(Options { hash_mb: 1, ..Options::default() });
    let mut random = Rng::with_seed(request.seed);
    for _ in 0..request.count {
        let position = generate(&mut engine, &book, &mut random)?;
        if !write_while_read(&format!("info string genfens {}\n", position.fen()))? {
            break;
        }
    }
    Ok(EXIT_DONE)
}

/// The positions of a book: one FEN or EPD per line.
fn read_book(path: &Path) -> anyhow::Result<Vec<Position>> {
    let name = path.display().to_string();
    let bytes = files::read(path, files::TEXT_LIMIT).with_context(|| format!("cannot read {name}"))?;
    let positions = suite::positions(&name, &bytes)?;
    if positions.is_empty() {
        bail!("{name}: no positions");
    }
    Ok(positions)
}

/// One balanced position in which the game is not over, from a position of the book or, if it is empty, from the
/// opening position.
fn generate(engine: &mut Engine, book: &[Position], random: &mut Rng) -> anyhow::Result<Position> {
    for _ in 0..ATTEMPTS {
        let start = selfplay::start(book, random);
        let plies = random.usize(if book.is_empty() { PLIES_FROM_START } else { PLIES_FROM_BOOK });
        let position = selfplay::opening(start, plies, random).position().clone();
        let game = Game::new(position.clone());
        if game.is_over() {
            continue;
        }
        engine.new_game();
        let limits = Limits::of_nodes(NODES);
        let score = engine.search(&game, &limits, &StopFlag::new(), &mut Silent).score;
        if score.main().abs() <= LARGEST_SCORE {
            return Ok(position);
        }
    }
    bail!("genfens: no balanced position in {ATTEMPTS} attempts");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_read_as_openbench_words_them() {
        let words = |text: &'static str| text.split(' ').collect::<Vec<_>>();
        let request = Request::parse(&words("100 seed 7 book None extra 1")).unwrap();
        assert_eq!(request, Request { count: 100, seed: 7, book: None });
        let request = Request::parse(&words("2 book a.epd seed 18446744073709551615")).unwrap();
        assert_eq!(request, Request { count: 2, seed: u64::MAX, book: Some("a.epd".to_owned()) });
        for bad in ["", "x seed 1", "5 seed x", "5 seed", "-1"] {
            assert!(Request::parse(&words(bad)).is_err(), "{bad}");
        }
    }

    #[test]
    fn positions_are_level_go_on_and_depend_on_the_seed() {
        let (mut engine, _) = Engine::new(Options { hash_mb: 1, ..Options::default() });
        let mut fens = |seed, book: &[Position]| -> Vec<String> {
            let mut random = Rng::with_seed(seed);
            (0..3).map(|_| generate(&mut engine, book, &mut random).unwrap().fen()).collect()
        };
        assert_eq!(fens(1, &[]), fens(1, &[]));
        assert_ne!(fens(1, &[]), fens(2, &[]));
        let book =
            [Position::from_fen("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3", false).unwrap()];
        assert!(fens(3, &book).iter().all(|fen| fen.ends_with('3') || fen.ends_with('4') || fen.ends_with('5')));
        // A book in which one side is winning gives nothing.
        let won = [Position::from_fen("6k1/8/8/8/8/8/8/QQQQ2K1 w - - 0 1", false).unwrap()];
        assert!(generate(&mut engine, &won, &mut Rng::with_seed(1)).is_err());
    }

    #[test]
    fn a_bad_book_line_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.epd");
        std::fs::write(&path, "\n4k3/8/8/8/8/8/8/4K2R w K - bm Rh8+;\nnonsense\n").unwrap();
        let error = format!("{:#}", read_book(&path).unwrap_err());
        assert!(error.contains("book.epd:3:"), "{error}");
    }
}
