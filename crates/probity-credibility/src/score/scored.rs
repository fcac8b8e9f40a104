//! A scored page as every interface gives it.

use probity_core::WebUrl;
use serde::{Serialize, Serializer};

use super::Assessment;
use crate::authority::AuthoritySource;
use crate::tier::Tier;

/// One scored page. The order of the fields is part of the format.
#[derive(Serialize)]
pub struct Scored<'a> {
    /// Its address.
    pub url: &'a str,
    /// Its host.
    pub host: &'a str,
    /// Whose page it is, where that is known.
    pub outlet: Option<&'a str>,
    /// The tier of its host.
    pub tier: Tier,
    /// Its publisher's authority.
    pub authority: f64,
    /// Where that number comes from.
    pub authority_source: AuthoritySource,
    /// How much of what was asked it speaks of.
    pub relevance: f64,
    /// The same for the question alone.
    pub relevance_to_question: f64,
    /// The same for the query that found it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relevance_to_query: Option<f64>,
    /// What it gains for being recent.
    pub recency: f64,
    /// All of it together.
    pub score: f64,
    /// Whether it is never downloaded.
    pub blocked: bool,
    /// The score as a sum, with the reason for each part.
    #[serde(serialize_with = "explain")]
    pub explanation: &'a Assessment,
}

impl<'a> Scored<'a> {
    /// A page with its outcome.
    pub fn new(url: &'a WebUrl, assessment: &'a Assessment) -> Self {
        let score = &assessment.score;
        Self {
            url: url.as_str(),
            host: url.host(),
            outlet: assessment.authority.outlet.as_ref().map(|outlet| outlet.as_str()),
            tier: assessment.authority.tier,
            authority: tidy(score.authority),
            authority_source: assessment.authority.source(),
            relevance: tidy(score.relevance),
            relevance_to_question: tidy(assessment.question.value),
            relevance_to_query: assessment.query.as_ref().map(|query| tidy(query.share.value)),
            recency: tidy(score.recency),
            score: tidy(score.total),
            blocked: assessment.blocked(),
            explanation: assessment,
        }
    }
}

/// Rounds away the noise of binary fractions: 0.8600000000000001 is 0.86.
fn tidy(value: f64) -> f64 {
    (value * 1e12).round() / 1e12
}

fn explain<S: Serializer>(assessment: &Assessment, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&assessment.explain())
}
