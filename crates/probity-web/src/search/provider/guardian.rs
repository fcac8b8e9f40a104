//! The Guardian: everything it has published since 1999.
//!
//! `GET {base}/search?q=…&page-size=1–50&page=1–&order-by=relevance&show-fields=trailText&api-key=KEY`

use jiff::civil::Date;
use serde_json::Value;

use super::http_provider;
use crate::fetch::api::ApiRequest;
use crate::search::ask::Endpoint;
use crate::search::day;
use crate::search::error::SearchError;
use crate::search::name::ProviderName;
use crate::search::query::Query;
use crate::search::read::{self, text, text_at};
use crate::search::reply::{Draft, Reply};

/// The most results one page gives.
const PAGE: usize = 50;
/// The most pages asked for.
const PAGES: usize = 2;
/// The most words of a question that are sent: it wants all of them in an article.
const WORDS: usize = 6;

/// The Guardian's Open Platform.
#[derive(Debug)]
pub struct Guardian {
    endpoint: Endpoint,
}

http_provider!(Guardian, ProviderName::Guardian);

impl Guardian {
    async fn ask(&self, query: &Query) -> Result<Reply, SearchError> {
        let (url, today) = (self.endpoint.at("/search")?, self.endpoint.today());
        let words = query.keywords(WORDS).join(" ");
        let request = |page: usize| {
            let mut request = ApiRequest::get(&url)
                .query("q", words.as_str())
                .query("page-size", query.limit().min(PAGE).to_string())
                .query("page", (page + 1).to_string())
                .query("order-by", "relevance")
                .query("show-fields", "trailText");
            if let Some(since) = query.filters().since {
                request = request.query("from-date", since.to_string());
            }
            if let Some(until) = query.filters().until {
                request = request.query("to-date", until.to_string());
            }
            Ok(request.secret_query("api-key", self.endpoint.key()))
        };
        let pages = query.limit().div_ceil(PAGE).min(PAGES);
        self.endpoint.begin().pages(query.limit(), pages, request, |body| parse(body, today)).await
    }
}

/// Reads a page of results.
///
/// # Errors
/// When the reply is not JSON with a list of articles.
pub fn parse(body: &[u8], today: Date) -> Result<Reply, SearchError> {
    let value = read::json(body)?;
    if let Some(message) = value.pointer("/response/message").and_then(Value::as_str) {
        return Err(SearchError::reported(message));
    }
    Reply::listed(ProviderName::Guardian, &value, "/response/results", |item| Draft {
        url: text(item, "webUrl"),
        title: text(item, "webTitle"),
        snippet: text_at(item, "/fields/trailText"),
        published: day::parse(text(item, "webPublicationDate"), today),
    })
}
