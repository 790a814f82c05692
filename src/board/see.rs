//! Static exchange evaluation: what a sequence of captures on one square gains, each side taking with its least
//! valuable piece and stopping when that is better. Pins are only considered where that is asked for.

use super::danger::snipers;
use super::{Bitboard, Color, MOST_PIECES, Move, Position, Role, Square, attacks, move_target, role_number};

/// Exchange values in centipawns, pawn to king; the king's is beyond any sum.
const VALUES: [i32; 6] = [100, 320, 330, 500, 950, 20_000];

/// The exchange value of a role in centipawns.
pub const fn role_value(role: Role) -> i32 {
    VALUES[role_number(role)]
}

/// What the move wins at once, and the value that then stands on the target square.
#[inline]
fn first_capture(m: Move) -> (i32, i32) {
    match m {
        Move::Normal { role, capture, promotion, .. } => {
            let gain = capture.map_or(0, role_value);
            match promotion {
                Some(promoted) => (gain + role_value(promoted) - role_value(Role::Pawn), role_value(promoted)),
                None => (gain, role_value(role)),
            }
        }
        Move::EnPassant { .. } => (role_value(Role::Pawn), role_value(Role::Pawn)),
        Move::Castle { .. } | Move::Put { .. } => (0, role_value(Role::Rook)),
    }
}

/// The squares occupied once the move is made, except by the moved piece itself.
fn occupied_after(position: &Position, m: Move) -> Bitboard {
    let occupied = position.board().occupied();
    match m {
        Move::EnPassant { from, to } => {
            occupied.without(from).without(Square::from_coords(to.file(), from.rank())).with(to)
        }
        Move::Normal { from, to, .. } => occupied.without(from).with(to),
        Move::Castle { .. } | Move::Put { .. } => occupied,
    }
}

/// The least valuable of `attackers`, with its role.
fn least_valuable(position: &Position, attackers: Bitboard) -> Option<(Square, Role)> {
    Role::ALL
        .into_iter()
        .find_map(|role| (attackers & position.board().by_role(role)).first().map(|square| (square, role)))
}

/// All pieces of both colours that attack `target`, given the remaining pieces; sliders' lines are found once for both.
fn attackers(position: &Position, target: Square, occupied: Bitboard) -> Bitboard {
    let board = position.board();
    let pawns = |color: Color| attacks::pawn_attacks(!color, target) & board.by_color(color) & board.pawns();
    attacks::rook_attacks(target, occupied) & board.rooks_and_queens()
        | attacks::bishop_attacks(target, occupied) & board.bishops_and_queens()
        | attacks::knight_attacks(target) & board.knights()
        | attacks::king_attacks(target) & board.kings()
        | pawns(Color::White)
        | pawns(Color::Black)
}

/// Sliders that attack `target` through the square that a piece of this role has left: they stand on the same line.
fn xray_attackers(position: &Position, target: Square, occupied: Bitboard, left: Role) -> Bitboard {
    let board = position.board();
    let diagonal = || attacks::bishop_attacks(target, occupied) & board.bishops_and_queens();
    let straight = || attacks::rook_attacks(target, occupied) & board.rooks_and_queens();
    match left {
        Role::Knight => Bitboard::EMPTY,
        Role::Pawn | Role::Bishop => diagonal(),
        Role::Rook => straight(),
        Role::Queen | Role::King => diagonal() | straight(),
    }
}

/// The exchange value of a legal move in centipawns for the side that makes it.
pub fn see(position: &Position, m: Move) -> i32 {
    if let Move::Castle { .. } = m {
        return 0;
    }
    let target = move_target(m);
    let mut occupied = occupied_after(position, m);
    let mut standing = attackers(position, target, occupied) & occupied;
    let mut side = !position.turn();
    let (gain, mut on_target) = first_capture(m);
    // The longest possible exchange: every piece on the board.
    let mut gains = arrayvec::ArrayVec::<i32, MOST_PIECES>::new();
    gains.push(gain);
    while let Some((from, role)) = least_valuable(position, standing & position.board().by_color(side)) {
        let defended = standing & position.board().by_color(!side);
        if role == Role::King && defended.any() {
            break; // A king may not take a defended piece.
        }
        let previous = gains.last().copied().unwrap_or(0);
        if gains.try_push(on_target - previous).is_err() {
            break;
        }
        on_target = role_value(role);
        occupied = occupied.without(from);
        standing = (standing | xray_attackers(position, target, occupied, role)) & occupied;
        side = !side;
    }
    // Backwards: each side may stop before a losing capture.
    while gains.len() > 1 {
        let last = gains.pop().unwrap_or(0);
        if let Some(previous) = gains.last_mut() {
            *previous = -(-*previous).max(last);
        }
    }
    gains.first().copied().unwrap_or(0)
}

/// Pieces and pawns that are pinned to the king of `color` and may not capture on `target`, and the sliders that pin
/// them.
fn pins(position: &Position, color: Color, target: Square) -> (Bitboard, Bitboard) {
    let board = position.board();
    let Some(king) = board.king_of(color) else { return (Bitboard::EMPTY, Bitboard::EMPTY) };
    let pinners = snipers(board, king, !color).filter(|&(pinner, blocker)| {
        blocker.intersects(board.by_color(color)) && !attacks::ray(king, pinner).contains(target)
    });
    pinners
        .fold((Bitboard::EMPTY, Bitboard::EMPTY), |(held, all), (pinner, blocker)| (held | blocker, all.with(pinner)))
}

/// Whether the exchange value of a legal move is at least `threshold`; faster than [`see`]. With `heeds_pins` a
/// side's pieces that are pinned to its king capture nothing off these lines, as long as one of those that pin them has
/// not captured.
pub fn see_at_least(position: &Position, m: Move, threshold: i32, heeds_pins: bool) -> bool {
    if let Move::Castle { .. } = m {
        return threshold <= 0;
    }
    let (gain, on_target) = first_capture(m);
    // Even winning the captured piece for free is not enough.
    let mut balance = gain - threshold;
    if balance < 0 {
        return false;
    }
    // Even losing the capturing piece for nothing is still enough.
    balance -= on_target;
    if balance >= 0 {
        return true;
    }
    let target = move_target(m);
    let board = position.board();
    let mut occupied = occupied_after(position, m);
    let mut standing = attackers(position, target, occupied) & occupied;
    let us = position.turn();
    let mut side = !us;
    // Pins are looked for only where a side could capture: mostly nobody captures back.
    let captors = |color: Color, standing: Bitboard, occupied: Bitboard| {
        let pieces = standing & board.by_color(color);
        if !heeds_pins || pieces.is_empty() {
            return pieces;
        }
        let (held, pinners) = pins(position, color, target);
        if pinners.is_disjoint(occupied) { pieces } else { pieces & !held }
    };
    // Invariant: `balance` is what `side`'s opponent has beyond the threshold if `side` now captures for free.
    while let Some((from, role)) = least_valuable(position, captors(side, standing, occupied)) {
        if role == Role::King && (standing & board.by_color(!side)).any() {
            break; // A king may not take a defended piece.
        }
        occupied = occupied.without(from);
        standing = (standing | xray_attackers(position, target, occupied, role)) & occupied;
        side = !side;
        balance = -balance - 1 - role_value(role);
        if balance >= 0 {
            break;
        }
    }
    side != us
}
