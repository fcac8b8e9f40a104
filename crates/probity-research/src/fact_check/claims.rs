//! A text → the statements in it that can be checked, each with what it cites.

use std::ops::Range;

use probity_core::WebUrl;
use probity_text::sentences::sentences;
use probity_text::words::{Word, words};
use serde::{Deserialize, Serialize};

use super::links::{Bare, References, bare};

/// The longest text that is checked, in bytes.
pub const TEXT_BYTES: usize = 200_000;
/// The most statements of one text that are checked.
pub const CLAIMS_MOST: usize = 100;
/// A statement has at least this many words.
const WORDS_LEAST: usize = 3;
/// A line without a full stop states something if it has at least this many words; a shorter one is
/// a heading.
const LINE_WORDS_LEAST: usize = 6;
/// The longest subject that is carried over to the next sentence, in words.
const SUBJECT_WORDS: usize = 6;
/// Verbs that end a subject, beside those that end in "-ed".
const VERBS: &[&str] = &[
    "is", "are", "was", "were", "has", "have", "had", "does", "do", "did", "can", "could", "will",
    "would", "may", "might", "must", "should",
];

/// A statement that can be checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// What it says, without its citations.
    pub text: String,
    /// The same with its subject spelled out, where it began with a pronoun.
    pub spelled_out: String,
    /// Where it is in the text, in bytes.
    pub bytes: Range<usize>,
    /// The pages it cites.
    pub cites: Vec<WebUrl>,
}

/// Why a sentence is not checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unchecked {
    /// It asks.
    Question,
    /// It is a heading, a caption or another piece without a verb.
    Fragment,
    /// It tells what its author thinks or wants.
    Opinion,
    /// There were too many before it.
    BeyondLimit,
}

impl Unchecked {
    /// The reason in words.
    pub fn as_str(self) -> &'static str {
        match self {
            Unchecked::Question => "it asks and states nothing",
            Unchecked::Fragment => "it is not a sentence",
            Unchecked::Opinion => "it says what its author thinks",
            Unchecked::BeyondLimit => "it comes after the limit of statements",
        }
    }
}

/// What a text states.
#[derive(Debug, Default)]
pub struct Statements {
    /// What can be checked, in the order of the text.
    pub claims: Vec<Claim>,
    /// What is not checked, and why.
    pub unchecked: Vec<(String, Unchecked)>,
}

/// The statements of a text; of a very long one, of its first [`TEXT_BYTES`].
///
/// ```
/// use probity_research::fact_check::statements;
///
/// let found = statements("The mill closed in 1850 (https://a.example/mill). Why? It had 90 workers.");
/// assert_eq!(found.claims[0].text, "The mill closed in 1850.");
/// assert_eq!(found.claims[0].cites[0].as_str(), "https://a.example/mill");
/// assert_eq!(found.claims[1].spelled_out, "The mill had 90 workers.");
/// assert_eq!(found.unchecked.len(), 1);
/// ```
pub fn statements(text: &str) -> Statements {
    let text = text.get(..text.floor_char_boundary(TEXT_BYTES)).unwrap_or(text);
    let references = References::read(text);
    let mut found = Statements::default();
    let mut subject: Option<String> = None;
    let mut end = 0;
    for bytes in sentences(text) {
        let Some(sentence) = text.get(bytes.clone()) else { continue };
        if references.lists(bytes.start) {
            continue;
        }
        let gap = text.get(end..bytes.start).unwrap_or_default();
        let new_paragraph = gap.matches('\n').count() > 1 || gap.contains('#');
        end = bytes.end;
        if new_paragraph {
            subject = None;
        }
        let Bare { text: stated, cites, earlier } = bare(sentence, &references);
        if let Some(before) = found.claims.last_mut().filter(|_| !new_paragraph) {
            before.cites.extend(earlier);
        }
        if !stated.chars().any(char::is_alphanumeric) {
            continue;
        }
        match unfit(&stated, gap.contains('#')) {
            Some(reason) => found.unchecked.push((stated, reason)),
            None if found.claims.len() >= CLAIMS_MOST => {
                found.unchecked.push((stated, Unchecked::BeyondLimit));
            }
            None => {
                let spelled_out = spell_out(&stated, subject.as_deref());
                subject = subject_of(&spelled_out).or(subject);
                found.claims.push(Claim { text: stated, spelled_out, bytes, cites });
            }
        }
    }
    found
}

