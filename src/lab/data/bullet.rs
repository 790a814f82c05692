//! bulletformat: single positions in 32 bytes, as used by the trainer bullet (`ChessBoard` of the crate `bulletformat`,
//! github.com/jw1912/bulletformat). Everything is from the side to move's view: if Black is to move, ranks are flipped
//! and colours swapped.
//!
//! | bytes | |
//! |---|---|
//! | 0-7 | the occupied squares, little-endian, a1 lowest |
//! | 8-23 | a nibble for each occupied square from a1 on, low nibble first: 0-5 pawn to king, plus 8 for the other side |
//! | 24-25 | the score for the side to move in centipawns, little-endian |
//! | 26 | the result for the side to move: 0 lost, 1 drawn, 2 won |
//! | 27 | the square of the own king |
//! | 28 | the square of the other king as the other side sees it, ranks flipped once more |
//! | 29-31 | padding: zero here, other programs may leave anything |

use std::hash::{DefaultHasher, Hasher as _};

use super::GameResult;
use crate::board::{Bitboard, Color, MOST_PIECES, Position, Role};

/// Bytes of a position.
pub const RECORD: usize = 32;
const PIECES: usize = 8;
const SCORE: usize = 24;
const RESULT: usize = 26;
const KING: usize = 27;
const OTHER_KING: usize = 28;
/// The own king in a nibble; roles count from 1.
const KING_CODE: u8 = Role::King as u8 - 1;
/// Added to the other side's pieces.
const OTHER_SIDE: u8 = 8;
/// Flips a square to the other side's view.
const FLIP: u8 = 56;

/// The record of a position with its score for the side to move, in centipawns, and the result of its game; `None` if
/// it has more pieces than a game begins with.
pub fn encode(position: &Position, score: i32, result: GameResult) -> Option<[u8; RECORD]> {
    let board = position.board();
    if board.occupied().count() > MOST_PIECES {
        return None;
    }
    let turn = position.turn();
    let mut record = [0; RECORD];
    let seen = |squares: Bitboard| turn.fold_wb(squares, squares.flip_vertical());
    record[..PIECES].copy_from_slice(&seen(board.occupied()).0.to_le_bytes());
    for (index, square) in seen(board.occupied()).into_iter().enumerate() {
        let piece = board.piece_at(turn.fold_wb(square, square.flip_vertical()))?;
        // Roles count from 1.
        let code = piece.role as u8 - 1 + if piece.color == turn { 0 } else { OTHER_SIDE };
        record[PIECES + index / 2] |= code << (4 * (index % 2));
    }
    let score = score.clamp(i32::from(i16::MIN), i32::from(i16::MAX)) as i16;
    record[SCORE..RESULT].copy_from_slice(&score.to_le_bytes());
    record[RESULT] = result.half_points(turn);
    // Each side's king from that side's view.
    let king = |color: Color| Some(board.king_of(color)? as u8 ^ color.fold_wb(0, FLIP));
    record[KING] = king(turn)?;
    record[OTHER_KING] = king(!turn)?;
    Some(record)
}

/// A key for the board of a record, as the side to move sees it: all that a record holds of a position. With colours
/// exchanged it is the same board.
pub fn board_key(record: &[u8; RECORD]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(&record[..SCORE]);
    hasher.finish()
}

/// Whether the beginning of a file shows it to hold such records: none of them says what cannot be.
pub fn is_positions(beginning: &[u8]) -> bool {
    let (records, _) = beginning.as_chunks::<RECORD>();
    !records.is_empty() && records.iter().all(is_record)
}

