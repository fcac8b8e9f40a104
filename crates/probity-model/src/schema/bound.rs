//! A shape with an end: lists and texts no longer than the tokens of an answer allow.
//!
//! A small model whose server holds it to a grammar can write one text on and on until it is cut off, with the rest of the
//! answer missing. Servers that build grammars from schemas keep to these limits; others may refuse them, so only a model
//! that was cut off is asked this way.

use std::ops::RangeInclusive;

use serde_json::{Value, json};

use crate::request::Schema;

/// The most items of a list, and of a list within one, and of any below that.
const ITEMS: [usize; 3] = [4, 3, 2];
/// Characters that a token stands for, structure included.
const CHARS_PER_TOKEN: usize = 3;
/// The length of a text, in characters, however few or many tokens there are.
const TEXT_CHARS: RangeInclusive<usize> = 60..=400;

/// The same shape with limits, so that an answer that reaches all of them has about that many tokens.
#[must_use]
pub fn bounded(schema: &Schema, tokens: u32) -> Schema {
    let chars = usize::try_from(tokens).unwrap_or(usize::MAX).saturating_mul(CHARS_PER_TOKEN);
    let each = chars / texts(&schema.schema, 0).max(1);
    let each = each.clamp(*TEXT_CHARS.start(), *TEXT_CHARS.end());
    let mut shape = schema.schema.clone();
    bound(&mut shape, 0, each);
    Schema { name: schema.name.clone(), schema: shape }
}

fn items(depth: usize) -> usize {
    ITEMS.get(depth).or(ITEMS.last()).copied().unwrap_or(1)
}

/// How many texts an answer holds when all of its lists are full.
fn texts(shape: &Value, depth: usize) -> usize {
    match shape.get("type").and_then(Value::as_str) {
        Some("object") => {
            let properties = shape.get("properties").and_then(Value::as_object);
            properties.into_iter().flat_map(|map| map.values()).map(|one| texts(one, depth)).sum()
        }
        Some("array") => {
            items(depth) * shape.get("items").map_or(0, |inner| texts(inner, depth + 1))
        }
        _ => usize::from(is_free(shape)),
    }
}

fn bound(shape: &mut Value, depth: usize, chars: usize) {
    let free = is_free(shape);
    let Some(map) = shape.as_object_mut() else { return };
    if free {
        map.insert("maxLength".to_owned(), json!(chars));
    }
    if let Some(properties) = map.get_mut("properties").and_then(Value::as_object_mut) {
        properties.values_mut().for_each(|one| bound(one, depth, chars));
    }
    if let Some(inner) = map.get_mut("items") {
        bound(inner, depth + 1, chars);
        map.insert("maxItems".to_owned(), json!(items(depth)));
    }
}

/// Whether it is a text in words of the model's own.
fn is_free(shape: &Value) -> bool {
    shape.get("type").and_then(Value::as_str) == Some("string") && shape.get("enum").is_none()
}

#[cfg(test)]
mod tests {
    use super::super::{integer, list, object, one_of, string};
    use super::*;

    fn shape() -> Schema {
        let part = object(&[
            ("text", string("it")),
            ("kind", one_of(&["a", "b"], "which")),
            ("sources", list(string("id"), "whence")),
        ]);
        let keys = [("brief", string("it")), ("score", integer("1")), ("parts", list(part, "all"))];
        Schema { name: "answer".to_owned(), schema: object(&keys) }
    }

    #[test]
    fn every_list_and_every_free_text_has_a_limit() {
        let bent = bounded(&shape(), 1_000).schema;
        let part = bent.pointer("/properties/parts").unwrap();
        assert_eq!(part["maxItems"], 4);
        assert_eq!(part.pointer("/items/properties/sources/maxItems").unwrap(), 3);
        // 1 + 4 × (1 + 3) texts share 3,000 characters.
        let longest = part.pointer("/items/properties/sources/items/maxLength").unwrap();
        assert_eq!(longest, 176);
        assert_eq!(bent.pointer("/properties/brief/maxLength"), Some(longest));
        assert!(part.pointer("/items/properties/kind/maxLength").is_none());
        assert!(bent.pointer("/properties/score/maxLength").is_none());
    }

    #[test]
    fn limits_stay_within_what_can_be_read_and_are_set_once() {
        let long = bounded(&shape(), u32::MAX);
        assert_eq!(long.schema.pointer("/properties/brief/maxLength").unwrap(), 400);
        let short = bounded(&shape(), 1);
        assert_eq!(short.schema.pointer("/properties/brief/maxLength").unwrap(), 60);
        assert_eq!(bounded(&short, 1), short);
    }
}
