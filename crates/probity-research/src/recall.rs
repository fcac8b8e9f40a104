//! The sources of an earlier run, to ask them something else: found by their texts, and read from where they are kept.
//!
//! Only what that run took for a source is there: what it blocked, or what led to a blocked page, is not.

use probity_core::{Candidate, SearchHit, Verdict, WebUrl};
use probity_report::RunFacts;
use probity_text::lexical::{Query, Text};
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

    /// The sources that share words with a query, best first by BM25. They were scored and permitted when they were
    /// read, so that a score does not block them now.
    pub fn search(&self, query: &str, limit: usize) -> Vec<FoundHit> {
        let asked = Query::new(query);
        let texts: Vec<Text<'_>> = self
            .pages
            .iter()
            .map(|held| Text { lead: &held.candidate.title, body: held.text() })
            .collect();
        let mut found: Vec<(f64, &Held)> = asked
            .measure(&texts)
            .iter()
            .zip(&self.pages)
            .filter(|(measured, _)| measured.covered > 0.0)
            .map(|(measured, held)| (measured.bm25, held))
            .collect();
        // Stable: of equals the one that was found first then.
        found.sort_by(|a, b| b.0.total_cmp(&a.0));
        found.into_iter().take(limit).map(|(_, held)| held.hit(&asked)).collect()
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

    /// The source as a search finds it, with the line that has most of what is asked.
    fn hit(&self, asked: &Query) -> FoundHit {
        let lines: Vec<Text<'_>> =
            self.text().lines().map(|body| Text { lead: "", body }).collect();
        let measured = asked.measure(&lines);
        let best = lines.iter().zip(&measured).rev().max_by(|a, b| a.1.bm25.total_cmp(&b.1.bm25));
        let nearest = best.map_or("", |(line, _)| line.body);
        FoundHit {
            origin: Origin::Library,
            outlet: self.candidate.outlet.clone(),
            hit: SearchHit {
                url: self.candidate.url.clone(),
                title: self.candidate.title.clone(),
                snippet: probity_core::printable::brief(nearest.trim(), SNIPPET_CHARS),
                published: self.candidate.published,
                providers: vec![PROVIDER.to_owned()],
            },
        }
    }
}
