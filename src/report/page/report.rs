//! A report as a page: the line of each position on the board, and how deep its iterations went.

use maud::{Markup, html};

use super::model::{Data, Line, LinePicker};
use super::{SCORES_OF_MOVER, STYLE, credit_limit, scripts, walk};
use crate::params::Params;
use crate::picture::{Page, card, fen_line, scroller};
use crate::report::explain::summary;
use crate::report::glossary::glossary;
use crate::report::model::{PositionReport, PvLedger};
use crate::report::picture::charts;
use crate::report::{NominalWords, Report};
use crate::text::{NOTHING, grouped, shortened};

/// The legend below the tables of iterations.
const LEGEND: &str = "nodes: of this iteration; total, seconds: since the search began.";

/// A report as a page; the settings are those of the searches.
///
/// # Errors
///
/// None in practice: the data has no maps with keys that JSON could not hold.
pub fn report_to_page(report: &Report, params: &Params) -> Result<String, serde_json::Error> {
    let explained: Vec<_> = report.positions.iter().filter(|position| !position.ledgers.is_empty()).collect();
    let names = || explained.iter().map(|position| position.name().to_owned()).collect();
    let lines = explained
        .iter()
        .enumerate()
        .flat_map(|(index, position)| position.ledgers.iter().map(move |ledger| line(ledger).of_position(index)));
    let data = Data {
        limit: credit_limit(params),
        choice: LinePicker::Slider,
        lines: lines.collect(),
        positions: if explained.len() > 1 { names() } else { Vec::new() },
        better: Vec::new(),
    };
    let has_lines = !data.lines.is_empty();
    let body = html! {
        @if has_lines { (walk(&data, SCORES_OF_MOVER)) }
        @for position in &report.positions { (depths(report, position)) }
        p class="muted note" { (LEGEND) @if let Some(legend) = report.legend_of_mark() { " " (legend) } }
        (glossary())
        @if let Some(source) = report.positions.iter().find_map(|position| position.paper_source) {
            p class="muted note" { "Paper: " (source) "." }
        }
        @if has_lines { (scripts(&data)?) }
    };
    let subtitle = report.head.provenance.heading();
    Ok(Page { title: "How deep the search went".to_owned(), subtitle, styles: &[STYLE], body }.to_html())
}

/// An iteration's principal variation with its ledger.
fn line(ledger: &PvLedger) -> Line {
    let PvLedger { root, explained, moves } = ledger;
    Line::explained(root, moves, &explained.pv).called(explained.iteration.to_string(), summary(explained))
}

/// How deep the iterations of a position went, as curves and as a table.
fn depths(report: &Report, position: &PositionReport) -> Markup {
    html! {
        h2 { (position.name()) }
        // A single position's FEN stands below its board.
        @if report.positions.len() > 1 || position.ledgers.is_empty() {
            (fen_line(&position.fen, position.is_chess960))
        }
        @if let Some(ending) = position.ending() { p { (ending) } }
        @if !position.iterations.is_empty() {
            div class="sheet" { @for figure in charts(report, position) { (card(figure.inline())) } }
            (card(scroller("Iterations", iterations(report, position))))
        }
    }
}

/// The iterations as a table.
fn iterations(report: &Report, position: &PositionReport) -> Markup {
    let with_paper = position.iterations.iter().any(|row| row.paper.is_some());
    let with_time = position.iterations.iter().any(|row| row.time_ms.is_some());
    let nominal = NominalWords::of(&report.head.provenance).name;
    html! {
        table {
            thead {
                tr {
                    th class="right" { "iteration" }
                    th class="right" { (nominal) }
                    th class="right" { "software" }
                    @if with_paper { th class="right" { "paper" } }
                    th class="right" { "combined" }
                    @if with_paper { th class="right" { "paper, estimated" } }
                    th class="right" { "nodes" }
                    th class="right" { "total" }
                    @if with_time { th class="right" { "seconds" } }
                    th class="right" { "score" }
                    th { "line" }
                }
            }
            tbody {
                @for row in &position.iterations {
                    tr {
                        td class="right" { (row.marked()) }
                        td class="right" { (row.nominal_depth) }
                        td class="right" { (row.max_software) }
                        @if with_paper {
                            @let plies = row.paper.map(|paper| paper.max_software.to_string());
                            td class="right" { (plies.as_deref().unwrap_or(NOTHING)) }
                        }
                        td class="right" { (row.max_combined) }
                        @if with_paper {
                            td class="right" {
                                @if let Some(paper) = row.paper {
                                    (paper.estimated_combined_low) "–" (paper.estimated_combined_high)
                                } @else { (NOTHING) }
                            }
                        }
                        td class="right" { (grouped(row.iteration_nodes)) }
                        td class="right" { (grouped(row.nodes)) }
                        @if with_time {
                            @let seconds = row.time_ms.map(|ms| format!("{}.{:03}", ms / 1000, ms % 1000));
                            td class="right" { (seconds.as_deref().unwrap_or(NOTHING)) }
                        }
                        td class="right" { (row.score.value) }
                        td { (shortened(row.pv.text())) }
                    }
                }
            }
        }
    }
}
