//! Runs as pictures and pages: solved positions against nodes and time, and every position in detail.

use std::path::Path;

use maud::{Markup, html};

use super::compare::san;
use super::model::{PositionResult, SuiteReport};
use super::{Comparison, Difference, Milestone};
use crate::board::Position;
use crate::picture::{Figure, LineChart, Page, Series, board, card, fen_line, sift, sift_script, to_svg};
use crate::score::StatedScore;
use crate::text::{grouped, percent, probability, seconds};

/// How many positions each run had solved by number of nodes, and by time if all of them have times.
pub fn curves(reports: &[&SuiteReport]) -> Vec<Figure> {
    let timed = reports.iter().all(|report| report.total.time_ms.is_some());
    let nodes = chart(reports, "Solved positions by nodes", "nodes to the solution", |at| Some(at.nodes));
    let times =
        timed.then(|| chart(reports, "Solved positions by time", "milliseconds to the solution", |at| at.time_ms));
    std::iter::once(nodes).chain(times).map(|chart| chart.draw()).collect()
}

/// The curves as a separate file.
pub fn to_curves(reports: &[&SuiteReport]) -> String {
    to_svg("Solved positions", &curves(reports))
}

fn chart(reports: &[&SuiteReport], title: &str, x_label: &str, cost: fn(&Milestone) -> Option<u64>) -> LineChart {
    let costs = |report: &SuiteReport| {
        let solved = report.positions.iter().filter(|result| result.solved);
        let mut costs: Vec<u64> = solved.filter_map(|result| cost(result.solution.as_ref()?)).collect();
        costs.sort_unstable();
        costs
    };
    let all: Vec<Vec<u64>> = reports.iter().map(|report| costs(report)).collect();
    let end = all.iter().flatten().copied().max().unwrap_or(1);
    let series = |(index, costs): (usize, &Vec<u64>)| {
        let climb = costs.iter().enumerate().map(|(solved, &cost)| (cost as f64, solved as f64 + 1.0));
        let start = costs.first().map(|&cost| (cost as f64, 0.0));
        let last = (end as f64, costs.len() as f64);
        let name =
            if reports.len() > 1 { format!("{}: {}", letter(index), costs.len()) } else { costs.len().to_string() };
        Series {
            name,
            color: index % 8 + 1,
            steps: true,
            points: start.into_iter().chain(climb).chain([last]).collect(),
            ..Series::default()
        }
    };
    let positions = reports.iter().map(|report| report.total.positions).max().unwrap_or(0);
    LineChart {
        title: title.to_owned(),
        subtitle: format!("of {positions}; each step is a solution found and kept"),
        x_label: x_label.to_owned(),
        log_x: true,
        key: if reports.len() > 1 { key(reports) } else { Vec::new() },
        series: all.iter().enumerate().map(series).collect(),
        ..LineChart::default()
    }
}

/// The letter and colour of each run.
fn key(reports: &[&SuiteReport]) -> Vec<(usize, String)> {
    let entry =
        |(index, report): (usize, &&SuiteReport)| (index % 8 + 1, format!("{}: {}", letter(index), report.label()));
    reports.iter().enumerate().map(entry).collect()
}

/// A, B, C and so on.
fn letter(index: usize) -> char {
    char::from(b'A' + (index % 26) as u8)
}

/// Runs over the same suites as one page: totals, curves, themes, and each position with its board.
pub fn to_page(reports: &[SuiteReport]) -> String {
    let all: Vec<&SuiteReport> = reports.iter().collect();
    let mut suites: Vec<&str> = Vec::new();
    for suite in reports.iter().flat_map(|report| &report.run.suites) {
        // A file's folder says little about its contents.
        let name = Path::new(&suite.name).file_name().and_then(|name| name.to_str()).unwrap_or(&suite.name);
        if !suites.contains(&name) {
            suites.push(name);
        }
    }
    let subtitle = match reports {
        [report] => format!("{}, {}", report.label(), limits(report)),
        [first, ..] => limits(first),
        [] => String::new(),
    };
    let body = html! {
        @match reports {
            [report] => ul class="figures" { (sums(report)) },
            _ => (card(html! { div class="scroll" { (engines(reports)) } })),
        }
        div class="sheet" style="margin-top:18px" {
            @for figure in curves(&all) { (card(figure.inline())) }
            @if reports.iter().any(|report| !report.themes.is_empty()) {
                (card(html! { h3 { "Themes" } div class="scroll" { (themes(reports)) } }))
            }
        }
        h2 { "Positions" }
        @let unsolved = reports.first().map_or(0, |report| report.positions.iter().filter(|r| !r.solved).count());
        @if unsolved > 0 {
            p class="filter" { label { input type="checkbox" id="only-unsolved"; " unsolved only" } }
        }
        @let rows = reports.first().map_or(0, |report| report.positions.len());
        (sift(rows, true))
        (card(html! { @for result in reports.first().map_or(&[][..], |report| &report.positions) { (position(reports, result)) } }))
        (sift_script(rows))
    };
    Page { title: format!("Solved: {}", suites.join(", ")), subtitle, body }.to_html()
}

