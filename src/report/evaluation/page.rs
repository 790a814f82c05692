//! Both evaluations of a position as a page: the network's on the board, the classical one term by term.

use maud::{Markup, html};

use super::{in_the_search, score, score_by_network, with_sum, without_one};
use crate::board::{Position, Square};
use crate::eval::nnue::{Network, OUTPUT_BUCKETS};
use crate::eval::{self, MAX_PHASE, TermTrace, Trace};
use crate::params::weights::FULL_SCALE;
use crate::picture::{Figure, Page, board, card, fen_line, scroller};
use crate::runner::PROGRAM;
use crate::score::pawns;
use crate::text::unbroken;
use crate::units::Tapered;

/// Styles of this page in addition to the common ones.
const STYLE: &str = include_str!("page.css");
/// Width of the board, which leaves room for its coordinates.
const BOARD: f64 = 450.0;
/// Upper left corner of the board.
const CORNER: (f64, f64) = (32.0, 4.0);
/// Height of the figure with the letters of the files.
const HEIGHT: f64 = BOARD + 46.0;
/// Width and height of a piece's label.
const LABEL: (f64, f64) = (38.0, 16.0);

/// The page; without a network only the classical evaluation.
pub fn to_page(position: &Position, network: Option<&Network>) -> String {
    let body = html! {
        (fen_line(&position.fen(), position.is_chess960()))
        div class="sheet" {
            @if let Some(network) = network { (card(by_network(position, network))) }
            (card(by_terms(position)))
        }
    };
    let (title, subtitle) = ("Evaluation of a position".to_owned(), PROGRAM.to_owned());
    Page { title, subtitle, styles: &[STYLE], body }.to_html()
}

/// The network's score, and what each piece is worth to its side on the board.
fn by_network(position: &Position, network: &Network) -> Markup {
    let total = network.evaluate(position.board(), position.turn());
    let pieces = position.board().occupied().count();
    let values = network.piece_values(position);
    let figure = Figure {
        title: "What each piece is worth to its side".to_owned(),
        height: HEIGHT,
        body: html! {
            (board(position, &[], &[], CORNER, BOARD))
            @for &(square, value) in &values { (label(square, value)) }
        },
    };
    html! {
        h2 class="minor" { "Network " (format!("{:08x}", network.checksum())) }
        p { (unbroken(&score_by_network(position, total))) }
        (figure.inline())
        // To those who hear the page the drawing is a single picture.
        ul class="heard" {
            @for (square, value) in values {
                @if let Some(piece) = position.board().piece_at(square) {
                    li {
                        (piece.color.fold_wb("White", "Black")) " " (piece.role.upper_char()) (square) ": "
                        (worth(value))
                    }
                }
            }
        }
        p class="muted" {
            "Each number says by how much the score changes if that piece is taken off the board, in pawns, from the "
            "view of its owner. With " (pieces) " pieces, output bucket " (Network::output_bucket(pieces) + 1) " of "
            (OUTPUT_BUCKETS) " decides" (without_one(pieces)) ". " (in_the_search(position, total))
        }
    }
}

/// A piece's value at the foot of its square.
fn label(square: Square, value: i32) -> Markup {
    let side = BOARD / 8.0;
    let (width, height) = LABEL;
    let x = CORNER.0 + (f64::from(square.file() as u8) + 0.5) * side;
    let y = CORNER.1 + f64::from(8 - square.rank() as u8) * side;
    html! {
        rect class="label" x=(x - width / 2.0) y=(y - height) width=(width) height=(height) rx="4" {}
        text class="small middle" x=(x) y=(y - 4.0) { (worth(value)) }
    }
}

/// What a piece is worth in pawns; hardly ever negative, so that a plus would say nothing.
fn worth(centipawns: i32) -> String {
    pawns(centipawns).trim_start_matches('+').to_owned()
}

/// The classical score and its terms.
fn by_terms(position: &Position) -> Markup {
    let trace = eval::trace(position);
    html! {
        h2 class="minor" { "Classical" }
        p { (unbroken(&score(position, trace.total, trace.total))) }
        (scroller("Terms", terms(&trace)))
        p class="muted" {
            "In pawns, at phase " (trace.phase) " of " (MAX_PHASE) " between endgame and middlegame, each number "
            "rounded by itself; the balance of the sum is scaled by " (trace.scale) " of " (FULL_SCALE) ". "
            code { "pacioli eval FEN" } " shows middlegame and endgame apart."
        }
    }
}

