//! A listed source as the page shows it: title, score with its parts, judgement, day.

use probity_core::Candidate;

use crate::appendix::title;
use crate::credit::{self, Part};
use crate::escape::one_line;

use super::Links;

/// How wide a bar of a full score is drawn, in pixels.
const BAR: f64 = 60.0;

/// A listed source.
pub(crate) struct SourceView {
    pub(crate) n: usize,
    pub(crate) title: String,
    pub(crate) url: String,
    pub(crate) outlet: String,
    pub(crate) outlet_link: Option<String>,
    pub(crate) marks: Vec<(&'static str, String)>,
    pub(crate) score: String,
    pub(crate) bar: String,
    pub(crate) parts: [Part; 3],
    pub(crate) told: String,
    pub(crate) gate: String,
    pub(crate) gate_key: u8,
    pub(crate) why: String,
    pub(crate) published: String,
    pub(crate) published_key: String,
}

impl SourceView {
    pub(crate) fn new(n: usize, source: &Candidate, links: &dyn Links) -> Self {
        let score = source.credibility;
        let share = if score.total.is_finite() { score.total.clamp(0.0, 1.0) } else { 0.0 };
        let relevance = source.relevance.as_ref();
        let date = source.published.map(|date| date.to_string());
        Self {
            n,
            title: title(source),
            url: source.url.as_str().to_owned(),
            outlet: source
                .outlet
                .as_ref()
                .map_or_else(|| source.url.host().to_owned(), |outlet| outlet.as_str().to_owned()),
            outlet_link: links.outlet(source),
            marks: links.marks(source),
            score: format!("{:.2}", score.total),
            bar: format!("{:.1}", share * BAR),
            parts: credit::parts(&score),
            told: credit::told(&score),
            gate: relevance.map_or_else(|| "–".to_owned(), |r| format!("{}/5", r.score)),
            gate_key: relevance.map_or(0, |r| r.score),
            why: relevance.map(|r| one_line(&r.why)).unwrap_or_default(),
            published: date.clone().unwrap_or_else(|| "undated".to_owned()),
            published_key: date.unwrap_or_default(),
        }
    }
}
