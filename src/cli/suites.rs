//! Reading suites and writing results, for all subcommands that use suites.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use serde::Serialize;

use super::kinds::{self, Found, Wanted};
use super::output::{note, write_stdout};
use crate::board::{Game, Position};
use crate::eval::nnue::{self, Network, NetworkError, OpenError};
use crate::files;
use crate::json;
use crate::lab::data::{self, DataFile, index};
use crate::params::hint;
use crate::pgn::{Games, PgnGame};
use crate::runner::Kind;
use crate::suite::{self, BuiltIn, Record, Suite, SuiteReport};
use crate::text::{counted, grouped};

/// What to do about an output in whose place something is.
const CHOOSE_ANOTHER: &str = "choose another file, or remove this one first";

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

/// Reads suites as [`load`] does, or `default` if no file is given; rejected lines are reported on standard
/// error.
///
/// # Errors
///
/// As [`load`].
pub fn load_or(default: BuiltIn, files: &[PathBuf], chess960: bool) -> anyhow::Result<Vec<Suite>> {
    let suites = if files.is_empty() { vec![default.parse()] } else { load(files, chess960)? };
    for refused in suites.iter().flat_map(|suite| &suite.refused) {
        note(refused);
    }
    Ok(suites)
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
pub fn open_stream(path: &Path) -> anyhow::Result<File> {
    files::open(path, files::STREAM_LIMIT).with_context(|| format!("cannot read {}", path.display()))
}

/// Writes text to a file atomically, or to standard output for `-`.
///
/// # Errors
///
/// A file that cannot be written, or that holds by now what took work to make: another command may have written it
/// since [`check_outputs`].
pub fn write_output(path: &Path, text: &str) -> anyhow::Result<()> {
    check_nothing_lost(path, CHOOSE_ANOTHER)?;
    write_over(path, text)
}

/// Writes an output if it was asked for, as [`write_output`] does; its text is made only then.
///
/// # Errors
///
/// A file that cannot be written, or a text that cannot be made.
pub fn write_if(path: &Option<PathBuf>, text: impl FnOnce() -> anyhow::Result<String>) -> anyhow::Result<()> {
    path.as_ref().map_or(Ok(()), |path| write_output(path, &text()?))
}

/// The same as [`write_output`], whatever is there.
///
/// # Errors
///
/// A file that cannot be written.
pub fn write_over(path: &Path, text: &str) -> anyhow::Result<()> {
    if is_standard(path) {
        return write_stdout(text);
    }
    files::replace(path, text.as_bytes()).map(drop).with_context(|| format!("cannot write {}", path.display()))
}

/// A result as readable JSON.
///
/// # Errors
///
/// It has no form in JSON.
pub fn json_text(result: &impl Serialize) -> anyhow::Result<String> {
    json::readable(result).context("cannot write JSON")
}

/// The absolute path of a file that need not exist yet.
fn full_path(path: &Path) -> io::Result<PathBuf> {
    let path = &files::target(path);
    let Some(name) = path.file_name() else { return fs::canonicalize(path) };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::canonicalize(path).or_else(|_| Ok(fs::canonicalize(folder)?.join(name)))
}

/// Refuses standard output where a run is resumed from what it wrote.
///
/// # Errors
///
/// It is standard output.
pub fn check_resumable(path: &Path) -> anyhow::Result<()> {
    if is_standard(path) {
        bail!("`-`: standard output cannot be resumed; name a file");
    }
    Ok(())
}

/// Makes sure, before the work begins, that nothing is in the way of its outputs: as [`check_places`] does, and that
/// none overwrites what took work to make.
///
/// # Errors
///
/// As [`check_places`], and [`check_nothing_lost`].
pub fn check_outputs<'p>(outputs: impl IntoIterator<Item = &'p Path>, inputs: &[PathBuf]) -> anyhow::Result<()> {
    let outputs: Vec<&Path> = outputs.into_iter().collect();
    check_places(outputs.iter().copied(), inputs)?;
    check_replaceable(outputs)
}

/// Makes sure that none of these outputs overwrites what took work to make.
///
/// # Errors
///
/// As [`check_nothing_lost`].
pub fn check_replaceable<'p>(outputs: impl IntoIterator<Item = &'p Path>) -> anyhow::Result<()> {
    outputs.into_iter().try_for_each(|path| check_nothing_lost(path, CHOOSE_ANOTHER))
}

/// Refuses to overwrite a file that took work to make; `remedy` says what to do instead.
///
/// # Errors
///
/// By its contents the file is one.
pub fn check_nothing_lost(path: &Path, remedy: &str) -> anyhow::Result<()> {
    check_nothing_lost_but(path, |_| false, remedy)
}

/// Refuses a file that took work to make and does not say that it is what takes its place, whatever is forced.
///
/// # Errors
///
/// By its contents the file is one.
pub fn check_own(path: &Path, own: Wanted) -> anyhow::Result<()> {
    check_nothing_lost_but(path, |&found| found.is(own) && found != Found::Json(None), CHOOSE_ANOTHER)
}

/// Refuses to overwrite a file that took work to make, unless it is one that may be.
fn check_nothing_lost_but(path: &Path, may_be: impl Fn(&Found) -> bool, remedy: &str) -> anyhow::Result<()> {
    match Found::of_file(path).filter(|found| found.took_work() && !may_be(found) && !is_standard(path)) {
        Some(found) => bail!("{} is {found} and would be overwritten: {remedy}", path.display()),
        None => Ok(()),
    }
}

/// Makes sure that outputs can be written, that none overwrites an input or another output, and that standard output
/// carries one of them at most. What else is in their place is not looked at: journals are resumed.
///
/// # Errors
///
/// A file that cannot be opened for writing, or is named twice, or two outputs on standard output.
pub fn check_places<'p>(outputs: impl IntoIterator<Item = &'p Path>, inputs: &[PathBuf]) -> anyhow::Result<()> {
    let mut taken: Vec<PathBuf> = inputs.iter().filter_map(|input| fs::canonicalize(input).ok()).collect();
    let mut is_standard_taken = false;
    for path in outputs {
        if is_standard(path) {
            if is_standard_taken {
                bail!("only one output can go to standard output");
            }
            is_standard_taken = true;
            continue;
        }
        files::check_place(path).with_context(|| format!("cannot write {}", path.display()))?;
        if let Ok(place) = full_path(path) {
            if taken.contains(&place) {
                bail!("{} would overwrite an input or another output", path.display());
            }
            taken.push(place);
        }
    }
    Ok(())
}

/// Data files, and their journals if they have one: these would be lost like the files.
pub fn with_journals(data: &[PathBuf]) -> Vec<PathBuf> {
    data.iter().flat_map(|path| [path.clone(), index::path(path)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_came_during_the_work_is_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.jsonl");
        check_outputs([path.as_path()], &[]).unwrap();
        let results = "{\"kind\":\"solve\",\"schema\":5}\n";
        fs::write(&path, results).unwrap();
        let error = write_output(&path, "a report").unwrap_err().to_string();
        assert!(error.contains("is JSON of `pacioli solve` and would be overwritten"), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), results);
        write_over(&path, "results").unwrap();
        write_output(&path, "a report").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "a report");
    }
}
