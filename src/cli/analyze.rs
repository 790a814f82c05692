//! `pacioli analyze`: the best lines of a position, or a game with its mistakes.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::bail;

use super::common::{TablesArgs, engine, game_unless_file, stop_by_signals, warn_of_tables};
use super::counts::within;
use super::kinds::{self, Found};
use super::output::{all_tried, note};
use super::progress::Progress;
use super::read::{input_name, is_standard, load, note_flaws, read_games};
use super::screen::{show, show_while_read};
use super::write::{check_outputs, json_text, write_if};
use super::{EXIT_BAD_INPUT, EXIT_DONE, EXIT_INTERRUPTED, EXIT_NOT_HELD, LimitArgs, SearchArgs};
use crate::board::{Game, MAX_MOVES};
use crate::engine::{Engine, Limits, Options};
use crate::json;
use crate::pgn::PgnGame;
use crate::report::analysis::{self, Plan, PositionAnalysis, Stage, Theory, annotate, text};
use crate::report::page::{games_to_page, positions_to_page};
use crate::runner::first_true;
use crate::suite::Suite;
use crate::text::{TableStyle, counted};

/// Nodes searched for a position if no limit is given.
pub(super) const POSITION_NODES: u64 = 2_000_000;
/// Nodes searched for each position of a game if no limit is given.
pub(super) const GAME_NODES: u64 = 200_000;
/// How many times the limit a suspected mistake is searched again with if nothing else is asked for.
const CONFIRM: u32 = 4;

/// Arguments of `analyze`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A position, quoted or unquoted; `startpos` is the initial one. Or a file of games or of positions; `-` reads
    /// games from standard input.
    #[arg(value_name = "FEN|FILE.pgn|FILE.epd", required = true)]
    input: Vec<OsString>,
    /// How many best lines of a position to show. 1 if not given.
    #[arg(long, value_name = "N", value_parser = within::<u16>(1..=MAX_MOVES as u64))]
    multipv: Option<u16>,
    /// Read the position's castling rights as Chess960; games declare it themselves.
    #[arg(long)]
    chess960: bool,
    #[command(flatten)]
    limits: LimitArgs,
    /// Search a suspected mistake or sacrifice of a game again before it is marked, with so many times the nodes and
    /// the time, and an iteration more for each doubling: the position after the move, and that after the better one.
    /// 4 if not given; 0 marks mistakes at once, and no sacrifices.
    #[arg(long, value_name = "FACTOR", value_parser = within::<u32>(0..=1000))]
    confirm: Option<u32>,
    /// Also mark inaccuracies and mistakes of a game in named openings; blunders are marked in any case.
    #[arg(long)]
    no_theory: bool,
    #[command(flatten)]
    search: SearchArgs,
    /// Search threads; with several the result of a search is not the same again.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = within::<u16>(1..=Options::MAX_THREADS as u64))]
    threads: u16,
    #[command(flatten)]
    tables: TablesArgs,
    /// Also write the annotated games as PGN, with their comments, but without the variations and glyphs (`$1`, `!?`)
    /// that they had; `-` writes to standard output, instead of the text.
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Also write the analysis as JSON; `-` writes to standard output, instead of the text.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Also write the analysis as a self-contained HTML page with a board, and for games the evaluation as a curve; `-`
    /// writes to standard output, instead of the text.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

impl Args {
    /// The files to write.
    fn outputs(&self) -> impl Iterator<Item = &Path> {
        [&self.pgn, &self.json, &self.html].into_iter().flatten().map(PathBuf::as_path)
    }

    /// Whether one of them is written to standard output instead of the text.
    fn goes_elsewhere(&self) -> bool {
        self.outputs().any(is_standard)
    }

    /// Whether the rest is for nobody: the text is read or written no more, and nothing else is asked for.
    fn is_for_nobody(&self, shown: &anyhow::Result<bool>) -> bool {
        !matches!(shown, Ok(true)) && self.outputs().next().is_none()
    }

    /// The engine that analyses.
    fn engine(&self) -> anyhow::Result<Engine> {
        let mut options = Options { threads: usize::from(self.threads), ..self.search.options()? };
        self.tables.add_to(&mut options)?;
        Ok(engine(options))
    }

    /// The limits of the search of a position.
    fn position_limits(&self) -> Limits {
        let limits = self.limits.limits_or(Limits::of_nodes(POSITION_NODES));
        Limits { multi_pv: usize::from(self.multipv.unwrap_or(1)), ..limits }
    }

