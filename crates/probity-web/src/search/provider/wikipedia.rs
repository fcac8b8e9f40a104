//! Wikipedia: the encyclopaedia's own search, in the language of the query.
//!
//! `GET {base}/w/api.php?action=query&list=search&srsearch=…&generator=search&gsrsearch=…&prop=info|extracts…`
//!
//! One request asks twice: the list gives the order and the matching lines, the generator the
//! address and the introduction of each article.

use std::collections::HashMap;

use probity_core::WebUrl;
use serde_json::Value;

use super::http_provider;
use crate::fetch::api::{ApiRequest, ApiSettings};
use crate::search::ask::{self, Endpoint};
use crate::search::error::SearchError;
use crate::search::name::ProviderName;
use crate::search::query::{Lang, Query};
use crate::search::read::{self, text};
use crate::search::reply::{Draft, Drafts, Reply};

/// The most results one request gives to everybody.
const PAGE: usize = 50;
/// The most introductions one request gives.
const EXTRACTS: usize = 20;
/// The longest query it takes, in characters.
const QUERY_CHARS: usize = 300;
/// How much of an introduction is asked for, in characters.
const EXTRACT_CHARS: usize = 700;

/// Wikipedia.
#[derive(Debug)]
pub struct Wikipedia {
    endpoint: Endpoint,
}

http_provider!(Wikipedia, ProviderName::Wikipedia);

impl Wikipedia {
    async fn ask(&self, query: &Query) -> Result<Reply, SearchError> {
        let base = edition(self.endpoint.base(), query.likely_lang().as_ref());
        let words = query.within(QUERY_CHARS, usize::MAX);
        let limit = query.limit().min(PAGE).to_string();
        let mut request = ApiRequest::get(&ask::below(&base, "/w/api.php")?)
            .query("action", "query")
            .query("format", "json")
            .query("formatversion", "2")
            .query("utf8", "1")
            .query("list", "search")
            .query("srsearch", words.as_str())
            .query("srlimit", limit.as_str())
            .query("srprop", "snippet")
            .query("generator", "search")
            .query("gsrsearch", words.as_str())
            .query("gsrlimit", limit)
            .query("prop", "info|extracts")
            .query("inprop", "url")
            .query("exintro", "1")
            .query("explaintext", "1")
            .query("exlimit", EXTRACTS.to_string())
            .query("exchars", EXTRACT_CHARS.to_string());
        // Wikimedia asks every client for a way to reach its operator.
        if let Some(address) = self.endpoint.mailto() {
            let agent = format!("{} (mailto:{address})", ApiSettings::default().user_agent);
            request = request.header("user-agent", agent);
        }
        let reply = self.endpoint.begin().ask(request).await?;
        parse(&reply.body, &base)
    }
}

/// The edition of a language: every language has a host of its own below `wikipedia.org`. A base
/// URL elsewhere is a mirror, which has one language unless its path says `{lang}`.
fn edition(base: &WebUrl, lang: Option<&Lang>) -> WebUrl {
    let Some(lang) = lang else { return without_placeholder(base, "en") };
    let mut url = base.as_url().clone();
    if base.dns_host().ends_with(".wikipedia.org")
        && url.set_host(Some(&format!("{}.wikipedia.org", lang.as_str()))).is_ok()
    {
        return WebUrl::parse(url.as_str()).unwrap_or_else(|_| base.clone());
    }
    without_placeholder(base, lang.as_str())
}

fn without_placeholder(base: &WebUrl, lang: &str) -> WebUrl {
    // The parser has escaped the braces.
    WebUrl::parse(&base.as_str().replace("%7Blang%7D", lang).replace("{lang}", lang))
        .unwrap_or_else(|_| base.clone())
}

/// Reads a reply of the edition at `base`.
///
/// # Errors
/// When the reply is an error, or not a query's result.
pub fn parse(body: &[u8], base: &WebUrl) -> Result<Reply, SearchError> {
    let value = read::json(body)?;
    if value.get("error").is_some() {
        return Err(SearchError::reported(
            read::said(&value).as_deref().unwrap_or("no reason given"),
        ));
    }
    let articles = articles(&value);
    let mut drafts = Drafts::new(ProviderName::Wikipedia.as_str());
    for item in read::list(&value, "/query/search")? {
        let title = text(item, "title");
        let id = item.get("pageid").and_then(Value::as_u64);
        let article = id.and_then(|id| articles.get(&id)).copied();
        let Some(url) = article
            .map_or_else(|| address(base, title), |article| known_address(article, base, title))
        else {
            drafts.skip_unreadable();
            continue;
        };
        let intro = article.map(|article| text(article, "extract")).unwrap_or_default();
        let snippet = [intro, text(item, "snippet")];
        let snippet: Vec<&str> =
            snippet.into_iter().filter(|part| !part.trim().is_empty()).collect();
        drafts.push(&Draft { url: &url, title, snippet: &snippet.join(" … "), published: None });
    }
    Ok(drafts.finish())
}

/// The generator's half of the reply, by page number.
fn articles(value: &Value) -> HashMap<u64, &Value> {
    let pages = value.pointer("/query/pages").and_then(Value::as_array);
    pages
        .into_iter()
        .flatten()
        .filter_map(|page| Some((page.get("pageid")?.as_u64()?, page)))
        .collect()
}

fn known_address(article: &Value, base: &WebUrl, title: &str) -> Option<String> {
    match text(article, "fullurl") {
        "" => address(base, title),
        url => Some(url.to_owned()),
    }
}

/// The address of an article by its title.
fn address(base: &WebUrl, title: &str) -> Option<String> {
    if title.trim().is_empty() {
        return None;
    }
    let mut url = ask::below(base, "/wiki/").ok()?.as_url().clone();
    url.path_segments_mut().ok()?.pop_if_empty().push(&title.replace(' ', "_"));
    Some(url.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_language_has_its_edition() {
        let at = |base: &str, lang: Option<&str>| {
            let lang = lang.map(|tag| Lang::new(tag).unwrap());
            edition(&WebUrl::parse(base).unwrap(), lang.as_ref()).to_string()
        };
        assert_eq!(at("https://en.wikipedia.org", Some("de")), "https://de.wikipedia.org/");
        assert_eq!(at("https://en.wikipedia.org", None), "https://en.wikipedia.org/");
        assert_eq!(at("http://127.0.0.1:9/mirror", Some("de")), "http://127.0.0.1:9/mirror");
        assert_eq!(at("http://127.0.0.1:9/{lang}", Some("de")), "http://127.0.0.1:9/de");
        assert_eq!(at("http://127.0.0.1:9/{lang}", None), "http://127.0.0.1:9/en");
    }

    #[test]
    fn an_article_without_an_address_gets_one_from_its_title() {
        let base = WebUrl::parse("https://en.wikipedia.org").unwrap();
        assert_eq!(
            address(&base, "Rumba flamenca / C#?").as_deref(),
            Some("https://en.wikipedia.org/wiki/Rumba_flamenca_%2F_C%23%3F")
        );
        assert_eq!(address(&base, " "), None);
    }
}
