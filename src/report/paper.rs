//! The paper's two positions, with Deep Blue Jr.'s results in them.

use super::model::PaperField;
use crate::board::Position;

/// Source of the positions and numbers.
pub const SOURCE: &str = "M. Campbell, A. J. Hoane, F.-h. Hsu, \"Deep Blue\", Artificial Intelligence 134 (2002), 57-83, \
                          section 4.2, Tables 2 and 3";

/// Plies that the chip's search and quiescence added to the software's: the paper's estimates are the maximum software
/// depth plus this.
const HARDWARE_PLIES: (i32, i32) = (6, 16);
/// Minimum software depth of the first row: of iteration 6, of which the chip searched 4 plies.
const FIRST_MIN_SOFTWARE: i32 = 2;

/// One of the two positions.
#[derive(Copy, Clone, Debug)]
pub struct PaperPosition {
    /// Description of the game.
    pub name: &'static str,
    /// The first four fields of its FEN.
    pub fen: &'static str,
    /// Maximum software depth in plies, from the first row on.
    max_software: [i32; 7],
}

/// Both positions, in the paper's order.
pub const POSITIONS: [PaperPosition; 2] = [
    PaperPosition {
        name: "Deep Blue - Kasparov, 1997, game 2, before White's move 37",
        fen: "r1r1q1k1/6p1/3b1p1p/1p1PpP2/1Pp5/2P4P/R1B2QP1/R5K1 w - -",
        max_software: [5, 6, 11, 15, 17, 20, 23],
    },
    PaperPosition {
        name: "Deep Blue - Kasparov, 1997, game 5, before Black's move 11",
        fen: "r2qk2r/pp3ppp/2p1pn2/4n3/1b6/3P2PP/PPPN1PB1/R1BQK2R b KQkq -",
        max_software: [5, 6, 10, 16, 19, 20, 24],
    },
];

impl PaperPosition {
    /// The paper's position equal to this one, if either is.
    pub fn find(position: &Position) -> Option<&'static PaperPosition> {
        let epd = position.epd();
        POSITIONS.iter().find(|paper| paper.fen == epd)
    }

    /// The paper's row for an iteration with this minimum software depth in plies, if its table has one. Other profiles
    /// count iterations without the chip's plies, so that an iteration's number says nothing of its row.
    pub fn row(&self, min_software: i32) -> Option<PaperField> {
        let index = usize::try_from(min_software.checked_sub(FIRST_MIN_SOFTWARE)?).ok()?;
        let max_software = *self.max_software.get(index)?;
        Some(PaperField {
            min_software,
            max_software,
            estimated_combined_low: max_software + HARDWARE_PLIES.0,
            estimated_combined_high: max_software + HARDWARE_PLIES.1,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_positions_are_legal_and_find_themselves() {
        for paper in &POSITIONS {
            let position = Position::from_fen(paper.fen, false).unwrap();
            assert_eq!(PaperPosition::find(&position).map(|found| found.name), Some(paper.name));
        }
        assert!(PaperPosition::find(&Position::default()).is_none());
    }

    #[test]
    fn rows_are_as_printed() {
        // Table 2, iteration 12; Table 3, iteration 8.
        let row = POSITIONS[0].row(8).unwrap();
        assert_eq!((row.min_software, row.max_software), (8, 23));
        assert_eq!((row.estimated_combined_low, row.estimated_combined_high), (29, 39));
        let row = POSITIONS[1].row(4).unwrap();
        assert_eq!((row.min_software, row.max_software), (4, 10));
        assert_eq!((row.estimated_combined_low, row.estimated_combined_high), (16, 26));
        assert_eq!([1, 9, i32::MIN, i32::MAX].map(|depth| POSITIONS[0].row(depth)), [None; 4]);
    }
}
