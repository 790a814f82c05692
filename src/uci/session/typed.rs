//! What people type who would rather play than speak UCI: moves or a position alone, and `undo`.

use super::Session;
use crate::board::{Game, Move, Position, PositionError, assumed, castling_san, respelled};
use crate::uci::command::Setup;

/// Slashes of a word that is meant to be a board, even if a rank is missing or one too many.
const LEAST_SLASHES: usize = 5;

/// Whether the first word is meant to be the ranks of a board.
fn begins_like_fen(line: &str) -> bool {
    let board = line.split_whitespace().next().unwrap_or_default();
    board.matches('/').count() >= LEAST_SLASHES && board.chars().all(|c| c == '/' || c.is_ascii_alphanumeric())
}

/// The move that a word means, in either notation or spelled as on score sheets.
fn typed_move(position: &Position, word: &str) -> Result<Move, PositionError> {
    let plain = castling_san(word).map_or_else(|| respelled(word), str::to_owned);
    match position.parse_uci(word) {
        Err(unread @ PositionError::MoveSyntax { .. }) => match position.parse_either(&plain) {
            Err(PositionError::MoveSyntax { .. }) => Err(unread),
            parsed => parsed,
        },
        parsed => parsed,
    }
}

impl Session {
    /// Begins a game at a position that this FEN states; by the other rules of castling it may have more rights.
    pub(super) fn start_from(&mut self, fen: String, position: Position) {
        self.setup = Setup { fen: Some(fen), moves: Vec::new() };
        self.game = Game::new(position);
    }

    /// Sets up a position that a person types without a command: a FEN, or `startpos`; whether the line is one. What
    /// begins like a FEN and is none is said to be wrong, unless it `is_command`.
    pub(super) fn set_up_typed(&mut self, line: &str, is_command: bool) -> bool {
        let position = match Position::from_fen(line, self.settings.chess960) {
            Ok(position) => position,
            Err(error) if !is_command && begins_like_fen(line) => {
                self.out.message(error);
                return true;
            }
            Err(_) => return false,
        };
        let turn = position.turn();
        match assumed(line) {
            Some(assumed) => self.out.message(format_args!("set up; {turn} to move; assumed: {assumed}")),
            None => self.out.message(format_args!("set up; {turn} to move")),
        }
        self.explain_losses(line, &position);
        self.start_from(line.to_owned(), position);
        true
    }

    /// Plays what a person types who knows no commands, moves in either notation; whether the line begins with one. A
    /// move that is not legal ends it.
    pub(super) fn play_typed(&mut self, line: &str) -> bool {
        for (index, word) in line.split_whitespace().enumerate() {
            let position = self.game.position();
            match typed_move(position, word) {
                Ok(m) => {
                    let (san, uci) = (position.san_line(&[m]), position.uci(m));
                    self.game.play(m);
                    self.setup.moves.push(uci);
                    self.out.message(format_args!("{san}; {} to move", self.game.position().turn()));
                }
                Err(PositionError::MoveSyntax { .. }) if index == 0 => return false,
                Err(error) => {
                    self.out.message(error);
                    break;
                }
            }
        }
        !line.trim().is_empty()
    }

    /// Takes back the last move.
    pub(super) fn undo(&mut self) {
        let mut setup = self.setup.clone();
        if setup.moves.pop().is_none() {
            self.out.message("undo: there is no move to take back");
            return;
        }
        match self.set_up(&setup) {
            Ok(game) => {
                (self.game, self.setup) = (game, setup);
                self.out.message(format_args!("taken back; {} to move", self.game.position().turn()));
            }
            Err(error) => self.out.message(error),
        }
    }
}
