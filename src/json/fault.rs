//! What is wrong with JSON that was read, in plain words.

use serde_json::error::Category;

/// What is wrong with a text that should be JSON of some kind, in plain words.
pub fn json_fault(error: &serde_json::Error) -> String {
    match error.classify() {
        Category::Eof => "it breaks off".to_owned(),
        Category::Data => misfit(&error.to_string()),
        Category::Syntax if is_too_large(error) => "a number is too large".to_owned(),
        Category::Syntax | Category::Io => "it is not JSON".to_owned(),
    }
}

/// The same of a text that is known to be JSON of some form.
pub fn form_fault(error: &serde_json::Error) -> String {
    // serde calls a value of another type where one of several names is expected an error of syntax.
    if error.is_syntax() && !is_too_large(error) { MISFIT.to_owned() } else { json_fault(error) }
}

/// Whether a number is too large, which is known only once it is to be kept.
fn is_too_large(error: &serde_json::Error) -> bool {
    error.is_syntax() && error.to_string().starts_with("number out of range")
}

/// A value that cannot be described better.
const MISFIT: &str = "a member is not what it should be";

/// What serde calls the types of JSON, and what they are called here.
const TYPES: [(&str, &str); 7] = [
    ("sequence", "an array"),
    ("map", "an object"),
    ("null", "null"),
    ("boolean", "true or false"),
    ("integer", "a number"),
    ("floating", "a number with a point or an exponent, or too large,"),
    ("string", "a text"),
];

/// What is wrong with JSON that is not of the form expected, by serde's message. A message that is not serde's own is
/// that of a value's type.
fn misfit(message: &str) -> String {
    let message = message.rsplit_once(" at line ").map_or(message, |(message, _)| message);
    let quoted = message.split('`').nth(1).unwrap_or_default();
    let starts = |start: &str| message.strip_prefix(start);
    if starts("missing field ").is_some() {
        format!("its member `{quoted}` is missing")
    } else if starts("duplicate field ").is_some() {
        format!("its member `{quoted}` occurs twice")
    } else if starts("unknown field ").is_some() {
        format!("it has a member `{quoted}`, which is not known")
    } else if starts("unknown variant ").is_some() || starts("invalid value: integer ").is_some() {
        format!("a member cannot be `{quoted}`")
    } else if let Some(rest) = starts("invalid type: ") {
        let found = TYPES.iter().find(|(theirs, _)| rest.starts_with(theirs)).map_or("something", |(_, ours)| ours);
        format!("there is {found} where something else is expected")
    } else if starts("invalid ").is_some() || starts("data did not match ").is_some() {
        MISFIT.to_owned()
    } else {
        message.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Kind {
        Report,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    struct Form {
        kind: Option<Kind>,
        schema: u32,
    }

    #[test]
    fn faults_are_told_in_plain_words() {
        let fault = |text: &str| json_fault(&serde_json::from_str::<Form>(text).unwrap_err());
        assert_eq!(fault("{}"), "its member `schema` is missing");
        assert_eq!(fault("{\"schema\":"), "it breaks off");
        assert_eq!(fault("{\"schema\":\"x\"}"), "there is a text where something else is expected");
        assert_eq!(fault("{\"schema\":-1}"), "a member cannot be `-1`");
        assert_eq!(fault("{\"schema\":1,\"schema\":1}"), "its member `schema` occurs twice");
        assert_eq!(fault("5"), "there is a number where something else is expected");
        for number in ["1.5", "1e3", "99999999999999999999999"] {
            let expected =
                "there is a number with a point or an exponent, or too large, where something else is expected";
            assert_eq!(fault(&format!("{{\"schema\":{number}}}")), expected);
        }
        assert_eq!(fault("{\"schema\":1e999}"), "a number is too large");
        assert_eq!(fault("{\"kind\":\"x\"}"), "a member cannot be `x`");
        assert_eq!(fault("# Title"), "it is not JSON");
    }

    #[test]
    fn what_is_known_to_be_json_is_not_said_to_be_none() {
        let fault = |text: &str| form_fault(&serde_json::from_str::<Form>(text).unwrap_err());
        assert_eq!(fault("{\"kind\":5}"), "a member is not what it should be");
        assert_eq!(fault("{\"schema\":1e999}"), "a number is too large");
        assert_eq!(fault("{}"), "its member `schema` is missing");
    }
}
