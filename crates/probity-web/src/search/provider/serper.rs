//! Serper: Google's results as JSON.
//!
//! `POST {base}/search` with `X-API-KEY: KEY` and `{"q": …, "num": 10–100, "hl": …}`

use jiff::civil::Date;
use serde_json::json;

use super::http_provider;
use super::serpapi::google_days;
use crate::search::ask::Endpoint;
use crate::search::day;
use crate::search::error::SearchError;
use crate::search::name::ProviderName;
use crate::search::query::{QUERY_CHARS, Query};
use crate::search::read::{self, text};
use crate::search::reply::{Draft, Reply};

/// The most results one request gives.
const PAGE: usize = 100;

/// Serper.
#[derive(Debug)]
pub struct Serper {
    endpoint: Endpoint,
}

http_provider!(Serper, ProviderName::Serper);

impl Serper {
    async fn ask(&self, query: &Query) -> Result<Reply, SearchError> {
        let mut body = json!({ "q": query.with_operators(QUERY_CHARS, usize::MAX), "num": query.limit().min(PAGE) });
        let days = google_days(query, self.endpoint.today());
        if let (Some(days), Some(fields)) = (days, body.as_object_mut()) {
            fields.insert("tbs".to_owned(), json!(days));
        }
        if let (Some(lang), Some(fields)) = (query.lang(), body.as_object_mut()) {
            fields.insert("hl".to_owned(), json!(lang.as_str()));
        }
        let request = self
            .endpoint
            .post_json("/search", &body)?
            .secret_header("x-api-key", self.endpoint.key());
        self.endpoint.once(query, request, parse).await
    }
}

/// Reads a reply. Only organic results count: answers, ads and related questions are left out.
///
/// # Errors
/// When the reply is not JSON with a list of organic results.
pub fn parse(body: &[u8], today: Date) -> Result<Reply, SearchError> {
    let value = read::json(body)?;
    Reply::listed(ProviderName::Serper, &value, "/organic", |item| Draft {
        url: text(item, "link"),
        title: text(item, "title"),
        snippet: text(item, "snippet"),
        published: day::parse(text(item, "date"), today),
    })
}
