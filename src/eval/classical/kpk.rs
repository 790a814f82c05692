//! King and pawn against king, exactly: a table of won positions, computed once by retrograde analysis (Chess
//! Programming Wiki, "KPK").
//!
//! The pawn is White's and on files a to d; other positions are mirrored. A position is won if White queens safely or
//! can move to a won position, or if Black has a move and every one leads to a won position.

use std::sync::LazyLock;

use super::geometry::{White, pawn_attacks};
use crate::board::{Bitboard, Square, attacks};

/// Squares on which a pawn on files a to d can stand.
const PAWN_SQUARES: usize = 24;
const SQUARES: usize = 64;
const POSITIONS: usize = 2 * PAWN_SQUARES * SQUARES * SQUARES;

/// One bit for each position.
static WON: LazyLock<Vec<u64>> = LazyLock::new(solve);

/// A position, with the pawn on files a to d.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
struct Kpk {
    white_to_move: bool,
    pawn: Square,
    white: Square,
    black: Square,
}

/// Computes the table, if not yet done.
pub(super) fn prepare() {
    LazyLock::force(&WON);
}

/// Whether the side with the pawn wins; all squares as that side sees them.
pub(super) fn is_won(turn_is_ours: bool, pawn: Square, own_king: Square, enemy_king: Square) -> bool {
    let mirror = |square: Square| if pawn.file() as usize >= 4 { square.flip_horizontal() } else { square };
    let position =
        Kpk { white_to_move: turn_is_ours, pawn: mirror(pawn), white: mirror(own_king), black: mirror(enemy_king) };
    position.index().is_some_and(|index| get(&WON, index))
}

fn get(bits: &[u64], index: usize) -> bool {
    bits.get(index / 64).is_some_and(|word| word >> (index % 64) & 1 == 1)
}

impl Kpk {
    /// The position's index in the table; `None` for a pawn on an impossible square.
    fn index(self) -> Option<usize> {
        let (file, rank) = (self.pawn.file() as usize, self.pawn.rank() as usize);
        if file >= 4 || !(1..=6).contains(&rank) {
            return None;
        }
        let pawn = 4 * (rank - 1) + file;
        let kings = SQUARES * self.white.to_usize() + self.black.to_usize();
        Some((usize::from(self.white_to_move) * PAWN_SQUARES + pawn) * SQUARES * SQUARES + kings)
    }

    /// The position at an index.
    fn at(index: usize) -> Kpk {
        let (rest, kings) = (index / (SQUARES * SQUARES), index % (SQUARES * SQUARES));
        let (white_to_move, pawn) = (rest / PAWN_SQUARES == 1, rest % PAWN_SQUARES);
        Kpk {
            white_to_move,
            pawn: Square::ALL[8 * (pawn / 4 + 1) + pawn % 4],
            white: Square::ALL[kings / SQUARES],
            black: Square::ALL[kings % SQUARES],
        }
    }

    /// Squares on which Black's king may not stand.
    fn guarded(self) -> Bitboard {
        attacks::king_attacks(self.white) | pawn_attacks::<White>(Bitboard::from_square(self.pawn))
    }

    fn is_legal(self) -> bool {
        let apart = self.white != self.black && self.pawn != self.white && self.pawn != self.black;
        let guarded = if self.white_to_move { self.guarded() } else { attacks::king_attacks(self.white) };
        apart && !guarded.contains(self.black)
    }

    /// Whether White to move can reach a won position, or Black to move cannot avoid one.
    fn follows(self, won: &[u64]) -> bool {
        let is_won = |next: Kpk| next.index().is_some_and(|index| get(won, index));
        if !self.white_to_move {
            let squares = attacks::king_attacks(self.black) & !self.guarded();
            // Capturing the pawn leaves kings only, which is in no table and so not won.
            return squares.any()
                && squares
                    .into_iter()
                    .all(|black| black != self.pawn && is_won(Kpk { black, white_to_move: true, ..self }));
        }
        let taken = attacks::king_attacks(self.black).with(self.black).with(self.pawn);
        let king_moves = attacks::king_attacks(self.white) & !taken;
        king_moves.into_iter().any(|white| is_won(Kpk { white, white_to_move: false, ..self }))
            || self.push_wins(&is_won)
    }

    /// Whether a move of the pawn wins.
    fn push_wins(self, is_won: &dyn Fn(Kpk) -> bool) -> bool {
        let blocked = |square: Square| square == self.white || square == self.black;
        let Some(next) = self.pawn.offset(8).filter(|&next| !blocked(next)) else { return false };
        if next.rank() as usize == 7 {
            // A queen or rook that is not captured wins.
            let attacked = attacks::king_attacks(self.black).contains(next);
            return !attacked || attacks::king_attacks(self.white).contains(next);
        }
        if is_won(Kpk { pawn: next, white_to_move: false, ..self }) {
            return true;
        }
        let far = next.offset(8).filter(|&far| self.pawn.rank() as usize == 1 && !blocked(far));
        far.is_some_and(|pawn| is_won(Kpk { pawn, white_to_move: false, ..self }))
    }
}

