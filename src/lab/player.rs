//! A player's moves compared with Pacioli's: how often both choose the same, in each iteration and with each profile,
//! how deep the extensions went, and where they differ.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;
use thiserror::Error;

use super::{Experiment, Findings, set_params};
use crate::board::{Color, Game, Move};
use crate::engine::{Engine, Limits, Options};
use crate::json::{MoveText, PovScore, Variation, side};
use crate::params::{Params, Profile};
use crate::pgn::{PgnGame, PgnMove};
use crate::report::collect::{self, IterationRange, collect_within};
use crate::report::model::IterationRow;
use crate::runner::{Head, Kind, Pool, Provenance};
use crate::units::{Depth, Ply};

/// A move of the player.
#[derive(Clone, Debug)]
pub struct Turn {
    /// Which game of the file, from 1.
    pub game: usize,
    /// The game before the move.
    pub before: Game,
    /// What was played.
    pub played: Move,
}

/// Names a move: game and move number, as in `2.36`.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MoveName {
    /// Which game of the file, from 1.
    pub game: usize,
    /// The number of the move, as on a score sheet.
    pub number: u32,
}

/// A text that does not name a move.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{text}` does not name a move: expected GAME.MOVE, as in 2.36")]
pub struct MoveNameError {
    /// The text given.
    text: String,
}

impl FromStr for MoveName {
    type Err = MoveNameError;
    fn from_str(text: &str) -> Result<MoveName, MoveNameError> {
        let parts = text.split_once('.').and_then(|(game, number)| Some((game.parse().ok()?, number.parse().ok()?)));
        let (game, number) = parts.ok_or_else(|| MoveNameError { text: text.to_owned() })?;
        Ok(MoveName { game, number })
    }
}

impl fmt::Display for MoveName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.game, self.number)
    }
}

impl Turn {
    /// Its name.
    pub fn name(&self) -> MoveName {
        MoveName { game: self.game, number: self.before.position().fullmoves() }
    }
}

/// The moves of every player whose name contains `player`, ignoring case.
pub fn turns(games: &[PgnGame], player: &str) -> Vec<Turn> {
    let player = player.to_lowercase();
    let mut turns = Vec::new();
    for game in games {
        let is_his = |color: Color| game.player(color).to_lowercase().contains(&player);
        let mut before = Game::new(game.start.clone());
        for &PgnMove { mv: played, .. } in &game.moves {
            if is_his(before.position().turn()) {
                turns.push(Turn { game: game.number, before: before.clone(), played });
            }
            before.play(played);
        }
    }
    turns
}

/// What one iteration chose.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct IterationChoice {
    /// The iteration's number.
    pub iteration: Depth,
    /// Nominal depth in software plies.
    pub nominal_depth: Depth,
    /// Deepest leaf of the software's tree, extensions included.
    pub max_software: Ply,
    /// Deepest ply of any node, horizon search and quiescence included.
    pub max_combined: Ply,
    /// Nodes from the start of the search to the end of the iteration.
    pub nodes: u64,
    /// The move that the iteration chose.
    pub best_move: MoveText,
    /// Whether that is the move played.
    pub same: bool,
    /// The move's score for the side to move.
    pub score: PovScore,
    /// The principal variation of the iteration.
    pub pv: Variation,
}

/// One move of the player compared with Pacioli's.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MoveResult {
    /// Game and move number.
    #[serde(flatten)]
    pub name: MoveName,
    /// Whose move it is.
    #[serde(with = "side")]
    #[cfg_attr(test, schemars(with = "crate::json::side::Side"))]
    pub side: Color,
    /// The position before the move.
    pub fen: String,
    /// The move that the player made.
    pub played: MoveText,
    /// Pacioli's move when the search ended; null if there was none.
    pub best_move: Option<MoveText>,
    /// Whether both moves are the same.
    pub same: bool,
    /// The score of Pacioli's move for the side to move.
    pub score: PovScore,
    /// Nodes searched in the position.
    pub nodes: u64,
    /// The completed iterations, in order.
    pub iterations: Vec<IterationChoice>,
}

