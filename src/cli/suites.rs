//! Reading suites and writing results, for every subcommand that has to do with suites.

use std::fs::{self, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use super::output::{note, write_stdout};
use crate::suite::{self, BuiltIn, Suite};

/// Reads suites from files, under the rules of Chess960 where asked for; `-` is standard input. What is no file but the
/// name of a suite that comes with the program is that suite.
///
/// # Errors
///
/// A file that cannot be read.
pub fn load(files: &[PathBuf], chess960: bool) -> anyhow::Result<Vec<Suite>> {
    files
        .iter()
        .map(|path| {
            let name = path.display().to_string();
            let bytes = if is_standard(path) {
                let mut bytes = Vec::new();
                io::stdin().read_to_end(&mut bytes).map(|_| bytes)
            } else {
                fs::read(path).or_else(|error| match BuiltIn::of(&name) {
                    Some(suite) if error.kind() == io::ErrorKind::NotFound => Ok(suite.text.as_bytes().to_vec()),
                    _ => Err(error),
                })
            };
            Ok(suite::parse_as(&name, &bytes.with_context(|| format!("cannot read {name}"))?, chess960))
        })
        .collect()
}

/// Reads suites as [`load`] does, or the one that comes with the program where no file is given; refused lines are told on
/// standard error.
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

/// Whether the path stands for standard input or output.
pub fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}

/// Writes a text to a file, or to standard output for `-`.
///
/// # Errors
///
/// A file that cannot be written.
pub fn write_output(path: &Path, text: &str) -> anyhow::Result<()> {
    if is_standard(path) {
        return write_stdout(text);
    }
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

/// Makes sure that outputs can be written, before the work whose results they shall hold, and that none overwrites
/// an input or another output.
///
/// # Errors
///
/// A file that cannot be opened for writing, or is named twice.
pub fn check_outputs<'p>(outputs: impl IntoIterator<Item = &'p Path>, inputs: &[PathBuf]) -> anyhow::Result<()> {
    let mut taken: Vec<PathBuf> = inputs.iter().filter_map(|input| fs::canonicalize(input).ok()).collect();
    for path in outputs {
        if is_standard(path) {
            continue;
        }
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(path);
        file.map(drop).with_context(|| format!("cannot write {}", path.display()))?;
        if let Ok(place) = fs::canonicalize(path) {
            if taken.contains(&place) {
                bail!("{} would overwrite an input or another output", path.display());
            }
            taken.push(place);
        }
    }
    Ok(())
}
