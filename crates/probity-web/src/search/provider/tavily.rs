//! Tavily: web search made for agents.
//!
//! `POST {base}/search` with `Authorization: Bearer KEY` and
//! `{"query": …, "max_results": 1–20, "search_depth": "basic", …}`

use jiff::civil::Date;
use serde_json::json;

use super::http_provider;
use crate::search::ask::Endpoint;
use crate::search::day;
use crate::search::error::SearchError;
use crate::search::filter::{PageType, Site};
use crate::search::name::ProviderName;
use crate::search::query::Query;
use crate::search::read::{self, text};
use crate::search::reply::{Draft, Reply};

/// The most results one request gives.
const PAGE: usize = 20;
/// The longest query it takes, in characters.
const QUERY_CHARS: usize = 400;

/// Tavily.
#[derive(Debug)]
pub struct Tavily {
    endpoint: Endpoint,
}

http_provider!(Tavily, ProviderName::Tavily);

impl Tavily {
    async fn ask(&self, query: &Query) -> Result<Reply, SearchError> {
        let filters = query.filters();
        let hosts =
            |sites: &[Site]| sites.iter().map(|s| s.as_str().to_owned()).collect::<Vec<_>>();
        let mut body = json!({
            "query": query.within(QUERY_CHARS, usize::MAX),
            "max_results": query.limit().min(PAGE),
            "search_depth": "basic",
            "topic": if filters.kind == Some(PageType::News) { "news" } else { "general" },
            // Neither its answer nor the page's text: we judge and fetch pages ourselves.
            "include_answer": false,
            "include_raw_content": false,
            "include_images": false,
            "include_domains": hosts(&filters.sites),
            "exclude_domains": hosts(&filters.exclude_sites),
        });
        if let Some(fields) = body.as_object_mut() {
            let days = [("start_date", filters.since), ("end_date", filters.until)];
            for (name, day) in days.into_iter().filter_map(|(name, day)| Some((name, day?))) {
                fields.insert(name.to_owned(), json!(day.to_string()));
            }
        }
        let request = self.endpoint.post_json("/search", &body)?.bearer(self.endpoint.key());
        self.endpoint.once(query, request, parse).await
    }
}

/// Reads a reply.
///
/// # Errors
/// When the reply is not JSON with a list of results.
pub fn parse(body: &[u8], today: Date) -> Result<Reply, SearchError> {
    let value = read::json(body)?;
    Reply::listed(ProviderName::Tavily, &value, "/results", |item| Draft {
        url: text(item, "url"),
        title: text(item, "title"),
        snippet: text(item, "content"),
        published: day::parse(text(item, "published_date"), today),
    })
}