/// Whether these bytes may be a record. A game of few moves is told from one by the kings.
fn is_record(record: &[u8; RECORD]) -> bool {
    let occupied = Bitboard(record.first_chunk().map_or(0, |squares| u64::from_le_bytes(*squares)));
    let stands_on = |piece: u8, square: u8| {
        let index = occupied.into_iter().position(|at| at as u8 == square);
        index.is_some_and(|index| record[PIECES + index / 2] >> (4 * (index % 2)) & 15 == piece)
    };
    (2..=MOST_PIECES).contains(&occupied.count())
        && record[RESULT] <= GameResult::WhiteWins.half_points(Color::White)
        && stands_on(KING_CODE, record[KING])
        && stands_on(KING_CODE + OTHER_SIDE, record[OTHER_KING] ^ FLIP)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Piece, Square};
    use crate::lab::random::dice;

    fn record(fen: &str, score: i32, result: GameResult) -> Option<[u8; RECORD]> {
        encode(&Position::from_fen(fen, false).unwrap(), score, result)
    }

    /// The pieces of a record, with the side to move as White.
    fn decode(record: &[u8; RECORD]) -> Board {
        let mut board = Board::empty();
        let occupied = u64::from_le_bytes(record[..8].try_into().unwrap());
        for (index, square) in Bitboard(occupied).into_iter().enumerate() {
            let code = record[8 + index / 2] >> (4 * (index % 2)) & 15;
            let role = Role::ALL[usize::from(code & 7)];
            board.set_piece_at(square, Piece { color: Color::from_white(code < 8), role });
        }
        board
    }

    #[test]
    fn a_record_is_as_computed_by_hand() {
        // Kb1, Pa2, Ng3, Qd8 against Kg8, Rf8, ph7: from a1 on b1 (bit 1), a2 (8), g3 (22), h7 (55), d8 (59), f8 (61),
        // g8 (62).
        let fen = "3Q1rk1/7p/8/8/8/6N1/P7/1K6 w - - 0 1";
        let mut expected = [0; RECORD];
        expected[..8].copy_from_slice(&[0x02, 0x01, 0x40, 0, 0, 0, 0x80, 0x68]);
        // King 5 and pawn 0, knight 1 and their pawn 8, queen 4 and their rook 11, their king 13.
        expected[8..12].copy_from_slice(&[0x05, 0x81, 0xb4, 0x0d]);
        // 300 is 0x012c; White has won; Kb1 is square 1; Kg8 (62) is g1 (6) for Black.
        expected[24..29].copy_from_slice(&[0x2c, 0x01, 2, 1, 6]);
        assert_eq!(record(fen, 300, GameResult::WhiteWins), Some(expected));

        // Black to move sees g8 as g1 (6), f8 as f1 (5), d8 as d1 (3), h7 as h2 (15), g3 as g6 (46), a2 as a7 (48),
        // b1 as b8 (57).
        let fen = "3Q1rk1/7p/8/8/8/6N1/P7/1K6 b - - 0 1";
        let mut expected = [0; RECORD];
        expected[..8].copy_from_slice(&[0x68, 0x80, 0, 0, 0, 0x40, 0x01, 0x02]);
        // Their queen 12, rook 3, king 5, pawn 0, their knight 9, pawn 8 and king 13.
        expected[8..12].copy_from_slice(&[0x3c, 0x05, 0x89, 0x0d]);
        // -300 is 0xfed4; Black has lost; Kg8 is g1 (6) for Black, Kb1 square 1 for White.
        expected[24..29].copy_from_slice(&[0xd4, 0xfe, 0, 6, 1]);
        assert_eq!(record(fen, -300, GameResult::WhiteWins), Some(expected));
    }

    #[test]
    fn results_and_scores_are_those_of_the_side_to_move() {
        let of = |fen: &str, result| record(fen, 40_000, result).unwrap();
        let (white, black) = ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "4k3/8/8/8/8/8/P7/4K3 b - - 0 1");
        let results = [GameResult::BlackWins, GameResult::Draw, GameResult::WhiteWins];
        assert_eq!(results.map(|result| of(white, result)[RESULT]), [0, 1, 2]);
        assert_eq!(results.map(|result| of(black, result)[RESULT]), [2, 1, 0]);
        assert_eq!(of(white, GameResult::Draw)[SCORE..RESULT], i16::MAX.to_le_bytes());
    }

    #[test]
    fn the_pieces_come_back_and_mirrored_positions_are_one() {
        for task in 0..20 {
            let mut random = dice(3, task);
            let mut position = Position::default();
            while let Some(&best_move) = random.choice(&position.legal_moves()).filter(|_| !position.is_dead()) {
                let record = encode(&position, -7, GameResult::Draw).unwrap();
                let mirrored = position.mirrored();
                let (ours, theirs) = position.turn().fold_wb((&position, &mirrored), (&mirrored, &position));
                let board = decode(&record);
                assert_eq!(&board, ours.board(), "{position:?}");
                assert_eq!(usize::from(record[KING]), board.king_of(Color::White).map_or(64, usize::from));
                assert_eq!(
                    usize::from(record[OTHER_KING]),
                    theirs.board().king_of(Color::White).map_or(64, usize::from)
                );
                assert_eq!(encode(&mirrored, -7, GameResult::Draw), Some(record));
                position = position.play(best_move);
                if position.halfmoves() > 60 {
                    break;
                }
            }
        }
        let promoted = decode(&record("QNBR3k/8/8/8/8/8/K7/4qnbr b - - 0 1", 0, GameResult::Draw).unwrap());
        assert_eq!(promoted.piece_at(Square::E8), Some(Color::White.queen()));
        assert_eq!(promoted.piece_at(Square::B1), Some(Color::Black.knight()));
    }
}
