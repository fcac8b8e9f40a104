//! Tavily: web search made for agents.
//!
//! `POST {base}/search` with `Authorization: Bearer KEY` and
//! `{"query": …, "max_results": 1–20, "search_depth": "basic", …}`

use jiff::civil::Date;
use serde_json::json;

use super::http_provider;
use crate::fetch::api::ApiRequest;
use crate::search::ask::Endpoint;
use crate::search::day;
use crate::search::error::SearchError;
use crate::search::name::ProviderName;
use crate::search::query::Query;
use crate::search::read::{self, text};
use crate::search::reply::{Draft, Drafts, Reply};

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
        let body = json!({
            "query": query.within(QUERY_CHARS, usize::MAX),
            "max_results": query.limit().min(PAGE),
            "search_depth": "basic",
            "topic": "general",
            // Neither its answer nor the page's text: we judge and fetch pages ourselves.
            "include_answer": false,
            "include_raw_content": false,
            "include_images": false,
        });
        let mut request = ApiRequest::post_json(&self.endpoint.at("/search")?, &body)
            .map_err(SearchError::Api)?;
        if let Some(key) = self.endpoint.key() {
            request = request.bearer(key);
        }
        let reply = self.endpoint.begin().ask(request).await?;
        parse(&reply.body, self.endpoint.today())
    }
}

/// Reads a reply.
///
/// # Errors
/// When the reply is not JSON with a list of results.
pub fn parse(body: &[u8], today: Date) -> Result<Reply, SearchError> {
    let value = read::json(body)?;
    let mut drafts = Drafts::new(ProviderName::Tavily.as_str());
    for item in read::list(&value, "/results")? {
        if !item.is_object() {
            drafts.skip_unreadable();
            continue;
        }
        drafts.push(&Draft {
            url: text(item, "url"),
            title: text(item, "title"),
            snippet: text(item, "content"),
            published: day::parse(text(item, "published_date"), today),
        });
    }
    Ok(drafts.finish())
}