/// One iteration over all moves for which it was completed, within the limit that all have.
#[derive(Copy, Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct IterationSum {
    /// The iteration's number.
    pub iteration: Depth,
    /// Number of positions in which it was completed, within the limit that all have.
    pub moves: usize,
    /// In how many of them it chose the move played.
    pub same: usize,
    /// Nominal depth in software plies.
    pub nominal_depth: Depth,
    /// The mean of the deepest leaves of the software's tree, in plies.
    pub mean_max_software: f64,
    /// The deepest leaf of the software's tree in any position.
    pub max_software: Ply,
}

/// One profile's choices.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ProfileResult {
    /// The settings of the searches.
    pub provenance: Provenance,
    /// Moves in which the search ended with the move played.
    pub same: usize,
    /// The sums of each iteration.
    pub iterations: Vec<IterationSum>,
    /// The player's moves, one by one.
    pub moves: Vec<MoveResult>,
}

/// The whole comparison. With a node or depth limit it does not depend on the clock.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Match {
    /// The version of the form, and what all searches have in common.
    #[serde(flatten)]
    pub head: Head,
    /// The part of the player's name to look for.
    pub player: String,
    /// The number of games with moves of the player.
    pub games: usize,
    /// The number of games that could not be used.
    pub refused: usize,
    /// The moves to show iteration by iteration.
    pub shown: Vec<MoveName>,
    /// Nodes for each of them, if other than for the rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shown_nodes: Option<u64>,
    /// The results of each profile.
    pub profiles: Vec<ProfileResult>,
}

/// What to run.
#[derive(Debug)]
pub struct Job {
    /// The part of the player's name to look for.
    pub player: String,
    /// The player's moves.
    pub turns: Vec<Turn>,
    /// Games that could not be used, for the report.
    pub refused: usize,
    /// The profiles with their tunables.
    pub profiles: Vec<(Profile, Params)>,
    /// The limits of each search.
    pub limits: Limits,
    /// Moves to show iteration by iteration.
    pub shown: Vec<MoveName>,
    /// Nodes for each of them, if other than for the rest.
    pub shown_nodes: Option<u64>,
}

impl Job {
    /// The limits of a move's search.
    fn limits(&self, turn: &Turn) -> Limits {
        match self.shown_nodes {
            Some(nodes) if self.shown.contains(&turn.name()) => Limits { nodes: Some(nodes), ..self.limits.clone() },
            _ => self.limits.clone(),
        }
    }

    /// The iterations that a search with the limits of all would have completed too.
    fn comparable<'m>(&self, result: &'m MoveResult) -> impl Iterator<Item = &'m IterationChoice> + use<'m> {
        let is_longer = self.shown_nodes.is_some() && self.shown.contains(&result.name);
        let most = self.limits.nodes.filter(|_| is_longer);
        // The first one is completed in any case.
        let is_within =
            move |choice: &&IterationChoice| choice.iteration <= 1 || most.is_none_or(|most| choice.nodes <= most);
        result.iterations.iter().filter(is_within)
    }
}

impl Experiment for Job {
    type Report = Match;

    const NOTHING: &str = "nothing to search: no move of the player";

    fn searches(&self) -> usize {
        self.turns.len() * self.profiles.len()
    }