    /// Makes sure that nothing is asked for that only games have.
    fn check_for_positions(&self) -> anyhow::Result<()> {
        let given =
            [(self.confirm.is_some(), "--confirm"), (self.no_theory, "--no-theory"), (self.pgn.is_some(), "--pgn")];
        match first_true(&given) {
            Some(option) => bail!("{option} needs a file of games"),
            None => Ok(()),
        }
    }

    /// Makes sure that nothing is asked for that only positions have.
    fn check_for_games(&self) -> anyhow::Result<()> {
        if self.multipv.is_some() {
            bail!("--multipv needs a position or a file of positions");
        }
        Ok(())
    }
}

/// Runs the command: exit code 1 if a game or a line of a suite was left out, 3 if it was interrupted. It ends early if
/// nobody reads on and nothing is written.
///
/// # Errors
///
/// A bad position, a file that cannot be read or written or has no game with moves, bad settings.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let Some(path) = kinds::file_named(&args.input) else {
        args.check_for_positions()?;
        let game = game_unless_file(&args.input, args.chess960)?;
        check_outputs(args.outputs(), &[])?;
        return analyze_position(args, &game);
    };
    let inputs = [path.to_owned()];
    if Found::of_file(path) == Some(Found::Suite) {
        args.check_for_positions()?;
        check_outputs(args.outputs(), &inputs)?;
        let suites = load(&inputs, args.chess960)?;
        return analyze_suite(args, &suites[0]);
    }
    args.check_for_games()?;
    check_outputs(args.outputs(), &inputs)?;
    let (games, refused) = read_games(path)?;
    if games.is_empty() && refused > 0 {
        // Why has been said.
        return Ok(EXIT_BAD_INPUT);
    }
    if games.iter().all(|game| game.moves.is_empty()) {
        bail!("{}: no game with moves", input_name(path));
    }
    note_starts(path, &games);
    if args.pgn.is_some() {
        note_left_out(path, &games);
    }
    let is_ended_early = analyze_games(args, &games)?;
    Ok(exit_code(is_ended_early, refused > 0))
}

/// The exit code of an analysis.
fn exit_code(is_ended_early: bool, has_refused: bool) -> u8 {
    match (is_ended_early, has_refused) {
        (true, _) => EXIT_INTERRUPTED,
        (false, true) => EXIT_NOT_HELD,
        (false, false) => EXIT_DONE,
    }
}

/// Says what was done before an interruption.
fn note_interruption(done: usize, all: usize, noun: &str) {
    note(format_args!("interrupted: {done} of {} analysed", counted(all, noun)));
}

fn analyze_position(args: &Args, game: &Game) -> anyhow::Result<u8> {
    let mut engine = args.engine()?;
    let limits = args.position_limits();
    let stop = stop_by_signals()?;
    let analysis = analysis::position(&mut engine, game, &limits, &stop);
    if stop.is_raised() {
        note("interrupted: the search went as far as is shown");
    }
    warn_of_tables(engine.options());
    all_tried([
        write_if(&args.json, || json_text(&analysis)),
        write_if(&args.html, || Ok(positions_to_page(&[(game.position(), &analysis)], engine.options())?)),
        if args.goes_elsewhere() { Ok(()) } else { show(&text::position_to_text(&analysis), &TableStyle::PROSE) },
    ])?;
    Ok(exit_code(stop.is_raised(), false))
}

