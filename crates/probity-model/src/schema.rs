//! An answer bent into the shape that was asked for, as far as its meaning allows.
//!
//! Schemas are written once, sent to providers that keep to them, and used here for those that do
//! not: numbers in words become numbers, one thing becomes a list of one, keys that were not asked for
//! go, and what is truly missing is named so that the model can be asked again.

mod bound;

use serde_json::{Map, Value, json};

use crate::request::Schema;

pub use self::bound::bounded;

/// The most items of a list.
const ITEMS: usize = 200;
/// The longest string, in bytes.
const STRING_BYTES: usize = 20_000;

/// A text.
pub fn string(what: &str) -> Value {
    json!({"type": "string", "description": what})
}

/// A whole number.
pub fn integer(what: &str) -> Value {
    json!({"type": "integer", "description": what})
}

/// One of a few words.
pub fn one_of(words: &[&str], what: &str) -> Value {
    json!({"type": "string", "enum": words, "description": what})
}

/// A list of things of one kind.
pub fn list(items: Value, what: &str) -> Value {
    json!({"type": "array", "items": items, "description": what})
}

/// An object with exactly these keys.
pub fn object(keys: &[(&str, Value)]) -> Value {
    let properties: Map<String, Value> =
        keys.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect();
    let required: Vec<&str> = keys.iter().map(|(key, _)| *key).collect();
    json!({
        "type": "object", "properties": properties, "required": required,
        "additionalProperties": false,
    })
}

/// A shape as an example that says what belongs where, for models that are only asked.
pub fn example(schema: &Value) -> String {
    let what = schema.get("description").and_then(Value::as_str).unwrap_or("…");
    match schema.get("type").and_then(Value::as_str) {
        Some("object") => {
            let properties = schema.get("properties").and_then(Value::as_object);
            // In the order in which the keys were given, which is that of `required`.
            let keys = schema.get("required").and_then(Value::as_array);
            let parts: Vec<String> = keys
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .filter_map(|key| Some(format!("\"{key}\": {}", example(properties?.get(key)?))))
                .collect();
            format!("{{{}}}", parts.join(", "))
        }
        Some("array") => {
            format!("[{}, …]", example(schema.get("items").unwrap_or(&Value::Null)))
        }
        Some("integer") => format!("({what})"),
        _ => match schema.get("enum").and_then(Value::as_array) {
            Some(words) => {
                let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
                format!("\"{}\"", words.join(" | "))
            }
            None => format!("\"{what}\""),
        },
    }
}

/// Reads an answer of a shape out of a reply.
///
/// # Errors
/// Says what is missing or wrong, in words that let a model fix it.
pub fn read(reply: &str, schema: &Schema, needed: &[&str]) -> Result<Value, String> {
    let mut problem = None;
    let plain = crate::json::without_thoughts(reply);
    let candidates = crate::json::candidates(reply);
    // A model that is asked for lines sends no JSON, and some send lines where JSON was asked for. An object that cannot be
    // used is not read as lines: its keys would look like theirs.
    let in_lines = match candidates.iter().any(Value::is_object) {
        true => None,
        false => crate::lines::read(&plain, &schema.schema),
    };
    for candidate in candidates.into_iter().chain(in_lines) {
        let bent = coerce(&candidate, &schema.schema, "the answer").and_then(|value| match needed
            .iter()
            .find(|key| is_blank(value.get(**key)))
        {
            Some(key) => Err(format!("`{key}` is missing or empty")),
            None => Ok(value),
        });
        match bent {
            Ok(value) => return Ok(value),
            Err(reason) => problem = problem.or(Some(reason)),
        }
    }
    Err(problem.unwrap_or_else(|| match reply.trim() {
        "" => "the reply is empty".to_owned(),
        _ => "the reply holds no JSON".to_owned(),
    }))
}

fn is_blank(value: Option<&Value>) -> bool {
    match value {
        None | Some(Value::Null) => true,
        Some(Value::String(text)) => text.trim().is_empty(),
        Some(Value::Array(list)) => list.is_empty(),
        Some(_) => false,
    }
}

fn coerce(value: &Value, schema: &Value, at: &str) -> Result<Value, String> {
    match schema.get("type").and_then(Value::as_str) {
        Some("object") => to_object(value, schema, at),
        Some("array") => to_list(value, schema, at),
        Some("integer") => to_integer(value, at),
        _ => to_string(value, schema, at),
    }
}

