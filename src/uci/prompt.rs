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
        let text = match typed(editor.readline("")) {
            Typed::Text(text) => text,
            Typed::NoText => {
                if events.send(Event::NoText).is_err() {
                    return;
                }
                continue;
            }
            Typed::End => break,
        };
        for line in lines(&text) {
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

/// What came from the terminal.
#[derive(Debug, PartialEq, Eq)]
enum Typed {
    Text(String),
    /// Bytes that are no text. What has been typed is lost with them.
    NoText,
    End,
}

/// What was typed. Ctrl-C is `quit`: nobody waits for what is running any more, other than at the end of a pipe.
fn typed(read: Result<String, ReadlineError>) -> Typed {
    match read {
        Ok(text) => Typed::Text(text),
        Err(ReadlineError::Interrupted) => Typed::Text("quit".to_owned()),
        Err(ReadlineError::Io(error)) if error.kind() == ErrorKind::InvalidData => Typed::NoText,
        Err(_) => Typed::End,
    }
}

/// The lines of what was typed, or pasted: several at once then.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.split(['\n', '\r']).map(str::trim).filter(|line| !line.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ctrl_c_is_quit_and_the_end_of_input_is_not() {
        assert_eq!(typed(Ok("go".to_owned())), Typed::Text("go".to_owned()));
        assert_eq!(typed(Err(ReadlineError::Interrupted)), Typed::Text("quit".to_owned()));
        assert_eq!(typed(Err(ReadlineError::Io(ErrorKind::InvalidData.into()))), Typed::NoText);
        assert_eq!(typed(Err(ReadlineError::Io(ErrorKind::BrokenPipe.into()))), Typed::End);
        assert_eq!(typed(Err(ReadlineError::Eof)), Typed::End);
    }

    #[test]
    fn what_is_pasted_has_lines() {
        let pasted = "position startpos\r\ne4 c7c5\ngo movetime 300\rundo";
        assert_eq!(lines(pasted).collect::<Vec<_>>(), ["position startpos", "e4 c7c5", "go movetime 300", "undo"]);
        assert_eq!(lines(" d ").collect::<Vec<_>>(), ["d"]);
        assert_eq!(lines("").count(), 0);
    }
}
