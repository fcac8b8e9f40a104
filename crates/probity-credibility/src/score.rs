//! A search result → its credibility score, part by part, and the permit or the block.
//!
//! ```text
//! score = 0.4 · authority + 0.5 · relevance + recency
//! ```
//!
//! A page is scored once, at discovery, against the original question and the query that found it,
//! from nothing but its address, title and snippet.

mod explain;
mod scored;

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use foldhash::fast::RandomState;
use jiff::civil::Date;
use probity_core::retraction::is_retracted;
use probity_core::{Outlet, Score, SearchHit, Timestamp, WebUrl};

pub use self::scored::Scored;
use crate::authority::{Authority, Basis};
use crate::kind;
use crate::known::Known;
use crate::ledger::Opinion;
use crate::outlet::{Resolution, Resolver, registrable_domain};
use crate::permit::Permit;
use crate::policy::{AuthorityMode, Policy, PolicyError, RelevanceMode, RelevanceTo, TOLERANCE};
use crate::prior::{Prior, Site, Suffix, look_alike};
use crate::recency::recency_evidence;
use crate::relevance::{Near, Nearness, Overlap, QuestionWords};
use crate::signals::cited_adds;
use crate::tier::{Tier, TierIndex};

/// From this authority on an outlet is credible.
const CREDIBLE: f64 = 0.7;
/// The most authority that a retracted paper has, from any publisher.
const RETRACTED_MOST: f64 = 0.2;

