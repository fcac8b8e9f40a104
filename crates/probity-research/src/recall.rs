//! The sources of an earlier run, to ask them something else: found by their texts, and read from where they are kept.
//!
//! Only what that run took for a source is there: what it blocked, or what led to a blocked page, is not.

use std::collections::HashSet;

use probity_core::{Candidate, Outlet, SearchHit, Verdict, WebUrl};
use probity_report::RunFacts;
use probity_text::Language;
use probity_text::words::Stemmer;
use probity_web::fetch::Page;

use crate::gather::{FoundHit, Origin};
use crate::journal::{Entry, StepKind};

/// What a result of such a search says of where it is from.
pub const PROVIDER: &str = "run";
/// The longest excerpt that a result is shown with, in characters.
const SNIPPET_CHARS: usize = 300;

/// The sources of a run.
pub struct Recalled {
    pages: Vec<Held>,
}

/// A source and its page as it was read then.
struct Held {
    candidate: Candidate,
    page: Page,
}

impl Recalled {
    /// The sources of a run by its report and its journal.
    pub fn of(facts: &RunFacts, entries: &[Entry]) -> Self {
        let fetched = entries.iter().filter(|entry| entry.kind == StepKind::Fetch.as_str());
        let pages: Vec<Page> =
            fetched.filter_map(|entry| serde_json::from_str(&entry.output).ok()).collect();
        let held = |candidate: &Candidate| {
            let page = pages.iter().find(|page| page.url == candidate.url)?;
            let is_read = page.outcome.is_read() && page.document.is_some();
            is_read.then(|| Held { candidate: candidate.clone(), page: page.clone() })
        };
        let sources = facts
            .candidates
            .iter()
            .filter(|candidate| matches!(candidate.verdict, Verdict::Read | Verdict::Dropped));
        Self { pages: sources.filter_map(held).collect() }
    }

    /// Whether that run read nothing that could be asked.
    pub fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    /// The sources that share words with a query, those with most first. They were scored and permitted when they were
    /// read, so that a score does not block them now.
    pub fn search(&self, query: &str, limit: usize) -> Vec<FoundHit> {
        let stemmer = Stemmer::new(Language::detect(query));
        let wanted: HashSet<String> = stemmer.content_stems(query).into_iter().collect();
        let shared = |text: &str| {
            let stems: HashSet<String> = stemmer.content_stems(text).into_iter().collect();
            wanted.intersection(&stems).count()
        };
        let mut found: Vec<(usize, &Held)> = self
            .pages
            .iter()
            .map(|held| (shared(&format!("{}\n{}", held.candidate.title, held.text())), held))
            .filter(|(shared, _)| *shared > 0)
            .collect();
        // Stable: of equals the one that was found first then.
        found.sort_by_key(|(shared, _)| std::cmp::Reverse(*shared));
        let hit = |(_, held): (usize, &Held)| {
            let lines = held.text().lines().filter(|line| !line.trim().is_empty());
            let nearest = lines.rev().max_by_key(|line| shared(line)).unwrap_or_default();
            FoundHit {
                origin: Origin::Library,
                outlet: held.outlet(),
                hit: SearchHit {
                    url: held.candidate.url.clone(),
                    title: held.candidate.title.clone(),
                    snippet: probity_core::printable::brief(nearest.trim(), SNIPPET_CHARS),
                    published: held.candidate.published,
                    providers: vec![PROVIDER.to_owned()],
                },
            }
        };
        found.into_iter().take(limit).map(hit).collect()
    }

    /// A source as it was read then.
    pub fn read(&self, url: &WebUrl) -> Option<Page> {
        self.pages.iter().find(|held| held.candidate.url == *url).map(|held| held.page.clone())
    }
}

impl Held {
    fn text(&self) -> &str {
        self.page.document.as_ref().map_or("", |document| document.text.as_str())
    }

    fn outlet(&self) -> Option<Outlet> {
        self.candidate.outlet.clone()
    }
}
