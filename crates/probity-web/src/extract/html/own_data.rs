//! The text that a page carries as data for its scripts, where it shows next to none without them.
//!
//! ```text
//! <script type="application/(ld+)json"> → values under names of bodies → the best that reads like prose → HTML
//! ```
//!
//! Only pages that show almost no text are looked at, so that nothing can hide here beside a text that people
//! read. What a page says is not free to read is left alone.

use serde_json::{Map, Value};

/// The largest block of data that is parsed.
const MAX_BYTES: usize = 4 * 1024 * 1024;
/// The most blocks that are parsed.
const MAX_BLOCKS: usize = 20;
/// The most values that are looked at in a block.
const MAX_VALUES: usize = 200_000;
/// The most items of a list that are put together, and how deep they may lie.
const MAX_ITEMS: usize = 5_000;
const MAX_DEPTH: usize = 10;
/// From this many letters on a text may be an article's.
const PROSE_LETTERS: usize = 300;
/// And from this many sentences.
const PROSE_SENTENCES: usize = 3;

/// Names under which pages keep the text of an article, the surest first, in lower case without `_` and `-`.
const BODIES: [&[&str]; 2] = [
    &["articlebody", "bodyhtml", "contenthtml", "htmlbody", "rendered", "articletext", "storybody"],
    &[
        "body",
        "content",
        "html",
        "text",
        "markdown",
        "paragraphs",
        "blocks",
        "components",
        "story",
        "article",
        "richtext",
        "elements",
    ],
];
/// Names under which the parts of a list keep their words.
const PARTS: &[&str] = &[
    "text",
    "value",
    "html",
    "content",
    "body",
    "children",
    "paragraph",
    "data",
    "items",
    "rendered",
];

/// The text of an article among a page's own data, as HTML.
pub(super) fn body(html: &str) -> Option<String> {
    let mut best: Option<(usize, usize, String)> = None;
    for text in scripts(html).filter(|text| text.len() <= MAX_BYTES).take(MAX_BLOCKS) {
        let Ok(value) = serde_json::from_str::<Value>(text.trim()) else { continue };
        let mut found = Vec::new();
        if !collect(&value, &mut found) {
            return None;
        }
        for (sure, text) in found {
            let letters = text.chars().filter(|c| c.is_alphanumeric()).count();
            let better =
                |(known, most, _): &(usize, usize, String)| (sure, letters) > (*known, *most);
            if best.as_ref().is_none_or(better) {
                best = Some((sure, letters, text));
            }
        }
    }
    best.map(|(.., text)| text)
}

/// The blocks of JSON among a page's scripts.
fn scripts(html: &str) -> impl Iterator<Item = &str> {
    let mut rest = html;
    std::iter::from_fn(move || {
        loop {
            let (_, after) = rest.split_once("<script")?;
            let (head, body) = after.split_once('>')?;
            let Some((text, tail)) = body.split_once("</script") else {
                rest = "";
                continue;
            };
            rest = tail;
            if head.contains("application/json") || head.contains("application/ld+json") {
                return Some(text);
            }
        }
    })
}

/// Collects what may be the text of an article, and how sure its name is. False where the page says that it
/// is not free to read.
fn collect(value: &Value, found: &mut Vec<(usize, String)>) -> bool {
    let mut queue = vec![value];
    let mut seen = 0;
    while let Some(value) = queue.pop() {
        seen += 1;
        if seen > MAX_VALUES {
            break;
        }
        match value {
            Value::Array(items) => queue.extend(items),
            Value::Object(object) => {
                if is_closed(object) {
                    return false;
                }
                for (name, value) in object {
                    found.extend(named(name, value));
                    queue.push(value);
                }
            }
            _ => {}
        }
    }
    true
}

/// Whether structured data says that its article is not free to read.
fn is_closed(object: &Map<String, Value>) -> bool {
    match object.get("isAccessibleForFree") {
        Some(Value::Bool(free)) => !free,
        Some(Value::String(free)) => free.eq_ignore_ascii_case("false"),
        _ => false,
    }
}

/// A value that is called like the body of an article and reads like one.
fn named(name: &str, value: &Value) -> Option<(usize, String)> {
    let plain: String =
        name.chars().filter(|c| c.is_alphanumeric()).map(|c| c.to_ascii_lowercase()).collect();
    let place = BODIES.iter().position(|names| names.contains(&plain.as_str()))?;
    let text = match value {
        Value::String(text) => paragraph(text),
        Value::Array(items) => {
            let parts = items.iter().take(MAX_ITEMS).map(|item| {
                let mut part = String::new();
                gather(item, 0, &mut part);
                paragraph(&part)
            });
            parts.collect()
        }
        _ => return None,
    };
    reads_like_prose(&text).then_some((BODIES.len() - place, text))
}

