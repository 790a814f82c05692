//! The root of the tree: which moves it has, and the best line found so far.

use super::endgames::RootKnowledge;
use super::pace::Standing;
use super::pv::Line;
use crate::board::{Move, Position};
use crate::score::Score;

/// A line that the running iteration has proven better than what came before.
#[derive(Clone, Debug)]
pub(super) struct BestLine {
    pub score: Score,
    pub line: Line,
}

/// What a search keeps about its root.
pub(super) struct RootState {
    /// The position.
    pub position: Position,
    /// All moves that may be played: the legal ones, or those asked for.
    pub choice: Vec<Move>,
    /// The moves of the running search: the choice without the first moves of better lines.
    pub moves: Vec<Move>,
    /// Whether some legal moves are left out, so that the root's score is not the position's.
    pub is_restricted: bool,
    /// Searched first: the best move of the last iteration, or a better one found since.
    pub first_move: Option<Move>,
    /// The best line of the running iteration, once a move has exceeded alpha.
    pub best: Option<BestLine>,
    /// Number of the iteration, for reports of the current move.
    pub iteration: i32,
    /// How many best lines are wanted; never more than there are moves to choose from.
    pub multi_pv: usize,
    /// What endgame tables say of the moves.
    pub known: RootKnowledge,
    /// How the running iteration stands against the last one.
    pub standing: Standing,
    legal: usize,
    /// Nodes spent on each move of the choice so far.
    effort: Vec<u64>,
}

impl RootState {
    /// A root with these moves only; with all legal moves where none is legal among them.
    pub fn new(position: Position, search_moves: &[Move], multi_pv: usize) -> RootState {
        let legal = position.legal_moves();
        let mut choice: Vec<Move> = legal.iter().copied().filter(|m| search_moves.contains(m)).collect();
        if choice.is_empty() {
            choice = legal.to_vec();
        }
        let moves = choice.clone();
        let is_restricted = moves.len() < legal.len();
        RootState {
            multi_pv: multi_pv.clamp(1, choice.len().max(1)),
            effort: vec![0; choice.len()],
            position,
            choice,
            moves,
            is_restricted,
            first_move: None,
            best: None,
            iteration: 0,
            known: RootKnowledge::default(),
            standing: Standing::new(None),
            legal: legal.len(),
        }
    }

    /// A move was searched with so many nodes.
    pub fn spend(&mut self, m: Move, nodes: u64) {
        self.standing.note_move();
        if let Some(place) = self.choice.iter().position(|&other| other == m) {
            self.effort[place] += nodes;
        }
    }

    /// By how many centipawns the running iteration's best move is worth less than the last one's.
    pub fn drop(&self) -> i32 {
        self.standing.drop(self.best.as_ref().map(|line| line.score))
    }

    /// The share of all nodes that went into a move, in percent.
    pub fn effort_percent(&self, m: Move) -> i32 {
        let total: u64 = self.effort.iter().sum();
        let own = self.choice.iter().position(|&other| other == m).map_or(0, |place| self.effort[place]);
        (own * 100 / total.max(1)) as i32
    }

    /// Prepares the search for the best line that begins with none of these moves; `first_move` is searched first.
    pub fn leave_out(&mut self, better: &[Move], first_move: Option<Move>) {
        self.moves.clear();
        self.moves.extend(self.choice.iter().filter(|m| !better.contains(m)));
        self.is_restricted = self.moves.len() < self.legal;
        self.first_move = first_move;
        self.best = None;
    }
}
