//! A search result → its credibility score, part by part, and the permit or the block.
//!
//! ```text
//! score = 0.4 · authority + 0.5 · relevance + recency
//! ```
//!
//! A page is scored once, at discovery, against the original question, from nothing but its
//! address, title and snippet.

mod explain;

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use foldhash::fast::RandomState;
use jiff::civil::Date;
use probity_core::{Outlet, Score, SearchHit, Timestamp, WebUrl};

use crate::authority::Authority;
use crate::ledger::Opinion;
use crate::outlet::{Resolver, registrable_domain};
use crate::permit::Permit;
use crate::policy::{AuthorityMode, Policy, PolicyError, RelevanceMode, TOLERANCE};
use crate::recency::recency_evidence;
use crate::relevance::{Near, Nearness, Overlap, QuestionWords};
use crate::tier::{Tier, TierIndex};

/// Scores pages by one policy, one state of the ledger, at one instant.
pub struct Scorer {
    policy: Policy,
    tiers: TierIndex,
    outlets: Resolver,
    ledger: HashMap<Outlet, Opinion, RandomState>,
    now: Timestamp,
}

impl Scorer {
    /// A scorer by a policy and what the ledger says.
    ///
    /// # Errors
    /// When the policy contradicts itself.
    pub fn new(
        policy: Policy,
        ledger: HashMap<Outlet, Opinion>,
        now: Timestamp,
    ) -> Result<Self, PolicyError> {
        policy.check()?;
        let tiers = TierIndex::new(&policy.tiers);
        let outlets = Resolver::new(&policy.outlets)?;
        let ledger = match policy.authority {
            AuthorityMode::Ledger => ledger.into_iter().collect(),
            AuthorityMode::Tiers => HashMap::default(),
        };
        Ok(Self { policy, tiers, outlets, ledger, now })
    }

    /// The policy in force.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// The outlet that credibility is kept under where somebody names one: aliases count.
    pub fn outlet_named(&self, outlet: &Outlet) -> Outlet {
        let home = WebUrl::parse(&format!("https://{outlet}/")).ok();
        home.and_then(|url| self.outlets.outlet_of(&url)).unwrap_or_else(|| outlet.clone())
    }

    /// Whose page an address is.
    pub fn outlet_of(&self, url: &WebUrl) -> Option<Outlet> {
        self.outlets.resolve(url).outlet
    }

    /// What an outlet is worth.
    pub fn authority_of(&self, outlet: &Outlet) -> Authority {
        // An outlet like gov.uk is a public suffix without the `www.` that its pages carry.
        let host = match registrable_domain(outlet.as_str()) {
            Some(_) => Cow::Borrowed(outlet.as_str()),
            None => Cow::Owned(format!("www.{outlet}")),
        };
        let tier = self.tiers.tier(&host, Some(outlet));
        self.weigh(Some(outlet.clone()), tier)
    }

    /// Adds what the ledger says of some outlets, unless the policy leaves the ledger out.
    pub fn learn(&mut self, opinions: impl IntoIterator<Item = (Outlet, Opinion)>) {
        if self.policy.authority == AuthorityMode::Ledger {
            self.ledger.extend(opinions);
        }
    }

    /// Prepares to score pages against one question.
    pub fn for_question<'a>(&'a self, question: &str) -> QuestionScorer<'a> {
        let question = QuestionWords::new(question);
        let nearness = match self.policy.relevance {
            RelevanceMode::Overlap => None,
            RelevanceMode::Soft => Some(Nearness::new(&question)),
        };
        let overlap = Overlap::default();
        QuestionScorer { scorer: self, question, overlap, nearness, named: None }
    }

    /// What the publisher of a page is worth.
    pub fn authority(&self, url: &WebUrl) -> Authority {
        let resolution = self.outlets.resolve(url);
        let outlet = resolution.outlet;
        let tier = match (&resolution.publisher_url, &outlet) {
            (Some(page), outlet) => self.tiers.tier(page.dns_host(), outlet.as_ref()),
            (None, Some(outlet)) => self.tiers.tier(url.dns_host(), Some(outlet)),
            // Where an address leads nobody knows, it may lose by its host's name but not gain:
            // an archive's standing is not that of the page it would show.
            (None, None) => self.tiers.tier(url.dns_host(), None).at_most_general(),
        };
        self.weigh(outlet, tier)
    }

    fn weigh(&self, outlet: Option<Outlet>, tier: Tier) -> Authority {
        let opinion = outlet.as_ref().and_then(|outlet| self.ledger.get(outlet)).copied();
        Authority::new(outlet, (tier, self.policy.tiers.value(tier)), opinion)
    }
}

/// All that is known of a page at discovery.
#[derive(Debug, Clone, Copy)]
pub struct Discovery<'a> {
    /// Its address.
    pub url: &'a WebUrl,
    /// The title that the search gave.
    pub title: &'a str,
    /// The excerpt that the search gave.
    pub snippet: &'a str,
    /// The publication day that the search gave.
    pub published: Option<Date>,
}

