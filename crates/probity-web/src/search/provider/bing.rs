//! A service that speaks Bing's Web Search API, version 7.
//!
//! `GET {base}/v7.0/search?q=…&count=1–50&offset=…&setLang=…&freshness=FROM..TO` with
//! `Ocp-Apim-Subscription-Key: KEY`

use jiff::civil::Date;
use serde_json::Value;

use super::http_provider;
use crate::fetch::api::ApiRequest;
use crate::search::ask::Endpoint;
use crate::search::day;
use crate::search::error::SearchError;
use crate::search::name::ProviderName;
use crate::search::query::Query;
use crate::search::read::{self, first_of, text};
use crate::search::reply::{Draft, Reply};

/// The most results one page gives.
const PAGE: usize = 50;
/// The most pages asked for.
const PAGES: usize = 4;
/// The longest query, in characters and words.
const QUERY_CHARS: usize = 500;
const QUERY_WORDS: usize = 60;

/// A service compatible with Bing's.
#[derive(Debug)]
pub struct Bing {
    endpoint: Endpoint,
}

http_provider!(Bing, ProviderName::Bing);

impl Bing {
    async fn ask(&self, query: &Query) -> Result<Reply, SearchError> {
        let (url, today) = (self.endpoint.at("/v7.0/search")?, self.endpoint.today());
        let words = query.with_operators(QUERY_CHARS, QUERY_WORDS);
        let request = |page: usize| {
            let mut request = ApiRequest::get(&url)
                .query("q", words.as_str())
                .query("count", query.limit().min(PAGE).to_string())
                .query("offset", (page * PAGE).to_string())
                .query("responseFilter", "Webpages")
                .query("textDecorations", "false");
            if let Some(lang) = query.lang() {
                request = request.query("setLang", lang.as_str());
            }
            if let Some((since, until)) = query.filters().days(today) {
                request = request.query("freshness", format!("{since}..{until}"));
            }
            Ok(request.secret_header("ocp-apim-subscription-key", self.endpoint.key()))
        };
        let pages = query.limit().div_ceil(PAGE).min(PAGES);
        self.endpoint.begin().pages(query.limit(), pages, request, |body| parse(body, today)).await
    }
}

/// Reads a page of results.
///
/// # Errors
/// When the reply is not a search reply of this API.
pub fn parse(body: &[u8], today: Date) -> Result<Reply, SearchError> {
    let value = read::json(body)?;
    if let Some(message) = value.pointer("/errors/0/message").and_then(Value::as_str) {
        return Err(SearchError::reported(message));
    }
    // Without any page the whole section is left out.
    if value.get("webPages").is_none() && text(&value, "_type") == "SearchResponse" {
        return Ok(Reply::default());
    }
    Reply::listed(ProviderName::Bing, &value, "/webPages/value", |item| {
        let dated =
            first_of(&[text(item, "datePublished"), text(item, "datePublishedDisplayText")]);
        Draft {
            url: text(item, "url"),
            title: text(item, "name"),
            snippet: text(item, "snippet"),
            published: day::parse(dated, today),
        }
    })
}
