//! Pieces in danger: what a side attacks, which pieces hang, and which are pinned to their king.

use super::{Bitboard, Board, Color, File, Position, Role, Square, attacks};

/// From a square to the one above it.
const RANK: i32 = 8;

/// The squares that `color` attacks, whatever stands there.
pub fn attacked(position: &Position, color: Color) -> Bitboard {
    Role::ALL.iter().fold(Bitboard::EMPTY, |all, &role| all | attacked_by(position.board(), color, role))
}

/// The squares that `color` attacks with pieces of this role, whatever stands there.
pub fn attacked_by(board: &Board, color: Color, role: Role) -> Bitboard {
    let (pieces, occupied) = (board.by_color(color) & board.by_role(role), board.occupied());
    match role {
        Role::Pawn => attacked_by_pawns(pieces, color),
        Role::Knight => reached(pieces, attacks::knight_attacks),
        Role::Bishop => reached(pieces, |square| attacks::bishop_attacks(square, occupied)),
        Role::Rook => reached(pieces, |square| attacks::rook_attacks(square, occupied)),
        Role::Queen => reached(pieces, |square| attacks::queen_attacks(square, occupied)),
        Role::King => reached(pieces, attacks::king_attacks),
    }
}

/// All squares that pieces attack, each by itself what `from` says.
#[inline]
fn reached(pieces: Bitboard, from: impl Fn(Square) -> Bitboard) -> Bitboard {
    pieces.into_iter().fold(Bitboard::EMPTY, |all, square| all | from(square))
}

/// The squares that these pawns of `color` attack, found for all of them at once.
pub fn attacked_by_pawns(pawns: Bitboard, color: Color) -> Bitboard {
    let [(towards_a, _), (towards_h, _)] = pawn_attacks(pawns, color);
    towards_a | towards_h
}

/// The squares that these pawns of `color` attack towards file a, then towards file h, each with its distance from the
/// pawn.
pub(super) fn pawn_attacks(pawns: Bitboard, color: Color) -> [(Bitboard, i32); 2] {
    [(File::A, -1), (File::H, 1)].map(|(edge, aside)| {
        let delta = forward(color) + aside;
        ((pawns & !Bitboard::from_file(edge)).shift(delta), delta)
    })
}

/// From a square to the one before it, as pawns of `color` move.
pub(super) fn forward(color: Color) -> i32 {
    color.fold_wb(RANK, -RANK)
}

/// The pieces and pawns of `color`, except the king, that hang: attacked and undefended, or attacked by a less valuable
/// piece.
pub fn hanging(position: &Position, color: Color) -> Bitboard {
    let board = position.board();
    let (mut reached, mut outdone) = (Bitboard::EMPTY, Bitboard::EMPTY);
    // From the least valuable on: what was reached before is attacked by less.
    for role in Role::ALL {
        outdone |= reached & board.by_role(role);
        reached |= attacked_by(board, !color, role);
    }
    let undefended = reached & !attacked(position, color);
    (outdone | undefended) & board.by_color(color) & !board.kings()
}

/// The pieces and pawns of `color` that are pinned to their king: each alone between it and a slider.
pub fn pinned(position: &Position, color: Color) -> Bitboard {
    let board = position.board();
    let Some(king) = board.king_of(color) else { return Bitboard::EMPTY };
    lone_blockers(board, king, !color) & board.by_color(color)
}

/// The sliders of `color` that would attack this king if at most one piece, which comes with them, were not between.
#[inline]
pub(super) fn snipers(board: &Board, king: Square, color: Color) -> impl Iterator<Item = (Square, Bitboard)> {
    let aligned = board.by_color(color)
        & ((attacks::bishop_attacks(king, Bitboard::EMPTY) & board.bishops_and_queens())
            | (attacks::rook_attacks(king, Bitboard::EMPTY) & board.rooks_and_queens()));
    let blocked = aligned.into_iter().map(move |sniper| (sniper, attacks::between(king, sniper) & board.occupied()));
    blocked.filter(|(_, blockers)| !blockers.more_than_one())
}

/// The pieces and pawns of either side that stand alone between this king and a slider of `color`.
#[inline]
pub(super) fn lone_blockers(board: &Board, king: Square, color: Color) -> Bitboard {
    snipers(board, king, color).fold(Bitboard::EMPTY, |all, (_, blocker)| all | blocker)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Piece, role_value};

    #[test]
    fn a_square_is_attacked_if_some_piece_attacks_it() {
        let position =
            Position::from_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", false).unwrap();
        let board = position.board();
        for color in Color::ALL {
            let each = Square::ALL.into_iter().filter(|&to| board.attacks_to(to, color, board.occupied()).any());
            assert_eq!(attacked(&position, color), each.collect());
        }
    }

    #[test]
    fn what_is_attacked_in_vain_does_not_hang() {
        // The rook on a5 is attacked by a pawn; the knight on d4 by an equal piece, but it is defended; the pawn on h4
        // by a rook, and it is undefended.
        let position = Position::from_fen("4k2r/8/1p6/R7/3N3P/4K3/1b6/8 w - - 0 1", false).unwrap();
        assert_eq!(hanging(&position, Color::White), Bitboard::from(Square::A5) | Bitboard::from(Square::H4));
        assert_eq!(hanging(&position, Color::Black), Bitboard::EMPTY);
    }

    #[test]
    fn what_hangs_is_what_hangs_piece_by_piece() {
        let hangs = |position: &Position, square: Square, piece: Piece| {
            let (board, value) = (position.board(), role_value(piece.role));
            let by = |color| board.attacks_to(square, color, board.occupied());
            let is_less = |attacker| board.role_at(attacker).is_some_and(|role| role_value(role) < value);
            let attackers = by(!piece.color);
            piece.role != Role::King
                && attackers.any()
                && (by(piece.color).is_empty() || attackers.into_iter().any(is_less))
        };
        let mut dice = fastrand::Rng::with_seed(5);
        for _ in 0..20 {
            let mut position = Position::default();
            while let Some(m) = dice.choice(position.legal_moves()) {
                position = position.play(m);
                for color in Color::ALL {
                    let pieces = position.board().into_iter().filter(|(_, piece)| piece.color == color);
                    let each = pieces.filter(|&(square, piece)| hangs(&position, square, piece));
                    assert_eq!(hanging(&position, color), each.map(|(square, _)| square).collect());
                }
                if position.halfmoves() > 40 {
                    break;
                }
            }
        }
    }

    #[test]
    fn a_lone_piece_before_the_king_is_pinned() {
        let position = Position::from_fen("4r1k1/8/8/b7/8/2N1B3/3PP3/4K3 w - - 0 1", false).unwrap();
        assert_eq!(pinned(&position, Color::White), Bitboard::EMPTY, "two blockers on each line");
        let position = Position::from_fen("4r1k1/8/8/b7/8/2N1B3/3P4/4K3 w - - 0 1", false).unwrap();
        assert_eq!(pinned(&position, Color::White), Bitboard::from(Square::E3));
        assert_eq!(pinned(&position, Color::Black), Bitboard::EMPTY);
    }
}
