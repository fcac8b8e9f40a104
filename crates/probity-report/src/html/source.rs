//! A listed source as the page shows it: title, scores with their words, judgement, day.

use probity_core::{Band, Candidate};

use crate::appendix::title;
use crate::escape::one_line;

use super::Links;

/// How wide a bar of a full score is drawn, in pixels.
const BAR: f64 = 60.0;

/// A number between 0 and 1 with its bar.
pub(crate) struct Part {
    pub(crate) name: &'static str,
    pub(crate) value: String,
    pub(crate) width: String,
}

impl Part {
    fn new(name: &'static str, value: f64) -> Self {
        let share = if value.is_finite() { value.clamp(0.0, 1.0) } else { 0.0 };
        Self { name, value: format!("{value:.2}"), width: format!("{:.1}", share * BAR) }
    }
}

/// A listed source.
pub(crate) struct SourceView {
    pub(crate) n: usize,
    pub(crate) title: String,
    pub(crate) url: String,
    pub(crate) outlet: String,
    pub(crate) outlet_link: Option<String>,
    pub(crate) marks: Vec<(&'static str, String)>,
    pub(crate) total: Part,
    pub(crate) parts: [Part; 3],
    pub(crate) band: &'static str,
    pub(crate) band_class: &'static str,
    pub(crate) gate: String,
    pub(crate) gate_key: u8,
    pub(crate) why: String,
    pub(crate) published: String,
    pub(crate) published_key: String,
}

impl SourceView {
    pub(crate) fn new(n: usize, source: &Candidate, links: &dyn Links) -> Self {
        let score = source.credibility;
        let band = Band::of(score.total);
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
            total: Part::new("credibility", score.total),
            parts: [
                Part::new("authority", score.authority),
                Part::new("words of the question", score.relevance),
                Part::new("recency", score.recency),
            ],
            band: band.words(),
            band_class: band_class(band),
            gate: relevance.map_or_else(|| "–".to_owned(), |r| format!("{}/5", r.score)),
            gate_key: relevance.map_or(0, |r| r.score),
            why: relevance.map(|r| one_line(&r.why)).unwrap_or_default(),
            published: date.clone().unwrap_or_else(|| "undated".to_owned()),
            published_key: date.unwrap_or_default(),
        }
    }
}

/// The class that gives a band its colour; the word always stands beside it.
pub(crate) fn band_class(band: Band) -> &'static str {
    match band {
        Band::TopTier => "b5",
        Band::Established => "b4",
        Band::Neutral => "b3",
        Band::Weak => "b2",
        Band::Unreliable => "b1",
    }
}
