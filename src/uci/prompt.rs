//! Lines of a person at a terminal, which can be edited and called back.
//!
//! There is no prompt: what a search says meanwhile is written as it comes, below what has been typed so far, and the
//! next key shows the line again.

use std::sync::mpsc::Sender;
use std::time::Instant;

use rustyline::DefaultEditor;

use super::command::{self, Command};
use super::event::Event;

/// Passes lines on until `quit`, the end of input or Ctrl-C. Nothing is read after `quit`, or the program would end
/// with the terminal in the state for editing.
pub fn read_lines(mut editor: DefaultEditor, events: &Sender<Event>) {
    while let Ok(line) = editor.readline("") {
        // A line that is not remembered can still be carried out.
        let _ = editor.add_history_entry(&line);
        let line = line.trim().to_owned();
        let is_last = command::parse(&line).command == Some(Command::Quit);
        if events.send(Event::Line(line, Instant::now())).is_err() || is_last {
            return;
        }
    }
    // Without a receiver there is nobody to tell.
    let _ = events.send(Event::EndOfInput);
}
