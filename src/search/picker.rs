//! The order in which a node tries its moves: table move, winning captures, killers and counter-move, quiet moves by
//! history, losing captures last. Moves are generated only once the table move has not sufficed, and sorted only as
//! far as they are asked for.

use arrayvec::ArrayVec;

use super::frame::KILLERS;
use super::history::{Histories, MoveIndex};
use crate::board::{MAX_MOVES, Move, PackedMove, Position, Role, is_noisy, role_value, see_at_least};

/// Bases of the ordering bands; history values stay well within a band.
const GOOD_NOISY: i32 = 1 << 24;
const KILLER: i32 = 1 << 23;
const COUNTER: i32 = KILLER - 100;
const BAD_NOISY: i32 = -(1 << 24);
/// The capture history's weight against the victim's value, in 256ths.
const CAPTURE_HISTORY_SCALE: i32 = 24;

/// What a node knows about its moves before it has seen them.
#[derive(Copy, Clone, Default)]
pub(super) struct Hints {
    /// The table's move, legal here.
    pub table_move: Option<Move>,
    /// Killers of this ply.
    pub killers: [PackedMove; KILLERS],
    /// Refutation of the previous move.
    pub counter_move: PackedMove,
    /// The moves one and two plies before.
    pub earlier: [Option<MoveIndex>; 2],
    /// Give the moves as generated, for comparisons with plain algorithms.
    pub unordered: bool,
}

#[derive(Copy, Clone)]
struct Scored {
    m: Move,
    score: i32,
}

/// Which moves a picker gives.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Selection {
    /// All legal moves.
    All,
    /// Captures and queen promotions.
    Noisy,
}

/// Gives a node's moves one by one.
pub(super) struct Picker {
    hints: Hints,
    selection: Selection,
    moves: ArrayVec<Scored, MAX_MOVES>,
    next: usize,
    generated: bool,
    table_move_given: bool,
}

/// Captures and promotions as quiescence tries them: other promotions than to a queen are left out.
pub(super) fn is_quiescence_noisy(m: Move) -> bool {
    is_noisy(m) && m.promotion().is_none_or(|role| role == Role::Queen)
}

impl Picker {
    /// A picker over a node's moves.
    pub fn new(hints: Hints, selection: Selection) -> Picker {
        Picker { hints, selection, moves: ArrayVec::new(), next: 0, generated: false, table_move_given: false }
    }

    /// The next move, best first.
    pub fn next(&mut self, position: &Position, histories: Option<&Histories>) -> Option<Move> {
        if !self.table_move_given {
            self.table_move_given = true;
            if let Some(m) = self.hints.table_move {
                return Some(m);
            }
        }
        self.generate(position, histories);
        while self.next < self.moves.len() {
            if self.hints.unordered {
                self.next += 1;
                return Some(self.moves[self.next - 1].m);
            }
            let best = self.select_best();
            let noisy = is_noisy(best.m);
            // The exchange test is dear, so it waits until the capture's turn has come.
            if noisy && best.score >= GOOD_NOISY - KILLER && !see_at_least(position, best.m, 0) {
                self.moves[self.next].score = best.score - GOOD_NOISY + BAD_NOISY;
                continue;
            }
            self.next += 1;
            return Some(best.m);
        }
        None
    }

    /// Brings the best remaining move to the front.
    fn select_best(&mut self) -> Scored {
        let mut best = self.next;
        for index in self.next + 1..self.moves.len() {
            if self.moves[index].score > self.moves[best].score {
                best = index;
            }
        }
        self.moves.swap(self.next, best);
        self.moves[self.next]
    }

    /// Generates and scores the moves, once.
    fn generate(&mut self, position: &Position, histories: Option<&Histories>) {
        if self.generated {
            return;
        }
        self.generated = true;
        let legal = position.legal_moves();
        for &m in &legal {
            let wanted = self.selection == Selection::All || is_quiescence_noisy(m);
            if wanted && self.hints.table_move != Some(m) {
                let score = self.score(position, histories, m);
                self.moves.push(Scored { m, score });
            }
        }
    }

    /// The move's place in the order.
    fn score(&self, position: &Position, histories: Option<&Histories>, m: Move) -> i32 {
        if is_noisy(m) {
            let gain = m.capture().map_or(0, role_value) * 8 - role_value(m.role()) / 8;
            let promotion = match m.promotion() {
                Some(Role::Queen) => role_value(Role::Queen) * 8,
                Some(_) => -KILLER / 2,
                None => 0,
            };
            let history = histories.map_or(0, |h| h.capture(position, m) * CAPTURE_HISTORY_SCALE / 256);
            return GOOD_NOISY + gain + promotion + history;
        }
        let Some(histories) = histories else { return 0 };
        let packed = PackedMove::new(m);
        if let Some(slot) = self.hints.killers.iter().position(|&killer| killer == packed) {
            return KILLER - slot as i32;
        }
        if packed == self.hints.counter_move {
            return COUNTER;
        }
        histories.quiet(position, m, self.hints.earlier)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(fen: &str, table_move: Option<&str>, histories: Option<&Histories>) -> Vec<String> {
        let position = Position::from_fen(fen, false).unwrap();
        let hints = Hints { table_move: table_move.map(|text| position.parse_uci(text).unwrap()), ..Hints::default() };
        let mut picker = Picker::new(hints, Selection::All);
        std::iter::from_fn(|| picker.next(&position, histories)).map(|m| position.uci(m)).collect()
    }

    #[test]
    fn every_legal_move_comes_exactly_once() {
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let histories = Histories::new();
        for table_move in [None, Some("a1b1"), Some("e5g6")] {
            let mut given = all(fen, table_move, Some(&histories));
            assert_eq!(given.first().map(String::as_str), table_move.or(given.first().map(String::as_str)));
            given.sort();
            let position = Position::from_fen(fen, false).unwrap();
            let mut legal: Vec<String> = position.legal_moves().iter().map(|&m| position.uci(m)).collect();
            legal.sort();
            assert_eq!(given, legal);
        }
    }

    #[test]
    fn winning_captures_come_first_and_losing_ones_last() {
        // Rxd5 loses the rook to the pawn; exf5 wins one.
        let order = all("4k3/8/2p5/3p1p2/4P3/8/8/3RK3 w - - 0 1", None, Some(&Histories::new()));
        assert!(order[0] == "e4d5" || order[0] == "e4f5", "{order:?}");
        assert_eq!(order.last().map(String::as_str), Some("d1d5"));
    }
}