    /// Searches the position before each of the player's moves with each profile.
    fn run(&self, pool: &mut Pool, progress: &mut dyn FnMut()) -> Match {
        let moves = self.turns.len();
        let work = |engine: &mut Engine, task: usize| {
            set_params(engine, &self.profiles[task / moves].1);
            let turn = &self.turns[task % moves];
            search(engine, turn, &self.limits(turn))
        };
        let common = pool.provenance(&self.limits);
        let mut results = pool.run(self.searches(), work, &mut |_| progress()).into_iter();
        let result = |(profile, params): &(Profile, Params)| {
            let moves: Vec<MoveResult> = results.by_ref().take(moves).collect();
            let same = moves.iter().filter(|result| result.same).count();
            let options = Options { profile: *profile, params: params.clone(), ..Options::default() };
            let provenance = Provenance { hash_mb: common.hash_mb, ..Provenance::of(&options, &self.limits) };
            let choices: Vec<&IterationChoice> = moves.iter().flat_map(|result| self.comparable(result)).collect();
            ProfileResult { provenance, same, iterations: iteration_sums(&choices), moves }
        };
        let profiles: Vec<ProfileResult> = self.profiles.iter().map(result).collect();
        let is_shared = profiles.iter().all(|profile| profile.provenance.network == common.network);
        let network = common.network.clone().filter(|_| is_shared);
        let mut games: Vec<usize> = self.turns.iter().map(|turn| turn.game).collect();
        games.dedup();
        Match {
            head: Head::new(Kind::Match, Provenance { profile: None, set: Vec::new(), network, ..common }),
            player: self.player.clone(),
            games: games.len(),
            refused: self.refused,
            shown: self.shown.clone(),
            shown_nodes: self.shown_nodes,
            profiles,
        }
    }
}

impl Findings for Match {
    fn holds(&self) -> bool {
        self.refused == 0
    }
}

/// Searches one position from a clean state.
fn search(engine: &mut Engine, turn: &Turn, limits: &Limits) -> MoveResult {
    let (game, range) = (&turn.before, IterationRange::ALL);
    let one = collect::Job { name: None, game, range, with_times: false, with_ledgers: false };
    let (report, outcome) = collect_within(engine, one, limits, &mut |_, _| ());
    let position = game.position();
    let played = MoveText::new(position, turn.played);
    let choice = |row: IterationRow| {
        let best_move = row.best_move?;
        Some(IterationChoice {
            iteration: row.iteration,
            nominal_depth: row.nominal_depth,
            max_software: row.max_software,
            max_combined: row.max_combined,
            nodes: row.nodes,
            same: best_move == played,
            best_move,
            score: row.score,
            pv: row.pv,
        })
    };
    MoveResult {
        name: turn.name(),
        side: position.turn(),
        fen: position.fen(),
        best_move: outcome.best_move.map(|m| MoveText::new(position, m)),
        same: outcome.best_move == Some(turn.played),
        score: PovScore::of_mover(outcome.score, position),
        nodes: outcome.nodes,
        iterations: report.iterations.into_iter().filter_map(choice).collect(),
        played,
    }
}

