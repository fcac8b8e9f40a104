//! Wikidata: things and what they are, in a line each.
//!
//! `GET {base}/w/api.php?action=query&list=search&srsearch=…&srprop=snippet|titlesnippet&uselang=…`

use serde_json::Value;

use super::http_provider;
use crate::fetch::api::ApiRequest;
use crate::search::ask::Endpoint;
use crate::search::error::SearchError;
use crate::search::name::ProviderName;
use crate::search::query::Query;
use crate::search::read::{self, text};
use crate::search::reply::{Draft, Drafts, Reply};

/// The most results one request gives.
const PAGE: usize = 50;
/// The most words that are sent: it wants all of them.
const WORDS: usize = 4;

/// Wikidata.
#[derive(Debug)]
pub struct Wikidata {
    endpoint: Endpoint,
}

http_provider!(Wikidata, ProviderName::Wikidata);

impl Wikidata {
    async fn ask(&self, query: &Query) -> Result<Reply, SearchError> {
        let lang = query.likely_lang();
        let request = ApiRequest::get(&self.endpoint.at("/w/api.php")?)
            .query("action", "query")
            .query("format", "json")
            .query("formatversion", "2")
            .query("list", "search")
            .query("srnamespace", "0")
            .query("srsearch", query.keywords(WORDS).join(" "))
            .query("srlimit", query.limit().min(PAGE).to_string())
            .query("srprop", "snippet|titlesnippet")
            .query("uselang", lang.as_ref().map_or("en", |lang| lang.as_str()));
        let reply = self.endpoint.begin().ask(request).await?;
        parse(&reply.body)
    }
}

/// Reads a reply.
///
/// # Errors
/// When the reply is an error, or not a query's result.
pub fn parse(body: &[u8]) -> Result<Reply, SearchError> {
    let value = read::json(body)?;
    if value.get("error").is_some_and(Value::is_object) {
        let said = read::said(&value);
        return Err(SearchError::reported(said.as_deref().unwrap_or("no reason given")));
    }
    let mut drafts = Drafts::new(ProviderName::Wikidata.as_str());
    for item in read::list(&value, "/query/search")? {
        let id = text(item, "title");
        // An item is Q and a number; anything else is no address of ours to make.
        let number = id.strip_prefix('Q').unwrap_or_default();
        if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
            drafts.skip_unreadable();
            continue;
        }
        let label = text(item, "titlesnippet");
        drafts.push(&Draft {
            url: &format!("https://www.wikidata.org/wiki/{id}"),
            title: if label.trim().is_empty() { id } else { label },
            snippet: text(item, "snippet"),
            published: None,
        });
    }
    Ok(drafts.finish())
}
