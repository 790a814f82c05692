//! What earlier cutoffs say about moves: butterfly, continuation and capture histories, counter-moves (Schaeffer 1989,
//! "The History Heuristic and Alpha-Beta Search Enhancements in Practice", and its descendants).

use crate::board::{Bitboard, Color, Move, PackedMove, Position, Role, Square, move_target, role_number};
use crate::params::Params;
use crate::units::{Depth, PERCENT, Ply};

/// The bound of every history value.
const BOUND: i32 = 16_384;
const SQUARES: usize = 64;
const ROLES: usize = 6;
/// Piece kinds of both colours times squares.
const MOVE_INDICES: usize = 2 * ROLES * SQUARES;
/// Stands for the preceding move if there was none: a row of zeros that is never updated.
const NO_MOVE: usize = MOVE_INDICES;

/// How many plies back continuation histories look; the correction history uses the first two.
pub(super) const LOOK_BACK: [Ply; 3] = [1, 2, 4];

/// The moves made that many plies before; `None` if there was none.
pub type Earlier = [Option<MoveIndex>; LOOK_BACK.len()];

/// What moves, from where to where (for castling, the king): found once for all indices of a move.
#[derive(Copy, Clone)]
struct Route {
    role: Role,
    from: Square,
    to: Square,
}

impl Route {
    #[inline(always)]
    fn of(m: Move) -> Route {
        // Most moves are of the first kind.
        match m {
            Move::Normal { role, from, to, .. } => Route { role, from, to },
            _ => Route { role: m.role(), from: m.from().unwrap_or(m.to()), to: move_target(m) },
        }
    }

    /// The number of the pair of squares.
    fn squares(self) -> usize {
        self.from.to_usize() * SQUARES + self.to.to_usize()
    }
}

/// A moved piece and its target square: the index of a continuation history.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct MoveIndex(u16);

impl MoveIndex {
    /// The index of a move by a colour.
    #[inline]
    pub fn new(color: Color, m: Move) -> MoveIndex {
        MoveIndex::of_route(color, Route::of(m))
    }

    #[inline(always)]
    fn of_route(color: Color, Route { role, to, .. }: Route) -> MoveIndex {
        let piece = color as usize * ROLES + role_number(role);
        MoveIndex((piece * SQUARES + to.to_usize()) as u16)
    }

    /// How many pairs of moves there are.
    pub(super) const PAIRS: usize = MOVE_INDICES * MOVE_INDICES;

    /// The index of the pair of this move and the preceding one.
    pub(super) fn after(self, before: MoveIndex) -> usize {
        before.get() * MOVE_INDICES + self.get()
    }

    fn get(self) -> usize {
        usize::from(self.0)
    }
}

/// Whether origin and target of a move are attacked.
const EXPOSURES: usize = 4;

/// A colour's butterfly history, by whether origin and target are attacked, origin and target.
type Butterfly = [i16; EXPOSURES * SQUARES * SQUARES];
/// A continuation history after one move: a value for each move.
type Row = [i16; MOVE_INDICES];

/// What the histories of a node's quiet moves depend on.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct QuietContext {
    /// The side to move.
    pub color: Color,
    /// The squares that the opponent attacks; none if that does not count.
    pub attacked: Bitboard,
    /// The preceding moves.
    pub earlier: Earlier,
}

impl QuietContext {
    /// The index of a move in the butterfly history.
    fn butterfly(&self, route: Route) -> usize {
        butterfly_index([route.from, route.to].map(|square| usize::from(self.attacked.contains(square))), route)
    }
}

/// The index of a move in the butterfly history, by whether origin and target are attacked.
#[inline(always)]
fn butterfly_index([origin, target]: [usize; 2], route: Route) -> usize {
    (2 * origin + target) * SQUARES * SQUARES + route.squares()
}

/// The histories of one worker, kept from search to search within a game, those of quiet moves in part.
pub struct Histories {
    /// By colour.
    butterfly: Vec<Butterfly>,
    /// By the earlier move; the last row stands for none.
    continuation: Vec<Row>,
    captures: Vec<i16>,
    counter_moves: Vec<PackedMove>,
}

/// The histories for one node's quiet moves.
#[derive(Copy, Clone)]
pub struct QuietHistory<'a> {
    context: QuietContext,
    butterfly: &'a Butterfly,
    /// By the moves [`LOOK_BACK`] plies before; zeros if there was none.
    continuations: [&'a Row; LOOK_BACK.len()],
}

