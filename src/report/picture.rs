//! The report as pictures: how deep each iteration went, what paid for it, and the ledger of the principal variation
//! with small boards at its turning points.

use maud::{Markup, html};

use super::NominalWords;
use super::explain::{ExplainedMove, numbered};
use super::horizon::horizon;
use super::model::{IterationRow, PositionReport, PvLedger, Report};
use crate::board::{Move, Position, Square};
use crate::credit::Mechanism;
use crate::picture::{
    Band, Figure, HEADING, LineChart, Series, Stack, StackChart, WIDTH, board, from_and_to, heading, name_within,
    to_svg,
};
use crate::text::short;

/// The pictures of all positions as one file.
pub fn to_picture(report: &Report) -> String {
    let figures = |position: &PositionReport| {
        let line = position.ledgers.last().map(ledger);
        std::iter::once(title(position)).chain(charts(report, position)).chain(line).collect::<Vec<_>>()
    };
    let figures: Vec<Figure> = report.positions.iter().flat_map(figures).collect();
    to_svg("How deep the search went", &figures)
}

/// How deep the iterations of a position went, and what paid for it.
pub(super) fn charts(report: &Report, position: &PositionReport) -> Vec<Figure> {
    if position.iterations.is_empty() {
        return Vec::new();
    }
    std::iter::once(depths(report, position)).chain(credits(position)).collect()
}

/// Name and position as a figure, and how the search ended if it was early.
fn title(position: &PositionReport) -> Figure {
    let name = position.name();
    let ending = position.ending();
    let height = 36.0 + if ending.is_some() { LINE } else { 0.0 };
    let body = html! {
        text class="strong" x="0" y="15" { (name_within(name, WIDTH)) }
        text class="muted small" x="0" y="34" { (position.fen) }
        @if let Some(ending) = ending { text class="small" x="0" y=(34.0 + LINE) { (ending) } }
    };
    Figure { title: name.to_owned(), height, body }
}

/// Shades for the depths, since the colours stand for mechanisms.
const SOFTWARE: usize = 12;
const ALL_NODES: usize = 13;
const NOMINAL: usize = 14;

/// Minimum, maximum and combined depth for each iteration, compared with the paper's.
fn depths(report: &Report, position: &PositionReport) -> Figure {
    let curve = |name: &str, color: usize, value: fn(&IterationRow) -> i32| Series {
        name: name.to_owned(),
        color,
        points: position.iterations.iter().map(|row| (f64::from(row.iteration), f64::from(value(row)))).collect(),
        ..Series::default()
    };
    let papers: Vec<_> =
        position.iterations.iter().filter_map(|row| Some((f64::from(row.iteration), row.paper?))).collect();
    let nominal = NominalWords::of(&report.head.provenance).name;
    let mut chart = LineChart {
        title: "Depth of each iteration".to_owned(),
        subtitle: "maximum plies from the root".to_owned(),
        x_label: "iteration".to_owned(),
        series: vec![
            curve("combined", ALL_NODES, |row| row.max_combined),
            curve("software", SOFTWARE, |row| row.max_software),
            curve(nominal, NOMINAL, |row| row.nominal_depth),
        ],
        ..LineChart::default()
    };
    if !papers.is_empty() {
        chart.subtitle.push_str("; dashed: Deep Blue Jr. in the paper");
        let dashed = |name: &str, color: usize, value: fn(&super::model::PaperField) -> i32| Series {
            name: name.to_owned(),
            color,
            dashed: true,
            points: papers.iter().map(|(iteration, row)| (*iteration, f64::from(value(row)))).collect(),
            ..Series::default()
        };
        let unlabelled = |series: Series| Series { unlabelled: true, ..series };
        chart.series.extend([
            unlabelled(dashed("paper: lowest estimate", ALL_NODES, |row| row.estimated_combined_low)),
            unlabelled(dashed("paper: highest estimate", ALL_NODES, |row| row.estimated_combined_high)),
            dashed("paper: software", SOFTWARE, |row| row.max_software),
            unlabelled(dashed("paper: minimum", NOMINAL, |row| row.min_software)),
        ]);
        let range = |(iteration, row): &(f64, super::model::PaperField)| {
            (*iteration, f64::from(row.estimated_combined_low), f64::from(row.estimated_combined_high))
        };
        chart.bands.push(Band {
            name: "paper: estimate".to_owned(),
            color: ALL_NODES,
            points: papers.iter().map(range).collect(),
        });
    }
    chart.draw()
}

