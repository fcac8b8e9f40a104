//! A page's credibility as every format shows it: the number, and the parts that it is made of.
//!
//! The words of the bands are for outlets. A page's score also counts how many words of the question
//! its title and excerpt have, so a page can score high whose publisher has no given score. The band
//! is therefore shown beside the authority, which is the outlet's own, and nowhere else.

use probity_core::{Band, Score};

/// A part of a page's score.
pub(crate) struct Part {
    pub(crate) name: &'static str,
    pub(crate) value: String,
    /// How the outlet is read, beside its authority.
    pub(crate) band: Option<Band>,
}

impl Part {
    /// The part in words.
    pub(crate) fn words(&self) -> String {
        match self.band {
            Some(band) => format!("{} {} ({})", self.name, self.value, band.words()),
            None => format!("{} {}", self.name, self.value),
        }
    }
}

/// The parts of a page's score, in the order in which they are shown.
pub(crate) fn parts(score: &Score) -> [Part; 3] {
    let part = |name, value: f64, band| Part { name, value: format!("{value:.2}"), band };
    [
        part("authority", score.authority, Some(Band::of(score.authority))),
        part("words of the question", score.relevance, None),
        part("recency", score.recency, None),
    ]
}

/// The parts of a page's score on one line.
pub(crate) fn line(score: &Score) -> String {
    parts(score).map(|part| part.words()).join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_that_has_the_words_of_the_question_does_not_wear_its_outlets_band() {
        let unknown = Score { total: 0.76, authority: 0.4, relevance: 1.0, recency: 0.1 };
        let described = line(&unknown);
        assert_eq!(described, "authority 0.40 (weak), words of the question 1.00, recency 0.10");
        assert!(!described.contains("established"), "{described}");
    }
}
