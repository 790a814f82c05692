//! `pacioli lab mine`: tactical positions from games.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};

use crate::cli::common::{open_pool, stop_by_signals};
use crate::cli::counts::{count, depth, jobs, positive, within};
use crate::cli::output::{note, note_other_commits};
use crate::cli::peers::{DEFAULT_PATIENCE, engine_option, patience};
use crate::cli::progress::Progress;
use crate::cli::read::read_games;
use crate::cli::write::{check_places, check_replaceable, check_resumable, write_output};
use crate::cli::{EXIT_DONE, EXIT_INTERRUPTED, EXIT_NOT_HELD, SearchArgs};
use crate::engine::Limits;
use crate::lab::mine::{self, Mined, Miner, Origin, Rules, suite_text};
use crate::pgn::PgnGame;
use crate::runner::{Head, Interrupt, Kind, Peer, PeerCommand, Pool, Provenance};
use crate::text::counted;

/// How long the other engine may take over anything but a search: mining runs in the background on a busy machine.
const PATIENCE: Duration = Duration::from_secs(600);

/// Arguments of `lab mine`. Small tables are quick to clear.
#[derive(Debug, clap::Args)]
#[command(mut_arg("hash", |arg| arg.default_value("32")))]
pub struct Args {
    /// PGN files with games; scores in the comments (`{+0.35/12 0.10s}`) show where to look.
    #[arg(value_name = "FILE.pgn", required = true)]
    files: Vec<PathBuf>,
    /// The UCI engine that must agree; it needs MultiPV.
    #[arg(long, value_name = "CMD")]
    engine: String,
    /// Set a UCI option of that engine; may be repeated.
    #[arg(long, value_name = "NAME=VALUE", value_parser = engine_option)]
    engine_option: Vec<(String, String)>,
    /// Give it up if its search reports no new depth and no more nodes for so long, or if it takes as long, and ten
    /// minutes at least, to be ready for one.
    #[arg(long, value_name = "SECONDS", default_value = DEFAULT_PATIENCE.as_str(), value_parser = patience)]
    engine_patience: Duration,
    /// Depth of its searches.
    #[arg(long, value_name = "N", default_value_t = 25, value_parser = depth)]
    depth: i32,
    /// Nodes after which it gives up on a position.
    #[arg(long, value_name = "N", default_value_t = 20_000_000, value_parser = positive)]
    give_up: u64,
    /// Results, one line per game; an existing file is resumed.
    #[arg(long, value_name = "FILE")]
    json: PathBuf,
    /// The suite, written at the end from all results; `-` writes to standard output.
    #[arg(long, value_name = "FILE", default_value = "-")]
    epd: PathBuf,
    /// Name of the positions: NAME.001 and so on.
    #[arg(long, value_name = "NAME", default_value = "mined")]
    name: String,
    /// Description of the games, for the header of the suite.
    #[arg(long, value_name = "TEXT", default_value = "games")]
    source: String,
    /// Stop after this many positions.
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = positive)]
    count: u64,
    /// Maximum number of positions from one game.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = within::<u8>(1..=u64::from(u8::MAX)))]
    per_game: u8,
    /// Nodes for Pacioli's look at a candidate.
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = positive)]
    look: u64,
    /// Nodes for grading.
    #[arg(long, value_name = "N", default_value_t = 2_000_000, value_parser = positive)]
    grade: u64,
    /// Leave out positions that Pacioli solves with fewer nodes.
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = count)]
    least: u64,
    /// Games processed in parallel, each with two engines of its own. The results do not depend on this number.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = jobs)]
    jobs: u16,
    #[command(flatten)]
    search: SearchArgs,
}

