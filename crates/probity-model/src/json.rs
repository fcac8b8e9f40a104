//! JSON as models really write it: in prose, in fences, after thoughts, broken, cut off.
//!
//! ```text
//! reply → without thoughts → fenced blocks, then everything → objects and lists, best first
//! ```
//!
//! Well-formed JSON is read as such. What is not is read by a forgiving parser that knows trailing
//! commas, comments, bare and single-quoted keys, line breaks and stray quotes in strings, and a
//! text that ends in the middle. Neither recurses deeper than a named limit.

mod forgiving;

use serde_json::Value;

/// The most values that one reply is searched for.
const CANDIDATES: usize = 16;
/// The most places at which a value is looked for.
const STARTS: usize = 200;
/// The tags that models put their thoughts in.
const THOUGHTS: [&str; 4] = ["think", "thinking", "thought", "reasoning"];

/// The objects and lists in a reply, the most likely answer first: whole ones before broken ones,
/// later ones before earlier ones.
pub fn candidates(reply: &str) -> Vec<Value> {
    let text = without_thoughts(reply);
    let mut found: Vec<(bool, Value)> = Vec::new();
    for block in fenced(&text).into_iter().chain([text.as_str()]) {
        for value in values(block) {
            if found.len() < CANDIDATES && !found.contains(&value) {
                found.push(value);
            }
        }
    }
    // Stable: among equals the order of discovery holds, fenced blocks first.
    found.sort_by_key(|(whole, _)| !whole);
    found.into_iter().map(|(_, value)| value).collect()
}

/// A reply without the thoughts before the answer.
pub fn without_thoughts(reply: &str) -> String {
    let mut text = reply.to_owned();
    for tag in THOUGHTS {
        let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
        // Some servers swallow the opening tag.
        if let Some((_, answer)) = text.rsplit_once(&close) {
            text = answer.to_owned();
        } else if let Some((before, thoughts)) = text.split_once(&open) {
            // Thoughts that never ended: the answer, if there is one, is among them.
            text = if before.trim().is_empty() { thoughts.to_owned() } else { before.to_owned() };
        }
    }
    text
}

/// The insides of code fences, the last first.
fn fenced(text: &str) -> Vec<&str> {
    let mut parts = text.split("```");
    let mut inside = Vec::new();
    parts.next();
    while let Some(block) = parts.next() {
        inside.push(block);
        parts.next();
    }
    inside.reverse();
    inside
}

/// The values that begin anywhere in a text, the last first, each with whether it is whole.
fn values(text: &str) -> Vec<(bool, Value)> {
    let mut found = Vec::new();
    let mut at = 0;
    for _ in 0..STARTS {
        let Some(rest) = text.get(at..) else { break };
        let Some(offset) = rest.find(['{', '[']) else { break };
        let start = at + offset;
        let Some(rest) = text.get(start..) else { break };
        let (value, length) = match strict(rest) {
            Some((value, length)) => (Some((true, value)), length),
            None => match forgiving::read(rest) {
                Some(read) => (Some((read.whole, read.value)), read.length),
                None => (None, 1),
            },
        };
        at = start + length.max(1);
        found.extend(value.filter(|(_, value)| !is_empty(value)));
    }
    found.reverse();
    found
}

fn strict(text: &str) -> Option<(Value, usize)> {
    let mut stream = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    let value = stream.next()?.ok()?;
    Some((value, stream.byte_offset()))
}

/// Whether a value says nothing: brackets around brackets.
fn is_empty(value: &Value) -> bool {
    match value {
        Value::Object(map) => map.is_empty(),
        Value::Array(list) => list.iter().all(|item| !is_scalar(item) && is_empty(item)),
        _ => true,
    }
}

fn is_scalar(value: &Value) -> bool {
    !matches!(value, Value::Object(_) | Value::Array(_))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn first(text: &str) -> Value {
        candidates(text).into_iter().next().unwrap_or(Value::Null)
    }

    #[test]
    fn an_answer_is_found_whatever_stands_around_it() {
        let answer = json!({"score": 4, "why": "It says so."});
        for text in [
            r#"{"score": 4, "why": "It says so."}"#,
            "Sure! Here is the JSON:\n```json\n{\"score\": 4, \"why\": \"It says so.\"}\n```\nHope it helps {or not}.",
            "<think>maybe {\"score\": 1, \"why\": \"no\"}</think>{\"score\": 4, \"why\": \"It says so.\"}",
            "maybe {\"score\": 1}</think>\n{\"score\": 4, \"why\": \"It says so.\"}",
            "<think>never ends {\"score\": 4, \"why\": \"It says so.\"}",
            "Draft: {\"score\": 2, \"why\": \"hm\"}\nFinal: {\"score\": 4, \"why\": \"It says so.\"}",
            "{\"score\": 4, // of 5\n 'why': 'It says so.',}",
            "{score: 4, why: \"It says so.\"",
            "{\"score\": 1, \"score\": 4, \"why\": \"It says so.\"}",
            "\u{feff} {\u{201c}score\u{201d}: 4, \u{201c}why\u{201d}: \u{201c}It says so.\u{201d}}",
        ] {
            assert_eq!(first(text), answer, "{text}");
        }
    }

    #[test]
    fn what_is_cut_off_keeps_what_was_whole() {
        let text = r#"{"headline": "A", "summary": ["one", "two"], "findings": [{"heading": "H", "statements": [{"text": "whole", "sources": ["S1"]}, {"text": "cut o"#;
        let value = first(text);
        assert_eq!(value["summary"], json!(["one", "two"]));
        assert_eq!(value["findings"][0]["statements"][0]["text"], "whole");
        assert_eq!(value["findings"][0]["statements"][1].get("text"), None);
    }

    #[test]
    fn strings_survive_breaks_and_stray_quotes() {
        assert_eq!(first("{\"a\": \"one\ntwo\"}")["a"], "one\ntwo");
        assert_eq!(
            first(r#"{"a": "he said "yes" and left", "b": 1}"#)["a"],
            "he said \"yes\" and left"
        );
        assert_eq!(first(r#"{"a": "bad \q escape \u00e9"}"#)["a"], "bad q escape é");
    }

    #[test]
    fn nothing_comes_of_nothing() {
        for text in ["", "no", "{", "[[[[", "{{{{}", "```json\n```", "{}", "[]", "<think>"] {
            assert_eq!(candidates(text), Vec::<Value>::new(), "{text}");
        }
        let deep = "[".repeat(100_000);
        assert_eq!(candidates(&deep), Vec::<Value>::new());
        let deep = format!("{}1{}", "{\"a\":".repeat(5_000), "}".repeat(5_000));
        assert!(candidates(&deep).len() <= CANDIDATES);
    }

    proptest! {
        #[test]
        fn no_reply_is_too_odd(text in "[\\[\\]{}\",:a-z0-9'\\\\/\\n` <>]{0,300}") {
            let _ = candidates(&text);
        }

        #[test]
        fn whole_json_comes_back_as_it_is(pairs in prop::collection::btree_map("[a-z]{1,6}", "\\PC{0,20}", 1..6), before in "[a-z .]{0,20}") {
            let value = json!(pairs);
            prop_assert_eq!(first(&format!("{before}{value}")), value);
        }
    }
}
