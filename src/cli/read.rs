//! Reading what commands are given: suites, runs, games, training data and networks.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};

use super::kinds::{self, Found, Wanted};
use super::output::note;
use crate::board::{Game, Position};
use crate::eval::nnue::{self, Network, NetworkError, OpenError};
use crate::files;
use crate::lab::data::{self, DataFile};
use crate::params::hint;
use crate::pgn::{Games, PgnGame};
use crate::runner::Kind;
use crate::suite::{self, BuiltIn, Record, Suite, SuiteReport};
use crate::text::{counted, grouped};

/// Reads suites from files, under the rules of Chess960 if asked for; `-` is standard input. The name of a built-in
/// suite stands for that suite if there is no such file.
///
/// # Errors
///
/// A file that cannot be read.
pub fn load(files: &[PathBuf], chess960: bool) -> anyhow::Result<Vec<Suite>> {
    load_by(files, |name, bytes| suite::parse_as(name, bytes, chess960))
}

/// Reads suites as [`load`] does, with another parser of a file's name and bytes.
fn load_by(files: &[PathBuf], parse: impl Fn(&str, &[u8]) -> Suite) -> anyhow::Result<Vec<Suite>> {
    files
        .iter()
        .map(|path| {
            let name = path.display().to_string();
            let bytes = if is_standard(path) {
                files::read_from(io::stdin(), 0, files::TEXT_LIMIT)
            } else {
                files::read(path, files::TEXT_LIMIT).or_else(|error| match BuiltIn::of(&name) {
                    Some(suite) if error.is_missing() => Ok(suite.text.as_bytes().to_vec()),
                    _ => Err(error),
                })
            };
            let bytes = bytes.map_err(|error| match hint(&name, BuiltIn::NAMES) {
                meant if error.is_missing() && !meant.is_empty() => anyhow!("there is no file `{name}`{meant}"),
                _ => anyhow!(error).context(format!("cannot read {name}")),
            })?;
            kinds::check_text(&input_name(path), &bytes, Wanted::Epd)?;
            let suite = parse(&name, &bytes);
            if suite.records.is_empty() {
                kinds::check(&input_name(path), &bytes, Wanted::Epd)?;
            }
            Ok(suite)
        })
        .collect()
}

/// Reads suites as [`load`] does, or `default` if no file is given; what [`note_flaws`] says is reported.
///
/// # Errors
///
/// As [`load`].
pub fn load_or(default: BuiltIn, files: &[PathBuf], chess960: bool) -> anyhow::Result<Vec<Suite>> {
    let suites = if files.is_empty() { vec![default.parse(chess960)] } else { load(files, chess960)? };
    suites.iter().for_each(note_flaws);
    Ok(suites)
}

/// Reports on standard error the rejected lines of a suite, and how many others state rights that are impossible.
pub fn note_flaws(suite: &Suite) {
    suite.refused.iter().for_each(note);
    let flawed: Vec<&Record> = suite.records.iter().filter(|record| !record.impossible_rights().is_empty()).collect();
    let Some(first) = flawed.first() else { return };
    note(format_args!(
        "note: {}: impossible castling or en passant rights left out of {} (the first: line {}): `pacioli lint` names \
         them",
        suite.name,
        counted(flawed.len(), "line"),
        first.line
    ));
}

/// Positions for games to start from, from suites read as [`load`] does, but under the rules that their castling rights
/// need; none if no file is given.
///
/// # Errors
///
/// As [`load`]; a rejected line, a position in which the game is over, or files without a position.
pub fn load_openings(files: &[PathBuf]) -> anyhow::Result<Vec<Position>> {
    let suites = load_by(files, suite::parse_openings)?;
    if let Some(refused) = suites.iter().find_map(|suite| suite.refused.first()) {
        bail!("{refused}");
    }
    let records: Vec<Record> = suites.into_iter().flat_map(|suite| suite.records).collect();
    if let Some(over) = records.iter().find(|record| Game::new(record.position.clone()).is_over()) {
        bail!("{}:{}: no game can start where it is over: {}", over.file, over.line, over.fen);
    }
    let book: Vec<Position> = records.into_iter().map(|record| record.position).collect();
    if book.is_empty() && !files.is_empty() {
        bail!("no position to start from");
    }
    Ok(book)
}

