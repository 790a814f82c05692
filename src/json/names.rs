//! Schemas of what lower layers write by name.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::credit::Mechanism;
use crate::params::Profile;

/// The schema of a string that is one of these.
pub fn names_schema<'a>(description: &str, names: impl IntoIterator<Item = &'a str>) -> Schema {
    let names: Vec<&str> = names.into_iter().collect();
    json_schema!({ "description": description, "type": "string", "enum": names })
}

impl JsonSchema for Mechanism {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Mechanism".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        names_schema("What earns credit.", Mechanism::NAMES)
    }
}

impl JsonSchema for Profile {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Profile".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        names_schema("A search profile.", Profile::NAMES)
    }
}
