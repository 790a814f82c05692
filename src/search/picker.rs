//! Move ordering: table move, winning captures, killers and counter-move, quiet moves by history, losing captures last.
//! Moves are generated only if the table move does not cause a cutoff, and sorted only as far as they are needed.

use arrayvec::ArrayVec;
use wide::i32x8;

use super::frame::KILLERS;
use super::history::{Earlier, Histories, QuietContext, QuietHistory};
use crate::board::{
    Bitboard, CheckInfo, MAX_MOVES, Move, MoveList, PackedMove, Position, Role, is_noisy, role_value, see_at_least,
};

use crate::params::Params;

/// Scores of killers and, after them, counter-moves, above any history. Together with a move's index they fit into 32
/// bits.
const KILLER: i32 = 1 << 21;
const COUNTER: i32 = KILLER - KILLERS as i32;
/// Underpromotions come after every capture.
const UNDERPROMOTION: i32 = -(1 << 20);
/// A weight of one: weights are in 256ths.
const WEIGHT_ONE: i32 = 256;

/// The tunables of move ordering.
#[derive(Copy, Clone)]
pub(super) struct OrderingWeights {
    victim: i32,
    /// What is taken off for the capturing role, pawn first: found once, since divisions are slow.
    captors: [i32; Role::ALL.len()],
    /// In 256ths.
    capture_history: i32,
    check_bonus: i32,
    check_may_lose: i32,
}

impl OrderingWeights {
    /// The weights from the tunables.
    pub fn new(params: &Params) -> OrderingWeights {
        OrderingWeights {
            victim: params.victim_weight,
            captors: Role::ALL.map(|role| role_value(role) / params.victim_weight),
            capture_history: params.capture_history_weight,
            check_bonus: params.check_order,
            check_may_lose: params.check_may_lose,
        }
    }
}

impl Default for OrderingWeights {
    fn default() -> OrderingWeights {
        OrderingWeights::new(&Params::default())
    }
}

/// What a node knows about its moves before generating them.
#[derive(Copy, Clone)]
pub(super) struct Hints {
    /// The table's move, legal here.
    pub tt_move: Option<Move>,
    /// Killers of this ply.
    pub killers: [PackedMove; KILLERS],
    /// Refutation of the previous move.
    pub counter_move: PackedMove,
    /// The preceding moves, for continuation histories.
    pub earlier: Earlier,
    /// The squares that the opponent attacks, if they count.
    pub attacked: Bitboard,
    /// The ordering weights.
    pub weights: OrderingWeights,
    /// Give the moves as generated, for comparison with plain algorithms.
    pub unordered: bool,
}

/// Moves and their scores. A key holds the score above its own place, so that one pass over the keys finds both.
#[derive(Default)]
struct ScoredMoves {
    keys: ArrayVec<i32, MAX_MOVES>,
    /// The move of each key, by its number in `moves`: bytes are quicker to exchange.
    numbers: ArrayVec<u8, MAX_MOVES>,
    moves: ArrayVec<Move, MAX_MOVES>,
}

/// The bits of a key that hold its place; enough for every position, as is a byte.
const PLACE_BITS: u32 = u8::BITS;
const PLACE_MASK: i32 = (1 << PLACE_BITS) - 1;
const _: () = assert!(MAX_MOVES <= 1 << PLACE_BITS);

impl ScoredMoves {
    #[inline(always)]
    fn push(&mut self, m: Move, score: i32) {
        let place = self.moves.len();
        self.keys.push(score << PLACE_BITS | place as i32);
        self.numbers.push(place as u8);
        self.moves.push(m);
    }

    /// Scores every move, before any is taken.
    fn score(&mut self, score_of: impl Fn(Move) -> i32) {
        for (place, (key, &m)) in self.keys.iter_mut().zip(&self.moves).enumerate() {
            *key = score_of(m) << PLACE_BITS | place as i32;
        }
    }

    fn clear(&mut self) {
        self.keys.clear();
        self.numbers.clear();
        self.moves.clear();
    }

    /// The moves not taken yet.
    fn remaining(&self) -> impl ExactSizeIterator<Item = Move> {
        self.numbers.iter().map(|&number| self.moves[usize::from(number)])
    }