/// Scores pages by one policy, one state of the ledger, at one instant.
pub struct Scorer {
    policy: Policy,
    tiers: TierIndex,
    outlets: Resolver,
    known: HashMap<Outlet, Known, RandomState>,
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
        let mut scorer = Self { policy, tiers, outlets, known: HashMap::default(), now };
        scorer.learn(ledger);
        Ok(scorer)
    }

    /// The policy in force.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// Whose a document is that the user provided: the publisher that it names (aliases count),
    /// or that of the address that it goes by.
    pub fn outlet_of_document(&self, url: &WebUrl, named: Option<&Outlet>) -> Option<Outlet> {
        let Some(named) = named else { return self.outlets.outlet_of_document(url) };
        let home = WebUrl::parse(&format!("https://{named}/")).ok();
        let kept = home.and_then(|url| self.outlets.outlet_of_document(&url));
        Some(kept.unwrap_or_else(|| named.clone()))
    }

    /// What is known of the publisher behind an address.
    pub fn resolve(&self, url: &WebUrl) -> Resolution {
        self.outlets.resolve(url)
    }

    /// Whose page an address is.
    pub fn outlet_of(&self, url: &WebUrl) -> Option<Outlet> {
        self.outlets.resolve(url).outlet
    }

    /// An outlet's authority.
    pub fn authority_of(&self, outlet: &Outlet) -> Authority {
        // An outlet like gov.uk is a public suffix without the `www.` that its pages carry.
        let host = match registrable_domain(outlet.as_str()) {
            Some(_) => Cow::Borrowed(outlet.as_str()),
            None => Cow::Owned(format!("www.{outlet}")),
        };
        let tier = self.tiers.tier(&host, Some(outlet));
        self.weigh(Some(outlet.clone()), tier, Site::of_host(&host))
    }

    /// Adds what is known of some outlets, unless the policy uses tiers alone.
    pub fn learn<K: Into<Known>>(&mut self, known: impl IntoIterator<Item = (Outlet, K)>) {
        if self.policy.authority != AuthorityMode::Tiers {
            self.known.extend(known.into_iter().map(|(outlet, one)| (outlet, one.into())));
        }
    }

    /// Whether an outlet is credible by tier, kind or ledger, so that it counts whom it cites. A name, and what is made
    /// of names and links, is not enough: no site becomes credible by linking to itself.
    pub fn is_credible(&self, outlet: &Outlet) -> bool {
        let authority = self.authority_of(outlet);
        let earned = match authority.basis {
            Basis::Tier => authority.tier != Tier::Organisation,
            Basis::Kind { .. } => true,
            Basis::Name { .. } | Basis::Imitation { .. } => false,
        };
        let given = matches!(authority.known.opinion, Some(Opinion::Given(_)));
        (earned || given) && authority.value >= CREDIBLE
    }

    /// Prepares to score pages against one question.
    pub fn for_question<'a>(&'a self, question: &str) -> QuestionScorer<'a> {
        let question = Asked::new(question, self.policy.relevance);
        QuestionScorer { scorer: self, question, queries: Vec::new(), named: None }
    }

    /// The authority of a page's publisher.
    pub fn authority(&self, url: &WebUrl) -> Authority {
        let resolution = self.outlets.resolve(url);
        let outlet = resolution.outlet;
        let page = resolution.publisher_url.as_ref().unwrap_or(url);
        let tier = match (&resolution.publisher_url, &outlet) {
            (None, None) => self.tiers.tier(url.dns_host(), None).at_most_general(),
            // Where the target of an address is unknown, it may lose by its host's name but not gain:
            // an archive's standing is not that of the page it would show.
            (_, outlet) => self.tiers.tier(page.dns_host(), outlet.as_ref()),
        };
        // An alias keeps its credibility under another name, and that is the one to read.
        let site = match &outlet {
            None => None,
            Some(outlet) if lies_under(page.dns_host(), outlet.as_str()) => Site::of_url(page),
            Some(outlet) => Site::of_host(outlet.as_str()),
        };
        self.weigh(outlet.clone(), tier, site)
    }

    fn weigh(&self, outlet: Option<Outlet>, tier: Tier, site: Option<Site<'_>>) -> Authority {
        let known = outlet.as_ref().and_then(|outlet| self.known.get(outlet)).copied();
        let known = known.unwrap_or_default();
        let (tier, basis) = match (&outlet, self.policy.authority) {
            (Some(outlet), AuthorityMode::Blend) => self.basis(outlet, tier, site, &known),
            _ => (tier, Basis::Tier),
        };
        Authority::new(outlet, (tier, self.policy.tiers.value(tier)), basis, known)
    }

    /// An outlet's authority without the ledger. A tier that says who may register, or that lists
    /// outlets by name, is not mixed with anything.
    fn basis(
        &self,
        outlet: &Outlet,
        tier: Tier,
        site: Option<Site<'_>>,
        known: &Known,
    ) -> (Tier, Basis) {
        let hosted = site.is_some_and(|site| site.suffix == Suffix::Hosted);
        // A listed platform does not vouch for everyone on it.
        let tier = if hosted { tier.at_most_general() } else { tier };
        if matches!(tier, Tier::Academic | Tier::Major | Tier::Social) {
            return (tier, Basis::Tier);
        }
        if let Some(listed) = kind::listed(outlet).filter(|_| !hosted) {
            return (tier, Basis::Kind { kind: listed.kind, value: listed.kind.value() });
        }
        let Some(site) = site else { return (tier, Basis::Tier) };
        let weight = self.policy.prior_weight;
        let shown = known.signals.map_or(0.0, |signals| signals.adds());
        let cited = if self.policy.citations { cited_adds(known.cited_by) } else { 0.0 };
        let name =
            Prior::of(&site).map(|prior| Basis::Name { prior: prior.value, weight, shown, cited });
        match look_alike(&site).filter(|of| *of != outlet.as_str()) {
            Some(of) => {
                let general = self.policy.tiers.general;
                let prior = Prior::of(&site).map_or(general, |prior| prior.value);
                (Tier::General, Basis::Imitation { of, value: general.min(prior) })
            }
            None => (tier, name.unwrap_or(Basis::Tier)),
        }
    }
}

fn lies_under(host: &str, domain: &str) -> bool {
    host.strip_suffix(domain).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
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
    question: Asked,
    queries: Vec<(Arc<str>, Asked)>,
    named: Option<Outlet>,
}

