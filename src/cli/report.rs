//! `pacioli report`: extension depth and credit, iteration by iteration.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressStyle};

use super::common::game_from_fen;
use super::{EXIT_DONE, SearchArgs};
use crate::board::Game;
use crate::report::collect::{IterationRange, Job, collect};
use crate::report::model::{Report, SCHEMA};
use crate::report::{json::to_json, paper, text::to_text};

/// Arguments of `report`.
#[derive(Debug, clap::Args)]
#[command(mut_arg("profile", |arg| arg.default_value("deep-blue")))]
pub struct Args {
    /// A position, or a file of positions; the Deep Blue paper's two positions where none is given.
    #[arg(value_name = "FEN|FILE.epd")]
    input: Vec<String>,
    /// The iterations to show, both ends included.
    #[arg(long, value_name = "A..B", default_value = "5..8")]
    iterations: IterationRange,
    /// Also write the report as JSON to this file.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Leave times out, so that two runs with the same settings give the same report.
    #[arg(long)]
    no_time: bool,
    #[command(flatten)]
    search: SearchArgs,
}

/// A game at the position to search, with its name if it has one.
type Named = (Option<String>, Game);

/// Runs the command.
///
/// # Errors
///
/// Bad positions, files or settings.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let positions = read_positions(&args.input)?;
    let mut engine = args.search.engine()?;
    // Opened before the search, which may take long, and written only after it.
    let json = args.json.as_deref().map(open_json).transpose()?;
    let bar = ProgressBar::new_spinner().with_style(ProgressStyle::with_template("{spinner} {msg}")?);
    let mut report = Report {
        schema: SCHEMA,
        engine: concat!("Pacioli ", env!("CARGO_PKG_VERSION")).to_owned(),
        profile: engine.options().profile.to_string(),
        settings: args.search.settings.clone(),
        hash_mb: engine.options().hash_mb,
        positions: Vec::with_capacity(positions.len()),
    };
    for (index, (name, game)) in positions.iter().enumerate() {
        let job = Job { name: name.as_deref(), game, range: args.iterations, with_times: !args.no_time };
        let mut progress = |iteration, number| {
            let place = format!("position {} of {}", index + 1, positions.len());
            bar.set_message(format!("{place}, iteration {iteration}, move {number}"));
        };
        report.positions.push(collect(&mut engine, job, &mut progress));
    }
    bar.finish_and_clear();
    print!("{}", to_text(&report));
    if let (Some(mut file), Some(path)) = (json, &args.json) {
        let text = to_json(&report)?;
        file.set_len(0).and_then(|()| file.write_all(text.as_bytes())).with_context(|| path.display().to_string())?;
    }
    Ok(EXIT_DONE)
}

/// Opens the JSON file for writing without emptying it yet.
fn open_json(path: &Path) -> anyhow::Result<File> {
    OpenOptions::new().write(true).create(true).truncate(false).open(path).with_context(|| path.display().to_string())
}

/// The positions that the arguments name: a file, a FEN (quoted or not), or the paper's where there are none.
fn read_positions(input: &[String]) -> anyhow::Result<Vec<Named>> {
    match input {
        [] => paper::POSITIONS.iter().map(|paper| Ok((None, game_from_fen(paper.fen)?))).collect(),
        [path] if path.ends_with(".epd") || Path::new(path).is_file() => {
            let bytes = fs::read(path).with_context(|| path.clone())?;
            read_epd(path, &String::from_utf8_lossy(&bytes))
        }
        words => Ok(vec![(None, game_from_fen(&words.join(" "))?)]),
    }
}

/// The positions of an EPD file: the first four fields of each line that is neither empty nor a comment.
///
/// This is the one place to call the suites' EPD reader from, which knows operations and names.
fn read_epd(path: &str, text: &str) -> anyhow::Result<Vec<Named>> {
    let mut positions = Vec::new();
    for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let fen = line.split_whitespace().take(4).collect::<Vec<_>>().join(" ");
        let place = format!("{path}:{}", index + 1);
        let game = game_from_fen(&fen).with_context(|| place.clone())?;
        positions.push((Some(place), game));
    }
    if positions.is_empty() {
        bail!("{path}: no positions");
    }
    Ok(positions)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_input_the_papers_positions_are_searched() {
        assert_eq!(read_positions(&[]).unwrap().len(), 2);
    }

    #[test]
    fn a_fen_is_read_quoted_or_in_words() {
        let fen = "8/8/4k3/8/8/3K4/8/R7 w - - 0 1";
        for input in [vec![fen.to_owned()], fen.split(' ').map(str::to_owned).collect()] {
            assert_eq!(read_positions(&input).unwrap()[0].1.position().fen(), fen);
        }
        for bad in ["", "hello", "8/8/8/8/8/8/8/8 w - -", "no-such-file.epd"] {
            let error = format!("{:#}", read_positions(&[bad.to_owned()]).unwrap_err());
            assert!(!error.contains('\n'), "{error}");
        }
    }

    #[test]
    fn epd_lines_are_named_by_their_place_and_bad_ones_are_told_by_it() {
        let text = "\u{feff}# comment\r\n\r\n8/8/4k3/8/8/3K4/8/R7 w - - bm Ra6+; id \"x\";\r\n";
        let positions = read_epd("f.epd", text).unwrap();
        assert_eq!(positions[0].0.as_deref(), Some("f.epd:3"));
        let error = format!("{:#}", read_epd("f.epd", &format!("{text}x y\n")).unwrap_err());
        assert!(error.starts_with("f.epd:4: not a FEN"), "{error}");
        assert_eq!(read_epd("f.epd", "\n").unwrap_err().to_string(), "f.epd: no positions");
    }
}
