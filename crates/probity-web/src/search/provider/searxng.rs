//! SearXNG: a metasearch instance of the user's own, asked for JSON.
//!
//! `GET {base}/search?q=…&format=json&pageno=1&language=…`

use jiff::civil::Date;
use serde_json::Value;

use super::http_provider;
use crate::fetch::api::{ApiError, ApiRequest};
use crate::search::ask::Endpoint;
use crate::search::day;
use crate::search::error::SearchError;
use crate::search::name::ProviderName;
use crate::search::query::{QUERY_CHARS, Query};
use crate::search::read::{self, first_of, text};
use crate::search::reply::{Draft, Drafts, Reply};

/// An instance gives as many results a page as it likes; more pages than this are not asked for.
const PAGES: usize = 3;
/// How many of the instance's own failing engines are named.
const ENGINES_NAMED: usize = 5;

/// A SearXNG instance.
#[derive(Debug)]
pub struct Searxng {
    endpoint: Endpoint,
}

http_provider!(Searxng, ProviderName::Searxng);

impl Searxng {
    async fn ask(&self, query: &Query) -> Result<Reply, SearchError> {
        let (url, today) = (self.endpoint.at("/search")?, self.endpoint.today());
        let request = |page: usize| {
            let request = ApiRequest::get(&url)
                .query("q", query.with_operators(QUERY_CHARS, usize::MAX))
                .query("format", "json")
                .query("pageno", (page + 1).to_string())
                .header("accept", "application/json");
            Ok(match query.lang() {
                Some(lang) => request.query("language", lang.as_str()),
                None => request,
            })
        };
        let asking = self.endpoint.begin();
        asking
            .pages(query.limit(), PAGES, request, |body| parse(body, today))
            .await
            .map_err(explain)
    }
}

/// An instance answers 403 when its owner did not switch JSON on, which the status alone hides.
fn explain(error: SearchError) -> SearchError {
    match error {
        SearchError::Api(ApiError::Status { status: 403, .. }) => SearchError::Reported(
            "this instance does not offer JSON (status 403); allow `json` under search.formats in its settings.yml"
                .to_owned(),
        ),
        other => other,
    }
}

/// Reads a page of results.
///
/// # Errors
/// When the reply is not JSON with a list of results.
pub fn parse(body: &[u8], today: Date) -> Result<Reply, SearchError> {
    let value = read::json(body)?;
    let mut drafts = Drafts::new(ProviderName::Searxng.as_str());
    for item in drafts.objects(read::list(&value, "/results")?) {
        drafts.push(&Draft {
            url: text(item, "url"),
            title: text(item, "title"),
            snippet: text(item, "content"),
            published: day::parse(
                first_of(&[text(item, "publishedDate"), text(item, "pubdate")]),
                today,
            ),
        });
    }
    if let Some(names) = failing_engines(&value) {
        drafts.note(format!("some of its engines did not answer: {names}"));
    }
    Ok(drafts.finish())
}

/// The engines behind the instance that failed, as `name (reason)`.
fn failing_engines(value: &Value) -> Option<String> {
    let engines = value.get("unresponsive_engines")?.as_array()?;
    let names: Vec<String> = engines
        .iter()
        .take(ENGINES_NAMED)
        .filter_map(|engine| match engine {
            Value::String(name) => Some(name.clone()),
            pair => {
                let name = pair.get(0)?.as_str()?;
                let reason = pair.get(1).and_then(Value::as_str).unwrap_or("no reason given");
                Some(format!("{name} ({reason})"))
            }
        })
        .collect();
    let line = crate::search::clean::plain(&names.join(", "), 200);
    (!line.is_empty()).then_some(line)
}
