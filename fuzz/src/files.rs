//! Files that programs write. Where a checksum would turn every change away, the checksum is put right or the file is
//! made one that is read without it, so that what stands behind it is reached too; a seed that must get there shows it.

use std::fs;
use std::path::{Path, PathBuf};

use fastrand::Rng;
use pacioli::board::{Game, Position, Square, is_noisy};
use pacioli::book::{Book, BookChoice};
use pacioli::eval::Evaluator;
use pacioli::eval::nnue::Network;
use pacioli::lab::data::{self as data_files, DataError, DataWriter, index, positions, viri};
use pacioli::lab::mine::{Mined, Origin};
use pacioli::lab::{tune, wdl};
use pacioli::params::Params;
use pacioli::suite::{self, Comparison, NamedRun, SuiteReport};
use pacioli::syzygy::Tables;
use tempfile::TempDir;

const POSITIONS: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
    "r3k3/1P6/8/3pP3/8/8/8/R3K2R w KQq d6 0 1",
    "8/Pk6/8/1p6/8/P1K5/8/6B1 w - - 37 130",
    "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
    "8/8/8/8/8/4k3/4p3/4K3 w - - 99 90",
];

/// The suite whose results are among the seeds.
const SUITE: &[u8] = include_bytes!("../seeds/epd/plain");

fn positions_to_try() -> impl Iterator<Item = Position> {
    POSITIONS.iter().map(|fen| Position::from_fen(fen, false).expect("a position"))
}

/// A folder with one file, which goes with the folder.
fn folder_with(name: &str, bytes: &[u8]) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let path = folder.path().join(name);
    fs::write(&path, bytes).expect("room for a small file");
    (folder, path)
}

/// The first byte, which says how the others are meant, and those.
fn split(bytes: &[u8]) -> (u8, &[u8]) {
    bytes.split_first().map_or((0, bytes), |(&first, rest)| (first, rest))
}

/// A Polyglot book; where the first byte is odd, with keys of positions that are looked up. Its moves are legal.
pub fn book(bytes: &[u8]) {
    const ENTRY: usize = 16;
    let (kind, rest) = split(bytes);
    let mut content = rest.to_vec();
    if kind % 2 == 1 {
        let keys: Vec<[u8; 8]> = positions_to_try().map(|position| position.polyglot_key().to_be_bytes()).collect();
        let (entries, _) = content.as_chunks_mut::<ENTRY>();
        for (index, entry) in entries.iter_mut().enumerate() {
            entry[..8].copy_from_slice(&keys[index % keys.len()]);
        }
        entries.sort_unstable();
    }
    let (_folder, path) = folder_with("book.bin", &content);
    let Ok(book) = Book::open(&path) else { return };
    let (records, _) = content.as_chunks::<ENTRY>();
    let without_key = records.iter().filter(|record| record.starts_with(&[0; 8])).count();
    let has_header = records.iter().any(|record| record.starts_with(b"\0\0\0\0\0\0\0\0@PG@"));
    assert_eq!(book.len(), records.len() - if has_header { without_key } else { 0 });
    for position in positions_to_try() {
        let moves = book.moves(&position);
        assert!(moves.iter().all(|book_move| position.is_legal(book_move.mv) && book_move.weight > 0));
        for choice in [BookChoice::Best, BookChoice::Weighted] {
            let chosen = book.choose(&position, choice, &mut Rng::with_seed(1));
            assert_eq!(chosen.is_some(), !moves.is_empty());
        }
    }
}

/// A folder with one endgame table: its name in the first line, such as `KQvK.rtbw`, then its content. Zeros make the
/// file so large that it is opened without a look at its checksum. Positions of its material are looked up.
pub fn tables(bytes: &[u8]) {
    /// A table without damage: all draws, one value for Black to move, and compressed for White.
    static SOUND: &[u8] = include_bytes!("../seeds/tables/draws");
    /// The most bytes of a file that is checked as a whole.
    const MOST_CHECKED: usize = 1 << 20;
    /// What is before a table's checksum is a multiple of this.
    const BLOCK: usize = 64;
    const CHECKSUM: usize = 16;
    let mut parts = bytes.splitn(2, |&byte| byte == b'\n');
    let (Some(name), Some(content)) = (parts.next(), parts.next()) else { return };
    let Ok(name) = std::str::from_utf8(name) else { return };
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '.';
    if name.is_empty() || name.len() > 20 || !name.chars().all(is_plain) || name.starts_with('.') {
        return;
    }
    let mut content = content.to_vec();
    content.resize(content.len().max(MOST_CHECKED).next_multiple_of(BLOCK) + CHECKSUM, 0);
    let (folder, _) = folder_with(name, &content);
    let (tables, problems) = Tables::open(&folder.path().display().to_string());
    assert!(tables.is_some() || bytes != SOUND, "a table without damage is refused: {problems:?}");
    let Some(tables) = tables else { return };
    let material = name.split('.').next().unwrap_or_default();
    let mut random = Rng::with_seed(material.len() as u64);
    let mut known = 0;
    for _ in 0..30 {
        let Some(position) = of_material(material, &mut random) else { continue };
        known += usize::from(tables.wdl(&position).is_some());
        let moves = position.legal_moves();
        if let Some(ranked) = tables.rank(&Game::new(position), &moves, random.bool()) {
            assert_eq!(ranked.moves().len(), moves.len());
        }
    }
    let problems = tables.take_problems();
    assert!(known > 0 && problems.is_empty() || bytes != SOUND, "a table without damage is not read: {problems:?}");
}

