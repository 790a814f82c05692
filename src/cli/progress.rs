//! How far long work has come, on standard error where a person is looking.

use std::io::{self, IsTerminal};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// How often the time left is worked out anew while nothing is done.
const TICK: Duration = Duration::from_millis(250);

/// A bar: how much of how many is done, what is to be said of it, and how long the rest will take.
pub struct Progress(ProgressBar);

impl Progress {
    /// A bar for so many things; `what` they are, as in `searches`.
    pub fn new(total: u64, what: &'static str) -> Progress {
        Progress::with_template(
            ProgressBar::new(total),
            &format!("{{bar:30}} {{pos}} of {{len}} {what}{{msg}}, {{eta}} left"),
        )
    }

    /// Of work whose end is not known, what is being done.
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
        // The templates are ours: a mistake in one shows as the style that comes along.
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.enable_steady_tick(TICK);
        Progress(bar)
    }

    /// Whether nobody sees it.
    pub fn is_hidden(&self) -> bool {
        self.0.is_hidden()
    }

    /// Where work begins that was taken up.
    pub fn begin_at(&self, done: u64) {
        self.0.set_position(done);
        self.0.reset_eta();
    }

    /// So many more are done.
    pub fn add(&self, count: u64) {
        self.0.inc(count);
    }

    /// So many are done.
    pub fn set(&self, done: u64) {
        self.0.set_position(done);
    }

    /// Says something of it.
    pub fn say(&self, text: String) {
        self.0.set_message(text);
    }

    /// Lets something else be printed.
    pub fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.0.suspend(print)
    }

    /// Takes the bar away.
    pub fn finish(self) {
        self.0.finish_and_clear();
    }
}