/// Analyses every position of a suite; the JSON has one line for each.
fn analyze_suite(args: &Args, suite: &Suite) -> anyhow::Result<u8> {
    let mut engine = args.engine()?;
    let limits = args.position_limits();
    note_flaws(suite);
    if suite.records.is_empty() {
        bail!("{}: no line is a position", suite.name);
    }
    let stop = stop_by_signals()?;
    let progress = Progress::new(suite.records.len() as u64, "positions");
    let (mut lines, mut analyses) = (String::new(), Vec::with_capacity(suite.records.len()));
    let mut shown = Ok(true);
    for record in &suite.records {
        engine.new_game();
        let game = Game::new(record.position.clone());
        let analysis =
            PositionAnalysis { id: Some(record.id.clone()), ..analysis::position(&mut engine, &game, &limits, &stop) };
        if stop.is_raised() {
            break;
        }
        progress.add(1);
        lines.push_str(&json::line(&analysis)?);
        if matches!(shown, Ok(true)) && !args.goes_elsewhere() {
            let text = format!("{}\n", text::position_to_text(&analysis));
            shown = progress.suspend(|| show_while_read(&text, &TableStyle::PROSE));
        }
        analyses.push((&record.position, analysis));
        if args.is_for_nobody(&shown) {
            break;
        }
    }
    progress.finish();
    if stop.is_raised() {
        note_interruption(analyses.len(), suite.records.len(), "position");
        if analyses.is_empty() {
            return Ok(EXIT_INTERRUPTED);
        }
    }
    warn_of_tables(engine.options());
    all_tried([
        shown.map(drop),
        write_if(&args.json, || Ok(lines)),
        write_if(&args.html, || {
            let analysed: Vec<_> = analyses.iter().map(|(position, analysis)| (*position, analysis)).collect();
            Ok(positions_to_page(&analysed, engine.options())?)
        }),
    ])?;
    Ok(exit_code(stop.is_raised(), !suite.refused.is_empty()))
}

/// Reports on standard error what is assumed for these games' start positions, and what they cannot have.
fn note_starts(path: &Path, games: &[PgnGame]) {
    let name = input_name(path);
    for game in games {
        if let Some(assumed) = game.assumed() {
            note(format_args!("note: {name}: game {}: its FEN lacks fields; assumed: {assumed}", game.number));
        }
        for reason in game.left_out() {
            note(format_args!("note: {name}: game {}: {reason}; left out", game.number));
        }
    }
}

/// Reports on standard error what of these games is not written back.
fn note_left_out(path: &Path, games: &[PgnGame]) {
    let total = |of: fn(&PgnGame) -> usize| games.iter().map(of).sum::<usize>();
    let counts = [("variation", total(|game| game.variations)), ("glyph", total(|game| game.glyphs))];
    let lost = counts.into_iter().filter(|&(_, count)| count > 0);
    let lost: Vec<String> = lost.map(|(noun, count)| counted(count, noun)).collect();
    if !lost.is_empty() {
        let name = input_name(path);
        note(format_args!("note: {name}: left out of the annotated games: {}", lost.join(", ")));
    }
}

/// Analyses games; whether it was ended early. What was done by then is shown and written.
fn analyze_games(args: &Args, games: &[PgnGame]) -> anyhow::Result<bool> {
    let mut engine = args.engine()?;
    let limits = args.limits.limits_or(Limits::of_nodes(GAME_NODES));
    let theory = if args.no_theory { Theory::default() } else { Theory::named()? };
    let stop = stop_by_signals()?;
    let plan = Plan { limits: &limits, confirm: args.confirm.unwrap_or(CONFIRM), theory: &theory, stop: &stop };
    let mut shown = Ok(true);
    let positions: usize = games.iter().map(|game| game.moves.len() + 1).sum();
    let progress = Progress::new(positions as u64, "positions");
    let mut done = 0;
    let (mut annotated, mut analyses) = (String::new(), Vec::with_capacity(games.len()));
    for game in games {
        let analysis = analysis::game(&mut engine, game, plan, &mut |stage| match stage {
            Stage::Searched(searched) => progress.set((done + searched) as u64),
            Stage::Confirmed(confirmed, all) => progress.say(format!(", {confirmed} of {all} suspects searched again")),
        });
        let Some(analysis) = analysis else { break };
        progress.say(String::new());
        done += game.moves.len() + 1;
        annotated.push_str(&annotate::to_pgn(game, &analysis));
        if matches!(shown, Ok(true)) && !args.goes_elsewhere() {
            let text = format!("{}\n", text::game_to_text(game, &analysis));
            shown = progress.suspend(|| show_while_read(&text, &text::TABLES));
        }
        analyses.push(analysis);
        if args.is_for_nobody(&shown) {
            break;
        }
    }
    progress.finish();
    if stop.is_raised() {
        note_interruption(analyses.len(), games.len(), "game");
        if analyses.is_empty() {
            return Ok(true);
        }
    }
    let games = &games[..analyses.len()];
    warn_of_tables(engine.options());
    all_tried([
        shown.map(drop),
        write_if(&args.pgn, || Ok(annotated)),
        write_if(&args.json, || json_text(&analysis::GamesAnalysis::new(&analyses, stop.is_raised()))),
        write_if(&args.html, || Ok(games_to_page(games, &analyses, engine.options())?)),
    ])?;
    Ok(stop.is_raised())
}
