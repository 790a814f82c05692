//! Pages with one large board: a line that can be stepped through, with its ledger and both accounts.
//!
//! [`explanation_to_page`] has the line of each iteration, [`positions_to_page`] the best lines of positions, and
//! [`games_to_page`] analysed games with the better lines; [`report_to_page`] has the lines of a report beside its
//! curves. All are drawn by the same script; a page that watches a search, made elsewhere, shares the [`stage`],
//! [`STYLE`], [`SCRIPTS`] and [`Line`]s, and gets its iterations from [`Live`].

mod game;
mod live;
mod model;
mod report;
#[cfg(test)]
mod tests;

pub use super::glossary::glossary;
pub use game::games_to_page;
pub use live::{Live, LiveIteration};
pub use model::Line;
pub use report::report_to_page;

use maud::{Markup, html};

use self::game::isolated;
use self::model::{Data, LinePicker};
use super::analysis::{AnalysedLine, Inexact, PositionAnalysis};
use super::evidence::Witness;
use super::explain::{explain_entries, explain_iteration, summary};
use crate::board::Position;
use crate::engine::Options;
use crate::json::PovScore;
use crate::params::Params;
use crate::picture::{FEN_SCRIPT, Page, SEARCH_SCRIPT, card, fen_field, script};
use crate::runner::Provenance;
use crate::search::Iteration;
use crate::units::Credit;

/// Styles of pages with a [`stage`] in addition to the common ones.
pub const STYLE: &str = include_str!("page.css");
/// The scripts of the [`stage`], of ledgers and accounts.
pub const SCRIPTS: [&str; 2] = [FEN_SCRIPT, include_str!("line.js")];
/// Steps through lines.
const STEPS: &str = include_str!("page.js");

/// The balance beyond which these settings cash in an account, in plies; `None` if there are no accounts.
pub fn credit_limit(params: &Params) -> Option<f64> {
    params.credit.then(|| f64::from(params.credit_limit) / f64::from(Credit::PER_PLY))
}

/// The lines of all iterations of a search as a page; the settings are those of the search.
///
/// # Errors
///
/// None in practice: the data has no maps with keys that JSON could not hold.
pub fn explanation_to_page(
    position: &Position,
    provenance: &Provenance,
    options: &Options,
    iterations: &[Iteration],
) -> Result<String, serde_json::Error> {
    let mut witness = Witness::for_boards(options);
    let line = |iteration: &Iteration| explained(position, iteration, &mut witness).0;
    let data = Data {
        limit: credit_limit(&options.params),
        choice: LinePicker::Slider,
        positions: Vec::new(),
        lines: iterations.iter().map(line).collect(),
        better: Vec::new(),
    };
    to_page("The line as a ledger", provenance, &data, SCORES_OF_MOVER)
}

/// The line of an iteration with its ledger, and its score for the side to move.
fn explained(position: &Position, iteration: &Iteration, witness: &mut Witness) -> (Line, PovScore) {
    let explained = explain_iteration(position, iteration, witness);
    let line = Line::explained(position, &iteration.pv, &explained.pv);
    (line.called(iteration.iteration.to_string(), summary(&explained)), explained.score)
}

/// The best lines of positions as a page; the settings are those of the searches.
///
/// # Errors
///
/// None in practice: the data has no maps with keys that JSON could not hold.
pub fn positions_to_page(
    analyses: &[(&Position, &PositionAnalysis)],
    options: &Options,
) -> Result<String, serde_json::Error> {
    let provenance = analyses.first().map(|(_, analysis)| analysis.head.provenance.clone()).unwrap_or_default();
    let mut witness = Witness::for_boards(options);
    let mut lines = Vec::new();
    for &(position, analysis) in analyses {
        let id = analysis.id.as_ref().map(|id| format!("{}: ", isolated(id))).unwrap_or_default();
        // The board shows the position all the same.
        if analysis.lines.is_empty() {
            let heading = "There is no legal move.".to_owned();
            lines.push(Line::plain(position, &[]).called(format!("{id}no legal move"), heading));
        }
        for (index, line) in analysis.lines.iter().enumerate() {
            let score = Inexact::with_score(line.bound, line.score);
            let name = format!("{id}{}. {score} {}", index + 1, line.best_san());
            let heading = format!("{score} for White ({}), iteration {}", line.chances, line.iteration);
            lines.push(analysed(position, line, &mut witness).called(name, heading));
        }
    }
    let data = Data {
        limit: credit_limit(&options.params),
        choice: LinePicker::List,
        positions: Vec::new(),
        lines,
        better: Vec::new(),
    };
    let title = if analyses.len() == 1 { "Analysis of a position" } else { "Analysis of positions" };
    to_page(title, &provenance, &data, SCORES_OF_WHITE)
}

