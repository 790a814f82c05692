//! What a visit leaves for later ones: the best move and the credit "generated in earlier appearances of this
//! position", so as to "search with at least that amount of credit" (paper, section 4, below Fig. 1), and a score.

use std::collections::HashMap;

use pacioli::board::Move;
use pacioli::score::Score;

/// A record is replaced by one of the same position unless it is deeper by more than this; an exact one always replaces
/// it.
const DEPTH_EDGE: i32 = 4;

/// What is known about a position.
#[derive(Copy, Clone)]
pub struct Record {
    pub best_move: Option<Move>,
    /// The credit that the move earned, in plies.
    pub credit: f64,
    /// Bounds of the score; both if it is exact, none if it is not a score of the position alone. Mate distances are
    /// relative to the position.
    pub at_least: Option<Score>,
    pub at_most: Option<Score>,
    /// Plies down to quiescence after cash-in, including the chip's.
    pub depth: i32,
    /// Both accounts after cash-in.
    pub my_credit: f64,
    pub his_credit: f64,
}

impl Record {
    /// A record of a score found within a window, `ply` plies below the root. A repetition depends on the path, so its
    /// score is not kept.
    pub fn new(score: Score, (alpha, beta): (Score, Score), depth: i32, ply: i32) -> Record {
        let kept = (!score.is_repetition()).then_some(score.to_table(ply));
        Record {
            best_move: None,
            credit: 0.0,
            at_least: kept.filter(|_| score > alpha),
            at_most: kept.filter(|_| score < beta),
            depth,
            my_credit: 0.0,
            his_credit: 0.0,
        }
    }

    fn is_exact(&self) -> bool {
        self.at_least.is_some() && self.at_most.is_some()
    }

    /// Takes the credit of the same move if that is larger.
    fn raise_credit(&mut self, other: &Record) {
        if self.best_move == other.best_move {
            self.credit = self.credit.max(other.credit);
        }
    }

    /// The score if it cuts off a window `ply` plies below the root.
    pub fn decides(&self, (alpha, beta): (Score, Score), ply: i32) -> Option<Score> {
        let at_least = self.at_least.map(|score| score.from_table(ply));
        let at_most = self.at_most.map(|score| score.from_table(ply));
        if self.is_exact() {
            return at_least;
        }
        at_least.filter(|&score| score >= beta).or(at_most.filter(|&score| score <= alpha))
    }
}

/// Records by position, without limit.
#[derive(Default)]
pub struct Records(HashMap<u64, Record>);

impl Records {
    pub fn get(&self, key: u64) -> Option<Record> {
        self.0.get(&key).copied()
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Stores a record. A known move is not forgotten, nor is what it earned while it is the record's move.
    pub fn store(&mut self, key: u64, mut new: Record) {
        if let Some(old) = self.0.get_mut(&key) {
            if !new.is_exact() && old.depth > new.depth + DEPTH_EDGE {
                old.raise_credit(&new);
                return;
            }
            new.best_move = new.best_move.or(old.best_move);
            new.raise_credit(old);
        }
        self.0.insert(key, new);
    }
}