/// Runs the command.
///
/// # Errors
///
/// Bad files or settings, or another engine that fails.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let rules = args.rules();
    check_resumable(&args.json)?;
    // An existing --json file is resumed.
    check_places([args.json.as_path(), args.epd.as_path()], &args.files)?;
    check_replaceable([args.epd.as_path()])?;
    let mut pool = args.pool()?;
    let first = pool.workers().first();
    let provenance = first.map(|miner| Provenance::of_engine(&miner.engine, &Limits::default())).unwrap_or_default();
    let origin = Origin {
        head: Head::new(Kind::Mine, provenance),
        engine: first.map(|miner| miner.peer.name().to_owned()).unwrap_or_default(),
        engine_options: args.engine_option.iter().map(|(name, value)| format!("{name}={value}")).collect(),
        rules: rules.clone(),
    };
    let name = args.json.display();
    let mut mined = Mined::open(&args.json, &origin).with_context(|| format!("{name}"))?;
    note_other_commits(&name, mined.begun_by.as_deref());
    let stop = stop_by_signals()?;

    let (mut seen, mut refused) = (0, 0);
    for path in &args.files {
        if stop.is_raised() || mined.finds().len() >= args.count as usize {
            break;
        }
        let games = read(path, &mut refused)?;
        seen += games.len();
        let progress = Progress::new(games.len() as u64, "games");
        let mut update = |mined: &Mined, games: usize| {
            progress.add(games as u64);
            progress.say(format!(", {}", counted(mined.finds().len(), "position")));
        };
        let job = mine::Job { games: &games, rules: &rules, count: args.count as usize };
        mine::run(&mut pool, &job, &mut mined, &stop, &mut update)?;
        progress.finish();
    }
    if seen == 0 && mined.games() == 0 && !stop.is_raised() {
        bail!("no game to mine");
    }
    let comment = origin.comment(&args.source);
    write_output(&args.epd, &suite_text(&comment, &args.name, mined.finds()))?;
    note(format_args!("{} from {}", counted(mined.finds().len(), "position"), counted(mined.games(), "game")));
    if stop.is_raised() {
        note("interrupted: the same command resumes it");
        return Ok(EXIT_INTERRUPTED);
    }
    Ok(if refused > 0 || mined.finds().is_empty() { EXIT_NOT_HELD } else { EXIT_DONE })
}

/// The games of a file; unusable ones are reported on standard error and counted.
fn read(path: &Path, refused: &mut usize) -> anyhow::Result<Vec<PgnGame>> {
    let name = path.display();
    let (mut games, unusable) = read_games(path)?;
    *refused += unusable;
    let all = games.len();
    games.retain(|game| !game.start.is_chess960());
    if games.len() < all {
        note(format_args!("{name}: {} skipped", counted(all - games.len(), "Chess960 game")));
    }
    Ok(games)
}

impl Args {
    fn rules(&self) -> Rules {
        Rules {
            look_nodes: self.look,
            depth: self.depth,
            give_up_nodes: self.give_up,
            grade_nodes: self.grade,
            least_nodes: self.least,
            per_game: usize::from(self.per_game),
        }
    }

    /// Pairs of engines, one for each parallel game.
    fn pool(&self) -> anyhow::Result<Pool<Miner>> {
        // After the user's settings: without a second line there is nothing to compare.
        let mut options = self.engine_option.clone();
        options.push(("MultiPV".to_owned(), "2".to_owned()));
        let (command, hash_mb) = (self.engine.clone(), self.search.hash);
        let search_patience = self.engine_patience;
        let command = PeerCommand { command, options, hash_mb, patience: PATIENCE, search_patience };
        // Report bad settings before another engine is started.
        let options = self.search.options()?;
        let mut peers = Vec::with_capacity(usize::from(self.jobs));
        for _ in 0..self.jobs {
            peers.push(Peer::start(&command, &Interrupt::new())?);
        }
        // In the memory that the others have left.
        let engines = open_pool(&options, self.jobs).into_workers();
        Ok(Pool::of(engines.into_iter().zip(peers).map(|(engine, peer)| Miner { engine, peer }).collect()))
    }
}
