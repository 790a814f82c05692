//! `pacioli report`: extension depth and credit, iteration by iteration.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::bail;

use super::common::{game_from_fen, game_unless_file};
use super::kinds;
use super::output::all_tried;
use super::progress::Progress;
use super::read::{input_name, is_standard, load, note_flaws};
use super::screen::show;
use super::write::{check_outputs, json_text, write_if};
use super::{EXIT_DONE, EXIT_NOT_HELD, SearchArgs};
use crate::board::Game;
use crate::engine::Limits;
use crate::report::collect::{IterationRange, Job, collect};
use crate::report::model::Report;
use crate::report::page::report_to_page;
use crate::report::paper;
use crate::report::picture::to_picture;
use crate::report::text::{TABLES, to_text};
use crate::runner::{Head, Kind, Provenance};
use crate::suite::Suite;

/// Arguments of `report`.
#[derive(Debug, clap::Args)]
#[command(mut_arg("profile", |arg| arg.default_value("deep-blue")))]
pub struct Args {
    /// A position, or a file of positions; the Deep Blue paper's two positions if none is given.
    #[arg(value_name = "FEN|FILE.epd")]
    input: Vec<OsString>,
    /// The iterations to show, inclusive.
    #[arg(long, value_name = "A..B", default_value = "5..8")]
    iterations: IterationRange,
    /// Also write the report as JSON; `-` writes to standard output, instead of the text.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Also draw the report as SVG.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Also write the report as a self-contained HTML page with its pictures.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Leave out times, so that two runs with the same settings give the same report.
    #[arg(long)]
    no_time: bool,
    /// Read the positions under the rules of Chess960.
    #[arg(long)]
    chess960: bool,
    #[command(flatten)]
    search: SearchArgs,
}

impl Args {
    /// The files to write.
    fn outputs(&self) -> impl Iterator<Item = &Path> {
        [&self.json, &self.svg, &self.html].into_iter().flatten().map(PathBuf::as_path)
    }
}

/// A game at the position to search, with its name if it has one.
type Named = (Option<String>, Game);

/// Runs the command: exit code 1 if a line was left out, or of a position no iteration asked for was completed.
///
/// # Errors
///
/// Bad positions, files or settings.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let (positions, refused) = read_positions(&args.input, args.chess960)?;
    let mut engine = args.search.engine()?;
    let inputs: Vec<PathBuf> = args.input.iter().map(PathBuf::from).collect();
    check_outputs(args.outputs(), &inputs)?;
    let progress = Progress::spinner();
    let limits = Limits::to_depth(args.iterations.last());
    let with_ledgers = args.svg.is_some() || args.html.is_some();
    let mut report = Report {
        head: Head::new(Kind::Report, Provenance::of_engine(&engine, &limits)),
        positions: Vec::with_capacity(positions.len()),
    };
    for (index, (name, game)) in positions.iter().enumerate() {
        let (range, with_times) = (args.iterations, !args.no_time);
        let job = Job { name: name.as_deref(), game, range, with_times, with_ledgers };
        let mut progress = |iteration, number| {
            let place = format!("position {} of {}", index + 1, positions.len());
            progress.say(format!("{place}, iteration {iteration}, move {number}"));
        };
        report.positions.push(collect(&mut engine, job, &mut progress));
    }
    progress.finish();
    // Standard output carries one output only.
    let is_shown = !args.outputs().any(is_standard);
    all_tried([
        if is_shown { show(&to_text(&report), &TABLES) } else { Ok(()) },
        write_if(&args.json, || json_text(&report)),
        write_if(&args.svg, || Ok(to_picture(&report))),
        write_if(&args.html, || Ok(report_to_page(&report, &engine.options().params)?)),
    ])?;
    let is_complete = report.positions.iter().all(|position| !position.iterations.is_empty());
    Ok(if refused == 0 && is_complete { EXIT_DONE } else { EXIT_NOT_HELD })
}

/// The positions named by the arguments: a file, a FEN (quoted or not), or the paper's if there are none; and how many
/// lines were rejected.
fn read_positions(input: &[OsString], chess960: bool) -> anyhow::Result<(Vec<Named>, usize)> {
    if input.is_empty() {
        let positions = paper::POSITIONS.iter().map(|paper| Ok((None, game_from_fen(paper.fen, false)?)));
        return Ok((positions.collect::<anyhow::Result<_>>()?, 0));
    }
    let Some(path) = kinds::file_named(input) else { return Ok((vec![(None, game_unless_file(input, chess960)?)], 0)) };
    let suites = load(&[path.to_owned()], chess960)?;
    if suites.iter().all(|suite| suite.records.is_empty()) {
        match suites.iter().find_map(|suite| suite.refused.first()) {
            Some(refused) => bail!("{refused}"),
            None => bail!("{}: no positions", input_name(path)),
        }
    }
    let refused = suites.iter().map(|suite| suite.refused.len()).sum();
    Ok((suites.iter().flat_map(named_positions).collect(), refused))
}

/// The positions of a suite with their names; rejected lines are skipped, and what is wrong is reported on standard
/// error.
fn named_positions(suite: &Suite) -> Vec<Named> {
    note_flaws(suite);
    suite.records.iter().map(|record| (Some(record.id.clone()), Game::new(record.position.clone()))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite;

    #[test]
    fn without_input_the_papers_positions_are_searched() {
        assert_eq!(read_positions(&[], false).unwrap().0.len(), 2);
    }

    #[test]
    fn a_fen_is_read_quoted_or_in_words() {
        let fen = "8/8/4k3/8/8/3K4/8/R7 w - - 0 1";
        for input in [vec![OsString::from(fen)], fen.split(' ').map(OsString::from).collect()] {
            assert_eq!(read_positions(&input, false).unwrap().0[0].1.position().fen(), fen);
        }
        for bad in ["", "hello", "8/8/8/8/8/8/8/8 w - -", "no-such-file.epd"] {
            let error = format!("{:#}", read_positions(&[OsString::from(bad)], false).unwrap_err());
            assert!(!error.contains('\n'), "{error}");
        }
    }

    #[test]
    fn epd_lines_are_named_and_bad_ones_left_out() {
        let text = "\u{feff}# comment\r\n\r\n8/8/4k3/8/8/3K4/8/R7 w - - bm Ra6+; id \"x\";\r\nx y\n";
        let suite = suite::parse("f.epd", text.as_bytes());
        let positions = named_positions(&suite);
        assert_eq!(positions.len(), 1);
        assert_eq!(positions[0].0.as_deref(), Some("x"));
    }
}
