//! Schemas of what is written by name.

use crate::credit::Mechanism;
use crate::params::Profile;

/// Gives a type that is written by name a schema: a string that is one of its names.
macro_rules! names_schema {
    ( $type:ident, $description:literal ) => {
        impl schemars::JsonSchema for $type {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($type).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({ "description": $description, "type": "string", "enum": $type::NAMES })
            }
        }
    };
}

pub(crate) use names_schema;

names_schema!(Mechanism, "What earns credit.");
names_schema!(Profile, "A search profile.");
