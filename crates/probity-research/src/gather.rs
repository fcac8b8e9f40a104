//! The outside world as a run sees it: something that searches, something that reads.

use std::collections::BTreeMap;

use probity_core::{Answering, Outlet, Problem, SearchHit, WebUrl};
use probity_credibility::{Known, Permit};
use probity_web::fetch::Page;
use serde::{Deserialize, Serialize};

/// Work in progress that always ends in an answer, if only in an honest "no".
pub type Gathered<'a, T> = Answering<'a, T>;

/// How a result came to be among the candidates.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// A search of the web found it: its score decides.
    #[default]
    Web,
    /// The user named the address: it is scored but never blocked.
    Named,
    /// It lies in a library of the user's: it is scored but never blocked, and read from there.
    Library,
}

/// A search result and how it came to be one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundHit {
    /// The result.
    #[serde(flatten)]
    pub hit: SearchHit,
    /// How it came to be one.
    #[serde(default)]
    pub origin: Origin,
    /// The publisher that a document of the user's own names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outlet: Option<Outlet>,
}

/// What a query brought.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchAnswer {
    /// The results, best first.
    pub hits: Vec<FoundHit>,
    /// What went wrong on the way.
    pub problems: Vec<Problem>,
    /// Whether no provider answered at all, so that to have no results means nothing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub silent: bool,
}

/// A page that may be read.
#[derive(Debug, Clone)]
pub enum Target {
    /// A page of the web, with its permit.
    Web(Permit),
    /// A document of a library, by its address.
    Local(WebUrl),
}

impl Target {
    /// The address to read.
    pub fn url(&self) -> &WebUrl {
        match self {
            Target::Web(permit) => permit.url(),
            Target::Local(url) => url,
        }
    }
}

/// The outside world: searches, pages, and the ledger.
pub trait Gatherer: Send + Sync {
    /// Sends a query.
    fn search<'a>(&'a self, query: &'a str, limit: usize) -> Gathered<'a, SearchAnswer>;

    /// Reads a page.
    fn read<'a>(&'a self, target: &'a Target) -> Gathered<'a, Page>;

    /// What is known of these outlets beside their names: the ledger's opinion, what their pages showed, who cites
    /// them.
    fn ledger<'a>(
        &'a self,
        outlets: &'a [Outlet],
    ) -> Gathered<'a, Result<BTreeMap<Outlet, Known>, String>>;

    /// Ends what was done aside, in bounded time, once the run has its report.
    fn settle<'a>(&'a self) -> Gathered<'a, ()> {
        Box::pin(async {})
    }
}

/// One world for several runs.
impl<G: Gatherer + ?Sized> Gatherer for std::sync::Arc<G> {
    fn search<'a>(&'a self, query: &'a str, limit: usize) -> Gathered<'a, SearchAnswer> {
        (**self).search(query, limit)
    }

    fn read<'a>(&'a self, target: &'a Target) -> Gathered<'a, Page> {
        (**self).read(target)
    }

    fn ledger<'a>(
        &'a self,
        outlets: &'a [Outlet],
    ) -> Gathered<'a, Result<BTreeMap<Outlet, Known>, String>> {
        (**self).ledger(outlets)
    }

    fn settle<'a>(&'a self) -> Gathered<'a, ()> {
        (**self).settle()
    }
}

/// A world that refuses everything: what a replay runs in.
pub struct Nowhere;

impl Gatherer for Nowhere {
    fn search<'a>(&'a self, query: &'a str, _: usize) -> Gathered<'a, SearchAnswer> {
        let problem =
            Problem::new(probity_core::ProblemKind::Search, query, "a replay sends no queries");
        Box::pin(async { SearchAnswer { hits: Vec::new(), problems: vec![problem], silent: true } })
    }

    fn read<'a>(&'a self, target: &'a Target) -> Gathered<'a, Page> {
        let page = Page::unasked(
            target.url().clone(),
            probity_web::fetch::FetchOutcome::Failed,
            "a replay reads no pages",
        );
        Box::pin(async { page })
    }

    fn ledger<'a>(
        &'a self,
        _: &'a [Outlet],
    ) -> Gathered<'a, Result<BTreeMap<Outlet, Known>, String>> {
        Box::pin(async { Err("a replay asks no ledger".to_owned()) })
    }
}
