//! Jina: web search for language models.
//!
//! `GET {base}/?q=…&num=…&hl=…` with `Authorization: Bearer KEY`, `Accept: application/json` and
//! `X-Respond-With: no-content`, so that pages are not read for us

use jiff::civil::Date;

use super::http_provider;
use crate::fetch::api::ApiRequest;
use crate::search::ask::Endpoint;
use crate::search::day;
use crate::search::error::SearchError;
use crate::search::name::ProviderName;
use crate::search::query::Query;
use crate::search::read::{self, first_of, text};
use crate::search::reply::{Draft, Reply};

/// The most results one request gives.
const PAGE: usize = 20;

/// Jina.
#[derive(Debug)]
pub struct Jina {
    endpoint: Endpoint,
}

http_provider!(Jina, ProviderName::Jina);

impl Jina {
    async fn ask(&self, query: &Query) -> Result<Reply, SearchError> {
        let mut request = ApiRequest::get(&self.endpoint.at("/")?)
            .query("q", query.text())
            .query("num", query.limit().min(PAGE).to_string())
            .header("accept", "application/json")
            .header("x-respond-with", "no-content");
        if let Some(lang) = query.lang() {
            request = request.query("hl", lang.as_str());
        }
        // It takes one site; several are seen to afterwards.
        if let [site] = query.filters().sites.as_slice() {
            request = request.header("x-site", site.as_str());
        }
        self.endpoint.once(query, request.bearer(self.endpoint.key()), parse).await
    }
}

/// Reads a reply.
///
/// # Errors
/// When the reply is not JSON with a list of results.
pub fn parse(body: &[u8], today: Date) -> Result<Reply, SearchError> {
    let value = read::json(body)?;
    Reply::listed(ProviderName::Jina, &value, "/data", |item| Draft {
        url: text(item, "url"),
        title: text(item, "title"),
        snippet: first_of(&[text(item, "description"), text(item, "content")]),
        published: day::parse(first_of(&[text(item, "publishedTime"), text(item, "date")]), today),
    })
}
