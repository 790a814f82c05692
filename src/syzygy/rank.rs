//! Ranks the moves of a game's position by the tables.
//!
//! The tables assume that the last move was a capture or pawn move. This module adds the fifty-move counter: a win
//! whose next capture or pawn move is further away than the counter allows is not a win. A move to a position that has
//! occurred twice is a draw whatever the tables say, and so is one after which the opponent can reach such a position.

use shakmaty_syzygy::{Dtz, MaybeRounded};

use super::{Tables, Wdl};
use crate::board::{FIFTY_MOVES, Game, Move, is_fifty_moves};

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
        let all = |ask| moves.iter().map(|&m| self.ranked(game, m, fifty_moves, ask)).collect::<Option<Vec<_>>>();
        let mut ranked = all(Tables::by_distance).or_else(|| all(Tables::by_outcome))?;
        // A stable sort: equal moves keep their order.
        ranked.sort_by_key(|ranked| {
            let plies = ranked.plies.map_or(i64::MAX, i64::from);
            (std::cmp::Reverse(ranked.wdl), if ranked.wdl > Wdl::Draw { plies } else { -plies })
        });
        Some(RankedMoves(ranked))
    }

    /// Ranks a move: by the rules of chess if it ends the game, or else by the tables.
    fn ranked(&self, game: &Game, m: Move, fifty_moves: bool, ask: Ask) -> Option<Ranked> {
        let after = after(game, m);
        let (wdl, plies) = ended(&after, fifty_moves).or_else(|| ask(self, game, &after, fifty_moves))?;
        let (wdl, plies) = if wdl > Wdl::Draw && can_be_repeated(&after) { (Wdl::Draw, None) } else { (wdl, plies) };
        Some(Ranked { mv: m, wdl, plies })
    }

    /// The result of a move by WDL and DTZ tables.
    fn by_distance(&self, game: &Game, after: &Game, fifty_moves: bool) -> Option<(Wdl, Option<u32>)> {
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
        Some((wdl, (wdl != Wdl::Draw).then_some(plies)))
    }

    /// The same by WDL tables only, which ignore the counter.
    fn by_outcome(&self, _: &Game, after: &Game, fifty_moves: bool) -> Option<(Wdl, Option<u32>)> {
        Some((settled(-self.wdl(after.position())?, fifty_moves), None))
    }
}

/// What tells the result of a move: by the tables, the game before and after it, and whether the fifty-move rule holds.
type Ask = fn(&Tables, &Game, &Game, bool) -> Option<(Wdl, Option<u32>)>;

/// An outcome as it counts with the fifty-move rule, or without it.
pub fn settled(wdl: Wdl, fifty_moves: bool) -> Wdl {
    match wdl {
        Wdl::CursedWin if !fifty_moves => Wdl::Win,
        Wdl::BlessedLoss if !fifty_moves => Wdl::Loss,
        wdl => wdl,
    }
}

/// The game after a move.
fn after(game: &Game, m: Move) -> Game {
    let mut after = game.clone();
    after.play(m);
    after
}

/// The result of a move that has ended the game.
fn ended(after: &Game, fifty_moves: bool) -> Option<(Wdl, Option<u32>)> {
    let position = after.position();
    if position.is_checkmate() {
        return Some((Wdl::Win, Some(1)));
    }
    let is_drawn = after.is_over_whatever_the_counter() || (fifty_moves && is_fifty_moves(position));
    is_drawn.then_some((Wdl::Draw, None))
}

/// Whether the next move can reach a position that has occurred twice.
fn can_be_repeated(game: &Game) -> bool {
    let position = game.position();
    position.legal_moves().iter().any(|&m| game.history().occurrences(&position.play(m)) >= 2)
}