/// All won positions: those that follow from others are added until there are no more.
fn solve() -> Vec<u64> {
    let mut open: Vec<usize> = (0..POSITIONS).filter(|&index| Kpk::at(index).is_legal()).collect();
    let mut won = vec![0; POSITIONS / 64];
    loop {
        let before = open.len();
        open.retain(|&index| {
            let follows = Kpk::at(index).follows(&won);
            if follows {
                won[index / 64] |= 1 << (index % 64);
            }
            !follows
        });
        if open.len() == before {
            return won;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use super::*;
    use crate::board::{Position, Role};

    fn fen(kpk: Kpk) -> String {
        let row = |rank: usize| -> String {
            let piece = |file: usize| match Square::ALL[8 * rank + file] {
                square if square == kpk.white => 'K',
                square if square == kpk.black => 'k',
                square if square == kpk.pawn => 'P',
                _ => '1',
            };
            (0..8).map(piece).collect()
        };
        let rows: Vec<String> = (0..8).rev().map(row).collect();
        format!("{} {} - - 0 1", rows.join("/"), if kpk.white_to_move { 'w' } else { 'b' })
    }

    /// The same question answered by generating the legal moves, for the pawns of one file and all kings.
    #[test]
    fn the_table_agrees_with_the_rules() {
        let mut next: HashMap<usize, (bool, Vec<Option<usize>>, bool)> = HashMap::new();
        for index in 0..POSITIONS {
            let kpk = Kpk::at(index);
            if kpk.pawn.file() as usize != 1 {
                continue;
            }
            if kpk.pawn == kpk.white || kpk.pawn == kpk.black || kpk.white == kpk.black {
                continue;
            }
            let Ok(position) = Position::from_fen(&fen(kpk), false) else { continue };
            let mut wins_at_once = false;
            let moves = position.legal_moves();
            let mut successors = Vec::new();
            for m in &moves {
                let child = position.play(*m);
                if m.promotion() == Some(Role::Queen) || m.promotion() == Some(Role::Rook) {
                    let captured = child.legal_moves().iter().any(|reply| reply.is_capture());
                    wins_at_once |= !captured && (!child.legal_moves().is_empty() || child.in_check());
                } else if m.promotion().is_none() {
                    let board = child.board();
                    let find = |set: Bitboard| set.first();
                    let squares =
                        (find(board.pawns()), find(board.kings() & board.white()), find(board.kings() & board.black()));
                    successors.push(match squares {
                        (Some(pawn), Some(white), Some(black)) => {
                            Kpk { white_to_move: !kpk.white_to_move, pawn, white, black }.index()
                        }
                        _ => None,
                    });
                }
            }
            let mated = moves.is_empty() && position.in_check() && !kpk.white_to_move;
            next.insert(index, (kpk.white_to_move, successors, wins_at_once || mated));
        }
        let mut won: HashSet<usize> = HashSet::new();
        loop {
            let before = won.len();
            for (&index, (white_to_move, successors, at_once)) in &next {
                let is_won = |successor: &Option<usize>| successor.is_some_and(|index| won.contains(&index));
                let follows = if *white_to_move {
                    successors.iter().any(is_won)
                } else {
                    !successors.is_empty() && successors.iter().all(is_won)
                };
                if *at_once || follows {
                    won.insert(index);
                }
            }
            if won.len() == before {
                break;
            }
        }
        for &index in next.keys() {
            assert_eq!(get(&WON, index), won.contains(&index), "{}", fen(Kpk::at(index)));
        }
        assert!(next.len() > 30_000 && won.len() > 10_000);
    }

    #[test]
    fn known_positions_are_known() {
        let won = |turn, pawn, white, black| is_won(turn, pawn, white, black);
        // The opposition decides.
        assert!(!won(true, Square::E4, Square::E5, Square::E7));
        assert!(won(false, Square::E4, Square::E5, Square::E7));
        // A king on the sixth in front of its pawn always wins; a rook pawn against a king in the corner never does.
        assert!(won(true, Square::E5, Square::E6, Square::E8) && won(false, Square::E5, Square::E6, Square::E8));
        assert!(!won(true, Square::H5, Square::G6, Square::H8) && !won(false, Square::A5, Square::B6, Square::A8));
        assert!(won(true, Square::F5, Square::F6, Square::F8));
    }
}
