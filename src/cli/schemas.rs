//! The JSON Schemas in `docs/schema`, one for each kind of result: made from the types that are written, and kept as
//! files. `PACIOLI_RENEW=1 cargo test --lib schemas` writes them anew.

use std::fs;
use std::path::Path;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde_json::{Value, json};

use super::{compare, lint};
use crate::lab::data::index::{Block, Checked, Header};
use crate::lab::{ablate, choices, depths, growth, mine, player};
use crate::report::{analysis, explanation, model, tree};
use crate::runner::Kind;
use crate::suite;

/// A line of the JSON of `lab mine`.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only described")]
enum MineLine {
    /// The first.
    Origin(Box<mine::Origin>),
    /// All others.
    Game(mine::Line),
}

/// A line of the journal of `lab datagen`.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only described")]
enum DatagenLine<'a> {
    /// The first.
    Header(Checked<'a, Header>),
    /// All others.
    Block(Checked<'a, Block>),
}

/// The schema of what is written as this type.
fn schema_of<T: JsonSchema>() -> Schema {
    SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>()
}

/// The schema of a result of this kind; where it has several lines, of each line.
fn schema(kind: Kind) -> Value {
    let schema = match kind {
        Kind::Solve => schema_of::<suite::Line>(),
        Kind::Compare => schema_of::<compare::Outcome>(),
        Kind::Lint => schema_of::<lint::Linted>(),
        Kind::Report => schema_of::<model::Report>(),
        Kind::Explain => schema_of::<explanation::Explanation>(),
        Kind::Analysis => schema_of::<analysis::PositionAnalysis>(),
        Kind::Games => schema_of::<analysis::GamesAnalysis>(),
        Kind::Tree => schema_of::<tree::json::Line>(),
        Kind::Ablation => schema_of::<ablate::Ablation>(),
        Kind::Choices => schema_of::<choices::ChoiceReport>(),
        Kind::Growth => schema_of::<growth::Growth>(),
        Kind::Depths => schema_of::<depths::Depths>(),
        Kind::Match => schema_of::<player::Match>(),
        Kind::Mine => schema_of::<MineLine>(),
        Kind::Datagen => schema_of::<DatagenLine>(),
    };
    let mut schema = schema.to_value();
    fix_head(&mut schema, kind);
    schema
}

/// Wherever a head is described, its kind and version are these and no others.
fn fix_head(schema: &mut Value, kind: Kind) {
    match schema {
        Value::Array(parts) => parts.iter_mut().for_each(|part| fix_head(part, kind)),
        Value::Object(members) => {
            if let Some(Value::Object(properties)) = members.get_mut("properties")
                && properties.contains_key("kind")
                && properties.contains_key("schema")
            {
                properties.insert("kind".to_owned(), json!({ "const": kind }));
                properties.insert("schema".to_owned(), json!({ "const": kind.schema() }));
            }
            members.values_mut().for_each(|part| fix_head(part, kind));
        }
        _ => {}
    }
}

#[test]
fn the_files_are_those_of_the_types() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schema");
    for kind in Kind::ALL {
        let name = json!(kind).as_str().expect("a name").to_owned();
        let path = folder.join(format!("{name}.json"));
        let text = format!("{:#}\n", schema(kind));
        if std::env::var_os("PACIOLI_RENEW").is_some() {
            fs::write(&path, text).expect("a file that can be written");
        } else {
            let found = fs::read_to_string(&path).unwrap_or_default();
            assert!(found == text, "docs/schema/{name}.json is out of date: PACIOLI_RENEW=1 cargo test --lib schemas");
        }
    }
}
