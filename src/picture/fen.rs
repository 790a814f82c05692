//! A position as text on a page: to be copied, and to be opened elsewhere.

use maud::{Markup, html};

/// The FEN of a position, which one click selects, with a link that opens it at a site for analysis.
pub fn fen_line(fen: &str, chess960: bool) -> Markup {
    let variant = if chess960 { "chess960" } else { "standard" };
    html! {
        p class="muted" {
            span class="fen" title="a click selects it" { (fen) }
            " "
            a href={ "https://lichess.org/analysis/" (variant) "/" (fen.replace(' ', "_")) } target="_blank"
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
}
