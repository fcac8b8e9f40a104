//! What a tool answered → results, whatever shape it gave them.

use jiff::civil::Date;
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::Value;

use super::settings::{McpFields, McpSettings};
use crate::search::day;
use crate::search::error::SearchError;
use crate::search::reply::{Draft, Drafts, Reply};

/// Where lists of results usually are, by default.
const USUAL: [&str; 7] = ["results", "result", "items", "hits", "data", "documents", "organic"];
/// How many texts of an answer are looked at.
const TEXTS_MOST: usize = 256;

/// Reads an answer.
///
/// # Errors
/// When the tool reports an error, or nothing in its answer can be results.
pub(super) fn reply(
    settings: &McpSettings,
    result: &CallToolResult,
    limit: usize,
    today: Date,
) -> Result<Reply, SearchError> {
    let texts: Vec<&str> = result.content.iter().filter_map(text).take(TEXTS_MOST).collect();
    if result.is_error == Some(true) {
        let said = texts.first().copied().unwrap_or("the tool failed and does not say why");
        return Err(SearchError::reported(said));
    }
    let fields = &settings.fields;
    let parsed: Vec<Value>;
    let items: Vec<&Value> = match &result.structured_content {
        Some(value) => items(value, fields).ok_or_else(|| no_list(fields))?,
        // Some servers give every result a text of its own.
        None => {
            parsed = texts.iter().filter_map(|text| serde_json::from_str(text).ok()).collect();
            if parsed.is_empty() && !texts.iter().all(|text| text.trim().is_empty()) {
                let why = "it is text and not JSON; this tool's answers cannot be used";
                return Err(SearchError::malformed(why));
            }
            let lists: Option<Vec<_>> = parsed.iter().map(|value| items(value, fields)).collect();
            lists.ok_or_else(|| no_list(fields))?.into_iter().flatten().collect()
        }
    };
    let mut drafts = Drafts::new(settings.name.clone());
    for item in items.into_iter().take(limit) {
        if !item.is_object() {
            drafts.skip_unreadable();
            continue;
        }
        drafts.push(&Draft {
            url: field(item, &fields.url),
            title: field(item, &fields.title),
            snippet: field(item, &fields.snippet),
            published: day::parse(field(item, &fields.published), today),
        });
    }
    Ok(drafts.finish())
}

fn text(content: &ContentBlock) -> Option<&str> {
    match content {
        ContentBlock::Text(text) => Some(text.text.as_str()),
        _ => None,
    }
}

/// The results in a value: at the place that is set, or at one of the usual ones.
fn items<'a>(value: &'a Value, fields: &McpFields) -> Option<Vec<&'a Value>> {
    if let Some(place) = &fields.results {
        return at(value, place)?.as_array().map(|list| list.iter().collect());
    }
    if let Some(list) = value.as_array() {
        return Some(list.iter().collect());
    }
    let usual = USUAL.iter().find_map(|name| value.get(name)?.as_array());
    match usual {
        Some(list) => Some(list.iter().collect()),
        None => at(value, &fields.url).map(|_| vec![value]),
    }
}

/// What is at a name or a JSON pointer.
fn at<'a>(value: &'a Value, place: &str) -> Option<&'a Value> {
    match place.starts_with('/') {
        true => value.pointer(place),
        false => value.get(place),
    }
}

fn field<'a>(item: &'a Value, place: &str) -> &'a str {
    at(item, place).and_then(Value::as_str).unwrap_or_default()
}

fn no_list(fields: &McpFields) -> SearchError {
    SearchError::malformed(match &fields.results {
        Some(place) => format!("it has no list at `{place}`"),
        None => "it has no list of results; say where by `fields.results`".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn settings(fields: Value) -> McpSettings {
        let written =
            json!({ "name": "notes", "command": "x", "tool": "search", "fields": fields });
        serde_json::from_value(written).unwrap()
    }

    fn read(fields: Value, result: Value) -> Result<Vec<String>, String> {
        let result: CallToolResult = serde_json::from_value(result).unwrap();
        let today = Date::constant(2026, 11, 15);
        let reply = reply(&settings(fields), &result, 3, today).map_err(|e| e.to_string())?;
        Ok(reply.hits.iter().map(|hit| format!("{} {}", hit.url, hit.title)).collect())
    }

    #[test]
    fn results_are_found_in_structure_in_one_text_and_in_many() {
        let hit = json!({ "url": "https://a.example/1", "title": "A" });
        let expected = Ok(vec!["https://a.example/1 A".to_owned()]);
        let text = |value: &Value| json!({ "type": "text", "text": value.to_string() });
        for result in [
            json!({ "content": [], "structuredContent": { "results": [hit] } }),
            json!({ "content": [], "structuredContent": { "result": [hit] } }),
            json!({ "content": [text(&json!([hit]))] }),
            json!({ "content": [text(&json!({ "items": [hit] }))] }),
            json!({ "content": [text(&hit), text(&hit)] }),
        ] {
            assert_eq!(read(json!({}), result.clone()), expected, "{result}");
        }
        assert_eq!(read(json!({}), json!({ "content": [] })), Ok(Vec::new()));
    }

    #[test]
    fn fields_may_be_called_otherwise_and_lie_deeper() {
        let fields = json!({ "results": "/page/found", "url": "/at/link", "title": "name" });
        let item = json!({ "at": { "link": "https://b.example/" }, "name": "B" });
        let result = json!({ "content": [], "structuredContent": { "page": { "found": [item] } } });
        assert_eq!(read(fields.clone(), result), Ok(vec!["https://b.example/ B".to_owned()]));
        let other = json!({ "content": [], "structuredContent": { "page": 3 } });
        assert!(read(fields, other).unwrap_err().contains("no list at `/page/found`"));
    }

    #[test]
    fn what_is_no_result_is_said_and_too_many_are_cut() {
        let said = json!({ "isError": true, "content": [{ "type": "text", "text": "no quota" }] });
        assert_eq!(read(json!({}), said), Err("reports an error: no quota".to_owned()));
        let prose = json!({ "content": [{ "type": "text", "text": "I found nothing." }] });
        assert!(read(json!({}), prose).unwrap_err().contains("not JSON"));
        let many: Vec<Value> =
            (0..9).map(|n| json!({ "url": format!("https://a.example/{n}") })).collect();
        let many = json!({ "content": [], "structuredContent": { "results": many } });
        assert_eq!(read(json!({}), many).unwrap().len(), 3);
        let hostile = json!({ "content": [], "structuredContent": { "results": [
            { "url": "file:///etc/passwd" }, { "url": "javascript:alert(1)" }, 7 ] } });
        assert_eq!(read(json!({}), hostile), Ok(Vec::new()));
    }
}