/// The same for quiet moves of one piece, by target.
#[derive(Copy, Clone)]
pub(super) struct PieceHistory<'a> {
    attacked: Bitboard,
    /// For targets that are not attacked, and for those that are.
    butterfly: [&'a [i16; SQUARES]; 2],
    continuations: [&'a [i16; SQUARES]; LOOK_BACK.len()],
}

impl<'a> QuietHistory<'a> {
    /// No history: all moves are equal.
    pub(super) fn none(context: QuietContext) -> QuietHistory<'a> {
        static BUTTERFLY: Butterfly = [0; EXPOSURES * SQUARES * SQUARES];
        static ROW: Row = [0; MOVE_INDICES];
        QuietHistory { context, butterfly: &BUTTERFLY, continuations: [&ROW; LOOK_BACK.len()] }
    }

    /// The history score of a quiet move.
    #[inline(always)]
    pub fn of(&self, m: Move) -> i32 {
        let Route { role, from, to } = Route::of(m);
        self.of_piece(role, from).to(to)
    }

    /// The history of quiet moves of this piece.
    #[inline(always)]
    pub(super) fn of_piece(&self, role: Role, from: Square) -> PieceHistory<'a> {
        let QuietContext { color, attacked, .. } = self.context;
        // All target squares follow each other in either index.
        let first = Route { role, from, to: Square::A1 };
        let place = MoveIndex::of_route(color, first).get() / SQUARES;
        let origin = usize::from(attacked.contains(from));
        PieceHistory {
            attacked,
            butterfly: [0, 1]
                .map(|target| &self.butterfly.as_chunks().0[butterfly_index([origin, target], first) / SQUARES]),
            continuations: self.continuations.map(|continuation| &continuation.as_chunks().0[place]),
        }
    }
}

impl PieceHistory<'_> {
    /// The history score of the move to this square.
    #[inline(always)]
    pub(super) fn to(&self, to: Square) -> i32 {
        let continued: i32 = self.continuations.iter().map(|continuation| i32::from(continuation[to as usize])).sum();
        i32::from(self.butterfly[usize::from(self.attacked.contains(to))][to as usize]) + continued
    }
}

/// The bonus for a cutoff at this depth.
pub(super) fn bonus(params: &Params, depth: Depth) -> i32 {
    (params.history_bonus_slope * depth - params.history_bonus_offset).clamp(0, params.history_bonus_most)
}

/// Updates a value towards the bonus's sign by `bonus - value * |bonus| / BOUND`. With `|bonus| <= BOUND` the result is
/// a weighted mean of `value` and `±BOUND`, so it cannot leave that range.
pub(super) fn gravitate<const BOUND: i32>(value: &mut i16, bonus: i32) {
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / BOUND) as i16;
}

/// Updates values by `bonus - sum * |bonus| / BOUND`, with their sum for all instead of each one's own value: they are
/// looked up together, so together they learn what is new, and no more once enough of them know it. So Hobbes.
/// Elo: 0 ± 11 (`continuation_sum`)
fn gravitate_together(values: &mut [i16], slots: impl Iterator<Item = usize> + Clone, bonus: i32) {
    let sum: i32 = slots.clone().map(|slot| i32::from(values[slot])).sum();
    for slot in slots {
        values[slot] = (i32::from(values[slot]) + bonus - sum * bonus.abs() / BOUND).clamp(-BOUND, BOUND) as i16;
    }
}

fn capture_index(color: Color, m: Move) -> usize {
    let captured = role_number(m.capture().unwrap_or(Role::Pawn));
    MoveIndex::new(color, m).get() * ROLES + captured
}

impl Default for Histories {
    /// Empty histories.
    fn default() -> Histories {
        Histories {
            butterfly: vec![[0; EXPOSURES * SQUARES * SQUARES]; 2],
            continuation: vec![[0; MOVE_INDICES]; MOVE_INDICES + 1],
            captures: vec![0; MOVE_INDICES * ROLES],
            counter_moves: vec![PackedMove::NONE; MOVE_INDICES],
        }
    }
}