/// The limits of a run.
fn limits(report: &SuiteReport) -> String {
    let settings = &report.run.head.provenance;
    let mut parts = Vec::new();
    parts.extend(settings.nodes.map(|nodes| format!("{} nodes", grouped(nodes))));
    parts.extend(settings.depth.map(|depth| format!("depth {depth}")));
    parts.extend(settings.movetime_ms.map(seconds));
    let table = settings.hash_mb.map(|hash_mb| format!(", {hash_mb} MB of table")).unwrap_or_default();
    format!("{} per position{table}, rule {}", parts.join(", "), report.run.rule)
}

/// The totals of one run, large.
fn sums(report: &SuiteReport) -> Markup {
    let total = &report.total;
    let item = |value: String, what: &str| html! { li { strong { (value) } span class="muted" { (what) } } };
    html! {
        (item(format!("{} of {}", total.solved, total.positions), "solved"))
        @if let (Some(points), Some(max)) = (total.points, total.max_points) {
            (item(percent(points, max), "of the points"))
        }
        @if total.lost > 0 { (item(total.lost.to_string(), "found and left again")) }
        @if let Some(nodes) = total.mean_solution_nodes { (item(grouped(nodes as u64), "mean nodes to the solution")) }
        (item(grouped(total.nodes), "nodes"))
        @if let Some(time) = total.time_ms { (item(seconds(time), "of searching")) }
        @if report.missing() > 0 { (item(report.missing().to_string(), "not done")) }
    }
}

/// The totals of several runs, a row for each; the others are compared with the first.
fn engines(reports: &[SuiteReport]) -> Markup {
    html! {
        table {
            thead { tr {
                th { "" } th { "engine" } th class="right" { "solved" } th class="right" { "of" }
                th class="right" { "gained" } th class="right" { "lost" } th class="right" { "p" }
                th class="right" { "nodes" } th class="right" { "mean nodes to solution" }
            } }
            tbody {
                @for (index, report) in reports.iter().enumerate() {
                    @let split = (index > 0).then(|| Comparison::new(&reports[0], report));
                    tr {
                        td { (letter(index)) } td { (report.label()) }
                        td class="right" { (report.total.solved) } td class="right" { (report.total.positions) }
                        @if let Some(split) = split {
                            td class="right" { (split.gained.len()) } td class="right" { (split.lost.len()) }
                            td class="right" { (probability(split.p_value)) }
                        } @else { td {} td {} td {} }
                        td class="right" { (grouped(report.total.nodes)) }
                        td class="right" { (report.total.mean_solution_nodes.map_or(String::new(), |n| grouped(n as u64))) }
                    }
                }
            }
        }
    }
}

fn themes(reports: &[SuiteReport]) -> Markup {
    html! {
        table {
            thead { tr {
                th { "theme" }
                @for index in 0..reports.len() {
                    th class="right" { "solved" @if reports.len() > 1 { " " (letter(index)) } }
                    th class="right" { "points" }
                }
            } }
            tbody {
                @for theme in reports.first().map_or(&[][..], |report| &report.themes) {
                    tr {
                        td class="wrap" { (theme.name) }
                        @for report in reports {
                            @if let Some(own) = report.themes.iter().find(|own| own.name == theme.name) {
                                td class="right" { (own.solved) " of " (own.positions) }
                                td class="right" { (percent(own.points.unwrap_or(0), own.max_points.unwrap_or(0))) }
                            } @else { td {} td {} }
                        }
                    }
                }
            }
        }
    }
}

