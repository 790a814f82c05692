//! The static evaluation of a position, term by term.

use comfy_table::CellAlignment;

use crate::board::Position;
use crate::eval::{self, Chances, MAX_PHASE, Trace};
use crate::params::weights::FULL_SCALE;
use crate::score::Score;
use crate::text::plain;
use crate::units::Tapered;

/// Centipawns as pawns with two decimals and a sign.
fn pawns(centipawns: i32) -> String {
    format!("{:+.2}", f64::from(centipawns) / 100.0)
}

/// One row of the table: a name and three tapered amounts, each in two cells.
fn row(name: &str, white: Tapered, black: Tapered) -> Vec<String> {
    let difference = white - black;
    let amounts = [white, black, difference].into_iter().flat_map(|amount| [pawns(amount.mg()), pawns(amount.eg())]);
    std::iter::once(name.to_owned()).chain(amounts).collect()
}

/// The evaluation of a position as text: each term for both sides in middlegame and endgame, then what they sum up to.
pub fn to_text(position: &Position) -> String {
    let trace = eval::trace(position);
    let mut table = plain(&["term", "White mg", "eg", "Black mg", "eg", "total mg", "eg"]);
    for term in &trace.terms {
        table.add_row(row(term.name, term.white, term.black));
    }
    let total = |side: fn(&eval::TermTrace) -> Tapered| trace.terms.iter().map(side).sum::<Tapered>();
    table.add_row(row("sum", total(|term| term.white), total(|term| term.black)));
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    format!("{}\n{}", table.trim_fmt(), summary(position, &trace))
}

/// What follows the table: phase, scale and the final score.
fn summary(position: &Position, trace: &Trace) -> String {
    let side = position.turn().fold_wb("White", "Black");
    format!(
        "phase {} of {MAX_PHASE}, scale {} of {FULL_SCALE}\n\
         score {} for White, {} for the side to move ({side}): {}\n",
        trace.phase,
        trace.scale,
        pawns(trace.white_total),
        pawns(trace.total),
        Chances::new(Score::cp(trace.total), position),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_term_is_shown() -> Result<(), crate::board::PositionError> {
        insta::assert_snapshot!("opening", to_text(&Position::default()));
        let attack = "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1";
        insta::assert_snapshot!("attack", to_text(&Position::from_fen(attack, false)?));
        Ok(())
    }
}