impl Histories {
    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.butterfly.fill([0; EXPOSURES * SQUARES * SQUARES]);
        self.continuation.fill([0; MOVE_INDICES]);
        self.captures.fill(0);
        self.counter_moves.fill(PackedMove::NONE);
    }

    /// Before each search of a game: what was learned in earlier ones counts less, since the position has changed, and
    /// what is new is learned sooner. So PlentyChess.
    /// Elo: +18 ± 11 (`history_kept`)
    pub(super) fn fade(&mut self, params: &Params) {
        if params.history_kept == PERCENT {
            return;
        }
        let less = |value: i16| (i32::from(value) * params.history_kept / PERCENT) as i16;
        let quiet = self.butterfly.as_flattened_mut().iter_mut().chain(self.continuation.as_flattened_mut());
        quiet.for_each(|value| *value = less(*value));
    }

    /// The histories of quiet moves, in general and after the moves one, two and four plies before.
    pub fn quiets(&self, context: QuietContext) -> QuietHistory<'_> {
        let continuation = |before: Option<MoveIndex>| &self.continuation[before.map_or(NO_MOVE, MoveIndex::get)];
        let butterfly = &self.butterfly[context.color as usize];
        QuietHistory { context, butterfly, continuations: context.earlier.map(continuation) }
    }

    /// The history score of a capture.
    pub(super) fn capture(&self, position: &Position, m: Move) -> i32 {
        i32::from(self.captures[capture_index(position.turn(), m)])
    }

    /// Adds a bonus or malus for a quiet move, of up to 16,384.
    pub fn update_quiet(&mut self, params: &Params, context: QuietContext, m: Move, bonus: i32) {
        self.update_butterfly(context, m, bonus);
        self.update_continuation(params, context, m, bonus);
    }

    /// The same in general only.
    pub(super) fn update_butterfly(&mut self, context: QuietContext, m: Move, bonus: i32) {
        gravitate::<BOUND>(&mut self.butterfly[context.color as usize][context.butterfly(Route::of(m))], bonus);
    }

    /// The same after the preceding moves only.
    pub(super) fn update_continuation(&mut self, params: &Params, context: QuietContext, m: Move, bonus: i32) {
        let index = MoveIndex::new(context.color, m);
        let slots = context.earlier.into_iter().flatten().map(|before| index.after(before));
        let values = self.continuation.as_flattened_mut();
        if params.continuation_sum {
            gravitate_together(values, slots, bonus);
        } else {
            slots.for_each(|slot| gravitate::<BOUND>(&mut values[slot], bonus));
        }
    }

    /// Adds a bonus or malus for a capture.
    pub(super) fn update_capture(&mut self, position: &Position, m: Move, bonus: i32) {
        gravitate::<BOUND>(&mut self.captures[capture_index(position.turn(), m)], bonus);
    }

    /// The quiet move that last refuted this one.
    pub(super) fn counter_move(&self, previous: Option<MoveIndex>) -> PackedMove {
        previous.map_or(PackedMove::NONE, |index| self.counter_moves[index.get()])
    }

    /// Stores a refutation.
    pub(super) fn set_counter_move(&mut self, previous: Option<MoveIndex>, m: PackedMove) {
        if let Some(index) = previous {
            self.counter_moves[index.get()] = m;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Square;
    use proptest::prelude::*;

    #[test]
    fn a_move_has_a_history_of_its_own_where_its_squares_are_attacked() {
        let position = Position::default();
        let m = position.parse_uci("g1f3").unwrap();
        let context = |attacked| QuietContext { color: Color::White, attacked, earlier: Earlier::default() };
        let mut histories = Histories::default();
        let attacked = [Bitboard::EMPTY, Bitboard::from(Square::G1), Bitboard::from(Square::F3), Bitboard::FULL];
        for (bonus, squares) in (1..).zip(attacked) {
            histories.update_quiet(&Params::default(), context(squares), m, bonus);
        }
        assert_eq!(attacked.map(|squares| histories.quiets(context(squares)).of(m)), [1, 2, 3, 4]);
    }

    #[test]
    fn continuation_histories_learn_together_or_each_for_itself() {
        let position = Position::default();
        let [m, first, second] = ["g1f3", "e2e4", "d2d4"].map(|uci| position.parse_uci(uci).unwrap());
        let index = |m| Some(MoveIndex::new(Color::White, m));
        let context = |earlier| QuietContext { color: Color::White, attacked: Bitboard::EMPTY, earlier };
        // The first of two preceding moves is known to be followed by this one.
        let learned = |continuation_sum, known, bonus| {
            let params = Params { continuation_sum, ..Params::default() };
            let mut histories = Histories::default();
            let each = [[index(first), None, None], [None, index(second), None]].map(context);
            histories.update_continuation(&params, each[0], m, known);
            histories.update_continuation(&params, context([index(first), index(second), None]), m, bonus);
            each.map(|context| histories.quiets(context).of(m))
        };
        assert_eq!(learned(false, BOUND / 2, 1024), [BOUND / 2 + 512, 1024]);
        assert_eq!(learned(true, BOUND / 2, 1024), [BOUND / 2 + 512, 512]);
        assert_eq!(learned(true, BOUND / 2, -1024), [BOUND / 2 - 1536, -1536]);
        assert_eq!(learned(true, BOUND, -BOUND), [-BOUND, -BOUND]);
    }

    proptest! {
        #[test]
        fn no_sequence_of_updates_leaves_the_bound(bonuses in proptest::collection::vec(-BOUND / 2..=BOUND / 2, 0..400)) {
            let mut value = 0i16;
            for bonus in bonuses {
                gravitate::<BOUND>(&mut value, bonus);
                prop_assert!(i32::from(value).abs() <= BOUND);
            }
        }
    }
}
