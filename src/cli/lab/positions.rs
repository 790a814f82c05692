//! `pacioli lab positions`: quiet positions for a trainer, from the games of `lab datagen` or of matches.

use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use super::data::{cut_off, scaled, without_samples};
use crate::cli::common::command_line;
use crate::cli::counts::{count, within};
use crate::cli::kinds::{Found, Wanted};
use crate::cli::output::{note, write_stdout};
use crate::cli::progress::Progress;
use crate::cli::read::{is_standard, open_data, open_games};
use crate::cli::write::{check_own, check_places, json_text, with_journals, write_over};
use crate::cli::{EXIT_DONE, EXIT_INTERRUPTED};
use crate::files;
use crate::lab::data::match_games::{self, MatchGames};
use crate::lab::data::positions::{Collection, Filter, Successors};
use crate::lab::data::record::{self, Record, Source};
use crate::lab::data::{DataError, Sample};
use crate::params::Params;
use crate::pgn::{Games, RefusedGame};
use crate::runner::{Head, Interrupt, Kind, Provenance};
use crate::score::MAX_EVAL;
use crate::text::grouped;

/// The unit of the progress bar, in bytes.
const MEGABYTE: u64 = 1_000_000;

/// Arguments of `lab positions`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Where to write the positions, in bulletformat. OUT.json next to it records what they were made from.
    #[arg(value_name = "OUT")]
    out: PathBuf,
    /// Data files of `lab datagen`, of which a truncated game at the end is skipped, or games of matches in PGN with
    /// the players' scores in the comments.
    #[arg(value_name = "DATA", required = true)]
    data: Vec<PathBuf>,
    /// Leave out positions with a larger score than this, in centipawns; mates and Pacioli's tablebase scores are
    /// always left out.
    #[arg(long, value_name = "CP", default_value_t = MAX_EVAL, value_parser = within::<i32>(0..=MAX_EVAL.unsigned_abs().into()))]
    max_score: i32,
    /// Leave out the first searched positions of each game; the random opening moves do not count. Positions from
    /// `lab datagen --again` stay.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = within::<u16>(0..=u64::from(u16::MAX)))]
    skip_plies: u16,
    /// Average each score with what follows it in the game: this share of it comes from the next position's average,
    /// the last one's from the result.
    #[arg(long, value_name = "PERCENT", default_value_t = 0, value_parser = within::<u8>(0..=100))]
    #[arg(conflicts_with = "evaluated_successors")]
    lookahead: u8,
    /// Undo what `material_scaling` does by default, as far as the material on the board tells, in the scores of games
    /// in PGN: for a network to learn from matches of Pacioli.
    #[arg(long, conflicts_with = "evaluated_successors")]
    undo_material_scaling: bool,
    /// Score the games' positions by the classical evaluation instead of their searches, and this many random
    /// successors of each as well, to pretrain a network.
    #[arg(long, value_name = "N", value_parser = within::<u8>(0..=u64::from(u8::MAX)))]
    evaluated_successors: Option<u8>,
    /// Seed of the shuffle, and of the choice of successors.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = count)]
    seed: u64,
    /// Overwrite OUT if it exists.
    #[arg(long)]
    force: bool,
}

/// Runs the command.
///
/// # Errors
///
/// Bad files, or more positions than fit in memory.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let record_file = args.record_file()?;
    let interrupt = Interrupt::new();
    interrupt.heed_signals()?;
    let Some((collection, sources)) = args.collection(&interrupt)? else { return Ok(EXIT_INTERRUPTED) };
    if collection.is_empty() {
        bail!("no quiet position in the data");
    }
    args.write(collection, sources, record_file.as_deref())?;
    Ok(EXIT_DONE)
}

impl Args {
    /// Where to record what the positions were made from, if there is a place for it. Checks that both can be written.
    fn record_file(&self) -> anyhow::Result<Option<PathBuf>> {
        if is_standard(&self.out) {
            bail!("`-`: positions are not written to standard output; name a file");
        }
        // Beside a device there is no place for a record.
        let is_file = self.out.metadata().map_or(true, |found| found.is_file());
        let record_file = is_file.then(|| record::path(&self.out));
        let outputs = || [self.out.as_path()].into_iter().chain(record_file.as_deref());
        if let Some(there) = outputs().find(|path| !self.force && path.metadata().is_ok_and(|found| found.len() > 0)) {
            bail!("{} exists already: --force overwrites it", there.display());
        }
        check_places(outputs(), &with_journals(&self.data))?;
        check_own(&self.out, Wanted::Positions)?;
        record_file.iter().try_for_each(|path| check_own(path, Wanted::Json(Kind::Positions)))?;
        Ok(record_file)
    }

    /// Which positions to keep.
    fn filter(&self) -> Filter {
        Filter { max_score: self.max_score, skip_plies: usize::from(self.skip_plies), lookahead: self.lookahead }
    }

