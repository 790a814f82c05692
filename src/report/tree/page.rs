//! Trees as an HTML page: rows that open on demand, next to the board and the accounts of the selected visit.
//!
//! The page holds its trees as columns of numbers, and a script draws only the open rows, so that 200,000 visits are no
//! more work than a hundred. Here, too, a subtree is a range of visits.

use std::collections::HashMap;
use std::hash::Hash;

use maud::{Markup, html};
use serde::Serialize;

use super::json::{bound_name, closed};
use super::model::{End, NodeId, Reason, SecondSearch, Tree};
use super::{NULL_MOVE, Parting};
use crate::credit::Mechanism;
use crate::picture::{Page, card, changes, fen_line, script, squares};
use crate::report::entry::finding;
use crate::report::glossary::glossary;
use crate::score::{Score, StatedScore};
use crate::text::{counted, grouped};
use crate::tt::Bound;
use crate::units::Credit;

/// Styles of these pages in addition to the common ones.
const STYLE: &str = include_str!("page.css");
/// Opens and closes rows, and shows the selected one.
const SCRIPT: &str = include_str!("page.js");

/// The script's data.
#[derive(Serialize)]
struct Data {
    reasons: Vec<&'static str>,
    ends: Vec<&'static str>,
    mechanisms: Vec<&'static str>,
    bounds: Vec<&'static str>,
    /// Units of an account per ply.
    per_ply: i16,
    /// The first visit that differs between the trees.
    first: Option<NodeId>,
    trees: Vec<Columns>,
}

/// A tree as columns, indexed by visit.
#[derive(Serialize)]
struct Columns {
    /// The root's squares from a1 to h8: a piece's letter, or a dot.
    board: String,
    /// Whether White is to move at the root.
    white: bool,
    /// The number of the root's move.
    fullmove: u32,
    /// Scores as text; columns of scores hold indices into this.
    scores: Vec<String>,
    /// Moves in SAN with the squares that they change; the column of moves holds indices into this.
    moves: Vec<(String, Vec<(u8, String)>)>,
    /// Visits of the subtree.
    size: Vec<u32>,
    #[serde(rename = "move")]
    m: Vec<usize>,
    reason: Vec<u8>,
    iteration: Vec<i32>,
    asked: Vec<i32>,
    depth: Vec<i32>,
    cashed: Vec<i32>,
    alpha: Vec<usize>,
    beta: Vec<usize>,
    score: Vec<usize>,
    bound: Vec<u8>,
    end: Vec<u8>,
    nodes: Vec<u64>,
    /// Accounts before cash-in: the side to move's and the opponent's.
    mine: Vec<i16>,
    his: Vec<i16>,
    payer: Vec<u8>,
    /// The award that the move was made with, from 1; 0 is none.
    award: Vec<u32>,
    again: Vec<u8>,
    awards: Vec<AwardRow>,
    /// Visits on the lines that refute root moves.
    refutations: Vec<NodeId>,
    /// Visits where the trees diverge.
    parts: Vec<NodeId>,
}

/// An award: visit, move, mechanism, credit, whether it was kept, its evidence, whether it was searched again.
#[derive(Serialize)]
struct AwardRow(NodeId, String, u8, i16, bool, Option<String>, SecondSearch);

/// Interned texts, by number.
struct Numbers<T> {
    known: HashMap<T, usize>,
    all: Vec<T>,
}

impl<T: Clone + Eq + Hash> Numbers<T> {
    fn new() -> Numbers<T> {
        Numbers { known: HashMap::new(), all: Vec::new() }
    }

    /// The number of a text.
    fn of(&mut self, text: T) -> usize {
        *self.known.entry(text).or_insert_with_key(|text| {
            self.all.push(text.clone());
            self.all.len() - 1
        })
    }
}

/// Writes one tree, or two with the places where they diverge, as a page.
///
/// # Errors
///
/// None in practice: the data has no maps with keys that JSON could not hold.
pub fn to_page(tree: &Tree, against: Option<(&Tree, &Parting)>) -> Result<String, serde_json::Error> {
    let trees: Vec<&Tree> = std::iter::once(tree).chain(against.map(|(other, _)| other)).collect();
    let nowhere = Parting::default();
    let parting = against.map_or(&nowhere, |(_, parting)| parting);
    let data = Data {
        reasons: Reason::NAMES.into(),
        ends: End::NAMES.into(),
        mechanisms: Mechanism::NAMES.into(),
        bounds: [Bound::None, Bound::Upper, Bound::Lower, Bound::Exact].map(bound_name).into(),
        per_ply: Credit::PER_PLY,
        first: parting.first,
        trees: trees.iter().zip(&parting.places).map(|(tree, places)| columns(tree, places)).collect(),
    };
    let body = html! {
        (fen_line(&tree.position.fen(), tree.position.is_chess960()))
        (controls(against.is_some()))
        div .trees.two[against.is_some()] {
            @for (number, tree) in trees.iter().enumerate() { (card(pane(number, tree))) }
            section class="card detail" id="detail" aria-live="polite" {}
        }
        (legend())
        (glossary())
        (script(&data, SCRIPT)?)
    };
    let (title, subtitle) = ("The search tree".to_owned(), tree.provenance.heading());
    Ok(Page { title, subtitle, styles: &[STYLE], body }.to_html())
}

