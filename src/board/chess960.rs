//! The 960 start positions of Chess960, by the usual numbers: 518 is that of ordinary chess.

use shakmaty::{Bitboard, CastlingMode, Chess, Color, FromSetup, Rank, Role, Setup};

use super::Position;

/// How many arrangements of the pieces there are.
pub const ARRANGEMENTS: u16 = 960;
/// Files of a board.
const FILES: usize = 8;
/// Placements of the two knights on the five files that bishops and queen leave.
const KNIGHTS: [[usize; 2]; 10] = [[0, 1], [0, 2], [0, 3], [0, 4], [1, 2], [1, 3], [1, 4], [2, 3], [2, 4], [3, 4]];

/// The pieces of an arrangement, from the a-file on; numbers wrap around.
///
/// The number says, in this order: the file of the bishop on light squares (4), of that on dark ones (4), of the queen
/// among the six left (6), of the knights among the five left (10). The king goes between the rooks on the last three.
fn pieces(number: u16) -> [Role; FILES] {
    let number = usize::from(number % ARRANGEMENTS);
    let mut pieces = [None; FILES];
    pieces[2 * (number % 4) + 1] = Some(Role::Bishop);
    pieces[2 * (number / 4 % 4)] = Some(Role::Bishop);
    let mut put = |places: &[usize], role: Role| {
        let free: Vec<usize> = (0..FILES).filter(|&file| pieces[file].is_none()).collect();
        for &place in places {
            pieces[free[place]] = Some(role);
        }
    };
    put(&[number / 16 % 6], Role::Queen);
    put(&KNIGHTS[number / 96], Role::Knight);
    put(&[1], Role::King);
    pieces.map(|piece| piece.unwrap_or(Role::Rook))
}

/// The start position with the given arrangement for each side; `None` if the rules reject it, which never happens.
pub fn start(white: u16, black: u16) -> Option<Position> {
    let mut setup = Setup::initial();
    for (color, number) in [(Color::White, white), (Color::Black, black)] {
        let rank = color.fold_wb(Rank::First, Rank::Eighth);
        for (square, role) in Bitboard::from(rank).into_iter().zip(pieces(number)) {
            setup.board.set_piece_at(square, role.of(color));
        }
    }
    setup.castling_rights = setup.board.rooks();
    Chess::from_setup(setup, CastlingMode::Chess960).ok().map(Position::from_chess)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::board::Square;

    #[test]
    fn the_numbers_are_the_usual_ones() {
        // Both ends, ordinary chess and every placement of the knights, from the published table.
        for (number, expected) in [
            (0, "bbqnnrkr"),
            (100, "qbbnrnkr"),
            (200, "qbnrbknr"),
            (300, "qbnrkrbn"),
            (400, "bbrqnnkr"),
            (518, "rnbqkbnr"),
            (650, "rnkrbbqn"),
            (700, "rbqknnbr"),
            (800, "bbrkqnrn"),
            (959, "rkrnnqbb"),
        ] {
            let fen = start(number, number).unwrap().fen();
            assert_eq!(&fen[..8], expected, "{number}");
        }
    }

    #[test]
    fn all_arrangements_differ_and_are_legal() {
        let fens: HashSet<String> =
            (0..ARRANGEMENTS).map(|number| start(number, ARRANGEMENTS - 1 - number).unwrap().fen()).collect();
        assert_eq!(fens.len(), usize::from(ARRANGEMENTS));
        let position = start(17, 900).unwrap();
        assert!(position.is_chess960() && position.may_castle());
        assert_ne!(position.role_at(Square::A1), None);
    }
}
