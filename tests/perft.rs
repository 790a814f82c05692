//! Every leaf count of `positions/perft.epd`.
//!
//! Counts above a million are left out in builds with debug assertions, unless `PACIOLI_PERFT_ALL` is set.

use std::path::Path;

use pacioli::board::{Position, perft};

/// The largest count tried in a build with debug assertions.
const QUICK_LIMIT: u64 = 1_000_000;

/// A depth and its leaf count.
type Count = (u32, u64);

/// One line: FEN, whether it is Chess960, and its counts; `None` for anything malformed.
fn parse(line: &str) -> Option<(&str, bool, Vec<Count>)> {
    let mut fields = line.split(';').map(str::trim);
    let fen = fields.next()?;
    let mut chess960 = false;
    let mut counts = Vec::new();
    for field in fields {
        if field == "c0 \"chess960\"" {
            chess960 = true;
        } else {
            let (depth, count) = field.strip_prefix('D')?.split_once(' ')?;
            counts.push((depth.parse().ok()?, count.parse().ok()?));
        }
    }
    (!counts.is_empty()).then_some((fen, chess960, counts))
}

#[test]
fn every_count_is_right() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("positions/perft.epd");
    let text = std::fs::read_to_string(path).expect("positions/perft.epd can be read");
    let all = !cfg!(debug_assertions) || std::env::var_os("PACIOLI_PERFT_ALL").is_some();
    let limit = if all { u64::MAX } else { QUICK_LIMIT };
    let (mut lines, mut checked) = (0, 0);
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (fen, chess960, counts) = parse(line).unwrap_or_else(|| panic!("bad line: {line}"));
        let position = Position::from_fen(fen, chess960).unwrap();
        for (depth, count) in counts.into_iter().filter(|&(_, count)| count <= limit) {
            assert_eq!(perft(&position, depth), count, "depth {depth} of {fen}");
            checked += 1;
        }
        lines += 1;
    }
    assert!(lines >= 55 && checked >= 200, "only {lines} positions and {checked} counts were found");
}