/// What each mechanism granted in each iteration; `None` if no credit was granted.
fn credits(position: &PositionReport) -> Option<Figure> {
    let granted = |row: &IterationRow, mechanism: Mechanism| {
        row.mechanisms.iter().find(|m| m.mechanism == mechanism).map_or(0.0, |m| m.credit.granted_plies)
    };
    // A mechanism has the same colour in every picture, whichever others appear.
    let parts: Vec<(usize, Mechanism)> = (1..)
        .zip(Mechanism::ALL)
        .filter(|&(_, mechanism)| position.iterations.iter().any(|row| granted(row, mechanism) > 0.0))
        .collect();
    let stack = |row: &IterationRow| Stack {
        name: row.iteration.to_string(),
        total: short(row.credit.granted_plies),
        values: parts.iter().map(|&(_, mechanism)| granted(row, mechanism)).collect(),
    };
    let chart = StackChart {
        title: "Who earned the credit".to_owned(),
        subtitle: "shares of the plies granted in each iteration; above, their sum".to_owned(),
        x_label: "iteration".to_owned(),
        stacks: position.iterations.iter().map(stack).collect(),
        parts: parts.iter().map(|(color, mechanism)| (*color, mechanism.to_string())).collect(),
    };
    (!chart.parts.is_empty()).then(|| chart.draw())
}

/// Height of a row of the ledger.
const ROW: f64 = 23.0;
/// Additional height of a second line, and of each line of evidence.
const LINE: f64 = 17.0;
/// Height of the rule where the accounts end.
const RULE: f64 = 27.0;
/// Boards in a row, and their maximum number.
const BOARD_COLUMNS: usize = 3;
const MAX_BOARDS: usize = 6;
/// Width of a board with the space to the next, the space for its coordinates, and the height of its caption.
const BOARD_SLOT: f64 = 176.0;
const COORDINATES: f64 = 12.0;
const CAPTION: f64 = 24.0;

/// Positions of one side's columns, from the edge to the middle on the left and back on the right.
struct Columns {
    mechanism: f64,
    amount: f64,
    balance: f64,
}

const WHITE: Columns = Columns { mechanism: 0.0, amount: 140.0, balance: 196.0 };
const BLACK: Columns = Columns { mechanism: 432.0, amount: 422.0, balance: 366.0 };
const MIDDLE: f64 = 260.0;

