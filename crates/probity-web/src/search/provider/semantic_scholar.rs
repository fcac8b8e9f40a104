//! Semantic Scholar: papers of every field, with their open copies.
//!
//! `GET {base}/graph/v1/paper/search?query=…&limit=1–100&fields=…` with `x-api-key: KEY` if there is one

use jiff::civil::Date;
use serde_json::Value;

use super::http_provider;
use crate::fetch::api::ApiRequest;
use crate::search::ask::Endpoint;
use crate::search::day;
use crate::search::error::SearchError;
use crate::search::name::ProviderName;
use crate::search::query::Query;
use crate::search::read::{self, first_of, text, text_at};
use crate::search::reply::{Draft, Drafts, Reply};

/// The most results one request gives.
const PAGE: usize = 100;
/// What is asked for of each paper.
const FIELDS: &str = "title,abstract,tldr,url,externalIds,openAccessPdf,publicationDate";

/// Semantic Scholar.
#[derive(Debug)]
pub struct SemanticScholar {
    endpoint: Endpoint,
}

http_provider!(SemanticScholar, ProviderName::SemanticScholar);

impl SemanticScholar {
    async fn ask(&self, query: &Query) -> Result<Reply, SearchError> {
        let mut request = ApiRequest::get(&self.endpoint.at("/graph/v1/paper/search")?)
            // Words with a hyphen match nothing, by its own documentation.
            .query("query", query.text().replace('-', " "))
            .query("limit", query.limit().min(PAGE).to_string())
            .query("fields", FIELDS)
            .header("accept", "application/json");
        if let Some((since, until)) = query.filters().days(self.endpoint.today()) {
            request = request.query("publicationDateOrYear", format!("{since}:{until}"));
        }
        self.endpoint
            .once(query, request.secret_header("x-api-key", self.endpoint.key()), parse)
            .await
    }
}

/// Reads a page of papers.
///
/// # Errors
/// When the reply is not JSON with a list of papers, or an empty one.
pub fn parse(body: &[u8], today: Date) -> Result<Reply, SearchError> {
    let value = read::json(body)?;
    let mut drafts = Drafts::new(ProviderName::SemanticScholar.as_str());
    // An empty result has a count only.
    if value.get("data").is_none() && value.get("total").and_then(Value::as_u64) == Some(0) {
        return Ok(drafts.finish());
    }
    for item in drafts.objects(read::list(&value, "/data")?) {
        drafts.push(&Draft {
            url: &address(item),
            title: text(item, "title"),
            snippet: first_of(&[text(item, "abstract"), text_at(item, "/tldr/text")]),
            published: day::parse(text(item, "publicationDate"), today),
        });
    }
    Ok(drafts.finish())
}

/// Where the paper itself is, rather than its record here, if that is known.
fn address(item: &Value) -> String {
    let preprint = text_at(item, "/externalIds/ArXiv");
    if !preprint.is_empty() {
        return format!("https://arxiv.org/abs/{preprint}");
    }
    let doi = text_at(item, "/externalIds/DOI");
    if let Some(url) = doi_address(doi) {
        return url;
    }
    first_of(&[text_at(item, "/openAccessPdf/url"), text(item, "url")]).to_owned()
}

/// The address of a DOI, whose characters may be any.
fn doi_address(doi: &str) -> Option<String> {
    let (registrant, name) = doi.trim().split_once('/')?;
    if !registrant.starts_with("10.") || name.is_empty() {
        return None;
    }
    let mut url = url::Url::parse("https://doi.org/").ok()?;
    url.set_path(&doi.trim().replace('%', "%25"));
    Some(url.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_doi_of_any_characters_is_an_address() {
        assert_eq!(doi_address("10.1000/182").as_deref(), Some("https://doi.org/10.1000/182"));
        assert_eq!(
            doi_address("10.1002/(SICI)1097<1::AID>3.0.CO;2-#?").as_deref(),
            Some("https://doi.org/10.1002/(SICI)1097%3C1::AID%3E3.0.CO;2-%23%3F")
        );
        assert_eq!(doi_address("nonsense"), None);
        assert_eq!(doi_address("10.1000/"), None);
    }
}
