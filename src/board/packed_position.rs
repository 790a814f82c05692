//! A position in 26 bytes, for data files: what the evaluation and the rules need, without the number of the move.
//!
//! Bytes 0-7 the occupied squares (little-endian, a1 lowest), 8-23 one nibble for each occupied square from a1 on (low
//! nibble first), 24 the side to move (0 White, 1 Black), 25 the plies since the last capture or pawn move. Nibbles:
//! 0-5 White's pawn to king, 6-11 Black's, 12 and 13 a rook of White or Black with which castling is still allowed, 14
//! a pawn that can be taken en passant.

use shakmaty::{
    Bitboard, CastlingMode, Chess, Color, EnPassantMode, FromSetup, Piece, Position as _, Role, Setup, Square,
};

use super::Position;

/// A position in 26 bytes.
pub type PackedPosition = [u8; 26];

/// The most pieces that fit.
const MAX_PIECES: usize = 32;
const PIECES: usize = 8;
const TURN: usize = 24;
const HALFMOVES: usize = 25;
const CASTLING_ROOK: u8 = 12;
const EN_PASSANT_PAWN: u8 = 14;

/// Packs a position; `None` where it has more pieces than the game begins with.
pub fn pack(position: &Position) -> Option<PackedPosition> {
    let setup = position.chess().to_setup(EnPassantMode::Legal);
    if setup.board.occupied().count() > MAX_PIECES {
        return None;
    }
    let en_passant = setup.ep_square.map(|target| behind(target, !setup.turn));
    let mut packed = [0; 26];
    packed[..PIECES].copy_from_slice(&setup.board.occupied().0.to_le_bytes());
    for (index, (square, piece)) in setup.board.clone().into_iter().enumerate() {
        let code = if en_passant == Some(square) {
            EN_PASSANT_PAWN
        } else if setup.castling_rights.contains(square) {
            CASTLING_ROOK + piece.color.fold_wb(0, 1)
        } else {
            piece.color.fold_wb(0, 6) + piece.role as u8 - 1
        };
        packed[PIECES + index / 2] |= code << (4 * (index % 2));
    }
    packed[TURN] = setup.turn.fold_wb(0, 1);
    packed[HALFMOVES] = setup.halfmoves.min(255) as u8;
    Some(packed)
}

/// The position of these bytes; `None` where they stand for none.
pub fn unpack(packed: &PackedPosition) -> Option<Position> {
    let turn = match packed[TURN] {
        0 => Color::White,
        1 => Color::Black,
        _ => return None,
    };
    let occupied = Bitboard(u64::from_le_bytes(packed[..PIECES].try_into().ok()?));
    if occupied.count() > MAX_PIECES {
        return None;
    }
    let mut setup = Setup { turn, halfmoves: u32::from(packed[HALFMOVES]), ..Setup::empty() };
    for (index, square) in occupied.into_iter().enumerate() {
        let code = packed[PIECES + index / 2] >> (4 * (index % 2)) & 15;
        let piece = match code {
            0..12 => Piece { color: Color::from_white(code < 6), role: Role::ALL[usize::from(code % 6)] },
            EN_PASSANT_PAWN => {
                setup.ep_square = Some(behind(square, turn));
                (!turn).pawn()
            }
            15 => return None,
            _ => {
                setup.castling_rights.add(square);
                Color::from_white(code == CASTLING_ROOK).rook()
            }
        };
        setup.board.set_piece_at(square, piece);
    }
    // Castling rooks are named by their squares, so that the files of orthodox chess need no mode of their own.
    let mode = CastlingMode::detect(&setup);
    Chess::from_setup(setup, mode)
        .or_else(shakmaty::PositionError::ignore_impossible_check)
        .ok()
        .map(Position::from_chess)
}

/// The square one step forward for `color`.
fn behind(square: Square, color: Color) -> Square {
    square.offset(color.fold_wb(8, -8)).unwrap_or(square)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_round_trip_but_for_the_move_number() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b Kq - 7 1",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 1",
            "rnbqkbnr/pppp1ppp/8/8/3Pp3/7P/PPP1PPP1/RNBQKBNR b KQkq d3 0 1",
            "8/8/4k3/8/8/3KBN2/8/8 w - - 99 1",
        ] {
            let position = Position::from_fen(fen, false).unwrap();
            let again = unpack(&pack(&position).unwrap()).unwrap();
            assert_eq!(again.fen(), fen);
            assert_eq!(again.key(), position.key());
        }
        let chess960 = Position::from_fen("1rk3r1/8/8/8/8/8/8/1RK3R1 w GBgb - 0 1", true).unwrap();
        let again = unpack(&pack(&chess960).unwrap()).unwrap();
        assert_eq!((again.fen(), again.is_chess960()), (chess960.fen(), true));
    }

    #[test]
    fn damaged_bytes_are_refused() {
        assert!(unpack(&[0; 26]).is_none());
        assert!(unpack(&[255; 26]).is_none());
        let mut packed = pack(&Position::default()).unwrap();
        packed[TURN] = 2;
        assert!(unpack(&packed).is_none());
        let mut packed = pack(&Position::default()).unwrap();
        packed[PIECES + 3] = 0xff;
        assert!(unpack(&packed).is_none());
    }
}
