//! How much of the question a title and snippet speak of.
//!
//! ```text
//! question → content words → stems      title + snippet → words → stems
//! share = (found + near) / content words
//! relevance = the better of the share of the question and of the query that found the page
//! ```
//!
//! By default only words of the same stem or family (*Albania*, *Albanian*) count. In the `soft` mode a missing word counts by its
//! best match in meaning: see `Nearness`.

use std::collections::HashMap;
use std::sync::Arc;

use foldhash::fast::RandomState;
use probity_core::printable;
use probity_text::Language;
use probity_text::embed::{Embedder, Vector};
use probity_text::family::family;
use probity_text::stopwords::stopwords;
use probity_text::words::{Stemmer, each_lower, words};

/// How many words' stems are remembered between texts before the memory is emptied.
const REMEMBERED_WORDS: usize = 50_000;
/// Texts longer than this are read up to here; snippets are far shorter.
const TEXT_BYTES: usize = 64 * 1024;
/// How many words of a page are compared in meaning.
const COMPARED_WORDS: usize = 400;

/// The least cosine at which another word counts for one that is missing.
///
/// Unrelated texts hold near misses by chance, and many small ones would add up to a relevance.
/// Measured on 300 questions with passages of forty words: of the question words that a passage
/// lacks, 1.6 % find a match at 0.5 or above in a passage on something else, and 11 % in a passage
/// that answers. (*doctor* and *physician* have 0.81, *loud* and *noisy* 0.61, *dog* and *cat* 0.51,
/// *hot* and *cold* 0.41, *Paris* and *London* 0.38, *apple* and *tax* 0.06.)
pub const NEARNESS_FLOOR: f32 = 0.5;

/// A question prepared for scoring: its distinct content words in its own language.
pub struct QuestionWords {
    stemmer: Stemmer,
    shown: Vec<Arc<str>>,
    lower: Vec<String>,
    index: HashMap<String, usize, RandomState>,
    shortest: Shortest,
}

/// Words that say how things are related or ranked and not what they are, beside the stopwords: they
/// stand in a question and rarely in the snippet that answers it.
const UNSPECIFIC: [&str; 5] = ["first", "based", "v", "vs", "de"];

impl QuestionWords {
    /// Prepares a question.
    pub fn new(question: &str) -> Self {
        let stemmer = Stemmer::new(Language::detect(question));
        let mut index = HashMap::default();
        let mut shown = Vec::new();
        let mut lower = Vec::new();
        for word in words(question) {
            if UNSPECIFIC.contains(&word.lower.as_ref()) {
                continue;
            }
            let Some(stem) = stemmer.content_stem(&word.lower) else { continue };
            let key = key(&stem, stemmer.language());
            if !index.contains_key(key) {
                index.insert(key.to_owned(), shown.len());
                shown.push(Arc::from(printable::line(word.raw)));
                lower.push(word.lower.into_owned());
            }
        }
        let shortest = Shortest::of(index.keys(), stemmer.language());
        Self { stemmer, shown, lower, index, shortest }
    }

    /// The place among the question's words of one that is the same or of its family.
    fn place(&self, word: &str) -> Option<usize> {
        self.index.get(key(&self.stemmer.stem(word), self.language())).copied()
    }

    /// Whether the question asks for anything at all.
    pub fn is_empty(&self) -> bool {
        self.shown.is_empty()
    }

    /// The content words as they stand in the question, safe to print.
    pub fn shown(&self) -> &[Arc<str>] {
        &self.shown
    }

    /// The language that the question was found to be in.
    pub fn language(&self) -> Language {
        self.stemmer.language()
    }
}

/// What a word is compared by: its family where those are known, else its stem.
fn key(stem: &str, language: Language) -> &str {
    match language {
        Language::English => family(stem),
        _ => stem,
    }
}

/// The length of the shortest family key that begins with each byte.
///
/// An English stem begins with the letter or digit that its word begins with and is never longer, and
/// a family's key is a beginning of the stem, so most words of a page need not be looked up at all. Other languages promise neither.
struct Shortest(Option<[usize; 256]>);

