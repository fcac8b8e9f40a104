//! A shape asked for and read as lines, for models that answer in prose where JSON was asked.
//!
//! ```text
//! HEADLINE: the finding in one line
//! [FINDINGS]
//! HEADING: two to six words
//! ```
//!
//! Every value is a line `KEY: value`; a list of texts repeats its line; each thing of a list of
//! things begins with its name in brackets. A line that starts no key continues the value before
//! it.

use serde_json::{Map, Value};

/// The most lines of a reply that are read.
const LINES: usize = 2_000;
/// The deepest nesting that is read.
const DEPTH: usize = 4;

/// How to answer in lines, for a prompt.
pub fn form(schema: &Value) -> String {
    let mut lines = Vec::new();
    describe(schema, &mut lines);
    lines.join("\n")
}

fn describe(schema: &Value, lines: &mut Vec<String>) {
    for (key, inner) in keys(schema) {
        let name = key.to_uppercase();
        let what = inner.get("description").and_then(Value::as_str).unwrap_or_default();
        match kind(inner) {
            Kind::Things(items) => {
                lines.push(format!("[{name}] (this line, and those after it, for each)"));
                describe(items, lines);
            }
            Kind::Texts => {
                let each = inner.pointer("/items/description").and_then(Value::as_str);
                let each = each.unwrap_or(what);
                lines.push(format!("{name}: {each} (a line for each; {what})"));
            }
            Kind::Text => {
                let words = inner.get("enum").and_then(Value::as_array);
                let words = words.map(|words| {
                    words.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or ")
                });
                lines.push(format!("{name}: {}", words.unwrap_or_else(|| what.to_owned())));
            }
        }
    }
}

/// Reads an answer in lines; nothing where no line begins with a key of the shape.
pub fn read(text: &str, schema: &Value) -> Option<Value> {
    let mut open = vec![Thing { name: String::new(), schema, values: Map::new() }];
    let mut last: Option<String> = None;
    let mut found = false;
    for line in text.lines().take(LINES) {
        let line = line.trim().trim_start_matches(['*', '#', '-', '>', ' ']);
        if line.is_empty() {
            continue;
        }
        if let Some(depth) = begins(line, &open) {
            close(&mut open, depth);
            let (name, items) = thing_of(line, open.last()?)?;
            open.push(Thing { name, schema: items, values: Map::new() });
            (last, found) = (None, true);
        } else if let Some((depth, key, value)) = said(line, &open) {
            close(&mut open, depth);
            open.last_mut()?.add(&key, value);
            (last, found) = (Some(key), true);
        } else if let Some(key) = &last {
            open.last_mut()?.go_on(key, line);
        }
    }
    close(&mut open, 1);
    found.then(|| Value::Object(open.pop().map(|thing| thing.values).unwrap_or_default()))
}

/// An object whose lines are still coming in.
struct Thing<'s> {
    /// The list that it belongs to.
    name: String,
    schema: &'s Value,
    values: Map<String, Value>,
}

impl Thing<'_> {
    fn add(&mut self, key: &str, value: &str) {
        let inner = self.schema.pointer(&format!("/properties/{key}"));
        let text = Value::String(value.to_owned());
        match inner.map(kind) {
            Some(Kind::Texts) => {
                let list =
                    self.values.entry(key.to_owned()).or_insert_with(|| Value::Array(vec![]));
                if let (Value::Array(list), false) = (list, value.is_empty()) {
                    list.push(text);
                }
            }
            _ => {
                self.values.entry(key.to_owned()).or_insert(text);
            }
        }
    }

    fn go_on(&mut self, key: &str, more: &str) {
        let value = match self.values.get_mut(key) {
            Some(Value::Array(list)) => list.last_mut(),
            value => value,
        };
        if let Some(Value::String(text)) = value {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(more);
        }
    }
}

/// Closes the things that are open beyond this many, each into its list.
fn close(open: &mut Vec<Thing<'_>>, depth: usize) {
    while open.len() > depth.max(1) {
        let Some(thing) = open.pop() else { return };
        let Some(outer) = open.last_mut() else { return };
        let list = outer.values.entry(thing.name).or_insert_with(|| Value::Array(vec![]));
        if let Value::Array(list) = list {
            list.push(Value::Object(thing.values));
        }
    }
}

