//! The sentences of the sources that may speak in a report, ranked by how well they answer.

use probity_core::SourceId;
use probity_text::Language;
use probity_text::embed::{Embedder, Vector};
use probity_text::lex::tokens;
use probity_text::quantity::{Quantity, quantities};
use probity_text::relevance::rank_sentences;
use probity_text::sentences::sentences;
use probity_text::standalone::alone;
use probity_text::tag::tag;
use probity_text::words::{Stemmer, words};

use super::super::SourceView;

/// Sentences shorter or longer than this, in words, read badly out of context.
const WORDS: std::ops::RangeInclusive<usize> = 6..=48;
/// The most sentences of one source that are looked at.
const PER_SOURCE: usize = 400;
/// About how many words a summary has.
const SUMMARY_WORDS: usize = 160;

/// What a sentence that speaks of "I", "we" or "you" is worth: in a report nobody knows who that is.
const PERSONAL: f64 = 0.5;

/// A sentence that may speak in a report.
pub(super) struct Voice {
    /// The sources that say it, the best first.
    pub(super) sources: Vec<SourceId>,
    /// The sentence.
    pub(super) text: String,
    /// Its place in the source.
    pub(super) place: usize,
    /// How well it answers the question.
    pub(super) score: f64,
    /// What it means, roughly.
    pub(super) vector: Vector,
    /// Its content stems.
    pub(super) stems: Vec<String>,
    /// The quantities it names.
    pub(super) quantities: Vec<Quantity>,
}

/// The sentences of a text that stand alone, with their places.
fn candidates(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (place, range) in sentences(text).into_iter().enumerate() {
        let Some(raw) = text.get(range) else { continue };
        let raw = without_marker(raw);
        if !is_prose(raw) {
            continue;
        }
        if let Some(sentence) = alone(raw) {
            let sentence = sentence.split_whitespace().collect::<Vec<_>>().join(" ");
            found.push((place, sentence));
        }
        if found.len() >= PER_SOURCE {
            break;
        }
    }
    found
}

/// A sentence without the bullet or number of the list it stands in.
fn without_marker(text: &str) -> &str {
    let text = text.trim().trim_start_matches(['-', '*', '•', '|', '>', ' ']);
    let number = text.trim_start_matches('(').trim_start_matches(|c: char| c.is_ascii_digit());
    let is_marker = number.len() < text.len() && text.len() - number.len() <= 4;
    match number.strip_prefix([')', '.']) {
        Some(rest) if is_marker && rest.starts_with(' ') => rest.trim_start(),
        _ => text,
    }
}

/// A whole statement: not a heading, a question, a table row or a fragment.
fn is_prose(text: &str) -> bool {
    let ends = text.ends_with(['.', '!', '。', '”', '"', '’', ')']);
    let words = words(text).count();
    let table = text.matches(['|', '\t']).count() > 1;
    let begins = text.chars().next().is_some_and(|c| !c.is_lowercase());
    ends && begins && !table && !text.contains('?') && WORDS.contains(&words) && has_predicate(text)
}

/// Whether something is said at all. Only English is tagged; elsewhere the length has to do.
fn has_predicate(text: &str) -> bool {
    Language::detect(text) != Language::English
        || tag(tokens(text)).iter().any(|word| word.is_finite())
}

fn is_personal(text: &str) -> bool {
    const SPEAKERS: &[&str] = &[
        "i", "i'm", "i've", "we", "we've", "my", "our", "me", "us", "you", "your", "you're",
        "mine", "ours",
    ];
    words(text).any(|word| SPEAKERS.contains(&word.lower.as_ref()) && word.raw != "US")
}

/// Every sentence of the sources, each with its rank, the best first.
pub(super) fn pool(question: &str, sources: &[SourceView<'_>], stemmer: &Stemmer) -> Vec<Voice> {
    let embedder = Embedder::embedded();
    let mut voices = Vec::new();
    for source in sources {
        let found = candidates(source.text);
        let texts: Vec<&str> = found.iter().map(|(_, text)| text.as_str()).collect();
        let scores = scores(question, &texts);
        // A source that answers better lends its sentences a little weight.
        let trust = 0.9 + 0.02 * f64::from(source.relevance.unwrap_or(3));
        for ((place, text), score) in found.iter().zip(scores) {
            let voice = if is_personal(text) { PERSONAL } else { 1.0 };
            voices.push(Voice {
                sources: vec![source.id],
                place: *place,
                score: score * trust * voice,
                vector: embedder.embed(text),
                stems: stemmer.content_stems(text),
                quantities: quantities(text),
                text: text.clone(),
            });
        }
    }
    voices.sort_by(|a, b| {
        b.score.total_cmp(&a.score).then(a.sources.cmp(&b.sources)).then(a.place.cmp(&b.place))
    });
    voices
}

/// How well each sentence answers the question, in the order of the sentences.
fn scores(question: &str, sentences: &[&str]) -> Vec<f64> {
    rank_sentences(question, sentences).into_iter().map(f64::from).collect()
}

/// What a source says about the question, in its own sentences and their order.
pub(super) fn summary(question: &str, text: &str) -> String {
    let found = candidates(text);
    let texts: Vec<&str> = found.iter().map(|(_, text)| text.as_str()).collect();
    let scores = scores(question, &texts);
    let mut order: Vec<usize> = (0..found.len()).collect();
    let score = |index: usize| scores.get(index).copied().unwrap_or(0.0);
    order.sort_by(|a, b| score(*b).total_cmp(&score(*a)).then(a.cmp(b)));
    let mut chosen = Vec::new();
    let mut length = 0;
    for index in order {
        let Some((_, sentence)) = found.get(index) else { continue };
        length += sentence.split_whitespace().count();
        if length > SUMMARY_WORDS && !chosen.is_empty() {
            break;
        }
        chosen.push(index);
    }
    chosen.sort_unstable();
    let sentences = chosen.into_iter().filter_map(|index| found.get(index));
    sentences.map(|(_, text)| text.as_str()).collect::<Vec<_>>().join(" ")
}
