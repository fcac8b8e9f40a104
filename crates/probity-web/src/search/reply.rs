//! What a provider said → results that can be trusted to be results.
//!
//! Every provider's parser hands its items to [`Drafts`], which is the one place where addresses
//! are checked, texts are cleaned and repeats are dropped.

use std::collections::HashSet;

use jiff::civil::Date;
use probity_core::{CanonicalUrl, Problem, ProblemKind, SearchHit, WebUrl, counted, printable};
use serde_json::Value;

use super::clean;
use super::error::SearchError;
use super::name::ProviderName;
use super::query::RESULTS_MAX;
use super::read;

/// The results of one provider, best first, and what was wrong with its reply.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reply {
    /// The results, best first.
    pub hits: Vec<SearchHit>,
    /// What was dropped or missing.
    pub problems: Vec<Problem>,
}

impl From<Vec<SearchHit>> for Reply {
    fn from(hits: Vec<SearchHit>) -> Self {
        Self { hits, problems: Vec::new() }
    }
}

impl Reply {
    /// Adds the results of a further page.
    pub(crate) fn extend(&mut self, page: Reply) {
        let known: HashSet<CanonicalUrl> =
            self.hits.iter().map(|hit| hit.url.canonical()).collect();
        self.hits.extend(page.hits.into_iter().filter(|hit| !known.contains(&hit.url.canonical())));
        self.problems.extend(page.problems);
    }
}

/// One result as a provider described it: nothing in it is checked.
#[derive(Debug, Clone, Default)]
pub(crate) struct Draft<'a> {
    /// The address, as text.
    pub(crate) url: &'a str,
    /// The title, with whatever markup it has.
    pub(crate) title: &'a str,
    /// The excerpt, with whatever markup it has.
    pub(crate) snippet: &'a str,
    /// The day it was published, already found plausible.
    pub(crate) published: Option<Date>,
}

/// Collects the drafts of one reply.
#[derive(Debug)]
pub(crate) struct Drafts {
    provider: String,
    reply: Reply,
    seen: HashSet<CanonicalUrl>,
    refused: usize,
    first_refusal: String,
    unreadable: usize,
}

impl Drafts {
    pub(crate) fn new(provider: impl Into<String>) -> Self {
        Self {
            provider: provider.into(),
            reply: Reply::default(),
            seen: HashSet::new(),
            refused: 0,
            first_refusal: String::new(),
            unreadable: 0,
        }
    }

    /// Takes a result whose address is text.
    pub(crate) fn push(&mut self, draft: &Draft<'_>) {
        if draft.url.trim().is_empty() {
            return self.refuse("", "it has none");
        }
        match address(draft.url) {
            Ok(url) => self.push_at(url, draft),
            Err(reason) => self.refuse(draft.url, &reason),
        }
    }

    /// Takes a result whose address is known already.
    pub(crate) fn push_at(&mut self, url: WebUrl, draft: &Draft<'_>) {
        if self.reply.hits.len() >= RESULTS_MAX || !self.seen.insert(url.canonical()) {
            return;
        }
        self.reply.hits.push(SearchHit {
            url,
            title: clean::title(draft.title),
            snippet: clean::snippet(draft.snippet),
            published: draft.published,
            providers: vec![self.provider.clone()],
        });
    }

    /// Counts an item that has no usable address.
    pub(crate) fn refuse(&mut self, url: &str, reason: &str) {
        if self.refused == 0 {
            self.first_refusal = match url {
                "" => reason.to_owned(),
                url => format!("`{}`: {reason}", printable::brief(url, 80)),
            };
        }
        self.refused += 1;
    }