/// Why a sentence cannot be checked, if it cannot.
fn unfit(sentence: &str, is_heading: bool) -> Option<Unchecked> {
    let all: Vec<Word<'_>> = words(sentence).collect();
    let bare = sentence.trim_end_matches(['"', '”', ')', '\'', ' ']);
    if bare.ends_with('?') {
        return Some(Unchecked::Question);
    }
    let stopped = bare.ends_with(['.', '!', '。', '…']);
    let least = if stopped { WORDS_LEAST } else { LINE_WORDS_LEAST };
    if all.len() < least || is_heading || sentence.trim_end().ends_with(':') {
        return Some(Unchecked::Fragment);
    }
    let quoted = sentence.contains(['"', '“', '«']);
    let opening: Vec<&str> = all.iter().take(2).map(|word| word.lower.as_ref()).collect();
    let own =
        matches!(opening.as_slice(), ["i" | "we", ..] | ["please", ..] | ["let" | "let's", ..])
            || matches!(opening.as_slice(), ["in", "my"] | ["my" | "our", "view" | "opinion"]);
    (own && !quoted).then_some(Unchecked::Opinion)
}

/// A sentence with the subject of the one before in place of its opening pronoun.
fn spell_out(sentence: &str, subject: Option<&str>) -> String {
    let opens = words(sentence)
        .next()
        .filter(|first| matches!(first.lower.as_ref(), "it" | "he" | "she" | "they"));
    match (opens, subject) {
        (Some(pronoun), Some(subject)) => {
            let rest = sentence.get(pronoun.start + pronoun.raw.len()..).unwrap_or_default();
            format!("{subject}{rest}")
        }
        _ => sentence.to_owned(),
    }
}

/// What a sentence is about: its words up to a verb that is recognised by its form, if they are few and begin like a
/// noun phrase.
fn subject_of(sentence: &str) -> Option<String> {
    let all: Vec<Word<'_>> = words(sentence).take(SUBJECT_WORDS + 1).collect();
    let is_verb = |word: &Word<'_>| {
        VERBS.contains(&word.lower.as_ref()) || word.lower.len() > 4 && word.lower.ends_with("ed")
    };
    let verb = all.iter().position(is_verb).filter(|verb| *verb > 0)?;
    let (first, last) = (all.first()?, all.get(verb - 1)?);
    let nominal = matches!(first.lower.as_ref(), "the" | "a" | "an")
        || all.iter().take(verb).all(|word| word.raw.starts_with(char::is_uppercase));
    let phrase = sentence.get(..last.start + last.raw.len())?;
    (nominal && !phrase.contains([',', ';', ':'])).then(|| phrase.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        statements(text).claims.into_iter().map(|claim| claim.spelled_out).collect()
    }

    #[test]
    fn headings_questions_and_opinions_are_not_checked() {
        let found = statements(
            "# The mill of Selby\n\nWhy did it close? I think the owner sold it. The mill closed in 1850.\n\nSee also:",
        );
        let claims: Vec<_> = found.claims.iter().map(|claim| claim.text.as_str()).collect();
        assert_eq!(claims, ["The mill closed in 1850."]);
        let why: Vec<_> = found.unchecked.iter().map(|(_, why)| *why).collect();
        assert_eq!(
            why,
            [Unchecked::Fragment, Unchecked::Question, Unchecked::Opinion, Unchecked::Fragment]
        );
    }

    #[test]
    fn a_pronoun_stands_for_the_subject_of_its_paragraph_only() {
        let text = "The Selby Bridge opened in 1931. It carries 20,000 vehicles a day.\n\nIt was cold in May.";
        assert_eq!(
            texts(text),
            [
                "The Selby Bridge opened in 1931.",
                "The Selby Bridge carries 20,000 vehicles a day.",
                "It was cold in May."
            ]
        );
    }

    #[test]
    fn a_mark_after_the_full_stop_belongs_to_the_sentence_before() {
        let text = "The mill closed in 1850.[1] The quay opened in 1902. [2]\n\n[1]: https://a.example/1\n[2]: https://a.example/2";
        let found = statements(text);
        let cites: Vec<Vec<&str>> =
            found.claims.iter().map(|c| c.cites.iter().map(WebUrl::as_str).collect()).collect();
        assert_eq!(cites, [["https://a.example/1"], ["https://a.example/2"]]);
        assert!(found.unchecked.is_empty(), "{:?}", found.unchecked);
    }

    #[test]
    fn places_point_into_the_text_as_it_was_given() {
        let text =
            "Ünder **all**: The *mill* closed in 1850. It had [90 workers](https://a.example/).";
        for claim in statements(text).claims {
            assert!(
                text.get(claim.bytes.clone())
                    .is_some_and(|there| there.contains("1850") || there.contains("workers"))
            );
        }
    }

    #[test]
    fn more_statements_than_the_limit_are_named_not_dropped_in_silence() {
        let text = "The mill closed in 1850. ".repeat(CLAIMS_MOST + 5);
        let found = statements(&text);
        assert_eq!(found.claims.len(), CLAIMS_MOST);
        assert_eq!(found.unchecked.len(), 5);
    }
}
