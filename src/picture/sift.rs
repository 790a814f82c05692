//! Searching and sorting long lists.

use maud::{Markup, PreEscaped, html};

/// Finds rows and puts them in order.
const SCRIPT: &str = include_str!("sift.js");
/// What it shares with scripts that make their own lists: `searchable` and `compareNames`.
pub const SEARCH_SCRIPT: &str = include_str!("search.js");
/// Shorter lists need neither.
const LEAST: usize = 12;

/// Controls for the list in the element that follows: a search, and an order of its rows, which are `details` with a
/// `.name`; rows that can be sorted by nodes have them in `data-nodes`. Nothing for a short list. The page needs
/// [`sift_script`] at its end. A browser that comes back to the page restores neither, of which the script
/// would not know.
pub fn sift(rows: usize, with_nodes: bool) -> Markup {
    html! {
        @if rows >= LEAST {
            p class="sift filter" {
                label { "search " input type="search" size="16" autocomplete="off"; } output class="muted" {}
                label {
                    "order "
                    select autocomplete="off" {
                        option value="given" { "as given" }
                        option value="name" { "by name" }
                        @if with_nodes {
                            option value="fewest" { "fewest nodes first" }
                            option value="most" { "most nodes first" }
                        }
                    }
                }
            }
        }
    }
}

/// The script of [`sift`], once for a page whose longest list has so many rows.
pub fn sift_script(rows: usize) -> Markup {
    html! { @if rows >= LEAST { script { (PreEscaped(SCRIPT)) (PreEscaped(SEARCH_SCRIPT)) } } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_long_lists_are_searched() {
        assert_eq!((sift(3, true).into_string(), sift_script(3).into_string()), (String::new(), String::new()));
        let controls = sift(300, false).into_string();
        assert!(controls.contains("type=\"search\"") && !controls.contains("nodes"), "{controls}");
        assert!(sift_script(300).into_string().contains("\"use strict\""));
    }
}