    /// Reads the games, and tells what was read; `None` if it was interrupted.
    fn collection(&self, interrupt: &Interrupt) -> anyhow::Result<Option<(Collection, Vec<Source>)>> {
        let size = |path: &PathBuf| path.metadata().map_or(0, |found| found.len());
        let progress = Progress::new(self.data.iter().map(size).sum::<u64>() / MEGABYTE, "megabytes");
        let mut collection = Collection::new(self.filter());
        let mut successors = self.evaluated_successors.map(|count| Successors::new(count, self.seed));
        let mut sources = Vec::with_capacity(self.data.len());
        let mut bytes_before = 0;
        for path in &self.data {
            let name = path.display();
            if Found::of_file(path) == Some(Found::Games) {
                let mut refused = |reason: &RefusedGame| progress.suspend(|| note(format_args!("{name}: {reason}")));
                let added = self.add_match(&mut collection, &mut successors, path, interrupt, &mut refused)?;
                let Some((found, source)) = added else {
                    progress.finish();
                    return Ok(None);
                };
                without_samples(&name, found).iter().for_each(|text| progress.suspend(|| note(text)));
                progress.say(format!(", {} positions kept", grouped(collection.len() as u64)));
                bytes_before += source.bytes;
                progress.set(bytes_before / MEGABYTE);
                sources.push(source);
                continue;
            }
            let mut games = open_data(path)?;
            while let Some(game) = games.next() {
                let game = game.with_context(|| format!("{name}"))?;
                add(&mut collection, &mut successors, &game).with_context(|| format!("{name}"))?;
                if interrupt.is_raised() {
                    progress.finish();
                    return Ok(None);
                }
                progress.set((bytes_before + games.bytes()) / MEGABYTE);
                progress.say(format!(", {} positions kept", grouped(collection.len() as u64)));
            }
            let source = Source::of(path, &games);
            // The classical evaluation knows nothing of it.
            let said = [cut_off(&name, &games), scaled(&name, &source).filter(|_| successors.is_none())];
            said.iter().flatten().for_each(|text| progress.suspend(|| note(text)));
            bytes_before += source.bytes;
            sources.push(source);
        }
        progress.finish();
        Ok(Some((collection, sources)))
    }

    /// Writes the positions and their record, and says how many there are.
    fn write(&self, collection: Collection, sources: Vec<Source>, record_file: Option<&Path>) -> anyhow::Result<()> {
        let out = self.out.display();
        let counts = collection.counts;
        let records = collection.shuffled(self.seed);
        let contents = records.as_flattened();
        let record = Record {
            head: Head::new(Kind::Positions, Provenance::of_program()),
            command: command_line(),
            seed: self.seed,
            filter: self.filter(),
            evaluated_successors: self.evaluated_successors,
            undo_material_scaling: self.undo_material_scaling,
            sources,
            counts,
            kept: records.len(),
            crc32c: crc32c::crc32c(contents),
        };
        files::replace(&self.out, contents).with_context(|| format!("cannot write {out}"))?;
        // The one before went with its positions.
        record_file.iter().try_for_each(|path| write_over(path, &json_text(&record)?))?;
        write_stdout(&format!(
            "{out}: {} games, {} positions, {} kept; {} early, {} in check, {} noisy, {} out of range, {} duplicates\n",
            grouped(counts.games),
            grouped(counts.positions),
            grouped(records.len() as u64),
            grouped(counts.early),
            grouped(counts.in_check),
            grouped(counts.noisy),
            grouped(counts.out_of_range),
            grouped(counts.duplicates),
        ))
    }

    /// Adds the games of a match, and tells what was read; `refused` hears of those that cannot be used. `None` if it
    /// was interrupted.
    fn add_match(
        &self,
        collection: &mut Collection,
        successors: &mut Option<Successors>,
        path: &Path,
        interrupt: &Interrupt,
        refused: &mut dyn FnMut(&RefusedGame),
    ) -> anyhow::Result<Option<(MatchGames, Source)>> {
        let name = path.display();
        let mut found = MatchGames::default();
        // The limit of any such file, which counts what is read.
        let mut limited = open_games(path)?.take(files::STREAM_LIMIT);
        for game in Games::new(&mut limited) {
            match game.with_context(|| format!("cannot read {name}"))? {
                Ok(game) => {
                    let mut samples = match_games::samples(&game);
                    found.count(&samples);
                    if self.undo_material_scaling {
                        match_games::undo_material_scaling(&mut samples, &Params::default());
                    }
                    add(collection, successors, &samples).with_context(|| format!("{name}"))?;
                }
                Err(reason) => refused(&reason),
            }
            if interrupt.is_raised() {
                return Ok(None);
            }
        }
        Ok(Some((found, Source::of_match(path, files::STREAM_LIMIT - limited.limit()))))
    }
}

/// Adds a game's positions as they were searched, or their successors, evaluated.
fn add(collection: &mut Collection, successors: &mut Option<Successors>, game: &[Sample]) -> Result<(), DataError> {
    match successors {
        Some(successors) => collection.add_evaluated(game, successors),
        None => collection.add(game),
    }
}
