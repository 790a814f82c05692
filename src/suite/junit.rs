//! Results as JUnit XML, so that a build server can show a suite like any other test: an unsolved position is a
//! failure, a rejected line an error, a line with nothing to solve is skipped. A run's positions that were not searched
//! are one more error.

use std::io;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

use super::labels::labels;
use super::model::{Contents, SuiteReport, Summary};
use super::position_result::PositionResult;
use crate::text::shown_in_xml;

type Xml = Writer<Vec<u8>>;

/// The reports as one XML document, with one test suite for each suite of each report.
///
/// # Errors
///
/// Errors of the XML writer; writing to memory, there are none.
pub fn to_junit(reports: &[SuiteReport]) -> io::Result<String> {
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let sum = |of: fn(&Summary) -> usize| reports.iter().map(|report| of(&report.total)).sum::<usize>();
    let time_ms = Summary::of("", reports.iter().flat_map(|report| &report.positions)).time_ms;
    let labels = labels(reports);
    let named = || labels.iter().zip(reports);
    let unfinished: Vec<(&String, &SuiteReport)> = named().filter(|(_, report)| report.missing() > 0).collect();
    let mut attributes = vec![
        ("name", shown_in_xml(&labels.join(", "))),
        ("tests", (sum(count) + unfinished.len()).to_string()),
        ("failures", sum(|sum| sum.positions - sum.solved).to_string()),
        ("errors", (sum(|sum| sum.refused) + unfinished.len()).to_string()),
    ];
    push_time(&mut attributes, time_ms);
    element(&mut writer, "testsuites", &attributes, |writer| {
        for (label, report) in named() {
            let mut positions = report.positions.iter();
            for (contents, sum) in report.run.suites.iter().zip(&report.suites) {
                let name = if reports.len() > 1 { format!("{label}: {}", sum.name) } else { sum.name.clone() };
                suite(writer, &name, contents, sum, positions.by_ref().take(sum.positions))?;
            }
        }
        for (label, report) in unfinished {
            not_done(writer, label, report)?;
        }
        Ok(())
    })?;
    let mut xml = String::from_utf8_lossy(&writer.into_inner()).into_owned();
    xml.push('\n');
    Ok(xml)
}

/// One suite with its test cases.
fn suite<'a>(
    writer: &mut Xml,
    name: &str,
    contents: &Contents,
    sum: &Summary,
    results: impl Iterator<Item = &'a PositionResult>,
) -> io::Result<()> {
    let mut attributes = vec![
        ("name", shown_in_xml(name)),
        ("tests", count(sum).to_string()),
        ("failures", (sum.positions - sum.solved).to_string()),
        ("errors", sum.refused.to_string()),
        ("skipped", sum.taskless.to_string()),
    ];
    push_time(&mut attributes, sum.time_ms);
    element(writer, "testsuite", &attributes, |writer| {
        for result in results {
            let played = result.played_san().unwrap_or("nothing");
            let message = format!(
                "expected {}, played {played} ({} for the side to move): {}",
                result.expected, result.score, result.fen
            );
            let outcome = (!result.solved).then_some(("failure", message.as_str()));
            case(writer, name, &result.id, result.time_ms, outcome)?;
        }
        for error in &contents.refused {
            case(writer, name, &format!("line {}", error.line), None, Some(("error", &error.to_string())))?;
        }
        for line in &contents.taskless {
            case(writer, name, &line.id, None, Some(("skipped", "nothing to solve")))?;
        }
        Ok(())
    })
}

/// A suite of its own for what a run has not searched.
fn not_done(writer: &mut Xml, label: &str, report: &SuiteReport) -> io::Result<()> {
    let name = format!("{label}: not done");
    let message = format!("{} of {} positions were not searched", report.missing(), report.run.wanted());
    let one = || "1".to_owned();
    let attributes = [("name", shown_in_xml(&name)), ("tests", one()), ("errors", one())];
    element(writer, "testsuite", &attributes, |writer| {
        case(writer, &name, "not done", None, Some(("error", message.as_str())))
    })
}

/// One test case with its failure, if any.
fn case(
    writer: &mut Xml,
    suite: &str,
    name: &str,
    time_ms: Option<u64>,
    outcome: Option<(&str, &str)>,
) -> io::Result<()> {
    let mut attributes = vec![("classname", shown_in_xml(suite)), ("name", shown_in_xml(name))];
    push_time(&mut attributes, time_ms);
    let Some((kind, message)) = outcome else {
        let attributes = attributes.iter().map(|(name, value)| (*name, value.as_str()));
        writer.create_element("testcase").with_attributes(attributes).write_empty()?;
        return Ok(());
    };
    element(writer, "testcase", &attributes, |writer| {
        let message = shown_in_xml(message);
        let element = writer.create_element(kind).with_attribute(("message", message.as_str()));
        element.write_text_content(BytesText::new(&message))?;
        Ok(())
    })
}

/// One element with its contents.
fn element(
    writer: &mut Xml,
    name: &str,
    attributes: &[(&str, String)],
    inner: impl FnOnce(&mut Xml) -> io::Result<()>,
) -> io::Result<()> {
    let attributes = attributes.iter().map(|(name, value)| (*name, value.as_str()));
    writer.create_element(name).with_attributes(attributes).write_inner_content(inner)?;
    Ok(())
}

/// Number of lines of a suite, of every kind.
fn count(sum: &Summary) -> usize {
    sum.positions + sum.refused + sum.taskless
}

/// Adds a time in seconds, if there is one.
fn push_time(attributes: &mut Vec<(&str, String)>, milliseconds: Option<u64>) {
    if let Some(ms) = milliseconds {
        attributes.push(("time", format!("{}.{:03}", ms / 1000, ms % 1000)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runner::Provenance;
    use crate::suite::run::tests::untimed_timed_and_not_begun;
    use crate::suite::{Rule, describe, parse};

    #[test]
    fn what_was_not_searched_is_an_error() {
        let line = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Ra8#;\n";
        let suites = [parse("a.epd", line.repeat(3).as_bytes())];
        let run = describe(&suites, Provenance::default(), Rule::End, None);
        let text = to_junit(&[SuiteReport::new(run, Vec::new())]).unwrap();
        assert!(text.contains(r#"tests="1" failures="0" errors="1""#), "{text}");
        assert!(text.contains("3 of 3 positions were not searched"), "{text}");
        assert!(!to_junit(&[]).unwrap().contains("not done"));
    }

    #[test]
    fn a_run_that_has_not_begun_takes_no_time_from_the_others() {
        let [untimed, timed, not_begun] = untimed_timed_and_not_begun();
        let is_told = |reports: &[&SuiteReport]| {
            let reports: Vec<SuiteReport> = reports.iter().map(|&report| report.clone()).collect();
            let text = to_junit(&reports).unwrap();
            let (total, _) = text.split_once("<testsuite ").unwrap();
            total.contains(r#"time="0.007""#)
        };
        assert!(is_told(&[&timed]) && is_told(&[&timed, &not_begun]) && is_told(&[&not_begun, &timed]));
        assert!(!is_told(&[&timed, &untimed]) && !is_told(&[&not_begun]));
    }
}
