//! Legal moves by stages: noisy ones, quiet ones, quiet checks; and whether a single move is legal. shakmaty generates
//! all of them at once, most of which a search never tries. Within a stage they have shakmaty's order, and tests
//! compare all of them with it.

use arrayvec::ArrayVec;
use shakmaty::Position as _;

use super::danger::{forward, pawn_attacks, pinned};
use super::{Bitboard, CheckInfo, Move, Position, Role, Square, attacks};

/// Pieces besides pawns and king, in shakmaty's order.
const PIECES: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
/// What a pawn may become, in shakmaty's order.
const PROMOTIONS: [Option<Role>; 4] = [Some(Role::Queen), Some(Role::Rook), Some(Role::Bishop), Some(Role::Knight)];
/// A pawn has at most three groups at a time, two captures and a promotion; another piece has one.
const MAX_GROUPS: usize = 3 * 64;

/// Legal moves of one piece, no matter what stands on their targets. Castling and captures en passant are never among
/// them.
#[derive(Copy, Clone, Debug)]
pub struct Group {
    /// What moves.
    pub role: Role,
    /// Where it stands.
    pub from: Square,
    /// Where it may go.
    pub targets: Bitboard,
}

/// The groups of a stage.
pub type Groups = ArrayVec<Group, MAX_GROUPS>;