/// Selects which rows are shown: all at first, also where a browser comes back to the page and would restore a choice.
fn controls(are_two: bool) -> Markup {
    html! {
        fieldset class="filter" {
            legend class="muted" { "Show" }
            @for (value, name) in [
                ("all", "everything"),
                ("spent", "where credit was spent"),
                ("again", "second searches"),
                ("refutations", "refutations of the root moves"),
            ] {
                label {
                    input type="radio" name="filter" value=(value) checked[value == "all"] autocomplete="off";
                    " " (name)
                }
            }
            @if are_two {
                label { input type="radio" name="filter" value="parts" autocomplete="off"; " where the trees diverge" }
                button type="button" id="first" { "first divergence" }
            }
        }
    }
}

/// One tree: what was searched, and an empty list for the script to fill.
fn pane(number: usize, tree: &Tree) -> Markup {
    let last = tree.iterations.last();
    html! {
        h2 class="minor" { (tree.provenance.heading()) }
        p class="muted" {
            (grouped(tree.outcome.nodes)) " nodes, " (counted(tree.nodes.len(), "visit")) " to the software's tree"
            @if tree.left_out > 0 { "; " (grouped(tree.left_out)) " more were not recorded" }
            @if let Some(last) = last {
                "; iteration " (last.iteration) ": " (StatedScore::from(last.score)) ", "
                (tree.position.san_line(&last.pv))
            }
        }
        div class="tree scroll" role="tree" aria-label="Search tree" data-tree=(number) {}
    }
}

/// The meaning of colours and symbols.
fn legend() -> Markup {
    html! {
        div class="legend" {
            @for (number, mechanism) in (1..).zip(Mechanism::ALL) {
                span { i style={ "--hue:var(--c" (number) ")" } {} (mechanism) }
            }
        }
        p class="muted" {
            "A row is one visit to a node of the software's tree, in the order of the search; its bar is its share of the "
            "nodes above it, in the colour of the mechanism that paid for depth there, or that the move was made with. "
            "[x] is a move made for evidence, " (NULL_MOVE) " a null move. Scores are for the side to move in the position "
            "shown. Keys: up and down, right to open, left to close."
        }
    }
}

/// A tree as columns.
fn columns(tree: &Tree, parts: &[NodeId]) -> Columns {
    let mut scores = Numbers::new();
    let mut moves = Numbers::new();
    let count = tree.nodes.len();
    let mut table = Columns {
        board: squares(&tree.position),
        white: tree.position.turn().is_white(),
        fullmove: tree.position.fullmoves(),
        scores: Vec::new(),
        moves: Vec::new(),
        size: Vec::with_capacity(count),
        m: vec![moves.of((String::new(), Vec::new())); count],
        reason: Vec::with_capacity(count),
        iteration: Vec::with_capacity(count),
        asked: Vec::with_capacity(count),
        depth: Vec::with_capacity(count),
        cashed: Vec::with_capacity(count),
        alpha: Vec::with_capacity(count),
        beta: Vec::with_capacity(count),
        score: Vec::with_capacity(count),
        bound: Vec::with_capacity(count),
        end: Vec::with_capacity(count),
        nodes: Vec::with_capacity(count),
        mine: Vec::with_capacity(count),
        his: Vec::with_capacity(count),
        payer: Vec::with_capacity(count),
        award: Vec::with_capacity(count),
        again: Vec::with_capacity(count),
        awards: awards(tree),
        refutations: tree.refutations().into_iter().flat_map(|refutation| refutation.path).collect(),
        parts: parts.to_vec(),
    };
    tree.walk(&mut |id, above, here| {
        let san = tree.san_of(tree.node(id), above);
        table.m[id as usize] = moves.of((san, changes(above, here)));
    });
    let mut bound = |score: Score| {
        let open = if score > Score::ZERO { "∞" } else { "-∞" };
        scores.of(closed(score).map_or_else(|| open.to_owned(), |score| score.to_string()))
    };
    for (id, node) in (0..).zip(&tree.nodes) {
        table.size.push(node.end_id - id);
        table.reason.push(node.reason as u8);
        table.iteration.push(node.iteration);
        table.asked.push(node.asked);
        table.depth.push(node.depth);
        table.cashed.push(node.cashed);
        table.alpha.push(bound(node.window.alpha));
        table.beta.push(bound(node.window.beta));
        table.score.push(bound(node.score.unwrap_or_default()));
        table.bound.push(node.bound().unwrap_or(Bound::None) as u8);
        table.end.push(node.end as u8);
        table.nodes.push(node.nodes);
        table.mine.push(node.before.mine.to_sixteenths());
        table.his.push(node.before.his.to_sixteenths());
        table.payer.push(node.payer as u8);
        table.award.push(node.award.map_or(0, |award| award + 1));
        table.again.push(node.again.into());
    }
    table.scores = scores.all;
    table.moves = moves.all;
    table
}

/// The awards of a tree, with the moves in SAN.
fn awards(tree: &Tree) -> Vec<AwardRow> {
    let mut sans: Vec<String> = vec![String::new(); tree.awards.len()];
    let mut by_node: Vec<(NodeId, usize)> =
        tree.awards.iter().enumerate().map(|(place, granted)| (granted.node, place)).collect();
    by_node.sort_unstable();
    let mut next = by_node.into_iter().peekable();
    tree.walk(&mut |id, _, here| {
        while let Some((_, place)) = next.next_if(|&(node, _)| node == id) {
            sans[place] = here.san(tree.awards[place].mv);
        }
    });
    let row = |(granted, san): (&super::TreeAward, String)| {
        let award = granted.award;
        let finding = award.bound.map(|bound| finding(award.mechanism, StatedScore::from(bound)));
        let credit = award.credit.to_sixteenths();
        AwardRow(granted.node, san, award.mechanism as u8, credit, award.kept, finding, granted.second_search)
    };
    tree.awards.iter().zip(sans).map(row).collect()
}
