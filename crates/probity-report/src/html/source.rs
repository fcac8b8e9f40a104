//! A listed source as the page shows it: title, score with its parts, judgement, day.

use probity_core::{Candidate, Score};

use crate::appendix::title;
use crate::credit::{self, Part};
use crate::escape::one_line;
use crate::reference::publisher;

use super::Links;

/// How wide a bar of a full score is drawn, in pixels.
const BAR: f64 = 60.0;

/// What a part of a bar stands for: the whole score, or one of its three parts.
const WHOLE: &str = "share";
const PARTS: [&str; 3] = ["share", "share second", "share third"];

/// A part of a score's bar.
#[derive(Clone)]
pub(crate) struct Stretch {
    pub(crate) class: &'static str,
    pub(crate) x: String,
    pub(crate) width: String,
}

/// The bar of a score: its three parts one behind another, or one stretch where they are unknown.
fn bar(score: &Score) -> Vec<Stretch> {
    let total = if score.total.is_finite() { score.total.clamp(0.0, 1.0) } else { 0.0 };
    let parts = match score.shares() {
        Some(shares) => PARTS.into_iter().zip(shares).collect(),
        None => vec![(WHOLE, total)],
    };
    let mut from = 0.0;
    let stretches = parts.into_iter().filter(|(_, share)| *share > 0.0).map(|(class, share)| {
        let x = from;
        from += share * BAR;
        Stretch { class, x: format!("{x:.1}"), width: format!("{:.1}", share * BAR) }
    });
    stretches.collect()
}

/// A listed source.
pub(crate) struct SourceView {
    pub(crate) n: usize,
    pub(crate) title: String,
    pub(crate) url: String,
    pub(crate) href: String,
    pub(crate) outlet: String,
    pub(crate) outlet_link: Option<String>,
    pub(crate) marks: Vec<(&'static str, String)>,
    pub(crate) score: String,
    pub(crate) bar: Vec<Stretch>,
    pub(crate) parts: [Part; 3],
    pub(crate) score_parts: String,
    pub(crate) gate: String,
    pub(crate) gate_key: u8,
    pub(crate) why: String,
    pub(crate) published: String,
    pub(crate) published_key: String,
}

impl SourceView {
    pub(crate) fn new(n: usize, source: &Candidate, links: &dyn Links) -> Self {
        let score = source.credibility;
        let relevance = source.relevance.as_ref();
        let date = source.published.map(|date| date.to_string());
        Self {
            n,
            title: title(source),
            url: source.url.as_str().to_owned(),
            href: links.open(source).unwrap_or_else(|| source.url.as_str().to_owned()),
            outlet: publisher(source).to_owned(),
            outlet_link: links.outlet(source),
            marks: links.marks(source),
            score: format!("{:.2}", score.total),
            bar: bar(&score),
            parts: credit::parts(&score),
            score_parts: credit::line(&score),
            gate: relevance.map_or_else(|| "–".to_owned(), |r| format!("{}/5", r.score)),
            gate_key: relevance.map_or(0, |r| r.score),
            why: relevance.map(|r| one_line(&r.why)).unwrap_or_default(),
            published: match source.archived {
                Some(day) => {
                    format!("{}, archived copy of {day}", date.as_deref().unwrap_or("undated"))
                }
                None => date.clone().unwrap_or_else(|| "undated".to_owned()),
            },
            published_key: date.unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_as_long_as_its_score_and_shows_the_parts_where_they_are_known() {
        let length = |score: Score| {
            let bar = bar(&score);
            let end = bar.last().map_or(0.0, |last| {
                last.x.parse::<f64>().unwrap() + last.width.parse::<f64>().unwrap()
            });
            (bar.len(), end)
        };
        let score = Score { total: 0.76, authority: 0.4, relevance: 1.0, recency: 0.1 };
        assert_eq!(length(score), (3, 45.6));
        let undated = Score { total: 0.66, recency: 0.0, ..score };
        assert_eq!(length(undated), (2, 39.6));
        assert_eq!(length(Score { total: 0.9, ..score }), (1, 54.0));
        assert_eq!(length(Score { total: f64::NAN, ..score }), (0, 0.0));
        assert_eq!(length(Score { total: 7.0, ..score }), (1, 60.0));
    }
}
