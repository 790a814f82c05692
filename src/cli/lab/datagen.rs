//! `pacioli lab datagen`: training data from self-play.

use std::path::PathBuf;

use anyhow::{Context, bail};

use super::data::each_game;
use crate::board::marlin;
use crate::cli::common::{command_line, open_pool, stop_by_signals};
use crate::cli::counts::{count, jobs, positive, within};
use crate::cli::output::{note, note_other_commits, write_stdout};
use crate::cli::progress::Progress;
use crate::cli::read::load_openings;
use crate::cli::write::{check_places, check_resumable, with_journals};
use crate::cli::{EXIT_DONE, EXIT_INTERRUPTED, SearchArgs};
use crate::engine::Limits;
use crate::lab::data::DataWriter;
use crate::lab::data::index::{self, Index};
use crate::lab::datagen::{self, Again, Chosen, Plan};
use crate::runner::Shard;
use crate::text::grouped;

/// Arguments of `lab datagen`. Small tables are quick to clear, and few nodes are searched.
#[derive(Debug, clap::Args)]
#[command(mut_arg("hash", |arg| arg.default_value("4")))]
pub struct Args {
    /// The data file, in viriformat; an existing one is resumed. FILE.journal next to it records the settings.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Games in all; a part plays its share of them, and with --again each position is a game.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = positive)]
    games: u64,
    /// Nodes per move: a search ends with the iteration that reaches them, or at eight times as many.
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = positive)]
    nodes: u64,
    /// Search the quiet positions of each finished game once more, with so many nodes likewise, from the last to the
    /// first with one table, and keep these scores: of each position it is known then what came after it.
    #[arg(long, value_name = "N", value_parser = positive, conflicts_with = "again")]
    review: Option<u64>,
    /// Seed of all random choices.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = count)]
    seed: u64,
    /// EPD files with positions to start from, instead of the opening position; `-` reads standard input.
    #[arg(long, value_name = "FILE")]
    openings: Vec<PathBuf>,
    /// Percentage of games that start from a Chess960 position instead, half of them with a different arrangement for
    /// each side.
    #[arg(long, value_name = "PERCENT", default_value_t = 0, value_parser = within::<u8>(0..=100))]
    chess960_percent: u8,
    /// Random moves before the first search.
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = within::<u16>(0..=100))]
    random_plies: u16,
    /// Play no games: search positions of the games in these files again, each as a game of one search, and keep the
    /// games' results.
    #[arg(long, value_name = "DATA", num_args = 1.., conflicts_with_all = ["openings", "chess960_percent", "random_plies"])]
    again: Vec<PathBuf>,
    /// Quiet positions to choose from each of these games, at random.
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = within::<u16>(1..=u64::from(u16::MAX)), requires = "again")]
    per_game: u16,
    /// Search, instead of each of these positions, N that random moves lead to: moves that no player would choose
    /// are what a search must tell from good ones.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = within::<u16>(0..=256), requires = "again")]
    successors: u16,
    /// Play only the I-th of N parts of the games; --parts puts the parts together.
    #[arg(long, value_name = "I/N", conflicts_with = "parts")]
    shard: Option<Shard>,
    /// The files of all parts of the same games, in any order: their games are copied up to the first that is missing,
    /// and those from there on are played.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    parts: Vec<PathBuf>,
    /// Games played in parallel, each with its own engine. The file does not depend on this number.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = jobs)]
    jobs: u16,
    #[command(flatten)]
    search: SearchArgs,
}

/// Runs the command.
///
/// # Errors
///
/// Bad files or settings.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    check_resumable(&args.file)?;
    check_places([args.file.as_path()], &with_journals(&args.again))?;
    let options = args.search.options()?;
    let plan = args.plan()?;
    let mut pool = open_pool(&options, args.jobs);
    let name = args.file.display();
    let mut header = plan.header(pool.provenance(&Limits::default()), command_line());
    let own = header.head.provenance.clone();
    for part in &args.parts {
        let index = Index::read(part).and_then(|index| index.ok_or_else(|| index::lack(part)));
        let mut made_by = index.with_context(|| part.display().to_string())?.header.head.provenance;
        note_other_commits(part.display(), made_by.go_on_by(&own).as_deref());
        header.head.provenance.go_on_by(&made_by);
    }
    let mut writer = DataWriter::open(&args.file, &header).with_context(|| format!("{name}"))?;
    note_other_commits(&name, writer.begun_by.as_deref());
    let games = plan.share(args.games);
    if !args.parts.is_empty() {
        let lacking = datagen::join(&header, games, &args.parts, &mut writer).map_err(|(part, error)| {
            let file = part.map_or(&args.file, |part| &args.parts[part]);
            anyhow::Error::from(error).context(file.display().to_string())
        });
        if let Some(part) = lacking? {
            let (part, next) = (args.parts[part].display(), grouped(writer.games + 1));
            note(format_args!(
                "{part}: it ends before game {next} of {}; all from there on are played, even those of other parts",
                grouped(games)
            ));
        }
    }
    let stop = stop_by_signals()?;

    let progress = Progress::new(games, "games");
    progress.begin_at(writer.games);
    let mut update = |writer: &DataWriter| {
        progress.set(writer.games);
        progress.say(format!(", {} positions", grouped(writer.positions)));
    };
    datagen::run(&mut pool, &plan, args.games, &mut writer, &stop, &mut update).with_context(|| format!("{name}"))?;
    progress.finish();
    write_stdout(&format!("{name}: {} games, {} positions\n", grouped(writer.games), grouped(writer.positions)))?;
    Ok(if writer.games < games { EXIT_INTERRUPTED } else { EXIT_DONE })
}

impl Args {
    fn plan(&self) -> anyhow::Result<Plan> {
        let book = load_openings(&self.openings)?;
        if let Some(position) = book.iter().find(|position| marlin::pack(position).is_none()) {
            bail!("more pieces than a data file can hold: {}", position.fen());
        }
        Ok(Plan {
            seed: self.seed,
            nodes: self.nodes,
            review: self.review,
            random_plies: usize::from(self.random_plies),
            book,
            chess960_percent: self.chess960_percent,
            again: self.again()?,
            shard: self.shard,
        })
    }

    /// The positions to search again.
    fn again(&self) -> anyhow::Result<Vec<Again>> {
        let mut chosen = Chosen::new(usize::from(self.per_game), usize::from(self.successors), self.seed);
        for path in &self.again {
            each_game(path, |game| chosen.add(&game))?;
        }
        let again = chosen.shuffled();
        if again.is_empty() && !self.again.is_empty() {
            bail!("no quiet position in the data");
        }
        Ok(again)
    }
}
