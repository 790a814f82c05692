//! How bad a move is.

use serde::Serialize;

/// How bad a move is, by the expected score that it loses.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Mark {
    /// An inaccuracy: it loses 0.05 or more.
    Inaccuracy,
    /// A mistake: it loses 0.1 or more.
    Mistake,
    /// A blunder: it loses 0.2 or more.
    Blunder,
}

impl Mark {
    /// The loss from which a move is suspected at all.
    pub(super) const LEAST_LOSS: f64 = 0.05;
    /// All of them with their minimum loss, the worst first.
    const LOSSES: [(Mark, f64); 3] = [(Mark::Blunder, 0.2), (Mark::Mistake, 0.1), (Mark::Inaccuracy, Mark::LEAST_LOSS)];

    /// The mark for a loss, if it deserves one.
    pub(super) fn of_loss(loss: f64) -> Option<Mark> {
        Mark::LOSSES.into_iter().find(|&(_, least)| loss >= least).map(|(mark, _)| mark)
    }

    /// The annotation glyph.
    pub const fn glyph(self) -> &'static str {
        match self {
            Mark::Inaccuracy => "?!",
            Mark::Mistake => "?",
            Mark::Blunder => "??",
        }
    }

    /// Its number (NAG) in the PGN standard.
    pub const fn nag(self) -> u8 {
        match self {
            Mark::Inaccuracy => 6,
            Mark::Mistake => 2,
            Mark::Blunder => 4,
        }
    }

    /// Its name, capitalised.
    pub const fn name(self) -> &'static str {
        match self {
            Mark::Inaccuracy => "Inaccuracy",
            Mark::Mistake => "Mistake",
            Mark::Blunder => "Blunder",
        }
    }
}

/// A share rounded to thousandths, as losses are stated: differences of fractions are not exact.
pub(super) fn thousandths(share: f64) -> f64 {
    (share * 1000.0).round() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_grow_with_the_loss() {
        let marks: Vec<_> = [0.0, 0.049, 0.05, 0.1, 0.2, 1.0].into_iter().map(Mark::of_loss).collect();
        let (a, b, c) = (Some(Mark::Inaccuracy), Some(Mark::Mistake), Some(Mark::Blunder));
        assert_eq!(marks, [None, None, a, b, c, c]);
    }

    #[test]
    fn each_mark_has_its_glyph_and_number() {
        let marks = [Mark::Inaccuracy, Mark::Mistake, Mark::Blunder].map(|mark| (mark.glyph(), mark.nag()));
        assert_eq!(marks, [("?!", 6), ("?", 2), ("??", 4)]);
    }

    #[test]
    fn what_is_stated_has_its_mark() {
        for (best, played, mark) in
            [(0.7, 0.5, Mark::Blunder), (0.6, 0.5, Mark::Mistake), (0.6, 0.55, Mark::Inaccuracy)]
        {
            assert_eq!(Mark::of_loss(thousandths(best - played)), Some(mark), "{best} {played}");
        }
    }
}
