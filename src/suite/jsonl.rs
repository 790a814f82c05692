//! Runs as JSON lines: the task, then each result, then the totals. A file may hold several runs in sequence, and may
//! end anywhere: what is there is usable. While runs are in progress, the file holds what they began with, and then
//! the task of each once more, with its new results.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet};

use serde::{Deserialize, Serialize};

use super::model::{OLDEST_SCHEMA, Run, SuiteReport, Summary};
use super::older;
use super::position_result::PositionResult;
use crate::json::{json_fault, line};
use crate::runner::{FileHeader, Kind, LineError};

/// One line of a run.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "lowercase")]
#[cfg_attr(test, schemars(title = "A line of a run"))]
pub enum Line<'a> {
    /// The task: the results that follow belong to it.
    Run(&'a Run),
    /// A result.
    Position(&'a PositionResult),
    /// The totals.
    End {
        /// Whether every position was done.
        complete: bool,
        /// The totals over everything.
        total: &'a Summary,
        /// The totals of each suite.
        suites: &'a [Summary],
        /// The totals of each theme; empty if there are none.
        themes: &'a [Summary],
    },
}

/// One line that was read. Totals are recomputed.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum ReadLine {
    Run(Box<Run>),
    Position(Box<PositionResult>),
    End,
    /// What a later version may have added.
    #[serde(other)]
    Unknown,
}

/// A run as far as it was read: a task and the results that follow it.
struct Begun {
    run: Run,
    results: Vec<PositionResult>,
    /// The numbers of the positions that it has.
    done: HashSet<usize>,
}

/// Complete runs.
///
/// # Errors
///
/// None in practice: the model has nothing that JSON could not hold.
pub fn to_jsonl(reports: &[SuiteReport]) -> serde_json::Result<String> {
    let mut text = String::new();
    for report in reports {
        text.push_str(&line(&Line::Run(&report.run))?);
        for result in &report.positions {
            text.push_str(&line(&Line::Position(result))?);
        }
        let complete = report.missing() == 0;
        let SuiteReport { total, suites, themes, .. } = report;
        text.push_str(&line(&Line::End { complete, total, suites, themes })?);
    }
    Ok(text)
}

/// Reads runs; an incomplete one goes on where its task is stated again. An incomplete last line, as after a power
/// failure, is skipped.
///
/// # Errors
///
/// A line of another format, or a result that belongs to no run, occurs twice, or contradicts itself.
pub fn from_jsonl(text: &str) -> Result<Vec<SuiteReport>, LineError> {
    let mut parts: Vec<Begun> = Vec::new();
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let fault = |reason: String| LineError { line: index + 1, reason };
        if line.trim().is_empty() {
            continue;
        }
        match parse_line(line) {
            Ok(ReadLine::Run(run)) if !run.is_countable() => {
                return Err(fault("more positions than there can be".to_owned()));
            }
            Ok(ReadLine::Run(run)) => parts.push(Begun { run: *run, results: Vec::new(), done: HashSet::new() }),
            Ok(ReadLine::Position(result)) => {
                let Some(Begun { run, results, done }) = parts.last_mut() else {
                    return Err(fault("a position before any run".to_owned()));
                };
                if result.solved != result.solution.is_some() {
                    return Err(fault(format!("position {} is both solved and not", result.index)));
                }
                if !run.includes(result.index) || !done.insert(result.index) {
                    return Err(fault(format!("position {} does not belong here", result.index)));
                }
                results.push(*result);
            }
            Ok(ReadLine::End | ReadLine::Unknown) => {}
            Err(_) if !line.ends_with('\n') && index > 0 => {}
            Err(reason) => return Err(fault(reason)),
        }
    }
    if parts.is_empty() {
        return Err(LineError { line: 1, reason: "no run in this file".to_owned() });
    }
    Ok(joined(parts).into_iter().map(|begun| SuiteReport::new(begun.run, begun.results)).collect())
}

/// The runs of these parts: an incomplete one goes on with an equal part, unless that has a position which it has done.
/// Then the part is of another run: of the same engine once more.
fn joined(parts: Vec<Begun>) -> Vec<Begun> {
    let mut runs: Vec<Begun> = Vec::new();
    for part in parts {
        let goes_on = |run: &&mut Begun| {
            run.run == part.run && run.results.len() < run.run.wanted() && run.done.is_disjoint(&part.done)
        };
        match runs.iter_mut().find(goes_on) {
            Some(run) => {
                run.results.extend(part.results);
                run.done.extend(part.done);
            }
            None => runs.push(part),
        }
    }
    runs
}

