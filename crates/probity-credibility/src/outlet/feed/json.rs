//! An item of a JSON Feed.

use probity_core::WebUrl;
use serde_json::Value;

use super::{FeedItem, FeedItemError};
use crate::outlet::target;

pub(super) fn read(text: &str, base: Option<&WebUrl>) -> Result<FeedItem, FeedItemError> {
    let value: Value =
        serde_json::from_str(text).map_err(|error| FeedItemError::Json(error.to_string()))?;
    let item = match value.get("items") {
        Some(items) => items.get(0).ok_or(FeedItemError::NoItem)?,
        None => &value,
    };
    let field = |name: &str| {
        let text = item.get(name)?.as_str()?.trim();
        (!text.is_empty()).then(|| absolute(text, base))
    };
    Ok(FeedItem {
        link: field("url"),
        external: field("external_url"),
        // An id need not be an address, but is often the item's.
        permalink: item
            .get("id")
            .and_then(Value::as_str)
            .filter(|id| target::parse(id).is_ok())
            .map(str::to_owned),
        body: item.get("content_html").and_then(Value::as_str).unwrap_or_default().to_owned(),
        ..FeedItem::default()
    })
}

/// A link as the feed's own address completes it.
pub(super) fn absolute(text: &str, base: Option<&WebUrl>) -> String {
    base.and_then(|base| base.join(text).ok())
        .map_or_else(|| text.to_owned(), |url| url.to_string())
}
