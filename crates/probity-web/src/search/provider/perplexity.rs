//! Perplexity: its index of the web, without its answers.
//!
//! `POST {base}/search` with `Authorization: Bearer KEY` and `{"query": …, "max_results": 1–20, …}`

use jiff::civil::Date;
use serde_json::json;

use super::http_provider;
use crate::search::ask::Endpoint;
use crate::search::day;
use crate::search::error::SearchError;
use crate::search::name::ProviderName;
use crate::search::query::Query;
use crate::search::read::{self, text};
use crate::search::reply::{Draft, Reply};

/// The most results one request gives.
const PAGE: usize = 20;

/// Perplexity's search.
#[derive(Debug)]
pub struct Perplexity {
    endpoint: Endpoint,
}

http_provider!(Perplexity, ProviderName::Perplexity);

impl Perplexity {
    async fn ask(&self, query: &Query) -> Result<Reply, SearchError> {
        let filters = query.filters();
        let mut body = json!({ "query": query.text(), "max_results": query.limit().min(PAGE) });
        if let Some(fields) = body.as_object_mut() {
            // Sites that are wanted and sites that are not cannot be sent together.
            let sites: Vec<String> = match filters.sites.as_slice() {
                [] => filters.exclude_sites.iter().map(|s| format!("-{}", s.as_str())).collect(),
                sites => sites.iter().map(|site| site.as_str().to_owned()).collect(),
            };
            if !sites.is_empty() {
                fields.insert("search_domain_filter".to_owned(), json!(sites));
            }
            let day = |day: Date| day.strftime("%m/%d/%Y").to_string();
            if let Some(since) = filters.since {
                fields.insert("search_after_date_filter".to_owned(), json!(day(since)));
            }
            if let Some(until) = filters.until {
                fields.insert("search_before_date_filter".to_owned(), json!(day(until)));
            }
            if let Some(lang) = query.lang() {
                fields.insert("search_language_filter".to_owned(), json!([lang.as_str()]));
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
    Reply::listed(ProviderName::Perplexity, &value, "/results", |item| Draft {
        url: text(item, "url"),
        title: text(item, "title"),
        snippet: text(item, "snippet"),
        published: day::parse(text(item, "date"), today),
    })
}