/// The terms and their sum, each with a bar of what it gives now.
fn terms(trace: &Trace) -> Markup {
    let now = |amount: Tapered| amount.mix(trace.phase, MAX_PHASE);
    let terms = with_sum(trace);
    let balances: Vec<i32> = terms.iter().map(|term| now(term.white - term.black)).collect();
    let largest = balances.iter().map(|balance| balance.abs()).max().unwrap_or(0).max(1);
    html! {
        table {
            thead { tr {
                th { "term" } th class="right" { "White" } th class="right" { "Black" }
                th class="right" { "balance" } th { "for Black, for White" }
            } }
            tbody {
                @for (TermTrace { name, white, black }, &balance) in terms.iter().zip(&balances) {
                    tr {
                        td { (name) }
                        td class="right" { (pawns(now(*white))) }
                        td class="right" { (pawns(now(*black))) }
                        td class="right" { (pawns(balance)) }
                        td { (bar(f64::from(balance) / f64::from(largest))) }
                    }
                }
            }
        }
    }
}

/// A bar from the middle, to the right if positive; the length is a part of the half.
fn bar(part: f64) -> Markup {
    /// Half the width of the drawing.
    const HALF: f64 = 70.0;
    let length = part.abs() * HALF;
    let x = if part < 0.0 { HALF - length } else { HALF };
    html! {
        svg class="bar" viewBox={ "0 0 " (2.0 * HALF) " 14" } aria-hidden="true" {
            rect class=(if part < 0.0 { "for-black" } else { "for-white" }) x=(format!("{x:.1}")) y="2" width=(format!("{length:.1}")) height="10" {}
            line class="axis" x1=(HALF) x2=(HALF) y1="0" y2="14" {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::Params;

    #[test]
    fn the_page_has_what_the_text_has() {
        let position = Position::from_fen("4k3/7r/8/8/8/8/4Q3/3K4 b - - 0 1", false).unwrap();
        let Some(network) = crate::eval::nnue::embedded() else { panic!("the project's own network is sound") };
        let page = to_page(&position, Some(&network));
        for (_, value) in network.piece_values(&position) {
            assert!(page.contains(&format!(">{}</text>", worth(value))), "{value}");
        }
        assert_eq!(page.matches("class=\"label\"").count(), 2, "kings have no value");
        let heard = network.piece_values(&position).into_iter().zip(["White Qe2", "Black Rh7"]);
        for ((_, value), piece) in heard {
            assert!(page.contains(&format!("<li>{piece}: {}</li>", worth(value))), "{piece}");
        }
        for term in eval::trace(&position).terms {
            assert!(page.contains(&format!("<td>{}</td>", term.name)), "{}", term.name);
        }
        // So few pieces that no search asks the network.
        let scores = [network.evaluate(position.board(), position.turn()), eval::trace(&position).total];
        scores
            .into_iter()
            .for_each(|total| assert!(page.contains(&unbroken(&score(&position, total, total))), "{total}"));
        let start = Position::default();
        let total = network.evaluate(start.board(), start.turn());
        let line = unbroken(&score(&start, total, eval::counted(&Params::default(), &start, total).unwrap()));
        assert!(to_page(&start, Some(&network)).contains(&line), "{line}");
        assert!(!to_page(&position, None).contains("Network"));
    }

    #[test]
    fn the_terms_are_those_of_the_phase_with_bars_on_the_side_that_they_favour() {
        // With pawns only, those of the endgame.
        let trace = eval::trace(&Position::from_fen("8/pp3k2/8/8/8/2P5/PP3K2/8 w - - 0 1", false).unwrap());
        let table = terms(&trace).into_string();
        for TermTrace { name, white, .. } in trace.terms {
            let row = format!("<td>{name}</td><td class=\"right\">{}</td>", pawns(white.eg()));
            assert!(table.contains(&row), "{row}: {table}");
        }
        for (part, corner) in [(-0.5, "x=\"35.0\""), (0.5, "x=\"70.0\"")] {
            assert!(bar(part).into_string().contains(corner), "{part}");
        }
    }

    #[test]
    fn the_sum_is_that_of_the_score_even_if_the_rounded_terms_have_another() {
        // Two halves of a centipawn, each of which alone is shown as nothing.
        let half = TermTrace { name: "half", white: Tapered::new(1, 0), black: Tapered::ZERO };
        let sum = half.white * 2;
        let phase = MAX_PHASE / 2;
        let trace = Trace { terms: vec![half; 2], sum, phase, scale: FULL_SCALE, white_total: 1, total: 1 };
        assert_eq!(sum.mix(phase, MAX_PHASE), trace.white_total);
        let table = terms(&trace).into_string();
        let row = |name: &str, amount: i32| {
            let [amount, nothing] = [amount, 0].map(|amount| format!("<td class=\"right\">{}</td>", pawns(amount)));
            format!("<td>{name}</td>{amount}{nothing}{amount}")
        };
        assert_eq!(table.matches(&row("half", 0)).count(), 2, "{table}");
        assert_eq!(table.matches(&row("sum", trace.white_total)).count(), 1, "{table}");
    }
}
