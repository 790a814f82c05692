//! Results as JUnit XML, so that a build server can show a suite like any other test: an unsolved position is a
//! failure, a refused line an error, a line with nothing to solve is skipped.

use std::io;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

use super::model::{PositionResult, SuiteReport, Summary};

/// The report as one XML document.
///
/// # Errors
///
/// Whatever the XML writer cannot write; writing to memory, it has no reason to.
pub fn to_junit(report: &SuiteReport) -> io::Result<String> {
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let mut positions = report.positions.iter();
    let mut refused = report.refused.iter();
    let mut taskless = report.taskless.iter();
    let total = &report.total;
    writer
        .create_element("testsuites")
        .with_attribute(("name", clean(&report.program).as_str()))
        .with_attribute(("tests", count(total).to_string().as_str()))
        .with_attribute(("failures", (total.positions - total.solved).to_string().as_str()))
        .with_attribute(("errors", total.refused.to_string().as_str()))
        .with_attribute(("time", seconds(total.time_ms).as_str()))
        .write_inner_content(|writer| {
            for suite in &report.suites {
                writer
                    .create_element("testsuite")
                    .with_attribute(("name", clean(&suite.name).as_str()))
                    .with_attribute(("tests", count(suite).to_string().as_str()))
                    .with_attribute(("failures", (suite.positions - suite.solved).to_string().as_str()))
                    .with_attribute(("errors", suite.refused.to_string().as_str()))
                    .with_attribute(("skipped", suite.taskless.to_string().as_str()))
                    .with_attribute(("time", seconds(suite.time_ms).as_str()))
                    .write_inner_content(|writer| {
                        for result in positions.by_ref().take(suite.positions) {
                            position(writer, result)?;
                        }
                        for error in refused.by_ref().take(suite.refused) {
                            let name = format!("line {}", error.line);
                            case(writer, &suite.name, &name, 0, Some(("error", &error.to_string())))?;
                        }
                        for line in taskless.by_ref().take(suite.taskless) {
                            case(writer, &suite.name, &line.id, 0, Some(("skipped", "nothing to solve")))?;
                        }
                        Ok(())
                    })?;
            }
            Ok(())
        })?;
    let mut xml = String::from_utf8_lossy(&writer.into_inner()).into_owned();
    xml.push('\n');
    Ok(xml)
}

/// The test case of one position.
fn position(writer: &mut Writer<Vec<u8>>, result: &PositionResult) -> io::Result<()> {
    let played = result.played.as_deref().unwrap_or("nothing");
    let message = format!("expected {}, played {played} ({}): {}", result.expected, result.score, result.fen);
    let outcome = (!result.solved).then_some(("failure", message.as_str()));
    case(writer, &result.suite, &result.id, result.time_ms, outcome)
}

/// One test case with what went wrong, if anything did.
fn case(
    writer: &mut Writer<Vec<u8>>,
    suite: &str,
    name: &str,
    time_ms: u64,
    outcome: Option<(&str, &str)>,
) -> io::Result<()> {
    let (suite, name, time) = (clean(suite), clean(name), seconds(time_ms));
    let element = writer
        .create_element("testcase")
        .with_attribute(("classname", suite.as_str()))
        .with_attribute(("name", name.as_str()))
        .with_attribute(("time", time.as_str()));
    match outcome {
        None => element.write_empty()?,
        Some((kind, message)) => element.write_inner_content(|writer| {
            let message = clean(message);
            let element = writer.create_element(kind).with_attribute(("message", message.as_str()));
            element.write_text_content(BytesText::new(&message))?;
            Ok(())
        })?,
    };
    Ok(())
}

/// Lines of a suite, of every kind.
fn count(sum: &Summary) -> usize {
    sum.positions + sum.refused + sum.taskless
}

/// Milliseconds as JUnit has them.
fn seconds(milliseconds: u64) -> String {
    format!("{}.{:03}", milliseconds / 1000, milliseconds % 1000)
}

/// The text without characters that XML has no way to write.
fn clean(text: &str) -> String {
    text.chars().map(|c| if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') { ' ' } else { c }).collect()
}