/// Reads the runs from a file written by `solve --json`; what is missing from them is reported on standard error.
///
/// # Errors
///
/// A file that cannot be read, or is something else.
pub fn read_runs(path: &Path) -> anyhow::Result<Vec<SuiteReport>> {
    let bytes = files::read(path, files::TEXT_LIMIT).with_context(|| format!("cannot read {}", path.display()))?;
    let (name, text) = (path.display(), String::from_utf8_lossy(&bytes));
    let runs = suite::from_jsonl(&text);
    if runs.is_err() {
        kinds::check(&name.to_string(), &bytes, Wanted::Json(Kind::Solve))?;
    }
    let runs = runs.with_context(|| name.to_string())?;
    if suite::breaks_off(&text) {
        note(format_args!("warning: {name}: the last line breaks off and is left out"));
    }
    for run in runs.iter().filter(|run| run.missing() > 0) {
        let (missing, wanted) = (counted(run.missing(), "position"), grouped(run.run.wanted() as u64));
        note(format_args!("warning: {name}: the run is not complete: {missing} of {wanted} not done"));
    }
    Ok(runs)
}

/// Whether the path stands for standard input or output.
pub fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}

/// What an input is called in messages.
pub fn input_name(path: &Path) -> String {
    if is_standard(path) { "standard input".to_owned() } else { path.display().to_string() }
}

/// The games of a PGN file, or of standard input for `-`, and how many were unusable; these are reported on standard
/// error.
///
/// # Errors
///
/// A file that cannot be read.
pub fn read_games(path: &Path) -> anyhow::Result<(Vec<PgnGame>, usize)> {
    let name = input_name(path);
    let (mut games, mut refused) = (Vec::new(), 0);
    for game in Games::new(open_games(path)?) {
        match game.with_context(|| format!("cannot read {name}"))? {
            Ok(game) => games.push(game),
            Err(refusal) => {
                note(format_args!("{name}: {refusal}"));
                refused += 1;
            }
        }
    }
    Ok((games, refused))
}

/// Opens a file of games, or standard input for `-`.
///
/// # Errors
///
/// A file that cannot be read, or is clearly something else.
pub fn open_games(path: &Path) -> anyhow::Result<impl Read + use<>> {
    let source: Box<dyn Read> = if is_standard(path) { Box::new(io::stdin()) } else { Box::new(open_stream(path)?) };
    let mut source = BufReader::with_capacity(kinds::LOOK, source);
    let beginning = source.fill_buf().with_context(|| format!("cannot read {}", input_name(path)))?;
    kinds::check(&input_name(path), beginning, Wanted::Pgn)?;
    Ok(source)
}

/// The games of a file of training data.
///
/// # Errors
///
/// A file that cannot be read, or is something else.
pub fn open_data(path: &Path) -> anyhow::Result<DataFile> {
    let name = path.display().to_string();
    let mut beginning = Vec::new();
    open_stream(path)?
        .take(kinds::LOOK as u64)
        .read_to_end(&mut beginning)
        .with_context(|| format!("cannot read {name}"))?;
    kinds::check(&name, &beginning, Wanted::Data)?;
    data::open(path).with_context(|| format!("cannot read {name}"))
}

/// Reads a network.
///
/// # Errors
///
/// A file that cannot be read, or is something else.
pub fn open_network(path: &Path) -> anyhow::Result<Network> {
    let name = path.display().to_string();
    nnue::open(path).or_else(|error| {
        if let OpenError::Read(reason) = error {
            return Err(reason).with_context(|| format!("cannot read {name}"));
        }
        if matches!(error, OpenError::Network(NetworkError::NotANetwork))
            && let Some(found) = Found::of_file(path)
        {
            bail!("{name}: this is {found}, not {}", Wanted::Network);
        }
        Err(error).context(name)
    })
}

/// Opens a file that is read piece by piece, such as a PGN.
///
/// # Errors
///
/// A file that cannot be read.
fn open_stream(path: &Path) -> anyhow::Result<File> {
    files::open(path, files::STREAM_LIMIT).with_context(|| format!("cannot read {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_built_in_suite_is_read_under_the_rules_asked_for() {
        for chess960 in [false, true] {
            let suites = load_or(BuiltIn::TACTICS, &[], chess960).unwrap();
            let rules: Vec<bool> = suites[0].records.iter().map(|record| record.position.is_chess960()).collect();
            assert!(!rules.is_empty() && rules.iter().all(|&is_chess960| is_chess960 == chess960));
        }
    }
}
