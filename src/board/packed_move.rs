//! A move in 16 bits, for tables and killers.
//!
//! Bits 0-5 origin, 6-11 target (for castling the rook's square, which is unambiguous in Chess960 too), 12-15 kind:
//! 0 normal, 1 castling, 2 en passant, 4-7 promotion to knight, bishop, rook, queen. All zero is "no move".

use super::{Bitboard, Move, Position, Role, Square};

const KIND_SHIFT: u16 = 12;
const TARGET_SHIFT: u16 = 6;
const SQUARE_MASK: u16 = 0x3f;
const KIND_CASTLE: u16 = 1;
const KIND_EN_PASSANT: u16 = 2;
const KIND_PROMOTION: u16 = 4;
const PROMOTIONS: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// A move of some position in 16 bits; [`PackedMove::NONE`] stands for no move.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct PackedMove(u16);

impl PackedMove {
    /// No move.
    pub const NONE: PackedMove = PackedMove(0);

    /// Packs a move.
    #[inline]
    pub fn new(m: Move) -> PackedMove {
        let pack = |from: Square, to: Square, kind: u16| {
            PackedMove(from as u16 | (to as u16) << TARGET_SHIFT | kind << KIND_SHIFT)
        };
        match m {
            Move::Normal { from, to, promotion, .. } => {
                let kind = promotion.map_or(0, |role| KIND_PROMOTION + role as u16 - Role::Knight as u16);
                pack(from, to, kind)
            }
            Move::EnPassant { from, to } => pack(from, to, KIND_EN_PASSANT),
            Move::Castle { king, rook } => pack(king, rook, KIND_CASTLE),
            Move::Put { .. } => PackedMove::NONE,
        }
    }

    /// The move this stands for in a position, if it is legal there; `None` for no move, a move of another position,
    /// or damaged bits.
    pub fn unpack(self, position: &Position) -> Option<Move> {
        if self == PackedMove::NONE {
            return None;
        }
        let square = |bits: u16| Square::try_from((bits & SQUARE_MASK) as u8).ok();
        let from = square(self.0)?;
        let to = square(self.0 >> TARGET_SHIFT)?;
        let role = position.role_at(from)?;
        let m = match self.0 >> KIND_SHIFT {
            KIND_CASTLE => Move::Castle { king: from, rook: to },
            KIND_EN_PASSANT => Move::EnPassant { from, to },
            kind => {
                let promotion = match kind {
                    0 => None,
                    _ => Some(*PROMOTIONS.get(usize::from(kind.checked_sub(KIND_PROMOTION)?))?),
                };
                Move::Normal { role, from, capture: position.role_at(to), to, promotion }
            }
        };
        let ours = position.board().by_color(position.turn()).contains(from);
        (ours && position.is_legal(m)).then_some(m)
    }

    /// Where those of some moves lead that are made from this square; castling to the rook.
    #[inline]
    pub fn targets(moves: &[PackedMove], from: Square) -> Bitboard {
        let target = |m: &PackedMove| Bitboard(1 << (m.0 >> TARGET_SHIFT & SQUARE_MASK));
        let from_here = moves.iter().filter(|m| m.0 & SQUARE_MASK == from as u16);
        from_here.fold(Bitboard::EMPTY, |targets, m| targets | target(m))
    }

    /// Whether there is a move.
    pub fn is_some(self) -> bool {
        self != PackedMove::NONE
    }

    /// The raw bits.
    pub const fn to_bits(self) -> u16 {
        self.0
    }

    /// A packed move from raw bits; [`PackedMove::unpack`] refuses what makes no sense.
    pub const fn from_bits(bits: u16) -> PackedMove {
        PackedMove(bits)
    }
}
