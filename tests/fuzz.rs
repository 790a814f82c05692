//! The bodies of the fuzz targets as a plain test: over the seeds in `fuzz/seeds`, over simple changes of them, and over
//! real files where `PACIOLI_SUITES`, `PACIOLI_BOOKS` and `PACIOLI_SYZYGY` name folders. Every input that fuzzing finds
//! something with goes to the seeds.

use std::fs;
use std::path::{Path, PathBuf};

use pacioli::board::Position;
use pacioli::eval::nnue::{Network, NetworkError};
use pacioli::lab::data::index::Header;
use pacioli::lab::mine::{Mined, Origin};
use pacioli::runner::Kind;
use pacioli::suite;

#[path = "../fuzz/src/lib.rs"]
mod targets;

/// The files of a folder, in the order of their names.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_file()).collect();
    files.sort();
    files
}

/// What a seed becomes by changes such as a fuzzer makes, which follow from a number.
fn changed(seed: &[u8], random: &mut fastrand::Rng) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..random.usize(1..4) {
        let place = random.usize(..bytes.len().max(1));
        match random.u32(..4) {
            0 if !bytes.is_empty() => bytes[place] = random.u8(..),
            1 if !bytes.is_empty() => bytes[place] ^= 1 << random.u32(..8),
            2 => bytes.truncate(place),
            _ => bytes.extend_from_slice(&seed[place.min(seed.len())..]),
        }
    }
    bytes
}

/// Changes of each seed.
const CHANGES: usize = 3;
/// The seed of the changes.
const SEED: u64 = 1494;

/// Where the seeds of a target are, or one of them.
fn seeds(of: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds").join(of)
}

#[test]
fn every_target_runs_over_its_seeds_and_over_changes_of_them() {
    let mut random = fastrand::Rng::with_seed(SEED);
    for (name, target) in targets::TARGETS {
        let files = files(&seeds(name));
        assert!(!files.is_empty(), "{name} has no seeds");
        for file in files {
            let seed = fs::read(&file).unwrap();
            // Where a panic ends the test, its output ends with the input's name.
            eprintln!("{}", file.display());
            target(&seed);
            for change in 1..=CHANGES {
                eprintln!("{} changed, {change}", file.display());
                target(&changed(&seed, &mut random));
            }
        }
    }
}

#[test]
fn seeds_of_positions_are_accepted_unless_named_otherwise() {
    for file in files(&seeds("fen")) {
        let position = Position::from_fen_of_either(&fs::read_to_string(&file).unwrap(), false);
        assert_eq!(position.is_ok(), !file.ends_with("crowd"), "{}", file.display());
    }
}

/// The text of a seed.
fn text(of: &str) -> String {
    fs::read_to_string(seeds(of)).unwrap()
}

