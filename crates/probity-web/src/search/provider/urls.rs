//! A fixed list of addresses: what the user wants read, whatever the query is.

use std::collections::HashSet;
use std::time::Duration;

use probity_core::{CanonicalUrl, Problem, ProblemKind, SearchHit, WebUrl};

use super::{Provider, Searching};
use crate::search::clean;
use crate::search::query::Query;
use crate::search::reply::Reply;
use crate::search::select::URLS;

/// The longest list.
pub const URLS_MAX: usize = 1_000;

/// A list of addresses that is the answer to every query, in its own order.
#[derive(Debug, Clone, Default)]
pub struct UrlList {
    hits: Vec<SearchHit>,
    seen: HashSet<CanonicalUrl>,
    problems: Vec<Problem>,
}

impl UrlList {
    /// A list of addresses about which nothing else is known.
    pub fn new(urls: Vec<WebUrl>) -> Self {
        let mut list = Self::default();
        for url in urls {
            list.push(url, "");
        }
        list
    }

    /// Reads a list: an address a line, with a title after white space if there is one. Blank lines
    /// and lines that begin with `#` mean nothing. A line that is no address becomes a problem.
    ///
    /// ```
    /// use probity_web::search::UrlList;
    ///
    /// let list = UrlList::read("# noise\nhttps://a.example/code  The code\nnot an address\n");
    /// assert_eq!(list.len(), 1);
    /// ```
    pub fn read(text: &str) -> Self {
        let mut list = Self::default();
        for (index, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (address, title) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            match WebUrl::parse(address) {
                Ok(url) => list.push(url, title),
                Err(error) => list.note(format!("line {}: {error}", index + 1)),
            }
        }
        list
    }

    /// How many addresses it holds.
    pub fn len(&self) -> usize {
        self.hits.len()
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.hits.is_empty()
    }

    fn push(&mut self, url: WebUrl, title: &str) {
        if self.hits.len() >= URLS_MAX {
            self.note(format!("only the first {URLS_MAX} addresses are taken"));
            return;
        }
        if !self.seen.insert(url.canonical()) {
            return;
        }
        self.hits.push(SearchHit {
            url,
            title: clean::title(title),
            snippet: String::new(),
            published: None,
            providers: vec![URLS.to_owned()],
        });
    }

    fn note(&mut self, detail: String) {
        let problem = Problem::new(ProblemKind::Search, URLS, detail);
        if self.problems.len() < URLS_MAX && !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }
}

impl Provider for UrlList {
    fn name(&self) -> &str {
        URLS
    }

    fn timeout(&self) -> Duration {
        Duration::from_secs(1)
    }

    // The limit of a query is about relevance, which a list that someone wrote does not lack.
    fn search<'a>(&'a self, _query: &'a Query) -> Searching<'a> {
        Box::pin(async { Ok(Reply { hits: self.hits.clone(), problems: self.problems.clone() }) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_read_line_by_line() {
        let list = UrlList::read(
            "# comment\n\n https://a.example/1\tNoise <b>code</b>\nhttps://a.example/1#x\nfile:///etc/passwd\nhttps://b.example/\r\n",
        );
        let hits: Vec<_> =
            list.hits.iter().map(|hit| (hit.url.as_str(), hit.title.as_str())).collect();
        assert_eq!(hits, [("https://a.example/1", "Noise code"), ("https://b.example/", "")]);
        let problems: Vec<_> = list.problems.iter().map(ToString::to_string).collect();
        assert_eq!(problems, ["urls: line 5: the scheme `file` is not http or https"]);
    }

    #[test]
    fn a_list_is_bounded() {
        let text: String =
            (0..URLS_MAX + 500).map(|n| format!("https://a.example/{n}\n")).collect();
        let list = UrlList::read(&text);
        assert_eq!(list.len(), URLS_MAX);
        assert_eq!(list.problems.len(), 1);
    }
}
