//! The JSON format: the model as is, indented, with a final newline.

use super::model::Report;

/// Writes the report as JSON.
///
/// # Errors
///
/// None in practice: the model has no map with keys that JSON could not hold.
pub fn to_json(report: &Report) -> Result<String, serde_json::Error> {
    let mut text = serde_json::to_string_pretty(report)?;
    text.push('\n');
    Ok(text)
}
