//! A position in 26 bytes, as in data files of earlier versions: what the evaluation and the rules need, without the
//! move number. Read only; [`super::marlin`] is what is written.
//!
//! Bytes 0-7 the occupied squares (little-endian, a1 lowest), 8-23 one nibble for each occupied square from a1 on (low
//! nibble first), 24 the side to move (0 White, 1 Black), 25 the plies since the last capture or pawn move. Nibbles:
//! 0-5 White's pawn to king, 6-11 Black's, 12 and 13 a rook of White or Black with which castling is still allowed, 14
//! a pawn that can be taken en passant.

use shakmaty::{Bitboard, Color, Piece, Role, Setup};

use super::danger::forward;
use super::{MOST_PIECES, Position};

/// A position in 26 bytes.
pub type PackedPosition = [u8; 26];

const PIECES: usize = 8;
const TURN: usize = 24;
const HALFMOVES: usize = 25;
const CASTLING_ROOK: u8 = 12;
const EN_PASSANT_PAWN: u8 = 14;

/// The position in these bytes; `None` if there is none.
pub fn unpack(packed: &PackedPosition) -> Option<Position> {
    let turn = match packed[TURN] {
        0 => Color::White,
        1 => Color::Black,
        _ => return None,
    };
    let occupied = Bitboard(u64::from_le_bytes(packed[..PIECES].try_into().ok()?));
    if occupied.count() > MOST_PIECES {
        return None;
    }
    let mut setup = Setup { turn, halfmoves: u32::from(packed[HALFMOVES]), ..Setup::empty() };
    for (index, square) in occupied.into_iter().enumerate() {
        let code = packed[PIECES + index / 2] >> (4 * (index % 2)) & 15;
        let piece = match code {
            0..12 => Piece { color: Color::from_white(code < 6), role: Role::ALL[usize::from(code % 6)] },
            EN_PASSANT_PAWN => {
                setup.ep_square = Some(square.offset(forward(turn)).unwrap_or(square));
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
    Position::from_packed(setup)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The opening position, as earlier versions wrote it.
    const OPENING: PackedPosition = [
        0xff, 0xff, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0x1c, 0x42, 0x25, 0xc1, 0x00, 0x00, 0x00, 0x00, 0x66, 0x66,
        0x66, 0x66, 0x7d, 0xa8, 0x8b, 0xd7, 0x00, 0x00,
    ];

    /// A packed position with these squares and pieces.
    fn packed(squares: [u8; 8], pieces: &[u8], turn: u8, halfmoves: u8) -> PackedPosition {
        let mut packed = [0; 26];
        packed[..PIECES].copy_from_slice(&squares);
        packed[PIECES..PIECES + pieces.len()].copy_from_slice(pieces);
        (packed[TURN], packed[HALFMOVES]) = (turn, halfmoves);
        packed
    }

    #[test]
    fn positions_are_read_as_they_were_written() {
        // Castling, en passant, Chess960.
        let rooks = packed([0x11, 0, 0, 0, 0, 0, 0xff, 0x91], &[0x5c, 0x66, 0x66, 0x66, 0x66, 0xbd, 0x0d], 1, 7);
        let pawns = packed([0x10, 0, 0, 0, 0x18, 0, 0, 0x10], &[0xe5, 0xb0], 0, 0);
        let other = packed([0x46, 0, 0, 0, 0, 0, 0, 0x46], &[0x5c, 0xdc, 0xdb], 0, 0);
        for (bytes, fen) in [
            (OPENING, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
            (rooks, "r3k2r/pppppppp/8/8/8/8/8/R3K3 b Qkq - 7 1"),
            (pawns, "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"),
            (other, "1rk3r1/8/8/8/8/8/8/1RK3R1 w KQkq - 0 1"),
        ] {
            assert_eq!(unpack(&bytes).unwrap().fen(), fen);
        }
        assert!(unpack(&other).unwrap().is_chess960());
    }

    #[test]
    fn damaged_bytes_are_refused() {
        assert!(unpack(&[0; 26]).is_none());
        assert!(unpack(&[255; 26]).is_none());
        for (place, value) in [(TURN, 2), (PIECES + 3, 0xff), (0, 0xfe)] {
            let mut packed = OPENING;
            packed[place] = value;
            assert!(unpack(&packed).is_none(), "{place}");
        }
    }
}