/// Whether the last line is incomplete, so that [`from_jsonl`] skips it.
pub fn breaks_off(text: &str) -> bool {
    let last = text.split_inclusive('\n').next_back().unwrap_or_default();
    !last.ends_with('\n') && !last.trim().is_empty() && parse_line(last).is_err()
}

fn parse_line(line: &str) -> Result<ReadLine, String> {
    let read = match older::renewed(line) {
        Some(renewed) => serde_json::from_value(renewed),
        None => serde_json::from_str(line),
    };
    FileHeader::of(line).check(Kind::Solve, OLDEST_SCHEMA).map_err(|error| error.to_string())?;
    match read {
        Ok(ReadLine::Run(mut run)) => {
            (run.head.kind, run.head.schema) = (Some(Kind::Solve), Kind::Solve.schema());
            Ok(ReadLine::Run(run))
        }
        read => read.map_err(|error| format!("not a line of `solve --json`: {}", json_fault(&error))),
    }
}

/// Combines the parts of runs, as files have them: results of the same program with the same settings over the same
/// suites become one run. Of an engine that takes part twice each file has two runs; the first ones become one, and the
/// second ones another. Behind the runs, for each part: the commits of its program that no earlier part of its run has,
/// if there was one.
///
/// # Errors
///
/// Two parts have different results for the same position, or two runs different positions in the same place, so that
/// they cannot be shown side by side; the error names the position.
pub fn merge(
    files: impl IntoIterator<Item = Vec<SuiteReport>>,
) -> Result<(Vec<SuiteReport>, Vec<Option<String>>), String> {
    let mut other_commits = Vec::new();
    let mut merged: Vec<(Run, BTreeMap<usize, PositionResult>)> = Vec::new();
    for file in files {
        // The file's parts up to here, with the places of their runs.
        let mut placed: Vec<(usize, Run)> = Vec::new();
        for report in file {
            let run = Run { shard: None, ..report.run.clone() };
            let is_taken = |place: usize| placed.iter().any(|(other, part)| *other == place && part.fits(&report.run));
            let is_place = |&place: &usize| merged[place].0.fits(&run) && !is_taken(place);
            let place = (0..merged.len()).find(is_place).unwrap_or_else(|| {
                merged.push((run.clone(), BTreeMap::new()));
                merged.len() - 1
            });
            placed.push((place, report.run));
            let (first, results) = &mut merged[place];
            other_commits.push(run.head.provenance.clone().go_on_by(&first.head.provenance));
            first.head.provenance.go_on_by(&run.head.provenance);
            for (suite, other) in first.suites.iter_mut().zip(&run.suites) {
                suite.crc32c = suite.crc32c.or(other.crc32c);
            }
            for result in report.positions {
                match results.entry(result.index) {
                    Entry::Vacant(place) => _ = place.insert(result),
                    Entry::Occupied(other) if *other.get() == result => {}
                    Entry::Occupied(_) => return Err(format!("{} occurs twice, with different results", result.id)),
                }
            }
        }
    }
    let mut tasks: HashMap<usize, &PositionResult> = HashMap::new();
    for result in merged.iter().flat_map(|(_, results)| results.values()) {
        let other = *tasks.entry(result.index).or_insert(result);
        if other.question() != result.question() {
            let number = result.index + 1;
            let (one, two) = (&other.id, &result.id);
            return Err(format!("position {number} is {one} in one run and {two}, another one, in the next"));
        }
    }
    let run =
        |(run, results): (Run, BTreeMap<usize, PositionResult>)| SuiteReport::new(run, results.into_values().collect());
    Ok((merged.into_iter().map(run).collect(), other_commits))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Engine, Limits, Options};
    use crate::runner::{Provenance, Shard};
    use crate::suite::{Rule, describe, parse, solve, tasks};

    /// A run of these shards over a suite of five forced moves.
    fn reports(shards: &[Option<&str>]) -> Vec<SuiteReport> {
        let line = "k7/8/1K6/8/8/8/8/8 b - - bm Kb8; c0 \"Kb8=7\";\n";
        let suites = [parse("a.epd", line.repeat(5).as_bytes()), parse("b.epd", b"rubbish\n")];
        let (mut engine, _) = Engine::new(Options { hash_mb: 1, ..Options::default() });
        let limits = Limits::to_depth(1);
        let mut report = |shard: Option<Shard>| {
            let run = describe(&suites, Provenance::default(), Rule::End, shard);
            let tasks = tasks(&suites).into_iter().filter(|task| run.includes(task.index));
            let results = tasks.map(|task| PositionResult {
                index: task.index,
                ..solve(&mut engine, task.record, &limits, Rule::End).without_times()
            });
            SuiteReport::new(run.clone(), results.collect())
        };
        shards.iter().map(|shard| report(shard.map(|text| text.parse().unwrap()))).collect()
    }

    /// Each part in a file of its own.
    fn apart(parts: impl IntoIterator<Item = SuiteReport>) -> impl Iterator<Item = Vec<SuiteReport>> {
        parts.into_iter().map(|part| vec![part])
    }

    /// The runs that the parts are combined to.
    fn merged(parts: impl IntoIterator<Item = SuiteReport>) -> Vec<SuiteReport> {
        merge(apart(parts)).unwrap().0
    }

    #[test]
    fn positions_without_end_are_no_run_and_sums_without_a_number_are_the_largest() {
        let text = to_jsonl(&reports(&[None])).unwrap();
        let many = text.replacen("\"positions\":5", &format!("\"positions\":{}", usize::MAX), 1);
        assert_eq!(from_jsonl(&many).unwrap_err().to_string(), "line 1: more positions than there can be");
        let [mut costly] = <[SuiteReport; 1]>::try_from(reports(&[None])).unwrap();
        costly.positions.iter_mut().for_each(|result| result.nodes = u64::MAX);
        let costly = to_jsonl(&[costly]).unwrap();
        assert_eq!(from_jsonl(&costly).unwrap()[0].total.nodes, u64::MAX);
    }

    #[test]
    fn what_is_written_is_read() {
        let reports = reports(&[None, Some("1/2")]);
        let text = to_jsonl(&reports).unwrap();
        assert_eq!(text.lines().count(), 7 + 5);
        assert!(text.lines().all(|line| line.starts_with("{\"type\":\"")));
        assert_eq!(from_jsonl(&text).unwrap(), reports);
        // So it is with lines that only a later version knows.
        assert_eq!(from_jsonl(&format!("{text}{{\"type\":\"later\",\"x\":[1]}}\n")).unwrap(), reports);
    }

    #[test]
    fn a_file_that_breaks_off_gives_what_is_there() {
        let text = to_jsonl(&reports(&[None])).unwrap();
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let broken = format!("{}{}{}", lines[0], lines[1], &lines[2][..40]);
        let read = from_jsonl(&broken).unwrap();
        assert!(breaks_off(&broken) && !breaks_off(&text) && !breaks_off(text.trim_end()) && !breaks_off(""));
        assert_eq!((read[0].positions.len(), read[0].missing()), (1, 4));
        for (bad, line) in [("", 1), ("{}\n", 1), (lines[1], 1), (&*format!("{}x\n{}", lines[0], lines[1]), 2)] {
            assert_eq!(from_jsonl(bad).unwrap_err().line, line, "{bad}");
        }
        let old = lines[0].replace("\"schema\":6", "\"schema\":1").replace("\"program\"", "\"engine\"");
        assert!(from_jsonl(&old).unwrap_err().reason.starts_with("schema 1, "), "{old}");
        let claimed = text.replacen("\"solved\":true", "\"solved\":false", 1);
        assert_eq!(from_jsonl(&claimed).unwrap_err().to_string(), "line 2: position 0 is both solved and not");
        let twice = format!("{}{}{}", lines[0], lines[1], lines[1]);
        assert_eq!(from_jsonl(&twice).unwrap_err().line, 3);
    }

    #[test]
    fn a_run_in_progress_is_one_run() {
        let whole = &reports(&[None])[0];
        let begun = SuiteReport::new(whole.run.clone(), whole.positions[..2].to_vec());
        let other = Run { rule: Rule::Seen, ..whole.run.clone() };
        let start = to_jsonl(&[begun, SuiteReport::new(other.clone(), Vec::new())]).unwrap();
        let go_on = |run: &Run, results: &[PositionResult]| {
            let results = results.iter().map(|result| line(&Line::Position(result)).unwrap());
            line(&Line::Run(run)).unwrap() + &results.collect::<String>()
        };
        let text = start + &go_on(&whole.run, &whole.positions[2..]) + &go_on(&other, &whole.positions[..1]);
        let [first, second] = &from_jsonl(&text).unwrap()[..] else { panic!("{text}") };
        assert_eq!((first, &second.run, second.positions.len()), (whole, &other, 1));
        // A run that is complete does not go on: the next one is another, such as of the same engine once more.
        let twice = to_jsonl(&[whole.clone(), whole.clone()]).unwrap();
        assert_eq!(from_jsonl(&twice).unwrap().len(), 2);
        // And so is one that begins with what the first has done.
        let part = |count: usize| SuiteReport::new(whole.run.clone(), whole.positions[..count].to_vec());
        for (first, second) in [(2, 5), (2, 2), (3, 1)] {
            let runs = [part(first), part(second)];
            assert_eq!(from_jsonl(&to_jsonl(&runs).unwrap()).unwrap(), runs);
        }
        // Whichever of its results that is, and whether or not the totals stand between them.
        let runs = [&whole.positions[1..2], &whole.positions[..2]]
            .map(|results| SuiteReport::new(whole.run.clone(), results.to_vec()));
        assert_eq!(from_jsonl(&to_jsonl(&runs).unwrap()).unwrap(), runs);
        let text = runs.each_ref().map(|report| go_on(&report.run, &report.positions)).concat();
        assert_eq!(from_jsonl(&text).unwrap(), runs);
    }

    #[test]
    fn merged_parts_are_the_whole() {
        let whole = reports(&[None]);
        let parts = reports(&[Some("3/3"), Some("1/3"), Some("2/3")]);
        assert_eq!(parts.iter().map(|part| part.total.positions).collect::<Vec<_>>(), [1, 2, 2]);
        assert!(parts.iter().all(|part| part.missing() == 0));
        assert_eq!(merged(parts.clone()), whole);
        assert_eq!(merged(parts.iter().chain(&parts).cloned()), whole);
        assert_eq!(merged(parts[..2].to_vec())[0].missing(), 2);
        // The commits of all programs are named, and told where they are new.
        let of_commit = |place: usize, commit: &str| {
            let mut part = parts[place].clone();
            part.run.head.provenance.commit = Some(commit.to_owned());
            part
        };
        let (runs, others) = merge(apart([of_commit(0, "a"), of_commit(1, "b"), of_commit(2, "a")])).unwrap();
        assert_eq!(runs[0].run.head.provenance.commit.as_deref(), Some("a, b"));
        assert_eq!(others, [None, Some("b".to_owned()), None]);
        let mut other = parts[0].clone();
        other.positions[0].nodes += 1;
        assert!(merge(apart([parts[0].clone(), other])).is_err());
        let mut other = parts[0].clone();
        other.run.head.provenance.program = "y".to_owned();
        assert_eq!(merged([parts[0].clone(), other.clone()]).len(), 2);
        // Another position in the same place is another suite's.
        other.positions[0].fen = "8/8/8/8/8/8/8/K1k5 w - - 0 1".to_owned();
        let told = merge(apart([parts[0].clone(), other])).unwrap_err();
        assert!(told.starts_with("position 3 is ") && told.contains("another one"), "{told}");
        // So are positions of another checksum, if it is known.
        let mut other = parts[1].clone();
        other.run.suites[0].crc32c = Some(7);
        assert_eq!(merged([parts[0].clone(), other.clone()]).len(), 2);
        let mut older = parts[0].clone();
        older.run.suites[0].crc32c = None;
        assert_eq!(merged([older.clone(), parts[1].clone()]).len(), 1);
        assert_eq!(merged([older, parts[2].clone(), other]).len(), 2);
        // And so it is with networks.
        let of_network = |place: usize, network: Option<&str>| {
            let mut part = parts[place].clone();
            part.run.head.provenance.network = network.map(str::to_owned);
            part
        };
        assert_eq!(merged([of_network(0, None), of_network(1, Some("1")), of_network(2, Some("2"))]).len(), 2);
    }

    #[test]
    fn an_engine_that_takes_part_twice_has_two_runs() {
        // The second time it finds the same with more nodes.
        let again = |report: &SuiteReport| {
            let mut positions = report.positions.clone();
            positions.iter_mut().for_each(|result| result.nodes += 1);
            SuiteReport::new(report.run.clone(), positions)
        };
        let twice = |report: &SuiteReport| vec![report.clone(), again(report)];
        let whole = twice(&reports(&[None])[0]);
        let files: Vec<Vec<SuiteReport>> = reports(&[Some("2/2"), Some("1/2")]).iter().map(twice).collect();
        assert_eq!(merge(files.clone()).unwrap().0, whole);
        assert_eq!(merge([files.concat(), files[0].clone()]).unwrap().0, whole, "in one file, and a part again");
        // Whatever it finds: what the second time is not done is missing.
        let same = [files[0][0].clone(), files[0][0].clone()];
        assert_eq!(merge([same.to_vec()]).unwrap().0.len(), 2);
        let begun = SuiteReport::new(files[0][1].run.clone(), Vec::new());
        let (runs, _) = merge([vec![files[0][0].clone(), begun], files[1].clone()]).unwrap();
        assert_eq!(runs.iter().map(SuiteReport::missing).collect::<Vec<_>>(), [0, 2]);
    }
}
