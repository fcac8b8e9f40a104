//! Google: the web by a Programmable Search Engine of the user's (Custom Search JSON API).
//!
//! `GET {base}/customsearch/v1?key=KEY&cx=ENGINE&q=…&num=1–10&start=1–91&lr=lang_…&sort=date:r:…`

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
const PAGE: usize = 10;
/// The most pages there are: it gives the first hundred results.
const PAGES: usize = 10;
/// The longest query, in characters and words.
const QUERY_CHARS: usize = 400;
const QUERY_WORDS: usize = 32;

/// Google's Programmable Search Engine.
#[derive(Debug)]
pub struct Google {
    endpoint: Endpoint,
}

http_provider!(Google, ProviderName::Google);

impl Google {
    async fn ask(&self, query: &Query) -> Result<Reply, SearchError> {
        let (url, today) = (self.endpoint.at("/customsearch/v1")?, self.endpoint.today());
        let words = query.with_operators(QUERY_CHARS, QUERY_WORDS);
        let request = |page: usize| {
            let mut request = ApiRequest::get(&url)
                .query("q", words.as_str())
                .query("cx", self.endpoint.engine().unwrap_or_default())
                .query("num", query.limit().min(PAGE).to_string())
                .query("start", (page * PAGE + 1).to_string());
            if let Some(lang) = query.lang() {
                request = request.query("lr", format!("lang_{}", lang.as_str()));
            }
            if let Some((since, until)) = query.filters().days(today) {
                let day = |day: Date| day.strftime("%Y%m%d").to_string();
                request = request.query("sort", format!("date:r:{}:{}", day(since), day(until)));
            }
            Ok(request.secret_query("key", self.endpoint.key()))
        };
        let pages = query.limit().div_ceil(PAGE).min(PAGES);
        self.endpoint.begin().pages(query.limit(), pages, request, |body| parse(body, today)).await
    }
}

/// Reads a page of results.
///
/// # Errors
/// When the reply is not a search reply of Google's.
pub fn parse(body: &[u8], today: Date) -> Result<Reply, SearchError> {
    let value = read::json(body)?;
    // Without any result the list is left out.
    if value.get("items").is_none() && value.get("searchInformation").is_some_and(Value::is_object)
    {
        return Ok(Reply::default());
    }
    Reply::listed(ProviderName::Google, &value, "/items", |item| Draft {
        url: text(item, "link"),
        title: text(item, "title"),
        snippet: text(item, "snippet"),
        published: day::parse(text_at(item, "/pagemap/metatags/0/article:published_time"), today),
    })
}
