//! Exa: the web by meaning rather than by words.
//!
//! `POST {base}/search` with `x-api-key: KEY` and
//! `{"query": …, "numResults": 1–100, "type": "auto", "contents": {"highlights": true}}`

use jiff::civil::Date;
use serde_json::{Value, json};

use super::http_provider;
use crate::search::ask::Endpoint;
use crate::search::day;
use crate::search::error::SearchError;
use crate::search::filter::{PageType, Site};
use crate::search::name::ProviderName;
use crate::search::query::Query;
use crate::search::read::{self, first_of, text};
use crate::search::reply::{Draft, Drafts, Reply};

/// The most results one request gives.
const PAGE: usize = 100;

/// Exa.
#[derive(Debug)]
pub struct Exa {
    endpoint: Endpoint,
}

http_provider!(Exa, ProviderName::Exa);

impl Exa {
    async fn ask(&self, query: &Query) -> Result<Reply, SearchError> {
        let filters = query.filters();
        let hosts =
            |sites: &[Site]| sites.iter().map(|s| s.as_str().to_owned()).collect::<Vec<_>>();
        let mut body = json!({
            "query": query.text(),
            "numResults": query.limit().min(PAGE),
            "type": "auto",
            "contents": { "highlights": true },
        });
        if let Some(fields) = body.as_object_mut() {
            let mut set =
                |name: &str, value: serde_json::Value| fields.insert(name.to_owned(), value);
            if !filters.sites.is_empty() {
                set("includeDomains", json!(hosts(&filters.sites)));
            }
            if !filters.exclude_sites.is_empty() {
                set("excludeDomains", json!(hosts(&filters.exclude_sites)));
            }
            if let Some(since) = filters.since {
                set("startPublishedDate", json!(format!("{since}T00:00:00.000Z")));
            }
            if let Some(until) = filters.until {
                set("endPublishedDate", json!(format!("{until}T23:59:59.999Z")));
            }
            if let Some(kind) = filters.kind {
                let category = match kind {
                    PageType::Paper => "research paper",
                    PageType::News => "news",
                    PageType::Pdf => "pdf",
                };
                set("category", json!(category));
            }
        }
        let request = self
            .endpoint
            .post_json("/search", &body)?
            .secret_header("x-api-key", self.endpoint.key());
        self.endpoint.once(query, request, parse).await
    }
}

/// Reads a reply.
///
/// # Errors
/// When the reply is not JSON with a list of results.
pub fn parse(body: &[u8], today: Date) -> Result<Reply, SearchError> {
    let value = read::json(body)?;
    let mut drafts = Drafts::new(ProviderName::Exa.as_str());
    for item in drafts.objects(read::list(&value, "/results")?) {
        let highlights = highlights(item);
        drafts.push(&Draft {
            url: first_of(&[text(item, "url"), text(item, "id")]),
            title: text(item, "title"),
            snippet: first_of(&[&highlights, text(item, "summary"), text(item, "text")]),
            published: day::parse(text(item, "publishedDate"), today),
        });
    }
    Ok(drafts.finish())
}

fn highlights(item: &Value) -> String {
    let Some(parts) = item.get("highlights").and_then(Value::as_array) else {
        return String::new();
    };
    let parts: Vec<&str> =
        parts.iter().filter_map(Value::as_str).filter(|part| !part.trim().is_empty()).collect();
    parts.join(" … ")
}