impl Group {
    /// Calls `visit` with each move.
    #[inline(always)]
    pub fn each(self, position: &Position, mut visit: impl FnMut(Move)) {
        let Group { role, from, targets } = self;
        for to in targets {
            let capture = position.role_at(to);
            let promotes = role == Role::Pawn && Bitboard::BACKRANKS.contains(to);
            // One call of `visit`, so that it becomes part of the loop.
            for &promotion in if promotes { &PROMOTIONS[..] } else { &[None] } {
                visit(Move::Normal { role, from, capture, to, promotion });
            }
        }
    }
}

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
        Generator { position, king, pinned: pinned(position, us), allowed, forward: forward(us) }
    }

    /// Adds captures and promotions, except captures en passant.
    pub fn noisy(&self, groups: &mut Groups) {
        let theirs = self.position.board().by_color(!self.position.turn());
        let targets = theirs & self.allowed;
        self.add_all(groups, theirs, |groups| self.add_noisy_pawns(groups, targets), |_, _| targets);
    }

    /// Adds all other moves except castling.
    pub fn quiet(&self, groups: &mut Groups) {
        self.add_quiet(groups, |_, _| Bitboard::FULL);
    }

    /// Adds those of them that give check.
    pub fn quiet_checks(&self, groups: &mut Groups, checks: &CheckInfo) {
        self.add_quiet(groups, |role, from| checks.squares(role, from));
    }

    /// Adds quiet moves to these squares.
    #[inline(always)]
    fn add_quiet(&self, groups: &mut Groups, squares: impl Fn(Role, Square) -> Bitboard) {
        let empty = !self.position.board().occupied();
        let targets = |role, from| empty & self.allowed & squares(role, from);
        let king_targets = empty & squares(Role::King, self.king);
        self.add_all(groups, king_targets, |groups| self.add_quiet_pawns(groups, targets), targets);
    }

    /// Adds moves of all pieces to their targets. In check the king comes first, as for shakmaty.
    #[inline(always)]
    fn add_all(
        &self,
        groups: &mut Groups,
        king_targets: Bitboard,
        add_pawns: impl Fn(&mut Groups),
        targets: impl Fn(Role, Square) -> Bitboard,
    ) {
        let in_check = self.position.in_check();
        if in_check {
            self.add_king(groups, king_targets);
        }
        add_pawns(groups);
        let board = self.position.board();
        let ours = board.by_color(self.position.turn());
        for role in PIECES {
            for from in ours & board.by_role(role) {
                add(groups, role, from, self.attacked_from(role, from) & targets(role, from) & self.free(from));
            }
        }
        if !in_check {
            self.add_king(groups, king_targets);
        }
    }

    /// The squares that a knight, bishop, rook or queen attacks.
    #[inline(always)]
    fn attacked_from(&self, role: Role, from: Square) -> Bitboard {
        let occupied = self.position.board().occupied();
        match role {
            Role::Knight => attacks::knight_attacks(from),
            Role::Bishop => attacks::bishop_attacks(from, occupied),
            Role::Rook => attacks::rook_attacks(from, occupied),
            _ => attacks::queen_attacks(from, occupied),
        }
    }

    /// Whether our piece of this role, which stands on `from`, may go to another square, other than by castling or en
    /// passant.
    fn may_go(&self, role: Role, from: Square, to: Square) -> bool {
        let us = self.position.turn();
        let (ours, theirs) = (self.position.board().by_color(us), self.position.board().by_color(!us));
        let reached = match role {
            Role::King => return (attacks::king_attacks(from) & !ours).contains(to) && self.is_safe(to),
            Role::Pawn => {
                let [step, double_step] = self.pawn_steps(Bitboard::from_square(from));
                step | double_step | attacks::pawn_attacks(us, from) & theirs
            }
            _ => self.attacked_from(role, from) & !ours,
        };
        (reached & self.allowed & self.free(from)).contains(to)
    }

    /// The king's steps to squares that are not attacked once it has left its own.
    fn add_king(&self, groups: &mut Groups, targets: Bitboard) {
        let steps = attacks::king_attacks(self.king) & targets;
        add(groups, Role::King, self.king, steps.into_iter().filter(|&to| self.is_safe(to)).collect());
    }

    /// Whether no piece attacks this square once the king has left its own.
    fn is_safe(&self, to: Square) -> bool {
        let board = self.position.board();
        board.attacks_to(to, !self.position.turn(), board.occupied().without(self.king)).is_empty()
    }

    /// Captures by pawns, and promotions.
    fn add_noisy_pawns(&self, groups: &mut Groups, targets: Bitboard) {
        for (attacked, delta) in pawn_attacks(self.pawns(), self.position.turn()) {
            let captures = attacked & targets;
            self.add_pawns(groups, captures & !Bitboard::BACKRANKS, delta, |_, _| Bitboard::FULL);
            self.add_pawns(groups, captures & Bitboard::BACKRANKS, delta, |_, _| Bitboard::FULL);
        }
        let [steps, _] = self.pawn_steps(self.pawns());
        self.add_pawns(groups, steps & self.allowed & Bitboard::BACKRANKS, self.forward, |_, _| Bitboard::FULL);
    }

    /// Pawns' steps, one by one and two by two.
    #[inline(always)]
    fn add_quiet_pawns(&self, groups: &mut Groups, targets: impl Fn(Role, Square) -> Bitboard) {
        let [steps, double_steps] = self.pawn_steps(self.pawns());
        self.add_pawns(groups, steps & !Bitboard::BACKRANKS, self.forward, &targets);
        self.add_pawns(groups, double_steps, 2 * self.forward, &targets);
    }

    /// Where these pawns of ours may step, and where by two squares, as far as nothing stands in their way.
    #[inline(always)]
    fn pawn_steps(&self, pawns: Bitboard) -> [Bitboard; 2] {
        let empty = !self.position.board().occupied();
        let near_half = self.position.turn().fold_wb(Bitboard::SOUTH, Bitboard::NORTH);
        let steps = pawns.shift(self.forward) & empty;
        [steps, steps.shift(self.forward) & near_half & empty]
    }

    /// Pawn moves to the targets among these squares, each from `delta` before it, unless a pin forbids it.
    #[inline(always)]
    fn add_pawns(
        &self,
        groups: &mut Groups,
        reached: Bitboard,
        delta: i32,
        targets: impl Fn(Role, Square) -> Bitboard,
    ) {
        for to in reached {
            if let Some(from) = to.offset(-delta) {
                add(groups, Role::Pawn, from, Bitboard::from_square(to) & targets(Role::Pawn, from) & self.free(from));
            }
        }
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
}

impl Position {
    /// Whether a move is legal here. Of most moves that can be told without generating others.
    pub fn is_legal(&self, m: Move) -> bool {
        let Move::Normal { role, from, capture, to, promotion } = m else { return self.chess().is_legal(m) };
        let promotes = role == Role::Pawn && Bitboard::BACKRANKS.contains(to);
        self.board().piece_at(from) == Some(role.of(self.turn()))
            && self.role_at(to) == capture
            && promotion.is_none_or(|role| !matches!(role, Role::Pawn | Role::King))
            && promotion.is_some() == promotes
            && Generator::new(self).may_go(role, from, to)
    }
}

/// Adds a group, unless it is empty.
#[inline(always)]
fn add(groups: &mut Groups, role: Role, from: Square, targets: Bitboard) {
    if targets.any() {
        groups.push(Group { role, from, targets });
    }
}