    /// The items that are objects, as results are; the others are counted.
    pub(crate) fn objects<'v>(&mut self, items: &'v [Value]) -> Vec<&'v Value> {
        let (objects, others): (Vec<&Value>, Vec<&Value>) =
            items.iter().partition(|item| item.is_object());
        self.unreadable += others.len();
        objects
    }

    /// Counts an item that is not shaped like a result at all.
    pub(crate) fn skip_unreadable(&mut self) {
        self.unreadable += 1;
    }

    /// Notes something else that is wrong with the reply.
    pub(crate) fn note(&mut self, detail: impl Into<String>) {
        self.reply.problems.push(Problem::new(ProblemKind::Search, self.provider.clone(), detail));
    }

    /// The results, with one problem for each kind of item that was left out.
    pub(crate) fn finish(mut self) -> Reply {
        if self.refused > 0 {
            self.note(format!(
                "{} without a usable web address left out ({})",
                counted(self.refused, "result", "results"),
                self.first_refusal
            ));
        }
        if self.unreadable > 0 {
            self.note(format!(
                "{} of the reply could not be understood",
                counted(self.unreadable, "item", "items")
            ));
        }
        self.reply
    }
}

impl Reply {
    /// Reads the list of results at a JSON pointer.
    ///
    /// # Errors
    /// When there is no list, because even no results are a list.
    pub(crate) fn listed<'v>(
        provider: ProviderName,
        value: &'v Value,
        pointer: &str,
        draft: impl Fn(&'v Value) -> Draft<'v>,
    ) -> Result<Self, SearchError> {
        let mut drafts = Drafts::new(provider.as_str());
        for item in drafts.objects(read::list(value, pointer)?) {
            drafts.push(&draft(item));
        }
        Ok(drafts.finish())
    }
}

/// The address of a result: absolute, http or https, and without a user name, which only
/// disguises the host.
fn address(text: &str) -> Result<WebUrl, String> {
    let url = WebUrl::parse(text.trim()).map_err(|error| error.to_string())?;
    let plain = url.as_url();
    if !plain.username().is_empty() || plain.password().is_some() {
        return Err("the address carries a user name".to_owned());
    }
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft(url: &str) -> Draft<'_> {
        Draft { url, title: "<b>T</b>", snippet: "a &amp; b", published: None }
    }

    #[test]
    fn only_web_addresses_become_hits_and_the_rest_is_a_problem() {
        let mut drafts = Drafts::new("brave");
        for url in [
            "https://a.example/1",
            "/relative",
            "javascript:alert(1)",
            "https://reuters.com@evil.example/",
            "",
            "https://a.example/1#again",
            " https://b.example/2 ",
        ] {
            drafts.push(&draft(url));
        }
        drafts.skip_unreadable();
        let reply = drafts.finish();
        let urls: Vec<_> = reply.hits.iter().map(|hit| hit.url.as_str()).collect();
        assert_eq!(urls, ["https://a.example/1", "https://b.example/2"]);
        assert_eq!(reply.hits[0].title, "T");
        assert_eq!(reply.hits[0].snippet, "a & b");
        assert_eq!(reply.hits[0].providers, ["brave"]);
        let problems: Vec<_> = reply.problems.iter().map(ToString::to_string).collect();
        assert_eq!(
            problems,
            [
                "brave: 4 results without a usable web address left out (`/relative`: not an absolute URL (did you mean https://…?))",
                "brave: 1 item of the reply could not be understood",
            ]
        );
    }

    #[test]
    fn a_reply_of_any_length_is_bounded() {
        let mut drafts = Drafts::new("x");
        for number in 0..10_000 {
            drafts.push(&draft(&format!("https://a.example/{number}")));
        }
        assert_eq!(drafts.finish().hits.len(), RESULTS_MAX);
    }

    #[test]
    fn a_further_page_adds_only_what_is_new() {
        let page = |urls: &[&str]| {
            let mut drafts = Drafts::new("x");
            urls.iter().for_each(|url| drafts.push(&draft(url)));
            drafts.finish()
        };
        let mut reply = page(&["https://a.example/1", "https://a.example/2"]);
        reply.extend(page(&["https://a.example/2/", "https://a.example/3"]));
        assert_eq!(reply.hits.len(), 3);
    }
}
