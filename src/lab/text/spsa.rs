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
    let games = [tuner.games(), origin.games].map(grouped);
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

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::*;
    use crate::lab::spsa::Origin;
    use crate::lab::text::tests::made_up_provenance;
    use crate::params::Profile;
    use crate::runner::{Head, Kind, Provenance};

    #[test]
    fn a_tuning() {
        let tunable = |line: &str| line.parse::<Tunable>().unwrap();
        let provenance = Provenance { nodes: Some(20_000), ..made_up_provenance(Profile::Modern) };
        let origin = Origin {
            head: Head::new(Kind::Spsa, provenance),
            tunables: vec![
                tunable("futility_margin, int, 20, 0, 100, 6, 0.1"),
                tunable("reverse_futility_margin, int, 180, 0, 200, 12, 0.1"),
                tunable("credit_limit, int, 24, 15, 48, 2, 0.1"),
            ],
            games: 4,
            seed: 3,
            batch: 1,
            random_plies: 0,
            openings: 0,
            digest: 0,
        };
        let folder = tempfile::tempdir().unwrap();
        let mut tuning = Tuning::open(&folder.path().join("s.jsonl"), origin).unwrap();
        tuning.add(vec![2]).unwrap();
        assert_snapshot!(spsa(&tuning));
    }
}