/// Sums by iteration.
fn iteration_sums(choices: &[&IterationChoice]) -> Vec<IterationSum> {
    let last = choices.iter().map(|choice| choice.iteration).max().unwrap_or(0);
    (1..=last)
        .map(|iteration| {
            let mut sum = IterationSum { iteration, ..IterationSum::default() };
            let mut plies = 0;
            for choice in choices.iter().filter(|choice| choice.iteration == iteration) {
                sum.moves += 1;
                sum.same += usize::from(choice.same);
                sum.nominal_depth = choice.nominal_depth;
                sum.max_software = sum.max_software.max(choice.max_software);
                plies += choice.max_software;
            }
            sum.mean_max_software = f64::from(plies) / sum.moves.max(1) as f64;
            sum
        })
        .filter(|sum| sum.moves > 0)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::Games;
    use crate::score::StatedScore;

    /// White has a mate in one, and misses it once.
    const GAMES: &str = "\
        [White \"Deep Thing\"]\n[Black \"Other\"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n\n\
        [White \"Other\"]\n[Black \"Nobody\"]\n\n1. d4 d5 *\n\n\
        [White \"Other\"]\n[Black \"deep thing 2\"]\n[FEN \"3r2k1/5ppp/8/8/8/8/5PPP/6K1 w - - 0 30\"]\n\n30. h3 *\n\n\
        [White \"Deep Thing\"]\n[Black \"x\"]\n[FEN \"6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 30\"]\n\n30. h3 h6 *\n";

    fn result(jobs: usize) -> Match {
        let games: Vec<PgnGame> = Games::new(GAMES.as_bytes()).map(|game| game.unwrap().unwrap()).collect();
        let turns = turns(&games, "DEEP thing");
        let (mut pool, _) = Pool::new(&Options { hash_mb: 1, ..Options::default() }, jobs);
        let profiles = Profile::ALL.map(|profile| (profile, profile.params()));
        let limits = Limits::to_depth(5);
        let job = Job {
            player: "DEEP thing".to_owned(),
            turns,
            refused: 0,
            profiles: profiles.to_vec(),
            limits,
            shown: vec!["4.30".parse().unwrap()],
            shown_nodes: Some(1_000_000),
        };
        let nodes: Vec<_> = job.turns.iter().map(|turn| job.limits(turn).nodes).collect();
        assert_eq!(nodes, [None, None, None, None, Some(1_000_000)]);
        let mut searches = 0;
        let result = job.run(&mut pool, &mut || searches += 1);
        assert_eq!(searches, job.turns.len() * 2);
        result
    }

    #[test]
    fn only_the_players_moves_count_and_each_is_compared() {
        let result = result(2);
        assert_eq!(result, super::tests::result(1));
        for profile in &result.profiles {
            let names: Vec<String> = profile.moves.iter().map(|result| result.name.to_string()).collect();
            assert_eq!(names, ["1.1", "1.2", "1.3", "1.4", "4.30"]);
            let [.., mate, missed] = &profile.moves[..] else { panic!() };
            assert!(mate.same && mate.played.san == "Qxf7#" && mate.score.value == StatedScore::Mate(1));
            assert!(!missed.same && missed.played.san == "h3" && missed.best_move.as_ref().unwrap().san == "Ra8#");
            assert_eq!(profile.same, profile.moves.iter().filter(|result| result.same).count());
            let first = &profile.iterations[0];
            assert_eq!((first.iteration, first.moves), (1, 5));
            let mut firsts = profile.moves.iter().map(|result| &result.iterations[0]);
            assert_eq!(first.same, firsts.clone().filter(|choice| choice.same).count());
            let plies = firsts.clone().map(|choice| choice.max_software);
            assert_eq!(Some(first.max_software), plies.clone().max());
            assert!((first.mean_max_software - f64::from(plies.sum::<Ply>()) / 5.0).abs() < 1e-9);
            // Quiescence goes deeper.
            assert!(firsts.any(|choice| choice.max_software < choice.max_combined));
        }
    }

    #[test]
    fn what_is_shown_with_more_nodes_counts_as_far_as_the_rest_goes() {
        let games: Vec<PgnGame> = Games::new(GAMES.as_bytes()).map(|game| game.unwrap().unwrap()).collect();
        let (mut pool, _) = Pool::new(&Options { hash_mb: 1, ..Options::default() }, 1);
        let mut run = |shown_nodes| {
            let job = Job {
                player: "Deep Thing".to_owned(),
                turns: turns(&games, "Deep Thing")[..2].to_vec(),
                refused: 0,
                profiles: Profile::ALL.map(|profile| (profile, profile.params())).to_vec(),
                limits: Limits::of_nodes(2000),
                shown: vec!["1.2".parse().unwrap()],
                shown_nodes,
            };
            job.run(&mut pool, &mut || ())
        };
        let (plain, longer) = (run(None), run(Some(20_000)));
        for (plain, longer) in plain.profiles.iter().zip(&longer.profiles) {
            assert!(longer.moves[1].iterations.len() > plain.moves[1].iterations.len());
            assert_eq!(longer.iterations, plain.iterations);
        }
        // Only one of the profiles evaluates by a network.
        assert!(plain.profiles.iter().any(|profile| profile.provenance.network.is_some()));
        assert_eq!(plain.head.provenance.network, None);
    }

    #[test]
    fn moves_are_named_by_game_and_number() {
        assert_eq!("2.36".parse(), Ok(MoveName { game: 2, number: 36 }));
        for bad in ["", "2", "2.", ".3", "a.b", "2.3.4", "-1.2"] {
            assert!(bad.parse::<MoveName>().is_err(), "{bad}");
        }
    }
}
