//! A scored page as JSON.

use probity_core::WebUrl;
use probity_credibility::{Assessment, AuthoritySource, Tier};
use serde::{Serialize, Serializer};

/// One scored page. The order of the fields is part of the format.
#[derive(Serialize)]
pub(super) struct Scored<'a> {
    url: &'a str,
    host: &'a str,
    outlet: Option<&'a str>,
    tier: Tier,
    authority: f64,
    authority_source: AuthoritySource,
    relevance: f64,
    relevance_to_question: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    relevance_to_query: Option<f64>,
    recency: f64,
    score: f64,
    blocked: bool,
    #[serde(serialize_with = "explain")]
    explanation: &'a Assessment,
}

impl<'a> Scored<'a> {
    pub(super) fn new(url: &'a WebUrl, assessment: &'a Assessment) -> Self {
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
