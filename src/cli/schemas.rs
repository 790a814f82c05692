//! The JSON Schemas in `docs/schema`, one for each kind of result: made from the types that are written, and kept as
//! files. `PACIOLI_RENEW=1 cargo test --lib schemas` writes them anew.

use std::fs;
use std::path::Path;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde_json::{Value, json};

use super::{compare, lint};
use crate::lab::data::index::{Block, Checked, Header};
use crate::lab::data::record;
use crate::lab::{ablate, choices, depths, growth, mine, player, spsa};
use crate::report::{analysis, evaluation, explanation, model, network, tree};
use crate::runner::Kind;
use crate::suite;

/// A line of the JSON of `lab mine`.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only described")]
enum MineLine {
    /// The first line: how the rest was made.
    Origin(Box<mine::Origin>),
    /// Every other line: a game that is done.
    Game(mine::Line),
}

/// A line of the journal of `lab datagen`.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only described")]
enum DatagenLine<'a> {
    /// The first line: what is made.
    Header(Checked<'a, Header>),
    /// Every other line: a block of games.
    Block(Checked<'a, Block>),
}

/// A line of the journal of `lab spsa`.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only described")]
enum SpsaLine {
    /// The first line: all that the results depend on.
    Origin(Box<spsa::Origin>),
    /// Every other line: a batch of pairs of games.
    Batch(spsa::Batch),
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
        Kind::Evaluation => schema_of::<evaluation::PositionEvaluation>(),
        Kind::Network => schema_of::<network::NetworkInfo>(),
        Kind::Ablation => schema_of::<ablate::Ablation>(),
        Kind::Choices => schema_of::<choices::ChoiceReport>(),
        Kind::Growth => schema_of::<growth::Growth>(),
        Kind::Depths => schema_of::<depths::Depths>(),
        Kind::Match => schema_of::<player::Match>(),
        Kind::Mine => schema_of::<MineLine>(),
        Kind::Datagen => schema_of::<DatagenLine>(),
        Kind::Positions => schema_of::<record::Record>(),
        Kind::Spsa => schema_of::<SpsaLine>(),
    };
    let mut schema = schema.to_value();
    fix_head(&mut schema, kind);
    if kind == Kind::Positions {
        // The journals of its sources.
        fix_head(&mut schema["$defs"]["Header"], Kind::Datagen);
    }
    schema["$id"] = json!(format!("urn:pacioli:{}:{}", name(kind), kind.schema()));
    schema["title"] = json!(format!("{}, version {}", name(kind), kind.schema()));
    schema["description"] = json!(about(kind));
    schema
}

/// The kind's name, as results and files have it.
fn name(kind: Kind) -> String {
    json!(kind).as_str().expect("a name").to_owned()
}

/// What a result of this kind is, in a sentence.
fn about(kind: Kind) -> &'static str {
    match kind {
        Kind::Solve => "A line of what `pacioli solve` and `merge` write: a run, one of its positions, or its end.",
        Kind::Compare => "Two runs of `pacioli solve` over the same positions, compared by `pacioli compare`.",
        Kind::Lint => "What `pacioli lint` finds wrong with suites.",
        Kind::Report => "How deep the iterations of some positions went, and what paid for it, from `pacioli report`.",
        Kind::Explain => "The lines of a search, move by move, with what paid for each, from `pacioli explain`.",
        Kind::Analysis => "The best lines of a position, from `pacioli analyze`.",
        Kind::Games => "Games with their moves assessed, from `pacioli analyze`.",
        Kind::Tree => "A line of what `pacioli tree` writes: a search, or one of its visits to a node.",
        Kind::Evaluation => "Both static evaluations of a position, from `pacioli eval`.",
        Kind::Network => "What a network is and what it was made from, from `pacioli net info`.",
        Kind::Ablation => "What each switch of the search is worth on a suite, from `pacioli lab ablate`.",
        Kind::Choices => "The values of a tunable compared, from `pacioli lab aspiration`, `drivers` or `envelope`.",
        Kind::Growth => "How much more each iteration costs than the one before, from `pacioli lab growth`.",
        Kind::Depths => "How deep the searches of many positions went, from `pacioli lab depths`.",
        Kind::Match => "A player's moves compared with those of both profiles, from `pacioli lab match`.",
        Kind::Mine => "A line of the file of `pacioli lab mine`: how it was made, or a game that is done.",
        Kind::Datagen => "A line of the journal of `pacioli lab datagen`: what is made, or a block of games.",
        Kind::Positions => "What the positions of `pacioli lab positions` were made from, in the file next to theirs.",
        Kind::Spsa => "A line of the journal of `pacioli lab spsa`: what is tuned and how, or a batch of games.",
    }
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

/// A description that says nothing to somebody who does not know the program's source, if the schema has one.
fn unclear(schema: &Value, name: &str) -> Option<String> {
    if let Some(text) = schema.get("description").and_then(Value::as_str) {
        let is_sentence = text.ends_with('.') && text.starts_with(|c: char| c.is_uppercase() || c == '`');
        let words = text.split_whitespace().count();
        let is_short = words < 2 && schema.get("const").is_none();
        if !is_sentence || is_short || ["[`", "::", "](", "for JSON", "Option"].iter().any(|code| text.contains(code)) {
            return Some(format!("{name}: {text}"));
        }
    }
    let members = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
    let bare = |member: &Value| !["description", "const", "$ref"].iter().any(|key| member.get(key).is_some());
    if let Some((bare, _)) = members.clone().find(|(_, member)| bare(member)) {
        return Some(format!("{name}: `{bare}` is not described"));
    }
    match schema {
        Value::Array(parts) => parts.iter().find_map(|part| unclear(part, name)),
        Value::Object(members) => members.iter().find_map(|(key, part)| unclear(part, &format!("{name}/{key}"))),
        _ => None,
    }
}

#[test]
fn descriptions_are_plain_sentences() {
    for kind in Kind::ALL {
        assert_eq!(unclear(&schema(kind), &name(kind)), None);
    }
}

#[test]
fn the_files_are_those_of_the_types() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schema");
    for kind in Kind::ALL {
        let name = name(kind);
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
