//! Brave: the web by an index of its own.
//!
//! `GET {base}/res/v1/web/search?q=…&count=1–20&offset=0–9&search_lang=…` with
//! `X-Subscription-Token: KEY`

use jiff::civil::Date;
use serde_json::Value;

use super::http_provider;
use crate::fetch::api::ApiRequest;
use crate::search::ask::Endpoint;
use crate::search::day;
use crate::search::error::SearchError;
use crate::search::name::ProviderName;
use crate::search::query::{Lang, Query};
use crate::search::read::{self, first_of, text};
use crate::search::reply::{Draft, Drafts, Reply};

/// The most results one page gives.
const PAGE: usize = 20;
/// The most pages there are.
const PAGES: usize = 10;
/// The longest query it takes, in characters and in words.
const QUERY_CHARS: usize = 400;
const QUERY_WORDS: usize = 50;

/// The languages it can search in. Any other value is an error to it, so it is not sent.
const LANGUAGES: &[&str] = &[
    "ar", "bg", "bn", "ca", "cs", "da", "de", "en", "es", "et", "eu", "fi", "fr", "gl", "gu", "he",
    "hi", "hr", "hu", "is", "it", "kn", "ko", "lt", "lv", "ml", "mr", "ms", "nb", "nl", "pa", "pl",
    "ro", "ru", "sk", "sl", "sr", "sv", "ta", "te", "th", "tr", "uk", "vi",
];

/// Brave's web search.
#[derive(Debug)]
pub struct Brave {
    endpoint: Endpoint,
}

http_provider!(Brave, ProviderName::Brave);

impl Brave {
    async fn ask(&self, query: &Query) -> Result<Reply, SearchError> {
        let (url, today) = (self.endpoint.at("/res/v1/web/search")?, self.endpoint.today());
        let words = query.with_operators(QUERY_CHARS, QUERY_WORDS);
        let request = |page: usize| {
            let mut request = ApiRequest::get(&url)
                .query("q", words.as_str())
                .query("count", query.limit().min(PAGE).to_string())
                .query("offset", page.to_string())
                .query("text_decorations", "false")
                .query("result_filter", "web")
                .header("accept", "application/json");
            if let Some(lang) = query.lang().and_then(language) {
                request = request.query("search_lang", lang);
            }
            if let Some((since, until)) = query.filters().days(today) {
                request = request.query("freshness", format!("{since}to{until}"));
            }
            Ok(request.secret_header("x-subscription-token", self.endpoint.key()))
        };
        let pages = query.limit().div_ceil(PAGE).min(PAGES);
        self.endpoint.begin().pages(query.limit(), pages, request, |body| parse(body, today)).await
    }
}

/// Its own code for a language.
fn language(lang: &Lang) -> Option<&'static str> {
    match lang.as_str() {
        "ja" => Some("jp"),
        "zh" => Some("zh-hans"),
        "pt" => Some("pt-br"),
        "no" => Some("nb"),
        other => LANGUAGES.iter().find(|known| **known == other).copied(),
    }
}

/// Reads a page of results.
///
/// # Errors
/// When the reply is not a search reply of Brave's.
pub fn parse(body: &[u8], today: Date) -> Result<Reply, SearchError> {
    let value = read::json(body)?;
    let mut drafts = Drafts::new(ProviderName::Brave.as_str());
    // Without any web result the whole section is left out.
    if value.get("web").is_none_or(Value::is_null) && text(&value, "type") == "search" {
        return Ok(drafts.finish());
    }
    for item in drafts.objects(read::list(&value, "/web/results")?) {
        let dated = first_of(&[text(item, "page_age"), text(item, "age")]);
        drafts.push(&Draft {
            url: text(item, "url"),
            title: text(item, "title"),
            snippet: &snippet(item),
            published: day::parse(dated, today),
        });
    }
    Ok(drafts.finish())
}

/// The description and the further excerpts that some plans give.
fn snippet(item: &Value) -> String {
    let mut parts = vec![text(item, "description")];
    if let Some(extra) = item.get("extra_snippets").and_then(Value::as_array) {
        parts.extend(extra.iter().filter_map(Value::as_str));
    }
    parts.retain(|part| !part.trim().is_empty());
    parts.join(" … ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_languages_that_it_knows_are_sent() {
        let code = |tag| language(&Lang::new(tag).unwrap());
        assert_eq!(code("de"), Some("de"));
        assert_eq!(code("ja"), Some("jp"));
        assert_eq!(code("zh-TW"), Some("zh-hans"));
        assert_eq!(code("eo"), None);
    }
}
