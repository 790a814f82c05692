//! Principal variations: a triangular table, one line for each ply, built from the leaves up.

use crate::board::Move;
use crate::credit::{Award, CashIn, Ledger};
use crate::units::{Credit, Depth, MAX_PLY, Ply};

/// What one move of a principal variation did to the accounts.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct LedgerEntry {
    /// What the move earned, if anything.
    pub award: Option<Award>,
    /// The mover's account before the award.
    pub before: Credit,
    /// Plies cashed in from the mover's account after the move.
    pub cashed: Depth,
    /// The mover's account after award and cash-in.
    pub after: Credit,
    /// What the other side gave up for that.
    pub given_up: Credit,
    /// The other side's account afterwards.
    pub other: Credit,
}

impl LedgerEntry {
    /// The entry of a move made with an award from a node with these accounts, and the cash-in in the position after
    /// it.
    pub(super) fn new(ledger: Ledger, award: Option<Award>, cash_in: CashIn) -> LedgerEntry {
        let CashIn { ledger: Ledger { mine: other, his: after }, plies: cashed } = cash_in;
        LedgerEntry { award, before: ledger.mine, cashed, after, given_up: ledger.his.saturating_sub(other), other }
    }
}

/// A move of a principal variation with its entry in the ledger.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct LineMove {
    /// The move.
    pub mv: Move,
    /// What it did to the accounts; `None` if there are none.
    pub entry: Option<LedgerEntry>,
    /// Plies by which it was extended, by credit cashed in or by a conventional extension.
    pub extension: Depth,
}

impl LineMove {
    /// A move without accounts: below the software's depth, or from the table.
    pub(super) fn plain(m: Move) -> LineMove {
        LineMove { mv: m, entry: None, extension: 0 }
    }
}

/// The best line from a node, at most as long as the path can be. Its memory comes with its moves: most searches see
/// few of the plies, and a short search must not cost a table of them all.
pub type Line = Vec<LineMove>;

/// The best line found so far below each ply of the current path.
pub(super) struct PvTable {
    lines: Vec<Line>,
}

impl PvTable {
    /// Lines for every ply, all empty.
    pub fn new() -> PvTable {
        PvTable { lines: vec![Line::new(); MAX_PLY as usize + 1] }
    }

    /// A node starts: it has no line yet.
    pub fn clear(&mut self, ply: Ply) {
        self.lines[ply as usize].clear();
    }

    /// `m` is the best move at `ply`; its line is the one just found below it.
    pub fn update(&mut self, ply: Ply, m: LineMove) {
        let (upper, lower) = self.lines.split_at_mut(ply as usize + 1);
        let line = &mut upper[ply as usize];
        line.clear();
        line.push(m);
        // A line as long as the table loses its last move.
        line.extend(lower[0].iter().copied().take(MAX_PLY as usize - 1));
    }

    /// The line from a ply on has no accounts that follow from those before it.
    pub fn end_accounts(&mut self, ply: Ply) {
        self.lines[ply as usize].iter_mut().for_each(|m| m.entry = None);
    }

    /// The line from a ply on.
    pub fn line(&self, ply: Ply) -> &Line {
        &self.lines[ply as usize]
    }
}
