//! A tuning as a table.

use std::fmt::Write as _;

use crate::lab::spsa::{Tunable, Tuning};
use crate::text::{aligned, grouped};

pub(super) const LEGEND: &str = "\
change: in units of the last perturbation. Chance moves values too: a value is not better until a match has confirmed
it. To try these:
";

/// The values so far, and the words to try them.
pub fn spsa(tuning: &Tuning) -> String {
    let (origin, tuner) = (tuning.origin(), tuning.tuner());
    let provenance = &origin.head.provenance;
    let games = [2 * tuner.done(), origin.games].map(grouped);
    let mut text = format!("{}\n{} of {} games{}\n\n", provenance.heading(), games[0], games[1], provenance.limits());
    let mut rows = aligned(&["tunable", "start", "now", "change"], &["tunable"]);
    for (tunable, &value) in origin.tunables.iter().zip(tuner.values()) {
        let change = (value - f64::from(tunable.start)) / tunable.perturbation;
        // Rounded here, so that no zero is negative.
        let change = (change * 100.0).round() / 100.0 + 0.0;
        rows.add_row([tunable.name.clone(), tunable.start.to_string(), format!("{value:.2}"), format!("{change:+.2}")]);
    }
    let words = |(tunable, value): (&Tunable, &f64)| format!(" --set {}={}", tunable.name, value.round() as i32);
    let words: String = origin.tunables.iter().zip(tuner.values()).map(words).collect();
    let _ = writeln!(text, "{rows}\n\n{LEGEND}\n   {words}");
    text
}
