//! Lines of a person at a terminal, which can be edited and called back.
//!
//! There is no prompt: what a search says meanwhile is written as it comes, below what has been typed so far, and the
//! next key shows the line again.

use std::io::ErrorKind;
use std::sync::mpsc::Sender;
use std::time::Instant;

use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;

use super::command::{self, Command};
use super::event::Event;

/// Passes lines on until `quit`, for which Ctrl-C stands too, or the end of input. Nothing is read after `quit`, or the
/// program would end with the terminal in the state for editing.
pub fn read_lines(mut editor: DefaultEditor, events: &Sender<Event>) {
    loop {
        let typed = match editor.readline("") {
            Ok(typed) => typed,
            // What has been typed is lost with it.
            Err(ReadlineError::Io(error)) if error.kind() == ErrorKind::InvalidData => {
                if events.send(Event::NoText).is_err() {
                    return;
                }
                continue;
            }
            // Nobody waits for what is running any more, other than at the end of a pipe.
            Err(ReadlineError::Interrupted) => "quit".to_owned(),
            Err(_) => break,
        };
        for line in lines(&typed) {
            // A line that is not remembered can still be carried out.
            let _ = editor.add_history_entry(line);
            let is_last = command::parse(line).command == Some(Command::Quit);
            if events.send(Event::Line(line.to_owned(), Instant::now())).is_err() || is_last {
                return;
            }
        }
    }
    // Without a receiver there is nobody to tell.
    let _ = events.send(Event::EndOfInput);
}

/// The lines of what was typed, or pasted: several at once then.
fn lines(typed: &str) -> impl Iterator<Item = &str> {
    typed.split(['\n', '\r']).map(str::trim).filter(|line| !line.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_pasted_has_lines() {
        let pasted = "position startpos\r\ne4 c7c5\ngo movetime 300\rundo";
        assert_eq!(lines(pasted).collect::<Vec<_>>(), ["position startpos", "e4 c7c5", "go movetime 300", "undo"]);
        assert_eq!(lines(" d ").collect::<Vec<_>>(), ["d"]);
        assert_eq!(lines("").count(), 0);
    }
}
