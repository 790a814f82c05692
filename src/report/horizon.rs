//! Where the accounts of a line end: with the software's depth, below which nothing is earned or cashed in, with the
//! line, or where its last moves are from the table.

use super::explain::ExplainedMove;

/// Where the accounts of a line end, and what is left in them.
pub(super) struct Horizon {
    /// The first move without accounts; the number of moves if all have some.
    pub before: usize,
    white: f64,
    black: f64,
}

impl Horizon {
    /// What a page says there.
    pub fn text(&self) -> String {
        format!("Here the accounts end; left unspent: White {:.2}, Black {:.2}", self.white, self.black)
    }
}

/// The end of a line's accounts; `None` if there are none.
pub(super) fn horizon(line: &[ExplainedMove]) -> Option<Horizon> {
    let last = line.iter().rposition(|step| step.accounts.is_some())?;
    let accounts = line[last].accounts?;
    Some(Horizon { before: last + 1, white: accounts.white.after_move, black: accounts.black.after_move })
}
