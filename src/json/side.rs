//! A side: `white` or `black`, for `#[serde(with = "side")]`.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::board::Color;

/// A side by name.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(description = "A side."))]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// White.
    White,
    /// Black.
    Black,
}

impl From<Color> for Side {
    fn from(color: Color) -> Side {
        color.fold_wb(Side::White, Side::Black)
    }
}

/// Writes the side's name.
///
/// # Errors
///
/// Those of the serializer.
pub fn serialize<S: Serializer>(color: &Color, serializer: S) -> Result<S::Ok, S::Error> {
    Side::from(*color).serialize(serializer)
}

/// Reads a side's name.
///
/// # Errors
///
/// Anything else, and those of the deserializer.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Color, D::Error> {
    Ok(match Side::deserialize(deserializer)? {
        Side::White => Color::White,
        Side::Black => Color::Black,
    })
}
