//! JSON Feed.

use probity_core::WebUrl;
use serde_json::Value;

use super::{Feed, FeedError, FeedItem, Format, absolute};
use crate::outlet::target;

pub(super) fn read(text: &str, base: Option<&WebUrl>, most: usize) -> Result<Feed, FeedError> {
    let feed: Value =
        serde_json::from_str(text).map_err(|error| FeedError::NoFeed(error.to_string()))?;
    let Some(items) = feed.get("items").and_then(Value::as_array) else {
        return Ok(Feed { items: vec![item(&feed, base)], ..Feed::default() });
    };
    let problem = (items.len() > most)
        .then(|| format!("only the first {most} of {} items were read", items.len()));
    Ok(Feed {
        format: Some(Format::Json),
        title: string(&feed, "title").to_owned(),
        site: Some(string(&feed, "home_page_url").to_owned()).filter(|url| !url.is_empty()),
        items: items.iter().take(most).map(|value| item(value, base)).collect(),
        problem,
        ..Feed::default()
    })
}

fn item(item: &Value, base: Option<&WebUrl>) -> FeedItem {
    let text = |name: &str| string(item, name).to_owned();
    let first = |name: &str, other: &str| match string(item, name) {
        "" => text(other),
        text => text.to_owned(),
    };
    let address = |name: &str| {
        let text = string(item, name).trim();
        (!text.is_empty()).then(|| absolute(text, base))
    };
    let guid = match item.get("id") {
        Some(Value::Number(id)) => id.to_string(),
        _ => text("id"),
    };
    FeedItem {
        title: text("title"),
        summary: first("summary", "content_text"),
        content: text("content_html"),
        published: first("date_published", "date_modified"),
        author: author(item),
        link: address("url"),
        external: address("external_url"),
        // An id need not be an address, but is often the item's.
        permalink: Some(text("id")).filter(|id| target::parse(id).is_ok()),
        guid,
        ..FeedItem::default()
    }
}

/// The first author: of version 1.1, else of version 1.
fn author(item: &Value) -> String {
    let first = item.get("authors").and_then(|authors| authors.get(0));
    let author = first.or_else(|| item.get("author"));
    author.map(|author| string(author, "name").to_owned()).unwrap_or_default()
}

fn string<'a>(value: &'a Value, name: &str) -> &'a str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}
