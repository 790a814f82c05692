//! A tuning and its journal: a file of JSON lines, the settings first and then each batch, that can be resumed.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{PAIR, Tunable, Tuner};
use crate::json;
use crate::runner::{
    Head, Journal, JournalError, JournalFile, Kind, LineError, ReopenError, first_true, read_first_line, read_line,
};

/// Values are written in units of its inverse.
const PRECISION: f64 = 10_000.0;
/// By how many of these units a value may differ that was computed on another machine.
const TOLERANCE: f64 = 1.5;
/// The best result of a pair: two wins.
const MAX_RESULT: i8 = 2;

/// The first line: all that the results depend on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Origin {
    /// The version of the form, and the settings of the searches.
    #[serde(flatten)]
    pub head: Head,
    /// What is tuned, each as a line of SPSA input for OpenBench.
    pub tunables: Vec<Tunable>,
    /// Games in all, two for each pair of settings.
    pub games: u64,
    /// The seed of all random choices.
    pub seed: u64,
    /// Pairs of games played around the same values.
    pub batch: u64,
    /// Random plies played before the first search of a game.
    pub random_plies: usize,
    /// Number of start positions, if not just the opening position.
    pub openings: usize,
    /// A digest of the positions to start from.
    pub digest: u64,
}

impl Origin {
    /// Pairs of games in all.
    pub fn pairs(&self) -> u64 {
        self.games / PAIR
    }

    /// What keeps a tuning begun with one from being resumed with the other.
    fn difference(&self, other: &Origin) -> Option<&'static str> {
        let own = first_true(&[
            (self.tunables != other.tunables, "other tunables, or other numbers for them,"),
            (self.games != other.games, "another number of games"),
            (self.seed != other.seed, "another seed"),
            (self.batch != other.batch, "another size of batches"),
            (self.random_plies != other.random_plies, "another number of random plies"),
            ((self.openings, self.digest) != (other.openings, other.digest), "other openings"),
        ]);
        self.head.provenance.difference(&other.head.provenance).or(own)
    }
}

/// Every other line: a batch of pairs.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Batch {
    /// Pairs played by its end.
    pairs: u64,
    /// The result of each pair in the batch, from -2 to 2: wins of the side with the perturbation less its losses.
    results: Vec<i8>,
    /// The values after it, in the order of the tunables, with four decimals.
    values: Vec<f64>,
}

/// The values at some time.
#[derive(Clone, Debug, PartialEq)]
pub struct Values {
    /// Games played by then.
    pub games: u64,
    /// The values, in the order of the tunables.
    pub values: Vec<f64>,
}

/// What has been learned, and the journal that holds it.
pub struct Tuning {
    origin: Origin,
    tuner: Tuner,
    history: Vec<Values>,
    journal: Journal,
    /// The commits of other programs that played some of the games, if they and this one's are known.
    pub begun_by: Option<String>,
}

impl Tuning {
    /// Opens a journal, or starts one if the file is missing or empty. A truncated last line is removed.
    ///
    /// # Errors
    ///
    /// A file that cannot be read and written, that is something else, or that was begun with other settings.
    pub fn open(path: &Path, mut origin: Origin) -> Result<Tuning, ReopenError> {
        let Some(file) = JournalFile::take(path)? else { return Err(ReopenError::Irregular) };
        let mut tuner = Tuner::new(origin.tunables.clone(), origin.pairs(), origin.seed);
        let mut history = vec![Values { games: 0, values: tuner.values().to_vec() }];
        let text = file.recorded().to_owned();
        let mut begun_by = None;
        for (number, line) in (1..).zip(text.lines()) {
            if number == 1 {
                let mut begun: Origin = read_first_line(line, Kind::Spsa)?;
                if let Some(what) = begun.difference(&origin) {
                    return Err(ReopenError::Other { begun: "begun".to_owned(), what });
                }
                begun_by = begun.head.provenance.go_on_by(&origin.head.provenance);
                origin.head.provenance = begun.head.provenance;
                continue;
            }
            let batch: Batch = read_line(number, line)?;
            let fault = |reason: &str| LineError { line: number, reason: reason.to_owned() };
            take(&mut tuner, origin.batch, &batch).map_err(fault)?;
            history.push(Values { games: tuner.games(), values: tuner.values().to_vec() });
        }
        let mut lines = json::line(&origin).map_err(ReopenError::Json)?;
        text.lines().skip(1).for_each(|line| lines.extend([line, "\n"]));
        Ok(Tuning { origin, tuner, history, journal: file.begin(&lines)?, begun_by })
    }

    /// What the results depend on.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// The values, and what is to be played next.
    pub fn tuner(&self) -> &Tuner {
        &self.tuner
    }

    /// The values at the start and after each batch.
    pub fn history(&self) -> &[Values] {
        &self.history
    }