/// The principal variation as a ledger, White's entries left, Black's right, with boards at the turning points.
fn ledger(ledger: &PvLedger) -> Figure {
    let PvLedger { root, explained, moves } = ledger;
    let turning = turning_points(&explained.pv);
    let top = HEADING + 22.0;
    let mut y = top;
    let mut rows = Vec::new();
    let horizon = horizon(&explained.pv);
    for index in 0..=explained.pv.len() {
        if let Some(end) = horizon.as_ref().filter(|end| end.before == index) {
            rows.push(rule(&end.text(), y));
            y += RULE;
        }
        if let Some(step) = explained.pv.get(index) {
            let number = turning.iter().position(|&ply| ply == index).map(|place| place + 1);
            rows.push(row(root, index, step, number, y));
            y += row_height(step);
        }
    }
    let rows_end = y;
    let mut boards = Vec::new();
    let mut position = root.clone();
    for (index, (&m, step)) in moves.iter().zip(&explained.pv).enumerate() {
        position = position.play(m);
        if let Some(place) = turning.iter().position(|&ply| ply == index) {
            let x = (place % BOARD_COLUMNS) as f64 * BOARD_SLOT;
            let y = rows_end + 18.0 + (place / BOARD_COLUMNS) as f64 * (BOARD_SLOT + CAPTION);
            let caption =
                Caption { number: place + 1, mv: numbered(root, index, &step.text.san), effect: effect(step) };
            boards.push(turning_point(&position, m, &caption, (x, y)));
        }
    }
    let board_rows = boards.len().div_ceil(BOARD_COLUMNS) as f64;
    let title = "The line as a ledger";
    let (iteration, score) = (explained.iteration, explained.score);
    let subtitle = format!("iteration {iteration}, score {score} for the side to move; amounts in plies");
    let body = html! {
        (heading(title, &subtitle))
        text class="small strong" x=(WHITE.mechanism) y=(HEADING + 12.0) { "White" }
        text class="small strong" x=(BLACK.mechanism) y=(HEADING + 12.0) { "Black" }
        @for side in [WHITE, BLACK] {
            text class="muted small end" x=(side.amount) y=(HEADING + 12.0) { "earned" }
            text class="muted small end" x=(side.balance) y=(HEADING + 12.0) { "account" }
        }
        line class="axis" x1="0" x2=(WIDTH) y1=(top - 2.0) y2=(top - 2.0) {}
        @for row in rows { (row) }
        @for board in boards { (board) }
    };
    let height = rows_end + if board_rows > 0.0 { 18.0 + board_rows * (BOARD_SLOT + CAPTION) - 12.0 } else { 4.0 };
    Figure { title: title.to_owned(), height, body }
}

/// The plies at which the line turned: where most was cashed in, or, if nothing was, most was earned.
fn turning_points(line: &[ExplainedMove]) -> Vec<usize> {
    let ranked = |weight: fn(&ExplainedMove) -> f64, most: usize| {
        let mut plies: Vec<usize> = (0..line.len()).filter(|&ply| weight(&line[ply]) > 0.0).collect();
        plies.sort_by(|&a, &b| weight(&line[b]).total_cmp(&weight(&line[a])).then(a.cmp(&b)));
        plies.truncate(most);
        plies.sort_unstable();
        plies
    };
    let cashed = ranked(|step| f64::from(step.cashed()), MAX_BOARDS);
    if cashed.is_empty() { ranked(|step| step.earned(), BOARD_COLUMNS) } else { cashed }
}

/// One move of the ledger, with the number of its board if it has one.
fn row(root: &Position, index: usize, step: &ExplainedMove, number: Option<usize>, y: f64) -> Markup {
    let (mine, other) = step.side.fold_wb((WHITE, BLACK), (BLACK, WHITE));
    let height = row_height(step);
    let base = y + 16.0;
    let second = base + LINE;
    html! {
        @if number.is_some() { rect class="row" x="0" y=(y) width=(WIDTH) height=(height) {} }
        // The column of moves ends above the evidence, which crosses it.
        @for x in [MIDDLE - 54.0, MIDDLE + 54.0] {
            line class="axis" x1=(x) x2=(x) y1=(y) y2=(y + height - LINE * evidence_lines(step) as f64) {}
        }
        text class="middle strong" x=(MIDDLE) y=(base) { (numbered(root, index, &step.text.san)) }
        @if let Some(mechanism) = step.award.map(|award| award.mechanism) {
            text class="small" x=(mine.mechanism) y=(base) { (mechanism) }
            text class="small end" x=(mine.amount) y=(base) { (format!("{:+.2}", step.earned())) }
        }
        @if let Some(accounts) = step.accounts {
            @let (own, others) = (accounts.of(step.side), accounts.of(!step.side));
            text class="small strong end" x=(mine.balance) y=(base) { (format!("{:.2}", own.after_move)) }
            text class="small muted end" x=(other.balance) y=(base) { (format!("{:.2}", others.after_move)) }
            @if others.given_up() > 0.0 {
                text class="small muted" x=(other.mechanism) y=(base) { "gives up" }
                text class="small muted end" x=(other.amount) y=(base) { (format!("−{:.2}", others.given_up())) }
            }
        }
        @if has_second_line(step) {
            text class="small" x=(mine.mechanism) y=(second) {
                @if step.is_kept() { "(kept) " }
                @if step.cashed() > 0 { tspan class="strong" { "cashed" } }
            }
            @if step.cashed() > 0 { text class="small strong end" x=(mine.amount) y=(second) { "−" (step.cashed()) } }
        }
        @for (place, text) in step.evidence().split_terminator("; ").enumerate() {
            @let below = evidence_lines(step) - 1 - place;
            text class="small muted middle" x=(MIDDLE) y=(y + height - 7.0 - LINE * below as f64) { (text) }
        }
        @if let Some(number) = number { (badge(number, (MIDDLE - 54.0, y + ROW / 2.0))) }
        line class="grid" x1="0" x2=(WIDTH) y1=(y + height) y2=(y + height) {}
    }
}

