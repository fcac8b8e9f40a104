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
use crate::search::reply::{Draft, Drafts, Reply};

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
        if let Some(key) = self.endpoint.key() {
            request = request.bearer(key);
        }
        let reply = self.endpoint.begin().ask(request).await?;
        let mut reply = parse(&reply.body, self.endpoint.today())?;
        reply.hits.truncate(query.limit());
        Ok(reply)
    }
}

/// Reads a reply.
///
/// # Errors
/// When the reply is not JSON with a list of results.
pub fn parse(body: &[u8], today: Date) -> Result<Reply, SearchError> {
    let value = read::json(body)?;
    let mut drafts = Drafts::new(ProviderName::Jina.as_str());
    for item in drafts.objects(read::list(&value, "/data")?) {
        drafts.push(&Draft {
            url: text(item, "url"),
            title: text(item, "title"),
            snippet: first_of(&[text(item, "description"), text(item, "content")]),
            published: day::parse(
                first_of(&[text(item, "publishedTime"), text(item, "date")]),
                today,
            ),
        });
    }
    Ok(drafts.finish())
}
