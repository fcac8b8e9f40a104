//! The score of a page before it is fetched.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use jiff::civil::Date;
use probity_core::{Clock, Timestamp};
use probity_credibility::ledger::{Opinion, seeded_opinions};
use probity_credibility::{Discovery, Policy, Scored};
use pyo3::prelude::*;
use serde::Serialize;

use crate::failure::Failure;
use crate::given::{self, SHORT_BYTES};
use crate::{config, record};

/// How long the scorer behind [`score`] is used before it looks at the clock again, in milliseconds.
const RENEWED_AFTER_MS: i64 = 3_600_000;
/// The most queries that a page may have been found by.
const QUERIES: usize = 16;

/// A page's score with its parts and the reason for each.
#[pyclass(frozen, get_all, eq, module = "probity")]
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Score {
    /// The address that was scored.
    url: String,
    /// Its host.
    host: String,
    /// The publisher of the page, if known.
    outlet: Option<String>,
    /// The tier of its host.
    tier: String,
    /// Its publisher's authority, from 0 to 1.
    authority: f64,
    /// Where that number comes from: ledger, editors, tier, kind or name.
    authority_source: String,
    /// How much of what was asked title and snippet speak of, from 0 to 1.
    relevance: f64,
    /// The same for the question alone.
    relevance_to_question: f64,
    /// The same for the query that found the page.
    relevance_to_query: Option<f64>,
    /// What the page gains for being recent.
    recency: f64,
    /// All of it together.
    score: f64,
    /// Whether the page would never be downloaded.
    blocked: bool,
    /// The score as a sum, with the reason for each part.
    explanation: String,
}

impl Score {
    fn new(scored: &Scored<'_>) -> Self {
        Self {
            url: scored.url.to_owned(),
            host: scored.host.to_owned(),
            outlet: scored.outlet.map(str::to_owned),
            tier: scored.tier.as_str().to_owned(),
            authority: scored.authority,
            authority_source: scored.authority_source.as_str().to_owned(),
            relevance: scored.relevance,
            relevance_to_question: scored.relevance_to_question,
            relevance_to_query: scored.relevance_to_query,
            recency: scored.recency,
            score: scored.score,
            blocked: scored.blocked,
            explanation: scored.explanation.explanation(),
        }
    }
}

#[pymethods]
impl Score {
    /// The score as a dictionary, with the fields of `probity score --json`.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        record::plain(py, self)
    }

    fn __repr__(&self) -> String {
        let verdict = if self.blocked { "blocked" } else { "may be fetched" };
        format!("Score({:.2}, {verdict}: {})", self.score, self.explanation)
    }

    fn __float__(&self) -> f64 {
        self.score
    }
}

/// Scores many pages by one policy, one state of the ledger, at one instant.
#[pyclass(frozen, module = "probity")]
pub(crate) struct Scorer {
    inner: Arc<probity_credibility::Scorer>,
}

impl Scorer {
    /// A scorer by a policy, with what the ledger says.
    pub(crate) fn make(
        policy: Policy,
        ledger: HashMap<probity_core::Outlet, Opinion>,
        now: Timestamp,
    ) -> Result<Self, Failure> {
        let inner = probity_credibility::Scorer::new(policy, ledger, now)
            .map_err(|error| Failure::usage(format!("`config`: {error}")))?;
        Ok(Self { inner: Arc::new(inner) })
    }

    /// The engine's own scorer.
    pub(crate) fn engine(&self) -> &probity_credibility::Scorer {
        &self.inner
    }

    /// The same, for work that outlives the call.
    pub(crate) fn shared(&self) -> Arc<probity_credibility::Scorer> {
        Arc::clone(&self.inner)
    }

    fn assess(&self, asked: &Asked<'_>) -> Score {
        let page = Discovery {
            url: &asked.url,
            title: asked.title,
            snippet: asked.snippet,
            published: asked.date,
        };
        let queries = asked.queries.iter().map(String::as_str);
        let scorer = self.inner.for_question(asked.question.as_str());
        let assessment = scorer.found_by(queries).assess(page);
        Score::new(&Scored::new(&asked.url, &assessment))
    }
}

/// What is asked about one page.
struct Asked<'a> {
    url: probity_core::WebUrl,
    question: probity_credibility::Question,
    title: &'a str,
    snippet: &'a str,
    date: Option<Date>,
    queries: Vec<String>,
}