/// One position: each run's answer, and the board when it is opened.
fn position(reports: &[SuiteReport], first: &PositionResult) -> Markup {
    let results: Vec<Option<&PositionResult>> = reports
        .iter()
        .map(|report| {
            report
                .positions
                .binary_search_by_key(&first.index, |result| result.index)
                .ok()
                .map(|at| &report.positions[at])
        })
        .collect();
    let all_solved = results.iter().all(|result| result.is_some_and(|result| result.solved));
    html! {
        @let nodes = first.solution.map(|at| at.nodes);
        details class=(if all_solved { "solved" } else { "unsolved" }) data-nodes=[nodes] {
            summary {
                span class="name" { (first.id) }
                span class="what" { (first.expected) }
                @for (index, result) in results.iter().enumerate() {
                    @let (class, answer) = match result {
                        Some(result) if result.solved => ("good", "solved"),
                        Some(result) => ("bad", result.played_san().unwrap_or("none")),
                        None => ("muted", "not done"),
                    };
                    span class="verdict" {
                        @if results.len() > 1 { span class="muted" { (letter(index)) " " } }
                        span class=(class) { (answer) }
                    }
                }
                @if let [Some(result)] = results[..] {
                    span class="count" { (result.solution.map_or(String::new(), |at| grouped(at.nodes))) }
                }
            }
            div class="position" {
                (diagram(&first.fen))
                div {
                    (fen(&first.fen))
                    @for (report, result) in reports.iter().zip(&results) {
                        @if let Some(result) = result { (answer(reports.len() > 1, report, result)) }
                    }
                }
            }
        }
    }
}

/// A run's answer, in full.
fn answer(several: bool, report: &SuiteReport, result: &PositionResult) -> Markup {
    html! {
        p {
            @if several { strong { (report.label()) ":" } " " }
            "played " (result.played_san().unwrap_or("nothing")) " (" (result.score.value) " for the side to move) at depth " (result.iteration) ", "
            (grouped(result.nodes)) " nodes"
            @if let Some(points) = result.points { ", " (points) " points" }
            @if let Some(at) = result.solution { "; right from iteration " (at.iteration) ", " (grouped(at.nodes)) " nodes" }
            @if result.left_again { "; left again after iteration " (result.first_seen.map_or(0, |at| at.iteration)) }
            "." br;
            span class="muted" { (result.pv_san()) }
        }
    }
}

/// A position's FEN with a link; castling rights that name files are those of Chess960.
fn fen(fen: &str) -> Markup {
    let by_file = fen.split(' ').nth(2).is_some_and(|rights| rights.chars().any(|right| !"KQkq-".contains(right)));
    fen_line(fen, by_file)
}

/// A board for a page; empty if the position cannot be parsed.
fn diagram(fen: &str) -> Markup {
    let position = Position::from_fen(fen, true);
    html! {
        @if let Ok(position) = position {
            svg viewBox="0 0 240 228" role="img" aria-label=(fen) { (board(&position, &[], (16.0, 1.0), 208.0)) }
        }
    }
}

/// A comparison as a page: the verdict, the curves, and the positions gained and lost.
pub fn to_comparison_page(before: &SuiteReport, after: &SuiteReport, comparison: &Comparison) -> String {
    let item = |value: String, what: &str| html! { li { strong { (value) } span class="muted" { (what) } } };
    let both = &comparison.both_solve;
    let body = html! {
        ul class="figures" {
            (item(format!("{} → {}", comparison.before_solved, comparison.after_solved), &format!("solved, of {}", comparison.positions)))
            (item(format!("+{} −{}", comparison.gained.len(), comparison.lost.len()), "gained and lost"))
            (item(probability(comparison.p_value), "p, McNemar's exact test"))
            @if let Some(ratio) = both.node_ratio { (item(format!("× {ratio:.2}"), "nodes to a solution, if both solve")) }
        }
        div class="sheet" style="margin-top:18px" {
            @for figure in curves(&[before, after]) { (card(figure.inline())) }
        }
        (differences("Gained", &comparison.gained))
        (differences("Lost", &comparison.lost))
        (sift_script(comparison.gained.len().max(comparison.lost.len())))
    };
    let subtitle = format!("A: {}; B: {}; {}", before.label(), after.label(), limits(after));
    Page { title: "Two runs compared".to_owned(), subtitle, body }.to_html()
}

/// Positions that one run solves and the other does not.
fn differences(title: &str, list: &[Difference]) -> Markup {
    html! {
        @if !list.is_empty() {
            h2 { (title) }
            (sift(list.len(), false))
            (card(html! {
                @for difference in list {
                    details {
                        summary {
                            span class="name" { (difference.id) }
                            span class="what" { (difference.expected) }
                            span class="pair" {
                                "A " (san(&difference.before)) ", B " (san(&difference.after))
                            }
                        }
                        div class="position" { (diagram(&difference.fen)) div { (fen(&difference.fen)) } }
                    }
                }
            }))
        }
    }
}

impl maud::Render for StatedScore {
    fn render(&self) -> Markup {
        html! { (self.to_string()) }
    }
}