    /// Learns from the results of a batch, and records them.
    ///
    /// # Errors
    ///
    /// The journal cannot be written.
    pub fn add(&mut self, results: Vec<i8>) -> Result<(), JournalError> {
        results.iter().for_each(|&result| self.tuner.learn(result));
        let values = self.tuner.values().to_vec();
        let written = values.iter().map(|value| (value * PRECISION).round() / PRECISION).collect();
        self.journal.add(&Batch { pairs: self.tuner.done(), results, values: written })?;
        self.history.push(Values { games: self.tuner.games(), values });
        Ok(())
    }
}

/// Learns from a recorded batch, or says what is wrong with it.
fn take(tuner: &mut Tuner, size: u64, batch: &Batch) -> Result<(), &'static str> {
    if batch.results.len() as u64 != size.min(tuner.left()) || batch.results.is_empty() {
        return Err("it does not have the results of a batch");
    }
    if batch.results.iter().any(|result| !(-MAX_RESULT..=MAX_RESULT).contains(result)) {
        return Err("a result is not from -2 to 2");
    }
    batch.results.iter().for_each(|&result| tuner.learn(result));
    let is_same = |(found, own): (&f64, &f64)| (found - own).abs() * PRECISION < TOLERANCE;
    let fits = batch.values.len() == tuner.values().len() && batch.values.iter().zip(tuner.values()).all(is_same);
    if fits && batch.pairs == tuner.done() { Ok(()) } else { Err("its values do not follow from the results") }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::runner::Provenance;

    fn origin() -> Origin {
        let network = Some("1".to_owned());
        let provenance = Provenance { nodes: Some(20), network, ..Provenance::of_program() };
        Origin {
            head: Head::new(Kind::Spsa, provenance),
            tunables: vec![Tunable::named("credit_limit").unwrap(), Tunable::named("singular_margin").unwrap()],
            games: 10,
            seed: 1,
            batch: 2,
            random_plies: 8,
            openings: 0,
            digest: 0,
        }
    }

    #[test]
    fn values_are_recomputed_from_the_results() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.jsonl");
        let mut tuning = Tuning::open(&path, origin()).unwrap();
        tuning.add(vec![2, -1]).unwrap();
        tuning.add(vec![1, 1]).unwrap();
        let (values, history) = (tuning.tuner().values().to_vec(), tuning.history().to_vec());
        drop(tuning);
        let whole = fs::read_to_string(&path).unwrap();
        assert_eq!(whole.lines().count(), 3);
        // A line that was cut short is left out, and the first may lack its line break.
        fs::write(&path, format!("{whole}{{\"pairs\":5,\"resu")).unwrap();
        let tuning = Tuning::open(&path, origin()).unwrap();
        assert_eq!((tuning.tuner().values(), tuning.history(), tuning.tuner().left()), (&values[..], &history[..], 1));
        drop(tuning);
        assert_eq!(fs::read_to_string(&path).unwrap(), whole);
        fs::write(&path, whole.lines().next().unwrap()).unwrap();
        assert_eq!(Tuning::open(&path, origin()).unwrap().tuner().done(), 0);
        let refused = |text: &str| {
            fs::write(&path, text).unwrap();
            let error = Tuning::open(&path, origin()).err().expect("a file that is refused").to_string();
            assert_eq!(fs::read_to_string(&path).unwrap(), text, "a refused file is left as it is");
            error
        };
        assert_eq!(refused("something else"), "line 1: it is not JSON");
        assert_eq!(refused(&whole.replace("[2,-1]", "[2,1]")), "line 2: its values do not follow from the results");
        assert_eq!(refused(&whole.replace("[2,-1]", "[2,3]")), "line 2: a result is not from -2 to 2");
        assert_eq!(refused(&whole.replace("[1,1]", "[1]")), "line 3: it does not have the results of a batch");
        assert_eq!(
            refused(&whole.replace("\"spsa\"", "\"mine\"")).split(',').next(),
            Some("line 1: this is JSON of `pacioli lab mine`")
        );
    }

    #[test]
    fn what_differs_is_named() {
        let other = |change: fn(&mut Origin)| {
            let mut other = origin();
            change(&mut other);
            origin().difference(&other)
        };
        assert_eq!(other(|_| ()), None);
        assert_eq!(other(|origin| origin.head.provenance.commit = Some("1234567".to_owned())), None);
        for (change, what) in [
            ((|origin| origin.seed = 2) as fn(&mut Origin), "another seed"),
            (|origin| origin.games = 12, "another number of games"),
            (|origin| origin.tunables[0].start = 16, "other tunables, or other numbers for them,"),
            (|origin| origin.digest = 1, "other openings"),
            (|origin| origin.head.provenance.nodes = Some(21), "another number of nodes"),
            (|origin| origin.head.provenance.clock = Some("8".to_owned()), "another clock"),
            (|origin| origin.head.provenance.set = vec!["credit=off".to_owned()], "other settings (--set)"),
            (|origin| origin.head.provenance.network = Some("2".to_owned()), "another network"),
        ] {
            assert_eq!(other(change), Some(what));
        }
    }
}
