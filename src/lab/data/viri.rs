//! viriformat: whole games at four bytes per ply, as in the engine Viridithas and the trainer bullet (described in the
//! README of github.com/cosmobobak/viriformat). Everything is little-endian.
//!
//! | bytes of a game | |
//! |---|---|
//! | 0-27 | the position in which it starts, see [`crate::board::marlin`] |
//! | 28-29 | a score for that position; zero here |
//! | 30 | the result: 0 Black won, 1 drawn, 2 White won |
//! | 31 | zero |
//! | then 4 for each ply | the move (2), and the search's score for White in centipawns (2) |
//! | 4 | zero |
//!
//! | bits of a move | |
//! |---|---|
//! | 0-5 | from, a1 is 0 |
//! | 6-11 | to; for castling the rook's square |
//! | 12-13 | for a promotion knight, bishop, rook, queen |
//! | 14-15 | 0 normal, 1 en passant, 2 castling, 3 promotion |
//!
//! Games follow each other with nothing in between. Eight zero bytes start an extension: a number (2 bytes), a length
//! (2), that many bytes and four zero bytes; it is skipped.

use std::io::{self, BufRead};

use super::{Counted, DataError, GameResult, MOST_PLIES, Sample};
use crate::board::{Color, Move, PackedMove, Position, marlin};

/// Bytes before the moves.
const HEAD: usize = 32;
const RESULT: usize = 30;
/// Bytes of a move with its score, and of the end.
const STEP: usize = 4;
const END: [u8; STEP] = [0; STEP];
/// The part of the head that distinguishes a game from an extension.
const SQUARES: usize = 8;
/// From and to of a move; both formats have them in the same place.
const SQUARE_BITS: u16 = 0x0fff;
const KIND_SHIFT: u16 = 12;
/// The four highest bits of each kind of move in [`PackedMove`], and here: normal, castling, en passant, promotion to
/// knight, bishop, rook, queen.
const KINDS: [(u16, u16); 7] = [(0, 0), (1, 8), (2, 4), (4, FIRST_PROMOTION), (5, 13), (6, 14), (7, 15)];
const FIRST_PROMOTION: u16 = 12;
/// Two bits that are used for promotions only.
const PROMOTION_PIECE: u16 = 3;

/// The bytes of a game of consecutive positions; `None` if there are no positions, or more pieces than a game begins
/// with.
pub fn encode(game: &[Sample]) -> Option<Vec<u8>> {
    let first = game.first()?;
    let mut bytes = Vec::with_capacity(HEAD + STEP * (game.len() + 1));
    bytes.extend(marlin::pack(&first.position)?);
    bytes.extend([0, 0, first.result as u8, 0]);
    for sample in game {
        // A symmetric range, so that the sign can be changed.
        let white_score = for_white(sample.score, sample.position.turn()).clamp(-i32::from(i16::MAX), i16::MAX.into());
        bytes.extend(encode_move(sample.best_move).to_le_bytes());
        bytes.extend((white_score as i16).to_le_bytes());
    }
    bytes.extend(END);
    Some(bytes)
}

/// Number of positions in the bytes of a game.
pub fn positions(game: &[u8]) -> u64 {
    (game.len().saturating_sub(HEAD) / STEP).saturating_sub(1) as u64
}

/// Converts a score between White's and the side to move's view.
fn for_white(score: i32, turn: Color) -> i32 {
    turn.fold_wb(score, -score)
}

fn encode_move(m: Move) -> u16 {
    let bits = PackedMove::new(m).to_bits();
    let kind = KINDS.iter().find(|kind| kind.0 == bits >> KIND_SHIFT).map_or(0, |kind| kind.1);
    bits & SQUARE_BITS | kind << KIND_SHIFT
}

/// The move of these bits, if it is legal.
fn decode_move(bits: u16, position: &Position) -> Option<Move> {
    let kind = bits >> KIND_SHIFT;
    let kind = if kind < FIRST_PROMOTION { kind & !PROMOTION_PIECE } else { kind };
    let kind = KINDS.iter().find(|known| known.1 == kind)?.0;
    PackedMove::from_bits(bits & SQUARE_BITS | kind << KIND_SHIFT).unpack(position)
}

