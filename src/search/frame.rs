//! What a node leaves for its descendants and cousins, by ply.

use super::history::MoveIndex;
use crate::board::{Bitboard, Move, PackedMove, Position};
use crate::credit::{CashIn, Mechanism};
use crate::units::{Credit, MAX_PLY, Ply};

/// Frames before the root, so that looking back a few plies needs no test.
const BEFORE_ROOT: Ply = 6;
/// Killer moves per ply.
pub(super) const KILLERS: usize = 2;

/// Why a move is made.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To search it.
    Play,
    /// To gather evidence about another move or about the node.
    Evidence,
    /// It is a null move.
    Pass,
}

/// What the nodes below a move need to know about it.
#[derive(Copy, Clone)]
pub(super) struct Made {
    /// The move; `None` for a null move.
    pub mv: Option<Move>,
    pub purpose: Purpose,
    /// The piece and its target, for continuation history; `None` for a null move.
    pub index: Option<MoveIndex>,
    /// Its number among its node's moves, from 1; 0 if it is not searched as one of them.
    pub number: usize,
    /// Whether it is forcing: a check, or a move that earned credit.
    pub forcing: bool,
    /// Whether it pushes a passed pawn to the sixth or seventh rank.
    pub passed_pawn_push: bool,
    /// Whether it is extended by more than a ply (conventional extensions).
    pub widely_extended: bool,
    /// The mechanism whose award it carries, or that last added to its side's account.
    pub source: Option<Mechanism>,
    /// The award it carries.
    pub award: Credit,
}

impl Made {
    /// No move.
    pub const NOTHING: Made = Made {
        mv: None,
        purpose: Purpose::Play,
        index: None,
        number: 0,
        forcing: false,
        passed_pawn_push: false,
        widely_extended: false,
        source: None,
        award: Credit::NONE,
    };

    /// Whether it is a null move.
    pub fn passed(&self) -> bool {
        self.purpose == Purpose::Pass
    }
}

/// A move about to be made, on a copy of the position, with what nodes below need to know about it.
pub(super) struct Step {
    pub child: Position,
    pub made: Made,
}

/// One ply of the current path.
#[derive(Clone)]
pub(super) struct Frame {
    /// Static evaluation in centipawns for the side to move; `None` in check.
    pub static_eval: Option<i32>,
    /// The move made from here, while it is being searched.
    pub made: Made,
    /// What was cashed in on entering the node, and the accounts since then.
    pub cash_in: CashIn,
    /// The squares that the side to move's opponent attacks, if move ordering asks for them.
    pub attacked: Bitboard,
    /// Quiet moves that caused cutoffs in siblings of this node.
    pub killers: [PackedMove; KILLERS],
    /// Cutoffs in nodes of this ply since their parent was entered.
    pub cutoffs: i32,
    /// The best move that the last horizon search from here found.
    pub chip_move: Option<Move>,
    /// The position, kept for the influence mechanism.
    pub position: Option<Position>,
    /// Whether the node verifies a null move, so that another null move would prove nothing.
    pub confirms_null: bool,
}

impl Frame {
    /// An empty frame.
    const NEW: Frame = Frame {
        static_eval: None,
        made: Made::NOTHING,
        cash_in: CashIn::NOTHING,
        attacked: Bitboard::EMPTY,
        killers: [PackedMove::NONE; KILLERS],
        cutoffs: 0,
        chip_move: None,
        position: None,
        confirms_null: false,
    };
}

/// The frames of a path.
pub(super) struct Frames {
    frames: Vec<Frame>,
}

impl Frames {
    /// Frames for every ply.
    pub fn new() -> Frames {
        Frames { frames: vec![Frame::NEW; (BEFORE_ROOT + MAX_PLY + 2) as usize] }
    }

    /// The frame at a ply; plies before the root exist and are empty.
    pub fn at(&self, ply: Ply) -> &Frame {
        &self.frames[(ply + BEFORE_ROOT) as usize]
    }

    /// The mutable frame at a ply.
    pub fn at_mut(&mut self, ply: Ply) -> &mut Frame {
        &mut self.frames[(ply + BEFORE_ROOT) as usize]
    }

    /// The frames of the `count` plies before `ply`, nearest last; fewer near the root.
    pub fn before(&self, ply: Ply, count: Ply) -> &[Frame] {
        let end = (ply + BEFORE_ROOT) as usize;
        &self.frames[end.saturating_sub(count as usize).max(BEFORE_ROOT as usize)..end]
    }
}