#[pymethods]
impl Scorer {
    /// Prepares to score: `config` is the section `[credibility]` as a dictionary or the path of a
    /// configuration file, `now` the instant that years and "days ago" are compared with.
    #[new]
    #[pyo3(signature = (config=None, *, now=None))]
    fn new(config: Option<&Bound<'_, PyAny>>, now: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        Ok(Self::make(config::policy(config)?, seeded_opinions(), instant(now)?)?)
    }

    /// Scores one page against a question, and against the queries that found it.
    #[pyo3(
        signature = (url, question, title=None, snippet=None, *, date=None, queries=None),
        text_signature = "($self, url, question, title='', snippet='', *, date=None, queries=None)"
    )]
    #[expect(clippy::too_many_arguments, reason = "they are Python's keyword arguments")]
    fn score(
        &self,
        py: Python<'_>,
        url: &Bound<'_, PyAny>,
        question: &Bound<'_, PyAny>,
        title: Option<&Bound<'_, PyAny>>,
        snippet: Option<&Bound<'_, PyAny>>,
        date: Option<Date>,
        queries: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Score> {
        let asked = Asked {
            url: given::url(url, "url")?,
            question: given::question(question)?,
            title: given::optional_text(title, "title", SHORT_BYTES)?,
            snippet: given::optional_text(snippet, "snippet", SHORT_BYTES)?,
            date,
            queries: match queries {
                Some(queries) => given::texts(queries, "queries", QUERIES)?,
                None => Vec::new(),
            },
        };
        Ok(py.detach(|| self.assess(&asked)))
    }

    /// The score at or below which a page is blocked.
    #[getter]
    fn threshold(&self) -> f64 {
        self.inner.policy().threshold
    }

    fn __repr__(&self) -> String {
        format!("Scorer(threshold={})", self.inner.policy().threshold)
    }
}

/// Scores one page by the embedded defaults, as `probity score` does without a store.
#[pyfunction]
#[pyo3(
    signature = (url, question, title=None, snippet=None, *, date=None, queries=None),
    text_signature = "(url, question, title='', snippet='', *, date=None, queries=None)"
)]
pub(crate) fn score(
    py: Python<'_>,
    url: &Bound<'_, PyAny>,
    question: &Bound<'_, PyAny>,
    title: Option<&Bound<'_, PyAny>>,
    snippet: Option<&Bound<'_, PyAny>>,
    date: Option<Date>,
    queries: Option<&Bound<'_, PyAny>>,
) -> PyResult<Score> {
    usual()?.score(py, url, question, title, snippet, date, queries)
}

/// The scorer by the embedded defaults, rebuilt now and then because it holds an instant.
pub(crate) fn usual() -> Result<Arc<Scorer>, Failure> {
    static USUAL: Mutex<Option<(Timestamp, Arc<Scorer>)>> = Mutex::new(None);
    let now = Clock::System.now();
    let mut held = USUAL.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((made, scorer)) = held.as_ref()
        && (0..RENEWED_AFTER_MS).contains(&now.0.saturating_sub(made.0))
    {
        return Ok(Arc::clone(scorer));
    }
    let scorer = Arc::new(Scorer::make(Policy::default(), seeded_opinions(), now)?);
    *held = Some((now, Arc::clone(&scorer)));
    Ok(scorer)
}

/// An instant as callers give it: nothing for now, a text, or what has an `isoformat`.
pub(crate) fn instant(now: Option<&Bound<'_, PyAny>>) -> PyResult<Timestamp> {
    let Some(now) = now.filter(|now| !now.is_none()) else { return Ok(Clock::System.now()) };
    let written;
    let text = match now.getattr("isoformat") {
        Ok(isoformat) => {
            written = isoformat.call0()?;
            given::text(&written, "now", SHORT_BYTES)?
        }
        Err(_) => given::text(now, "now", SHORT_BYTES)?,
    };
    let parsed = text.parse::<Timestamp>().map_err(|error| {
        Failure::usage(format!("`now`: {error}"))
            .hint("give an instant such as 2026-03-01T12:00:00Z, or a datetime with a time zone")
    })?;
    Ok(parsed)
}
