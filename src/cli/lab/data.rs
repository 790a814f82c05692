//! Games with scores, from `lab datagen` or from matches: reading them, and what is said of them.

use std::fmt::Display;
use std::path::Path;

use anyhow::Context;

use crate::cli::output::note;
use crate::cli::read::open_data;
use crate::lab::data::match_games::MatchGames;
use crate::lab::data::record::Source;
use crate::lab::data::{DataError, DataFile, Sample};
use crate::text::{counted_as, grouped};

/// Takes each game of a data file, and says what is cut off at its end; what is known of the file is returned.
///
/// # Errors
///
/// A file that cannot be read, or a game that cannot be taken.
pub fn each_game(path: &Path, mut take: impl FnMut(Vec<Sample>) -> Result<(), DataError>) -> anyhow::Result<Source> {
    let name = path.display();
    let mut games = open_data(path)?;
    for game in &mut games {
        game.and_then(&mut take).with_context(|| format!("{name}"))?;
    }
    cut_off(&name, &games).iter().for_each(note);
    Ok(Source::of(path, &games))
}

/// Whether a data file's scores are a network's with `material_scaling`; `None` if its journal names no network.
fn material_scaling(source: &Source) -> Option<bool> {
    let provenance = &source.journal.as_ref()?.head.provenance;
    provenance.network.as_ref()?;
    let mut params = provenance.profile?.params();
    for setting in &provenance.set {
        // Those that are no numbers of the search say nothing of its scores.
        let _ = params.apply(setting);
    }
    Some(params.material_scaling)
}

/// What is said of a data file whose scores are in the network's own units.
pub fn own_units(name: &impl Display, source: &Source) -> Option<String> {
    (material_scaling(source) == Some(false))
        .then(|| format!("{name}: scores with material_scaling=off, which are not those of UCI and of matches"))
}

/// What is said of a data file from which a network would learn what the search does to its evaluation besides.
pub fn scaled(name: &impl Display, source: &Source) -> Option<String> {
    let why = "a network would learn the scaling, and it would count twice";
    (material_scaling(source) == Some(true))
        .then(|| format!("{name}: made without `--set material_scaling=off`: {why}"))
}

/// What is said of a data file that ends in a truncated game.
pub fn cut_off(name: &impl Display, games: &DataFile) -> Option<String> {
    let left_over = games.left_over();
    (left_over > 0).then(|| format!("{name}: {} bytes of an unfinished game at the end", grouped(left_over)))
}

/// What is said of a data file with so many games of a single position, which are left out.
pub fn alone(name: &impl Display, games: usize) -> Option<String> {
    let counted = counted_as(games, "game of a single position", "games of a single position");
    (games > 0).then(|| format!("{name}: nothing from {counted}, as of `lab datagen --again`"))
}

/// What is said of a PGN with games that have no samples.
pub fn without_samples(name: &impl Display, MatchGames { games, empty }: MatchGames) -> Option<String> {
    let why = "without a result, or decided off the board (`Termination`), or without scores in their comments, such \
               as `+0.35/12`";
    (empty > 0).then(|| format!("{name}: nothing from {} of {} games, {why}", grouped(empty), grouped(games)))
}
