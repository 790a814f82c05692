//! What came of a run: plain data, from which every output is made.
//!
//! Fields named `time_ms` (and what is computed from them) differ from run to run; everything else is the same for the
//! same engine, suite and node or depth limit.

use serde::Serialize;

use super::{EpdError, MateLine, Milestone};
use crate::score::{Score, ScoreKind};

/// Version of the data model; raised when a field changes its meaning or goes away.
pub const SCHEMA: u32 = 1;

/// A score as people and protocols state it.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ScoreText {
    /// Centipawns for the side to move.
    Cp(i32),
    /// Moves to mate; negative where the side to move is mated.
    Mate(i32),
}

impl From<Score> for ScoreText {
    fn from(score: Score) -> ScoreText {
        match score.kind() {
            ScoreKind::Centipawns(cp) => ScoreText::Cp(cp),
            ScoreKind::Mate(moves) => ScoreText::Mate(moves),
        }
    }
}

impl std::fmt::Display for ScoreText {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            ScoreText::Cp(cp) => {
                let sign = if cp < 0 { '-' } else { '+' };
                write!(f, "{sign}{}.{:02}", cp.unsigned_abs() / 100, cp.unsigned_abs() % 100)
            }
            ScoreText::Mate(moves) => write!(f, "#{moves}"),
        }
    }
}

/// With what the suites were run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Settings {
    /// The search profile.
    pub profile: String,
    /// Tunables and switches that differ from the profile, as given.
    pub set: Vec<String>,
    /// Size of the transposition table in megabytes.
    pub hash_mb: usize,
    /// When a position counts as solved.
    pub rule: String,
    /// Milliseconds for each position.
    pub movetime_ms: Option<u64>,
    /// Nodes for each position.
    pub nodes: Option<u64>,
    /// Last iteration for each position.
    pub depth: Option<i32>,
}

/// One position and how the engine did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PositionResult {
    /// The file's name.
    pub suite: String,
    /// Line in the file, from 1.
    pub line: usize,
    /// The position's name.
    pub id: String,
    /// Its theme, where the name has one.
    pub theme: Option<String>,
    /// The position.
    pub fen: String,
    /// The solution in SAN.
    pub expected: String,
    /// The move played in the end, in SAN.
    pub played: Option<String>,
    /// The same in UCI notation.
    pub played_uci: Option<String>,
    /// The score in the end, for the side to move.
    pub score: ScoreText,
    /// The principal variation in the end, in SAN.
    pub pv: Vec<String>,
    /// Whether it counts as solved.
    pub solved: bool,
    /// When the right answer was taken up that made it count.
    pub solution: Option<Milestone>,
    /// When the right answer was given first, whether or not it was kept.
    pub first_seen: Option<Milestone>,
    /// Whether a right answer was given up for a wrong one at any time.
    pub left_again: bool,
    /// What the move played is worth, where moves are worth anything.
    pub points: Option<u32>,
    /// What the best move is worth, where moves are worth anything.
    pub max_points: Option<u32>,
    /// Where a mate is asked for and claimed: whether the line shows it on the board.
    pub mate_line: Option<MateLine>,
    /// The last iteration that was finished.
    pub depth: i32,
    /// Nodes searched.
    pub nodes: u64,
    /// Milliseconds used.
    pub time_ms: u64,
}

/// A line without anything to be found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Taskless {
    /// The file's name.
    pub suite: String,
    /// Line in the file, from 1.
    pub line: usize,
    /// The position's name.
    pub id: String,
}

/// Sums over some positions.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Summary {
    /// The suite's or theme's name; empty for the sum of all.
    pub name: String,
    /// Positions searched.
    pub positions: usize,
    /// Those solved.
    pub solved: usize,
    /// Those not solved whose solution had been found and was left again.
    pub lost: usize,
    /// Lines refused.
    pub refused: usize,
    /// Lines without anything to be found.
    pub taskless: usize,
    /// Nodes searched.
    pub nodes: u64,
    /// Milliseconds used.
    pub time_ms: u64,
    /// Mean milliseconds to the solution, over those solved.
    pub mean_solution_time_ms: Option<f64>,
    /// Mean nodes to the solution, over those solved.
    pub mean_solution_nodes: Option<f64>,
    /// Points won, where moves are worth anything.
    pub points: Option<u64>,
    /// Points that could be won.
    pub max_points: Option<u64>,
    /// Mates claimed in time, and among them lines that do not show the mate on the board.
    pub mates: usize,
    /// Of these mates, those whose line is wrong or breaks off.
    pub unshown_mates: usize,
}

impl Summary {
    /// Sums up some results; `refused` and `taskless` are left at zero.
    pub fn of<'a>(name: &str, results: impl Iterator<Item = &'a PositionResult>) -> Summary {
        let mut sum = Summary { name: name.to_owned(), ..Summary::default() };
        let (mut solution_time, mut solution_nodes) = (0, 0);
        for result in results {
            sum.positions += 1;
            sum.solved += usize::from(result.solved);
            sum.lost += usize::from(!result.solved && result.left_again);
            sum.nodes += result.nodes;
            sum.time_ms += result.time_ms;
            if let Some(at) = result.solution {
                solution_time += at.time_ms;
                solution_nodes += at.nodes;
            }
            if let (Some(points), Some(max)) = (result.points, result.max_points) {
                *sum.points.get_or_insert(0) += u64::from(points);
                *sum.max_points.get_or_insert(0) += u64::from(max);
            }
            if let Some(line) = result.mate_line {
                sum.mates += 1;
                sum.unshown_mates += usize::from(line != MateLine::Mates);
            }
        }
        if sum.solved > 0 {
            sum.mean_solution_time_ms = Some(solution_time as f64 / sum.solved as f64);
            sum.mean_solution_nodes = Some(solution_nodes as f64 / sum.solved as f64);
        }
        sum
    }
}

/// A whole run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SuiteReport {
    /// Version of this model: [`SCHEMA`].
    pub schema: u32,
    /// The program and its version.
    pub program: String,
    /// With what it was run.
    pub settings: Settings,
    /// Sums over everything.
    pub total: Summary,
    /// Sums by suite, in the order given.
    pub suites: Vec<Summary>,
    /// Sums by theme in the order of appearance; empty where no suite has points.
    pub themes: Vec<Summary>,
    /// Every position searched, in order.
    pub positions: Vec<PositionResult>,
    /// Every line refused.
    pub refused: Vec<EpdError>,
    /// Every line without anything to be found.
    pub taskless: Vec<Taskless>,
}

impl SuiteReport {
    /// Whether everything was solved and nothing refused, and there was something to solve.
    pub fn holds(&self) -> bool {
        self.total.positions > 0 && self.total.solved == self.total.positions && self.refused.is_empty()
    }
}