impl QuestionScorer<'_> {
    /// Takes the pages that follow for this outlet's, whatever their addresses say: a document of
    /// the user's own may name its publisher.
    pub fn of_outlet(mut self, named: Option<Outlet>) -> Self {
        self.named = named;
        self
    }

    /// Takes the pages that follow for what these queries found.
    pub fn found_by<'q>(mut self, queries: impl IntoIterator<Item = &'q str>) -> Self {
        let policy = &self.scorer.policy;
        self.queries = match policy.relevance_to {
            RelevanceTo::Question => Vec::new(),
            RelevanceTo::Either => queries
                .into_iter()
                .map(|query| (Arc::from(query), Asked::new(query, policy.relevance)))
                .filter(|(_, asked)| !asked.words.is_empty())
                .collect(),
        };
        self
    }

    /// The question as the scorer reads it.
    pub fn question(&self) -> &QuestionWords {
        &self.question.words
    }

    /// Scores one page.
    pub fn assess(&mut self, page: Discovery<'_>) -> Assessment {
        let policy = &self.scorer.policy;
        let authority = match &self.named {
            Some(outlet) => self.scorer.authority_of(outlet),
            None => self.scorer.authority(page.url),
        };
        let texts = [page.title, page.snippet];
        let question = self.question.share(texts);
        let queries = self.queries.iter_mut().map(|(query, asked)| QueryShare {
            query: Arc::clone(query),
            share: asked.share(texts),
        });
        // Of equals the first, so that the answer does not depend on how many found the page.
        let query = queries.reduce(
            |best, next| {
                if next.share.value > best.share.value { next } else { best }
            },
        );
        let by_query = query.as_ref().map_or(0.0, |query| query.share.value);
        let relevance = question.value.max(by_query);
        let evidence = recency_evidence(texts, page.published, self.scorer.now);
        let weights = policy.weights;
        let recency = if evidence.is_some() { weights.recency } else { 0.0 };
        let retracted = is_retracted(page.title);
        let worth = if retracted { authority.value.min(RETRACTED_MOST) } else { authority.value };
        let total = weights.authority * worth + weights.relevance * relevance + recency;
        Assessment {
            score: Score { total, authority: worth, relevance, recency },
            retracted,
            authority,
            question,
            query,
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

/// A question or query, prepared to be found in many pages.
struct Asked {
    words: QuestionWords,
    overlap: Overlap,
    nearness: Option<Nearness>,
}

impl Asked {
    fn new(text: &str, mode: RelevanceMode) -> Self {
        let words = QuestionWords::new(text);
        let nearness = match mode {
            RelevanceMode::Overlap => None,
            RelevanceMode::Soft => Some(Nearness::new(&words)),
        };
        Self { words, overlap: Overlap::default(), nearness }
    }

    fn share(&mut self, texts: [&str; 2]) -> Share {
        let found = self.overlap.found(&self.words, texts);
        let shown = self.words.shown();
        let mut share = Share::default();
        let mut nearest = match &self.nearness {
            Some(nearness) => nearness.nearest(&self.words, found, texts).into_iter(),
            None => Vec::new().into_iter(),
        };
        for (word, found) in shown.iter().zip(found) {
            match (found, nearest.next().flatten()) {
                (true, _) => share.found += 1,
                (false, Some(near)) => share.near.push(near),
                (false, None) => share.missing.push(Arc::clone(word)),
            }
        }
        if !shown.is_empty() {
            let near: f64 = share.near.iter().map(|near| near.counts).sum();
            share.value = (share.found as f64 + near) / shown.len() as f64;
        }
        share
    }
}

/// How much of a question or query a page speaks of, word by word.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Share {
    /// The share, from 0 to 1.
    pub value: f64,
    /// How many of its content words title and snippet hold.
    pub found: usize,
    /// The content words that they lack, but come near to; only where relevance is `soft`.
    pub near: Vec<Near>,
    /// The content words that they lack.
    pub missing: Vec<Arc<str>>,
}

impl Share {
    /// How many content words there are.
    pub fn words(&self) -> usize {
        self.found + self.near.len() + self.missing.len()
    }
}

/// How much of the query that found it a page speaks of.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryShare {
    /// The query; of several, the one with the largest share.
    pub query: Arc<str>,
    /// Its share.
    pub share: Share,
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
    /// Its publisher's authority, and why.
    pub authority: Authority,
    /// Whether its title says that it is retracted, so that its publisher has little authority.
    pub retracted: bool,
    /// How much of the question title and snippet speak of.
    pub question: Share,
    /// How much of the query that found it; the larger of the two is its relevance.
    pub query: Option<QueryShare>,
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
        self.explain().to_string()
    }

    /// As [`Assessment::explanation`], for a page that the user provided: it is scored, but
    /// choosing it was the user's judgement, and it is never blocked.
    pub fn explanation_of_handed_over(&self) -> String {
        explain::Explanation { assessment: self, handed_over: true }.to_string()
    }

    /// As [`Assessment::explanation`], for writing it straight into something else.
    pub fn explain(&self) -> impl fmt::Display {
        explain::Explanation { assessment: self, handed_over: false }
    }
}
