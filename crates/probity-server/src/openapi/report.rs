//! The report's own schema as a part of the API's document, so that clients can be generated that read one.

use serde_json::{Map, Value};

/// The name under which the document describes a report.
const NAME: &str = "Report";

/// Stands for a report where a handler describes what it gives; the published schema takes its place.
#[derive(utoipa::ToSchema)]
#[schema(as = Report)]
#[expect(dead_code, reason = "only its name is used")]
pub(crate) struct ReportDocument {
    format: String,
}

/// The published schema of reports, each of its parts under a name of its own.
pub(super) fn schemas() -> Vec<(String, Value)> {
    let Ok(Value::Object(mut root)) = serde_json::from_str(probity_report::json::SCHEMA) else {
        return Vec::new();
    };
    let parts = match root.remove("$defs") {
        Some(Value::Object(parts)) => parts,
        _ => Map::new(),
    };
    // A part of a document has no address of its own, and generators would call it by its title.
    root.retain(|key, _| !matches!(key.as_str(), "$schema" | "$id" | "title"));
    let named = parts.into_iter().map(|(name, part)| (named(&name), part));
    let whole = std::iter::once((NAME.to_owned(), Value::Object(root)));
    let all = whole.chain(named).map(|(name, mut schema)| {
        point(&mut schema);
        (name, schema)
    });
    all.collect()
}

/// The name of a part in the document: `flat_statement` is `ReportFlatStatement`.
fn named(part: &str) -> String {
    let words = part.split('_').map(|word| {
        let mut chars = word.chars();
        let first = chars.next().map(|c| c.to_ascii_uppercase());
        first.into_iter().chain(chars).collect::<String>()
    });
    // "Report" once is enough.
    let words: String = words.filter(|word| word != NAME).collect();
    format!("{NAME}{words}")
}

/// Lets references point to where the parts are in the document.
fn point(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            for (key, value) in object.iter_mut() {
                match value {
                    Value::String(to) if key == "$ref" => {
                        if let Some(part) = to.strip_prefix("#/$defs/") {
                            *to = format!("#/components/schemas/{}", named(part));
                        }
                    }
                    value => point(value),
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(point),
        _ => {}
    }
}
