//! A position as text on a page: to be copied, and to be opened elsewhere.

use maud::{Markup, html};

/// Shows a position in a [`fen_field`], and copies it.
pub const FEN_SCRIPT: &str = include_str!("fen.js");

/// A site for analysis, ready for a position to be added.
const fn site(chess960: bool) -> &'static str {
    if chess960 { "https://lichess.org/analysis/chess960/" } else { "https://lichess.org/analysis/standard/" }
}

/// The FEN of a position, which one click selects, with a link that opens it at a site for analysis.
pub fn fen_line(fen: &str, chess960: bool) -> Markup {
    html! {
        p class="muted" {
            span class="fen" title="a click selects it" { (fen) }
            " "
            a href={ (site(chess960)) (fen.replace(' ', "_")) } target="_blank" rel="noopener noreferrer" {
                "open at lichess.org"
            }
        }
    }
}

/// The same for positions that a script shows, with [`FEN_SCRIPT`]: a field, a button that copies it, and the link.
pub fn fen_field() -> Markup {
    html! {
        div class="fen-line" {
            label for="fen" { "FEN" }
            input id="fen" class="fen" readonly spellcheck="false";
            button type="button" id="copy" { "copy" }
            a id="elsewhere" data-standard=(site(false)) data-chess960=(site(true)) target="_blank"
                rel="noopener noreferrer" { "open at lichess.org" }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_link_has_the_position_and_its_rules() {
        let line = |chess960| fen_line("8/8/8/8/8/8/8/K1k5 w - - 0 1", chess960).into_string();
        assert!(line(false).contains("analysis/standard/8/8/8/8/8/8/8/K1k5_w_-_-_0_1\""), "{}", line(false));
        assert!(line(true).contains("analysis/chess960/8/") && line(true).contains(">8/8/8/8/8/8/8/K1k5 w - - 0 1<"));
    }

    #[test]
    fn the_field_has_the_sites_for_the_script() {
        let field = fen_field().into_string();
        for chess960 in [false, true] {
            assert!(field.contains(&format!("=\"{}\"", site(chess960))), "{field}");
        }
    }
}
