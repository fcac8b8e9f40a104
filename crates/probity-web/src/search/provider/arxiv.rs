//! arXiv: preprints, by its Atom interface.
//!
//! `GET {base}/api/query?search_query=all:word+OR+all:word…&start=0&max_results=…&sortBy=relevance`

use jiff::civil::Date;
use probity_credibility::feed::{self, FeedItem, Format};
use quick_xml::escape::partial_escape;

use super::http_provider;
use crate::fetch::api::ApiRequest;
use crate::search::ask::Endpoint;
use crate::search::day;
use crate::search::error::SearchError;
use crate::search::name::ProviderName;
use crate::search::query::Query;
use crate::search::reply::{Draft, Drafts, Reply};

/// The most results asked for at once.
const PAGE: usize = 100;
/// The most words asked for; its ranking prefers papers that have more of them.
const WORDS: usize = 12;

/// arXiv.
#[derive(Debug)]
pub struct Arxiv {
    endpoint: Endpoint,
}

http_provider!(Arxiv, ProviderName::Arxiv);

impl Arxiv {
    async fn ask(&self, query: &Query) -> Result<Reply, SearchError> {
        let mut words = expression(query);
        if let Some((since, until)) = query.filters().days(self.endpoint.today()) {
            let day = |day: Date| day.strftime("%Y%m%d").to_string();
            let (since, until) = (day(since), day(until));
            words = format!("({words}) AND submittedDate:[{since}0000 TO {until}2359]");
        }
        let request = ApiRequest::get(&self.endpoint.at("/api/query")?)
            .query("search_query", words)
            .query("start", "0")
            .query("max_results", query.limit().min(PAGE).to_string())
            .query("sortBy", "relevance")
            .query("sortOrder", "descending");
        self.endpoint.once(query, request, parse).await
    }
}

/// Any of the query's words, in any field. Requiring all of them would find nothing for a question.
fn expression(query: &Query) -> String {
    let terms: Vec<String> =
        query.keywords(WORDS).iter().map(|word| format!("all:{}", plain_term(word))).collect();
    terms.join(" OR ")
}

/// A word without the characters that mean something in its query language.
fn plain_term(word: &str) -> String {
    word.chars()
        .map(|c| if c.is_alphanumeric() || matches!(c, '-' | '.') { c } else { ' ' })
        .collect::<String>()
        .trim()
        .replace(' ', "-")
}

/// Reads a feed.
///
/// # Errors
/// When the reply is an error entry, or not an Atom feed.
pub fn parse(body: &[u8], today: Date) -> Result<Reply, SearchError> {
    let feed = feed::read(&String::from_utf8_lossy(body), None)
        .map_err(|error| SearchError::malformed(error.to_string()))?;
    if feed.format != Some(Format::Atom) {
        return Err(SearchError::malformed("it is not an Atom feed"));
    }
    let mut drafts = Drafts::new(ProviderName::Arxiv.as_str());
    for entry in &feed.items {
        if entry.guid.contains("/api/errors") {
            return Err(SearchError::reported(&entry.summary));
        }
        drafts.push(&Draft {
            url: &address(entry),
            // Its texts are plain, and are read as HTML from here on.
            title: &partial_escape(&entry.title),
            snippet: &partial_escape(&entry.summary),
            published: day::parse(&entry.published, today),
        });
    }
    if feed.problem.is_some() {
        drafts.note("the reply broke off before its end");
    }
    Ok(drafts.finish())
}

/// The abstract's page over https and without a version, so that every version is one page.
fn address(entry: &FeedItem) -> String {
    let href = match &entry.guid {
        id if id.contains("/abs/") => id,
        id => entry.alternates.first().unwrap_or(id),
    };
    let secure = match href.strip_prefix("http://arxiv.org/") {
        Some(path) => format!("https://arxiv.org/{path}"),
        None => href.clone(),
    };
    match secure.rsplit_once('v') {
        Some((page, version))
            if secure.contains("/abs/")
                && !version.is_empty()
                && version.bytes().all(|b| b.is_ascii_digit())
                && page.ends_with(|c: char| c.is_ascii_digit()) =>
        {
            page.to_owned()
        }
        _ => secure,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_becomes_an_expression_of_its_content_words() {
        let query =
            Query::new("What is the threshold of the surface code (\"error\" rate: all:x)?")
                .unwrap();
        let expression = expression(&query);
        assert!(expression.starts_with("all:threshold OR all:surface OR all:code"), "{expression}");
        assert!(!expression.contains(['"', '(', ')', '?']));
        assert!(
            expression.split(" OR ").all(|term| term.matches(':').count() == 1),
            "{expression}"
        );
    }
}
