//! Progress of long work, on standard error if a person is looking.

use std::io::{self, IsTerminal};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// How often the time left is updated while nothing completes.
const TICK: Duration = Duration::from_millis(250);

/// A bar: how much is done out of how much, a message, and how long the rest will take.
pub struct Progress(ProgressBar);

impl Progress {
    /// A bar for `total` things; `what` names them, as in `searches`.
    pub fn new(total: u64, what: &'static str) -> Progress {
        Progress::with_template(
            ProgressBar::new(total),
            &format!("{{bar:30}} {{pos}} of {{len}} {what}{{msg}}, {{eta}} left"),
        )
    }

    /// For work of unknown length: shows what is being done.
    pub fn spinner() -> Progress {
        Progress::with_template(ProgressBar::new_spinner(), "{spinner} {msg}")
    }

    /// No bar.
    pub fn hidden() -> Progress {
        Progress(ProgressBar::hidden())
    }

    fn with_template(bar: ProgressBar, template: &str) -> Progress {
        if !io::stderr().is_terminal() {
            return Progress::hidden();
        }
        // The templates are ours: a mistake in one falls back to the default style.
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.enable_steady_tick(TICK);
        Progress(bar)
    }

    /// Whether nothing is shown.
    pub fn is_hidden(&self) -> bool {
        self.0.is_hidden()
    }

    /// Starts at what an earlier run has done.
    pub fn begin_at(&self, done: u64) {
        self.0.set_position(done);
        self.0.reset_eta();
    }

    /// Adds to the number done.
    pub fn add(&self, count: u64) {
        self.0.inc(count);
    }

    /// Sets the number done.
    pub fn set(&self, done: u64) {
        self.0.set_position(done);
    }

    /// Sets the message.
    pub fn say(&self, text: String) {
        self.0.set_message(text);
    }

    /// Hides the bar while something else is printed.
    pub fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.0.suspend(print)
    }

    /// Removes the bar.
    pub fn finish(self) {
        self.0.finish_and_clear();
    }
}