fn to_object(value: &Value, schema: &Value, at: &str) -> Result<Value, String> {
    let properties = schema.get("properties").and_then(Value::as_object);
    let Some(properties) = properties else { return Ok(value.clone()) };
    let map = match value {
        Value::Object(map) => map,
        Value::Array(list) if list.len() == 1 && list.iter().all(Value::is_object) => {
            return to_object(list.first().unwrap_or(&Value::Null), schema, at);
        }
        // A bare list where an object with one key was meant; `[99]` is no such list.
        Value::Array(items)
            if properties.len() == 1 && !items.iter().any(|item| item.is_number()) =>
        {
            let (key, inner) = properties.iter().next().ok_or("an empty shape")?;
            return Ok(json!({ key: coerce(value, inner, key)? }));
        }
        _ => return Err(format!("{at} is not an object")),
    };
    let find = |key: &str| {
        map.get(key).or_else(|| map.iter().find(|(k, _)| plain(k) == plain(key)).map(|(_, v)| v))
    };
    if properties.keys().all(|key| find(key).is_none())
        && let Some(inner) = map.values().find(|inner| inner.is_object())
        && map.len() == 1
    {
        return to_object(inner, schema, at);
    }
    if properties.keys().all(|key| find(key).is_none()) {
        return Err(format!("{at} has none of the keys that were asked for"));
    }
    let mut bent = Map::new();
    for (key, inner) in properties {
        bent.insert(key.clone(), coerce(find(key).unwrap_or(&Value::Null), inner, key)?);
    }
    Ok(Value::Object(bent))
}

/// A key without case and separators: `betterQueries` is `better_queries`.
fn plain(key: &str) -> String {
    key.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn to_list(value: &Value, schema: &Value, at: &str) -> Result<Value, String> {
    let inner = schema.get("items").unwrap_or(&Value::Null);
    let items: Vec<Value> = match value {
        Value::Null => Vec::new(),
        Value::Array(items) => items.clone(),
        Value::String(text) if text.trim().is_empty() => Vec::new(),
        Value::String(text) => text.lines().map(bullet).filter(|l| !is_blank(Some(l))).collect(),
        Value::Object(map) => match map.values().find(|inner| inner.is_array()) {
            Some(Value::Array(items)) if map.len() == 1 => items.clone(),
            _ => vec![value.clone()],
        },
        other => vec![other.clone()],
    };
    // One bad item is no reason to lose the others.
    let mut problem = None;
    let mut bent = Vec::new();
    for item in items.iter().take(ITEMS) {
        match coerce(item, inner, at) {
            Ok(item) => bent.push(item),
            Err(reason) => problem = Some(reason),
        }
    }
    match problem {
        Some(reason) if bent.is_empty() => Err(reason),
        _ => Ok(Value::Array(bent)),
    }
}

fn bullet(line: &str) -> Value {
    let line = line.trim().trim_start_matches(['-', '*', '•']);
    let numbered = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let line = match numbered.strip_prefix(['.', ')']) {
        Some(rest) if numbered.len() < line.len() => rest,
        _ => line,
    };
    Value::String(line.trim().to_owned())
}

fn to_integer(value: &Value, at: &str) -> Result<Value, String> {
    let number = match value {
        Value::Number(number) => number.as_f64().map(f64::round),
        Value::String(text) => {
            let text = text.trim_start_matches(|c: char| !c.is_ascii_digit());
            let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
            digits.parse().ok()
        }
        _ => None,
    };
    match number {
        Some(number) if number.abs() < 1e9 => Ok(json!(number as i64)),
        _ => Err(format!("`{at}` is not a whole number")),
    }
}

fn to_string(value: &Value, schema: &Value, at: &str) -> Result<Value, String> {
    let mut text = match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        Value::Number(number) => number.to_string(),
        Value::Bool(flag) => flag.to_string(),
        Value::Array(list) => {
            let parts: Vec<&str> = list.iter().filter_map(Value::as_str).collect();
            parts.join(" ")
        }
        Value::Object(map) => {
            let field =
                ["text", "sentence", "value", "query", "id"].iter().find_map(|k| map.get(*k));
            match field.and_then(Value::as_str) {
                Some(text) => text.to_owned(),
                None => return Err(format!("`{at}` is not a text")),
            }
        }
    };
    if let Some(words) = schema.get("enum").and_then(Value::as_array) {
        let words = words.iter().filter_map(Value::as_str);
        let meant = words.clone().find(|word| plain(word) == plain(&text));
        let meant =
            meant.or_else(|| words.clone().find(|word| plain(&text).starts_with(&plain(word))));
        let allowed: Vec<&str> = words.collect();
        let wrong = || format!("`{at}` must be one of {}", allowed.join(", "));
        return meant.map(|word| json!(word)).ok_or_else(wrong);
    }
    if is_echo(&text, schema) {
        return match is_optional(schema) {
            true => Ok(json!("")),
            false => Err(format!("`{at}` only repeats what belongs there")),
        };
    }
    text.truncate(text.floor_char_boundary(STRING_BYTES));
    Ok(Value::String(text))
}