/// Puts the words of a part of a list together.
fn gather(value: &Value, depth: usize, part: &mut String) {
    if depth > MAX_DEPTH || part.len() > MAX_BYTES {
        return;
    }
    match value {
        Value::String(text) => part.push_str(text),
        Value::Array(items) => {
            items.iter().take(MAX_ITEMS).for_each(|item| gather(item, depth + 1, part));
        }
        Value::Object(object) => {
            let named = PARTS.iter().filter_map(|name| object.get(*name));
            // A part says the same in several forms; the first has all of it.
            if let Some(value) = named.into_iter().find(|value| !value.is_null()) {
                gather(value, depth + 1, part);
            }
        }
        _ => {}
    }
}

/// A text as HTML: what is HTML stays, lines of plain text become paragraphs.
fn paragraph(text: &str) -> String {
    if text.contains("</") || text.contains("<br") {
        return format!("<div>{text}</div>\n");
    }
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let escaped = lines.map(|line| line.replace('&', "&amp;").replace('<', "&lt;"));
    escaped.map(|line| format!("<p>{line}</p>\n")).collect()
}

/// Whether a text is long enough for an article and made of sentences, not of names, addresses or code.
fn reads_like_prose(text: &str) -> bool {
    let letters = text.chars().filter(|c| c.is_alphanumeric()).count();
    let ends =
        |word: &str| word.trim_end_matches(['"', '”', '’', ')']).ends_with(['.', '!', '?', '。']);
    let words = text.split_whitespace().map(|word| word.split('<').next().unwrap_or_default());
    let code = text.matches(['{', '}', ';']).count();
    letters >= PROSE_LETTERS
        && words.filter(|word| ends(word)).count() >= PROSE_SENTENCES
        && code * 50 < letters
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const SENTENCE: &str = "The ferry of Port Ellery leaves the inner basin at seven in the morning on every day of \
                            the week, and takes forty minutes to the island.";

    fn page(kind: &str, data: &Value) -> String {
        format!(
            "<html><body><div id=root></div><script id='x' type=\"{kind}\">{data}</script></body></html>"
        )
    }

    fn four() -> String {
        (1..=4).map(|n| format!("{n}. {SENTENCE}\n")).collect()
    }

    #[test]
    fn the_body_of_an_article_is_found_in_the_forms_that_pages_keep_it_in() {
        let html: String = (1..=4).map(|n| format!("<p>{n}. {SENTENCE}</p>")).collect();
        let nodes: Vec<Value> =
            (1..=4).map(|n| json!({"nodeType": "paragraph", "content": [{"value": format!("{n}. ")}, {"value": SENTENCE}]})).collect();
        let blocks: Vec<Value> = (1..=4)
            .map(|n| json!({"_type": "block", "children": [{"text": format!("{n}. {SENTENCE}")}]}))
            .collect();
        for (kind, data) in [
            (
                "application/ld+json",
                json!({"@graph": [{"@type": "NewsArticle", "articleBody": four()}]}),
            ),
            ("application/json", json!({"props": {"pageProps": {"post": {"body_html": html}}}})),
            ("application/json", json!({"props": {"story": {"document": {"content": nodes}}}})),
            ("application/json", json!({"state": [{"body": blocks}]})),
        ] {
            let body = body(&page(kind, &data)).unwrap_or_else(|| panic!("{data:#}"));
            for n in 1..=4 {
                assert!(body.contains(&format!("{n}. {SENTENCE}")), "{data:#}: {body}");
            }
        }
    }

    #[test]
    fn the_surer_name_wins_over_the_longer_text() {
        let other = format!("{}{}", four(), four()).replace("ferry", "tram");
        let data = json!({"content": other, "articleBody": four()});
        assert!(!body(&page("application/json", &data)).unwrap().contains("tram"));
    }

    #[test]
    fn what_is_no_article_or_not_free_is_left_alone() {
        let closed =
            json!({"@type": "NewsArticle", "isAccessibleForFree": "False", "articleBody": four()});
        let code = json!({"content": format!("{};", "if (a) { b(); } else { c.d(); }").repeat(40)});
        let short = json!({"articleBody": SENTENCE});
        let names = json!({"text": "Ferry Harbour Mill ".repeat(60)});
        for data in [closed, code, short, names, json!([]), json!(null)] {
            assert_eq!(body(&page("application/json", &data)), None, "{data:#}");
        }
        assert_eq!(
            body(&format!("<script>var body = \"{}\"</script>", four().replace('\n', " "))),
            None
        );
        assert_eq!(body("<script type='application/json'>{\"body\": \"no end"), None);
    }

    #[test]
    fn markup_in_plain_text_stays_text() {
        let text = format!("{} 5 < 6 & 7 > 2.", four());
        let body = body(&page("application/json", &json!({"articleBody": text}))).unwrap();
        assert!(body.contains("5 &lt; 6 &amp; 7 > 2."), "{body}");
    }
}
