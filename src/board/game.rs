//! A game so far: the current position and the keys of those before it, for repetitions.

use super::{Move, Position, PositionError, ReversibleMoves};
use crate::units::Ply;

/// Plies without capture or pawn move after which the game is drawn.
pub const FIFTY_MOVES: u32 = 100;

/// Keys of the positions of a game and of the search path below it, newest last.
///
/// The newest key belongs to the current position. The search pushes on making a move and pops on taking it back.
#[derive(Clone, Debug)]
pub struct History {
    keys: Vec<u64>,
    /// The same without their en passant part: every move ends that right, so it bars no other way to a position.
    keys_without_en_passant: Vec<u64>,
    /// How many keys belong to the game; the rest are the search's.
    game_len: usize,
}

/// A position that has occurred before.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Repetition {
    /// A single repetition within the search: a side that can repeat once can do so again.
    InSearch,
    /// For the third time in all, by the laws of chess.
    Threefold,
}

impl History {
    /// The history of a game that came to a position through others, in their order: it has those that may repeat.
    fn through(before: &[Position], position: &Position) -> History {
        let reach = before.len().min(position.reversible_plies() as usize);
        let positions = || before[before.len() - reach..].iter().chain([position]);
        History {
            keys: positions().map(Position::key).collect(),
            keys_without_en_passant: positions().map(Position::key_without_en_passant).collect(),
            game_len: reach + 1,
        }
    }

    /// Enters the position after a move of the search.
    pub fn push(&mut self, position: &Position) {
        self.keys.push(position.key());
        self.keys_without_en_passant.push(position.key_without_en_passant());
    }

    /// Leaves the current position of the search.
    pub fn pop(&mut self) {
        self.keys.pop();
        self.keys_without_en_passant.pop();
    }

    /// Keys of the positions below the root of the search.
    pub fn search_keys(&self) -> &[u64] {
        &self.keys[self.game_len..]
    }

    /// Whether the current position repeats an earlier one in a way that counts as a draw: once since the root of the
    /// search, or for the third time in all.
    pub fn repetition(&self, position: &Position) -> Option<Repetition> {
        let last = self.last();
        self.draw_by_repeating(position.key(), last - self.reach(position), last)
    }

    /// Whether reaching `key` again counts as a draw, if it may have occurred at the indices from `first` to four plies
    /// before `at`.
    fn draw_by_repeating(&self, key: u64, first: usize, at: usize) -> Option<Repetition> {
        let (mut times, mut in_search) = (0, false);
        // The same side must be to move, and two plies cannot repeat.
        for index in (first..(at + 1).saturating_sub(4)).rev().step_by(2) {
            if self.keys[index] == key {
                times += 1;
                if times == 2 {
                    return Some(Repetition::Threefold);
                }
                in_search = index >= self.game_len;
            }
        }
        in_search.then_some(Repetition::InSearch)
    }

    /// Whether the side to move can repeat an earlier position with its next move in a way that `counts` as a draw.
    pub fn can_repeat(
        &self,
        position: &Position,
        moves: &ReversibleMoves,
        counts: impl Fn(Repetition) -> bool,
    ) -> bool {
        let last = self.last();
        let first = last - self.reach(position);
        // At least three plies have passed since the opponent's last move, which must be undone too.
        (first..(last + 1).saturating_sub(3)).rev().step_by(2).any(|index| {
            moves.side_between(position, self.keys[index]) == Some(position.turn())
                && self.draw_by_repeating(self.keys[index], first, last + 1).is_some_and(&counts)
        })
    }

    /// How many plies ago the side that just moved could have reached this position with one move, in the latest such
    /// position of the search with the same castling rights, its root included; `None` if it could not.
    pub fn could_have_come_sooner(&self, position: &Position, moves: &ReversibleMoves) -> Option<Ply> {
        let last = self.last();
        let first = (last - self.reach(position)).max(self.game_len - 1);
        // After three plies the other side's single move still separates the two positions.
        (first..(last + 1).saturating_sub(5))
            .rev()
            .step_by(2)
            .find(|&index| moves.side_between(position, self.keys_without_en_passant[index]) == Some(!position.turn()))
            .map(|index| (last - index) as Ply)
    }

