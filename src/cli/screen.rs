//! Tables on a terminal: no wider than it, and in colour. Files and pipes get them as they are.

use std::io::{self, IsTerminal};

use clap::builder::styling::{AnsiColor, Style};

use super::output::write_while_read;
use crate::text::{TableStyle, narrowed, painted, shown_lines};

/// Colours of verdicts.
const SOLVED: Style = AnsiColor::Green.on_default();
const UNSOLVED: Style = AnsiColor::Red.on_default();

/// Writes a text with tables of this style to standard output: on a terminal in its width, and in colour unless
/// `NO_COLOR` is set.
///
/// # Errors
///
/// Standard output cannot be written.
pub fn show(text: &str, style: &TableStyle) -> anyhow::Result<()> {
    show_while_read(text, style).map(drop)
}

/// The same for work that goes on; false if the reader has stopped, and the work can stop too.
///
/// # Errors
///
/// Standard output cannot be written.
pub fn show_while_read(text: &str, style: &TableStyle) -> anyhow::Result<bool> {
    if !io::stdout().is_terminal() {
        return write_while_read(text);
    }
    let width = terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| usize::from(width.0));
    // Names from a file of results, or of another engine, may have anything in them.
    let text = shown_lines(text);
    let text = match width {
        Some(width) => narrowed(&text, width, style),
        None => text,
    };
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_dumb = std::env::var_os("TERM").is_some_and(|terminal| terminal == "dumb");
    let is_plain = is_set("NO_COLOR") || is_dumb;
    write_while_read(&if is_plain {
        text
    } else {
        painted(&text, |header, cell| coloured(cell, (style.verdict)(header, cell)))
    })
}

/// A cell in the colour of its verdict, if it has one.
fn coloured(cell: &str, verdict: Option<bool>) -> String {
    let style = match verdict {
        Some(true) => SOLVED,
        Some(false) => UNSOLVED,
        None => return cell.to_owned(),
    };
    format!("{style}{cell}{style:#}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_have_their_colours() {
        assert_eq!(coloured(" yes ", Some(true)), "\u{1b}[32m yes \u{1b}[0m");
        assert_eq!(coloured(" no, Kh3 ", Some(false)), "\u{1b}[31m no, Kh3 \u{1b}[0m");
        assert_eq!(coloured(" 12 ", None), " 12 ");
    }
}
