//! `pacioli lint`: looks for mistakes in test suites.

use std::fmt::Write;
use std::path::PathBuf;

use anyhow::bail;
use serde::Serialize;

use super::common::{DEFAULT_HASH, open_pool};
use super::counts::{jobs, within};
use super::output::{all_tried, write_stdout};
use super::progress::Progress;
use super::read::{is_standard, load};
use super::write::{check_outputs, json_text, write_if};
use super::{EXIT_DONE, EXIT_NOT_HELD, LimitArgs, SearchArgs};
use crate::engine::Limits;
use crate::params::Profile;
use crate::runner::{Head, Kind, Pool, Provenance, first_true};
use crate::suite::{self, DoubtRules, Finding, Severity, Suite};
use crate::text::{POINT_OF_VIEW, counted};

const DUAL: &str = "A move that scores at most this many centipawns below the solution is a dual.";
const WRONG: &str = "The solution is wrong if a move scores at least this many centipawns above it.";

/// The help of an option that is known to be given or not, with the value that it has then.
fn unless_given(meaning: &str, value: i32) -> String {
    format!("{meaning} {value} if not given")
}

/// Arguments of `lint`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// EPD files; `-` reads standard input.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Read the suites under the rules of Chess960.
    #[arg(long)]
    chess960: bool,
    /// Limits: if any is given, each position is also searched for moves as good as the solution or better.
    #[command(flatten)]
    limits: LimitArgs,
    #[arg(long, value_name = "CP", value_parser = within::<i32>(0..=10_000))]
    #[arg(help = unless_given(DUAL, DoubtRules::DUAL_MARGIN))]
    dual_margin: Option<i32>,
    #[arg(long, value_name = "CP", value_parser = within::<i32>(1..=10_000))]
    #[arg(help = unless_given(WRONG, DoubtRules::WRONG_MARGIN))]
    wrong_margin: Option<i32>,
    /// Positions searched in parallel. 1 if not given.
    #[arg(long, value_name = "N", value_parser = jobs)]
    jobs: Option<u16>,
    #[command(flatten)]
    search: SearchArgs,
    /// Write the findings as JSON; `-` writes them to standard output instead of the text.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

impl Args {
    /// Makes sure that nothing is asked for that only searches have.
    fn check_for_rules(&self) -> anyhow::Result<()> {
        let given = [
            (self.dual_margin.is_some(), "--dual-margin"),
            (self.wrong_margin.is_some(), "--wrong-margin"),
            (self.jobs.is_some(), "--jobs"),
            (!self.search.settings.is_empty(), "--set"),
            (self.search.profile != Profile::default(), "--profile"),
            (self.search.hash != DEFAULT_HASH, "--hash"),
        ];
        match first_true(&given) {
            Some(option) => bail!("{option} needs a limit: --movetime, --nodes or --depth"),
            None => Ok(()),
        }
    }
}

/// All findings.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Linted<'a> {
    /// The version of the form, and the settings of the searches, if there were any.
    #[serde(flatten)]
    head: Head,
    /// The findings, in the order of files and lines.
    findings: &'a [Finding],
}

/// Runs the command.
///
/// # Errors
///
/// A file that cannot be read or written, bad settings, or settings of searches without a limit.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let unlimited = Limits::default();
    let limits = args.limits.limits_or(unlimited.clone());
    if limits == unlimited {
        args.check_for_rules()?;
    }
    let suites = load(&args.files, args.chess960)?;
    let options = args.search.options()?;
    check_outputs(args.json.as_deref(), &args.files)?;
    let mut findings = suite::lint(&suites);
    let mut provenance = Provenance::of_program();
    if limits != unlimited {
        let mut pool = open_pool(&options, args.jobs.unwrap_or(1));
        let rules = DoubtRules {
            limits: limits.clone(),
            dual_margin: args.dual_margin.unwrap_or(DoubtRules::DUAL_MARGIN),
            wrong_margin: args.wrong_margin.unwrap_or(DoubtRules::WRONG_MARGIN),
        };
        provenance = pool.provenance(&limits);
        add_doubts(&mut findings, &mut pool, &suites, &rules);
    }
    let show_text = || {
        let mut text = String::new();
        for finding in &findings {
            let _ = writeln!(text, "{finding}");
        }
        let records: usize = suites.iter().map(|suite| suite.records.len() + suite.refused.len()).sum();
        let errors = findings.iter().filter(|finding| finding.severity == Severity::Error).count();
        let (lines, warnings) = (counted(records, "line"), counted(findings.len() - errors, "warning"));
        let _ = writeln!(text, "{lines}: {}, {warnings}", counted(errors, "error"));
        if limits != unlimited {
            let _ = writeln!(text, "{POINT_OF_VIEW}");
        }
        write_stdout(&text)
    };
    all_tried([
        write_if(&args.json, || json_text(&Linted { head: Head::new(Kind::Lint, provenance), findings: &findings })),
        if args.json.as_deref().is_some_and(is_standard) { Ok(()) } else { show_text() },
    ])?;
    Ok(if findings.is_empty() { EXIT_DONE } else { EXIT_NOT_HELD })
}

/// Searches, and adds the results in the order of files and lines.
fn add_doubts(findings: &mut Vec<Finding>, pool: &mut Pool, suites: &[Suite], rules: &DoubtRules) {
    let solvable = suite::tasks(suites).len();
    let progress = Progress::new(solvable as u64, "positions");
    findings.extend(suite::doubts(pool, suites, rules, &mut || progress.add(1)));
    progress.finish();
    let place = |finding: &Finding| suites.iter().position(|suite| suite.name == finding.file);
    findings.sort_by_key(|finding| (place(finding), finding.line));
}
