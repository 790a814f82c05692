//! A tree's overview for a terminal: the reasons of its visits, what ended them, and where credit was spent.

use std::cmp::Ordering;
use std::fmt::Write as _;

use super::model::{NodeId, Tree};
use super::refutations::Refutation;
use super::{Parting, Spending};
use crate::report::explain::{ledger, numbered};
use crate::report::model::mechanism_rows;
use crate::report::text::{ENVELOPE_LEGEND, credit_cells};
use crate::score::StatedScore;
use crate::text::{TableStyle, aligned, counted, grouped, percent, push};

/// How the tables are shown on a terminal.
pub const TABLES: TableStyle = TableStyle {
    folded: &["subtree", "line"],
    legends: &[LEGEND],
    ..TableStyle::without_verdicts(&[
        "failed",
        "again",
        "granted",
        "delayed",
        "iteration",
        "awards",
        "cashed",
        "line",
        "nodes",
    ])
};
/// Headers of the table of mechanisms.
const MECHANISM_HEADERS: [&str; 7] = ["mechanism", "awards", "granted", "cashed", "delayed", "again", "failed"];
/// Headers of the table of subtrees in which credit was spent.
const SPENDING_HEADERS: [&str; 6] = ["cashed", "visits", "nodes", "deepest", "paid by", "subtree"];
/// Headers of a table of visits.
const VISIT_HEADERS: [&str; 6] = ["tree", "iteration", "depth", "cashed", "score", "line"];
/// Maximum number of subtrees shown in which credit was spent.
const SHOWN_SPENDINGS: usize = 10;
/// Maximum number of mechanisms named for each.
const SHOWN_PAYERS: usize = 3;
/// Maximum number of places shown for each tree where two trees diverge.
const SHOWN_PARTINGS: usize = 10;

/// The legend below the tables.
const LEGEND: &str = "\
Visits to nodes of the software's tree are recorded; a position that is searched twice is visited twice. within: visits
that belong to a search for that reason; what lies below a move made for evidence, or below a null move, belongs to
that. nodes: searched in these, with those of horizon search and quiescence; a test of a move or a null move that begins
with the horizon search is no visit, and its nodes count as evidence. awards, granted, cashed: how often credit was
awarded, the sum in plies, and plies of extension paid from it; delayed: those of them that the last award alone would
not have paid. again, failed: moves searched again with new credit, and those that did not hold. A subtree begins with
the first plies cashed in on its line. [x] is a move made for evidence, -- a null move.
";

/// Writes the overview of a tree.
pub fn to_text(tree: &Tree) -> String {
    let mut text = format!("{}\n{}\n", tree.position.fen(), tree.provenance.heading());
    push_search(&mut text, tree);
    if tree.nodes.is_empty() {
        text.push_str("Nothing was searched: there is no legal move.\n");
        return text;
    }
    text.push('\n');
    push_visits(&mut text, tree);
    push_mechanisms(&mut text, tree);
    push_spendings(&mut text, tree);
    text.push_str(LEGEND);
    text.push_str(ENVELOPE_LEGEND);
    text
}

/// What was searched, and the result.
fn push_search(text: &mut String, tree: &Tree) {
    let visits = counted(tree.nodes.len(), "visit");
    let _ = writeln!(text, "{} nodes, {visits} to nodes of the software's tree", grouped(tree.outcome.nodes));
    if tree.left_out > 0 {
        let _ = writeln!(text, "{} more visits were not recorded: there are too many", grouped(tree.left_out));
    }
    if let Some(last) = tree.iterations.last() {
        let score = StatedScore::from(last.score);
        let line = tree.position.san_line(&last.pv);
        let _ = writeln!(text, "iteration {}, score {score} for the side to move: {line}", last.iteration);
    }
}

/// The visits by reason, and by what ended them.
fn push_visits(text: &mut String, tree: &Tree) {
    let total = tree.outcome.nodes;
    let mut table = aligned(&["reason", "visits", "within", "nodes", "of all"], &["reason"]);
    for (reason, sum) in tree.by_reason() {
        let counts = [sum.visits, sum.below, sum.nodes].map(grouped);
        table.add_row([reason.name().to_owned()].into_iter().chain(counts).chain([percent(sum.nodes, total)]));
    }
    push(text, &table);
    let mut table = aligned(&["end", "visits", "of all"], &["end"]);
    for (end, visits) in tree.by_end() {
        let share = percent(visits, tree.nodes.len() as u64);
        table.add_row([end.name().to_owned(), grouped(visits), share]);
    }
    push(text, &table);
}

/// What each mechanism did.
fn push_mechanisms(text: &mut String, tree: &Tree) {
    let rows = mechanism_rows(&tree.credit(None));
    if rows.is_empty() {
        text.push_str("No credit was granted.\n\n");
        return;
    }
    let mut table = aligned(&MECHANISM_HEADERS, &["mechanism"]);
    for row in rows {
        let name = row.mechanism.name().to_owned();
        table.add_row([name].into_iter().chain(credit_cells(&row.credit)));
    }
    push(text, &table);
}

