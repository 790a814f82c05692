//! A position in 28 bytes, as in marlinformat and viriformat (`PackedBoard` of github.com/cosmobobak/viriformat, whose
//! README describes it), without the score and the result that follow there.
//!
//! | bytes | |
//! |---|---|
//! | 0-7 | the occupied squares, little-endian, a1 lowest |
//! | 8-23 | a nibble for each occupied square from a1 on, low nibble first: 0-5 pawn to king, 6 a rook with which castling is still allowed, plus 8 for Black |
//! | 24 | bits 0-6 the square behind a pawn that can be taken en passant, 64 for none; bit 7 set where Black is to move |
//! | 25 | plies since the last capture or pawn move |
//! | 26-27 | the number of the full move, little-endian |

use shakmaty::{Bitboard, Color, EnPassantMode, Position as _, Role, Setup, Square};

use super::{MOST_PIECES, Position};

/// Bytes of a position.
pub const SIZE: usize = 28;

const PIECES: usize = 8;
const TURN: usize = 24;
const HALFMOVES: usize = 25;
const FULLMOVES: usize = 26;
const CASTLING_ROOK: u8 = 6;
const BLACK_PIECE: u8 = 8;
const BLACK_TO_MOVE: u8 = 0x80;
const NO_SQUARE: u8 = 64;

/// Packs a position; `None` if it has more pieces than a game begins with. Counters that do not fit are clamped.
pub fn pack(position: &Position) -> Option<[u8; SIZE]> {
    let setup = position.chess().to_setup(EnPassantMode::Legal);
    if setup.board.occupied().count() > MOST_PIECES {
        return None;
    }
    let mut packed = [0; SIZE];
    packed[..PIECES].copy_from_slice(&setup.board.occupied().0.to_le_bytes());
    for (index, (square, piece)) in setup.board.clone().into_iter().enumerate() {
        // Roles count from 1.
        let role = if setup.castling_rights.contains(square) { CASTLING_ROOK } else { piece.role as u8 - 1 };
        packed[PIECES + index / 2] |= (role | piece.color.fold_wb(0, BLACK_PIECE)) << (4 * (index % 2));
    }
    packed[TURN] = setup.turn.fold_wb(0, BLACK_TO_MOVE) | setup.ep_square.map_or(NO_SQUARE, |square| square as u8);
    packed[HALFMOVES] = u8::try_from(setup.halfmoves).unwrap_or(u8::MAX);
    let fullmoves = u16::try_from(setup.fullmoves.get()).unwrap_or(u16::MAX);
    packed[FULLMOVES..].copy_from_slice(&fullmoves.to_le_bytes());
    Some(packed)
}

/// The position in these bytes; `None` if there is none. A move number of 0, as some programs write it, counts as 1.
pub fn unpack(packed: &[u8; SIZE]) -> Option<Position> {
    let occupied = Bitboard(u64::from_le_bytes(packed[..PIECES].try_into().ok()?));
    if occupied.count() > MOST_PIECES {
        return None;
    }
    let turn = Color::from_white(packed[TURN] & BLACK_TO_MOVE == 0);
    let mut setup = Setup { turn, halfmoves: u32::from(packed[HALFMOVES]), ..Setup::empty() };
    let fullmoves = u16::from_le_bytes([packed[FULLMOVES], packed[FULLMOVES + 1]]);
    setup.fullmoves = std::num::NonZeroU32::new(u32::from(fullmoves)).unwrap_or(setup.fullmoves);
    setup.ep_square = match packed[TURN] & !BLACK_TO_MOVE {
        NO_SQUARE => None,
        square => Some(Square::try_from(square).ok()?),
    };
    for (index, square) in occupied.into_iter().enumerate() {
        let code = packed[PIECES + index / 2] >> (4 * (index % 2)) & 15;
        let color = Color::from_white(code < BLACK_PIECE);
        let role = match code % BLACK_PIECE {
            CASTLING_ROOK => {
                setup.castling_rights.add(square);
                Role::Rook
            }
            role => *Role::ALL.get(usize::from(role))?,
        };
        setup.board.set_piece_at(square, role.of(color));
    }
    Position::from_packed(setup)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_round_trip() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b Kq - 7 31",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
            "rnbqkbnr/pppp1ppp/8/8/3Pp3/7P/PPP1PPP1/RNBQKBNR b KQkq d3 0 2",
            "8/8/4k3/8/8/3KBN2/8/8 w - - 99 300",
            "QNBR3k/8/8/8/8/8/K7/4qnbr b - - 0 60",
        ] {
            let position = Position::from_fen(fen, false).unwrap();
            let again = unpack(&pack(&position).unwrap()).unwrap();
            assert_eq!((again.fen().as_str(), again.key()), (fen, position.key()));
        }
        for fen in ["1rk3r1/8/8/8/8/8/8/1RK3R1 w GBgb - 0 1", "2r1kr2/8/8/8/8/8/8/RK5R w HAf - 0 1"] {
            let position = Position::from_fen(fen, true).unwrap();
            let again = unpack(&pack(&position).unwrap()).unwrap();
            assert_eq!((again.fen(), again.key(), again.is_chess960()), (position.fen(), position.key(), true));
        }
    }

    #[test]
    fn counters_that_do_not_fit_are_cut_and_missing_ones_filled_in() {
        let position = Position::from_fen("8/8/4k3/8/8/3KBN2/8/8 w - - 300 70000", false).unwrap();
        let packed = pack(&position).unwrap();
        assert_eq!(packed[HALFMOVES..], [255; 3]);
        let mut packed = pack(&Position::default()).unwrap();
        packed[FULLMOVES] = 0;
        assert_eq!(unpack(&packed).unwrap().fullmoves(), 1);
    }

    #[test]
    fn damaged_bytes_are_refused() {
        assert!(unpack(&[0; SIZE]).is_none());
        assert!(unpack(&[255; SIZE]).is_none());
        for (place, value) in [(PIECES, 0x77), (TURN, 65), (PIECES + 2, 0xff), (0, 0xfe)] {
            let mut packed = pack(&Position::default()).unwrap();
            packed[place] = value;
            assert!(unpack(&packed).is_none(), "{place}");
        }
    }
}
