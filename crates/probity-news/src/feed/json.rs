//! JSON Feed.

use probity_core::WebUrl;
use probity_credibility::outlet::FeedItem;
use probity_web::search::clean;
use serde_json::Value;

use super::{Feed, FeedError, Format, ITEMS, Item, fields};

/// Reads a JSON Feed.
pub(super) fn read(text: &str, base: Option<&WebUrl>) -> Result<Feed, FeedError> {
    let feed: Value =
        serde_json::from_str(text).map_err(|error| FeedError::NoFeed(error.to_string()))?;
    let Some(items) = feed.get("items").and_then(Value::as_array) else {
        return Err(FeedError::NoFeed("the JSON has no items".to_owned()));
    };
    let problem = (items.len() > ITEMS)
        .then(|| format!("only the first {ITEMS} of {} items were read", items.len()));
    Ok(Feed {
        format: Format::Json,
        title: clean::title(string(&feed, "title")),
        site: Some(string(&feed, "home_page_url").to_owned()).filter(|url| !url.is_empty()),
        refresh: None,
        items: items.iter().take(ITEMS).map(|value| item(value, base)).collect(),
        problem,
    })
}

fn item(value: &Value, base: Option<&WebUrl>) -> Item {
    let first = |names: &[&str]| {
        names
            .iter()
            .map(|name| string(value, name))
            .find(|text| !text.is_empty())
            .unwrap_or_default()
    };
    let guid = match value.get("id") {
        Some(Value::String(id)) => Some(id.clone()),
        Some(Value::Number(id)) => Some(id.to_string()),
        _ => None,
    };
    Item {
        guid: guid.filter(|id| !id.is_empty()),
        title: clean::title(first(&["title"])),
        summary: clean::snippet(first(&["summary", "content_text", "content_html"])),
        published: fields::time(first(&["date_published", "date_modified"])),
        author: author(value),
        addresses: FeedItem::parse(&value.to_string(), base).unwrap_or_default(),
    }
}

/// The first author: of version 1.1, else of version 1.
fn author(item: &Value) -> Option<String> {
    let first = item.get("authors").and_then(|authors| authors.get(0));
    fields::author(string(first.or_else(|| item.get("author"))?, "name"))
}

fn string<'a>(value: &'a Value, name: &str) -> &'a str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}
