//! Legal moves by stages: noisy ones, quiet ones, quiet checks. shakmaty generates all of them at once, most of which a
//! search never tries; each stage has them in shakmaty's order, and tests compare all of them with it.

use super::danger::pinned;
use super::{Bitboard, CheckInfo, File, Move, MoveList, Position, Role, Square, attacks};

/// Pieces besides pawns and king, in shakmaty's order.
const PIECES: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
/// What a pawn may become, in shakmaty's order.
const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];
/// From a square to the one above it.
const RANK: i32 = 8;

/// Generates the legal moves of a position.
pub struct Generator<'p> {
    position: &'p Position,
    king: Square,
    /// Our pieces that must stay on their line with the king.
    pinned: Bitboard,
    /// Where all but the king may go: anywhere; in check only where a single checking piece is captured or blocked.
    allowed: Bitboard,
    /// From a square to the one before it, as a pawn moves.
    forward: i32,
}

impl<'p> Generator<'p> {
    /// Finds out which moves are legal.
    pub fn new(position: &'p Position) -> Generator<'p> {
        let us = position.turn();
        // Every legal position has both kings; a missing one would only leave moves out.
        let king = position.board().king_of(us).unwrap_or(Square::A1);
        let checkers = position.checkers();
        let allowed = if checkers.is_empty() {
            Bitboard::FULL
        } else {
            checkers.single_square().map_or(Bitboard::EMPTY, |checker| attacks::between(king, checker).with(checker))
        };
        let forward = us.fold_wb(RANK, -RANK);
        Generator { position, king, pinned: pinned(position, us), allowed, forward }
    }

    /// Captures and promotions.
    pub fn noisy(&self) -> MoveList {
        let theirs = self.position.board().by_color(!self.position.turn());
        let targets = theirs & self.allowed;
        let mut moves = MoveList::new();
        self.position.push_en_passant(&mut moves);
        let pawns = |moves: &mut _| self.push_noisy_pawns(moves, targets);
        self.push_all::<true>(&mut moves, theirs, pawns, |_, _| targets);
        moves
    }

    /// All other moves.
    pub fn quiet(&self) -> MoveList {
        self.quiet_to(|_, _| Bitboard::FULL)
    }

    /// Those of them that give check.
    pub fn quiet_checks(&self, checks: &CheckInfo) -> MoveList {
        let mut moves = self.quiet_to(|role, from| checks.targets(role, from));
        moves.retain(|&mut m| checks.gives_check(self.position, m));
        moves
    }

    /// Quiet moves of pieces to their targets, of pawns, and castling.
    #[inline(always)]
    fn quiet_to(&self, targets: impl Fn(Role, Square) -> Bitboard) -> MoveList {
        let empty = !self.position.board().occupied();
        let allowed = empty & self.allowed;
        let mut moves = MoveList::new();
        let pawns = |moves: &mut _| self.push_quiet_pawns(moves, allowed);
        let king_targets = empty & targets(Role::King, self.king);
        self.push_all::<false>(&mut moves, king_targets, pawns, |role, from| allowed & targets(role, from));
        if !self.position.in_check() {
            self.position.push_castling(&mut moves);
        }
        moves
    }

    /// The moves of all pieces to their targets. In check the king comes first, as for shakmaty.
    #[inline(always)]
    fn push_all<const NOISY: bool>(
        &self,
        moves: &mut MoveList,
        king_targets: Bitboard,
        push_pawns: impl Fn(&mut MoveList),
        targets: impl Fn(Role, Square) -> Bitboard,
    ) {
        let in_check = self.position.in_check();
        if in_check {
            self.push_king::<NOISY>(moves, king_targets);
        }
        if self.allowed.any() {
            push_pawns(moves);
            self.push_pieces::<NOISY>(moves, targets);
        }
        if !in_check {
            self.push_king::<NOISY>(moves, king_targets);
        }
    }

    /// Moves of knights, bishops, rooks and queens.
    #[inline(always)]
    fn push_pieces<const NOISY: bool>(&self, moves: &mut MoveList, targets: impl Fn(Role, Square) -> Bitboard) {
        let board = self.position.board();
        let (ours, occupied) = (board.by_color(self.position.turn()), board.occupied());
        for role in PIECES {
            for from in ours & board.by_role(role) {
                let reached = match role {
                    Role::Knight => attacks::knight_attacks(from),
                    Role::Bishop => attacks::bishop_attacks(from, occupied),
                    Role::Rook => attacks::rook_attacks(from, occupied),
                    _ => attacks::queen_attacks(from, occupied),
                };
                for to in reached & targets(role, from) & self.free(from) {
                    self.push::<NOISY>(moves, role, from, to);
                }
            }
        }
    }

    /// The king's steps to squares that are not attacked once it has left its own.
    fn push_king<const NOISY: bool>(&self, moves: &mut MoveList, targets: Bitboard) {
        let board = self.position.board();
        let occupied = board.occupied().without(self.king);
        for to in attacks::king_attacks(self.king) & targets {
            if board.attacks_to(to, !self.position.turn(), occupied).is_empty() {
                self.push::<NOISY>(moves, Role::King, self.king, to);
            }
        }
    }

    /// Captures by pawns, and promotions.
    fn push_noisy_pawns(&self, moves: &mut MoveList, targets: Bitboard) {
        for (edge, aside) in [(File::A, -1), (File::H, 1)] {
            let delta = self.forward + aside;
            let captures = (self.pawns() & !Bitboard::from_file(edge)).shift(delta) & targets;
            for (from, to) in self.legal_steps(captures & !Bitboard::BACKRANKS, delta) {
                self.push::<true>(moves, Role::Pawn, from, to);
            }
            self.push_promotions(moves, captures, delta);
        }
        let empty = !self.position.board().occupied();
        self.push_promotions(moves, self.pawns().shift(self.forward) & empty & self.allowed, self.forward);
    }

    /// Promotions among pawn moves to these squares, by pawns from `delta` before them.
    fn push_promotions(&self, moves: &mut MoveList, targets: Bitboard, delta: i32) {
        for (from, to) in self.legal_steps(targets & Bitboard::BACKRANKS, delta) {
            let capture = self.position.role_at(to);
            for role in PROMOTIONS {
                moves.push(Move::Normal { role: Role::Pawn, from, capture, to, promotion: Some(role) });
            }
        }
    }

    /// Pawns' steps, one by one and two by two.
    fn push_quiet_pawns(&self, moves: &mut MoveList, targets: Bitboard) {
        let steps = self.pawns().shift(self.forward) & !self.position.board().occupied();
        let near_half = self.position.turn().fold_wb(Bitboard::SOUTH, Bitboard::NORTH);
        let double_steps = steps.shift(self.forward) & near_half;
        for (from, to) in self.legal_steps(steps & targets & !Bitboard::BACKRANKS, self.forward) {
            self.push::<false>(moves, Role::Pawn, from, to);
        }
        for (from, to) in self.legal_steps(double_steps & targets, 2 * self.forward) {
            self.push::<false>(moves, Role::Pawn, from, to);
        }
    }

    /// From where to where pawns go that no pin holds, each from `delta` before its target.
    #[inline(always)]
    fn legal_steps(&self, targets: Bitboard, delta: i32) -> impl Iterator<Item = (Square, Square)> {
        let steps = targets.into_iter().filter_map(move |to| Some((to.offset(-delta)?, to)));
        steps.filter(|&(from, to)| self.free(from).contains(to))
    }

    /// Our pawns.
    fn pawns(&self) -> Bitboard {
        let board = self.position.board();
        board.by_color(self.position.turn()) & board.pawns()
    }

    /// The squares to which a pin lets a piece go.
    #[inline(always)]
    fn free(&self, from: Square) -> Bitboard {
        if self.pinned.contains(from) { attacks::ray(self.king, from) } else { Bitboard::FULL }
    }

    /// Adds a move that is no promotion. Only noisy ones capture, so only for those the board is asked what.
    #[inline(always)]
    fn push<const NOISY: bool>(&self, moves: &mut MoveList, role: Role, from: Square, to: Square) {
        let capture = if NOISY { self.position.role_at(to) } else { None };
        moves.push(Move::Normal { role, from, capture, to, promotion: None });
    }
}
