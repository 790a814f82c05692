//! Runs as a page: totals, curves, themes, and every position in detail.

use std::path::Path;

use maud::{Markup, html};

use super::curves::{NamedRun, curves, letter};
use super::labels::labels;
use super::model::{SuiteReport, all_positions, all_themes, points_remark};
use super::position_result::PositionResult;
use super::table::{engine_columns, fate, shortcomings};
use super::{Answer, Comparison, MateLine};
use crate::board::Position;
use crate::json::MoveText;
use crate::picture::{Arrow, Page, board, card, fen_line, scroller, sift, sift_script};
use crate::text::{counted, grouped, nearest, percent, seconds};

/// Runs over the same suites as one page: totals, curves, themes, and each position with its board.
pub fn to_page(reports: &[SuiteReport]) -> String {
    let names = labels(reports);
    let named = reports.iter().zip(&names).map(|(report, name)| NamedRun { name, report });
    let all: Vec<NamedRun> = named.collect();
    let mut suites: Vec<&str> = Vec::new();
    for suite in reports.iter().flat_map(|report| &report.run.suites) {
        // A file's folder says little about its contents.
        let name = Path::new(&suite.name).file_name().and_then(|name| name.to_str()).unwrap_or(&suite.name);
        if !suites.contains(&name) {
            suites.push(name);
        }
    }
    let subtitle = match &names[..] {
        [name] => format!("{name}, {}", all_limits(reports)),
        _ => all_limits(reports),
    };
    let splits = Comparison::with_first(reports);
    let body = html! {
        @match reports {
            [report] => { ul class="figures" { (sums(report)) } },
            _ => {
                (card(scroller("Engines", engines(reports, &names, &splits))))
                @if let Some(warning) = splits.iter().flatten().find_map(Comparison::warning) {
                    p class="bad note" { "Warning: " (warning) "." }
                }
            },
        }
        (notes(reports))
        div class="sheet" style="margin-top:18px" {
            @for figure in curves(&all) { (card(figure.inline())) }
            @if reports.iter().any(|report| !report.themes.is_empty()) {
                (card(html! { h2 class="minor" { "Themes" } (scroller("Themes", themes(reports))) }))
            }
        }
        h2 { "Positions" }
        @let positions = all_positions(reports);
        @if reports.iter().any(|report| report.total.solved < positions.len()) {
            p class="filter" { label { input type="checkbox" id="only-unsolved"; " unsolved only" } }
        }
        (sift(positions.len(), true))
        (card(html! { @for first in &positions { (position(reports, &names, first)) } }))
        (sift_script(positions.len()))
    };
    Page { title: format!("Solved: {}", suites.join(", ")), subtitle, styles: &[], body }.to_html()
}

/// The limits of a run.
pub(super) fn limits(report: &SuiteReport) -> String {
    let settings = &report.run.head.provenance;
    let mut parts = Vec::new();
    parts.extend(settings.nodes.map(|nodes| format!("{} nodes", grouped(nodes))));
    parts.extend(settings.depth.map(|depth| format!("depth {depth}")));
    parts.extend(settings.movetime_ms.map(seconds));
    let table = settings.hash_mb.map(|hash_mb| format!(", {hash_mb} MB of table")).unwrap_or_default();
    format!("{} per position{table}, rule {}", parts.join(", "), report.run.rule)
}

/// The limits of several runs, once if all have the same.
fn all_limits(reports: &[SuiteReport]) -> String {
    let mut all: Vec<String> = reports.iter().map(limits).collect();
    if all.iter().all(|limits| *limits == all[0]) {
        all.truncate(1);
        return all.concat();
    }
    let lettered = |(index, limits): (usize, &String)| format!("{}: {limits}", letter(index));
    all.iter().enumerate().map(lettered).collect::<Vec<_>>().join("; ")
}

/// An item of a list of `figures`: the value, large, and what it is.
pub(super) fn item(value: String, what: &str) -> Markup {
    html! { li { strong { (value) } span class="muted" { (what) } } }
}

/// The totals of one run, large.
fn sums(report: &SuiteReport) -> Markup {
    let total = &report.total;
    let count = |count: usize| grouped(count as u64);
    html! {
        (item(format!("{} of {}", count(total.solved), count(total.positions)), "solved"))
        @if let (Some(points), Some(max)) = (total.points, total.max_points) {
            (item(percent(points, max), &format!("of the points: {} of {}", grouped(points), grouped(max))))
        }
        @if let Some(rating) = total.sts_rating { (item(rating.to_string(), "STS rating")) }
        @if total.lost > 0 { (item(count(total.lost), "found and left again")) }
        @if let Some(nodes) = total.mean_solution_nodes {
            (item(grouped(nearest(nodes)), "mean nodes to the solution"))
        }
        (item(grouped(total.nodes), "nodes"))
        @if let Some(time) = total.time_ms { (item(seconds(time), "of searching")) }
        @if report.missing() > 0 { (item(count(report.missing()), "not done")) }
    }
}

/// What is amiss in each run or its suites, and what a reader must know of its points and rating; once if all runs
/// share it.
fn notes(reports: &[SuiteReport]) -> Markup {
    let of_run = |report: &SuiteReport| {
        let notes: Vec<String> = shortcomings(&report.total).into_iter().chain(report.sts_remark()).collect();
        notes.join("; ")
    };
    let notes: Vec<String> = reports.iter().map(of_run).collect();
    let shared = notes.first().filter(|first| notes.iter().all(|other| other == *first));
    html! {
        @if let Some(remark) = points_remark(reports) { p class="muted note" { (remark) "." } }
        @if let Some(shared) = shared {
            @if !shared.is_empty() { p class="muted note" { (shared) "." } }
        } @else {
            @for (index, notes) in notes.iter().enumerate().filter(|(_, notes)| !notes.is_empty()) {
                p class="muted note" { (letter(index)) ": " (notes) "." }
            }
        }
    }
}