/// A position with the pieces of a name such as `KQvKR` on squares that chance chooses.
fn of_material(name: &str, random: &mut Rng) -> Option<Position> {
    let mut board = [[' '; 8]; 8];
    let mut is_white = random.bool();
    for letter in name.chars() {
        if letter == 'v' {
            is_white = !is_white;
            continue;
        }
        let square = Square::new(random.u32(..64));
        board[square.rank() as usize][square.file() as usize] =
            if is_white { letter } else { letter.to_ascii_lowercase() };
    }
    let rank = |rank: &[char; 8]| rank.iter().map(|c| if *c == ' ' { '1' } else { *c }).collect::<String>();
    let ranks: Vec<String> = board.iter().map(rank).collect();
    let turn = if random.bool() { 'w' } else { 'b' };
    Position::from_fen(&format!("{} {turn} - - 0 1", ranks.join("/")), false).ok()
}

/// A file of `solve --json`, compared, merged and shown in every form, and taken up again; or the journal of `lab mine`.
/// What is written of it reads the same.
pub fn results(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    mined(text);
    let Ok(reports) = suite::from_jsonl(text) else { return };
    let written = suite::to_jsonl(&reports).expect("results are JSON");
    assert_eq!(suite::to_jsonl(&suite::from_jsonl(&written).expect("what is written can be read")).ok(), Some(written));
    shown(&reports);
    let suites = [suite::parse("s.epd", SUITE)];
    let runs: Vec<_> = reports.iter().map(|report| report.run.clone()).collect();
    // Results of other suites are refused, and that is all.
    let _ = suite::taken_up(text, &runs, &suite::tasks(&suites));
    if let Ok((merged, _)) = suite::merge([reports]) {
        shown(&merged);
    }
}

fn shown(reports: &[SuiteReport]) {
    suite::to_csv(reports).expect("a table of text");
    suite::to_junit(reports).expect("a tree of text");
    suite::to_page(reports);
    let named: Vec<NamedRun> = reports.iter().map(|report| NamedRun { name: "a|b", report }).collect();
    suite::to_curves(&named);
    suite::side_by_side(reports);
    for report in reports {
        suite::tables(report);
        suite::summary_lines(report);
        report.label();
        assert!(report.missing() <= report.run.all());
        assert!(!report.holds() || report.total.solved == report.positions.len());
    }
    for pair in named.windows(2) {
        let comparison = Comparison::new(pair[0].report, pair[1].report);
        comparison.to_text("a", "b");
        comparison.to_markdown("a", "b");
        suite::to_comparison_page(pair[0], pair[1], &comparison);
    }
}

/// The journal of `lab mine`, under its own head.
fn mined(text: &str) {
    let Some(head) = text.lines().next().and_then(|line| serde_json::from_str::<Origin>(line).ok()) else { return };
    let (_folder, path) = folder_with("mined", text.as_bytes());
    let Ok(mined) = Mined::open(&path, &head) else { return };
    let (games, finds) = (mined.games(), mined.finds().len());
    drop(mined);
    let again = Mined::open(&path, &head).unwrap_or_else(|error| panic!("what was taken is refused: {error}"));
    assert_eq!((again.games(), again.finds().len()), (games, finds));
}

/// Training data: after a first byte the length of a journal in two, low byte first, the journal, and the games. Where
/// the first byte is odd, the journal's checksums are put right. What can be read is put to every use.
pub fn data(bytes: &[u8]) {
    /// Games and a journal with a checksum that is wrong, and nothing else.
    static SOUND: &[u8] = include_bytes!("../seeds/data/journal-to-put-right");
    let (kind, rest) = split(bytes);
    let Some((length, rest)) = rest.split_at_checked(2) else { return };
    let length = usize::from(u16::from_le_bytes([length[0], length[1]])).min(rest.len());
    let (journal, games) = rest.split_at(length);
    if let Ok(games) = data_files::Games::new(games) {
        used(games);
    }
    if journal.is_empty() {
        return;
    }
    let (journal, header) = if kind % 2 == 1 { put_right(journal, games) } else { (journal.to_vec(), None) };
    let (folder, path) = folder_with("data", games);
    fs::write(index::path(&path), journal).expect("room for a small file");
    if let Ok(games) = data_files::open(&path) {
        used(games);
    }
    let has_gone_on = header.is_some_and(|header| go_on(&path, &header));
    assert!(has_gone_on || bytes != SOUND, "nothing is added to games whose journal is right");
    drop(folder);
}