    /// The index of the current position.
    fn last(&self) -> usize {
        self.keys.len() - 1
    }

    /// How many plies back a repetition of the position is possible.
    fn reach(&self, position: &Position) -> usize {
        (position.reversible_plies() as usize).min(self.last())
    }

    /// How often a position has occurred, including now if it is the current one.
    pub fn occurrences(&self, position: &Position) -> usize {
        self.keys.iter().filter(|&&key| key == position.key()).count()
    }
}

/// A game: its current position and its history.
#[derive(Clone, Debug)]
pub struct Game {
    position: Position,
    history: History,
}

impl Game {
    /// A game that starts from a position.
    pub fn new(position: Position) -> Game {
        Game::through(&[], position)
    }

    /// A game that came to a position through others, in their order. Of their keys it has those that may repeat.
    pub fn through(before: &[Position], position: Position) -> Game {
        let history = History::through(before, &position);
        Game { position, history }
    }

    /// The current position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The keys so far.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// Plays a legal move.
    pub fn play(&mut self, m: Move) {
        self.position.make(m);
        self.history.push(&self.position);
        self.history.game_len = self.history.keys.len();
    }

    /// Plays a move given in UCI notation.
    ///
    /// # Errors
    ///
    /// [`PositionError`] if it is not a legal move here; the game is then unchanged.
    pub fn play_uci(&mut self, text: &str) -> Result<(), PositionError> {
        let m = self.position.parse_uci(text)?;
        self.play(m);
        Ok(())
    }

    /// Whether the game is over by the laws of chess: mate, stalemate, dead material, fifty moves or threefold.
    pub fn is_over(&self) -> bool {
        self.is_over_whatever_the_counter() || is_fifty_moves(&self.position)
    }

    /// The same without the fifty-move rule.
    pub fn is_over_whatever_the_counter(&self) -> bool {
        self.position.is_terminal() || self.history.occurrences(&self.position) >= 3
    }
}

impl Default for Game {
    /// A game that starts from the initial position.
    fn default() -> Game {
        Game::new(Position::default())
    }
}

/// Whether fifty moves have passed without capture or pawn move. A mate on the board takes precedence, which the
/// caller checks.
pub fn is_fifty_moves(position: &Position) -> bool {
    position.halfmoves() >= FIFTY_MOVES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_position_that_a_game_starts_from_is_its_first_occurrence() {
        let mut game = Game::default();
        for text in "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8".split(' ') {
            assert!(!game.is_over(), "{text}");
            game.play_uci(text).unwrap();
        }
        assert!(game.is_over());
    }

    #[test]
    fn a_game_through_positions_repeats_as_the_game_itself() {
        let mut game = Game::default();
        let mut positions = vec![game.position().clone()];
        let moves = "e2e4 e7e5 g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 d2d4 d7d5 g1f3 g8f6 f3g1 f6g8";
        for (ply, text) in moves.split(' ').enumerate() {
            game.play_uci(text).unwrap();
            let through = Game::through(&positions, game.position().clone());
            let (history, whole) = (through.history(), game.history());
            assert_eq!(history.occurrences(through.position()), whole.occurrences(game.position()), "ply {ply}");
            assert_eq!(history.repetition(through.position()), whole.repetition(game.position()), "ply {ply}");
            assert_eq!((through.is_over(), history.search_keys()), (game.is_over(), &[][..]), "ply {ply}");
            // No more is kept than can be repeated.
            assert_eq!(history.keys.len(), game.position().reversible_plies() as usize + 1, "ply {ply}");
            positions.push(game.position().clone());
        }
        assert!(!game.is_over());
        let late = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 40 60", false).unwrap();
        assert_eq!(Game::through(&[], late).history().keys.len(), 1);
    }
}
