//! Layer 5: pictures for reports as SVG, and the HTML page around them. Prints nothing.
//!
//! A [`Figure`] has a fixed width; it names colours by their role, and the style sheet gives each role a colour for
//! light and dark mode. So the same drawing works in a page or as a standalone file.

mod board;
mod chart;
mod fen;
mod page;
mod scale;
mod script;
mod sift;
mod stack;

pub use board::{Arrow, board, changes, from_and_to, pieces, squares};
pub use chart::{Band, LineChart, Series};
pub use fen::{FEN_SCRIPT, fen_field, fen_line};
pub use page::{Page, card, scroller};
pub use script::script;
pub use sift::{SEARCH_SCRIPT, sift, sift_script};
pub use stack::{Stack, StackChart};

use maud::{Markup, PreEscaped, html};

use crate::text::{shown_in_xml, without_middle};

/// Width of every figure, in pixels if there is room.
pub const WIDTH: f64 = 520.0;
/// Space between figures in one file.
const GAP: f64 = 24.0;
/// Space around them.
const MARGIN: f64 = 16.0;
/// Space for a character of a name.
const NAME_CHARACTER: f64 = 7.6;
/// Colours and type, for light and dark.
const STYLE: &str = include_str!("style.css");

/// A drawing, [`WIDTH`] wide.
pub struct Figure {
    /// What it shows, as text for those who cannot see it.
    pub title: String,
    /// Its height.
    pub height: f64,
    /// The drawing.
    pub body: Markup,
}

impl Figure {
    /// The drawing as a part of a page; on a narrow screen it scrolls, since its text would be too small to read.
    pub fn inline(&self) -> Markup {
        let view = format!("0 0 {WIDTH} {}", number(self.height));
        let drawing = html! { svg class="figure" viewBox=(view) role="img" aria-label=(self.title) { (self.body) } };
        scroller(&self.title, drawing)
    }
}

/// Drawings stacked vertically, as a standalone file.
pub fn to_svg(title: &str, figures: &[Figure]) -> String {
    let width = WIDTH + 2.0 * MARGIN;
    let height = figures.iter().map(|figure| figure.height + GAP).sum::<f64>() - GAP + 2.0 * MARGIN;
    let mut y = MARGIN;
    let mut body = String::new();
    for figure in figures {
        let drawing = shown_in_xml(&figure.body.0);
        body.push_str(&format!("<g transform=\"translate({MARGIN} {})\">{drawing}</g>\n", number(y)));
        y += figure.height + GAP;
    }
    let markup = html! {
        svg xmlns="http://www.w3.org/2000/svg" width=(width) height=(number(height))
            viewBox={ "0 0 " (width) " " (number(height)) } role="img" {
            title { (title) }
            style { (PreEscaped(STYLE)) }
            rect class="ground" width="100%" height="100%" {}
            defs { (pieces()) }
            (PreEscaped(body))
        }
    };
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{}\n", markup.into_string())
}

/// A coordinate with one decimal, or none if it is an integer.
fn number(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// A heading in a drawing with a line of explanation; the contents may start at [`HEADING`].
pub fn heading(title: &str, subtitle: &str) -> Markup {
    html! {
        text class="heading" x="0" y="16" { (title) }
        text class="muted" x="0" y="35" { (subtitle) }
    }
}

/// A name on one line of a drawing, about this wide at most: one that is too long loses its middle, and is shown as a
/// whole when it is pointed at.
pub fn name_within(name: &str, width: f64) -> Markup {
    let shown = without_middle(name, (width / NAME_CHARACTER) as usize);
    html! {
        @if shown != name { title { (name) } }
        (shown)
    }
}

/// Height of a [`heading`].
pub const HEADING: f64 = 46.0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_are_short() {
        assert_eq!([1.0, 1.25, 0.04].map(number), ["1", "1.2", "0"]);
    }

    /// The relative luminance of a colour `#rrggbb`, as WCAG 2 defines it.
    fn luminance(color: &str) -> f64 {
        let linear = |at: usize| match f64::from(u8::from_str_radix(&color[at..at + 2], 16).unwrap()) / 255.0 {
            dim if dim <= 0.04045 => dim / 12.92,
            bright => ((bright + 0.055) / 1.055).powf(2.4),
        };
        0.2126 * linear(1) + 0.7152 * linear(3) + 0.0722 * linear(5)
    }

    #[test]
    fn names_in_the_colour_of_their_curve_can_be_read() {
        let (light, dark) = STYLE.split_once("@media").unwrap();
        for mode in [light, dark] {
            let color = |name: &str| mode.split_once(&format!("--{name}: ")).unwrap().1.split(';').next().unwrap();
            // In a file, and on a page.
            for ground in ["ground", "card"].map(color) {
                for number in 1..=14 {
                    let [one, other] = [ground, color(&format!("c{number}"))].map(luminance);
                    // What WCAG 2 asks of text.
                    assert!((one.max(other) + 0.05) / (one.min(other) + 0.05) >= 4.5, "c{number} on {ground}");
                }
            }
        }
    }

    #[test]
    fn a_long_name_can_be_read_as_a_whole() {
        assert_eq!(name_within("a & b", WIDTH).into_string(), "a &amp; b");
        assert_eq!(name_within("abcdefghij", 7.5 * NAME_CHARACTER).into_string(), "<title>abcdefghij</title>ab...ij");
    }

    #[test]
    fn a_file_is_sound_xml_with_figures_one_below_the_other() {
        let figure = |title: &str| Figure { title: title.to_owned(), height: 10.0, body: heading(title, "a < b") };
        let svg = to_svg("x & y", &[figure("one"), figure("t\u{1b}w\u{ffff}o")]);
        assert!(svg.contains("translate(16 16)") && svg.contains("translate(16 50)"), "{svg}");
        assert!(svg.contains(">t w o<"), "{svg}");
        let mut reader = quick_xml::Reader::from_str(&svg);
        loop {
            if matches!(reader.read_event().unwrap(), quick_xml::events::Event::Eof) {
                break;
            }
        }
    }
}