impl<'a> From<&'a SearchHit> for Discovery<'a> {
    fn from(hit: &'a SearchHit) -> Self {
        Self { url: &hit.url, title: &hit.title, snippet: &hit.snippet, published: hit.published }
    }
}

/// Scores pages against one question.
pub struct QuestionScorer<'a> {
    scorer: &'a Scorer,
    question: QuestionWords,
    overlap: Overlap,
    nearness: Option<Nearness>,
    named: Option<Outlet>,
}

impl QuestionScorer<'_> {
    /// Takes the pages that follow for this outlet's, whatever their addresses say: a document of
    /// the user's own may name its publisher.
    pub fn of_outlet(mut self, named: Option<Outlet>) -> Self {
        self.named = named;
        self
    }

    /// The question as the scorer reads it.
    pub fn question(&self) -> &QuestionWords {
        &self.question
    }

    /// Scores one page.
    pub fn assess(&mut self, page: Discovery<'_>) -> Assessment {
        let policy = &self.scorer.policy;
        let authority = match &self.named {
            Some(outlet) => self.scorer.authority_of(outlet),
            None => self.scorer.authority(page.url),
        };
        let relevance = self.relevance([page.title, page.snippet]);
        let evidence =
            recency_evidence([page.title, page.snippet], page.published, self.scorer.now);
        let weights = policy.weights;
        let recency = if evidence.is_some() { weights.recency } else { 0.0 };
        let total =
            weights.authority * authority.value + weights.relevance * relevance.value + recency;
        Assessment {
            score: Score { total, authority: authority.value, relevance: relevance.value, recency },
            authority,
            found: relevance.found,
            near: relevance.near,
            missing: relevance.missing,
            recency_evidence: evidence,
            threshold: policy.threshold,
            weights: [weights.authority, weights.relevance],
        }
    }

    fn relevance(&mut self, texts: [&str; 2]) -> Relevance {
        let found = self.overlap.found(&self.question, texts);
        let shown = self.question.shown();
        let mut relevance = Relevance::default();
        let mut nearest = match &self.nearness {
            Some(nearness) => nearness.nearest(&self.question, found, texts).into_iter(),
            None => Vec::new().into_iter(),
        };
        for (word, found) in shown.iter().zip(found) {
            match (found, nearest.next().flatten()) {
                (true, _) => relevance.found += 1,
                (false, Some(near)) => relevance.near.push(near),
                (false, None) => relevance.missing.push(Arc::clone(word)),
            }
        }
        if !shown.is_empty() {
            let near: f64 = relevance.near.iter().map(|near| near.counts).sum();
            relevance.value = (relevance.found as f64 + near) / shown.len() as f64;
        }
        relevance
    }

    /// Scores one page and decides whether it may be fetched.
    pub fn admit(&mut self, page: Discovery<'_>) -> (Assessment, Admission) {
        let assessment = self.assess(page);
        let admission = if assessment.blocked() {
            Admission::Blocked
        } else {
            Admission::Permitted(Permit::by_score(page.url.clone(), assessment.score))
        };
        (assessment, admission)
    }
}

/// How much of the question a page speaks of, word by word.
#[derive(Default)]
struct Relevance {
    value: f64,
    found: usize,
    near: Vec<Near>,
    missing: Vec<Arc<str>>,
}

/// What a score led to.
#[derive(Debug, Clone, PartialEq)]
pub enum Admission {
    /// The page may be fetched.
    Permitted(Permit),
    /// The page is never downloaded.
    Blocked,
}

/// A score with everything that explains it.
#[derive(Debug, Clone, PartialEq)]
pub struct Assessment {
    /// The score and its parts.
    pub score: Score,
    /// What its publisher is worth, and why.
    pub authority: Authority,
    /// How many of the question's content words title and snippet hold.
    pub found: usize,
    /// The content words that they lack, but come near to; only where relevance is `soft`.
    pub near: Vec<Near>,
    /// The content words that they lack.
    pub missing: Vec<Arc<str>>,
    /// The words that make it recent.
    pub recency_evidence: Option<String>,
    /// The threshold in force.
    pub threshold: f64,
    weights: [f64; 2],
}

impl Assessment {
    /// Whether the page is blocked: at the threshold counts as below it.
    pub fn blocked(&self) -> bool {
        self.score.total <= self.threshold + TOLERANCE
    }

    /// How many content words the question has.
    pub fn words(&self) -> usize {
        self.found + self.near.len() + self.missing.len()
    }

    /// The score as a sum, with the reason for each part.
    pub fn explanation(&self) -> String {
        self.explain().to_string()
    }

    /// As [`Assessment::explanation`], for a page that the user handed over: it is scored, but
    /// choosing it was the user's judgement, and it is never blocked.
    pub fn explanation_of_handed_over(&self) -> String {
        explain::Explanation { assessment: self, handed_over: true }.to_string()
    }

    /// As [`Assessment::explanation`], for writing it straight into something else.
    pub fn explain(&self) -> impl fmt::Display {
        explain::Explanation { assessment: self, handed_over: false }
    }
}