/// A text's first line.
fn first_line<T: serde::de::DeserializeOwned>(text: &str) -> T {
    serde_json::from_str(text.lines().next().unwrap()).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn seeds_of_results_are_read_and_of_the_present_form_unless_named_otherwise() {
    let suites = [suite::parse("s.epd", text("epd/plain").as_bytes())];
    let schema = |text: &str| first_line::<serde_json::Value>(text)["schema"].clone();
    for (name, positions) in
        [("run", vec![2]), ("two-runs", vec![2, 2]), ("shard-with-times", vec![1]), ("cut", vec![1])]
    {
        let text = text(&format!("results/{name}"));
        assert_eq!(schema(&text), Kind::Solve.schema(), "{name}");
        let runs: Vec<_> = suite::from_jsonl(&text).unwrap().into_iter().map(|report| report.run).collect();
        let taken_up = suite::taken_up(&text, &runs, &suite::tasks(&suites)).unwrap();
        assert_eq!(taken_up.iter().map(|report| report.positions.len()).collect::<Vec<_>>(), positions, "{name}");
    }
    let older = text("results/run-of-version-3");
    assert_eq!(schema(&older), 3);
    assert_eq!(suite::from_jsonl(&older).unwrap()[0].positions.len(), 2);
    for name in ["more-positions-than-numbers", "no-end-of-positions"] {
        let error = suite::from_jsonl(&text(&format!("results/{name}"))).unwrap_err();
        assert_eq!(error.to_string(), "line 1: more positions than there can be", "{name}");
    }
    let (mined, folder) = (text("results/mined"), tempfile::tempdir().unwrap());
    let path = folder.path().join("mined");
    fs::write(&path, &mined).unwrap();
    let mined = Mined::open(&path, &first_line::<Origin>(&mined)).unwrap();
    assert_eq!((mined.games(), mined.finds().len()), (1, 1));
}

#[test]
fn seeds_of_journals_are_of_the_present_form_unless_named_otherwise() {
    for file in files(&seeds("data")) {
        // A kind and the journal's length are before it.
        let journal = fs::read(&file).unwrap().split_off(3);
        if journal.starts_with(b"{") && !file.ends_with("journal-of-the-first-version") {
            let header: Header = first_line(&String::from_utf8_lossy(&journal));
            assert!(header.is_current(), "{}", file.display());
        }
    }
}

#[test]
fn seeds_of_networks_are_refused_for_what_their_names_say() {
    let refused = |name: &str| Network::read(&fs::read(seeds(&format!("network/{name}"))).unwrap()[1..]).unwrap_err();
    assert!(matches!(refused("cut"), NetworkError::Truncated { .. }));
    assert!(matches!(refused("no-end-of-provenance"), NetworkError::Truncated { .. }));
    assert!(matches!(refused("other-shape"), NetworkError::Shape { .. }));
}

#[test]
fn every_target_has_its_program_and_its_seeds() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz");
    let manifest = fs::read_to_string(root.join("Cargo.toml")).unwrap();
    for (name, _) in targets::TARGETS {
        assert!(manifest.contains(&format!("name = \"{name}\"")), "{name} is not in fuzz/Cargo.toml");
        let program = fs::read_to_string(root.join(format!("targets/{name}.rs"))).unwrap();
        assert!(program.contains(&format!("pacioli_fuzz::{name}(")), "{program}");
    }
    assert_eq!(files(&root.join("targets")).len(), targets::TARGETS.len());
    assert_eq!(fs::read_dir(root.join("seeds")).unwrap().count(), targets::TARGETS.len());
}

#[test]
fn real_files_run_through_the_targets() {
    /// The most of a suite that is read, and of a table that is whole: the rest is more of the same.
    const MOST: usize = 5_000;
    let mut random = fastrand::Rng::with_seed(SEED);
    let mut real = |variable: &str, ending: &str, target: targets::Body, before: fn(&Path) -> Vec<u8>| {
        let Ok(folder) = std::env::var(variable) else {
            return eprintln!("skipped: {variable} names no folder");
        };
        let of_kind = |file: &PathBuf| file.to_string_lossy().ends_with(ending);
        let files: Vec<PathBuf> = files(Path::new(&folder)).into_iter().filter(of_kind).collect();
        assert!(!files.is_empty(), "no {ending} in {folder}");
        for file in files {
            let bytes = fs::read(&file).unwrap();
            let end = if ending == ".epd" { bytes.len().min(MOST) } else { bytes.len() };
            let is_table = ending.starts_with(".rt");
            if is_table && end > MOST {
                continue;
            }
            let before = before(&file);
            target(&[&before, &bytes[..end]].concat());
            // There is more in a real table than in a seed.
            let changes = if is_table { CHANGES } else { 0 };
            for change in 1..=changes {
                eprintln!("{} changed, {change}", file.display());
                target(&[before.as_slice(), &changed(&bytes, &mut random)].concat());
            }
        }
    };
    real("PACIOLI_SUITES", ".epd", targets::epd, |_| Vec::new());
    real("PACIOLI_BOOKS", ".bin", targets::book, |_| vec![0]);
    let name = |file: &Path| format!("{}\n", file.file_name().unwrap().to_string_lossy()).into_bytes();
    real("PACIOLI_SYZYGY", ".rtbw", targets::tables, name);
    real("PACIOLI_SYZYGY", ".rtbz", targets::tables, name);
}