/// How many things stay open when a line begins one, if it does.
fn begins(line: &str, open: &[Thing<'_>]) -> Option<usize> {
    let at = open.iter().rposition(|thing| thing_of(line, thing).is_some())?;
    Some(at + 1).filter(|depth| *depth <= DEPTH)
}

/// The list that a line `[NAME]` names, and the shape of its things.
fn thing_of<'s>(line: &str, thing: &Thing<'s>) -> Option<(String, &'s Value)> {
    let name = line.strip_prefix('[')?.split_once(']')?.0;
    keys(thing.schema).find_map(|(key, inner)| match kind(inner) {
        Kind::Things(items) if plain(key) == plain(name) => Some((key.to_owned(), items)),
        _ => None,
    })
}

/// The value that a line `KEY: value` gives, its key, and how many things stay open.
fn said<'l>(line: &'l str, open: &[Thing<'_>]) -> Option<(usize, String, &'l str)> {
    let (name, value) = line.split_once(':')?;
    let of = |thing: &Thing<'_>| {
        let mut keys =
            keys(thing.schema).filter(|(_, inner)| !matches!(kind(inner), Kind::Things(_)));
        keys.find(|(key, _)| plain(key) == plain(name)).map(|(key, _)| key.to_owned())
    };
    let at = open.iter().rposition(|thing| of(thing).is_some())?;
    let key = of(open.get(at)?)?;
    Some((at + 1, key, value.trim().trim_matches('*').trim()))
}

/// A key without case, separators and marks.
fn plain(key: &str) -> String {
    key.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// What a part of a shape holds.
enum Kind<'s> {
    Text,
    Texts,
    Things(&'s Value),
}

fn kind(schema: &Value) -> Kind<'_> {
    match (schema.get("type").and_then(Value::as_str), schema.get("items")) {
        (Some("array"), Some(items)) if items.get("properties").is_some() => Kind::Things(items),
        (Some("array"), _) => Kind::Texts,
        _ => Kind::Text,
    }
}

/// The keys of an object in the order in which they were given, which is that of `required`.
fn keys(schema: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let properties = schema.get("properties").and_then(Value::as_object);
    let names = schema.get("required").and_then(Value::as_array).into_iter().flatten();
    names.filter_map(Value::as_str).filter_map(move |key| Some((key, properties?.get(key)?)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::schema::{integer, list, object, one_of, string};

    fn draft() -> Value {
        let statement = object(&[
            ("form", one_of(&["sentence", "row"], "how")),
            ("text", string("one sentence")),
            ("facts", list(string("F1"), "labels")),
        ]);
        let theme = object(&[("heading", string("words")), ("statements", list(statement, "all"))]);
        object(&[
            ("headline", string("the finding")),
            ("summary", list(string("one sentence"), "three to five")),
            ("findings", list(theme, "themes")),
            ("confidence_reason", string("why")),
            ("score", integer("1 to 5")),
        ])
    }

    #[test]
    fn what_is_asked_for_in_lines_is_read_from_lines() {
        let form = form(&draft());
        assert!(form.starts_with("HEADLINE: the finding\nSUMMARY: one sentence (a line for each"));
        assert!(form.contains("[FINDINGS]") && form.contains("FORM: sentence or row"));
        let said = "Sure, here it is.\n**Headline:** It stops at ten\nSUMMARY: One.\nSUMMARY: Two\n  and a half.\n\
                    [Findings]\nHEADING: Hours: when\n[STATEMENTS]\nFORM: sentence\nTEXT: It stops.\nFACTS: F1\nFACTS: F2\n\
                    [STATEMENTS]\nTEXT: It costs.\n[FINDINGS]\nHEADING: Fines\nConfidence reason: Few.\nSCORE: 4/5";
        let read = read(said, &draft()).unwrap();
        assert_eq!(
            read,
            json!({
                "headline": "It stops at ten",
                "summary": ["One.", "Two and a half."],
                "findings": [
                    {"heading": "Hours: when", "statements": [
                        {"form": "sentence", "text": "It stops.", "facts": ["F1", "F2"]},
                        {"text": "It costs."},
                    ]},
                    {"heading": "Fines"},
                ],
                "confidence_reason": "Few.",
                "score": "4/5",
            })
        );
    }

    #[test]
    fn prose_is_no_answer_in_lines() {
        assert_eq!(super::read("I would search for music: at night.", &draft()), None);
        assert_eq!(super::read("", &draft()), None);
    }

    proptest! {
        #[test]
        fn nothing_that_is_said_breaks_the_reading(said in "(\\[?[A-Za-z]{0,9}\\]?:? ?[a-z]{0,4}\n){0,30}") {
            if let Some(value) = super::read(&said, &draft()) {
                prop_assert!(value.is_object());
            }
        }
    }
}