impl Shortest {
    fn of<'a>(stems: impl Iterator<Item = &'a String>, language: Language) -> Self {
        if language != Language::English {
            return Self(None);
        }
        let mut shortest = [usize::MAX; 256];
        for stem in stems {
            let place = stem.bytes().next().and_then(|first| shortest.get_mut(usize::from(first)));
            if let Some(length) = place {
                *length = stem.len().min(*length);
            }
        }
        Self(Some(shortest))
    }

    /// Whether a word could have one of the stems.
    fn allows(&self, word: &str) -> bool {
        let Some(shortest) = &self.0 else { return true };
        match word.bytes().next() {
            Some(first) if first.is_ascii_alphanumeric() => {
                shortest.get(usize::from(first)).is_none_or(|length| word.len() >= *length)
            }
            _ => true,
        }
    }
}

/// Finds the question's words in many texts, remembering the stems of words it has met.
#[derive(Default)]
pub(crate) struct Overlap {
    /// Word → position of its stem in the question, if it has one there.
    met: HashMap<String, Option<usize>, RandomState>,
    found: Vec<bool>,
}

impl Overlap {
    /// Marks which of the question's words occur in the texts.
    pub(crate) fn found(&mut self, question: &QuestionWords, texts: [&str; 2]) -> &[bool] {
        let Self { met, found } = self;
        found.clear();
        found.resize(question.shown.len(), false);
        for text in texts {
            each_lower(bounded(text), |word| {
                if !question.shortest.allows(word) {
                    return;
                }
                let position = match met.get(word) {
                    Some(position) => *position,
                    None => meet(met, question, word),
                };
                if let Some(seen) = position.and_then(|i| found.get_mut(i)) {
                    *seen = true;
                }
            });
        }
        found
    }
}

/// Looks a word up in the question and remembers the answer.
fn meet(
    met: &mut HashMap<String, Option<usize>, RandomState>,
    question: &QuestionWords,
    word: &str,
) -> Option<usize> {
    let position = question.place(word);
    if met.len() >= REMEMBERED_WORDS {
        met.clear();
    }
    met.insert(word.to_owned(), position);
    position
}

fn bounded(text: &str) -> &str {
    text.get(..text.floor_char_boundary(TEXT_BYTES)).unwrap_or(text)
}

/// A question word that a page lacks, and the word of the page that comes nearest to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Near {
    /// The question's word.
    pub word: Arc<str>,
    /// The page's word, lower-case, safe to print.
    pub by: String,
    /// How near they are, from [`NEARNESS_FLOOR`] to 1: what the word counts.
    pub counts: f64,
}

/// Finds words of like meaning for the question words that a page lacks.
///
/// Only whole words of the embedded model's vocabulary are compared: a name that the model knows
/// merely in pieces, or a number, has no near match. 2023 is no 2024.
pub(crate) struct Nearness {
    embedder: &'static Embedder,
    /// One for each of the question's words; none for those that only count exactly.
    vectors: Vec<Option<Vector>>,
}

impl Nearness {
    pub(crate) fn new(question: &QuestionWords) -> Self {
        let embedder = Embedder::embedded();
        let vectors = question.lower.iter().map(|word| vector(embedder, word)).collect();
        Self { embedder, vectors }
    }

    /// The best match for each question word that was not found, in the question's order.
    pub(crate) fn nearest(
        &self,
        question: &QuestionWords,
        found: &[bool],
        texts: [&str; 2],
    ) -> Vec<Option<Near>> {
        let page = self.page_words(question.language(), texts);
        let asked = question.shown.iter().zip(&self.vectors).zip(found);
        asked
            .map(|((word, vector), found)| match vector {
                Some(vector) if !found => best(word, vector, &page),
                _ => None,
            })
            .collect()
    }

    fn page_words(&self, language: Language, texts: [&str; 2]) -> HashMap<String, Vector> {
        let fillers = stopwords(language);
        let mut page = HashMap::new();
        for text in texts {
            each_lower(bounded(text), |word| {
                let is_new = page.len() < COMPARED_WORDS
                    && !fillers.contains(word)
                    && !page.contains_key(word);
                if is_new && let Some(vector) = vector(self.embedder, word) {
                    page.insert(word.to_owned(), vector);
                }
            });
        }
        page
    }
}