/// The position that a game starts from, and its result; `None` if these bytes do not begin like a game.
fn decode_head(head: &[u8; HEAD]) -> Option<(Position, GameResult)> {
    Some((marlin::unpack(head.first_chunk()?)?, GameResult::from_code(head[RESULT])?))
}

/// The samples of a game's bytes, with its number for errors.
fn decode(bytes: &[u8], game: u64) -> Result<Vec<Sample>, DataError> {
    let damaged = |ply| DataError::BadGame { game, ply };
    let (head, steps) = bytes.split_first_chunk::<HEAD>().ok_or(damaged(0))?;
    let (mut position, result) = decode_head(head).ok_or(damaged(0))?;
    let mut samples = Vec::with_capacity(steps.len() / STEP);
    for (ply, &[a, b, c, d]) in (1..).zip(steps.as_chunks::<STEP>().0) {
        if [a, b, c, d] == END {
            break;
        }
        let best_move = decode_move(u16::from_le_bytes([a, b]), &position).ok_or(damaged(ply))?;
        let score = for_white(i32::from(i16::from_le_bytes([c, d])), position.turn());
        let next = position.play(best_move);
        samples.push(Sample { position, score, best_move, result });
        position = next;
    }
    Ok(samples)
}

/// Reads such a file game by game.
pub(super) struct Reader<R> {
    pub(super) source: Counted<R>,
    /// Games read.
    games: u64,
    /// Where the game or extension begins that is being read.
    begin: u64,
    /// Bytes of an incomplete game at the end, or of an extension.
    pub(super) left_over: u64,
}

impl<R: BufRead> Reader<R> {
    /// A reader of this source.
    pub fn new(source: R) -> Reader<R> {
        Reader { source: Counted { source, bytes: 0 }, games: 0, begin: 0, left_over: 0 }
    }

    /// The bytes of the next complete game, if there is one.
    pub fn next_bytes(&mut self) -> Result<Option<Vec<u8>>, DataError> {
        let game = self.whole()?;
        match game {
            Some(_) => self.games += 1,
            None => self.left_over = self.source.bytes - self.begin,
        }
        Ok(game)
    }

    /// The same, without counting.
    fn whole(&mut self) -> Result<Option<Vec<u8>>, DataError> {
        let squares = loop {
            self.begin = self.source.bytes;
            let Ok(squares) = self.source.take::<SQUARES>()? else { return Ok(None) };
            if squares != [0; SQUARES] {
                break squares;
            }
            if !self.skip_extension()? {
                return Ok(None);
            }
        };
        let Ok(rest) = self.source.take::<{ HEAD - SQUARES }>()? else { return Ok(None) };
        let mut game = [&squares[..], &rest].concat();
        // Now, since the rest of another kind of file would pass for the beginning of a long game.
        game.first_chunk().and_then(decode_head).ok_or(DataError::BadGame { game: self.games + 1, ply: 0 })?;
        for _ in 0..=MOST_PLIES {
            let Ok(step) = self.source.take::<STEP>()? else { return Ok(None) };
            game.extend(step);
            if step == END {
                return Ok(Some(game));
            }
        }
        Err(DataError::BadGame { game: self.games + 1, ply: MOST_PLIES })
    }

