//! The weights of the judge, in one place.
//!
//! They were set by hand from what they mean, and then moved by a coarse random search on the
//! development sets (docs/relevance.md says how). None depends on a document or a question.

/// The exponent of the mean over the terms of a question. Below 1, so that a missing term costs more
/// than its share: near 0 the mean would be a product, and one missing term would be the end.
pub(super) const POWER: f64 = 0.33;
/// What is left of a window that lacks the value which the question asks for.
pub(super) const FLOOR: f64 = 0.28;
/// What a missing term counts, so that one cannot be the end.
pub(super) const ABSENT: f64 = 0.01;
/// What a term counts that stands only in the sentences around a window.
pub(super) const AROUND: f64 = 0.27;
/// What a term counts that stands only in the heading above.
pub(super) const HEADING: f64 = 0.5;
/// What a term counts that stands only in a sentence that asks or repeats the question.
pub(super) const ASKED: f64 = 0.4;
/// What a term counts that stands only in the title.
pub(super) const TITLE: f64 = 0.3;
/// What a name or a number counts that stands anywhere in the text or its title.
pub(super) const ANYWHERE: f64 = 0.9;
/// A term is missing below this match.
pub(super) const MISSING: f64 = 0.35;
/// The value that is asked for is there from this surety on.
pub(super) const SURE: f64 = 0.6;
/// The most that a window is worth which has the names of the question, but neither the one thing
/// that is asked about them nor a value: just too little to be kept.
pub(super) const HOLLOW: f64 = 0.19;
/// A text that has nowhere more than this share of what a yes-or-no question asks is silent on it.
pub(super) const SILENT: f64 = 0.5;
/// What is lost when every name of the question is missing.
pub(super) const NAMELESS: f64 = 0.4;
/// What a sentence counts that holds the question only together with its neighbour.
pub(super) const PAIRED: f64 = 0.8;
/// The exponent of the topic beside the strength of a window.
pub(super) const TOPIC: f64 = 0.5;

/// Up to so many sentences a text is short: a passage.
const SHORT: f64 = 8.0;
/// From so many sentences on it is long.
const LONG: f64 = 20.0;

/// From these values on a text has a 2, a 3, a 4, a 5.
const CUTS: [f64; 4] = [0.06, 0.2, 0.45, 0.7];

/// The exponent of the value of a text with so many sentences, from 1 to 2.
///
/// The longer a text, the likelier is one window that shares many of the question's words by chance,
/// so its best window has to hold more of them.
pub(super) fn length(sentences: usize) -> f64 {
    let sentences = f64::from(u32::try_from(sentences).unwrap_or(u32::MAX)).clamp(SHORT, LONG);
    1.0 + (sentences / SHORT).ln() / (LONG / SHORT).ln()
}

/// The score of a value.
pub(super) fn score(value: f64) -> u8 {
    CUTS.iter().fold(1, |score, cut| score + u8::from(value >= *cut))
}