/// The file is gone on with, if it can be: what is written then can be read.
fn go_on(path: &Path, header: &index::Header) -> bool {
    let Ok(mut writer) = DataWriter::open(path, header) else { return false };
    let game = example();
    writer.add(&[&game]).expect("room for a small file");
    drop(writer);
    DataWriter::open(path, header).unwrap_or_else(|error| panic!("what was written is refused: {error}"));
    true
}

/// A game of one position.
fn example() -> Vec<u8> {
    let position = Position::default();
    let best_move = position.parse_uci("e2e4").expect("a move");
    let result = data_files::GameResult::Draw;
    viri::encode(&[data_files::Sample { position, score: 7, best_move, result }]).expect("a game of few pieces")
}

/// A journal whose lines and blocks have the checksums that belong to them, and its header.
fn put_right(journal: &[u8], games: &[u8]) -> (Vec<u8>, Option<index::Header>) {
    let text = String::from_utf8_lossy(journal);
    let mut lines = text.split('\n');
    let header: Option<index::Header> = lines.next().and_then(|line| serde_json::from_str(line).ok());
    let Some(header) = header else { return (journal.to_vec(), None) };
    let mut right = index::line(&header).expect("a header is JSON");
    let mut start = 0usize;
    for line in lines {
        let Ok(block) = serde_json::from_str::<index::Block>(line) else {
            right.push_str(line);
            continue;
        };
        let end = start.saturating_add(usize::try_from(block.bytes).unwrap_or(usize::MAX)).min(games.len());
        let block = index::Block { crc32c: crc32c::crc32c(&games[start..end]), ..block };
        right.push_str(&index::line(&block).expect("a block is JSON"));
        start = end;
    }
    (right.into_bytes(), Some(header))
}

fn used<R: std::io::BufRead>(games: data_files::Games<R>) {
    let mut collection =
        positions::Collection::new(positions::Filter { max_score: 10_000, skip_plies: 0, lookahead: 70 });
    let mut samples = wdl::Samples::default();
    let mut examples = tune::Examples::default();
    for game in games {
        let game: Result<Vec<data_files::Sample>, DataError> = game;
        let Ok(game) = game else { break };
        for sample in &game {
            assert!(sample.position.is_legal(sample.best_move));
            is_noisy(sample.best_move);
        }
        collection.add(&game).expect("room for a few positions");
        samples.add_game(&game);
        examples.add(game);
    }
    collection.shuffled(1);
}

/// A network file. What the first byte says: the file itself as it is or with its checksum put right; or changes of the
/// project's network, a place in three bytes, from its end if negative, and a new value in one, with the checksum put
/// right. A network that is taken gives the same from scratch as move by move.
pub fn network(bytes: &[u8]) {
    static OWN: &[u8] = include_bytes!("../../networks/pacioli.net");
    /// The project's network, and one in which a number of each kind is another.
    const SOUND: [&[u8]; 2] = [include_bytes!("../seeds/network/own"), include_bytes!("../seeds/network/changed")];
    const CHECKSUM: std::ops::Range<usize> = 40..44;
    let (kind, rest) = split(bytes);
    let mut file = rest.to_vec();
    if kind % 3 == 2 {
        file = OWN.to_vec();
        for change in rest.as_chunks::<4>().0 {
            let place = i32::from_le_bytes([0, change[0], change[1], change[2]]) >> 8;
            let length = i32::try_from(file.len()).expect("a network of some megabytes");
            file[place.rem_euclid(length) as usize] = change[3];
        }
    }
    if kind % 3 > 0 && file.len() > CHECKSUM.end {
        let checksum = crc32c::crc32c_append(crc32c::crc32c(&file[..CHECKSUM.start]), &file[CHECKSUM.end..]);
        file[CHECKSUM].copy_from_slice(&checksum.to_le_bytes());
    }
    let read = Network::read(&file);
    assert!(read.is_ok() || !SOUND.contains(&bytes), "a network within the limits is refused: {:?}", read.err());
    let Ok(network) = read else { return };
    let network = std::sync::Arc::new(network);
    // The network and nothing else.
    let params = Params { nnue_least_pieces: 0, material_scaling: false, ..Params::default() };
    let mut evaluator = Evaluator::new(&params, Some(network.clone()));
    for mut position in positions_to_try() {
        evaluator.begin(&position);
        for step in 0..8 {
            let scratch = network.evaluate(position.board(), position.turn());
            assert_eq!(evaluator.evaluate(&position), scratch);
            let moves = position.legal_moves();
            let Some(&m) = moves.get(step * 7 % moves.len().max(1)) else { break };
            position.make(m);
            evaluator.enter(Some(m), &position);
        }
        network.piece_values(&position);
    }
}