/// The vector of a word that the model knows whole and that is neither number nor single letter.
fn vector(embedder: &Embedder, word: &str) -> Option<Vector> {
    let word = word.strip_suffix("'s").unwrap_or(word);
    let is_word = word.chars().nth(1).is_some() && !word.contains(char::is_numeric);
    let rank = embedder.rank(word).filter(|_| is_word)?;
    Some(embedder.mean(&[rank])).filter(|vector| !vector.is_zero())
}

fn best(word: &Arc<str>, vector: &Vector, page: &HashMap<String, Vector>) -> Option<Near> {
    page.iter()
        .map(|(by, other)| (by, vector.cosine(other)))
        .filter(|(_, cosine)| *cosine >= NEARNESS_FLOOR)
        // Of equals the first by the alphabet, so that the answer never changes.
        .max_by(|(by, cosine), (other_by, other)| cosine.total_cmp(other).then(other_by.cmp(by)))
        .map(|(by, cosine)| Near {
            word: Arc::clone(word),
            by: printable::line(by).into_owned(),
            counts: f64::from(cosine).clamp(0.0, 1.0),
        })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn near(question: &str, text: &str) -> Vec<(String, String)> {
        let question = QuestionWords::new(question);
        let mut overlap = Overlap::default();
        let found = overlap.found(&question, [text, ""]);
        let nearest = Nearness::new(&question).nearest(&question, found, [text, ""]);
        nearest.into_iter().flatten().map(|near| (near.word.to_string(), near.by)).collect()
    }

    #[test]
    fn a_missing_word_is_met_by_one_of_like_meaning() {
        let pairs = near("Which physician charges the fee?", "A doctor lists prices in the town");
        assert_eq!(pairs, [("physician".to_owned(), "doctor".to_owned())]);
    }

    fn missing(question: &str, text: &str) -> Vec<String> {
        let question = QuestionWords::new(question);
        let found = Overlap::default().found(&question, [text, ""]).to_vec();
        let words = question.shown().iter().zip(found);
        words.filter(|(_, found)| !found).map(|(word, _)| word.to_string()).collect()
    }

    #[test]
    fn words_of_one_family_are_the_same_word() {
        let text = "Albania grants nationals a citizen's card";
        assert!(missing("Which Albanian nationality and citizenship?", text).is_empty());
        assert_eq!(QuestionWords::new("Italy and the Italians").shown().len(), 1);
        assert_eq!(missing("Which stations close?", "the state closes early"), ["stations"]);
    }

    #[test]
    fn words_that_only_relate_others_do_not_count() {
        let words = QuestionWords::new("Roe v. Wade vs Casa de Papel: first of the based films");
        let shown: Vec<&str> = words.shown().iter().map(AsRef::as_ref).collect();
        assert_eq!(shown, ["Roe", "Wade", "Casa", "Papel", "films"]);
    }

    #[test]
    fn what_is_there_needs_no_likeness() {
        assert!(near("noisy streets", "noisy street").is_empty());
    }

    #[test]
    fn numbers_and_names_in_pieces_have_no_likeness() {
        assert!(near("budget of 2024", "2023 and 2025").is_empty());
        assert!(near("Zorblaxian Quuxville", "zorblaxia quuxburg").is_empty());
    }

    #[test]
    fn unrelated_words_do_not_add_up() {
        let text = "The treaty on banana tariffs was signed by ministers after weeks of talks in \
                    the capital, and farmers on the coast expect better harvests next spring.";
        assert!(near("How loud may amplified guitars be at night?", text).is_empty());
    }

    proptest! {
        #[test]
        fn an_english_stem_begins_like_its_word_and_is_no_longer(
            word in prop_oneof!["[a-z]{1,14}", "[a-z']{1,9}(ing|ed|ies|ly|s|eed|ational|y)", "\\PC{1,8}"],
        ) {
            let stemmer = Stemmer::new(Language::English);
            each_lower(&word, |word| {
                let stem = stemmer.stem(word);
                let first = word.bytes().next().filter(u8::is_ascii_alphanumeric);
                assert!(first.is_none() || stem.bytes().next() == first, "{word} {stem}");
                assert!(stem.len() <= word.len(), "{word} {stem}");
            });
        }
    }
}
