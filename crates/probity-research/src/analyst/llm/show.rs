//! What a model is shown of the sources: cleaned, the best passages first, and no more than fits.

use std::borrow::Cow;

use probity_core::SourceId;
use probity_model::tokens;
use probity_model::untrusted::quarantine;
use probity_text::Language;
use probity_text::embed::Embedder;
use probity_text::words::Stemmer;
use serde::Serialize;

use super::super::SourceView;

/// About how long a passage is, in bytes.
const PASSAGE_BYTES: usize = 700;
/// The most passages of a text that are looked at.
const PASSAGES: usize = 700;
/// The longest title that is shown, in tokens.
const TITLE: usize = 60;
/// The mark between passages that do not follow each other.
const GAP: &str = "\n[…]\n";
/// The share of a window that sources may fill: estimates err, and long contexts blur.
const WINDOW_SHARE: f64 = 0.55;
/// What instructions, question, titles and schema take beside the sources, in tokens.
const INSTRUCTIONS: usize = 1_700;
/// The least of the sources that is shown, however small a window.
const LEAST: usize = 300;

/// A source as a prompt shows it. All texts are cleaned; the prompt escapes them.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Shown {
    /// What the model calls it: `S1`.
    pub(super) label: String,
    #[serde(skip)]
    pub(super) id: SourceId,
    pub(super) title: String,
    pub(super) outlet: String,
    pub(super) published: Option<String>,
    pub(super) credibility: String,
    pub(super) relevance: Option<u8>,
    pub(super) why: String,
    /// Summary or snippet, as the prompt needs it.
    pub(super) detail: String,
}

impl Shown {
    /// The frame of a source, without any of its text.
    pub(super) fn frame(source: &SourceView<'_>, number: usize) -> Self {
        Self {
            label: format!("S{number}"),
            id: source.id,
            title: line(source.title),
            outlet: line(source.outlet),
            published: source.published.map(|day| day.to_string()),
            credibility: format!("{:.2}", source.credibility),
            relevance: source.relevance,
            why: line(source.why),
            detail: String::new(),
        }
    }
}

fn line(text: &str) -> String {
    let text = quarantine(text).text;
    tokens::clip(text.trim(), TITLE).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A text without what it says to a model.
pub(super) fn clean(text: &str) -> Cow<'_, str> {
    quarantine(text).text
}

/// Whether a text speaks to a model.
pub(super) fn speaks_to_models(text: &str) -> bool {
    quarantine(text).removed > 0
}

/// How many tokens of sources fit into a window beside the instructions and an answer of that many.
pub(super) fn room(window: usize, output: u32) -> usize {
    let left = window.saturating_sub(output as usize).saturating_sub(INSTRUCTIONS);
    left.min((window as f64 * WINDOW_SHARE) as usize).max(LEAST)
}

/// A passage of a text with its place and its worth.
struct Passage<'a> {
    place: usize,
    text: &'a str,
    worth: f64,
}

/// The passages of a text, the best first: those that share the question's words and sense.
fn ranked<'a>(question: &str, text: &'a str) -> Vec<Passage<'a>> {
    let stemmer = Stemmer::new(Language::detect(question));
    let wanted = stemmer.content_stems(question);
    let embedder = Embedder::embedded();
    let sense = embedder.embed(question);
    let mut passages: Vec<Passage<'_>> = split(text)
        .into_iter()
        .take(PASSAGES)
        .enumerate()
        .map(|(place, text)| {
            let stems = stemmer.content_stems(text);
            let shared = wanted.iter().filter(|word| stems.contains(word)).count() as f64;
            let overlap = shared / wanted.len().max(1) as f64;
            let worth = overlap + f64::from(embedder.embed(text).cosine(&sense));
            Passage { place, text, worth }
        })
        .collect();
    passages.sort_by(|a, b| b.worth.total_cmp(&a.worth).then(a.place.cmp(&b.place)));
    passages
}

/// A text in passages of whole lines, long lines cut at spaces.
fn split(text: &str) -> Vec<&str> {
    let mut passages = Vec::new();
    let mut rest = text;
    while !rest.trim().is_empty() {
        let limit = rest.floor_char_boundary(PASSAGE_BYTES);
        let head = rest.get(..limit).unwrap_or(rest);
        let end = match head.len() == rest.len() {
            true => rest.len(),
            false => {
                let line = head.rfind("\n").filter(|at| *at > PASSAGE_BYTES / 3);
                line.or_else(|| head.rfind(". ")).or_else(|| head.rfind(' ')).unwrap_or(limit)
            }
        };
        let (passage, tail) =
            rest.split_at_checked(rest.floor_char_boundary(end.max(1) + 1)).unwrap_or((rest, ""));
        passages.push(passage.trim());
        rest = tail;
    }
    passages.retain(|passage| !passage.is_empty());
    passages
}

/// The best passages of a text that fit, in the order of the text.
pub(super) fn best(question: &str, text: &str, room: usize) -> String {
    let text = clean(text);
    if tokens::estimate(&text) <= room {
        return text.into_owned();
    }
    let mut chosen = Vec::new();
    let mut left = room;
    for passage in ranked(question, &text) {
        let size = tokens::estimate(passage.text) + 3;
        if size <= left {
            left -= size;
            chosen.push(passage);
        }
    }
    join(chosen)
}

fn join(mut passages: Vec<Passage<'_>>) -> String {
    passages.sort_by_key(|passage| passage.place);
    let mut text = String::new();
    let mut last = None;
    for passage in passages {
        match last {
            None => {}
            Some(place) if place + 1 == passage.place => text.push('\n'),
            Some(_) => text.push_str(GAP),
        }
        text.push_str(passage.text);
        last = Some(passage.place);
    }
    text
}

/// The passages of a text that are nearest to a question, in the order of the text.
pub(super) fn nearest(question: &str, text: &str, most: usize) -> Vec<String> {
    let text = clean(text);
    let mut passages = ranked(question, &text);
    passages.truncate(most);
    passages.sort_by_key(|passage| passage.place);
    passages.into_iter().map(|passage| passage.text.to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const QUESTION: &str = "How loud may music be at night in Port Ellery?";

    fn page() -> String {
        let filler = "The museum opens at nine and shows ships, maps and ropes of the old port.\n";
        let answer = "In Port Ellery music at night may be no louder than 55 decibels.\n";
        format!("{}{answer}{}", filler.repeat(120), filler.repeat(120))
    }

    #[test]
    fn the_best_passages_come_first_and_what_is_shown_fits() {
        let page = page();
        let shown = best(QUESTION, &page, 300);
        assert!(shown.contains("55 decibels") && tokens::estimate(&shown) <= 300);
        let nearest = nearest(QUESTION, &page, 2);
        assert_eq!(nearest.len(), 2);
        assert!(nearest.iter().any(|passage| passage.contains("55 decibels")));
    }

    proptest! {
        #[test]
        fn passages_are_the_text(text in "[a-z .\\n]{0,3000}") {
            let whole: String = text.split_whitespace().collect();
            let split: String = split(&text).concat().split_whitespace().collect();
            prop_assert_eq!(whole, split);
        }

        #[test]
        fn passages_fit_whatever_the_text(text in "\\PC{0,2000}", room in 1usize..400) {
            prop_assert!(tokens::estimate(&best(QUESTION, &text, room)) <= room + 4);
        }
    }
}