/// Whether a text is what the form says in its place. A single word there is an example, such as `S1`.
fn is_echo(text: &str, schema: &Value) -> bool {
    let what = schema.get("description").and_then(Value::as_str).unwrap_or_default();
    what.trim().contains(' ') && plain(what) == plain(text)
}

/// Whether the form says that a text may be left empty.
fn is_optional(schema: &Value) -> bool {
    let what = schema.get("description").and_then(Value::as_str).unwrap_or_default();
    what.ends_with("else empty")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schema() -> Schema {
        let statement =
            object(&[("text", string("it")), ("sources", list(string("id"), "whence"))]);
        let keys = [
            ("score", integer("1 to 5")),
            ("better_queries", list(string("a query"), "queries")),
            ("kind", one_of(&["critical", "minor"], "how bad")),
            ("statements", list(statement, "what")),
        ];
        Schema { name: "answer".to_owned(), schema: object(&keys) }
    }

    #[test]
    fn answers_are_bent_into_shape() {
        let reply = r#"{"answer": {"Score": "4/5", "betterQueries": "1. one\n- two\n", "kind": "CRITICAL!", "extra": 1,
            "statements": [{"text": ["a", "b"], "sources": "S1"}, 7, {"text": 3}]}}"#;
        let value = read(reply, &schema(), &["score"]).unwrap();
        let expected = json!({
            "score": 4, "better_queries": ["one", "two"], "kind": "critical",
            "statements": [{"text": "a b", "sources": ["S1"]}, {"text": "3", "sources": []}],
        });
        assert_eq!(value, expected);
    }

    #[test]
    fn what_cannot_be_bent_is_named() {
        let error = |reply: &str| read(reply, &schema(), &["statements"]).unwrap_err();
        assert_eq!(error(""), "the reply is empty");
        assert_eq!(error("I cannot."), "the reply holds no JSON");
        assert_eq!(error(r#"{"a": 1}"#), "the answer has none of the keys that were asked for");
        assert_eq!(error(r#"{"score": "high", "kind": "minor"}"#), "`score` is not a whole number");
        let odd = error(r#"{"score": 1, "kind": "bad"}"#);
        assert_eq!(odd, "`kind` must be one of critical, minor");
        let blank = r#"{"score": 1, "kind": "minor", "statements": []}"#;
        assert_eq!(error(blank), "`statements` is missing or empty");
    }

    #[test]
    fn what_only_repeats_the_form_is_no_answer() {
        let fact = object(&[
            ("text", string("one sentence")),
            ("figure", string("number or date, else empty")),
            ("source", string("S1")),
        ]);
        let keys = [("why", string("one sentence")), ("facts", list(fact, "the facts"))];
        let form = Schema { name: "notes".to_owned(), schema: object(&keys) };
        let parrot = r#"{"why": "One sentence.", "facts": []}"#;
        assert_eq!(read(parrot, &form, &[]).unwrap_err(), "`why` only repeats what belongs there");
        let half = r#"{"why": "It says so.", "facts": [{"text": "one sentence", "figure": "", "source": "S1"},
            {"text": "Music stops.", "figure": "number or date, else empty", "source": "S1"}]}"#;
        let value = read(half, &form, &[]).unwrap();
        assert_eq!(value["facts"], json!([{"text": "Music stops.", "figure": "", "source": "S1"}]));
    }

    #[test]
    fn an_example_shows_the_shape() {
        let shown = example(&schema().schema);
        let expected = r#"{"score": (1 to 5), "better_queries": ["a query", …], "kind": "critical | minor", "statements": [{"text": "it", "sources": ["id", …]}, …]}"#;
        assert_eq!(shown, expected);
    }

    #[test]
    fn everything_is_bounded() {
        let long =
            json!({"score": 1, "kind": "minor", "better_queries": vec!["é".repeat(90_000); 500]});
        let value = read(&long.to_string(), &schema(), &[]).unwrap();
        assert_eq!(value["better_queries"].as_array().unwrap().len(), ITEMS);
        assert!(value["better_queries"][0].as_str().unwrap().len() <= STRING_BYTES);
    }
}