/// Whose scores an explained line has.
const SCORES_OF_MOVER: &str =
    "Scores are for the side to move at the start of the line; those of the evidence are the mover's.";

/// Whose scores an analysis has.
const SCORES_OF_WHITE: &str = "Scores are White's; those of the evidence are the mover's.";

/// A line of an analysis with its ledger.
fn analysed(position: &Position, line: &AnalysedLine, witness: &mut Witness) -> Line {
    let ledger = explain_entries(position, &line.moves, &line.entries, witness);
    Line::explained(position, &line.moves, &ledger)
}

/// The page around the data, with a note below the lines.
fn to_page(title: &str, provenance: &Provenance, data: &Data, note: &str) -> Result<String, serde_json::Error> {
    let body = html! {
        @if data.are_games() {
            section class="card game" { h2 id="title" {} p class="muted" id="totals" {} (curve()) }
        }
        (walk(data, note))
        (glossary())
        (scripts(data)?)
    };
    let subtitle = format!("{}{}", provenance.heading(), provenance.limits());
    Ok(Page { title: title.to_owned(), subtitle, styles: &[STYLE], body }.to_html())
}

/// The board, and beside it the choice of a line, its moves and its ledger; filled by the script.
fn walk(data: &Data, note: &str) -> Markup {
    html! {
        div class="walk" {
            (card(stage()))
            section class="card" {
                div id="choice" {}
                p id="heading" class="muted" {}
                @if data.are_games() { div id="moves" class="score-sheet" {} }
                div id="ledger" {}
                p class="muted" {
                    (note) " Amounts are in plies. Keys: left and right for the moves, home and end, "
                    @if data.lines.len() > 1 { "up and down on the choice of a line, " }
                    "f to turn the board."
                }
            }
        }
    }
}

/// The data, and the scripts that draw it.
fn scripts(data: &Data) -> Result<Markup, serde_json::Error> {
    script(data, &[&SCRIPTS[..], &[SEARCH_SCRIPT, STEPS]].concat().concat())
}

/// The board, what moves it, and both accounts.
pub fn stage() -> Markup {
    html! {
        div class="stage" {
            div id="board" {}
            div class="controls" {
                @for (id, sign, label) in [
                    ("first", "«", "to the start"),
                    ("back", "‹", "one move back"),
                    ("forward", "›", "one move forward"),
                    ("last", "»", "to the end"),
                    ("flip", "⇅", "turn the board"),
                ] {
                    button type="button" id=(id) aria-label=(label) title=(label) { (sign) }
                }
                span id="caption" aria-live="polite" {}
            }
            div id="arrows" class="keys" {}
            div id="accounts" {}
            (fen_field())
        }
    }
}

/// The expected score over a game, with what explains it; filled by the script.
fn curve() -> Markup {
    html! {
        div class="over-game" {
            div class="curve-box" {
                span class="muted y" style="top:0" { "100\u{a0}%" }
                span class="muted y" style="top:50%" { "50\u{a0}%" }
                span class="muted y" style="top:100%" { "0\u{a0}%" }
                div id="curve" {}
            }
            p class="muted" {
                "White's expected score after each move. Dots are mistakes, the larger the worse, and diamonds "
                "sacrifices that hold: click on one, or anywhere on the curve."
            }
            p class="muted statics" {
                "Without a search: "
                span class="key classical" { "classical evaluation" }
                span class="key network" { "network" }
            }
        }
    }
}
