//! The names of several runs.

use super::compare::distinction;
use super::model::{Run, SuiteReport};

/// The names of runs that are shown together, each different.
pub fn labels(reports: &[SuiteReport]) -> Vec<String> {
    numbered(distinguished(reports))
}

/// The names of runs; what several of them would share gets the settings in which these differ: `Pacioli 0.1.0 modern
/// (hash_mb 16)`. Every name gets the limits in which any of the runs differ: `Other 4 (nodes 30,000)`.
pub fn distinguished(reports: &[SuiteReport]) -> Vec<String> {
    let names: Vec<String> = reports.iter().map(SuiteReport::label).collect();
    let all: Vec<&Run> = reports.iter().map(|report| &report.run).collect();
    let label = |(name, &run): (&String, &&Run)| {
        let is_namesake = |(other, _): &(&String, &&Run)| *other == name;
        let namesakes: Vec<&Run> = names.iter().zip(&all).filter(is_namesake).map(|(_, &run)| run).collect();
        match distinction(run, &namesakes, &all) {
            none if none.is_empty() => name.clone(),
            distinction => format!("{name} ({distinction})"),
        }
    };
    names.iter().zip(&all).map(label).collect()
}

/// Tells runs of the same name apart by their numbers.
pub fn numbered(names: Vec<String>) -> Vec<String> {
    let is_shared = |name: &String| names.iter().filter(|other| *other == name).count() > 1;
    let number = |(number, name): (usize, &String)| {
        if is_shared(name) { format!("{name}, run {number}") } else { name.clone() }
    };
    (1..).zip(&names).map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runner::Provenance;
    use crate::suite::{Rule, describe, parse};

    #[test]
    fn names_differ_in_what_the_runs_differ() {
        let report = |nodes, depth, file: &str| {
            let provenance = Provenance { program: "x".to_owned(), nodes, depth, ..Provenance::default() };
            SuiteReport::new(describe(&[parse(file, b"")], provenance, Rule::End, None), Vec::new())
        };
        let first = report(Some(30_000), None, "a.epd");
        assert_eq!(labels(std::slice::from_ref(&first)), ["x"]);
        assert_eq!(labels(&[first.clone(), first.clone()]), ["x, run 1", "x, run 2"]);
        assert_eq!(distinguished(&[first.clone(), first.clone()]), ["x", "x"]);
        let other = report(Some(30_000), Some(9), "a.epd");
        let more = report(Some(100_000), None, "a.epd");
        let expected = ["x (nodes 30,000, depth none)", "x (nodes 30,000, depth 9)", "x (nodes 100,000, depth none)"];
        assert_eq!(labels(&[first.clone(), other, more]), expected);
        let elsewhere = report(Some(30_000), None, "b.epd");
        assert_eq!(labels(&[first.clone(), elsewhere]), ["x (suites a.epd)", "x (suites b.epd)"]);
        let mut otherwise = report(Some(100_000), None, "a.epd");
        otherwise.run.head.provenance.set.push("credit=off".to_owned());
        assert_eq!(labels(&[first.clone(), otherwise]), ["x (nodes 30,000)", "x credit=off (nodes 100,000)"]);
        let mut edited = first.clone();
        edited.run.suites[0].crc32c = Some(7);
        let expected = ["x (suites of checksum 0)", "x (suites of checksum 7)"];
        assert_eq!(labels(&[first, edited]), expected);
    }
}
