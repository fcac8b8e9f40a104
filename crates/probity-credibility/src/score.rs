//! A search result → its credibility score, part by part, and the permit or the block.
//!
//! ```text
//! score = 0.4 · authority + 0.5 · relevance + recency
//! ```
//!
//! A page is scored once, at discovery, against the original question, from nothing but its
//! address, title and snippet.

use std::collections::HashMap;

use jiff::civil::Date;
use probity_core::{Outlet, Score, SearchHit, Timestamp, WebUrl};
use serde::Serialize;

use crate::outlet::Resolver;
use crate::permit::Permit;
use crate::policy::{AuthorityMode, Policy, PolicyError, RelevanceMode, TOLERANCE};
use crate::recency::recency_evidence;
use crate::relevance::{Overlap, QuestionWords, missing, share};
use crate::tier::{Tier, TierIndex};

/// Scores pages by one policy, one state of the ledger, at one instant.
pub struct Scorer {
    policy: Policy,
    tiers: TierIndex,
    outlets: Resolver,
    ledger: HashMap<Outlet, f64>,
    now: Timestamp,
}

impl Scorer {
    /// A scorer by a policy and the ledger's scores.
    ///
    /// # Errors
    /// When the policy contradicts itself.
    pub fn new(
        policy: Policy,
        ledger: HashMap<Outlet, f64>,
        now: Timestamp,
    ) -> Result<Self, PolicyError> {
        policy.check()?;
        let tiers = TierIndex::new(&policy.tiers);
        let outlets = Resolver::new(&policy.outlets)?;
        let ledger = match policy.authority {
            AuthorityMode::Ledger => ledger,
            AuthorityMode::Tiers => HashMap::new(),
        };
        Ok(Self { policy, tiers, outlets, ledger, now })
    }

    /// The policy in force.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// Whose page an address is.
    pub fn outlet_of(&self, url: &WebUrl) -> Option<Outlet> {
        self.outlets.resolve(url).outlet
    }

    /// Adds what the ledger says of some outlets, unless the policy leaves the ledger out.
    pub fn learn(&mut self, scores: impl IntoIterator<Item = (Outlet, f64)>) {
        if self.policy.authority == AuthorityMode::Ledger {
            self.ledger.extend(scores);
        }
    }

    /// Prepares to score pages against one question.
    pub fn for_question<'a>(&'a self, question: &str) -> QuestionScorer<'a> {
        QuestionScorer {
            scorer: self,
            question: QuestionWords::new(question),
            overlap: Overlap::default(),
        }
    }

    fn authority(&self, url: &WebUrl) -> Authority {
        let resolution = self.outlets.resolve(url);
        let page = resolution.publisher_url.as_ref().unwrap_or(url);
        let outlet = resolution.outlet;
        let names = [page.dns_host(), outlet.as_ref().map_or("", Outlet::as_str)];
        let tier = self.tiers.tier(&names);
        let tier_value = self.policy.tiers.value(tier);
        let ledger = outlet.as_ref().and_then(|outlet| self.ledger.get(outlet)).copied();
        Authority {
            value: ledger.unwrap_or(tier_value),
            source: if ledger.is_some() { AuthoritySource::Ledger } else { AuthoritySource::Tier },
            outlet,
            tier,
            tier_value,
        }
    }
}

struct Authority {
    value: f64,
    source: AuthoritySource,
    outlet: Option<Outlet>,
    tier: Tier,
    tier_value: f64,
}

/// Where the authority of a page was taken from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum AuthoritySource {
    /// The outlet's score in the ledger.
    Ledger,
    /// The tier of its host.
    Tier,
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
}

impl QuestionScorer<'_> {
    /// The question as the scorer reads it.
    pub fn question(&self) -> &QuestionWords {
        &self.question
    }

    /// Scores one page.
    pub fn assess(&mut self, page: Discovery<'_>) -> Assessment {
        let policy = &self.scorer.policy;
        let authority = self.scorer.authority(page.url);
        let found = self.overlap.found(&self.question, [page.title, page.snippet]);
        let relevance = match policy.relevance {
            RelevanceMode::Overlap => share(&found, |_| 0.0),
            RelevanceMode::Soft => share(&found, |_| 0.0),
        };
        let evidence =
            recency_evidence([page.title, page.snippet], page.published, self.scorer.now);
        let weights = policy.weights;
        let recency = if evidence.is_some() { weights.recency } else { 0.0 };
        let total = weights.authority * authority.value + weights.relevance * relevance + recency;
        Assessment {
            score: Score { total, authority: authority.value, relevance, recency },
            outlet: authority.outlet,
            tier: authority.tier,
            tier_value: authority.tier_value,
            authority_source: authority.source,
            words: found.len(),
            missing: missing(&self.question, &found),
            recency_evidence: evidence,
            threshold: policy.threshold,
            weights: [weights.authority, weights.relevance],
        }
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
    /// Whose page it is, where that can be told.
    pub outlet: Option<Outlet>,
    /// The tier of its host.
    pub tier: Tier,
    /// What that tier is worth.
    pub tier_value: f64,
    /// Where the authority was taken from.
    pub authority_source: AuthoritySource,
    /// How many content words the question has.
    pub words: usize,
    /// The question's content words that title and snippet lack.
    pub missing: Vec<String>,
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

    /// The score as a sum, with the reason for each part.
    pub fn explanation(&self) -> String {
        let score = &self.score;
        let [authority_weight, relevance_weight] = self.weights;
        let outlet = self.outlet.as_ref().map_or("no outlet", Outlet::as_str);
        let tier = format!("tier {} {:.2}", self.tier.words(), self.tier_value);
        let authority = match self.authority_source {
            AuthoritySource::Ledger => format!("ledger: {outlet}; {tier}"),
            AuthoritySource::Tier => tier,
        };
        let relevance = match (self.words, self.missing.as_slice()) {
            (0, _) => "the question has no content word".to_owned(),
            (words, []) => format!("all {words} question words found"),
            (words, missing) => {
                let listed: Vec<&str> = missing.iter().take(8).map(String::as_str).collect();
                let more = if missing.len() > listed.len() { ", …" } else { "" };
                let found = words - missing.len();
                format!(
                    "{found} of {words} question words found; missing: {}{more}",
                    listed.join(", ")
                )
            }
        };
        let recency = match &self.recency_evidence {
            Some(evidence) => format!("recent: {evidence}"),
            None => "no sign of recency".to_owned(),
        };
        let (sign, verdict) =
            if self.blocked() { ("≤", "blocked") } else { (">", "may be fetched") };
        format!(
            "{authority_weight} × {:.2} authority ({authority}) + {relevance_weight} × {:.2} relevance \
             ({relevance}) + {:.2} recency ({recency}) = {:.3} {sign} {}: {verdict}",
            score.authority, score.relevance, score.recency, score.total, self.threshold,
        )
    }
}
