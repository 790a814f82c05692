//! The self-contained HTML page around figures and tables.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::{STYLE, pieces};

/// Style of a page, besides its figures.
const PAGE_STYLE: &str = include_str!("page.css");

/// A page.
pub struct Page {
    /// Its title.
    pub title: String,
    /// A line below the title.
    pub subtitle: String,
    /// Its own styles, besides those of all pages.
    pub styles: &'static [&'static str],
    /// Its contents.
    pub body: Markup,
}

impl Page {
    /// The page as text.
    pub fn to_html(&self) -> String {
        let markup = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    title { (self.title) }
                    style {
                        (PreEscaped(STYLE)) (PreEscaped(PAGE_STYLE))
                        @for style in self.styles { (PreEscaped(style)) }
                    }
                }
                body {
                    svg class="hidden" aria-hidden="true" { defs { (pieces()) } }
                    header {
                        h1 { (self.title) }
                        p class="muted" { (self.subtitle) }
                    }
                    main { (self.body) }
                }
            }
        };
        markup.into_string() + "\n"
    }
}

/// What may be too wide for its place, in a box that scrolls, by the keyboard too.
pub fn scroller(label: &str, body: Markup) -> Markup {
    html! { div class="scroll" role="group" aria-label=(label) tabindex="0" { (body) } }
}

/// A panel on the page.
pub fn card(body: Markup) -> Markup {
    html! { section class="card" { (body) } }
}