/// The subtrees where most credit was spent.
fn push_spendings(text: &mut String, tree: &Tree) {
    let spendings = tree.spendings();
    if spendings.is_empty() {
        text.push_str("No credit was spent.\n\n");
        return;
    }
    let count = counted(spendings.len(), "line");
    let _ = writeln!(text, "Credit was spent below {count}; most below these:\n");
    let mut table = aligned(&SPENDING_HEADERS, &["paid by", "subtree"]);
    for spending in spendings.iter().take(SHOWN_SPENDINGS) {
        let counts = [spending.plies, spending.visits, spending.nodes].map(grouped);
        let rest = [spending.deepest.to_string(), payers(spending), tree.line(spending.first)];
        table.add_row(counts.into_iter().chain(rest));
    }
    push(text, &table);
}

/// The mechanisms that paid, with their plies if there are several.
fn payers(spending: &Spending) -> String {
    match spending.payers().as_slice() {
        [(mechanism, _)] => mechanism.name().to_owned(),
        payers => {
            let names = payers.iter().map(|(mechanism, plies)| format!("{mechanism} {}", grouped(*plies)));
            let shown = names.take(SHOWN_PAYERS).collect::<Vec<_>>().join(", ");
            if payers.len() > SHOWN_PAYERS { format!("{shown}, ...") } else { shown }
        }
    }
}

/// Writes the first refutations, each with its ledger.
pub fn refutations_to_text(tree: &Tree, refutations: &[Refutation], most: usize) -> String {
    let Some(last) = tree.iterations.last() else { return String::new() };
    let mut text = format!(
        "Refutations of the root moves except the best in iteration {}, most expensive first\n\n",
        last.iteration
    );
    if tree.left_out > 0 {
        text.push_str("The tree was too large to be recorded completely: some may be missing.\n\n");
    }
    for refutation in refutations.iter().take(most) {
        let line = tree.ledger(&refutation.path);
        let Some(first) = line.first() else { continue };
        let m = numbered(&tree.position, 0, &first.text.san);
        let (score, nodes) = (StatedScore::from(refutation.score), grouped(refutation.nodes));
        let end = refutation.end.name();
        let draw = if refutation.score.is_repetition() { " (a repetition)" } else { "" };
        let _ = writeln!(text, "{m}: {score}{draw} for the side to move at best, {nodes} nodes");
        let _ = writeln!(text, "The line ends with: {end}\n");
        push(&mut text, &ledger(&tree.position, &line));
    }
    text
}

/// Writes where two trees diverge.
pub fn parting_to_text(left: &Tree, right: &Tree, parting: &Parting) -> String {
    let mut text = String::new();
    if let Some(first) = parting.first {
        let _ = writeln!(text, "The two trees first diverge at visit {}:\n", grouped(u64::from(first) + 1));
        let mut table = aligned(&VISIT_HEADERS, &["tree", "line"]);
        for (name, tree) in [("first", left), ("second", right)] {
            table.add_row(visit(name, tree, first));
        }
        push(&mut text, &table);
    } else {
        text.push_str(&goes_on(left, right));
        if parting.places.iter().all(Vec::is_empty) {
            return text;
        }
        text.push('\n');
    }
    let counts = parting.places.each_ref().map(|places| grouped(places.len() as u64));
    let _ = writeln!(
        text,
        "Below matching visits, {} of the first and {} of the second have no match:\n",
        counts[0], counts[1]
    );
    let mut table = aligned(&VISIT_HEADERS, &["tree", "line"]);
    for (name, tree, places) in [("first", left, &parting.places[0]), ("second", right, &parting.places[1])] {
        for &id in places.iter().take(SHOWN_PARTINGS) {
            table.add_row(visit(name, tree, id));
        }
    }
    push(&mut text, &table);
    text.push_str("Scores are for the side to move there.\n");
    text
}

/// Says which of two trees goes on where the other ends, if either does.
fn goes_on(left: &Tree, right: &Tree) -> String {
    let [first, second] = [left, right].map(|tree| tree.nodes.len());
    let (longer, shorter) = match first.cmp(&second) {
        Ordering::Equal => return "The two trees do not diverge.\n".to_owned(),
        Ordering::Less => ("second", "first"),
        Ordering::Greater => ("first", "second"),
    };
    let last = grouped(first.min(second) as u64);
    format!("The {longer} tree goes on after visit {last}, where the {shorter} ends.\n")
}

/// A visit as a row.
fn visit(name: &str, tree: &Tree, id: NodeId) -> [String; 6] {
    let node = tree.node(id);
    let score = node.score.map_or_else(|| "stopped".to_owned(), |score| StatedScore::from(score).to_string());
    let (iteration, depth) = (node.iteration.to_string(), format!("{} to {}", node.asked, node.depth));
    [name.to_owned(), iteration, depth, node.cashed.to_string(), score, tree.line(id)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::narrowed;

    #[test]
    fn what_goes_first_is_in_a_table() {
        let known = [&MECHANISM_HEADERS[..], &SPENDING_HEADERS, &VISIT_HEADERS].concat();
        TABLES.check(&known);
    }

    #[test]
    fn a_narrow_terminal_shows_the_lines_of_visits() {
        let mut table = aligned(&VISIT_HEADERS, &["tree", "line"]);
        let line = "1.Nxe5 dxe5 2.Qh5+ Kf8 3.Qxe5 Bd6 4.Qxh8+ Ke7 5.Qxg7+ Ke8";
        table.add_row(["second", "12", "8 to 10", "2", "+1.25", line]);
        let narrow = narrowed(&format!("{table}\n"), 80, &TABLES);
        assert!(narrow.lines().all(|line| line.len() <= 80) && !narrow.contains("no room"), "{narrow}");
        assert!(narrow.contains("Ke8"), "{narrow}");
    }
}
