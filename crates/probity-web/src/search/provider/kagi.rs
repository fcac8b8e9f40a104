//! Kagi: the web for subscribers.
//!
//! `GET {base}/api/v0/search?q=…&limit=…` with `Authorization: Bot KEY`

use jiff::civil::Date;
use probity_core::Secret;
use serde_json::Value;

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
const PAGE: usize = 50;
/// The longest query, in characters and words.
const QUERY_CHARS: usize = 500;
const QUERY_WORDS: usize = 60;

/// Kagi.
#[derive(Debug)]
pub struct Kagi {
    endpoint: Endpoint,
}

http_provider!(Kagi, ProviderName::Kagi);

impl Kagi {
    async fn ask(&self, query: &Query) -> Result<Reply, SearchError> {
        let mut request = ApiRequest::get(&self.endpoint.at("/api/v0/search")?)
            .query("q", query.with_operators(QUERY_CHARS, QUERY_WORDS))
            .query("limit", query.limit().min(PAGE).to_string());
        if let Some(key) = self.endpoint.key() {
            let sent = Secret::new(format!("Bot {}", key.expose()));
            request = request.secret_header("authorization", &sent);
        }
        self.endpoint.once(query, request, parse).await
    }
}

/// Reads a reply. Related searches stand in the same list and are left out.
///
/// # Errors
/// When the reply is not JSON with a list of results.
pub fn parse(body: &[u8], today: Date) -> Result<Reply, SearchError> {
    let value = read::json(body)?;
    if let Some(message) = value.pointer("/error/0/msg").and_then(Value::as_str) {
        return Err(SearchError::reported(message));
    }
    let mut drafts = Drafts::new(ProviderName::Kagi.as_str());
    for item in read::list(&value, "/data")? {
        match item.get("t").and_then(Value::as_u64) {
            Some(0) => drafts.push(&Draft {
                url: text(item, "url"),
                title: text(item, "title"),
                snippet: text(item, "snippet"),
                published: day::parse(text(item, "published"), today),
            }),
            Some(_) => {}
            None => drafts.skip_unreadable(),
        }
    }
    Ok(drafts.finish())
}
