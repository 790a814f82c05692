//! Ranks the moves of a game's position by the tables.
//!
//! The tables assume that the last move was a capture or pawn move. This module adds the fifty-move counter: a win
//! whose next capture or pawn move is further away than the counter allows is not a win. A move to a position that has
//! occurred twice is a draw whatever the tables say.

use shakmaty_syzygy::{Dtz, MaybeRounded};

use super::{Tables, Wdl};
use crate::board::{Game, Move, Position};

/// Plies without capture or pawn move allowed by the fifty-move rule.
const FIFTY_MOVES: u32 = 100;

/// A move and its result.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Ranked {
    /// The move.
    pub mv: Move,
    /// The outcome for the side that makes it, taking account of the fifty-move counter and repetitions.
    pub wdl: Wdl,
    /// Plies to the next capture or pawn move or the mate, including this move: the fewest that the winning side needs.
    /// `None` in a draw, or if there are only WDL tables.
    pub plies: Option<u32>,
}

/// All moves, best first: the fastest wins and the slowest losses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankedMoves(Vec<Ranked>);

impl RankedMoves {
    /// The moves, best first.
    pub fn moves(&self) -> &[Ranked] {
        &self.0
    }

    /// The outcome of the best move.
    pub fn best(&self) -> Wdl {
        self.0.first().map_or(Wdl::Draw, |ranked| ranked.wdl)
    }
}

impl Tables {
    /// Ranks these moves of the game's position; `None` if the tables do not have them all.
    ///
    /// Without `fifty_moves` a win counts however long it takes.
    pub fn rank(&self, game: &Game, moves: &[Move], fifty_moves: bool) -> Option<RankedMoves> {
        if moves.is_empty() || !self.covers(game.position()) {
            return None;
        }
        let by_distance = || moves.iter().map(|&m| self.by_distance(game, m, fifty_moves)).collect::<Option<Vec<_>>>();
        let by_outcome = || moves.iter().map(|&m| self.by_outcome(game, m, fifty_moves)).collect::<Option<Vec<_>>>();
        let mut ranked = by_distance().or_else(by_outcome)?;
        // A stable sort: equal moves keep their order.
        ranked.sort_by_key(|ranked| {
            let plies = ranked.plies.map_or(0, i64::from);
            (std::cmp::Reverse(ranked.wdl), if ranked.wdl > Wdl::Draw { plies } else { -plies })
        });
        Some(RankedMoves(ranked))
    }

    /// Ranks a move with WDL and DTZ tables.
    fn by_distance(&self, game: &Game, m: Move, fifty_moves: bool) -> Option<Ranked> {
        let after = after(game, m);
        if let Some(ranked) = ended(&after, m) {
            return Some(ranked);
        }
        let position = after.position();
        let dtz = if position.halfmoves() == 0 {
            MaybeRounded::Precise(Dtz::before_zeroing(-self.wdl(position)?))
        } else {
            (-self.dtz(position)?).add_plies_saturating(1)
        };
        let Dtz(distance) = dtz.ignore_rounding();
        let plies = distance.unsigned_abs();
        let clock = if position.halfmoves() == 0 { 0 } else { game.position().halfmoves() };
        // A rounded distance may be one ply longer. But following the shortest way from a capture or pawn move wins
        // anyway, so a doubtful win counts as one.
        let in_time = !fifty_moves || clock.saturating_add(plies) <= FIFTY_MOVES;
        let wdl = match (distance.signum(), in_time) {
            (0, _) => Wdl::Draw,
            (1, true) => Wdl::Win,
            (1, false) => Wdl::CursedWin,
            (_, true) => Wdl::Loss,
            (_, false) => Wdl::BlessedLoss,
        };
        Some(Ranked { mv: m, wdl, plies: (wdl != Wdl::Draw).then_some(plies) })
    }

    /// Ranks a move with WDL tables only, which ignore the counter.
    fn by_outcome(&self, game: &Game, m: Move, fifty_moves: bool) -> Option<Ranked> {
        let after = after(game, m);
        if let Some(ranked) = ended(&after, m) {
            return Some(ranked);
        }
        let wdl = match -self.wdl(after.position())? {
            Wdl::CursedWin if !fifty_moves => Wdl::Win,
            Wdl::BlessedLoss if !fifty_moves => Wdl::Loss,
            wdl => wdl,
        };
        Some(Ranked { mv: m, wdl, plies: None })
    }
}

/// The game after a move.
fn after(game: &Game, m: Move) -> Game {
    let mut after = game.clone();
    after.play(m);
    after
}

/// The rank of a move that ends the game.
fn ended(after: &Game, m: Move) -> Option<Ranked> {
    let mates = |position: &Position| position.in_check() && position.legal_moves().is_empty();
    if mates(after.position()) {
        return Some(Ranked { mv: m, wdl: Wdl::Win, plies: Some(1) });
    }
    after.is_over().then_some(Ranked { mv: m, wdl: Wdl::Draw, plies: None })
}