    /// Takes the best of the remaining moves.
    fn take_best(&mut self) -> Option<Move> {
        let best = largest(&self.keys);
        let place = (best & PLACE_MASK) as usize;
        self.keys.swap_pop(place)?;
        if let Some(moved) = self.keys.get_mut(place) {
            *moved = *moved & !PLACE_MASK | place as i32;
        }
        let number = self.numbers.swap_pop(place)?;
        Some(self.moves[usize::from(number)])
    }
}

/// The largest of some keys, found several at a time; the least number if there is none.
#[inline]
fn largest(keys: &[i32]) -> i32 {
    const LANES: usize = 8;
    match keys.last_chunk::<LANES>() {
        // The last ones may be among the others, too.
        Some(&last) => {
            let chunks = keys.as_chunks().0.iter();
            chunks.fold(i32x8::new(last), |best, &chunk| best.max(i32x8::new(chunk))).reduce_max()
        }
        None => keys.iter().fold(i32::MIN, |best, &key| best.max(key)),
    }
}

/// Which moves a picker yields.
#[derive(Copy, Clone)]
pub(super) enum Selection {
    /// All legal moves.
    All,
    /// Captures and queen promotions.
    Noisy,
    /// Those and quiet checks.
    NoisyAndChecks(CheckInfo),
}

impl Selection {
    fn takes_noisy(&self, m: Move) -> bool {
        matches!(self, Selection::All) || is_quiescence_noisy(m)
    }

    fn takes_quiet(&self, position: &Position, m: Move) -> bool {
        match self {
            Selection::All => true,
            Selection::Noisy => false,
            Selection::NoisyAndChecks(checks) => checks.gives_check(position, m),
        }
    }
}

/// The picker's stage.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Stage {
    TtMove,
    Generate,
    GoodNoisy,
    ScoreQuiets,
    Quiets,
    BadNoisy,
}

/// Yields a node's moves one by one.
pub(super) struct Picker<'n> {
    hints: Hints,
    selection: Selection,
    /// Whether losing captures are skipped.
    skips_losing: bool,
    /// Data for recognising quiet checks, if those are tried earlier.
    favoured: Option<&'n CheckInfo>,
    stage: Stage,
    noisy: ScoredMoves,
    quiets: ScoredMoves,
    /// Losing captures, found when their turn came; tried last.
    bad_noisy: ArrayVec<Move, MAX_MOVES>,
}

/// The legal moves of a position in the order in which a search without any history tries them.
pub fn ordered_moves(position: &Position) -> MoveList {
    let mut picker = Picker::new(Hints::default(), Selection::All);
    std::iter::from_fn(|| picker.next(position, None)).collect()
}

/// Captures and promotions for quiescence: without underpromotions.
pub(super) fn is_quiescence_noisy(m: Move) -> bool {
    is_noisy(m) && m.promotion().is_none_or(|role| role == Role::Queen)
}