    /// Skips the rest of an extension; `false` if it is truncated.
    fn skip_extension(&mut self) -> io::Result<bool> {
        let Ok([_, _, low, high]) = self.source.take::<4>()? else { return Ok(false) };
        for _ in 0..usize::from(u16::from_le_bytes([low, high])) + STEP {
            if self.source.take::<1>()?.is_err() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The samples of the next complete game, if there is one.
    pub fn next_game(&mut self) -> Result<Option<Vec<Sample>>, DataError> {
        self.next_bytes()?.map(|bytes| decode(&bytes, self.games)).transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::chess960;
    use crate::lab::random::dice;

    fn sample(position: &Position, best_move: &str, score: i32) -> Sample {
        let best_move = position.parse_uci(best_move).unwrap();
        Sample { position: position.clone(), score, best_move, result: GameResult::WhiteWins }
    }

    /// The samples of a game with these moves and scores.
    fn game(start: Position, moves: &[(&str, i32)]) -> Vec<Sample> {
        let mut position = start;
        let mut samples = Vec::new();
        for (best_move, score) in moves {
            let sample = sample(&position, best_move, *score);
            position = position.play(sample.best_move);
            samples.push(sample);
        }
        samples
    }

    /// The games of these bytes, and what is left over.
    fn read(bytes: &[u8]) -> Result<(Vec<Vec<Sample>>, u64), DataError> {
        let mut reader = Reader::new(bytes);
        let mut games = Vec::new();
        while let Some(game) = reader.next_game()? {
            games.push(game);
        }
        Ok((games, reader.left_over))
    }

    /// The comparable contents of a game.
    fn essence(game: &[Sample]) -> Vec<(String, u64, Move, i32, GameResult)> {
        let of = |s: &Sample| (s.position.fen(), s.position.key(), s.best_move, s.score, s.result);
        game.iter().map(of).collect()
    }

    #[test]
    fn a_game_is_as_computed_by_hand() {
        // Ke1 (4), Rf1 (5) with the right to castle, Pg7 (54) against Kb8 (57).
        let start = Position::from_fen("1k6/6P1/8/8/8/8/8/4KR2 w F - 3 20", true).unwrap();
        let samples = game(start, &[("e1f1", 250), ("b8c7", -260), ("g7g8q", 300)]);
        let mut expected = vec![0x30, 0, 0, 0, 0, 0, 0x40, 0x02];
        // King 5 and rook 6; pawn 0 and Black's king 13.
        expected.extend([0x65, 0xd0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        // White to move, no en passant (64), 3 plies, move 20; no score, White wins.
        expected.extend([0x40, 3, 20, 0, 0, 0, 2, 0]);
        // 4 | 5 << 6 | 2 << 14 = 0x8144, 250 = 0x00fa.
        expected.extend([0x44, 0x81, 0xfa, 0x00]);
        // 57 | 50 << 6 = 0x0cb9, 260 for White = 0x0104.
        expected.extend([0xb9, 0x0c, 0x04, 0x01]);
        // 54 | 62 << 6 | 3 << 12 | 3 << 14 = 0xffb6, 300 = 0x012c.
        expected.extend([0xb6, 0xff, 0x2c, 0x01]);
        expected.extend([0; 4]);
        assert_eq!(encode(&samples).unwrap(), expected);
        assert_eq!(positions(&expected), 3);
        let (games, left_over) = read(&expected).unwrap();
        assert_eq!((essence(&games[0]), games.len(), left_over), (essence(&samples), 1, 0));

        // Black to move; Pd4 (27) can be taken on d3 (19) by Pe4 (28); Ke1 (4), Ke8 (60).
        let start = Position::from_fen("4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1", false).unwrap();
        let bytes = encode(&game(start, &[("e4d3", -5)])).unwrap();
        assert_eq!(bytes[..10], [0x10, 0, 0, 0x18, 0, 0, 0, 0x10, 0x05, 0xd8]);
        assert_eq!(bytes[24], 0x80 | 19);
        // 28 | 19 << 6 | 1 << 14 = 0x44dc.
        assert_eq!(bytes[32..36], [0xdc, 0x44, 5, 0]);
    }

    #[test]
    fn the_example_of_the_specification_is_read() {
        let mut bytes = vec![0xff, 0xff, 0, 0, 0, 0, 0xff, 0xff, 0x16, 0x42, 0x25, 0x61, 0, 0, 0, 0];
        bytes.extend([0x88, 0x88, 0x88, 0x88, 0x9e, 0xca, 0xad, 0xe9, 0x40, 0, 1, 0, 0, 0, 2, 0]);
        bytes.extend([0x0c, 0x07, 0x0a, 0x00, 0x34, 0x09, 0x14, 0x00, 0xc3, 0x09, 0xe2, 0xff]);
        bytes.extend([0x3c, 0x0d, 0xff, 0x7f, 0x27, 0x09, 0xff, 0x7f, 0, 0, 0, 0]);
        let moves = [("e2e4", 10), ("e7e5", -20), ("d1h5", -30), ("e8e7", -32767), ("h5e5", 32767)];
        let expected = game(Position::default(), &moves);
        assert_eq!(essence(&read(&bytes).unwrap().0[0]), essence(&expected));
        assert_eq!(encode(&expected).unwrap(), bytes);
    }

    #[test]
    fn random_games_come_back() {
        let mut kinds = [false; 3];
        let mut all = Vec::new();
        let mut bytes = Vec::new();
        for task in 0..120 {
            let mut random = dice(9, task);
            let number = |random: &mut fastrand::Rng| random.u16(..chess960::ARRANGEMENTS);
            let mut position = chess960::start(number(&mut random), number(&mut random)).unwrap();
            let mut samples = Vec::new();
            while samples.len() < 300 {
                let moves = position.legal_moves();
                // Rare moves are preferred, so that all kinds occur.
                let kind = |m: &Move| match m {
                    Move::EnPassant { .. } => Some(0),
                    Move::Castle { .. } => Some(1),
                    m => m.is_promotion().then_some(2),
                };
                let rare: Vec<Move> = moves.iter().copied().filter(|m| kind(m).is_some()).collect();
                let Some(best_move) = random.choice(rare).or_else(|| random.choice(moves.to_vec())) else { break };
                if let Some(kind) = kind(&best_move) {
                    kinds[kind] = true;
                }
                let (score, result) = (random.i32(-32_000..=32_000), GameResult::Draw);
                let next = position.play(best_move);
                samples.push(Sample { position, score, best_move, result });
                position = next;
            }
            bytes.extend(encode(&samples).unwrap());
            all.push(samples);
        }
        assert_eq!(kinds, [true; 3]);
        let (games, left_over) = read(&bytes).unwrap();
        assert_eq!((games.len(), left_over), (all.len(), 0));
        for (game, samples) in games.iter().zip(&all) {
            assert!(essence(game) == essence(samples));
        }
    }

    #[test]
    fn scores_that_do_not_fit_are_cut() {
        for (score, expected) in [(99_999, 32_767), (-99_999, -32_767)] {
            let bytes = encode(&[sample(&Position::default(), "e2e4", score)]).unwrap();
            assert_eq!(read(&bytes).unwrap().0[0][0].score, expected);
        }
    }

    #[test]
    fn extensions_are_passed_over_and_cut_games_left_over() {
        let one = encode(&game(Position::default(), &[("e2e4", 1), ("e7e5", 2)])).unwrap();
        let extension = [&[0; 8][..], &[7, 0, 3, 0], b"abc", &[0; 4]].concat();
        let bytes = [&extension[..], &one, &extension, &extension, &one].concat();
        assert_eq!(read(&bytes).unwrap().0.len(), 2);
        for cut in 1..one.len() {
            let (games, left_over) = read(&[&one[..], &one[..cut]].concat()).unwrap();
            assert_eq!((games.len(), left_over), (1, cut as u64));
        }
        for cut in 0..extension.len() {
            let (games, left_over) = read(&[&one[..], &extension, &extension[..cut]].concat()).unwrap();
            assert_eq!((games.len(), left_over), (1, cut as u64));
        }
    }

    #[test]
    fn another_kind_of_file_is_not_the_beginning_of_a_game() {
        let one = encode(&game(Position::default(), &[("e2e4", 1), ("e7e5", 2)])).unwrap();
        let text = b"# A title\n\nA text of more than the thirty-two bytes that a game's head has.";
        let refused = |bytes: &[u8]| read(bytes).unwrap_err().to_string();
        assert_eq!(refused(text), "game 1 is damaged at its ply 0");
        assert_eq!(refused(&[&one[..], text].concat()), "game 2 is damaged at its ply 0");
    }

    #[test]
    fn nonsense_is_an_error_with_its_place() {
        let one = encode(&game(Position::default(), &[("e2e4", 1), ("e7e5", 2)])).unwrap();
        // An invalid piece nibble, an invalid result, a move from the wrong square, one of an invalid kind.
        for (place, value, ply) in [(8, 0x17, 0), (RESULT, 3, 0), (36, 0x35, 2), (37, 0x49, 2)] {
            let mut second = one.clone();
            second[place] = value;
            let error = read(&[&one[..], &second].concat()).unwrap_err();
            assert!(matches!(error, DataError::BadGame { game: 2, ply: at } if at == ply), "{place}: {error}");
        }
        let endless = [&one[..HEAD], &vec![1; STEP * (MOST_PLIES + 1)]].concat();
        assert!(matches!(read(&endless), Err(DataError::BadGame { game: 1, .. })));
    }
}
