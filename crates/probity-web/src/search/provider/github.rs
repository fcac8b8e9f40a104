//! GitHub: repositories by name, description and topics.
//!
//! `GET {base}/search/repositories?q=…&per_page=1–100&page=1–` with
//! `X-GitHub-Api-Version: 2022-11-28` and, if there is one, `Authorization: Bearer KEY`

use jiff::civil::Date;
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

/// The most results one page gives.
const PAGE: usize = 100;
/// The longest query it takes, in characters.
const QUERY_CHARS: usize = 256;
/// The most words that are sent: it wants all of them.
const WORDS: usize = 5;

/// GitHub's search for repositories.
#[derive(Debug)]
pub struct Github {
    endpoint: Endpoint,
}

http_provider!(Github, ProviderName::Github);

impl Github {
    async fn ask(&self, query: &Query) -> Result<Reply, SearchError> {
        let mut words = query.keywords(WORDS).join(" ");
        if let Some((since, until)) = query.filters().days(self.endpoint.today()) {
            words = format!("{words} pushed:{since}..{until}");
        }
        let words: String = words.chars().take(QUERY_CHARS).collect();
        let request = ApiRequest::get(&self.endpoint.at("/search/repositories")?)
            .query("q", words)
            .query("per_page", query.limit().min(PAGE).to_string())
            .query("page", "1")
            .header("accept", "application/vnd.github+json")
            .header("x-github-api-version", "2022-11-28");
        self.endpoint.once(query, request.bearer(self.endpoint.key()), parse).await
    }
}

/// Reads a reply.
///
/// # Errors
/// When the reply is not JSON with a list of repositories.
pub fn parse(body: &[u8], today: Date) -> Result<Reply, SearchError> {
    let value = read::json(body)?;
    let mut drafts = Drafts::new(ProviderName::Github.as_str());
    for item in drafts.objects(read::list(&value, "/items")?) {
        let topics = item.get("topics").and_then(Value::as_array);
        let topics: Vec<&str> =
            topics.into_iter().flatten().filter_map(Value::as_str).take(20).collect();
        let said = text(item, "description");
        let snippet = match topics.is_empty() {
            true => said.to_owned(),
            false => format!("{said} ({})", topics.join(", ")),
        };
        drafts.push(&Draft {
            url: text(item, "html_url"),
            title: text(item, "full_name"),
            snippet: &snippet,
            published: day::parse(text(item, "pushed_at"), today),
        });
    }
    if value.get("incomplete_results").and_then(Value::as_bool) == Some(true) {
        drafts.note("it ran out of time and gave what it had found by then");
    }
    Ok(drafts.finish())
}