/// The totals of several runs, a row for each. A column without contents is left out.
fn engines(reports: &[SuiteReport], names: &[String], splits: &[Option<Comparison>]) -> Markup {
    let mut columns = engine_columns(reports, splits);
    columns.retain(|(_, cells)| cells.iter().any(Option::is_some));
    html! {
        table {
            thead { tr {
                th { "" } th { "engine" }
                @for (title, _) in &columns { th class="right" { (title) } }
            } }
            tbody {
                @for (index, name) in names.iter().enumerate() {
                    tr {
                        td { (letter(index)) } td { (name) }
                        @for (_, cells) in &columns {
                            td class="right" { (cells[index].as_deref().unwrap_or_default()) }
                        }
                    }
                }
            }
        }
    }
}

fn themes(reports: &[SuiteReport]) -> Markup {
    let has_points = reports.iter().flat_map(|report| &report.themes).any(|theme| theme.points.is_some());
    html! {
        table {
            thead { tr {
                th { "theme" }
                @for index in 0..reports.len() {
                    th class="right" { "solved" @if reports.len() > 1 { " " (letter(index)) } }
                    @if has_points { th class="right" { "points" } }
                }
            } }
            tbody {
                @for (name, _) in all_themes(reports) {
                    tr {
                        td class="wrap" { (name) }
                        @for report in reports {
                            @if let Some(own) = report.themes.iter().find(|own| own.name == name) {
                                td class="right" { (own.solved) " of " (own.positions) }
                                @if has_points {
                                    @let points = own.points.zip(own.max_points);
                                    td class="right" { @if let Some((own, most)) = points { (percent(own, most)) } }
                                }
                            } @else { td {} @if has_points { td {} } }
                        }
                    }
                }
            }
        }
    }
}

/// One position: each run's answer, and the board when it is opened.
fn position(reports: &[SuiteReport], names: &[String], first: &PositionResult) -> Markup {
    let results: Vec<Option<&PositionResult>> = reports.iter().map(|report| report.result(first.index)).collect();
    let all_solved = results.iter().all(|result| result.is_some_and(|result| result.solved));
    html! {
        @let nodes = first.solution.map(|at| at.nodes);
        details class=(if all_solved { "solved" } else { "unsolved" }) data-nodes=[nodes] {
            summary {
                span class="name" { (first.id) }
                span class="what" { (first.expected.to_string()) }
                @for (index, result) in results.iter().enumerate() {
                    @let (class, answer) = match result {
                        Some(result) if result.solved => ("good", "solved".to_owned()),
                        Some(result) => {
                            let played = result.played_san().unwrap_or("nothing");
                            ("bad", if results.len() == 1 { format!("played {played}") } else { played.to_owned() })
                        }
                        None => ("muted", "not done".to_owned()),
                    };
                    span class="verdict" {
                        @if results.len() > 1 { span class="muted" { (letter(index)) " " } }
                        span class=(class) { (answer) }
                        @if let Some(points) = result.and_then(|result| result.points) {
                            span class="muted" { " " (points) }
                        }
                    }
                }
                @if let [Some(result)] = results[..] {
                    span class="count" { (result.solution.map_or(String::new(), |at| counted(at.nodes as usize, "node"))) }
                }
            }
            div class="position" {
                (diagram(&first.fen, |_| Vec::new()))
                div {
                    (fen(&first.fen))
                    @for (name, result) in names.iter().zip(&results) {
                        @let name = (reports.len() > 1).then_some(name.as_str());
                        @if let Some(result) = result { (answer(name, &Answer::from(*result))) }
                    }
                }
            }
        }
    }
}

/// A run's answer, in full, after the run's name if there are several.
pub(super) fn answer(name: Option<&str>, answer: &Answer) -> Markup {
    html! {
        p {
            @if let Some(name) = name { strong { (name) ":" } " " }
            "played " (answer.played.as_ref().map_or("nothing", |played| &played.san)) " (" (answer.score.value)
            " for the side to move) at depth " (answer.iteration) ", "
            (grouped(answer.nodes)) " nodes"
            @if let Some(points) = answer.points { ", " (points) " points" }
            @if let Some(at) = answer.solution { "; right from iteration " (at.iteration) ", " (grouped(at.nodes)) " nodes" }
            @if let Some(fate) = fate(answer.left_again, answer.first_seen, answer.solution) { "; " (fate) }
            @if let Some(fault) = answer.mate_line.and_then(MateLine::fault) { "; " (fault) }
            "." br;
            span class="muted" { (MoveText::sans(&answer.pv)) }
        }
    }
}

/// A position's FEN with a link. It is one of Chess960 if only that has all its castling rights.
pub(super) fn fen(fen: &str) -> Markup {
    let read = |chess960| Position::from_fen(fen, chess960).ok().map(|position| position.fen());
    fen_line(fen, read(true) != read(false))
}

/// A board with arrows for a page; empty if the position cannot be parsed.
pub(super) fn diagram(fen: &str, arrows: impl Fn(&Position) -> Vec<Arrow>) -> Markup {
    let position = Position::from_fen(fen, true);
    html! {
        @if let Ok(position) = position {
            svg viewBox="0 0 240 228" role="img" aria-label=(fen) {
                (board(&position, &[], &arrows(&position), (16.0, 1.0), 208.0))
            }
        }
    }
}
