//! `pacioli eval`: the static evaluation of a position, term by term.

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table, TableComponent};

use super::EXIT_DONE;
use super::output::write_stdout;
use crate::board::{MAX_PHASE, Position};
use crate::eval::{self, Chances, Trace};
use crate::params::weights::FULL_SCALE;
use crate::score::Score;
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

/// Arguments of `eval`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The position.
    #[arg(value_name = "FEN")]
    fen: String,
    /// Read castling rights as Chess960 does.
    #[arg(long)]
    chess960: bool,
}

/// Runs the command.
///
/// # Errors
///
/// A bad FEN.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    write_stdout(&render(&Position::from_fen(&args.fen, args.chess960)?))?;
    Ok(EXIT_DONE)
}

/// The evaluation of a position as text: each term for both sides in middlegame and endgame, then what they sum up to.
pub fn render(position: &Position) -> String {
    let trace = eval::trace(position);
    let mut table = Table::new();
    table.load_preset(NOTHING);
    table.set_style(TableComponent::HeaderLines, '─').set_style(TableComponent::MiddleHeaderIntersections, '─');
    table.set_header(["term", "White mg", "eg", "Black mg", "eg", "total mg", "eg"]);
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
    fn the_opening_position() {
        insta::assert_snapshot!(render(&Position::default()), @r"
         term           White mg       eg   Black mg       eg   total mg      eg
        ─────────────────────────────────────────────────────────────────────────
         material         +40.39   +38.68     +40.39   +38.68      +0.00   +0.00
         placement         -1.47    -1.93      -1.47    -1.93      +0.00   +0.00
         pawns             +0.24    -0.16      +0.24    -0.16      +0.00   +0.00
         passed pawns      +0.00    +0.00      +0.00    +0.00      +0.00   +0.00
         mobility          -1.39    -2.00      -1.39    -2.00      +0.00   +0.00
         pieces            +0.26    +0.22      +0.26    +0.22      +0.00   +0.00
         king shelter      +0.42    +0.00      +0.42    +0.00      +0.00   +0.00
         king danger       +0.00    +0.00      +0.00    +0.00      +0.00   +0.00
         threats           +0.00    +0.00      +0.00    +0.00      +0.00   +0.00
         bare king         +0.00    +0.00      +0.00    +0.00      +0.00   +0.00
         tempo             +0.18    +0.12      +0.00    +0.00      +0.18   +0.12
         sum              +38.63   +34.93     +38.45   +34.81      +0.18   +0.12
        phase 24 of 24, scale 64 of 64
        score +0.18 for White, +0.18 for the side to move (White): win 34.4 %, draw 35.6 %, loss 30.0 %
        ");
    }

    #[test]
    fn a_middlegame_with_an_attack_on_the_king() -> Result<(), crate::board::PositionError> {
        let fen = "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1";
        insta::assert_snapshot!(render(&Position::from_fen(fen, false)?), @r"
         term           White mg       eg   Black mg       eg   total mg      eg
        ─────────────────────────────────────────────────────────────────────────
         material         +34.28   +32.89     +35.92   +34.77      -1.64   -1.88
         placement         +1.58    -0.29      +0.79    -0.05      +0.79   -0.24
         pawns             +0.14    -0.04      +0.27    +0.01      -0.13   -0.05
         passed pawns      +0.00    +0.00      -0.04    +0.09      +0.04   -0.09
         mobility          +0.38    +0.68      +0.26    +0.59      +0.12   +0.09
         pieces            +0.20    +0.06      -0.08    -0.16      +0.28   +0.22
         king shelter      -0.34    +0.00      +0.76    +0.00      -1.10   +0.00
         king danger       -0.08    -0.06      -5.63    -0.51      +5.55   +0.45
         threats           +0.03    +0.12      +0.56    +0.32      -0.53   -0.20
         bare king         +0.00    +0.00      +0.00    +0.00      +0.00   +0.00
         tempo             +0.18    +0.12      +0.00    +0.00      +0.18   +0.12
         sum              +36.37   +33.48     +32.81   +35.06      +3.56   -1.58
        phase 22 of 24, scale 64 of 64
        score +3.13 for White, +3.13 for the side to move (White): win 80.3 %, draw 13.6 %, loss 6.1 %
        ");
        Ok(())
    }
}
