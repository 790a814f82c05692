//! Opening theory: the positions of named openings, in which a move is a matter of taste rather than a mistake.
//!
//! The table is a text of moves in SAN. Each is played from the position before it; `(` remembers the position and `)`
//! returns to it, so that lines share their beginnings; a line that begins with `#` is a comment. `pacioli lab theory`
//! writes it.

use std::collections::HashSet;

use thiserror::Error;

use crate::board::{Move, Position};
use crate::pgn::PgnGame;
use crate::text;

/// Named openings; the table says where they are from.
const NAMED: &str = include_str!("../../../positions/openings.txt");
/// Plies of a game that are taken into a table; no opening is longer.
const MOST_PLIES: usize = 100;
/// Lines of the table are broken before this column.
const WIDTH: usize = 120;

/// A table that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("opening theory, word {word}: {reason}")]
pub struct TheoryError {
    /// The word, from 1; comments do not count.
    pub word: usize,
    /// What is wrong with it.
    pub reason: String,
}

/// Positions of opening theory.
#[derive(Clone, Debug, Default)]
pub struct Theory {
    /// Keys as in Polyglot books, which ignore en passant where no pawn stands ready.
    keys: HashSet<u64>,
}

impl Theory {
    /// The built-in table.
    ///
    /// # Errors
    ///
    /// None in practice: a test reads the table.
    pub fn named() -> Result<Theory, TheoryError> {
        Theory::parse(NAMED)
    }

    /// Reads a table.
    ///
    /// # Errors
    ///
    /// A move that is not legal where it stands, or a `)` without its `(`.
    pub fn parse(text: &str) -> Result<Theory, TheoryError> {
        let mut theory = Theory::default();
        let mut position = Position::default();
        let mut remembered = Vec::new();
        // Not the `#` of a mate.
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        for (index, word) in lines.flat_map(str::split_whitespace).enumerate() {
            let fault = |reason: String| TheoryError { word: index + 1, reason };
            match word {
                "(" => remembered.push(position.clone()),
                ")" => position = remembered.pop().ok_or_else(|| fault("`)` without `(`".to_owned()))?,
                san => {
                    let m = position.parse_san(san).map_err(|error| fault(error.to_string()))?;
                    position.make(m);
                    theory.keys.insert(position.polyglot_key());
                }
            }
        }
        Ok(theory)
    }

    /// Whether the position occurs in a named opening.
    pub fn contains(&self, position: &Position) -> bool {
        self.keys.contains(&position.polyglot_key())
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there are none: then no move is theory.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }
}

/// Moves of games that share their beginnings.
#[derive(Debug, Default)]
pub struct Lines {
    next: Vec<Branch>,
    games: u32,
}

/// A move and what follows.
#[derive(Debug)]
struct Branch {
    mv: Move,
    rest: Lines,
}

impl Lines {
    /// Adds the first hundred plies of a game from the initial position: no opening is longer. Other games are left
    /// out, and `false` is returned.
    pub fn add(&mut self, game: &PgnGame) -> bool {
        if game.start.is_chess960() || game.start.key() != Position::default().key() {
            return false;
        }
        let mut lines = self;
        for step in game.moves.iter().take(MOST_PLIES) {
            let at = lines.next.iter().position(|branch| branch.mv == step.mv).unwrap_or_else(|| {
                lines.next.push(Branch { mv: step.mv, rest: Lines::default() });
                lines.next.len() - 1
            });
            lines = &mut lines.next[at].rest;
            lines.games += 1;
        }
        true
    }

    /// The table of the moves that at least so many games share, sorted by SAN.
    pub fn to_table(&self, least: u32) -> String {
        let mut words = Vec::new();
        self.push(&Position::default(), least, &mut words);
        let mut text = text::filled(words.iter().map(String::as_str), "", WIDTH).join("\n");
        text.push('\n');
        text
    }

