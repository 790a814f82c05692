//! As much of JSON Schema as the files in `docs/schema` use. Stricter than the standard in one respect: a member that
//! no schema describes is an error, since it would be missing in the documentation.

use std::collections::BTreeSet;

use serde_json::Value;

/// Keywords that say nothing about whether a value is valid.
const NOTES: [&str; 8] = ["$schema", "$id", "$defs", "title", "description", "default", "format", "examples"];

/// The members of an object that a schema describes.
type Described = BTreeSet<String>;

/// Checks a value against a schema of this document.
pub fn check(document: &Value, schema: &Value, value: &Value) -> Result<(), String> {
    if is_anything(schema) {
        return Ok(());
    }
    let described = apply(document, schema, value)?;
    let members = value.as_object().into_iter().flat_map(|members| members.keys());
    match members.into_iter().find(|&name| !described.contains(name)) {
        Some(name) => Err(format!("`{name}` is described nowhere")),
        None => Ok(()),
    }
}

/// Whether a schema says nothing about what is valid: what others wrote, and Pacioli hands on.
fn is_anything(schema: &Value) -> bool {
    let only_notes =
        |keywords: &serde_json::Map<String, Value>| keywords.keys().all(|key| NOTES.contains(&key.as_str()));
    schema.as_object().is_some_and(only_notes)
}

/// Applies every keyword of a schema.
fn apply(document: &Value, schema: &Value, value: &Value) -> Result<Described, String> {
    let mut described = Described::new();
    let Value::Object(keywords) = schema else {
        return if schema == &Value::Bool(true) { Ok(described) } else { Err("nothing is valid here".to_owned()) };
    };
    for (keyword, wanted) in keywords {
        match keyword.as_str() {
            keyword if NOTES.contains(&keyword) => {}
            "$ref" => described.extend(apply(document, referred(document, wanted), value)?),
            "allOf" => {
                for part in list(wanted) {
                    described.extend(apply(document, part, value)?);
                }
            }
            "anyOf" | "oneOf" => described.extend(apply_one(document, list(wanted), value)?),
            "type" => check_type(wanted, value)?,
            "const" if wanted == value => {}
            "enum" if list(wanted).contains(value) => {}
            "const" | "enum" => return Err(format!("{value} is not {wanted}")),
            "required" => check_required(list(wanted), value)?,
            "properties" => described.extend(apply_members(document, wanted, value)?),
            "items" => check_items(document, wanted, value)?,
            "prefixItems" => {
                let pairs = list(wanted).iter().zip(list(value));
                pairs.into_iter().try_for_each(|(part, item)| check(document, part, item))?;
            }
            "minItems" if list(value).len() as u64 >= wanted.as_u64().unwrap_or(0) => {}
            "maxItems" if list(value).len() as u64 <= wanted.as_u64().unwrap_or(0) => {}
            "minimum" if value.is_null() || value.as_f64() >= wanted.as_f64() => {}
            "maximum" if value.is_null() || value.as_f64() <= wanted.as_f64() => {}
            "minItems" | "maxItems" | "minimum" | "maximum" => {
                return Err(format!("{value} breaks {keyword} {wanted}"));
            }
            _ => panic!("a keyword that this check does not know: {keyword}"),
        }
    }
    Ok(described)
}

/// The elements of an array; none of anything else.
fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// What `#/...` refers to.
fn referred<'a>(document: &'a Value, reference: &Value) -> &'a Value {
    let pointer = reference.as_str().and_then(|text| text.strip_prefix('#')).expect("a reference within the document");
    document.pointer(pointer).expect("what is referred to")
}

/// One of several schemas must hold.
fn apply_one(document: &Value, schemas: &[Value], value: &Value) -> Result<Described, String> {
    let mut reasons = Vec::new();
    for schema in schemas {
        match apply(document, schema, value) {
            Ok(described) => return Ok(described),
            Err(reason) => reasons.push(reason),
        }
    }
    Err(format!("none of several: {}", reasons.join("; ")))
}

fn check_type(wanted: &Value, value: &Value) -> Result<(), String> {
    let is = |name: &Value| match name.as_str().expect("the name of a type") {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        other => panic!("an unknown type: {other}"),
    };
    let fits = if wanted.is_array() { list(wanted).iter().any(is) } else { is(wanted) };
    if fits { Ok(()) } else { Err(format!("{value} is not of type {wanted}")) }
}

fn check_required(names: &[Value], value: &Value) -> Result<(), String> {
    let Some(members) = value.as_object() else { return Ok(()) };
    match names.iter().filter_map(Value::as_str).find(|&name| !members.contains_key(name)) {
        Some(missing) => Err(format!("`{missing}` is missing")),
        None => Ok(()),
    }
}

/// Checks the members that are described, and names them.
fn apply_members(document: &Value, properties: &Value, value: &Value) -> Result<Described, String> {
    let mut described = Described::new();
    for (name, schema) in properties.as_object().expect("an object of schemas") {
        if let Some(member) = value.get(name) {
            check(document, schema, member).map_err(|reason| format!("{name}: {reason}"))?;
            described.insert(name.clone());
        }
    }
    Ok(described)
}

fn check_items(document: &Value, schema: &Value, value: &Value) -> Result<(), String> {
    list(value)
        .iter()
        .enumerate()
        .try_for_each(|(index, item)| check(document, schema, item).map_err(|reason| format!("{index}: {reason}")))
}
