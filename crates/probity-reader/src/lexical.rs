//! What is known about a question or a claim and a passage by their words alone, where there is no
//! trained reader.

use probity_text::lexical::{Query, Text};

use crate::answer::{Passage, PassageAnswer, SpanScore};
use crate::entail::Entailment;
use crate::round::rounded;

/// How fast the logit grows with the share of words beyond the share at which it is 0.
const STEEP: f64 = 10.0;
/// A passage with this share of the question's content words answers as likely as not.
const ANSWERS: f64 = 0.7;
/// One with this share is on the topic as likely as not.
const TOPIC: f64 = 0.5;
/// A passage with this share of a claim's content words supports it as likely as not. Words never tell that
/// something is contradicted.
const SUPPORTS: f64 = 0.85;
/// The score of a sentence that has none of the question's words.
const NOTHING: f64 = -12.0;

/// A passage by the share of the question's words, its sentences by theirs; a span is a whole sentence.
pub(crate) fn answer(question: &Query, passage: &Passage<'_>) -> PassageAnswer {
    let whole = Text { lead: passage.lead, body: passage.text };
    let covered = share(question, whole);
    let sentences: Vec<Option<SpanScore>> = passage
        .sentences
        .iter()
        .map(|range| {
            let body = passage.text.get(range.clone())?;
            let covered = share(question, Text { lead: passage.lead, body });
            let score = rounded(NOTHING * (1.0 - covered));
            Some(SpanScore { score, start: range.start, end: range.end })
        })
        .collect();
    let best = sentences.iter().flatten().max_by(|a, b| a.score.total_cmp(&b.score));
    PassageAnswer {
        answerable: rounded(STEEP * (covered - ANSWERS)),
        topic: rounded(STEEP * (covered - TOPIC)),
        span: best.copied(),
        sentences,
    }
}

/// A claim by the share of its words that a passage has.
pub(crate) fn entailment(claim: &str, passage: &str) -> Entailment {
    let covered = share(&Query::new(claim), Text { lead: "", body: passage });
    let supported = 1.0 / (1.0 + (-STEEP * (covered - SUPPORTS)).exp());
    let supported = rounded(supported);
    Entailment { supported, not_enough: rounded(1.0 - supported), contradicted: 0.0 }
}

fn share(query: &Query, text: Text<'_>) -> f64 {
    query.measure(&[text]).first().map_or(0.0, |measured| measured.covered)
}