/// Whether a row has a second line: for credit that was kept, or cashed in.
fn has_second_line(step: &ExplainedMove) -> bool {
    step.is_kept() || step.cashed() > 0
}

/// The lines of evidence: a bound, a line of play.
fn evidence_lines(step: &ExplainedMove) -> usize {
    step.evidence().split_terminator("; ").count()
}

fn row_height(step: &ExplainedMove) -> f64 {
    ROW + LINE * (usize::from(has_second_line(step)) + evidence_lines(step)) as f64
}

/// The end of the accounts.
fn rule(text: &str, y: f64) -> Markup {
    html! {
        line class="rule" x1="0" x2=(WIDTH) y1=(y + 1.0) y2=(y + 1.0) {}
        text class="small strong middle" x=(MIDDLE) y=(y + 18.0) { (text) }
    }
}

/// A number in a disc, which links a row to its board.
fn badge(number: usize, (x, y): (f64, f64)) -> Markup {
    html! {
        circle class="badge" cx=(x) cy=(y) r="8" {}
        text class="on-badge middle" x=(x) y=(y + 4.0) { (number) }
    }
}

/// What stands above a board.
struct Caption {
    /// Links the board to the move's row.
    number: usize,
    /// The move with its number.
    mv: String,
    /// What it did.
    effect: String,
}

/// The plies that a move cashed in, or what it earned.
fn effect(step: &ExplainedMove) -> String {
    match step.cashed() {
        0 => format!("earns {:.2}", step.earned()),
        1 => "+1 ply".to_owned(),
        plies => format!("+{plies} plies"),
    }
}

/// The board after a move of the line.
fn turning_point(position: &Position, m: Move, caption: &Caption, (x, y): (f64, f64)) -> Markup {
    let marks: Vec<Square> = from_and_to(m).into_iter().flatten().collect();
    html! {
        (badge(caption.number, (x + 8.0, y + 8.0)))
        text class="small strong" x=(x + 22.0) y=(y + 12.0) { (caption.mv) }
        text class="small muted end" x=(x + BOARD_SLOT - 20.0) y=(y + 12.0) { (caption.effect) }
        (board(position, &marks, &[], (x + COORDINATES, y + CAPTION), BOARD_SLOT - 20.0 - 2.0 * COORDINATES))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::explain::explained;
    use crate::search::LedgerEntry;

    #[test]
    fn boards_show_where_most_was_cashed_in() {
        let position = Position::default();
        let m = position.legal_moves()[0];
        let step = |cashed| explained(&position, 1, m, Some(LedgerEntry { cashed, ..LedgerEntry::default() }), None);
        // One more than there are boards.
        let line: Vec<ExplainedMove> = (1..).take(MAX_BOARDS + 1).map(step).collect();
        assert_eq!(turning_points(&line), (1..=MAX_BOARDS).collect::<Vec<_>>());
    }
}
