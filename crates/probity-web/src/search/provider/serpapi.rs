//! SerpApi: Google's results as JSON.
//!
//! `GET {base}/search?engine=google&api_key=KEY&q=…&start=0,10,…&hl=…&tbs=cdr:1,…`

use jiff::civil::Date;

use super::http_provider;
use crate::fetch::api::ApiRequest;
use crate::search::ask::Endpoint;
use crate::search::day;
use crate::search::error::SearchError;
use crate::search::name::ProviderName;
use crate::search::query::Query;
use crate::search::read::{self, text};
use crate::search::reply::{Draft, Reply};

/// How many results one page gives.
const PAGE: usize = 10;
/// The most pages asked for: each is a paid search.
const PAGES: usize = 5;
/// What it says where nothing was found, in place of a list.
const NOTHING: &str = "hasn't returned any results";
/// The longest query, in characters and words.
const QUERY_CHARS: usize = 500;
const QUERY_WORDS: usize = 32;

/// SerpApi.
#[derive(Debug)]
pub struct Serpapi {
    endpoint: Endpoint,
}

http_provider!(Serpapi, ProviderName::Serpapi);

impl Serpapi {
    async fn ask(&self, query: &Query) -> Result<Reply, SearchError> {
        let (url, today) = (self.endpoint.at("/search")?, self.endpoint.today());
        let words = query.with_operators(QUERY_CHARS, QUERY_WORDS);
        let request = |page: usize| {
            let mut request = ApiRequest::get(&url)
                .query("engine", "google")
                .query("q", words.as_str())
                .query("start", (page * PAGE).to_string());
            if let Some(lang) = query.lang() {
                request = request.query("hl", lang.as_str());
            }
            if let Some(days) = google_days(query, today) {
                request = request.query("tbs", days);
            }
            Ok(request.secret_query("api_key", self.endpoint.key()))
        };
        let pages = query.limit().div_ceil(PAGE).min(PAGES);
        self.endpoint.begin().pages(query.limit(), pages, request, |body| parse(body, today)).await
    }
}

/// The days of a filter as Google's own page sends them.
pub(super) fn google_days(query: &Query, today: Date) -> Option<String> {
    let (since, until) = query.filters().days(today)?;
    let day = |day: Date| day.strftime("%m/%d/%Y").to_string();
    Some(format!("cdr:1,cd_min:{},cd_max:{}", day(since), day(until)))
}

/// Reads a page of results. Only organic results count.
///
/// # Errors
/// When the reply is not JSON with a list of organic results.
pub fn parse(body: &[u8], today: Date) -> Result<Reply, SearchError> {
    let value = read::json(body)?;
    if value.get("organic_results").is_none() && text(&value, "error").contains(NOTHING) {
        return Ok(Reply::default());
    }
    Reply::listed(ProviderName::Serpapi, &value, "/organic_results", |item| Draft {
        url: text(item, "link"),
        title: text(item, "title"),
        snippet: text(item, "snippet"),
        published: day::parse(text(item, "date"), today),
    })
}
