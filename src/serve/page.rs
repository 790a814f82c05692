//! The page: one game, a board to move on, and two columns that search the position on it.

use maud::{Markup, html};
use serde::Serialize;

use super::bounds::{MAX_NODES, MAX_SECONDS};
use super::refusal::Refusal;
use crate::board::Position;
use crate::engine::Options;
use crate::params::{ParamInfo, ParamKind, Profile};
use crate::picture::{Page, script};
use crate::report::page::{SCRIPTS, STYLE, glossary, stage};
use crate::report::paper::{self, PaperPosition};
use crate::runner::Provenance;
use crate::units::Credit;

/// Styles of this page in addition to those of pages with a board.
const OWN_STYLE: &str = include_str!("page.css");
/// Moving the pieces, the columns, and the game they share.
const OWN_SCRIPTS: [&str; 3] = [include_str!("drag.js"), include_str!("column.js"), include_str!("page.js")];
/// What the columns show at first: the two profiles side by side.
const COLUMNS: [Profile; 2] = [Profile::Modern, Profile::DeepBlue];
/// The example: the position of the documents' lesson.
const EXAMPLE: &PaperPosition = &paper::POSITIONS[0];
/// Seconds of a search if nothing else is chosen.
const DEFAULT_SECONDS: u32 = 5;
/// Nodes of a search if nodes are chosen.
const DEFAULT_NODES: u64 = 1_000_000;

/// All that the script needs.
#[derive(Serialize)]
struct Data {
    /// The position at first.
    fen: String,
    /// A position with much to see.
    example: &'static str,
    profiles: Vec<ProfileData>,
    /// In how many parts of a ply credit is counted.
    parts: i16,
    nodes: u64,
    seconds: u32,
}

/// A profile's own settings.
#[derive(Serialize)]
struct ProfileData {
    name: Profile,
    credit: bool,
    credit_limit: i32,
}

/// The page; searches have these options where it does not set others.
pub(super) fn page(options: &Options) -> Result<String, Refusal> {
    let profile = |&name: &Profile| {
        let params = name.params();
        ProfileData { name, credit: params.credit, credit_limit: params.credit_limit }
    };
    let data = Data {
        fen: Position::default().fen(),
        example: EXAMPLE.fen,
        profiles: Profile::ALL.iter().map(profile).collect(),
        parts: Credit::PER_PLY,
        nodes: DEFAULT_NODES,
        seconds: DEFAULT_SECONDS,
    };
    let body = html! {
        div class="columns" {
            section class="card game-panel" { (stage()) (game()) }
            @for (index, profile) in COLUMNS.into_iter().enumerate() { (column(index, profile)) }
        }
        (glossary())
        (script(&data, &[&SCRIPTS[..], &OWN_SCRIPTS[..]].concat().concat())?)
    };
    let table = format!(", {} MB of table for each search", options.hash_mb);
    let subtitle = format!("{}{table}. Only this machine can open this page.", Provenance::of_program().program);
    Ok(Page { title: "Search while you watch".to_owned(), subtitle, styles: &[STYLE, OWN_STYLE], body }.to_html())
}

/// What is below the board: promotions, the game's moves, and where another one is pasted.
fn game() -> Markup {
    html! {
        div id="promotion" class="keys" role="group" aria-label="promotion" {}
        p id="note" class="muted" aria-live="polite" {}
        form id="type" class="fields" {
            label for="move" { "Move" }
            input id="move" size="8" autocomplete="off" spellcheck="false" placeholder="e4";
            button { "play" }
            button type="button" id="return" hidden { "back to the game" }
        }
        div id="moves" class="score-line" {}
        form id="paste" {
            label for="text" { "FEN or PGN" }
            textarea id="text" rows="3" spellcheck="false" placeholder="paste a position or a game here" {}
            div class="fields" {
                button { "read" }
                button type="button" id="new" { "start position" }
                button type="button" id="example" title=(EXAMPLE.name) { "search an example" }
                label { input type="checkbox" id="chess960"; " Chess960" }
            }
            p id="wrong" class="bad" role="alert" {}
        }
        p class="muted" {
            "Drag a piece, or click on it and then on its square. Keys: left and right for the moves, home and end, f to \
             turn the board."
        }
    }
}

/// A column with its settings and what its search finds; filled by the script. A browser that comes back to the page
/// restores no settings, of which the script would not know.
fn column(index: usize, profile: Profile) -> Markup {
    let (least, most) = credit_limits();
    html! {
        section class="card column" data-column=(index) aria-label={ "search " (index + 1) } {
            form class="settings" autocomplete="off" {
                div class="fields" {
                    select name="profile" aria-label="profile" {
                        @for known in Profile::ALL { option selected[known == profile] { (known) } }
                    }
                    label { input type="checkbox" name="credit"; " credit" }
                }
                label class="fields" {
                    span { "limit " output name="creditLimit" {} }
                    input type="range" name="sixteenths" min=(least) max=(most);
                }
                div class="fields" {
                    input type="number" name="amount" min="1" aria-label="amount"
                        data-seconds=(MAX_SECONDS) data-nodes=(MAX_NODES);
                    select name="unit" aria-label="unit" { option { "seconds" } option { "nodes" } }
                    button class="start" { "search" }
                    button type="button" class="stop" disabled { "stop" }
                }
            }
            (preview())
            p class="settings-used muted" {}
            p class="elsewhere muted" hidden { "Found in another position of the game." }
            p class="progress" aria-live="polite" { "nothing searched yet" }
            p class="wrong bad" role="alert" {}
            div class="scroll iterations" {}
            div class="curves" {}
            p class="summary muted" {}
            div class="balances" {}
            div class="ledger" {}
            div class="shares" {}
        }
    }
}

/// What a column will show, until it has something.
fn preview() -> Markup {
    html! {
        div class="preview muted" {
            p { "A search of the position on the board will show here, while it runs:" }
            ul {
                li { "each iteration with its depths, score, nodes and line;" }
                li { "how deep lines were extended, as curves, and which mechanism earned the credit;" }
                li { "both accounts, and the ledger of the line: what each move earned and what was cashed in. A click on "
                     "a move shows its position on the board." }
            }
            p { "The other column can search the same position with another setting." }
        }
    }
}

/// The range of the limit beyond which an account is cashed in.
fn credit_limits() -> (i32, i32) {
    match ParamInfo::find("credit_limit").map(|info| info.kind) {
        Some(ParamKind::Number { min, max, .. }) => (min, max),
        _ => (0, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_complete_in_itself() {
        let page = page(&Options::default()).unwrap();
        for foreign in [" src=", "@import", "url(", "<link"] {
            assert!(!page.contains(foreign), "{foreign}");
        }
        assert!(page.contains("min=\"15\" max=\"48\"") && page.matches("data-column=").count() == 2);
        assert!(page.contains("id=\"board\"") && page.contains("function drawBoard"));
    }
}