    fn push(&self, position: &Position, least: u32, words: &mut Vec<String>) {
        let kept = self.next.iter().filter(|branch| branch.rest.games >= least);
        let mut kept: Vec<(String, &Branch)> = kept.map(|branch| (position.san(branch.mv), branch)).collect();
        kept.sort_by(|a, b| a.0.cmp(&b.0));
        let count = kept.len();
        for (index, (san, branch)) in kept.into_iter().enumerate() {
            // The last line of a position needs no return to it.
            let returns = index + 1 < count;
            words.extend(returns.then(|| "(".to_owned()));
            words.push(san);
            branch.rest.push(&position.play(branch.mv), least, words);
            words.extend(returns.then(|| ")".to_owned()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::Games;

    fn after(line: &str) -> Position {
        line.split(' ').fold(Position::default(), |position, san| position.play(position.parse_san(san).unwrap()))
    }

    #[test]
    fn named_openings_are_known_whatever_the_order_of_moves() {
        let named = Theory::named().unwrap();
        assert!(named.len() > 15_000, "{}", named.len());
        // With 3.Nc3, where the table has 3.Nd2.
        let caro_kann = "e4 c6 d4 d5 Nc3 dxe4 Nxe4 Nd7 Ng5 Ngf6 Bd3 e6 N1f3";
        assert!(named.contains(&after(caro_kann)));
        assert!(!named.contains(&after(&format!("{caro_kann} h6"))), "Kasparov's move was not theory");
        assert!(!Theory::default().contains(&after("e4")));
        // Gambits that a search does not like are theory, lost positions are not.
        assert!(named.contains(&after("e4 e5 Nf3 Nc6 Bc4 Nf6 Ng5 Bc5")) && !named.contains(&after("f3 e5 g4")));
        for main_line in [
            "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 Bg5 e6 f4 Qb6 Qd2 Qxb2 Rb1 Qa3 e5",
            "d4 d5 c4 c6 Nf3 Nf6 Nc3 e6 Bg5 dxc4 e4 b5 e5 h6 Bh4 g5 Nxg5 hxg5 Bxg5 Nbd7 g3",
        ] {
            assert!(named.contains(&after(main_line)), "{main_line}");
        }
    }

    #[test]
    fn a_table_of_games_is_read_as_it_was_written() {
        let text = "1. e4 e5 2. Nf3 *\n\n1. e4 c5 *\n\n1. e4 e5 2. f4 *\n\n1. d4 *\n";
        let mut lines = Lines::default();
        for game in Games::new(text.as_bytes()) {
            assert!(lines.add(&game.unwrap().unwrap()));
        }
        let table = lines.to_table(1);
        assert_eq!(table, "( d4 ) e4 ( c5 ) e5 ( Nf3 ) f4\n");
        assert_eq!(lines.to_table(2), "e4 e5\n");
        let theory = Theory::parse(&format!("# lines\n{table}")).unwrap();
        assert_eq!(theory.len(), 6);
        assert!(["e4", "d4", "e4 c5", "e4 e5 f4"].iter().all(|line| theory.contains(&after(line))));
    }

    #[test]
    fn of_a_long_game_the_beginning_is_taken() {
        let text = "Nf3 Nf6 Ng1 Ng8 ".repeat(3_000) + "*\n";
        let mut lines = Lines::default();
        for game in Games::new(text.as_bytes()) {
            assert!(lines.add(&game.unwrap().unwrap()));
        }
        assert_eq!(lines.to_table(1).split_whitespace().count(), MOST_PLIES);
    }

    #[test]
    fn a_fault_is_named_with_its_place() {
        let fault = |text: &str| Theory::parse(text).unwrap_err().to_string();
        assert_eq!(fault("e4 )"), "opening theory, word 2: `)` without `(`");
        assert!(fault("# e5\ne4 ( e5 Ke3 )").starts_with("opening theory, word 4: `Ke3` is not legal"));
    }
}
