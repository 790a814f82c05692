//! The network's threats: inputs that go straight to the output, with a weight for each.
//!
//! What a piece's place is worth, sums over pieces learn well; whether it hangs depends on several pieces together,
//! which they learn from very many positions only. So that is told. An input counts how many pieces of one kind are
//! attacked by at least one piece of another kind, by how they are defended; or the squares from which a piece can give
//! check without being captured. The side to move comes first.

use crate::board::{Bitboard, Board, Color, Role, Square, attacked_by, attacks, role_number};

/// Number of inputs.
pub const THREATS: usize = 2 * (ATTACKS + CHECKERS);
/// One side's attacks: by role of the victim, by its defence, and by role of the attacker.
const ATTACKS: usize = VICTIMS * DEFENCES * ROLES;
const ROLES: usize = 6;
/// A king is no victim.
const VICTIMS: usize = 5;
/// The victim is not defended, is defended but by no pawn, or by a pawn.
const DEFENCES: usize = 3;
/// Knight, bishop, rook and queen.
const CHECKERS: usize = 4;

/// A weight for each input: all attacks of the side to move, all of the other side, then likewise the checks.
pub(super) type Weights = [i16; THREATS];

/// The squares that one side attacks, its own pieces' included.
#[derive(Default)]
struct Attacked {
    by_role: [Bitboard; ROLES],
    all: Bitboard,
}

impl Attacked {
    fn new(board: &Board, color: Color) -> Attacked {
        let mut attacked = Attacked::default();
        for role in Role::ALL {
            let squares = attacked_by(board, color, role);
            attacked.by_role[role_number(role)] = squares;
            attacked.all |= squares;
        }
        attacked
    }
}

/// The sum of the weights of a board's threats.
pub(super) fn sum(weights: &Weights, board: &Board, turn: Color) -> i32 {
    let attacked = [turn, !turn].map(|color| Attacked::new(board, color));
    let mut sum = 0;
    for (side, color) in [turn, !turn].into_iter().enumerate() {
        let (ours, theirs) = (&attacked[side], &attacked[1 - side]);
        let by_pawn = theirs.by_role[role_number(Role::Pawn)];
        let victims = board.by_color(!color) & !board.kings() & ours.all;
        for square in victims {
            let victim = role_on(board, square);
            let defence = usize::from(theirs.all.contains(square)) + usize::from(by_pawn.contains(square));
            let first = side * ATTACKS + (victim * DEFENCES + defence) * ROLES;
            for (weight, squares) in weights[first..first + ROLES].iter().zip(&ours.by_role) {
                sum += i32::from(*weight) * i32::from(squares.contains(square));
            }
        }
        let Some(king) = board.king_of(!color) else { continue };
        let free = !board.by_color(color) & !theirs.all;
        let diagonals = attacks::bishop_attacks(king, board.occupied());
        let lines = attacks::rook_attacks(king, board.occupied());
        let checks = [attacks::knight_attacks(king), diagonals, lines, diagonals | lines];
        let first = 2 * ATTACKS + side * CHECKERS;
        // A pawn, the first role, is no checker.
        let roles = checks.into_iter().zip(&ours.by_role[1..]);
        for (weight, (from, reached)) in weights[first..first + CHECKERS].iter().zip(roles) {
            sum += i32::from(*weight) * (from & *reached & free).count() as i32;
        }
    }
    sum
}

/// The number of the role of a piece other than a king. All roles are asked: a processor cannot predict which it is,
/// and a wrong branch costs more than the questions.
fn role_on(board: &Board, square: Square) -> usize {
    let number = |role| usize::from(board.by_role(role).contains(square)) * role_number(role);
    [Role::Knight, Role::Bishop, Role::Rook, Role::Queen].into_iter().map(number).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Position, Square};

    /// The inputs that are not zero, with their counts.
    fn inputs(fen: &str) -> Vec<(usize, i32)> {
        let position = Position::from_fen(fen, false).unwrap();
        let count = |input| {
            let mut weights = [0; THREATS];
            weights[input] = 1;
            sum(&weights, position.board(), position.turn())
        };
        (0..THREATS).map(|input| (input, count(input))).filter(|&(_, count)| count != 0).collect()
    }

    fn attack(side: usize, attacker: Role, victim: Role, defence: usize) -> usize {
        side * ATTACKS + (role_number(victim) * DEFENCES + defence) * ROLES + role_number(attacker)
    }

    fn check(side: usize, role: Role) -> usize {
        2 * ATTACKS + side * CHECKERS + role_number(role) - 1
    }

    #[test]
    fn attacks_count_by_attacker_victim_and_defence() {
        // Rook and knight attack an undefended bishop, and the rook a pawn that a pawn defends.
        let fen = "3k4/2p5/1p6/8/1R3b2/3N4/8/K7 w - - 0 1";
        let found = inputs(fen);
        for (input, count) in [
            (attack(0, Role::Rook, Role::Pawn, 2), 1),
            (attack(0, Role::Knight, Role::Bishop, 0), 1),
            (attack(0, Role::Rook, Role::Bishop, 0), 1),
        ] {
            assert!(found.contains(&(input, count)), "{input} in {found:?}");
        }
        let attacks = found.iter().filter(|&&(input, _)| input < 2 * ATTACKS);
        assert_eq!(attacks.count(), 3, "{found:?}");
        // The same for the other side to move: the sides change places.
        let other = inputs(&fen.replace(" w ", " b "));
        let swapped = |&(input, count): &(usize, i32)| {
            let (start, size) = if input < 2 * ATTACKS { (0, ATTACKS) } else { (2 * ATTACKS, CHECKERS) };
            (start + (input - start + size) % (2 * size), count)
        };
        let mut expected: Vec<_> = found.iter().map(swapped).collect();
        expected.sort_unstable();
        assert_eq!(other, expected);
    }

    #[test]
    fn a_victim_counts_by_its_own_role() {
        for (victim, letter) in
            [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen].into_iter().zip("pnbrq".chars())
        {
            let found = inputs(&format!("7k/8/2{letter}5/8/3N4/8/8/K7 w - - 0 1"));
            let by_knight: Vec<_> = found.iter().filter(|&&(input, _)| input < ATTACKS).collect();
            assert_eq!(by_knight, [&(attack(0, Role::Knight, victim, 0), 1)], "{victim:?}");
        }
    }

    #[test]
    fn only_safe_checks_count() {
        // From d4 and h8, unless a bishop covers both; the knight's squares are too far.
        let found = inputs("3k4/8/8/8/7R/8/8/KN6 w - - 0 1");
        assert_eq!(found, [(check(0, Role::Rook), 2)]);
        let guarded = inputs("3k4/8/8/4b3/7R/8/8/KN6 w - - 0 1");
        assert!(guarded.iter().all(|&(input, _)| input != check(0, Role::Rook)), "{guarded:?}");
    }

    #[test]
    fn a_board_without_kings_has_no_checks() {
        let mut board = Board::empty();
        board.set_piece_at(Square::A1, Role::Queen.of(Color::White));
        assert_eq!(sum(&[1; THREATS], &board, Color::White), 0);
    }
}
