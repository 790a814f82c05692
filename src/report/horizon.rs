//! Where the accounts of a line end: with the line, or with the software's depth, below which nothing is earned or
//! cashed in.

use super::explain::ExplainedMove;

/// Where the accounts of a line end, and what is left in them.
pub(super) struct Horizon {
    /// The first move without accounts; the number of moves if all have some.
    pub before: usize,
    ends_line: bool,
    white: f64,
    black: f64,
}

impl Horizon {
    /// What a page says there.
    pub fn text(&self, is_deep_blue: bool) -> String {
        let what = match is_deep_blue {
            _ if self.ends_line => "the line ends",
            true => "the horizon search begins",
            false => "the software's depth ends",
        };
        format!("Here {what}; left unspent: White {:.2}, Black {:.2}", self.white, self.black)
    }
}

/// The end of a line's accounts; `None` if there are none.
pub(super) fn horizon(line: &[ExplainedMove]) -> Option<Horizon> {
    let last = line.iter().rposition(|step| step.accounts.is_some())?;
    let accounts = line[last].accounts?;
    Some(Horizon {
        before: last + 1,
        ends_line: last + 1 == line.len(),
        white: accounts.white.after_move,
        black: accounts.black.after_move,
    })
}