impl<'n> Picker<'n> {
    /// A picker over a node's moves.
    pub fn new(hints: Hints, selection: Selection) -> Picker<'n> {
        Picker {
            hints,
            selection,
            skips_losing: false,
            favoured: None,
            stage: Stage::TtMove,
            noisy: ScoredMoves::default(),
            quiets: ScoredMoves::default(),
            bad_noisy: ArrayVec::new(),
        }
    }

    /// Whether losing captures are skipped; a table move is yielded in any case.
    pub fn skip_losing_captures(&mut self, skips_losing: bool) {
        self.skips_losing = skips_losing;
    }

    /// Tries quiet checks that lose little earlier, by a bonus on their history.
    pub fn favour_checks(&mut self, checks: &'n CheckInfo) {
        self.favoured = (self.hints.weights.check_bonus > 0).then_some(checks);
    }

    /// Skips the remaining quiet moves generated so far.
    pub fn skip_quiets(&mut self) {
        self.quiets.clear();
    }

    /// Skips the remaining quiet moves generated so far if none of them gives check: how many.
    pub fn skip_quiets_unless_checks(&mut self, position: &Position, checks: &CheckInfo) -> usize {
        if self.quiets.remaining().any(|m| checks.gives_check(position, m)) {
            return 0;
        }
        let skipped = self.quiets.remaining().len();
        self.skip_quiets();
        skipped
    }

    /// The next move, best first.
    pub fn next(&mut self, position: &Position, histories: Option<&Histories>) -> Option<Move> {
        self.next_wanted(position, histories, |_| true)
    }

    /// The next of the moves that are wanted.
    pub fn next_wanted(
        &mut self,
        position: &Position,
        histories: Option<&Histories>,
        wanted: impl Fn(Move) -> bool,
    ) -> Option<Move> {
        loop {
            match self.stage {
                Stage::TtMove => {
                    self.stage = Stage::Generate;
                    if let Some(m) = self.hints.tt_move.filter(|&m| wanted(m)) {
                        return Some(m);
                    }
                }
                Stage::Generate => {
                    self.generate(position, histories);
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => match self.noisy.take_best() {
                    Some(m) if !wanted(m) => {}
                    // Static exchange evaluation is expensive, so it waits until the capture's turn has come.
                    Some(m) if self.hints.unordered && !self.skips_losing || see_at_least(position, m, 0) => {
                        return Some(m);
                    }
                    Some(m) if !self.skips_losing => self.bad_noisy.push(m),
                    Some(_) => {}
                    None => self.stage = Stage::ScoreQuiets,
                },
                Stage::ScoreQuiets => {
                    // Most nodes are cut off before this, so quiet moves are only scored now.
                    if let Some(histories) = histories {
                        self.score_quiets(position, histories);
                    }
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => match self.quiets.take_best() {
                    Some(m) if wanted(m) => return Some(m),
                    Some(_) => {}
                    None => {
                        // Reversed, since they are taken from the end.
                        self.bad_noisy.reverse();
                        self.stage = Stage::BadNoisy;
                    }
                },
                Stage::BadNoisy => return self.bad_noisy.pop(),
            }
        }
    }

    /// Scores the quiet moves.
    #[inline(never)]
    fn score_quiets(&mut self, position: &Position, histories: &Histories) {
        let Picker { quiets, hints, favoured, .. } = self;
        let context = QuietContext { color: position.turn(), attacked: hints.attacked, earlier: hints.earlier };
        let history = histories.quiets(context);
        quiets.score(|m| hints.quiet_score(&history, m) + hints.weights.check_bonus(*favoured, position, m));
    }

    /// Generates the moves and scores the noisy ones. Not part of [`Picker::next`], which would have to make room for
    /// its list of moves at every call.
    #[inline(never)]
    fn generate(&mut self, position: &Position, histories: Option<&Histories>) {
        let moves = position.legal_moves();
        for (index, &m) in moves.iter().enumerate() {
            if self.hints.tt_move == Some(m) {
                continue;
            }
            let noisy = is_noisy(m);
            if !(if noisy { self.selection.takes_noisy(m) } else { self.selection.takes_quiet(position, m) }) {
                continue;
            }
            if self.hints.unordered {
                // One list, whose scores keep the order of generation.
                self.noisy.push(m, -(index as i32));
            } else if noisy {
                self.noisy.push(m, self.hints.weights.noisy_score(position, histories, m));
            } else {
                self.quiets.push(m, 0);
            }
        }
    }
}

impl OrderingWeights {
    /// The order of captures and promotions: by what they win, then by capture history.
    fn noisy_score(self, position: &Position, histories: Option<&Histories>, m: Move) -> i32 {
        let gain = m.capture().map_or(0, role_value) * self.victim - self.captors[m.role() as usize - 1];
        let promotion = match m.promotion() {
            Some(Role::Queen) => role_value(Role::Queen) * self.victim,
            Some(_) => UNDERPROMOTION,
            None => 0,
        };
        let history = histories.map_or(0, |h| h.capture(position, m) * self.capture_history / WEIGHT_ONE);
        gain + promotion + history
    }

    /// The bonus of a quiet check.
    fn check_bonus(&self, favoured: Option<&CheckInfo>, position: &Position, m: Move) -> i32 {
        let is_favoured = favoured
            .is_some_and(|checks| checks.gives_check(position, m) && see_at_least(position, m, -self.check_may_lose));
        if is_favoured { self.check_bonus } else { 0 }
    }
}

impl Default for Hints {
    fn default() -> Hints {
        Hints::new(OrderingWeights::default())
    }
}

impl Hints {
    /// No hints.
    pub fn new(weights: OrderingWeights) -> Hints {
        Hints {
            tt_move: None,
            killers: Default::default(),
            counter_move: PackedMove::NONE,
            earlier: Earlier::default(),
            attacked: Bitboard::EMPTY,
            weights,
            unordered: false,
        }
    }

    /// The order of quiet moves: killers, the counter-move, then history.
    #[inline]
    fn quiet_score(&self, history: &QuietHistory<'_>, m: Move) -> i32 {
        let packed = PackedMove::new(m);
        if let Some(slot) = self.killers.iter().position(|&killer| killer == packed) {
            return KILLER - slot as i32;
        }
        if packed == self.counter_move {
            return COUNTER;
        }
        history.of(m)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_key_is_found_wherever_it_stands() {
        for count in 0..40 {
            for place in 0..count {
                let keys: Vec<i32> = (0..count).map(|index| if index == place { 5 } else { -9 - index }).collect();
                assert_eq!(largest(&keys), 5, "{place} of {count}");
            }
        }
        assert_eq!(largest(&[]), i32::MIN);
    }

    fn all(fen: &str, tt_move: Option<&str>, histories: Option<&Histories>) -> Vec<String> {
        let position = Position::from_fen(fen, false).unwrap();
        let hints = Hints { tt_move: tt_move.map(|text| position.parse_uci(text).unwrap()), ..Hints::default() };
        let mut picker = Picker::new(hints, Selection::All);
        std::iter::from_fn(|| picker.next(&position, histories)).map(|m| position.uci(m)).collect()
    }

    #[test]
    fn every_legal_move_comes_exactly_once() {
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let histories = Histories::new();
        for tt_move in [None, Some("a1b1"), Some("e5g6")] {
            let mut given = all(fen, tt_move, Some(&histories));
            assert_eq!(given.first().map(String::as_str), tt_move.or(given.first().map(String::as_str)));
            given.sort();
            let position = Position::from_fen(fen, false).unwrap();
            let mut legal: Vec<String> = position.legal_moves().iter().map(|&m| position.uci(m)).collect();
            legal.sort();
            assert_eq!(given, legal);
        }
    }

    #[test]
    fn quiet_checks_that_lose_nothing_are_tried_first_where_they_are_favoured() {
        // Five quiet moves give check; Qe5 is the one that loses, to the knight.
        let fen = "4k3/3r4/5rn1/3p4/8/8/1Q5P/R5K1 w - - 0 1";
        let position = Position::from_fen(fen, false).unwrap();
        let histories = Histories::new();
        let order = |bonus| -> Vec<String> {
            let checks = CheckInfo::new(&position);
            let weights = OrderingWeights { check_bonus: bonus, ..OrderingWeights::default() };
            let hints = Hints { weights, ..Hints::default() };
            let mut picker = Picker::new(hints, Selection::All);
            picker.favour_checks(&checks);
            let given = std::iter::from_fn(|| picker.next(&position, Some(&histories)));
            given.filter(|&m| !is_noisy(m)).map(|m| position.uci(m)).collect()
        };
        let mut first = order(1000);
        first.truncate(4);
        first.sort();
        assert_eq!(first, ["a1a8", "a1e1", "b2b8", "b2e2"]);
        assert_ne!(order(1000), order(0));
    }

    #[test]
    fn winning_captures_come_first_and_losing_ones_last() {
        // Rxd5 loses the rook to the pawn; exf5 wins one.
        let order = all("4k3/8/2p5/3p1p2/4P3/8/8/3RK3 w - - 0 1", None, Some(&Histories::new()));
        assert!(order[0] == "e4d5" || order[0] == "e4f5", "{order:?}");
        assert_eq!(order.last().map(String::as_str), Some("d1d5"));
    }
}
