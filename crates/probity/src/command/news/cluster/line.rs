//! Lines of JSON → articles.

use std::collections::HashSet;
use std::io::BufRead;

use probity_core::{Timestamp, limits};
use probity_news::cluster::Article;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::failure::usage;
use crate::json_lines::read_line;

/// How many articles are grouped at once.
const ITEMS: usize = 500_000;
/// How much of an article's text is kept, in bytes.
const TEXT_BYTES: usize = 2_000;
/// Numbers below this are seconds since 1970, others milliseconds.
const SECONDS: i64 = 100_000_000_000;

#[derive(Deserialize)]
struct Line {
    id: Value,
    title: String,
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    published: Option<Value>,
    #[serde(default)]
    url: Option<String>,
}

/// An article as it was read, under the id it gave itself.
pub(super) struct Item {
    pub(super) id: Value,
    pub(super) article: Article,
    pub(super) url: Option<String>,
}

/// A line that is no article.
#[derive(Serialize)]
pub(super) struct Refused {
    pub(super) id: Value,
    pub(super) line: u64,
    pub(super) error: String,
}

/// What a file held.
pub(super) struct Read {
    pub(super) items: Vec<Item>,
    pub(super) refused: Vec<Refused>,
}

/// Reads articles line by line.
pub(super) fn read(mut input: impl BufRead) -> anyhow::Result<Read> {
    let mut read = Read { items: Vec::new(), refused: Vec::new() };
    let mut ids = HashSet::new();
    let mut line = 0;
    while let Some(text) = read_line(&mut input)? {
        line += 1;
        if text.trim_ascii().is_empty() {
            continue;
        }
        if read.items.len() + read.refused.len() >= ITEMS {
            return Err(usage(format!("more than {ITEMS} articles; split the file")));
        }
        match item(&text) {
            Ok(item) if ids.insert(item.article.id.clone()) => read.items.push(item),
            Ok(item) => {
                let error = "another article has this id".to_owned();
                read.refused.push(Refused { id: item.id, line, error });
            }
            Err((id, error)) => read.refused.push(Refused { id, line, error }),
        }
    }
    Ok(read)
}

fn item(text: &[u8]) -> Result<Item, (Value, String)> {
    if text.len() > limits::JSON_LINE_BYTES {
        let error = format!("the line is longer than {} bytes", limits::JSON_LINE_BYTES);
        return Err((Value::Null, error));
    }
    let line: Line = serde_json::from_slice(text).map_err(|error| {
        let value = serde_json::from_slice::<Value>(text).ok();
        let id = value.and_then(|value| value.get("id").cloned()).unwrap_or_default();
        (id, error.to_string())
    })?;
    let id = match &line.id {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        other => return Err((other.clone(), "the id is neither a text nor a number".to_owned())),
    };
    let published = match line.published.as_ref().map(time).transpose() {
        Ok(published) => published.flatten(),
        Err(error) => return Err((line.id, error)),
    };
    let mut text = line.text.unwrap_or_default();
    text.truncate(text.floor_char_boundary(TEXT_BYTES));
    let article = Article { id, title: line.title, text, published };
    Ok(Item { id: line.id, article, url: line.url })
}

/// A time as a text, or as seconds or milliseconds since 1970; none for null and the empty text.
fn time(value: &Value) -> Result<Option<Timestamp>, String> {
    match value {
        Value::Null => Ok(None),
        Value::String(text) if text.trim().is_empty() => Ok(None),
        Value::String(text) => {
            text.parse().map(Some).map_err(|error| format!("published: {error}"))
        }
        Value::Number(number) => {
            let number = number.as_f64().filter(|number| number.is_finite());
            let number = number.ok_or("published: not a time")?.round() as i64;
            let scale = if number.abs() < SECONDS { 1_000 } else { 1 };
            Ok(Some(Timestamp(number.saturating_mul(scale))))
        }
        _ => Err("published: expected a text or a number".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_texts_or_numbers() {
        let at = |json: &str| time(&serde_json::from_str(json).unwrap()).unwrap().map(|at| at.0);
        assert_eq!(at("1394470370"), Some(1_394_470_370_000));
        assert_eq!(at("1394470370698"), Some(1_394_470_370_698));
        assert_eq!(at("\"1970-01-02\""), Some(86_400_000));
        assert_eq!(at("null"), None);
        assert!(time(&Value::Bool(true)).is_err());
    }

    #[test]
    fn a_line_without_a_title_and_a_second_of_an_id_are_refused() {
        let input =
            "{\"id\":1}\n{\"id\":2,\"title\":\"a\"}\n\n{\"id\":2,\"title\":\"b\"}\nnonsense\n";
        let read = read(input.as_bytes()).unwrap();
        assert_eq!(read.items.len(), 1);
        let lines: Vec<u64> = read.refused.iter().map(|refused| refused.line).collect();
        assert_eq!(lines, [1, 4, 5]);
    }
}
