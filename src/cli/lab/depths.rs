//! `pacioli lab depths`: extension depths over many positions.

use std::path::PathBuf;

use anyhow::{Context, anyhow, bail};

use crate::cli::EXIT_DONE;
use crate::cli::kinds::{self, Wanted};
use crate::cli::output::{all_tried, note_other_commits};
use crate::cli::read::is_standard;
use crate::cli::screen::show;
use crate::cli::write::{check_outputs, json_text, write_if};
use crate::files;
use crate::json::json_fault;
use crate::lab::Tables;
use crate::lab::depths::{Collection, OLDEST_SCHEMA, Source};
use crate::lab::text::TABLES;
use crate::runner::{FileHeader, Kind};

/// Arguments of `lab depths`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Reports as `pacioli report FILE.epd --json REPORT.json` writes them, all with the same settings.
    #[arg(value_name = "REPORT.json", required = true)]
    reports: Vec<PathBuf>,
    /// Also write the distributions as JSON; `-` is standard output, in place of the table.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Also draw them, as an SVG picture.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// Runs the command.
///
/// # Errors
///
/// Files that cannot be read, are no reports, or do not go together.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let outputs = || [&args.json, &args.svg].into_iter().flatten().map(PathBuf::as_path);
    check_outputs(outputs(), &args.reports)?;
    let mut collection = Collection::default();
    for path in &args.reports {
        let name = path.display();
        let bytes = files::read(path, files::TEXT_LIMIT).with_context(|| format!("cannot read {name}"))?;
        kinds::check(&name.to_string(), &bytes, Wanted::Json(Kind::Report))?;
        let text = String::from_utf8_lossy(&bytes);
        FileHeader::of(&text).check(Kind::Report, OLDEST_SCHEMA).with_context(|| format!("{name}"))?;
        let source: Source = serde_json::from_str(&text)
            .map_err(|error| anyhow!("{name}: not a report as `pacioli report` writes it: {}", json_fault(&error)))?;
        let others = collection.add(source).with_context(|| format!("{name}"))?;
        note_other_commits(&name, others.as_deref());
    }
    let Some(depths) = collection.depths() else { bail!("no position finished an iteration") };
    all_tried([
        if outputs().any(is_standard) { Ok(()) } else { show(&depths.to_text(), &TABLES) },
        write_if(&args.json, || json_text(&depths)),
        write_if(&args.svg, || Ok(depths.to_picture())),
    ])?;
    Ok(EXIT_DONE)
}
